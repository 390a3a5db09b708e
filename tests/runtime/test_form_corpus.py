"""`check --input` on one table in many forms of files: the proposal reads it, or a sentence helps."""

import bz2
import gzip
import json
import lzma
import sqlite3
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from lars2asp import Reasoner
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.command_line.input_check import proposals
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.input_settings import reading_of_input
from lars2asp.runtime.sources.reading import Reading
from tests.support.kinds.records import NUMBER, epoch, iso, moment, tenths
from tests.support.workbooks import write_workbook

Row = tuple[int, str, float, int | None]
ROWS: list[Row] = [(n, f"r{n % 3}", tenths(n), None if n % 5 else n) for n in range(NUMBER)]
NAMES = "ts", "room", "temp", "extra"
CSV = "".join(
    f"{','.join('' if cell is None else str(cell) for cell in row)}\n"
    for row in [NAMES, *((iso(n), *cells) for n, *cells in ROWS)]
)
JSONL = "".join(f"{json.dumps(dict(zip(NAMES, (iso(n), *cells), strict=True)))}\n" for n, *cells in ROWS)


def _text(text: str, encoding: str = "utf-8") -> Callable[[Path], Any]:
    return lambda path: path.write_bytes(text.encode(encoding))


def _sqlite(path: Path, *, tables: int = 1) -> None:
    with sqlite3.connect(path) as base:
        for table in range(tables):
            base.execute(f"create table t{table} (ts text, room text, temp real, extra integer)")
            rows = [(f"{moment(n):%Y-%m-%d %H:%M:%S}+00:00", *cells) for n, *cells in ROWS]
            base.executemany(f"insert into t{table} values (?, ?, ?, ?)", rows)
    base.close()


def _duckdb(path: Path) -> None:
    duckdb: Any = pytest.importorskip("duckdb")
    with duckdb.connect(str(path)) as base:
        base.execute("create table t0 (ts timestamptz, room text, temp double, extra integer)")
        base.executemany("insert into t0 values (?, ?, ?, ?)", [(moment(n), *cells) for n, *cells in ROWS])


def _zip(path: Path, *names: str) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        for name in names:
            packed.writestr(name, CSV)


def _arrow(path: Path, form: str) -> None:
    pa: Any = pytest.importorskip("pyarrow")
    columns = list(zip(*((moment(n), *cells) for n, *cells in ROWS), strict=True))
    table = pa.table({name: pa.array(cells) for name, cells in zip(NAMES, columns, strict=True)})
    if form == "parquet":
        import pyarrow.parquet as pq  # noqa: PLC0415 - it is skipped without

        pq.write_table(table, path)
    elif form == "feather":
        import pyarrow.feather as pf  # noqa: PLC0415 - it is skipped without

        pf.write_feather(table, path)
    else:
        with (pa.ipc.new_stream if form == "stream" else pa.ipc.new_file)(path, table.schema) as out:
            out.write_table(table)


def _folder(path: Path) -> None:
    for site in "ab":
        (path / f"site={site}").mkdir(parents=True)
        (path / f"site={site}" / "p.csv").write_text(CSV)


RIGHT: Mapping[str, Callable[[Path], Any]] = {
    "a.sqlite?table=t0": _sqlite,
    "a.duckdb?table=t0": _duckdb,
    "one.zip": lambda path: _zip(path, "p.csv"),
    "two.zip/b.csv": lambda path: _zip(path.parent, "a.csv", "b.csv"),
    "a.csv.bz2": lambda path: path.write_bytes(bz2.compress(CSV.encode())),
    "a.jsonl.xz": lambda path: path.write_bytes(lzma.compress(JSONL.encode())),
    "a.csv.gz": lambda path: path.write_bytes(gzip.compress(CSV.encode())),
    "a.parquet": lambda path: _arrow(path, "parquet"),
    "a.feather": lambda path: _arrow(path, "feather"),
    "file.arrow": lambda path: _arrow(path, "file"),
    "stream.arrow": lambda path: _arrow(path, "stream"),
    "a.xlsx": lambda path: write_workbook(
        path, {"t": [NAMES, *((moment(n).replace(tzinfo=None), *cells) for n, *cells in ROWS)]}
    ),
    "utf_16.csv": _text(CSV, "utf-16"),
    "utf_16.jsonl": _text(JSONL, "utf-16"),
    "mark.csv": _text(CSV, "utf-8-sig"),
    "pipes.txt": _text(CSV.replace(",", "|")),
}

REFUSED: Mapping[str, tuple[Callable[[Path], Any], str]] = {
    "several.sqlite": (
        lambda path: _sqlite(path, tables=2),
        "add ?table=NAME; the tables are t0, t1",
    ),
    "two.zip": (lambda path: _zip(path, "a.csv", "b.csv"), "name one, such as"),
    "folder": (_folder, "and add the columns of the folders"),
    "lines.lp": (
        _text("".join(f"w,room={room} temp={temp} {epoch(n, 10**9)}\n" for n, room, temp, _ in ROWS)),
        "FILE?format=influx",
    ),
    "empty.csv": (_text(""), "the table is empty"),
    "names.csv": (_text("ts,room\n"), "no column has times"),
    "a.pdf": (_text("%PDF-1.4\n"), "this is a PDF document"),
    "a.html": (_text("<!DOCTYPE html><table>\n<tr><td>1\n"), "it is XML or HTML"),
    "a.gpx": (_text('<?xml version="1.0"?>\n<gpx><time>2026-01-15T06:00:00Z</time></gpx>\n'), "it is XML"),
    "a.yaml": (_text("- ts: 2026-01-15T06:00:00Z\n  x: 1\n"), "it seems to be YAML"),
    "a.ics": (_text("BEGIN:VCALENDAR\nDTSTART:20260115T060000Z\n"), "it is a calendar"),
    "a.sql": (_text("INSERT INTO r VALUES ('2026-01-15 06:00:00');\n"), "it is SQL"),
    "a.nmea": (_text("$GPRMC,060000,A,4807.038,N,01131.000,E,022.4,084.4,150126,003.1,W*6A\n"), "NMEA 0183"),
    "a.dat": (lambda path: path.write_bytes(bytes(range(256)) * 9), "it is no text"),
    "uptime.log": (
        _text("".join(f"[{n:5}.123456] usb 1-{n}: new\n" for n in range(9))),
        "For plain facts add a program",
    ),
    "clock.log": (
        _text("".join(f"[06:00:{n:02}] [main/INFO]: {n}\n" for n in range(9))),
        "For plain facts add a program",
    ),
    "levels.log": (
        _text("".join(f"INFO:root:sold {n}\n" for n in range(9))),
        "For plain facts add a program",
    ),
    "samples.prom": (_text("# TYPE up gauge\nup 1\n"), "no time of their own"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_proposal_reads_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TZ", "UTC")
    RIGHT[name](tmp_path / name.partition("?")[0])
    address = str(tmp_path / name)
    found = proposals([address], Reading())
    assert found.is_whole, found.text
    reasoner = Reasoner.from_text(found.text)
    assert reasoner.plan.tick_length == 60 * 10**6
    read = {
        (record.tick, one.signature.name, *map(text_of, row))
        for record in read_file(address, reading_of_input(reasoner.reading, address))
        for one in record.events.facts
        for row in one.rows
    }
    ticks = epoch(0) // 60
    expected = {(ticks + n, "reading", f'"{room}"', f"{temp * 10:.0f}") for n, room, temp, _ in ROWS}
    extra = {
        (ticks + n, "reading_extra", f'"{room}"', str(one)) for n, room, _, one in ROWS if one is not None
    }
    assert read == expected | extra, found.text


def test_a_table_of_days_is_no_log(tmp_path: Path) -> None:
    path = tmp_path / "days.txt"
    path.write_text("Datum;Betrag EUR\n" + "".join(f"{n:02}.01.2026;{n} EUR\n" for n in range(1, 20)))
    assert (
        '#input reading(number("Betrag EUR")) at Datum "%d.%m.%Y".' in proposals([str(path)], Reading()).text
    )


@pytest.mark.parametrize("name", REFUSED)
def test_a_sentence_helps(tmp_path: Path, name: str) -> None:
    write, said = REFUSED[name]
    write(tmp_path / name)
    try:
        found = proposals([str(tmp_path / name)], Reading())
    except InputError as error:
        assert said in str(error)
        return
    assert not found.is_whole
    assert said in found.text
