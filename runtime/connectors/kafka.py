"""Topics of Kafka: messages are read, and sent.

kafka://host:9092/topic             kafkas://user@a:9093,b:9093/topic: the same over TLS
    ?from=end                       at first only what comes from now on, not what is there
    &watermark=partition            each partition is waited for, even if it has nothing to be read
    &partition=N, &partition=any    of an output: in place of partition 0
    &password-file=FILE&mechanism=SCRAM-SHA-512&ca=FILE&insecure
    &config=FILE                    settings of the client, NAME=VALUE a line
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from threading import Event
from time import monotonic
from typing import Any

from lars2asp.runtime.connectors.address import Address, Form, settings_in
from lars2asp.runtime.connectors.delivering import MOST_LINES, UnreachableError
from lars2asp.runtime.connectors.feed import POLL_SECONDS, Lines
from lars2asp.runtime.connectors.limited_warnings import LimitedWarnings
from lars2asp.runtime.connectors.message_feed import HINT
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.records import LARGEST_RECORD, Line
from lars2asp.syntax.values import dataclass

KAFKA = Form(
    "kafka",
    "kafkas",
    9092,
    9093,
    "kafka://localhost:9092/readings",
    ("from", "watermark", "mechanism", "config"),
    ("partition", "mechanism", "config"),
)
MOST_AT_ONCE = 1000
"""The number of messages that are taken of the client at once."""

ATTEMPT_SECONDS = 1.0
"""For how long it is waited that messages are taken, before the run is asked whether it ends."""

TOPIC_SECONDS = 5.0
"""For how long a topic may be missing: many servers make it when it is asked for."""

ANY = "any"


@dataclass(frozen=True)
class KafkaLimits:
    """Limits of what is done with a server of Kafka.

    Attributes:
        answer_seconds: what says nothing for this time is not a server; one that was there is waited for.
        attempt_seconds: for how long an answer is waited for before the run is asked whether it ends.
        partitions_seconds: the time between two looks for new partitions.
    """

    answer_seconds: float = 10
    attempt_seconds: float = 1
    partitions_seconds: float = 60


class KafkaClient:
    """How to come to a server of Kafka.

    Args:
        address: where it is, and the topic.

    Attributes:
        kafka: the package.
        trouble: what the client said last of connections that fail, if it did.

    Raises MissingPackageError, and InputError for files that cannot be used.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self.kafka = needed("confluent_kafka", "kafka", address.name)
        self.trouble = ""
        address.tls()
        self._settings = self._given()

    def settings(self, **others: Any) -> dict[str, Any]:
        """Those of a consumer or producer; an option `a_b` is `a.b`."""
        return {name.replace("_", "."): value for name, value in others.items()} | self._settings

    def partitions(self, client: Any, seconds: float) -> list[int]:
        """The numbers of the partitions of the topic; none while the server does not know them.

        Raises InputError where it says that there is no such topic, and KafkaException without an answer.
        """
        name, wanted = self._address.name, self._address.topic
        topic = client.list_topics(wanted, timeout=seconds).topics[wanted]
        if topic.error is None:
            return sorted(topic.partitions)
        errors, code = self.kafka.KafkaError, topic.error.code()
        if code == errors.UNKNOWN_TOPIC_OR_PART:
            raise InputError(f"{name}: there is no topic {wanted}: create it first")
        if code in (errors.TOPIC_AUTHORIZATION_FAILED, errors.TOPIC_EXCEPTION):
            raise InputError(f"{name}: {topic.error.str()}: check the name of the topic and the user")
        return []

    def _given(self) -> dict[str, Any]:
        address, options = self._address, self._address.options
        found: dict[str, Any] = {
            **{"bootstrap.servers": ",".join(address.servers), "client.id": "lars2asp"},
            **{"error_cb": self._note_trouble, "log_level": 0, "reconnect.backoff.max.ms": 2000},
        }
        protocol = "SSL" if address.is_secure else "PLAINTEXT"
        if address.user is not None:
            protocol = f"SASL_{protocol}"
            mechanism = address.choice("mechanism", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
            found |= {"sasl.mechanism": mechanism, "sasl.username": address.user}
            found |= {"sasl.password": address.password or ""}
        found["security.protocol"] = protocol
        if "ca" in options:
            found["ssl.ca.location"] = options["ca"]
        if "insecure" in options:
            found["enable.ssl.certificate.verification"] = False
        return found | (settings_in(options["config"]) if "config" in options else {})

    def _note_trouble(self, error: Any) -> None:
        if error.code() != self.kafka.KafkaError._ALL_BROKERS_DOWN or not self.trouble:
            self.trouble = error.str()


class KafkaFeed:
    """Reads all partitions of a topic; the text of each message is one or more lines.

    The source of a line is its partition, as in `readings[0]`, its number the offset of its message plus 1.
    Positions are offsets, and for each how many lines of its message are behind it. No group of consumers is
    joined, and nothing is committed: who reads knows how far it has come.

    Messages of a partition come in order. Each has its own time, which is waited for while it has messages to
    be read; so what is read late has the order of its times, however far partitions are apart.

    A server that was there is waited for, however long it is gone.

    Args:
        text: the address.
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
        limits: of waiting.

    Raises MissingPackageError, and InputError for a wrong address.

    Attributes:
        name: the address, without user and password.
    """

    def __init__(
        self,
        text: str,
        largest_record: int = LARGEST_RECORD,
        encoding: str | None = None,
        *,
        limits: KafkaLimits | None = None,
    ) -> None:
        address = Address.of(KAFKA, text, is_read=True)
        self.name = address.name
        self.limits = limits or KafkaLimits()
        self._topic = address.topic
        self._begins_at_end = address.begins_at_end
        self._lines_of_source = partial(Lines, most=largest_record, encoding=encoding)
        self._warnings = LimitedWarnings(self.name)
        self._client = KafkaClient(address)
        self._waits_for_all = address.choice("watermark", "available", "partition") == "partition"
        self._positions: dict[str, tuple[int, int]] = {}
        self._lines: dict[str, Lines] = {}
        self._is_reading = False

    def go_on(self, positions: Mapping[str, Any]) -> None:
        """`run` goes on from positions; see `PositionedFeed`."""
        self._positions = {source: (offset, lines) for source, (offset, lines) in positions.items()}

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until `stop` is set; see `Feed`."""
        consumer = self._consumer()
        try:
            read = self._begin(consumer, (), emit, stop)
            look = monotonic() + self.limits.partitions_seconds
            while not stop.is_set():
                message = consumer.poll(POLL_SECONDS)
                if self._client.trouble:
                    self._warnings.say(f"{self._client.trouble}; it is waited for")
                    self._client.trouble = ""
                if monotonic() >= look:
                    read = read | self._begin(consumer, read, emit, stop, is_asked_once=True)
                    look = monotonic() + self.limits.partitions_seconds
                if message is None:
                    continue
                for one in (message, *consumer.consume(MOST_AT_ONCE, 0)):
                    for line in self._lines_of(one):
                        emit(line)
                        if stop.is_set():
                            return
        finally:
            consumer.close()

    def _consumer(self) -> Any:
        settings = self._client.settings(
            group_id="lars2asp",
            enable_auto_commit=False,
            enable_auto_offset_store=False,
            enable_partition_eof=True,
            auto_offset_reset="error",
        )
        try:
            return self._client.kafka.Consumer(settings)
        except (self._client.kafka.KafkaException, ValueError) as error:
            raise InputError(f"{self.name}: {_reason(error)}") from error

    def _begin(
        self,
        consumer: Any,
        read: Sequence[int] | set[int],
        emit: Callable[[Line], None],
        stop: Event,
        *,
        is_asked_once: bool = False,
    ) -> set[int]:
        """Begins to read partitions that are not read yet, and gives them. Raises InputError.

        Where the server is asked once, those that it says nothing of are left for the next time.
        """
        ask = partial(self._client.partitions, consumer)
        partitions = self._answer(consumer, ask, stop, is_once=is_asked_once)
        is_new = bool(read or self._positions)
        begun: list[Any] = []
        for one in partitions or ():
            if one in read:
                continue
            source = self._source(one)
            at = self._client.kafka.TopicPartition(self._topic, one)
            bounds = self._answer(consumer, partial(self._bounds, consumer, at), stop, is_once=is_asked_once)
            if bounds is None:
                continue
            at.offset, lines = self._first(source, *bounds, is_new=is_new)
            begun.append(at)
            self._positions[source] = at.offset, lines
        if begun and not stop.is_set():
            for source in (self._source(at.partition) for at in begun):
                emit(Line(source, 0, "", position=self._positions[source]))
            consumer.incremental_assign(begun)
            self._is_reading = True
        return {at.partition for at in begun}

    def _answer(
        self, consumer: Any, ask: Callable[[float], Any], stop: Event, *, is_once: bool = False
    ) -> Any:
        """What the server answers; None where the run ends, or it was asked once and does not.

        Raises InputError where it never was there, and does not answer in time.
        """
        was_there = bool(self._positions)
        end = inf if was_there else monotonic() + self.limits.answer_seconds
        while not stop.is_set():
            reason = "the server does not answer"
            try:
                if (answer := ask(self.limits.attempt_seconds)) != []:
                    return answer
            except self._client.kafka.KafkaException as error:
                if not self._is_reading:
                    consumer.poll(0)  # it says what the trouble is
                reason = self._client.trouble or _reason(error)
                if error.args[0].code() == self._client.kafka.KafkaError._AUTHENTICATION:
                    raise InputError(f"{self.name}: {reason}: check user and password") from error
            if is_once:
                return None
            if monotonic() > end:
                raise InputError(f"{self.name}: {reason}; {HINT}")
            if was_there:
                self._warnings.say(f"{reason}; it is waited for")
            stop.wait(POLL_SECONDS)
        return None

    def _first(self, source: str, low: int, high: int, *, is_new: bool) -> tuple[int, int]:
        """Where a partition is read from. Raises InputError where it is another one than before.

        Args:
            source: the partition.
            low: its first offset.
            high: the one behind its last.
            is_new: whether other partitions were read before, also before a checkpoint, and this one was not.
        """
        if source not in self._positions:
            return (high if self._begins_at_end and not is_new else low), 0
        offset, lines = self._positions[source]
        if offset > high:
            raise InputError(
                f"{self.name}: the checkpoint is at message {offset} of {source}, which now contains only "
                f"{high}: this is another topic; remove the checkpoint folder to start over"
            )
        if offset < low:
            self._warnings.say(
                f"{low - offset} messages of {source} were removed before they were read; it goes on behind "
                "them"
            )
            return low, 0
        return offset, lines

    @staticmethod
    def _bounds(consumer: Any, at: Any, seconds: float) -> Any:
        return consumer.get_watermark_offsets(at, timeout=seconds)

    def _source(self, partition: int) -> str:
        return f"{self._topic}[{partition}]"

    def _lines_of(self, message: Any) -> Iterator[Line]:
        """The lines of a message; of the end of a partition a line that says so. Raises InputError."""
        error, errors = message.error(), self._client.kafka.KafkaError
        if error is not None:
            if error.code() == errors._PARTITION_EOF:
                source = self._source(message.partition())
                if not self._waits_for_all and source in self._positions:
                    yield Line(source, 0, "", end=None, position=self._positions[source])
            elif error.code() == errors._AUTO_OFFSET_RESET:
                raise InputError(
                    f"{self.name}: {error.str()}; start the run again to continue with the remaining messages"
                )
            elif error.code() in (errors.TOPIC_AUTHORIZATION_FAILED, errors.UNKNOWN_TOPIC_OR_PART):
                raise InputError(f"{self.name}: {error.str()}")
            else:
                self._warnings.say(f"{error.str()}; it is waited for")
            return
        source, offset, data = self._source(message.partition()), message.offset(), message.value() or b""
        lines = self._lines.setdefault(source, self._lines_of_source(source))
        found = [*lines.whole(data)]
        at, taken = self._positions[source]
        for number, line in enumerate(found, start=1):
            self._positions[source] = (offset + 1, 0) if number == len(found) else (offset, number)
            if at != offset or number > taken:
                yield line._replace(number=offset + 1, position=self._positions[source])
        self._positions[source] = offset + 1, 0


class KafkaTopic:
    """Sends each line as a message, in order, and waits until all replicas have it (`acks=all`).

    All go to one partition, so that they stay in order, unless the address says `?partition=any`.

    Args:
        text: the address.
        posting: makes the messages.

    Raises MissingPackageError, and InputError for options that it cannot have.
    """

    def __init__(self, text: str, posting: Posting | None = None) -> None:
        address = Address.of(KAFKA, text, is_read=False)
        self.name = address.name
        self._topic = address.topic
        self._posting = posting or Posting()
        self._client = KafkaClient(address)
        self.most_lines = MOST_LINES if self._posting.dead_letters is None else 1
        partition = address.options.get("partition", "0")
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
                self._producer.produce(self._topic, payload, partition=self._partition, on_delivery=report)
                return
            except BufferError:  # too many wait
                self._producer.poll(ATTEMPT_SECONDS)
            except self._client.kafka.KafkaException as error:
                self.withdraw()
                raise InputError(f"{self.name}: the receiver refuses answers: {_reason(error)}") from error

    def _connected(self) -> Any:
        """A producer of a topic that is there. Raises UnreachableError, and InputError."""
        settings = self._client.settings(
            enable_idempotence=True, acks="all", linger_ms=0, message_timeout_ms=0
        )
        kafka = self._client.kafka
        try:
            producer = kafka.Producer(settings)
        except (kafka.KafkaException, ValueError) as error:
            raise InputError(f"{self.name}: {_reason(error)}") from error
        end = monotonic() + TOPIC_SECONDS
        while True:
            try:
                partitions = self._client.partitions(producer, ATTEMPT_SECONDS)
                break
            except kafka.KafkaException as error:
                raise UnreachableError(self._client.trouble or _reason(error)) from error
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


def _reason(error: Exception) -> str:
    """What an error of the package says."""
    said = error.args[0] if error.args else error
    return str(said.str() if hasattr(said, "str") else said)


input_at = KafkaFeed
output_at = KafkaTopic
