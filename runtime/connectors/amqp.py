"""Queues of AMQP 0.9.1, such as RabbitMQ has: messages are read, and published to a queue or an exchange.

amqp://user@host/vhost?queue=name   amqps://user@host/vhost?queue=name: the same over TLS
    ?exchange=NAME&key=KEY          of an output, in place of the queue
    &password-file=FILE&ca=FILE&insecure
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from lars2asp.runtime.connectors.address import Address, Form
from lars2asp.runtime.connectors.connector import Connector, OutputConnector
from lars2asp.runtime.connectors.feed import POLL_SECONDS, Lines
from lars2asp.runtime.connectors.limited_warnings import LimitedWarnings
from lars2asp.runtime.connectors.message_destination import destination_by
from lars2asp.runtime.connectors.message_feed import Waiting, WaitLimits
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.records import LARGEST_RECORD, Line
from lars2asp.syntax.values import dataclass

AMQP = Form(
    "amqp",
    "amqps",
    5672,
    5671,
    "amqp://user@localhost/?queue=readings&password-file=FILE",
    ("queue",),
    ("queue", "exchange", "key"),
    "/",
)
ANSWER_SECONDS = 10.0
"""For how long an answer of the broker is waited for."""

PERSISTENT = 2
"""The delivery mode of messages that a durable queue keeps while its broker is down."""

MOST_UNACKNOWLEDGED = 1000
"""The number of messages that the broker gives before the first of them is acknowledged."""

LAST_SECONDS = 5.0
"""For how long a feed that ends waits until what it has read is kept."""

_KEEP_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""When a connection whose other end is gone is found to be lost, in seconds and attempts."""

_NOT_FOUND, _REFUSED, _NOT_ALLOWED = 404, 403, 530


class AmqpServer(Connector):
    """How to come to a broker.

    Args:
        address: the virtual host, and where it is.
        what: what is read or written of it.

    Raises MissingPackageError, and InputError for files that cannot be used.
    """

    def __init__(self, address: Address, what: str) -> None:
        self.name = f"{address.name.removesuffix('//')}?{what}"
        self._address = address
        self._pika = needed("pika", "amqp", address.name)
        self.errors = self._pika.exceptions.AMQPError, OSError
        logging.getLogger("pika").setLevel(logging.CRITICAL)  # what it says is raised too
        address.tls()

    def refusal(self, error: Exception) -> InputError | None:
        """See Connector."""
        errors, name = self._pika.exceptions, self.name
        if isinstance(error, errors.ProbableAuthenticationError | errors.AuthenticationError):
            return InputError(f"{name}: the broker refuses the user: check user and password")
        if isinstance(error, errors.ProbableAccessDeniedError):
            return InputError(f"{name}: the broker refuses the virtual host: check its name and the user")
        if isinstance(error, errors.UnroutableError):
            return InputError(f"{name}: no queue receives the messages: create the queue, or bind it, first")
        if isinstance(error, errors.ChannelClosedByBroker | errors.ConnectionClosedByBroker):
            if error.reply_code == _NOT_FOUND:
                return InputError(f"{name}: {error.reply_text}: create it first")
            if error.reply_code in (_REFUSED, _NOT_ALLOWED):
                return InputError(f"{name}: {error.reply_text}")
        return None

    def connect(self, heartbeat: int | None = None) -> None:
        """Connects, with heartbeats each so many seconds, 0 for none. Raises one of `errors`."""
        server, pika, seconds = self._address, self._pika, ANSWER_SECONDS
        user = pika.PlainCredentials(server.user or "guest", server.password or "")
        if server.user is None:
            user = pika.PlainCredentials("guest", "guest")  # the user that brokers have for this machine
        parameters = [
            pika.ConnectionParameters(
                host,
                port,
                server.topic,
                user,
                heartbeat=heartbeat,
                connection_attempts=1,
                socket_timeout=seconds,
                stack_timeout=2 * seconds,
                blocked_connection_timeout=seconds,
                tcp_options=_KEEP_ALIVE,
                ssl_options=self._tls(host),
                client_properties={"connection_name": "lars2asp"},
            )
            for host, port in server.hosts
        ]
        try:
            self.connection = pika.BlockingConnection(parameters)
        except pika.exceptions.AMQPConnectionError as error:
            [cause] = [getattr(one, "exception", None) for one in error.args[:1]] or [None]
            if isinstance(cause, OSError):  # of which the error itself says nothing
                raise ConnectionError(cause.strerror or str(cause)) from error
            raise

    def _tls(self, host: str) -> Any:
        context = self._address.tls()
        return None if context is None else self._pika.SSLOptions(context, host)

    def close(self) -> None:
        """See Connector."""
        if self.connection is not None and self.connection.is_open:
            with suppress(*self.errors):
                self.connection.close()
        self.connection = None


@dataclass(eq=False)
class _Message:
    """A message that is not acknowledged yet.

    Attributes:
        tag: what the broker calls it.
        data: its text.
        is_begun: whether its lines were given, or are being given.
        last: the number of its last line, or of the one before if it has none; None until all are given.
        is_dropped: whether it comes again, on another connection.
    """

    tag: int
    data: bytes
    is_begun: bool = False
    last: int | None = None
    is_dropped: bool = False


class AmqpFeed:
    """Reads the messages of a queue, each one or more lines, which are numbered in this part of the run.

    A message is acknowledged when its lines are kept by a journal, without one when they are read; until
    then the broker gives it to who asks next. See `KeepingFeed`. Lines are given in a thread of their own, so
    that the connection lives on while the reader is busy.

    Args:
        text: the address.
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
        limits: of waiting.

    Raises MissingPackageError, and InputError for a wrong address.

    Attributes:
        name: the address, which is the source of the lines: queues of brokers may have the same name.
    """

    def __init__(
        self,
        text: str,
        largest_record: int = LARGEST_RECORD,
        encoding: str | None = None,
        *,
        limits: WaitLimits | None = None,
    ) -> None:
        address = Address.of(AMQP, text, is_read=True)
        if "queue" not in address.options:
            raise InputError(f"{address.name}: name a queue: such as {AMQP.example}")
        self._queue = address.options["queue"]
        self._server = AmqpServer(address, f"queue={self._queue}")
        self.name = self._server.name
        self._limits = limits or WaitLimits()
        self._lines = Lines(self.name, largest_record, encoding)
        self._warnings = LimitedWarnings(self.name)
        self.waits_until_kept = False
        self._kept = 0
        self._count = 0
        self._lock = Lock()
        self._unacknowledged: deque[_Message] = deque()
        self._again: deque[_Message] = deque()
        """Those whose lines were given, and which come again, as the connection was lost."""
        self._come: SimpleQueue[_Message | None] = SimpleQueue()

    def kept(self, source: str, number: int, of_input: int = 0) -> None:
        """The lines up to a number are kept; called by another thread."""
        if source == self.name:
            self._kept = max(self._kept, number)

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until `stop` is set; see `Feed`."""
        giving = Thread(target=self._give, args=(emit, stop), daemon=True)
        giving.start()
        server, waiting = self._server, Waiting(self._server, self._limits, self._warnings)
        try:
            while not stop.is_set():
                try:
                    server.connect()
                    self._read(server.connection, waiting, stop)
                except server.errors as error:
                    self._drop()
                    waiting.take(error)
                    stop.wait(self._limits.again_seconds)
                finally:
                    server.close()
        finally:
            self._come.put(None)

    def _read(self, connection: Any, waiting: Waiting, stop: Event) -> None:
        """Reads and acknowledges messages until `stop` is set."""
        channel, queue = connection.channel(), self._queue
        channel.queue_declare(queue, passive=True)
        channel.basic_qos(prefetch_count=MOST_UNACKNOWLEDGED)
        consumer = channel.basic_consume(queue, self._take)
        waiting.answers()
        while not stop.is_set():
            connection.process_data_events(POLL_SECONDS)
            self._acknowledge(channel)
            if not channel.consumer_tags:
                raise ConnectionError("the queue is gone")
        channel.basic_cancel(consumer)
        end = monotonic() + LAST_SECONDS
        while any(one.is_begun for one in [*self._unacknowledged]) and monotonic() < end:
            connection.process_data_events(POLL_SECONDS / 4)
            self._acknowledge(channel)

    def _take(self, _channel: Any, method: Any, _properties: Any, data: bytes) -> None:
        """Takes a message of the broker."""
        if self._again and method.redelivered and self._again[0].data == data:
            message = self._again.popleft()
            message.tag = method.delivery_tag
            self._unacknowledged.append(message)
            return
        self._again.clear()
        message = _Message(method.delivery_tag, data)
        self._unacknowledged.append(message)
        self._come.put(message)

    def _acknowledge(self, channel: Any) -> None:
        """Acknowledges all messages up to the first that is not kept."""
        tag = None
        while self._unacknowledged and self._is_done(self._unacknowledged[0]):
            tag = self._unacknowledged.popleft().tag
        if tag is not None:
            channel.basic_ack(tag, multiple=True)

    def _is_done(self, message: _Message) -> bool:
        return message.last is not None and (not self.waits_until_kept or message.last <= self._kept)

    def _drop(self) -> None:
        """The connection is lost: what is not acknowledged comes again."""
        with self._lock:
            for message in self._unacknowledged:
                message.is_dropped = not message.is_begun
        given = [message for message in self._unacknowledged if message.is_begun]
        self._again = deque([*given, *self._again])
        self._unacknowledged.clear()

    def _give(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Gives the lines of messages, in a thread of its own."""
        while (message := self._come.get()) is not None:
            with self._lock:
                if message.is_dropped or stop.is_set():
                    continue
                message.is_begun = True
            for line in self._lines.whole(message.data):
                self._count += 1
                emit(line._replace(number=self._count))
            message.last = self._count


class AmqpOutput(AmqpServer, OutputConnector):
    """Publishes messages, and waits until the broker confirms that a queue has each."""

    def __init__(self, text: str) -> None:
        address = Address.of(AMQP, text, is_read=False)
        options = address.options
        if ("queue" in options) == ("exchange" in options) or ("key" in options and "queue" in options):
            raise InputError(
                f"{address.name}: name a queue, as ?queue=alarms, or an exchange, as "
                "?exchange=house&key=alarms"
            )
        self._to = options.get("exchange", ""), options.get("queue", options.get("key", ""))
        what = "queue" if "queue" in options else "exchange"
        super().__init__(address, f"{what}={options[what]}")
        self._kept = self._pika.BasicProperties(delivery_mode=PERSISTENT)
        self._channel: Any = None

    def open(self) -> None:
        """See OutputConnector."""
        self.connect(heartbeat=0)  # nothing is done between answers
        self._channel = self.connection.channel()
        self._channel.confirm_delivery()

    def send(self, messages: Sequence[bytes]) -> Iterator[int]:
        """Publishes messages, each when the one before is confirmed; see OutputConnector."""
        for message in messages:
            self._channel.basic_publish(*self._to, message, self._kept, mandatory=True)
            yield 1


input_at = AmqpFeed
output_at = partial(destination_by, AmqpOutput)
