"""Numbers as tables have them: with signs of their own, and units."""

import re
from decimal import Decimal
from functools import lru_cache

from lars2asp.runtime.errors import InputError
from lars2asp.syntax.source import shown

_BLANKS = " \u00a0\u202f\u2009"
_ALIKE = {" ": f"[{_BLANKS}]", "'": "['\u2019]"}
_FIRST = r"(?:[^\W\d_]|[%\u2030\u00b0$\u20ac\u00a3\u00a5\u00a2\u2032\u2033])"
_BEFORE = rf"{_FIRST}[^\s,;:.0-9+\-\u2212]{{0,19}}"
_BEHIND = rf"(?![eE][+-]?[0-9]){_FIRST}(?:[^\s,;:0-9]|[23](?![0-9])){{0,19}}"
_MINUS = "\u2212"
_FACTORS = {"k", "tsd", "tsd.", "mio", "mio.", "mrd", "mrd.", "mn", "bn", "million", "millionen", "thousand"}
"""What stands behind a number and is not a unit: it makes another number of it."""
_SIGNS: tuple[tuple[str, ...], ...] = (
    *((), (",",), (",", "."), (".", ","), (",", " "), (".", " "), (".", "'")),
)


def number_text(cell: str, signs: tuple[str, ...] = ()) -> str:
    """The text of a number with a point and without anything else, as in `-1234.5`.

    A unit before or behind it is cut off. Digits are taken as they are.

    Args:
        cell: the number as it stands in a table.
        signs: the sign before its decimals (`.` where none is given), and that between its thousands.

    Raises InputError for what is not such a number.
    """
    match = _pattern(signs).fullmatch(cell)
    if match is None:
        raise InputError(f"'{shown(cell)}' is not a number{_hint(cell, signs)}")
    sign, whole, fraction, unit = match["sign"], match["whole"], match["fraction"], match["unit"]
    if unit and unit.lower() in _FACTORS and unit != "K":
        raise InputError(f"'{shown(cell)}' has {unit!r} behind the number, which is not a unit")
    if len(signs) > 1:
        whole = "".join(filter(str.isdecimal, whole))
    whole = whole.lstrip("0")
    minus = "-" if sign in ("-", _MINUS) else ""
    text = f"{minus}{whole or '0'}{'.' + fraction if fraction else ''}"
    return text if match["power"] is None else format(Decimal(f"{text}e{match['power']}"), "f")


def units_of(cell: str, signs: tuple[str, ...] = ()) -> tuple[str, str]:
    """What `number_text` cuts off before a number and behind it."""
    match = _pattern(signs).fullmatch(cell)
    return (match["before"] or "", match["unit"] or "") if match is not None else ("", "")


@lru_cache(maxsize=256)
def _pattern(signs: tuple[str, ...]) -> re.Pattern[str]:
    decimal = re.escape(signs[0] if signs else ".")
    digits = "[0-9]+"
    if len(signs) > 1:
        thousands = _ALIKE.get(signs[1], re.escape(signs[1]))
        digits = rf"(?:[0-9]{{1,3}}(?:{thousands}[0-9]{{3}})+|[0-9]+)"
    blanks = f"[{_BLANKS}]*"
    return re.compile(
        rf"(?:(?P<before>{_BEFORE})?{blanks})?(?P<sign>[+\-{_MINUS}]?){blanks}"
        rf"(?P<whole>{digits}|(?={decimal}[0-9]))(?:{decimal}(?P<fraction>[0-9]*))?"
        rf"(?:[eE](?P<power>[+-]?[0-9]{{1,3}}))?{blanks}(?P<unit>{_BEHIND})?"
    )


def _hint(cell: str, signs: tuple[str, ...]) -> str:
    other = signs_of(cell)
    if other is None or other == signs:
        return ""
    said = ", ".join(f'"{sign}"' for sign in other or (".",))
    return f" with these signs; number(..., {said}) would read it"


def signs_of(cell: str) -> tuple[str, ...] | None:
    """The signs with which `number_text` takes a cell, as few as possible; None where none do."""
    return next((signs for signs in _SIGNS if _pattern(signs).fullmatch(cell)), None)
