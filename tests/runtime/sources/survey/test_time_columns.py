"""The columns of times that a survey finds: by their cells, and among equals by the words of their names."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from lars2asp.runtime.sources.survey.table_survey import survey_of
from lars2asp.runtime.sources.survey.time_columns import times_of

START = datetime(2026, 1, 15, 6, tzinfo=UTC)
Cell = Callable[[int], str]


def at(form: str, step: timedelta = timedelta(minutes=1)) -> Cell:
    """Times that go on."""
    return lambda n: (START + n * step).strftime(form)


def epoch(unit: int = 1, form: str = "{}", step: int = 61) -> Cell:
    return lambda n: form.format((int(START.timestamp()) + step * n) * unit)


ISO, DAYS = at("%Y-%m-%dT%H:%M:%SZ"), timedelta(days=1)


def later(days: int) -> Cell:
    return lambda n: (START + timedelta(days=days - 3 * (n % 7), minutes=n)).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.mark.parametrize(
    ("columns", "at_text"),
    [
        # words, and not parts of words
        ({"candidate": lambda n: f"{874512300 + n // 5}", "created": epoch()}, 'created "%s"'),
        ({"update_id": lambda n: f"{874512300 + 3 * n}", "created": epoch()}, 'created "%s"'),
        (
            {"centimeters": lambda n: f"{100 + n}", "created": at("%d/%m/%Y %H:%M")},
            'created "%d/%m/%Y %H:%M"',
        ),
        ({"sentiment": lambda n: f"{n % 5}", "created": epoch()}, 'created "%s"'),
        ({"lifetime_value": lambda n: f"{1000 + n}", "created": epoch()}, 'created "%s"'),
        # events before deadlines and updates
        ({"updated_at": ISO, "created_at": ISO}, "created_at"),
        ({"end": later(1), "start": ISO}, "start"),
        ({"due_date": later(9), "opened": ISO}, "opened"),
        ({"estimatedDeliveryDate": later(3), "orderDate": ISO}, "orderDate"),
        ({"expiry_date": at("%Y-%m-%d", DAYS), "used_at": at("%Y-%m-%d", DAYS)}, "used_at"),
        ({"birthdate": at("%Y-%m-%d", -400 * DAYS), "visited": at("%Y-%m-%d %H:%M:%S")}, "visited"),
        ({"last_updated": ISO, "date": at("%Y-%m-%d", DAYS)}, "date"),
        ({"last_changed": ISO, "state": str}, "last_changed"),
        # complete ones, and those that go on
        ({"seen": lambda n: ISO(n) if n % 3 else "", "stored": ISO}, "stored"),
        ({"ordered": later(0), "delivered": ISO}, "delivered"),
        # one column once
        ({"datum": at("%d.%m.%y", DAYS)}, 'datum "%d.%m.%y"'),
        ({"datum": at("%y.%m.%d", DAYS)}, 'datum "%y.%m.%d"'),
        ({"datum": at("%d.%m.%y", DAYS), "valuta": at("%d.%m.%y", DAYS)}, 'datum "%d.%m.%y"'),
        ({"date": at("%m.%d.%y", DAYS)}, 'date "%m.%d.%y"'),
        ({"monat": lambda n: f"01.{n % 12 + 1:02}.{26 + n // 12}"}, 'monat "%d.%m.%y"'),
        # numbers
        ({"created": lambda n: epoch()(-n), "api": lambda _: "2023-10-16"}, 'created "%s"'),
        ({"created": lambda n: epoch(1000)(-n)}, 'created "%Q"'),
        ({"created": lambda n: epoch()(7 * n % 30)}, 'created "%s"'),
        ({"ts": epoch(1, "{}.25")}, 'ts "%s"'),
        ({"ts": lambda n: f"{1.7684568e9 + 100 * n:.7E}"}, 'ts "%s"'),
        # clocks
        ({"t": at("%Y-%m-%d %H:%M:%S UTC")}, "t"),
        ({"t": at("%Y-%m-%d %H:%M:%S.000 CET")}, "t"),
        ({"t": at("%d.%m.%Y %H:%M CET")}, 't "%d.%m.%Y %H:%M %Z"'),
        ({"d": at("%d.%m.%Y"), "t": lambda n: f"{n % 24 + 1:02}:00"}, 'd + t "%d.%m.%Y %H:%M"'),
        ({"d": at("%Y-%m-%d"), "hour": lambda n: f"{n % 24 + 1}"}, 'd + hour "%Y-%m-%d %H"'),
        # parts in columns of their own
        (
            {
                **{"No": str, "year": at("%Y"), "month": lambda _: "1", "day": lambda n: f"{n // 24 + 2}"},
                **{"hour": lambda n: f"{n % 24}", "pm2.5": str},
            },
            'year + month + day + hour "%Y %m %d %H"',
        ),
        # the second one where there is no first one
        (
            {
                "eventTime": lambda n: ISO(n) if n % 3 else "",
                "lastTimestamp": lambda n: "" if n % 3 else ISO(n),
            },
            "eventTime or lastTimestamp",
        ),
        (
            {
                "time": lambda n: at("%d.%m.%Y %H:%M")(n) if n % 3 else "",
                "ts": lambda n: "" if n % 3 else epoch()(n),
            },
            'time "%d.%m.%Y %H:%M" or ts "%s"',
        ),
    ],
)
def test_the_times_of_rows(columns: dict[str, Cell], at_text: str) -> None:
    rows = [[cell(n) for cell in columns.values()] for n in range(30)]
    found = times_of([*columns], rows)
    assert found is not None
    assert found.text == at_text


@pytest.mark.parametrize("name", ["centimeters", "sentiment", "update_id", "lifetime", "utc_offset_seconds"])
def test_names_that_only_contain_a_word_are_none_of_times(name: str) -> None:
    assert times_of([name, "x"], [[str(n), "a"] for n in range(30)]) is None


def test_zones_that_stand_behind_times_are_declared() -> None:
    rows = [[at("%Y-%m-%d %H:%M:%S CET")(n), "a"] for n in range(30)]
    assert '#timezone "Europe/Vienna".' in survey_of(["t", "x"], rows).declarations()
    rows = [[at("%Y-%m-%d %H:%M:%S UTC")(n), "a"] for n in range(30)]
    assert not any("zone" in line for line in survey_of(["t", "x"], rows).declarations())


def test_the_newest_rows_first_are_waited_for_up_to_a_number_of_rows() -> None:
    rows = [[str(1_768_456_800 - 60 * n), "a"] for n in range(1001)]
    found = survey_of(["ts", "x"], rows)
    assert (found.rows_behind, found.lateness) == (1000, 60_000 * 10**6)
    found = survey_of(["ts", "x"], [*rows, ["1768000000", "a"]])
    assert (found.rows_behind, found.lateness, found.is_falling) == (1001, 0, True)
