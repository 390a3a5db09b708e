"""Records with times that cannot be right, held to a definition that looks at all of them again and again."""

import json
from collections.abc import Callable, Iterable, Sequence
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lars2asp.analysis.tick_moments import TickMoments
from lars2asp.runtime.sources.input_clock import InputClock, MachineTime
from lars2asp.runtime.sources.record_columns import FactColumn, RecordColumns
from lars2asp.runtime.sources.records import Origin, Record, Rejected
from lars2asp.syntax.nodes import Signature
from tests.support.records import events

LATENESS, GAP, YEAR = 2, 10, 500
NEVER_SET = range(3)
"""The ticks of clocks that were never set."""

P = Signature("p", 1)

Told = tuple[list[int], list[int]]
"""The places of records that are given, and of those that are rejected, in order of this."""


def naive(ticks: Sequence[int], gap: int | None = GAP) -> Told:
    """What becomes of records of one input, by the definition."""
    given: list[int] = []
    rejected: list[int] = []
    waiting: list[int] = []
    unset: list[int] = []
    latest: int | None = None
    rest = [place for place in range(len(ticks)) if ticks[place] not in NEVER_SET]
    while gap is not None and rest:
        following = rest[1:4]
        if len(following) < 3 or any(ticks[rest[0]] - ticks[place] <= LATENESS + gap for place in following):
            break
        rejected.append(rest.pop(0))

    def accept(place: int) -> None:
        nonlocal latest
        for one in [one for one in unset if one < place]:
            unset.remove(one)
            if ticks[place] - ticks[one] > YEAR:
                rejected.append(one)
            else:
                given.append(one)
                latest = max(ticks[one], latest or 0)
        given.append(place)
        latest = max(ticks[place], latest or 0)

    def is_far(place: int) -> bool:
        return gap is not None and latest is not None and ticks[place] - latest > LATENESS + gap

    def counts(place: int, now: int) -> tuple[int, int]:
        later = [one for one in rest if place < one <= now]
        against = sum(ticks[one] < ticks[place] - LATENESS for one in later)
        return len(later) - against, against

    for now in range(len(ticks)):
        if ticks[now] in NEVER_SET:
            unset.append(now)
            continue
        if now not in rest:
            continue
        for one in [*waiting]:
            if counts(one, now)[1] == 3:
                waiting.remove(one)
                rejected.append(one)
        if is_far(now):
            waiting.append(now)
        sure = [one for one in waiting if counts(one, now)[0] >= 3]
        while sure:
            waiting.remove(sure[0])
            accept(sure[0])
            sure = [one for one in waiting if not is_far(one)] or [
                one for one in waiting if counts(one, now)[0] >= 3
            ]
        if now not in waiting and now not in given:
            accept(now)
    while waiting:
        one = waiting.pop(0)
        confirmed, against = counts(one, len(ticks))
        if not is_far(one) or confirmed > against or confirmed == against == 0:
            accept(one)
        else:
            rejected.append(one)
    return [*given, *unset], rejected


def clock(rejected: list[int], gap: int | None = GAP) -> InputClock:
    def reject(one: Rejected) -> None:
        rejected.append(one.origin.line)

    return InputClock(
        LATENESS, lambda: gap, reject, str, NEVER_SET.__contains__, lambda: NEVER_SET.stop, YEAR
    )


def records(ticks: Sequence[int]) -> list[Record]:
    return [Record(tick, events([f"p({n})"]), Origin("in", n)) for n, tick in enumerate(ticks)]


def columns(ticks: Sequence[int], first: int) -> RecordColumns:
    numbers = range(first, first + len(ticks))
    return RecordColumns(
        [*ticks], [FactColumn(P, [(n,) for n in numbers])], [Origin("in", n) for n in numbers]
    )


def places(some: Sequence[Record]) -> list[int]:
    return [record.origin.line for record in some if record.origin is not None]


def judged(one: InputClock, blocks: Iterable[Sequence[Record]]) -> list[int]:
    return [place for block in blocks for some in one.judged(block) for place in places(some)]


def in_order(told: Told) -> Told:
    return told[0], sorted(told[1])


def walk(seed: int) -> list[int]:
    """Ticks that go on, with pauses, leaps, clocks that were never set, and late ones."""
    choose, now, found = Random(seed), 700, list[int]()
    for _ in range(choose.randint(0, 16)):
        match choose.randint(0, 9):
            case 0:
                now += choose.randint(8, 40)
            case 1:
                found.append(now + choose.randint(8, 40))
                continue
            case 2:
                found.append(choose.choice([1, 2, 30, 690]))
                continue
        now += choose.randint(0, 3)
        found.append(max(3, now - choose.randint(0, 4)))
    return found


TICKS = st.one_of(
    st.integers(0, 2**32).map(walk),
    st.lists(st.one_of(st.integers(0, 5), st.integers(3, 60), st.integers(590, 640)), max_size=12),
)


@given(TICKS, st.sampled_from([GAP, None]))
def test_records_are_judged_as_the_definition_says(ticks: list[int], gap: int | None) -> None:
    rejected: list[int] = []
    one = clock(rejected, gap)
    found = judged(one, [[record] for record in records(ticks)])
    found += places(one.finish())
    assert in_order((found, rejected)) == in_order(naive(ticks, gap))


@given(TICKS, st.lists(st.integers(1, 6), min_size=20, max_size=20))
def test_columns_are_judged_as_rows(ticks: list[int], sizes: list[int]) -> None:
    rejected: list[int] = []
    one = clock(rejected)
    blocks, first = list[RecordColumns](), 0
    for size in sizes:
        if ticks[first : first + size]:
            blocks.append(columns(ticks[first : first + size], first))
        first += size
    found = judged(one, blocks)
    found += places(one.finish())
    assert in_order((found, rejected)) == in_order(naive(ticks))


@given(TICKS, st.integers(0, 12))
def test_a_state_has_the_records_that_wait(ticks: list[int], kept: int) -> None:
    rejected: list[int] = []
    one, told = clock(rejected), records(ticks)
    found = judged(one, [told[:kept]])
    state = json.loads(json.dumps(one.state()))
    one = clock(rejected)
    assert one.restore(state) == []
    found += judged(one, [told[kept:]])
    found += places(one.finish())
    assert in_order((found, rejected)) == in_order(naive(ticks))


AHEAD, A_DAY = 4, 86_400
"""In ticks, which are seconds."""

Come = tuple[int, int]
"""The tick of a record, and the clock of the machine when it came."""


def naive_live(come: Sequence[Come], gap: int | None, ahead: int | None, *, judges: bool) -> Told:
    """What becomes of records of live input, by the definition."""
    given: list[int] = []
    rejected: list[int] = []
    waiting: list[int] = []
    rest: list[int] = []
    """Records that were not of clocks that were never set."""
    unset: list[int] = []
    latest: int | None = None

    def accept(place: int) -> None:
        nonlocal latest
        for one in [one for one in unset if one < place]:
            unset.remove(one)
            if come[place][0] - come[one][0] > YEAR:
                rejected.append(one)
            else:
                given.append(one)
                latest = max(come[one][0], latest or 0)
        given.append(place)
        latest = max(come[place][0], latest or 0)

    def is_ahead(place: int) -> bool:
        first, clock = come[rest[0]]
        tick, now = come[place]
        return judges and abs(first - clock) <= A_DAY and ahead is not None and tick > now + ahead

    def is_far(place: int) -> bool:
        is_behind_gap = gap is not None and latest is not None and come[place][0] - latest > LATENESS + gap
        return is_ahead(place) or is_behind_gap

    def counts(place: int) -> tuple[int, int]:
        later = [come[one][0] for one in rest if one > place]
        against = sum(tick < come[place][0] - LATENESS for tick in later)
        return len(later) - against, against

    for place, (tick, now) in enumerate(come):
        if tick in NEVER_SET:
            unset.append(place)
            continue
        rest.append(place)
        for one in [*waiting]:
            if counts(one)[1] == 3:
                waiting.remove(one)
                rejected.append(one)
        is_near = ahead is not None and abs(tick - now) <= ahead
        if is_ahead(place) or (is_far(place) and not is_near):
            waiting.append(place)
        while sure := [one for one in waiting if counts(one)[0] >= 3]:
            while sure:
                waiting.remove(sure[0])
                accept(sure[0])
                sure = [one for one in waiting if not is_far(one)]
        if place not in waiting and place not in given:
            accept(place)
    while waiting:
        one = waiting.pop(0)
        confirmed, against = counts(one)
        if not is_far(one) or confirmed > against or confirmed == against == 0:
            accept(one)
        else:
            rejected.append(one)
    return [*given, *unset], rejected


def live_clock(
    rejected: list[int], now: Callable[[], int], gap: int | None, ahead: int | None, *, judges: bool
) -> InputClock:
    one = clock(rejected, gap)
    machine = MachineTime(
        lambda: now() * 1_000_000,
        TickMoments(1_000_000),
        None if ahead is None else ahead * 1_000_000,
        judges,
    )
    one.machine, one.is_live = lambda: machine, True
    return one


@st.composite
def comes(draw: st.DrawFn) -> list[Come]:
    """Records whose clocks go with that of the machine, or are ahead, or of another day."""
    now, found = draw(st.sampled_from([600, 700, 200_000])), []
    for _ in range(draw(st.integers(0, 12))):
        now += draw(st.sampled_from([0, 0, 1, 2, 3, 30]))
        ahead = draw(st.sampled_from([0, 0, 0, -1, -3, 3, 4, 5, 20, 21, 90_000, -90_000]))
        found.append((max(3, now + ahead), now))
        if draw(st.integers(0, 9)) == 0:
            found.append((draw(st.sampled_from(NEVER_SET)), now))
    return found


@given(
    comes(),
    st.sampled_from([GAP, None]),
    st.sampled_from([AHEAD, None]),
    st.booleans(),
    st.integers(0, 12),
)
@example([(605, 600), (600, 600), (601, 601), (602, 602)], None, AHEAD, True, 2)
@example([(604, 600), (600, 600), (601, 601), (602, 602)], None, AHEAD, True, 2)
def test_live_records_are_judged_as_the_definition_says(
    come: list[Come], gap: int | None, ahead: int | None, judges: bool, kept: int
) -> None:
    rejected: list[int] = []
    arrived = [0]
    one = live_clock(rejected, lambda: arrived[0], gap, ahead, judges=judges)
    found = list[int]()
    for number, record in enumerate(records([tick for tick, _ in come])):
        if number == kept:
            state = json.loads(json.dumps(one.state()))
            one = live_clock(rejected, lambda: arrived[0], gap, ahead, judges=judges)
            assert one.restore(state) == []
        arrived[0] = come[number][1]
        found += judged(one, [[record]])
    found += places(one.finish())
    assert in_order((found, rejected)) == in_order(naive_live(come, gap, ahead, judges=judges))


@pytest.mark.parametrize(
    ("ticks", "found", "rejected"),
    [
        ([100, 200, 101, 102, 103, 104], [0, 2, 3, 4, 5], [1]),
        ([100, 200, 201, 202, 203, 204], [0, 1, 2, 3, 4, 5], []),
        ([100, 200], [0, 1], []),
        ([100, 200, 101], [0, 2], [1]),
        ([100, 200, 201], [0, 1, 2], []),
        ([900, 100, 101, 102, 103], [1, 2, 3, 4], [0]),
        ([100, 90, 80, 70], [0, 1, 2, 3], []),
        ([1, 700, 701], [1, 2], [0]),
        ([1, 2, 1], [0, 1, 2], []),
        ([700, 1, 701], [0, 2], [1]),
        ([1, 100, 101], [0, 1, 2], []),
    ],
)
def test_examples(ticks: list[int], found: list[int], rejected: list[int]) -> None:
    assert naive(ticks) == (found, rejected)


def test_a_block_without_a_leap_stays_as_it_is() -> None:
    one = clock([])
    blocks = [
        columns([100, 103, 101, 104], 0),
        columns([105, 105, 112], 4),
        columns([*range(113, 400, 9)], 7),
    ]
    assert [some for block in blocks for some in one.judged(block)] == blocks
