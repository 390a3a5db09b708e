"""Sources of the input, held to when their facts hold."""

import os
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.externals.operators import Batch, Segment
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.traces.sources import CurrentFacts, LastingFacts, Source
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


@settings(max_examples=EXAMPLES, deadline=None)
@given(facts, facts, frontiers, st.booleans())
def test_facts_that_hold_for_a_while(
    lasting: list[tuple[int, Row, int]], points: list[tuple[int, Row, int]], ends: list[int], has_more: bool
) -> None:
    always = [(0, 0)] if has_more else []
    some = [*told(lasting), *((tick, row, tick + 1) for tick, row, _ in told(points))]
    ticks = sorted({tick for tick, _, _ in some})
    batch: Batch = [
        (
            tick,
            [(row, end) for at, row, end in told(lasting) if at == tick],
            [row for at, row, _ in told(points) if at == tick],
        )
        for tick in ticks
    ]
    seen = at_ticks(over(LastingFacts(always, 0), batch, ends))
    for tick, here in enumerate(seen):
        assert here == {*always, *(row for at, row, end in some if at <= tick < end)}


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
    batch: Batch = [
        (tick, [(row, end) for at, row, end in some if at == tick], ()) for tick in ticks_of(some)
    ]
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
