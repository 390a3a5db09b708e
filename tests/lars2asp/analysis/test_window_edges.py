"""Edges of windows whose ticks follow one another: when a number of ticks between them crosses another."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lars2asp.analysis.clock_blocks import ClockBlocks
from lars2asp.analysis.window_edges import ClockEdges, DelayedEdges, Edges, LeapingEdges, SlidingEdges
from lars2asp.syntax.nodes import Clock

FAR = 120
"""After so many ticks whatever edges and slopes of these sizes cross has crossed."""

LEAPING = {
    "start": st.integers(0, 12),
    "step": st.integers(1, 7),
    "phase": st.integers(0, 6),
    "size": st.integers(0, 15),
}
EDGES = st.one_of(
    st.builds(LeapingEdges, **LEAPING, has_now=st.booleans()),
    st.builds(DelayedEdges, st.builds(LeapingEdges, **LEAPING), st.integers(1, 9)),
    st.builds(
        lambda start, last, more: SlidingEdges(start, last, None if more is None else last + more),
        st.integers(0, 12),
        st.integers(0, 3),
        st.none() | st.integers(0, 9),
    ),
)
SLOPES = st.sampled_from([(0, 0), (1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1)])
"""By how much a number changes with the last tick, and by how much less with the first one."""


@given(EDGES, SLOPES, st.integers(0, 20), st.integers(-40, 40))
def test_a_crossing_is_the_first_tick_at_which_a_number_is_across(
    edges: Edges, slopes: tuple[int, int], later: int, number: int
) -> None:
    """It is none where it never is: who waits for one does not look at each tick of the years to come."""
    last_slope, first_slope = slopes
    timeline = edges.leaping if isinstance(edges, DelayedEdges) else edges
    now = timeline.start + later  # type: ignore[attr-defined]

    def value(tick: int) -> int:
        first, last = edges.at(tick)
        return number + last_slope * last - first_slope * first

    is_below = value(now) < 0
    found = next((t for t in range(now + 1, now + FAR) if (value(t) < 0) is not is_below), None)
    assert edges.crossing(now, value(now), last_slope, last_slope - first_slope) == found


def test_what_holds_on_has_no_crossing_ahead() -> None:
    """A row that has the ticks it needs, and holds on, keeps them, whichever tick the window leaves out."""
    leaping = LeapingEdges(start=0, step=60, phase=0, size=600)
    for edges in (leaping, leaping.before(), replace(leaping, start=100)):
        assert edges.crossing(700, 5, 1, 1) is None


CLOCK_EDGES = st.builds(
    lambda hours, unit, size, has_now: ClockEdges(
        0,
        ClockBlocks(1, unit, 0, Clock(hours * 3_600_000_000, 1_761_264_000_000_000, "Europe/Vienna")),
        1,
        size,
        has_now,
    ),
    st.sampled_from([1, 5, 6, 24]),
    st.sampled_from(["day", "week", "month"]),
    st.none() | st.integers(0, 30),
    st.booleans(),
)
"""From two days before the clocks of Vienna are put back."""


@given(CLOCK_EDGES, SLOPES, st.integers(0, 60), st.integers(-40, 40))
def test_a_crossing_by_the_clock_is_not_too_late(
    edges: ClockEdges, slopes: tuple[int, int], now: int, number: int
) -> None:
    """It is a tick at which the window moves, and if it is too early that is for long."""
    last_slope, first_slope = slopes

    def value(tick: int) -> int:
        first, last = edges.at(tick)
        return number + last_slope * last - first_slope * first

    is_below = value(now) < 0
    found = next((t for t in range(now + 1, now + FAR) if (value(t) < 0) is not is_below), None)
    crossing = edges.crossing(now, value(now), last_slope, last_slope - first_slope)
    if crossing is None or found is not None:
        assert crossing is found is None or (crossing is not None and found is not None and crossing <= found)
    if crossing is not None:
        assert edges.at(crossing) != edges.at(crossing - 1)


def test_days_that_have_the_ticks_that_are_needed_are_looked_for_far_ahead() -> None:
    """Days of Vienna have 23, 24 or 25 hours: after weeks without others they are looked for again."""
    day = ClockBlocks(1, "day", 0, Clock(3_600_000_000, 1_761_264_000_000_000, "Europe/Vienna"))  # 2025-10-24
    edges = ClockEdges(0, day, 1, None)
    assert edges.crossing(50, 24 - 25, 1, 0) == 22 + 24 + 24  # the 26th is over, of 25 hours
    assert edges.crossing(100, 24 - 24, 1, 0) == edges.crossing(800, 24 - 24, 1, 0)
    assert (edges.crossing(100, 24 - 24, 1, 0) or 0) > 24 * 30
    assert edges.crossing(100, 24 - 80, 1, 0) is None
