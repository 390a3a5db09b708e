"""Answers as entries of a stream of Redis."""

from collections.abc import Iterator, Sequence
from typing import Any

from lars2asp.runtime.connectors.message_destination import BrokerMessages
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.connectors.redis import REDIS, RedisClient
from lars2asp.runtime.connectors.server import Server
from lars2asp.runtime.errors import InputError

ANSWER_SECONDS = 5.0
"""For how long an answer of the server is waited for."""


class RedisStream(BrokerMessages):
    """Adds an entry for each line, in order; those that are sent at once are added all or none.

    Args:
        server: the stream, and where it is.
        posting: makes the texts of the entries.

    Raises MissingPackageError, and InputError for options that it cannot have.
    """

    def __init__(self, server: Server, posting: Posting | None = None) -> None:
        self._stream = server.topic
        self._client = RedisClient(server)
        super().__init__(server.name, self._client, posting)
        most = server.options.get("maxlen")
        if most is not None and not (most.isascii() and most.isdigit() and int(most)):
            raise InputError(f"{self.name}: maxlen must be a number of entries")
        self._most = None if most is None else int(most)

    def _opened(self) -> "_Adding":
        connection = self._client.connected(ANSWER_SECONDS)
        return _Adding(connection, self._stream, self._client.field, self._most)


class _Adding:
    """Adds entries; see `Sender`."""

    def __init__(self, connection: Any, stream: str, field: str, most: int | None) -> None:
        self._connection = connection
        self._stream = stream
        self._field = field
        self._most = most

    def send(self, payloads: Sequence[bytes]) -> Iterator[int]:
        """Adds all or none."""
        with self._connection.pipeline(transaction=True) as pipeline:
            for payload in payloads:
                pipeline.xadd(self._stream, {self._field: payload}, maxlen=self._most, approximate=True)
            pipeline.execute()
        yield len(payloads)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()


def destination_at(scheme: str, rest: str, posting: Posting | None) -> RedisStream:
    """That of an address. Raises InputError, and MissingPackageError."""
    return RedisStream(Server.of(REDIS, scheme, rest, is_read=False), posting)
