"""When answers change by the passing of time alone: a queue of ticks.

What begins or ends at a tick tells at which later ticks it enters or leaves the windows that are asked for.
These ticks are queued when it is told, once for all that is told at a tick, so that the queue costs what
happens, and ticks that are not in it need not be looked at (the timer of Eiter, Ogris, Schekotihin 2019). It
may hold more than is true: a tick too many costs a look, and changes nothing.
"""

from collections.abc import Callable, Iterable
from functools import partial
from heapq import heappop, heappush

from lars2asp.analysis.windows import Fixed, Hopping, Offsets, Sliding, TickWindow, Tumbling, Unbounded
from lars2asp.planning.lookups import LookupKind

When = Callable[[int], int]
"""From the tick at which something begins, or after which it holds no more, to one at which that tells."""

GROWING = (
    *(LookupKind.AT, LookupKind.COUNT, LookupKind.COUNT_BEFORE),
    *(LookupKind.LEAST, LookupKind.LEAST_BEFORE),
)
"""What may change while something holds on, or after it did, at other ticks than windows' ends."""


class Timer:
    """A queue of ticks."""

    def __init__(self) -> None:
        self._queue: list[tuple[int, int, int]] = []
        self._queued: set[tuple[int, int, int]] = set()

    @property
    def state(self) -> list[tuple[int, int, int]]:
        """All that is queued."""
        return sorted(self._queued)

    @property
    def last(self) -> int:
        """The last tick that is queued; -1 for none."""
        return max((last for _, last, _ in self._queued), default=-1)

    def restore(self, state: Iterable[tuple[int, int, int]]) -> None:
        """Queues what a state has."""
        for first, last, step in state:
            self.through(first, last, step)

    def at(self, tick: int) -> None:
        """Something may change at a tick."""
        self.through(tick, tick, 1)

    def through(self, first: int, last: int, step: int) -> None:
        """Something may change at every so many ticks from the first to the last."""
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
        """Whether `passed` is to be told."""
        return bool(self._stretches)

    def watch(self, kind: LookupKind, window: TickWindow | None, *, is_shifted: bool) -> None:
        """A lookup is asked for from now on.

        Args:
            kind: what is asked.
            window: the window, if there is one.
            is_shifted: whether what holds at a tick may be known only at the next one.
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
        """Something holds from a tick on."""
        if tick != self._last_begun:
            self._last_begun = tick
            for when in self._when_begun:
                self._timer.at(when(tick))

    def ended(self, tick: int) -> None:
        """Something holds up to a tick, as far as is known."""
        if tick != self._last_ended:
            self._last_ended = tick
            for when in self._when_ended:
                self._timer.at(when(tick + 1))

    def passed(self, begin: int, end: int) -> None:
        """Something held from a tick to another one, which is past."""
        for first, last, step in self._stretches:
            self._timer.through(first(begin), last(end + 1), step)


def after_start(window: TickWindow | None, start: int) -> list[int]:
    """The ticks at which answers over a window change whatever is told, as the timeline begins where it does.

    How long it is cut off makes no other difference than what begins at the start.
    """
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
    """The first tick after now at which an answer of a kind of GROWING changes while something holds on."""
    match window:
        case Hopping(_, step):
            return min(_hop(step, 1, 0, now), _hop(step, 0, 1, now))
        case Tumbling(size):
            return min(_block(size, 1, 0, now), _block(size, 0, 1, now))
        case _:
            return now + 1


def next_move(window: Hopping | Tumbling, now: int) -> int:
    """The first tick after now at which a window moves: it has the current tick then."""
    return _hop(window.step, 1, 0, now) if isinstance(window, Hopping) else _block(window.size, 1, 0, now)


def _turns(kind: LookupKind, window: TickWindow | None, shift: int) -> tuple[list[When], list[When]]:
    """What follows from begins, and what from the ticks after ends."""
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
    """For what held for a while: first and last tick, and their distance, of the changes that follow.

    None for blocks: of what has ended, the next block and the one after have all that still changes.
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
    """So many ticks after the first multiple of a step from so many ticks later on."""
    return -(-(tick + more) // step) * step + shift


def _block(size: int, more: int, shift: int, tick: int) -> int:
    """So many ticks after the first last tick of a block from so many ticks later on."""
    return _hop(size, more + 1, shift - 1, tick)
