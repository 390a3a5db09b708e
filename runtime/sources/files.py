"""Input from files, the files of folders and standard input, and how far it has been read."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from runtime.errors import InputError, SnapshotError
from runtime.records import OnReject, Record, refuse
from runtime.sources.numbered import FileLines, Place
from runtime.sources.reading import Reading
from runtime.text_files import STANDARD, open_bytes


class Input:
    """The records of a file, of the files in a folder, or of standard input for `-`.

    The files of a folder are read one after the other, in the order of their names; hidden ones are left out,
    and so are folders in it.

    Args:
        path: where the file or the folder is.
        reading: how files are read.
        on_reject: takes records that are not valid.

    Raises:
        InputError: if nothing is there.
    """

    def __init__(self, path: str, reading: Reading, on_reject: OnReject) -> None:
        self.name = path
        self._reading = reading
        self._on_reject = on_reject
        self._files = _files(path)
        self._place = Place()
        self._open: tuple[str, io.RawIOBase] | None = None
        """The file that is read, and its bytes."""
        self._lines: FileLines | None = None
        self._file = ""
        self._line = 0
        """The line of the last record, 0 before the first."""
        self._number = 0
        """How many records were read that stand there."""

    def __enter__(self) -> "Input":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    @property
    def size(self) -> int | None:
        """In bytes, all files together; None for what can be read only once."""
        if self.name == STANDARD or not all(Path(file).is_file() for file in self._files):
            return None
        return sum(Path(file).stat().st_size for file in self._files)

    @property
    def bytes_read(self) -> int:
        """How many of them were read."""
        before = self._files[: self._files.index(self._file)] if self._file in self._files else []
        here = self._lines.bytes_read if self._lines is not None else 0
        return sum(Path(file).stat().st_size for file in before) + (here or 0)

    def records(self) -> Iterator[Record]:
        """The records that were not read yet. Raises InputError."""
        files = self._files
        if self._file:  # one that is not there any more was read to its end
            files = [file for file in files if file >= self._file]
        for file in files:
            is_known = file == self._file
            try:
                yield from self._records_of(file, is_known=is_known)
            except OSError as error:
                raise InputError(f"{file}: cannot be read: {error.strerror}") from error

    def state(self) -> dict[str, Any]:
        """How far it was read, as JSON has it; between two records."""
        place = self._lines.place(self._line) if self._lines is not None and self._line else Place()
        read = {"name": self.name, "file": self._file, "line": self._line, "number": self._number}
        return read | {"place": asdict(place)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state. Raises SnapshotError for one of another input."""
        if state["name"] != self.name:
            raise SnapshotError(f"the checkpoints are of the input {state['name']}, not of {self.name}")
        self._file, self._line, self._number = state["file"], state["line"], state["number"]
        self._place = Place(**state["place"])

    def _records_of(self, file: str, *, is_known: bool) -> Iterator[Record]:
        name = "<stdin>" if file == STANDARD else file
        lines = self._lines = FileLines(self._stream(file))
        if is_known and self._line:
            lines.begin(self._place)
        else:
            self._file, self._line, self._number = file, 0, 0
        records = self._reading.records(lines, name, self._on_reject)
        lines.end_head()
        known_line, known, passed = self._line, self._number, 0
        for record in records:
            line = record.origin.line if record.origin is not None else 0
            if line == known_line and passed < known:
                passed += 1
                continue
            self._number = self._number + 1 if line == self._line else 1
            self._line = line
            yield record
        self._line, self._number = lines.number + 1, 0

    def _stream(self, file: str) -> io.RawIOBase:
        """The bytes of a file; what is open already stays so. Raises InputError."""
        if self._open is None or self._open[0] != file:
            self._close()
            self._open = file, open_bytes(file)
        return self._open[1]

    def _close(self) -> None:
        if self._open is not None:
            self._open[1].close()
            self._open = None


def read_file(
    path: str | Path, reading: Reading | None = None, on_reject: OnReject = refuse
) -> Iterator[Record]:
    """The records of a file, of the files in a folder, or of standard input for `-`; see Input.

    Raises:
        InputError: if the file cannot be read, or a record is not valid and `on_reject` does not take it.
    """
    with Input(str(path), reading or Reading(), on_reject) as source:
        yield from source.records()


def _files(path: str) -> list[str]:
    """The files to read."""
    folder = Path(path)
    if path == STANDARD or not folder.is_dir():
        return [path]
    files = [str(file) for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")]
    if not files:
        raise InputError(f"{path}: there is no file in this folder")
    return sorted(files)
