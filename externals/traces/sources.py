"""Sources: what the input says, and what is known in advance, as segments."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.database.foreknown_facts import Foreknown
from lars2asp.externals.operators import Batch, Handed, Operator, Readers, net
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.traces.trace import HeldRows


class Source(Operator):
    """What rows a relation has, and until when they hold.

    Args:
        always: the rows that always hold.
        start: the first tick of the timeline.
    """

    def __init__(self, always: Collection[Row] = (), start: int = 0) -> None:
        super().__init__()
        self._always = frozenset(always)
        self._start = start
        self.arrivals: Readers = []
        """Who takes the facts as they arrive."""
        if always:
            self.due = start

    @property
    def outputs(self) -> Iterable[Readers]:
        """The readers of the rows, and of the facts that arrive."""
        return self.readers, self.arrivals

    def begin(self, out: Batch) -> list[Row]:
        """The rows that always hold begin; gives them if the first segment of the input is to have them."""
        if self.due != self._start or not self._always:
            return []
        self.due = FOR_EVER
        if self.inputs[0] and self.inputs[0][0][0] == self._start:
            return [*self._always]
        out.append((self._start, (), [*self._always]))
        return []

    def end_of(self, row: Row) -> int:
        """The tick behind the last one of a row that holds, as far as that is known; 0 if it is not."""
        return 0

    @property
    def last_end(self) -> int:
        """The last tick at which a row ends as far as facts say; 0 if they do not."""
        return 0

    def restore(self, held: HeldRows, now: int) -> None:
        """Takes over when rows held; those that go on to hold do as long as it says."""
        raise NotImplementedError


class EndingFacts(Source):
    """Facts that end at ticks that are known, but later if more facts say so.

    Each has a key: it is called for at one tick, which is not after its end. Later ends are noted then.

    Args:
        always: the rows that always hold.
        start: the first tick of the timeline.
    """

    def __init__(self, always: Collection[Row], start: int) -> None:
        super().__init__(always, start)
        self.merged = 0
        self._keys: dict[int, dict[Row, None]] = {}
        """The keys by ticks."""
        self._called: dict[Row, int] = {}
        """The ticks by keys."""
        self._ticks: list[int] = []
        """A heap of the ticks."""

    def _call(self, key: Row, tick: int) -> None:
        """Calls for a key at a tick, unless it is called for earlier."""
        if tick >= self._called.get(key, FOR_EVER):
            return
        self._called[key] = tick
        keys = self._keys.get(tick)
        if keys is None:
            keys = self._keys[tick] = {}
            heappush(self._ticks, tick)
        keys[key] = None

    def _taken(self, tick: int) -> Iterator[Row]:
        """Takes the keys that are called for at a tick."""
        for key in self._keys.pop(tick):
            if self._called.get(key) == tick:
                del self._called[key]
                yield key

    @property
    def _next(self) -> int:
        """The first tick at which a key is called for."""
        return self._ticks[0] if self._ticks else FOR_EVER


class LastingFacts(EndingFacts):
    """Facts that hold for a while, and rows that always hold. O(log n) a fact.

    Each segment of the input has a tick, facts that begin with it and the ticks after their last ones, and
    facts of the tick alone.

    Args:
        always: the rows that always hold.
        start: the first tick of the timeline.

    Attributes:
        merged: the number of facts that were equal to another one of their tick.
    """

    def __init__(self, always: Collection[Row], start: int) -> None:
        super().__init__(always, start)
        self._until: dict[Row, int] = {}

    def end_of(self, row: Row) -> int:
        """The tick behind the last one that facts say."""
        return FOR_EVER if row in self._always else self._until[row]

    @property
    def last_end(self) -> int:
        """See Source."""
        return max((end for end in self._until.values() if end < FOR_EVER), default=0)

    def advance(self, frontier: int) -> Handed:
        """Facts begin, unless they hold already, and end when the last one that says so does."""
        out: Batch = []
        came: Batch = []
        always = self.begin(out)
        ticks = self._ticks
        for tick, facts, points in self.inputs[0]:
            if self.arrivals:
                came.append((tick, [*dict.fromkeys([*(row for row, _ in facts), *points])]))
            while ticks and ticks[0] < tick:
                over = heappop(ticks)
                net(over, self._over(over), (), out)
            began, always = always, []
            self._take(tick, facts, points, began)
            ended: Sequence[Row] = ()
            if ticks and ticks[0] == tick:
                ended = self._over(heappop(ticks))
            net(tick, ended, began, out)
        self.inputs[0].clear()
        while ticks and ticks[0] < frontier:
            over = heappop(ticks)
            net(over, self._over(over), (), out)
        self.due = self._next
        return (self.readers, out), (self.arrivals, came)

    def _over(self, tick: int) -> list[Row]:
        """The rows that end at a tick."""
        until, over = self._until, []
        for row in self._taken(tick):
            if until[row] == tick:
                del until[row]
                over.append(row)
            else:
                self._call(row, until[row])
        return over

    def _take(
        self, tick: int, facts: Iterable[tuple[Row, int]], points: Iterable[Row], began: list[Row]
    ) -> None:
        until, always = self._until, self._always
        told: dict[Row, int] = {}
        number = 0
        for row, end in facts:
            number += 1
            told[row] = max(end, told.get(row, end))
        self.merged += number - len(told)
        passing: dict[Row, int] = {}
        for row in points:
            passing[row] = passing.get(row, 0) + 1
        for row, end in told.items():
            known = until.get(row, tick)
            if row in always:
                continue
            if max(end, known) <= tick + 1:
                passing[row] = passing.get(row, 0) + 1
                told[row] = tick
            elif end > known:
                if row not in until:
                    began.append(row)
                self._hold(row, end)
        for row, times in passing.items():
            if until.get(row, tick) <= tick:
                if row not in always:
                    if row not in until:
                        began.append(row)
                    self._hold(row, tick + 1)
                self.merged += times - 1
            elif told.get(row) == tick:
                self.merged += times - 1

    def _hold(self, row: Row, end: int) -> None:
        """A row holds until a tick."""
        self._until[row] = end
        self._call(row, end)

    def restore(self, held: HeldRows, now: int) -> None:
        """The rows that go on to hold."""
        for row, runs in held.items():
            if runs[-1] > now and row not in self._always:
                self._hold(row, runs[-1])
        self.due = self._next


class CurrentFacts(EndingFacts):
    """Facts declared with `#held`: each holds until the next one with its key, or its last tick. O(log n).

    Args:
        by: how its facts are held.
        always: the rows that always hold.
        start: the first tick of the timeline.

    Attributes:
        merged: the number of facts that were equal to the one before with their key, at the same tick.
    """

    def __init__(self, by: HeldBy, always: Collection[Row], start: int) -> None:
        super().__init__(always, start)
        self._by = by
        self._current: dict[Row, tuple[Row, int]] = {}
        """By keys: the fact, and the tick behind its last one if no other comes."""

    def end_of(self, row: Row) -> int:
        """The tick behind the last one if no other fact comes."""
        return FOR_EVER if row in self._always else self._current[self._by.key_of(row)][1]

    @property
    def last_end(self) -> int:
        """See Source."""
        return max((end for _, end in self._current.values() if end < FOR_EVER), default=0)

    def rows(self, now: int) -> dict[Row, int]:
        """The facts that hold at the tick behind one, with their last ticks if no others come."""
        return {row: end - 1 for row, end in self._current.values() if end > now + 1}

    def advance(self, frontier: int) -> Handed:
        """The last fact of a tick with a key ends the one before."""
        out: Batch = []
        came: Batch = []
        always = self.begin(out)
        ticks, keys = self._ticks, self._by.key
        for tick, facts in self.inputs[0]:
            while ticks and ticks[0] < tick:
                self._over(heappop(ticks), out, came)
            gone: list[Row] = []
            began, always = always, []
            if ticks and ticks[0] == tick:
                gone = self._gone(heappop(ticks))
            ended = self._but_always(gone)
            last: dict[Row, tuple[Row, int]] = {}
            for row, end in facts:
                key = tuple([row[place] for place in keys])
                before = last.pop(key, None)
                if before is not None and before[0] == row:
                    self.merged += 1
                last[key] = row, end
            if self.arrivals:
                gone += [self._current[key][0] for key in last if key in self._current]
                came.append((tick, gone, [row for row, _ in last.values()]))
            for key, (row, end) in last.items():
                self._replace(key, row, end, ended, began)
            net(tick, ended, began, out)
        self.inputs[0].clear()
        while ticks and ticks[0] < frontier:
            self._over(heappop(ticks), out, came)
        self.due = self._next
        return (self.readers, out), (self.arrivals, came)

    def _replace(self, key: Row, row: Row, end: int, ended: list[Row], began: list[Row]) -> None:
        before = self._current.get(key)
        self._current[key] = row, end
        self._call(key, end)
        if before is not None and before[0] == row:
            return
        if before is not None and before[0] not in self._always:
            ended.append(before[0])
        if row not in self._always:
            began.append(row)

    def _gone(self, tick: int) -> list[Row]:
        """The facts that end at a tick as no others came."""
        found = []
        for key in self._taken(tick):
            row, end = self._current[key]
            if end > tick:
                self._call(key, end)
                continue
            del self._current[key]
            found.append(row)
        return found

    def _but_always(self, rows: list[Row]) -> list[Row]:
        return [row for row in rows if row not in self._always] if self._always else [*rows]

    def _over(self, tick: int, out: Batch, came: Batch) -> None:
        gone = self._gone(tick)
        if gone and self.arrivals:
            came.append((tick, gone, ()))
        net(tick, self._but_always(gone), (), out)

    def ends_at(self, row: Row, tick: int) -> bool:
        """Whether a fact is one that holds until the tick before another one at the latest."""
        return self._current.get(self._by.key_of(row)) == (row, tick)

    def go_on(self, rows: Mapping[Row, int]) -> None:
        """Takes over facts with their last ticks, before any other comes."""
        self._current = {self._by.key_of(row): (row, last + 1) for row, last in rows.items()}
        for key, (_, end) in self._current.items():
            self._call(key, end)

    def restore(self, held: HeldRows, now: int) -> None:
        """Those that end with the tick are not among the facts that `go_on` takes."""
        for row, runs in held.items():
            key = self._by.key_of(row)
            if runs[-1] == now + 1 and key not in self._current and row not in self._always:
                self._current[key] = row, now + 1
                self._call(key, now + 1)
        self.due = self._next


class ForeknownFacts(Source):
    """Atoms that are known in advance: those of the calendar, and those that hold at every n-th tick.

    Args:
        predicate: says when they hold.
        start: the first tick of the timeline.

    Attributes:
        began: how many began to hold.
    """

    def __init__(self, predicate: Foreknown, start: int) -> None:
        super().__init__((), start)
        self._predicate = predicate
        self._rows: tuple[Row, ...] = ()
        self.due = start
        self.began = 0

    def end_of(self, row: Row) -> int:
        """The tick at which others hold."""
        return self.due

    def advance(self, frontier: int) -> Handed:
        """Goes from change to change."""
        out: Batch = []
        while self.due < frontier:
            tick = self.due
            rows = tuple(self._predicate.rows(tick))
            self.began += len(rows)
            net(tick, self._rows, rows, out)
            self._rows = rows
            change = self._predicate.next_change(tick)
            self.due = FOR_EVER if change is None else change
        return ((self.readers, out),) if out else ()

    def restore(self, held: HeldRows, now: int) -> None:
        """Works out what holds."""
        self._rows = tuple(self._predicate.rows(now))
        change = self._predicate.next_change(now)
        self.due = FOR_EVER if change is None else change

    def known(self, held: Mapping[Row, list[int]], now: int) -> HeldRows:
        """When rows held, where nobody may have asked since others did."""
        found = {row: [*runs] for row, runs in held.items()}
        for row in self._rows:
            runs = found.setdefault(row, [])
            if runs and runs[-1] >= now:
                runs[-1] = self.due
            else:
                runs += (now, self.due)
        return found


class Beside(Source):
    """Rows that rules derive beside rows that always hold, which they neither begin nor end. O(1) a row."""

    def advance(self, frontier: int) -> Handed:
        """What rules derive, without the rows that always hold."""
        out: Batch = []
        first, always = self.begin(out), self._always
        for tick, ended, began in self.inputs[0]:
            less = [row for row in ended if row not in always]
            more = [row for row in began if row not in always]
            if first:
                more, first = more + first, []
            if less or more:
                out.append((tick, less, more))
        self.inputs[0].clear()
        return ((self.readers, out),) if out else ()

    def restore(self, held: HeldRows, now: int) -> None:
        """The rows that always hold have begun."""
        self.due = FOR_EVER
