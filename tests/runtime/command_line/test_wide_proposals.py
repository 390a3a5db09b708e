"""Files with a column or a key for each thing: plain Python reads the same facts as the proposal."""

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.command_line import input_check
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Rejected

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
NUMBER = 60

Cell = str | int | float | None
Row = Mapping[str, Any]
Fact = tuple[int, tuple[str, ...]]


class Case(NamedTuple):
    """A file, and what is expected of it.

    Attributes:
        file: its name.
        row: makes a row; `m` is its minute.
        declared: the declarations, without ticks and `#held`.
        facts: the arguments of the facts of a row.
    """

    file: str
    row: Callable[[int, random.Random], Row]
    declared: Sequence[str]
    facts: Callable[[Row], Iterator[tuple[Cell, ...]]]


def tenth(chance: random.Random) -> float:
    return round(chance.uniform(10, 30), 1)


def text_of(value: Cell) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


TAGS = [f"TI{100 + n}" for n in range(7)]
PV = [f"{name}{100 + n}.PV" for n, name in enumerate(["FIC", "TIC", "LI", "PI", "FI", "TI", "AI"])]
HALVES = "ABCDEF"

CASES = {
    "tags": Case(
        "t.csv",
        lambda m, c: {tag: tenth(c) if c.random() < 0.9 else None for tag in TAGS} | {"mode": "auto"},
        [
            '#input reading(mode, tag, value) at ts each tag, value of columns "TI*".',
            "#decimals reading(_, _, 1).",
        ],
        lambda row: (("auto", tag, row[tag]) for tag in TAGS if row[tag] is not None),
    ),
    "tags of several kinds, and a column that is sometimes empty": Case(
        "t.csv",
        lambda m, c: {tag: tenth(c) for tag in PV} | {"by": c.choice(["anna", "ben", None])},
        [
            '#input reading(by or "") at ts.',
            '#input reading_pv(tag, value) at ts each tag, value of columns "*.PV".',
            "#decimals reading_pv(_, 1).",
        ],
        lambda row: iter([(row["by"] or "",), *((tag, row[tag]) for tag in PV)]),
    ),
    "a column that has another number": Case(
        "t.csv",
        lambda m, c: {tag: tenth(c) for tag in TAGS} | {"TIME_left": m, "tag": f"a{m % 2}", "value": m % 7},
        [
            "#input reading(TIME_left, tag, value) at ts.",
            '#input reading_ti10(tag, key, x) at ts each key, x of columns "TI10*".',
            "#decimals reading_ti10(_, _, 1).",
        ],
        lambda row: iter(
            [
                (row["TIME_left"], row["tag"], row["value"]),
                *((row["tag"], tag, row[tag]) for tag in TAGS),
            ]
        ),
    ),
    "values with their quality": Case(
        "t.csv",
        lambda m, c: {
            name: value
            for thing in HALVES
            for name, value in ((f"{thing}.value", tenth(c)), (f"{thing}.q", c.choice(["Good", "Bad"])))
        },
        [
            *(f'#input reading(fixed("{one}"), {one}.value, {one}.q) at ts.' for one in HALVES),
            "#decimals reading(_, 1, _).",
        ],
        lambda row: ((one, row[f"{one}.value"], row[f"{one}.q"]) for one in HALVES),
    ),
    "values with their quality that are sometimes empty": Case(
        "t.csv",
        lambda m, c: {
            name: value
            for thing in HALVES
            for name, value in ((thing, tenth(c) if m % 5 else None), (f"{thing}_q", 192 if m % 5 else 0))
        },
        [
            *(f'#input reading(fixed("{one}"), {one}_q) at ts.' for one in HALVES),
            *(f'#input reading_value(fixed("{one}"), {one}) at ts.' for one in HALVES),
            "#decimals reading_value(_, 1).",
        ],
        lambda row: (
            fact
            for one in HALVES
            for fact in ((one, row[f"{one}_q"]), (one, row[one]))
            if fact[1] is not None
        ),
    ),
    "fields of records": Case(
        "t.jsonl",
        lambda m, c: {tag: c.choice([float(c.randrange(9)), 2.5, None]) for tag in TAGS if c.random() < 0.8},
        ['#input reading(tag, value) at ts each tag, value of columns "TI*".', "#decimals reading(_, 1)."],
        lambda row: ((tag, row[tag]) for tag in TAGS if row.get(tag) is not None),
    ),
    "keys that differ": Case(
        "t.jsonl",
        lambda m, c: {
            "site": c.choice("ab"),
            "values": {key: c.randrange(9) for key in c.sample("abcdefgh", 3)},
        },
        ["#input reading(site, key, value) at ts each key, value of values."],
        lambda row: ((row["site"], key, value) for key, value in row["values"].items()),
    ),
    "more keys than records": Case(
        "t.jsonl",
        lambda m, c: {"n": {f"10.0.{c.randrange(99)}.{c.randrange(99)}": c.randrange(9) for _ in range(9)}},
        ["#input reading(key, value) at ts each key, value of n."],
        lambda row: iter(row["n"].items()),
    ),
    "keys with texts": Case(
        "t.jsonl",
        lambda m, c: {"level": m, "tags": {c.choice("abcdefg"): c.choice(["x", "5"]) for _ in range(3)}},
        [
            "#input reading(level) at ts.",
            "#input reading_tags(key, text(value)) at ts each key, value of tags.",
        ],
        lambda row: iter([(row["level"],), *row["tags"].items()]),
    ),
    "numbers as keys": Case(
        "t.jsonl",
        lambda m, c: {"slots": {str(n): c.randrange(9) for n in range(8)}},
        ["#input reading(int(key), value) at ts each key, value of slots."],
        lambda row: ((int(key), value) for key, value in row["slots"].items()),
    ),
    "objects within an object": Case(
        "t.jsonl",
        lambda m, c: {"d": {"s": {f"s{n}": {"t": tenth(c), "u": {"q": c.choice("xy")}} for n in range(2)}}},
        [
            "#input reading(key, value.t, value.u.q) at ts each key, value of d.s.",
            "#decimals reading(_, 1, _).",
        ],
        lambda row: ((key, one["t"], one["u"]["q"]) for key, one in row["d"]["s"].items()),
    ),
    "a field that is sometimes absent, and a key in another object": Case(
        "t.jsonl",
        lambda m, c: {
            "d": {"id": f"d{m % 2}"},
            "s": {f"s{n}": {"t": tenth(c)} | ({"h": m % 9} if c.random() < 0.5 else {}) for n in range(4)},
        },
        [
            "#input reading(d.id, key, value.t) at ts each key, value of s.",
            "#decimals reading(_, _, 1).",
            "#input reading_value_h(d.id, key, value.h) at ts each key, value of s.",
        ],
        lambda row: (
            (row["d"]["id"], key, one[name])
            for key, one in row["s"].items()
            for name in ("t", "h")
            if name in one
        ),
    ),
    "objects side by side": Case(
        "t.jsonl",
        lambda m, c: {tag: {"v": tenth(c), "q": c.choice(["Good", "Bad"])} for tag in TAGS} | {"p": {"v": m}},
        [
            "#input reading(p.v) at ts.",
            '#input reading_ti(key, value.v, value.q) at ts each key, value of columns "TI*".',
            "#decimals reading_ti(_, 1, _).",
        ],
        lambda row: iter([(row["p"]["v"],), *((tag, row[tag]["v"], row[tag]["q"]) for tag in TAGS)]),
    ),
}


def written(file: str, rows: Sequence[Row]) -> str:
    if file.endswith(".jsonl"):
        return "".join(f"{json.dumps({'ts': stamp(m)} | {**row})}\n" for m, row in enumerate(rows))
    lines = [",".join(["ts", *rows[0]])]
    for m, row in enumerate(rows):
        lines.append(",".join([stamp(m), *("" if cell is None else str(cell) for cell in row.values())]))
    return "".join(f"{line}\n" for line in lines)


def stamp(minute: int) -> str:
    return f"{BEGIN + timedelta(minutes=minute):%Y-%m-%dT%H:%M:%SZ}"


def facts_of(path: Path, proposed: str) -> set[Fact]:
    """The facts of a proposal, without their predicates, each at its tick alone."""
    told = re.sub("(?m)^#held.*\n", "", proposed)
    inputs = Reasoner.from_text(told).plan.inputs
    shown = {f"#show {one.predicate}/{len(one.columns)}.\n" for one in inputs}
    rejected: list[Rejected] = []
    answers = Reasoner.from_text(told + "".join(shown)).run(path, emit="every", on_reject=rejected.append)
    found = {
        (answer.tick, tuple(re.findall(r'"[^"]*"|[^,()]+', text)[1:]))
        for answer in answers
        for text in answer.holds.texts
    }
    assert not rejected
    return found


@pytest.mark.parametrize("name", CASES)
def test_each_column_and_key_gives_a_fact(tmp_path: Path, name: str) -> None:
    case, chance = CASES[name], random.Random(name)
    rows = [case.row(m, chance) for m in range(NUMBER)]
    path = tmp_path / case.file
    path.write_text(written(case.file, rows))
    found = input_check.proposals([str(path)], Reading())
    lines = [line for line in found.text.splitlines() if line.startswith(("#input", "#decimals"))]
    assert lines == [*case.declared], found.text
    assert found.is_whole, found.text
    begin = int(BEGIN.timestamp()) // 60
    expected = {
        (begin + m, tuple(map(text_of, fact))) for m, row in enumerate(rows) for fact in case.facts(row)
    }
    assert facts_of(path, found.text) == expected


def test_columns_of_rows_that_share_a_time_stay_together(tmp_path: Path) -> None:
    rows = [[str(n // 3), *(str(n * k % 97) for k in range(1, 9))] for n in range(60)]
    text = "\n".join(",".join(row) for row in [["time", *(f"V{k}" for k in range(1, 9))], *rows])
    (tmp_path / "t.csv").write_text(text)
    found = input_check.proposals([str(tmp_path / "t.csv")], Reading()).text
    assert "#input reading(V1, V2, V3, V4, V5, V6, V7, V8) at time.\n" in found


def test_objects_of_records_that_share_a_time_are_read_with_all_fields(tmp_path: Path) -> None:
    rows = [
        {"ts": n // 3, "n": n, "v": {f"k{key}": n % 7 for key in random.Random(n).sample(range(9), 3)}}
        for n in range(60)
    ]
    (tmp_path / "t.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    found = input_check.proposals([str(tmp_path / "t.jsonl")], Reading()).text
    assert "#input reading(n, key, value) at ts each key, value of v.\n" in found


def test_elements_of_a_document_have_objects_too(tmp_path: Path) -> None:
    rows: list[Row] = [{"ts": n, "v": {f"k{n * k % 9}": n % 7 for k in range(1, 4)}} for n in range(60)]
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"site": "a", "data": rows}))
    found = input_check.proposals([str(path)], Reading())
    assert "#input reading(key, value) at ts each key, value of v records each data.\n" in found.text
    expected = {(row["ts"], (f'"{key}"', str(n))) for row in rows for key, n in row["v"].items()}
    assert facts_of(path, found.text) == expected


def test_several_files_keep_their_names(tmp_path: Path) -> None:
    rows = "".join(f"2026-01-01T00:00:0{n}Z{',1' * 6}\n" for n in range(9))
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(",".join(["ts", *TAGS[:6]]) + "\n" + rows)
    found = input_check.proposals([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")], Reading())
    assert re.findall(r"#input (\w+)", found.text) == ["a", "b"]


def test_a_column_without_a_name_is_read_by_its_place(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("t,,x\n" + "".join(f"{n},a,{n}\n" for n in range(9)))
    found = input_check.proposals([str(tmp_path / "t.csv")], Reading()).text
    assert "#input reading(column(2), x) at t.\n" in found


@pytest.mark.parametrize("others", ["TI_out", "TI101"])
def test_a_pattern_that_matches_others_is_none(tmp_path: Path, others: str) -> None:
    """Another column of numbers, or a name that two columns have."""
    names = ["ts", *(f"TI{n}" for n in range(101, 701, 111)), others]
    rows = [[str(m), *("1" for _ in names[2:]), str(m)] for m in range(9)]
    (tmp_path / "t.csv").write_text("\n".join(",".join(row) for row in [names, *rows]))
    assert "each" not in input_check.proposals([str(tmp_path / "t.csv")], Reading()).text


@pytest.mark.parametrize(
    "record",
    [
        {"from": {"lat": 1.5, "lon": 2.5}, "to": {"lat": 2.5, "lon": 3.5}},
        {"place": {"lat": 1.5, "lon": 2.5}},
        {"a": {"x": 1, "y": 2, "z": 3}},
    ],
)
def test_objects_with_fields_are_not_data(tmp_path: Path, record: Row) -> None:
    (tmp_path / "t.jsonl").write_text("".join(f"{json.dumps({'ts': n} | {**record})}\n" for n in range(9)))
    assert "each" not in input_check.proposals([str(tmp_path / "t.jsonl")], Reading()).text
