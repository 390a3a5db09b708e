"""Views that read a form of a stream, each after it has settled."""

from collections.abc import Collection
from typing import Generic, TypeVar

from lars2asp.externals.database.form import NEVER, View
from lars2asp.externals.database.forms.counts import Counts
from lars2asp.externals.database.forms.recent import Recent
from lars2asp.externals.database.forms.runs import Runs
from lars2asp.externals.database.forms.ticks import Ticks
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.timer import earliest, next_count
from lars2asp.externals.views import NO_CHANGES, Changes

_Read = TypeVar("_Read", bound=Recent | Runs | Ticks | Counts)


class FormView(View, Generic[_Read]):
    """The answer to a lookup that a form has as it is."""

    def __init__(self, form: _Read, stream: Stream) -> None:
        self._form = form
        self._stream = stream

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        self._stream.settle(now)
        return self._form.rows

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._stream.settle(now)
        came, gone = self._form.came, self._form.gone
        return Changes([*came], [*gone]) if came or gone else NO_CHANGES

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which the answer may change without input."""
        self._stream.settle(now)
        ends = (last + self._form.lag for last in self._stream.known_ends())
        return earliest([self._form.next_leaving(now), *ends])

    def next_growth(self, now: int) -> int | None:
        """The next tick if the answer changes from tick to tick while an atom holds."""
        self._stream.settle(now)
        return now + 1 if self._form.is_growing else None


class BoxView(FormView[Runs]):
    """The answer to `always` over a sliding window.

    Args:
        runs: of the predicate.
        stream: of the predicate.
        size: of the window, 1 or more.
        start: the first tick of the timeline.
        complete: whether the window must not reach before it.
    """

    def __init__(self, runs: Runs, stream: Stream, size: int, start: int, *, complete: bool) -> None:
        super().__init__(runs, stream)
        self._size = size
        self._start = start
        self._complete = complete

    def answer(self, now: int) -> list[Row]:
        """The rows that hold at every tick of the window."""
        self._stream.settle(now)
        first, since = self._first(now), self._form.since
        return [row for row in self._form.rows if (begin := since(row)) is not None and begin <= first]

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._stream.settle(now)
        runs = self._form
        first, first_before = self._first(now), self._first(now - 1)
        began: Collection[Row] = ()
        if first == now:
            began = runs.came
        elif first != first_before:  # else the window began where it begins: it has grown, or there is none
            began = runs.begun(first)
        if first_before == now - 1:
            ended: Collection[Row] = runs.gone
        else:
            ended = [row for row, begin in runs.stopped.items() if begin <= first_before]
        return Changes([*began], [*ended]) if began or ended else NO_CHANGES

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which the answer may change without input."""
        return earliest([super().next_change(now), self._form.next_begin(self._size, now)])

    def _first(self, now: int) -> int:
        """The first tick of the window, NEVER where there is none."""
        if now < self._start:
            return NEVER
        first = now - self._size
        if first >= self._start:
            return first
        return NEVER if self._complete else self._start


class ThresholdView(FormView[Counts]):
    """The answer to `at least` over a sliding window."""

    def __init__(self, counts: Counts, stream: Stream, least: int) -> None:
        super().__init__(counts, stream)
        self._least = least

    def answer(self, now: int) -> list[Row]:
        """The rows that hold at enough ticks of the window."""
        self._stream.settle(now)
        return [row for row, number in self._form.counts.items() if number >= self._least]

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._stream.settle(now)
        counts, least = self._form, self._least
        turns = zip(counts.changed, counts.before, counts.after, strict=True)
        turned = [(row, after) for row, before, after in turns if (before < least) is not (after < least)]
        if not turned:
            return NO_CHANGES
        began = [row for row, after in turned if after >= least]
        return Changes(began, [row for row, after in turned if after < least])

    def next_change(self, now: int) -> int | None:
        """None: `next_growth` knows."""
        return None

    def next_growth(self, now: int) -> int | None:
        """The first tick after the current one at which a row reaches the number, or falls below it."""
        self._stream.settle(now)
        return next_count(self._form.spans(), self._form.size, self._least, now, shift=0)
