"""Which file an `#include` means, and which files a program that is not trusted may include."""

import os
from collections.abc import Iterable
from pathlib import Path

from lars2asp.syntax import codes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.parsing.tree import Include
from lars2asp.syntax.source import Source, shown

DEEPEST = 100
"""The depth to which files may include one another."""

_OUTSIDE_HINT = (
    "a program that is not trusted (--untrusted, in Python trusted=False) includes only what lies in "
    "the folders of its files"
)
_TEXT_HINT = "a program that is given as text, and not trusted, includes no file: write the statements out"
_LOOKED_UP = "lars2asp looks in the working directory, then in the folder of the including file"


class Confinement:
    """The folders of the program files, out of which a program that is not trusted includes nothing.

    Programs that are given as text have no folder, nor have those that come from a device or a pipe.
    """

    def __init__(self, sources: Iterable[Source]) -> None:
        folders = [source.folder for source in sources if source.folder is not None]
        self._followed = {folder.resolve() for folder in folders}
        self._written = self._followed | set(map(_as_written, folders))

    @property
    def is_empty(self) -> bool:
        """Whether there is no folder, so that nothing can be included."""
        return not self._followed

    def names(self, path: Path) -> bool:
        """Whether a path, as it is written, lies in a folder; the disk is not looked at."""
        return _lies_in(_as_written(path), self._written)

    def holds(self, path: Path) -> bool:
        """Whether a path lies in a folder when all links are followed."""
        try:
            return _lies_in(path.resolve(), self._followed)
        except (OSError, RuntimeError, ValueError):  # links in a circle, say
            return False


def included_file(
    source: Source, include: Include, confinement: Confinement | None, diagnostics: Diagnostics
) -> Path | None:
    """The file that a source includes; None, with an error noted, where it is not there or outside.

    A path that leads outside is not looked up, so that the message discloses nothing about other folders.
    """
    places = [Path(include.path), Path(source.name).parent / include.path]
    if confinement is not None:
        named = [path for path in places if confinement.names(path)]
        places = [path for path in named if confinement.holds(path)]
        if not places:
            diagnostics.error(
                include.location,
                "this program cannot include files"
                if confinement.is_empty
                else f"the file {shown(include.path)} is outside the folders of the program files",
                _TEXT_HINT if confinement.is_empty else _OUTSIDE_HINT,
                code=codes.UNTRUSTED,
            )
            return None
    found = next(filter(_is_file, places), None)
    if found is None:
        diagnostics.error(
            include.location,
            f"cannot find {shown(include.path)}",
            _LOOKED_UP,
            code=codes.MISSING_FILE,
        )
    return found


def folder_of(path: Path) -> Path | None:
    """The folder of a program file; None for a device, a pipe, and what is found below /dev and /proc."""
    folder = path.parent
    if folder.resolve().parts[:2] in (("/", "dev"), ("/", "proc")):
        return None
    return folder if path.is_file() else None


def _as_written(path: Path) -> Path:
    """The path from the root, without `..`; links are not followed."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() follows links


def _lies_in(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long, say
        return False
