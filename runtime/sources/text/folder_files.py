"""Inputs that are several files: those of a folder, or those whose names fit a pattern, `logs/**/*.csv`."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lars2asp.runtime.sources.text.sheet_names import is_there

COLUMN_FOLDER = re.compile(r"([^=]+)=(.*)", re.DOTALL)
"""The name of a folder with a column: its name, and the cell."""

_ANY, _DEEP = "*", "**"


def is_folder(path: str) -> bool:
    """Whether a path is that of a folder, or a pattern of names."""
    return Path(path).is_dir() or is_pattern(path)


def is_pattern(path: str) -> bool:
    """Whether a path has `*` in it, and no file and no folder has this very name."""
    return _ANY in path and not is_there(path)


def folder_of(path: str) -> str:
    """The folder; of a pattern the one in which its files, and folders with them, are."""
    if not is_pattern(path):
        return path
    return str(Path(path[: path.index(_ANY)] + _ANY).parent)


def files_at(path: str, *names_of: Callable[[str], str]) -> Iterator[Path]:
    """The files of a folder, or those that a pattern fits, without hidden ones.

    Folders in a folder are left out, unless their names have columns (`year=2026`).

    Args:
        path: the folder, or the pattern.
        names_of: for patterns, other names that a file has: one of them may fit in place of its own.

    Raises OSError if the folder cannot be read.
    """
    if not is_pattern(path):
        yield from _in_folder(Path(path))
        return
    base = Path(folder_of(path))
    parts = Path(path).relative_to(base).parts
    [*base.iterdir()]  # it is there
    yield from dict.fromkeys(_fitting(base, (*parts, _ANY) if parts[-1] == _DEEP else parts, names_of))


def fits(path: str, pattern: str) -> bool:
    """Whether the name of a file fits the last part of a pattern; in a folder every name does."""
    part = Path(pattern).name
    return not is_pattern(pattern) or part == _DEEP or _fits(Path(path).name, part)


def _in_folder(folder: Path) -> Iterator[Path]:
    for one in folder.iterdir():
        if not one.name.startswith("."):
            if one.is_file():
                yield one
            elif COLUMN_FOLDER.fullmatch(one.name) and one.is_dir():
                yield from _in_folder(one)


def _fitting(folder: Path, parts: Sequence[str], names_of: Sequence[Callable[[str], str]]) -> Iterator[Path]:
    """The files in a folder that the rest of a pattern fits."""
    part, *rest = parts
    if part == _DEEP:
        yield from _fitting(folder, rest, names_of)
    try:
        here = [*folder.iterdir()]
    except (FileNotFoundError, NotADirectoryError):  # it is gone meanwhile
        return
    for one in here:
        if part == _DEEP:
            if not one.name.startswith(".") and one.is_dir() and not one.is_symlink():
                yield from _fitting(one, parts, names_of)
        elif rest:
            if _fits(one.name, part) and one.is_dir():
                yield from _fitting(one, rest, names_of)
        elif any(_fits(of(one.name), part) for of in (_itself, *names_of)) and one.is_file():
            yield one


def _fits(name: str, part: str) -> bool:
    """Whether a name fits a part of a pattern; `*` is any text, and hides no hidden file."""
    if name.startswith(".") and not part.startswith("."):
        return False
    return re.fullmatch(".*".join(map(re.escape, part.split(_ANY))), name, re.DOTALL) is not None


def _itself(name: str) -> str:
    return name
