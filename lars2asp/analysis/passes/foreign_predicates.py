"""Predicates that mean something in other systems, and what says the same here."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from lars2asp.syntax.nodes import Atom, BinaryOperation, Function, Number, Term, UnaryOperation
from lars2asp.syntax.printer import to_text

_COMPARISONS = {"leq": "<=", "geq": ">=", "lt": "<", "gt": ">", "eq": "=", "neq": "!="}
_ORDERS = {"leqleq": ("<=", "<="), "leqlt": ("<=", "<"), "ltleq": ("<", "<="), "ltlt": ("<", "<")}
_ARITHMETIC = {
    **{"plus": "+", "minus": "-", "times": "*", "divide": "/", "modulo": "\\", "power": "**"},
    **{"sum": "+", "product": "*", "mod": "\\", "pow": "**"},
}
_WINDOWS = {("time_win", 4): "[{}]", ("tuple_win", 2): "[{} #]", ("tuple_win", 4): "[{} #]"}
_OPERATORS = {"diamond": " in", "box": " always in"}


class Meant(NamedTuple):
    """What an atom means elsewhere.

    Attributes:
        kind: what such atoms are there, and a verb.
        text: what says the same here.
        is_whole: whether the text can stand in the place of the atom as it is.
    """

    kind: str
    text: str
    is_whole: bool = True


def meant_by(atom: Atom, known: Mapping[str, object]) -> Meant | None:
    """What an atom that nothing derives means in Ticker or Laser; None for those that mean nothing there.

    `known` has the names of predicates that the program derives.
    """
    for reading in _READINGS:
        found = reading(atom)
        if found is not None:
            return found
    return _without_window(atom, known)


def _comparison(atom: Atom) -> Meant | None:
    if atom.name not in _COMPARISONS or len(atom.arguments) != 2:
        return None
    left, right = map(to_text, atom.arguments)
    return Meant("comparisons are", f"{left} {_COMPARISONS[atom.name]} {right}")


def _arithmetic(atom: Atom) -> Meant | None:
    if atom.name not in _ARITHMETIC or len(atom.arguments) != 3:
        return None
    one, other, value = atom.arguments
    sides = f"{_operand(one)} {_ARITHMETIC[atom.name]} {_operand(other)}"
    return Meant("arithmetic is", f"{to_text(value)} = {sides}")


def _order(atom: Atom) -> Meant | None:
    if atom.name not in _ORDERS or len(atom.arguments) != 3:
        return None
    low, middle, high = map(to_text, atom.arguments)
    first, second = _ORDERS[atom.name]
    return Meant("comparisons are", f"{low} {first} {middle} {second} {high}")


def _successor(atom: Atom) -> Meant | None:
    if atom.name != "incr" or len(atom.arguments) != 2:
        return None
    one, other = atom.arguments
    return Meant("arithmetic is", f"{to_text(other)} = {_operand(one)} + 1")


def _operand(term: Term) -> str:
    """A term as it stands beside an operator."""
    text = to_text(term)
    return f"({text})" if isinstance(term, BinaryOperation | UnaryOperation) else text


def _window(atom: Atom) -> Meant | None:
    form = _WINDOWS.get((atom.name, len(atom.arguments)))
    if form is None:
        return None
    size, *others, what = atom.arguments
    window = form.format(to_text(_in_ticks(size, others)))
    match what:
        case Function(name, (inner,)) if name in _OPERATORS:
            return Meant("windows are", f"{to_text(inner)}{_OPERATORS[name]} {window}")
        case Function():  # as in Laser's tests
            return Meant("windows are", to_text(what))
        case _:
            return Meant("windows are", f"p in {window}", is_whole=False)


def _in_ticks(size: Term, others: Sequence[Term]) -> Term:
    """The size of a window of Laser, whose third number says how many ticks the first one counts."""
    match size, others:
        case Number(number), (_, Number(ticks)):
            return Number(number * ticks)
        case _:
            return size


def _truth(atom: Atom) -> Meant | None:
    if atom.name not in ("true", "false") or atom.arguments:
        return None
    return Meant("truth values are", f"#{atom.name}")


def _without_window(atom: Atom, known: Mapping[str, object]) -> Meant | None:
    """`diamond(p(X))`, or `box(p)` where p is a predicate of the program."""
    match atom.arguments:
        case (Function(name, arguments, False) as inner,) if (
            arguments or name in known
        ) and atom.name in _OPERATORS:
            ending = "at _" if atom.name == "diamond" else "always in [2147483647]"
            return Meant("windows are", f"{to_text(inner)} {ending}")
        case _:
            return None


_READINGS: tuple[Callable[[Atom], Meant | None], ...] = (
    *(_comparison, _order, _successor, _arithmetic),
    *(_window, _truth),
)
