"""Lines that programs send to a port of this machine."""

import socket
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import KW_ONLY, dataclass
from selectors import EVENT_READ, DefaultSelector
from threading import Event
from time import monotonic

from lars2asp.runtime.feeds.feed import POLL_SECONDS, Lines
from lars2asp.runtime.feeds.limited_warnings import LimitedWarnings
from lars2asp.runtime.feeds.listening import THIS_MACHINE, Listening, name_of
from lars2asp.runtime.sources.records import LARGEST_RECORD, Line

PIECE = 2**16
"""In bytes, the most that is read from a connection before it is the turn of the next."""

MOST_CONNECTIONS = 1000
"""The usual number of connections that may be open at once. Most systems allow a process 1024 files."""

IDLE_SECONDS = 3600.0
"""The usual time without input after which a connection is closed."""

MOST_UNFINISHED = 4
"""In records of the largest size, the most that all connections hold of lines that have not ended."""

AGAIN_AFTER_SECONDS = 1.0
"""When this process may open no more files, the wait before it takes new connections again."""

MOST_UNREAD = 16
"""In pieces, the most that is read of a connection before it is closed from this side, and learns why."""


@dataclass(eq=False)
class TcpFeed(Listening):
    """Listens on a port; what connections send are lines of UTF-8 text.

    Connections take turns. While the reader is busy nothing is read, so that the senders have to wait. The
    last line of a connection needs no line end, unless the connection broke or was closed from this side, as
    it may not be whole then. The feed goes on when connections close.

    A connection too many, or an idle one, gets a line of text that says so, and is closed.

    Attributes:
        host: the address or name to listen on; `0.0.0.0` takes connections from other machines.
        port: the number of the port; 0 before `open` takes any that is free.
        connections: the number of connections that may be open at once.
        idle: in seconds, the time without input after which a connection is closed.
        largest_record: in bytes, the length beyond which only the beginning of a line is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
        has_watermarks: whether each connection has its own time.
        clock: gives the time in seconds; tests have one of their own.
        name: such as `tcp:127.0.0.1:9000`.
    """

    host: str = THIS_MACHINE
    port: int = 0
    _: KW_ONLY
    connections: int = MOST_CONNECTIONS
    idle: float = IDLE_SECONDS
    largest_record: int = LARGEST_RECORD
    encoding: str | None = None
    has_watermarks: bool = False
    clock: Callable[[], float] = monotonic

    def __post_init__(self) -> None:
        self.scheme = "tcp"
        self.name = name_of(self.scheme, self.host, self.port)

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until `stop` is set; see `Feed`."""
        self.open()
        assert self._listener is not None
        made = _Connections(self, self._listener, self.clock)
        with closing(self), closing(made) as connections:
            while not stop.is_set():
                for line in connections.lines():
                    emit(line)
                    if stop.is_set():
                        break


@dataclass(eq=False, slots=True)
class _Connection:
    """An open connection, with its lines and the time of its last input."""

    socket: socket.socket
    lines: Lines
    heard: float


class _Connections:
    """The connections to a port, and their lines."""

    def __init__(self, feed: TcpFeed, listener: socket.socket, clock: Callable[[], float]) -> None:
        self._feed = feed
        self._listener = listener
        self._clock = clock
        self._selector = DefaultSelector()
        self._selector.register(listener, EVENT_READ)
        self._again_at: float | None = None
        """The time when new connections are taken again; None while they are."""
        self._open: dict[_Connection, None] = {}
        """The open connections, in the order of their last input."""
        self._held = 0
        """In bytes, the length of all lines that have not ended."""
        self._over: list[Line] = []
        """What says of connections that they are closed."""
        self._warnings = LimitedWarnings(feed.name, clock)

    def lines(self) -> Iterator[Line]:
        """The lines of a piece of each connection that has input; waits a moment where none has."""
        ready = self._selector.select(POLL_SECONDS)
        self._close_idle({key.data for key, _ in ready})
        if self._again_at is not None and self._clock() >= self._again_at:
            self._again_at = None
            self._selector.register(self._listener, EVENT_READ)
        for key, _ in ready:
            if key.data is None:
                self._accept()
            elif key.data in self._open:  # else it was closed meanwhile
                yield from self._read(key.data)
        over, self._over = self._over, []
        yield from over

    def close(self) -> None:
        """Closes the connections."""
        for connection in self._open:
            connection.socket.close()
        self._selector.close()

    def _accept(self) -> None:
        try:
            made, address = self._listener.accept()
        except (BlockingIOError, ConnectionError):  # it has gone already
            return
        except OSError as error:  # of files, say, no more may be open: it waits
            self._warnings.say(f"cannot take a new connection: {error.strerror}; it waits")
            self._selector.unregister(self._listener)
            self._again_at = self._clock() + AGAIN_AFTER_SECONDS
            return
        made.setblocking(False)
        most = self._feed.connections
        if len(self._open) >= most:
            _end(made, f"too many connections: {most} are open, come again later")
            self._warnings.say(f"a connection was refused: {most} are open; ?connections= allows for more")
            return
        made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        lines = Lines(name_of("tcp", *address[:2]), self._feed.largest_record, self._feed.encoding)
        connection = _Connection(made, lines, self._clock())
        self._selector.register(made, EVENT_READ, connection)
        self._open[connection] = None

    def _read(self, connection: _Connection) -> Iterator[Line]:
        try:
            piece = connection.socket.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            self._drop(connection)
            return
        lines, before = connection.lines, connection.lines.held
        if piece:
            connection.heard = self._clock()
            del self._open[connection]
            self._open[connection] = None
            yield from lines.add(piece)
            self._held += lines.held - before
            if self._held > MOST_UNFINISHED * self._feed.largest_record:
                self._close_fullest()
        else:
            self._drop(connection)
            yield from lines.end()

    def _close_idle(self, ready: set[_Connection | None]) -> None:
        """Closes the connections without input for too long, and without any now."""
        latest = self._clock() - self._feed.idle
        while self._open and (connection := next(iter(self._open))).heard <= latest:
            if connection in ready:
                return
            seconds = f"{self._feed.idle:g} seconds"
            self._drop(connection, f"closed: nothing came for {seconds}")
            self._warnings.say(
                f"a connection was closed, from which nothing came for {seconds}; ?idle= allows for more"
            )

    def _close_fullest(self) -> None:
        """Closes the connection with the longest line that has not ended."""
        connection = max(self._open, key=lambda one: one.lines.held)
        most = MOST_UNFINISHED * self._feed.largest_record
        text = f"all connections together held more than {most} bytes of lines that have not ended"
        self._drop(connection, f"closed: {text}")
        self._warnings.say(f"the connection with the longest line was closed: {text}")

    def _drop(self, connection: _Connection, farewell: str = "") -> None:
        """Closes a connection, with a line of text if one is given."""
        del self._open[connection]
        self._held -= connection.lines.held
        self._selector.unregister(connection.socket)
        self._over += connection.lines.over
        _end(connection.socket, farewell)


def _end(connection: socket.socket, farewell: str) -> None:
    """Closes a connection, with a line of text if one is given."""
    with connection, suppress(OSError):
        if farewell:
            connection.send(f"{farewell}\n".encode())
            connection.shutdown(socket.SHUT_WR)
            for _ in range(MOST_UNREAD):  # the text would be lost if input were left
                if not connection.recv(PIECE):
                    break
