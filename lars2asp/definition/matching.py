"""Matching: which bindings give terms values, and make comparisons true."""

from collections.abc import Iterable, Sequence

from lars2asp.definition.terms import (
    Bindings,
    Functions,
    Row,
    Value,
    contrary,
    is_multiple,
    is_true,
    name_of,
    value,
    written_out,
)
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import NOW, Node, Sign, Term
from lars2asp.syntax.traversal import every, variable_names, walk

Pair = tuple[Term, str, Term]
"""Two terms and the sign between them."""


def match(term: Term, wanted: Value, known: Bindings) -> Bindings | None:
    """The bindings with which a term has a value, None if it has not.

    Arithmetic that cannot be solved for its variables passes as long as they have no values.
    """
    match term:
        case nodes.Variable("_"):
            return known
        case nodes.Variable(name) if name not in known:
            return {**known, name: wanted}
        case nodes.Function(_, arguments, False) | nodes.Tuple(arguments) if arguments:
            if isinstance(wanted, int) or wanted[0] != name_of(term) or isinstance(wanted[1], str):
                return None
            return match_all(arguments, wanted[1], known)
    found = value(term, known)
    if found is not None:
        return known if found == wanted else None
    if isinstance(term, nodes.UnaryOperation) and term.operator == "-":
        opposite = contrary(wanted)
        return None if opposite is None else match(term.argument, opposite, known)
    variable = _solved_for(term, known)
    if variable is not None and variable.name not in known:
        offset, sum_ = (value(term, {**known, variable.name: number}) for number in (0, 1))
        if not (isinstance(wanted, int) and isinstance(offset, int) and isinstance(sum_, int)):
            return None
        quotient, rest = divmod(wanted - offset, sum_ - offset)
        if rest:
            return None
        return known if variable.is_anonymous else {**known, variable.name: quotient}
    return known if _is_open(term, known) or any(map(is_multiple, walk(term))) else None


def _solved_for(term: Term, known: Bindings) -> nodes.Variable | None:
    """The variable of a term `a*X+b` with an a other than 0, both of them the same at all ticks."""
    match term:
        case nodes.Variable():
            return term
        case nodes.UnaryOperation("-", argument):
            return _solved_for(argument, known)
        case nodes.BinaryOperation("+" | "-" | "*" as operator, left, right):
            for one, other in ((left, right), (right, left)):
                is_fixed = not any(isinstance(part, nodes.Variable) or part == NOW for part in walk(other))
                number = value(other, known) if is_fixed else None
                if isinstance(number, int) and not (operator == "*" and number == 0):
                    return _solved_for(one, known)
    return None


def _is_open(term: Term, known: Bindings) -> bool:
    """Whether a variable of a term has no value, as `_` never has."""
    return any(
        one.is_anonymous or one.name not in known for one in walk(term) if isinstance(one, nodes.Variable)
    )


def match_all(terms: Sequence[Term], wanted: Row, known: Bindings) -> Bindings | None:
    """The bindings with which terms have values; None if they have not."""
    if len(terms) != len(wanted):
        return None
    pairs = list(zip(terms, wanted, strict=True))
    found: Bindings | None = known
    for term, one in (*pairs, *(pair for pair in pairs if not isinstance(pair[0], nodes.Variable))):
        found = None if found is None else match(term, one, found)
    return found


def match_exactly(
    terms: Sequence[Term], wanted: Row, known: Bindings, functions: Functions
) -> Bindings | None:
    """As `match_all`, with the values of intervals and calls as well."""
    found = match_all(terms, wanted, known)
    inner = (term for term in terms if not isinstance(term, nodes.Variable | nodes.Number))
    if found is None or not any(map(is_multiple, every(Node, *inner))):
        return found
    instances = written_out(nodes.Tuple(tuple(terms)), found, functions)
    fitting = (match_all(one.arguments, wanted, found) for one in instances)
    return next((one for one in fitting if one is not None), None)


def binding(terms: Iterable[Term], known: Bindings) -> tuple[set[str], set[str]]:
    """The variables that matching terms binds, and those that must be bound before."""
    gives, needs = set[str](), set[str]()
    for term in terms:
        match term:
            case nodes.Variable(name):
                gives.add(name)
            case nodes.Function(_, inner, False) | nodes.Tuple(inner):
                more = binding(inner, known)
                gives, needs = gives | more[0], needs | more[1]
            case nodes.UnaryOperation("-", argument):
                more = binding((argument,), known)
                gives, needs = gives | more[0], needs | more[1]
            case _:
                (needs if _solved_for(term, known) is None else gives).update(variable_names(term))
    return gives - {"_"}, needs - gives


# --- comparisons ----------------------------------------------------------------------------------


def pairs_of(comparison: nodes.Comparison, sign: Sign) -> list[Pair]:
    """The comparisons of a chain; `not X != Y` is `X = Y`."""
    terms = [comparison.term, *(guard.term for guard in comparison.guards)]
    signs = [guard.comparison for guard in comparison.guards]
    if sign is Sign.NOT and signs == ["!="]:
        signs = ["="]
    return list(zip(terms, signs, terms[1:], strict=False))


def names_bound(pairs: Sequence[Pair], bound: set[str], known: Bindings) -> set[str] | None:
    """The variables that are bound once comparisons are true; None while they lack others."""
    waiting = list(pairs)
    while waiting:
        for pair in waiting:
            one, sign, other = pair
            left, right = variable_names(one), variable_names(other)
            if left | right <= bound or (
                sign == "="
                and (
                    (right <= bound and not _is_any(other) and binding([one], known)[1] <= bound)
                    or (left <= bound and not _is_any(one) and binding([other], known)[1] <= bound)
                )
            ):
                bound = bound | left | right
                waiting.remove(pair)
                break
        else:
            return None
    return bound


def _is_any(term: Term) -> bool:
    """Whether a term has `_`, so that it may have any of several values."""
    return any(one.is_anonymous for one in walk(term) if isinstance(one, nodes.Variable))


def compared(pairs: Sequence[Pair], known: Bindings) -> Bindings | None:
    """The bindings with which comparisons are true, None if they are not."""
    waiting = list(pairs)
    while waiting:
        for pair in waiting:
            one, sign, other = pair
            left, right = value(one, known), value(other, known)
            found: Bindings | None = None
            if left is not None and right is not None:
                found = known if is_true(sign, left, right) else None
            elif sign == "=" and right is not None and _is_open(one, known):
                found = match(one, right, known)
            elif sign == "=" and left is not None and _is_open(other, known):
                found = match(other, left, known)
            elif (variable_names(one) | variable_names(other)) - known.keys():
                continue
            if found is None:
                return None
            known = found
            waiting.remove(pair)
            break
        else:
            return None
    return known
