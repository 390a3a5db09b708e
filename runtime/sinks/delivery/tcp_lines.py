"""Answers as lines to who listens at a port."""

import socket
import ssl
from collections.abc import Sequence
from select import select

from lars2asp.runtime.sinks.delivery.delivering import MOST_LINES, UnreachableError

ANSWER_SECONDS = 30
"""For how long a connection is waited for, and may take nothing."""


class TcpLines:
    """Sends lines to a port, and connects again when the connection is lost.

    TCP does not say what was read at the other end: what was under way when a connection is lost is lost, and
    the lines that could not be sent come again.

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
        self.most_lines = MOST_LINES
        self.name = f"tcp://{f'[{host}]' if ':' in host else host}:{port}"

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Sends lines; see `Destination`."""
        self._send(b"".join(line + b"\n" for line in lines))

    def close(self) -> None:
        """Closes the connection; see `Destination`."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _send(self, data: bytes) -> None:
        try:
            if self._connection is None or _has_ended(self._connection):
                self.close()
                self._connection = self._connected()
            self._connection.sendall(data)
        except OSError as error:
            self.close()
            raise UnreachableError(error.strerror or str(error)) from error

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


def _has_ended(connection: socket.socket) -> bool:
    """Whether the other end has closed a connection; what it says is passed over."""
    connection.setblocking(False)  # TLS may have something to read, and no text in it
    try:
        while select([connection], [], [], 0)[0]:
            if not connection.recv(4096):
                return True
    except (BlockingIOError, ssl.SSLWantReadError):
        pass
    finally:
        connection.settimeout(ANSWER_SECONDS)
    return False
