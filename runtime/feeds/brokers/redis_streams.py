"""Entries of a stream of Redis."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from math import inf
from threading import Event
from time import monotonic
from typing import Any

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.feeds.brokers.server import Kind, Server
from lars2asp.runtime.feeds.feed import Lines
from lars2asp.runtime.feeds.limited_warnings import LimitedWarnings
from lars2asp.runtime.sources.records import LARGEST_RECORD, Line

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


@dataclass(frozen=True)
class RedisLimits:
    """Limits of waiting for a server of Redis.

    Attributes:
        answer_seconds: what does not answer for this time is not a server; one that was there is waited for.
        again_seconds: the wait before the next attempt to connect.
    """

    answer_seconds: float = 10
    again_seconds: float = 0.5


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
            raise InputError(f"{server.name}: a stream has one server")
        if not (self._database.isascii() and self._database.isdigit()):
            raise InputError(f"{server.name}: db is a number")

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


@dataclass(eq=False, repr=False)
class RedisFeed:
    """Reads the entries of a stream, in their order.

    The text of an entry is that of its field `data`, one or more lines; where it has none, a JSON record of
    all its fields, of which numbers are numbers. The source of a line is the stream, its number that of the
    entry, counted over all parts of the run. A position is the id of the entry before, how many lines of the
    next one are behind it, and how many entries were read. No group is joined.

    A server that was there is waited for, however long it is gone.

    Raises MissingPackageError, and InputError for options that it cannot have.

    Attributes:
        server: the stream, and where it is.
        largest_record: in bytes, the length beyond which only the beginning of a record is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
        limits: of waiting.
        name: the address, without user and password.
    """

    server: Server
    _: KW_ONLY
    largest_record: int = LARGEST_RECORD
    encoding: str | None = None
    limits: RedisLimits = RedisLimits()

    def __post_init__(self) -> None:
        self.name = self.server.name
        self._client = RedisClient(self.server)
        self._begins_at_end = self.server.choice("from", "beginning", "end") == "end"
        self._position: tuple[str, int, int] | None = None
        self._lines = Lines(self.server.topic, self.largest_record, self.encoding)
        self._warnings = LimitedWarnings(self.name)

    def go_on(self, positions: Mapping[str, Any]) -> None:
        """`run` goes on from positions; see `PositionedFeed`."""
        if self.server.topic in positions:
            last, lines, count = positions[self.server.topic]
            self._position = last, lines, count

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until `stop` is set; see `Feed`."""
        errors = self._client.redis.exceptions
        end = monotonic() + self.limits.answer_seconds if self._position is None else inf
        while not stop.is_set():
            client = self._client.connected(self.limits.answer_seconds)
            try:
                self._begin(client)
                end = inf
                assert self._position is not None
                emit(Line(self.server.topic, 0, "", position=self._position))
                while not stop.is_set():
                    for line in self._next(client):
                        emit(line)
                        if stop.is_set():
                            return
            except errors.RedisError as error:
                refusal = self._client.refusal(error)
                if refusal is not None:
                    raise refusal from error
                if monotonic() > end:
                    hint = "is the server running, and is it the right address?"
                    raise InputError(f"{self.name}: {error}; {hint}") from error
                if end == inf:
                    self._warnings.say(f"{error}; it is waited for")
                stop.wait(self.limits.again_seconds)
            finally:
                client.close()

    def _begin(self, client: Any) -> None:
        """Finds out where to read on. Raises InputError where the stream is another one than before."""
        topic = self.server.topic
        try:
            about = client.xinfo_stream(topic)
        except self._client.redis.exceptions.ResponseError as error:
            if "no such key" not in str(error):
                raise
            self._warnings.say(f"there is no stream {topic} yet; it is waited for")
            about = {}
        latest = _text(about.get("last-generated-id", _FIRST))
        if self._position is None:
            self._position = (latest if self._begins_at_end else _FIRST), 0, 0
        last, _, count = self._position
        if _order(last) > _order(latest):
            raise InputError(
                f"{self.name}: the run has come to entry {last}, and the stream to {latest}: it is "
                "another one than before; remove the folder of the checkpoint to begin anew"
            )
        if last not in (_FIRST, latest):
            self._say_what_is_removed(about, last, count)

    def _say_what_is_removed(self, about: Mapping[str, Any], last: str, count: int) -> None:
        """Says whether entries behind the last one that was read were removed, as far as that can be known.

        XDEL leaves the id of the last entry that it removes, XTRIM nothing: where it has removed the entry
        `last` too, it may have removed more. The server counts all entries ever added, the run those it read.
        """
        first = about.get("first-entry")
        if _order(_text(about.get("max-deleted-entry-id", _FIRST))) > _order(last):
            self._warnings.say(f"entries behind {last} were removed before they were read")
        elif first is None or _order(_text(first[0])) > _order(last):
            added = about.get("entries-added")  # from Redis 7 on
            most = None if added is None else added - about["length"] - count
            if most is None or most > 0:
                some = "entries" if most is None else f"up to {most} entries"
                self._warnings.say(f"{some} behind {last} may have been removed before they were read")

    def _next(self, client: Any) -> Iterator[Line]:
        """The lines of the next entries; none where there are none for a while."""
        assert self._position is not None
        topic = self.server.topic
        found = client.xread({topic: self._position[0]}, count=MOST_AT_ONCE, block=BLOCK_MILLISECONDS)
        [(_, entries)] = found or [(topic, [])]
        for entry, fields in entries:
            last, taken, count = self._position
            behind = _text(entry), 0, count + 1
            lines = [*self._lines.whole(self._data(fields))]
            for number, line in enumerate(lines, start=1):
                self._position = behind if number == len(lines) else (last, number, count)
                if number > taken:
                    yield line._replace(number=count + 1, position=self._position)
            self._position = behind

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


def _text(value: bytes | str) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def _order(entry: str) -> tuple[int, int]:
    """The order of ids."""
    time, _, number = entry.partition("-")
    return int(time), int(number)
