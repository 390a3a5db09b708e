"""Several live inputs: records wait for all of them, and those that are silent are left out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from lars2asp.externals.events import Events
from lars2asp.runtime.connectors.inbox import ArrivedLine
from lars2asp.runtime.runs.live_inputs import LiveInputs
from lars2asp.runtime.sources.facts.atoms import to_rows
from lars2asp.runtime.sources.input_watermarks import FromInput, InputWatermarks
from lars2asp.runtime.sources.live_reader import LiveReader, LiveReaders
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Line, Record, Rejected, refuse
from lars2asp.runtime.sources.reordering import Reordering, Watermark

SECOND = 1_000_000


def record(tick: int, number: int) -> Record:
    return Record(tick, Events(to_rows([("p", number)])))


def moved(order: Reordering, batches: Iterable[FromInput]) -> list[Record]:
    """The records as they are let go; none comes behind a watermark."""
    found: list[Record] = []
    over = -1
    for item in order.moving_inputs(batches):
        if isinstance(item, Watermark):
            over = item.tick
        else:
            assert item.tick > over
            found.append(item)
    return found


@given(
    data=st.data(),
    streams=st.lists(st.lists(st.integers(0, 20), max_size=10), min_size=1, max_size=3),
    lateness=st.integers(0, 3),
)
def test_inputs_that_lag_lose_nothing(data: st.DataObject, streams: list[list[int]], lateness: int) -> None:
    """However inputs come one after the other: what is in time in its own input is in time."""
    rejected: list[Rejected] = []
    waiting = [list(enumerate(stream)) for stream in streams]
    batches: list[FromInput] = []
    while any(waiting):
        one = data.draw(st.sampled_from([number for number, rest in enumerate(waiting) if rest]))
        number, tick = waiting[one].pop(0)
        batches.append(FromInput(one, [record(tick, 100 * one + number)]))
        if not waiting[one] and data.draw(st.booleans()):
            batches.append(FromInput(one, None))
    batches += [FromInput(one, None) for one, stream in enumerate(streams) if not stream]
    in_time = [
        record(tick, 100 * one + number)
        for one, stream in enumerate(streams)
        for number, tick in enumerate(stream)
        if tick >= max(stream[: number + 1]) - lateness
    ]
    order = Reordering(lateness, rejected.append, inputs=InputWatermarks(range(len(streams))))
    found = moved(order, batches)
    assert [one.tick for one in found] == sorted(one.tick for one in found)
    assert len(found) + len(rejected) == sum(map(len, streams))
    key = repr
    assert {key(one) for one in in_time} <= {key(one) for one in found}


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 20)), max_size=20),
    st.lists(st.integers(0, 6), min_size=3, max_size=3),
)
def test_each_input_has_its_own_lateness(come: list[tuple[int, int]], latenesses: list[int]) -> None:
    """Ticks are final before the least of the newest times of all inputs, each less its own lateness."""
    newest, late, in_time = dict[int, int](), list[str](), list[Record]()
    final = 0
    for number, (one, tick) in enumerate(come):
        if tick < final:
            late.append(f"p({number})")
        else:
            in_time.append(record(tick, number))
        newest[one] = max(tick, newest.get(one, 0))
        if len(newest) == len(latenesses):
            final = max(final, min(tick - latenesses[each] for each, tick in newest.items()))
    rejected: list[Rejected] = []
    inputs = LiveInputs(["a", "b", "c"], LiveReaders([]), _Clock(), latenesses=latenesses)
    order = Reordering(max(latenesses), rejected.append, inputs=inputs.watermarks())
    batches = [FromInput(one, [record(tick, number)]) for number, (one, tick) in enumerate(come)]
    assert moved(order, batches) == sorted(in_time, key=lambda one: one.tick)
    assert len(rejected) == len(late)


def test_nothing_is_over_while_an_input_has_said_nothing() -> None:
    order = Reordering(0, refuse, inputs=InputWatermarks([0, 1]))
    items = order.moving_inputs(iter([FromInput(0, [record(1, 1)]), FromInput(0, [record(5, 2)])]))
    assert [getattr(one, "tick", None) for one in items] == [1, 5]
    assert order.is_ending  # only then


def test_a_silent_input_is_left_out_until_it_speaks() -> None:
    rejected: list[Rejected] = []
    order = Reordering(0, rejected.append, inputs=InputWatermarks([0, 1]))
    seen: list[int] = []

    def batches() -> Iterable[FromInput]:
        yield FromInput(0, [record(1, 0)])
        yield FromInput(1, [record(1, 1)])
        yield FromInput(0, [record(8, 2)])
        assert seen == [1, 1]
        yield FromInput(1, None)
        assert seen == [1, 1, 8]
        yield FromInput(0, [record(9, 3)])
        yield FromInput(1, [record(3, 4)])
        assert [one.reason for one in rejected] == [
            "late: tick 3 arrived after 9; to accept all records so far, add --lateness 6"
        ]
        yield FromInput(0, [record(20, 5)])
        assert seen == [1, 1, 8, 9]
        yield FromInput(1, [record(15, 6)])
        assert seen == [1, 1, 8, 9, 15]

    for item in order.moving_inputs(batches()):
        if isinstance(item, Record):
            seen.append(item.tick)
    assert seen == [1, 1, 8, 9, 15, 20]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 12)), max_size=20), st.integers(0, 20))
def test_a_state_goes_on_where_it_was(arriving: list[tuple[int, int]], at: int) -> None:
    batches = [FromInput(one, [record(tick, n)]) for n, (one, tick) in enumerate(arriving)]
    rejected: list[Rejected] = []
    whole = moved(Reordering(1, rejected.append, inputs=InputWatermarks([0, 1])), batches)
    first = Reordering(1, rejected.append, inputs=InputWatermarks([0, 1]))
    found: list[Record] = []

    def before() -> Iterable[FromInput]:
        yield from batches[:at]
        raise InterruptedError

    try:
        for item in first.moving_inputs(before()):
            if isinstance(item, Record):
                found.append(item)
    except InterruptedError:
        pass
    second = Reordering(1, rejected.append, inputs=InputWatermarks([0, 1]))
    second.restore(first.state(list), list)
    assert found + moved(second, batches[at:]) == whole


@dataclass
class _Clock:
    now: int = 0

    def microseconds(self) -> int:
        return self.now


@dataclass
class _Arrivals:
    """Lines that arrive at times of a clock."""

    clock: _Clock
    waiting: list[ArrivedLine]
    taken: list[int | None] = field(default_factory=list)
    current: ArrivedLine | None = None

    def take(self, until: int | None) -> ArrivedLine | None:
        self.taken.append(until)
        if until is not None and self.waiting[0].at > until:
            self.clock.now = until
            return None
        arrived = self.waiting.pop(0)
        self.clock.now = max(self.clock.now, arrived.at)
        self.current = arrived
        return arrived

    def release(self) -> None:
        self.current = None


def brought(lines: Sequence[tuple[int, Line | None]], **options: object) -> list[tuple[object, bool]]:
    """Each input that brings something, and whether it is records."""
    clock = _Clock()
    readers = LiveReaders([LiveReader(Reading(), refuse) for _ in range(2)])
    inputs = LiveInputs(["a", "b"], readers, clock, **options)  # type: ignore[arg-type]
    arrivals = _Arrivals(clock, [ArrivedLine(at * SECOND, line) for at, line in lines])
    found = []
    for one, records, _ in inputs.over(arrivals):
        assert records is None or arrivals.current is None or arrivals.current.line is None
        found.append((one, records is not None))
    return found


def placed(source: str, number: int, one: int, end: str | None = "\n") -> Line:
    return line(source, number, one, end)._replace(
        text="" if not number else f'{{"time": {number}}}', position=0
    )


def test_parts_that_have_something_to_be_read_are_waited_for_beside_their_input() -> None:
    """Input 0 has the parts x and y; input 1 has none."""
    lines = [
        (0, placed("x", 0, 0)),
        (0, placed("y", 0, 0)),
        (0, placed("x", 5, 0)),  # y has said nothing yet
        (1, line("b", 9, 1)),
        (1, placed("y", 2, 0)),  # the least is that of y
        (2, placed("y", 0, 0, end=None)),  # y has nothing for now: x counts, as input 0 does
        (2, placed("x", 0, 0, end=None)),  # nor has x; input 0 is waited for all the same
        (3, placed("y", 7, 0)),
    ]
    clock = _Clock()
    readers = LiveReaders([LiveReader(Reading(), refuse) for _ in range(2)])
    inputs = LiveInputs(["a", "b"], readers, clock)
    watermarks, least = inputs.watermarks(), []
    arrivals = _Arrivals(clock, [ArrivedLine(at * SECOND, one) for at, one in [*lines, (9, None)]])
    for one, found, begins in inputs.over(arrivals):
        if found is None:
            watermarks.leave_out(one)
        elif begins:
            watermarks.begin(one)
        for record in found or ():
            watermarks.reach(one, record.tick)
        least.append(watermarks.least)
    assert least[: len(lines)] == [None, None, None, None, 2, 2, 5, 5]
    assert least[-2] == 7


def line(source: str, number: int, one: int, end: str | None = "\n") -> Line:
    return Line(source, number, f'{{"time": {number}, "facts": ["p"]}}' if end else "", end=end, input=one)


def test_who_says_nothing_for_too_long_is_silent() -> None:
    lines = [
        (0, line("a", 1, 0)),
        (0, line("b", 1, 1)),
        (30, line("a", 2, 0)),
        (80, line("a", 3, 0)),
        (90, None),
    ]
    assert brought(lines, idles=[60 * SECOND, 60 * SECOND]) == [
        (0, True),
        (1, True),
        (0, True),
        (1, False),
        (0, True),
        (0, True),
    ]
    assert (1, False) not in brought(lines)
    assert (1, False) not in brought(lines, idles=[60 * SECOND, None])


def test_an_input_that_has_ended_is_not_waited_for() -> None:
    lines = [(0, line("a", 1, 0)), (1, line("a", 0, 0, None)), (2, line("b", 1, 1)), (3, None)]
    assert brought(lines) == [(0, True), (0, True), (0, False), (1, True), (0, True)]


def test_connections_have_a_watermark_each() -> None:
    lines = [(0, line("c1", 1, 1)), (1, line("c2", 1, 1)), (2, line("c1", 1, 1, None)), (3, None)]
    c1, c2 = (1, "c1"), (1, "c2")
    found = brought(lines, of_connections=frozenset([1]))
    assert found == [(c1, True), (c2, True), (c1, True), (c1, False), (0, True)]
