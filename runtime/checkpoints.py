"""Checkpoints: files from which a run goes on that was interrupted, however it was.

Of a source that cannot be read again there is a journal besides: what came of it after a checkpoint, in a
file that bears the same number.
"""

import fcntl
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from runtime.errors import SnapshotError
from runtime.inbox import Arrived
from runtime.journal import Journal, read_journal
from runtime.snapshot import packed, unpacked
from runtime.text_files import write_whole

_log = logging.getLogger("lars2asp")

KEPT = 2
"""So many checkpoints are kept: the last one, and those to fall back to."""

PATIENCE = 2
"""In seconds: so long it is waited for another run to end, such as one that has just been killed."""

_SUFFIX = ".checkpoint"
_JOURNAL = ".journal"


class Checkpoints:
    """The checkpoints in a folder, one run at a time.

    Each is written to a file of its own and comes to its place only when it is whole and on the disk.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal: Journal | None = None
        self._loaded = 0
        """The number of the checkpoint that was loaded."""

    def load(self) -> dict[str, Any] | None:
        """The last state that is whole, None where there is none yet.

        Damaged ones are passed over, with a warning. Raises SnapshotError if there are none but such.
        """
        files = sorted(self._files(), key=_number, reverse=True)
        for file in files:
            try:
                state = unpacked(file.read_bytes())
                self._loaded = _number(file)
                return state
            except (SnapshotError, OSError) as error:
                _log.warning("%s: %s; the checkpoint before it is used", file, error)
        if files:
            raise SnapshotError(f"{self._folder}: no checkpoint is whole; remove them to start anew")
        return None

    def save(self, state: Mapping[str, Any]) -> None:
        """Keeps a state. Raises OSError where it cannot be written."""
        number = self._last + 1
        write_whole(self._folder / f"{number:012d}{_SUFFIX}", packed(state))
        self.leave()
        oldest = sorted(map(_number, self._files()))[-KEPT:][0]
        for file in (*self._files(), *self._journals()):
            if _number(file) < oldest:
                file.unlink()

    def note(self, lines: Sequence[Arrived]) -> None:
        """Keeps lines that have come after the last checkpoint. Raises SnapshotError where it cannot."""
        if self._journal is None:
            self._journal = Journal(self._folder / f"{self._last:012d}{_JOURNAL}")
        self._journal.add(lines)

    def noted(self) -> list[Arrived]:
        """The lines that came after the checkpoint that was loaded; to be called before any are noted."""
        files = sorted(self._journals(), key=_number)
        return [line for file in files if _number(file) >= self._loaded for line in read_journal(file)]

    def leave(self) -> None:
        """Closes what is open: the next lines follow the checkpoint that is the last one then."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    @property
    def _last(self) -> int:
        """The number of the last checkpoint, 0 where there is none."""
        return max(map(_number, self._files()), default=0)

    def _files(self) -> Iterator[Path]:
        return self._folder.glob(f"*{_SUFFIX}")

    def _journals(self) -> Iterator[Path]:
        return self._folder.glob(f"*{_JOURNAL}")


@contextmanager
def open_checkpoints(folder: str) -> Iterator[Checkpoints]:
    """The checkpoints in a folder, which is made if need be.

    Raises SnapshotError if another run uses it, or it cannot be used.
    """
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = (path / "lock").open("w")
    except OSError as error:
        raise SnapshotError(f"{folder}: no place for checkpoints: {error.strerror}") from error
    with lock:
        _lock(lock, folder)
        checkpoints = Checkpoints(path)
        try:
            yield checkpoints
        finally:
            checkpoints.leave()


def _lock(file: TextIO, folder: str) -> None:
    """Keeps others away. Raises SnapshotError where they do."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if time.monotonic() >= until:
                raise SnapshotError(f"{folder}: another run uses these checkpoints") from error
            time.sleep(0.02)
        else:
            return


def _number(file: Path) -> int:
    return int(file.stem) if file.stem.isdigit() else 0
