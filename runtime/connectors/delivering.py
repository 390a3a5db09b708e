"""What delivers answers to others: destinations, and how often they are tried."""

import logging
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import Protocol, runtime_checkable

from lars2asp.runtime.errors import InputError
from lars2asp.syntax.values import dataclass

_log = logging.getLogger("lars2asp")

MOST_LINES = 1000
"""The number of lines that most destinations take at once."""


class Destination(Protocol):
    """Takes lines in a process of its own.

    Attributes:
        name: what messages call it; no passwords.
        most_lines: the number of lines that it takes at once.
    """

    name: str
    most_lines: int

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Delivers lines, without their line ends; when it returns they are taken.

        Raises UnreachableError where it is to be tried again with the same lines, InputError where that would
        not help.
        """
        ...

    def close(self) -> None:
        """Ends, when all lines are delivered. Raises InputError where that is not possible."""
        ...


@runtime_checkable
class PartlyTaking(Destination, Protocol):
    """A destination that can have taken some lines of those that it was given at once."""

    def withdraw(self) -> int:
        """Gives up the lines that are being delivered; how many of the first of them are taken."""
        ...


class UnreachableError(Exception):
    """A destination takes nothing for now; the message says why.

    Attributes:
        seconds: the destination asks to be left alone for so long.
    """

    def __init__(self, reason: str, seconds: float = 0.0) -> None:
        super().__init__(reason)
        self.seconds = seconds


@dataclass(frozen=True)
class Retries:
    """How often a destination is tried that takes nothing.

    Attributes:
        first_seconds: the wait before the second attempt; each further one is twice as long.
        longest_seconds: the longest wait.
        total_seconds: after this time it is given up.
    """

    first_seconds: float = 0.5
    longest_seconds: float = 30
    total_seconds: float = 300

    def until_done(self, attempt: Callable[[], None], name: str, pause: Callable[[float], bool]) -> bool:
        """Calls a function until it no longer raises UnreachableError; whether it came to that.

        Args:
            attempt: the function.
            name: that of the destination.
            pause: waits for some seconds; whether nothing is to be tried any more.

        Raises InputError when it gives up.
        """
        begin, wait, has_failed = monotonic(), self.first_seconds, False
        while True:
            try:
                attempt()
            except UnreachableError as error:
                left = begin + self.total_seconds - monotonic()
                if left <= 0:
                    raise InputError(
                        f"{name}: cannot deliver answers: {error}; lars2asp gave up after "
                        f"{self.total_seconds:g} seconds. Without --checkpoint the undelivered "
                        "answers are lost"
                    ) from error
                if wait == self.first_seconds:
                    _log.warning("%s: %s; lars2asp retries for %g seconds", name, error, self.total_seconds)
                has_failed = True
                if pause(min(max(wait, error.seconds), left)):
                    return False
                wait = min(2 * wait, self.longest_seconds)
            else:
                if has_failed:
                    _log.warning("%s: takes answers again, after %.1f seconds", name, monotonic() - begin)
                return True


def batches(lines: Sequence[bytes], most: int) -> Iterator[Sequence[bytes]]:
    """Lines as they are sent at once."""
    for begin in range(0, len(lines), most):
        yield lines[begin : begin + most]
