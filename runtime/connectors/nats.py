"""Subjects of NATS: messages of a stream of JetStream, or as they are published.

nats://host:4222/subject            natss://user@host/subject: the same over TLS
    ?from=end                       at first only what comes from now on
    ?core                           without a stream: what is published while the run is there
    &password-file=FILE&token-file=FILE&ca=FILE&insecure
"""

import asyncio
import os
import ssl
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from lars2asp.runtime.connectors.address import Address, Form, secret_in
from lars2asp.runtime.connectors.connector import Connector, InputConnector, Message, OutputConnector
from lars2asp.runtime.connectors.feed import POLL_SECONDS
from lars2asp.runtime.connectors.message_destination import destination_by
from lars2asp.runtime.connectors.message_feed import feed_by
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed

NATS = Form(
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

ANSWER_SECONDS = 5.0
"""For how long an answer of the server is waited for."""

QUIET_SECONDS = 5.0
"""When nothing comes for this time, the server is asked whether it still knows who reads."""

KEPT_SECONDS = 3600.0
"""For how long the server knows a reader that asks for nothing, because it is busy."""

MOST_WAITING = 2**26
"""In bytes, the most that waits of a subject without a stream; what comes beyond it is lost."""

T = TypeVar("T")


class LostError(Exception):
    """A connection does not go on; the message says why."""


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
        """What a coroutine gives. Raises LostError if the connection is closed meanwhile."""
        try:
            return self._loop.run_until_complete(result)
        except asyncio.CancelledError as error:
            raise LostError("the connection was closed") from error

    def check(self) -> None:
        """Raises LostError if the connection is closed."""
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


class _Nats(Connector):
    """How to come to a server of NATS. Raises MissingPackageError, and InputError for wrong options."""

    connection: NatsConnection | None

    def __init__(self, address: Address) -> None:
        self.name = address.name
        self._address = address
        self._nats = needed("nats", "nats", self.name)
        self._errors = needed("nats.errors", "nats", self.name)
        self._js_errors = needed("nats.js.errors", "nats", self.name)
        self.errors = self._errors.Error, OSError, asyncio.TimeoutError, LostError
        self._subject = address.topic
        self._token: str | None = None
        if "token-file" in address.options:
            if address.user is not None:
                raise InputError(f"{self.name}: the address contains a user and a token: remove one of them")
            self._token = secret_in(address.options["token-file"], "token")
        address.tls()

    def refusal(self, error: Exception) -> InputError | None:
        """See Connector."""
        reason = str(error)
        if "authorization" in reason.lower() or isinstance(error, self._errors.AuthorizationError):
            return InputError(f"{self.name}: {reason}: check user, password and token")
        refused = ssl.SSLError, self._errors.BadSubjectError, self._errors.MaxPayloadError
        return InputError(f"{self.name}: {reason}") if isinstance(error, refused) else None

    def _connect(self) -> NatsConnection:
        self.connection = NatsConnection(self._connected())
        return self.connection

    async def _connected(self) -> Any:
        address, troubles = self._address, list[Exception]()
        scheme = "tls" if address.is_secure else "nats"

        async def note(error: Exception) -> None:
            troubles.append(error)

        made = self._nats.NATS()
        try:
            await made.connect(
                [f"{scheme}://{host}" for host in address.servers],
                name="lars2asp",
                allow_reconnect=False,
                connect_timeout=ANSWER_SECONDS,
                max_reconnect_attempts=1,
                error_cb=note,
                user=address.user,
                password=None if address.user is None else address.password or "",
                token=self._token,
                tls=address.tls(),
            )
        except self._errors.NoServersError as error:
            trouble = (troubles or [error])[-1]
            if isinstance(trouble, OSError) and trouble.errno and not isinstance(trouble, ssl.SSLError):
                raise LostError(os.strerror(trouble.errno)) from error
            raise trouble from error
        return made


class NatsInput(_Nats, InputConnector):
    """The messages of a subject that a stream of JetStream keeps; a position is a number in the stream.

    Its consumers are not durable, and acknowledge nothing.
    """

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self._api = needed("nats.js.api", "nats", self.name)
        self.source = self._subject
        self._begins_at_end = address.begins_at_end
        self._consumer: Any = None
        self._came = 0
        """The number of messages that came of this consumer."""
        self._heard = 0.0

    def open(self, last: int | None, count: int) -> int:
        """Makes a consumer; see InputConnector."""
        connection, name, subject = self._connect(), self.name, self._subject
        streams = connection.client.jetstream()
        try:
            stream = connection.wait(streams.find_stream_name_by_subject(subject))
            about = connection.wait(streams.stream_info(stream))
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
            self.warn(
                f"up to {state.first_seq - last - 1} messages after {last} were removed before they were read"
            )
        config = self._api.ConsumerConfig(
            deliver_policy=self._api.DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=last + 1,
            ack_policy=self._api.AckPolicy.NONE,
            inactive_threshold=KEPT_SECONDS,
        )
        made = streams.pull_subscribe(subject, stream=stream, config=config)
        self._consumer, self._came, self._heard = connection.wait(made), 0, monotonic()
        return last

    def messages(self, last: int) -> list[Message]:
        """See InputConnector."""
        assert self.connection is not None
        try:
            found = self.connection.wait(self._consumer.fetch(MOST_AT_ONCE, timeout=2 * POLL_SECONDS))
        except (self._errors.TimeoutError, TimeoutError):
            self.connection.check()
            if monotonic() - self._heard > QUIET_SECONDS:
                self._heard = monotonic()
                self.connection.wait(self._consumer.consumer_info())
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
        if self.connection is not None and self._consumer is not None:
            with suppress(Exception):  # the connection may be broken
                about = self.connection.wait(asyncio.wait_for(self._consumer.consumer_info(), 1))
                gone = self.connection.client.jetstream().delete_consumer(about.stream_name, about.name)
                self.connection.wait(asyncio.wait_for(gone, 1))
        self._consumer = None
        super().close()


class NatsCoreInput(_Nats, InputConnector):
    """What is published to a subject while the run is there."""

    keeps_messages = False

    def __init__(self, address: Address) -> None:
        if "from" in address.options:
            raise InputError(f"{address.name}: with ?core lars2asp reads new messages only: remove from")
        super().__init__(address)
        self.source = self._subject
        self._subscription: Any = None

    def open(self, last: None, count: int) -> None:
        """See InputConnector."""
        connection = self._connect()
        limits = {"pending_msgs_limit": -1, "pending_bytes_limit": MOST_WAITING}
        self._subscription = connection.wait(connection.client.subscribe(self._subject, **limits))
        connection.wait(connection.client.flush())

    def messages(self, last: None) -> list[Message]:
        """See InputConnector."""
        assert self.connection is not None
        with suppress(self._errors.TimeoutError, TimeoutError):
            message = self.connection.wait(self._subscription.next_msg(timeout=POLL_SECONDS))
            return [Message(None, message.data)]
        self.connection.check()
        return []


class NatsOutput(_Nats, OutputConnector):
    """Publishes messages, and waits until a stream has them; with `?core` until the server has them."""

    def __init__(self, text: str) -> None:
        super().__init__(Address.of(NATS, text, is_read=False))
        if any(part in ("*", ">", "") for part in self._subject.split(".")):
            raise InputError(f"{self.name}: answers go to one subject: remove * and >")
        self._streams: Any = None

    def open(self) -> None:
        """See OutputConnector."""
        self._streams = self._connect().client.jetstream()

    def send(self, messages: Sequence[bytes]) -> Iterator[int]:
        """See OutputConnector."""
        assert self.connection is not None
        self.connection.check()
        if "core" in self._address.options:
            self.connection.wait(self._flushed(self.connection.client, messages))
            yield len(messages)
            return
        for answer in self.connection.wait(self._answers(messages)):
            if isinstance(answer, self._js_errors.NoStreamResponseError):
                raise InputError(
                    f"{self.name}: no JetStream stream stores the subject {self._subject}: create one, or "
                    "add ?core to publish to current listeners only"
                )
            if isinstance(answer, BaseException):
                raise answer
            yield 1

    async def _flushed(self, client: Any, messages: Sequence[bytes]) -> None:
        for message in messages:
            await client.publish(self._subject, message)
        await client.flush(int(ANSWER_SECONDS))

    async def _answers(self, messages: Sequence[bytes]) -> list[Any]:
        """The answer to each message, or what went wrong."""
        sent = [await self._streams.publish_async(self._subject, message) for message in messages]
        waiting = (asyncio.wait_for(one, ANSWER_SECONDS) for one in sent)
        return await asyncio.gather(*waiting, return_exceptions=True)


def _input(text: str) -> InputConnector:
    address = Address.of(NATS, text, is_read=True)
    return NatsCoreInput(address) if "core" in address.options else NatsInput(address)


input_at = partial(feed_by, _input)
output_at = partial(destination_by, NatsOutput)
