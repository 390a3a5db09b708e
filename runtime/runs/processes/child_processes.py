"""Processes that work for this one, and end with it."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

TO_END = (signal.SIGINT, signal.SIGTERM)
"""The signals that ask a process to end."""


def fork_undisturbed() -> int:
    """Forks a process that ignores the signals which ask to end; 0 in the new one."""
    with signals_held():
        process = os.fork()
        if not process:
            signal.set_wakeup_fd(-1)
            for number in TO_END:
                signal.signal(number, signal.SIG_IGN)
    return process


@contextmanager
def signals_held() -> Iterator[None]:
    """Holds these signals back, which a new process would take for its own."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, TO_END)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class OrphanGuard:
    """Ends a child process when its parent has ended."""

    def __init__(self) -> None:
        self._read_end, self._write_end = os.pipe()

    def watch_parent(self) -> None:
        """For the child, once it is forked."""
        os.close(self._write_end)
        threading.Thread(target=self._wait, daemon=True).start()

    def release(self) -> None:
        """For the parent: the child ends now, if it has not yet."""
        os.close(self._write_end)
        os.close(self._read_end)

    def _wait(self) -> None:
        os.read(self._read_end, 1)
        os._exit(1)
