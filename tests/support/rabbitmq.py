"""A real RabbitMQ, for tests."""

import logging
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.support.processes import PATIENCE_SECONDS, free_port, started, wait_for

RABBITMQ = shutil.which("rabbitmq-server", path="/usr/lib/rabbitmq/bin")
EPMD = shutil.which("epmd")

needs_rabbitmq = pytest.mark.skipif(
    RABBITMQ is None or EPMD is None, reason="rabbitmq-server is not installed"
)

T = TypeVar("T")


class RabbitMq:
    """A rabbitmq-server on ports of its own, which keeps its queues in a folder while it is down.

    Attributes:
        port: the port.
    """

    def __init__(self, port: int, others: tuple[int, int], folder: Path) -> None:
        self.port = port
        self._running = ExitStack()
        names, own = others
        (folder / "env").touch()
        self._environment = os.environ | {
            **{"HOME": str(folder), "ERL_EPMD_PORT": str(names), "ERL_EPMD_ADDRESS": "127.0.0.1"},
            "RABBITMQ_NODENAME": f"test{port}@localhost",
            "RABBITMQ_NODE_PORT": str(port),
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_DIST_PORT": str(own),
            "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "RABBITMQ_CONFIG_FILE": str(folder / "none"),
            "RABBITMQ_CONF_ENV_FILE": str(folder / "env"),
            "RABBITMQ_PID_FILE": str(folder / "pid"),
            "RABBITMQ_GENERATED_CONFIG_DIR": str(folder / "made"),
        }

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        assert RABBITMQ is not None
        assert EPMD is not None
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        quiet |= {"env": self._environment, "stdin": subprocess.DEVNULL}
        self._running.enter_context(started([EPMD], **quiet))
        self._process = self._running.enter_context(started([RABBITMQ], **quiet))
        wait_for(self._answers, self._process)

    def stop(self) -> None:
        """Ends it."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(PATIENCE_SECONDS)
        self._running.close()

    def address(self, queue: str) -> str:
        """That of a queue."""
        return f"amqp://127.0.0.1:{self.port}/?queue={queue}"

    given = address

    def do(self, asked: Callable[[Any], T]) -> T:
        """What is asked of a channel."""
        import pika  # noqa: PLC0415 - not every environment has it

        parameters = pika.ConnectionParameters("127.0.0.1", self.port, connection_attempts=1)
        connection = pika.BlockingConnection(parameters)
        try:
            return asked(connection.channel())
        finally:
            if connection.is_open:
                connection.close()

    def write(self, queue: str, texts: Sequence[str]) -> None:
        """Adds messages to a queue, which is made where there is none."""

        def written(channel: Any) -> None:
            channel.queue_declare(queue, durable=True)
            channel.tx_select()
            for text in texts:
                channel.basic_publish("", queue, text.encode())
            channel.tx_commit()

        self.do(written)

    def count(self, queue: str) -> int:
        """The number of messages that no reader has."""
        return int(self.do(lambda channel: channel.queue_declare(queue, passive=True).method.message_count))

    def read(self, queue: str) -> list[str]:
        """The messages of a queue, which then has none."""

        def found(channel: Any) -> list[str]:
            texts = []
            while (message := channel.basic_get(queue, auto_ack=True))[0] is not None:
                texts.append(message[2].decode())
            return texts

        return self.do(found)

    def _answers(self) -> bool:
        import pika  # noqa: PLC0415

        logging.getLogger("pika").setLevel(logging.CRITICAL)
        try:
            self.do(lambda _: None)
        except (pika.exceptions.AMQPError, OSError):
            return False
        return True


@contextmanager
def rabbitmq_server(folder: Path) -> Iterator[RabbitMq]:
    """A server, as long as the context lasts."""
    with free_port() as port, free_port() as names, free_port() as own:
        server = RabbitMq(port, (names, own), folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
