"""Terms and their values: what terms come to, how values are sorted, and what they look like.

No evaluator works with these.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.nodes import NOW, Node, Term
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from lars2asp.syntax.traversal import rewrite, walk

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

_COMPARED = {"<": (-1,), "<=": (-1, 0), "=": (0,), ">=": (0, 1), ">": (1,), "!=": (-1, 1)}


class UnreadableError(Exception):
    """A text is neither an atom nor a value."""


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
            return None if inner is None else (name_of(term), inner)
        case nodes.UnaryOperation("-", argument):
            return contrary(value(argument, known))
        case nodes.UnaryOperation(_, argument):
            operand = value(argument, known)
            return ~operand if isinstance(operand, int) else None
        case nodes.Absolute(argument):
            operand = value(argument, known)
            return abs(operand) if isinstance(operand, int) else None
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


def name_of(term: Term) -> str:
    """The name of a function; of a tuple none."""
    return term.name if isinstance(term, nodes.Function) else ""


def _calculated(operator: str, one: int, other: int) -> int | None:
    found = _result(operator, one, other)
    return found if found is None or abs(found) <= nodes.LARGEST_NUMBER else None


def _result(operator: str, one: int, other: int) -> int | None:
    match operator:
        case "/" | "\\":
            if not other:
                return None
            quotient = abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)
            return quotient if operator == "/" else one - other * quotient
        case "**":
            if other < 0:
                return 0 if one else None
            if (abs(one).bit_length() - 1) * other > 4 * nodes.MOST_DIGITS:  # it has more digits
                return None
            power: int = one**other
            return power
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case "&":
            return one & other
        case "?":
            return one | other
        case "^":
            return one ^ other
    return None  # an interval


def contrary(of: Value | None) -> Value | None:
    """The value with the other sign; None where it has none."""
    if of is None or isinstance(of, int):
        return None if of is None else -of
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
            return sum(numbers)
        case "#sum+":
            return sum(number for number in numbers if number > 0)
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


@lru_cache(100_000)
def read_atom(text: str) -> nodes.Atom:
    """The atom that a text says. Raises UnreadableError."""
    try:
        match parse(Source("<atom>", f"{text}."), trusted=False).statements:
            case (nodes.Rule(nodes.Atom() as atom, (), False),):
                return atom
    except Lars2aspError:
        pass
    raise UnreadableError(f"`{text}` is not an atom")


def read_row(text: str) -> Row:
    """The arguments of a ground atom. Raises UnreadableError."""
    found = row(read_atom(text).arguments, {})
    if found is None:
        raise UnreadableError(f"`{text}` is not a ground atom")
    return found


# --- intervals and calls --------------------------------------------------------------------------


def is_multiple(node: Node) -> bool:
    """Whether a term may have several values: an interval, or a call."""
    if isinstance(node, nodes.Function):
        return node.is_external and node != NOW
    return isinstance(node, nodes.BinaryOperation) and node.operator == ".."


def _called(name: str, functions: Functions) -> Callable[..., Iterable[str]]:
    if name not in functions:
        raise UnreadableError(f"there is no function @{name}")
    return functions[name]


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
