"""The decimals of places (a predicate and one of its arguments), of variables and of terms.

A place, a variable or a term has a number of decimals, or it is raw (None): nothing says how many it has, and
its integers are taken as they are. Numbers of ticks and atoms, and ticks, have none, which is known: 0.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from lars2asp.analysis.argument_types.declared_types import (
    Declarations,
    PredicateKey,
    declared_types,
)
from lars2asp.analysis.declared_time import declared_moments
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.number_forms import DurationForm, NumberForm, TimeForm
from lars2asp.analysis.predicates import HeadAtom, head_atoms, is_fact
from lars2asp.syntax import nodes
from lars2asp.syntax.argument_type import DURATION, TIME, ArgumentType
from lars2asp.syntax.nodes import NOW, Atom, Program, Rule, Sign, Signature, Term, Variable
from lars2asp.syntax.traversal import body_of, every, variable_names

Variables = Mapping[str, int]
"""The decimals of the variables that are not raw."""

Decimals = tuple[int | None, ...]
"""Those of the arguments of a predicate."""

ALIKE = ("+", "-", "\\", "..")
"""The operators whose operands, and what they make of them, have the same decimals."""


def temporal_forms(program: Program) -> dict[ArgumentType, NumberForm]:
    """How times and durations are written; none where ticks have no length."""
    moments = declared_moments(program)
    if moments is None:
        return {}
    return {TIME: TimeForm(moments), DURATION: DurationForm(moments.tick_length)}


def declared_forms(program: Program) -> dict[Signature, tuple[NumberForm, ...]]:
    """How the integers of predicates are written, if not as integers, in a program that was checked.

    Times and durations of ticks without a length are integers.
    """
    types, forms = declared_types(program), temporal_forms(program)
    found: dict[Signature, tuple[NumberForm, ...]] = {}
    for key, places in types.items():
        written = tuple(
            0 if one is None else forms.get(one.type, one.type.digits if one.type.is_number else 0)
            for one in places
        )
        if any(written):
            for is_positive in (True, False):
                found[Signature(*key, is_positive)] = written
    return found


def _decimals_of(types: Declarations) -> dict[PredicateKey, list[int | None]]:
    """The decimals of places that are declared: those of numbers."""
    return {
        key: [None if one is None or not one.type.is_number else one.type.digits for one in places]
        for key, places in types.items()
    }


class PlaceDecimals:
    """The decimals of the places of a program: declared, or those that the heads of its rules have."""

    def __init__(self, program: Program) -> None:
        self.formulas = {one.signature: one for one in every(nodes.FormulaAtom, *program.but_plain_facts)}
        """The atoms that stand for formulas in brackets, by their predicates."""
        self._types = declared_types(program)
        self._found = _decimals_of(self._types)
        self.declared = frozenset(
            (key, place)
            for key, places in self._found.items()
            for place, decimals in enumerate(places)
            if decimals is not None
        )
        rules = [one for one in program.but_plain_facts if isinstance(one, Rule) and not is_fact(one)]
        by_key: dict[PredicateKey, list[tuple[Rule, HeadAtom]]] = {}
        uses: dict[PredicateKey, dict[PredicateKey, None]] = {}
        for rule in rules:
            heads = [*head_atoms(rule)]
            used = dict.fromkeys(_key(atom) for atom in every(Atom, rule)) if heads else {}
            for head in heads:
                by_key.setdefault(_key(head.atom), []).append((rule, head))
                uses.setdefault(_key(head.atom), {}).update(used)
        for component in strongly_connected(uses):
            self._infer([one for key in component for one in by_key.get(key, ())])

    def of(self, atom: Atom) -> Decimals:
        """Those of the arguments of an atom."""
        return self.of_predicate(atom.signature)

    def of_predicate(self, signature: Signature) -> Decimals:
        """Those of the arguments of a predicate."""
        found = self._found.get((signature.name, signature.arity))
        return (None,) * signature.arity if found is None else tuple(found)

    def is_declared(self, atom: Atom, place: int) -> bool:
        """Whether a declaration says what a place of an atom has."""
        return (_key(atom), place) in self.declared

    def declarations(self) -> Iterator[nodes.Decimals]:
        """What could be declared for the predicates that have some decimals."""
        for key, places in self._found.items():
            said = self._types.get(key, [None] * len(places))
            written = next((one.location for one in said if one is not None and one.type.digits), None)
            if written is not None:
                digits = (None if one is None else one.type.digits or None for one in said)
                yield nodes.Decimals(key[0], tuple(digits), location=written)
            found = [None if one else decimals or None for one, decimals in zip(said, places, strict=True)]
            if any(found):
                yield nodes.Decimals(key[0], tuple(found))

    def _infer(self, heads: Sequence[tuple[Rule, HeadAtom]]) -> None:
        """Finds the decimals of predicates that depend on each other; those below are known.

        Each round works them out anew, as what is not known yet counts as raw. They may grow without end, as
        in `p(X*Y) :- p(X), q(Y).`; what is found then does not fit the heads, which is reported.
        """
        for _ in range(len(heads) + 2):
            found: dict[tuple[PredicateKey, int], int] = {}
            for rule, head in heads:
                variables = body_variables((*rule.body, *head.condition), self)
                for place, term in enumerate(head.atom.arguments):
                    decimals = term_decimals(term, variables)
                    if decimals is not None and (_key(head.atom), place) not in self.declared:
                        found.setdefault((_key(head.atom), place), decimals)
            changed = False
            for (key, place), decimals in found.items():
                places = self._found.setdefault(key, [None] * key[1])
                changed = changed or places[place] != decimals
                places[place] = decimals
            if not changed:
                return


def _key(atom: Atom) -> PredicateKey:
    return atom.name, len(atom.arguments)


# --- terms ----------------------------------------------------------------------------------------


def term_decimals(term: Term, variables: Variables) -> int | None:
    """The decimals of a term; None for one that is raw, or has those of what it stands with."""
    match term:
        case Variable(name):
            return variables.get(name)
        case nodes.Number():
            return term.decimals or None
        case nodes.UnaryOperation("-", argument) | nodes.Absolute(argument):
            return term_decimals(argument, variables)
        case nodes.BinaryOperation("*" | "/", left, right):
            factors = factor_decimals(left, variables), factor_decimals(right, variables)
            if factors == (None, None):
                return None
            one, other = (decimals or 0 for decimals in factors)
            return one + other if term.operator == "*" else max(0, one - other)
        case nodes.BinaryOperation(operator, left, right) if operator in ALIKE:
            decimals = term_decimals(left, variables)
            return term_decimals(right, variables) if decimals is None else decimals
        case _:
            return 0 if term == NOW else None


def factor_decimals(term: Term, variables: Variables) -> int | None:
    """The same of a factor, where a number with a point has the decimals with which it is written."""
    match term:
        case nodes.Decimal():
            return term.digits
        case nodes.UnaryOperation("-", argument) | nodes.Absolute(argument):
            return factor_decimals(argument, variables)
        case _:
            return term_decimals(term, variables)


# --- variables ------------------------------------------------------------------------------------


def body_variables(
    body: Iterable[nodes.Literal | nodes.ConditionalLiteral],
    places: PlaceDecimals,
    outer: Variables | None = None,
) -> dict[str, int]:
    """The decimals of the variables of a body, by the places in which they stand and by equations.

    Args:
        body: the body, or a condition.
        places: the decimals of places.
        outer: those of variables around a condition.
    """
    variables = dict(outer or {})
    equations: list[tuple[Term, Term | nodes.Aggregate]] = []
    for literal in body:
        if not isinstance(literal, nodes.Literal) or literal.sign is not Sign.POSITIVE:
            continue
        match literal.atom:
            case nodes.Comparison(term, guards):
                sides = [term, *(guard.term for guard in guards)]
                equations += [
                    pair
                    for guard, pair in zip(guards, pairwise(sides), strict=True)
                    if guard.comparison == "="
                ]
            case nodes.Aggregate(_, _, left, right) | nodes.SetAggregate(_, left, right):
                for side in (left, right):
                    if side is None or side.comparison != "=":
                        continue
                    if isinstance(literal.atom, nodes.Aggregate):
                        equations.append((side.term, literal.atom))
                    else:
                        _give(side.term, 0, variables)
            case nodes.Boolean():
                pass
            case streaming:
                for atom in nodes.atoms_of(streaming):
                    for argument, decimals in zip(atom.arguments, places.of(atom), strict=True):
                        _give(argument, decimals, variables)
                if isinstance(streaming, nodes.AtTick):
                    _give(streaming.tick, 0, variables)
                elif isinstance(streaming, nodes.Count):
                    _give(streaming.number, 0, variables)
    _solve(equations, places, variables)
    return variables


def rule_variables(
    statement: nodes.Statement,
    places: PlaceDecimals,
    head: Signature | None = None,
    element: int | None = None,
) -> Variables:
    """The decimals of the variables of a statement: of its body, and of conditions in its head.

    Args:
        statement: the statement.
        places: the decimals of places.
        head: the predicate of the atom of the head that is meant; None for the body alone.
        element: the element of the head that is meant, where that is known.
    """
    found = body_variables(body_of(statement), places)
    for one in head_atoms(statement) if head is not None and isinstance(statement, Rule) else ():
        if one.element == element if element is not None else one.atom.signature == head:
            found = body_variables(one.condition, places, found)
    return found


def aggregate_decimals(
    aggregate: nodes.Aggregate | nodes.HeadAggregate, places: PlaceDecimals, variables: Variables
) -> int | None:
    """The decimals of the value of an aggregate."""
    if aggregate.function == "#count":
        return 0
    for element in aggregate.elements:
        inner = body_variables(element.condition, places, variables)
        decimals = term_decimals(element.terms[0], inner) if element.terms else None
        if decimals is not None:
            return decimals
    return None


def _solve(
    equations: list[tuple[Term, Term | nodes.Aggregate]], places: PlaceDecimals, variables: dict[str, int]
) -> None:
    """Adds the variables that equations say, each after those on which it depends."""
    while equations:
        targets = [{side.name for side in sides if isinstance(side, Variable)} for sides in equations]
        ready = 0
        for number, sides in enumerate(equations):
            others = set().union(*targets[:number], *targets[number + 1 :])
            used = set().union(*(variable_names(s) for s in sides if not isinstance(s, Variable)))
            if not (used & others) - variables.keys():
                ready = number
                break
        one, other = equations.pop(ready)
        if isinstance(other, nodes.Aggregate):
            _give(one, aggregate_decimals(other, places, variables), variables)
            continue
        _give(one, term_decimals(other, variables), variables)
        _give(other, term_decimals(one, variables), variables)


def _give(term: Term, decimals: int | None, variables: dict[str, int]) -> None:
    """The variables of a term that has these decimals have them, where nothing is said of them yet."""
    if decimals is None:
        return
    match term:
        case Variable(name) if not term.is_anonymous:
            variables.setdefault(name, decimals)
        case nodes.UnaryOperation("-", argument) | nodes.Absolute(argument):
            _give(argument, decimals, variables)
        case nodes.BinaryOperation(operator, left, right) if operator in ALIKE:
            _give(left, decimals, variables)
            _give(right, decimals, variables)
