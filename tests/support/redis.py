"""A real server of Redis, for tests."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import PATIENCE_SECONDS, free_port, started, wait_for

REDIS = shutil.which("redis-server")

needs_redis = pytest.mark.skipif(REDIS is None, reason="redis-server is not installed")


class Redis:
    """A redis-server on a port of its own, which keeps its streams in a folder while it is down.

    Attributes:
        port: the port.
    """

    def __init__(self, port: int, folder: Path) -> None:
        self.port = port
        self._folder = folder
        self._running = ExitStack()

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        assert REDIS is not None
        kept = ("--dir", str(self._folder), "--appendonly", "yes", "--appendfsync", "always", "--save", "")
        command = [REDIS, "--port", str(self.port), "--bind", "127.0.0.1", *kept]
        self._process = self._running.enter_context(started(command, stdout=subprocess.DEVNULL))
        wait_for(self._answers, self._process)

    def stop(self) -> None:
        """Ends it."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(PATIENCE_SECONDS)
        self._running.close()

    @contextmanager
    def stuck(self) -> Iterator[None]:
        """Within, it answers nothing."""
        os.kill(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._process.pid, signal.SIGCONT)

    def address(self, stream: str) -> str:
        """That of a stream."""
        return f"redis://127.0.0.1:{self.port}/{stream}"

    given = address

    def add(self, stream: str, *entries: Mapping[str, str] | str) -> None:
        """Adds entries; a text is that of the field `data`."""
        with self.client.pipeline() as pipeline:
            for entry in entries:
                pipeline.xadd(stream, {"data": entry} if isinstance(entry, str) else dict(entry))
            pipeline.execute()

    def write(self, stream: str, texts: Sequence[str]) -> None:
        """Adds entries of texts."""
        self.add(stream, *texts)

    def count(self, stream: str) -> int:
        """The number of entries."""
        return int(self.client.xlen(stream))

    def read(self, stream: str) -> list[str]:
        """The texts of the entries."""
        return [fields[b"data"].decode() for _, fields in self.client.xrange(stream)]

    @property
    def client(self) -> Any:
        """A client."""
        import redis  # noqa: PLC0415 - not every environment has it

        return redis.Redis(port=self.port)

    def _answers(self) -> bool:
        import redis  # noqa: PLC0415

        try:
            return bool(self.client.ping())
        except redis.RedisError:
            return False


@contextmanager
def redis_server(folder: Path) -> Iterator[Redis]:
    """A server, as long as the context lasts."""
    with free_port() as port:
        server = Redis(port, folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
