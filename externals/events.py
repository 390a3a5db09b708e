"""The input of a tick: which atoms hold, begin and end."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, cast

from lars2asp.externals.terms.terms import AtomRows


class EventError(ValueError):
    """Events that do not fit the earlier input; lars2asp took none of them."""


class Events(NamedTuple):
    """The events of one tick, in this order: ends, begins, holds.

    `Reasoner.step` takes facts in simpler forms. A record from a reader contains Events.

    >>> from lars2asp import Events, Reasoner, Record, Signature
    >>> hot = Events(facts=((Signature("hot", 1), [("hall",)]),))
    >>> [answer.holds.texts for answer in Reasoner.from_text("alarm(R) :- hot(R).").run([Record(3, hot)])]
    [('alarm("hall")',)]

    Attributes:
        facts: Atoms that hold from this tick to `until`, or at this tick only if that is None.
        begin: Atoms that hold from this tick until they end.
        end: Atoms that held for the last time at the tick before.
        until: The last tick of the facts.
    """

    facts: tuple[AtomRows, ...] = ()
    begin: tuple[AtomRows, ...] = ()
    end: tuple[AtomRows, ...] = ()
    until: int | None = None


events_of = cast(
    Callable[[tuple[tuple[AtomRows, ...], tuple[AtomRows, ...], tuple[AtomRows, ...], int | None]], Events],
    partial(tuple.__new__, Events),
)
"""Makes events of all their parts, in less time than `Events` by itself."""
