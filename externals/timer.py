"""When answers change by the passing of time alone: a queue of ticks.

From the tick at which an atom begins or ends to hold follow the later ticks at which it enters or leaves
windows. These are queued once for all atoms of a tick, so that the queue costs what happens, and ticks that
are not in it need not be evaluated (the timer of Eiter, Ogris, Schekotihin 2019). The queue may have ticks at
which nothing changes: each costs an evaluation that finds no change.
"""

from collections.abc import Callable, Iterable
from functools import partial
from heapq import heappop, heappush

from lars2asp.analysis.windows import Fixed, Hopping, Offsets, Sliding, TickWindow, Tumbling, Unbounded
from lars2asp.planning.lookups import LookupKind

When = Callable[[int], int]
"""From the first tick of an interval, or the tick after its last, to a tick at which answers change by it."""

GROWING = (
    *(LookupKind.AT, LookupKind.COUNT, LookupKind.COUNT_BEFORE),
    *(LookupKind.LEAST, LookupKind.LEAST_BEFORE),
)
"""Kinds of lookups whose answers may change at each tick at which an atom holds, and after that."""


class Timer:
    """A queue of ticks."""

    def __init__(self) -> None:
        self._queue: list[tuple[int, int, int]] = []
        self._queued: set[tuple[int, int, int]] = set()

    @property
    def state(self) -> list[tuple[int, int, int]]:
        """The queue, sorted."""
        return sorted(self._queued)

    @property
    def last(self) -> int:
        """The last tick that is queued; -1 for none."""
        return max((last for _, last, _ in self._queued), default=-1)

    def restore(self, state: Iterable[tuple[int, int, int]]) -> None:
        """Queues the ticks of a state."""
        for first, last, step in state:
            self.through(first, last, step)

    def at(self, tick: int) -> None:
        """Something may change at a tick."""
        self.through(tick, tick, 1)

    def through(self, first: int, last: int, step: int) -> None:
        """Something may change at every `step`-th tick from the first to the last."""
        queued = first, last, step
        if first <= last and queued not in self._queued:
            self._queued.add(queued)
            heappush(self._queue, queued)

    def pass_by(self, now: int) -> None:
        """Forgets the ticks up to now."""
        queue = self._queue
        while queue and queue[0][0] <= now:
            queued = first, last, step = heappop(queue)
            self._queued.remove(queued)
            self.through(first + ((now - first) // step + 1) * step, last, step)

    def next(self, now: int) -> int | None:
        """The first tick after now at which something may change; None for never."""
        self.pass_by(now)
        return self._queue[0][0] if self._queue else None


class Alarms:
    """Queues the ticks at which the lookups of one predicate change.

    Args:
        timer: the queue.
    """

    def __init__(self, timer: Timer) -> None:
        self._timer = timer
        self._when_begun: list[When] = []
        self._when_ended: list[When] = []
        self._stretches: list[tuple[When, When, int]] = []
        self._last_begun = self._last_ended = -1

    @property
    def has_stretches(self) -> bool:
        """Whether intervals that are over matter (`passed`)."""
        return bool(self._stretches)

    def watch(self, kind: LookupKind, window: TickWindow | None, *, is_shifted: bool) -> None:
        """From now on queues the ticks at which the answer to a lookup changes.

        Args:
            kind: the kind of the lookup.
            window: its window, if it has one.
            is_shifted: whether the atoms of a tick may be known only at the next one.
        """
        shifts = (0, 1) if is_shifted else (0,)
        for shift in shifts:
            begun, ended = _turns(kind, window, shift)
            self._when_begun += begun
            self._when_ended += ended
            if window is not None and kind in GROWING:
                self._stretches += _stretches(kind, window, shift)
        self._last_begun = self._last_ended = -1

    def begun(self, tick: int) -> None:
        """An atom holds from a tick on."""
        if tick != self._last_begun:
            self._last_begun = tick
            for when in self._when_begun:
                self._timer.at(when(tick))

    def ended(self, tick: int) -> None:
        """An atom holds up to a tick, as far as is known."""
        if tick != self._last_ended:
            self._last_ended = tick
            for when in self._when_ended:
                self._timer.at(when(tick + 1))

    def passed(self, begin: int, end: int) -> None:
        """An atom held from a tick to another one, which is past."""
        for first, last, step in self._stretches:
            self._timer.through(first(begin), last(end + 1), step)


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


def next_growth(window: TickWindow, now: int) -> int:
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


def _turns(kind: LookupKind, window: TickWindow | None, shift: int) -> tuple[list[When], list[When]]:
    """The ticks that follow from the first tick of an interval, and those from the tick after its last."""
    match window:
        case None | Unbounded():
            return [partial(_later, shift)], [partial(_later, shift)]
        case Sliding(size) if kind in (LookupKind.ALWAYS, LookupKind.ALWAYS_BEFORE):
            return [partial(_later, shift), partial(_later, size + shift)], [partial(_later, shift)]
        case Sliding(size):
            counts = [partial(_later, shift)] if kind in GROWING else []
            return [partial(_later, shift)], [*counts, partial(_later, size + shift)]
        case Offsets(offsets):
            at_offsets: list[When] = [partial(_later, offset + shift) for offset in offsets]
            return at_offsets, at_offsets
        case Hopping(size, step):
            hops: list[When] = [partial(_hop, step, more, shift) for more in (0, size)]
            return hops, hops
        case Tumbling(size):
            ends: list[When] = [partial(_block, size, more, shift) for more in (0, size - 1)]
            return ends, ends
        case _:
            return [], []


def _stretches(kind: LookupKind, window: TickWindow, shift: int) -> list[tuple[When, When, int]]:
    """For an interval that is over: the first tick, the last tick and the step of the changes that follow.

    None for blocks: only the next block and the one after it change by an interval that is over.
    """
    match window:
        case Sliding(size):
            return [(partial(_later, size), partial(_later, size + shift), 1)]
        case Offsets(offsets) if kind is LookupKind.AT:
            return [(partial(_later, offsets[0]), partial(_later, offsets[-1] + shift), 1)]
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
