"""The time zone that a program declares."""

from zoneinfo import ZoneInfo

from lars2asp.compiler import Overrides, compile_program
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from tests.support.programs import parse_text

VIENNA = Source("x.lars", '#timezone "Europe/Vienna". a :- b.')


def test_a_program_declares_its_zone() -> None:
    assert compile_program(VIENNA).zone == ZoneInfo("Europe/Vienna")
    assert compile_program(Source("x.lars", "a :- b.")).zone is None


def test_the_zone_can_be_given_from_outside() -> None:
    utc = Overrides(timezone="UTC")
    assert compile_program(VIENNA, overrides=utc).zone == ZoneInfo("UTC")
    assert compile_program(Source("x.lars", "a :- b."), overrides=utc).zone == ZoneInfo("UTC")


def test_the_zone_is_printed_as_it_is_written() -> None:
    assert to_text(parse_text('#timezone  "Europe/Vienna" .')) == '#timezone "Europe/Vienna".\n'
