"""The input of a tick: which atoms hold, begin and end."""

from dataclasses import dataclass

from clingo import Symbol


class EventError(ValueError):
    """Events that do not fit the input before them; none of them was taken."""


@dataclass(frozen=True, slots=True)
class Events:
    """The events of one tick, in this order: what ends, what begins, what holds.

    Attributes:
        facts: atoms that hold from this tick to `until`, at this tick alone where it is None.
        begin: atoms that hold from this tick until they are ended.
        end: atoms whose open interval ended: they last held at the tick before.
        until: the last tick at which the facts hold.
    """

    facts: tuple[Symbol, ...] = ()
    begin: tuple[Symbol, ...] = ()
    end: tuple[Symbol, ...] = ()
    until: int | None = None
