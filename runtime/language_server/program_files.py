"""The files of programs as they are in an editor: what is open there goes before what is on the disk."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from math import inf
from pathlib import Path

from lars2asp.syntax.parser import dialect_of_file
from lars2asp.syntax.parsing.includes import folder_of
from lars2asp.syntax.source import Source
from lars2asp.syntax.values import dataclass

_INCLUDE = re.compile(r'^[^%\n]*#include\s*"([^"\n]+)"\s*\.', re.MULTILINE)
MOST_FILES = 2000
"""The number of program files of a folder that are looked at."""

LARGEST_FILE = 10_000_000
"""The size of a file, in bytes, from which on it is not looked at for what it includes."""


@dataclass
class ProgramFiles:
    """Texts by path, and which files belong to one program.

    Attributes:
        open_texts: the texts of the files that are open in the editor.
        folders: the folders that are open there.
    """

    open_texts: dict[Path, Source] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)
    _read: dict[Path, tuple[int, Source]] = field(default_factory=dict)
    _listed: tuple[Path, ...] | None = None

    def open(self, path: Path, text: str) -> Source:
        """Takes the text of a file that is open."""
        self.open_texts[path] = source = _source(path, text, path.parent)
        return source

    def close(self, path: Path) -> None:
        """Forgets it: what is on the disk counts."""
        self.open_texts.pop(path, None)

    def look_again(self) -> None:
        """Files may have come or gone."""
        self._listed = None

    def source(self, path: Path) -> Source | None:
        """The text of a file; None where it cannot be read."""
        if path in self.open_texts:
            return self.open_texts[path]
        try:
            changed = path.stat().st_mtime_ns
            known = self._read.get(path)
            if known is None or known[0] != changed:
                text = path.read_text(encoding="utf-8-sig")
                known = self._read[path] = changed, _source(path, text, folder_of(path))
        except (OSError, UnicodeDecodeError):
            return None
        return known[1]

    def program(self, path: Path) -> tuple[Source, ...]:
        """The texts of the program that a file belongs to, which may be that of a file that includes it.

        Texts that are open come first, so that they are not read from the disk.
        """
        root = self._root(path)
        parts = self._below(root)
        first = [self.open_texts[one] for one in parts if one in self.open_texts and one != root]
        own = self.source(root)
        return (*first, *([own] if own is not None else ()))

    def group(self, path: Path) -> list[Path]:
        """The files that include it or each other, and what these include; the file comes first."""
        links: dict[Path, set[Path]] = {}
        for one in {path, *self._all()}:
            for other in self._includes(one):
                links.setdefault(one, set()).add(other)
                links.setdefault(other, set()).add(one)
        found, waiting = {path: None}, [path]
        while waiting:
            one = waiting.pop()
            for other in sorted({*links.get(one, ()), *self._includes(one)} - found.keys()):
                found[other] = None
                waiting.append(other)
        return [*found]

    def _root(self, path: Path) -> Path:
        """The first of the files that include it, over others or not, and that nobody includes."""
        seen, waiting, roots = {path}, [path], []
        while waiting:
            one = waiting.pop()
            above = {other for other in self._all() if one in {*self._includes(other)}}
            if not above:
                roots.append(one)
            waiting += above - seen
            seen |= above
        return min(roots, default=path)

    def _below(self, path: Path) -> list[Path]:
        found, waiting = {path: None}, [path]
        while waiting:
            for other in self._includes(waiting.pop()):
                if other not in found:
                    found[other] = None
                    waiting.append(other)
        return [*found]

    def _includes(self, path: Path) -> Iterator[Path]:
        source = self.source(path)
        if source is None or "#include" not in source.text:
            return
        for name in _INCLUDE.findall(source.text):
            places = [path.parent / name, Path(name)]
            found = next((one for one in places if one.is_file() or one in self.open_texts), None)
            if found is not None:
                yield Path(os.path.normpath(found.absolute()))

    def _all(self) -> Iterable[Path]:
        if self._listed is None:
            found: dict[Path, None] = {}
            for folder in self.folders:
                for path in _programs_in(folder):
                    found[path] = None
                    if len(found) >= MOST_FILES:
                        break
            self._listed = tuple(found)
        return {**dict.fromkeys(self._listed), **dict.fromkeys(self.open_texts)}


def _source(path: Path, text: str, folder: Path | None) -> Source:
    """The text of a file, in the dialect that its name or its first lines say."""
    dialect = dialect_of_file(path, text)
    return Source(str(path), text, folder, dialect, dialect != "")


def _programs_in(folder: Path) -> Iterator[Path]:
    """The program files of a folder and those in it but for hidden ones, in order."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one != "node_modules")
        for name in sorted(names):
            path = Path(place, name)
            if name.endswith((".lars", ".lp")) and _size(path) < LARGEST_FILE:
                yield path


def _size(path: Path) -> float:
    """The size of a file in bytes; of a link that leads nowhere, without end."""
    try:
        return path.stat().st_size
    except OSError:
        return inf
