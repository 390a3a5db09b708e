"""A run ends in good order before its memory is more than it may have."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from lars2asp.runtime.reasoning.memory import memory_in_use

LOOK_SECONDS = 0.5
"""In seconds: how often memory is looked at."""


@contextmanager
def memory_limited(limit: int | None, hint: str) -> Iterator[None]:
    """Within, a process that has more memory is asked to end, as by SIGTERM, which is said.

    Args:
        limit: in bytes; None: no limit.
        hint: what comes after the end, for the message.
    """
    if limit is None:
        yield
        return
    is_over = Event()
    watcher = Thread(target=_watch, args=(limit, hint, is_over), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        is_over.set()
        watcher.join()


def _watch(limit: int, hint: str, is_over: Event) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})  # they are for the main thread
    while not is_over.wait(LOOK_SECONDS):
        taken = memory_in_use()
        if taken > limit:
            sys.stderr.write(
                f"memory: {_megabytes(taken)} are more than the --memory-limit of {_megabytes(limit)}: "
                f"the run ends; {hint}\n"
            )
            sys.stderr.flush()
            os.kill(os.getpid(), signal.SIGTERM)
            return


def _megabytes(number: int) -> str:
    return f"{number / 1_000_000:,.0f} MB"
