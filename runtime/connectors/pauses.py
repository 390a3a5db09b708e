"""Pauses between lines of live sources: a record of several lines ends if nothing follows for a while."""

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from threading import Event, Lock, Thread

from lars2asp.runtime.connectors.feed import POLL_SECONDS, Feed
from lars2asp.runtime.sources.records import Line

PAUSE_SECONDS = 1.0
"""Behind a line from which nothing follows for so long there is a pause."""

Silent = Mapping[tuple[int, str], Line]
"""The last lines of sources behind which no pause was told, by their inputs and names."""


def pause_behind(line: Line) -> Line:
    """Says that nothing has followed a line for a while, or that its source is over; see `Line`."""
    number, end = (line.number, None) if line.end is None else (0, "")
    return line._replace(number=number, text="", length=None, end=end)


def silent_behind(silent: Silent, lines: Iterable[Line]) -> Silent:
    """What is silent behind more lines."""
    found = dict(silent)
    for line in lines:
        if line.is_pause or line.end is None:
            found.pop((line.input, line.source), None)
        elif line.number:
            found[line.input, line.source] = line._replace(text="")
    return found


def run_with_pauses(
    feed: Feed, emit: Callable[[Line], None], stop: Event, inputs: Collection[int], silent: Silent
) -> None:
    """Runs a feed, and tells pauses between the lines of its sources; see `Feed`.

    Args:
        feed: the feed.
        emit: takes the lines.
        stop: asks the feed to end.
        inputs: the numbers of the inputs whose pauses are told.
        silent: what an earlier part of the run was silent behind.
    """
    if not inputs:
        feed.run(emit, stop)
        return
    turn, over, begun = Lock(), Event(), time.monotonic()
    last = {of: (begun, line) for of, line in silent.items() if of[0] in inputs}

    def emitted(line: Line) -> None:
        with turn:
            emit(line)
            if line.end is None:
                last.pop((line.input, line.source), None)
            elif line.number and line.input in inputs:
                last[line.input, line.source] = time.monotonic(), line

    def watch() -> None:
        while not over.wait(POLL_SECONDS):
            with turn:
                since = time.monotonic() - PAUSE_SECONDS
                for of in [of for of, (at, _) in last.items() if at <= since]:
                    emit(pause_behind(last.pop(of)[1]))

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        feed.run(emitted, stop)
    finally:
        over.set()
        watcher.join()
