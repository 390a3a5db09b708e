"""Entries of a stream of Redis."""

import json
import re
from collections.abc import Mapping
from typing import Any

from lars2asp.runtime.connectors.limited_warnings import LimitedWarnings
from lars2asp.runtime.connectors.message_feed import Message, MessageFeed
from lars2asp.runtime.connectors.server import Kind, Server
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed

REDIS = Kind(
    "redis",
    "rediss",
    6379,
    6379,
    "redis://localhost:6379/readings",
    ("from", "db", "field"),
    ("db", "field", "maxlen"),
)
FIELD = "data"
"""The field of an entry that has its text, unless the address says another one."""

MOST_AT_ONCE = 1000
"""The number of entries that are read at once."""

BLOCK_MILLISECONDS = 200
"""For how long the server waits for entries before the run is asked whether it ends."""

_FIRST = "0-0"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


class RedisClient:
    """How to come to a server of Redis.

    Args:
        server: the server.

    Attributes:
        redis: the package.
        field: the field of an entry that has its text.

    Raises MissingPackageError, and InputError for options that it cannot have.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self.redis = needed("redis", "redis", server.name)
        self.field = server.options.get("field", FIELD)
        server.check_authority()
        self._database = server.options.get("db", "0")
        if len(server.hosts) > 1:
            raise InputError(f"{server.name}: name one server only")
        if not (self._database.isascii() and self._database.isdigit()):
            raise InputError(f"{server.name}: db must be a number, such as db=0")

    def connected(self, seconds: float) -> Any:
        """A client, which connects when it is asked for something; an answer may take some seconds."""
        server, [(host, port)] = self._server, self._server.hosts
        tls = {}
        if server.is_secure:
            checks = "none" if "insecure" in server.options else "required"
            tls = {"ssl": True, "ssl_ca_certs": server.options.get("ca"), "ssl_cert_reqs": checks}
            tls["ssl_check_hostname"] = checks == "required"
        return self.redis.Redis(
            host,
            port,
            db=int(self._database),
            username=server.user,
            password=server.password,
            socket_connect_timeout=seconds,
            socket_timeout=seconds,
            socket_keepalive=True,
            protocol=2,
            retry=needed("redis.retry", "redis", server.name).Retry(self._none(), 0),
            **tls,
        )

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What connections raise."""
        return (self.redis.exceptions.RedisError,)

    def _none(self) -> Any:
        """No attempts by the client itself: what was sent may have come."""
        return needed("redis.backoff", "redis", self._server.name).NoBackoff()

    def refusal(self, error: Exception) -> InputError | None:
        """What a server says that will not change; None for what may."""
        errors, name = self.redis.exceptions, self._server.name
        if isinstance(error, errors.AuthenticationError | errors.NoPermissionError):
            return InputError(f"{name}: {error}: check user and password")
        passing = (errors.BusyLoadingError, errors.OutOfMemoryError, errors.ReadOnlyError)
        if isinstance(
            error, (*passing, errors.ClusterDownError, errors.MasterDownError, errors.TryAgainError)
        ):
            return None  # also where another server takes over
        if isinstance(error, errors.ResponseError):
            return InputError(f"{name}: {error}")
        return None


class RedisFeed(MessageFeed):
    """Reads the entries of a stream.

    The text of an entry is that of its field `data`; where it has none, a JSON record of all its fields, of
    which numbers are numbers. No group is joined.
    """

    _client: RedisClient

    def _made(self) -> RedisClient:
        return RedisClient(self.server)

    def _opened(self) -> "_Stream":
        client = self._client.connected(self.limits.answer_seconds)
        return _Stream(client, self._client, self.server, self._warnings, begins_at_end=self._begins_at_end)


class _Stream:
    """A stream that is read; see `Reader`. What tells an entry from others is its id."""

    def __init__(
        self,
        connection: Any,
        client: RedisClient,
        server: Server,
        warnings: LimitedWarnings,
        *,
        begins_at_end: bool,
    ) -> None:
        self._connection = connection
        self._client = client
        self._server = server
        self._warnings = warnings
        self._begins_at_end = begins_at_end

    def begin(self, last: str | None, count: int) -> str:
        """Finds out where to read on. Raises InputError where the stream is another one than before."""
        topic = self._server.topic
        try:
            about = self._connection.xinfo_stream(topic)
        except self._client.redis.exceptions.ResponseError as error:
            if "no such key" not in str(error):
                raise
            self._warnings.say(f"there is no stream {topic} yet; it is waited for")
            about = {}
        latest = _text(about.get("last-generated-id", _FIRST))
        if last is None:
            last = latest if self._begins_at_end else _FIRST
        if _order(last) > _order(latest):
            raise InputError(
                f"{self._server.name}: the checkpoint is at entry {last}, but the stream ends at "
                f"{latest}: this is another stream; remove the checkpoint folder to start over"
            )
        if last not in (_FIRST, latest):
            self._say_what_is_removed(about, last, count)
        return last

    def messages(self, last: str) -> list[Message]:
        """The next entries; none where there are none for a while."""
        topic = self._server.topic
        found = self._connection.xread({topic: last}, count=MOST_AT_ONCE, block=BLOCK_MILLISECONDS)
        [(_, entries)] = found or [(topic, [])]
        return [Message(_text(entry), self._data(fields)) for entry, fields in entries]

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def _say_what_is_removed(self, about: Mapping[str, Any], last: str, count: int) -> None:
        """Says whether entries behind the last one that was read were removed, as far as that can be known.

        XDEL leaves the id of the last entry that it removes, XTRIM nothing: where it has removed the entry
        `last` too, it may have removed more. The server counts all entries ever added, the run those it read.
        """
        first = about.get("first-entry")
        if _order(_text(about.get("max-deleted-entry-id", _FIRST))) > _order(last):
            self._warnings.say(f"entries after {last} were removed before they were read")
        elif first is None or _order(_text(first[0])) > _order(last):
            added = about.get("entries-added")  # from Redis 7 on
            most = None if added is None else added - about["length"] - count
            if most is None or most > 0:
                some = "entries" if most is None else f"up to {most} entries"
                self._warnings.say(f"{some} after {last} may have been removed before they were read")

    def _data(self, fields: Mapping[bytes, bytes]) -> bytes:
        """The text of an entry."""
        data = fields.get(self._client.field.encode())
        if data is not None:
            return data
        values = {_text(name): _text(value) for name, value in fields.items()}
        texts = (
            f"{json.dumps(name)}:{value if _NUMBER.fullmatch(value) else json.dumps(value)}"
            for name, value in values.items()
        )
        return f"{{{','.join(texts)}}}".encode()


def feed_at(scheme: str, rest: str, largest_record: int, encoding: str | None) -> RedisFeed:
    """The feed of an address. Raises InputError, and MissingPackageError."""
    server = Server.of(REDIS, scheme, rest, is_read=True)
    return RedisFeed(server, largest_record=largest_record, encoding=encoding)


def _text(value: bytes | str) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def _order(entry: str) -> tuple[int, int]:
    """The order of ids."""
    time, _, number = entry.partition("-")
    return int(time), int(number)
