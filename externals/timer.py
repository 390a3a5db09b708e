"""When answers change by the passing of time alone.

From the first and the last tick of an interval at which an atom holds follow the ticks at which it enters and
leaves windows. Ticks at which nothing changes need not be evaluated (the timer of Eiter, Ogris, Schekotihin
2019). The ticks found here may be too many: each costs an evaluation that finds no change.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from lars2asp.analysis.windows import (
    Fixed,
    Hopping,
    Offsets,
    Sliding,
    SpanWindow,
    TickWindow,
    Tumbling,
    Unbounded,
)
from lars2asp.externals.intervals import OPEN_END, Interval
from lars2asp.externals.terms.terms import Row
from lars2asp.planning.lookups import LookupKind

When = Callable[[int], int]
"""From the first tick of an interval, or the tick after its last, to a tick at which answers change by it."""

GROWING = (
    *(LookupKind.AT, LookupKind.COUNT, LookupKind.COUNT_BEFORE),
    *(LookupKind.LEAST, LookupKind.LEAST_BEFORE),
)
"""Kinds of lookups whose answers may change at each tick at which an atom holds, and after that."""

BEFORE = (LookupKind.ALWAYS_BEFORE, LookupKind.COUNT_BEFORE, LookupKind.LEAST_BEFORE)
"""Kinds of lookups that leave the current tick out."""


def earliest(ticks: Iterable[int | None]) -> int | None:
    """The first of ticks; None for never."""
    return min((tick for tick in ticks if tick is not None), default=None)


class Turns:
    """The ticks at which the answer to a lookup changes by the intervals at which atoms hold.

    Args:
        kind: the kind of the lookup.
        window: its window; views over offsets know their ticks by themselves.
        is_shifted: whether the atoms of a tick may be known only at the next one.
    """

    def __init__(self, kind: LookupKind, window: SpanWindow | Fixed, *, is_shifted: bool) -> None:
        self._when_begun: list[When] = []
        self._when_ended: list[When] = []
        self._stretches: list[tuple[When, When, int]] = []
        for shift in (0, 1) if is_shifted else (0,):
            begun, ended = _turns(kind, window, shift)
            self._when_begun += begun
            self._when_ended += ended
            if kind in GROWING:
                self._stretches += _stretches(kind, window, shift)

    def after(self, begin: int, end: int, now: int) -> Iterator[int]:
        """Ticks after the current one, the first one among them, for an interval."""
        for when in self._when_begun:
            if (tick := when(begin)) > now:
                yield tick
        if end == OPEN_END:
            return
        for when in self._when_ended:
            if (tick := when(end + 1)) > now:
                yield tick
        if begin < end < now:
            for first_of, last_of, step in self._stretches:
                first, last = first_of(begin), last_of(end + 1)
                tick = max(first, first + ((now - first) // step + 1) * step)
                if tick <= last:
                    yield tick


def after_start(window: TickWindow | None, start: int) -> list[int]:
    """The ticks at which answers over a window change without input, as the timeline starts there."""
    match window:
        case Sliding() | Unbounded():
            return [start + 1]
        case Offsets(offsets):
            return [start + offset for offset in offsets]
        case Fixed(tick):
            return [tick, tick + 1]
        case _:
            return []


def next_growth(window: SpanWindow | Fixed, now: int) -> int:
    """The first tick after now at which an answer of a kind in GROWING changes as an atom goes on to hold."""
    match window:
        case Hopping(_, step):
            return min(_hop(step, 1, 0, now), _hop(step, 0, 1, now))
        case Tumbling(size):
            return min(_block(size, 1, 0, now), _block(size, 0, 1, now))
        case _:
            return now + 1


def next_move(window: Hopping | Tumbling, now: int) -> int:
    """The first tick after now at which a window moves; the window then includes that tick."""
    return _hop(window.step, 1, 0, now) if isinstance(window, Hopping) else _block(window.size, 1, 0, now)


def next_count(
    spans: Iterable[tuple[Row, Interval]], size: int | None, least: int, now: int, *, shift: int
) -> int | None:
    """The first tick after now at which a row's ticks in a window reach a number, or fall below it.

    For the case that every interval goes on as is known now.

    Args:
        spans: the rows and the intervals at which they hold, as far as they lie in the window, at the tick
            before it, or ahead.
        size: of the window, which slides; None for one that begins with the timeline.
        least: the number.
        now: the current tick.
        shift: the number of ticks by which the window ends before the current one.
    """
    turns: dict[Row, list[tuple[int, int]]] = {}
    counts: dict[Row, int] = {}
    first = -OPEN_END if size is None else now - size
    for row, (begin, end) in spans:
        held = min(end, now - shift) - max(begin, first) + 1
        counts[row] = counts.get(row, 0) + max(held, 0)
        # from these ticks on the window has one more, or one less, at each tick
        of_row = turns.setdefault(row, [])
        of_row.append((begin + shift, 1))
        if size is not None:
            of_row.append((begin + size + 1, -1))
        if end < OPEN_END:
            of_row.append((end + shift + 1, -1))
            if size is not None:
                of_row.append((end + size + 2, 1))
    return earliest(_next_crossing(counts[row], of_row, least, now) for row, of_row in turns.items())


def _next_crossing(count: int, turns: list[tuple[int, int]], least: int, now: int) -> int | None:
    """The first tick after now at which a count reaches a number, or falls below it.

    Args:
        count: the count now.
        turns: ticks, and the amount by which the count changes more at each tick from there on.
        least: the number.
        now: the current tick.
    """
    slope, tick = 0, now + 1
    for turn, more in [*sorted(turns), (OPEN_END, 0)]:
        if turn > tick:
            missing = least - count if count < least else least - 1 - count
            if slope and missing * slope > 0 and abs(missing) <= turn - tick:
                return tick + abs(missing) - 1
            count += slope * (turn - tick)
            tick = turn
        slope += more
    return None


def _turns(kind: LookupKind, window: SpanWindow | Fixed, shift: int) -> tuple[list[When], list[When]]:
    """The ticks that follow from the first tick of an interval, and those from the tick after its last."""
    match window:
        case Unbounded():
            return [partial(_later, shift)], [partial(_later, shift)]
        case Sliding(size) if kind in (LookupKind.ALWAYS, LookupKind.ALWAYS_BEFORE):
            return [partial(_later, shift), partial(_later, size + shift)], [partial(_later, shift)]
        case Sliding(size):
            counts = [partial(_later, shift)] if kind in GROWING else []
            return [partial(_later, shift)], [*counts, partial(_later, size + shift)]
        case Hopping(size, step):
            hops: list[When] = [partial(_hop, step, more, shift) for more in (0, size)]
            return hops, hops
        case Tumbling(size):
            ends: list[When] = [partial(_block, size, more, shift) for more in (0, size - 1)]
            return ends, ends
        case _:
            return [], []


def _stretches(kind: LookupKind, window: SpanWindow | Fixed, shift: int) -> list[tuple[When, When, int]]:
    """For an interval that is over: the first tick, the last tick and the step of the changes that follow.

    None for blocks: only the next block and the one after it change by an interval that is over.
    """
    match window:
        case Sliding(size):
            return [(partial(_later, size), partial(_later, size + shift), 1)]
        case Hopping(size, step):
            return [(partial(_hop, step, 0, shift), partial(_hop, step, size, shift), step)]
        case _:
            return []


def _later(ticks: int, tick: int) -> int:
    return tick + ticks


def _hop(step: int, more: int, shift: int, tick: int) -> int:
    """The first multiple of `step` at or after `tick + more`, plus `shift`."""
    return -(-(tick + more) // step) * step + shift


def _block(size: int, more: int, shift: int, tick: int) -> int:
    """The first last tick of a block of `size` ticks at or after `tick + more`, plus `shift`."""
    return _hop(size, more + 1, shift - 1, tick)
