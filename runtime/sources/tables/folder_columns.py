"""Columns in the names of folders: `year=2026/month=02/` gives the files in it two columns of text."""

import re
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import unquote

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.row_events import Wrong
from lars2asp.runtime.sources.tables.row_reader import argument_of, condition_cells
from lars2asp.runtime.sources.text.folder_files import COLUMN_FOLDER, folder_of
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Column, Condition, Input
from lars2asp.syntax.source import shown
from lars2asp.syntax.string_escapes import quoted

_NONE = "__HIVE_DEFAULT_PARTITION__"
"""The cell that is missing."""

_READ = ("", "text", "int", "number", "any", "constant")


def folder_columns(path: str, folder: str) -> Mapping[str, str]:
    """The columns in the names of the folders from an input down to a file, in lower case."""
    names = path.removeprefix(folder_of(folder)).strip("/").split("/")[:-1]
    found = [match for name in names if (match := COLUMN_FOLDER.fullmatch(name)) is not None]
    return {unquote(match[1]).lower(): unquote(match[2]) for match in found}


def with_folder_columns(
    declared: Input, columns: Mapping[str, str], timeline: Timeline, missing: frozenset[str]
) -> Input:
    """A declaration for the files of a folder: its columns have constants in place of those of the folder.

    Args:
        declared: the declaration.
        columns: the cells of the folder's columns, by their names in lower case.
        timeline: how times are read.
        missing: the texts of missing values.

    Raises InputError for a cell that cannot be read as the declaration says, and if no column of the files is
    left for the time, or for the arguments.
    """
    where = f"#input {declared.predicate}"
    declared = _with_time_texts(declared, columns, where)
    missing |= {"", _NONE}
    left_out, kept = False, list[Condition]()
    for one in declared.conditions:
        if one.column.name.lower() not in columns:
            kept.append(one)
            continue
        holds = condition_cells(one, missing, timeline)[columns[one.column.name.lower()]]
        if isinstance(holds, Wrong):
            raise InputError(holds.reason)
        left_out = left_out or not holds
    arguments = list[Column]()
    for column in declared.columns:
        cell = columns.get(column.name.lower()) if column.is_cell else None
        constant = None if cell is None else _constant(column, cell, missing, where)
        left_out = left_out or (cell is not None and constant is None)
        arguments.append(
            column if cell is None else replace(column, name=constant or '""', conversion="fixed")
        )
    found = replace(declared, columns=tuple(arguments), conditions=tuple(kept))
    if not found.cells:
        raise InputError(f"{where}: all of its columns are names of folders: add a column of the files")
    if left_out:
        never = Column(found.cells[0].name, conversion="text")
        none = tuple(Condition(never, "=", text) for text in ("a", "b"))
        found = replace(found, conditions=(*kept, *none))
    return found


def _with_time_texts(declared: Input, columns: Mapping[str, str], where: str) -> Input:
    """The declaration with texts for the columns of its time that are a folder's. Raises InputError."""
    if not any(name.lower() in columns for name in declared.all_times):
        return declared
    texts = tuple(columns.get(name.lower()) for name in declared.times)
    left = [name for name, text in zip(declared.times, texts, strict=True) if text is None]
    if not left or declared.other_times:
        cure = "write one time, without `or`" if left else "add a column of the files, as in at date + time"
        raise InputError(f"{where}: only a part of the time can come from a folder's name: {cure}")
    return replace(declared, time=left[0], joined=tuple(left[1:]), time_texts=texts)


def _constant(column: Column, cell: str, missing: frozenset[str], where: str) -> str | None:
    """The constant that a cell is, as `fixed(...)` has it; None for a missing one. Raises InputError."""
    if column.conversion not in _READ or column.joined:
        raise InputError(
            f"{where}: {column.name} is part of a folder's name: read it as text, int or constant"
        )
    if cell in missing:
        if column.otherwise is None:
            return None
        cell = column.otherwise
    value = argument_of(cell, column)
    if value is None or isinstance(value, int):
        return None if value is None else str(value)
    if isinstance(value, str):
        return quoted(value)
    if not re.fullmatch("[a-z][A-Za-z0-9_]*", cell):
        raise InputError(
            f"{where}: {shown(cell)} in the name of a folder is no constant (a small letter, then letters "
            "and digits): read it as text"
        )
    return cell
