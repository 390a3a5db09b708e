"""Warnings about what is odd."""

from lars2asp.analysis.passes.unknown_predicates import MOST_GUESSED
from lars2asp.compiler import check
from lars2asp.syntax.diagnostics import Severity
from lars2asp.syntax.source import Source


def test_names_like_those_not_known_are_looked_for_a_few_times() -> None:
    """In a long program, to compare each name with each other takes a time without end."""
    text = "#input zz(a).\n" + "".join(f"known{i}(1).\na :- knwn{i}(1).\n" for i in range(2 * MOST_GUESSED))
    found = check(Source("t", text))
    assert [d.hint.startswith("did you mean known") for d in found] == [True] * MOST_GUESSED + [
        False
    ] * MOST_GUESSED


def test_windows_that_are_shorter_at_the_start_are_told_to_who_asks() -> None:
    def infos(text: str) -> list[str]:
        found = check(Source("t", text), informs=True)
        assert not [one for one in found if one.severity is not Severity.INFO]
        return [str(one.location) for one in found]

    boxes = "a :- p always in [0]. b :- p always in [2]. c :- p always in [3 #]."
    assert infos(boxes) == ["t:1:28-43"]
    assert infos(f"{boxes} #complete_windows.") == []
    assert infos("a :- p in [2], not p in [3].") == []
    assert check(Source("t", boxes)) == ()


def test_days_of_24_hours_are_told_once_where_clocks_are_changed() -> None:
    program = '#tick 1 sec. #timezone "{}". b :- p in [every 1 day from 1 day]. a :- p in [1 d].'
    told = check(Source("t", program.format("America/New_York")), informs=True)
    assert [(one.severity, str(one.location)) for one in told] == [(Severity.INFO, "t:1:91-94")]
    for zone in ("Asia/Kathmandu", "UTC"):
        assert check(Source("t", program.format(zone)), informs=True) == ()


def test_24_hours_that_are_a_day_are_told_where_clocks_are_changed() -> None:
    program = '#tick 1 {}. #timezone "Europe/Vienna". a :- p in [2 day]. b :- p in [{} hour].'
    [told] = check(Source("t", program.format("day", 48)), informs=True)
    assert (told.severity, str(told.location)) == (Severity.INFO, "t:1:71-78")
    [told] = check(Source("t", program.format("day", 36)))
    assert told.message == "36 hour is not a whole number of ticks"
    assert not check(Source("t", program.format("day", 48).replace("48 hour", "2 d")), informs=True)


def test_days_of_ticks_begin_at_an_origin_that_is_meant() -> None:
    program = '#tick 1 day. #timezone "Europe/Vienna". #origin "{}". a :- p.'
    for origin in ("2026-01-01", "2026-01-01T06:00", "2026-01-01T00:00+01:00"):
        assert not check(Source("t", program.format(origin)))
    [told] = check(Source("t", program.format("2026-07-01T00:00:00Z")))
    assert told.message == "days of #tick would begin at 02:00:00 by the clock of Europe/Vienna"
    assert not check(Source("t", program.format("2026-07-01T00:00:00Z").replace("Europe/Vienna", "UTC")))
