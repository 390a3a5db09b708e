"""Messages of a subject of NATS: of a stream of JetStream, or as they are published."""

import asyncio
import os
import ssl
from collections.abc import Coroutine, Generator
from contextlib import suppress
from threading import Event
from time import monotonic
from typing import Any, TypeVar

from lars2asp.runtime.connectors.address_parts import authority_of, secret_in
from lars2asp.runtime.connectors.feed import POLL_SECONDS
from lars2asp.runtime.connectors.limited_warnings import LimitedWarnings
from lars2asp.runtime.connectors.message_feed import Message, MessageFeed, PassingFeed
from lars2asp.runtime.connectors.server import Kind, Server
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed

NATS = Kind(
    "nats",
    "natss",
    4222,
    4222,
    "nats://localhost:4222/readings",
    ("from", "core", "token-file"),
    ("core", "token-file"),
)
MOST_AT_ONCE = 500
"""The number of messages that are asked for at once."""

QUIET_SECONDS = 5.0
"""When nothing comes for this time, the server is asked whether it still knows who reads."""

KEPT_SECONDS = 3600.0
"""For how long the server knows a reader that asks for nothing, because it is busy."""

MOST_WAITING = 2**26
"""In bytes, the most that waits of a subject without a stream; what comes beyond it is lost."""

T = TypeVar("T")


class LostError(Exception):
    """A connection does not go on; the message says why."""


class NatsClient:
    """How to come to a server of NATS.

    Args:
        server: the server.

    Attributes:
        nats: the package.

    Raises MissingPackageError, and InputError for options that it cannot have.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self.nats = needed("nats", "nats", server.name)
        self._errors = needed("nats.errors", "nats", server.name)
        self._token: str | None = None
        if "token-file" in server.options:
            if server.user is not None:
                raise InputError(
                    f"{server.name}: the address contains a user and a token: remove one of them"
                )
            self._token = secret_in(server.options["token-file"], "token")
        server.check_authority()

    @property
    def timeout(self) -> type[Exception]:
        """What is raised where nothing comes."""
        found: type[Exception] = self._errors.TimeoutError
        return found

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What connections raise."""
        return self._errors.Error, OSError, asyncio.TimeoutError, LostError

    def refusal(self, error: Exception) -> InputError | None:
        """What a server says that will not change; None for what may."""
        reason, name = str(error), self._server.name
        if "authorization" in reason.lower() or isinstance(error, self._errors.AuthorizationError):
            return InputError(f"{name}: {reason}: check user, password and token")
        if isinstance(error, ssl.SSLError):
            return InputError(f"{name}: {reason}")
        if isinstance(error, self._errors.BadSubjectError | self._errors.MaxPayloadError):
            return InputError(f"{name}: {reason}")
        return None

    def connected(self, seconds: float) -> "NatsConnection":
        """A connection. Raises one of `errors`."""
        return NatsConnection(self._connection(seconds))

    async def _connection(self, seconds: float) -> Any:
        server = self._server
        hosts = (f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in server.hosts)
        scheme = "tls" if server.is_secure else "nats"
        troubles: list[Exception] = []

        async def note(error: Exception) -> None:
            troubles.append(error)

        made = self.nats.NATS()
        try:
            await made.connect(
                [f"{scheme}://{host}" for host in hosts],
                name="lars2asp",
                allow_reconnect=False,
                connect_timeout=seconds,
                max_reconnect_attempts=1,
                error_cb=note,
                user=server.user,
                password=None if server.user is None else server.password or "",
                token=self._token,
                tls=self._tls(),
            )
        except self._errors.NoServersError as error:
            trouble = (troubles or [error])[-1]
            if isinstance(trouble, OSError) and trouble.errno and not isinstance(trouble, ssl.SSLError):
                raise LostError(os.strerror(trouble.errno)) from error
            raise trouble from error
        return made

    def _tls(self) -> ssl.SSLContext | None:
        server = self._server
        if not server.is_secure:
            return None
        return authority_of(server.options)


class NatsConnection:
    """A connection, whose client works while something is waited for.

    Args:
        connecting: gives the client.

    Attributes:
        client: that of the package.
    """

    def __init__(self, connecting: Coroutine[Any, Any, Any]) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda _loop, _context: None)
        try:
            self.client = self.wait(connecting)
        except BaseException:
            self._end()
            raise

    def wait(self, result: Coroutine[Any, Any, T]) -> T:
        """What a coroutine gives. Raises LostError where the connection is closed meanwhile."""
        try:
            return self._loop.run_until_complete(result)
        except asyncio.CancelledError as error:
            raise LostError("the connection was closed") from error

    def check(self) -> None:
        """Raises LostError where the connection is closed."""
        if self.client.is_closed or not self.client.is_connected:
            raise LostError("the connection is closed")

    def close(self) -> None:
        """Closes the connection."""
        with suppress(Exception):  # it may be broken
            self.wait(asyncio.wait_for(self.client.close(), 1))
        self._end()

    def _end(self) -> None:
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        if left:
            self._loop.run_until_complete(asyncio.wait(left, timeout=1))
        self._loop.close()


class NatsFeed(MessageFeed):
    """Reads the messages of a subject that a stream of JetStream keeps. No durable consumer is made."""

    _client: NatsClient

    def _made(self) -> NatsClient:
        return NatsClient(self.server)

    def _opened(self) -> "_Consumer":
        return _Consumer(
            self._client.connected(self.limits.answer_seconds),
            self._client,
            self.server,
            self._warnings,
            begins_at_end=self._begins_at_end,
        )


class _Consumer:
    """A consumer that acknowledges nothing; see `Reader`. Numbers in the stream tell messages apart."""

    def __init__(
        self,
        connection: NatsConnection,
        client: NatsClient,
        server: Server,
        warnings: LimitedWarnings,
        *,
        begins_at_end: bool,
    ) -> None:
        self._connection = connection
        self._js_errors = needed("nats.js.errors", "nats", server.name)
        self._api = needed("nats.js.api", "nats", server.name)
        self._timeout = client.timeout
        self._stream = connection.client.jetstream()
        self._server = server
        self._warnings = warnings
        self._begins_at_end = begins_at_end
        self._consumer: Any = None
        self._came = 0
        """The number of messages that came of this consumer."""
        self._heard = monotonic()

    def begin(self, last: int | None, count: int) -> int:
        """Makes a consumer. Raises InputError where the stream is another one than before."""
        subject, name = self._server.topic, self._server.name
        try:
            stream = self._connection.wait(self._stream.find_stream_name_by_subject(subject))
            about = self._connection.wait(self._stream.stream_info(stream))
        except self._js_errors.NotFoundError as error:
            raise InputError(
                f"{name}: no JetStream stream stores the subject {subject}: create one, or add ?core "
                "to read new messages only"
            ) from error
        except self._js_errors.ServiceUnavailableError as error:
            raise InputError(
                f"{name}: the server runs without JetStream: start it with -js, or add ?core to read "
                "new messages only"
            ) from error
        if about.config.retention == self._api.RetentionPolicy.WORK_QUEUE:
            raise InputError(
                f"{name}: the stream {stream} deletes messages after they are acknowledged (work "
                "queue): set its retention to limits"
            )
        state = about.state
        if last is None:
            last = state.last_seq if self._begins_at_end else 0
        elif last > state.last_seq:
            raise InputError(
                f"{name}: the checkpoint is at message {last}, but the stream {stream} ends at "
                f"{state.last_seq}: this is another stream; remove the checkpoint folder to start over"
            )
        elif last and state.first_seq > last + 1:
            self._warnings.say(
                f"up to {state.first_seq - last - 1} messages after {last} were removed before they were read"
            )
        config = self._api.ConsumerConfig(
            deliver_policy=self._api.DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=last + 1,
            ack_policy=self._api.AckPolicy.NONE,
            inactive_threshold=KEPT_SECONDS,
        )
        made = self._stream.pull_subscribe(subject, stream=stream, config=config)
        self._consumer = self._connection.wait(made)
        return last

    def messages(self, last: int) -> list[Message]:
        """The next messages; none where there are none for a while."""
        del last
        try:
            found = self._connection.wait(self._consumer.fetch(MOST_AT_ONCE, timeout=2 * POLL_SECONDS))
        except (self._timeout, TimeoutError):
            self._connection.check()
            if monotonic() - self._heard > QUIET_SECONDS:
                self._heard = monotonic()
                self._connection.wait(self._consumer.consumer_info())
            return []
        self._heard = monotonic()
        messages: list[Message] = []
        for one in found:
            self._came += 1
            if one.metadata.sequence.consumer != self._came:  # the client has dropped some
                if messages:
                    self._came -= 1
                    return messages
                raise LostError("messages were lost on the way: lars2asp reads them again")
            messages.append(Message(one.metadata.sequence.stream, one.data))
        return messages

    def close(self) -> None:
        """Closes the connection; the server forgets the consumer."""
        with suppress(Exception):  # the connection may be broken
            about = self._connection.wait(asyncio.wait_for(self._consumer.consumer_info(), 1))
            gone = self._stream.delete_consumer(about.stream_name, about.name)
            self._connection.wait(asyncio.wait_for(gone, 1))
        self._connection.close()


class NatsCoreFeed(PassingFeed):
    """Reads what is published to a subject while the feed runs."""

    _client: NatsClient

    def __post_init__(self) -> None:
        if "from" in self.server.options:
            raise InputError(f"{self.server.name}: with ?core lars2asp reads new messages only: remove from")
        super().__post_init__()

    def _made(self) -> NatsClient:
        return NatsClient(self.server)

    def _messages(self, stop: Event) -> Generator[bytes, None, None]:
        connection = self._client.connected(self.limits.answer_seconds)
        try:
            limits = {"pending_msgs_limit": -1, "pending_bytes_limit": MOST_WAITING}
            subscription = connection.wait(connection.client.subscribe(self.source, **limits))
            connection.wait(connection.client.flush())
            yield b""
            while not stop.is_set():
                message = None
                with suppress(self._client.timeout, TimeoutError):
                    message = connection.wait(subscription.next_msg(timeout=POLL_SECONDS))
                if message is None:
                    connection.check()
                else:
                    yield message.data
        finally:
            connection.close()


def feed_at(scheme: str, rest: str, largest_record: int, encoding: str | None) -> NatsFeed | NatsCoreFeed:
    """The feed of an address. Raises InputError, and MissingPackageError."""
    server = Server.of(NATS, scheme, rest, is_read=True)
    feed = NatsCoreFeed if "core" in server.options else NatsFeed
    return feed(server, largest_record=largest_record, encoding=encoding)
