"""The changes of answers from tick to tick."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lars2asp.externals.terms.terms import Row


class Changes(NamedTuple):
    """The rows of an answer that hold now and not at the tick before, and the other way round."""

    began: Sequence[Row] = ()
    ended: Sequence[Row] = ()


NO_CHANGES = Changes()


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
