"""Answers as messages of a topic of an MQTT broker."""

from collections.abc import Sequence
from threading import Event
from time import monotonic
from typing import Any

from lars2asp.runtime.connectors.delivering import MOST_LINES
from lars2asp.runtime.connectors.limited_warnings import LimitedWarnings
from lars2asp.runtime.connectors.mqtt import Broker, MqttLimits, connection_failure, paho_for
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.errors import InputError


class MqttTopic:
    """Publishes each line with QoS 1: the broker has each at least once. A lost connection is made again.

    Args:
        broker: the broker and the topic.
        posting: makes the messages, and says for how long nothing may be taken.

    Raises InputError where the package for MQTT is not installed.
    """

    def __init__(self, broker: Broker, posting: Posting | None = None) -> None:
        self.name = broker.name
        self.most_lines = MOST_LINES
        self._broker = broker
        self._posting = posting or Posting()
        self._retries = self._posting.retries
        self._paho = paho_for(broker.name)
        self._client: Any = None
        self._failure: str | None = None
        self._warnings = LimitedWarnings(broker.name)
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
        client = self._broker.client(self._paho, MqttLimits())
        client.on_connect = self._on_connect
        client.on_connect_fail = self._on_connect_fail
        client.on_disconnect = self._on_disconnect
        client.connect_async(self._broker.host, self._broker.port)
        client.loop_start()
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
            self._failure = connection_failure()
            self._is_answered.set()
