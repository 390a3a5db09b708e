"""Views that read a form of a stream, each after it has settled."""

from collections.abc import Collection
from typing import Generic, TypeVar

from lars2asp.externals.database.agenda import Watched
from lars2asp.externals.database.form import NEVER, View
from lars2asp.externals.database.forms.counts import Counts
from lars2asp.externals.database.forms.recent import Recent
from lars2asp.externals.database.forms.runs import Runs
from lars2asp.externals.database.forms.ticks import Ticks
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes, changes_of

_Read = TypeVar("_Read", bound=Recent | Runs | Ticks | Counts)
_NOTHING: set[Row] = set()


class FormView(View, Generic[_Read]):
    """The answer to a lookup that a form has as it is.

    Args:
        form: the form.
        stream: of the predicate.
        of: the size of the box, or the number of ticks needed; 0 for others.
    """

    def __init__(self, form: _Read, stream: Stream, of: int = 0) -> None:
        self._form = form
        self._stream = stream
        self._of = of

    def watch(self, watched: Watched, now: int) -> None:
        """Somebody looks at it from here on."""
        self.watched = watched
        self._stream.watch(watched)
        form, of = self._form, self._of
        if isinstance(form, Runs):
            form.watched.append((watched, of))
        else:
            form.watched.append(watched)
        if isinstance(form, Ticks):
            form.views.append(self)
        elif isinstance(form, Counts):
            form.views.append((self, of))
        if isinstance(form, Ticks | Counts) and not of:
            self.grow(form.is_growing)
        for tick in form.turns() if isinstance(form, Recent | Ticks) else form.turns(of):
            if tick > now:
                self._stream.agenda.call(tick, watched)

    @property
    def kept(self) -> int:
        """The number of intervals that are kept for it, those that have no end yet included."""
        return len(self._form) + len(self._stream.held)

    def _settle(self, now: int) -> None:
        self._stream.settle(now)
        if self._form.tick != now:
            self._form.take(now, (), _NOTHING, (), ())

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        self._settle(now)
        return self._form.rows

    def has_answer(self, now: int) -> bool:
        """Whether the answer at the current tick has a row."""
        self._settle(now)
        return self._form.has_rows

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        form = self._form
        if form.tick != now or self._stream.is_new:
            self._settle(now)
        came, gone = form.came, form.gone
        return changes_of(([*came], [*gone])) if came or gone else NO_CHANGES

    def is_due(self, tick: int) -> bool:
        """Whether the answer may change at a tick for which it is called."""
        form = self._form
        if isinstance(form, Runs):
            return form.are_over(tick - 1, tick - 1)
        return form.is_due(tick, self._of) if isinstance(form, Counts) else form.is_due(tick)

    def grow(self, is_growing: bool) -> None:
        """Whether the answer changes from tick to tick while atoms hold on."""
        growing = self._stream.agenda.growing
        if is_growing is not (self in growing):
            if is_growing:
                growing[self] = None
            else:
                del growing[self]

    def next_growth(self, now: int) -> int | None:
        """The next tick if the answer changes from tick to tick while an atom holds."""
        self._settle(now)
        return now + 1 if self in self._stream.agenda.growing else None


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
        super().__init__(runs, stream, size)
        self._start = start
        self._complete = complete

    def is_due(self, tick: int) -> bool:
        """Whether a row ceases to hold that held throughout, or a box may begin."""
        return self._form.are_over(tick - 1, self._first(tick - 1)) or self._form.is_begun(tick - self._of)

    def answer(self, now: int) -> list[Row]:
        """The rows that hold at every tick of the window."""
        self._settle(now)
        first, since = self._first(now), self._form.since
        return [row for row in self._form.rows if (begin := since(row)) is not None and begin <= first]

    def has_answer(self, now: int) -> bool:
        """Whether the answer at the current tick has a row."""
        return bool(self.answer(now))

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._settle(now)
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

    def _first(self, now: int) -> int:
        """The first tick of the window, NEVER where there is none."""
        if now < self._start:
            return NEVER
        first = now - self._of
        if first >= self._start:
            return first
        return NEVER if self._complete else self._start


class ThresholdView(FormView[Counts]):
    """The answer to `at least` over a sliding window."""

    def answer(self, now: int) -> list[Row]:
        """The rows that hold at enough ticks of the window."""
        self._settle(now)
        return [row for row, number in self._form.counts.items() if number >= self._of]

    def has_answer(self, now: int) -> bool:
        """Whether the answer at the current tick has a row."""
        self._settle(now)
        least = self._of
        return any(number >= least for number in self._form.counts.values())

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        counts, least = self._form, self._of
        if counts.tick != now or self._stream.is_new:
            self._settle(now)
        turns = zip(counts.changed, counts.before, counts.after, strict=True)
        turned = [(row, after) for row, before, after in turns if (before < least) is not (after < least)]
        if not turned:
            return NO_CHANGES
        began = [row for row, after in turned if after >= least]
        return Changes(began, [row for row, after in turned if after < least])
