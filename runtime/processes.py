"""Processes that work for this one: they end with it, however it ends."""

import os
import threading


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
