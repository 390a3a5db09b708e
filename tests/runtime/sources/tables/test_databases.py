"""Tables of SQLite and DuckDB are read as the CSV file of their rows would be."""

import json
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lars2asp import Reading
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.files import input_at, read_file
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.command_line import lines, run
from tests.support.examples import number_of_examples

ROWS: list[tuple[Any, ...]] = [
    (1, "hall", 3),
    (2, 'a "b", c', -4),
    (3, None, 5),
    (4, "x\ny", None),
    (5, " # ;|'\t", 10**18),
]
DECLARED = 'r(text(room) or "none", value) at t'


def reading(declared: str = DECLARED) -> Reading:
    return Reading(timeline=Timeline(1_000_000), declarations=[parse_input_declaration(declared)])


def refuse(rejected: Rejected) -> None:
    raise AssertionError(str(rejected))


def told(records: list[Record]) -> list[tuple[int, tuple[object, ...]]]:
    return [(one.tick, row) for one in records for atoms in one.events.facts for row in atoms.rows]


def written(path: Path, rows: Sequence[tuple[Any, ...]]) -> str:
    connection: Any = duckdb.connect(str(path)) if path.suffix == ".duckdb" else sqlite3.connect(path)
    connection.execute('CREATE TABLE "the ""rows" (t BIGINT, room TEXT, value BIGINT)')
    connection.execute("CREATE TABLE other (t BIGINT)")
    if rows:
        connection.executemany('INSERT INTO "the ""rows" VALUES (?, ?, ?)', rows)
    connection.commit()
    connection.close()
    return f'{path}?table=the "rows'


def expected(rows: Sequence[tuple[Any, ...]]) -> list[tuple[int, tuple[object, ...]]]:
    return [(t, (room or "none", value)) for t, room, value in rows if value is not None]


@pytest.mark.parametrize("name", ["a.sqlite", "a.sqlite3", "A.DB", "a.duckdb"])
def test_rows_of_a_table(tmp_path: Path, name: str) -> None:
    address = written(tmp_path / name, ROWS)
    assert told([*read_file(address, reading(), refuse)]) == expected(ROWS)
    named = reading('r(text(room) or "none", value, file()) at t')
    assert told([*read_file(address, named, refuse)])[0][1][-1] == address


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=9)


@pytest.mark.parametrize("ending", [".sqlite", ".duckdb"])
@settings(
    max_examples=number_of_examples(10),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(rows=st.lists(st.tuples(st.none() | TEXTS, st.none() | st.integers(-(2**62), 2**62)), max_size=5))
def test_any_texts_and_integers(
    tmp_path_factory: pytest.TempPathFactory, ending: str, rows: list[tuple[str | None, int | None]]
) -> None:
    path = tmp_path_factory.mktemp("any") / f"a{ending}"
    numbered = [(tick, text, value) for tick, (text, value) in enumerate(rows)]
    found = told([*read_file(written(path, numbered), reading(), refuse)])
    blank = [(t, text if text and text.strip() else None, value) for t, text, value in numbered]
    assert found == expected(blank)


@pytest.mark.parametrize("name", ["a.sqlite", "a.duckdb"])
def test_it_goes_on_in_the_middle(tmp_path: Path, name: str) -> None:
    rows = [(n, f"room {n}", n) for n in range(2500)]
    address = written(tmp_path / name, rows)
    for number in (1, 999, 1000, 1001, 2499):
        with input_at(address, reading(), refuse) as first:
            records = first.records()
            for _ in range(number):
                next(records)
            state = json.loads(json.dumps(first.state()))
        with input_at(address, reading(), refuse) as again:
            again.restore(state)
            assert told([*again.records()]) == expected(rows)[number:]


def test_types_of_duckdb_and_sqlite(tmp_path: Path) -> None:
    at = datetime(2026, 2, 1, 14, 5, 7, tzinfo=UTC)
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute("CREATE TABLE r (ts TIMESTAMP, d DECIMAL(9,2), x DOUBLE, b BOOLEAN)")
        connection.execute("INSERT INTO r VALUES (?, 1.50, 24.1, true)", [at.replace(tzinfo=None)])
    with sqlite3.connect(tmp_path / "a.sqlite") as other:
        other.execute("CREATE TABLE r (ts TEXT, d REAL, x REAL, b TEXT, raw BLOB)")
        other.execute("INSERT INTO r VALUES (?, 1.5, 24.1, 'true', x'00ff')", [at.isoformat()])
    declared = parse_input_declaration("r(d*100, x*10, b) at ts")
    how = Reading(timeline=Timeline(1_000_000, zone=UTC), declarations=[declared])
    for name in ("a.duckdb", "a.sqlite"):
        assert told([*read_file(tmp_path / name, how, refuse)]) == [(int(at.timestamp()), (150, 241, "true"))]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    for name in ("a.sqlite", "a.duckdb"):
        written(tmp_path / name, ROWS)
        with pytest.raises(InputError, match="no such table; the tables are other, the"):
            [*read_file(f"{tmp_path / name}?table=none", reading(), refuse)]
        with pytest.raises(InputError, match=r"add \?table=NAME; the tables are other, the"):
            [*read_file(tmp_path / name, reading(), refuse)]
        (tmp_path / f"no-{name}").write_bytes(b"no database" * 99)
        with pytest.raises(InputError, match=rf"no-{name}\?table=r: cannot read the database"):
            [*read_file(f"{tmp_path / name.replace('a.', 'no-a.')}?table=r", reading(), refuse)]


def test_check_and_run_take_it(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "rooms.sqlite") as connection:
        connection.execute("CREATE TABLE readings (time TEXT, room TEXT, temp REAL)")
        rows = [(f"2026-02-01T14:{n:02}:00Z", "hall", 20 + n / 2) for n in range(30)]
        connection.executemany("INSERT INTO readings VALUES (?, ?, ?)", rows)
    proposed = run(tmp_path, "check", "--input", "rooms.sqlite?table=readings").stdout
    assert "#decimals reading(_, 1)." in proposed
    (tmp_path / "p.lars").write_text(f"{proposed}hot(R) :- reading(R,T), T > 34.\n#show hot/1.\n")
    found = run(tmp_path, "run", "p.lars", "--input", "rooms.sqlite?table=readings&lateness=1 min").stdout
    assert lines(found)[0]["atoms"] == ['hot("hall")']
    done = run(tmp_path, "run", "p.lars", "--input", "rooms.sqlite", "--follow", status=2)
    assert "lars2asp cannot follow workbooks and databases: save the table as a CSV file" in done.stderr
