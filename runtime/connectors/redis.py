"""Streams of Redis: entries are read, and added.

redis://host:6379/stream            rediss://user@host/stream: the same over TLS
    ?from=end                       at first only what comes from now on, not what is there
    &db=1&field=data                another database; the field of an entry with the text
    &maxlen=N                       of an output: about how many entries are kept
    &password-file=FILE&ca=FILE&insecure
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from lars2asp.runtime.connectors.address import Address, Form
from lars2asp.runtime.connectors.connector import Connector, InputConnector, Message, OutputConnector
from lars2asp.runtime.connectors.message_destination import destination_by
from lars2asp.runtime.connectors.message_feed import feed_by
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed

REDIS = Form(
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

ANSWER_SECONDS = 5.0
"""For how long an answer of the server is waited for."""

_FIRST = "0-0"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


class _Redis(Connector):
    """How to come to a server of Redis. Raises MissingPackageError, and InputError for wrong options."""

    def __init__(self, address: Address) -> None:
        self.name = address.name
        self._address = address
        self._redis = needed("redis", "redis", address.name)
        self.errors = (self._redis.exceptions.RedisError,)
        self._field = address.options.get("field", FIELD)
        address.tls()
        self._database = address.options.get("db", "0")
        self._server = address.server("name one server only")
        if not (self._database.isascii() and self._database.isdigit()):
            raise InputError(f"{self.name}: db must be a number, such as db=0")

    def _connect(self) -> None:
        """Makes a client, which connects when it is asked for something, and asks once: what it sent may
        have come."""
        address, package = self._address, self._redis.__name__
        tls = {}
        if address.is_secure:
            checks = "none" if "insecure" in address.options else "required"
            tls = {"ssl": True, "ssl_ca_certs": address.options.get("ca"), "ssl_cert_reqs": checks}
            tls["ssl_check_hostname"] = checks == "required"
        never = needed(f"{package}.backoff", "redis", self.name).NoBackoff()
        self.connection = self._redis.Redis(
            *self._server,
            db=int(self._database),
            username=address.user,
            password=address.password,
            socket_connect_timeout=ANSWER_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            socket_keepalive=True,
            protocol=2,
            retry=needed(f"{package}.retry", "redis", self.name).Retry(never, 0),
            **tls,
        )

    def refusal(self, error: Exception) -> InputError | None:
        errors = self._redis.exceptions
        if isinstance(error, errors.AuthenticationError | errors.NoPermissionError):
            return InputError(f"{self.name}: {error}: check user and password")
        passing = (errors.BusyLoadingError, errors.OutOfMemoryError, errors.ReadOnlyError)
        if isinstance(
            error, (*passing, errors.ClusterDownError, errors.MasterDownError, errors.TryAgainError)
        ):
            return None  # also if another server takes over
        return InputError(f"{self.name}: {error}") if isinstance(error, errors.ResponseError) else None


class RedisInput(_Redis, InputConnector):
    """The entries of a stream; the position of an entry is its id.

    The text of an entry is that of its field `data`; if it has none, a JSON record of all its fields, of
    which numbers are numbers. No group is joined.
    """

    def __init__(self, text: str) -> None:
        super().__init__(address := Address.of(REDIS, text, is_read=True))
        self.source = address.topic
        self._begins_at_end = address.begins_at_end

    def open(self, last: str | None, count: int) -> str:
        """See InputConnector."""
        self._connect()
        try:
            about = self.connection.xinfo_stream(self.source)
        except self._redis.exceptions.ResponseError as error:
            if "no such key" not in str(error):
                raise
            self.warn(f"there is no stream {self.source} yet; it is waited for")
            about = {}
        latest = _text(about.get("last-generated-id", _FIRST))
        if last is None:
            last = latest if self._begins_at_end else _FIRST
        if _order(last) > _order(latest):
            raise InputError(
                f"{self.name}: the checkpoint is at entry {last}, but the stream ends at "
                f"{latest}: this is another stream; remove the checkpoint folder to start over"
            )
        if last not in (_FIRST, latest):
            self._say_what_is_removed(about, last, count)
        return last

    def messages(self, last: str) -> list[Message]:
        """See InputConnector."""
        found = self.connection.xread({self.source: last}, count=MOST_AT_ONCE, block=BLOCK_MILLISECONDS)
        [(_, entries)] = found or [(self.source, [])]
        return [Message(_text(entry), self._data(fields)) for entry, fields in entries]

    def _say_what_is_removed(self, about: Mapping[str, Any], last: str, count: int) -> None:
        """Says whether entries behind the last one that was read were removed, as far as that can be known.

        XDEL leaves the id of the last entry that it removes, XTRIM nothing: if it has removed the entry
        `last` too, it may have removed more. The server counts all entries ever added, the run those it read.
        """
        first = about.get("first-entry")
        if _order(_text(about.get("max-deleted-entry-id", _FIRST))) > _order(last):
            self.warn(f"entries after {last} were removed before they were read")
        elif first is None or _order(_text(first[0])) > _order(last):
            added = about.get("entries-added")  # from Redis 7 on
            most = None if added is None else added - about["length"] - count
            if most is None or most > 0:
                some = "entries" if most is None else f"up to {most} entries"
                self.warn(f"{some} after {last} may have been removed before they were read")

    def _data(self, fields: Mapping[bytes, bytes]) -> bytes:
        """The text of an entry."""
        data = fields.get(self._field.encode())
        if data is not None:
            return data
        values = {_text(name): _text(value) for name, value in fields.items()}
        texts = (
            f"{json.dumps(name)}:{value if _NUMBER.fullmatch(value) else json.dumps(value)}"
            for name, value in values.items()
        )
        return f"{{{','.join(texts)}}}".encode()


class RedisOutput(_Redis, OutputConnector):
    """Adds an entry for each message."""

    all_or_none = True

    def __init__(self, text: str) -> None:
        super().__init__(address := Address.of(REDIS, text, is_read=False))
        most = address.options.get("maxlen")
        if most is not None and not (most.isascii() and most.isdigit() and int(most)):
            raise InputError(f"{self.name}: maxlen must be a number of entries")
        self._most = None if most is None else int(most)

    def open(self) -> None:
        """See OutputConnector."""
        self._connect()

    def send(self, messages: Sequence[bytes]) -> Iterator[int]:
        """See OutputConnector."""
        with self.connection.pipeline(transaction=True) as pipeline:
            for text in messages:
                pipeline.xadd(self._address.topic, {self._field: text}, maxlen=self._most, approximate=True)
            pipeline.execute()
        yield len(messages)


input_at = partial(feed_by, RedisInput)
output_at = partial(destination_by, RedisOutput)


def _text(value: bytes | str) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def _order(entry: str) -> tuple[int, int]:
    """The order of ids."""
    time, _, number = entry.partition("-")
    return int(time), int(number)
