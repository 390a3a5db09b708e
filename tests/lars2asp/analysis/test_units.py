"""Units of time in windows, terms and directives: numbers with and without a unit, in ticks."""

import pytest

from lars2asp.analysis.number_forms import microseconds_of
from lars2asp.compiler import check, checked_program
from lars2asp.runtime.settings.values import duration
from lars2asp.syntax import nodes
from lars2asp.syntax.formatting.formatter import formatted
from lars2asp.syntax.printer import as_written, to_text
from lars2asp.syntax.source import Source
from lars2asp.syntax.time_units import NAMES, UNIT_NAMES
from lars2asp.syntax.traversal import every


def _in_ticks(window: str, tick: str = "#tick 1 min.") -> str:
    """A window as it is in ticks."""
    checked = checked_program(Source("x.lars", f"{tick} #const n = 2. a :- p in {window}."))
    [found] = every(nodes.Diamond, *checked.written.statements)
    return to_text(found.window)


@pytest.mark.parametrize(
    ("window", "ticks"),
    [
        ("[1..24 hour step 6 hour]", "[60..1440 step 360]"),
        ("[1 tick .. 24 hour step 6 hour]", "[1..1440 step 360]"),
        ("[1 ticks .. 24 hours step 360 ticks from 1 tick]", "[1..1440 step 360 from 1]"),
        ("[2..3 hour]", "[120..180]"),
        ("[1 hour .. 20]", "[60..1200]"),
        ("[n hour .. 20]", "[120..1200]"),
        ("[1 hour .. 20 step 1 hour]", "[60..1200 step 60]"),
        ("[1 hour .. 61 tick]", "[60..61]"),
        ("{2,3 hour}", "{120,180}"),
        ("{2,3 hour,4 min}", "{120,180,4}"),
        ("{n,3 hour}", "{120,180}"),
        ("{n+1,4 hour}", "{180,240}"),
        ("{n hour}", "{120}"),
        ("{n+1 hour,n hour}", "{180,120}"),
        ("{1..n hour}", "[60..120]"),
        ("{2*3 hour}", "{360}"),
        ("{2,n hour}", "{120,120}"),
        ("{1..2 hour}", "[60..120]"),
        ("{1 hour..2}", "[60..120]"),
        ("{0,3 hour}", "{0,180}"),
        ("{2 tick,3 hour}", "{2,180}"),
        ("{5 tick}", "{5}"),
        ("[5 tick]", "[5]"),
        ("[every 5 ticks]", "[every 5]"),
    ],
)
def test_bounds_and_offsets_take_units_from_each_other(window: str, ticks: str) -> None:
    assert _in_ticks(window) == ticks


def test_ticks_need_no_length() -> None:
    assert _in_ticks("[1 tick .. 20 tick]", "") == "[1..20]"
    assert _in_ticks("{1 tick,4 tick}", "") == "{1,4}"
    text = "a(X) :- p(X), X > 3 tick. #lateness 5 tick. #held p(_) for 3 ticks. #input p(x) at ts."
    assert not [*check(Source("x.lars", text))]


@pytest.mark.parametrize(
    ("window", "number", "unit"),
    [
        ("{2,3 hour}", "2", "hour"),
        ("{1,2,3 hour}", "1", "hour"),
        ("[1 hour .. 20]", "20", "hour"),
        ("[1 hour .. 20 step 1 hour]", "20", "hour"),
    ],
)
def test_numbers_that_take_a_unit_are_warned_about(window: str, number: str, unit: str) -> None:
    first, *_ = check(Source("x.lars", f"#tick 1 min. a :- p in {window}."))
    assert first.message == f"{number} takes the unit of the other number: it is {number} {unit}"
    assert first.hint == f"write {number} {unit}, or {number} tick"


@pytest.mark.parametrize("window", ["{2,3 min}", "[1 min .. 20]", "[2..3 hour]", "[2..9 hour step 6 hour]"])
def test_no_warning_where_nothing_else_can_be_meant(window: str) -> None:
    assert not check(Source("x.lars", f"#tick 1 min. a :- p in {window}."))


def test_the_newest_hour_that_is_left_out_is_warned_about() -> None:
    text = "#tick {}. a :- p in [1..24 hour step 6 hour]."
    [found] = check(Source("x.lars", text.format("1 min")))
    assert found.message == "1 is 1 hour here, so the window leaves out the newest hour"
    assert found.hint.startswith("write [1 tick .. 24 hour step 6 hour] to include it")
    assert not check(Source("x.lars", text.format("1 hour")))


def test_explanations_have_the_units_that_are_taken() -> None:
    text = "#tick 1 min. a :- p in [1 hour .. 20], p in [2..3 hour]."
    windows = every(nodes.LaggedWindow, *checked_program(Source("x.lars", text)).written.statements)
    said = [[to_text(as_written(one)) for one in (window.nearest, window.furthest)] for window in windows]
    assert said == [["1 hour", "20 hour"], ["2 hour", "3 hour"]]


@pytest.mark.parametrize("spelling", NAMES)
def test_units_can_be_written_out_and_format_writes_the_short_one(spelling: str) -> None:
    tick = "msec" if spelling in UNIT_NAMES else "sec"

    def program(unit: str) -> Source:
        return Source("x.lars", f'#tick 1 {tick}. #timezone "UTC". a :- p in [every 2 {unit}].')

    assert checked_program(program(spelling)).written == checked_program(program(NAMES[spelling])).written
    short = spelling if len(spelling) < len(NAMES[spelling]) else NAMES[spelling]
    assert f"[every 2 {short}]" in formatted(program(spelling))


@pytest.mark.parametrize("spelling", UNIT_NAMES)
def test_options_and_data_know_the_same_units(spelling: str) -> None:
    name = UNIT_NAMES[spelling]
    assert duration(f"3 {spelling}") == duration(f"3 {name}")
    assert microseconds_of(f"3 {spelling}") == microseconds_of(f"3 {name}")
    column = f'#tick 1 msec. #input p(duration(d "{spelling}")) at ts. a(X) :- p(X).'
    assert not check(Source("x.lars", column))


def test_options_count_in_ticks() -> None:
    assert duration("5 ticks") == duration("5 tick") == (5, None)
