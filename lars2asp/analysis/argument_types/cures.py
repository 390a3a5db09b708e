"""What to write where values of types that cannot meet are."""

import re

from lars2asp.analysis.argument_types.kinds import (
    DURATION,
    NAME,
    NUMBER,
    NUMBERS,
    TEMPORAL,
    TEXT,
    TIME,
    Known,
)
from lars2asp.syntax import nodes
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE

_NAME = re.compile(r"_*[a-z][A-Za-z0-9_']*")
_CONSTANT = re.compile(r"[a-z][A-Za-z0-9_]*|\"[^\"\\\n]*\"")


def cure(one: Known, other: Known) -> str:
    """What would let two values be of one type; empty where that is not known."""
    if {one.kinds, other.kinds} == {NUMBER, TIME}:
        number, time = (one, other) if one.kinds == NUMBER else (other, one)
        return _cure(number, time) or "declare both as times, or both as integers"
    return _cure(one, other) or _cure(other, one)


def _cure(read: Known, needed: Known) -> str:
    """What would let a column be what is needed."""
    evidence = next((each for each in read.evidence.values() if each.column is not None), None)
    if evidence is None or evidence.column is None:
        return ""
    column = evidence.column
    if not column.is_cell or needed.kinds & ~(NUMBERS | TEXT | NAME):
        return ""
    if needed.kinds == TIME:
        return f"write {_read(column, 'time')} in #input"
    if needed.kinds == DURATION:
        return "" if column.conversion == "time" else f"write {_read(column, 'duration')} in #input"
    if needed.kinds & NUMBERS and not needed.kinds & TEMPORAL:
        return f"write {_read(column, 'number')}, or {_read(column, 'int')} for integers alone, in #input"
    written = _written(needed)
    if needed.kinds == NAME:
        return f'write "{written or "kitchen"}", in quotes, or {_read(column, "constant")} in #input'
    bare = written.strip('"')
    if column.conversion == "constant" and not _NAME.fullmatch(bare or "kitchen"):
        return f"write {_read(column, 'text')} in #input"  # without quotes it would be a variable, or no term
    if column.conversion == "constant":
        return f"write {bare or 'kitchen'}, without quotes, or {_read(column, 'text')} in #input"
    if bare.lstrip("-").isdecimal():
        return f"write {bare}, without quotes, or {_read(column, 'text')} in #input"
    return f"write {_read(column, 'text')} in #input"


def _written(known: Known) -> str:
    """The constant or text that is needed, as it is written; empty where that is not one."""
    [one, *others] = known.evidence.values() or [None]
    if one is None or others or one.location is NOWHERE:
        return ""
    text = one.location.source.text[one.location.begin : one.location.end]
    return text if _CONSTANT.fullmatch(text) else ""


def _read(column: nodes.Column, conversion: str) -> str:
    return to_text(nodes.Column(column.name, None, conversion))
