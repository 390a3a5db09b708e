"""A file to write that belongs to one run, and that is opened again by its name if somebody removes it."""

import errno
import fcntl
import io
import os
import stat
import sys
import time
from typing import TYPE_CHECKING

from lars2asp.runtime.errors import InputError
from lars2asp.syntax.source import visible

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PATIENCE = 2.0
"""In seconds: how long a lock is waited for, which a run that has just been killed may still have."""


class NamedFile(io.FileIO):
    """Bytes to write; no other run writes to the same file at the same time.

    If the file is removed, the next write opens it again by its name, says so on standard error, and goes on
    at its end. A file on which a checkpoint counts is an error then.

    Attributes:
        head: what a file begins with that is opened again.

    Raises InputError where another run writes to the file, and where one is removed that is counted on.
    """

    def __init__(self, path: str, descriptor: int, checkpoint: str | None) -> None:
        """Takes over a descriptor.

        Args:
            path: the name of the file.
            descriptor: the file, open to be written.
            checkpoint: the folder of checkpoints that count on the file, if there are any.
        """
        super().__init__(path, "w", opener=lambda *_: descriptor)
        self.head = b""
        self._checkpoint = checkpoint
        status = os.fstat(descriptor)
        self._is_watched = stat.S_ISREG(status.st_mode) and status.st_nlink > 0
        try:
            self._lock(descriptor)
        except InputError:
            self.close()
            raise

    def write(self, data: "ReadableBuffer", /) -> int:
        """Writes bytes, into the file of this name."""
        self.check()
        return super().write(data)

    def check(self) -> None:
        """Opens the file again if it was removed. Raises InputError if a checkpoint counts on it."""
        if not self._is_watched or os.fstat(self.fileno()).st_nlink:
            return
        path = str(self.name)
        if self._checkpoint is not None:
            raise InputError.of(
                path,
                f"the file was removed during the run, but the checkpoint in {self._checkpoint} needs "
                f"it: put it back, or remove the folder {self._checkpoint} to start over",
            )
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            self._lock(descriptor)
            os.dup2(descriptor, self.fileno(), inheritable=False)
        finally:
            os.close(descriptor)
        if not self.seek(0, os.SEEK_END):
            super().write(self.head)
        sys.stderr.write(
            f"{visible(path)}: the file was removed: it is opened again, and takes what follows\n"
        )

    def _lock(self, descriptor: int) -> None:
        """Locks the file for this run. Raises InputError where another run has it."""
        if not self._is_watched:
            return
        try:
            take_lock(descriptor)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                reason = "another run is writing to this file: name another file"
                raise InputError.of(str(self.name), reason) from error


def take_lock(descriptor: int) -> None:
    """Locks a file, if need be after a while. Raises OSError where another process has it."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise
            time.sleep(0.02)
        else:
            return
