"""Terms with values: what they come to, how values are sorted, and matching; the plain definition.

What checks explanations (lars2asp.checking.why_checker) works with these, and no evaluator does.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from lars2asp.analysis.declared_time import MICROSECONDS
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.nodes import NOW, Node, Sign, Term
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from lars2asp.syntax.traversal import every, rewrite, variable_names, walk

Value = int | tuple[str, str] | tuple[str, tuple["Value", ...]]
"""An integer, a string ('"', text), or a function, constant or tuple (name, arguments).

`-` in front of a name is its sign; the name of a tuple is empty.
"""

Row = tuple[Value, ...]
"""The arguments of a ground atom."""

Bindings = Mapping[str, Value]
"""The values of variables and constants by name, and of `@now`."""

Functions = Mapping[str, Callable[..., Iterable[str]]]
"""`@`-functions: they take the texts of their arguments, and give a list of texts."""

Pair = tuple[Term, str, Term]

_COMPARED = {"<": (-1,), "<=": (-1, 0), "=": (0,), ">=": (0, 1), ">": (1,), "!=": (-1, 1)}


class UnreadableError(Exception):
    """A text is no atom or no value."""


# --- values ---------------------------------------------------------------------------------------


def value(term: Term, known: Bindings) -> Value | None:
    """The value of a term; None where it has none, or several."""
    match term:
        case nodes.Number(number):
            return number
        case nodes.String(text):
            return '"', text
        case nodes.Extremum(name):
            return name, ()
        case nodes.Variable(name):
            return known.get(name)
        case nodes.Function("now", (), True):
            return known.get("@now")
        case nodes.Function(name, (), False) if name in known:
            return known[name]
        case nodes.Function(arguments=arguments, is_external=False) | nodes.Tuple(arguments):
            inner = row(arguments, known)
            return None if inner is None else (_name(term), inner)
        case nodes.UnaryOperation("-", argument):
            return _contrary(value(argument, known))
        case nodes.UnaryOperation(_, argument):
            operand = value(argument, known)
            return ~operand if isinstance(operand, int) else None
        case nodes.Absolute(argument):
            operand = value(argument, known)
            return _wrapped(abs(operand)) if isinstance(operand, int) else None
        case nodes.BinaryOperation(operator, left, right):
            one, other = value(left, known), value(right, known)
            return (
                _calculated(operator, one, other) if isinstance(one, int) and isinstance(other, int) else None
            )
    return None


def row(terms: Iterable[Term], known: Bindings) -> Row | None:
    """The values of terms; None if one has none."""
    found: list[Value] = []
    for term in terms:
        one = value(term, known)
        if one is None:
            return None
        found.append(one)
    return tuple(found)


def _name(term: Term) -> str:
    return term.name if isinstance(term, nodes.Function) else ""


def _wrapped(number: int) -> int:
    """The integer of 32 bits that a number wraps around to."""
    return (number + 2**31) % 2**32 - 2**31


def _calculated(operator: str, one: int, other: int) -> int | None:
    match operator:
        case "/" | "\\":
            if not other:
                return None
            quotient = abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)
            return _wrapped(quotient if operator == "/" else one - other * quotient)
        case "**":
            return _wrapped(pow(one, other, 2**32)) if other >= 0 else 0 if one else None
        case "+":
            return _wrapped(one + other)
        case "-":
            return _wrapped(one - other)
        case "*":
            return _wrapped(one * other)
        case "&":
            return one & other
        case "?":
            return one | other
        case "^":
            return one ^ other
    return None  # an interval


def _contrary(of: Value | None) -> Value | None:
    if of is None or isinstance(of, int):
        return None if of is None else _wrapped(-of)
    name, rest = of
    if isinstance(rest, str) or name.startswith("#"):
        return None
    return name[1:] if name.startswith("-") else f"-{name}", rest


def total(function: str, rows: Iterable[Row]) -> Value:
    """The value of an aggregate over tuples, the weights of which come first."""
    firsts = [one[0] for one in rows if one]
    numbers = [number for number in firsts if isinstance(number, int)]
    match function:
        case "#sum":
            return _wrapped(sum(numbers))
        case "#sum+":
            return _wrapped(sum(number for number in numbers if number > 0))
        case "#min":
            return min(firsts, key=_rank, default=("#sup", ()))
        case "#max":
            return max(firsts, key=_rank, default=("#inf", ()))
    return len(list(rows))


def _rank(of: Value) -> tuple[Any, ...]:
    """Sorts as clingo does: #inf, numbers, constants, strings, functions, #sup."""
    if isinstance(of, int):
        return 1, of
    name, rest = of
    if name in ("#inf", "#sup", '"'):
        return {"#inf": 0, '"': 3, "#sup": 5}[name], rest
    is_negative, plain = name.startswith("-"), name.removeprefix("-")
    if not rest:  # `()` as well
        return 2, is_negative, plain
    return 4, is_negative, len(rest), plain, [_rank(one) for one in rest if not isinstance(one, str)]


def is_true(sign: str, one: Value, other: Value) -> bool:
    """Whether a comparison of values is true."""
    left, right = _rank(one), _rank(other)
    return ((left > right) - (left < right)) in _COMPARED[sign]


# --- texts ----------------------------------------------------------------------------------------


def term_of(of: Value) -> Term:
    """The term that says a value."""
    if isinstance(of, int):
        return nodes.Number(of) if of >= 0 else nodes.UnaryOperation("-", nodes.Number(-of))
    name, rest = of
    if isinstance(rest, str):
        return nodes.String(rest)
    if name.startswith("#"):
        return nodes.Extremum(name)
    if name.startswith("-"):
        return nodes.UnaryOperation("-", term_of((name[1:], rest)))
    inner = tuple(map(term_of, rest))
    return nodes.Function(name, inner) if name else nodes.Tuple(inner)


def value_text(of: Value) -> str:
    """The text of a value."""
    return to_text(term_of(of))


def text_of(name: str, arguments: Row) -> str:
    """The text of a ground atom."""
    return to_text(term_of((name, arguments)))


def instance_text(node: Node, known: Bindings) -> str:
    """The text of a node with the texts of the values of its variables."""

    def changed(one: Node) -> Node:
        if isinstance(one, nodes.Variable) and one.name in known:
            return nodes.Function(value_text(known[one.name]))
        return one

    return to_text(rewrite(node, changed))


def pattern_text(atom: nodes.Atom, known: Bindings) -> str:
    """The text of an atom with the values of the terms that have one."""

    def changed(term: Term) -> Term:
        found = value(term, known)
        if found is not None:
            return term_of(found)
        match term:
            case nodes.Function(arguments=arguments) | nodes.Tuple(arguments):
                return replace(term, arguments=tuple(map(changed, arguments)))
            case nodes.UnaryOperation(argument=argument) | nodes.Absolute(argument):
                return replace(term, argument=changed(argument))
            case nodes.BinaryOperation(_, left, right):
                return replace(term, left=changed(left), right=changed(right))
        return term

    return to_text(replace(atom, arguments=tuple(map(changed, atom.arguments))))


def as_written(node: Node) -> Node:
    """A node with the units that windows are written with."""

    def changed(one: Node) -> Node:
        if not isinstance(one, nodes.Duration):
            return one
        source, begin, end = one.location
        text = " ".join(source.text[begin:end].split())
        return nodes.Duration(nodes.Function(text)) if text.endswith(tuple(MICROSECONDS)) else one

    return rewrite(node, changed)


@lru_cache(100_000)
def read_atom(text: str) -> nodes.Atom:
    """The atom that a text says. Raises UnreadableError."""
    try:
        match parse(Source("<atom>", f"{text}."), trusted=False).statements:
            case (nodes.Rule(nodes.Atom() as atom, (), False),):
                return atom
    except Lars2aspError:
        pass
    raise UnreadableError(f"`{text}` is no atom")


def read_row(text: str) -> Row:
    """The arguments of a ground atom. Raises UnreadableError."""
    found = row(read_atom(text).arguments, {})
    if found is None:
        raise UnreadableError(f"`{text}` is no ground atom")
    return found


# --- matching -------------------------------------------------------------------------------------


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
            if isinstance(wanted, int) or wanted[0] != _name(term) or isinstance(wanted[1], str):
                return None
            return match_all(arguments, wanted[1], known)
    found = value(term, known)
    if found is not None:
        return known if found == wanted else None
    if isinstance(term, nodes.UnaryOperation) and term.operator == "-":
        contrary = _contrary(wanted)
        return None if contrary is None else match(term.argument, contrary, known)
    variable = _solved_for(term, known)
    if variable is not None and variable.name not in known:
        offset, sum_ = (value(term, {**known, variable.name: number}) for number in (0, 1))
        if not (isinstance(wanted, int) and isinstance(offset, int) and isinstance(sum_, int)):
            return None
        if sum_ == offset:  # a has more than 32 bits
            return None
        quotient, rest = divmod(wanted - offset, sum_ - offset)
        if rest:
            return None
        return known if variable.is_anonymous else {**known, variable.name: quotient}
    return known if _is_open(term, known) or any(map(is_multiple, walk(term))) else None


def _solved_for(term: Term, known: Bindings) -> nodes.Variable | None:
    """The variable of a term `a*X+b` with an a other than 0, where nothing else has no value."""
    match term:
        case nodes.Variable():
            return term
        case nodes.UnaryOperation("-", argument):
            return _solved_for(argument, known)
        case nodes.BinaryOperation("+" | "-" | "*" as operator, left, right):
            for one, other in ((left, right), (right, left)):
                number = None if any(every(nodes.Variable, other)) else value(other, known)
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


def meet(term: nodes.Term, wanted: nodes.Term, known: Bindings) -> Bindings | None:
    """What a term binds if it is to be another one, whose variables stand for anything."""
    here, there = value(term, known), value(wanted, {})
    if there is not None:
        return match(term, there, known)
    if here is not None:
        return None if match(wanted, here, {}) is None else known
    match term, wanted:
        case (nodes.Function(_, one, False), nodes.Function(_, two, False)) | (
            nodes.Tuple(one),
            nodes.Tuple(two),
        ):
            is_alike = getattr(term, "name", "") == getattr(wanted, "name", "") and len(one) == len(two)
            found: Bindings | None = known if is_alike else None
            for inner, other in zip(one, two, strict=False):
                found = None if found is None else meet(inner, other, found)
            return found
        case (nodes.Function(is_external=False), nodes.Tuple()) | (
            nodes.Tuple(),
            nodes.Function(is_external=False),
        ):
            return None
    return known


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


# --- intervals and calls --------------------------------------------------------------------------


def is_multiple(node: Node) -> bool:
    """Whether a term may have several values: an interval, or a call."""
    if isinstance(node, nodes.Function):
        return node.is_external and node != NOW
    return isinstance(node, nodes.BinaryOperation) and node.operator == ".."


def _called(name: str, functions: Functions) -> Callable[..., Iterable[str]]:
    if name not in functions:
        raise UnreadableError(f"@{name} is not known")
    return functions[name]


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


def written_out(node: Any, known: Bindings, functions: Functions) -> Iterator[Any]:
    """The nodes that one with intervals and calls stands for, each with one value at their places."""
    multiple = [*filter(is_multiple, walk(node))]
    if not multiple:
        yield node
        return
    place = multiple[-1]  # none is within it
    values: Iterable[Value] = ()
    match place:
        case nodes.BinaryOperation(_, left, right):
            first, last = value(left, known), value(right, known)
            if isinstance(first, int) and isinstance(last, int):
                values = range(first, last + 1)
        case nodes.Function(name, arguments):
            inner = row(arguments, known)
            texts = [] if inner is None else _called(name, functions)(*map(value_text, inner))
            values = (read_row(f"v({text})")[0] for text in texts)
    for one in values:
        changed = rewrite(node, lambda part, one=one: term_of(one) if part is place else part)  # type: ignore[misc]
        yield from written_out(changed, known, functions)
