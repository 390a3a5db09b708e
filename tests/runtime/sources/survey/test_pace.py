"""Whether rows are readings, and of which keys: what contradicts in one row of ten does not decide."""

import pytest

from lars2asp.runtime.sources.survey.pace import Pace
from lars2asp.runtime.sources.survey.table_survey import survey_of


def pace_of(rows: list[tuple[int, str, float]]) -> Pace | None:
    """The pace of readings of rooms, at minutes."""
    cells = [[f"2026-01-15T{6 + at // 60:02}:{at % 60:02}Z", room, str(x)] for at, room, x in rows]
    return survey_of(["time", "room", "temp"], cells).pace


def readings(number: int, rooms: tuple[str, ...] = ("kitchen", "hall")) -> list[tuple[int, str, float]]:
    return [(n, rooms[n % len(rooms)], 20.5 + n % 7) for n in range(number)]


@pytest.mark.parametrize(
    ("number", "rooms"), [(9, ("a", "b")), (5, ("a", "b")), (9, ("a", "b", "c")), (60, ("a", "b", "c"))]
)
def test_few_rows_of_several_keys_have_these(number: int, rooms: tuple[str, ...]) -> None:
    found = pace_of(readings(number, tuple(rooms)))
    assert found is not None
    assert (found.column, found.apart) == ("room", len(rooms) * 60_000_000)


def test_fewer_rows_have_no_pace() -> None:
    assert pace_of(readings(3)) is None
    assert pace_of(readings(4)) is None  # no room has two distances
    assert pace_of([*readings(2), *((at, "attic", 1.5) for at in (2, 3))]) is None


@pytest.mark.parametrize("cell", ["Kitchen", "kitchn", "N/A", "$RT_OFF$", ""])
def test_one_odd_cell_leaves_the_keys(cell: str) -> None:
    rows = readings(30)
    rows[12] = (12, cell, 20.5)
    found = pace_of(rows)
    assert found is not None
    assert (found.column, found.odd) == ("room", (cell,))


def test_one_repeated_time_leaves_the_keys() -> None:
    rows = readings(30)
    found = pace_of([*rows[:12], (rows[11][0], rows[11][1], 99.5), *rows[12:]])
    assert found is not None
    assert (found.column, found.at_once) == ("room", 1)
    many = [row for at, room, x in rows for row in ((at, room, x), (at, room, x + 1))]
    assert pace_of(many) is None


def test_rows_without_keys() -> None:
    found = pace_of([(n, "", 20.5 + n) for n in range(4)])
    assert found is not None
    assert found.column is None
