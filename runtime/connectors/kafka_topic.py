"""Answers as messages of a topic of Kafka."""

from collections.abc import Sequence
from time import monotonic
from typing import Any

from lars2asp.runtime.connectors.delivering import MOST_LINES, UnreachableError
from lars2asp.runtime.connectors.kafka import KAFKA, KafkaClient
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.connectors.server import Server
from lars2asp.runtime.errors import InputError

ATTEMPT_SECONDS = 1.0
"""For how long it is waited that messages are taken, before the run is asked whether it ends."""

TOPIC_SECONDS = 5.0
"""For how long a topic may be missing: many servers make it when it is asked for."""

ANY = "any"


class KafkaTopic:
    """Sends each line as a message, in order, and waits until all replicas have it (`acks=all`).

    All go to one partition, so that they stay in order, unless the address says `?partition=any`.

    Args:
        server: the topic, and where it is.
        posting: makes the messages.

    Raises MissingPackageError, and InputError for options that it cannot have.
    """

    def __init__(self, server: Server, posting: Posting | None = None) -> None:
        self.name = server.name
        self._server = server
        self._posting = posting or Posting()
        self._client = KafkaClient(server)
        self.most_lines = MOST_LINES if self._posting.dead_letters is None else 1
        partition = server.options.get("partition", "0")
        if partition != ANY and not (partition.isascii() and partition.isdigit()):
            raise InputError(f"{self.name}: partition must be a number, or {ANY}")
        self._partition = -1 if partition == ANY else int(partition)
        self._producer: Any = None
        self._batch: Sequence[bytes] = ()
        """The lines that are being sent."""
        self._taken: list[bool] = []
        self._refusal: str | None = None

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Sends lines; called again with the same ones it waits on for them. See `Destination`."""
        if self._producer is None:
            self._producer = self._connected()
        if self._batch is not lines:
            self._batch, self._taken, self._refusal = lines, [False] * len(lines), None
            for number, line in enumerate(lines):
                self._produce(number, self._posting.payload(line))
        self._producer.flush(ATTEMPT_SECONDS)
        if self._refusal is not None:
            refusal = self._refusal
            self.withdraw()
            raise InputError(f"{self.name}: the receiver refuses answers: {refusal}")
        if not all(self._taken):
            raise UnreachableError(self._client.trouble or "the server does not answer")
        self._batch = ()

    def withdraw(self) -> int:
        """Gives up lines that are being sent; see `PartlyTaking`."""
        if self._producer is not None:
            self._producer.purge()
            self._producer.flush(0)
            self._producer = None
        taken = [*self._taken, False].index(False) if self._batch else 0
        self._batch = ()
        return taken

    def close(self) -> None:
        """Ends, when all lines are delivered; see `Destination`."""
        self._producer = None

    def _produce(self, number: int, payload: bytes) -> None:
        def report(error: Any, _message: Any) -> None:
            if error is None:
                self._taken[number] = True
            elif error.code() != self._client.kafka.KafkaError._PURGE_QUEUE:
                self._refusal = self._refusal or error.str()

        while True:
            try:
                self._producer.produce(
                    self._server.topic, payload, partition=self._partition, on_delivery=report
                )
                return
            except BufferError:  # too many wait
                self._producer.poll(ATTEMPT_SECONDS)
            except self._client.kafka.KafkaException as error:
                self.withdraw()
                raise InputError(
                    f"{self.name}: the receiver refuses answers: {error.args[0].str()}"
                ) from error

    def _connected(self) -> Any:
        """A producer of a topic that is there. Raises UnreachableError, and InputError."""
        settings = self._client.settings(
            enable_idempotence=True, acks="all", linger_ms=0, message_timeout_ms=0
        )
        kafka = self._client.kafka
        try:
            producer = kafka.Producer(settings)
        except (kafka.KafkaException, ValueError) as error:
            raise InputError(f"{self.name}: {error.args[0]}") from error
        end = monotonic() + TOPIC_SECONDS
        while True:
            try:
                partitions = self._client.partitions(producer, ATTEMPT_SECONDS)
                break
            except kafka.KafkaException as error:
                raise UnreachableError(self._client.trouble or error.args[0].str()) from error
            except InputError:
                if monotonic() > end:
                    raise
                producer.poll(0.1)
        if partitions and self._partition >= len(partitions):
            raise InputError(
                f"{self.name}: the topic lacks partition {self._partition}: choose one from 0 to "
                f"{len(partitions) - 1}"
            )
        return producer


def destination_at(scheme: str, rest: str, posting: Posting | None) -> KafkaTopic:
    """That of an address. Raises InputError, and MissingPackageError."""
    return KafkaTopic(Server.of(KAFKA, scheme, rest, is_read=False), posting)
