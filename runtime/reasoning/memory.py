"""How much memory a process takes, and how it is looked through for what nothing refers to."""

import gc
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PAGES = Path("/proc/self/statm")

YOUNG = 10_000
"""The number of new objects after which the collector looks through them. Rows are many and make no circles:
with the usual 700 a run takes a quarter longer, and with 100,000 too, as they are no longer in the cache."""


IN_BLOCKS = 1_000_000
"""The same where many ticks are evaluated at once: what is made for a block goes with it, and the collector
would look through it several times before. With `YOUNG` runs over counts and joins take a quarter longer."""


def collect_for_rows() -> None:
    """Sets the collector of a process that is there to reason; it never looks through what is there now."""
    gc.freeze()
    gc.set_threshold(YOUNG)


@contextmanager
def collecting_for_rows(young: int = YOUNG) -> Iterator[None]:
    """The collector looks through rows less often meanwhile, in a process that does other work as well."""
    before = gc.get_threshold()
    gc.set_threshold(young)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def look_through_no_more() -> None:
    """The work is done: what is there now is not looked through once more.

    Not for what others take the place of: if it has circles it would stay for good.
    """
    gc.freeze()


def memory_in_use() -> int:
    """The bytes of this process that are in memory; where the system does not say it, the most so far."""
    try:
        return int(_PAGES.read_bytes().split()[1]) * resource.getpagesize()
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


class MemoryGrowth:
    """Looks whether the memory of this process has grown too much since the first look.

    Args:
        least: in bytes, how much is too much, or a quarter of the memory, if that is more; 0: whatever it is.
    """

    def __init__(self, least: int) -> None:
        self._least = least
        self._first: int | None = None

    def begin_anew(self) -> None:
        """What memory there is now is not a growth."""
        self._first = None

    def is_too_much(self) -> bool:
        """Whether it has."""
        memory = memory_in_use()
        if self._first is None:
            self._first = memory
        return not self._least or memory - self._first > max(self._least, self._first // 4)
