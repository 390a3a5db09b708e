"""Workbooks as tables: cells, sheets, and what is said of them."""

import gzip
import json
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from lars2asp.__main__ import main
from lars2asp.compiler import check
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.files import FileInput, read_file
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Rejected
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.parser import parse, parse_input_declaration, read_sources
from lars2asp.syntax.printer import to_text
from tests.support.command_line import lines
from tests.support.records import in_short
from tests.support.workbooks import write_workbook

READING = Reading(declarations=[parse_input_declaration("r(text(room), number(temp)*10) at time")])
ROWS: list[list[Any]] = [
    ["time", "room", "temp"],
    *([tick, f"Küche {tick % 3}", tick % 7 + 0.5] for tick in range(40)),
]
FACTS = [f'{tick}: r("Küche {tick % 3}",{tick % 7 * 10 + 5})' for tick in range(40)]


def facts(name: object, reading: Reading = READING) -> list[str]:
    """The records of a file, in short."""
    return in_short(list(read_file(str(name), reading)))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (21.5, "21.5"),
        (22, "22"),
        (22.0, "22"),
        (-0.1, "-0.1"),
        (1.1, "1.1"),
        (1e-7, "0.0000001"),
        (1e20, "100000000000000000000"),
        (9007199254740991, "9007199254740991"),
        (True, "true"),
        ("007", "007"),
        ('a, "b"; c', 'a, "b"; c'),
        ("#x 'y'", "#x 'y'"),
        ("two\nlines", "two lines"),
        (datetime(2026, 5, 1, 8, 5, 1), "2026-05-01T08:05:01"),
        (datetime(2026, 5, 1, 8, 5, 1, 250000), "2026-05-01T08:05:01.25"),
        (date(2026, 5, 1), "2026-05-01"),
        (time(8, 5, 1), "08:05:01"),
        (timedelta(hours=30, minutes=5), "30:05:00"),
    ],
)
def test_a_cell_is_its_text(tmp_path: Path, value: Any, text: str) -> None:
    path = tmp_path / "book.xlsx"
    write_workbook(path, {"May": [["time", "x"], [7, value]]})
    reading = Reading(declarations=[parse_input_declaration("r(text(x))")])
    assert facts(path, reading) == [f"7: r({json.dumps(text)})"]


def test_dates_are_times(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As moments, as days at midnight, and as a day and a time of it in two columns."""
    begin = datetime(2026, 5, 1, 23, 59)
    rows: list[list[Any]] = [
        [begin + timedelta(minutes=n), (begin + timedelta(minutes=n)).time(), n] for n in range(3)
    ]
    write_workbook(tmp_path / "book.xlsx", {"May": [["ts", "clock", "n"], *rows]})
    days = [[one.date(), *rest] for one, *rest in rows]
    write_workbook(tmp_path / "days.xlsx", {"May": [["ts", "clock", "n"], *days]})
    for name, times in (("book.xlsx", "ts"), ("days.xlsx", "ts + clock")):
        (tmp_path / "p.lars").write_text(
            f'#tick 1 min. #timezone "Europe/Vienna". #input r(n) at {times}. s(N) :- r(N).'
        )
        assert main(["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / name), "--times"]) == 0
        answers = lines(capsys.readouterr().out)
        assert [(one["at"], one["atoms"]) for one in answers][:2] == [
            ("2026-05-01T23:59:00+02:00", ["s(0)"]),
            ("2026-05-02T00:00:00+02:00", ["s(1)"]),
        ]


def test_empty_cells_and_errors_are_missing(tmp_path: Path) -> None:
    write_workbook(
        tmp_path / "b.xlsx", {"May": [["time", "x"], [1, 5], [2, None], [3, "#N/A"], [None, None]]}
    )
    reading = Reading(declarations=[parse_input_declaration("r(int(x))")])
    assert facts(tmp_path / "b.xlsx", reading) == ["1: r(5)", "2: ", "3: "]


def test_a_table_below_a_title_beside_an_empty_column(tmp_path: Path) -> None:
    """Numbers of rows are those of the sheet, and columns are counted from A."""
    title: list[list[Any]] = [[], [None, "Temperatures"], []]
    write_workbook(tmp_path / "b.xlsx", {"May": [*title, *([None, *row] for row in ROWS)]})
    assert facts(tmp_path / "b.xlsx") == FACTS
    placed = parse_input_declaration("r(row(), room, number(column(4))*10) at column(2)")
    reading = Reading(declarations=[placed])
    assert facts(tmp_path / "b.xlsx", reading)[:2] == ['0: r(5,"Küche 0",5)', '1: r(6,"Küche 1",15)']


def test_what_is_not_valid_names_the_row_of_the_sheet(tmp_path: Path) -> None:
    write_workbook(tmp_path / "b.xlsx", {"May": [[], *ROWS[:3], [2, "two\nlines", 1], [3, "k", "warm"]]})
    rejected: list[Rejected] = []
    with FileInput(str(tmp_path / "b.xlsx"), READING, rejected.append) as source:
        assert len([*source.records()]) == 3
    [one] = rejected
    assert (one.origin.line, "warm" in one.reason) == (6, True)


SHEETS: dict[str, list[list[Any]]] = {"notes": [["x"]], "May": ROWS, "Juni (neu)": ROWS[:3]}


def test_the_first_sheet_that_is_not_hidden_or_the_one_that_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    book = tmp_path / "b.xlsx"
    write_workbook(book, SHEETS, hidden=["notes"])
    assert facts(book) == FACTS
    [said] = caplog.messages
    assert said.endswith("b.xlsx: read with the sheet May, the first of 2 (?sheet=Juni (neu) takes another)")
    caplog.clear()
    assert facts(f"{book}?sheet=Juni (neu)") == FACTS[:2]
    assert facts(f"{book}?sheet=May") == FACTS
    assert caplog.messages == []
    with pytest.raises(InputError, match="sheet=Mai: no such sheet; the sheets are notes, May, Juni"):
        facts(f"{book}?sheet=Mai")
    with pytest.raises(InputError, match=r"other\.xlsx\?sheet=May: cannot read this file: No such file"):
        facts(tmp_path / "other.xlsx?sheet=May")


def test_two_sheets_are_merged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_workbook(tmp_path / "b.xlsx", {"May": ROWS[:3], "June": [["time", "door"], [1, "front"]]})
    (tmp_path / "p.lars").write_text(
        "#input temp(room, number(temp)*10). #input opened(door, file()). o(D,F) :- opened(D,F), temp(_,_)."
    )
    sheets = [f"{tmp_path / 'b.xlsx'}?sheet={name}" for name in ("May", "June")]
    given = [argument for name in sheets for argument in ("--input", name)]
    assert main(["run", str(tmp_path / "p.lars"), *given]) == 0
    assert lines(capsys.readouterr().out)[-1]["atoms"] == [f'o("front","{sheets[1]}")']


@pytest.mark.parametrize("dialect", [{}, {"delimiter": ";", "encoding": "utf-16"}])
def test_from_any_record_on(tmp_path: Path, dialect: dict[str, Any]) -> None:
    """Whatever is said of how tables of text are written."""
    path = str(tmp_path / "b.xlsx")
    write_workbook(Path(path), {"May": ROWS})
    reading = Reading(declarations=READING.declarations, **dialect)
    for number in (1, 2, 17, 39):
        with FileInput(path, reading, refused) as first:
            rest = first.records()
            for _ in range(number):
                next(rest)
            state = json.loads(json.dumps(first.state()))
        with FileInput(path, reading, refused) as again:
            again.restore(state)
            assert in_short(list(again.records())) == FACTS[number:]


def refused(one: Rejected) -> None:
    raise AssertionError(one)


def test_a_sheet_of_many_rows_is_read_in_pieces(tmp_path: Path) -> None:
    write_workbook(tmp_path / "b.xlsx", {"May": [["time", "x"], *([n, f"x{n}"] for n in range(20000))]})
    reading = Reading(declarations=[parse_input_declaration("r(x)")])
    with FileInput(str(tmp_path / "b.xlsx"), reading, refused) as source:
        shares = [source.share or 0 for _ in source.records()]
        assert len(shares) == 20000
        assert shares == sorted(shares)
        assert 0 < shares[0] < 0.5 < shares[-1] <= 1


def test_a_packed_one(tmp_path: Path) -> None:
    write_workbook(tmp_path / "b.xlsx", {"May": ROWS})
    (tmp_path / "b.xlsx.gz").write_bytes(gzip.compress((tmp_path / "b.xlsx").read_bytes()))
    assert facts(tmp_path / "b.xlsx.gz") == facts(tmp_path / "b.xlsx.gz?sheet=May") == FACTS


_ODS = """<?xml version="1.0"?><office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>
<table:table table:name="May">{}</table:table></office:spreadsheet></office:body></office:document-content>"""


_MANIFEST = '<manifest xmlns="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'


def test_one_of_open_document(tmp_path: Path) -> None:
    def cell(value: object) -> str:
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'

    rows = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in ROWS)
    with ZipFile(tmp_path / "b.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", _MANIFEST)
        archive.writestr("content.xml", _ODS.format(rows))
    assert facts(tmp_path / "b.ods") == FACTS


@pytest.mark.parametrize("name", ["b.xlsx", "b.xls", "b.xlsb", "b.ods", "b.XLSX"])
@pytest.mark.parametrize("data", [b"", b"PK\3\4", b"time,x\n1,2\n"])
def test_what_is_no_workbook(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=f"{name}: it is no workbook that can be read, or needs a password"):
        facts(tmp_path / name)


@pytest.mark.parametrize("rows", [[], [[None]]])
def test_an_empty_sheet(tmp_path: Path, rows: list[list[None]]) -> None:
    write_workbook(tmp_path / "b.xlsx", {"May": rows})
    with pytest.raises(InputError, match="the table is empty"):
        facts(tmp_path / "b.xlsx")


def test_the_proposal_reads_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin = datetime(2026, 5, 1, 23)
    rows = [[begin + timedelta(minutes=5 * n), f"r{n % 3}", n % 7 + 0.5] for n in range(50)]
    book = tmp_path / "b.xlsx"
    write_workbook(book, {"May": [["Temps"], [], ["Zeit", "Raum", "°C"], *rows], "June": [["x"]]})
    assert main(["check", "--input", str(book)]) == 0
    proposed = capsys.readouterr().out
    head = (
        "% b.xlsx (the sheet May, the first of 2 (?sheet=June takes another), the header is line 3): 50 rows"
    )
    assert proposed.startswith(head)
    (tmp_path / "p.lars").write_text(proposed)
    assert main(["check", str(tmp_path / "p.lars"), "--input", str(book)]) == 0
    assert "50 records can be read, 0 cannot" in capsys.readouterr().out


def test_proposals_name_predicates_by_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_workbook(tmp_path / "b.xlsx", {"May": ROWS, "Juni (neu)": ROWS})
    sheets = [f"{tmp_path / 'b.xlsx'}?sheet={name}" for name in ("May", "Juni (neu)")]
    assert main(["check", "--input", sheets[0], "--input", sheets[1]]) == 0
    proposed = capsys.readouterr().out
    assert "#input may(" in proposed
    assert "#input juni_neu(" in proposed


def test_they_are_not_read_live(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_workbook(tmp_path / "b.xlsx", {"May": ROWS})
    (tmp_path / "p.lars").write_text("#input r(room, number(temp)*10).")
    assert main(["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "b.xlsx"), "--follow"]) == 2
    assert (
        "b.xlsx: lars2asp cannot follow workbooks and databases: save the table as a CSV file"
        in capsys.readouterr().err
    )


def background(folder: Path, program: str) -> tuple[list[str], list[str]]:
    """The statements of a program, and what is said of it."""
    (folder / "p.lars").write_text(program)
    diagnostics = Diagnostics()
    found = parse(*read_sources([folder / "p.lars"]), diagnostics=diagnostics)
    return [to_text(one) for one in found.statements], [one.message for one in diagnostics.found]


def test_background_facts(tmp_path: Path) -> None:
    """Also below a title, and from a sheet that is named."""
    rows: list[list[Any]] = [
        ["card", "limit", "since"],
        [17, 5.5, date(2026, 5, 1)],
        ["007", 6, None],
        [17, 5.5, None],
    ]
    write_workbook(tmp_path / "b.xlsx", {"Old": [["card"], [3]], "May": [["Cards"], [], *rows]})
    may = '#table t({}) from "b.xlsx?sheet=May".'
    assert background(tmp_path, may.format("text(card), limit")) == (['t("17",5.5).', 't("007",6.0).'], [])
    assert background(tmp_path, may.format("limit, since")) == (['t(5.5,"2026-05-01").'], [])
    assert background(tmp_path, '#table t(card) from "b.xlsx".') == (["t(3)."], [])


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ('t(kard) from "b.xlsx"', "b.xlsx: no column 'kard'; the columns are 'card', 'limit'"),
        ('t(card) from "b.xlsx?sheet=Mai"', "b.xlsx?sheet=Mai: no such sheet; the sheets are May"),
        ('t(int(card)) from "b.xlsx"', "b.xlsx:3: 'x' is not an integer"),
        ('t(card) from "no.xlsx?sheet=May"', "cannot find no.xlsx"),
        ('t(card) from "bad.xlsx"', "bad.xlsx: it is no workbook that can be read"),
    ],
)
def test_what_is_no_background(tmp_path: Path, table: str, reason: str) -> None:
    write_workbook(tmp_path / "b.xlsx", {"May": [["card", "limit"], [1, 2], ["x", 3]]})
    (tmp_path / "bad.xlsx").write_text("card\n1\n")
    found, [said] = background(tmp_path, f"#table {table}.")
    assert found == []
    assert reason in said


def test_a_column_of_mostly_numbers_names_the_row_of_the_sheet(tmp_path: Path) -> None:
    write_workbook(tmp_path / "b.xlsx", {"May": [[], ["card"], [1], [2], ["x"]]})
    (tmp_path / "p.lars").write_text('#table t(card) from "b.xlsx". s(X) :- t(X). #show s/1.')
    said = [one.message for one in check(*read_sources([tmp_path / "p.lars"]))]
    assert any("b.xlsx:5: 'x' is not a number" in one for one in said)
