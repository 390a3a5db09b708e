"""A live source that is read in a process of its own.

So reading takes no time from the reasoner, and goes on while a run is handed over from process to process.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from select import POLLIN, poll
from threading import Thread
from typing import Any

from lars2asp.runtime.connectors.clock import Clock
from lars2asp.runtime.connectors.feed import Feed, KeepingFeed
from lars2asp.runtime.connectors.inbox import ArrivedLine, LineInbox
from lars2asp.runtime.connectors.pauses import Silent, silent_behind
from lars2asp.runtime.errors import InputError, SnapshotError
from lars2asp.runtime.runs.processes.child_processes import OrphanGuard, fork_undisturbed
from lars2asp.runtime.sources.records import Line
from lars2asp.syntax.diagnostics import Lars2aspError

LONGEST_WAIT = 3600.0
"""In seconds: the longest single wait; systems have limits of their own."""

QUIET_SECONDS = 0.3
"""A source that was asked to end has ended when nothing comes from it for this time."""

MOST_SOURCES = 100
"""The number of sources, such as connections, whose last lines are known; the latest ones are kept."""

MOST_AT_ONCE = 1000
"""The number of waiting lines that are sent to the reasoner's process at once."""

MOST_BYTES_AT_ONCE = 2**20
"""The same in bytes of memory; the last line may go beyond."""


class FeedProcess:
    """The lines of a feed, as they arrive.

    Entering the context starts the process that reads; it ends with the context, and with this process.

    Args:
        feed: the feed.
        clock: gives the times of arrival.
        rereads: the numbers of the inputs that a new process reads from the beginning again.
        positioned: the numbers of those that it reads on from a position.
        paused: the numbers of those whose pauses are told; see `run_with_pauses`.
        note: keeps lines for a later run, before anything else is done with them.
        has_come: waits until there is something to read of a file descriptor, for some seconds or for ever;
            whether there is.
        most_bytes: the size of lines in memory that are sent at once; the last line may go beyond.

    Attributes:
        name: that of the feed.
        most_lag: in seconds, the longest time from an arrival, or a deadline, to the end of its processing.
        on_wait: processes the lines that were taken, before others are waited for.
        is_gathering: whether lines are processed no sooner than that.
    """

    def __init__(
        self,
        feed: Feed,
        clock: Clock,
        *,
        rereads: Collection[int] = (),
        positioned: Collection[int] = (),
        paused: Collection[int] = (),
        note: Callable[[Sequence[ArrivedLine]], None] | None = None,
        has_come: Callable[[int, float | None], bool] | None = None,
        most_bytes: int = MOST_BYTES_AT_ONCE,
    ) -> None:
        self.name = feed.name
        self._note = note
        self._has_come = has_come or _has_come
        self._most_bytes = most_bytes
        self._feed = feed
        self._clock = clock
        self._arrived: deque[ArrivedLine] = deque()
        self._current: ArrivedLine | None = None
        """The line that was taken last."""
        self._end: ArrivedLine | None = None
        self._rereads = rereads
        self._unnoted = {*rereads, *positioned}
        self._positions: dict[tuple[int, str], Any] = {}
        """Behind the last line that was received, by input and source, for those that have positions."""
        self._paused = paused
        self._silent: Silent = {}
        self._last = dict[int, int]()
        """The number of the last line that was received, by input."""
        self._lasts: dict[str, int] = {}
        """The same by the source of the line, the latest at the end."""
        self._part = 1
        """How often the run was started: messages name the part of the run that a line came to."""
        self._since: int | None = None
        """The arrival of the line, or the deadline, that was taken last; None once it is processed."""
        self._oldest: int | None = None
        """The same of the first one that is not processed."""
        self.on_wait: Callable[[], None] = lambda: None
        self.is_gathering: Callable[[], bool] = lambda: False
        self.most_lag = 0.0

    def __enter__(self) -> "FeedProcess":
        self._connection, reader = Pipe()
        self._orphan_guard = OrphanGuard()
        self._process = fork_undisturbed()
        if not self._process:
            self._orphan_guard.watch_parent()
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
            self._orphan_guard.release()
            os.waitpid(self._process, 0)

    def take(self, until: int | None) -> ArrivedLine | None:
        """The next line; None if there is none before a time. Raises InputError where the source fails.

        Until the next call, or `release`, this line is part of the state.

        Args:
            until: the time in microseconds since the Unix epoch; None for ever.
        """
        if not self._arrived:
            self.on_wait()
        if not (self._arrived and self.is_gathering()):
            self._settle()
        self._current = None
        if not self._arrived and not self._receive(until):
            self._since = self._oldest = until
            return None
        self._current = self._arrived.popleft()
        self._since = self._current.at
        if self._oldest is None:
            self._oldest = self._since
        return self._current

    def release(self) -> None:
        """The line that was taken last is no longer part of the state."""
        self._current = None

    def arrival(self) -> int:
        """When the line that was taken last arrived, in microseconds since the Unix epoch."""
        return self._clock.microseconds() if self._since is None else self._since

    @property
    def lag(self) -> float:
        """In seconds: the age of the first line or deadline that is not processed."""
        since = self._oldest
        return 0.0 if since is None else max(0, self._clock.microseconds() - since) / 1e6

    def _settle(self) -> None:
        """The lines or deadline that were taken are processed."""
        if self._oldest is not None:
            self.most_lag = max(self.most_lag, self.lag)
            self._since = self._oldest = None

    def lines(self) -> Iterator[Line]:
        """All lines, as they come; a line that is given is not part of the state. Raises InputError."""
        while (arrived := self.take(None)) is not None and arrived.line is not None:
            self.release()
            yield arrived.line

    def drain(self) -> None:
        """Ends reading, and receives the lines that the other process has read already."""
        with suppress(OSError, EOFError):
            self._connection.send(None)
            while self._connection.poll(QUIET_SECONDS):
                received = self._connection.recv()
                if isinstance(received, InputError):
                    return
                self._add([arrived for arrived in received if arrived.line is not None])
                if received[-1].line is None:
                    return

    def left(self) -> Iterator[Line]:
        """The lines that were received and not taken yet, which are taken now."""
        while self._arrived:
            line = self._arrived.popleft().line
            if line is not None:
                yield line

    @property
    def waiting(self) -> int:
        """The number of lines that were received and not taken yet."""
        return len(self._arrived)

    def state(self) -> dict[str, Any]:
        """The lines that were received and not taken yet, and how far the source was read, as JSON has it."""
        current = [] if self._current is None else [self._current]
        arrived = [*current, *self._arrived] or ([] if self._end is None else [self._end])
        return {
            "name": self.name,
            "arrived": arrived,
            "last": [*self._last.items()],
            "lasts": self._lasts,
            "part": self._part,
            "positions": [[*of, position] for of, position in self._positions.items()],
            "most_lag": self.most_lag,
        } | ({"silent": [*self._silent.values()]} if self._silent else {})

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state. Raises SnapshotError for one of another source."""
        if state.get("name") != self.name:
            raise SnapshotError(
                f"the checkpoint is of the input {state.get('name')}, not of {self.name}: use the same "
                "--input, or another --checkpoint folder"
            )
        last = state["last"]  # a number where there was one input in earlier versions
        self._last = dict(last) if isinstance(last, list) else {0: last}
        self.most_lag = state["most_lag"]
        self._lasts, self._part = dict(state["lasts"]), state["part"]
        self._positions = {(one, source): position for one, source, position in state.get("positions", ())}
        self._current = None
        self._arrived = deque(map(ArrivedLine.from_json, state["arrived"]))
        before = (Line(*line) for line in state.get("silent", ()))
        arrived = (one.line for one in self._arrived if one.line is not None)
        self._silent = silent_behind({}, (one for one in chain(before, arrived) if one.input in self._paused))
        self._end = next((arrived for arrived in self._arrived if arrived.line is None), None)

    def _receive(self, until: int | None) -> bool:
        """Waits for lines; whether some came before a time. Raises InputError where the source fails."""
        while not self._arrived:
            wait = None if until is None else max(0, until - self._clock.microseconds()) / 1e6
            bound = wait if wait is None else min(wait, LONGEST_WAIT)
            if not self._has_come(self._connection.fileno(), bound):
                if wait is not None and wait <= LONGEST_WAIT:
                    return False
                continue
            try:
                received: list[ArrivedLine] | InputError = self._connection.recv()
            except EOFError as error:
                raise InputError(f"{self.name}: the process that reads this input was killed") from error
            if isinstance(received, InputError):
                raise received
            self._add(received)
        return True

    def _add(self, received: Sequence[ArrivedLine]) -> None:
        """Adds lines that were received."""
        rereads = self._rereads
        if self._paused:
            lines = (one.line for one in received if one.line is not None and one.line.input in self._paused)
            self._silent = silent_behind(self._silent, lines)
        if self._note is not None and received:
            noted = [one for one in received if self._is_noted(one.line)]
            if noted:
                self._note(noted)
                self._tell_kept(noted)
        for arrived in received:
            if arrived.line is not None and arrived.line.position is not None:
                self._positions[arrived.line.input, arrived.line.source] = arrived.line.position
            if arrived.line is None:
                self._end = arrived
            elif not arrived.line.number:  # the end of an input
                pass
            elif arrived.line.input in rereads and arrived.line.number <= self._last.get(
                arrived.line.input, 0
            ):
                continue
            else:
                self._last[arrived.line.input] = arrived.line.number
                self._lasts.pop(arrived.line.source, None)
                self._lasts[arrived.line.source] = arrived.line.number
            self._arrived.append(arrived)
        while len(self._lasts) > MOST_SOURCES:
            del self._lasts[next(iter(self._lasts))]

    def _is_noted(self, line: Line | None) -> bool:
        """Whether a line is kept for a later run: also where a source begins that has positions."""
        is_begin = line is not None and line.position is not None and not line.number and bool(line.end)
        return line is None or line.input not in self._unnoted or is_begin

    def _tell_kept(self, noted: Sequence[ArrivedLine]) -> None:
        """Tells a feed that waits for it that lines are kept."""
        if isinstance(self._feed, KeepingFeed) and self._feed.waits_until_kept:
            lines = [one.line for one in noted if one.line is not None]
            with suppress(OSError):
                self._connection.send({(line.input, line.source): line.number for line in lines})

    def _send(self, sending: Connection) -> None:
        """Reads the feed and sends what arrives."""
        try:
            goes_on = self._unnoted  # other sources, as connections, are gone
            silent = {
                of: line if of[0] in goes_on else line._replace(end=None) for of, line in self._silent.items()
            }
            with LineInbox(self._feed, self._clock, paused=self._paused, silent=silent) as inbox:
                Thread(target=_take_messages, args=(sending, inbox, self._feed), daemon=True).start()
                is_open = True
                while is_open:
                    arrived = self._batch(inbox)
                    sending.send(arrived)
                    is_open = arrived[-1].line is not None
        except BrokenPipeError:
            return
        except Lars2aspError as error:
            sending.send(error if isinstance(error, InputError) else InputError(str(error)))
        signal.pause()  # the source stays there until the run is over

    def _batch(self, inbox: LineInbox) -> list[ArrivedLine]:
        """The next line, and those that wait behind it, up to a bound."""
        batch: list[ArrivedLine] = []
        until, size = None, 0
        while (arrived := inbox.take(until)) is not None:
            batch.append(arrived)
            until, size = 0, size + arrived.size
            if arrived.line is None or len(batch) == MOST_AT_ONCE or size >= self._most_bytes:
                break
        return batch


def _has_come(waited: int, seconds: float | None) -> bool:
    """See `FeedProcess`."""
    readable = poll()
    readable.register(waited, POLLIN)
    return bool(readable.poll(None if seconds is None else 1000 * seconds))


def with_noted(state: dict[str, Any], noted: Sequence[ArrivedLine]) -> tuple[dict[str, Any], str]:
    """A state with the lines of a journal, and a message on what is missing; a source that ended goes on.

    A queue gives again what was not acknowledged, as nothing is before the journal has it.
    """
    lines = [Line(*line) for _, line in noted if line is not None]
    lasts = state["lasts"] | {line.source: line.number for line in lines if line.number}
    arrived = [each for each in (*state["arrived"], *noted) if each[1] is not None]
    positions = {(one, source): position for one, source, position in state.get("positions", ())}
    for line in lines:
        if line.position is not None and (line.number or (line.input, line.source) not in positions):
            positions[line.input, line.source] = line.position
    kept = ", ".join(f"line {number} of {source}" for source, number in lasts.items())
    has = f"of part {state['part']} of the run it has {f'all up to {kept}' if kept else 'nothing'}"
    begun = {
        "arrived": arrived,
        "lasts": {},
        "part": state["part"] + 1,
        "positions": [[*of, position] for of, position in positions.items()],
    }
    names = state["name"].split(", ")
    ends = dict.fromkeys(map(_lost_of, names))
    several = ", ".join(f"that of {name} {_lost_of(name)}" for name in names)
    lost = next(iter(ends)) if len(ends) == 1 else f"is not in the checkpoint: {several}"
    return state | begun, f"{state['name']}: continues with new input; {has}, later input {lost}"


def _lost_of(name: str) -> str:
    """What is said of lines of a source that no journal has."""
    if name.startswith(("amqp:", "amqps:")):
        return "comes again from the queue"
    if name.startswith(("mqtt:", "mqtts:")):
        return "comes again if the address has ?id="
    return "is lost"


def _take_messages(connection: Connection, inbox: LineInbox, feed: Feed) -> None:
    """Takes what the process says that takes the lines: that reading is to end, or which lines are kept."""
    with suppress(OSError, EOFError):
        while True:
            kept: Mapping[tuple[int, str], int] | None = connection.recv()
            if kept is None:
                inbox.stop()
            elif isinstance(feed, KeepingFeed):
                for (of_input, source), number in kept.items():
                    feed.kept(source, number, of_input)
