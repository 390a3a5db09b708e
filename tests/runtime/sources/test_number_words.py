"""`number(x, unit ..., plus ..., minus ...)` and `number(x) rounded`: all inputs read the same."""

import csv
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.arrow.frames import read_frame, read_frame_blocks
from lars2asp.runtime.sources.files import input_at, read_file, read_file_blocks
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, Record, Rejected

Told = list[str]
"""For each record its fact, or why it is rejected, without the name of the column."""

LOG = '#input p({}) from "^{{t:int}} v=<{{v:text}}>$" at t.'


def reading_of(column: str, more: str = "", *, is_log: bool = False) -> Reading:
    said = LOG.format(column) if is_log else f"#input p({column}) at t."
    return Reasoner.from_text(f"{said}{more} q :- p(_). #show p/1.").reading


def told(
    read: Callable[[Callable[[Rejected], None]], Any], decimals: Any, found: list[tuple[int, str]]
) -> Told:
    """What records tell, in the order of their lines."""

    def reject(one: Rejected) -> None:
        found.append((one.origin.line, one.reason.removeprefix("column v: ")))

    for record in read(reject):
        texts = [atom_texts(atoms.signature, atoms.rows, decimals) for atoms in record.events.facts]
        assert record.origin is not None
        found += [(record.origin.line, text) for many in texts for text in many]
    return [text for _, text in sorted(found, key=lambda one: one[0])]


def flat(blocks: Any) -> list[Record]:
    return [record for block in blocks for record in block]


def ways(cells: Sequence[Any], column: str, more: str, folder: Path) -> dict[str, Told]:
    """What cells tell as each input has them."""
    reading = reading_of(column, more)
    rows = [*enumerate(cells, start=1)]
    table, lines = folder / "a.csv", folder / "a.jsonl"
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["t", "v"])
        writer.writerows(rows)
    lines.write_text(
        "\n".join(json.dumps({"t": tick, "v": cell}, ensure_ascii=False) for tick, cell in rows),
        encoding="utf-8",
    )
    frame = pd.DataFrame({"t": [tick for tick, _ in rows], "v": [*cells]})
    many = pa.table({"t": frame["t"], "v": pa.array([*cells], pa.string()).dictionary_encode()})
    parquet.write_table(
        pa.table({"t": frame["t"], "v": pa.array([*cells], pa.string())}), folder / "a.parquet"
    )
    (folder / "a.log").write_text("".join(f"{tick} v=<{cell}>\n" for tick, cell in rows), encoding="utf-8")

    def live(path: Path, form: Format) -> Callable[[Any], Any]:
        def read(reject: Callable[[Rejected], None]) -> list[Record]:
            how = Reading(form, declarations=reading.declarations, decimals=reading.decimals)
            reader = LiveReader(how, reject)
            texts = path.read_text(encoding="utf-8").splitlines()
            given = [Line("s", number, text) for number, text in enumerate(texts, start=1)]
            return flat([*map(reader.records, given), reader.finish()])

        return read

    of_log = reading_of(column, more, is_log=True)
    return {
        "rows": told(lambda on: read_file(table, reading, on), reading.decimals, []),
        "blocks": told(lambda on: flat(read_file_blocks(table, reading, on)), reading.decimals, []),
        "json": told(lambda on: read_file(lines, reading, on), reading.decimals, []),
        "json blocks": told(lambda on: flat(read_file_blocks(lines, reading, on)), reading.decimals, []),
        "frame": told(lambda on: read_frame(frame, reading, on), reading.decimals, []),
        "frame blocks": told(lambda on: flat(read_frame_blocks(many, reading, on)), reading.decimals, []),
        "parquet": told(lambda on: read_file(folder / "a.parquet", reading, on), reading.decimals, []),
        "live table": told(live(table, Format.CSV), reading.decimals, []),
        "live json": told(live(lines, Format.JSONL), reading.decimals, []),
        "log": told(lambda on: read_file(folder / "a.log", of_log, on), reading.decimals, []),
    }


EXAMPLES = [
    (["5.00", "5.00 EUR", "7.25 EUR"], "number(v)", ["p(5.00)", "p(5.00)", "p(7.25)"]),
    (
        ["1.5 kB", "1.5 MB", "2"],
        "number(v)",
        [
            "p(1.50)",
            "'1.5 MB' has the unit 'MB', and the first one was 'kB'; "
            'write number(v, unit "kB") or number(v, unit "MB")',
            "p(2.00)",
        ],
    ),
    (["26", "20,5 °C"], 'number(v, ",")', ["p(26.00)", "p(20.50)"]),
    (
        ["20 C", "68 F", "21 C"],
        "number(v) or missing",
        [
            "p(20.00)",
            "'68 F' has the unit 'F', and the first one was 'C'; "
            'write number(v, unit "C") or number(v, unit "F")',
            "p(21.00)",
        ],
    ),
    (
        ["5.00 EUR-", "5.00"],
        "number(v)",
        [
            "'5.00 EUR-' has '-' after the number, which nothing declares; write number(v, minus \"-\")",
            "p(5.00)",
        ],
    ),
    (
        ["5.00 EUR-", "EUR 5.00", "11.50 DR", "-3"],
        'number(v, minus "-")',
        [
            "p(-5.00)",
            "p(5.00)",
            "'11.50 DR' has 'DR' after the number, which nothing declares",
            "p(-3.00)",
        ],
    ),
    (
        ["1,5 kB CR", "1,5 DR", "-1 DR", "1 MB", "kB 2"],
        'number(v, ",", unit "kB", plus "CR", minus "DR")',
        [
            "p(1.50)",
            "p(-1.50)",
            "'-1 DR' has 'DR' after the number, and a sign in front of it",
            "'1 MB' has the unit 'MB', not 'kB'",
            "p(2.00)",
        ],
    ),
    (
        ["80.0999984741211", "-0.005", "0.005", "2", "x"],
        "number(v) rounded or missing or 0.125",
        ["p(80.10)", "p(-0.01)", "p(0.01)", "p(2.00)", "p(0.13)"],
    ),
]


@pytest.mark.parametrize(("cells", "column", "expected"), EXAMPLES)
def test_examples_on_each_way_in(cells: list[str], column: str, expected: Told, tmp_path: Path) -> None:
    found = ways(cells, column, "#decimals p(2).", tmp_path)
    assert found == dict.fromkeys(found, expected)


@pytest.mark.parametrize(
    ("more", "expected"),
    [("#decimals p(1).", ["p(80.1)", "p(-0.1)", "p(2.0)"]), ("", ["p(80)", "p(0)", "p(2)"])],
)
def test_numbers_with_types_are_rounded(more: str, expected: Told, tmp_path: Path) -> None:
    frame = pd.DataFrame({"t": [1, 2, 3, 4], "v": [80.0999984741211, -0.05, 2.0, None]})
    reading = reading_of('number(v, ",", unit "kB") rounded', more)
    parquet.write_table(pa.Table.from_pandas(frame), tmp_path / "a.parquet")
    assert told(lambda on: read_frame(frame, reading, on), reading.decimals, []) == expected
    assert told(lambda on: read_file(tmp_path / "a.parquet", reading, on), reading.decimals, []) == expected
    lines = "".join(f'{{"t": {t}, "v": {v}}}\n' for t, v in zip(frame.t[:3], frame.v[:3], strict=True))
    (tmp_path / "a.jsonl").write_text(lines)
    plain = reading_of("number(v) rounded", more)
    for read in (read_file, lambda *how: flat(read_file_blocks(*how))):
        assert told(partial(read, tmp_path / "a.jsonl", plain), plain.decimals, []) == expected


CELLS = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "€", "kB ", "€\u00a0"]),
        st.sampled_from(["", "-", "+", "\u2212"]),
        st.sampled_from(["1", "2,5", "1.5", "1.234,5", "12 345", ",5", "x"]),
        st.sampled_from(["", "\u00a0kB", " kB", " MB", "kB", "€", " DR"]),
        st.sampled_from(["", "-", " DR", " CR", "+"]),
    ),
)
COLUMNS = [
    *(
        "number(v)",
        'number(v, ",")',
        'number(v, ",", ".")',
        'number(v, minus "-")',
        'number(v, ",", unit "kB")',
    ),
    *(
        'number(v, ",", unit "€", plus "CR", minus "DR") or missing',
        'number(v, ",", " ", minus "DR") rounded',
    ),
    *('number(v) or "3 MB"', 'number(v, ",", minus "DR") rounded or missing or 0'),
]


@given(cells=st.lists(CELLS, min_size=1, max_size=6), column=st.sampled_from(COLUMNS))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_cells_are_the_same_on_each_way_in(cells: list[str], column: str, tmp_path: Path) -> None:
    found = ways(cells, column, "#decimals p(2).", tmp_path)
    assert found == dict.fromkeys(found, found["rows"])


def test_a_checkpoint_keeps_the_first_unit(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("t,v\n1,5 kB\n2,6\n")
    reading = reading_of("number(v)", "#decimals p(2).")
    rejected: list[Rejected] = []
    with input_at(str(table), reading, rejected.append) as source:
        assert len([*source.records()]) == 2
        state = json.loads(json.dumps(source.state()))
    with table.open("a") as file:
        file.write("3,7 MB\n4,8 kB\n")
    with input_at(str(table), reading, rejected.append) as source:
        source.restore(state)
        assert [record.tick for record in source.records()] == [4]
    assert [one.origin.line for one in rejected] == [4]
    assert "the unit 'MB', and the first one was 'kB'" in rejected[0].reason


def test_a_live_source_keeps_the_first_unit() -> None:
    declared = reading_of("number(v)", "#decimals p(2).")
    reading = Reading(Format.JSONL, declarations=declared.declarations, decimals=declared.decimals)
    rejected: list[Rejected] = []
    reader = LiveReader(reading, rejected.append)
    reader.records(Line("s", 1, '{"t": 1, "v": "5 kB"}'))
    state = json.loads(json.dumps([reader.state(), reader.counted, reader.orders()]))
    other = LiveReader(reading, rejected.append)
    other.restore(*state)
    assert not other.records(Line("s", 2, '{"t": 2, "v": "5 MB"}'))
    assert len(rejected) == 1


def test_the_files_of_a_folder_have_one_first_unit(tmp_path: Path) -> None:
    for name, text in (("a.csv", "t,v\n1,5 kB\n"), ("b.csv", "t,v\n2,5 MB\n3,5 kB\n")):
        (tmp_path / name).write_text(text)
    rejected: list[Rejected] = []
    reading = reading_of("number(v)", "#decimals p(2).")
    assert [record.tick for record in read_file(tmp_path, reading, rejected.append)] == [1, 3]
    assert len(rejected) == 1


def test_two_inputs_have_units_of_their_own(tmp_path: Path) -> None:
    for name, text in (("a.csv", "t,v\n1,5 kB\n"), ("b.csv", "t,v\n2,5 MB\n")):
        (tmp_path / name).write_text(text)
    reading = reading_of("number(v)", "#decimals p(2).")
    assert sum(len([*read_file(tmp_path / name, reading)]) for name in ("a.csv", "b.csv")) == 2


def test_rows_that_where_leaves_out_have_no_first_unit(tmp_path: Path) -> None:
    program = '#input p(number(v)) at t where kind = "T". #decimals p(1). q :- p(_).'
    reading = Reasoner.from_text(program).reading
    frame = pd.DataFrame({"t": [1, 2, 3], "kind": ["H", "T", "T"], "v": ["5 %", "20 C", "bad"]})
    frame.to_csv(tmp_path / "a.csv", index=False)
    (tmp_path / "a.jsonl").write_text(frame.to_json(orient="records", lines=True))
    for read in (
        lambda on: read_file(tmp_path / "a.csv", reading, on),
        lambda on: read_file(tmp_path / "a.jsonl", reading, on),
        lambda on: read_frame(frame, reading, on),
        lambda on: flat(read_file_blocks(tmp_path / "a.csv", reading, on)),
    ):
        assert told(read, reading.decimals, []) == ["p(20.0)", "'bad' is not a number"]


def test_conditions_have_first_units(tmp_path: Path) -> None:
    program = "#input p(t) at t where number(v) > 5. q :- p(_)."
    reading = Reasoner.from_text(program).reading
    frame = pd.DataFrame({"t": [1, 2, 3, 4], "v": ["1 MB", "7 MB", "900 kB", "8"]})
    frame.to_csv(tmp_path / "a.csv", index=False)
    (tmp_path / "a.jsonl").write_text(frame.to_json(orient="records", lines=True))
    for read in (
        lambda on: read_file(tmp_path / "a.csv", reading, on),
        lambda on: read_file(tmp_path / "a.jsonl", reading, on),
        lambda on: read_frame(frame, reading, on),
        lambda on: flat(read_file_blocks(tmp_path / "a.csv", reading, on)),
    ):
        found = told(read, reading.decimals, [])
        assert [one for one in found if one.startswith("p(")] == ["p(2)", "p(4)"]
        assert ["the first one was 'MB'" in one for one in found] == [False, True, False]
