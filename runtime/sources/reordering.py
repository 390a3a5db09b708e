"""Late records: records wait for others that come later, to be put into time order."""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import accumulate, chain, pairwise, repeat
from operator import itemgetter, lt, sub
from typing import Any, NamedTuple

from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import ReadRows, WriteRows, read_atoms, written_atoms
from lars2asp.externals.terms.terms import turns_of
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.fine_ticks import FineMoment, FineTick
from lars2asp.runtime.sources.input_watermarks import FromInput, InputWatermarks
from lars2asp.runtime.sources.lateness import LatenessWords
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import (
    SILENT,
    Late,
    OnReject,
    Origin,
    Record,
    SourceName,
    TimeAlone,
    refusal_of,
)

GAP_HINT = "allow larger gaps with --largest-gap (in Python largest_gap)"


def check_gap(tick: int, last: int | None, largest_gap: int) -> None:
    """Raises InputError for a record that comes more ticks than `largest_gap` after the last one."""
    if last is not None and tick - last > largest_gap:
        raise InputError(
            f"tick {tick} is {tick - last} ticks after {last}, but the limit is {largest_gap}: {GAP_HINT}"
        )


def _nothing() -> None:
    """Nobody is told that a record arrives."""


class Watermark(NamedTuple):
    """The ticks up to this one get no records any more: time passes up to it, whatever comes next."""

    tick: int


class WaitingRecords:
    """Records that wait, by a tick, and those of one tick in the order of their arrival.

    Args:
        on_reject: takes records that come too late.
        words: what is said of them.

    Attributes:
        late: the number of records that came too late.
    """

    def __init__(self, on_reject: OnReject, words: LatenessWords | None = None) -> None:
        self.late = 0
        self._words = words or LatenessWords()
        self._on_reject = on_reject
        self._ticks: list[int] = []
        """Those for which records wait, as a heap."""
        self._waiting: dict[int, list[Record]] = {}
        """The records, by these ticks."""
        self._given = 0
        """The number of those of the least tick that wait no longer."""

    def __len__(self) -> int:
        """The number of records that wait."""
        return sum(map(len, self._waiting.values())) - self._given

    @property
    def first(self) -> int | None:
        """The least tick, None where no record waits."""
        return self._ticks[0] if self._ticks else None

    def add(self, tick: int, record: Record) -> None:
        """A record waits."""
        here = self._waiting.get(tick)
        if here is None:
            if self._given and tick < self._ticks[0]:
                del self._waiting[self._ticks[0]][: self._given]
                self._given = 0
            heappush(self._ticks, tick)
            self._waiting[tick] = [record]
        else:
            here.append(record)

    def up_to(self, tick: int | None) -> Iterator[Record]:
        """The records up to a tick, or all; each waits until the next one is asked for."""
        ticks, waiting = self._ticks, self._waiting
        while ticks and (tick is None or ticks[0] <= tick):
            here = waiting[ticks[0]]
            while self._given < len(here):
                yield here[self._given]
                self._given += 1
            self._given = 0
            del waiting[heappop(ticks)]

    def left(self) -> Iterator[Record]:
        """The records that wait, where no more are waited for."""
        return self.up_to(None)

    def reject_late(self, record: Record, reason: str) -> None:
        """Rejects a record that came too late, if it tells more than a time."""
        if isinstance(record.events, TimeAlone):
            return
        self.late += 1
        self._on_reject(refusal_of(record, f"late: {reason}", Late))

    def state(self, write: WriteRows) -> dict[str, Any]:
        """The records, as JSON has them but for rows, which are written so."""
        waiting = [[+tick, *record_state(record, write)] for tick, record in self._in_turn()]
        return {"waiting": waiting, "late": self.late}

    def _in_turn(self) -> list[tuple[int, Record]]:
        """The records, in their order, with the ticks by which they wait."""
        in_order = [(tick, record) for tick in sorted(self._ticks) for record in self._waiting[tick]]
        return in_order[self._given :]

    def restore(self, state: Mapping[str, Any], read: ReadRows) -> None:
        """Takes over a state."""
        self.late = state["late"]
        for _, *kept in state["waiting"]:
            record = restored_record(kept, read)
            self.add(record.tick, record)


def record_state(record: Record, write: WriteRows) -> list[Any]:
    """A record, as JSON has it but for rows, which are written so."""
    events, origin = record.events, record.origin
    place: list[Any] | None = None
    if origin is not None:
        place = [origin.source, origin.line, origin.text]
        if isinstance(origin.source, SourceName):
            place.append(origin.source.input)
    tick = record.tick
    if isinstance(events, TimeAlone):
        return [+tick, events.counted_as, place]
    atoms = [written_atoms(turns_of(parts), write) for parts in (events.facts, events.begin, events.end)]
    moment = [+tick.moment] if type(tick) is FineTick else []
    if type(tick) is FineTick and type(tick.moment) is FineMoment:
        moment.append(tick.moment.nanoseconds)
    return [+tick, [*atoms, events.until], place, *moment]


def restored_record(state: Iterable[Any], read: ReadRows) -> Record:
    """The record that a state is of."""
    tick, told, place, *moment = state
    at = tick
    if moment:
        at = FineTick.at(tick, FineMoment.of(moment[1]) if len(moment) > 1 else moment[0])
    origin: Origin | None = None
    if place is not None:
        source, line, text, *of_input = place
        origin = Origin(SourceName.of(source, *of_input) if of_input else source, line, text)
    if isinstance(told, str):
        return Record(at, SILENT[told], origin)
    *atoms, until = told
    facts, begin, end = (read_atoms(parts, read) for parts in atoms)
    return Record(at, Events(facts, begin, end, until), origin)


class Reordering(WaitingRecords):
    """Puts records into time order; those of one tick stay in the order of their arrival.

    Without lateness nothing waits, and the reasoner judges.

    Args:
        lateness: the number of ticks for which records wait for others, and by which a record may come behind
            the latest one. The watermark is the tick before that.
        on_reject: takes records that come later than that, or too far ahead.
        largest_gap: the most ticks by which a record may come after the latest one; None for any number.
        words: what is said of late records.
        inputs: the watermarks of several inputs, of which the least counts: records wait for all of them.
        reached: gives the tick that recorded inputs have reached, each with a lateness of its own; None: that
            of the latest record.

    Attributes:
        is_ending: whether no more records come, so that those that wait need not wait longer.
        on_arrival: called before a record moves time, where records wait.
    """

    def __init__(
        self,
        lateness: int,
        on_reject: OnReject,
        largest_gap: int | None = None,
        words: LatenessWords | None = None,
        inputs: InputWatermarks | None = None,
        reached: Callable[[], int] | None = None,
    ) -> None:
        if lateness < 0:
            raise ValueError("the lateness is a number of ticks, 0 or more")
        super().__init__(on_reject, words)
        self._lateness = lateness
        self.inputs = inputs
        self._largest_gap = largest_gap
        self._reached = reached
        self._columns: RecordColumns | None = None
        """Records that wait in columns, in the order of ticks."""
        self._given_columns: RecordColumns | None = None
        """Those that were given last, until what follows is asked for."""
        self._taken = 0
        """The number of these that do not wait any more."""
        self._ahead: deque[Record] = deque()
        """Records that were read, and are still to arrive."""
        self._passing: Record | None = None
        """Without lateness the record that was given last, until the next one is asked for."""
        self._latest: int | None = None
        self._open_from = 0
        """The first tick that may get records, as the watermark was given last."""
        self.is_ending = False
        self.on_arrival: Callable[[], None] = _nothing

    @property
    def newest(self) -> int | None:
        """The tick of the newest record that came, of all inputs; None before the first."""
        if self.inputs is None:
            return self._latest
        return max((tick for _, tick, _ in self.inputs if tick is not None), default=None)

    def __len__(self) -> int:
        """The number of records that wait."""
        return super().__len__() + len(self._in_columns()) + (self._passing is not None)

    def add(self, tick: int, record: Record) -> None:
        """A record waits: for others, or as one of a state for nothing."""
        super().add(tick if self.waits else 0, record)

    @property
    def waits(self) -> bool:
        """Whether records wait for others at all."""
        return self._lateness > 0 or self.inputs is not None

    def over(self, records: Iterable[Record]) -> Iterator[Record]:
        """Those that wait, and more, in time order; each waits until the next one is asked for."""
        return (item for item in self.moving(records) if not isinstance(item, Watermark))

    def moving(self, records: Iterable[Record]) -> Iterator[Record | Watermark]:
        """The same, and the watermark each time that it has moved, behind the records that it lets go.

        Without lateness there is none: each record says by itself that the ticks before its own are over.
        """
        yield from self._ready()
        yield from self._each_moving(chain(self._next_ahead(), records))
        self.is_ending = True
        yield from self.up_to(None)

    def moving_columns(
        self, blocks: Iterable[Iterable[Record]]
    ) -> "Iterator[Record | Watermark | RecordColumns]":
        """The same of records that come some at a time; those in columns stay so.

        A block of which a record comes late, or far ahead, is taken record by record.
        """
        yield from self._ready()
        yield from self._each_moving(self._next_ahead())
        for block in blocks:
            if not isinstance(block, RecordColumns):
                self._spread()
                yield from self._each_moving(block)
                continue
            reached = self._reached_by(block)
            waiting = None if reached is None else self._with_waiting(block)
            if reached is None or waiting is None:
                self._spread()
                self._ahead.extend(block)
                yield from self._each_moving(self._next_ahead())
                continue
            self._reach_all(block, reached)
            if not self._lateness:
                yield from self._giving(block.in_order())
            else:
                last = reached[-1] - self._lateness
                over = bisect_right(waiting.ticks, last)
                self._columns = waiting[over:]
                if over:
                    yield from self._giving(waiting[:over])
                if last > self._open_from:
                    self._open_from = last
                    yield Watermark(last - 1)
        self.is_ending = True
        if self._columns is not None and not super().__len__():
            columns, self._columns = self._columns, None
            yield from self._giving(columns)
        yield from self.up_to(None)

    def _giving(self, columns: RecordColumns) -> Iterator[RecordColumns]:
        """Records in columns, which wait until what follows is asked for, but for those that are `taken`."""
        self._given_columns, self._taken = columns, 0
        yield columns
        self._given_columns = None

    def each(self, items: "Iterable[Record | Watermark | RecordColumns]") -> Iterator[Record | Watermark]:
        """What `moving_columns` gives, of columns each record."""
        for item in items:
            if not isinstance(item, RecordColumns):
                yield item
            else:
                self._spread()
                yield from self.up_to(item.ticks[-1] if self.waits else 0)

    def taken(self, number: int) -> None:
        """So many of the records that were given last in columns do not wait any more."""
        self._taken += number

    def _each_moving(self, records: Iterable[Record]) -> Iterator[Record | Watermark]:
        if self._lateness:
            yield from self._in_order(records)
            return
        yield from self._passed(records)

    def _next_ahead(self) -> Iterator[Record]:
        """The records that are still to arrive."""
        while self._ahead:
            yield self._ahead.popleft()

    def _passed(self, records: Iterable[Record]) -> Iterator[Record]:
        """Records that wait for nothing."""
        for record in records:
            if record.tick != self._latest:
                self._reach(record.tick, record.origin)
            self._passing = record
            yield record
            self._passing = None

    def _reached_by(self, columns: RecordColumns) -> list[int] | None:
        """The ticks that the input has reached before records, and by each.

        None where one of them is late or far ahead.
        """
        ticks, lateness = columns.ticks, self._lateness
        latest = ticks[0] if self._latest is None else self._latest
        if lateness:
            reached = [*accumulate(ticks, max, initial=latest)]
            if any(map(lt, ticks, map(sub, reached[1:], repeat(lateness)))):
                return None
        elif ticks[0] < latest or not columns.is_in_order:
            return None
        else:
            reached = [latest, *ticks]
        if self._largest_gap is not None and max(map(sub, reached[1:], reached)) > self._largest_gap:
            return None
        return reached

    def _reach_all(self, columns: RecordColumns, reached: Sequence[int]) -> None:
        """The input has reached the ticks of records."""
        if self._words.has_leaps(map(sub, reached[1:], reached)):
            for place, (before, tick) in enumerate(pairwise(reached)):
                if tick > before + 1:
                    self._words.leapt(before, tick, columns.origin(place))
        self._latest = reached[-1]

    def _with_waiting(self, columns: RecordColumns) -> RecordColumns | None:
        """Records with those that wait, in the order of ticks; None where these are not in columns."""
        before = self._columns
        if self._ticks:
            before = RecordColumns.of([record for _, record in self._in_turn()], columns)
            if before is None:
                return None
            self._ticks.clear()
            self._waiting.clear()
            self._given = 0
        found = columns if before is None else RecordColumns.together([before, columns])
        return None if found is None else found.in_order()

    def _spread(self) -> None:
        """What waits in columns waits record by record."""
        if self._given_columns is self._columns is None:
            return
        for record in self._in_columns():
            self.add(record.tick, record)
        self._given_columns = self._columns = None

    def _in_columns(self) -> list[Record]:
        """What waits in columns."""
        given = () if self._given_columns is None else self._given_columns[self._taken :]
        return [*given, *(self._columns or ())]

    def up_to(self, tick: int | None) -> Iterator[Record]:
        """See WaitingRecords."""
        self._spread()
        return super().up_to(tick)

    def left(self) -> Iterator[Record]:
        """See WaitingRecords."""
        if self._passing is not None:
            yield self._passing
        yield from self.up_to(None)

    def _in_order(self, records: Iterable[Record]) -> Iterator[Record | Watermark]:
        """Those that wait no longer, as more come."""
        waiting, lateness, is_one = self._waiting, self._lateness, self._reached is None
        latest = least = -1
        for record in records:
            tick = record.tick
            if least < tick <= latest:  # nothing is over by it
                here = waiting.get(tick)
                if here is not None:
                    here.append(record)
                else:
                    self.add(tick, record)
                continue
            self._take(record)
            yield from self._ready()
            if self._latest is not None and is_one:
                latest, least = self._latest, self._latest - lateness

    def moving_batches(self, batches: Iterable[Sequence[Record]]) -> Iterator[Record | Watermark]:
        """The same of records that come several at once; those of a batch all wait before one is given."""
        yield from self._ready()
        for batch in batches:
            for record in batch:
                if self._lateness:
                    self._take(record)
                else:
                    self._reach(record.tick, record.origin)
                    self.add(record.tick, record)
            yield from self._ready()
        self.is_ending = True
        yield from self.up_to(None)

    def moving_inputs(self, batches: Iterable[FromInput]) -> Iterator[Record | Watermark]:
        """The same of several inputs, each of which has its own watermark."""
        inputs = self.inputs
        assert inputs is not None
        yield from self._ready()
        for one, records, begins in batches:
            if records is None:
                inputs.leave_out(one)
            elif begins:
                inputs.begin(one)
            for record in records or ():
                self._take_from(one, record, inputs)
            self._latest = inputs.least
            yield from self._ready()
        self.is_ending = True
        yield from self.up_to(None)

    def _take_from(self, one: Hashable, record: Record, inputs: InputWatermarks) -> None:
        """A record of one of several inputs arrives."""
        self.on_arrival()
        tick = record.tick
        if tick < self._open_from:
            if not isinstance(record.events, TimeAlone):
                lateness = self._lateness - inputs.sooner(one)
                self.reject_late(record, self._words.late(record, self._open_from + lateness, lateness))
        else:
            latest = inputs.latest(one)
            if latest is not None and tick > latest + 1:
                self._words.leapt(latest, tick, record.origin)
            self.add(tick, record)
        inputs.reach(one, tick)

    def _take(self, record: Record) -> None:
        """A record arrives."""
        self.on_arrival()
        tick = record.tick
        if self._latest is not None and tick < self._latest - self._lateness:
            if isinstance(record.events, TimeAlone):
                return
            self.reject_late(record, self._words.late(record, self._latest, self._lateness))
            return
        if self._largest_gap is not None:
            try:
                check_gap(tick, self._latest, self._largest_gap)
            except InputError as error:
                if not isinstance(record.events, TimeAlone):
                    self._on_reject(refusal_of(record, str(error)))
                return
        self._reach(tick, record.origin)
        self.add(tick, record)

    def _reach(self, tick: int, origin: Origin | None) -> None:
        """The input has reached a tick, by a record from somewhere."""
        latest = self._latest
        if self._reached is not None:
            self._latest = max(self._reached(), latest or 0)
        elif latest is None or tick > latest:
            if latest is not None and tick > latest + 1:
                self._words.leapt(latest, tick, origin)
            self._latest = tick

    def _ready(self) -> Iterator[Record | Watermark]:
        """The records that wait no longer, and the watermark if it has moved."""
        if self._latest is None:
            return
        if not self.waits:
            yield from self.up_to(0)
            return
        last = self._latest - self._lateness
        yield from self.up_to(last)
        if last > self._open_from:
            self._open_from = last
            yield Watermark(last - 1)

    def state(self, write: WriteRows) -> dict[str, Any]:
        """The records that wait, as JSON has them but for rows, which are written so."""
        state = super().state(write)
        in_columns = [[+one.tick, *record_state(one, write)] for one in self._in_columns()]
        if in_columns:
            state["waiting"] = sorted([*state["waiting"], *in_columns], key=itemgetter(0))
        if self._passing is not None:
            state["waiting"].append([0, *record_state(self._passing, write)])
        if self._ahead:
            state["ahead"] = [record_state(record, write) for record in self._ahead]
        inputs = {} if self.inputs is None else {"inputs": self.inputs.state(), "open_from": self._open_from}
        return state | {"latest": self._latest and +self._latest} | inputs

    def restore(self, state: Mapping[str, Any], read: ReadRows) -> None:
        """Takes over a state, which may be of another lateness."""
        super().restore(state, read)
        self._latest = state["latest"]
        self._ahead.extend(restored_record(record, read) for record in state.get("ahead", ()))
        if self.inputs is not None:
            self.inputs.restore(state.get("inputs", ()))
            self._open_from = state.get("open_from", 0)
