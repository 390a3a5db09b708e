"""Answers as entries of a stream of Redis."""

from collections.abc import Sequence
from typing import Any

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.feeds.brokers.redis_streams import RedisClient
from lars2asp.runtime.feeds.brokers.server import Server
from lars2asp.runtime.sinks.delivery.delivering import MOST_LINES, UnreachableError
from lars2asp.runtime.sinks.delivery.posting import Posting

ANSWER_SECONDS = 5.0
"""For how long an answer of the server is waited for."""


class RedisStream:
    """Adds an entry for each line, in order; those that are sent at once are added all or none.

    Args:
        server: the stream, and where it is.
        posting: makes the texts of the entries.

    Raises MissingPackageError, and InputError for options that it cannot have.
    """

    def __init__(self, server: Server, posting: Posting | None = None) -> None:
        self.name = server.name
        self.most_lines = MOST_LINES
        self._stream = server.topic
        self._posting = posting or Posting()
        self._client = RedisClient(server)
        most = server.options.get("maxlen")
        if most is not None and not (most.isascii() and most.isdigit() and int(most)):
            raise InputError(f"{self.name}: maxlen is a number of entries")
        self._most = None if most is None else int(most)
        self._connection: Any = None

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Adds entries; see `Destination`."""
        if self._connection is None:
            self._connection = self._client.connected(ANSWER_SECONDS)
        try:
            with self._connection.pipeline(transaction=True) as pipeline:
                for line in lines:
                    entry = {self._client.field: self._posting.payload(line)}
                    pipeline.xadd(self._stream, entry, maxlen=self._most, approximate=True)
                pipeline.execute()
        except self._client.redis.exceptions.RedisError as error:
            refusal = self._client.refusal(error)
            if refusal is not None:
                raise refusal from error
            raise UnreachableError(str(error) or type(error).__name__) from error

    def close(self) -> None:
        """Closes the connection; see `Destination`."""
        if self._connection is not None:
            self._connection.close()
