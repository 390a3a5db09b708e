"""Lookups: the questions of generated programs to the interval database."""

from enum import StrEnum
from typing import Any, NamedTuple

from lars2asp.analysis.windows import TickWindow
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.values import dataclass


class LookupKind(StrEnum):
    """The kinds of lookups. Their values are in the names of generated `@`-functions."""

    INPUT = "told"
    """The input atoms of the current tick."""
    NOW = "now"
    """The atoms that hold at the current tick: input, derived by components below, background data."""
    OWN = "own"
    """The atoms of a predicate of the component itself, on which others depend; no database has them."""
    IN = "in"
    """The atoms that hold at some tick of the window."""
    ALWAYS = "always"
    """The atoms that hold at every tick of the window."""
    ALWAYS_BEFORE = "always_before"
    """The atoms that hold at every tick of the window but the current one, when there is such a tick."""
    NOTHING_BEFORE = "nothing_before"
    """The empty tuple when the window has no tick but the current one."""
    AT = "at"
    """Pairs of the atoms and the ticks of the window at which they hold."""
    COUNT = "count"
    """Pairs of the atoms and the number of ticks of the window at which they hold, 1 or more."""
    COUNT_BEFORE = "count_before"
    """The same for the ticks of the window but the current one."""
    LEAST = "least"
    """The atoms that hold at `least` or more ticks of the window."""
    LEAST_BEFORE = "least_before"
    """The same for the ticks of the window but the current one."""
    SCHEDULED = "scheduled"
    """Pairs of the atoms of the future log and their ticks."""
    HAS_NOW = "has_now"
    """The empty tuple when the current tick is in the window."""
    SPAN = "span"
    """Pairs of ticks (first, last): the stretches of the window."""
    TICKS = "ticks"
    """The number of ticks of the window, when there are any."""
    BOX_TICKS = "box_ticks"
    """The number of ticks over which a box is taken: nothing for windows over which none may be."""


_WITHOUT_NOW = {
    LookupKind.ALWAYS_BEFORE: LookupKind.ALWAYS,
    LookupKind.COUNT_BEFORE: LookupKind.COUNT,
    LookupKind.LEAST_BEFORE: LookupKind.LEAST,
}


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """One question to the interval database, with an answer at every tick.

    Equal ones are the same object, as they are looked up at every tick.

    Attributes:
        kind: the kind.
        signature: the predicate; None for questions about a window alone.
        window: the window, if there is one.
        least: for the kinds LEAST and LEAST_BEFORE, at how many ticks; 1 or more.
    """

    kind: LookupKind
    signature: Signature | None
    window: TickWindow | None = None
    least: int | None = None

    def __new__(
        cls,
        kind: LookupKind,
        signature: Signature | None,
        window: TickWindow | None = None,
        least: int | None = None,
    ) -> "Lookup":
        """The one with these attributes."""
        return _known.setdefault((kind, signature, window, least), object.__new__(cls))

    @property
    def asks(self) -> LookupKind:
        """The kind, as if the current tick were not left out."""
        return _WITHOUT_NOW.get(self.kind, self.kind)

    @property
    def leaves_out_now(self) -> bool:
        """Whether it leaves the current tick out."""
        return self.kind in _WITHOUT_NOW

    @property
    def title(self) -> str:
        """What it asks, in words."""
        words = self.signature, self.kind.replace("_", " "), self.least, self.window
        return " ".join(str(word) for word in words if word is not None)

    def __reduce__(self) -> tuple[type["Lookup"], tuple[Any, ...]]:
        return type(self), (self.kind, self.signature, self.window, self.least)


_known: dict[tuple[LookupKind, Signature | None, TickWindow | None, int | None], Lookup] = {}
"""All that were made."""


class RelevantAnswers(NamedTuple):
    """Answers to a lookup that matter.

    Attributes:
        pattern: a term for them.
        condition: the literals over background data that say which they are.
    """

    pattern: str
    condition: str
