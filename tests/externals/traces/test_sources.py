"""Sources of the input, held to when their facts hold."""

import os
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.operators import Batch, Segment
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.traces.sources import Both, CurrentFacts, LastingFacts, Source
from lars2asp.externals.traces.told import BEGINS, ENDS, ROW_BEGINS, ROW_ENDS
from lars2asp.externals.traces.trace import Trace

EXAMPLES = int(os.environ.get("LARS2ASP_EXAMPLES", "60"))
LAST = 24

facts = st.lists(
    st.tuples(st.integers(0, 2), st.tuples(st.integers(0, 1), st.integers(0, 2)), st.integers(1, 6)),
    max_size=12,
)
"""The ticks since the fact before, the fact, and at how many ticks it holds."""
frontiers = st.sets(st.integers(1, LAST), max_size=5).map(lambda some: [*sorted(some), LAST + 10])


def told(steps: list[tuple[int, Row, int]]) -> list[tuple[int, Row, int]]:
    """The ticks of facts, these, and the ticks behind their last ones."""
    tick, found = 0, []
    for gap, row, size in steps:
        tick += gap
        found.append((tick, row, tick + size))
    return found


def ticks_of(some: list[tuple[int, Row, int]]) -> list[int]:
    """The ticks at which there are facts."""
    return sorted({tick for tick, _, _ in some})


def over(source: Source, batch: Batch, ends: list[int]) -> list[Segment]:
    """What a source hands on."""
    found: list[Segment] = []
    for before, end in pairwise([0, *ends]):
        source.inputs[0] += [one for one in batch if before <= one[0] < end]
        found += [segment for _, out in source.advance(end) for segment in out]
    return found


def at_ticks(found: list[Segment]) -> list[set[Row]]:
    """The rows at each tick."""
    by_tick = {tick: (ended, began) for tick, ended, began in found}
    assert len(by_tick) == len(found)
    here, seen = set[Row](), []
    for tick in range(LAST + 10):
        ended, began = by_tick.get(tick, ((), ()))
        assert here.issuperset(ended) and here.isdisjoint(began)
        here = (here - {*ended}) | {*began}
        seen.append(here)
    return seen


events = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.integers(0, 2),
        st.sampled_from([1, 1, 2, 5, BEGINS, ENDS, ROW_BEGINS, ROW_ENDS]),
    ),
    max_size=16,
)
"""The ticks since the event before, a row, and what is told of it: at how many ticks it holds, or another."""


@settings(max_examples=EXAMPLES, deadline=None)
@given(events, frontiers, st.booleans(), st.integers(-1, LAST))
def test_facts_that_hold_for_a_while(
    steps: list[tuple[int, int, int]], ends: list[int], has_more: bool, now: int
) -> None:
    """Rows and arrivals, of a source that may go on from the state of another one."""
    always = [(0,)] if has_more else []
    tick, some = 0, list[tuple[int, Row, int]]()
    for gap, number, what in steps:
        tick += gap
        some.append((tick, (number,), tick + what if what <= LAST else what))
    batch: Batch = [(at, [(row, end) for one, row, end in some if one == at]) for at in ticks_of(some)]
    source, again = LastingFacts(always, 0), LastingFacts(always, 0)
    arrived: list[Any] = []

    def take(one: LastingFacts, until: list[int]) -> None:
        one.arrivals.append((Both(), 0))
        for readers, out in (each for end in until for each in advanced(one, end)):
            if readers is one.arrivals:
                arrived.extend(out)
            elif readers is one.readers:
                found.extend(out)

    def advanced(one: LastingFacts, end: int) -> Any:
        one.inputs[0] += [each for each in batch if each[0] < end]
        batch[:] = [each for each in batch if each[0] >= end]
        return one.advance(end)

    found: list[Segment] = []
    take(source, [*(end for end in ends if end <= now), now + 1])
    again.go_on(source.opened)
    again.restore({row: [max(now, 0), source.end_of(row)] for row in (source.now if now >= 0 else ())}, now)
    if now >= 0:
        take(again, [end for end in ends if end > now + 1])
    else:
        take(source, ends)
    seen = at_ticks(found)
    opened, until = set[Row](), dict[Row, int]()
    came, over = dict[Row, tuple[int, int]](), list[tuple[Row, int, int]]()
    for at in range(LAST + 10):
        begun, told_here = set[Row](), dict[Row, int]()
        arriving = dict[Row, None]()
        for row, end in ((row, end) for one, row, end in some if one == at):
            if end in (BEGINS, ROW_BEGINS):
                if row not in opened and end == BEGINS:
                    arriving[row] = None
                begun |= {row} - opened
                opened.add(row)
            elif end in (ENDS, ROW_ENDS):
                opened.discard(row)
                if row in begun and row not in told_here:
                    arriving.pop(row, None)
                begun.discard(row)
            else:
                arriving[row] = None
                told_here[row] = max(end, told_here.get(row, 0))
        for row, end in told_here.items():
            until[row] = max(end, until.get(row, 0))
        assert seen[at] == {*always, *opened, *(row for row, end in until.items() if at < end)}, at
        for row in [row for row in came if row not in opened or row in begun]:
            begin, end = came.pop(row)
            over.append((row, begin, max(end, at)))
        for row in arriving:
            if row in begun:
                came[row] = at, told_here.get(row, 0)
            else:
                over.append((row, at, told_here[row]))
    assert sorted(over + [(row, at, FOR_EVER) for row, (at, _) in came.items()]) == _arrivals(arrived)


def _arrivals(segments: list[Any]) -> list[tuple[Row, int, int]]:
    """The rows, begins and ends that arrivals are told of."""
    found, opened = list[tuple[Row, int, int]](), dict[Row, int]()
    for tick, gone, came in segments:
        found += [(row, opened.pop(row), end) for row, end in gone if row in opened]
        for row, end in came:
            if end == FOR_EVER:
                opened[row] = tick
            else:
                found.append((row, tick, end))
    return sorted(found + [(row, tick, FOR_EVER) for row, tick in opened.items()])


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(st.tuples(st.integers(0, LAST), st.integers(0, 2), st.booleans()), max_size=16), frontiers)
def test_rows_with_two_sources(steps: list[tuple[int, int, bool]], ends: list[int]) -> None:
    """A row holds while one of them has it."""
    both, batches = Both(), list[Batch]([[], []])
    has = list[set[Row]]([set(), set()])
    held = dict[int, set[Row]]()
    for tick in range(LAST + 10):
        for place in (0, 1):
            turned = {(number,) for at, number, is_second in steps if at == tick and is_second is bool(place)}
            if turned:
                batches[place].append((tick, [*(turned & has[place])], [*(turned - has[place])]))
                has[place] ^= turned
        held[tick] = has[0] | has[1]
    found: list[Segment] = []
    for before, end in pairwise([0, *ends]):
        for place, batch in enumerate(batches):
            both.inputs[place] += [one for one in batch if before <= one[0] < end]
        found += [segment for _, out in both.advance(end) for segment in out]
    assert at_ticks(found) == [held[tick] for tick in range(LAST + 10)]


@settings(max_examples=EXAMPLES, deadline=None)
@given(facts, frontiers, st.booleans())
def test_facts_that_are_held(steps: list[tuple[int, Row, int]], ends: list[int], has_more: bool) -> None:
    always = [(0, 0)] if has_more else []
    some = told(steps)
    batch: Batch = [(tick, [(row, end) for at, row, end in some if at == tick]) for tick in ticks_of(some)]
    seen = at_ticks(over(CurrentFacts(HeldBy((0,), None), always, 0), batch, ends))
    for tick, here in enumerate(seen):
        last = {row[0]: (row, end) for at, row, end in some if at <= tick}
        assert here == {*always, *(row for row, end in last.values() if tick < end)}


@settings(max_examples=EXAMPLES, deadline=None)
@given(facts, st.integers(0, LAST), st.integers(0, 8))
def test_a_trace_keeps_what_windows_reach(steps: list[tuple[int, Row, int]], now: int, reach: int) -> None:
    some = told(steps)
    batch: Batch = [(tick, [(row, end) for at, row, end in some if at == tick]) for tick in ticks_of(some)]
    source, trace = LastingFacts((), 0), Trace(reach)
    trace.inputs[0] += over(source, [one for one in batch if one[0] <= now], [now + 1])
    trace.advance(now + 1)
    again = Trace(reach)
    again.restore(trace.held(now, source.end_of), now)
    for held in (trace.held(now, source.end_of), again.held(now, source.end_of)):
        ticks = {
            (tick, row)
            for row, runs in held.items()
            for begin, end in zip(runs[::2], runs[1::2], strict=True)
            for tick in range(begin, end)
            if now - reach < tick <= now
        }
        assert ticks == {
            (tick, row)
            for at, row, end in some
            for tick in range(at, end)
            if at <= now and now - reach < tick <= now
        }
