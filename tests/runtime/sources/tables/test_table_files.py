"""Files with tables, however they are written: the same facts, also where reading goes on in the middle."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.sources.text.byte_streams import PACKED
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.records import in_short
from tests.support.tables import packed

READING = Reading(declarations=[parse_input_declaration('r(text(raum), number(temp, ",")*10) at zeit')])
TEXT = "zeit;raum;temp\r\n" + "".join(f"{tick};Küche {tick % 3};{tick % 7},5 °C\r\n" for tick in range(40))
FACTS = [f'{tick}: r("Küche {tick % 3}",{tick % 7 * 10 + 5})' for tick in range(40)]


def read(path: Path, reading: Reading = READING) -> tuple[list[Record], list[Rejected]]:
    """The records of a file, and the rejected ones."""
    rejected: list[Rejected] = []
    with FileInput(str(path), reading, rejected.append) as source:
        return list(source.records()), rejected


FORMS = [(encoding, "") for encoding in ("utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-32")]
FORMS += [("utf-8", ".gz"), ("utf-16", ".gz"), ("cp1252", ".zst"), ("utf-8", ".bz2"), ("utf-16", ".xz")]


@pytest.mark.parametrize(("encoding", "ending"), FORMS)
def test_the_same_facts_from_any_record_on(tmp_path: Path, encoding: str, ending: str) -> None:
    path = tmp_path / f"readings.csv{ending}"
    path.write_bytes(packed(TEXT.encode(encoding), ending))
    _check_everywhere(path)


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.arrow", "stream.arrow"])
def test_typed_columns_from_any_record_on(tmp_path: Path, name: str) -> None:
    ticks = range(40)
    table = pa.table(
        {
            "more": [None] * 40,
            "temp": pa.array([tick % 7 + 0.5 for tick in ticks]),
            "zeit": pa.array(ticks, pa.int16()),
            "raum": pa.array([f"Küche {tick % 3}" for tick in ticks]).dictionary_encode(),
        }
    )
    path = tmp_path / name
    if name == "t.parquet":
        parquet.write_table(table, path, row_group_size=7)
    elif name == "stream.arrow":
        with pa.OSFile(str(path), "wb") as out, pa.ipc.new_stream(out, table.schema) as writer:
            writer.write_table(table, max_chunksize=9)
    else:
        feather.write_feather(table, str(path), chunksize=9)
    _check_everywhere(path)


def _check_everywhere(path: Path) -> None:
    records, rejected = read(path)
    assert in_short(records) == FACTS
    assert rejected == []
    for number in (1, 2, 17, 39):
        with FileInput(str(path), READING, rejected.append) as first:
            rest = first.records()
            for _ in range(number):
                next(rest)
            state = json.loads(json.dumps(first.state()))
        with FileInput(str(path), READING, rejected.append) as again:
            again.restore(state)
            assert in_short(list(again.records())) == FACTS[number:]
    assert rejected == []


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_long_tables_with_rows_of_several_lines_from_any_record_on(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"readings.csv{ending}"
    rows = [f'{row};"Raum{chr(10) * (row % 3)}{row}";1,5\n' for row in range(2500)]
    for row in (700, 1400, 1401):  # a quote that is not closed
        rows[row] = f'{row};"Raum;1,5\n'
    path.write_bytes(packed(("zeit;raum;temp\n" + "".join(rows)).encode(), ending))
    records, rejected = read(path)
    assert len(records) + 3 <= 2500
    assert rejected
    for number in (1, 499, 501, 699, 700, 701, 1000, 1399, 1405, len(records)):
        again: list[Rejected] = []
        with FileInput(str(path), READING, again.append) as first:
            rest = first.records()
            for _ in range(number):
                next(rest)
            state = json.loads(json.dumps(first.state()))
        with FileInput(str(path), READING, again.append) as second:
            second.restore(state)
            assert list(second.records()) == records[number:]
        assert again == rejected


@pytest.mark.parametrize(
    "name", ["t.csv.gz", "t.csv.zst", "t.csv.bz2", "t.csv.xz", "t.parquet", "t.feather", "t.arrow"]
)
def test_damaged_files_are_refused_with_their_names(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    ending = path.suffix
    path.write_bytes(packed(TEXT.encode() * 9, ending)[:-20] if ending in PACKED else b"PAR1 no")
    with pytest.raises(InputError, match=name):
        read(path)
    with pytest.raises(InputError, match=r"t\.parquet: cannot read this file"):
        read(tmp_path / "none" / "t.parquet")


def test_what_is_no_text_is_refused_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    data = "zeit;raum;temp\n1;ä;1,5\n2;ö;x\n3;ü;2,5\n".encode()
    path.write_bytes(data.replace("ö".encode(), b"\xff"))
    records, rejected = read(path)
    assert in_short(records) == ['1: r("ä",15)', '3: r("ü",25)']
    assert [one.origin.line for one in rejected] == [3]
    path.write_bytes("zeit;raum;temp\n1;ä;1,5\n".encode("utf-16") + b"\x00\xd8\x0a\x00")
    records, rejected = read(path)
    assert in_short(records) == ['1: r("ä",15)']
    assert [one.origin.line for one in rejected] == [3]


def test_forms_are_said_and_may_be_given(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(f"Export\nof today\n{TEXT}".encode("latin-1"))
    assert in_short(read(path)[0]) == FACTS
    assert [record.getMessage() for record in caplog.records] == [
        f"{path}: read with encoding cp1252, delimiter ';', the header is line 3"
    ]
    path.write_bytes(f"Export\x0b\u2028of\x85today\n{TEXT}".encode())  # no ends of lines for files
    assert in_short(read(path)[0]) == FACTS
    assert caplog.messages[1] == f"{path}: read with delimiter ';', the header is line 2"
    caplog.clear()
    known = Reading(declarations=READING.declarations, delimiter=";", encoding="latin-1")
    path.write_bytes(TEXT.encode("latin-1"))
    assert in_short(read(path, known)[0]) == FACTS
    assert caplog.records == []


def test_tables_without_header_have_numbered_columns(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("1\t5\n2\t6\n")
    reading = Reading(declarations=[parse_input_declaration("r(column2) at column1")])
    assert in_short(read(path, reading)[0]) == ["1: r(5)", "2: r(6)"]
