"""Columns that say of a value whether it is good."""

from collections.abc import Collection

from lars2asp.runtime.sources.survey.column_kinds import ColumnKind, column_text
from lars2asp.runtime.sources.survey.time_columns import words_of
from lars2asp.syntax.string_escapes import quoted

_GOOD = {"good", "ok", "okay", "valid", "gut", "normal", "gültig"}
_BAD = {
    *("bad", "uncertain", "questionable", "suspect", "suspicious", "invalid", "poor", "fair", "missing"),
    *("stale", "err", "error", "fail", "failed", "failure", "fault", "faulty", "nok", "not ok", "warn"),
    *("warning", "substituted", "doubtful", "estimated", "schlecht", "unsicher", "ungültig", "comm fail"),
}
_CLEAR = {"good", "bad", "uncertain", "questionable", "suspect"}
"""What says it, whatever its column is called."""

_NAMES = {"quality", "qual", "qc", "q", "status", "state", "flag", "health", "opc", "qualität", "qualitaet"}
_NAMES_OF_FLAGS = {"valid", "validity", "good", "ok", "isvalid", "isgood", "plausible", "gültig"}
_YES = {"true", "yes", "1", "y", "t", "ja"}
_NO = {"false", "no", "0", "n", "f", "nein"}

OPC_GOOD = 192
"""From this number on the qualities of OPC are good, up to 255."""

_OPC = {*range(0, 32, 4), *range(64, 96, 4), *range(OPC_GOOD, 256, 4)}


def good_values(kind: ColumnKind, cells: Collection[str]) -> tuple[str, set[str]] | None:
    """What a declaration says to take good values alone, and the cells that are good; None for other columns.

    Args:
        kind: the column.
        cells: its different cells.
    """
    words = {*words_of(kind.name)} | {kind.name.lower()}
    is_flag, is_named = not words.isdisjoint(_NAMES_OF_FLAGS), not words.isdisjoint(_NAMES)
    column = column_text(kind.name)
    known = {cell: cell.lower() for cell in cells if cell}
    if kind.is_number:
        are_codes = not kind.decimals and all(cell.isdecimal() for cell in known)
        if not are_codes:
            return None
        codes = {cell: int(cell) for cell in known}
        good = {cell for cell, code in codes.items() if code >= OPC_GOOD}
        if is_named and good and len(good) < len(codes) and _OPC.issuperset(codes.values()):
            return f"{column} >= {OPC_GOOD}", good
        return (f"{column} = 1", {"1"}) if is_flag and {*known} == {"0", "1"} else None
    found = {cell for cell, word in known.items() if word in _GOOD or (is_flag and word in _YES)}
    others = {word for cell, word in known.items() if cell not in found}
    are_known = others <= _BAD or (is_flag and others <= _BAD | _NO)
    if len(found) != 1 or not others or not are_known:
        return None
    if not (is_named or is_flag or {*known.values()} <= _CLEAR):
        return None
    return f"{column} = {quoted(next(iter(found)))}", found
