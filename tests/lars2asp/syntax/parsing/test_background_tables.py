"""Background facts from files: `#table`."""

from datetime import datetime
from pathlib import Path

import pytest

from lars2asp import Reasoner
from lars2asp.compiler import check
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.parser import parse, read_sources
from lars2asp.syntax.printer import to_text


def facts(folder: Path, text: str, program: str) -> tuple[list[str], list[str]]:
    """The statements of a program beside a table, and what is said of it."""
    (folder / "t.csv").write_text(text, encoding="utf-8-sig")
    (folder / "p.lars").write_text(program)
    diagnostics = Diagnostics()
    found = parse(*read_sources([folder / "p.lars"]), diagnostics=diagnostics)
    return [to_text(one) for one in found.statements], [one.message for one in diagnostics.found]


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("card,limit\n17,5\n18,-1\n17,5\n", "card, limit", ["t(17,5).", "t(18,-1)."]),
        ("card;limit\n007;1.5\n8;-2\n", "card, limit", ['t("007",1.5).', 't("8",-2.0).']),
        ("Card no\troom\n1\tk\n2\t\n\n", 'text("Card no"), constant(room)', ['t("1",k).']),
        ("card;limit\n17;5;\n18;6;\n", "card, limit", ["t(17,5).", "t(18,6)."]),
        ('name\n"a, ""b"""\n', "name", ['t("a, \\"b\\"").']),
    ],
)
def test_a_row_is_a_fact(tmp_path: Path, text: str, columns: str, expected: list[str]) -> None:
    assert facts(tmp_path, text, f'#table t({columns}) from "t.csv".') == (expected, [])


@pytest.mark.parametrize(
    ("text", "columns", "reason"),
    [
        ("card\n1\n", "kard", "no column 'kard'; the columns are 'card'"),
        (
            "a,a\n1,2\n",
            "a",
            "more than one column 'a'; the columns are 'a', 'a': write column(1) or",
        ),
        ("a,b\n1,2\n3\n", "a", "t.csv:3: the row has 1 cells, the header 2"),
        ("a\n1\nx\n", "int(a)", "t.csv:3: 'x' is not an integer"),
        ("a\nB\n", "constant(a)", "t.csv:2: 'B' is not a constant"),
        (
            "a;b\n1.5;2\n",
            'number(a, ",")',
            "t.csv:2: '1.5' is not a number with these signs; write number(a, \".\")",
        ),
        ("a;b\n1;;\n2;3;4\n", "a", "t.csv:2: the row has 3 cells, the header 2"),
        ("a\n1\n", "a*10", "#table does not support this conversion"),
        ("a\n1\n", "each a", "#table does not support this conversion"),
    ],
)
def test_what_is_not_a_table(tmp_path: Path, text: str, columns: str, reason: str) -> None:
    found, said = facts(tmp_path, text, f'#table t({columns}) from "t.csv".')
    assert found == []
    assert len(said) == 1
    assert reason in said[0]


def test_a_cell_that_makes_a_column_text_is_named(tmp_path: Path) -> None:
    """Where most others are numbers; who says text means it."""
    text = "card,room,limit\n12,k1,5\n0815,2,6\n77,k3,7\n13,k4,none\n"
    found, said = facts(tmp_path, text, '#table t(card, room, limit) from "t.csv".')
    assert found[1] == 't("0815","2","6").'
    why = "is not a number"
    assert said == [
        f"{tmp_path}/t.csv:3: '0815' {why}, which begins with 0, so that all of the column is text",
        f"{tmp_path}/t.csv:5: 'none' {why}, so that all of the column is text",
    ]
    assert facts(tmp_path, text, '#table t(text(card), room, text(limit)) from "t.csv".') == (found, [])


def test_decimal_commas_are_told(tmp_path: Path) -> None:
    found, said = facts(tmp_path, "id;sum\n1;1.234,50\n2;7,25\n", '#table t(id, sum) from "t.csv".')
    assert found == ['t(1,"1.234,50").', 't(2,"7,25").']
    assert said == [
        f"{tmp_path}/t.csv:2: '1.234,50' has a decimal comma, so lars2asp reads the column as text"
    ]


def test_decimal_commas_are_read_where_they_are_declared(tmp_path: Path) -> None:
    text = "id;sum\n1;1.234,50\n2;-7,25\n3;12\n"
    table = '#decimals t(_,2). #table t(id, number(sum, ",", ".")) from "t.csv".'
    found, said = facts(tmp_path, text, table)
    assert found[1:] == ["t(1,1234.50).", "t(2,-7.25).", "t(3,12.00)."]
    assert said == []


@pytest.mark.parametrize(
    ("decimals", "said"),
    [
        ("", ("the number of decimals of 1.50 is unknown here", "declare it: #decimals t(_,2,_).")),
        ("#decimals t(_,1,_).", ("2.25 has more than 1 decimal", "declare more: #decimals t(_,2,_).")),
        ("#decimals t(_,3,1).", None),
    ],
)
def test_decimals_are_told_once_at_the_column(
    tmp_path: Path, decimals: str, said: tuple[str, str] | None
) -> None:
    """And whole numbers are not taken for those of an old version."""
    (tmp_path / "t.csv").write_text("id,sum,n\n1,1.5,7\n2,5,8\n3,-2.25,9\n4,-2.25,10\n")
    (tmp_path / "p.lars").write_text(f'#table t(id, sum, n) from "t.csv". a :- t(_,_,_). {decimals}')
    found = check(*read_sources([tmp_path / "p.lars"]))
    assert [(one.location.begin, one.message, one.hint) for one in found] == ([(13, *said)] if said else [])


def test_rows_are_background_of_rules(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("card,limit\n17,2.5\n18,100.25\n")
    (tmp_path / "p.lars").write_text(
        '#table limit(card, limit) from "t.csv". #decimals limit(_,2), paid(_,2).'
        "over(C) :- paid(C,X) in [1], limit(C,L), X > L."
    )
    reasoner = Reasoner.from_file(tmp_path / "p.lars")
    answer = reasoner.step(1, ["paid(17,2.51)", "paid(18,100.25)", "paid(19,7.00)"])
    assert answer.holds.texts == ("over(17)",)


def test_files_of_parquet(tmp_path: Path) -> None:
    """Types say what columns have: digits of a string stay a string."""
    pa = pytest.importorskip("pyarrow")
    table = pa.table(
        {
            "card": ["007", "8", None],
            "n": [1, -2, 3],
            "part": [0.5, 1e-7, 2.0],
            "day": pa.array([datetime(2026, 1, 1), datetime(2026, 1, 2, 3), None], pa.timestamp("us", "UTC")),
            "is": [True, False, True],
            "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
            "list": [[1], [2], [3]],
        }
    )
    pytest.importorskip("pyarrow.parquet").write_table(table, tmp_path / "t.parquet")

    def found(columns: str) -> tuple[list[str], list[str]]:
        return facts(tmp_path, "", f'#table t({columns}) from "t.parquet".')

    assert found("card, n, constant(kind)") == (['t("007",1,a).', 't("8",-2,b).'], [])
    assert found("part")[0] == ["t(0.5000000).", "t(0.0000001).", "t(2.0000000)."]
    assert found("day, is")[0] == [
        't("2026-01-01T00:00:00+00:00","true").',
        't("2026-01-02T03:00:00+00:00","false").',
    ]
    assert "the column 'list' has values that lars2asp cannot read" in found("n, list")[1][0]
    (tmp_path / "t.parquet").write_bytes(b"no")
    assert "t.parquet: cannot be read: " in found("n")[1][0]


ROWS = "id,kind,limit\na,temp,2\nb,hum,broken\nc,temp,1\nd,temp,\n"


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ('kind = "temp", limit > 1.5', ['t("a","site",2).']),
        ('kind = "temp", limit or 7 > 1.5', ['t("a","site",2).', 't("d","site",9).']),
        ('number(limit) or missing != 2, kind != "hum"', ['t("c","site",1).']),
        ('id = "d"', ['t("d","site",9).']),
    ],
)
def test_conditions_leave_out_rows_before_their_cells_are_read(
    tmp_path: Path, conditions: str, expected: list[str]
) -> None:
    declared = f'#table t(id, fixed("site"), limit or 9) from "t.csv" where {conditions}.'
    assert facts(tmp_path, ROWS, declared) == (expected, [])


def test_a_cell_that_is_no_number_is_an_error_unless_its_row_is_left_out(tmp_path: Path) -> None:
    found, said = facts(tmp_path, ROWS, '#table t(id) from "t.csv" where limit > 1.')
    assert (found, len(said)) == ([], 1)
    assert "t.csv:3: 'broken' is not a number" in said[0]


def test_constants_stand_in_all_facts(tmp_path: Path) -> None:
    declared = '#table t(fixed("s \\" t"), fixed(-5), fixed(hall), id) from "t.csv" where id = "a".'
    assert facts(tmp_path, ROWS, declared) == (['t("s \\" t",-5,hall,"a").'], [])


@pytest.mark.parametrize(
    ("text", "column", "decimals", "expected"),
    [
        ("a\n1.5 kB\n2\nkB 3\n", "number(a)", 1, ["t(1.5).", "t(2.0).", "t(3.0)."]),
        (
            "a\n11.50 DR\n3 CR\n-1\n",
            'number(a, plus "CR", minus "DR")',
            2,
            ["t(-11.5).", "t(3.0).", "t(-1.0)."],
        ),
        ("a\n80.0999984741211\n-0.05\n2\n", "number(a) rounded", 1, ["t(80.1).", "t(-0.1).", "t(2.0)."]),
        ("a\n80.5\n-0.4\n-0.5\n", "number(a) rounded", 0, ["t(81).", "t(0).", "t(-1)."]),
        ("a;b\n;1\n2,25 EUR-;1\n", 'number(a, ",", minus "-") rounded or 7', 1, ["t(7.0).", "t(-2.3)."]),
    ],
)
def test_units_marks_and_rounding(
    tmp_path: Path, text: str, column: str, decimals: int, expected: list[str]
) -> None:
    declared = f" #decimals t({decimals})." if decimals else ""
    found, said = facts(tmp_path, text, f'#table t({column}) from "t.csv".{declared}')
    assert (found[: len(expected)], said) == (expected, [])


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        (
            "a\n1.5 kB\n1.5 MB\n",
            "number(a)",
            "t.csv:3: '1.5 MB' has the unit 'MB', and the first one was 'kB'; write",
        ),
        ("a\n1.5 MB\n", 'number(a, unit "kB")', "t.csv:2: '1.5 MB' has the unit 'MB', not 'kB'"),
        (
            "a\n5-\n",
            "number(a) or missing",
            "t.csv:2: '5-' has '-' after the number, which nothing declares; write number",
        ),
    ],
)
def test_other_units_and_marks_are_errors(tmp_path: Path, text: str, column: str, reason: str) -> None:
    [said] = facts(tmp_path, text, f'#table t({column}) from "t.csv".')[1]
    assert reason in said


def test_each_column_that_matches_gives_a_fact(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    text = "line,TI100,TI101,PI,k\na,20,,x,7\nb,21.5,3,y,8\n"
    frame = pa.table({"line": ["a", "b"], "TI100": [20, 21], "TI101": [None, 3], "PI": ["x", "y"]})
    parquet.write_table(frame, tmp_path / "t.parquet")

    def told(columns: str, file: str = "t.csv") -> list[str]:
        arguments, _, each = columns.partition(")")
        found, said = facts(tmp_path, text, f'#table t({arguments}) from "{file}"{each}.')
        assert not said
        return found

    assert told('line, k, x) each k, x of columns "TI*"') == [
        't("a","TI100",20.0).',
        't("b","TI100",21.5).',
        't("b","TI101",3.0).',
    ]
    with_values = ['t("TI100",20).', 't("TI101",0).', 't("TI100",21).', 't("TI101",3).']
    assert told('k, x or 0) each k, x of columns "TI*"', "t.parquet") == with_values
    assert told('k) each k, x of columns "TI101" where line != "c"') == ['t("TI101").']
    assert told('x) each k, x of columns "*" where k = "k"') == ["t(7).", "t(8)."]
    assert told('k, "x.f" or "n") each k, x of columns "k"') == ['t("k","n").']
    _, said = facts(tmp_path, text, '#table t(k, x) from "t.csv" each k, x of columns "Q*".')
    assert "no column matches \"Q*\"; the columns are 'line', 'TI100'" in said[0]
