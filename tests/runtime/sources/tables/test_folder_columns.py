"""The columns in the names of folders are those that a table with them as text would have."""

import zipfile
from dataclasses import replace
from datetime import UTC
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from lars2asp import Reading
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.records import PassedOver, Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration

ROWS = pd.DataFrame(
    {
        "t": [*range(12)],
        "year": ["2025"] * 6 + ["2026"] * 6,
        "Site": ["north", "south", "a b/c"] * 4,
        "v": [*range(100, 112)],
    }
)
DECLARED = (
    "r(year, site, v)",
    "r(text(year), text(site), v)",
    "r(int(year), any(site), v)",
    'r(v, year) at t where year = "2026"',
    "r(v, year) at t where int(year) < 2026, v > 101",
    'r(v) at t where site != "north"',
    'r(fixed("x"), Site, v)',
)


def reading(declared: str) -> Reading:
    text = declared if " at " in declared else f"{declared} at t"
    return Reading(timeline=Timeline(1_000_000), declarations=[parse_input_declaration(text)])


def told(records: list[Record]) -> list[tuple[int, tuple[object, ...]]]:
    return [(one.tick, row) for one in records for atoms in one.events.facts for row in atoms.rows]


def written(folder: Path, form: str) -> str:
    """The rows in folders by year and site."""
    table = pa.Table.from_pandas(ROWS, preserve_index=False)
    if form == "parquet":
        parquet.write_to_dataset(table, str(folder), partition_cols=["year", "Site"])
        return str(folder)
    for (year, site), rows in ROWS.groupby(["year", "Site"]):
        place = folder / f"year={year}" / f"Site={str(site).replace('/', '%2F').replace(' ', '%20')}"
        place.mkdir(parents=True)
        left = rows.drop(columns=["year", "Site"])
        if form == "csv":
            left.to_csv(place / "part-0.csv", index=False)
        else:
            left.to_json(place / "part-0.jsonl", orient="records", lines=True)
    if form != "zip":
        return str(folder)
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        for file in folder.rglob("*.jsonl"):
            archive.write(file, file.relative_to(folder))
    return str(folder / "all.zip")


@pytest.mark.parametrize("form", ["parquet", "csv", "jsonl", "zip"])
@pytest.mark.parametrize("declared", DECLARED)
def test_rows_are_those_of_a_table_with_the_columns(tmp_path: Path, declared: str, form: str) -> None:
    (tmp_path / "whole").mkdir()
    ROWS.to_csv(tmp_path / "whole" / "all.csv", index=False)
    expected = told([*read_file(tmp_path / "whole" / "all.csv", reading(declared), ignore)])
    assert expected
    folder = tmp_path / "parts"
    folder.mkdir()
    assert told([*read_file(written(folder, form), reading(declared), ignore)]) == expected


CLOCKS = pd.DataFrame(
    {
        "day": ["2026-01-01"] * 4 + ["2026-01-02"] * 4,
        "hour": ["03", "03", "04", "04"] * 2,
        "minute": ["05", "07", "05", "59"] * 2,
        "v": [*range(8)],
    }
)
TIMED = (
    'r(v) at day + hour + minute "%Y-%m-%d %H %M"',
    'r(v, day) at day + hour + minute "%Y-%m-%d %H %M" where v > 2',
    'r(v, hour) at minute + hour + day "%M %H %Y-%m-%d"',
    'r(v) at hour + minute + day "%H %M %Y-%m-%d"',
    'r(v, minute) at hour + minute + day + minute "%H %M %Y-%m-%d %M"',
)


@pytest.mark.parametrize("form", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize("declared", TIMED)
def test_a_part_of_the_time_is_the_name_of_a_folder(tmp_path: Path, declared: str, form: str) -> None:
    how = replace(reading(declared), timeline=Timeline(60_000_000, zone=UTC))
    CLOCKS.to_csv(tmp_path / "all.csv", index=False)
    expected = told([*read_file(tmp_path / "all.csv", how, stop)])
    assert len(expected) in (5, 8)
    for (day, hour), rows in CLOCKS.groupby(["day", "hour"]):
        place = tmp_path / "parts" / f"day={day}" / f"hour={hour}"
        place.mkdir(parents=True)
        left = rows.drop(columns=["day", "hour"])
        if form == "csv":
            left.to_csv(place / "a.csv", index=False)
        elif form == "jsonl":
            left.to_json(place / "a.jsonl", orient="records", lines=True)
        else:
            left.to_parquet(place / "a.parquet", index=False)
    assert told([*read_file(tmp_path / "parts", how, stop)]) == expected


def test_log_lines_have_the_day_of_their_folder(tmp_path: Path) -> None:
    for day in ("2026-01-02", "2026-01-01"):
        (tmp_path / f"day={day}").mkdir()
        lines = [f"{clock} failed ann\n" for clock in ("10:00", "11:30")]
        (tmp_path / f"day={day}" / "a.log").write_text("".join(lines))
    declared = 'r(user) from "^{clock} failed {user:word}$" at day + clock "%Y-%m-%d %H:%M"'
    how = replace(reading(declared), timeline=Timeline(60_000_000, zone=UTC))
    found = told([*read_file(tmp_path, how, stop)])
    minutes = [tick - found[0][0] for tick, _ in found]
    assert minutes == [0, 90, 1440, 1530]


def stop(rejected: Rejected) -> None:
    raise AssertionError(rejected)


def ignore(rejected: Rejected) -> None:
    assert isinstance(rejected, PassedOver)


def test_a_missing_cell_and_what_stands_for_it(tmp_path: Path) -> None:
    for name in ("year=__HIVE_DEFAULT_PARTITION__", "year=2026"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.csv").write_text("t,v\n1,5\n")
    assert told([*read_file(tmp_path, reading("r(year, v)"), ignore)]) == [(1, (2026, 5))]
    both = told([*read_file(tmp_path, reading('r(year or "0", v)'), ignore)])
    assert sorted(both) == [(1, (0, 5)), (1, (2026, 5))]


def test_what_cannot_be_read_so_is_refused(tmp_path: Path) -> None:
    (tmp_path / "day=2026-02-01").mkdir()
    (tmp_path / "day=2026-02-01" / "a.csv").write_text("t,v\n1,5\n")
    for declared, said in (
        ("r(v) at day", "only a part of the time can come from a folder's name: add a column of the files"),
        ("r(v) at day + t or t", "only a part of the time .* write one time, without `or`"),
        ("r(day) at t", "add a column of the files"),
        ("r(v, constant(day)) at t", "2026-02-01"),
        ("r(v, int(day)) at t", "2026-02-01"),
        ("r(v, time(day)) at t", "read it as text, int or constant"),
    ):
        with pytest.raises(InputError, match=said):
            [*read_file(tmp_path, reading(declared), ignore)]
