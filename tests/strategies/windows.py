"""Windows of each kind: as random programs have them, and in ticks, as the database is asked about them."""

from hypothesis import strategies as st

from lars2asp.analysis.clock_blocks import ClockBlocks
from lars2asp.analysis.windows import (
    ClockHopping,
    ClockTumbling,
    Hopping,
    Lagged,
    Sliding,
    SpanWindow,
    Tumbling,
    Unbounded,
)
from lars2asp.syntax.nodes import Clock
from tests.strategies.streams import DERIVED, INPUTS

SLIDING = st.integers(0, 4).map(lambda size: f"[{size}]")
_OFFSET = st.integers(0, 4).map(str)
_RANGE = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda pair: f"{pair[0]}..{sum(pair)}")
OFFSETS = st.lists(_OFFSET | _OFFSET | _RANGE, min_size=1, max_size=3).map(
    lambda each: f"{{{','.join(each)}}}"
)
_BASE = st.just("") | st.integers(0, 7).map(lambda base: f" from {base}")
LAGGED = _RANGE.map("[{}]".format)
HOPPING = st.builds("[{} step {}{}]".format, _OFFSET | _RANGE, st.integers(1, 4), _BASE)
TUMBLING = st.builds("[every {}{}]".format, st.integers(1, 4), _BASE)
TUPLES = st.integers(1, 4).map(lambda size: f"[{size} #]")
OF_PREDICATE = st.tuples(st.integers(1, 3), st.sampled_from(sorted((INPUTS | DERIVED).items()))).map(
    lambda pair: f"[{pair[0]} # {pair[1][0]}/{pair[1][1]}]"
)
OWN = "[{size} # {name}/{arity}]"
GROUPED = "[{size} # by {group}]"
SINCE = st.sampled_from(["[since {begun}]", "[after {begun}]"])
"""Windows that depend on the atom in front of them are templates."""

TICK_WINDOWS = SLIDING | OFFSETS | LAGGED
TIME_WINDOWS = SLIDING | LAGGED | OFFSETS | HOPPING | TUMBLING
TUPLE_WINDOWS = st.one_of(
    TUPLES, TUPLES, st.just(OWN), st.just(OWN), OF_PREDICATE, st.just(GROUPED), st.just(GROUPED)
)
SPAN_WINDOWS = TIME_WINDOWS | TIME_WINDOWS | TIME_WINDOWS | SINCE
ALL_WINDOWS = st.one_of(SLIDING, LAGGED, OFFSETS, HOPPING, TUMBLING, TUPLE_WINDOWS, SINCE)

_DAYS = ClockBlocks(1, "day", 0, Clock(5 * 3_600_000_000, 1_761_343_200_000_000, "Europe/Vienna"))
"""Days of 4 to 6 ticks: the second has 25 hours."""

_LORD_HOWE = Clock(1_800_000_000, 1_775_304_000_000_000, "Australia/Lord_Howe")
_HOURS, _PAIRS = ClockBlocks(1, "hour", 0, _LORD_HOWE), ClockBlocks(2, "hour", 0, _LORD_HOWE)
"""Blocks of 2 and 3 ticks, and of 4 and 5, as clocks are put back by half an hour at tick 6."""

SPANS: tuple[SpanWindow, ...] = (
    *(Sliding(0), Sliding(1), Sliding(3), Sliding(6)),
    *(Hopping(1, 5), Hopping(3, 2), Hopping(6, 4)),
    *(Hopping(4, 3, 1), Hopping(5, 4, 2, 1), Hopping(3, 5, 0, 2), Hopping(9, 2, 7)),
    *(Tumbling(1), Tumbling(3), Tumbling(5), Tumbling(4, 3)),
    *(Lagged(1, 1), Lagged(1, 3), Lagged(2, 6)),
    *(ClockTumbling(_DAYS), ClockHopping(3, _DAYS), ClockHopping(4, _DAYS, 2)),
    *(ClockTumbling(_HOURS), ClockTumbling(_PAIRS), ClockHopping(3, _HOURS), ClockHopping(4, _PAIRS, 1)),
    Unbounded(),
)
"""Windows of the ticks from a first to a last one, which are asked for all that a database answers."""
