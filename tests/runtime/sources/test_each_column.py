"""`each K, V of S`: a fact for each column that matches, or for each key of an object, on every way in.

What it means is in docs/reference/formats/input-declarations.md.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet
from pyarrow.types import is_struct

from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.arrow.frames import read_frame, read_frame_blocks
from lars2asp.runtime.sources.files import read_file, read_file_blocks
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.rows import rows_reader
from lars2asp.syntax.diagnostics import Diagnostics, ProgramError
from lars2asp.syntax.parser import parse, read_sources
from lars2asp.syntax.printer import to_text
from tests.support.examples import number_of_examples
from tests.support.spark_rows import routed_by

WIDE = '#input reading(tag, x) at ts each tag, x of columns "TI*".'

Found = tuple[list[tuple[int, list[str]]], list[str], Account]
"""For each record its tick and its facts; why records are rejected; the counts."""


def read(text: str, source: Callable[..., Any], form: Format | None = None) -> Found:
    """What a source tells by a declaration, which takes a reading, rejected records and an account."""
    rejected: list[Rejected] = []
    account = Account()
    reading = Reading(form, declarations=Reasoner.from_text(text).plan.inputs)
    facts = []
    for record in source(reading, rejected.append, account):
        atoms = [text for atoms in record.events.facts for text in atom_texts(*atoms)]
        facts.append((record.tick, atoms))
    return facts, [one.reason for one in rejected], account


def blocks(given: Any) -> Iterator[Record]:
    for block in given:
        yield from block


def of_background(text: str, folder: Path) -> set[str]:
    """The facts that `#table` makes of a table by the same declaration, as one without a time."""
    (folder / "p.lars").write_text(text.replace("#input", "#table").replace(" at ts", ' from "t.csv"'))
    diagnostics = Diagnostics()
    found = parse(*read_sources([folder / "p.lars"]), diagnostics=diagnostics)
    assert not diagnostics.found
    return {to_text(one).rstrip(".") for one in found.statements}


def live(lines: Sequence[str]) -> Callable[..., Iterator[Record]]:
    def records(
        reading: Reading, on_reject: Callable[[Rejected], None], account: Account
    ) -> Iterator[Record]:
        reader = LiveReader(reading, on_reject)
        for number, line in enumerate(lines, start=1):
            yield from reader.records(Line("tcp:a", number, line))
        yield from reader.finish()
        for field in fields(account):
            setattr(account, field.name, getattr(reader.account, field.name))

    return records


def of_table(text: str, table: str, folder: Path) -> Found:
    """What a table of text tells, the same in all ways in which tables of text come in."""
    path = folder / "t.csv"
    path.write_text(table, encoding="utf-8")
    found = read(text, lambda *how: read_file(path, *how))
    assert read(text, lambda *how: blocks(read_file_blocks(path, *how))) == found
    assert read(text, live(table.splitlines()), Format.CSV) == found
    return found


def test_each_column_with_a_value_gives_a_fact(tmp_path: Path) -> None:
    table = "ts,TI100,TI101,mode\n1,20,,auto\n2,,,auto\n3,,,\n4,5,7,\n5,x,y,auto\n"
    facts, rejected, account = of_table(WIDE + "#types reading(_,integer).", table, tmp_path)
    assert facts == [
        (1, ['reading("TI100",20)']),
        (2, []),
        (3, []),
        (4, ['reading("TI100",5)', 'reading("TI101",7)']),
    ]
    [reason] = rejected
    assert "column TI100: 'x'" in reason
    assert "number(x) or missing" in reason
    assert (account.gave_facts, account.without_fact, account.passed_over) == (2, 1, 1)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ('p(k, x) at ts each k, x of columns "*"', ['p("a",1)', 'p("x",2)', 'p("k",3)']),
        ('p(k, x) at ts each k, x of columns "a"', ['p("a",1)']),
        ('p(k, x, a) at ts each k, x of columns "*"', ['p("x",2,1)', 'p("k",3,1)']),
        ('p(k) at ts each k, x of columns "*"', ['p("a")', 'p("x")', 'p("k")']),
        ('p(x or 0) at ts each k, x of columns "e*"', ["p(0)"]),
        ('p(k, x.f or "n") at ts each k, x of columns "a"', ['p("a","n")']),
        ('p(k, x.f) at ts each k, x of columns "a"', []),
        ('p(k, record()) at ts each k, x of columns "*"', ['p("a",1)', 'p("x",2)', 'p("k",3)']),
        ('p(constant(k), fixed(c)) at ts each k, x of columns "a"', ["p(a,c)"]),
        ('p(k, x) at ts each k, x of columns "*" where x != "1"', ['p("x",2)', 'p("k",3)']),
        ('p(k, x) at ts each k, x of columns "*" where k = "x"', ['p("x",2)']),
        ('p(k, x) at ts each k, x of columns "*" where a = 1', ['p("x",2)', 'p("k",3)']),
        ('p(k, x) at ts each k, x of columns "*" where x > 5', []),
    ],
)
def test_names_patterns_and_other_columns(text: str, facts: list[str], tmp_path: Path) -> None:
    got, rejected, account = of_table(f"#input {text}.", "ts,a,x,k,e\n7,1,2,3,\n", tmp_path)
    assert got == [(7, facts)]
    assert not rejected
    assert account.passed_over == text.endswith("> 5")
    assert account.without_fact == (not facts and not account.passed_over)


def test_a_header_without_such_a_column_is_an_error(tmp_path: Path) -> None:
    text = '#input p(k, x, T1) at ts each k, x of columns "T?*".'
    with pytest.raises(
        InputError, match=r'no column matches "T\?\*" of #input p; the columns are .ts., .T1.'
    ):
        of_table(text, "ts,T1\n7,1\n", tmp_path)
    with pytest.raises(InputError, match='no column matches "T1" of #input p except those that it names'):
        of_table(text.replace("T?*", "T1"), "ts,T1\n7,1\n", tmp_path)


def test_an_object_is_no_column_of_a_table(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'as in each k, x of columns "v\*"'):
        of_table("#input p(k, x) at ts each k, x of v.", "ts,v\n7,1\n", tmp_path)


def test_the_name_of_a_column_may_be_the_time(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,2026-01-01,2026-01-02\n7,1,2\n8,,4\n")
    text = """#tick 1 day. #timezone "UTC". #lateness 5 day. q(I, X) :- p(I, X).
        #input p(id, x) at day "%Y-%m-%d" each day, x of columns "2*"."""
    answers = [(one.tick, one.holds.texts) for one in Reasoner.from_text(text).run(path)]
    assert answers == [(20454, ("q(7,1)",)), (20455, ("q(7,2)", "q(8,4)"))]


def of_json(text: str, records: Sequence[str], folder: Path) -> Found:
    """What JSON records tell, the same in lines, in an array and live."""
    path, array = folder / "t.jsonl", folder / "t.json"
    path.write_text("".join(f"{record}\n" for record in records), encoding="utf-8")
    joined = ",\n".join(records)
    array.write_text(f"[\n{joined}\n]", encoding="utf-8")
    found = read(text, lambda *how: read_file(path, *how))
    assert read(text, lambda *how: blocks(read_file_blocks(path, *how))) == found
    assert read(text, lambda *how: read_file(array, *how)) == found
    assert read(text, live(records), Format.JSONL) == found
    return found


def test_each_key_with_a_value_gives_a_fact(tmp_path: Path) -> None:
    given = (
        '{"ts":1,"values":{"a":{"t":3},"b":{"u":1},"c":null,"d":4}}',
        '{"ts":2,"values":{}}',
        '{"ts":3,"values":null}',
        '{"ts":4}',
        '{"ts":5,"values":[1]}',
        '{"ts":6,"values":{"a":{"t":"x"}}}',
    )
    text = "#input r(k, x.t) at ts each k, x of values. #types r(_,integer)."
    facts, rejected, account = of_json(text, given, tmp_path)
    assert facts == [(1, ['r("a",3)']), (2, []), (3, []), (4, [])]
    passed, no_object, wrong = rejected
    assert "no field 'values' for #input r" in passed
    assert "field values: `each k, x of values` needs an object here" in no_object
    assert wrong.startswith("field values.a: column x.t: 'x' is not a number")
    counts = (account.gave_facts, account.without_fact, account.passed_over, account.rejected)
    assert counts == (1, 2, 1, 2)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("p(k, x or 0) at ts each k, x of v", ['p("12",1)', 'p("x",0)', 'p("y",0)']),
        ("p(k) at ts each k, x of v", ['p("12")', 'p("x")']),
        ("p(int(k), a) at ts each k, x of v where x = 1", ["p(12,7)"]),
        ('p(k, x.f or "n", record()) at ts each k, x of v', ['p("12","n",1)', 'p("x",2,2)', 'p("y","n",3)']),
        ("p(k, x) at ts each k, x of o.v", ['p("z",3)']),
        ('p(k, x) at ts each k, x of columns "?"', []),
        ('p(k, x) at ts each k, x of columns "*"', ['p("a",7)', 'p("x",5)']),
        ('p(x, x.v) at ts each x, k of columns "a*"', None),
        ('p(k, x.w) at ts each k, x of columns "*"', []),
        ('p(k, x, a) at ts each k, x of columns "*"', ['p("x",5,7)']),
        ('p(k, x.z, o.u or 0) at ts each k, x of columns "*"', []),
        ("p(k, x) at ts each k, x of v where a != 7", []),
        ('p(k, x) at ts each k, x of columns "o"', []),
        ("p(k, x) at ts each k, x of a where o.u = 5", []),
        ("p(k, x) at ts each k, x of v records each w", ['p("r",1)']),
    ],
)
def test_keys_of_objects(text: str, facts: list[str] | None, tmp_path: Path) -> None:
    record = '{"ts":7,"a":7,"x":5,"v":{"12":1,"x":{"f":2},"y":null},"o":{"v":{"z":3}}}'
    if "records each" in text:
        record = '{"w":[{"ts":7,"v":{"r":1}}]}'
    if facts is None:
        with pytest.raises(ProgramError, match=r"x is the name of a column, and has no field x\.v"):
            of_json(f"#input {text}.", [record], tmp_path)
        return
    got, rejected, account = of_json(f"#input {text}.", [record], tmp_path)
    fits = not text.endswith(('"?"', "7", "5"))
    assert got == [(7, facts)]
    assert len(rejected) == (text.endswith('"?"'))
    assert account.passed_over == (not fits)
    assert account.without_fact == (fits and not facts)


def test_numbers_of_records_count_keys(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"ts":1,"a":{"x":1,"y":2}}\n{"ts":1,"a":{"x":1}}\n')
    text = """#input p(record()) at ts. #input q(k, record()) at ts each k, x of a.
        #input r(k, record()) at ts each k, x of a. s(N) :- p(N). s(K, N) :- q(K, N), r(K, N)."""
    [answer] = Reasoner.from_text(text).run(path)
    assert answer.holds.texts == ("s(1)", "s(4)", 's("x",2)', 's("x",5)', 's("y",3)')


def of_frame(text: str, table: pa.Table, folder: Path) -> Found:
    """What typed columns tell, the same of files and frames."""
    path = folder / "t.parquet"
    parquet.write_table(table, path)
    found = read(text, lambda *how: read_file(path, *how))
    assert read(text, lambda *how: blocks(read_file_blocks(path, *how))) == found
    assert read(text, lambda *how: read_frame(table, *how)) == found
    assert read(text, lambda *how: blocks(read_frame_blocks(table, *how))) == found
    assert read(text, lambda *how: read_frame(table.to_pandas(), *how)) == found
    return found


def of_spark(text: str, table: pa.Table) -> tuple[list[tuple[int, list[str]]], list[str], Account]:
    """What columns tell on Spark: for each tick with facts its facts, sorted."""
    plan = Reasoner.from_text(text).plan
    types = [(one.name, one.type) for one in table.schema]
    fields = [
        f"{name}.{kind.field(at).name}"
        for name, kind in types
        if is_struct(kind)
        for at in range(kind.num_fields)
    ]
    reader = rows_reader([*table.column_names, *fields], plan.inputs, Timeline.of(plan))
    found = routed_by(reader, table.combine_chunks().to_batches()[0])
    told = dict[int, list[str]]()
    for tick, atom in sorted(found.atoms):
        told.setdefault(tick, []).append(atom)
    return [*told.items()], [reason for reason, _ in found.rejected], found.account


def test_each_column_of_typed_tables(tmp_path: Path) -> None:
    table = pa.table({"ts": [1, 2, 4], "TI100": [20, None, 5], "TI101": [None, None, 7], "tag": [1, 1, 1]})
    facts, rejected, _ = of_frame(WIDE, table, tmp_path)
    assert facts == [(1, ['reading("TI100",20)']), (2, []), (4, ['reading("TI100",5)', 'reading("TI101",7)'])]
    assert not rejected
    text = '#input p(int(k), x, tag) at ts each k, x of columns "TI*" where k != "TI100".'
    _, rejected, _ = of_frame(text, table, tmp_path)
    assert len(rejected) == 3
    assert all("'TI101' is not an integer" in reason for reason in rejected)
    facts, _, _ = of_frame('#input p(tag, x) at ts each tag, x of columns "*" where x >= 5.', table, tmp_path)
    assert facts == [(1, ['p("TI100",20)']), (2, []), (4, ['p("TI100",5)', 'p("TI101",7)'])]


def test_each_field_of_structs(tmp_path: Path) -> None:
    rows = [
        {"ts": 1, "values": {"a": {"t": 3}, "b": {"u": 1}}, "k": 9},
        {"ts": 2, "values": None, "k": 9},
        {"ts": 7, "values": {"a": {"t": 5}, "b": {"t": 6}}, "k": 9},
    ]
    table = pa.Table.from_pylist(rows)
    facts, _, _ = of_frame("#input r(k, x.t) at ts each k, x of values.", table, tmp_path)
    assert facts == [(1, ['r("a",3)']), (2, []), (7, ['r("a",5)', 'r("b",6)'])]
    facts, _, _ = of_frame("#input r(k, x.t or 0, x.v or 1) at ts each k, x of values.", table, tmp_path)
    assert facts[:2] == [(1, ['r("a",3,1)', 'r("b",0,1)']), (2, [])]
    facts, _, _ = of_frame("#input r(k, x) at ts each k, x of values.", table, tmp_path)
    assert facts == [(1, []), (2, []), (7, [])]
    with pytest.raises(InputError, match="` needs a column of structs, but"):
        of_frame("#input r(k, x) at ts each k, x of ts2.", table.append_column("ts2", table["ts"]), tmp_path)


class Declared(NamedTuple):
    """A declaration; whether an argument is the name, the cell, and a column that is named elsewhere."""

    pattern: str
    has_key: bool
    cell: str
    other: str
    condition: str

    def text(self, source: str) -> str:
        cell = f"text(x){self.cell[1:]}" if self.cell else ""
        listed = ", ".join(filter(None, ["k" if self.has_key else "", cell, self.other]))
        where = f" where {self.condition}" if self.condition else ""
        return f"#input p({listed}) at ts each k, x of {source}{where}."

    def matching(self, header: list[str], time: str = "ts") -> list[str]:
        """The columns of which each gives a fact."""
        pattern = re.escape(self.pattern).replace(r"\*", ".*")
        return [name for name in header if re.fullmatch(pattern, name) and name not in (time, self.other)]

    def told(self, cells: dict[str, Any], others: dict[str, Any]) -> tuple[list[str], bool]:
        """The facts of a record, and whether a match is left, by the definition; None is a missing cell."""
        facts, are_left = [], False
        for name, cell in cells.items():
            if self.condition and (cell is None or cell == "a"):
                continue
            are_left = True
            value = "0" if cell is None and self.cell.endswith("0") else cell
            key = [name] if self.has_key else []
            row = [*key, *([value] if self.cell else []), *([others[self.other]] if self.other else [])]
            if None not in row and (self.cell or self.condition or cell is not None):
                facts.append(f"p({','.join(json.dumps(one) for one in row)})")
        return facts, are_left


DECLARED = st.builds(
    Declared,
    st.sampled_from(["*", "T*", "*1", "x", "T?", "k"]),
    st.booleans(),
    st.sampled_from(["", "x", "x or 0"]),
    st.sampled_from(["", "m"]),
    st.sampled_from(["", 'x != "a"']),
).map(lambda one: one._replace(has_key=one.has_key or not one.cell))
CELLS = st.sampled_from(["", " ", "a", "b c", "d"])
HEADERS = st.permutations(["ts", "m", "T1", "T2", "x", "k", "e"]).map(list)
EXAMPLES = number_of_examples(40)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    declared=DECLARED,
    header=HEADERS,
    rows=st.lists(st.lists(CELLS, min_size=7, max_size=7), min_size=1, max_size=4),
)
def test_tables_are_read_by_the_definition(
    declared: Declared, header: list[str], rows: list[list[str]], tmp_path: Path
) -> None:
    matching = declared.matching(header)
    lines, facts, counts = [header], [], [0, 0, 0]
    for tick, cells in enumerate(rows, start=1):
        row = dict(zip(header, cells, strict=True)) | {"ts": str(tick)}
        lines.append([*row.values()])
        read = {name: cell if cell.strip() else None for name, cell in row.items()}
        found, are_left = declared.told({name: read[name] for name in matching}, read)
        is_filled = any(cell for name, cell in read.items() if name != "ts")
        found = found if is_filled else []
        facts.append((tick, found))
        counts[0 if found else 1 if is_filled and are_left else 2] += 1
    table = "".join(f"{','.join(line)}\n" for line in lines)
    text = declared.text(f'columns "{declared.pattern}"')
    if not matching:
        with pytest.raises(InputError, match="no column matches"):
            of_table(text, table, tmp_path)
        return
    got, rejected, account = of_table(text, table, tmp_path)
    assert [(tick, sorted(some)) for tick, some in got] == [(tick, sorted(some)) for tick, some in facts]
    assert [account.gave_facts, account.without_fact, account.passed_over] == counts
    assert not rejected
    known = (dict(zip(header, line, strict=True)) for line in lines[1:])
    told = set[str]()
    for row in known:
        read = {name: cell if cell.strip() else None for name, cell in row.items()}
        told |= {*declared.told({name: read[name] for name in declared.matching(header, "")}, read)[0]}
    assert of_background(text, tmp_path) == told


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    declared=DECLARED,
    header=HEADERS,
    rows=st.lists(st.lists(st.none() | CELLS, min_size=7, max_size=7), min_size=1, max_size=4),
)
def test_typed_columns_are_read_by_the_definition(
    declared: Declared, header: list[str], rows: list[list[str | None]], tmp_path: Path
) -> None:
    """Of Parquet, frames and Spark, of which only the columns that are needed are read."""
    names = declared.matching(header)
    given = [dict(zip(header, cells, strict=True)) for cells in rows]
    facts, counts = list[tuple[int, list[str]]](), [0, 0, 0]
    for tick, row in enumerate(given, start=1):
        found, are_left = declared.told({name: row[name] for name in names}, row)
        asks_all = declared.cell.endswith("0") and not declared.other
        read = header if asks_all else [*names, declared.other]
        is_filled = any(row[name] is not None for name in read if name not in ("ts", ""))
        found = sorted({*found}) if is_filled else []
        facts.append((tick, found))
        counts[0 if found else 1 if is_filled and are_left else 2] += 1
    kinds = [(name, pa.int64() if name == "ts" else pa.string()) for name in header]
    numbered = [row | {"ts": tick} for tick, row in enumerate(given, start=1)]
    table = pa.Table.from_pylist(numbered, pa.schema(kinds))
    text = declared.text(f'columns "{declared.pattern}"')
    if not names:
        with pytest.raises(InputError, match="no column matches"):
            of_frame(text, table, tmp_path)
        with pytest.raises(InputError, match="no column matches"):
            of_spark(text, table)
        return
    for got, rejected, account in (of_frame(text, table, tmp_path), of_spark(text, table)):
        assert [(tick, sorted({*some})) for tick, some in got if some] == [one for one in facts if one[1]]
        assert [account.gave_facts, account.without_fact, account.passed_over] == counts
        assert not rejected


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    declared=DECLARED,
    is_map=st.booleans(),
    found=st.lists(
        st.none()
        | st.dictionaries(st.sampled_from(["T1", "x", "k", "m"]), st.sampled_from([None, "", "a", "d"])),
        min_size=1,
        max_size=4,
    ),
)
def test_structs_and_maps_are_read_by_the_definition(
    declared: Declared, is_map: bool, found: list[dict[str, str | None] | None], tmp_path: Path
) -> None:
    """A struct has all of its fields in each row; on Spark a map is an object as well."""
    keys = sorted({key for one in found for key in one or ()})
    if not is_map:
        found = [None if one is None else {key: one.get(key) for key in keys} for one in found]
    kind = pa.map_(pa.string(), pa.string()) if is_map else pa.struct([(key, pa.string()) for key in keys])
    cells = [None if one is None else [*one.items()] if is_map else one for one in found]
    table = pa.table({"ts": range(1, len(found) + 1), "m": ["n"] * len(found), "v": pa.array(cells, kind)})
    facts = [
        (tick, sorted({*declared.told(one or {}, {"m": "n"})[0]})) for tick, one in enumerate(found, start=1)
    ]
    text = declared.text("v")
    read_all = [of_spark(text, table)]
    if not is_map and keys:  # Parquet has no struct without fields
        read_all.append(of_frame(text, table, tmp_path))
    for got, rejected, account in read_all:
        assert [(tick, sorted({*some})) for tick, some in got if some] == [one for one in facts if one[1]]
        assert account.gave_facts == sum(bool(some) for _, some in facts)
        assert not rejected


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    declared=DECLARED,
    found=st.lists(
        st.none()
        | st.just(7)
        | st.dictionaries(
            st.sampled_from(["T1", "x", "k", "m"]), st.sampled_from([None, {}, {"f": "v"}, "", "a", "d"])
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_objects_are_read_by_the_definition(declared: Declared, found: list[Any], tmp_path: Path) -> None:
    records, facts, wrong = [], [], 0
    for tick, given_object in enumerate(found, start=1):
        records.append(json.dumps({"ts": tick, "m": "n", "v": given_object}))
        if given_object == 7:
            wrong += 1
            continue
        cells = given_object or {}
        reads_cell = declared.cell or declared.condition
        plain = {
            name: None if reads_cell and isinstance(cell, dict) else cell for name, cell in cells.items()
        }
        facts.append((tick, declared.told(plain, {"m": "n"})[0]))
    got, rejected, account = of_json(declared.text("v"), records, tmp_path)
    assert got == facts
    assert len(rejected) == account.rejected == wrong
    assert account.gave_facts == sum(bool(some) for _, some in facts)
