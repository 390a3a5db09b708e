"""Integers have 32 bits, as in clingo: a result that has more wraps around, which is said."""

from lars2asp.syntax.nodes import LARGEST_INTEGER, SMALLEST_INTEGER
from lars2asp.syntax.source import shown, shown_number

_RANGE = 2**32


def wrapped(number: int) -> int:
    """The integer of 32 bits that a number wraps around to."""
    return (number - SMALLEST_INTEGER) % _RANGE + SMALLEST_INTEGER


def clipped(number: int) -> int:
    """The integer of 32 bits that is next to a number."""
    return min(max(number, SMALLEST_INTEGER), LARGEST_INTEGER)


def wrapping_message(text: str, number: int | None, found: int) -> str:
    """What is said of a term that has a number of more than 32 bits, and is another one.

    The number is None where it is too long to be worked out.
    """
    exact = "" if number is None else f"is {shown_number(number)}, which "
    return f"{shown(text)} {exact}has more than 32 bits: it wraps around to {found}"
