"""Answers as messages of a subject of NATS."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from lars2asp.runtime.connectors.message_destination import BrokerMessages
from lars2asp.runtime.connectors.nats import NATS, NatsClient, NatsConnection
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.connectors.server import Server
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed

ANSWER_SECONDS = 5.0
"""For how long an answer of the server is waited for."""


class NatsSubject(BrokerMessages):
    """Publishes each line, and waits until a stream has it; with `?core` until the server has it.

    Args:
        server: the subject, and where it is.
        posting: makes the messages.

    Raises MissingPackageError, and InputError for options that it cannot have.
    """

    def __init__(self, server: Server, posting: Posting | None = None) -> None:
        self._server = server
        self._client = NatsClient(server)
        super().__init__(server.name, self._client, posting)
        if self._posting.dead_letters is not None:  # which take those alone that are refused
            self.most_lines = 1
        if any(part in ("*", ">", "") for part in server.topic.split(".")):
            raise InputError(f"{self.name}: answers go to one subject: remove * and >")

    def _opened(self) -> "_Publishing":
        connection = self._client.connected(ANSWER_SECONDS)
        return _Publishing(connection, self._server, is_core="core" in self._server.options)


class _Publishing:
    """Publishes messages; see `Sender`."""

    def __init__(self, connection: NatsConnection, server: Server, *, is_core: bool) -> None:
        self._connection = connection
        self._server = server
        self._is_core = is_core
        self._no_stream = needed("nats.js.errors", "nats", server.name).NoStreamResponseError
        self._streams = connection.client.jetstream()

    def send(self, payloads: Sequence[bytes]) -> Iterator[int]:
        """Publishes messages, and waits for the answers."""
        self._connection.check()
        if self._is_core:
            self._connection.wait(self._flushed(payloads))
            yield len(payloads)
            return
        for answer in self._connection.wait(self._answers(payloads)):
            if isinstance(answer, self._no_stream):
                name, subject = self._server.name, self._server.topic
                raise InputError(
                    f"{name}: no JetStream stream stores the subject {subject}: create one, or add "
                    "?core to publish to current listeners only"
                )
            if isinstance(answer, BaseException):
                raise answer
            yield 1

    async def _flushed(self, payloads: Sequence[bytes]) -> None:
        for payload in payloads:
            await self._connection.client.publish(self._server.topic, payload)
        await self._connection.client.flush(int(ANSWER_SECONDS))

    async def _answers(self, payloads: Sequence[bytes]) -> list[Any]:
        """The answer to each message, or what went wrong."""
        sent = [await self._streams.publish_async(self._server.topic, payload) for payload in payloads]
        waiting = (asyncio.wait_for(one, ANSWER_SECONDS) for one in sent)
        return await asyncio.gather(*waiting, return_exceptions=True)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()


def destination_at(scheme: str, rest: str, posting: Posting | None) -> NatsSubject:
    """That of an address. Raises InputError, and MissingPackageError."""
    return NatsSubject(Server.of(NATS, scheme, rest, is_read=False), posting)
