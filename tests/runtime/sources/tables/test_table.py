"""Rows of tables become atoms as `#input` declares, and bad ones are rejected."""

import re
from collections.abc import Iterator
from itertools import chain

import pytest

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import Rejected
from lars2asp.runtime.sources.tables.table import read_csv
from lars2asp.runtime.sources.tables.table_form import Dialect
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.records import in_short

SECONDS = Timeline(1_000_000)


def table(
    lines: list[str], *declarations: str, dialect: Dialect | None = None
) -> tuple[list[str], list[str]]:
    """The records of a table in short, and the reasons of those rejected."""
    rejected: list[Rejected] = []
    inputs = [parse_input_declaration(text) for text in declarations]
    blocks = read_csv(lines, "t.csv", inputs, SECONDS, rejected.append, dialect)
    records = [*chain.from_iterable(blocks)]
    return in_short(records), [f"{r.origin.line}: {r.reason}" for r in rejected]


def test_tables() -> None:
    facts, rejected = table(
        ["time,Room no,temp,id,kind\n", '3,"a, b",21.55,007,ok\n', "4,7,-0.25,x,on\n"],
        'r("Room no", temp*10, text(id), constant(kind))',
    )
    assert facts == ['3: r("a, b",216,"007",ok)', '4: r(7,-3,"x",on)']
    assert rejected == []


def test_a_declaration_with_missing_cells_gives_no_fact() -> None:
    lines = ["time;a;b", "1;5;", "2;NA;6", "3;1;2"]
    facts, rejected = table(lines, "a(a)", "b(b)", dialect=Dialect(";", frozenset(["NA"])))
    assert facts == ["1: a(5)", "2: b(6)", "3: a(1) b(2)"]
    assert rejected == []


@pytest.mark.parametrize(
    ("cell", "declaration", "reason"),
    [
        ("1.5", "r(c)", "column c: 1.5 is a decimal, but this argument is an integer"),
        ("x", "r(c*10)", "column c: 'x' is not a number"),
        (
            "k.A.",
            "r(number(c))",
            "column c: 'k.A.' is not a number; to read such cells as empty, add --missing k.A.",
        ),
        ("NaN", "r(c*10)", "column c: 'NaN' is not a number"),
        ("Infinity", "r(c*10)", "column c: 'Infinity' is not a number"),
        ("1_0", "r(c*10)", "column c: '1_0' is not a number"),
        ("9" * 4001, "r(c)", "longer than 4000 digits"),
        ("1e4000", "r(c*10)", "longer than 4000 digits"),
        ("1e999999999", "r(c*10)", "column c"),
        ("25.1 °C", "r(c*10)", "column c: '25.1 °C' is not a number: to read it, write number(c)*10"),
        ("7 Stk", "r(int(c))", "column c: '7 Stk' is not an integer: to read it, write number(c)"),
        ("Ab", "r(constant(c))", "column c: 'Ab' is not a constant"),
        ("x", "r(int(c))", "column c: 'x' is not an integer"),
        ("\udcff", "r(c)", "not UTF-8"),
        ("1,2", "r(c)", "the row has 3 cells, but the header has 2"),
    ],
)
def test_bad_rows_are_rejected_alone(cell: str, declaration: str, reason: str) -> None:
    good = "7" if "constant" not in declaration else "ok"
    facts, rejected = table(["time,c", f"1,{good}", f"2,{cell}", f"3,{good}"], declaration)
    assert [fact.split(":")[0] for fact in facts] == ["1", "3"]
    [only] = rejected
    assert only.startswith("3: ")
    assert reason in only


@pytest.mark.parametrize(
    ("cell", "declaration", "reason"),
    [
        (
            "25,1",
            'r("c d"*10)',
            """column c d: '25,1' is not a number: to read it, write number("c d", ",")*10""",
        ),
        ("1.007,5", 'r("c d"*10)', """is not a number: to read it, write number("c d", ",", ".")*10"""),
        ("1 007.5", 'r("c d"*10)', """is not a number: to read it, write number("c d", ".", " ")*10"""),
        ("25,1", 'r(int("c d"))', "is not an integer"),
        ("25,0", 'r(int("c d"))', """is not an integer: to read it, write number("c d", ",")"""),
        ("12 Mio", 'r("c d"*10)', "is not a number"),
        ("12-13", 'r("c d"*10)', "is not a number"),
    ],
)
def test_what_would_read_a_number_as_people_write_it(cell: str, declaration: str, reason: str) -> None:
    """And it does."""
    facts, [only] = table(["time;c d", f"1;{cell}"], declaration, dialect=Dialect(";"))
    assert facts == []
    assert only.endswith(reason)
    cure = re.search(r": to read it, write (.*)", only)
    if cure is not None:
        assert len(table(["time;c d", f"1;{cell}"], f"r({cure[1]})", dialect=Dialect(";"))[0]) == 1


def test_a_number_with_a_comma_is_no_string_where_the_place_has_decimals() -> None:
    declared = parse_input_declaration("r(c)")
    rejected: list[Rejected] = []
    lines = ["time;c\n", "1;25,1\n", "2;k.A.\n", "3;25.1\n"]
    decimals = {Signature("r", 1): (1,)}
    blocks = read_csv(lines, "t", [declared], SECONDS, rejected.append, Dialect(";"), decimals=decimals)
    records = [*chain.from_iterable(blocks)]
    assert in_short(records) == ['2: r("k.A.")', "3: r(251)"]
    assert [one.reason for one in rejected] == [
        """column c: '25,1' is not a number: to read it, write number(c, ",")"""
    ]


def test_a_row_is_rejected_whole_and_once() -> None:
    facts, rejected = table(["time,a,b", "1,1.5,2", "2,1.5,2.5", "3,1,2"], "a(a)", "b(b)")
    assert facts == ["3: a(1) b(2)"]
    assert [line.split(":")[0] for line in rejected] == ["2", "3"]


def test_what_is_rejected_is_what_was_written() -> None:
    """It has its quotes, also across lines, so that it can be mended and read again."""
    rows = ['1,"a, b\nc",bad', "2,d,bad", '3,"e ""f""",bad', '4,"g, h"', '5,"i",6']
    lines = [*"".join(f"{row}\n" for row in ["time,room,temp", *rows]).splitlines(keepends=True)]
    rejected: list[Rejected] = []
    declaration = parse_input_declaration("r(room, number(temp))")
    blocks = read_csv(lines, "t.csv", [declaration], SECONDS, rejected.append)
    assert in_short([*chain.from_iterable(blocks)]) == ['5: r("i",6)']
    assert [one.origin.text for one in rejected] == rows[:4]


def test_a_row_with_missing_cells_still_moves_the_clock() -> None:
    assert table(["time,a", "1,7", "5,"], "a(a)") == (["1: a(7)", "5: "], [])


def test_what_looks_like_a_number_but_is_none_stays_text() -> None:
    facts, rejected = table(["time,a", "1,007", "2,+5", "3,-0", "4,1e5"], "a(a)")
    assert facts == ['1: a("007")', '2: a("+5")', "3: a(0)"]
    assert len(rejected) == 1


def test_a_broken_quote_is_rejected_at_its_line() -> None:
    lines = ["time,a\n", "1,7\n", '2,"x"y\n', "3,8\n", '4,"z\n', "5,9\n"]
    facts, rejected = table(lines, "a(a)")
    assert facts == ["1: a(7)", "3: a(8)", "5: a(9)"]
    assert [line.split(":")[0] for line in rejected] == ["3", "5"]


def test_rows_behind_a_quote_that_is_not_closed_are_read() -> None:
    """Whatever ends the broken row: a later quote, a wrong number of cells, or the end of the table."""
    rows = [f"{tick},{tick}\n" for tick in range(2, 50)]
    facts = [f"{tick}: a({tick})" for tick in range(2, 50)]
    for last in ("", '50,"50"\n', '"50",50\n'):
        found, rejected = table(["time,a\n", '1,"7\n', *rows, last], "a(a)")
        assert found == facts + (["50: a(50)"] if last else [])
        assert [line.split(":")[0] for line in rejected] == ["2"]


def test_a_row_of_very_many_lines_is_broken() -> None:
    """Else a quote that is not closed would keep all of a live stream waiting."""
    read = 0

    def lines() -> Iterator[str]:
        nonlocal read
        yield from ("time,a\n", '1,"7\n')
        for read in range(2, 5000):
            yield f"{read},{read}\n"

    rejected: list[Rejected] = []
    blocks = read_csv(lines(), "t.csv", [parse_input_declaration("a(a)")], SECONDS, rejected.append)
    assert in_short(next(blocks))[0] == "2: a(2)"
    assert read < 1100
    assert [(r.origin.line, r.origin.text) for r in rejected] == [(2, '1,"7')]
    assert rejected[0].reason == "broken row: the row is longer than 1000 lines: is a closing quote missing?"


def test_the_reasons_of_tables_are_short() -> None:
    long = "x" * 10_000
    lines = ["time,a,b,c,d", f"1,{long},1,1,ok", f"2,1,1.{'5' * 10_000},1,ok", f"3,1,1,1e999999{long},ok"]
    lines += [f"4,1,1,1,{long}-", f"{long},1,1,1,ok", "5,1,1,1e999999,ok", f"6,1,1,1{'0' * 10_000},ok"]
    facts, rejected = table(lines, "r(int(a), b, c*10, constant(d))")
    assert facts == []
    assert len(rejected) == len(lines) - 1
    assert all(len(reason) < 400 for reason in rejected)
    with pytest.raises(InputError) as raised:
        table([f"time,{long}"], "r(room)")
    assert len(str(raised.value)) < 1000


def test_a_bad_time_is_rejected() -> None:
    facts, rejected = table(["time,c", "noon,1", "2,2", ",3"], "r(c)")
    assert facts == ["2: r(2)"]
    assert len(rejected) == 2


def test_a_table_without_declaration_gets_one_proposed() -> None:
    with pytest.raises(InputError) as raised:
        table(["Time (UTC),Room no,temp,n\n", "2026-01-01,x,1.5,3\n"])
    assert '#input reading("Room no", temp, n) at "Time (UTC)".' in str(raised.value)
    assert "#decimals reading(_, 1, _)." in str(raised.value)


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(InputError, match="no column 'room' for #input r; the columns are 'time', 'Place'"):
        table(["time,Place", "1,2"], "r(room)")
    with pytest.raises(InputError, match="the table is empty"):
        table([], "r(room)")
    with pytest.raises(InputError, match=r"t\.csv:1: error: broken row: unexpected end of data"):
        table(['"time,room\n', "1,2\n"], "r(room)")
    with pytest.raises(InputError, match=r"t\.csv:2: error: broken row"):
        table(["time,room\n", '1,"2\n'])
