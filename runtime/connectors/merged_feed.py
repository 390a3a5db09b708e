"""Several live sources at once."""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Event, Lock, Thread

from lars2asp.runtime.connectors.feed import Feed, KeepingFeed
from lars2asp.runtime.sources.records import Line


class MergedFeed:
    """The lines of several feeds, each with the number of its input, as they come.

    A feed that ends says so by a line with the number 0 and no end. The others go on.

    Args:
        feeds: the feeds.

    Attributes:
        name: their names.
    """

    def __init__(self, feeds: Sequence[Feed]) -> None:
        self.name = ", ".join(feed.name for feed in feeds)
        self._feeds = feeds
        self._errors: list[BaseException] = []

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until all feeds have ended; see `Feed`. Raises what the first feed raises that does."""
        turn = Lock()

        def emitted(number: int, line: Line) -> None:
            with turn:
                emit(line._replace(input=number))

        threads = [
            Thread(target=self._run, args=(feed, partial(emitted, number), stop), daemon=True)
            for number, feed in enumerate(self._feeds)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self._errors:
            raise self._errors[0]

    @property
    def waits_until_kept(self) -> bool:
        """Whether a feed is told when its lines are kept."""
        return any(isinstance(feed, KeepingFeed) and feed.waits_until_kept for feed in self._feeds)

    def kept(self, source: str, number: int, of_input: int = 0) -> None:
        """Tells the feed of this input alone: feeds may have sources of the same name."""
        feed = self._feeds[of_input]
        if isinstance(feed, KeepingFeed):
            feed.kept(source, number)

    def _run(self, feed: Feed, emit: Callable[[Line], None], stop: Event) -> None:
        try:
            feed.run(emit, stop)
            if not stop.is_set():  # else the feed was ended, and may go on later
                emit(Line(feed.name, 0, "", end=None))
        except BaseException as error:  # it is raised where the feeds are waited for
            self._errors.append(error)
            stop.set()
