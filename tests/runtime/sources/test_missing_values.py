"""Missing values, values in their place, alternative times: all inputs are as a naive reader has them.

Which cells are missing, and what stands in their place, is in docs/reference/formats/input-declarations.md.
"""

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.arrow.frames import read_frame, read_frame_blocks
from lars2asp.runtime.sources.files import read_file, read_file_blocks
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, PassedOver, Record, Rejected

ABSENT = object()
"""Stands for a field that a record does not have."""

Cell = Any
"""A text, None, or ABSENT."""

Facts = list[tuple[int, str | None]]
"""For each record that counts its tick, and its fact if it tells one."""


class Rule(NamedTuple):
    """A column as it is declared, as a naive reader has it."""

    text: str
    convert: Callable[[str], Any]
    takes_empty: bool = False
    or_missing: bool = False
    otherwise: str | None = None

    def value(self, cell: Cell, *, is_typed: bool) -> Any:
        """None where it is missing. Raises ValueError where it is wrong."""
        has_blank = is_typed and self.takes_empty
        if isinstance(cell, str) and (cell.strip() or has_blank):
            try:
                return self.convert(cell)
            except ValueError:
                if not self.or_missing or re.fullmatch(r"-?[0-9.]+", cell.strip()):
                    raise  # a number that does not fit is there
        return None if self.otherwise is None else self.convert(self.otherwise)


def integer(cell: str) -> int:
    if not re.fullmatch(r"-?(0|[1-9][0-9]*)", cell.strip()):
        raise ValueError(cell)
    return int(cell)


def whole(cell: str) -> int:
    if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", cell.strip()) or Decimal(cell) % 1:
        raise ValueError(cell)
    return int(Decimal(cell))


def tenths(cell: str) -> int:
    if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", cell.strip()):
        raise ValueError(cell)
    return int((Decimal(cell) * 10).to_integral_value(ROUND_HALF_UP))


def plain(cell: str) -> Any:
    if re.fullmatch(r"-?[0-9]+\.[0-9]+", cell.strip()):
        raise ValueError(cell)
    return int(cell) if re.fullmatch(r"-?(0|[1-9][0-9]*)", cell.strip()) else cell


RULES = [
    Rule("{}", plain, True),
    Rule('{} or "none"', plain, True, False, "none"),
    Rule("{} or 7", plain, True, False, "7"),
    Rule("text({})", str, True),
    Rule('text({}) or ""', str, True, False, ""),
    Rule("text({}) or 0", str, True, False, "0"),
    Rule("int({})", integer),
    Rule("int({}) or missing", integer, False, True),
    Rule("int({}) or missing or -5", integer, False, True, "-5"),
    Rule("number({}) or 2.0", whole, False, False, "2.0"),
    Rule("{}*10 or -2.5", tenths, False, False, "-2.5"),
    Rule("{}*10 or missing", tenths, False, True),
]
TIMES = {"t": ["t"], "t or u": ["t", "u"]}
CELLS = st.sampled_from([None, ABSENT, "", " ", "a", " b ", "7", " 7 ", "-3", "1.5", "2.0", "x,y"])
TICKS = st.sampled_from([None, ABSENT, "", "3", "4", "5", "x"])
ROWS = st.lists(st.tuples(TICKS, TICKS, CELLS, CELLS, CELLS), min_size=1, max_size=6)
NAMES = ["t", "u", "a", "b", "c"]


class Declared(NamedTuple):
    """A declaration `p(a, b) at t or u`, as a naive reader has it."""

    first: Rule
    second: Rule
    times: str

    @property
    def text(self) -> str:
        """As it is written."""
        return f"#input p({self.first.text.format('a')}, {self.second.text.format('b')}) at {self.times}."

    def tick(self, row: dict[str, Cell]) -> int | None:
        """None where the time is missing. Raises ValueError where it is wrong."""
        for name in TIMES[self.times]:
            if isinstance(row[name], str) and row[name].strip():
                return int(row[name])
        return None

    def _fact(self, row: dict[str, Cell], *, is_typed: bool) -> str | None:
        values = [
            rule.value(row[name], is_typed=is_typed) for rule, name in ((self.first, "a"), (self.second, "b"))
        ]
        texts = [json.dumps(value) if isinstance(value, str) else str(value) for value in values]
        return None if None in values else f"p({','.join(texts)})"

    def of_table(self, rows: Sequence[dict[str, Cell]], *, is_typed: bool) -> tuple[Facts, int]:
        """The facts of a table, and how many rows are rejected."""
        found, rejected = Facts(), 0
        for row in rows:
            if not is_typed and not any(isinstance(cell, str) and cell.strip() for cell in row.values()):
                continue  # a blank line
            try:
                tick = self.tick(row)
                fact = self._fact(row, is_typed=is_typed)
                if tick is None:
                    raise ValueError("no time")
            except ValueError:
                rejected += 1
                continue
            times = TIMES[self.times]
            others = [row[name] for name in NAMES if name not in times]
            is_filled = any(isinstance(cell, str) and (is_typed or cell.strip()) for cell in others)
            found.append((tick, fact if is_filled else None))
        return found, rejected

    def of_json(self, rows: Sequence[dict[str, Cell]]) -> tuple[Facts, int]:
        """The same of JSON records, with those that no declaration fits."""
        found, rejected = Facts(), 0
        for row in rows:
            needed = [
                name for rule, name in ((self.first, "a"), (self.second, "b")) if rule.otherwise is None
            ]
            fits = all(row[name] is not ABSENT for name in needed or []) and (
                row["a"] is not ABSENT or row["b"] is not ABSENT
            )
            try:
                tick = self.tick(row)
                fact = self._fact(row, is_typed=True) if fits else None
                if tick is None and fits:
                    raise ValueError("no time")
            except ValueError:
                rejected += 1
                continue
            if tick is not None:
                found.append((tick, fact))
        return found, rejected


def facts_in(records: Sequence[Record]) -> Facts:
    found = Facts()
    for record in records:
        texts = [text for atoms in record.events.facts for text in atom_texts(*atoms)]
        assert len(texts) <= 1
        found.append((record.tick, texts[0] if texts else None))
    return found


def cell_of(cell: Cell) -> str:
    return cell if isinstance(cell, str) else ""


def live(reading: Reading, lines: Sequence[str], on_reject: Callable[[Rejected], None]) -> Iterator[Record]:
    reader = LiveReader(reading, on_reject)
    for number, line in enumerate(lines, start=1):
        yield from reader.records(Line("tcp:a", number, line))
    yield from reader.finish()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    declared=st.builds(Declared, st.sampled_from(RULES), st.sampled_from(RULES), st.sampled_from([*TIMES])),
    found=ROWS,
)
@example(
    declared=Declared(RULES[1], RULES[10], "t"),
    found=[("1", "", None, "2.5", None), ("2", "", "k", None, None)],
)
@example(
    declared=Declared(RULES[1], RULES[2], "t"),
    found=[("1", "", None, None, None), ("2", None, None, None, "z")],
)
def test_every_input_has_what_a_naive_reader_has(
    declared: Declared, found: list[tuple[Cell, ...]], tmp_path: Path
) -> None:
    """Files of CSV, JSON lines and Parquet, live input and frames, in columns and record by record."""
    rows = [dict(zip(NAMES, row, strict=True)) for row in found]
    plan = Reasoner.from_text(declared.text).plan

    def read(source: Callable[[Reading, Callable[[Rejected], None]], Any], form: Format | None = None) -> Any:
        rejected: list[Rejected] = []
        reading = Reading(form, declarations=plan.inputs)
        facts = facts_in([*source(reading, rejected.append)])
        return facts, sum(not isinstance(one, PassedOver) for one in rejected)

    table, document, typed = tmp_path / "t.csv", tmp_path / "t.jsonl", tmp_path / "t.parquet"
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([NAMES, *([*map(cell_of, row.values())] for row in rows)])
    objects = [{name: cell for name, cell in row.items() if cell is not ABSENT} for row in rows]
    lines = [*map(json.dumps, objects)]
    document.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    frame = pa.table({name: pa.array([one.get(name) for one in objects], pa.string()) for name in NAMES})
    parquet.write_table(frame, typed)

    def blocks(given: Any) -> Iterator[Record]:
        for block in given:
            yield from block

    as_text, as_typed = declared.of_table(rows, is_typed=False), declared.of_table(rows, is_typed=True)
    assert read(lambda *how: read_file(table, *how)) == as_text
    assert read(lambda *how: blocks(read_file_blocks(table, *how))) == as_text
    written = table.read_text("utf-8").splitlines()
    assert read(lambda reading, reject: live(reading, written, reject), Format.CSV) == as_text
    as_json = declared.of_json(rows)
    assert read(lambda *how: read_file(document, *how)) == as_json
    assert read(lambda *how: blocks(read_file_blocks(document, *how))) == as_json
    assert read(lambda reading, reject: live(reading, lines, reject), Format.JSONL) == as_json
    assert read(lambda *how: read_file(typed, *how)) == as_typed
    assert read(lambda *how: blocks(read_file_blocks(typed, *how))) == as_typed
    assert read(lambda *how: read_frame(frame, *how)) == as_typed
    assert read(lambda *how: blocks(read_frame_blocks(frame, *how))) == as_typed
    assert read(lambda *how: read_frame(pd.DataFrame(objects, columns=NAMES), *how)) == as_typed
