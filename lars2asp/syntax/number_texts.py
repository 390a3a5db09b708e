"""Numbers as tables have them: with signs of their own, units, and marks in place of a sign."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from lars2asp.syntax.nodes import Column, NumberMarks
from lars2asp.syntax.source import shown
from lars2asp.syntax.string_escapes import clingo_string

_BLANKS = " \u00a0\u202f\u2009"
_ALIKE = {" ": f"[{_BLANKS}]", "'": "['\u2019]"}
_DASHES = "\\-\u2010-\u2015\u2212\ufe63\uff0d"
_FIRST = r"(?:[^\W\d_]|[%\u2030\u00b0$\u20ac\u00a3\u00a5\u00a2\u2032\u2033])"
_BEFORE = rf"{_FIRST}[^\s,;:.0-9+{_DASHES}]{{0,19}}"
_BEHIND = rf"(?![eE][+-]?[0-9]){_FIRST}(?:[^\s,;:0-9]|[23](?![0-9])){{0,19}}?(?<![+{_DASHES}])"
_MINUS = "\u2212"
_FACTORS = {"k", "tsd", "tsd.", "mio", "mio.", "mrd", "mrd.", "mn", "bn", "million", "millionen", "thousand"}
"""What stands behind a number and is not a unit: it makes another number of it."""
_SIDES = {"dr": "minus", "soll": "minus", "cr": "plus", "haben": "plus"}
"""What stands behind a number and is not a unit: it says whether that is negative."""
_SIGNS: tuple[tuple[str, ...], ...] = (
    *((), (",",), (",", "."), (".", ","), (",", " "), (".", " "), (".", "'")),
)
NO_MARKS = NumberMarks()
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


class NumberText(NamedTuple):
    """A number as a cell has it.

    Attributes:
        text: it with a point and nothing else, as in `-1234.5`.
        unit: what stands before it or behind it; empty for none.
    """

    text: str
    unit: str


class NumberTextError(Exception):
    """A cell that is not such a number. Its text says what is wrong.

    Attributes:
        cures: what to write behind the column to read it, as in `, ",", minus "-"`; empty if nothing does.
        is_number: whether it is a number all the same, of which something else is not as declared.
    """

    def __init__(self, reason: str, *cures: str, is_number: bool = False) -> None:
        super().__init__(reason)
        self.cures = cures
        self.is_number = is_number

    def cure(self, column: str) -> str:
        """What is said behind the reason, of a column with this name; empty if nothing is."""
        ways = [f"number({column}{one})" for one in self.cures]
        return f"; write {' or '.join(ways)}" if ways else ""


def said(signs: Sequence[str], marks: NumberMarks = NO_MARKS) -> str:
    """What stands behind the column in `number(...)`."""
    words = (
        f", {word} {clingo_string(mark)}" for word, mark in zip(marks._fields, marks, strict=True) if mark
    )
    return "".join((*(f", {clingo_string(sign)}" for sign in signs), *words))


def number_in(cell: str, signs: tuple[str, ...] = (), marks: NumberMarks = NO_MARKS) -> NumberText:
    """The number that stands in a cell. Digits are taken as they are.

    Args:
        cell: what stands in a table.
        signs: the sign before its decimals (`.` where none is given), and that between its thousands.
        marks: what stands around it; without a unit any may.

    Raises NumberTextError.
    """
    found = _pattern(signs, marks).fullmatch(cell)
    if found is None:
        raise _refused(cell, signs, marks)
    sign, whole, fraction, mark = found["sign"], found["whole"], found["fraction"], found["mark"]
    before, unit = found["before"], found["unit"]
    if before and unit:
        raise NumberTextError(
            f"'{shown(cell)}' has two units, {shown(before)!r} and {shown(unit)!r}", is_number=True
        )
    if unit and not marks.unit:
        if unit.lower() in _FACTORS and unit != "K":
            raise NumberTextError(f"'{shown(cell)}' has {unit!r} after the number, which is not a unit")
        if side := _SIDES.get(unit.lower()):
            raise _with_mark(cell, signs, marks, unit, side)
    if mark and sign:
        reason = f"'{shown(cell)}' has {shown(mark)!r} after the number, and a sign in front of it"
        raise NumberTextError(reason, is_number=True)
    if len(signs) > 1:
        whole = "".join(filter(str.isdecimal, whole))
    whole = whole.lstrip("0")
    is_negative = mark == marks.minus if mark else bool(sign) and sign != "+"
    text = f"{'-' if is_negative else ''}{whole or '0'}{'.' + fraction if fraction else ''}"
    if found["power"] is not None:
        text = format(Decimal(f"{text}e{found['power']}"), "f")
    return NumberText(text, before or unit or "")


def number_of(cell: str, column: Column) -> str:
    """The text of the number in a cell of a column, whose first unit it may be. Raises NumberTextError."""
    if not column.signs and _PLAIN.fullmatch(cell):
        return cell
    text, unit = number_in(cell, column.signs, column.marks)
    first = column.first_unit
    if unit and first is not None and not column.marks.unit:
        if not first.text and not first.is_open:
            raise NumberTextError(
                f"'{shown(cell)}' has the unit {shown(unit)!r}, and these rows have no first one",
                said(column.signs, column.marks._replace(unit=unit)),
                is_number=True,
            )
        first.text = first.text or unit
        if unit != first.text:
            raise NumberTextError(
                f"'{shown(cell)}' has the unit {shown(unit)!r}, and the first one was {shown(first.text)!r}",
                *(said(column.signs, column.marks._replace(unit=one)) for one in (first.text, unit)),
                is_number=True,
            )
    return text


@lru_cache(maxsize=256)
def _pattern(signs: tuple[str, ...], marks: NumberMarks) -> re.Pattern[str]:
    decimal = re.escape(signs[0] if signs else ".")
    digits = "[0-9]+"
    if len(signs) > 1:
        thousands = _ALIKE.get(signs[1], re.escape(signs[1]))
        digits = rf"(?:[0-9]{{1,3}}(?:{thousands}[0-9]{{3}})+|[0-9]+)"
    blanks = f"[{_BLANKS}]*"
    before, behind = (re.escape(marks.unit),) * 2 if marks.unit else (_BEFORE, _BEHIND)
    sides = "|".join(map(re.escape, sorted(filter(None, marks[1:]), key=len, reverse=True)))
    return re.compile(
        rf"(?:(?P<before>{before})?{blanks})?(?P<sign>[+\-{_MINUS}]?){blanks}"
        rf"(?P<whole>{digits}|(?={decimal}[0-9]))(?:{decimal}(?P<fraction>[0-9]*))?"
        rf"(?:[eE](?P<power>[+-]?[0-9]{{1,3}}))?"
        rf"{blanks}(?P<unit>{behind})??(?:{blanks}(?P<mark>{sides or '(?!)'}))?"
    )


def _refused(cell: str, signs: tuple[str, ...], marks: NumberMarks) -> NumberTextError:
    """Why a cell does not match."""
    open_marks = marks._replace(unit="")
    if (
        marks.unit
        and (found := _pattern(signs, open_marks).fullmatch(cell))
        and (found["before"] or found["unit"])
    ):
        unit = found["before"] or found["unit"]
        reason = f"'{shown(cell)}' has the unit {shown(unit)!r}, not {shown(marks.unit)!r}"
        return NumberTextError(reason, is_number=True)
    for mark in (cell[-1:], *_words_at_end(cell)):
        if (
            mark
            and mark not in marks
            and (mark == "+" or re.fullmatch(f"[{_DASHES}]", mark) or mark.lower() in _SIDES)
        ):
            side = "plus" if mark == "+" else _SIDES.get(mark.lower(), "minus")
            if _pattern(signs, marks._replace(**{side: mark})).fullmatch(cell):
                return _with_mark(cell, signs, marks, mark, side)
    other = signs_of(cell)
    if other is None or other == signs:
        return NumberTextError(f"'{shown(cell)}' is not a number")
    return NumberTextError(f"'{shown(cell)}' is not a number with these signs", said(other or (".",), marks))


def _words_at_end(cell: str) -> Sequence[str]:
    """The word with which a cell ends, if it has one."""
    return re.findall(r"[^\W\d_]+$", cell)


def _with_mark(
    cell: str, signs: tuple[str, ...], marks: NumberMarks, mark: str, side: str
) -> NumberTextError:
    """The error for a mark that is not declared."""
    reason = f"'{shown(cell)}' has {shown(mark)!r} after the number, which nothing declares"
    cures = [] if getattr(marks, side) else [said(signs, marks._replace(**{side: mark}))]
    return NumberTextError(reason, *cures, is_number=True)


def signs_of(cell: str) -> tuple[str, ...] | None:
    """The signs with which `number_in` takes a cell, as few as possible; None where none do."""
    return next((signs for signs in _SIGNS if _pattern(signs, NO_MARKS).fullmatch(cell)), None)
