"""Connections whose other end has gone without a word."""

import socket
from contextlib import suppress


def keep_alive(connection: socket.socket) -> None:
    """Has the system notice within two minutes that the machine at the other end has gone."""
    with suppress(OSError):  # it has ended already
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4)):
            if hasattr(socket, name):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
