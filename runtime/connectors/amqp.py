"""Messages of a queue of AMQP 0.9.1, such as RabbitMQ has."""

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from lars2asp.runtime.connectors.address_parts import authority_of
from lars2asp.runtime.connectors.feed import POLL_SECONDS, Lines
from lars2asp.runtime.connectors.message_feed import Waiting, WaitingFeed
from lars2asp.runtime.connectors.server import Kind, Server
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.records import Line
from lars2asp.syntax.values import dataclass

AMQP = Kind(
    "amqp",
    "amqps",
    5672,
    5671,
    "amqp://user@localhost/?queue=readings&password-file=FILE",
    ("queue",),
    ("queue", "exchange", "key"),
    "/",
)
MOST_UNACKNOWLEDGED = 1000
"""The number of messages that the broker gives before the first of them is acknowledged."""

LAST_SECONDS = 5.0
"""For how long a feed that ends waits until what it has read is kept."""

_KEEP_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}
"""When a connection whose other end is gone is found to be lost, in seconds and attempts."""

_NOT_FOUND, _REFUSED, _NOT_ALLOWED = 404, 403, 530


class AmqpClient:
    """How to come to a broker.

    Args:
        server: the virtual host, and where it is.
        name: what messages call what is read or written of it.

    Attributes:
        pika: the package.

    Raises MissingPackageError, and InputError for files that cannot be used.
    """

    def __init__(self, server: Server, name: str) -> None:
        self._server = server
        self._name = name
        self.pika = needed("pika", "amqp", server.name)
        logging.getLogger("pika").setLevel(logging.CRITICAL)  # what it says is raised too
        server.check_authority()

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What connections raise."""
        return self.pika.exceptions.AMQPError, OSError

    def refusal(self, error: Exception) -> InputError | None:
        """What a broker says that will not change; None for what may."""
        errors, name = self.pika.exceptions, self._name
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

    def connected(self, seconds: float, heartbeat: int | None = None) -> Any:
        """A connection, with heartbeats each so many seconds, 0 for none. Raises one of `errors`."""
        server, pika = self._server, self.pika
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
            return pika.BlockingConnection(parameters)
        except pika.exceptions.AMQPConnectionError as error:
            [cause] = [getattr(one, "exception", None) for one in error.args[:1]] or [None]
            if isinstance(cause, OSError):  # of which the error itself says nothing
                raise ConnectionError(cause.strerror or str(cause)) from error
            raise

    def _tls(self, host: str) -> Any:
        server = self._server
        if not server.is_secure:
            return None
        return self.pika.SSLOptions(authority_of(server.options), host)


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


class AmqpFeed(WaitingFeed):
    """Reads the messages of a queue, each one or more lines, which are numbered in this part of the run.

    A message is acknowledged when its lines are kept by a journal, without one when they are read; until
    then the broker gives it to who asks next. See `KeepingFeed`. Lines are given in a thread of their own, so
    that the connection lives on while the reader is busy.
    """

    _client: AmqpClient

    def __post_init__(self) -> None:
        if "queue" not in self.server.options:
            raise InputError(f"{self.server.name}: name a queue: such as {AMQP.example}")
        super().__post_init__()
        self.waits_until_kept = False
        self._kept = 0
        self._count = 0
        self._lock = Lock()
        self._unacknowledged: deque[_Message] = deque()
        self._again: deque[_Message] = deque()
        """Those whose lines were given, and which come again, as the connection was lost."""
        self._come: SimpleQueue[_Message | None] = SimpleQueue()

    @property
    def source(self) -> str:
        """The address: queues of several brokers may have the same name."""
        return self._named()

    def _named(self) -> str:
        return f"{self.server.name.removesuffix('//')}?queue={self.server.options.get('queue', '')}"

    def _made(self) -> AmqpClient:
        return AmqpClient(self.server, self.name)

    def kept(self, source: str, number: int, of_input: int = 0) -> None:
        """The lines up to a number are kept; called by another thread."""
        if source == self.source:
            self._kept = max(self._kept, number)

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until `stop` is set; see `Feed`."""
        giving = Thread(target=self._give, args=(emit, stop), daemon=True)
        giving.start()
        waiting = Waiting(self.name, self._client, self.limits, self._warnings)
        try:
            while not stop.is_set():
                connection: Any = None
                try:
                    connection = self._client.connected(self.limits.answer_seconds)
                    self._read(connection, waiting, stop)
                except self._client.errors as error:
                    self._drop()
                    waiting.take(error)
                    stop.wait(self.limits.again_seconds)
                finally:
                    if connection is not None and connection.is_open:
                        with suppress(*self._client.errors):
                            connection.close()
        finally:
            self._come.put(None)

    def _read(self, connection: Any, waiting: Waiting, stop: Event) -> None:
        """Reads and acknowledges messages until `stop` is set."""
        channel, queue = connection.channel(), self.server.options["queue"]
        channel.queue_declare(queue, passive=True)
        channel.basic_qos(prefetch_count=MOST_UNACKNOWLEDGED)
        consumer = channel.basic_consume(queue, self._take)
        waiting.answers()
        while not stop.is_set():
            connection.process_data_events(POLL_SECONDS)
            self._acknowledge(channel)
            if not channel.consumer_tags:
                raise self._client.pika.exceptions.ConsumerCancelled("the queue is gone")
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
        lines = Lines(self.source, self.largest_record, self.encoding)
        while (message := self._come.get()) is not None:
            with self._lock:
                if message.is_dropped or stop.is_set():
                    continue
                message.is_begun = True
            for line in lines.whole(message.data):
                self._count += 1
                emit(line._replace(number=self._count))
            message.last = self._count


def feed_at(scheme: str, rest: str, largest_record: int, encoding: str | None) -> AmqpFeed:
    """The feed of an address. Raises InputError, and MissingPackageError."""
    server = Server.of(AMQP, scheme, rest, is_read=True)
    return AmqpFeed(server, largest_record=largest_record, encoding=encoding)
