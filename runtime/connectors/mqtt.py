"""Topics of MQTT brokers: messages are read, and published.

mqtt://broker/home/+/temperature    messages of a broker; + is one level of a topic, # all that follow
mqtts://user@broker:8884/home/#     the same over TLS; the certificate is checked
    ?id=reader                      with an id the broker keeps messages while no feed runs
    &password-file=FILE             the user's password, which may stand in LARS2ASP_MQTT_PASSWORD
    &ca=FILE                        the certificate of an authority, in place of those the system trusts
    &insecure                       no certificate is checked
"""

import os
import ssl
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread, current_thread
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from lars2asp.runtime.connectors.address import Address, Form
from lars2asp.runtime.connectors.bounded_queue import BoundedQueue
from lars2asp.runtime.connectors.delivering import MOST_LINES
from lars2asp.runtime.connectors.feed import POLL_SECONDS, Lines
from lars2asp.runtime.connectors.keep_alive import keep_alive
from lars2asp.runtime.connectors.limited_warnings import LimitedWarnings
from lars2asp.runtime.connectors.mqtt_acknowledgements import Acknowledgements, Delivered
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.records import LARGEST_RECORD, TRUNCATED_SIZE, Line
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from paho.mqtt.client import Client, ConnectFlags, MQTTMessage
    from paho.mqtt.reasoncodes import ReasonCode

PASSWORD = "LARS2ASP_MQTT_PASSWORD"
"""The environment variable with the password of a user of a broker."""

MQTT = Form(
    "mqtt",
    "mqtts",
    1883,
    8883,
    "mqtt://localhost/home/# or mqtts://user@localhost:8883/home/+/temperature?id=reader&password-file=FILE",
    ("id", "ca", "insecure"),
    ("id", "ca", "insecure"),
    shape="mqtt://HOST/TOPIC",
    options="write mqtt://HOST/TOPIC?id=READER&password-file=FILE, with mqtts: also &ca=FILE or &insecure",
)
KEEP_ALIVE_SECONDS = 1200
"""A broker may end a connection that is silent for longer, as it is while too many messages wait here."""

_NO_TOPIC = "lars2asp/no/topic"
_REPEATED = (
    "the broker delivers a message again because an interrupted run did not acknowledge it; if that "
    "run stored it, its records arrive twice"
)


@dataclass(frozen=True)
class MqttLimits:
    """Limits of a feed from a broker.

    Attributes:
        messages: the number of messages that may wait here; most brokers send fewer (20, say) before the
            first is acknowledged.
        size: the same in bytes; the last message that waits may go beyond.
        reconnect_seconds: the shortest and the longest wait before the next attempt to connect.
        answer_seconds: what accepts a connection and says nothing for this time is not a broker.
        end_seconds: how long a feed that ends waits for the broker; the rest is done in the background.
        kept_seconds: how long a feed that ends waits until a journal has the messages that it emitted.
    """

    messages: int = 1000
    size: int = 2**26
    reconnect_seconds: tuple[float, float] = (1, 30)
    answer_seconds: float = 10
    end_seconds: float = 0.2
    kept_seconds: float = 5


class _Broker:
    """A topic of a broker, and how to come to it.

    Args:
        text: the address.
        is_read: whether it is read, and not written to.

    Raises MissingPackageError, and InputError for a wrong address.

    Attributes:
        name: the address, without user and password.
        topic: the topic.
        client_id: by what the broker knows this client; None: it forgets it.
        address: where it is.
        password: the user's.
    """

    def __init__(self, text: str, *, is_read: bool) -> None:
        self.address = address = Address.of(MQTT, text, is_read=is_read)
        self.name, self.topic, options = address.name, address.topic, address.options
        levels, where = self.topic.split("/"), address.written
        if any(sign in level and level != sign for level in levels for sign in "+#") or "#" in levels[:-1]:
            raise InputError(f"{where}: in a topic, + replaces one whole level, and # all levels at the end")
        if not is_read and any(sign in level for level in levels for sign in "+#"):
            raise InputError(f"{where}: answers go to one topic: remove + and #")
        if not address.is_secure and ("ca" in options or "insecure" in options):
            raise InputError(f"{where}: certificates need TLS: write mqtts://")
        if "ca" in options and "insecure" in options:
            raise InputError(f"{where}: with insecure no certificate is checked: remove ca or insecure")
        self._server = address.server("name one server only")
        self.client_id = options.get("id")
        self.password = address.password
        if address.user is not None and address.password is None:
            self.password = os.environ.get(PASSWORD)
        self._paho = needed("paho.mqtt.client", "mqtt", self.name)

    def start(self, client: "Client", keep_alive_seconds: int = 60) -> None:
        """Has a client connect, again and again, in a thread of its own."""
        client.connect_async(*self._server, keepalive=keep_alive_seconds)
        client.loop_start()

    def client(self, limits: MqttLimits, **options: Any) -> "Client":
        """A client that is not connected yet; it connects again when it has lost the connection."""
        client: Client = self._paho.Client(
            self._paho.CallbackAPIVersion.VERSION2,
            client_id=self.client_id or "",
            clean_session=self.client_id is None,
            **options,
        )
        if self.address.user is not None:
            client.username_pw_set(self.address.user, self.password)
        if (context := self.address.tls()) is not None:
            client.tls_set_context(context)
        client.reconnect_delay_set(*limits.reconnect_seconds)  # type: ignore[arg-type] # any number
        client.on_socket_open = _watch
        return client


class MqttFeed:
    """Subscribes to a topic of a broker; the text of each message is one or more lines.

    The feed acknowledges a message when its lines are emitted, or kept (see `KeepingFeed`). Until then the
    broker holds back the others. It drops messages beyond its own bound (in mosquitto `max_queued_messages`,
    by default 1000), and messages of QoS 0 at will.

    After a loss of the connection the feed warns, and connects again. With a `client_id` the broker keeps all
    messages of QoS 1 that arrive meanwhile and while no feed runs. The feed emits each of them at least once.
    It emits one twice only if the connection was lost, or the feed stopped, with its acknowledgement under
    way, and warns of it. Without a `client_id` the feed misses all messages that arrive while there is no
    connection. A `client_id` goes with one topic and one feed at a time: the broker remembers its
    subscription.

    A message longer than the largest record is one line that is too long. The client reads a message whole
    (MQTT allows 256 MiB) before that is known; then it keeps only the beginning.

    Args:
        text: the address.
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
        limits: of the feed.

    Raises MissingPackageError, and InputError for a wrong address.

    Attributes:
        waits_until_kept: whether messages are acknowledged only when `kept` says so; needs a `client_id`.
        name: the address, without user and password.
        broker: the broker and the topic.
    """

    def __init__(
        self,
        text: str,
        largest_record: int = LARGEST_RECORD,
        encoding: str | None = None,
        *,
        limits: MqttLimits | None = None,
    ) -> None:
        self.broker = _Broker(text, is_read=True)
        self.name = self.broker.name
        self.largest_record = largest_record
        self.limits = limits or MqttLimits()
        self.waits_until_kept = False
        self._lines_of_source = partial(Lines, most=largest_record, encoding=encoding)
        self._acknowledgements: Acknowledgements | None = None
        self._warnings = LimitedWarnings(self.name)
        self._messages: BoundedQueue[_Message] = BoundedQueue(self.limits.messages, self.limits.size)

    @property
    def waiting(self) -> int:
        """The number of messages that wait, about."""
        return len(self._messages)

    def kept(self, source: str, number: int, of_input: int = 0) -> None:
        """The lines of a source up to a number are kept; called by another thread."""
        if self._acknowledgements is not None:
            self._acknowledgements.kept(source, number)

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until `stop` is set; see `Feed`. The source of a line is its topic."""
        sources: dict[str, Lines] = {}
        lasts: dict[str, int] = {}
        is_session = self.broker.client_id is not None
        waits = is_session and self.waits_until_kept
        acknowledgements = Acknowledgements(is_kept=is_session, waits_until_kept=waits)
        self._acknowledgements = acknowledgements
        subscription = _Subscription(self, self._messages, acknowledgements, self._warnings)
        with self._connected(subscription):
            latest = monotonic() + self.limits.answer_seconds
            while not stop.is_set():
                arrived = self._messages.get(POLL_SECONDS)
                if arrived is None:
                    self._check(subscription, latest)
                    continue
                if acknowledgements.takes(arrived.delivered):
                    continue
                if is_session and arrived.delivered.is_of_earlier_run:
                    self._warnings.say(_REPEATED)
                source = self._source(arrived.message)
                lines = sources.setdefault(source, self._lines_of_source(source))
                for line in _lines_of(arrived, lines):
                    emit(line)
                    lasts[source] = line.number
                    if stop.is_set() and not waits:  # the line may not have been taken: it is to come again
                        return
                acknowledgements.emitted(arrived.delivered, source, lasts.get(source, 0))
            if waits:
                acknowledgements.wait(self.limits.kept_seconds)

    def _check(self, subscription: "_Subscription", latest: float) -> None:
        """Raises InputError where waiting makes no sense; a broker has to answer before `latest`."""
        failure = subscription.failure
        if not failure and not subscription.is_answered and monotonic() > latest:
            failure = "no broker answers here: is the port right?"
        if not failure and subscription.has_ended():
            failure = "the connection broke down"
        if failure:
            raise InputError(f"{self.name}: {failure}")

    def _source(self, message: "MQTTMessage") -> str:
        try:
            return message.topic
        except UnicodeDecodeError:  # which no broker should pass on
            return self.name

    @contextmanager
    def _connected(self, subscription: "_Subscription") -> Iterator[None]:
        """A client that connects, again and again, in a thread of its own."""
        client = self.broker.client(self.limits, manual_ack=True)
        client.on_pre_connect = subscription.on_pre_connect
        client.on_connect = subscription.on_connect
        client.on_connect_fail = subscription.on_connect_fail
        client.on_disconnect = subscription.on_disconnect
        client.on_subscribe = subscription.on_subscribe
        client.on_unsubscribe = subscription.on_unsubscribe
        client.on_message = subscription.on_message
        self.broker.start(client, KEEP_ALIVE_SECONDS)
        try:
            yield
        finally:
            end = Thread(target=subscription.close, args=(client,), daemon=True)
            end.start()
            end.join(self.limits.end_seconds)


class _Message(NamedTuple):
    """A message, how the broker delivered it, and the length of one that was cut."""

    message: "MQTTMessage"
    delivered: Delivered
    length: int | None


def _lines_of(arrived: _Message, lines: Lines) -> Iterator[Line]:
    """The lines of a message, put together by those of its topic."""
    if arrived.length is None:
        return lines.message(arrived.message.payload)
    return iter([lines.cut(bytes(arrived.message.payload), arrived.length)])


class _Subscription:
    """What the client's thread knows: messages, which the thread of the feed takes, and the connection.

    Attributes:
        is_answered: whether there ever was a connection to a broker.
        failure: why it makes no sense to go on, if so.
    """

    def __init__(
        self,
        feed: MqttFeed,
        messages: "BoundedQueue[_Message]",
        acknowledgements: Acknowledgements,
        warnings: LimitedWarnings,
    ) -> None:
        self.is_answered = False
        self.failure: str | None = None
        self._feed = feed
        self._messages = messages
        self._acknowledgements = acknowledgements
        self._warnings = warnings
        self._is_kept = feed.broker.client_id is not None
        self._thread: Thread | None = None
        self._is_closed = Event()
        self._has_caught_up = Event()

    def close(self, client: "Client") -> None:
        """Takes no more messages and ends the connection when the broker has read all acknowledgements.

        Those that it has not read when the connection ends are lost.
        """
        self._is_closed.set()
        if self._is_kept and client.is_connected():
            client.unsubscribe(_NO_TOPIC)  # changes nothing, and is answered after what was sent before
            self._has_caught_up.wait(self._feed.limits.end_seconds)
        client.disconnect()
        client.loop_stop()

    def has_ended(self) -> bool:
        """Whether an error has ended the client's thread."""
        return self._thread is not None and not self._thread.is_alive()

    def on_pre_connect(self, client: "Client", _data: Any) -> None:
        """Remembers the client's thread, and that a connection is about to be made."""

        def acknowledge(message: Delivered) -> bool:
            return client.is_connected() and client.ack(message.number, message.qos) == 0

        self._thread = current_thread()
        self._acknowledgements.connects(acknowledge)

    def on_connect(
        self, client: "Client", _data: Any, flags: "ConnectFlags", reason: "ReasonCode", _properties: Any
    ) -> None:
        """Subscribes, unless the broker remembers the subscription of this run."""
        if reason.is_failure:
            if not self.is_answered or reason != "Server unavailable":
                self.failure = f"the broker refuses the connection: {reason}; check user, password and id"
            return
        if not flags.session_present:
            self._acknowledgements.begins_session()
        if not flags.session_present or not self.is_answered:
            client.subscribe(self._feed.broker.topic, qos=1)
        self.is_answered = True
        self._warnings.back()

    def on_connect_fail(self, *_: object) -> None:
        """Gives up if there never was a connection, and warns if one is lost."""
        if self.is_answered:
            self._is_gone(f"cannot connect: {_reason_and_hint()[0]}")
        else:
            self.failure = _connection_failure()

    def on_disconnect(self, *_: object) -> None:
        """Warns that a connection is lost."""
        if self.is_answered and not self._is_closed.is_set():
            self._is_gone("the connection is lost")

    def _is_gone(self, reason: str) -> None:
        self._warnings.gone(reason, "" if self._is_kept else ", and what comes meanwhile is lost")

    def on_subscribe(
        self, _client: "Client", _data: Any, _mid: int, reasons: "list[ReasonCode]", _properties: Any
    ) -> None:
        """Gives up where the topic may not be read."""
        if any(reason.is_failure for reason in reasons):
            self.failure = "the broker refuses the subscription: may this user read the topic?"

    def on_unsubscribe(self, *_: object) -> None:
        """Notes that the broker has read everything that was sent before."""
        self._has_caught_up.set()

    def on_message(self, _client: "Client", _data: Any, message: "MQTTMessage") -> None:
        """Keeps a message; blocks, so that nothing more is read, while too many are kept."""
        length = None
        if len(message.payload) > self._feed.largest_record:
            length, message.payload = len(message.payload), message.payload[: TRUNCATED_SIZE + 1]
        delivered = self._acknowledgements.delivered(message.mid, qos=message.qos, is_repeated=message.dup)
        arrived = _Message(message, delivered, length)
        while not self._is_closed.is_set() and not self._messages.put(
            arrived, len(message.payload), POLL_SECONDS
        ):
            pass


class MqttTopic:
    """Publishes each line with QoS 1: the broker has each at least once. A lost connection is made again.

    Args:
        text: the address.
        posting: makes the messages, and says for how long nothing may be taken.

    Raises MissingPackageError, and InputError for a wrong address.
    """

    def __init__(self, text: str, posting: Posting | None = None) -> None:
        self._broker = _Broker(text, is_read=False)
        self.name = self._broker.name
        self.most_lines = MOST_LINES
        self._posting = posting or Posting()
        self._retries = self._posting.retries
        self._client: Any = None
        self._failure: str | None = None
        self._warnings = LimitedWarnings(self.name)
        self._is_closed = False
        self._is_answered = Event()

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Publishes lines, and waits until the broker has them; see `Destination`."""
        if self._client is None:
            self._client = self._connected()
        topic, payload = self._broker.topic, self._posting.payload
        sent = [self._client.publish(topic, payload(line), qos=1) for line in lines]
        deadline = monotonic() + self._retries.total_seconds
        for message in sent:
            message.wait_for_publish(max(0.0, deadline - monotonic()))
            if not message.is_published():
                raise InputError(
                    f"{self.name}: the broker accepts no message; lars2asp gave up after "
                    f"{self._retries.total_seconds:g} seconds"
                )

    def close(self) -> None:
        """Ends the connection; see `Destination`."""
        self._is_closed = True
        if self._client is not None:
            self._client.disconnect()
            self._client.loop_stop()

    def _connected(self) -> Any:
        """A client that connects again and again. Raises InputError where it cannot connect at first."""
        client = self._broker.client(MqttLimits())
        client.on_connect = self._on_connect
        client.on_connect_fail = self._on_connect_fail
        client.on_disconnect = self._on_disconnect
        self._broker.start(client)
        self._is_answered.wait(self._retries.total_seconds)
        if self._failure is not None or not self._is_answered.is_set():
            raise InputError(f"{self.name}: {self._failure or 'the broker does not answer'}")
        return client

    def _on_connect(self, _client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure and not self._is_answered.is_set():
            self._failure = f"the broker refuses the connection: {reason}; check user, password and id"
        elif not reason.is_failure:
            self._warnings.back()
        self._is_answered.set()

    def _on_disconnect(self, *_: object) -> None:
        if self._is_answered.is_set() and self._failure is None and not self._is_closed:
            self._warnings.gone("the connection is lost")

    def _on_connect_fail(self, *_: object) -> None:
        if not self._is_answered.is_set():
            self._failure = _connection_failure()
            self._is_answered.set()


def _connection_failure() -> str:
    """Why a client cannot connect; to be asked where it says so."""
    reason, hint = _reason_and_hint()
    return f"cannot connect: {reason}; {hint}"


def _reason_and_hint() -> tuple[str, str]:
    error = sys.exception()  # the client calls back while it handles the error
    reason = getattr(error, "strerror", None) or error or "no connection"
    hint = "is the broker running, and is the address right?"
    if isinstance(error, ssl.SSLCertVerificationError):
        reason = f"certificate verify failed: {error.verify_message.removesuffix('.')}"
        hint = "use the broker's name in its certificate, or add ?ca=FILE to trust another authority"
    elif isinstance(error, ssl.SSLError) or "handshake" in str(error):
        hint = "does the broker use TLS at this port?"
    return str(reason), hint


def _watch(_client: "Client", _data: Any, connection: Any) -> None:
    """Notices that the broker's machine has gone."""
    keep_alive(connection)


input_at = MqttFeed
output_at = MqttTopic
