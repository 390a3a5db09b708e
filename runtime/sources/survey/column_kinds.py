"""What the cells of a column are, by a look at those that differ."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import floor, log10

from lars2asp.syntax.column_places import ColumnPlace, MatchedName
from lars2asp.syntax.nodes import MOST_PROPOSED, NumberMarks
from lars2asp.syntax.number_texts import NO_MARKS, NumberText, NumberTextError, number_in, said
from lars2asp.syntax.source import shown
from lars2asp.syntax.string_escapes import quoted
from lars2asp.syntax.values import dataclass

MISSING_WORDS = frozenset(
    {
        *("NA", "N/A", "n/a", "na", "N.A.", "n.a.", "NaN", "nan", "NAN", "#N/A", "#N/V", "#NV", "k.A."),
        *("NULL", "null", "Null", "(null)", "None", "none", "\\N", "-", "--", "---"),
        *("unavailable", "unknown", "missing"),
    }
)
"""Cells that stand for missing numbers in many tables."""

_SIGNS: tuple[tuple[str, ...], ...] = (
    *((), (",",), (",", "."), (".", ","), (",", " "), (".", " "), (".", "'"), (",", "'")),
)
_SIDES = (("+", "-"), ("CR", "DR"), ("Cr", "Dr"), ("Haben", "Soll"), ("H", "S"), ("C", "D"))
"""What stands behind numbers in place of signs, for positive and for negative ones."""

NO_VALUES = "no values"
"""What is said of a column whose cells are all empty."""

FEWEST_NUMBERS = 20
"""For each word in a column of numbers with decimals, the number of different numbers: else it is text."""

_STATES = frozenset(
    {
        *("on", "off", "open", "closed", "opened", "close", "yes", "no", "true", "false", "home", "away"),
        *(
            "an",
            "aus",
            "ein",
            "auf",
            "zu",
            "ja",
            "nein",
            "wahr",
            "falsch",
            "not_home",
            "heat",
            "cool",
            "auto",
        ),
        *("stop", "run", "idle", "running", "stopped", "active", "inactive"),
    }
)
"""Words, in small letters, that are values beside numbers: such a column is text."""

_NOTHING = re.compile(r"-(?:9{3,}|9{2}9*\.9+)(?:\.[09]+)?")
"""A number that stands for a missing one, as -999 or -99.9, if all others lie far above it."""

_PHONE = re.compile(r"\+[0-9]{8,}")
_GROUPED = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:[.,][0-9]{3})+(?![0-9])")
_BOUNDS = "<>\u2264\u2265"
"""Before a number they say that it is not known: `<0.5` lies below what is measured."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_PLAIN = re.compile(r"-?[0-9]+(?:\.[0-9]*)?")
_LEADING_ZERO = re.compile(r"[+-]?0[0-9]+[a-z]?")
_VERSION = re.compile(r"(?i)(?:version|release|firmware)$|(?:^|[._ -])(?:ver|fw)$")
_CURRENCY = re.compile(
    "[A-Z]{0,3}[$]|AUD|BGN|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|INR|JPY|KRW|MXN|NOK|NZD|PLN|RON|SEK|SGD|TRY|USD|ZAR"
)
_LETTERS = re.compile(r"[^\W\d]")
_SHOWN = 40

MOST_PLACES = 6
"""The digits behind the point that are kept of numbers with more digits than are proposed."""


class EachField(str):
    """A field that leads through a list of JSON records, each of whose elements gives a fact."""

    __slots__ = ()


@dataclass(frozen=True)
class ColumnKind:
    """What the cells of a column are.

    Attributes:
        name: the name of the column.
        argument: what stands for it in a declaration.
        decimals: of its numbers.
        words: the kind in words.
        missing: the words in it that stand for missing cells.
        is_number: whether they are numbers.
        excluded: the numbers in it that stand for missing ones, as they are written.
        point: the sign before the decimals of its numbers; empty if nothing tells.
        is_either: whether a sign in its numbers may stand before decimals or between thousands.
    """

    name: str
    argument: str
    decimals: int
    words: str
    missing: tuple[str, ...] = ()
    is_number: bool = False
    excluded: tuple[str, ...] = ()
    point: str = ""
    is_either: bool = False

    @property
    def conditions(self) -> Sequence[str]:
        """What is to hold of its cells, as it stands behind `where`."""
        return [f"{self.argument} != {value}" for value in sorted({*map(_plain, self.excluded)})]

    def argument_of(self, name: str) -> str:
        """What stands for another column of this kind."""
        before, bracket, behind = self.argument.partition("(")
        if not bracket or before not in ("text", "number"):
            return self.argument.replace(column_text(self.name), column_text(name), 1)
        return f"{before}({behind.replace(column_text(self.name), column_text(name), 1)}"

    @property
    def is_text(self) -> bool:
        """Whether they are texts: an empty one is a value of these."""
        return self.words.startswith("text")

    @property
    def has_values(self) -> bool:
        """Whether a cell has a value."""
        return self.words != NO_VALUES


def variable_text(name: str) -> str:
    """A variable for a column."""
    return f"{name[0].upper()}{name[1:]}" if _NAME.fullmatch(name) else "K"


def column_text(name: str) -> str:
    """A column as a declaration has it."""
    if isinstance(name, ColumnPlace):
        return name
    if isinstance(name, MatchedName):
        return column_text(name.declared)
    if isinstance(name, EachField):
        return f"each {column_text(str(name))}"
    is_plain = all(_NAME.fullmatch(part) and part not in ("not", "at") for part in name.split("."))
    return name if is_plain else quoted(name)


def kinds_of(kinds: Sequence[ColumnKind], cells: Callable[[ColumnKind], Collection[str]]) -> list[ColumnKind]:
    """The kinds of columns; those whose sign may be either one have it as the other columns say.

    Args:
        kinds: the kinds by each column alone.
        cells: the different cells of one.
    """
    points = {kind.point for kind in kinds if kind.point}
    if len(points) != 1:
        return [*kinds]
    [point] = points
    return [kind_of(kind.name, cells(kind), point) if kind.is_either else kind for kind in kinds]


def kind_of(name: str, cells: Collection[str], point: str = "") -> ColumnKind:
    """The kind of a column with these different cells.

    Args:
        name: the name of the column.
        cells: its different cells.
        point: the sign before decimals in other columns; empty if they do not tell.
    """
    filled = [cell for cell in cells if cell]
    words = tuple(sorted(MISSING_WORDS.intersection(filled)))
    known = [cell for cell in filled if cell not in MISSING_WORDS]
    column = column_text(name)
    if not known:
        return ColumnKind(name, column, 0, NO_VALUES, words)
    numbers = [cell for cell in known if cell[0] not in _BOUNDS and any(map(str.isdigit, cell))]
    odd = tuple(sorted({*known} - {*numbers}))
    several = ""
    excluded = _excluded(numbers)
    numbers = [cell for cell in numbers if cell not in excluded]
    are_codes = any(map(_LEADING_ZERO.fullmatch, numbers)) or all(map(_PHONE.fullmatch, numbers))
    are_codes = are_codes or _is_version(name, numbers)
    are_words = not _STATES.isdisjoint(map(str.lower, odd))
    if len(numbers) >= FEWEST_NUMBERS * len(odd) and not (are_codes or are_words):
        for signs, marks in _ways(numbers, point):
            found = _numbers(numbers, signs, marks)
            if found is not None and _has_name(numbers, found):
                continue
            if found is not None and len(units := {one.unit for one in found} - {""}) > 1:
                several = (
                    several or f"; different units of numbers: {', '.join(map(shown, sorted(units)[:3]))}"
                )
            elif found is not None:
                texts, missing = [one.text for one in found], (*words, *odd)
                return replace(_of_numbers(name, numbers, texts, signs, marks, missing), excluded=excluded)
    is_mixed = any(cell[:1].isdigit() or _INTEGER.fullmatch(cell) for cell in known)
    number = f"{len(known)} different" if len(known) > 1 else "1"
    argument = f"text({column})" if is_mixed else column
    return ColumnKind(name, argument, 0, f"text, {number}, such as {_example(known)}{several}", words)


def key_kind(name: str, cells: Collection[str], *, is_fixed: bool) -> ColumnKind:
    """The kind of names of columns, or of keys of objects, each of which gives a fact."""
    if not is_fixed and all(map(_INTEGER.fullmatch, cells)):
        return ColumnKind(name, f"int({name})", 0, f"integers, {len(cells)} different")
    return ColumnKind(name, name, 0, f"text, {len(cells)} different, such as {_example(cells)}")


def _is_version(name: str, cells: Collection[str]) -> bool:
    """Whether cells are versions: 1.1 and 1.10 are two."""
    return _VERSION.search(name) is not None and any("." in cell for cell in cells)


def _example(cells: Collection[str]) -> str:
    """The same one for the same cells."""
    return shown(min(cells, key=lambda cell: (len(cell), cell)), _SHOWN)


def _excluded(cells: Collection[str]) -> tuple[str, ...]:
    """The cells with numbers that stand for missing ones."""
    found = tuple(sorted(cell for cell in cells if _NOTHING.fullmatch(cell)))
    if not found or len(found) + 1 >= len(cells):
        return ()
    others = [cell for cell in cells if cell not in found]
    if not all(map(_PLAIN.fullmatch, others)) or 2 * min(map(float, others)) < max(map(float, found)):
        return ()
    return found


def _plain(number: str) -> str:
    """A number without zeros behind its point."""
    return number.rstrip("0").rstrip(".") if "." in number else number


def _are_grouped(cells: Collection[str], sign: str) -> bool:
    """Whether a sign stands between thousands: numbers without it have three digits at most."""
    without = [cell for cell in cells if sign not in cell]
    are_long = (sum(map(str.isdigit, cell)) > len("999") for cell in without)
    return (
        bool(without) and not any(are_long) and all(_GROUPED.search(cell) for cell in cells if sign in cell)
    )


def _ways(cells: Collection[str], point: str) -> Iterator[tuple[tuple[str, ...], NumberMarks]]:
    """How cells may be written, plain ways first."""
    sides = [NO_MARKS]
    ends = {cell[-1:] for cell in cells}

    def has(mark: str) -> bool:
        return mark[-1] in ends and any(cell.endswith(mark) for cell in cells)

    for plus, minus in _SIDES:
        has_plus, has_minus = has(plus), has(minus)
        is_clear = len(minus) > 1 or minus == "-"  # not a unit
        if (has_plus and has_minus) or (is_clear and (has_plus or has_minus)):
            sides.append(NumberMarks("", plus if has_plus else "", minus if has_minus else ""))
    thousands = next((sign for sign in ",." if _are_grouped(cells, sign)), "")
    point = point or {",": ".", ".": ","}.get(thousands, "")
    signs = [one for one in _SIGNS if not point or (one[0] if one else ".") == point]
    return product(signs, sides)


def _numbers(cells: Collection[str], signs: tuple[str, ...], marks: NumberMarks) -> list[NumberText] | None:
    try:
        return [number_in(cell, signs, marks) for cell in cells]
    except NumberTextError:
        return None


def _has_name(cells: Collection[str], found: Collection[NumberText]) -> bool:
    """Whether a word before a number makes a name of both."""
    return any(
        _LETTERS.search(one.unit) and cell.startswith(one.unit) and not _CURRENCY.fullmatch(one.unit)
        for cell, one in zip(cells, found, strict=True)
        if one.unit
    )


def _of_numbers(
    name: str,
    cells: list[str],
    texts: list[str],
    signs: tuple[str, ...],
    marks: NumberMarks,
    missing: tuple[str, ...],
) -> ColumnKind:
    column = column_text(name)
    fractions = [text.partition(".")[2] for text in texts]
    decimals = max(len(fraction.rstrip("0")) for fraction in fractions)
    if any(fractions):
        decimals = max(decimals, 1)
    values = [_scaled(text, decimals) for text in texts]
    is_plain = not signs and all(map(_PLAIN.fullmatch, cells))
    is_rounded = decimals > MOST_PROPOSED
    is_column = is_plain and not missing and not is_rounded  # else words among the numbers would be strings
    argument = column if is_column else f"number({column}{said(signs, marks)})"
    or_missing = " or missing" if missing else ""
    if is_rounded:
        places = _places([*map(float, texts)])
        words = f"numbers with {decimals} decimals, rounded to {places}"
        return ColumnKind(name, f"{argument} rounded{or_missing}", places, words, missing, is_number=True)
    least, most = (texts[values.index(value)] for value in (min(values), max(values)))
    kind = f"numbers with {decimals} decimal{'s' if decimals > 1 else ''}" if decimals else "integers"
    words = f"{kind}, {least} to {most}"
    if not is_plain:
        words += f", such as {_example(cells)}"
    is_either = len(signs) <= 1 and any(fractions) and all(len(one) in (0, 3) for one in fractions)
    is_either &= all(_GROUPED.search(cell) for cell in cells if "," in cell or "." in cell)
    sign = "" if is_either or not any(fractions) else signs[0] if signs else "."
    if is_either:
        thousands, point = ('"."', '","') if signs == () else ('","', '"."')
        words += f"; if {thousands[1]} separates thousands, write number({column}, {point}, {thousands})"
    argument += or_missing
    return ColumnKind(name, argument, decimals, words, missing, True, (), sign, is_either)


def _places(numbers: Collection[float]) -> int:
    """The decimals that numbers had before they became floats of 32 bits or more; enough that none is 0."""
    least = min((abs(number) for number in numbers if number), default=1)
    needed = max(MOST_PLACES, 2 - floor(log10(least)))
    return next(
        (
            places
            for places in range(1, needed)
            if all(abs(number - round(number, places)) <= abs(number) * 2**-24 for number in numbers)
        ),
        needed,
    )


def _scaled(text: str, decimals: int) -> int:
    whole, _, fraction = text.partition(".")
    return int((whole + fraction[:decimals].ljust(decimals, "0"))[:60])
