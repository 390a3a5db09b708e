"""Places of which rules take numbers alone, though the input may tell other values there.

    hot(R) :- reading(R,T), T > 25.

takes all atoms of reading/2 and compares the second argument of each with a number, so that this is a number:
a text in it would be above 25. A rule that looks at some atoms alone, as `reading(hall,T), T > 25` does, says
nothing of the others.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from lars2asp.analysis.argument_types.function_types import call_arguments
from lars2asp.analysis.argument_types.kinds import (
    EXTREME,
    NUMBER,
    NUMBERS,
    OPEN,
    SOFT,
    TEXT,
    VALUES,
    Evidence,
    Kinds,
    Known,
)
from lars2asp.analysis.argument_types.kinds_in_rules import ScopeKinds, operands
from lars2asp.analysis.argument_types.place_kinds import PlaceKinds
from lars2asp.analysis.predicates import head_atoms
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Atom, Program, Rule, Sign, Signature, Statement, Term, Variable
from lars2asp.syntax.traversal import body_of, every

Place = tuple[Signature, int]
"""A predicate and the number of one of its arguments, counted from 0."""

_NOT_NUMBERS = OPEN | EXTREME | VALUES & ~NUMBERS

_ORDER = ("<", "<=", ">", ">=")


def number_places(
    program: Program, predicates: Iterable[Signature], places: PlaceKinds
) -> Mapping[Place, Evidence]:
    """The places of the input that are numbers since rules take them so, each with a place that does."""
    candidates = {
        (signature, number)
        for signature in predicates
        if not places.is_derived(signature)
        for number, known in enumerate(places.of(signature))
        if _may_be_number(known) and places.declared(signature, number) is None
    }
    return _Uses(program, places).of(candidates) if candidates else {}


def _may_be_number(known: Known) -> bool:
    """Whether the input may tell other values than numbers in a place, and nothing else gives such."""
    if known.kinds & (OPEN | SOFT):
        return not known.kinds & VALUES & ~NUMBER
    return known.kinds & VALUES == NUMBER | TEXT and _is_plain(known)


class _Uses:
    """What the rules of a program do with the places of predicates."""

    def __init__(self, program: Program, places: PlaceKinds) -> None:
        self._places = places
        self._wanted: dict[Place, Evidence] = {}
        self._last: tuple[Sequence[nodes.Node] | None, _Occurrences] = None, {}
        self._others: set[Place] = set()
        """Places of which rules take other values than numbers."""
        self._from: dict[Place, list[tuple[Place, tuple[Atom, nodes.Body]]]] = {}
        """For a place of a head, those whose values it takes, with the atom and the body."""
        for statement in program.but_plain_facts:
            if not isinstance(statement, nodes.Declaration | nodes.ProjectSignature):
                self._take(statement)

    def of(self, candidates: Collection[Place]) -> Mapping[Place, Evidence]:
        """Those among places that are numbers."""
        waiting = [*self._others]
        while waiting:
            for source, _ in self._from.get(waiting.pop(), ()):
                if source not in self._others:
                    self._others.add(source)
                    waiting.append(source)
        wanted = [*self._wanted]
        while wanted:
            place = wanted.pop()
            if place in self._others:
                continue
            for source, (atom, body) in self._from.get(place, ()):
                if source not in self._wanted and _takes_all(atom, source[1], body):
                    self._wanted[source] = self._wanted[place]
                    wanted.append(source)
        return {
            place: evidence
            for place, evidence in self._wanted.items()
            if place not in self._others and place in candidates
        }

    def _take(self, statement: Statement) -> None:
        body = body_of(statement)
        scope = self._places.scope_of(statement)
        terms: list[Term] = []
        if isinstance(statement, Rule):
            heads = [*head_atoms(statement)]
            terms = [term for head in heads if not head.condition for term in head.atom.arguments]
        elif isinstance(statement, nodes.WeakConstraint):
            terms = [statement.weight]
        self._scope(body, scope, terms, body)
        if isinstance(statement, Rule):
            for head in heads:
                self._link(head.atom, (*body, *head.condition) if head.condition else body)
                if head.condition:
                    inner = self._places.scope((*body, *head.condition))
                    self._scope(head.condition, inner, head.atom.arguments, (*body, *head.condition))

    def _link(self, head: Atom, body: nodes.Body) -> None:
        """The values of a head come from places of the body."""
        by_name, signature = self._occurrences(body), head.signature
        for number, term in enumerate(head.arguments):
            if isinstance(term, Variable) and term.name in by_name:
                sources = [(place, (atom, body)) for atom, place in by_name[term.name]]
                self._from.setdefault((signature, number), []).extend(sources)

    def _scope(
        self, body: Sequence[nodes.Node], scope: ScopeKinds, terms: Iterable[Term], around: nodes.Body
    ) -> None:
        """Takes what a body, or a condition, says; `around` are all literals that bind its variables."""
        taken: dict[str, Evidence] = {}
        occurrences = self._occurrences(around)
        for term in terms:
            self._take_operands(term, taken)
        for literal in body:
            if isinstance(literal, nodes.ConditionalLiteral):
                inner = scope.within(literal.condition)
                self._scope(literal.condition, inner, (), (*around, *literal.condition))
                for one in literal.alternatives:
                    self._literal(one, inner, {}, occurrences, (*around, *literal.condition))
            elif isinstance(literal, nodes.Literal):
                self._literal(literal, scope, taken, occurrences, around)
        for name, found in occurrences.items():
            told = scope.told.get(name, ())
            if name not in taken and len(found) == 1 and len(told) < 2:
                continue
            is_other = any(one.known.kinds & VALUES & ~NUMBERS for one in told) and (
                any(_is_other(one.known) for one in told) or _is_other(scope.of(Variable(name)))
            )
            if not is_other and name not in taken:
                continue
            for atom, place in found:
                if is_other:
                    self._others.add(place)
                elif place not in self._wanted and _takes_all(atom, place[1], around):
                    self._wanted.setdefault(place, taken[name])

    def _literal(
        self,
        literal: nodes.Literal,
        scope: ScopeKinds,
        taken: dict[str, Evidence],
        occurrences: "_Occurrences",
        around: nodes.Body,
    ) -> None:
        atom = literal.atom
        match atom:
            case nodes.Comparison():
                sides = [atom.term, *(guard.term for guard in atom.guards)]
                for term in sides:
                    self._take_operands(term, taken)
                for guard, (left, right) in zip(atom.guards, pairwise(sides), strict=True):
                    for one, other in ((left, right), (right, left)):
                        self._compared(one, other, guard.comparison, scope, taken, occurrences)
            case nodes.Aggregate():
                for element in atom.elements:
                    inner = scope.within(element.condition)
                    weights: list[Term] = [*element.terms]
                    whole = (*around, *element.condition)
                    self._scope(element.condition, inner, weights, whole)
                    if atom.function.startswith("#sum") and weights and isinstance(weights[0], Variable):
                        evidence = Evidence(weights[0].location, f"{atom.function} adds it")
                        self._want(weights[0].name, evidence, whole)
            case nodes.SetAggregate():
                for member in atom.elements:
                    inner = scope.within(member.condition)
                    self._scope(member.condition, inner, (), (*around, *member.condition))
                    for each in member.alternatives:
                        self._literal(each, inner, {}, occurrences, (*around, *member.condition))
            case nodes.Boolean():
                pass
            case _:
                plain = atom if isinstance(atom, Atom) else atom.atom
                is_positive = literal.sign is Sign.POSITIVE
                for number, term in enumerate(plain.arguments):
                    if not isinstance(term, Variable):
                        self._take_operands(term, taken)
                        if _is_other(scope.of(term)):
                            self._others.add((plain.signature, number))
                    elif not is_positive:
                        known = self._places.of(plain.signature)[number]
                        if _is_other(known):
                            for _, place in occurrences.get(term.name, ()):
                                self._others.add(place)

    def _compared(
        self,
        one: Term,
        other: Term,
        comparison: str,
        scope: ScopeKinds,
        taken: dict[str, Evidence],
        occurrences: "_Occurrences",
    ) -> None:
        if not isinstance(one, Variable):
            return
        known = scope.of(other)
        if _is_other(known):
            for _, place in occurrences.get(one.name, ()):
                self._others.add(place)
        elif comparison in _ORDER and known.kinds & NUMBERS and not known.kinds & _NOT_NUMBERS:
            begin, end = sorted([one.location, other.location], key=lambda place: place.begin)
            evidence = Evidence(begin._replace(end=end.end), "compared with a number")
            taken.setdefault(one.name, evidence)

    def _take_operands(self, term: Term, taken: dict[str, Evidence]) -> None:
        """Adds the variables that are in arithmetic, or arguments of functions that take numbers."""
        if isinstance(term, Variable):
            return
        for operand, operation in operands(term):
            if isinstance(operand, Variable):
                taken[operand.name] = Evidence(operation.location, "arithmetic")
        functions = self._places.functions
        for argument, known in call_arguments(term, functions) if functions else ():
            if isinstance(argument, Variable) and known.kinds == NUMBER:
                taken[argument.name] = Evidence(argument.location, "an argument of a function")

    def _occurrences(self, body: Sequence[nodes.Node]) -> "_Occurrences":
        """The places in which the variables of a body stand; that of the last body is kept."""
        if body is not self._last[0]:
            self._last = body, _occurrences(body)
        return self._last[1]

    def _want(self, name: str, evidence: Evidence, around: nodes.Body) -> None:
        for atom, place in self._occurrences(around).get(name, ()):
            if _takes_all(atom, place[1], around):
                self._wanted.setdefault(place, evidence)


def _is_other(known: Known) -> bool:
    """Whether a value may be something else than a number, as far as is known."""
    kinds: Kinds = known.kinds & VALUES
    return bool(kinds & ~NUMBERS) and not (kinds == NUMBER | TEXT and _is_plain(known))


def _is_plain(known: Known) -> bool:
    """Whether texts come from plain columns alone."""
    text = known.evidence.get(TEXT)
    return text is not None and text.column is not None and not text.column.conversion


def _atoms(body: Sequence[nodes.Node]) -> Iterator[Atom]:
    """The atoms that must hold for a body to be true."""
    for literal in body:
        if isinstance(literal, nodes.Literal) and literal.sign is Sign.POSITIVE:
            match literal.atom:
                case Atom():
                    yield literal.atom
                case nodes.Diamond() | nodes.Box() | nodes.AtTick() | nodes.AtLeast() | nodes.Count():
                    yield literal.atom.atom
                case _:
                    pass


_Occurrences = Mapping[str, list[tuple[Atom, Place]]]


def _occurrences(body: Sequence[nodes.Node]) -> _Occurrences:
    """The places in which variables stand, by their names."""
    found: dict[str, list[tuple[Atom, Place]]] = {}
    for atom in _atoms(body):
        signature = atom.signature
        for number, term in enumerate(atom.arguments):
            if isinstance(term, Variable) and term.name != "_":
                found.setdefault(term.name, []).append((atom, (signature, number)))
    return found


def _takes_all(atom: Atom, place: int, body: Sequence[nodes.Node]) -> bool:
    """Whether a body looks at all atoms of a predicate as far as the other arguments of an atom go."""
    names = set[str]()
    for number, term in enumerate(atom.arguments):
        if number == place:
            continue
        if not isinstance(term, Variable) or term.name in names:
            return False
        if term == atom.arguments[place] and not term.is_anonymous:
            return False
        if not term.is_anonymous:
            names.add(term.name)
    return not names or not any(_selects(literal, atom, names) for literal in body)


def _selects(literal: nodes.Node, atom: Atom, names: set[str]) -> bool:
    """Whether a literal says something of the variables of an atom, other than the same of such an atom."""
    if isinstance(literal, nodes.Literal):
        inner = literal.atom
        if isinstance(inner, nodes.Aggregate | nodes.SetAggregate):
            sides = [side.term for side in (inner.left, inner.right) if side is not None]
            return any(one.name in names for one in every(Variable, *sides))
        like = inner if isinstance(inner, Atom) else getattr(inner, "atom", None)
        if isinstance(like, Atom) and like.signature == atom.signature and literal.sign is Sign.POSITIVE:
            return any(
                isinstance(term, Variable) and term.name in names and term != atom.arguments[number]
                for number, term in enumerate(like.arguments)
            )
    return any(one.name in names for one in every(Variable, literal))
