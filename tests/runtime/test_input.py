"""Facts, times and the three input formats: what is taken and what is rejected."""

import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from time import process_time
from zoneinfo import ZoneInfo

import pytest
from clingo import Function, Number, Symbol

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources import atoms as facts
from lars2asp.runtime.sources.atoms import parse_list, to_atom
from lars2asp.runtime.sources.jsonl import read_jsonl
from lars2asp.runtime.sources.plain_facts import read_facts
from lars2asp.runtime.sources.records import Origin, Record, Rejected
from lars2asp.runtime.sources.table import Dialect, read_csv
from lars2asp.runtime.sources.timeline import Timeline, TimeUnit
from lars2asp.syntax.parser import parse_input_declaration

SECONDS = Timeline(1_000_000)
HOUR = 3_600_000_000
VIENNA = ZoneInfo("Europe/Vienna")


# --- facts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_plain_atoms_are_read_as_all_others_are(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is short for them takes nothing else, and makes the same of them."""
    choose = random.Random(seed)
    words = [
        "p",
        "not",
        "a1",
        "a_B",
        "_x",
        "X",
        "0",
        "7",
        "-7",
        "-0",
        "007",
        "999999999",
        "2147483648",
        "1.5",
    ]
    texts = []
    for _ in range(300):
        arguments = choose.choice([",", ",", ", "]).join(choose.choices(words, k=choose.randint(1, 3)))
        texts.append(choose.choice(words) + choose.choice(["", "()", *[f"({arguments})"] * 8]))
    in_short = list(map(read, texts))
    monkeypatch.setattr(facts, "_PLAIN", re.compile("(?!)"))
    facts._parsed.cache_clear()
    assert in_short == list(map(read, texts))
    assert sum(atom is not None for atom in in_short) > 30


def read(text: str) -> Symbol | None:
    """The atom that a text stands for, if it is one."""
    try:
        return to_atom(text)
    except InputError:
        return None


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


@pytest.mark.parametrize(
    "fact",
    [
        "p(\u202e)",
        "p(\x1b[2J)",
        "p(a\n,X)",
        'p("two\\\nlines")',
        "p(" + "\U0010ffff" * 1000 + ")",
        "p(" + "7" * 100_000 + ")",
        "X" * 100_000,
        "not " * 1000,
        "q" * 1000 + "\0",
        ("p", "\ud800" * 1000),
        ("p", ["x"] * 1000),
        ["x\n"] * 1000,
    ],
)
def test_reasons_are_one_line_that_can_be_printed(fact: object) -> None:
    with pytest.raises(InputError) as raised:
        to_atom(fact)  # type: ignore[arg-type]
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 400


def test_strings_that_are_not_closed() -> None:
    for text in ('p("x', 'p("x\\")', 'p("a\\tb")', 'p("x\ny")', 'p("x\n"' + "(" * 100_000, 'p("","'):
        with pytest.raises(InputError, match="a string is not closed"):
            to_atom(text)


def test_many_quotes_in_a_string_that_is_not_closed_are_no_matter() -> None:
    began = process_time()
    with pytest.raises(InputError, match="a string is not closed"):
        to_atom('p("' + '\\"' * 50_000)
    assert process_time() - began < 5


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
    vienna = Timeline(HOUR, origin=datetime(2026, 1, 1, tzinfo=UTC), zone=VIENNA)
    assert vienna.tick("2026-01-01T05:00") == 4
    assert vienna.tick("2026-01-01T05:00Z") == 5
    assert vienna.tick("2026-01-02") == 23


def test_timestamps_without_offset_are_rejected_where_there_is_no_zone() -> None:
    with pytest.raises(InputError) as caught:
        Timeline(HOUR).tick("2013-01-01 05:00")
    assert str(caught.value) == (
        "the time 2013-01-01 05:00 names no offset: write 2013-01-01T05:00:00Z (UTC), or name its zone by "
        '--timezone or #timezone "Europe/Vienna".'
    )
    with pytest.raises(InputError, match="the time 2026-01-01 names no offset: write 2026-01-01T00:00:00Z"):
        Timeline(HOUR).tick("2026-01-01")


def test_an_origin_without_offset_is_in_the_zone() -> None:
    vienna = Timeline(HOUR, origin=datetime(2026, 1, 1), zone=VIENNA)
    assert vienna.tick("2026-01-01T05:00") == 5
    assert vienna.tick("2026-01-01T05:00Z") == 6
    with pytest.raises(
        InputError, match="the origin 2026-01-01 00:00:00 names no offset: write 2026-01-01T00"
    ):
        Timeline(HOUR, origin=datetime(2026, 1, 1))


def test_local_times_that_a_clock_change_repeats_or_skips() -> None:
    """Of those that come twice the first; those that are skipped by the offset before the change."""
    autumn = Timeline(HOUR // 2, origin=datetime(2026, 10, 25, tzinfo=UTC), zone=VIENNA)
    assert autumn.tick("2026-10-25 02:30") == autumn.tick("2026-10-25 00:30Z") == 1
    assert autumn.tick("2026-10-25 02:30+01:00") == autumn.tick("2026-10-25 01:30Z") == 3
    assert autumn.tick("2026-10-25 03:00") == autumn.tick("2026-10-25 02:00Z") == 4
    spring = Timeline(HOUR // 2, origin=datetime(2026, 3, 29, tzinfo=UTC), zone=VIENNA)
    assert spring.tick("2026-03-29 01:30") == 1
    assert spring.tick("2026-03-29 02:30") == spring.tick("2026-03-29 03:30") == 3
    assert spring.tick("2026-03-29 03:00") == 2


def test_ticks_are_of_one_length_on_either_side_of_a_clock_change() -> None:
    """An hour that clocks skip does not pass; of two local times of a zone Python says otherwise."""
    vienna = Timeline(HOUR, origin=datetime(2026, 3, 29), zone=VIENNA)
    assert vienna.tick("2026-03-30T00:00") == 23
    assert vienna.moment(23) == datetime(2026, 3, 29, 22, tzinfo=UTC)
    days = Timeline(24 * HOUR, origin=datetime(2026, 3, 28), zone=VIENNA)
    assert [days.tick(f"2026-03-{day}") for day in (28, 29, 30, 31)] == [0, 1, 1, 2]


@pytest.mark.parametrize(
    ("timeline", "time", "reason"),
    [
        (Timeline(), "2026-01-01T00:00Z", "the time 2026-01-01T00:00Z needs the length of a tick"),
        (Timeline(unit=TimeUnit.SEC), 5, "needs the length of a tick"),
        (SECONDS, "yesterday", "no ISO 8601 timestamp"),
        (SECONDS, "1969-12-31T23:59:59Z", "before tick 0"),
        (SECONDS, -1, "before tick 0"),
        (Timeline(1_000), "2026-01-01T00:00Z", "more than 32 bits"),
        (Timeline(), 2**31, "more than 32 bits"),
        (Timeline(), 1.5, "neither an integer nor"),
        (Timeline(), True, "neither an integer nor"),
        (Timeline(), None, "neither an integer nor"),
        (Timeline(), [1], "a list is neither an integer nor"),
        (SECONDS, "9" * 100_000, r"9 \.\.\.' is no ISO 8601 timestamp"),
    ],
)
def test_times_that_are_none(timeline: Timeline, time: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        timeline.tick(time)


def test_numbers_too_long_to_be_written() -> None:
    """Python refuses to write numbers of more than 4300 digits."""
    with pytest.raises(InputError, match="the time ~1e4999 is tick ~1e4999, more than 32 bits"):
        Timeline().tick(10**4999)
    with pytest.raises(InputError, match="the time -~1e4999 lies before tick 0"):
        Timeline().tick(-(10**4999))
    with pytest.raises(InputError, match="is tick ~1e4305, more than 32 bits"):
        Timeline(1, TimeUnit.SEC).tick(10**4299)
    with pytest.raises(InputError, match="the time ~1e4999 needs the length of a tick"):
        Timeline(unit=TimeUnit.SEC).tick(10**4999)
    with pytest.raises(InputError, match="the number ~1e4999 has more than 32 bits"):
        to_atom(("p", 10**4999))


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
        ('{"time": ' + "[" * 900 + "]" * 900 + "}", "a list is neither an integer nor"),
        ('{"k' + "e" * 1000 + '": 1}', r"unknown key 'ke"),
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


def test_what_is_said_of_a_rejected_record_is_one_line() -> None:
    assert Rejected(Origin("x", 1), 'p("\ufeff\n")').reason == 'p("\\ufeff\\n")'
    assert len(Rejected(Origin("x", 1), "p" * 10_000).reason) < 1100


def test_plain_facts() -> None:
    lines = ["3: p(a,1), q\n", "% comment\n", "4:", " 5 : r.\n", '1970-01-01 00:00:06Z: s("a: b").\n']
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
    assert facts == ["1: a(7)", "3: a(8)", "5: a(9)"]
    assert [line.split(":")[0] for line in rejected] == ["3", "5"]


def test_rows_behind_a_quote_that_is_not_closed_are_read() -> None:
    """Whatever ends the broken row: a later quote, a wrong number of cells, or the end of the table."""
    rows = [f"{tick},{tick}\n" for tick in range(2, 50)]
    facts = [f"{tick}: a({tick})" for tick in range(2, 50)]
    for last in ("", '50,"50"\n', '"50",50\n'):
        told, rejected = table(["time,a\n", '1,"7\n', *rows, last], "a(a)")
        assert told == facts + (["50: a(50)"] if last else [])
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
    records = read_csv(lines(), "t.csv", [parse_input_declaration("a(a)")], SECONDS, rejected.append)
    assert told([next(records)]) == ["2: a(2)"]
    assert read < 1100
    assert [(r.origin.line, r.origin.text) for r in rejected] == [(2, '1,"7')]
    assert rejected[0].reason == "broken row: it has more than 1000 lines"


def test_the_reasons_of_tables_are_short() -> None:
    long = "x" * 10_000
    lines = ["time,a,b,c,d", f"1,{long},1,1,ok", f"2,1,1.{'5' * 10_000},1,ok", f"3,1,1,1e999999{long},ok"]
    lines += [f"4,1,1,1,{long}-", f"{long},1,1,1,ok", "5,1,1,1e999999,ok", f"6,1,1,1{'0' * 10_000},ok"]
    told, rejected = table(lines, "r(int(a), b, c*10, constant(d))")
    assert told == []
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
