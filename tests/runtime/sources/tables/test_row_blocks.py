"""Rows and lines that are read many at once are what they are one by one, wherever blocks begin."""

import csv
import io
import json
import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.arrow.arrow_rows import read_batches
from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.json.json_fields import exact_json
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Origin, Record, Rejected
from lars2asp.runtime.sources.tables.row_reader import RowReader
from lars2asp.runtime.sources.tables.table import odd_row, read_row
from lars2asp.runtime.sources.tables.table_form import Dialect, TableForm
from lars2asp.runtime.sources.text.numbered_lines import FileLines
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.runtime.sources.times.time_texts import TimeTexts
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(25)
SEEDS = st.integers(0, 2**32)

NOON = datetime(2026, 7, 1, 12)
TURNS: dict[ZoneInfo | None, list[datetime]] = {
    ZoneInfo("Europe/Vienna"): [datetime(2026, 3, 29, 2), datetime(2026, 10, 25, 3)],
    ZoneInfo("Australia/Lord_Howe"): [datetime(2026, 4, 5, 2), datetime(2026, 10, 4, 2, 30)],
    ZoneInfo("America/St_Johns"): [datetime(2006, 4, 2, 0, 1), datetime(1987, 10, 25, 0, 1)],
    ZoneInfo("Africa/Monrovia"): [datetime(1972, 1, 7, 0, 44, 30)],
    ZoneInfo("UTC"): [datetime(1970, 1, 1), NOON],
    None: [NOON],
}
"""By zones: local times at which clocks change, at full hours and within, by an hour and by less."""

WRITTEN: dict[str, tuple[str, str]] = {
    "german": ("%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M:%S"),
    "minutes": ("%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M"),
    "noon": ("%m/%d/%y %I:%M:%S %p", "%m/%d/%y %I:%M:%S %p"),
    "log": ("%Y-%m-%d %H:%M:%S,%f", "%Y-%m-%d %H:%M:%S,%f"),
    "iso": ("%Y-%m-%dT%H:%M:%S", ""),
    "fraction": ("%Y-%m-%d %H:%M:%S.%f", ""),
    "utc": ("%Y-%m-%dT%H:%M:%SZ", ""),
    "offset": ("%Y-%m-%dT%H:%M:%S.%f+01:30", ""),
    "day": ("%Y-%m-%d", ""),
    "epoch": ("%s", "%s"),
}
"""How times are written, for Python, and as declared; empty for ISO 8601."""

NO_TIMES = [
    "",
    " ",
    "noon",
    "29.03.2026 02:30:61",
    "2026-13-01",
    "99",
    "2026-01-01T00:00:1",
    "null",
    "-5",
    "1e3",
]

Item = tuple[str, int, object, str]
"""A record or a rejected one: its line, its tick and events or the reason, and its text."""


def taken(blocks: Callable[[Callable[[Rejected], None]], Iterable[Record]]) -> list[Item]:
    """Records and rejected ones, in their order."""
    found: list[Item] = []

    def reject(one: Rejected) -> None:
        found.append(("rejected", one.origin.line, one.reason, one.origin.text))

    for record in blocks(reject):
        assert record.origin is not None
        found.append(("record", record.origin.line, (record.tick, record.events), record.origin.text))
    return found


# --- times ----------------------------------------------------------------------------------------


def moments(choose: Random, number: int, zone: ZoneInfo | None) -> list[datetime]:
    """Times that lie together, often where the clocks of a zone change."""
    begin = choose.choice([*TURNS[zone], *TURNS[zone], NOON])
    apart = choose.choice([0, 0.25, 1, 4, 59, 60, 3601, 86_400])
    shift = choose.randint(0, 3600)
    near = [
        begin + timedelta(seconds=apart * place - shift + choose.choice([0, 0, 7])) for place in range(number)
    ]
    return [max(moment, datetime(1970, 1, 1)) for moment in near]


def times(choose: Random, kind: str, number: int, zone: ZoneInfo | None) -> list[str]:
    """Times in text; some are none."""
    form, share = WRITTEN[kind][0], choose.choice([0, 0, 0.1])
    found = []
    for moment in moments(choose, number, zone):
        text = str(int(moment.replace(tzinfo=UTC).timestamp())) if form == "%s" else moment.strftime(form)
        if kind == "log" and choose.random() < 0.5:
            text = text[:-3]
        if choose.random() < share:
            text = choose.choice([*NO_TIMES, f" {text}", f"{text} ", f"{text}0", text[:-1]])
        found.append(text)
    return found


def timeline(choose: Random, kind: str, zone: ZoneInfo | None) -> Timeline:
    """A timeline that may read such times."""
    length = choose.choice([1_000_000, 60_000_000, 7_000_000, 1_000, 1, None])
    origin = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=choose.choice([0, 0, 1, 10**15]))
    form, unit, is_fine = WRITTEN[kind][1], TimeUnit.TICK, choose.random() < 0.3
    if form == "%s" and choose.random() < 0.6:
        form = choose.choice(["%Q", "%u", "%s%6N", "%s%N", ""])
        unit = unit if form else choose.choice([TimeUnit.SEC, TimeUnit.MSEC, TimeUnit.USEC, TimeUnit.NSEC])
    return Timeline(length, unit, origin, zone, form=TimeFormat(form) if form else None, is_fine=is_fine)


def one_by_one(texts: list[str], tick_of: Callable[[str], int]) -> tuple[list[int | None], dict[str, str]]:
    ticks: list[int | None] = []
    wrong = {}
    for text in texts:
        try:
            ticks.append(tick_of(text))
        except InputError as error:
            ticks.append(None)
            wrong[text] = str(error) if text.strip() else "the time is missing"
    return ticks, wrong


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS)
def test_times_are_read_together_as_they_are_one_by_one(seed: int) -> None:
    choose = Random(seed)
    kind, zone = choose.choice([*WRITTEN]), choose.choice([*TURNS])
    line = timeline(choose, kind, zone)
    for are_cells in (True, False):
        texts = TimeTexts(line, are_cells=are_cells)
        for _ in range(choose.randint(1, 3)):
            given = times(choose, choose.choice([kind, kind, kind, "iso"]), choose.randint(1, 20), zone)
            ticks, wrong, moments_of = texts.ticks(given)
            expected = one_by_one(given, line.tick_of_text if are_cells else line.tick)
            assert ([*ticks], wrong) == expected
            if moments_of is not None:
                assert [*moments_of] == [getattr(tick, "moment", None) for tick in expected[0]]


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS)
def test_moments_of_columns_have_the_ticks_that_python_gives_them(seed: int) -> None:
    choose = Random(seed)
    zone = choose.choice([one for one in TURNS if one is not None])
    line = Timeline(
        choose.choice([1_000_000, 60_000_000, 7]), zone=zone, origin=datetime(1969, 1, 1, tzinfo=UTC)
    )
    here = moments(choose, choose.randint(1, 20), zone)
    if choose.random() < 0.2:
        here.append(datetime(1969, 6, 1, 0, 0, 0, 5))
    if line.tick_length == 7:
        line = Timeline(
            7, zone=zone, origin=min(here).replace(tzinfo=UTC) - timedelta(days=choose.randint(0, 1))
        )
    given: list[datetime | None] = [*here]
    if choose.random() < 0.3:
        given.append(None)
    unit = choose.choice(["us", "ns", "ms", "s"])
    column = pa.array(given, pa.timestamp("us")).cast(pa.timestamp(unit), safe=False)
    rounded = column.cast(pa.timestamp("us")).to_pylist()
    reading = Reading(declarations=[parse_input_declaration("p(n) at time")], timeline=line)
    [batch] = pa.table({"time": column, "n": range(len(given))}).to_batches()
    found = taken(
        lambda reject: chain.from_iterable(
            read_batches([batch], "<frame>", reading.declarations, line, reject, has_row_each=True)
        )
    )
    expected: list[tuple[str, int, object]] = []
    for row, moment in enumerate(rounded, start=1):
        try:
            if moment is None:
                raise InputError("the time is missing")
            expected.append(("record", row, line.tick_of(moment)))
        except InputError:
            expected.append(("rejected", row, None))
    assert [
        (kind, row, said[0] if isinstance(said, tuple) else None) for kind, row, said, _ in found
    ] == expected


# --- tables of text -------------------------------------------------------------------------------

ARGUMENTS = ["{}", "int({})", "{}*10", 'number({}, ",")*10', "text({})", "constant({})"]
CELLS = [
    "1",
    "-7",
    "007",
    "1.5",
    "24,3",
    "on",
    "a b",
    "ü",
    "",
    " ",
    "NA",
    "99999999999",
    "x\x00",
    "1e3",
    "é" * 120,
]


def cell(choose: Random, column: int) -> str:
    """A cell, mostly one that fits."""
    if choose.random() < 0.05:
        return choose.choice(CELLS)
    return choose.choice(["on", "off"]) if column == 3 else str(choose.randint(-9, 9 if column else 10**7))


def declared(choose: Random, form: str) -> list[str]:
    """Declarations over the columns a, b, c and on."""
    at = f' "{form}"' if form else ""
    found = []
    for name in ("p", "q")[: choose.choice([1, 1, 1, 2])]:
        columns = [one for one in ("a", "b", "c", "on") if choose.random() < 0.7] or ["a"]
        arguments = [
            ("constant({})" if one == "on" else choose.choice(ARGUMENTS[:5])).format(one) for one in columns
        ]
        time = choose.choice(["time", "time", "time", "later"])
        found.append(f"{name}({', '.join(arguments)}) at {time}{at}")
    return found


def rows(choose: Random, kind: str, number: int, zone: ZoneInfo | None) -> list[list[str]]:
    """Rows with the columns time, a, b, c, on and later."""
    one, other = (times(choose, kind, number, zone) for _ in range(2))
    return [
        [time, *(cell(choose, column) for column in range(4)), later]
        for time, later in zip(one, other, strict=True)
    ]


def written(choose: Random, table: list[list[str]], delimiter: str) -> str:
    """A table as text; some rows have other cells, or are blank, and some cells stand in quotes."""
    quotes = choose.choice([0, 0, 0.02, 0.3, 1])
    end = choose.choice(["\n", "\n", "\r\n"])
    lines = [delimiter.join(["time", "a", "b", "c", "on", "later"])]
    for row in table:
        cells = [*row]
        if choose.random() < 0.03:
            cells = choose.choice([cells[:-1], [*cells, "1"], [], [""] * 6, [" "], [" "] * 6])
        for place, text in enumerate(cells):
            if choose.random() < quotes / 4:
                cells[place] = choose.choice([text + "\n", f"{text}\r\n\n ", f'{text}"'])
            needed = any(sign in cells[place] for sign in (delimiter, '"', "\n", "\r"))
            if needed or choose.random() < quotes:
                doubled = cells[place].replace('"', '""')
                cells[place] = f'"{doubled}"'
        lines.append(delimiter.join(cells))
    return end.join(lines) + choose.choice([end, ""])


class Pieces(io.RawIOBase):
    """Bytes that come in pieces."""

    def __init__(self, data: bytes, choose: Random) -> None:
        size = choose.choice([7, 100, 2**16])
        self._pieces = iter([data[first : first + size] for first in range(0, len(data), size)])

    def read(self, size: int = -1) -> bytes:
        return next(self._pieces, b"")


def row_by_row(text: str, readers: list[RowReader], delimiter: str) -> list[Item]:
    """What a well-formed table says, each row by itself."""
    found: list[Item] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines = io.StringIO(text, newline="").readlines()
    end = 0
    for row in reader:
        begin, end = end, reader.line_num
        if not begin or not any(map(str.strip, row)):
            continue
        origin = Origin("t", begin + 1, "".join(lines[begin:end]).rstrip("\r\n"))
        if len(row) != 6:
            assert end == begin + 1, "rows of several lines have all cells"
            found.append(("rejected", begin + 1, odd_row(row, 6), lines[begin].rstrip("\r\n")))
            continue
        try:
            records = read_row(row, readers, origin)
        except InputError as error:
            rejected = Rejected(origin, str(error))
            found.append(("rejected", begin + 1, rejected.reason, origin.text))
            continue
        for one in records:
            assert isinstance(one, Record)
            found.append(("record", begin + 1, (one.tick, one.events), origin.text))
    return found


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS)
def test_rows_are_read_together_as_they_are_one_by_one(seed: int) -> None:
    choose = Random(seed)
    kind, zone = choose.choice([*WRITTEN]), choose.choice([*TURNS])
    line, delimiter = timeline(choose, kind, zone), choose.choice([",", ";", "\t"])
    text = written(choose, rows(choose, kind, choose.choice([1, 5, 60, 450]), zone), delimiter)
    inputs = [parse_input_declaration(one) for one in declared(choose, WRITTEN[kind][1])]
    dialect = Dialect(delimiter, frozenset({"NA"}))
    header = ["time", "a", "b", "c", "on", "later"]
    try:
        readers = [RowReader(one, header, "t", line, dialect) for one in inputs]
        expected = row_by_row(text, readers, delimiter)
    except AssertionError:
        return
    reading = Reading(Format.CSV, line, inputs, delimiter, {"NA"})
    lines = FileLines(Pieces(text.encode(), choose))
    form = TableForm(delimiter=delimiter)
    assert taken(lambda reject: reading.records(lines, "t", reject, form)) == expected


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS)
def test_broken_rows_are_rejected_wherever_blocks_begin(seed: int) -> None:
    choose = Random(seed)
    numbers = range(choose.choice([3, 30, 700]))
    texts = [choose.choice(["x", "x\ny", ""]) for _ in numbers]
    table = [f'{tick};"{text}";{tick}\n' for tick, text in zip(numbers, texts, strict=True)]
    for _ in range(choose.randint(1, 4)):
        place = choose.randrange(len(table))
        table[place] = choose.choice(
            ['7;"x;7\n', '7;"x"y;7\n', "7;x\n", "7;x;y;7\n", '"\n', ";;\n", "\n", '7;x";7\n']
        )
    data = ("time;a;b\n" + "".join(table)).encode()
    reading = Reading(Format.CSV, Timeline(), [parse_input_declaration("p(text(a), b)")], ";")
    form = TableForm(delimiter=";")
    together = taken(lambda reject: reading.records(FileLines(Pieces(data, choose)), "t", reject, form))
    alone = taken(lambda reject: reading.records(iter(FileLines(io.BytesIO(data))), "t", reject, form))  # type: ignore[arg-type]
    each = taken(lambda reject: reading.records([*FileLines(io.BytesIO(data))], "t", reject, form))  # type: ignore[arg-type]
    assert together == alone == each


# --- JSON -----------------------------------------------------------------------------------------


def json_lines(choose: Random, kind: str, number: int, zone: ZoneInfo | None) -> list[str]:
    """Records with fields of their own, most of them written alike."""
    spaces = choose.choice([(", ", ": "), (",", ":")])
    mixed = choose.choice([0, 0, 0.02, 0.5])
    lines = []
    for row in rows(choose, kind, number, zone):
        time, *cells, later = row
        found: dict[str, object] = {"time": int(time) if time.isdecimal() and len(time) < 12 else time}
        for name, text in zip(("a", "b", "c", "on"), cells, strict=True):
            found[name] = json_value(choose, text)
        found["later"] = later
        if choose.random() < mixed:
            found = choose.choice(
                [
                    dict(reversed(found.items())),
                    {name: found[name] for name in found if choose.random() < 0.7},
                    found | {"more": {"id": 3}},
                    found | {"tags": ["a", 1]},
                    found | {"time": None},
                    {"time": 3, "facts": ["p(1)"]},
                    {"time": 3, "end": []},
                    found | {"a": {"b": 1}},
                ]
            )
        line = json.dumps(found, ensure_ascii=choose.random() < 0.5, separators=spaces)
        if choose.random() < mixed / 4:
            broken = [line[:-1], line + " ", line.replace(":", " :", 1), line + line, "", "x", "\x01" + line]
            more = [line.replace("7", number) for number in ("7" * 30, "7.10", "7E2")]
            line = choose.choice([*broken, *more, f"[{line},{line}]", line.replace('"b"', '"a"')])
        lines.append(line)
    return lines


def json_value(choose: Random, text: str) -> object:
    """The value of a cell: a number, a text, or what else there is."""
    if text == "NA" or choose.random() < 0.01:
        return choose.choice([None, True, [], "a\\b", 'a"b'])
    try:
        return exact_json(text) if choose.random() < 0.01 else json.loads(text)
    except ValueError:
        return text


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS)
def test_json_lines_are_read_together_as_they_are_one_by_one(seed: int) -> None:
    choose = Random(seed)
    kind, zone = choose.choice([*WRITTEN]), choose.choice([*TURNS])
    line = timeline(choose, kind, zone)
    end = choose.choice(["\n", "\n", "\r\n"])
    text = end.join(json_lines(choose, kind, choose.choice([1, 5, 60, 450]), zone)) + choose.choice([end, ""])
    data = text.encode(errors="surrogateescape")
    if choose.random() < 0.1:
        data = data.replace("ü".encode(), b"\xff")
    names = choose.choice([{}, {}, {"a": "more.id"}, {"a": "a.b"}])
    declarations = declared(choose, WRITTEN[kind][1])
    inputs = [parse_input_declaration(one.replace("(a", f"({names.get('a', 'a')}")) for one in declarations]
    reading = Reading(Format.JSONL, line, inputs, missing={"NA"})
    together = taken(lambda reject: reading.records(FileLines(Pieces(data, choose)), "t", reject))
    alone = taken(lambda reject: reading.records((one for one in FileLines(io.BytesIO(data))), "t", reject))  # type: ignore[arg-type]
    assert together == alone


@pytest.mark.parametrize("number", ["7" * 30, "-7" + "0" * 20 + ".9", "7e9999", "7.0e-12", "0", "-0.50"])
def test_numbers_of_json_are_as_they_are_written(number: str) -> None:
    data = f'{{"time": 1, "a": {number}}}\n{{"time": 2, "a": 7}}\n'.encode()
    reading = Reading(Format.JSONL, Timeline(), [parse_input_declaration("p(a*10)")])
    together = taken(lambda reject: reading.records(FileLines(io.BytesIO(data)), "t", reject))  # type: ignore[arg-type]
    alone = taken(lambda reject: reading.records((one for one in FileLines(io.BytesIO(data))), "t", reject))  # type: ignore[arg-type]
    assert together == alone


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS)
def test_facts_one_a_line_are_read_together_as_they_are_one_by_one(seed: int) -> None:
    choose = Random(seed)
    kind, zone = choose.choice([*WRITTEN]), choose.choice([*TURNS])
    line = timeline(choose, kind, zone)
    odd = choose.choice([0, 0, 0.01, 0.1])
    lines = []
    for place, time in enumerate(times(choose, kind, choose.choice([1, 5, 60, 450]), zone)):
        word = choose.choice(["x", "y z", "ü", "x" * 120])
        facts: object = [f'p({place % 7},"{word}")']
        when: object = choose.choice([place, time]) if odd else time if kind != "epoch" else place
        if choose.random() < odd:
            facts = choose.choice([[], ["p(", "q"], "p(1)", [1], ["p(1.5)"], ["q", "p(1)"], None])
        found = {"time": when, "facts": facts}
        if choose.random() < odd:
            found = choose.choice(
                [{"facts": facts}, found | {"until": 10**6}, {"time": when, "begin": facts}]
            )
        lines.append(json.dumps(found))
    data = "\n".join(lines).encode()
    reading = Reading(Format.JSONL, line)
    together = taken(lambda reject: reading.records(FileLines(Pieces(data, choose)), "t", reject))
    alone = taken(lambda reject: reading.records((one for one in FileLines(io.BytesIO(data))), "t", reject))  # type: ignore[arg-type]
    assert together == alone


# --- blocks and runs ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "head", "lines"),
    [
        (Format.CSV, "time,a\n", ["1,7\n", '2,"8"\n', "\n3,x\n4,9\n"]),
        (Format.JSONL, "", ['{"time": 1, "a": 7}\n', '{"time": 2, "a": 8}\n', 'x\n{"time": 4, "a": 9}\n']),
        (Format.JSONL, "", [f'{{"time": {tick}, "facts": ["p(7)"]}}\n' for tick in (1, 2, 4)]),
    ],
)
def test_no_record_of_a_pipe_waits_for_those_behind_it(form: Format, head: str, lines: list[str]) -> None:
    reader, writer = os.pipe()
    reading = Reading(form, Timeline(), [parse_input_declaration("p(int(a))")])
    with os.fdopen(reader, "rb", buffering=0) as stream, os.fdopen(writer, "wb", buffering=0) as pipe:
        pipe.write(head.encode())
        records = reading.records(FileLines(stream), "t", lambda _: None)
        for line, tick in zip(lines, (1, 2, 4), strict=True):
            pipe.write(line.encode())
            assert next(records).tick == tick


def test_runs_go_on_from_any_record_of_a_block(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "time,a,b,later\n" + "".join(f"{row},{row % 7 or 'x'},1,{row + row % 2}\n" for row in range(450))
    )
    inputs = [parse_input_declaration("p(int(a)) at time"), parse_input_declaration("q(b) at later")]
    reading = Reading(declarations=inputs)
    with FileInput(str(path), reading, lambda _: None) as source:
        records = [*source.records()]
    assert len(records) > 500
    for number in (0, 1, 2, 3, 250, 251, 299, 300, len(records) - 1):
        with FileInput(str(path), reading, lambda _: None) as first:
            rest = first.records()
            for _ in range(number):
                next(rest)
            assert first.is_at_record
            state = json.loads(json.dumps(first.state()))
        with FileInput(str(path), reading, lambda _: None) as again:
            again.restore(state)
            assert [*again.records()] == records[number:]
