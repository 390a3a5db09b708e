"""A real MQTT broker, for tests."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterable
from pathlib import Path
from time import monotonic, sleep

from tests.support.processes import PATIENCE_SECONDS

MOSQUITTO = shutil.which("mosquitto", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"]))


class Broker:
    """A mosquitto on a port of its own that keeps its sessions in a folder while it is down."""

    def __init__(self, folder: Path, settings: str = "allow_anonymous true") -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self._config = folder / "mosquitto.conf"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\n{settings}\nmax_queued_messages 0\n"
            f"persistence true\npersistence_location {folder}/\n"
            + ("user root\n" if hasattr(os, "geteuid") and os.geteuid() == 0 else "")
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it and waits until it takes connections."""
        assert MOSQUITTO is not None
        self._process = subprocess.Popen(
            [MOSQUITTO, "-c", str(self._config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = monotonic() + PATIENCE_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert self._process.poll() is None, "mosquitto does not start"
                assert monotonic() < end
                sleep(0.01)

    def stop(self) -> None:
        """Stops it; it writes down what it has to remember."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(PATIENCE_SECONDS)
            finally:
                self._process.kill()
                self._process = None

    def publish(self, payloads: Iterable[str], topic: str, *, qos: int = 1, retain: bool = False) -> None:
        """Publishes messages, all at once, and waits until the broker has them."""
        packets = [
            _packet(
                0x30 | qos << 1 | retain,
                _text(topic) + (number % 65535 + 1).to_bytes(2) * (qos > 0) + payload.encode(),
            )
            for number, payload in enumerate(payloads)
        ]
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS) as connection:
            connection.sendall(_packet(0x10, _text("MQTT") + b"\x04\x02\0\x3c" + _text("")))
            _receive(connection, 4)
            connection.sendall(b"".join(packets))
            _receive(connection, 4 * len(packets) * (qos > 0))
            connection.sendall(_packet(0xE0, b""))


def _packet(kind: int, body: bytes) -> bytes:
    """An MQTT packet."""
    size = len(body)
    length = bytearray()
    while size > 127:
        length.append(size % 128 | 128)
        size //= 128
    return bytes([kind, *length, size]) + body


def _text(text: str) -> bytes:
    """A text in an MQTT packet."""
    return len(text.encode()).to_bytes(2) + text.encode()


def _receive(connection: socket.socket, size: int) -> None:
    while size > 0:
        got = len(connection.recv(min(size, 65536)))
        assert got, "the broker has closed the connection"
        size -= got
