"""Facts, times and the three input formats: what is taken and what is rejected."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from clingo import Function, Number

from lars2asp.parser import parse_input_declaration
from runtime.errors import InputError
from runtime.facts import parse_list, to_atom
from runtime.records import Record, Rejected
from runtime.sources.facts import read_facts
from runtime.sources.jsonl import read_jsonl
from runtime.sources.table import Dialect, read_csv
from runtime.timeline import Timeline, TimeUnit

SECONDS = Timeline(1_000_000)


# --- facts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["p", "p(a,1)", "-p(1)", 'p("a.b, X_ 99999999999")', "p((1,),f(-3))", "'x(_y)", "p(2147483647)"]
)
def test_atoms(text: str) -> None:
    assert str(to_atom(text)) == text


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        ("p(X)", "X is a variable"),
        ("p(_)", "_ is a variable"),
        ("p(1.5)", "a decimal where an integer is needed"),
        ("p(2147483648)", "more than 32 bits"),
        ("p(1..3)", "no single ground atom"),
        ("p(1;2)", "no single ground atom"),
        ("p(ä)", "ä can stand only in a string"),
        ("p(" + "9" * 6000 + ")", "more than 32 bits"),
        ("p(" + "f(" * 1000 + "1" + ")" * 1000 + ")", "nested more than"),
        ("p(" + "-" * 1000 + "1)", "nested more than"),
        ("p(1+1)", "no place for arithmetic"),
        ("p(3 -1)", "no place for arithmetic"),
        ("p(0xFFFFFFFFFF)", "more than 32 bits"),
        ('p("\ud800")', "not UTF-8"),
        (("p", "\ud800"), "not UTF-8"),
        ("p(@f)", "no single ground atom"),
        ("p(", "no atom"),
        ("", "no atom"),
        ("3", "no atom"),
        ('"x"', "no atom"),
        ("(a,b)", "no atom"),
        ("p. q", "no atom"),
        ("not p", "no atom"),
        ("p\0q", "null character"),
        (("p", 2**31), "more than 32 bits"),
        (("p", 1.5), "decimal"),
        (("p", True), "neither integer nor text"),
        (("p", None), "neither integer nor text nor tuple"),
        (("p(1)", 2), "first item is the name"),
        ((1, 2), "no fact"),
        (7, "no fact"),
        (Number(7), "no atom"),
    ],
)
def test_what_is_no_atom_is_refused_with_the_reason(fact: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        to_atom(fact)  # type: ignore[arg-type]


def test_lists_of_atoms() -> None:
    assert list(map(str, parse_list('p(a,(1,2)), q, r("x,y")'))) == ["p(a,(1,2))", "q", 'r("x,y")']
    assert parse_list("  ") == ()
    assert len(parse_list(", ".join(f"p(-{i})" for i in range(500)))) == 500
    for wrong in ("p,,q", "p q", "p),(q", "3", "p,"):
        with pytest.raises(InputError):
            parse_list(wrong)


# --- times ----------------------------------------------------------------------------------------


def test_integers_are_ticks_unless_a_unit_is_given() -> None:
    assert Timeline().tick(7) == 7
    assert Timeline(60_000_000, TimeUnit.SEC).tick(125) == 2
    assert Timeline(1_000_000, TimeUnit.MSEC).tick(2999) == 2


def test_timestamps_are_floored_to_ticks() -> None:
    timeline = Timeline(300_000_000, origin=datetime(2026, 1, 1, tzinfo=UTC))
    assert timeline.tick("2026-01-01T00:09:59.999Z") == 1
    assert timeline.tick("2026-01-01 01:10:00+01:00") == 2
    assert timeline.moment(2) == datetime(2026, 1, 1, 0, 10, tzinfo=UTC)


def test_timestamps_without_offset_are_in_the_zone() -> None:
    origin = datetime(2026, 1, 1, tzinfo=UTC)
    assert Timeline(3_600_000_000, origin=origin).tick("2026-01-01T05:00") == 5
    vienna = Timeline(3_600_000_000, origin=origin, zone=ZoneInfo("Europe/Vienna"))
    assert vienna.tick("2026-01-01T05:00") == 4
    assert vienna.tick("2026-01-01T05:00Z") == 5


@pytest.mark.parametrize(
    ("timeline", "time", "reason"),
    [
        (Timeline(), "2026-01-01", "needs the length of a tick"),
        (Timeline(unit=TimeUnit.SEC), 5, "needs the length of a tick"),
        (SECONDS, "yesterday", "no ISO 8601 timestamp"),
        (SECONDS, "1969-12-31T23:59:59Z", "before tick 0"),
        (SECONDS, -1, "before tick 0"),
        (Timeline(1_000), "2026-01-01", "more than 32 bits"),
        (Timeline(), 2**31, "more than 32 bits"),
        (Timeline(), 1.5, "neither an integer nor"),
        (Timeline(), True, "neither an integer nor"),
        (Timeline(), None, "neither an integer nor"),
    ],
)
def test_times_that_are_none(timeline: Timeline, time: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        timeline.tick(time)


# --- formats --------------------------------------------------------------------------------------


def told(records: list[Record]) -> list[str]:
    """Records in short."""
    found = []
    for record in records:
        events = record.events
        until = "" if events.until is None else f" until {events.until}"
        signs = [("", events.facts), ("+", events.begin), ("-", events.end)]
        atoms = [f"{sign}{atom}" for sign, group in signs for atom in group]
        found.append(f"{record.tick}: {' '.join(atoms)}{until}")
    return found


def test_json_lines() -> None:
    lines = [
        '{"time": 3, "facts": ["p(a,1)", "q"]}\n',
        "\n",
        '{"time": 3, "begin": ["on(m)"]}\n',
        '{"time": 9, "end": ["on(m)"], "facts": []}\n',
        '{"time": 9, "facts": ["p(a)"], "until": 12}\n',
        '{"time": "1970-01-01T00:00:20Z"}',
    ]
    rejected: list[Rejected] = []
    records = list(read_jsonl(lines, "x", SECONDS, rejected.append))
    assert rejected == []
    assert told(records) == ["3: p(a,1) q", "3: +on(m)", "9: -on(m)", "9: p(a) until 12", "20: "]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{bad", "broken JSON"),
        ("[" * 100_000, "broken JSON"),
        ("3", "a record is an object"),
        ("{}", "no time"),
        ('{"time": 1, "fact": ["p"]}', "unknown key 'fact'"),
        ('{"time": 1, "facts": "p"}', "facts must be a list"),
        ('{"time": 1, "facts": [1]}', "facts must be a list"),
        ('{"time": 1, "facts": ["p(X)"]}', "is not ground"),
        ('{"time": 1.5}', "neither an integer nor"),
        ('{"time": 1, "until": 3}', "until needs facts"),
        ('{"time": 1, "facts": ["p"], "until": null}', "neither an integer nor"),
        ('{"time": 1, "facts": ["p(\\"\udcff\\")"]}', "not UTF-8"),
        ('{"time": 1, "facts": ["p(\\"\\ud800\\")"]}', "not UTF-8"),
        ('{"time": 1, "facts": ["p(\\u0000)"]}', "null character"),
    ],
)
def test_bad_json_lines_are_rejected_and_good_ones_around_them_taken(line: str, reason: str) -> None:
    rejected: list[Rejected] = []
    good = '{"time": 0, "facts": ["p"]}'
    records = list(read_jsonl([good, line, good], "in.jsonl", SECONDS, rejected.append))
    assert told(records) == ["0: p", "0: p"]
    [only] = rejected
    assert reason in only.reason
    assert str(only.origin) == "in.jsonl:2"


def test_plain_facts() -> None:
    lines = ["3: p(a,1), q\n", "% comment\n", "4:", " 5 : r.\n", '1970-01-01 00:00:06: s("a: b").\n']
    rejected: list[Rejected] = []
    assert told(list(read_facts(lines, "x", SECONDS, rejected.append))) == [
        "3: p(a,1) q",
        "4: ",
        "5: r",
        '6: s("a: b")',
    ]
    assert rejected == []


@pytest.mark.parametrize(
    "line", ["p(1)", "3 p", "3: p(X)", "3: p q", "x: p", "3: p(1.5)", ": p", "--3: p", "3: p,."]
)
def test_bad_plain_facts(line: str) -> None:
    rejected: list[Rejected] = []
    assert list(read_facts([line], "x", SECONDS, rejected.append)) == []
    assert len(rejected) == 1


def table(
    lines: list[str], *declarations: str, dialect: Dialect | None = None
) -> tuple[list[str], list[str]]:
    """What is told, and what is rejected, of a table."""
    rejected: list[Rejected] = []
    inputs = [parse_input_declaration(text) for text in declarations]
    records = list(read_csv(lines, "t.csv", inputs, SECONDS, rejected.append, dialect))
    return told(records), [f"{r.origin.line}: {r.reason}" for r in rejected]


def test_tables() -> None:
    facts, rejected = table(
        ["time,Room no,temp,id,kind\n", '3,"a, b",21.55,007,ok\n', "4,7,-0.25,x,on\n"],
        'r("Room no", temp*10, text(id), constant(kind))',
    )
    assert facts == ['3: r("a, b",216,"007",ok)', '4: r(7,-3,"x",on)']
    assert rejected == []


def test_missing_cells_tell_nothing_for_that_declaration() -> None:
    lines = ["time;a;b", "1;5;", "2;NA;6", "3;1;2"]
    facts, rejected = table(lines, "a(a)", "b(b)", dialect=Dialect(";", frozenset(["NA"])))
    assert facts == ["1: a(5)", "2: b(6)", "3: a(1) b(2)"]
    assert rejected == []


@pytest.mark.parametrize(
    ("cell", "declaration", "reason"),
    [
        ("1.5", "r(c)", "column c: 1.5 is a decimal where an integer is needed"),
        ("x", "r(c*10)", "column c: 'x' is no number"),
        ("NaN", "r(c*10)", "column c: 'NaN' is no number"),
        ("Infinity", "r(c*10)", "column c: 'Infinity' is no number"),
        ("1_0", "r(c*10)", "column c: '1_0' is no number"),
        ("99999999999", "r(c)", "more than 32 bits"),
        ("1e12", "r(c*10)", "more than 32 bits"),
        ("1e999999999", "r(c*10)", "column c"),
        ("Ab", "r(constant(c))", "column c: 'Ab' is no constant"),
        ("x", "r(int(c))", "column c: 'x' is no integer"),
        ("\udcff", "r(c)", "not UTF-8"),
        ("1,2", "r(c)", "the row has 3 cells, the header 2"),
    ],
)
def test_bad_rows_are_rejected_alone(cell: str, declaration: str, reason: str) -> None:
    good = "7" if "constant" not in declaration else "ok"
    facts, rejected = table(["time,c", f"1,{good}", f"2,{cell}", f"3,{good}"], declaration)
    assert [fact.split(":")[0] for fact in facts] == ["1", "3"]
    [only] = rejected
    assert only.startswith("3: ")
    assert reason in only


def test_a_row_is_rejected_whole_and_once() -> None:
    facts, rejected = table(["time,a,b", "1,1.5,2", "2,1.5,2.5", "3,1,2"], "a(a)", "b(b)")
    assert facts == ["3: a(1) b(2)"]
    assert [line.split(":")[0] for line in rejected] == ["2", "3"]


def test_a_row_with_missing_cells_still_moves_the_clock() -> None:
    assert table(["time,a", "1,7", "5,"], "a(a)") == (["1: a(7)", "5: "], [])


def test_what_looks_like_a_number_but_is_none_stays_text() -> None:
    facts, rejected = table(["time,a", "1,007", "2,+5", "3,-0", "4,1e5"], "a(a)")
    assert facts == ['1: a("007")', '2: a("+5")', "3: a(0)"]
    assert len(rejected) == 1


def test_a_broken_quote_is_told_at_its_line() -> None:
    lines = ["time,a\n", "1,7\n", '2,"x"y\n', "3,8\n", '4,"z\n', "5,9\n"]
    facts, rejected = table(lines, "a(a)")
    assert facts == ["1: a(7)", "3: a(8)"]
    assert [line.split(":")[0] for line in rejected] == ["3", "5"]


def test_a_bad_time_is_rejected() -> None:
    facts, rejected = table(["time,c", "noon,1", "2,2", ",3"], "r(c)")
    assert facts == ["2: r(2)"]
    assert len(rejected) == 2


def test_a_table_without_declaration_gets_one_proposed() -> None:
    with pytest.raises(InputError, match=r'#input reading\("Room no", temp\*10, n\) at "Time \(UTC\)"\.'):
        table(["Time (UTC),Room no,temp,n\n", "2026-01-01,x,1.5,3\n"])


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(InputError, match="no column 'room' for #input r; the columns are 'time', 'Room'"):
        table(["time,Room", "1,2"], "r(room)")
    with pytest.raises(InputError, match="the table is empty"):
        table([], "r(room)")
    with pytest.raises(InputError, match=r"t\.csv:1: error: broken row: unexpected end of data"):
        table(['"time,room\n', "1,2\n"], "r(room)")
    with pytest.raises(InputError, match=r"t\.csv:2: error: broken row"):
        table(["time,room\n", '1,"2\n'])


def test_facts_are_compared_as_symbols() -> None:
    assert to_atom(" p( 1 ) ") == Function("p", [Number(1)])
