"""Values, terms over them, and clingo's way to write and to order them."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from lars2asp.syntax.nodes import (
    NOW,
    Absolute,
    BinaryOperation,
    Extremum,
    Function,
    Node,
    Number,
    String,
    Term,
    Tuple,
    UnaryOperation,
    Variable,
)
from lars2asp.syntax.traversal import walk

Value = int | tuple[str, tuple["Value", ...]] | tuple[str, str]
"""An integer, a function as (name, arguments), a string as ('"', text); `-` before a name is its sign."""

Ground = tuple[str, tuple[Value, ...]]
"""A ground atom."""

Binding = dict[str, Value]
"""A substitution: values of variables, by name."""

SUPREMUM: Value = ("#sup", ())
INFIMUM: Value = ("#inf", ())


def text_of(value: Value) -> str:
    """The value as clingo writes it."""
    if isinstance(value, int):
        return str(value)
    name, rest = value
    if isinstance(rest, str):
        return f'"{rest}"'
    arguments = ",".join(map(text_of, rest))
    is_tuple = name in ("", "-")
    return f"{name}({arguments}{',' * (is_tuple and len(rest) == 1)})" if rest or is_tuple else name


def atom_text(atom: Ground) -> str:
    """The atom as clingo writes it."""
    return text_of(atom)


def evaluate(term: Term, binding: Mapping[str, Value], now: int) -> Value | None:
    """The value of a term; None where a variable has none, or arithmetic meets what is no number."""
    match term:
        case Number(value):
            return value
        case String(value):
            return ('"', value)
        case Extremum(name):
            return (name, ())
        case Variable(name):
            return binding.get(name)
        case _ if term == NOW:
            return now
        case Function(_, arguments, False) | Tuple(arguments):
            name = term.name if isinstance(term, Function) else ""
            values = evaluate_all(arguments, binding, now)
            return None if values is None else (name, values)
        case UnaryOperation(operator, argument):
            operand = evaluate(argument, binding, now)
            if isinstance(operand, int):
                return -operand if operator == "-" else ~operand
            return None if operand is None or operator != "-" else contrary(operand)
        case Absolute(argument):
            operand = evaluate(argument, binding, now)
            return abs(operand) if isinstance(operand, int) else None
        case BinaryOperation(operator, left, right) if operator != "..":
            one, other = evaluate(left, binding, now), evaluate(right, binding, now)
            if not isinstance(one, int) or not isinstance(other, int):
                return None
            return _calculated(operator, one, other)
        case BinaryOperation():
            return None
        case _:
            raise TypeError(type(term))


def contrary(value: Value) -> Value | None:
    """A function, constant or tuple with the other sign; None for what has none."""
    if isinstance(value, int):
        return None
    name, rest = value
    if isinstance(rest, str) or name.startswith("#"):
        return None
    return (name.removeprefix("-") if name.startswith("-") else f"-{name}", rest)


def _calculated(operator: str, one: int, other: int) -> int | None:
    match operator:
        case "/":  # rounds towards zero
            return int(Fraction(one, other)) if other else None
        case "\\":
            return one - other * int(Fraction(one, other)) if other else None
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case _:
            assert operator == "&"
            return one & other


def interval(term: Term, binding: Mapping[str, Value], now: int) -> range | None:
    """The numbers of an interval, none where an end is no number; None for other terms and unbound ends."""
    if not isinstance(term, BinaryOperation) or term.operator != "..":
        return None
    if any(name not in binding for name in variables(term)):
        return None
    first, last = evaluate(term.left, binding, now), evaluate(term.right, binding, now)
    return range(first, last + 1) if isinstance(first, int) and isinstance(last, int) else range(0)


def evaluate_all(terms: Sequence[Term], binding: Mapping[str, Value], now: int) -> tuple[Value, ...] | None:
    """The values of terms; None where one has none."""
    values = [value for term in terms if (value := evaluate(term, binding, now)) is not None]
    return tuple(values) if len(values) == len(terms) else None


def match(term: Term, value: Value, binding: Binding, now: int) -> Binding | None:
    """The binding extended so that the term has the value; None if there is no way.

    Arithmetic must have all its variables bound; `_` takes any value.
    """
    match term:
        case Variable("_"):
            return binding
        case Variable(name) if name not in binding:
            return binding | {name: value}
        case Function(_, arguments, False) | Tuple(arguments) if arguments:
            name = term.name if isinstance(term, Function) else ""
            if isinstance(value, int) or value[0] != name or isinstance(value[1], str):
                return None
            if len(value[1]) != len(arguments):
                return None
            matched: Binding | None = binding
            for argument, part in zip(arguments, value[1], strict=True):
                matched = None if matched is None else match(argument, part, matched, now)
            return matched
        case _:
            return binding if evaluate(term, binding, now) == value else None


def variables(*nodes: Node) -> Iterator[str]:
    """The names of the variables in nodes, `_` left out."""
    return (
        part.name
        for node in nodes
        for part in walk(node)
        if isinstance(part, Variable) and not part.is_anonymous
    )


def has_anonymous(*nodes: Node) -> bool:
    """Whether there is a `_` somewhere."""
    return any(isinstance(part, Variable) and part.is_anonymous for node in nodes for part in walk(node))


def in_arithmetic(term: Term) -> Iterator[str]:
    """The variables of a term that matching does not bind, since they stand in arithmetic."""
    match term:
        case Function(_, arguments, False) | Tuple(arguments):
            for argument in arguments:
                yield from in_arithmetic(argument)
        case UnaryOperation() | Absolute() | BinaryOperation():
            yield from variables(term)


def _rank(value: Value) -> tuple[Any, ...]:
    """clingo's order of what is compared here: #inf, numbers, constants, strings, functions, #sup."""
    if isinstance(value, int):
        return 1, value
    if value in (INFIMUM, SUPREMUM):
        return (0 if value == INFIMUM else 5,)
    name, rest = value
    if isinstance(rest, str):
        return 3, rest
    is_negative = name.startswith("-")
    if not rest:
        return 2, is_negative, name
    return 4, is_negative, len(rest), name, tuple(map(_rank, rest))


def compare(sign: str, left: Value, right: Value) -> bool:
    """Whether a comparison is true."""
    one, other = _rank(left), _rank(right)
    match sign:
        case "=":
            return left == right
        case "!=":
            return left != right
        case "<":
            return one < other
        case "<=":
            return left == right or one < other
        case ">":
            return one > other
        case _:
            return left == right or one > other


def total(function: str, tuples: set[tuple[Value, ...]]) -> Value:
    """The value of an aggregate over a set of tuples (the weight comes first)."""
    weights = [weight for weight, *_ in tuples if isinstance(weight, int)]
    firsts = sorted((values[0] for values in tuples if values), key=_rank)
    match function:
        case "#count":
            return len(tuples)
        case "#sum":
            return sum(weights)
        case "#sum+":
            return sum(weight for weight in weights if weight > 0)
        case "#min":
            return firsts[0] if firsts else SUPREMUM
        case _:
            return firsts[-1] if firsts else INFIMUM
