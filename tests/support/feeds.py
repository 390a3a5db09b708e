"""Feeds of known lines, and feeds that run in a thread."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic, sleep

from lars2asp.runtime.connectors.feed import Feed
from lars2asp.runtime.sources.records import Line
from tests.support.processes import PATIENCE_SECONDS


@dataclass
class ScriptedFeed:
    """A feed of lines that are known."""

    lines: Sequence[str]
    name: str = "script"

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        for number, text in enumerate(self.lines, start=1):
            emit(Line(self.name, number, text))


class Running:
    """A feed that runs.

    Attributes:
        lines: what it emitted, without line ends.
        over: the sources that it said to be over.
        error: what it raised.
        stop: ends it.
    """

    def __init__(self, feed: Feed, take: Callable[[Line], None] | None = None) -> None:
        self.lines: list[Line] = []
        self.over: list[str] = []
        self.error: BaseException | None = None
        self.stop = Event()
        self._feed = feed
        self._take = take or (lambda line: None)
        self.thread = Thread(target=self._run, daemon=True)

    def wait_for(self, condition: Callable[[], object]) -> None:
        """Waits until a condition is met."""
        end = monotonic() + PATIENCE_SECONDS
        while not condition():
            assert self.error is None, self.error
            assert monotonic() < end, f"in vain, with {len(self.lines)} lines"
            sleep(0.002)

    def wait_for_lines(self, count: int) -> list[Line]:
        """The lines when there are so many."""
        self.wait_for(lambda: len(self.lines) >= count)
        return self.lines

    def end(self) -> None:
        """Stops the feed and waits for it."""
        self.stop.set()
        self.thread.join(PATIENCE_SECONDS)
        assert not self.thread.is_alive()

    def _run(self) -> None:
        try:
            self._feed.run(self._emit, self.stop)
        except Exception as error:
            self.error = error

    def _emit(self, line: Line) -> None:
        self._take(line)
        if line.end is None:
            self.over.append(line.source)
        else:
            self.lines.append(line._replace(end="\n"))


@contextmanager
def running(feed: Feed, take: Callable[[Line], None] | None = None) -> Iterator[Running]:
    """A feed that runs in a thread; `take` is called with each line, and may be slow."""
    run = Running(feed, take)
    run.thread.start()
    try:
        yield run
    finally:
        run.end()


def texts(lines: list[Line]) -> list[str]:
    """The texts of lines."""
    return [line.text for line in lines]
