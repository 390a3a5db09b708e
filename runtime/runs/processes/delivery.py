"""Lines that another process delivers, so that what takes them may be slow, or gone for a while.

A pipe is the queue: when it is full, about 64 KiB, the reasoner waits. All processes of a run that is handed
over write to the same pipe.
"""

import logging
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from io import TextIOBase
from select import select
from time import monotonic

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.runs.processes.child_processes import OrphanGuard, fork_undisturbed
from lars2asp.runtime.runs.processes.stop import END_SECONDS
from lars2asp.runtime.sinks.delivery.delivering import Destination
from lars2asp.syntax.diagnostics import Lars2aspError

_log = logging.getLogger("lars2asp")

MOST_BYTES = 2**20
"""The most that is read of the pipe at once."""

_END = b"end"
"""This line is the last one, however many processes could still write."""

_SETTLE = b"\n"
"""An empty line asks whether all lines before it are delivered; the same comes back when they are."""


class Delivery(TextIOBase):
    """A stream of lines that another process delivers, as long as the context lasts.

    Args:
        destination: takes the lines.
        waiting: a context that is entered while this process waits for the other one, which gives for how
            many seconds it may; None: without end.

    Writing raises InputError when the destination has given up.

    Attributes:
        name: that of the destination.
    """

    def __init__(
        self,
        destination: Destination,
        waiting: Callable[[], AbstractContextManager[float | None]] = nullcontext,
    ) -> None:
        self.name = destination.name
        self._destination = destination
        self._waiting = waiting
        self._lines: list[str] = []
        self._said = b""

    def __enter__(self) -> "Delivery":
        lines, self._pipe = os.pipe()
        self._answers, answers = os.pipe()
        self._guard = OrphanGuard()
        self._process = fork_undisturbed()
        if not self._process:
            self._guard.watch_parent()
            os.close(self._pipe)
            os.close(self._answers)
            try:
                _deliver(self._destination, lines, answers)
            finally:
                os._exit(0)
        os.close(lines)
        os.close(answers)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Waits until all is delivered, or for a moment where an error ends the run."""
        is_over = False
        try:
            if kind is None or not issubclass(kind, InputError):
                with suppress(BrokenPipeError):
                    self._write_out()
            os.close(self._pipe)
            is_over = self._wait_for_the_end(None if kind is None else END_SECONDS)
        finally:
            self._guard.release()
            os.waitpid(self._process, 0)
            os.close(self._answers)
        if is_over and kind is None:
            self._check()
        elif not is_over:
            _log.warning("%s: not all answers were delivered when the run ended", self.name)

    def write(self, text: str) -> int:
        """Takes text, which `flush` sends."""
        self._lines.append(text)
        return len(text)

    def flush(self) -> None:
        """Sends what was written. Raises InputError where the destination has given up."""
        if not self._lines:
            return
        try:
            self._write_out()
        except BrokenPipeError as error:
            self._wait_for_the_end(None)
            self._check()
            raise InputError(f"{self.name}: the process that delivers answers was ended") from error

    def end(self) -> None:
        """Waits until all is delivered; nothing is written any more. Raises InputError where it cannot be."""
        self._lines.append(f"{_END.decode()}\n")
        self.flush()
        self._wait_for_the_end(None)
        self._check()

    def settle(self) -> None:
        """Waits until all that was written is delivered. Raises InputError where that is given up."""
        self._lines.append(_SETTLE.decode())
        self.flush()
        with self._waiting() as seconds:
            end = None if seconds is None else monotonic() + seconds
            while not self._said.endswith(_SETTLE):
                left = None if end is None else max(0.0, end - monotonic())
                if not select([self._answers], [], [], left)[0]:
                    raise InputError(f"{self.name}: not all answers were delivered")
                if not self._listen():
                    break
        self._check()
        self._said = b""

    def _write_out(self) -> None:
        data = memoryview("".join(self._lines).encode())
        self._lines.clear()
        while data:
            data = data[os.write(self._pipe, data) :]

    def _wait_for_the_end(self, seconds: float | None) -> bool:
        """Whether the other process ends within some seconds."""
        with self._waiting() if seconds is None else nullcontext(seconds) as most:
            while select([self._answers], [], [], most)[0]:
                if not self._listen():
                    return True
        return False

    def _listen(self) -> bool:
        """Reads what the other process says; whether it may say more."""
        said = os.read(self._answers, MOST_BYTES)
        self._said += said
        return bool(said)

    def _check(self) -> None:
        """Raises InputError where the destination has given up."""
        reason = self._said.replace(_SETTLE, b"").decode()
        if reason:
            raise InputError(reason)


def _deliver(destination: Destination, lines: int, answers: int) -> None:
    """Delivers the lines of a pipe until it ends, or the destination gives up, which is then said."""
    rest = b""
    try:
        while data := os.read(lines, MOST_BYTES):
            *whole, rest = (rest + data).split(b"\n")
            if _END in whole:
                destination.deliver([line for line in whole[: whole.index(_END)] if line])
                break
            asked = whole.count(b"")
            destination.deliver([line for line in whole if line])
            if asked:
                os.write(answers, _SETTLE)
        destination.close()
    except Lars2aspError as error:
        os.write(answers, str(error).replace("\n", " ").encode(errors="replace"))
    except Exception as error:  # it is said in the other process
        os.write(answers, f"{destination.name}: {type(error).__name__}: {error}".replace("\n", " ").encode())
