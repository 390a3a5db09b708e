"""Clocks, for runs in wall time and the arrivals of lines."""

import time
from typing import Protocol


class Clock(Protocol):
    """A clock of your own for `Reasoner.run_live(clock=...)`; it must never go back."""

    def microseconds(self) -> int:
        """Returns the time since 1970, in microseconds."""
        ...


class MachineClock:
    """The machine's time when it was made plus the time since, however the machine's time is set."""

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def microseconds(self) -> int:
        """The time since the Unix epoch."""
        return (time.monotonic_ns() + self._offset) // 1000
