"""A server of Kafka for tests: the one of its client library, in a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tests.support.processes import PATIENCE_SECONDS, started

_SERVER = """
import sys
from confluent_kafka import Producer
server = Producer({"test.mock.num.brokers": 1, "bootstrap.servers": "none", "log_level": 0})
[broker] = server.list_topics(timeout=60).brokers.values()
print(f"{broker.host}:{broker.port}", flush=True)
sys.stdin.read()
"""


class Kafka:
    """A server without topics; one is made by who writes to it, with four partitions.

    Attributes:
        hosts: where it is.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        self._process = process
        self.hosts = process.stdout.readline().decode().strip()

    def address(self, topic: str) -> str:
        """That of a topic."""
        return f"kafka://{self.hosts}/{topic}"

    given = address

    def write(self, topic: str, texts: Iterable[str], partition: int = 0) -> None:
        """Writes messages to a partition, and waits until they are there."""
        producer = _package().Producer({"bootstrap.servers": self.hosts, "acks": "all"})
        producer.list_topics(topic, timeout=PATIENCE_SECONDS)
        for text in texts:
            producer.produce(topic, text.encode(), partition=partition)
        assert producer.flush(PATIENCE_SECONDS) == 0

    def read(self, topic: str, partition: int = 0) -> list[str]:
        """The messages of a partition."""
        kafka = _package()
        settings = {"bootstrap.servers": self.hosts, "group.id": "test", "enable.partition.eof": True}
        consumer = kafka.Consumer(settings)
        found: list[str] = []
        try:
            consumer.assign([kafka.TopicPartition(topic, partition, 0)])
            while (message := self._polled(consumer)) is not None and message.error() is None:
                found.append(message.value().decode())
        finally:
            consumer.close()
        return found

    def _polled(self, consumer: Any) -> Any:
        """The next message; None where none comes. A server that has ended is not waited for."""
        for _ in range(int(PATIENCE_SECONDS)):
            message = consumer.poll(1)
            if message is not None:
                return message
            ended = self._process.poll()
            assert ended is None, f"the server ended by itself: {ended}"
        return None

    def count(self, topic: str, partition: int = 0) -> int:
        """The number of messages of a partition."""
        kafka = _package()
        consumer = kafka.Consumer({"bootstrap.servers": self.hosts, "group.id": "test"})
        try:
            at = kafka.TopicPartition(topic, partition)
            return int(consumer.get_watermark_offsets(at, timeout=PATIENCE_SECONDS)[1])
        finally:
            consumer.close()

    @contextmanager
    def gone(self) -> Iterator[None]:
        """Within, it answers nothing."""
        os.kill(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGCONT)


def _package() -> Any:
    import confluent_kafka  # noqa: PLC0415 - not every environment has it

    return confluent_kafka


@contextmanager
def kafka_server() -> Iterator[Kafka]:
    """A server, as long as the context lasts."""
    command = [sys.executable, "-c", _SERVER]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield Kafka(process)
