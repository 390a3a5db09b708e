"""Processes that work for this one: they end with it, however it ends."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


class Terminated(BaseException):
    """The process is asked to end (SIGTERM); what is open is to be closed before."""


@contextmanager
def orderly_end() -> Iterator[None]:
    """SIGTERM raises Terminated within the context."""

    def terminate(*_: object) -> NoReturn:
        raise Terminated

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Leash:
    """Ends a process when the one that made it has ended."""

    def __init__(self) -> None:
        self._waiting, self._held = os.pipe()

    def bind(self) -> None:
        """To be called in the process that was made."""
        os.close(self._held)
        threading.Thread(target=self._wait, daemon=True).start()

    def release(self) -> None:
        """To be called in the process that made it: the other one ends now, if it has not yet."""
        os.close(self._held)
        os.close(self._waiting)

    def _wait(self) -> None:
        os.read(self._waiting, 1)
        os._exit(1)
