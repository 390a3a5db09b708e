"""Checkpoints: files from which a run goes on that was interrupted, however it was."""

import fcntl
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from runtime.errors import SnapshotError
from runtime.snapshot import packed, unpacked
from runtime.text_files import write_whole

_log = logging.getLogger("lars2asp")

KEPT = 2
"""So many checkpoints are kept: the last one, and those to fall back to."""

PATIENCE = 2
"""In seconds: so long it is waited for another run to end, such as one that has just been killed."""

_SUFFIX = ".checkpoint"


class Checkpoints:
    """The checkpoints in a folder, one run at a time.

    Each is written to a file of its own and comes to its place only when it is whole and on the disk.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = max(map(_number, self._files()), default=0)

    def load(self) -> dict[str, Any] | None:
        """The last state that is whole, None where there is none yet.

        Damaged ones are passed over, with a warning. Raises SnapshotError if there are none but such.
        """
        files = sorted(self._files(), key=_number, reverse=True)
        for file in files:
            try:
                return unpacked(file.read_bytes())
            except (SnapshotError, OSError) as error:
                _log.warning("%s: %s; the checkpoint before it is used", file, error)
        if files:
            raise SnapshotError(f"{self._folder}: no checkpoint is whole; remove them to start anew")
        return None

    def save(self, state: Mapping[str, Any]) -> None:
        """Keeps a state. Raises OSError where it cannot be written."""
        self._number += 1
        write_whole(self._folder / f"{self._number:012d}{_SUFFIX}", packed(state))
        for old in sorted(self._files(), key=_number)[:-KEPT]:
            old.unlink()

    def _files(self) -> Iterator[Path]:
        return self._folder.glob(f"*{_SUFFIX}")


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
        yield Checkpoints(path)


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
