"""Answers as lines to who listens at a port."""

import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from select import select
from time import monotonic

from lars2asp.runtime.connectors.delivering import MOST_LINES, UnreachableError
from lars2asp.runtime.connectors.tcp import WRONG_TOKEN
from lars2asp.runtime.errors import InputError

ANSWER_SECONDS = 30
"""For how long a connection is waited for, and may take nothing."""

VERDICT_SECONDS = 0.5
"""For how long, after the first lines of a connection, it is waited whether the other end refuses them."""

MOST_SAID = 300
"""The number of bytes of what the other end says that are kept; what it says last counts."""

_TLS_ALERT = b"\x15\x03"
"""So a server that waits for TLS begins to answer anything else."""


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
