"""Feeds of what connectors read: positions, waiting for a system that is gone, messages as lines."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from threading import Event
from time import monotonic, sleep
from typing import Any

from lars2asp.runtime.connectors.connector import Connector, InputConnector
from lars2asp.runtime.connectors.feed import POLL_SECONDS, Lines
from lars2asp.runtime.connectors.limited_warnings import LimitedWarnings
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import LARGEST_RECORD, Line
from lars2asp.syntax.values import dataclass

LAST_SECONDS = 5.0
"""For how long a feed that ends waits until what it has read is kept."""

HINT = "is the server running, and is the address right?"
"""What is asked if nothing answers."""


@dataclass(frozen=True)
class WaitLimits:
    """Limits of waiting for a system.

    Attributes:
        answer_seconds: what does not answer for this time is no server; one that was there is waited for.
        again_seconds: the wait before the next attempt to connect.
    """

    answer_seconds: float = 10
    again_seconds: float = 0.5


class PassingFeed:
    """Reads messages as they pass, each one or more lines; those that pass while it is not there are lost.

    Args:
        connector: reads the messages.
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
        limits: of waiting.

    Attributes:
        name: the address, without user and password.
    """

    _is_lost = ", and what comes meanwhile is lost"

    def __init__(
        self,
        connector: InputConnector,
        largest_record: int = LARGEST_RECORD,
        encoding: str | None = None,
        *,
        limits: WaitLimits | None = None,
    ) -> None:
        self.name = connector.name
        self._connector = connector
        self._limits = limits or WaitLimits()
        self._warnings = LimitedWarnings(self.name)
        connector.warn = self._warnings.say
        self._lines = Lines(connector.source, largest_record, encoding)
        self._position: tuple[Any, int, int] | None = None

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until `stop` is set; see `Feed`."""
        connector = self._connector
        waiting = Waiting(connector, self._limits, self._warnings)
        waiting.was_there = self._position is not None
        while not stop.is_set():
            try:
                self._begin(emit, waiting)
                while not stop.is_set():
                    for line in self._next():
                        emit(line)
                        if connector.keeps_messages and stop.is_set():
                            return
                self._end()
            except connector.errors as error:
                waiting.take(error, self._is_lost)
                stop.wait(self._limits.again_seconds)
            finally:
                connector.close()

    def _begin(self, emit: Callable[[Line], None], waiting: "Waiting") -> None:
        self._connector.open(None, 0)
        waiting.answers()

    def _next(self) -> Iterator[Line]:
        """The lines of the next messages; none if there are none for a while."""
        for message in self._connector.messages(None):
            yield from self._lines.whole(message.data)

    def _end(self) -> None:
        """What is done when `stop` is set, while there is a connection."""


class AcknowledgedFeed(PassingFeed):
    """Reads messages that a system keeps until they are acknowledged; see `KeepingFeed`.

    Messages that were not acknowledged come again after a lost connection.

    Attributes:
        waits_until_kept: whether messages are acknowledged only when `kept` says so.
    """

    _is_lost = ""
    waits_until_kept = False
    _kept = 0

    def kept(self, source: str, number: int, of_input: int = 0) -> None:
        """The lines up to a number are kept; called by another thread."""
        self._kept = max(self._kept, number)

    def _begin(self, emit: Callable[[Line], None], waiting: "Waiting") -> None:
        super()._begin(emit, waiting)
        self._open = deque[tuple[Any, int]]()
        """The positions of messages that are not acknowledged, with the numbers of their last lines."""

    def _next(self) -> Iterator[Line]:
        for message in self._connector.messages(None):
            yield from self._lines.whole(message.data)
            self._open.append((message.position, self._lines.count))
        self._acknowledge()

    def _end(self) -> None:
        end = monotonic() + LAST_SECONDS
        while self._open and monotonic() < end:
            self._acknowledge()
            sleep(POLL_SECONDS / 4)

    def _acknowledge(self) -> None:
        last = None
        while self._open and (not self.waits_until_kept or self._open[0][1] <= self._kept):
            last, _ = self._open.popleft()
        if last is not None:
            self._connector.acknowledge(last)


class MessageFeed(PassingFeed):
    """Reads messages in the one order that they have; see `PositionedFeed`.

    The number of a line is that of its message, counted over all parts of the run. A position is the message
    before, how many lines of the next one are behind it, and how many messages were read. Nothing is
    acknowledged: checkpoints keep positions.
    """

    _is_lost = ""

    def go_on(self, positions: Mapping[str, Any]) -> None:
        """`run` goes on from positions; see `PositionedFeed`."""
        if self._connector.source in positions:
            last, lines, count = positions[self._connector.source]
            self._position = last, lines, count

    def _begin(self, emit: Callable[[Line], None], waiting: "Waiting") -> None:
        last, lines, count = self._position or (None, 0, 0)
        self._position = self._connector.open(last, count), lines, count
        waiting.answers()
        emit(Line(self._connector.source, 0, "", position=self._position))

    def _next(self) -> Iterator[Line]:
        assert self._position is not None
        for message in self._connector.messages(self._position[0]):
            last, taken, count = self._position
            behind = message.position, 0, count + 1
            lines = [*self._lines.whole(message.data)]
            for number, line in enumerate(lines, start=1):
                self._position = behind if number == len(lines) else (last, number, count)
                if number > taken:
                    yield line._replace(number=count + 1, position=self._position)
            self._position = behind


def feed_by(
    make: Callable[[str], InputConnector], address: str, largest_record: int, encoding: str | None
) -> PassingFeed:
    """The feed of what a connector reads. Raises what making it raises.

    Args:
        make: makes the connector of the address.
        address: the address.
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
    """
    connector = make(address)
    of_system = AcknowledgedFeed if connector.acknowledges else PassingFeed
    return (MessageFeed if connector.keeps_messages else of_system)(connector, largest_record, encoding)


class Waiting:
    """What is done if a connection fails: lars2asp waits for a system that was there, no other.

    Args:
        connector: knows the errors.
        limits: of waiting, which begins now.
        warnings: say what is waited for.

    Attributes:
        was_there: whether the system has answered.
    """

    def __init__(self, connector: Connector, limits: WaitLimits, warnings: LimitedWarnings) -> None:
        self._connector = connector
        self._end = monotonic() + limits.answer_seconds
        self._warnings = warnings
        self.was_there = False

    def answers(self) -> None:
        """The system answers; if it was waited for, that is said."""
        self.was_there = True
        self._warnings.back()

    def take(self, error: Exception, also: str = "") -> None:
        """Raises InputError if an error ends the run, else says what is waited for."""
        refusal = self._connector.refusal(error)
        if refusal is not None:
            raise refusal from error
        reason = str(error).strip() or type(error).__name__
        if self.was_there:
            self._warnings.gone(reason, also)
        elif monotonic() > self._end:
            raise InputError(f"{self._connector.name}: {reason}; {HINT}") from error
