"""The files of background facts that a `#table` names."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import partial
from pathlib import Path

from lars2asp.syntax import codes, nodes
from lars2asp.syntax.argument_type import ArgumentType
from lars2asp.syntax.column_places import MOST_SHOWN, place_of, places_of
from lars2asp.syntax.diagnostics import Diagnostics, Lars2aspError
from lars2asp.syntax.number_texts import NumberTextError, number_in, number_of
from lars2asp.syntax.sheet_addresses import SheetAddress, sheet_at
from lars2asp.syntax.source import NOWHERE, Location, shown
from lars2asp.syntax.string_escapes import unquoted

CONVERSIONS = ("", "text", "int", "constant", "number")
"""Those of columns of a `#table`."""

PARQUET = (".parquet", ".pq")
"""How the names of files of Parquet end."""

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_WITH_COMMA = re.compile(r"-?(?:[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+),[0-9]+")
_ZEROS = re.compile(r"-?0[0-9]+(?:\.[0-9]+)?")
_CONSTANT = re.compile(r"(?!not$)_*'*[a-z][A-Za-z0-9_']*")


def read_table(table: nodes.Table, path: Path, diagnostics: Diagnostics) -> Iterator[nodes.Rule]:
    """The facts of the rows of a file, each once: of separated values with a header, of Parquet, a workbook.

    The separator is the one of `,` `;` tab `|` that stands in the header most. A plain column has integers
    where all its cells are integers, numbers where all are numbers, else text, which is said where most are
    numbers; of Parquet what its type says, truths, dates and times being texts as ISO 8601 has them. A row
    with a missing cell in one of the columns gives no fact, unless the column has a value in its place; of
    text these are empty ones and those of blanks, of Parquet those that are null. Numbers that are rounded
    keep all decimals: see `rounded`.

    Raises:
        Lars2aspError: where the file cannot be read, has no such column, or a cell is not what its column is.
    """
    if path.suffix.lower() in PARQUET:
        from lars2asp.syntax.parsing.background_parquet import parquet_rows  # noqa: PLC0415 - few have one

        chosen = partial(_chosen, table) if table.spread is not None else None
        names, rows, kinds = parquet_rows(path, table.column_names, chosen)
    elif sheet_at(str(path)) is not None:
        from lars2asp.syntax.parsing.background_sheets import sheet_rows  # noqa: PLC0415 - few have one

        names, found = sheet_rows(SheetAddress(str(path), table.sheet), [*table.column_names])
        rows = [(number, cells_of_text(row)) for number, row in found]
        kinds = [""] * len(names)
    else:
        names, rows = _rows(path)
        kinds = [""] * len(names)
    if table.spread is not None:
        names, rows, kinds = _spread(table, table.spread, names, rows, kinds, path)
    rows = _taken(table.conditions, names, rows, path)
    columns = [_column(column, names, rows, kinds, path, diagnostics) for column in table.columns]
    for row in dict.fromkeys(zip(*columns, strict=True)):
        if None not in row:
            yield nodes.Rule(
                nodes.Atom(table.predicate, tuple(one for one in row if one is not None)),
                location=table.location,
            )


def _chosen(table: nodes.Table, names: Sequence[str]) -> list[int]:
    """The places of the columns for each of which `each K, V of columns` gives a fact."""
    assert table.spread is not None
    named = {at for one in table.column_names for at in places_of(one, names)}
    return [at for at in table.spread.chosen(names) if at not in named]


def _spread(
    table: nodes.Table,
    spread: nodes.Spread,
    names: Sequence[str],
    rows: "Rows",
    kinds: Sequence[str],
    path: Path,
) -> tuple[list[str], "Rows", list[str]]:
    """A table with a row for each column that is chosen, its name and its cell behind the others.

    Raises Lars2aspError where there is none.
    """
    chosen = _chosen(table, names)
    if not chosen:
        known = shown(", ".join(map(repr, names)), MOST_SHOWN)
        raise Lars2aspError(f'{path}: no column matches "{shown(spread.source)}"; the columns are {known}')
    read = {name for one in table.read_columns for name in one.names if spread.reads_value(name)}
    fields = sorted(read - {spread.value})
    kept = ["" if spread.names(name) else name for name in names]  # these hide columns of their names
    found = [
        (line, [*row, names[at], row[at], *[None] * len(fields)])
        for line, row in rows
        for at in chosen
        if read or row[at] is not None
    ]
    own = {kinds[at] for at in chosen}
    kind = own.pop() if len(own) == 1 else "text" if own & {"text", ""} else "number"
    return [*kept, spread.key, spread.value, *fields], found, [*kinds, "text", kind, *["text"] * len(fields)]


def _taken(conditions: Sequence[nodes.Condition], names: Sequence[str], rows: "Rows", path: Path) -> "Rows":
    """The rows that meet all conditions.

    Raises Lars2aspError for a cell that is no number, where no condition leaves out its row.
    """
    if not conditions:
        return rows
    places = [_place(one.column.name, names, path) for one in conditions]
    conditions = [
        replace(one, column=replace(one.column, first_unit=nodes.FirstUnit())) for one in conditions
    ]
    taken = []
    for line, row in rows:
        wrong: Lars2aspError | None = None
        for place, one in zip(places, conditions, strict=True):
            try:
                if not _is_met(row[place], one, f"{path}:{line}"):
                    break
            except Lars2aspError as error:
                wrong = wrong or error
        else:
            if wrong is not None:
                raise wrong
            taken.append((line, row))
    return taken


def _is_met(cell: str | None, condition: nodes.Condition, place: str) -> bool:
    """Whether a cell meets a condition. Raises Lars2aspError for one that is no number."""
    column, holds = condition.column, nodes.COMPARED[condition.comparison]
    if not condition.is_number:
        cell = column.otherwise if cell is None else cell
        return cell is not None and holds(cell, condition.value)
    kind, pattern = ("int", _INTEGER) if column.conversion == "int" else ("number", _NUMBER)
    cell = _present(cell, column, kind)
    if cell is not None and column.conversion == "number":
        cell = _plain_number(cell, column, place)
    if cell is None:
        return False
    if not pattern.fullmatch(cell.strip()):
        raise Lars2aspError(f"{place}: {shown(cell)!r} is not {_WORDS[kind]}")
    return holds(Decimal(cell.strip()), Decimal(condition.value))


def _place(name: str, names: Sequence[str], path: Path) -> int:
    """The place of a column. Raises Lars2aspError."""
    try:
        return place_of(name, names)
    except LookupError as error:
        raise Lars2aspError(f"{path}: {error}") from error


def _constant(text: str) -> nodes.Term:
    """The constant of `fixed(...)`."""
    if text.startswith('"'):
        return nodes.String(unquoted(text))
    return _integer(text) if _INTEGER.fullmatch(text) else nodes.Function(text)


Rows = list[tuple[int, list[str | None]]]
"""Rows, with their lines or numbers: for each cell its text, None where it is missing."""


def cells_of_text(row: Sequence[str]) -> list[str | None]:
    """The cells of a row of text, where one of blanks alone is missing."""
    return [cell if cell.strip() else None for cell in row]


def _rows(path: Path) -> tuple[list[str], Rows]:
    """The names of the columns, and the rows with the lines at which they end."""
    import csv  # noqa: PLC0415 - most programs have no table

    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = file.readline()
            sign = max((",", ";", "\t", "|"), key=header.count)
            names = next(csv.reader([header], delimiter=sign, strict=True), [])
            reader = csv.reader(file, delimiter=sign, strict=True)
            rows = [(reader.line_num + 1, row) for row in reader if any(map(str.strip, row))]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Lars2aspError(f"{path}: cannot be read: {error}") from error
    if rows and all(len(row) == len(names) + 1 and not row[-1].strip() for _, row in rows):
        rows = [(line, row[:-1]) for line, row in rows]  # a separator ends each
    for line, row in rows:
        if len(row) != len(names):
            raise Lars2aspError(f"{path}:{line}: the row has {len(row)} cells, the header {len(names)}")
    return [name.strip() for name in names], [(line, cells_of_text(row)) for line, row in rows]


def _column(
    column: nodes.Column,
    names: Sequence[str],
    rows: Rows,
    kinds: Sequence[str],
    path: Path,
    diagnostics: Diagnostics,
) -> list[nodes.Term | None]:
    """The values of a column, None for a missing cell."""
    if column.is_fixed:
        return [_constant(column.name)] * len(rows)
    place = _place(column.name, names, path)
    known_kind = "" if column.conversion == "number" else column.conversion or kinds[place]
    cells = [(line, _present(row[place], column, known_kind)) for line, row in rows]
    if column.conversion == "number":
        column = replace(column, first_unit=nodes.FirstUnit())
        cells = [(line, _plain_number(cell, column, f"{path}:{line}")) for line, cell in cells]
    kind = known_kind or _kind([cell.strip() for _, cell in cells if cell is not None])
    if kind != "text":
        cells = [(line, cell and cell.strip()) for line, cell in cells]
    if kind == "text" and not known_kind:
        _tell_odd(column, cells, path, diagnostics)
    value, pattern = _VALUES[kind]
    for line, cell in cells:
        if cell is not None and pattern is not None and not pattern.fullmatch(cell):
            raise Lars2aspError(f"{path}:{line}: {shown(cell)!r} is not {_WORDS[kind]}")
    if kind == "number":
        cells, value = _aligned(cells), partial(_decimal, location=column.location)
    return [None if cell is None else value(cell) for _, cell in cells]


def _present(cell: str | None, column: nodes.Column, kind: str) -> str | None:
    """A cell, or what stands in its place if it is missing."""
    is_text = column.conversion != "number" and kind in ("", "text")
    if cell is not None and not is_text and not cell.strip():
        cell = None
    if cell is not None and column.or_missing and not _is_of(cell.strip(), column, kind):
        cell = None
    return column.otherwise if cell is None else cell


def _is_of(cell: str, column: nodes.Column, kind: str) -> bool:
    """Whether a cell can be converted as its column says."""
    if column.conversion == "number":
        try:
            number_in(cell, column.signs, column.marks)
        except NumberTextError as error:
            return error.is_number  # it is there
        return True
    pattern = _VALUES[kind][1] if kind else None
    return pattern is None or pattern.fullmatch(cell) is not None


def _plain_number(cell: str | None, column: nodes.Column, place: str) -> str | None:
    """A number that is written as its column says, with a point alone.

    Raises Lars2aspError for another cell that is not missing.
    """
    cell = cell and cell.strip()
    if not cell:
        return None
    try:
        return number_of(cell, column)
    except NumberTextError as error:
        raise Lars2aspError(f"{place}: {error}{error.cure(column.name)}") from error


def _kind(cells: Sequence[str]) -> str:
    if all(map(_INTEGER.fullmatch, cells)):
        return "int"
    return "number" if all(map(_NUMBER.fullmatch, cells)) else "text"


def _tell_odd(
    column: nodes.Column, cells: Sequence[tuple[int, str | None]], path: Path, diagnostics: Diagnostics
) -> None:
    """Says which cell makes a column text whose others are numbers, mostly, and where all have a comma."""
    filled = [(line, cell.strip()) for line, cell in cells if cell is not None]
    if filled and all(_WITH_COMMA.fullmatch(cell) for _, cell in filled):
        line, cell = filled[0]
        diagnostics.warning(
            column.location,
            f"{path}:{line}: {shown(cell)!r} has a decimal comma, so lars2asp reads the column as text",
            f'write text({column.name}) to keep the text, or number({column.name}, ",")',
            code=codes.TEXT_COLUMN,
        )
    odd = [(line, cell) for line, cell in filled if not _NUMBER.fullmatch(cell)]
    if 2 * len(odd) < len(filled):
        (line, cell), *_ = odd
        why = ", which begins with 0" if _ZEROS.fullmatch(cell) else ""
        diagnostics.warning(
            column.location,
            f"{path}:{line}: {shown(cell)!r} is not a number{why}, so that all of the column is text",
            f"write text({column.name}) to keep the text, or correct the cell",
            code=codes.TEXT_COLUMN,
        )


def _integer(cell: str) -> nodes.Term:
    value = nodes.Number(int(cell.removeprefix("-")))
    return nodes.UnaryOperation("-", value) if cell.startswith("-") else value


def _decimal(cell: str, location: Location = NOWHERE) -> nodes.Term:
    value = nodes.Decimal(cell.removeprefix("-"), location=location)
    return nodes.UnaryOperation("-", value) if cell.startswith("-") else value


def _aligned(cells: Sequence[tuple[int, str | None]]) -> list[tuple[int, str | None]]:
    """Cells of numbers with as many decimals as one of them needs, so that one is told them."""
    parts = [(line, *(cell or "").partition(".")) for line, cell in cells]
    most = max((len(decimals.rstrip("0")) for *_, decimals in parts), default=0) or 1
    return [
        (line, f"{whole}.{decimals[:most].ljust(most, '0')}" if whole else None)
        for line, whole, _, decimals in parts
    ]


_EXACT = Context(prec=nodes.MOST_DIGITS)


def rounded(
    statements: Sequence[nodes.Statement], tables: Sequence[nodes.Table]
) -> Sequence[nodes.Statement]:
    """Statements with the facts of these tables, whose `rounded` columns get the decimals of their places."""
    declared: dict[tuple[str, int], list[int]] = {}
    for one in statements:
        if isinstance(one, nodes.Decimals | nodes.Types):
            found = [place.digits if isinstance(place, ArgumentType) else place or 0 for place in one.places]
            known = declared.get((one.predicate, len(found)), found)
            declared[one.predicate, len(found)] = [*map(max, known, found)]
    asked = {
        table.location: (table, declared.get(table.signature[:2], ()))
        for table in tables
        if any(column.is_rounded for column in table.columns)
    }
    return [
        rounded_fact(one, *asked[one.location])
        if isinstance(one, nodes.Rule) and one.location in asked
        else one
        for one in statements
    ]


def rounded_fact(fact: nodes.Rule, table: nodes.Table, digits: Sequence[int]) -> nodes.Rule:
    """A fact of a table whose `rounded` columns get so many decimals; none if nothing is given."""
    if not isinstance(fact.head, nodes.Atom) or not any(column.is_rounded for column in table.columns):
        return fact
    arguments = (
        _rounded_term(term, places) if column.is_rounded else term
        for term, column, places in zip(
            fact.head.arguments, table.columns, digits or [0] * len(table.columns), strict=True
        )
    )
    return replace(fact, head=replace(fact.head, arguments=tuple(arguments)))


def _rounded_term(term: nodes.Term, digits: int) -> nodes.Term:
    """A number with so many decimals; halves are rounded away from zero."""
    if isinstance(term, nodes.UnaryOperation):
        inner = _rounded_term(term.argument, digits)
        return inner if inner in (nodes.Number(0),) else replace(term, argument=inner)
    if not isinstance(term, nodes.Decimal):
        return term
    number = f"{Decimal(term.text).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, _EXACT):f}"
    return replace(term, text=number) if digits else nodes.Number(int(number), location=term.location)


_VALUES: dict[str, tuple[Callable[[str], nodes.Term], re.Pattern[str] | None]] = {
    "int": (_integer, _INTEGER),
    "number": (_decimal, _NUMBER),
    "text": (nodes.String, None),
    "constant": (nodes.Function, _CONSTANT),
}
_WORDS = {"int": "an integer", "number": "a number", "constant": "a constant"}
