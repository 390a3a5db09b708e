"""What is kept of the times at which the atoms of a predicate hold: forms, and views that read them.

A form keeps what lookups of some kinds need and nothing else. All forms get the same news, tick by tick:

- the rows that hold at this tick and, as far as is known, at no later one (points),
- the rows that hold from this tick on until further notice,
- the rows that did so, and last held at an earlier tick.

At one tick a row is a point or holds on, never both. A view answers one lookup from a form.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import concat
from typing import NamedTuple, Protocol, cast

from lars2asp.externals.database.agenda import Watched
from lars2asp.externals.intervals import Interval
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


def runs_by_row(stretches: Iterable[Stretch]) -> dict[Row, list[Interval]]:
    """When each row held."""
    runs: dict[Row, list[Interval]] = {}
    for begin, end, rows in stretches:
        for row in rows:
            runs.setdefault(row, []).append(Interval(begin, end))
    return runs


class Form(Protocol):
    """What is kept of the times at which the atoms of a predicate hold.

    Attributes:
        tick: the last tick that it knows. Between that and the current one nothing happened.
    """

    tick: int

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick, which is the current one from here on. What is given stays as it is.

        Args:
            tick: the tick. Only Pinned and News take more news of a tick that they know.
            points: the rows that hold at the tick alone, each once.
            here: the same.
            began: the rows that hold from the tick on, each once.
            ended: the rows that held on until earlier ticks, the earliest first.
        """
        ...

    def __len__(self) -> int:
        """The number of intervals that are kept."""
        ...

    def known(self) -> Iterator[Stretch]:
        """The times at which rows held that do not hold on, and those before for rows that do."""
        ...

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what was known at a tick, which is the current one, by this form or others.

        The stretches of a row lie apart. Nothing was taken before, but the stream has the rows that hold on.
        """
        ...

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        ...


class View:
    """The answer to a lookup.

    Attributes:
        watched: rouses those who look at it; None if nobody does.
    """

    watched: Watched | None = None

    @property
    def kept(self) -> int:
        """The number of intervals that are kept for it; what is kept for several counts for each."""
        return 0

    @property
    def is_patient(self) -> bool:
        """Whether those who look at it are."""
        return self.watched is not None and self.watched.is_patient

    def watch(self, watched: Watched, now: int) -> None:
        """Somebody looks at it from here on; calls for the ticks at which it changes by time alone."""
        self.watched = watched

    def answer(self, now: int) -> Sequence[Row]:
        """The answer at the current tick, each row once or more."""
        raise NotImplementedError

    def has_answer(self, now: int) -> bool:
        """Whether the answer at the current tick has a row."""
        return bool(self.answer(now))

    def changes(self, now: int) -> Changes:
        """The changes by the current tick.

        They count from the last tick at which there were some; where it was not called at that, the changes
        may be others. Before the first tick of the stream nothing holds.
        """
        raise NotImplementedError

    def is_pending(self, now: int) -> bool:
        """Whether the answer changed after its changes were taken, by what came late."""
        return False

    def is_due(self, tick: int) -> bool:
        """Whether the answer may change at a tick for which it is called."""
        return self.watched is not None

    def wake(self, tick: int) -> None:
        """Such a tick has come."""
        if self.watched is not None:
            self.watched.rouse()

    def grow(self, is_growing: bool) -> None:
        """Whether the answer changes from tick to tick while atoms hold on."""

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

    def is_pending(self, now: int) -> bool:
        """Whether it is another one than before."""
        return set(self.answer(now)) != self._before
