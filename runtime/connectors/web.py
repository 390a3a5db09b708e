"""Live input from web servers: WebSockets, and server-sent events.

ws://server/path, wss://server/path             messages of a WebSocket
sse+http://server/path, sse+https://...         server-sent events
    LARS2ASP_WEB_TOKEN has a token for either (Authorization: Bearer)
"""

import os
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

from lars2asp.runtime.connectors.address import HOST, masked, port_of
from lars2asp.runtime.connectors.feed import POLL_SECONDS, Lines
from lars2asp.runtime.connectors.keep_alive import keep_alive
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.records import LARGEST_RECORD, TRUNCATED_SIZE, Line
from lars2asp.syntax.patterns import pattern
from lars2asp.syntax.values import dataclass

EVENT_STREAM = "text/event-stream"

TOKEN = "LARS2ASP_WEB_TOKEN"
"""The environment variable with the token for a web server."""

_WEB = pattern(rf"//(?P<user>[^\s/?@]*@)?(?:{HOST})(?::(?P<port>[0-9]+))?(?:[/?][^\s#]*)?")

_AGAIN = (408, 425, 429)
"""Refusals of a client that may end by themselves."""


@dataclass(frozen=True)
class WebLimits:
    """Limits of a feed from a web server.

    Attributes:
        reconnect_seconds: the shortest and the longest wait before the next attempt to connect.
        answer_seconds: how long a server may take to answer.
        largest_message: in bytes, of a WebSocket: a longer message ends the connection.
    """

    reconnect_seconds: tuple[float, float] = (1, 30)
    answer_seconds: float = 10
    largest_message: int = 2**28


class _LostError(Exception):
    """There is no connection; `is_final` says that there is no use in trying again."""

    def __init__(self, reason: str, *, is_final: bool = False) -> None:
        super().__init__(reason)
        self.is_final = is_final


@dataclass(eq=False, repr=False)
class _WebFeed:
    """Connects to a server, again and again; what comes while there is no connection is missed.

    Attributes:
        url: the address, as the protocol has it.
        token: sent as `Authorization: Bearer ...`.
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
        limits: of waiting and of what is held.
        name: the address without what follows `?`.
    """

    url: str
    _: KW_ONLY
    token: str | None = None
    largest_record: int = LARGEST_RECORD
    limits: WebLimits = WebLimits()

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        self.name = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        self._is_open = False
        """Whether this connection is, or was, there."""
        self._shortest_wait = self.limits.reconnect_seconds[0]

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until `stop` is set; see `Feed`."""
        lines, was_open, wait = Lines(self.name, self.largest_record), False, 0.0
        while not stop.wait(wait):
            self._is_open = False
            try:
                for line in self._connection(lines, stop):
                    emit(line)
                    if stop.is_set():
                        return
            except _LostError as error:
                if error.is_final or not (was_open or self._is_open):
                    raise InputError(f"{self.name}: {error}") from error
            was_open = was_open or self._is_open
            longest = self.limits.reconnect_seconds[1]
            wait = self._shortest_wait if self._is_open else min(2 * wait, longest)

    def _connection(self, lines: Lines, stop: Event) -> Iterator[Line]:
        """The lines of a connection until it is over. Raises _LostError where there is none."""
        raise NotImplementedError

    def _headers(self) -> dict[str, str]:
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    def _record(self, data: bytes, length: int, lines: Lines) -> Iterator[Line]:
        """The lines of a message or an event, given whole or as the beginning of one that is too long."""
        if length > self.largest_record:
            yield lines.cut(data[: TRUNCATED_SIZE + 1], length)
            return
        yield from lines.message(data)


class WebSocketFeed(_WebFeed):
    """The messages of a WebSocket, each one or more lines. See _WebFeed.

    Raises MissingPackageError.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self._client = needed("websockets.sync.client", "web", self.name)
        self._errors = needed("websockets.exceptions", "web", self.name)

    def _connection(self, lines: Lines, stop: Event) -> Iterator[Line]:
        with self._connected() as connection:
            keep_alive(connection.socket)
            self._is_open = True
            while not stop.is_set():
                try:
                    message = connection.recv(timeout=POLL_SECONDS)
                except TimeoutError:
                    continue
                except self._errors.ConnectionClosed:
                    return
                data = message.encode(errors="surrogateescape") if isinstance(message, str) else message
                yield from self._record(data, len(data), lines)

    def _connected(self) -> Any:
        """A connection, as a context manager. Raises _LostError."""
        secure = {"ssl": ssl.create_default_context()} if self.url.startswith("wss:") else {}
        try:
            return self._client.connect(
                self.url,
                additional_headers=self._headers(),
                open_timeout=self.limits.answer_seconds,
                close_timeout=1,
                max_size=self.limits.largest_message,
                **secure,
            )
        except self._errors.InvalidStatus as error:
            raise _refusal(error.response.status_code) from error
        except (OSError, self._errors.WebSocketException) as error:
            raise _no_connection(error) from error


class EventFeed(_WebFeed):
    """Server-sent events: the data of each is one or more lines. See _WebFeed.

    Where events have ids, the server is told the last one when the feed connects again, and can send what was
    missed.

    Raises MissingPackageError.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self._httpx = needed("httpx", "web", self.name)
        self._last_id = ""

    def _headers(self) -> dict[str, str]:
        asked = {"Accept": EVENT_STREAM, "Cache-Control": "no-store"}
        last = {"Last-Event-ID": self._last_id} if self._last_id else {}
        return asked | last | super()._headers()

    def _connection(self, lines: Lines, stop: Event) -> Iterator[Line]:
        context, timeout = ssl.create_default_context(), self._httpx.Timeout(self.limits.answer_seconds)
        with self._httpx.Client(verify=context, timeout=timeout, follow_redirects=True) as client:
            try:
                with client.stream("GET", self.url, headers=self._headers()) as response:
                    self._check(response)
                    self._is_open = True
                    response.request.extensions["timeout"]["read"] = None  # events may be far apart
                    with _interrupted(response.extensions["network_stream"], stop):
                        yield from self._events(response.iter_bytes(), lines)
            except self._httpx.TransportError as error:
                if not self._is_open:
                    raise _no_connection(error) from error

    def _check(self, response: Any) -> None:
        if response.status_code != 200:
            raise _refusal(response.status_code)
        kind = response.headers.get("Content-Type", "nothing")
        if kind.partition(";")[0].strip().lower() != EVENT_STREAM:
            raise _LostError(f"the server sends {kind}, not {EVENT_STREAM}", is_final=True)

    def _events(self, pieces: Iterator[bytes], lines: Lines) -> Iterator[Line]:
        """The lines of the events in a stream; one that is not complete is dropped."""
        written = Lines(self.name, self.largest_record + len("data: "))
        data, length = bytearray(), 0
        for piece in pieces:
            for line in written.add(piece):
                field, _, value = line.text.partition(":")
                value = value.removeprefix(" ")
                if not line.text:
                    if length:
                        yield from self._record(bytes(data), length - 1, lines)
                    data, length = bytearray(), 0
                elif field == "data":
                    text = value.encode(errors="surrogateescape") + b"\n"
                    left_out = 0 if line.length is None else line.length + 1 - len("data: ") - len(text)
                    length += len(text) + max(0, left_out)
                    if len(data) <= self.largest_record:
                        data += text
                else:
                    self._take(field, value)

    def _take(self, field: str, value: str) -> None:
        """Takes what the server says of the connection."""
        if field == "id" and "\0" not in value:
            self._last_id = value
        elif field == "retry" and value.isascii() and value.isdigit():
            shortest, longest = self.limits.reconnect_seconds
            self._shortest_wait = min(max(shortest, int(value[:9]) / 1000), longest)


@contextmanager
def _interrupted(stream: Any, stop: Event) -> Iterator[None]:
    """Waiting for data from a connection ends when `stop` is set."""
    connection, is_over = stream.get_extra_info("socket"), Event()
    keep_alive(connection)

    def watch() -> None:
        while not is_over.wait(POLL_SECONDS):
            if stop.is_set():
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
                return

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        is_over.set()
        watcher.join()


def _refusal(status: int) -> _LostError:
    is_final = status < 500 and status not in _AGAIN
    hint = "; put a token into LARS2ASP_WEB_TOKEN" if status in (401, 403) else ""
    return _LostError(f"the server refuses the connection: HTTP status {status}{hint}", is_final=is_final)


def _no_connection(error: Exception) -> _LostError:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    hint = "is the server running, and is the address right?"
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        hint = "name another authority in the environment variable SSL_CERT_FILE"
    return _LostError(f"cannot connect: {reason}; {hint}")


def input_at(address: str, largest_record: int, _encoding: str | None) -> _WebFeed:
    """The feed of an address, whose text is UTF-8. Raises InputError, and MissingPackageError."""
    scheme, _, rest = address.partition(":")
    name, match = f"{scheme}:{masked(rest.partition('?')[0])}", _WEB.fullmatch(rest)
    if match is None:
        raise InputError(f"{name}: write {scheme}://SERVER/PATH, such as {scheme}://localhost:8000/live")
    if match["user"] is not None:
        raise InputError(
            f"{name}: remove the user from the address: put a token (Authorization: Bearer) into "
            f"the environment variable {TOKEN}"
        )
    if match["port"] is not None:
        port_of(match["port"], 1, name)
    feed = EventFeed if scheme.startswith("sse+") else WebSocketFeed
    return feed(address.removeprefix("sse+"), token=os.environ.get(TOKEN), largest_record=largest_record)
