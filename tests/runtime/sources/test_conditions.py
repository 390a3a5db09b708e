"""Constants as arguments, and conditions behind `where`: all inputs are as a plain reader has them.

docs/reference/formats/input-declarations.md says which records a declaration takes.
"""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from operator import eq, ge, gt, le, lt, ne
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pyarrow import feather, parquet

from lars2asp import Account
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.arrow.frames import read_frame, read_frame_blocks
from lars2asp.runtime.sources.files import read_file, read_file_blocks
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, OnReject, PassedOver, Record, Rejected, TimeAlone, refuse
from tests.support.examples import IS_NIGHTLY, number_of_examples

EXAMPLES = number_of_examples(60)
MANY = 2 * EXAMPLES if IS_NIGHTLY else EXAMPLES
"""The number of declarations with records that all inputs read: 2,000 by `make nightly`."""

ABSENT = object()
"""Stands for a field that a record does not have."""

Cell = Any
"""A text, None, or ABSENT."""

Row = dict[str, Cell]

Told = tuple[int, tuple[str, ...], str]
"""The tick of a record, its facts, and what it counts as."""


class Outcome(NamedTuple):
    """What an input tells, how many records are rejected, and how many are passed over."""

    told: list[Told]
    rejected: int
    passed_over: int


SIGNS: dict[str, Callable[[Any, Any], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE][+-]?[0-9]+)?")


def exact(cell: str) -> Decimal:
    if not NUMBER.fullmatch(cell.strip()):
        raise ValueError(cell)
    return Decimal(cell.strip())


def integer(cell: str) -> Decimal:
    if not re.fullmatch(r"-?(0|[1-9][0-9]*)", cell.strip()):
        raise ValueError(cell)
    return Decimal(cell.strip())


def tenfold(cell: str) -> Decimal:
    return (exact(cell) * 10).to_integral_value(ROUND_HALF_UP)


def with_comma(cell: str) -> Decimal:
    if not re.fullmatch(r"-?[0-9]+(,[0-9]+)?", cell.strip()):
        raise ValueError(cell)
    return Decimal(cell.strip().replace(",", "."))


class Read(NamedTuple):
    """How a column is read, as it is declared, and as a plain reader has it."""

    text: str
    number: Callable[[str], Decimal] = exact
    takes_empty: bool = False
    or_missing: bool = False
    otherwise: str | None = None

    def is_missing(self, cell: Cell, *, is_typed: bool, is_text: bool) -> bool:
        if not isinstance(cell, str):
            return True
        return not cell.strip() and not (is_typed and is_text and self.takes_empty)


OF_NUMBERS = [
    Read("{}"),
    Read("any({})"),
    Read("int({})", integer),
    Read("{}*10", tenfold),
    Read('number({}, ",")', with_comma),
    Read("number({})"),
    Read("number({}) or missing", or_missing=True),
    Read("int({}) or missing", integer, or_missing=True),
    Read("number({}) or missing or 5", or_missing=True, otherwise="5"),
    Read("{} or -1.5", otherwise="-1.5"),
]
OF_TEXTS = [
    Read("{}", takes_empty=True),
    Read("text({})", takes_empty=True),
    Read("constant({})"),
    Read("int({})"),
    Read('{} or "a"', takes_empty=True, otherwise="a"),
    Read('text({}) or ""', takes_empty=True, otherwise=""),
]


class Condition(NamedTuple):
    """`read sign value`."""

    name: str
    read: Read
    sign: str
    value: str | Decimal

    @property
    def text(self) -> str:
        """As it is written."""
        value = json.dumps(self.value) if isinstance(self.value, str) else str(self.value)
        return f"{self.read.text.format(self.name)} {self.sign} {value}"

    def holds(self, row: Row, *, is_typed: bool) -> bool | None:
        """None where the cell is wrong."""
        cell, read = row[self.name], self.read
        is_text = isinstance(self.value, str)
        if not read.is_missing(cell, is_typed=is_typed, is_text=is_text):
            if is_text:
                return SIGNS[self.sign](cell, self.value)
            try:
                return SIGNS[self.sign](read.number(cell), self.value)
            except ValueError:
                if not read.or_missing or NUMBER.fullmatch(cell.strip()):
                    return None  # a number that does not fit is there
        if read.otherwise is None:
            return False
        return SIGNS[self.sign](read.otherwise if is_text else read.number(read.otherwise), self.value)


def plain(cell: str) -> Any:
    if re.fullmatch(r"-?(0|[1-9][0-9]*)", cell.strip()):
        return int(cell)
    if re.fullmatch(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+)", cell.strip()):
        raise ValueError(cell)
    return cell


class Argument(NamedTuple):
    """A column `text(a)`, or a constant."""

    text: str
    name: str = ""
    fact: str = ""

    def value(self, row: Row, *, is_typed: bool) -> str | None:
        """As it stands in a fact; None where it is missing. Raises ValueError where it is wrong."""
        if not self.name:
            return self.fact
        cell = row[self.name]
        if not isinstance(cell, str) or not (cell.strip() or is_typed):
            return None
        value = cell if self.text.startswith("text") else plain(cell)
        return json.dumps(value) if isinstance(value, str) else str(value)


ARGUMENTS = [
    Argument("a", "a"),
    Argument("text(b)", "b"),
    Argument("c", "c"),
    Argument('fixed("k \\" k")', fact='"k \\" k"'),
    Argument("fixed(-5)", fact="-5"),
    Argument("fixed(hall)", fact="hall"),
]
TIMES = {"t": ["t"], "u": ["u"], "t or u": ["t", "u"]}


class Declared(NamedTuple):
    """`#input p(...) at t where ...`."""

    arguments: tuple[Argument, ...]
    conditions: tuple[Condition, ...]
    times: str = "t"
    name: str = "p"

    @property
    def text(self) -> str:
        """As it is written."""
        said = ", ".join(one.text for one in self.arguments)
        where = ", ".join(one.text for one in self.conditions)
        return f"#input {self.name}({said}) at {self.times}{' where ' if where else ''}{where}."

    def is_left_out(self, row: Row, *, is_typed: bool) -> bool:
        """Raises ValueError where a cell is wrong."""
        holds = [one.holds(row, is_typed=is_typed) for one in self.conditions]
        if False in holds:
            return True
        if None in holds:
            raise ValueError("a wrong cell")
        return False

    def tick(self, row: Row) -> int:
        """Raises ValueError where the time is missing or wrong."""
        for name in TIMES[self.times]:
            if isinstance(row[name], str) and row[name].strip():
                return int(row[name])
        raise ValueError("no time")

    def fact(self, row: Row, *, is_typed: bool) -> str | None:
        """None where a value is missing. Raises ValueError where one is wrong."""
        values = [one.value(row, is_typed=is_typed) for one in self.arguments]
        return None if None in values else f"{self.name}({','.join(map(str, values))})"

    def lacking(self, row: Row) -> list[str]:
        """The fields of the arguments that a JSON record lacks, and its time."""
        names = [one.name for one in self.arguments if one.name and row[one.name] is ABSENT]
        first, *_ = times = TIMES[self.times]
        return names + ([first] if all(row[name] is ABSENT for name in times) else [])

    @property
    def names(self) -> set[str]:
        """The columns that it reads besides times."""
        read = {one.name for one in self.arguments} | {one.name for one in self.conditions}
        return read - {"", *TIMES[self.times]}


def first_tick(declared: Iterable[Declared], row: Row) -> int | None:
    for one in declared:
        try:
            return one.tick(row)
        except ValueError:
            pass
    return None


class Reader:
    """Reads records one after the other, as the definitions say."""

    def __init__(self, declared: Sequence[Declared], *, is_typed: bool) -> None:
        self.declared = declared
        self.is_typed = is_typed
        self.told: list[Told] = []
        self.rejected = self.passed_over = 0

    def leave_out(self, declared: Iterable[Declared], row: Row) -> None:
        self.passed_over += 1
        tick = first_tick(declared, row)
        if tick is not None:
            self.told.append((tick, (), "passed_over"))

    def take(self, row: Row, fitting: Sequence[Declared], without: str = "without_fact") -> None:
        """Reads a record that has what some declarations name. Raises ValueError."""
        taken = [one for one in fitting if not one.is_left_out(row, is_typed=self.is_typed)]
        if not taken:
            self.leave_out(fitting, row)
            return
        facts: dict[int, list[str]] = {}
        for one in taken:
            here = facts.setdefault(one.tick(row), [])
            fact = one.fact(row, is_typed=self.is_typed)
            here += [] if fact is None else [fact]
        is_given = any(facts.values())
        for place, (tick, here) in enumerate(facts.items()):
            kind = "gave_facts" if here else "" if is_given or place else without
            self.told.append((tick, tuple(here), kind))
            self.passed_over += kind == "passed_over"

    def of_table(self, rows: Sequence[Row], names: Iterable[str]) -> Outcome:
        """Rows of a table, of which these columns say whether one is filled."""
        times = {name for one in self.declared for name in TIMES[one.times]}
        for row in rows:
            filled = {
                name
                for name, cell in row.items()
                if isinstance(cell, str) and (self.is_typed or cell.strip())
            }
            if not self.is_typed and not filled:
                continue  # a blank line
            without = "without_fact" if filled.intersection(names) - times else "passed_over"
            try:
                self.take(row, self.declared, without)
            except ValueError:
                self.rejected += 1
        return self.outcome

    def of_json(self, rows: Sequence[Row]) -> Outcome:
        """JSON records."""
        for row in rows:
            try:
                if fitting := [one for one in self.declared if not one.lacking(row)]:
                    self.take(row, fitting)
                elif any(self.is_left_out(one, row) for one in self.declared):
                    self.leave_out(self.declared, row)
                else:
                    self.pass_over(row)
            except ValueError:
                self.rejected += 1
        return self.outcome

    def is_left_out(self, one: Declared, row: Row) -> bool:
        try:
            return one.is_left_out(row, is_typed=True)
        except ValueError:
            return False

    def pass_over(self, row: Row) -> None:
        """Raises ValueError where there is a time, and none can be read."""
        best = min(self.declared, key=lambda one: len(one.lacking(row)))
        if {*best.lacking(row)}.issubset(TIMES[best.times]):
            raise ValueError("no time")
        tick = first_tick(self.declared, row)
        names = {name for one in self.declared for name in TIMES[one.times]}
        if tick is None and any(isinstance(row[name], str) and row[name].strip() for name in names):
            raise ValueError("no time")
        self.passed_over += 1
        if tick is not None:
            self.told.append((tick, (), "passed_over"))

    @property
    def outcome(self) -> Outcome:
        """What was read."""
        return Outcome(self.told, self.rejected, self.passed_over)


NAMES = ["t", "u", "a", "b", "c", "d"]
CELLS = st.sampled_from(
    [None, ABSENT, "", " ", "a", " b ", "7", " 7 ", "07", "-3", "1.5", "1.50", "1,5", "x,y"]
)
TICKS = st.sampled_from(["3", "4", "5", "3", "4", None, ABSENT, "", "x"])
ROWS = st.lists(st.tuples(TICKS, TICKS, CELLS, CELLS, CELLS, CELLS), min_size=1, max_size=6)
FIRST = ("3", "3", "w", "w", "7", "w")
"""A row that is seen to be none of units, as one directly after the names of a table may be."""

CONDITIONS = st.builds(
    Condition,
    st.sampled_from("abcd"),
    st.sampled_from(OF_NUMBERS),
    st.sampled_from([*SIGNS]),
    st.sampled_from([Decimal("7"), Decimal("1.5"), Decimal("-3"), Decimal("15.0"), Decimal(0)]),
) | st.builds(
    Condition,
    st.sampled_from("abcd"),
    st.sampled_from(OF_TEXTS),
    st.sampled_from(["=", "!="]),
    st.sampled_from(["a", "7", " b ", "", "1.5"]),
)
DECLARED = st.builds(
    Declared,
    st.lists(st.sampled_from(ARGUMENTS), min_size=1, max_size=3, unique=True)
    .filter(lambda found: any(one.name for one in found))
    .map(tuple),
    st.lists(CONDITIONS, max_size=2).map(tuple),
    st.sampled_from([*TIMES]),
    st.sampled_from(["p", "q"]),
)


def told_in(records: Iterable[Record]) -> list[Told]:
    found = []
    for record in records:
        events = record.events
        facts = tuple(text for atoms in events.facts for text in atom_texts(*atoms))
        kind = events.counted_as if isinstance(events, TimeAlone) else "gave_facts"
        found.append((+record.tick, facts, kind))
    return found


def live(
    lines: Sequence[str], reading: Reading, on_reject: OnReject = refuse, account: Account | None = None
) -> Iterator[Record]:
    reader = LiveReader(reading, on_reject)
    for number, line in enumerate(lines, start=1):
        yield from reader.records(Line("tcp:a", number, line))
    yield from reader.finish()
    if account is not None:
        account.restore(reader.account.state())


def blocks(given: Iterable[Iterable[Record]]) -> Iterator[Record]:
    for block in given:
        yield from block


def written(cell: str, *, has_numbers: bool) -> str:
    """A cell in JSON."""
    is_number = has_numbers and re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?", cell)
    return cell if is_number else json.dumps(cell)


class Case:
    """Declarations, and what an input makes of them."""

    def __init__(self, declared: Sequence[Declared]) -> None:
        self.inputs = Reasoner.from_text("\n".join(one.text for one in declared)).plan.inputs

    @classmethod
    def of(cls, text: str) -> "Case":
        """A declaration as it is written."""
        found = cls(())
        found.inputs = Reasoner.from_text(text).plan.inputs
        return found

    def read(self, source: Callable[..., Iterable[Record]], form: Format | None = None) -> Outcome:
        """What it tells; it gets how it is read, what takes what is rejected, and an account."""
        rejected, account = list[Rejected](), Account()
        told = told_in(source(Reading(form, declarations=self.inputs), rejected.append, account))
        assert account.rejected == sum(not isinstance(one, PassedOver) for one in rejected)
        return Outcome(told, account.rejected, account.passed_over)


A, B, C = ARGUMENTS[:3]
GOOD = Declared(
    (A, Argument("b", "b")),
    (Condition("c", OF_TEXTS[0], "=", "Good"), Condition("b", OF_NUMBERS[0], ">", Decimal(-999))),
)


@settings(
    max_examples=MANY,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(declared=st.lists(DECLARED, min_size=1, max_size=2), found=ROWS, has_numbers=st.booleans())
@example(
    declared=[GOOD],
    found=[
        ("1", None, "a", "5", "Good", None),
        ("2", None, "a", "broken", "Bad", None),
        ("3", None, "a", "-999", "Good", None),
        ("4", None, "a", "7", "", None),
    ],
    has_numbers=True,
)
@example(
    declared=[Declared((A,), (Condition("b", OF_NUMBERS[0], ">", Decimal(0)),), "t")],
    found=[("x", None, "a", "0", None, None), ("3", None, "a", "x,y", None, None)],
    has_numbers=False,
)
def test_every_input_has_what_a_plain_reader_has(
    declared: list[Declared], found: list[tuple[Cell, ...]], has_numbers: bool, tmp_path: Path
) -> None:
    """Files of CSV, JSON and Parquet, live input and frames, in columns and record by record."""
    rows = [dict(zip(NAMES, row, strict=True)) for row in (FIRST, *found)]
    case = Case(declared)
    table, lines_of, typed = tmp_path / "t.csv", tmp_path / "t.jsonl", tmp_path / "t.parquet"
    with table.open("w", newline="", encoding="utf-8") as file:
        cells = ([cell if isinstance(cell, str) else "" for cell in row.values()] for row in rows)
        csv.writer(file).writerows([NAMES, *cells])
    objects = [{name: cell for name, cell in row.items() if cell is not ABSENT} for row in rows]
    lines = [
        ", ".join(
            f'"{name}": {"null" if cell is None else written(cell, has_numbers=has_numbers)}'
            for name, cell in one.items()
        )
        for one in objects
    ]
    lines = [f"{{{line}}}" for line in lines]
    lines_of.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    document = tmp_path / "t.json"
    document.write_text(f"[{', '.join(lines)}]", encoding="utf-8")
    frame = pa.table({name: pa.array([one.get(name) for one in objects], pa.string()) for name in NAMES})
    parquet.write_table(frame, typed)

    text = table.read_text("utf-8").splitlines()
    as_text = Reader(declared, is_typed=False).of_table(rows, NAMES)
    as_json = Reader(declared, is_typed=True).of_json(rows)
    as_typed = Reader(declared, is_typed=True).of_table(rows, set().union(*(one.names for one in declared)))
    pandas = pd.DataFrame(objects, columns=NAMES)
    for name, expected, form, source in (
        ("rows", as_text, None, lambda *how: read_file(table, *how)),
        ("columns", as_text, None, lambda *how: blocks(read_file_blocks(table, *how))),
        ("live", as_text, Format.CSV, partial(live, text)),
        ("lines", as_json, None, lambda *how: read_file(lines_of, *how)),
        ("blocks of lines", as_json, None, lambda *how: blocks(read_file_blocks(lines_of, *how))),
        ("array", as_json, None, lambda *how: read_file(document, *how)),
        ("live lines", as_json, Format.JSONL, partial(live, lines)),
        ("Parquet", as_typed, None, lambda *how: read_file(typed, *how)),
        ("blocks of Parquet", as_typed, None, lambda *how: blocks(read_file_blocks(typed, *how))),
        ("frame", as_typed, None, lambda *how: read_frame(frame, *how)),
        ("blocks of a frame", as_typed, None, lambda *how: blocks(read_frame_blocks(frame, *how))),
        ("pandas", as_typed, None, lambda *how: read_frame(pandas, *how)),
    ):
        assert (name, case.read(source, form)) == (name, expected)


GOOD_TEXT = '#input good(tag, value) at ts where quality = "Good", value > -999.'
GOOD_LINE = (
    '#input good(tag, value) from "{tag} {value} {quality}$" at "%s" where quality = "Good", value > -999.'
)
GOOD_ROWS = [(1, "a", "5", "Good"), (2, "a", "broken", "Bad"), (3, "a", "-999", "Good"), (4, "a", "7", None)]
GOOD_FACTS = [(1, ('good("a",5)',), "gave_facts"), *((tick, (), "passed_over") for tick in (2, 3, 4))]
GOOD_NAMES = ["ts", "tag", "value", "quality"]


def good_records() -> list[dict[str, Any]]:
    return [dict(zip(GOOD_NAMES, row, strict=True)) for row in GOOD_ROWS]


def good_table() -> pa.Table:
    return pa.Table.from_pylist(good_records())


def test_a_filter_in_files(tmp_path: Path) -> None:
    """The example of the definitions."""
    lines = [json.dumps(one) for one in good_records()]
    texts = {
        "t.csv": "\n".join(
            ["ts,tag,value,quality", *(",".join(str(c or "") for c in row) for row in GOOD_ROWS)]
        ),
        "t.jsonl": "\n".join(lines),
        "t.json": f"[{','.join(lines)}]",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    parquet.write_table(good_table(), tmp_path / "t.parquet")
    feather.write_feather(good_table(), tmp_path / "t.feather")
    inputs = Reasoner.from_text(GOOD_TEXT).plan.inputs
    for name in (*texts, "t.parquet", "t.feather"):
        account = Account()
        reading = Reading(declarations=inputs)
        told = told_in(read_file(tmp_path / name, reading, account=account))
        assert (name, told) == (name, GOOD_FACTS)
        assert account == Account(gave_facts=1, passed_over=3, with_time=3)


@pytest.mark.parametrize(
    "made", [good_table, lambda: pd.DataFrame(good_records()), lambda: pl.DataFrame(good_records())]
)
def test_a_filter_in_frames(made: Callable[[], Any]) -> None:
    """The same."""
    reading = Reading(declarations=Reasoner.from_text(GOOD_TEXT).plan.inputs)
    assert told_in(read_frame(made(), reading, refuse)) == GOOD_FACTS


def test_a_filter_in_live_input() -> None:
    """The same, row by row and message by message."""
    inputs = Reasoner.from_text(GOOD_TEXT).plan.inputs
    table = ["ts,tag,value,quality", *(",".join(str(cell or "") for cell in row) for row in GOOD_ROWS)]
    for form, lines in ((Format.CSV, table), (Format.JSONL, [*map(json.dumps, good_records())])):
        assert told_in(live(lines, Reading(form, declarations=inputs))) == GOOD_FACTS


def test_a_filter_in_lines_of_text() -> None:
    """The same but for its last record; a line whose time is not closed fits no pattern."""
    pattern = '#input good(tag, value) from "^{tag:word} {value:word} {quality:word}$" at "[%s]"'
    reasoner = Reasoner.from_text(f'#tick 1 sec. {pattern} where quality = "Good", value > -999.')
    lines = ["[1] a 5 Good", "[2] a broken Bad", "[3] a -999 Good", "[1 a 4 Bad"]
    rejected: list[Rejected] = []
    found = told_in(live(lines, replace(reasoner.reading, format=Format.LOG), rejected.append))
    assert found == GOOD_FACTS[:3]
    assert [type(one) for one in rejected] == [PassedOver]


def test_constants_and_decimals(tmp_path: Path) -> None:
    """An integer at a place with decimals is that number."""
    (tmp_path / "t.csv").write_text("ts,TI100 [C]\n1,20.5\n")
    program = (
        '#decimals reading(_,1,2). #input reading(fixed("TI100"), number("TI100 [C]"), fixed(-3)) at ts.'
    )
    reasoner = Reasoner.from_text(f"{program} #show reading/3.")
    [answer] = reasoner.run(tmp_path / "t.csv")
    assert 'reading("TI100",20.5,-3.00)' in repr(answer)


def test_a_time_that_is_far_ahead_rejects_what_conditions_leave_out(tmp_path: Path) -> None:
    """Also if it is all that is read of the record."""
    rows = [
        "ts,x,k",
        *(f"{tick},1,a" for tick in (1, 2)),
        "9000000,1,b",
        *(f"{tick},1,a" for tick in range(3, 9)),
    ]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    reasoner = Reasoner.from_text('#largest_gap 10. #input p(x) at ts where k = "a". #show p/1.')
    rejected: list[Rejected] = []
    [*_] = reasoner.run(tmp_path / "t.csv", on_reject=rejected.append)
    assert [one.origin.line for one in rejected] == [4]


ITEMS = st.lists(
    st.fixed_dictionaries({"k": st.sampled_from(["a", "b", None]), "v": st.sampled_from([1, 2, "x"])}),
    max_size=3,
)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(st.tuples(ITEMS | st.none(), st.sampled_from(["on", "off"])), min_size=1, max_size=4))
def test_conditions_are_decided_for_each_element(
    records: list[tuple[list[dict[str, Any]] | None, str]],
) -> None:
    """Of a list that is gone through, also beside one on the record itself."""
    text = '#input p(each items.v) at t where items.k = "a", s = "on", items.v < 2.'
    lines = [
        json.dumps({"t": tick, "items": items, "s": state}) for tick, (items, state) in enumerate(records)
    ]
    expected, rejected = list[Told](), 0
    for tick, (items, state) in enumerate(records):
        kept = [one["v"] for one in items or () if one["k"] == "a" and state == "on" and one["v"] != 2]
        if "x" in kept:
            rejected += 1
        elif kept:
            expected.append((tick, ("p(1)",) * len(kept), "gave_facts"))
        else:
            expected.append((tick, (), "passed_over"))
    case = Case.of(text)
    found = case.read(partial(live, lines), Format.JSONL)
    passed_over = sum(kind == "passed_over" for *_, kind in expected)
    assert found == Outcome(expected, rejected, passed_over)


def test_records_of_a_list_are_taken_by_themselves() -> None:
    """An element that conditions leave out counts as a record that is passed over."""
    case = Case.of('#input p(v) at t records each items where k = "a".')
    line = '{"items": [{"t": 1, "k": "a", "v": 5}, {"t": 2, "k": "b", "v": []}, {"k": "b"}]}'
    found = case.read(partial(live, [line]), Format.JSONL)
    assert found == Outcome([(1, ("p(5)",), "gave_facts"), (2, (), "passed_over")], 0, 2)


def test_an_empty_list_is_left_out_by_what_its_elements_need() -> None:
    """Not by a condition on the record, which holds."""
    lines = ['{"t": 1, "items": [], "s": "on"}']
    for where, kind in (('s = "on"', "without_fact"), ('items.k = "a"', "passed_over")):
        case = Case.of(f"#input p(each items.v) at t where {where}.")
        found = case.read(partial(live, lines), Format.JSONL)
        assert found == Outcome([(1, (), kind)], 0, int(kind == "passed_over"))


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    st.lists(
        st.from_regex(r"-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,18})?", fullmatch=True), min_size=1, max_size=5
    ),
    st.from_regex(r"-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,18})?", fullmatch=True),
    st.sampled_from([*SIGNS]),
)
@example(["0.1000000000000000001", "0.1"], "0.1", ">")
@example(["9007199254740993", "9007199254740992"], "9007199254740992", "=")
def test_numbers_are_compared_exactly(texts: list[str], value: str, sign: str) -> None:
    """Of many digits too, in rows of text, JSON numbers, and many at once."""
    case = Case.of(f"#input p(x) at t where v {sign} {value}.")
    told: dict[bool, tuple[tuple[str, ...], str]] = {
        True: (('p("a")',), "gave_facts"),
        False: ((), "passed_over"),
    }
    holds = [SIGNS[sign](Decimal(text), Decimal(value)) for text in texts]
    expected: list[Told] = [(tick, *told[one]) for tick, one in enumerate(holds)]
    rows = ["t,x,v", *(f"{tick},a,{text}" for tick, text in enumerate(texts))]
    lines = [f'{{"t": {tick}, "x": "a", "v": {text}}}' for tick, text in enumerate(texts)]
    frame = pa.table({"t": [*range(len(texts))], "x": ["a"] * len(texts), "v": texts})
    with TemporaryDirectory() as folder:
        for name, written_as in (("t.csv", rows), ("t.jsonl", lines)):
            path = Path(folder, name)
            path.write_text("\n".join(written_as))
            assert case.read(partial(read_file, path)) == Outcome(expected, 0, holds.count(False))
            in_blocks = case.read(lambda *how, at=path: blocks(read_file_blocks(at, *how)))
            assert in_blocks == Outcome(expected, 0, holds.count(False))
    assert case.read(partial(read_frame, frame)) == Outcome(expected, 0, holds.count(False))
