"""What is kept of the times at which the atoms of a predicate hold: forms, and views that read them.

A form keeps what lookups of some kinds need and nothing else. All forms get the same news, tick by tick:

- the rows that hold at this tick and, as far as is known, at no later one (points),
- the rows that hold from this tick on until further notice,
- the rows that did so, and last held at an earlier tick.

At one tick a row is a point or holds on, never both. A view answers one lookup from a form.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import concat
from typing import NamedTuple, Protocol, cast

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes

NEVER = -(2**62)
"""Earlier than every tick."""

followed_by = cast(Callable[[Row, Row], Row], concat)
"""Puts two rows together."""


class Ended(NamedTuple):
    """Rows that held on until a tick, and the ticks from which they did."""

    last: int
    rows: Sequence[Row]
    begins: Sequence[int]


class Stretch(NamedTuple):
    """Rows that held from a tick to another one; not all of the time at which they held."""

    begin: int
    end: int
    rows: Sequence[Row]


class Form(Protocol):
    """What is kept of the times at which the atoms of a predicate hold."""

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick, which is the current one from here on. What is given stays as it is.

        Args:
            tick: the tick. Only History and News take more news of a tick that they have some of.
            points: the rows that hold at the tick alone, each once.
            here: the same.
            began: the rows that hold from the tick on, each once.
            ended: the rows that held on until earlier ticks, the earliest first.
        """
        ...

    @property
    def is_empty(self) -> bool:
        """Whether the passing of time changes nothing, as long as no row holds."""
        ...

    def __len__(self) -> int:
        """The number of intervals that are kept."""
        ...

    def known(self) -> Iterator[Stretch]:
        """The times at which rows held that do not hold on, and those before for rows that do."""
        ...

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what `known` gave at a tick, which is the current one, or what other forms gave together.

        The stretches of a row lie apart. Nothing was taken before, but the stream has the rows that hold on.
        """
        ...

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        ...


class View:
    """The answer to a lookup."""

    def answer(self, now: int) -> Sequence[Row]:
        """The answer at the current tick, each row once or more."""
        raise NotImplementedError

    def has_answer(self, now: int) -> bool:
        """Whether the answer at the current tick has a row."""
        return bool(self.answer(now))

    def changes(self, now: int) -> Changes:
        """The changes by the current tick.

        They count from the tick before; where it was not called at that, the changes may be others. Ticks at
        which nothing changes may be passed over. Before the first tick of the stream nothing holds.
        """
        raise NotImplementedError

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which the answer may change without input.

        But for changes that `next_growth` knows. None: at no tick, or what changes it is known elsewhere.
        """
        return None

    def next_growth(self, now: int) -> int | None:
        """The first tick after the current one at which the answer changes as an atom goes on to hold.

        For lookups of the kinds GROWING. None: at no tick.
        """
        return None


class ComparedView(View):
    """Any answer, compared with the one before."""

    def __init__(self) -> None:
        self._before: set[Row] = set()

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        here, before = set(self.answer(now)), self._before
        self._before = here
        return Changes(list(here - before), list(before - here)) if here != before else NO_CHANGES
