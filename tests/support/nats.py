"""A real server of NATS, for tests."""

import asyncio
import shutil
import signal
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.support.processes import PATIENCE_SECONDS, free_port, started, wait_for

NATS = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin")

needs_nats = pytest.mark.skipif(NATS is None, reason="nats-server is not installed")

T = TypeVar("T")


class Nats:
    """A nats-server on a port of its own, which keeps its streams in a folder while it is down.

    Attributes:
        port: the port.
    """

    def __init__(self, port: int, folder: Path, options: Sequence[str]) -> None:
        self.port = port
        self._command = [NATS, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", str(folder / "js"), *options]
        self._credentials = dict(zip(("user", "password"), options[1::2], strict=False))
        self._running = ExitStack()

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command = [one for one in self._command if one is not None]
        self._process = self._running.enter_context(started(command, **quiet))
        wait_for(self._answers, self._process)

    def stop(self) -> None:
        """Ends it."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(PATIENCE_SECONDS)
        self._running.close()

    def address(self, subject: str) -> str:
        """That of a subject."""
        return f"nats://127.0.0.1:{self.port}/{subject}"

    given = address

    def do(self, asked: Callable[[Any], Awaitable[T]]) -> T:
        """What is asked of a client."""
        import nats  # noqa: PLC0415 - not every environment has it

        async def ask() -> T:
            server = f"nats://127.0.0.1:{self.port}"
            options: Any = {"allow_reconnect": False, "error_cb": _pass_over, **self._credentials}
            client = await nats.connect(server, **options)
            try:
                return await asked(client)
            finally:
                await client.close()

        return asyncio.run(ask())

    def write(self, subject: str, texts: Sequence[str]) -> None:
        """Adds messages to the stream of a subject, which is made where there is none."""

        async def written(client: Any) -> None:
            streams = client.jetstream()
            await streams.add_stream(name=f"of-{subject}", subjects=[subject])
            for future in [await streams.publish_async(subject, text.encode()) for text in texts]:
                await future

        self.do(written)

    def publish(self, subject: str, *texts: str) -> None:
        """Publishes messages to who listens."""

        async def published(client: Any) -> None:
            for text in texts:
                await client.publish(subject, text.encode())
            await client.flush()

        self.do(published)

    def count(self, subject: str) -> int:
        """The number of messages in the stream of a subject."""

        async def counted(client: Any) -> int:
            about = await client.jetstream().stream_info(f"of-{subject}")
            return int(about.state.messages)

        return self.do(counted)

    def read(self, subject: str) -> list[str]:
        """The messages in the stream of a subject."""

        async def found(client: Any) -> list[str]:
            streams = client.jetstream()
            left = (await streams.stream_info(f"of-{subject}")).state.messages
            subscription = await streams.subscribe(subject, ordered_consumer=True)
            return [(await subscription.next_msg(PATIENCE_SECONDS)).data.decode() for _ in range(left)]

        return self.do(found)

    def _answers(self) -> bool:
        import nats.errors  # noqa: PLC0415

        async def nothing(client: Any) -> None:
            await client.flush()

        try:
            self.do(nothing)
        except (nats.errors.Error, OSError):
            return False
        return True


async def _pass_over(_: Exception) -> None:
    """What goes wrong is raised too."""


@contextmanager
def nats_server(folder: Path, *options: str) -> Iterator[Nats]:
    """A server, as long as the context lasts; options are such as `--user me --pass s3cret`."""
    with free_port() as port:
        server = Nats(port, folder, options)
        server.start()
        try:
            yield server
        finally:
            server.stop()
