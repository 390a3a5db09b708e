"""Times in declared formats, and the formats that are proposed for those that are not read."""

import pickle
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.analysis.declared_time import moment_of
from lars2asp.analysis.tick_moments import EPOCH, MICROSECOND
from lars2asp.analysis.time_formats import format_problem
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.fine_ticks import nanoseconds_of
from lars2asp.runtime.sources.times.time_formats import NoMomentError, TimeFormat
from lars2asp.runtime.sources.times.time_guesses import formats_of
from lars2asp.runtime.sources.times.time_texts import TimeTexts
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit
from tests.support.command_line import lines, run

VIENNA = ZoneInfo("Europe/Vienna")
GERMAN = TimeFormat("%d.%m.%Y %H:%M:%S")


@given(
    st.datetimes(datetime(1970, 1, 1), datetime(2068, 12, 31)),
    st.sampled_from(
        [
            "%d.%m.%Y %H:%M:%S.%f",
            "%m/%d/%y %I:%M:%S %p",
            "%Y%m%d%H%M%S",
            "%Y-%j %H:%M",
            "%d-%b-%Y %H.%M",
            "%A, %d. %B %Y",
            "%a %b %d %H:%M:%S %Y",
        ]
    ),
    st.sampled_from([UTC, VIENNA, ZoneInfo("Australia/Lord_Howe")]),
)
def test_formats_read_what_python_writes_as_python_reads_it(
    moment: datetime, text: str, zone: ZoneInfo
) -> None:
    written = moment.strftime(text)
    expected = (datetime.strptime(written, text).replace(tzinfo=zone) - EPOCH) // MICROSECOND
    assert TimeFormat(text).microseconds(written, zone) == expected


def test_hours_in_which_clocks_change() -> None:
    for text in ("29.03.2026 02:30:00", "25.10.2026 02:30:00", "25.10.2026 03:00:00"):
        local = datetime.strptime(text, str(GERMAN)).replace(tzinfo=VIENNA)
        assert GERMAN.microseconds(text, VIENNA) == (local - EPOCH) // MICROSECOND


def test_a_day_ends_at_24() -> None:
    assert GERMAN.microseconds("28.02.2026 24:00:00", VIENNA) == GERMAN.microseconds(
        "01.03.2026 00:00:00", VIENNA
    )
    assert moment_of("2026-12-31T24:00:00.000Z") == datetime(2027, 1, 1, tzinfo=UTC)
    assert moment_of("2026-12-31 24:00") == datetime(2027, 1, 1)
    assert moment_of("2026-12-31T24:00:00+01:00") == moment_of("2027-01-01T00:00:00+01:00")
    for text in ("2026-12-31T24:01Z", "2026-12-31T24:00:01Z", "2026-12-31T25:00Z", "9999-12-31T24:00Z"):
        assert moment_of(text) is None


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("2016-12-31T23:59:60Z", None),
        ("2016-12-31T23:59:60.75Z", None),
        ("20161231T235960Z", None),
        ("2017-01-01 05:29:60+05:30", None),
        ("2016-12-31 23:59:60 UTC", None),
        ("2017-01-01T00:59:60", None),
        ("01.01.2017 00:59:60", "%d.%m.%Y %H:%M:%S"),
        ("31/Dec/2016:23:59:60.5 +0000", "%d/%b/%Y:%H:%M:%S.%f %z"),
    ],
)
def test_a_leap_second_is_the_moment_at_which_the_next_second_begins(text: str, form: str | None) -> None:
    begin = (datetime(2017, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND
    timeline = Timeline(1_000_000, zone=VIENNA, form=None if form is None else TimeFormat(form))
    assert timeline.moment_of_text(text) == begin
    columns = TimeTexts(timeline).ticks([text.replace("60", "59"), text])
    assert columns.ticks == [begin // 1_000_000 - 1, begin // 1_000_000] and not columns.wrong


@pytest.mark.parametrize("text", ["2016-12-31T14:05:60Z", "2016-12-31T23:59:60+01:00", "2016-12-31T23:59:60"])
def test_other_seconds_60_are_rejected(text: str) -> None:
    with pytest.raises(InputError, match="second 60 exists only at the end of a day of UTC"):
        Timeline(1_000_000, zone=VIENNA).tick(text)
    reason = TimeTexts(Timeline(1_000_000, zone=VIENNA)).ticks([text]).wrong[text]
    assert "second 60 exists only at the end of a day" in reason
    with pytest.raises(InputError, match="second 60 exists only at the end of a day"):
        Timeline(1_000_000, zone=VIENNA, form=GERMAN).tick("01.02.2026 14:05:60")


@given(st.integers(0, 10**18), st.integers(1, 12), st.sampled_from(["Z", "+01:00", ""]))
def test_texts_are_read_to_the_nanosecond(nanoseconds: int, digits: int, offset: str) -> None:
    second, fraction = divmod(nanoseconds, 10**9)
    written = f"{fraction:09}000"[:digits]
    local = EPOCH + timedelta(seconds=second) + timedelta(hours=offset == "+01:00")
    text = f"{local:%Y-%m-%dT%H:%M:%S}.{written}{offset}"
    exact = second * 10**9 + int(written[:9].ljust(9, "0"))
    timeline = Timeline(60_000_000, zone=UTC, is_fine=True)
    moment = timeline.moment_of_text(text)
    assert moment is not None
    assert nanoseconds_of(moment) == exact
    found = TimeTexts(timeline, are_cells=False).ticks([text])
    assert found.ticks == [exact // (60 * 10**9)]
    assert found.moments is not None
    assert nanoseconds_of(found.moments[0]) == exact
    if not offset:
        form = TimeFormat("%Y-%m-%dT%H:%M:%S.%f")
        assert nanoseconds_of(form.microseconds(text, UTC)) == exact


@pytest.mark.parametrize(
    "text",
    [
        "31.02.2026 00:00:00",
        "01.02.2026 24:00:01",
        "01.02.2026 25:00:00",
        "01.02.2026 14:05:60",
        "01.02.26 14:05:00",
        "01.02.2026 14:05",
        "",
        "\u06601.02.2026 14:05:00",
    ],
)
def test_what_does_not_fit_is_no_moment(text: str) -> None:
    with pytest.raises(NoMomentError):
        GERMAN.microseconds(text, UTC)


def test_days_and_months_may_have_one_digit_where_none_stands_beside_them() -> None:
    assert TimeFormat("%d.%m.%Y %H:%M").microseconds("1.2.2026 7:05", UTC) == TimeFormat(
        "%Y%m%d%H%M"
    ).microseconds("202602010705", UTC)
    with pytest.raises(NoMomentError):
        TimeFormat("%Y%m%d").microseconds("2026201", UTC)


def test_offsets_and_names() -> None:
    form = TimeFormat("%d/%b/%Y:%H:%M:%S %z")
    for text in ("03/Feb/2026:14:05:00 +0100", "03/FEB/2026:13:05:00 Z", "03/feb/2026:12:05:00 -01:00"):
        assert (
            form.microseconds(text, None) == (datetime(2026, 2, 3, 13, 5, tzinfo=UTC) - EPOCH) // MICROSECOND
        )
    german = TimeFormat("%d. %B %Y")
    assert german.microseconds("3. Februar 2026", UTC) == TimeFormat("%d %b %Y").microseconds(
        "3 Feb. 2026", UTC
    )
    assert pickle.loads(pickle.dumps(form)) == form


@given(st.integers(-(10**12), 10**12), st.integers(0, 999_999_999), st.sampled_from([3, 6]))
def test_seconds_since_1970_have_exact_fractions(whole: int, billionths: int, power: int) -> None:
    text = f"{whole}.{billionths:09}"
    exact = Fraction(text) * 10**power
    moment = TimeFormat("%s" if power == 6 else "%Q").microseconds(text, None)
    assert int(moment) == exact.numerator // exact.denominator
    nanoseconds = exact * 1000
    assert nanoseconds_of(moment) == nanoseconds.numerator // nanoseconds.denominator


def test_times_of_seconds_in_tables_and_json_have_fractions() -> None:
    timeline = Timeline(250_000, TimeUnit.SEC, EPOCH + timedelta(seconds=1769868300))
    assert timeline.tick_of_text("1769868300.25") == timeline.tick(1769868300.25) == 1
    assert timeline.tick(1769868300) == 0
    assert timeline.tick_of_text("1769868300.2499999") == 0
    with pytest.raises(InputError, match="is no integer and no timestamp"):
        Timeline(250_000).tick(1.5)
    with pytest.raises(InputError, match="is not a number of seconds"):
        timeline.tick(float("nan"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("01.02.2026 14:05:00", ["%d.%m.%Y %H:%M:%S"]),
        ("1.2.26", ["%d.%m.%y"]),
        ("02/03/2026 14:05", ["%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M"]),
        ("13/03/2026", ["%d/%m/%Y"]),
        ("03/13/2026 01:05 PM", ["%m/%d/%Y %I:%M %p"]),
        ("2026-02-01 14:05:00,123", ["%Y-%m-%d %H:%M:%S,%f"]),
        ("03/Feb/2026:14:05:00 +0100", ["%d/%b/%Y:%H:%M:%S %z"]),
        ("Tue Feb  3 14:05:00 2026", ["%a %b %d %H:%M:%S %Y"]),
        ("1. Februar 2026", ["%d. %b %Y"]),
        ("20260201140500", ["%Y%m%d%H%M%S"]),
        ("kitchen", []),
        ("24.1", []),
        ("01.02.2026 25:00", []),
        ("x" * 1000, []),
    ],
)
def test_formats_that_would_read_a_text(text: str, found: list[str]) -> None:
    assert formats_of(text) == found
    for form in found:
        assert format_problem(form) is None


def test_messages_name_the_format_that_would_read_a_time() -> None:
    with pytest.raises(InputError) as caught:
        Timeline(1_000_000, zone=UTC).tick_of_text("01.02.2026 14:05:00")
    assert str(caught.value) == (
        "the time '01.02.2026 14:05:00' is not a timestamp such as 2026-01-31T14:05:00Z; "
        'to read it, write --time-format "%d.%m.%Y %H:%M:%S"'
    )
    with pytest.raises(InputError) as caught:
        Timeline(1_000_000, zone=UTC, form=GERMAN, declared_at="zeit").tick_of_text("02/03/2026")
    message = str(caught.value)
    assert message.startswith("the time '02/03/2026' does not fit \"%d.%m.%Y %H:%M:%S\"; to read it, write ")
    assert message.endswith(
        '#input ... at zeit "%d/%m/%Y" or #input ... at zeit "%m/%d/%Y" (they read it differently)'
    )
    with pytest.raises(
        InputError, match="lacks a time zone: add --timezone Europe/Vienna, or write #timezone"
    ):
        Timeline(1_000_000, form=GERMAN).tick_of_text("01.02.2026 14:05:00")


def test_options_name_ticks_and_timestamps() -> None:
    timeline = Timeline(60_000_000, TimeUnit.SEC, zone=VIENNA, form=TimeFormat("%d.%m.%Y %H:%M"))
    assert timeline.asked_tick("7") == 7
    expected = timeline.tick_of_text("01.02.2026 14:05")
    assert timeline.asked_tick("2026-02-01T14:05") == timeline.asked_tick("01.02.2026 14:05") == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("%d %H:%M", "its date is incomplete"),
        ("%Y %H:%M", "its date is incomplete"),
        ("%Y-%m-%d %k", "%k is unknown"),
        ("%Y-%m-%d %", "% is unknown"),
        ("%Y-%m-%d %d", "%d occurs twice"),
        ("%Y-%m-%d %I", "%I and %p (AM, PM) need each other"),
        ("%Y-%m-%d %M", "it has %M but not %H"),
        ("%s.%f", "%s, %Q, %u and %n cannot have other parts"),
    ],
)
def test_texts_that_are_no_formats(text: str, reason: str) -> None:
    problem = format_problem(text)
    assert problem is not None
    assert problem.reason == reason


@pytest.mark.parametrize(
    ("form", "reason", "hint"),
    [
        ("%Y-%m-%d %H:%M:%S.%L", "%L is unknown", "write %f for the digits after the seconds"),
        ("%Y-%m-%d %H:%M:%S.%3N", "%3 is unknown", "write %f for the digits after the seconds, and"),
        ("%F %T", "%F is unknown", "write %Y-%m-%d"),
        ("%-d.%-m.%Y", "%- is unknown", "write %d, %m, %H, ..., which also read one digit"),
        ("yyyy-MM-dd HH:mm:ss", "its date is incomplete", 'write "%Y-%m-%d %H:%M:%S"'),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "its date is incomplete", 'write "%Y-%m-%dT%H:%M:%S.%f%z"'),
        ("DD/MM/YYYY hh:mm A", "its date is incomplete", 'write "%d/%m/%Y %I:%M %p"'),
        ("epoch_millis", "its date is incomplete", 'write "%Q"'),
        ("ns", "its date is incomplete", 'write "%n"'),
        ("ISO8601", "its date is incomplete", "remove the format: ISO 8601 timestamps need none"),
        ("HH:mm", "its date is incomplete", 'write "%H:%M"'),
        ("%d. %H:%M", "its date is incomplete", "if the day is in another column, join both: at day + clock"),
    ],
)
def test_formats_of_other_libraries(form: str, reason: str, hint: str) -> None:
    found = format_problem(form)
    assert found is not None
    assert found.reason == reason
    assert found.hint.startswith(hint)
    if hint.startswith('write "'):
        assert format_problem(found.hint[7:-1]) is None


@pytest.mark.parametrize(
    ("form", "text", "moment"),
    [
        ("/Date(%Q)/", "/Date(1769868300123)/", 1769868300123000),
        ("/Date(%Q)/", "/Date(-1500)/", -1500000),
        ("[%s]", "[1769868300]", 1769868300000000),
        ("[%s]", "[1769868300.25]", 1769868300250000),
        ("@%s %%", "@1769868300  %", 1769868300000000),
        ("t=%n;", "t=1769868300123456789;", 1769868300123456),
    ],
)
def test_numbers_since_1970_with_texts_around_them(form: str, text: str, moment: int) -> None:
    assert format_problem(form) is None
    found = TimeFormat(form)
    assert not found.lacks and not found.is_local
    assert +found.microseconds(text, None) == moment
    inside = found.search.search(f"line {text} of a log")
    assert inside is not None and inside[0] == text
    for other in (text[1:], f"{text}x", text.replace("1", "x")):
        with pytest.raises(NoMomentError):
            found.microseconds(other, None)


def test_a_log_with_numbers_since_1970_in_brackets(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(
        '#tick 1 sec.\n#input said(text) from "said {text}" at "[%s]".\nq(X) :- said(X).'
    )
    (tmp_path / "a.log").write_text("[1769868300] said hello\n[1769868301] said bye\n")
    done = run(tmp_path, "run", "p.lars", "--input", "a.log")
    assert [one["atoms"] for one in lines(done.stdout)] == [['q("hello")'], ['q("bye")']]
