"""The input of a tick: which atoms hold, begin and end."""

from typing import NamedTuple

from lars2asp.externals.terms.terms import AtomRows


class EventError(ValueError):
    """Events that do not fit the input before them; none of them was taken."""


class Events(NamedTuple):
    """The events of one tick, in this order: what ends, what begins, what holds.

    Where the order in which atoms came is known, `turns_of` gives it (lars2asp.externals.terms.terms).

    Attributes:
        facts: atoms that hold from this tick to `until`, at this tick alone where it is None.
        begin: atoms that hold from this tick until they are ended.
        end: atoms whose open interval ended: they last held at the tick before.
        until: the last tick at which the facts hold.
    """

    facts: tuple[AtomRows, ...] = ()
    begin: tuple[AtomRows, ...] = ()
    end: tuple[AtomRows, ...] = ()
    until: int | None = None
