"""JSON records with fields of their own, which `#input` declares."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp import Reasoner
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, PassedOver, Record, Rejected
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.records import in_short

DECLARED = "reading(sensor.id, value*10) at ts"


def reading_of(*declarations: str, **more: Any) -> Reading:
    """How JSON lines are read, with ticks of a second."""
    declared = [*map(parse_input_declaration, declarations)]
    how: dict[str, Any] = {"format": Format.JSONL, "timeline": Timeline(1_000_000)}
    return Reading(**(how | more), declarations=declared)


def read(lines: list[str], reading: Reading) -> tuple[list[str], list[str]]:
    """The records of lines, and why others are rejected; live lines are read as those of a file."""
    rejected: list[Rejected] = []
    found = list(reading.records(lines, "x", rejected.append))
    reader, again = LiveReader(reading, (live := list[Rejected]()).append), list[Record]()
    for number, line in enumerate(lines, start=1):
        again += reader.records(Line("x", number, line))
    assert (again, live) == (found, rejected)
    return in_short(found), [one.reason for one in rejected]


def test_a_name_with_dots_is_a_path_unless_a_field_has_it() -> None:
    lines = [
        '{"ts": "1970-01-01T00:00:07Z", "sensor": {"id": "k"}, "value": 24.1}',
        '{"ts": 8, "sensor.id": "whole", "sensor": {"id": "k"}, "value": "24.15"}',
        '{"value": 2e1, "sensor": {"id": 3, "more": [1]}, "ts": 9, "else": null}',
    ]
    assert read(lines, reading_of(DECLARED)) == (
        ['7: reading("k",241)', '8: reading("whole",242)', "9: reading(3,200)"],
        [],
    )


def test_the_products_own_records_stay_what_they_are() -> None:
    """They have a list of atoms, or a time alone."""
    lines = [
        '{"time": 1, "facts": ["p(a)"]}',
        '{"time": 2, "begin": ["q"]}',
        '{"time": 3}',
        '{"time": 4, "end": ["q"], "ts": 5}',
        '{"time": 6, "value": 1, "sensor": {"id": "k"}}',
    ]
    found, rejected = read(lines, reading_of("reading(sensor.id, value)"))
    assert found == ["1: p(a)", "2: +q", "3: ", '6: reading("k",1)']
    assert rejected == ["unknown key 'ts': use time, facts, begin, end, until"]
    own = reading_of("booked(room) at begin", "left(room) at end")
    assert read(['{"room": "a", "begin": 3, "end": 5}', '{"time": 6, "begin": ["p"]}'], own) == (
        ['3: booked("a")', '5: left("a")', "6: +p"],
        [],
    )


def test_without_a_declaration_the_message_names_it() -> None:
    assert read(['{"time": 1, "value": 1}'], reading_of())[1] == [
        "unknown key 'value': use time, facts, begin, end, until, or declare the fields with #input"
    ]


def test_each_record_gives_the_facts_whose_fields_it_has() -> None:
    """Null says that there is no value: the time counts, as it does for an empty cell."""
    reading = reading_of("door(id, text(open)) at ts", "reading(id, value) at ts")
    lines = [
        '{"ts": 1, "id": "d", "open": true}',
        '{"ts": 2, "id": "k", "value": 3}',
        '{"ts": 3, "id": "k", "value": null}',
        '{"ts": 4, "id": "b", "value": 5, "open": false}',
    ]
    assert read(lines, reading) == (
        ['1: door("d","true")', '2: reading("k",3)', "3: ", '4: door("b","false") reading("b",5)'],
        [],
    )


def test_what_is_not_valid_is_rejected_with_its_cure() -> None:
    lines = [
        '{"ts": 1, "sensor": {"id": "k"}, "Value": 2}',
        '{"sensor": {"id": "k"}, "value": 2}',
        '{"ts": null, "sensor": {"id": "k"}, "value": 2}',
        '{"ts": 3, "sensor": {"id": {"b": 1}}, "value": 2}',
        '{"ts": 4, "sensor": {"id": [1]}, "value": 2}',
        '{"ts": 5, "sensor": {"id": "k"}, "value": "x"}',
        '{"ts": 6, "sensor": null, "value": 2}',
        '{"ts": 7, "sensor": 3, "value": 2}',
        "time;value",
        "[",
    ]
    found, rejected = read(lines, reading_of(DECLARED))
    assert found == ["1: ", "6: ", "7: "]  # the time of what no declaration fits counts
    assert rejected == [
        "no field 'value' for #input reading; the fields of the record are ts, sensor.id, Value",
        "no field 'ts' for #input reading; the fields of the record are sensor.id, value; remove "
        "`at` and add --clock wall to use the times of arrival",
        "field ts: the time is missing",
        "field sensor.id is an object: name one of its values, as in sensor.id.b",
        "field sensor.id is a list; write each sensor.id in #input for one fact per element",
        "column value: 'x' is not a number",
        "no field 'sensor.id' for #input reading; the fields of the record are ts, sensor, value",
        "broken JSON: Expecting value at column 1 (for plain facts add --input-format facts, for a "
        "table --input-format csv)",
        "broken JSON: Expecting value at column 2 (write an array of records on one line)",
    ]


def test_what_no_declaration_fits_is_not_rejected() -> None:
    """What should have fitted is: it lacks nothing but its time, or that cannot be read."""
    timeline = Timeline(1_000_000, zone=ZoneInfo("UTC"))
    reading = reading_of("ping(id) at ts", 'pong(id) at seen "%d.%m.%Y"', timeline=timeline)
    lines = [
        '{"ts": 1, "kind": "x"}',
        '{"kind": "x"}',
        '{"ts": null, "kind": "x"}',
        '{"seen": "01.01.1970", "ts": "soon", "kind": "x"}',
        '{"ts": "soon", "kind": "x"}',
        '{"ts": [1], "kind": "x"}',
        '{"id": 1}',
    ]
    told = list[Rejected]()
    found = in_short([*reading.records(lines, "x", told.append)])
    assert found == ["1: ", "0: "]
    assert [(one.origin.line, isinstance(one, PassedOver)) for one in told] == [
        *((1, True), (2, True), (3, True), (4, True)),
        *((5, False), (6, False), (7, False)),
    ]
    assert told[4].reason.startswith("column ts: the time 'soon' is not")


def test_a_reader_without_a_place_for_rejects_says_what_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"ts": 1, "a": 1}\n{"ts": 2, "sensor.id": 1, "value": 3}\n')
    with pytest.warns(
        UserWarning, match="no fields 'sensor.id', 'value' for #input reading: lars2asp skips such records"
    ):
        assert in_short([*read_file(path, reading_of(DECLARED))]) == ["1: ", "2: reading(1,30)"]


def test_a_line_may_have_an_array_of_records() -> None:
    line = '[{"ts": 1, "sensor": {"id": "k"}, "value": 1.0}, {"ts": 1}, {"time": 2, "facts": ["p"]}, 3]'
    found, rejected = read([line, "[]"], reading_of(DECLARED))
    assert found == ['1: reading("k",10)', "1: ", "2: p"]
    assert rejected == [
        "record 2 of the array: no fields 'sensor.id', 'value' for #input reading; the fields of the "
        "record are ts",
        'record 4 of the array: a record is an object such as {"time": 3, "facts": ["p(a)"]}',
    ]


def test_what_is_rejected_of_an_array_has_its_own_text() -> None:
    line = '[{"ts": 1, "a": "]"},\t{"ts" : 1, "sensor": {"id": "k"}, "value": "x"} ]'
    rejected: list[Rejected] = []
    assert in_short([*reading_of(DECLARED).records([line], "x", rejected.append)]) == ["1: "]
    assert [one.origin.text for one in rejected] == [
        '{"ts": 1, "a": "]"}',
        '{"ts" : 1, "sensor": {"id": "k"}, "value": "x"}',
    ]


def test_numbers_are_exact() -> None:
    """As text they are what is written, however many digits they have."""
    reading = reading_of("p(text(a), b, int(c))", decimals={Signature("p", 3): (0, 2, 0)})
    line = '{"time": 1, "a": 12345678901234567890.10, "b": 24.10, "c": -0}'
    assert read([line, line.replace("24.10", "24.105")], reading) == (
        ['1: p("12345678901234567890.10",2410,0)'],
        ["column b: 24.105 has more than 2 decimals: declare 3 decimals in #decimals"],
    )


def test_times_as_columns_have_them() -> None:
    lines = ['{"day": "01.02.2026", "clock": "14:05:00", "a": "1.234,5 °C", "at": 1769954700.75}']
    declared = 'p(number(a, ",", ".")*10) at day + clock "%d.%m.%Y %H:%M:%S"'
    zoned = Timeline(1_000_000, zone=ZoneInfo("Europe/Vienna"))
    assert read(lines, reading_of(declared, timeline=zoned)) == (["1769951100: p(12345)"], [])
    seconds = reading_of('p(number(a, ",", ".")*10) at "at"', timeline=Timeline(500_000, TimeUnit.SEC))
    assert read(lines, seconds) == (["3539909401: p(12345)"], [])
    form = reading_of('p(number(a, ",", ".")*10) at "at"', timeline=Timeline(10**6, form=TimeFormat("%s")))
    assert read(lines, form) == (["1769954700: p(12345)"], [])


TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t"), max_size=6
) | st.sampled_from(["NA", "null", "kitchen", "007", "-0", "1.50", "1e3", "24,1 °C", "true"])
NUMBERS = st.integers(-(10**11), 10**11).map(str) | st.decimals(-1000, 1000, allow_nan=False, places=2).map(
    str
)
CELLS = NUMBERS | TEXTS
COLUMNS = ["a", "a.b", "text(a)", "number(a)", "int(c.d)", "a*10", "c.d", "constant(c.d)"]


@given(
    st.lists(
        st.tuples(st.integers(-1, 99).map(str) | TEXTS.filter(str.strip), CELLS, CELLS, CELLS), max_size=8
    ),
    st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=3),
    st.data(),
)
@settings(max_examples=60, deadline=None)
def test_fields_are_read_as_the_same_table_in_csv(
    rows: list[tuple[str, str, str, str]], columns: list[str], data: st.DataObject
) -> None:
    """Numbers as such or as text, names as paths or whole."""
    declared = [f"p({', '.join(columns)}) at t", "q(text(a.b)) at t"]
    more = {"delimiter": ",", "missing": {"NA"}, "decimals": {Signature("q", 1): (0,)}}
    text = io.StringIO()
    written = csv.writer(text)
    written.writerow(["t", "a", "a.b", "c.d"])
    written.writerows(rows)
    rejected: list[Rejected] = []
    form = reading_of(*declared, format=Format.CSV, **more)
    table = io.StringIO(text.getvalue(), newline="")
    found = in_short(form.records(table, "x", rejected.append))
    lines = []
    for t, *cells in rows:
        a, ab, cd = (cell if cell.strip() else None for cell in cells)  # an empty text is a value
        is_whole = data.draw(st.booleans())
        inner = {"c.d": cd} if is_whole else {"c": {"d": cd}}
        record = {"t": t, "a": a, "a.b": ab, **inner}
        lines.append(_with_numbers(json.dumps(record)) if data.draw(st.booleans()) else json.dumps(record))
    assert read(lines, reading_of(*declared, **more)) == (found, [one.reason for one in rejected])


def _with_numbers(line: str) -> str:
    """A line with the texts that are numbers of JSON written as such."""

    def bare(value: object) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{json.dumps(key)}: {bare(one)}" for key, one in value.items()) + "}"
        if value is None:
            return "null"
        text = str(value)
        try:
            is_number = not isinstance(json.loads(text), str) and text[:1] in "-0123456789" and text.isascii()
        except ValueError:
            is_number = False
        return text if is_number and text == text.strip() else json.dumps(text)

    return bare(json.loads(line))


def test_in_python_and_from_files(tmp_path: Path) -> None:
    program = (
        "#tick 1 sec. #input reading(sensor.id, value) at ts. #decimals reading(_,1). "
        "hot(S) :- reading(S,T), T > 24.0."
    )
    path = tmp_path / "s.jsonl"
    path.write_text('{"ts": 3, "sensor": {"id": "k"}, "value": 24.1}\n{"time": 5}\n', encoding="utf-8")
    reasoner = Reasoner.from_text(program)
    assert [(one.tick, one.holds.texts) for one in reasoner.run(path, emit=None)] == [
        (3, ('hot("k")',)),
        (4, ()),
    ]
    answers: list[Answer] = []
    Reasoner.from_text(program).run_live(path, answers.append, until=4)
    assert [(one.tick, one.holds.texts) for one in answers] == [(3, ('hot("k")',)), (4, ())]
    many = "".join(
        f'{{"ts": {tick}, "sensor": {{"id": "k{tick % 3}"}}, "value": {tick}.5}}\n' for tick in range(3000)
    )
    path.write_text(many, encoding="utf-8")
    declared = reading_of("reading(sensor.id, value*10) at ts")
    assert in_short(read_file(path, declared)) == [
        f'{tick}: reading("k{tick % 3}",{tick * 10 + 5})' for tick in range(3000)
    ]


@pytest.mark.parametrize("text", ["reading(a.b) at c.d.", "reading(a.b).", "reading(text(a.b)) at t."])
def test_a_path_ends_no_statement(text: str) -> None:
    plan = Reasoner.from_text(f"#input {text} p(1). #input r(x). q.z :- p(1).").plan
    assert len(plan.inputs) == 2
