"""Blocks and steps below a day by the clock of a zone, held to a naive computation with zoneinfo."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.analysis.clock_blocks import PARTS_OF_DAYS, ClockBlocks
from lars2asp.analysis.windows import ClockHopping, ClockTumbling, Tumbling, span_window
from lars2asp.compiler import check, checked_program
from lars2asp.definition.windows import NaiveWindows
from lars2asp.syntax import nodes
from lars2asp.syntax.source import Source
from lars2asp.syntax.traversal import every

MINUTE, DAY = 60, 1440
CHANGES = {
    "Europe/Vienna": ["2026-03-29", "2026-10-25"],
    "Asia/Kolkata": ["2026-05-01"],
    "America/New_York": ["2026-03-08", "2026-11-01"],
    "Australia/Lord_Howe": ["2026-04-05", "2026-10-04"],
    "Africa/Casablanca": ["2026-02-15", "2026-03-22"],
    "Asia/Beirut": ["2022-03-27", "2022-10-30"],
    "America/Havana": ["2026-03-08", "2026-11-01"],
    "Antarctica/Troll": ["2026-03-29", "2026-10-25"],
    "Pacific/Apia": ["2011-12-30"],
    "America/St_Johns": ["2010-03-14", "2010-11-07"],
    "Asia/Kathmandu": ["2026-05-01"],
}
"""Zones, and days on which clocks are changed there."""


def _shown(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)


def _borders(zone: ZoneInfo, length: int, base: int, first: datetime, last: datetime) -> Iterator[datetime]:
    """The moments, minute by minute, at which blocks of so many minutes begin.

    A border is shown by the clock, for the first time or, up to an hour, each time; or left out by a skip
    just before. Nothing of this is as the product does it: it looks at each minute, and back for 26 hours.
    """
    minute, moment = timedelta(minutes=1), first
    while moment <= last:
        now, before = _shown(moment, zone), _shown(moment - minute, zone)
        passed = (before + minute * number for number in range(1, int((now - before) / minute) + 1))
        candidates = [now] if now <= before else list(passed)
        here = [one for one in candidates if (one.hour * 60 + one.minute - base) % length == 0]
        if length > 60 and here:
            earlier = {_shown(moment - minute * back, zone) for back in range(1, 26 * 60)}
            here = [one for one in here if one not in earlier]
        if here:
            yield moment
        moment += minute


LENGTHS = [number for number in range(1, DAY) if DAY % number == 0]


@st.composite
def _blocks(draw: st.DrawFn) -> tuple[str, str, int, int]:
    zone = draw(st.sampled_from(sorted(CHANGES)))
    length = draw(
        st.sampled_from([5, 10, 15, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720]) | st.sampled_from(LENGTHS)
    )
    return zone, draw(st.sampled_from(CHANGES[zone])), length, draw(st.sampled_from([0, 0, 30, 60, 150, 360]))


@given(_blocks())
def test_blocks_by_the_clock_begin_where_a_naive_computation_says(given: tuple[str, str, int, int]) -> None:
    name, day, length, base = given
    zone = ZoneInfo(name)
    around = datetime.fromisoformat(day).replace(tzinfo=UTC)
    first, last = around - timedelta(hours=30), around + timedelta(hours=50)
    begins = [int(one.timestamp()) // MINUTE for one in _borders(zone, length, base, first, last)]
    clock = nodes.Clock(MINUTE * 1_000_000, 0, name)
    blocks = ClockBlocks(length, "min", base % length * PARTS_OF_DAYS["min"], clock)
    naive = NaiveWindows(0, {}, lambda *_: set(), complete_windows=False)
    window = nodes.TumblingWindow(
        nodes.Duration(nodes.Number(length), "min", clock), nodes.Duration(nodes.Number(base))
    )
    for begin, end in pairwise(begins):
        assert blocks.around(begin) == blocks.around(end - 1) == (begin, end)
        assert end - begin <= blocks.most_ticks
        ticks = naive._ticks(window, end - 1)
        assert (ticks[0], ticks[-1]) == (begin, end - 1)
    spans = [two - one for one, two in zip(begins, begins[2:], strict=False)]
    assert all(one <= blocks.most_ticks_of_two for one in spans)


def _window(text: str, zone: str, tick: str = "1 min", more: str = "") -> object:
    source = Source("x.lars", f'#tick {tick}. #timezone "{zone}". {more} a :- p in {text}.')
    [found] = every(nodes.Diamond, *checked_program(source).written.statements)
    assert isinstance(found.window, nodes.DurationWindow)
    return span_window(found.window)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[every 8 hour from 6 hour]", ClockTumbling),
        ("[every 12 hour]", ClockTumbling),
        ("[every 90 min]", ClockTumbling),
        ("[every 7200 sec]", ClockTumbling),
        ("[1 tick .. 24 hour step 6 hour]", ClockHopping),
        ("[every 1 day]", ClockTumbling),
        ("[every 1 hour]", Tumbling),
        ("[every 15 min]", Tumbling),
        ("[every 480 tick]", Tumbling),
        ("[every 480]", Tumbling),
    ],
)
def test_hours_of_vienna_are_those_of_its_clock(text: str, kind: type) -> None:
    """The same as elapsed time are blocks of an hour or less if all offsets are multiples of them."""
    assert isinstance(_window(text, "Europe/Vienna"), kind)


def test_where_the_clock_never_differs_windows_stay_as_they_were() -> None:
    assert isinstance(_window("[every 8 hour]", "UTC"), Tumbling)
    assert isinstance(_window("[every 8 hour]", "UTC", more='#origin "2026-01-01T05:00Z".'), ClockTumbling)
    assert isinstance(_window("[every 30 min]", "Asia/Kolkata"), Tumbling)
    assert isinstance(_window("[every 1 hour]", "Asia/Kolkata"), ClockTumbling)


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        (
            "[every 5 hour]",
            "5 hour are elapsed time",
            "to follow the clock, use a part of a day such as 6 hour",
        ),
        ("[every 24 hour]", "24 hour are elapsed time", "to follow the clock, write 1 day"),
        ("[1 day step 48 hour]", "48 hour are elapsed time", "to follow the clock, write 2 day"),
        (
            "[every 300 min]",
            "300 min are elapsed time",
            "to follow the clock, use a part of a day such as 6 hour",
        ),
    ],
)
def test_hours_that_divide_no_day_are_warned_about(text: str, said: str, hint: str) -> None:
    found = check(Source("x.lars", f'#tick 1 min. #timezone "Europe/Vienna". a :- p in {text}.'))
    messages = {one.message: one.hint for one in found}
    full = f"{said} here, and do not follow the clock of Europe/Vienna"
    assert messages[full] == hint
    for zone in ('#timezone "UTC".', ""):
        again = check(Source("x.lars", f"#tick 1 min. {zone} a :- p in {text}."))
        assert "are elapsed time" not in "".join(one.message for one in again)


@pytest.mark.parametrize(
    "text", ["[every 7 min]", "[every 5 tick]", "[every 300]", "[every 12 hour]", "[5 hour]"]
)
def test_no_warning_for_blocks_that_are_right(text: str) -> None:
    assert not check(Source("x.lars", f'#tick 1 min. #timezone "Europe/Vienna". a :- p in {text}.'))


@pytest.mark.parametrize(
    ("zone", "tick", "text", "cure"),
    [
        ("Asia/Kolkata", "1 hour", "[every 8 hour]", "30 min"),
        ("Australia/Lord_Howe", "1 hour", "[every 1 hour]", "30 min"),
        ("Asia/Kathmandu", "30 min", "[every 1 hour]", "15 min"),
        ("Asia/Kolkata", "7 min", "[every 1 hour]", "1 min"),
        ("Europe/Vienna", "1 hour", "[every 90 min]", "30 min"),
        ("Europe/Vienna", "1 hour", "[every 8 hour from 30 min]", "30 min"),
        ("Asia/Kolkata", "1 hour", "[every 1 day]", "30 min"),
        ("Asia/Kolkata", "1 hour", "[1 hour step 1 month]", "30 min"),
    ],
)
def test_borders_within_a_tick_are_errors(zone: str, tick: str, text: str, cure: str) -> None:
    [found, *_] = check(Source("x.lars", f'#tick {tick}. #timezone "{zone}". a :- p in {text}.'))
    assert (found.message, found.hint) == (
        f"by the clock of {zone}, this window would begin within a tick",
        f"use a shorter tick, such as #tick {cure}.",
    )
