"""Answers as messages of a queue, or to an exchange, of AMQP."""

from collections.abc import Iterator, Sequence
from typing import Any

from lars2asp.runtime.connectors.amqp import AMQP, AmqpClient
from lars2asp.runtime.connectors.message_destination import BrokerMessages
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.connectors.server import Server
from lars2asp.runtime.errors import InputError

ANSWER_SECONDS = 10.0
"""For how long an answer of the broker is waited for."""

PERSISTENT = 2
"""The delivery mode of messages that a durable queue keeps while its broker is down."""


class AmqpQueue(BrokerMessages):
    """Publishes each line, and waits until the broker confirms that a queue has it.

    Args:
        server: the virtual host, and where it is.
        posting: makes the messages.

    Raises MissingPackageError, and InputError for options that it cannot have.
    """

    def __init__(self, server: Server, posting: Posting | None = None) -> None:
        options = server.options
        if ("queue" in options) == ("exchange" in options) or ("key" in options and "queue" in options):
            raise InputError(
                f"{server.name}: name a queue, as ?queue=alarms, or an exchange, as "
                "?exchange=house&key=alarms"
            )
        self._exchange = options.get("exchange", "")
        self._key = options.get("queue", options.get("key", ""))
        to = f"queue={self._key}" if "queue" in options else f"exchange={self._exchange}"
        name = f"{server.name.removesuffix('//')}?{to}"
        self._client = AmqpClient(server, name)
        super().__init__(name, self._client, posting)
        if self._posting.dead_letters is not None:  # which take those alone that are refused
            self.most_lines = 1

    def _opened(self) -> "_Publishing":
        connection = self._client.connected(ANSWER_SECONDS, heartbeat=0)  # nothing is done between answers
        kept = self._client.pika.BasicProperties(delivery_mode=PERSISTENT)
        return _Publishing(connection, self._exchange, self._key, kept)


class _Publishing:
    """Publishes messages; see `Sender`."""

    def __init__(self, connection: Any, exchange: str, key: str, properties: Any) -> None:
        self._connection = connection
        self._to = exchange, key
        self._properties = properties
        self._channel = connection.channel()
        self._channel.confirm_delivery()

    def send(self, payloads: Sequence[bytes]) -> Iterator[int]:
        """Publishes messages, each when the one before is confirmed."""
        for payload in payloads:
            self._channel.basic_publish(*self._to, payload, self._properties, mandatory=True)
            yield 1

    def close(self) -> None:
        """Closes the connection."""
        if self._connection.is_open:
            self._connection.close()


def destination_at(scheme: str, rest: str, posting: Posting | None) -> AmqpQueue:
    """That of an address. Raises InputError, and MissingPackageError."""
    return AmqpQueue(Server.of(AMQP, scheme, rest, is_read=False), posting)
