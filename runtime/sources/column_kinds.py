"""What the cells of a column are, by a look at those that differ."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.number_texts import number_text
from lars2asp.syntax.nodes import LARGEST_INTEGER
from lars2asp.syntax.source import shown

MISSING_WORDS = frozenset(
    {"NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "-", "--", "k.A.", "#N/V"}
)
"""Cells that stand for missing numbers in many tables."""

_SIGNS: tuple[tuple[str, ...], ...] = (
    *((), (",",), (",", "."), (".", ","), (",", " "), (".", " "), (".", "'"), (",", "'")),
)
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_PLAIN = re.compile(r"-?[0-9]+(?:\.[0-9]*)?")
_LEADING_ZERO = re.compile(r"[+-]?0[0-9]+")
_SHOWN = 40


@dataclass(frozen=True)
class ColumnKind:
    """What the cells of a column are.

    Attributes:
        name: the name of the column.
        argument: what stands for it in a declaration.
        decimals: of its numbers.
        words: the kind in words.
        missing: the words in it that stand for missing cells.
    """

    name: str
    argument: str
    decimals: int
    words: str
    missing: tuple[str, ...] = ()


def column_text(name: str) -> str:
    """A column as a declaration has it."""
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name)
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return name if plain and name not in ("not", "at") else f'"{escaped}"'


def kind_of(name: str, cells: Collection[str]) -> ColumnKind:
    """The kind of a column with these different cells."""
    filled = [cell for cell in cells if cell]
    words = tuple(sorted(MISSING_WORDS.intersection(filled)))
    known = [cell for cell in filled if cell not in MISSING_WORDS]
    column = column_text(name)
    if not known:
        return ColumnKind(name, column, 0, "no values", words)
    if not any(map(_LEADING_ZERO.fullmatch, known)):
        for signs in _SIGNS:
            texts = _numbers(known, signs)
            if texts is not None:
                return _of_numbers(name, known, texts, signs, words)
    is_mixed = any(cell[:1].isdigit() or _INTEGER.fullmatch(cell) for cell in known)
    example = shown(min(known, key=lambda cell: (len(cell), cell)), _SHOWN)
    several = f"{len(known)} different" if len(known) > 1 else "1"
    argument = f"text({column})" if is_mixed else column
    return ColumnKind(name, argument, 0, f"text, {several}, such as {example}")


def _numbers(cells: Collection[str], signs: tuple[str, ...]) -> list[str] | None:
    try:
        return [number_text(cell, signs) for cell in cells]
    except InputError:
        return None


def _of_numbers(
    name: str, cells: list[str], texts: list[str], signs: tuple[str, ...], missing: tuple[str, ...]
) -> ColumnKind:
    column = column_text(name)
    fractions = [text.partition(".")[2] for text in texts]
    decimals = max(len(fraction.rstrip("0")) for fraction in fractions)
    if any(fractions):
        decimals = max(decimals, 1)
    values = [_scaled(text, decimals) for text in texts]
    if max(map(abs, values)) > LARGEST_INTEGER:
        return ColumnKind(name, f"text({column})", 0, "numbers of more than 32 bits, kept as text", missing)
    is_plain = not signs and all(map(_PLAIN.fullmatch, cells))
    said = "".join(f', "{sign}"' for sign in signs)
    argument = column if is_plain else f"number({column}{said})"
    least, most = (texts[values.index(value)] for value in (min(values), max(values)))
    kind = f"numbers with {decimals} decimal{'s' if decimals > 1 else ''}" if decimals else "integers"
    words = f"{kind}, {least} to {most}"
    if not is_plain:
        words += f", such as {shown(cells[0], _SHOWN)}"
    if signs and len(signs) == 1 and decimals == 3 and all(len(one) in (0, 3) for one in fractions):
        words += f'; if {signs[0]} stands between thousands: number({column}, ".", ",")'
    return ColumnKind(name, argument, decimals, words, missing)


def _scaled(text: str, decimals: int) -> int:
    whole, _, fraction = text.partition(".")
    return int((whole + fraction[:decimals].ljust(decimals, "0"))[:60])
