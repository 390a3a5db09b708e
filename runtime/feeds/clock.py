"""Clocks: what time it is, for runs that go by it."""

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time, which never goes back."""

    def microseconds(self) -> int:
        """The time since the Unix epoch."""
        ...


class MachineClock:
    """The machine's time when it was made, and from there on what has passed, however the time is set."""

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def microseconds(self) -> int:
        """The time since the Unix epoch."""
        return (time.monotonic_ns() + self._offset) // 1000
