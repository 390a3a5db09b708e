"""Lines over TCP: programs send them to a port of this machine, or who listens at a port takes them.

tcp:9000, tcp://0.0.0.0:9000        an input: a port (0: any), without host only from this machine
    ?connections=50&idle=600        at most 50 connections, closed after 600 seconds without input
    &watermark=connection           each connection has its own time: the least of them counts
    &token-file=FILE                the first line of each connection is the token in the file
    &cert=FILE&key=FILE             over TLS
tcp:HOST:PORT, tcp://HOST:PORT      an output; ?token-file=FILE&tls&ca=FILE
"""

import socket
import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import KW_ONLY
from hmac import compare_digest
from select import select
from selectors import EVENT_READ, DefaultSelector
from threading import Event
from time import monotonic

from lars2asp.runtime.connectors.address import HOST, authority_of, options_of, port_of, token_of
from lars2asp.runtime.connectors.delivering import MOST_LINES, UnreachableError
from lars2asp.runtime.connectors.feed import POLL_SECONDS, Lines
from lars2asp.runtime.connectors.limited_warnings import LimitedWarnings
from lars2asp.runtime.connectors.listening import THIS_MACHINE, Certificate, Listening, name_of, own_port
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import LARGEST_RECORD, Line
from lars2asp.syntax.patterns import pattern
from lars2asp.syntax.values import dataclass

PIECE = 2**16
"""In bytes, the most that is read from a connection before it is the turn of the next."""

MOST_CONNECTIONS = 1000
"""The usual number of connections that may be open at once. Most systems allow a process 1024 files."""

IDLE_SECONDS = 3600.0
"""The usual time without input after which a connection is closed."""

MOST_UNFINISHED = 4
"""In records of the largest size, the most that all connections hold of lines that have not ended."""

WRONG_TOKEN = "closed: the first line is not the token"
"""What is said to who sends another one; to try again does not help."""

LONGEST_GREETING = 4096
"""In bytes, the longest line in which a token is looked for."""

AGAIN_AFTER_SECONDS = 1.0
"""When this process may open no more files, the wait before it takes new connections again."""

MOST_UNREAD = 16
"""In pieces, the most that is read of a connection before it is closed from this side, and learns why."""

ANSWER_SECONDS = 30
"""For how long a connection is waited for, and may take nothing."""

VERDICT_SECONDS = 0.5
"""For how long, after the first lines of a connection, it is waited whether the other end refuses them."""

MOST_SAID = 300
"""The number of bytes of what the other end says that are kept; what it says last counts."""

_TLS_ALERT = b"\x15\x03"
"""So a server that waits for TLS begins to answer anything else."""

_SECONDS = pattern(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_COUNT = pattern(r"[0-9]{1,9}")
_RECEIVER = pattern(rf"(?://)?(?:{HOST}):(?P<port>[0-9]+)/?(?:\?(?P<options>.*))?")


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
        token: the first line of each connection is to be this one; None: it is a line like others.
        tls: what TLS needs; None for connections without.
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
    token: str | None = None
    tls: Certificate | None = None
    clock: Callable[[], float] = monotonic

    def __post_init__(self) -> None:
        self.scheme = "tcp"
        self.name = name_of(self.scheme, self.host, self.port)

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until `stop` is set; see `Feed`."""
        self.open()
        assert self._listener is not None
        with closing(self), closing(_Connections(self, self._listener, self.clock)) as connections:
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
    is_shaking: bool = False
    """Whether TLS has not begun yet."""
    greeting: bytearray | None = None
    """What came of the line with the token; None where it came, or none is needed."""


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
        self._tls = None if feed.tls is None else feed.tls.context(feed.name)
        self._token = None if feed.token is None else feed.token.encode()

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
            _end(
                made,
                "" if self._tls is not None else f"too many connections: {most} are open, come again later",
            )
            self._warnings.say(f"a connection was refused: {most} are open; ?connections= allows for more")
            return
        made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        lines = Lines(name_of("tcp", *address[:2]), self._feed.largest_record, self._feed.encoding)
        if self._tls is not None:
            made = self._tls.wrap_socket(
                made, server_side=True, do_handshake_on_connect=False, suppress_ragged_eofs=False
            )
        connection = _Connection(made, lines, self._clock(), self._tls is not None)
        connection.greeting = None if self._token is None else bytearray()
        self._selector.register(made, EVENT_READ, connection)
        self._open[connection] = None

    def _read(self, connection: _Connection) -> Iterator[Line]:
        try:
            if connection.is_shaking and isinstance(connection.socket, ssl.SSLSocket):
                connection.socket.do_handshake()
                connection.is_shaking = False
            piece = _piece(connection.socket)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return
        except ssl.SSLError as error:
            self._drop(connection)
            if connection.is_shaking:
                self._warnings.say(f"a connection was closed with which TLS did not begin: {error.reason}")
            return
        except OSError:
            self._drop(connection)
            return
        lines, before = connection.lines, connection.lines.held
        if piece:
            connection.heard = self._clock()
            del self._open[connection]
            self._open[connection] = None
            if connection.greeting is not None:
                piece = self._greeted(connection, piece)
            yield from lines.add(piece)
            self._held += lines.held - before
            if self._held > MOST_UNFINISHED * self._feed.largest_record:
                self._close_fullest()
        else:
            self._drop(connection)
            yield from lines.end()

    def _greeted(self, connection: _Connection, piece: bytes) -> bytes:
        """What stands behind the line with the token; nothing while that has not ended, or is wrong."""
        assert connection.greeting is not None
        assert self._token is not None
        connection.greeting += piece
        given, end, rest = connection.greeting.partition(b"\n")
        if len(given) > LONGEST_GREETING or (end and not compare_digest(given.rstrip(b"\r"), self._token)):
            self._drop(connection, WRONG_TOKEN)
            self._warnings.say("a connection was closed whose first line was not the token")
            return b""
        if not end:
            return b""
        connection.greeting = None
        return bytes(rest)

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
        text = f"unfinished lines of all connections exceed {most} bytes"
        self._drop(connection, f"closed: {text}")
        self._warnings.say(f"the connection with the longest line was closed: {text}")

    def _drop(self, connection: _Connection, farewell: str = "") -> None:
        """Closes a connection, with a line of text if one is given."""
        del self._open[connection]
        self._held -= connection.lines.held
        self._selector.unregister(connection.socket)
        self._over += connection.lines.over
        _end(connection.socket, farewell)


def _piece(connection: socket.socket) -> bytes:
    """A piece of what has come; of TLS all that is deciphered, which a selector does not see."""
    piece = connection.recv(PIECE)
    while piece and isinstance(connection, ssl.SSLSocket) and connection.pending():
        piece += connection.recv(PIECE)
    return piece


def _end(connection: socket.socket, farewell: str) -> None:
    """Closes a connection, with a line of text if one is given."""
    with connection, suppress(OSError):
        if farewell:
            connection.send(f"{farewell}\n".encode())
            connection.shutdown(socket.SHUT_WR)
            for _ in range(MOST_UNREAD):  # the text would be lost if input were left
                if not connection.recv(PIECE):
                    break


class TcpLines:
    """Sends lines to a port, and connects again when the connection is lost.

    TCP does not say what was read at the other end: what was under way when a connection is lost is lost, and
    the lines that could not be sent come again. So do the first ones of a connection that the other end
    closes at once, as it does where it refuses them, or waits for TLS.

    Args:
        host: the host.
        port: the port.
        tls: what TLS needs; None for connections without.
        token: the first line of each connection; None for none.
    """

    def __init__(
        self, host: str, port: int, tls: ssl.SSLContext | None = None, token: str | None = None
    ) -> None:
        self._place = host, port
        self._tls = tls
        self._token = token
        self._connection: socket.socket | None = None
        self._said = b""
        """What the other end has said last."""
        self.most_lines = MOST_LINES
        self.name = f"tcp://{f'[{host}]' if ':' in host else host}:{port}"

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Sends lines; see `Destination`."""
        self._send(b"".join(line + b"\n" for line in lines))

    def close(self) -> None:
        """Closes the connection; see `Destination`."""
        if self._connection is not None:
            with suppress(OSError):
                self._hear(self._connection, 0)
            self._drop()
            self._check_token()

    def _send(self, data: bytes) -> None:
        is_first = False
        try:
            if self._connection is not None and self._hear(self._connection, 0):
                self._drop()
                self._check_token()
            if self._connection is None:
                self._said = b""
                self._connection = self._connected()
                is_first = True
                self._connection.sendall(data)
                if self._hear(self._connection, VERDICT_SECONDS):
                    raise ConnectionAbortedError("the receiver closes the connection at once")
            else:
                self._connection.sendall(data)
        except OSError as error:
            if self._connection is not None:
                with suppress(OSError):  # it may have said why
                    self._hear(self._connection, 0)
            reason = self._reason(error, is_first=is_first)
            self._drop()
            self._check_token()
            raise UnreachableError(reason) from error

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _check_token(self) -> None:
        """Raises InputError where the other end has said that the token is another one."""
        if self._last_line == WRONG_TOKEN:
            hint = "add ?token-file=FILE" if self._token is None else "is this the right token?"
            raise InputError(f"{self.name}: it says {WRONG_TOKEN!r}; {hint}")

    def _reason(self, error: OSError, *, is_first: bool) -> str:
        """Why lines could not be sent; whether they are the first ones of a connection."""
        reason = error.strerror or str(error)
        if self._said.startswith(_TLS_ALERT):
            return f"{reason}: the receiver expects TLS: add ?tls"
        if self._said:
            return f"{reason}; it says {self._last_line!r}"
        if is_first and self._tls is None and isinstance(error, ConnectionError):
            return f"{reason}; if the receiver expects TLS, add ?tls"
        return reason

    @property
    def _last_line(self) -> str:
        """What the other end has said last."""
        return self._said.decode(errors="replace").rstrip().rpartition("\n")[2]

    def _connected(self) -> socket.socket:
        made = socket.create_connection(self._place, ANSWER_SECONDS)
        try:
            if self._tls is not None:
                made = self._tls.wrap_socket(made, server_hostname=self._place[0])
            if self._token is not None:
                made.sendall(f"{self._token}\n".encode())
        except BaseException:
            made.close()
            raise
        return made

    def _hear(self, connection: socket.socket, seconds: float) -> bool:
        """Whether the other end closes a connection within some seconds; keeps what it says last."""
        end = monotonic() + seconds
        connection.setblocking(False)  # TLS may have something to read, and no text in it
        try:
            while True:
                try:
                    piece = connection.recv(4096)
                except (BlockingIOError, ssl.SSLWantReadError):
                    left = end - monotonic()
                    if left <= 0 or not select([connection], [], [], left)[0]:
                        return False
                    continue
                if not piece:
                    return True
                self._said = (self._said + piece)[-MOST_SAID:]
        finally:
            connection.settimeout(ANSWER_SECONDS)


def input_at(address: str, largest_record: int, encoding: str | None) -> TcpFeed:
    """The feed of an address. Raises InputError."""
    names = ("connections", "idle", "watermark", "token-file", "cert", "key")
    wrong = "write tcp:PORT or tcp://HOST:PORT, such as tcp:9000"
    rest, form = address.removeprefix("tcp:"), "tcp:9000?connections=50&idle=600"
    host, port, options = own_port(rest, address, wrong, names, form)
    connections = options.get("connections", str(MOST_CONNECTIONS))
    if not _COUNT.fullmatch(connections) or not int(connections):
        raise InputError(f"{address}: connections must be a positive number, such as connections=50")
    idle = options.get("idle", str(IDLE_SECONDS))
    if not _SECONDS.fullmatch(idle) or not float(idle):
        raise InputError(f"{address}: idle must be a positive number of seconds, such as idle=600")
    if options.get("watermark", "connection") != "connection":
        raise InputError(f"{address}: write watermark=connection (a watermark of each connection)")
    return TcpFeed(
        host,
        port,
        connections=int(connections),
        idle=float(idle),
        largest_record=largest_record,
        encoding=encoding,
        has_watermarks="watermark" in options,
        token=token_of(options),
        tls=Certificate.of(options, address, "add &cert=FILE&key=FILE"),
    )


def output_at(address: str, _posting: Posting | None) -> TcpLines:
    """The destination of an address. Raises InputError."""
    rest = address.removeprefix("tcp:")
    match = _RECEIVER.fullmatch(rest)
    if match is None:
        raise InputError(f"{address}: write tcp:HOST:PORT, such as tcp:localhost:9000")
    name, form = f"tcp:{rest.partition('?')[0]}", "tcp:HOST:PORT?token-file=FILE&tls&ca=FILE"
    options = options_of(match["options"], ("token-file", "tls", "ca", "insecure"), name, form)
    if "tls" not in options and {"ca", "insecure"} & {*options}:
        raise InputError(f"{name}: certificates need TLS: add tls")
    return TcpLines(
        match["ipv6"] or match["host"],
        port_of(match["port"], 1, name),
        authority_of(options) if "tls" in options else None,
        token_of(options),
    )
