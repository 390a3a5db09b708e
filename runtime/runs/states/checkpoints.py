"""Checkpoints: files from which an interrupted run goes on.

A source that cannot be read again also has a journal: the lines after a checkpoint, in a file of its number.
So do answers that are sent to others: receipts of those that were taken after it.
"""

import errno
import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lars2asp.runtime.connectors.inbox import ArrivedLine
from lars2asp.runtime.errors import OtherFormatError, SnapshotError
from lars2asp.runtime.reasoning.snapshot import packed, unpacked
from lars2asp.runtime.reasoning.state_shape import check_run
from lars2asp.runtime.runs.states.journal import Journal, read_journal
from lars2asp.runtime.runs.states.receipts import add_receipts, read_receipts
from lars2asp.runtime.sources.text.named_file import take_lock
from lars2asp.runtime.sources.text.text_files import read_whole, write_whole

_log = logging.getLogger("lars2asp")

KEPT = 2
"""The number of checkpoints that are kept: the last one, and one to fall back to."""

_NAME = re.compile(r"([0-9]{12,})\.(checkpoint|journal|receipts)")


class Checkpoints:
    """The checkpoints in a folder, one run at a time.

    Each is written to a file of its own and comes to its place only when it is whole and on the disk. Other
    files of the folder are left alone.

    Attributes:
        folder: the name of the folder.
        file: the name of the loaded checkpoint.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.file = ""
        self._path = Path(folder)
        self._journal: Journal | None = None
        self._loaded = 0
        """The number of the loaded checkpoint."""

    def load(self) -> dict[str, Any] | None:
        """The last whole state, None where no state was kept yet.

        Damaged ones, and links, are passed over with a warning. Raises SnapshotError if no other is left, or
        if one has another version of the format.
        """
        files = self._files()
        for number in sorted(files, reverse=True):
            file = files[number]
            try:
                state = unpacked(read_whole(file))
                check_run(state)
            except OtherFormatError as error:
                way_out = f"or remove the folder {self.folder} to start over"
                raise SnapshotError(f"{file}: {error}, {way_out}") from error
            except SnapshotError as error:
                _log.warning("%s: %s; the checkpoint before it is used", file, error)
            except OSError as error:
                reason = "it is a symbolic link" if error.errno == errno.ELOOP else error.strerror
                _log.warning("%s: cannot be used: %s; the checkpoint before it is used", file, reason)
            else:
                self.file, self._loaded = str(file), number
                return state
        if files:
            raise SnapshotError(f"{self.folder}: no checkpoint is complete: remove the folder to start over")
        return None

    def save(self, state: Mapping[str, Any]) -> None:
        """Keeps a state. Raises SnapshotError where it cannot be written, or an old one cannot be removed."""
        number = self._last + 1
        file = self._path / f"{number:012d}.checkpoint"
        try:
            write_whole(file, packed(state))
        except OSError as error:
            raise SnapshotError(f"{file}: cannot write the checkpoint: {error.strerror}") from error
        self.leave()
        files = self._files()
        oldest = sorted(files)[-KEPT:][0]
        others = self._files("journal").items(), self._files("receipts").items()
        for other, old in (*files.items(), *others[0], *others[1]):
            if other < oldest or (other >= number and old != file):  # or of one that somebody has removed
                _remove(old)

    def note(self, lines: Sequence[ArrivedLine]) -> None:
        """Keeps lines that came after the last checkpoint. Raises SnapshotError where it cannot."""
        if self._journal is None:
            self._journal = Journal(self._path / f"{self._last:012d}.journal")
        self._journal.add(lines)

    def noted(self) -> list[ArrivedLine]:
        """The lines that came after the loaded checkpoint; to be called before any are noted.

        Raises SnapshotError.
        """
        journals = self._files("journal")
        files = [journals[number] for number in sorted(journals) if number >= self._loaded]
        return [line for file in files for line in read_journal(file)]

    def note_delivered(self, first: int, lines: Sequence[bytes]) -> None:
        """Keeps that others have taken lines of answers, the first of which has a number; in any process.

        Raises SnapshotError where it cannot.
        """
        add_receipts(self._path / f"{self._last:012d}.receipts", first, lines)

    def delivered(self) -> dict[int, int]:
        """The checksums of the lines that were taken after the loaded checkpoint, by their numbers.

        Raises SnapshotError.
        """
        files = self._files("receipts")
        found: dict[int, int] = {}
        for number in sorted(files):
            if number >= self._loaded:
                found |= read_receipts(files[number])
        return found

    def leave(self) -> None:
        """Closes the journal: the next lines go to that of the checkpoint which is the last one then."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    @property
    def _last(self) -> int:
        """The number of the last checkpoint, 0 where there is none."""
        return max(self._files(), default=0)

    def _files(self, kind: str = "checkpoint") -> dict[int, Path]:
        """The checkpoints, or the journals, by their numbers."""
        matches = ((_NAME.fullmatch(path.name), path) for path in self._path.iterdir())
        return {int(match[1]): path for match, path in matches if match is not None and match[2] == kind}


@contextmanager
def open_checkpoints(folder: str) -> Iterator[Checkpoints]:
    """The checkpoints in a folder, which is made if need be. Raises SnapshotError if it cannot be used."""
    path = Path(folder)
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = os.open(path / "lock", flags, 0o666)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise SnapshotError(f"{path / 'lock'}: this is a symbolic link: remove it") from error
        raise SnapshotError(f"{folder}: cannot write checkpoints here: {error.strerror}") from error
    try:
        _lock(lock, folder)
        checkpoints = Checkpoints(folder)
        try:
            yield checkpoints
        finally:
            checkpoints.leave()
    finally:
        os.close(lock)


def _lock(file: int, folder: str) -> None:
    """Locks the folder for this run. Raises SnapshotError where another run has it."""
    try:
        take_lock(file)
    except OSError as error:
        raise SnapshotError(
            f"{folder}: another run is using these checkpoints: stop it, or name another --checkpoint folder"
        ) from error


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise SnapshotError(f"{file}: cannot remove the old checkpoint: {error.strerror}") from error
