"""A live source is read in a process of its own.

The process that reasons can so be changed for another one while the source goes on, and reading takes no time
from it.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from lars2asp.runtime.errors import InputError, SnapshotError
from lars2asp.runtime.feeds.clock import Clock
from lars2asp.runtime.feeds.feed import Feed, Line
from lars2asp.runtime.feeds.inbox import Arrived, Inbox
from lars2asp.runtime.runs.processes import Leash, fork_undisturbed
from lars2asp.syntax.diagnostics import Lars2aspError

LONGEST_WAIT = 3600.0
"""In seconds: for longer no system waits at once."""

QUIET_SECONDS = 0.3
"""For so long nothing comes of a source that has been told to end before it is taken to have."""

MOST_SOURCES = 100
"""Of how many sources, such as connections, it is known what came last; those that were quiet longest go."""

MOST_AT_ONCE = 1000
"""In lines: so many are handed over at once, if so many wait."""

MOST_BYTES_AT_ONCE = 2**20
"""The same in bytes of memory; the last line that is handed over may go beyond."""


class FeedProcess:
    """The lines of a feed, as they arrive.

    Entering the context starts the process that reads; it ends with the context, and with this process.

    Args:
        feed: the feed.
        clock: tells when lines arrive.
        rereads: whether a process that begins anew reads what was read before once more.
        note: takes lines before anything else is done with them, where they are kept for a later run.
        waiting: what is entered while the process waits for lines.

    Attributes:
        most_lag: in seconds: for how long at most something had arrived, or come, before it was dealt with.
    """

    def __init__(
        self,
        feed: Feed,
        clock: Clock,
        *,
        rereads: bool = False,
        note: Callable[[Sequence[Arrived]], None] | None = None,
        waiting: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self.name = feed.name
        self._note = note
        self._while_waiting = waiting
        self._feed = feed
        self._clock = clock
        self._arrived: deque[Arrived] = deque()
        self._current: Arrived | None = None
        """What was taken last."""
        self._end: Arrived | None = None
        self._rereads = rereads
        self._last = 0
        """The number of the last line that was received."""
        self._lasts: dict[str, int] = {}
        """The same by the sources of lines, those that spoke last behind."""
        self._part = 1
        """How often the run was started, to be told from what it was told when it was started before."""
        self._since: int | None = None
        """When that arrived, or came, which is dealt with now; None while nothing is."""
        self.most_lag = 0.0

    def __enter__(self) -> "FeedProcess":
        self._connection, reader = Pipe()
        self._leash = Leash()
        self._process = fork_undisturbed()
        if not self._process:
            self._leash.bind()
            self._connection.close()
            try:
                self._send(reader)
            finally:
                os._exit(0)
        reader.close()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._connection.close()
        finally:
            self._leash.release()
            os.waitpid(self._process, 0)

    def take(self, until: int | None) -> Arrived | None:
        """The next line; None if there is none before a time. Raises InputError where the source fails.

        A state that is asked for before the next one is taken has this one too.

        Args:
            until: the time in microseconds since the Unix epoch; None for ever.
        """
        self._current = None
        self._settle()
        if not self._arrived and not self._receive(until):
            self._since = until
            return None
        self._current = self._arrived.popleft()
        self._since = self._current.at
        return self._current

    @property
    def lag(self) -> float:
        """In seconds: how long ago that arrived which is dealt with now."""
        since = self._since
        return 0.0 if since is None else max(0, self._clock.microseconds() - since) / 1e6

    def _settle(self) -> None:
        """What was taken last is dealt with."""
        if self._since is not None:
            self.most_lag = max(self.most_lag, self.lag)
            self._since = None

    def lines(self) -> Iterator[Line]:
        """All lines, as they come; a state has those that were not given yet. Raises InputError."""
        while (arrived := self.take(None)) is not None and arrived.line is not None:
            self._current = None
            yield arrived.line

    def drain(self) -> None:
        """Nothing more is read; what the other process has read already comes to what was not taken yet."""
        with suppress(OSError, EOFError):
            self._connection.send_bytes(b"end")
            while self._connection.poll(QUIET_SECONDS):
                received = self._connection.recv()
                if isinstance(received, InputError):
                    return
                self._add([arrived for arrived in received if arrived.line is not None])
                if received[-1].line is None:
                    return

    @property
    def waiting(self) -> int:
        """How many lines have come that were not taken yet, those left out that the other process has."""
        return len(self._arrived)

    def state(self) -> dict[str, Any]:
        """What has come and is not taken yet, as JSON has it."""
        current = [] if self._current is None else [self._current]
        arrived = [*current, *self._arrived] or ([] if self._end is None else [self._end])
        return {
            "name": self.name,
            "arrived": arrived,
            "last": self._last,
            "lasts": self._lasts,
            "part": self._part,
            "most_lag": self.most_lag,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state. Raises SnapshotError for one of another source."""
        if state.get("name") != self.name:
            raise SnapshotError(f"the checkpoints are of the input {state.get('name')}, not of {self.name}")
        self._last, self.most_lag = state["last"], state["most_lag"]
        self._lasts, self._part = dict(state["lasts"]), state["part"]
        self._current = None
        self._arrived = deque(
            Arrived(at, None if line is None else Line(*line)) for at, line in state["arrived"]
        )
        self._end = next((arrived for arrived in self._arrived if arrived.line is None), None)

    def _receive(self, until: int | None) -> bool:
        """Waits for more; whether it came before a time. Raises InputError where the source fails."""
        while not self._arrived:
            wait = None if until is None else max(0, until - self._clock.microseconds()) / 1e6
            with self._while_waiting():
                has_come = self._connection.poll(wait if wait is None else min(wait, LONGEST_WAIT))
            if not has_come:
                if wait is not None and wait <= LONGEST_WAIT:
                    return False
                continue
            try:
                received: list[Arrived] | InputError = self._connection.recv()
            except EOFError as error:
                raise InputError(f"{self.name}: the process that reads it was ended") from error
            if isinstance(received, InputError):
                raise received
            self._add(received)
        return True

    def _add(self, received: Sequence[Arrived]) -> None:
        """Lines have come."""
        if self._note is not None and received:
            self._note(received)
        for arrived in received:
            if arrived.line is None:
                self._end = arrived
            elif self._rereads and arrived.line.number <= self._last:
                continue
            else:
                self._last = arrived.line.number
                self._lasts.pop(arrived.line.source, None)
                self._lasts[arrived.line.source] = arrived.line.number
            self._arrived.append(arrived)
        while len(self._lasts) > MOST_SOURCES:
            del self._lasts[next(iter(self._lasts))]

    def _send(self, sending: Connection) -> None:
        """Reads the feed and sends what arrives."""
        try:
            with Inbox(self._feed, self._clock) as inbox:
                Thread(target=_stop_when_told, args=(sending, inbox), daemon=True).start()
                has_ended = False
                while not has_ended:
                    arrived = [self._first(inbox)]
                    size = arrived[-1].size
                    while (
                        len(arrived) < MOST_AT_ONCE
                        and size < MOST_BYTES_AT_ONCE
                        and arrived[-1].line is not None
                    ):
                        following = inbox.take(0)
                        if following is None:
                            break
                        arrived.append(following)
                        size += following.size
                    sending.send(arrived)
                    has_ended = arrived[-1].line is None
        except BrokenPipeError:
            return
        except Lars2aspError as error:
            sending.send(InputError(str(error)))
        signal.pause()  # the source stays there until the run is over

    def _first(self, inbox: Inbox) -> Arrived:
        arrived = inbox.take(None)
        assert arrived is not None
        return arrived


def with_noted(state: dict[str, Any], noted: Sequence[Arrived]) -> tuple[dict[str, Any], str]:
    """A state with what a journal has besides, and what is missing all the same, in words.

    What had ended may go on.
    """
    lasts = state["lasts"] | {line.source: line.number for _, line in noted if line is not None}
    arrived = [each for each in (*state["arrived"], *noted) if each[1] is not None]
    kept = ", ".join(f"line {number} of {source}" for source, number in lasts.items())
    has = f"of part {state['part']} of the run it has {f'all up to {kept}' if kept else 'nothing'}"
    told = f"goes on with what comes now; {has}, what came after that is lost"
    begun = {"arrived": arrived, "lasts": {}, "part": state["part"] + 1}
    return state | begun, f"{state['name']}: {told}"


def _stop_when_told(connection: Connection, inbox: Inbox) -> None:
    """What comes from the process that takes the lines is that it takes no more."""
    with suppress(OSError, EOFError):
        connection.recv_bytes()
        inbox.stop()
