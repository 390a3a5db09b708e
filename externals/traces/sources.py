"""Sources: what the input says, and what is known in advance, as segments."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.operators import Batch, Handed, Operator, Readers, net
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.traces.foreknown import Foreknown
from lars2asp.externals.traces.told import Arrived, Open
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
        """Who takes the facts as they arrive, with the ticks behind the last ones, and what ends of these."""
        self.beginnings: Readers = []
        """Who takes the rows that arrive, by tick."""
        if always:
            self.due = start

    @property
    def outputs(self) -> Iterable[Readers]:
        """The readers of the rows, of the facts that arrive, and of their rows alone."""
        return self.readers, self.arrivals, self.beginnings

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
    def merged(self) -> int:
        """The number of facts that were equal to another one of their tick."""
        raise NotImplementedError

    @property
    def now(self) -> Collection[Row]:
        """The facts that hold at the last tick that is over."""
        raise NotImplementedError

    @property
    def _next(self) -> int:
        """The first tick at which a key is called for."""
        return self._ticks[0] if self._ticks else FOR_EVER


class LastingFacts(EndingFacts):
    """Facts that hold for a while, rows that begin and end, and rows that always hold. O(log n) a fact.

    Each segment of the input has a tick, and rows as they are told (`told_of`).

    Args:
        always: the rows that always hold.
        start: the first tick of the timeline.

    Attributes:
        open: those that hold on until they end.
    """

    def __init__(self, always: Collection[Row], start: int) -> None:
        super().__init__(always, start)
        self.open = Open()
        self._until: dict[Row, int] = {}
        """By rows that hold, the tick behind the last one of facts."""

    @property
    def merged(self) -> int:
        """The number of facts that were equal to another one of their tick."""
        return self.open.merged

    def end_of(self, row: Row) -> int:
        """The tick behind the last one that facts say."""
        return FOR_EVER if row in self._always or row in self.open.rows else self._until[row]

    @property
    def last_end(self) -> int:
        """See Source."""
        return max((end for end in self._until.values() if end < FOR_EVER), default=0)

    @property
    def now(self) -> Collection[Row]:
        """See EndingFacts."""
        return self._until

    def advance(self, frontier: int) -> Handed:
        """Facts begin, unless they hold already, and end when the last one that says so does."""
        out: Batch = []
        came: Batch = []
        begins: Batch = []
        always = self.begin(out)
        ticks = self._ticks
        for tick, told in self.inputs[0]:
            while ticks and ticks[0] < tick:
                over = heappop(ticks)
                net(over, self._over(over), (), out)
            began, always = always, []
            arrived = self.open.take(tick, told)
            ended = self._take(tick, arrived, began)
            if ticks and ticks[0] == tick:
                ended += self._over(heappop(ticks))
            net(tick, ended, began, out)
            if self.arrivals and (arrived.came or arrived.gone):
                came.append((tick, arrived.gone, arrived.came))
            if self.beginnings:
                begins.append((tick, [row for row, _ in arrived.came]))
        self.inputs[0].clear()
        while ticks and ticks[0] < frontier:
            over = heappop(ticks)
            net(over, self._over(over), (), out)
        self.due = self._next
        return (self.readers, out), (self.arrivals, came), (self.beginnings, begins)

    def _over(self, tick: int) -> list[Row]:
        """The rows that end at a tick."""
        until, opened, over = self._until, self.open.rows, []
        for row in self._taken(tick):
            end = until.get(row)
            if end is None or row in opened:
                continue
            if end == tick:
                del until[row]
                over.append(row)
            else:
                self._call(row, end)
        return over

    def _take(self, tick: int, arrived: Arrived, began: list[Row]) -> list[Row]:
        """Takes what is told at a tick, and gives the rows that end."""
        until, opened, ends, always = self._until, self.open.rows, arrived.until, self._always
        ended: list[Row] = []
        for row in dict.fromkeys([*ends, *arrived.touched]):
            if row in always:
                continue
            before = until.get(row)
            end = max(before or 0, ends.get(row, 0))
            if row in opened:
                until[row] = end
            elif end > tick:
                self._hold(row, end)
            elif before is not None:
                del until[row]
                ended.append(row)
            if before is None and row in until:
                began.append(row)
        return ended

    def _hold(self, row: Row, end: int) -> None:
        """A row holds until a tick."""
        self._until[row] = end
        self._call(row, end)

    def go_on(self, opened: Mapping[Row, tuple[int, int]]) -> None:
        """Takes over rows that hold on until they end, with the ticks of `opened`."""
        self.open.rows = {row: end for row, (_, end) in opened.items()}
        self._until = {row: until for row, (until, _) in opened.items() if row not in self._always}

    @property
    def opened(self) -> dict[Row, tuple[int, int]]:
        """By such rows the tick behind the last one of facts, and of facts with which they arrived; or 0."""
        return {row: (self._until.get(row, 0), end) for row, end in self.open.rows.items()}

    def restore(self, held: HeldRows, now: int) -> None:
        """The rows that go on to hold."""
        for row, runs in held.items():
            if runs[-1] > now and row not in self._always and row not in self.open.rows:
                self._hold(row, runs[-1])
        self.due = self._next


class CurrentFacts(EndingFacts):
    """Facts declared with `#held`: each holds until the next one with its key, or its last tick. O(log n).

    Args:
        by: how its facts are held.
        always: the rows that always hold.
        start: the first tick of the timeline.
    """

    def __init__(self, by: HeldBy, always: Collection[Row], start: int) -> None:
        super().__init__(always, start)
        self._merged = 0
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

    @property
    def merged(self) -> int:
        """The number of facts that were equal to the one before with their key, at the same tick."""
        return self._merged

    @property
    def now(self) -> Collection[Row]:
        """See EndingFacts."""
        return [row for row, _ in self._current.values()]

    def rows(self, now: int) -> dict[Row, int]:
        """The facts that hold at the tick behind one, with their last ticks if no others come."""
        return {
            row: end - 1 if end < FOR_EVER else FOR_EVER
            for row, end in self._current.values()
            if end > now + 1
        }

    def advance(self, frontier: int) -> Handed:
        """The last fact of a tick with a key ends the one before."""
        out: Batch = []
        came: Batch = []
        begins: Batch = []
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
                    self._merged += 1
                last[key] = row, end
            if self.arrivals:
                gone += [self._current[key][0] for key in last if key in self._current]
                came.append(_told(tick, gone, [row for row, _ in last.values()]))
            if self.beginnings:
                begins.append((tick, [row for row, _ in last.values()]))
            for key, (row, end) in last.items():
                self._replace(key, row, end, ended, began)
            net(tick, ended, began, out)
        self.inputs[0].clear()
        while ticks and ticks[0] < frontier:
            self._over(heappop(ticks), out, came)
        self.due = self._next
        return (self.readers, out), (self.arrivals, came), (self.beginnings, begins)

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
            came.append(_told(tick, gone, ()))
        net(tick, self._but_always(gone), (), out)

    def ends_at(self, row: Row, tick: int) -> bool:
        """Whether a fact is one that holds until the tick before another one at the latest."""
        return self._current.get(self._by.key_of(row)) == (row, tick)

    def go_on(self, rows: Mapping[Row, int]) -> None:
        """Takes over facts with their last ticks, before any other comes."""
        self._current = {self._by.key_of(row): (row, min(last + 1, FOR_EVER)) for row, last in rows.items()}
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


def _told(tick: int, gone: Iterable[Row], came: Iterable[Row]) -> tuple[int, list[Any], list[Any]]:
    """What ends and arrives at a tick; what arrives holds on until it ends."""
    return tick, [(row, tick) for row in gone], [(row, FOR_EVER) for row in came]


class ForeknownFacts(Source):
    """Atoms that are known in advance: those of the calendar, and those that hold at every n-th tick.

    Args:
        predicate: says when they hold.
        start: the first tick of the timeline.

    Attributes:
        change: the next tick at which others hold, or are looked at.
        is_patient: whether somebody else calls for it, when others are looked at.
        began: how many began to hold.
    """

    is_patient = False

    def __init__(self, predicate: Foreknown, start: int) -> None:
        super().__init__((), start)
        self._predicate = predicate
        self._rows: tuple[Row, ...] = ()
        self._expect(start)
        self.began = 0

    def end_of(self, row: Row) -> int:
        """The tick at which others hold."""
        return self.change

    def _expect(self, change: int | None) -> None:
        self.change = FOR_EVER if change is None else change
        self.due = FOR_EVER if self.is_patient else self.change

    def wait(self) -> None:
        """Somebody else calls for it from here on."""
        self.is_patient, self.due = True, FOR_EVER

    def advance(self, frontier: int) -> Handed:
        """Goes from change to change."""
        out: Batch = []
        while self.change < frontier:
            tick = self.change
            rows = tuple(self._predicate.rows(tick))
            self.began += len(rows)
            net(tick, self._rows, rows, out)
            self._rows = rows
            self._expect(self._predicate.next_change(tick))
        return ((self.readers, out),) if out else ()

    def restore(self, held: HeldRows, now: int) -> None:
        """Works out what holds."""
        self._rows = tuple(self._predicate.rows(now))
        self._expect(self._predicate.next_change(now))

    def known(self, held: Mapping[Row, list[int]], now: int) -> HeldRows:
        """When rows held, where nobody may have asked since others did."""
        found = {row: [*runs] for row, runs in held.items()}
        for row in self._rows:
            runs = found.setdefault(row, [])
            if runs and runs[-1] >= now:
                runs[-1] = self.change
            else:
                runs += (now, self.change)
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


class Both(Operator):
    """Rows that rules derive or the input tells: a row holds while there is one source. O(1) a row.

    Counting of derivations (Gupta, Mumick, Subrahmanian 1993). The first input has what is derived, the
    second one what is told.

    Args:
        is_recorded: whether it has what is derived without the ticks that have no answer stream.

    Attributes:
        derived: what rules derive.
        told: what the input tells.
    """

    def __init__(self, *, is_recorded: bool = False) -> None:
        super().__init__(2)
        self.is_recorded = is_recorded
        self.derived: set[Row] = set()
        self.told: set[Row] = set()

    def advance(self, frontier: int) -> Handed:
        """A row ends with its last source."""
        changed: dict[int, list[tuple[set[Row], Sequence[Row], Sequence[Row]]]] = {}
        for rows, batch in zip((self.derived, self.told), self.inputs, strict=True):
            for tick, ended, began in batch:
                changed.setdefault(tick, []).append((rows, ended, began))
        self.inputs = [[], []]
        out: Batch = []
        for tick in sorted(changed):
            touched = {row: self._has(row) for _, *some in changed[tick] for rows in some for row in rows}
            for rows, ended, began in changed[tick]:
                rows.difference_update(ended)
                rows.update(began)
            less = [row for row, held in touched.items() if held and not self._has(row)]
            more = [row for row, held in touched.items() if not held and self._has(row)]
            net(tick, less, more, out)
        return ((self.readers, out),) if out else ()

    def _has(self, row: Row) -> bool:
        return row in self.derived or row in self.told
