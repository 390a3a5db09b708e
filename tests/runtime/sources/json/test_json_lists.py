"""Lists in JSON records: one record tells a fact for each element."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import PassedOver, Rejected
from lars2asp.runtime.sources.tables.table import read_csv
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.records import in_short


def read(record: Any, *declarations: str) -> tuple[list[str], list[str]]:
    """The records of a line, and why what is not taken is not; what no declaration fits has a `-` before."""
    told = list[Rejected]()
    declared = [*map(parse_input_declaration, declarations)]
    reading = Reading(format=Format.JSONL, timeline=Timeline(1_000_000), declarations=declared)
    found = in_short([*reading.records([json.dumps(record)], "x", told.append)])
    return found, [("-" if isinstance(one, PassedOver) else "") + one.reason for one in told]


@pytest.mark.parametrize(
    ("declared", "record", "expected"),
    [
        (
            "p(id, each vs.s, vs.v) at ts",
            {"ts": 1, "id": "a", "vs": [{"s": "t", "v": 3}, {"s": "h", "v": 4}, {"s": "z"}]},
            ['1: p("a","t",3) p("a","h",4)'],
        ),
        ("p(each vs.s) at ts", {"ts": 1, "vs": []}, ["1: "]),
        ("p(each vs.s) at ts", {"ts": 1, "vs": None}, ["1: "]),
        ("p(each vs.s) at ts", {"ts": 1, "vs": {"s": 7}}, ["1: p(7)"]),
        ("p(text(each vs)) at ts", {"ts": 1, "vs": ["a", ["b", None, 2.0]]}, ['1: p("a") p("b") p("2.0")']),
        (
            "p(each h.temp*10) at each h.time",
            {"h": {"time": [1, 2, 3], "temp": [1.5, 2, None]}},
            ["1: p(15)", "2: p(20)", "3: "],
        ),
        ("p(each h.temp*10) at each h.time", {"h": {"time": [], "temp": []}}, []),
        (
            "p(id, each o.id, each o.items.sku, o.items.n) at ts",
            {
                "ts": 1,
                "id": 0,
                "o": [
                    {"id": 5, "items": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}]},
                    {"id": 6, "items": []},
                    {"id": 7, "items": [{"sku": "c", "n": 9}]},
                ],
            },
            ['1: p(0,5,"a",1) p(0,5,"b",2) p(0,7,"c",9)'],
        ),
        (
            'p(id, each "vs.2") at each "vs.1"',
            {"id": 7, "vs": [[1, "a"], [2, "b", "c"], [3], [4, None]]},
            ['1: p(7,"a")', '2: p(7,"b")', "3: ", "4: "],
        ),
        (
            'p(each "vs.1.s", each "vs.2.2") at ts',
            {"ts": 1, "vs": [[{"s": "a"}, [5, 6]], [{"s": "b"}, [7]]]},
            ['1: p("a",6)'],
        ),
        ('p(text("at.2"), "at.1"*10) at ts', {"ts": 1, "at": [1.5, 2]}, ['1: p("2",15)']),
        ('p("at.1") at ts', {"ts": 1, "at.1": 5, "at": [7]}, ["1: p(5)"]),
        ('p(each "vs.0", each "vs.1") at ts', {"ts": 1, "vs": [[3], [4]]}, ["1: "]),
    ],
)
def test_each_element_gives_a_fact(declared: str, record: Any, expected: list[str]) -> None:
    found, told = read(record, declared)
    assert (found, told) == (expected, [])


def test_what_is_not_a_list_of_values() -> None:
    assert read({"ts": 1, "v": [1, 2]}, "p(v) at ts") == (
        [],
        ["field v is a list; write each v in #input for one fact per element"],
    )
    assert read({"ts": 1, "a": [1, 2], "b": [1]}, "p(each a, each b) at ts")[1] == [
        "the list a has 2 elements, but b has 1: write one #input for each list"
    ]
    assert read({"ts": 1, "a": [{"b": 1}]}, "p(each a) at ts")[1] == [
        "field a is an object: name one of its values, as in a.b"
    ]


def test_elements_are_records_by_themselves() -> None:
    """Each has its own time, and what is wrong with one does not touch the others."""
    elements = [{"at": 1, "u": {"n": "eve"}}, {"at": 2, "x": 1}, {"at": 3, "u": {"n": [1]}}, 5]
    declared = "login(u.n) at at records each Records", "other(x) at ts"
    assert read({"Records": elements}, *declared) == (
        ['1: login("eve")', "2: "],
        [
            "-record 2 of Records: no field 'u.n' for #input login; the fields of the record are at, x",
            "record 3 of Records: field u.n is a list; write each u.n in #input for one fact per element",
            'record 4 of Records: this record is no JSON object such as {"time": 3, "room": "hall"}',
        ],
    )
    assert read({"ts": 4, "x": 3}, *declared) == (["4: other(3)"], [])
    assert read({"ts": 4}, declared[0]) == (
        [],
        ["-the record contains no list of records in 'Records'; its fields are ts"],
    )
    assert read({"Records": elements[:1]}, "n(u.n, row()) at at records each Records")[0] == ['1: n("eve",1)']
    assert "row() numbers lines" in read({"Records": elements}, "n(row()) at at records each Records")[1][0]


def test_arrays_within_an_array_are_gone_through() -> None:
    """As states come, in an array for each sensor; each record is rejected by itself, with its own text."""
    told: list[Rejected] = []
    reading = Reading(format=Format.JSONL, declarations=[parse_input_declaration("p(x) at ts")])
    line = '[[{"ts": 1, "x": 2}, {"ts": 2,  "x": 1.50}], [], [[{"ts": 3, "x": 4}]], 5]'
    found = in_short([*reading.records([line], "x", told.append)])
    assert found == ["1: p(2)", "3: p(4)"]
    assert [one.origin.text for one in told] == ['{"ts": 2,  "x": 1.50}', "5"]
    assert [one.reason.partition(":")[0] for one in told] == [
        "record 2 of the array",
        "record 4 of the array",
    ]


def test_an_element_that_is_rejected_has_its_own_text() -> None:
    line = (
        '{"k": "a.b", "d": {"Records": [{"t": 1, "x": 2}, {"t": "no",  "x": 2.50}, 7, {"t": 3}]}, "z": [1]}'
    )
    declared = [parse_input_declaration("p(x) at t records each d.Records")]
    told = list[Rejected]()
    reading = Reading(format=Format.JSONL, timeline=Timeline(1_000_000), declarations=declared)
    for text in (line, f"[{line}]"):
        told.clear()
        assert in_short([*reading.records([text], "x", told.append)]) == ["1: p(2)", "3: "]
        assert [one.origin.text for one in told] == ['{"t": "no",  "x": 2.50}', "7", '{"t": 3}']
    told.clear()
    [*reading.records(['{"d": {"Records": {"t": 3} }}'], "x", told.append)]
    assert [one.origin.text for one in told] == ['{"t": 3}']


def test_rows_of_tables_have_no_lists() -> None:
    with pytest.raises(InputError, match="#input p: `each` reads JSON records, but this is a table"):
        read_csv(["a,ts\n"], "x", [parse_input_declaration("p(each a) at ts")], Timeline(), print)


VALUES = st.integers(0, 9)
INNER = st.lists(st.fixed_dictionaries({"y": VALUES}, optional={"z": VALUES}), max_size=3)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.fixed_dictionaries({"x": VALUES, "b": INNER}), max_size=3))
def test_nested_lists_are_gone_through_as_loops_do(outer: list[dict[str, Any]]) -> None:
    record = {"ts": 1, "id": 8, "a": outer, "side": [one["x"] + 1 for one in outer]}
    expected = [
        f"p(8,{one['x']},{one['x'] + 1},{two['y']},{two['z']})"
        for one in outer
        for two in one["b"]
        if "z" in two
    ]
    declared = "p(id, a.x, each side, each a.b.y, a.b.z) at ts"
    assert read(record, declared) == ([f"1: {' '.join(expected)}"], [])
