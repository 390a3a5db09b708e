"""Processes whose standard error is a terminal."""

import os
import pty
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from time import monotonic
from typing import Any

from tests.support.processes import PATIENCE_SECONDS, started


class OnTerminal:
    """A process and what it has written to its terminal so far.

    Attributes:
        process: the process.
        written: what it wrote.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", terminal: int) -> None:
        self.process = process
        self._terminal = terminal
        self.written = ""

    def until(self, text: str) -> None:
        """Waits until a text is written."""
        end = monotonic() + PATIENCE_SECONDS
        while text not in self.written:
            assert self._read() and monotonic() < end, f"{text!r} is missing in {self.written[-300:]!r}"

    def end(self) -> int:
        """Waits for the end of the process, and gives its exit status."""
        while self._read():
            pass
        return self.process.wait()

    def _read(self) -> bool:
        """Reads on; False at the end."""
        assert select([self._terminal], [], [], PATIENCE_SECONDS)[0], self.written[-300:]
        data = b""
        with suppress(OSError):  # the process has ended
            data = os.read(self._terminal, 65536)
        self.written += data.decode()
        return bool(data)


@contextmanager
def on_terminal(command: Sequence[str | Path], **options: Any) -> Iterator[OnTerminal]:
    """A process whose standard error alone is a terminal, 80 columns wide."""
    reading, writing = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    try:
        with started(command, **{**pipes, "env": environment, **options, "stderr": writing}) as process:
            os.close(writing)
            yield OnTerminal(process, reading)
    finally:
        os.close(reading)
