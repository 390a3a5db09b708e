"""What a value may be: a set of kinds, with the places in the program that say so."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lars2asp.syntax.argument_type import ArgumentType
from lars2asp.syntax.nodes import Column, Input
from lars2asp.syntax.source import Location

NUMBER, TEXT, NAME, TERM, EXTREME, SOFT, OPEN, TICK, TIME, DURATION = (1 << place for place in range(10))
"""The kinds of values: integers, strings, constants, functions with arguments and tuples, `#inf` and `#sup`.

TICK, TIME and DURATION are integers of which more is known: ticks of `at T` and `@now`, moments and stretches
of time that the program declares.

OPEN says that nothing is known: it may be any. SOFT says that the input may tell other kinds than those that
are known.
"""

NUMBERS = NUMBER | TICK | TIME | DURATION
"""The kinds of integers."""

TEMPORAL = TIME | DURATION
"""The kinds of integers that are written as what they stand for."""

WRITTEN_AS = {"time": TIME, "duration": DURATION}
"""The kinds of numbers that are written so (`nodes.Number.stands_for`)."""

VALUES = NUMBERS | TEXT | NAME | TERM
"""The kinds that make a type."""

SYMBOLIC = NAME | TERM
"""The kinds of values that clingo calls functions."""

UNSURE = SOFT | OPEN
"""The marks of sets of kinds that may be others, too."""

_WORDS = {
    **{NUMBER: "a number", TICK: "a number", TIME: "a time", DURATION: "a duration"},
    **{TEXT: "text", NAME: "a name", TERM: "a function or a tuple"},
}

Kinds = int
"""A set of kinds: a sum of them."""


class Evidence(NamedTuple):
    """What says that a value is of some kind.

    Attributes:
        location: where it stands in the program.
        words: what it is, such as `a fact`.
        declaration: the declaration of input that it is in, if it is a column.
        column: the column.
        is_declared: whether `#types` or `#decimals` says so.
    """

    location: Location
    words: str
    declaration: Input | None = None
    column: Column | None = None
    is_declared: bool = False


class Known(NamedTuple):
    """What is known of a value: its kinds, and for each of them what says so, where something does."""

    kinds: Kinds
    evidence: Mapping[Kinds, Evidence]


UNKNOWN = Known(OPEN, {})


def _common(one: Kinds, other: Kinds) -> Kinds:
    """The kinds that two sets have in common: a plain integer may be a tick, a time or a duration."""
    return one & other | _looser(one) & other | one & _looser(other)


def _looser(kinds: Kinds) -> Kinds:
    """What else numbers of some kinds may be."""
    return (TICK | TEMPORAL if kinds & NUMBER else 0) | (TEMPORAL if kinds & TICK else 0)


def _sharpened(kinds: Kinds, by: Kinds) -> Kinds:
    """Kinds of which those of integers are known better."""
    sharp = by & (TICK | TEMPORAL)
    return kinds & ~NUMBER | sharp if sharp and kinds & NUMBERS == NUMBER else kinds


def both(one: Kinds, other: Kinds) -> Kinds:
    """The kinds of a value of which two things are said."""
    if one & UNSURE and other & UNSURE:
        common = _common(one & ~UNSURE, other & ~UNSURE)
        return (common or (one | other) & ~UNSURE) | (one & other & UNSURE or SOFT)
    if one & UNSURE:
        return _sharpened(other, one)
    return _sharpened(one, other) if other & UNSURE else _common(one, other)


def all_of(known: Iterable[Known]) -> Known:
    """What is known of a value of which all of this is said."""
    kinds, evidence = OPEN, dict[Kinds, Evidence]()
    different = dict[Kinds, list[Known]]()
    for one in known:
        different.setdefault(one.kinds, []).append(one)
    for each in sorted(different, key=int.bit_count) if len(different) > 1 else different:
        kinds = both(kinds, each)
        for one in different[each]:
            for kind, what in one.evidence.items():
                evidence.setdefault(kind, what)
    return Known(kinds, {kind: what for kind, what in evidence.items() if kind & kinds})


def exclude_each_other(one: Kinds, other: Kinds) -> bool:
    """Whether no value is of both, for certain.

    Not where nothing can be there at all. Names and functions stand beside each other on purpose, as in
    Peano's numbers.
    """
    if (one | other) & UNSURE or not one or not other or _common(one, other):
        return False
    return bool((one | other) & ~SYMBOLIC)


def never_meet(one: Known, other: Known) -> bool:
    """Whether two values cannot be compared: they exclude each other, or a time meets what is an integer.

    Numbers that are written, or calculated, count ticks beside times; one that is declared as an integer, or
    read from a column as a number, is none.
    """
    if exclude_each_other(one.kinds, other.kinds):
        return True
    return (one.kinds == TIME and _is_integer(other)) or (other.kinds == TIME and _is_integer(one))


def _is_integer(known: Known) -> bool:
    """Whether something is a number that `#types` or `#input` says to be one."""
    evidence = known.evidence.get(NUMBER)
    if known.kinds != NUMBER or evidence is None:
        return False
    column = evidence.column
    return evidence.is_declared if column is None else column.conversion in ("int", "number")


def kind_words(kinds: Kinds) -> str:
    """Kinds in words: `a number or text`."""
    return " or ".join(dict.fromkeys(word for kind, word in _WORDS.items() if kinds & kind)) or "#sup"


def kinds_of(one: ArgumentType) -> Kinds:
    """The kind of the values of a type."""
    if one.is_number:
        return {"time": TIME, "duration": DURATION}.get(one.name, NUMBER)
    return {"text": TEXT, "name": NAME, "term": TERM}.get(one.name, OPEN)
