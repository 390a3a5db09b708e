"""Keeps lines of Spark's Java off standard error that it writes though nothing is wrong."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread

_CHATTER = re.compile(rb"(Starting )?Streaming TransformWithStateIn\w+ Python worker[ .]")
"""A line of a Python worker that has started; an empty line follows."""

LAST_LINES_WAIT = 1.0
"""In seconds: the longest wait for the last lines of a Java that has not started."""


@contextmanager
def without_chatter() -> Iterator[None]:
    """A Java that is started within the context writes only errors to standard error, then and later.

    It gets a pipe for standard error, from which a thread passes on all lines but chatter. This process
    itself writes to standard error as before once the context has ended.
    """
    if sys.stderr is not None:
        sys.stderr.flush()
    try:
        kept, target = os.dup(2), os.dup(2)
    except OSError:  # it is closed
        yield
        return
    source, pipe = os.pipe()
    os.dup2(pipe, 2)
    os.close(pipe)
    thread = Thread(target=_pass_on, args=(source, target), daemon=True)
    thread.start()
    has_started = False
    try:
        yield
        has_started = True
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        if not has_started:
            thread.join(LAST_LINES_WAIT)


def passed_on(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines that are no chatter; for each line of chatter, one later empty line is dropped as well.

    Workers write side by side, so that an empty line may come behind the next line of another one.
    """
    waiting = 0
    for line in lines:
        if _CHATTER.match(line):
            waiting += 1
        elif waiting and not line.strip():
            waiting -= 1
        else:
            yield line


def _pass_on(source: int, target: int) -> None:
    with open(source, "rb") as lines, open(target, "wb", buffering=0) as terminal:
        for line in passed_on(lines):
            with suppress(OSError):  # nobody may read it any more
                terminal.write(line)
