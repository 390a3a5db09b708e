"""The pass that reports values of types that cannot meet, so that something is never, or always, true.

#input reading(text(room), text(temp)).
hot(R) :- reading(R,T), T > 25.              % every text is above every number
"""

from collections.abc import Iterable, Sequence
from itertools import chain, combinations, pairwise

from lars2asp.analysis.argument_types.cures import cure
from lars2asp.analysis.argument_types.function_types import call_arguments
from lars2asp.analysis.argument_types.kinds import (
    DURATION,
    EXTREME,
    NAME,
    NUMBER,
    NUMBERS,
    TEMPORAL,
    TERM,
    TEXT,
    TIME,
    VALUES,
    Evidence,
    Kinds,
    Known,
    exclude_each_other,
    kind_words,
    kinds_of,
    never_meet,
)
from lars2asp.analysis.argument_types.kinds_in_rules import ScopeKinds, Told
from lars2asp.analysis.argument_types.place_kinds import PlaceKinds, column_kinds, column_words, terms_of
from lars2asp.analysis.argument_types.time_arithmetic import NEGATIVE, result_of
from lars2asp.analysis.predicates import head_atoms, head_atoms_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.argument_type import DURATION as DURATION_TYPE
from lars2asp.syntax.argument_type import TIME as TIME_TYPE
from lars2asp.syntax.diagnostics import Diagnostics, Note
from lars2asp.syntax.nodes import Atom, Sign, Signature, Term, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.traversal import body_of, every, walk

_NUMBERED = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def check_types(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Reports what cannot meet, in a program without other errors."""
    if diagnostics.has_errors:
        return
    places = analysis.types.places
    declared = (said.type for found in analysis.types.declared.values() for said in found if said)
    has_times = any(one in (TIME_TYPE, DURATION_TYPE) for one in declared)
    has_times = has_times or any(one.gives & TEMPORAL for one in analysis.functions.values())
    for one in analysis.program.every(nodes.Input):
        _check_input(one, places, diagnostics)
    for statement in analysis.program.but_plain_facts:
        _Check(places, diagnostics, has_times=has_times).statement(statement)
    for name, arity in analysis.types.declared:
        for is_positive in (True, False):
            for fact in analysis.facts.get(Signature(name, arity, is_positive), ()):
                if isinstance(fact.head, Atom):
                    _Check(places, diagnostics, has_times=has_times).head(fact.head, places.scope(()))


def _check_input(one: nodes.Input, places: PlaceKinds, diagnostics: Diagnostics) -> None:
    """Reports columns that are read as what their places are not declared as."""
    signature = Signature(one.predicate, len(one.columns))
    for place, column in enumerate(one.columns):
        said = places.declared(signature, place)
        if said is None:
            continue
        kind = kinds_of(said.type)
        kinds = column_kinds(column)
        is_number = kind == NUMBER and (kinds == DURATION or (kinds == TIME and said.type.digits > 0))
        if is_number or exclude_each_other(kind, kinds):
            evidence = {kinds: Evidence(column.location, column_words(column), one, column)}
            diagnostics.error(
                column.location,
                f"{to_text(column)} gives {kind_words(kinds)}, but {_place_words(signature, place)} is "
                f"declared as {said.type}",
                f"declare it as {column.conversion}, or read the column as a number"
                if is_number
                else cure(Known(kinds, evidence), Known(kind, {})),
                notes=[Note(said.location, f"declared here as {said.type}")],
                code=codes.DECLARED_TYPE,
            )


def _place_words(signature: Signature, place: int) -> str:
    number = _NUMBERED[place] if place < len(_NUMBERED) else f"{place + 1}th"
    return f"the {number} argument of {signature}"


def _written(term: Term) -> str:
    """A term as text; one with units of time as it is written."""
    has_units = any(one.stands_for for one in every(nodes.Number, term))
    source, begin, end = term.location
    return source.text[begin:end] if has_units and term.location is not NOWHERE else to_text(term)


def _can_be_compared(one: Known, other: Known) -> bool:
    """Whether values may meet in a comparison: `#inf` and `#sup` do with any."""
    if one.kinds == other.kinds:
        return True
    kinds = [known._replace(kinds=known.kinds & ~EXTREME) for known in (one, other)]
    return not never_meet(*kinds)


_ORDER = (NUMBERS, NAME, TEXT, TERM)
"""Values of each kind are less than those of the kinds after it."""


def _truth(sign: str, one: Kinds, other: Kinds) -> str:
    """How a comparison of values that exclude each other ends."""
    if sign in ("=", "!="):
        return "never true" if sign == "=" else "always true"
    places = [[number for number, kind in enumerate(_ORDER) if kinds & kind] for kinds in (one, other)]
    if (one | other) & EXTREME or not all(places):
        return "the same for all values"
    for (less, more), is_less in ((places, True), (places[::-1], False)):
        if max(less) < min(more):
            return f"{'always' if is_less is (sign in ('<', '<=')) else 'never'} true"
    return "the same for all values"


class _Check:
    """Reports what cannot meet in a statement."""

    def __init__(self, places: PlaceKinds, diagnostics: Diagnostics, *, has_times: bool) -> None:
        self._places = places
        self._has_times = has_times
        self._diagnostics = diagnostics
        self._told: set[Location] = set()
        self._statement: nodes.Statement | None = None

    def statement(self, statement: nodes.Statement) -> None:
        """Reports what is wrong with a statement."""
        if isinstance(statement, nodes.Declaration | nodes.ProjectSignature):
            return
        self._statement = statement
        body = body_of(statement)
        scope = self._places.scope_of(statement)
        self._scope(scope, body)
        self._arithmetic(terms_of(statement), scope)
        match statement:
            case nodes.Rule(head=nodes.Disjunction(elements) | nodes.SetAggregate(elements)):
                for element in elements:
                    inner = self._within(scope, element.condition)
                    self._head_element(element, inner)
            case nodes.Rule(head=nodes.HeadAggregate() as aggregate):
                self._aggregate(aggregate, scope)
                for one in aggregate.elements:
                    self._head_element(one, self._within(scope, one.condition))
            case nodes.Rule():
                for found in head_atoms(statement):
                    self.head(found.atom, scope)
            case nodes.External(atom):
                self.head(atom, scope)
            case nodes.WeakConstraint(_, weight, priority):
                for term, what in ((weight, "weights"), (priority, "priorities")):
                    self._number(term, f"{what} are numbers", scope)
            case _:
                pass

    def _head_element(
        self, element: nodes.ConditionalLiteral | nodes.HeadAggregateElement, scope: ScopeKinds
    ) -> None:
        for found in head_atoms_of(element):
            self.head(found.atom, scope)

    def head(self, atom: Atom, scope: ScopeKinds) -> None:
        """Reports arguments of a head that are not what is declared."""
        signature = atom.signature
        for place, term in enumerate(atom.arguments):
            said = self._places.declared(signature, place)
            if said is None:
                continue
            known = scope.of(term)
            kind = kinds_of(said.type)
            if exclude_each_other(known.kinds, kind):
                self._report(
                    term.location,
                    f"{to_text(term)} is {kind_words(known.kinds)}, but {_place_words(signature, place)} is "
                    f"declared as {said.type}",
                    known,
                    Known(kind, {kind: Evidence(said.location, f"declared as {said.type}")}),
                    code=codes.DECLARED_TYPE,
                )

    # --- bodies ---------------------------------------------------------------------------------------

    def _within(
        self, scope: ScopeKinds, condition: Sequence[nodes.Literal], terms: Iterable[Term] = ()
    ) -> ScopeKinds:
        """The scope of a condition, which is checked."""
        inner = scope.within(condition, terms)
        self._scope(inner, condition)
        return inner

    def _scope(self, scope: ScopeKinds, body: Iterable[nodes.Literal | nodes.ConditionalLiteral]) -> None:
        for name, told in scope.told.items():
            if len(told) > 1:
                self._variable(name, told)
        for literal in body:
            if isinstance(literal, nodes.ConditionalLiteral):
                inner = self._within(scope, literal.condition)
                for one in literal.alternatives:
                    self._atom(one.atom, one.sign, inner)
            else:
                self._atom(literal.atom, literal.sign, scope)

    def _variable(self, name: str, told: Sequence[Told]) -> None:
        """Reports a variable of which two things are said that exclude each other."""
        different: dict[tuple[Kinds, bool], Told] = {}
        for each in told:
            different.setdefault((each.known.kinds, each.takes), each)
        for pair in combinations(different.values(), 2):
            one, other = sorted(pair, key=lambda each: not each.takes)
            if not never_meet(one.known, other.known):
                continue
            if one.takes:
                words = kind_words(other.known.kinds), kind_words(one.known.kinds)
                self._report(
                    one.location,
                    f"{name} is {words[0]}, but {words[1]} is needed here",
                    other.known,
                    one.known,
                    Note(other.location, f"{name} is {kind_words(other.known.kinds)} here"),
                )
            else:
                self._report(
                    other.location,
                    f"{name} is {kind_words(other.known.kinds)} here, and {kind_words(one.known.kinds)} "
                    "elsewhere: they are never equal",
                    one.known,
                    other.known,
                    Note(one.location, f"{name} is {kind_words(one.known.kinds)} here"),
                )
            return

    def _atom(self, atom: nodes.LiteralAtom, sign: Sign, scope: ScopeKinds) -> None:
        match atom:
            case Atom():
                self._arguments(atom, sign, scope)
            case nodes.Comparison():
                self._comparison(atom, scope)
            case nodes.Aggregate():
                self._aggregate(atom, scope)
            case nodes.SetAggregate(elements):
                for element in elements:
                    inner = self._within(scope, element.condition)
                    for one in element.alternatives:
                        self._atom(one.atom, one.sign, inner)
            case nodes.Boolean():
                pass
            case streaming:
                self._arguments(streaming.atom, sign, scope)

    def _arguments(self, atom: Atom, sign: Sign, scope: ScopeKinds) -> None:
        """Reports arguments that no atom of the predicate can have."""
        signature = atom.signature
        self._arithmetic(atom.arguments, scope)
        for place, (term, known) in enumerate(zip(atom.arguments, self._places.of(signature), strict=True)):
            if isinstance(term, Variable) and (sign is Sign.POSITIVE or term.is_anonymous):
                continue
            own = scope.of(term)
            if never_meet(own, known):
                self._report(
                    term.location,
                    f"{to_text(term)} is {kind_words(own.kinds)}, but {_place_words(signature, place)} is "
                    f"{kind_words(known.kinds)}: they are never equal",
                    known,
                    own,
                )

    def _comparison(self, comparison: nodes.Comparison, scope: ScopeKinds) -> None:
        sides = [comparison.term, *(guard.term for guard in comparison.guards)]
        self._arithmetic(sides, scope)
        for guard, (left, right) in zip(comparison.guards, pairwise(sides), strict=True):
            known = scope.of(left), scope.of(right)
            if _can_be_compared(*known):
                continue
            location = Location(left.location.source, left.location.begin, right.location.end)
            texts = _written(left), _written(right)
            said = f"{texts[0]} {guard.comparison} {texts[1]}"
            self._compared(location, said, guard.comparison, (texts[0], known[0]), (texts[1], known[1]))

    def _compared(
        self, location: Location, said: str, sign: str, left: tuple[str, Known], right: tuple[str, Known]
    ) -> None:
        """Reports a comparison of values that cannot meet."""
        (one_text, one), (other_text, other) = left, right
        if _can_be_compared(one, other):
            return
        one_kinds, other_kinds = (known.kinds & ~EXTREME for known in (one, other))
        is_known = one_kinds & other_kinds & NUMBERS or (one_kinds | other_kinds) & ~NUMBERS
        verdict = (
            f"{said} is {_truth(sign, one.kinds, other.kinds)}" if is_known else f"{said} is meaningless"
        )
        self._report(
            location,
            f"{one_text} is {kind_words(one_kinds)} and {other_text} is {kind_words(other_kinds)}: {verdict}",
            one,
            other,
        )

    def _aggregate(self, aggregate: nodes.Aggregate | nodes.HeadAggregate, scope: ScopeKinds) -> None:
        value = scope.of_aggregate(aggregate)
        for guard in (aggregate.left, aggregate.right):
            if guard is not None:
                words, known = _written(guard.term), scope.of(guard.term)
                said = f"{aggregate.function} {{ ... }} {guard.comparison} {words}"
                if guard is aggregate.left:
                    said = f"{words} {guard.comparison} {aggregate.function} {{ ... }}"
                location = guard.term.location
                self._compared(location, said, guard.comparison, (aggregate.function, value), (words, known))
        for element in aggregate.elements:
            inner = self._within(scope, element.condition, element.terms)
            for literal in element.condition:
                self._atom(literal.atom, literal.sign, inner)
            self._arithmetic(element.terms, inner)
            if not element.terms or not aggregate.function.startswith("#sum"):
                continue
            weight = element.terms[0]
            known = inner.of(weight)
            if known.kinds == TIME:
                hint = "subtract two times to get a duration: S-T"
                self._tell(
                    weight.location,
                    f"{to_text(weight)} is a time, but {aggregate.function} adds numbers and durations",
                    hint,
                    (known,),
                    code=codes.TIME_ARITHMETIC,
                )
            self._number(weight, f"{aggregate.function} adds numbers", inner)

    def _number(self, term: Term, why: str, scope: ScopeKinds) -> None:
        """Reports a term that is no number where only these count."""
        known = scope.of(term)
        if exclude_each_other(known.kinds, NUMBER):
            message = f"{to_text(term)} is {kind_words(known.kinds)}, but {why}"
            self._report(term.location, message, known, Known(NUMBER, {}))

    def _arithmetic(self, terms: Sequence[Term], scope: ScopeKinds) -> None:
        """Reports arithmetic on times and durations that has no meaning, and arguments of functions."""
        functions = self._places.functions
        for argument, needed in chain.from_iterable(
            call_arguments(term, functions) for term in (terms if functions else ())
        ):
            known = scope.of(argument)
            if not isinstance(argument, Variable) and never_meet(known, needed):
                words = kind_words(known.kinds), kind_words(needed.kinds)
                message = f"{_written(argument)} is {words[0]}, but {words[1]} is needed here"
                self._report(argument.location, message, known, needed)
        if not self._has_times:
            return
        for term in chain.from_iterable(map(walk, terms)):
            match term:
                case nodes.BinaryOperation(operator, left, right):
                    sides = scope.of(left), scope.of(right)
                    found = result_of(operator, sides[0].kinds, sides[1].kinds)
                case nodes.UnaryOperation("-", argument):
                    sides, found = (scope.of(argument),) * 2, NEGATIVE
                    if sides[0].kinds != TIME or isinstance(argument, nodes.Number):
                        continue
                case _:
                    continue
            if found.wrong:
                self._tell(
                    term.location,
                    f"{to_text(term)}: {found.wrong}",
                    found.hint,
                    sides,
                    code=codes.TIME_ARITHMETIC,
                )

    # --- messages -------------------------------------------------------------------------------------

    def _report(
        self,
        location: Location,
        message: str,
        one: Known,
        other: Known,
        *more: Note,
        code: codes.Code = codes.TYPES_DIFFER,
    ) -> None:
        """Reports that two things exclude each other, with what says so of each.

        A program that declares nothing may mean clingo's own order, in which names stand beside numbers.
        """
        if self._places.has_declarations or (one.kinds | other.kinds) & TEXT:
            within = () if self._statement is None else every(Variable, self._statement)
            hint = cure(one, other, frozenset(variable.name for variable in within))
            self._tell(location, message, hint, (one, other), *more, code=code)

    def _tell(
        self,
        location: Location,
        message: str,
        hint: str,
        values: Iterable[Known],
        *more: Note,
        code: codes.Code,
    ) -> None:
        """Reports something of values, once, with what says their kinds."""
        if location in self._told:
            return
        self._told.add(location)
        notes: dict[Location, Note] = {note.location: note for note in more}
        kinds: dict[tuple[Location, str], Kinds] = {}
        for known in values:
            for kind, evidence in known.evidence.items():
                if kind & VALUES:
                    said = evidence.location, f": {evidence.words}" if evidence.words else ""
                    kinds[said] = kinds.get(said, kind) | kind
        for (place, words), kind in kinds.items():
            if place is not NOWHERE:
                notes.setdefault(place, Note(place, f"this is {kind_words(kind)}{words}"))
        found = [note for note in notes.values() if note.location != location]
        self._diagnostics.error(location, message, hint, code=code, notes=found)
