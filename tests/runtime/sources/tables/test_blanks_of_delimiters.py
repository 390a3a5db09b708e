"""A blank that stands behind each delimiter, or around each, belongs to it; other blanks are text."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, Record, refuse
from lars2asp.runtime.sources.tables.table_form import Dialect, table_form
from lars2asp.syntax.parser import parse_input_declaration

READING = Reading(Format.CSV, declarations=[parse_input_declaration('p(a or "-", text(b) or "-") at t')])

Cells = tuple[str, str]


def rows_of(records: Sequence[Record]) -> list[Cells]:
    return [
        (str(a).strip('"'), str(b).strip('"'))
        for record in records
        for atoms in record.events.facts
        for a, b in atoms.rows
    ]


def read(folder: Path, text: str, *, live: bool) -> list[Cells]:
    """The cells of a table, from a file or as its lines come."""
    if live:
        reader = LiveReader(READING, refuse)
        lines = [Line("tcp:1", number, one) for number, one in enumerate(text.splitlines(), start=1)]
        return rows_of([record for line in lines for record in reader.records(line)])
    (folder / "a.csv").write_text(text, newline="")
    with FileInput(str(folder / "a.csv"), READING, refuse) as source:
        return rows_of([*source.records()])


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("t, a, b\n1, x, y\n2, u v,  w\n", [("x", "y"), ("u v", " w")]),
        ("t, a, b\n1, , y\n2, x, \n", [("-", "y"), ("x", "-")]),
        ('t, a, b\n1, "x, y", "z"\n2, x, "a ""b"", c"\n', [("x, y", "z"), ("x", 'a "b", c')]),
        ("t | a | b\n1 | x | y \n2 |  x | y\n", [("x", "y "), (" x", "y")]),
        ("t|a|b\n1 | x | y\n2 | u | w\n", [("x", "y"), ("u", "w")]),
        ("t; a; b\n1; x; y\n", [("x", "y")]),
        ("t,a,b\n1, x, y\n2, x, y\n", [(" x", " y"), (" x", " y")]),
        ("t, a, b\n1, x,y\n2, x, y\n", [(" x", "y"), (" x", " y")]),
        ("t,a,b\n1,x,y z\n2, x,y\n", [("x", "y z"), (" x", "y")]),
    ],
)
def test_blanks(tmp_path: Path, text: str, expected: list[Cells], *, live: bool) -> None:
    assert read(tmp_path, text, live=live) == expected


def test_a_cell_of_several_lines_keeps_its_blanks(tmp_path: Path) -> None:
    text = 't, a, b\n1, "x, y\nu, v", z\n2, x, y\n'
    assert read(tmp_path, text, live=False) == [("x, y\nu, v", "z"), ("x", "y")]


def test_the_run_says_so() -> None:
    form = table_form(b"t, a\n1, 2\n3, 4\n", Dialect())
    assert form.said(Dialect()) == "a blank behind each delimiter"
    assert table_form(b"t,a\n1,2\n", Dialect()).said(Dialect()) == ""


CELL = st.text("abc ", max_size=4)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=25), st.booleans())
def test_cells_are_those_that_were_written(rows: list[Cells], is_around: bool) -> None:
    """But for blanks before a delimiter, where these belong to it."""
    sign = " | " if is_around else ", "
    numbered = [("t", "a", "b"), *((str(number), *row) for number, row in enumerate(rows))]
    text = "".join(f"{sign.join(row)}\n" for row in numbered)
    form = table_form(text.encode(), Dialect())
    if any(cell == "" or cell.startswith(" ") for row in rows for cell in row):
        return  # more blanks than those of delimiters stand there
    assert form.blanks == (2 if is_around else 1)
    assert [tuple(form.cells(line)[1:]) for line in text.splitlines()[1:]] == rows
    assert [tuple(row[1:]) for row in form.reader(text.splitlines()[1:])] == rows
