"""What a program declares of time: the zone of timestamps, when tick 0 begins, whether windows are whole."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from lars2asp.compiler import Overrides, compile_program
from lars2asp.planning.plan import Plan
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from tests.support.programs import parse_text

VIENNA = '#timezone "Europe/Vienna". a :- b.'


def plan_of(text: str, overrides: Overrides | None = None) -> Plan:
    return compile_program(Source("x.lars", text), overrides=overrides)


def test_a_program_declares_its_zone() -> None:
    assert plan_of(VIENNA).zone == ZoneInfo("Europe/Vienna")
    assert plan_of("a :- b.").zone is None


def test_the_zone_can_be_given_from_outside() -> None:
    utc = Overrides(timezone="UTC")
    assert plan_of(VIENNA, utc).zone == ZoneInfo("UTC")
    assert plan_of("a :- b.", utc).zone == ZoneInfo("UTC")


def test_a_program_declares_its_origin() -> None:
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    assert plan_of('#origin "2026-01-01T00:00:00Z".').origin == begin
    assert plan_of('#origin "2026-01-01T01:00". #timezone "Europe/Vienna".').origin == begin
    assert plan_of("a :- b.").origin is None


def test_the_origin_can_be_given_from_outside() -> None:
    other = Overrides(origin="2026-01-02T00:00:00")
    declared = '#origin "2026-01-01T00:00:00Z".'
    assert plan_of(f"{declared} {VIENNA}", other).origin == datetime(2026, 1, 1, 23, tzinfo=UTC)


def test_a_program_demands_whole_windows() -> None:
    assert plan_of("#complete_windows.").complete_windows
    assert plan_of("#complete_windows.", Overrides(complete_windows=True)).complete_windows
    assert plan_of("a.", Overrides(complete_windows=True)).complete_windows
    assert not plan_of("a.").complete_windows


def test_declarations_are_printed_as_they_are_written() -> None:
    assert to_text(parse_text('#timezone  "Europe/Vienna" .')) == '#timezone "Europe/Vienna".\n'
    assert to_text(parse_text('#origin  "2026-01-01" .')) == '#origin "2026-01-01".\n'
    assert to_text(parse_text("#complete_windows .")) == "#complete_windows.\n"
