"""What to write where values of types that cannot meet are."""

import re
from collections.abc import Collection

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
_CONSTANT = re.compile(r"[a-z][A-Za-z0-9_]*|\"[^\"\\\n]*\"|'[^'\"\\\n]*'")


def cure(one: Known, other: Known, variables: Collection[str] = ()) -> str:
    """What would let two values be of one type; empty where that is not known.

    Args:
        one: what is known of one value.
        other: what is known of the other value.
        variables: the variables of the statement, of which a name in lower case may mean one.
    """
    if {one.kinds, other.kinds} == {NUMBER, TIME}:
        number, time = (one, other) if one.kinds == NUMBER else (other, one)
        return _cure(number, time, variables) or "declare both as times, or both as integers"
    return _cure(one, other, variables) or _cure(other, one, variables)


def _cure(read: Known, needed: Known, variables: Collection[str]) -> str:
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
        return (
            f"write {_read(column, 'number')} in #input, or {_read(column, 'int')} if all values are integers"
        )
    written = _written(needed)
    if needed.kinds == NAME:
        return _quoted(written, column, variables)
    bare = written.strip('"')
    is_name = column.conversion == "constant" and _NAME.fullmatch(bare)  # otherwise it would be a variable
    if is_name or bare.lstrip("-").isdecimal():
        return f"write {bare}, without quotes, or {_read(column, 'text')} in #input"
    return f"write {_read(column, 'text')} in #input"


def _quoted(written: str, column: nodes.Column, variables: Collection[str]) -> str:
    """What to write for a name if a column contains text: the text in quotes, or a variable of this name."""
    if not written:
        return f"put the value in double quotes, or write {_read(column, 'constant')} in #input"
    bare = written.strip("'")
    variable = next((one for one in sorted(variables) if one.lower() == written.lower()), "")
    if not variable and written.lower() == column.name.lower():
        variable = written[0].upper() + written[1:]
    if variable:
        return f'write {variable} if you mean the variable, or "{bare}" if you mean this text'
    return f'write "{bare}", in double quotes, or {_read(column, "constant")} in #input'


def _written(known: Known) -> str:
    """The constant or text that is needed, as it is written; empty where that is not one."""
    [one, *others] = known.evidence.values() or [None]
    if one is None or others or one.location is NOWHERE:
        return ""
    text = one.location.source.text[one.location.begin : one.location.end]
    return text if _CONSTANT.fullmatch(text) else ""


def _read(column: nodes.Column, conversion: str) -> str:
    return to_text(nodes.Column(column.name, None, conversion))
