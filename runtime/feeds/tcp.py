"""Lines that programs send to a port of this machine."""

import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from selectors import EVENT_READ, DefaultSelector
from threading import Event
from time import sleep
from typing import Any

from runtime.errors import InputError
from runtime.feeds.feed import POLL_SECONDS, Line, Lines

THIS_MACHINE = "127.0.0.1"
PIECE = 2**16
"""In bytes: so much is read from a connection before it is the turn of the next."""


class TcpFeed:
    """Listens on a port; what connections send are lines of UTF-8 text.

    Any number of connections may be open at once, and they take turns. While the reader is busy nothing is
    read, so that the senders come to wait. The last line of a connection counts without a line end too, but
    not where the connection broke: nobody knows then whether it is whole. The feed goes on when connections
    close.

    Attributes:
        name: such as `tcp:127.0.0.1:9000`.
        host: the address or name to listen on; `0.0.0.0` takes connections from other machines.
        port: the number of the port; 0 before `open` takes any that is free.
    """

    def __init__(self, host: str = THIS_MACHINE, port: int = 0) -> None:
        self.host = host
        self.port = port
        self.name = _name(host, port)
        self._listener: socket.socket | None = None

    def open(self) -> None:
        """Begins to listen, after which `port` is known; `run` does so where it was not done before.

        Raises:
            InputError: if that is not possible.
        """
        if self._listener is not None:
            return
        try:
            self._listener = _listening(self.host, self.port)
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(
                f"{self.name}: cannot listen there: {reason}; choose another port, or an address of this "
                "machine"
            ) from error
        self.port = self._listener.getsockname()[1]
        self.name = _name(self.host, self.port)

    def close(self) -> None:
        """Stops to listen; `run` does so at its end."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits what arrives until `stop` is set; see `Feed`."""
        self.open()
        assert self._listener is not None
        with closing(self), closing(_Connections(self._listener)) as connections:
            while not stop.is_set():
                for line in connections.lines():
                    emit(line)
                    if stop.is_set():
                        break


class _Connections:
    """The connections to a port and what they send."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._selector = DefaultSelector()
        self._selector.register(listener, EVENT_READ)

    def lines(self) -> Iterator[Line]:
        """A piece of each connection that has something; waits a moment where none has."""
        for key, _ in self._selector.select(POLL_SECONDS):
            if key.data is None:
                self._accept()
            else:
                yield from self._read(key.fileobj, key.data)

    def close(self) -> None:
        """Closes the connections."""
        for key in list(self._selector.get_map().values()):
            if key.data is not None:
                key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()

    def _accept(self) -> None:
        try:
            connection, address = self._listener.accept()
        except OSError:  # it has gone already, or too many are open, and it has to wait
            sleep(POLL_SECONDS)
            return
        connection.setblocking(False)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._selector.register(connection, EVENT_READ, Lines(_name(*address[:2])))

    def _read(self, connection: Any, lines: Lines) -> Iterator[Line]:
        try:
            piece = connection.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            self._drop(connection)
            return
        if piece:
            yield from lines.add(piece)
        else:
            self._drop(connection)
            yield from lines.end()

    def _drop(self, connection: Any) -> None:
        self._selector.unregister(connection)
        connection.close()


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens, on the IPv4 address of a host that has both.

    Raises OSError, and UnicodeError for what cannot be the name of a host.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = min(found, key=lambda info: info[0] != socket.AF_INET)
    listener = socket.create_server(address[:2], family=family)
    listener.setblocking(False)
    return listener


def _name(host: str, port: int) -> str:
    return f"tcp:[{host}]:{port}" if ":" in host else f"tcp:{host}:{port}"
