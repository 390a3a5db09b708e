"""What becomes of a file: its proposal, read by the readers of `run`, beside what plain Python reads."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path

from lars2asp import Reasoner
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.command_line.input_check import Proposal, proposals
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import PassedOver, Rejected
from lars2asp.syntax.nodes import Column, Condition, Input
from tests.support.kinds.kind import Kind, Value

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Cells = dict[str, Value]


def proposal_of(kind: Kind, folder: Path) -> Proposal:
    """What is proposed for a file, which is written into a folder."""
    path = folder / kind.file
    path.write_bytes(kind.content)
    try:
        return proposals([str(path)], Reading())
    except InputError as error:
        return Proposal(str(error), is_whole=False)


def faults(kind: Kind, found: Proposal, folder: Path) -> Iterator[str]:
    """What is wrong with a proposal; nothing if it is right, or says why it is not."""
    if not found.is_whole or kind.refusal:
        if found.is_whole:
            yield "taken"
        elif not kind.refusal:
            yield "refused"
        elif kind.refusal not in found.text:
            yield "refused with other words"
        return
    reasoner = Reasoner.from_text(found.text)
    length = reasoner.plan.tick_length
    read, expected = [], []
    for record in read_file(folder / kind.file, reasoner.reading, _pass_comments):
        for one in record.events.facts:
            places = _counted_places(reasoner.plan.inputs, one.signature.name, len(one.rows[0]))
            told = [tuple(text_of(row[place]) for place in places) for row in one.rows]
            read += [(record.tick, one.signature.name, row) for row in told]
    used = set[str]()
    for declared in reasoner.plan.inputs:
        digits = _decimals(found.text, declared.predicate, len(declared.columns))
        used.update(str(one.name) for one in declared.columns if one.is_cell)
        for at, values in kind.rows:
            tick = at if isinstance(at, int) else _ticks(at - EPOCH, length)
            for cells in _records(declared, dict(zip(kind.names, values, strict=True)), used):
                row = _fact(declared, cells, digits, length)
                if row is not None:
                    expected.append((tick, declared.predicate, row))
    if used != {*kind.names}:
        yield f"columns {sorted(used ^ {*kind.names})}"
    elif sorted(read) != sorted(expected):
        extra = [one for one in read if one not in expected]
        lacking = [one for one in expected if one not in read]
        yield f"facts: {len(read)} of {len(expected)}; {extra[:2]} for {lacking[:2]}"
    named = {*_held(found.text, reasoner.plan.inputs)}
    if kind.held != "*" and named != ({kind.held} if kind.held else set()):
        yield f"held {named}"


def _pass_comments(one: Rejected) -> None:
    """Lets comments pass, and nothing that is rejected."""
    assert isinstance(one, PassedOver), str(one)


def _held(text: str, inputs: tuple[Input, ...]) -> Iterator[str]:
    """The columns that are the keys of what holds; `all` for none."""
    for predicate, arguments, key in re.findall(r"(?m)^#held (\w+)\((.*)\)(?: by (\w+))? for", text):
        columns = next(one.columns for one in inputs if one.predicate == predicate)
        yield columns[arguments.split(", ").index(key)].name if key else "all"


def _counted_places(inputs: tuple[Input, ...], predicate: str, width: int) -> list[int]:
    """The arguments of a predicate that are no numbers of records."""
    one = next(one for one in inputs if one.predicate == predicate)
    return [place for place in range(width) if not one.columns[place].is_of_record]


def _records(declared: Input, cells: Cells, used: set[str]) -> Iterator[Cells]:
    """The records of a row: one for each column that `each` chooses."""
    spread = declared.spread
    if spread is None:
        yield cells
        return
    named = {one.name for one in declared.columns}
    used -= {spread.key, spread.value}
    for name, value in cells.items():
        if fnmatchcase(name, spread.source) and name not in named:
            used.add(name)
            yield {**cells, spread.key: name, spread.value: value}


def _fact(declared: Input, cells: Cells, digits: list[int], length: int | None) -> tuple[str, ...] | None:
    """The arguments of the fact of a record; None if it gives none."""
    of_cells = (one for one in declared.conditions if str(one.column.name) not in declared.all_times)
    if not all(_holds(one, cells) for one in of_cells):
        return None
    row = []
    for one, places in zip(declared.columns, digits, strict=True):
        if one.is_of_record:
            continue
        value = one.name if one.is_fixed else _value(one, cells)
        if value is None:
            return None
        row.append(_text(value, places, length))
    return tuple(row)


def _value(column: Column, cells: Cells) -> Value:
    value = cells.get(str(column.name))
    return column.otherwise if value is None else value


def _holds(condition: Condition, cells: Cells) -> bool:
    value = _value(condition.column, cells)
    if condition.comparison not in ("=", "!="):
        raise NotImplementedError
    told = Decimal(condition.value) if condition.is_number else condition.value
    return value is not None and (value == told) == (condition.comparison == "=")


def _ticks(length: timedelta, tick: int | None) -> int:
    assert tick is not None
    return length // timedelta(microseconds=1) // tick


def _decimals(text: str, predicate: str, width: int) -> list[int]:
    """The decimals that are declared for the columns of a predicate."""
    declared = re.search(rf"(?m)^#decimals {predicate}\((.*)\)\.$", text)
    places = declared[1].split(", ") if declared else ["_"] * width
    return [int(one) if one.isdigit() else 0 for one in places]


def _text(value: Value, digits: int, tick: int | None) -> str:
    """A value as facts have it: a number with decimals by its integer, a moment by its tick."""
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, datetime):
        return str(_ticks(value - EPOCH, tick))
    if isinstance(value, timedelta):
        return str(_ticks(value, tick))
    assert value is not None
    return (
        str(Decimal(value) * 10**digits).partition(".")[0]
        if Decimal(value) * 10**digits % 1 == 0
        else str(value)
    )
