"""Rows of DataFrames become atoms for shards."""

from collections.abc import Sequence

import pyarrow as pa
import pytest

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.blocks import read
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.packets import OUTPUT
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.record_numbers import PartCount
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.rows import rows_reader
from lars2asp.runtime.spark.carrier.table_files import TableFiles
from lars2asp.runtime.spark.spark_settings import RowForm
from lars2asp.splitting.parts import Split
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.parser import parse_input_declaration
from tests.runtime.sharding.packet_texts import texts_of
from tests.support.spark_rows import EVERYTHING


def routed(
    columns: list[str],
    rows: Sequence[tuple[str, ...]],
    declarations: Sequence[Input] = (),
    form: RowForm | None = None,
) -> tuple[list[tuple[int, str, list[str]]], list[str]]:
    """The atoms that a shard gets, and the rows that are rejected."""
    router = Router(Layout(Split((EVERYTHING,)), (1,)).input_routes(0))
    table = pa.table([pa.array(cells) for cells in zip(*rows, strict=True)], names=columns)
    reader = rows_reader(columns, declarations, Timeline(), form)
    [batch] = table.select([*reader.columns]).to_batches()
    assert not isinstance(reader, TableFiles)
    reader.route(batch, router)
    taken, rejected = list[tuple[int, str, list[str]]](), list[str]()
    for packet in router.packets():
        if packet.target == OUTPUT:
            rejected += [str(text) for block in read(packet.data) for _, text in block.rows]
        else:
            taken += texts_of(packet.data)
    return taken, rejected


def test_a_row_that_is_no_atom_is_rejected_alone() -> None:
    rows = [("3", "p(1)"), ("3", "p(X)"), ("x", "p(2)"), ("3", "p(3)"), ("3", "p("), ("4", "")]
    taken, rejected = routed(["time", "atom"], rows)
    assert taken == [(3, "f", ["p(1)"]), (3, "f", ["p(3)"])]
    assert sorted(rejected) == ["3 p(", "3 p(X)", "x p(2)"]


def test_changes_and_last_ticks_are_signs() -> None:
    rows = [
        ("1", "p(1)", "began", ""),
        ("2", "p(1)", "ended", ""),
        ("2", "p(2)", "", "9"),
        ("2", "p(3)", "", ""),
        ("2", "p(4)", "rejected", ""),
        ("2", "p(5)", "began", "9"),
        ("2", "p(6)", "lost", ""),
    ]
    taken, rejected = routed(["time", "atom", "change", "until"], rows)
    assert taken == [(1, "b", ["p(1)"]), (2, "e", ["p(1)"]), (2, "f", ["p(3)"]), (2, "f9", ["p(2)"])]
    assert rejected == ["2 p(5) began 9", "2 p(6) lost "]


def test_lines_of_json_with_fields_that_are_declared(capsys: pytest.CaptureFixture[str]) -> None:
    """As a topic of Kafka has them; a line may have several records, and some are of other kinds."""
    declared = [parse_input_declaration("p(sensor.id, value*10) at ts")]
    rows = [
        ('{"ts": 3, "sensor": {"id": 7}, "value": 24.1}',),
        ('[{"ts": 4, "sensor": {"id": 8}, "value": 1}, {"time": 5, "facts": ["q"]}]',),
        ('{"ts": 6, "sensor": {}}',),
    ]
    taken, rejected = routed(["value"], rows, declared, RowForm.JSONL)
    assert taken == [(3, "f", ["p(7,241)"]), (4, "f", ["p(8,10)"]), (5, "f", ["q"])]
    assert rejected == []
    said = "lars2asp: 1 row was passed over, the first: no fields 'sensor.id', 'value' for #input p"
    assert capsys.readouterr().err.startswith(said)


def test_columns_ignore_case() -> None:
    declared = [parse_input_declaration("p(room, sensor.id) at ts")]
    assert routed(["TS", "Room", "Sensor.Id"], [("3", "a", "b")], declared)[0] == [(3, "f", ['p("a","b")'])]
    assert routed(["ts", "ROOM", "room", "sensor.id"], [("3", "a", "b", "c")], declared, RowForm.TABLE)[
        0
    ] == [(3, "f", ['p("b","c")'])]
    with pytest.raises(InputError, match="'ROOM' and 'Room' differ only in case"):
        routed(["ts", "ROOM", "Room", "sensor.id"], [("3", "a", "b", "c")], declared)
    assert rows_reader(["Time", "ATOM", "x"], (), Timeline()).columns == ("time", "atom")


def test_lines_of_a_log() -> None:
    declared = [parse_input_declaration('p(user) from "^{time:word} failed {user:text}$"')]
    rows = [("3 failed eve",), ("4 else",), ("x failed eve",)]
    taken, rejected = routed(["value"], rows, declared)
    assert (taken, rejected) == ([(3, "f", ['p("eve")'])], ["x failed eve"])


def test_lines_of_a_log_or_of_json() -> None:
    """What is said counts; a program that has patterns alone reads text."""
    pattern = parse_input_declaration('p(user) from "^{time:word} failed {user:text}$"')
    both = [pattern, parse_input_declaration("q(x) at t")]
    rows = [("3 failed eve",), ('{"t": 4, "x": 1}',)]
    text, json = [(3, "f", ['p("eve")'])], [(4, "f", ["q(1)"])]
    assert routed(["value"], rows, both)[0] == text
    assert routed(["value"], rows, both, RowForm.LOG)[0] == text
    assert routed(["value"], rows, both, RowForm.JSONL)[0] == json
    assert routed(["value"], rows, [pattern], RowForm.JSONL)[0] == text
    with pytest.raises(InputError, match="the program does not declare how lines of text become facts"):
        routed(["value"], rows, [both[1]], RowForm.LOG)


def test_bytes_of_a_log_that_are_not_utf_8_stay_apart() -> None:
    """A text column of Java may have them, and a binary column, as Kafka has."""
    declared = [parse_input_declaration('p(user) from "^{time:word} failed {user:text}$"')]
    for kind in (pa.string(), pa.binary()):
        column = pa.array([b"3 failed \xff\xc3\xbc", b"4 failed a\x00b", None], pa.binary()).view(kind)
        router = Router(Layout(Split((EVERYTHING,)), (1,)).input_routes(0))
        [batch] = pa.table([column], names=["value"]).to_batches()
        reader = rows_reader(["value"], declared, Timeline())
        assert not isinstance(reader, TableFiles)
        reader.route(batch, router)
        taken = [one for packet in router.packets() for one in texts_of(packet.data)]
        assert taken == [(3, "f", ['p("\\\\xff\u00fc")']), (4, "f", ['p("a\\\\x00b")'])]


def test_rows_have_no_lines_and_no_files() -> None:
    rows = [("3", "7")]
    for text in ("p(x, row()) at t", "p(x, file()) at t"):
        with pytest.raises(InputError, match="on Spark rows come without a line and a file, so"):
            routed(["t", "x"], rows, [parse_input_declaration(text)])
        with pytest.raises(InputError, match="on Spark rows come without a line and a file, so"):
            routed(["value"], [('{"t": 1, "x": 7}',)], [parse_input_declaration(text)], RowForm.JSONL)


def test_records_have_numbers() -> None:
    """In their order, one for all facts of a row, also for rows that are read one by one."""
    declared = [parse_input_declaration(text) for text in ("p(int(x), record()) at t", "q(record()) at t")]
    rows = [("3", "7"), ("3", "x"), ("4", ""), ("4", "9")]
    taken, rejected = routed(["t", "x"], rows, declared)
    assert sorted(taken) == [
        *((3, "f", ["p(7,1)"]), (3, "f", ["q(1)"]), (4, "f", ["p(9,4)"])),
        *((4, "f", ["q(3)"]), (4, "f", ["q(4)"])),
    ]
    assert rejected == ["3,x"]
    lines = [('{"t": 3, "x": 7}',), ('[{"t": 3, "x": 8}, {"t": 4, "x": 9}]',), ('{"t": 4, "x": 9}',)]
    taken, _ = routed(["value"], lines, [declared[0]], RowForm.JSONL)
    assert sorted(taken) == [
        *((3, "f", ["p(7,1)"]), (3, "f", ["p(8,2)"])),
        *((4, "f", ["p(9,3)"]), (4, "f", ["p(9,4)"])),
    ]


def test_numbers_of_parts_are_apart() -> None:
    """Whatever the parts; they are small where there are few."""
    batches = [*range(40), 10**6, 10**9]
    parts = [PartCount((batch, part)) for batch in batches for part in [*range(40), 10**4]]
    found = [one.number(count) for one in parts for count in range(1, 30)]
    assert len({*found}) == len(found)
    assert [PartCount(()).number(count) for count in (1, 2)] == [1, 2]
    assert PartCount((7,)).number(100_000) < 2**31
    assert PartCount((10**6, 10)).number(10**6) < 2**63


def test_units_are_declared_and_marks() -> None:
    """No row is the first one, whose unit would count."""
    cells = ["5 kB", "6", "7 MB", "8 kB DR", "9.6"]
    rows = [(f"{tick}", cell) for tick, cell in enumerate(cells)]
    lines = [(f'{{"t": {tick}, "x": "{cell}"}}',) for tick, cell in rows]
    texts = [(f"{tick} x={cell}",) for tick, cell in rows]
    for column, expected, number in (
        ("number(x) rounded", ["p(6)", "p(10)"], 3),
        ('number(x, unit "kB", minus "DR") rounded', ["p(5)", "p(6)", "p(-8)", "p(10)"], 1),
    ):
        fields = [parse_input_declaration(f"p({column}) at t")]
        pattern = [parse_input_declaration(f'p({column}) from "^{{t:int}} x={{x:text}}$" at t')]
        for found in (
            routed(["t", "x"], rows, fields),
            routed(["value"], lines, fields, RowForm.JSONL),
            routed(["value"], texts, pattern),
        ):
            assert [atom for _, _, atoms in sorted(found[0]) for atom in atoms] == expected
            assert len(found[1]) == number


def test_units_of_each_column_and_key_are_declared() -> None:
    """As `run` reads them with a declared unit; without one a unit rejects, as no row is the first one."""
    rows = [("0", "5 kB", "6"), ("1", "7 kB", "8 MB"), ("2", "9", "10")]
    lines = [(f'{{"t": {tick}, "of": {{"Ta": "{a}", "Tb": "{b}"}}}}',) for tick, a, b in rows]
    for column, expected, number in (
        ('number(x, unit "kB")', ['p("Ta",5)', 'p("Ta",9)', 'p("Tb",10)', 'p("Tb",6)'], 1),
        ("number(x)", ['p("Ta",9)', 'p("Tb",10)'], 2),
    ):
        wide = [parse_input_declaration(f'p(tag, {column}) at t each tag, x of columns "T*"')]
        keys = [parse_input_declaration(f"p(tag, {column}) at t each tag, x of of")]
        for found in (
            routed(["t", "Ta", "Tb"], rows, wide),
            routed(["value"], lines, keys, RowForm.JSONL),
        ):
            assert sorted(atom for _, _, atoms in found[0] for atom in atoms) == expected
            assert len(found[1]) == number
