"""Atoms that heads `a at T` place at ticks: the future log, and what is placed at ticks that are over."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.operators import Batch, Handed, Operator, Readers
from lars2asp.externals.terms.terms import Row


class Placed(Operator):
    """Rows that are placed at the tick that is their last value, from when they are derived on. O(log n).

    Heads `a at T` (Beck, Dao-Tran, Eiter 2018, section 3): with T > now the row waits in the future log; with
    T < now it is late; before the start it is nothing. It stays placed when rules derive it no more.

    Its readers get facts of single ticks; those of `late` rows with ticks that are over.

    Args:
        start: the first tick of the timeline.
        is_late: whether rows may have ticks up to the current one.
    """

    def __init__(self, start: int, *, is_late: bool) -> None:
        super().__init__()
        self.is_delayed = not is_late
        self.late: Readers = []
        self._start = start
        self._waiting: dict[int, dict[Row, None]] = {}
        """By their ticks the rows that are due then, with the ticks at which they are placed."""
        self._ticks: list[int] = []
        """A heap of the ticks."""

    @property
    def outputs(self) -> Iterable[Readers]:
        """The readers of rows of the current tick, and of others."""
        return self.readers, self.late

    def advance(self, frontier: int) -> Handed:
        """Goes from tick to tick at which rows come or are due."""
        out: Batch = []
        late: Batch = []
        ticks = self._ticks
        for tick, ended, began in self.inputs[0]:
            while ticks and ticks[0] < tick:
                self._turn(heappop(ticks), [], out, late)
            self.end(tick, ended, late)
            now: list[Row] = []
            over: list[Row] = []
            for row in began:
                at = self._tick_of(row)
                if at > tick:
                    self._wait(at, row)
                elif at == tick:
                    now.append(row)
                elif at >= 0:
                    over.append(row)
            if over:
                late.append((tick, (), over))
            if ticks and ticks[0] == tick:
                heappop(ticks)
            if now or tick in self._waiting:
                self._turn(tick, now, out, late)
        self.inputs[0].clear()
        while ticks and ticks[0] < frontier:
            self._turn(heappop(ticks), [], out, late)
        self.due = ticks[0] if ticks else FOR_EVER
        return (self.readers, out), (self.late, late)

    def _tick_of(self, row: Row) -> int:
        """The tick at which a row is placed; -1 if that is not on the timeline."""
        at = row[-1]
        return at if type(at) is int and at >= self._start else -1

    def _wait(self, tick: int, row: Row) -> None:
        rows = self._waiting.get(tick)
        if rows is None:
            rows = self._waiting[tick] = {}
            heappush(self._ticks, tick)
        rows[row] = None

    def _turn(self, tick: int, now: Sequence[Row], out: Batch, late: Batch) -> None:
        """A tick comes, at which rows are placed."""
        rows = self._waiting.pop(tick, {}) | dict.fromkeys(now)
        out.append((tick, [row[:-1] for row in rows]))

    def end(self, tick: int, ended: Sequence[Row], late: Batch) -> None:
        """Rules derive rows no more, which stay placed."""

    @property
    def future(self) -> dict[int, list[Row]]:
        """The future log: by ticks the rows that are placed there."""
        return {tick: [row[:-1] for row in rows] for tick, rows in self._waiting.items()}

    @property
    def last(self) -> int:
        """The last tick of the future log; -1 for none."""
        return max(self._waiting, default=-1)

    def restore(self, future: Mapping[int, Collection[Row]], derived: Collection[Row], now: int) -> None:
        """Takes over the future log behind a tick, and what rules derive there."""
        for tick, rows in future.items():
            for row in rows:
                self._wait(tick, (*row, tick))
        self.due = self._ticks[0] if self._ticks else FOR_EVER


class Passing(Placed):
    """The same of rules with `#temp`, and with strict semantics: rows are placed as long as they are derived.

    The readers of `late` get segments of rows with ticks that are over.
    What is placed at later ticks alone is derived no more when these come: there is no operator for it.
    """

    def _turn(self, tick: int, now: Sequence[Row], out: Batch, late: Batch) -> None:
        """Rows are placed at the tick, and known of the one before."""
        rows = self._waiting.pop(tick, {}) | dict.fromkeys(now)
        here = [row for row in rows if row[-1] == tick]
        over = [row for row in rows if row[-1] < tick]
        if here:
            out.append((tick, [row[:-1] for row in here]))
        if over:
            late.append((tick, (), over))
        for row in here:
            self._wait(tick + 1, row)

    def end(self, tick: int, ended: Sequence[Row], late: Batch) -> None:
        """They are placed no more."""
        gone: list[Row] = []
        for row in ended:
            at = self._tick_of(row)
            waiting = self._waiting.get(max(at, tick), {})
            if row in waiting:
                del waiting[row]
            elif at >= 0:
                gone.append(row)
        if gone:
            late.append((tick, gone, ()))

    @property
    def future(self) -> dict[int, list[Row]]:
        """The future log: nothing, as it follows from what is derived."""
        return {}

    def restore(self, future: Mapping[int, Collection[Row]], derived: Collection[Row], now: int) -> None:
        """What rules derive is placed; windows take what is placed at ticks before."""
        over = [row for row in derived if 0 <= self._tick_of(row) < now]
        for reader, place in self.late:
            reader.inputs[place].append((now, (), over))
        for row in derived:
            at = self._tick_of(row)
            if at >= now:
                self._wait(max(at, now + 1), row)
        self.due = self._ticks[0] if self._ticks else FOR_EVER
