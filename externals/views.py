"""The changes of answers from tick to tick."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, cast

from lars2asp.externals.terms.terms import Row
from lars2asp.syntax.nodes import Signature


class Changes(NamedTuple):
    """The rows of an answer that hold now and not at the tick before, and the other way round."""

    began: Sequence[Row] = ()
    ended: Sequence[Row] = ()


NO_CHANGES = Changes()

Rows = Mapping[Signature, Collection[Row]]
"""Atoms by their predicates."""

RowChanges = Sequence[tuple[Signature, Changes]]
"""Changes by predicates, each once, and none that are empty."""

TickChanges = tuple[int, RowChanges]
"""A tick, and what changes at it."""

changes_of = cast(Callable[[tuple[Sequence[Row], Sequence[Row]]], Changes], partial(tuple.__new__, Changes))
"""Makes changes of the rows that began and those that ended, in less time than `Changes` by itself."""


def together(changes: Iterable[Changes]) -> Changes:
    """Changes that follow one another as one."""
    began: set[Row] = set()
    ended: set[Row] = set()
    for one in changes:
        less, more = set(one.ended), set(one.began)
        ended |= less - began
        began -= less
        began |= more - ended
        ended -= more
    return Changes(list(began), list(ended))
