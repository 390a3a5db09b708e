"""What feeds of brokers have in common, and how one is read whose messages come in one order."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import KW_ONLY
from threading import Event
from time import monotonic
from typing import Any, NamedTuple, Protocol

from lars2asp.runtime.connectors.feed import Lines
from lars2asp.runtime.connectors.limited_warnings import LimitedWarnings
from lars2asp.runtime.connectors.server import Server
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import LARGEST_RECORD, Line
from lars2asp.syntax.values import dataclass

HINT = "is the server running, and is the address right?"
"""What is asked where nothing answers."""


@dataclass(frozen=True)
class BrokerLimits:
    """Limits of waiting for a broker.

    Attributes:
        answer_seconds: what does not answer for this time is not a server; one that was there is waited for.
        again_seconds: the wait before the next attempt to connect.
    """

    answer_seconds: float = 10
    again_seconds: float = 0.5


class Client(Protocol):
    """How to come to a broker, to read of it or to write to it.

    Attributes:
        errors: what its connections raise.
    """

    @property
    def errors(self) -> tuple[type[Exception], ...]: ...

    def refusal(self, error: Exception) -> InputError | None:
        """What an error says that will not change; None for what may."""
        ...


class Message(NamedTuple):
    """A message.

    Attributes:
        last: tells it from others, as JSON has it: who goes on behind it says so.
        data: its text, one or more lines.
    """

    last: Any
    data: bytes


class Reader(Protocol):
    """A connection by which messages are read, in their order. All may raise what the client raises."""

    def begin(self, last: Any, count: int) -> Any:
        """Behind which message reading begins. Raises InputError where the messages are others than before.

        Args:
            last: the last one that was read; None where none was ever read.
            count: how many were read.
        """
        ...

    def messages(self, last: Any) -> Sequence[Message]:
        """The next messages; none where there are none for a while."""
        ...

    def close(self) -> None:
        """Closes the connection."""
        ...


@dataclass(eq=False, repr=False)
class BrokerFeed:
    """Reads what an address of a broker names.

    Raises MissingPackageError, and InputError for options that it cannot have.

    Attributes:
        server: the topic, and where it is.
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
        name: the address, without user and password.
    """

    server: Server
    _: KW_ONLY
    largest_record: int = LARGEST_RECORD
    encoding: str | None = None

    def __post_init__(self) -> None:
        self.name = self._named()
        self._begins_at_end = self.server.choice("from", "beginning", "end") == "end"
        self._warnings = LimitedWarnings(self.name)

    @property
    def source(self) -> str:
        """That of the lines, where there is one alone."""
        return self.server.topic

    def _named(self) -> str:
        return self.server.name


@dataclass(eq=False, repr=False)
class WaitingFeed(BrokerFeed):
    """Waits for a server that was there, however long it is gone. By `_made` a broker says how it is reached.

    Attributes:
        limits: of waiting.
    """

    limits: BrokerLimits = BrokerLimits()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._client = self._made()

    def _made(self) -> Client:
        raise NotImplementedError


@dataclass(eq=False, repr=False)
class MessageFeed(WaitingFeed):
    """Reads messages in the one order that they have; see `PositionedFeed`.

    The text of a message is one or more lines. The source of a line is the topic, its number that of the
    message, counted over all parts of the run. A position is the message before, how many lines of the next
    one are behind it, and how many messages were read. Nothing is acknowledged: who reads knows how far it
    has come. By `_opened` a broker says how it is read.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self._position: tuple[Any, int, int] | None = None
        self._lines = Lines(self.source, self.largest_record, self.encoding)

    def _opened(self) -> Reader:
        raise NotImplementedError

    def go_on(self, positions: Mapping[str, Any]) -> None:
        """`run` goes on from positions; see `PositionedFeed`."""
        if self.source in positions:
            last, lines, count = positions[self.source]
            self._position = last, lines, count

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until `stop` is set; see `Feed`."""
        waiting = Waiting(self.name, self._client, self.limits, self._warnings)
        waiting.was_there = self._position is not None
        while not stop.is_set():
            reader: Reader | None = None
            try:
                reader = self._opened()
                last, lines, count = self._position or (None, 0, 0)
                begun = reader.begin(last, count)
                self._position = begun, lines, count
                waiting.answers()
                emit(Line(self.source, 0, "", position=self._position))
                while not stop.is_set():
                    for line in self._next(reader):
                        emit(line)
                        if stop.is_set():
                            return
            except self._client.errors as error:
                waiting.take(error)
                stop.wait(self.limits.again_seconds)
            finally:
                if reader is not None:
                    reader.close()

    def _next(self, reader: Reader) -> Iterator[Line]:
        """The lines of the next messages; none where there are none for a while."""
        assert self._position is not None
        for message in reader.messages(self._position[0]):
            last, taken, count = self._position
            behind = message.last, 0, count + 1
            lines = [*self._lines.whole(message.data)]
            for number, line in enumerate(lines, start=1):
                self._position = behind if number == len(lines) else (last, number, count)
                if number > taken:
                    yield line._replace(number=count + 1, position=self._position)
            self._position = behind


@dataclass(eq=False, repr=False)
class PassingFeed(WaitingFeed):
    """Reads messages as they pass, each one or more lines; those that pass while it is not there are lost.

    By `_messages` a broker says how they are read.
    """

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until `stop` is set; see `Feed`."""
        waiting = Waiting(self.name, self._client, self.limits, self._warnings)
        lines = Lines(self.source, self.largest_record, self.encoding)
        while not stop.is_set():
            try:
                with closing(self._messages(stop)) as messages:
                    for data in messages:
                        waiting.answers()
                        for line in lines.whole(data):
                            emit(line)
            except self._client.errors as error:
                waiting.take(error, ", and what comes meanwhile is lost")
                stop.wait(self.limits.again_seconds)

    def _messages(self, stop: Event) -> Generator[bytes, None, None]:
        """Messages of one connection until `stop` is set; an empty one says that it is there."""
        raise NotImplementedError


class Waiting:
    """What is done where a connection fails: what was there is waited for, what never was ends the run.

    Args:
        name: that of the feed.
        client: knows the errors.
        limits: of waiting, which begins now.
        warnings: say what is waited for.

    Attributes:
        was_there: whether the server has answered.
    """

    def __init__(self, name: str, client: Client, limits: BrokerLimits, warnings: LimitedWarnings) -> None:
        self._name = name
        self._client = client
        self._end = monotonic() + limits.answer_seconds
        self._warnings = warnings
        self.was_there = False

    def answers(self) -> None:
        """The server answers; where it was waited for, that is said."""
        self.was_there = True
        self._warnings.back()

    def take(self, error: Exception, also: str = "") -> None:
        """Raises InputError where an error ends the run, else says what is waited for."""
        refusal = self._client.refusal(error)
        if refusal is not None:
            raise refusal from error
        reason = str(error).strip() or type(error).__name__
        if self.was_there:
            self._warnings.gone(reason, also)
        elif monotonic() > self._end:
            raise InputError(f"{self._name}: {reason}; {HINT}") from error
