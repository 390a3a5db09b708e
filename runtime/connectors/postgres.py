"""Rows of a table of Postgres behind a key, or what is notified on a channel."""

from collections.abc import Generator
from threading import Event
from time import monotonic, sleep
from typing import Any

from lars2asp.runtime.connectors.feed import POLL_SECONDS
from lars2asp.runtime.connectors.limited_warnings import LimitedWarnings
from lars2asp.runtime.connectors.message_feed import Message, MessageFeed, PassingFeed
from lars2asp.runtime.connectors.server import Kind, Server
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.syntax.source import shown

POSTGRES = Kind(
    "postgres",
    None,
    5432,
    5432,
    "postgres://user@localhost/database?table=alarms&password-file=FILE",
    ("table", "key", "column", "from", "listen"),
    ("table",),
)
ANSWER_SECONDS = 10
"""For how long a connection is waited for."""

MOST_AT_ONCE = 1000
"""The number of rows that are looked for at once."""

LOOK_SECONDS = 0.2
"""The time between two looks for rows, and for what writes them."""

LONG_SECONDS = 60.0
"""After this time it is said that a transaction is waited for."""

_REFUSALS = ("0A", "22", "23", "28", "3D", "42")
"""The classes of errors that stay: of features, values, constraints, users, databases and names."""

_FULL = ("too many", "connection slots")
"""What a server says that has no room for a connection."""

_CURE = "check database, user and password"


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


class PostgresClient:
    """How to come to a database.

    Args:
        server: the database, and where it is.
        name: what messages call what is read or written of it.

    Attributes:
        name: that name.
        psycopg: the package.
        sql: its module that composes queries.

    Raises MissingPackageError, and InputError for options that it cannot have.
    """

    def __init__(self, server: Server, name: str) -> None:
        self._server = server
        self.name = name
        self.psycopg = needed("psycopg", "postgres", server.name)
        self.sql = needed("psycopg.sql", "postgres", server.name)
        self._was_connected = False
        if len(server.hosts) > 1:
            raise InputError(f"{server.name}: name one server")

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What connections raise."""
        return (self.psycopg.Error,)

    def refusal(self, error: Exception) -> InputError | None:
        """What a server says that will not change; None for what may."""
        reason = _reason(error)
        if (getattr(error, "sqlstate", None) or "").startswith(_REFUSALS):
            return InputError(f"{self.name}: {reason}")
        if "password authentication failed" in reason or "no password supplied" in reason:
            return InputError(f"{self.name}: {reason}: {_CURE}")
        return None

    def connected(self) -> Any:
        """A connection. Raises psycopg.Error, and InputError where a server refuses the first of the run.

        Errors of connecting have no code. A server that takes connections, and still refuses this one, does
        so the next time too; one that begins or ends takes none.
        """
        made = self._first_connected() if not self._was_connected else self._connect()
        self._was_connected = True
        return made

    def table(self, name: str) -> Any:
        """A table, with its schema where that is named, as queries have it."""
        return self.sql.Identifier(*name.split("."))

    def _first_connected(self) -> Any:
        try:
            return self._connect()
        except self.psycopg.OperationalError:
            pq = self.psycopg.pq
            if pq.PGconn.ping(self._conninfo().encode()) != pq.Ping.OK:
                raise
        try:
            return self._connect()  # it may have begun in between
        except self.psycopg.errors.ConnectionTimeout:
            raise
        except self.psycopg.OperationalError as error:
            reason = _reason(error)
            if any(sign in reason for sign in _FULL):
                raise
            raise InputError(f"{self.name}: {reason}: {_CURE}") from error

    def _connect(self) -> Any:
        return self.psycopg.connect(self._conninfo(), autocommit=True)

    def _conninfo(self) -> str:
        [(host, port)] = self._server.hosts
        made: str = self.psycopg.conninfo.make_conninfo(
            host=host,
            port=port,
            dbname=self._server.topic,
            user=self._server.user,
            password=self._server.password,
            connect_timeout=ANSWER_SECONDS,
            application_name="lars2asp",
        )
        return made


class PostgresFeed(MessageFeed):
    """Reads the rows of a table in the order of a key.

    The text of a row is a JSON record of its columns, or that of the one that the address names. What is
    changed or deleted later is not read.
    """

    _client: PostgresClient

    def __post_init__(self) -> None:
        options = self.server.options
        if not {"table", "key"} <= {*options} or "listen" in options:
            raise InputError(
                f"{self.server.name}: name a table and its key, as in ?table=readings&key=id, or a "
                "channel, as in ?listen=readings"
            )
        super().__post_init__()

    @property
    def source(self) -> str:
        """The table."""
        return self.server.options["table"]

    def _named(self) -> str:
        return f"{self.server.name}?table={self.source}"

    def _made(self) -> PostgresClient:
        return PostgresClient(self.server, self.name)

    def _opened(self) -> "_Rows":
        options = self.server.options
        return _Rows(
            self._client.connected(),
            self._client,
            (options["table"], options["key"], options.get("column")),
            self._warnings,
            begins_at_end=self._begins_at_end,
        )


class _Rows:
    """The rows of a table; see `Reader`. What tells a row from others is `[its key]`, `[]` is before all.

    Keys are given when a row is inserted, and rows are seen when its transaction ends: a row may come behind
    others with higher keys. Whoever inserts holds a lock of the table from before a key is given until then.
    So rows are looked for, who has this lock is waited for, and then all up to the highest of them are read.
    """

    def __init__(
        self,
        connection: Any,
        client: PostgresClient,
        columns: tuple[str, str, str | None],
        warnings: LimitedWarnings,
        *,
        begins_at_end: bool,
    ) -> None:
        self._connection = connection
        self._client = client
        self._table, self._key, self._column = columns
        self._warnings = warnings
        self._begins_at_end = begins_at_end
        self._oid = 0
        self._type = ""
        self._bound: str | None = None
        """The highest key of the rows that were found; None while there are none."""
        self._writers: set[str] = set()
        """Those that are waited for before these are read."""
        self._since = 0.0

    def begin(self, last: list[str] | None, count: int) -> list[str]:
        """Looks at the table. Raises InputError where it is not there, or has no such key."""
        del count
        name, table, key = self._client.name, shown(self._table), shown(self._key)
        quoted = self._client.table(self._table).as_string(self._connection)
        [found] = self._rows("SELECT to_regclass(%s)::oid", quoted)
        if found[0] is None:
            raise InputError(f"{name}: there is no table {table}, or this user may not read it")
        self._oid = int(found[0])
        asked = "SELECT attname, attnum, format_type(atttypid, atttypmod) FROM pg_attribute"
        columns = self._rows(f"{asked} WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped", self._oid)
        names = [column for column, _, _ in columns]
        for column in (self._key, self._column):
            if column is not None and column not in names:
                all_names = shown(", ".join(names))
                raise InputError(f"{name}: {table} lacks column {shown(column)}: its columns are {all_names}")
        [(number, self._type)] = [rest for column, *rest in columns if column == self._key]
        asked = "SELECT 1 FROM pg_index WHERE indrelid = %s AND indisunique AND indpred IS NULL"
        is_key = self._rows(f"{asked} AND indkey::text = %s", self._oid, str(number))
        [(kind, is_standby)] = self._rows(
            "SELECT relkind::text, pg_is_in_recovery() FROM pg_class WHERE oid = %s", self._oid
        )
        if kind in ("r", "p") and not is_key:
            raise InputError(
                f"{name}: {key} has no unique index, so lars2asp cannot continue after a row: name a "
                "column with a unique index whose new values are higher, such as a serial number"
            )
        if is_standby or kind not in ("r", "p"):
            what = "a standby" if is_standby else "no table"
            self._warnings.say(
                f"it is {what}, which does not show who is writing: a row whose transaction ends after that "
                "of one with a higher key may be missed"
            )
        if last is not None:
            return last
        if not self._begins_at_end:
            return []
        asked = (
            "SELECT {key}::text FROM {table} AS one WHERE {key} IS NOT NULL ORDER BY one.{key} DESC LIMIT 1"
        )
        return [key for (key,) in self._rows(self._composed(asked))]

    def messages(self, last: list[str]) -> list[Message]:
        """The next rows; none where there are none for a while."""
        if self._bound is None:
            behind = "WHERE {key} > %s::{type}" if last else "WHERE {key} IS NOT NULL"
            some = f"SELECT {{key}} AS k FROM {{table}} {behind} ORDER BY {{key}} LIMIT {MOST_AT_ONCE}"
            highest = f"SELECT k::text FROM ({some}) AS found ORDER BY found.k DESC LIMIT 1"
            found = self._rows(self._composed(highest), *last)
            if not found:
                sleep(LOOK_SECONDS)
                return []
            [(self._bound,)] = found
            self._writers, self._since = self._writing(), monotonic()
        elif self._writers:
            self._writers &= self._writing()
        if self._writers:
            if monotonic() - self._since > LONG_SECONDS:
                self._warnings.say("a transaction that writes to the table does not end; it is waited for")
            sleep(LOOK_SECONDS / 4)
            return []
        bound, self._bound = self._bound, None
        behind = "{key} > %s::{type} AND" if last else ""
        given = "coalesce({column}::text, '')" if self._column is not None else "row_to_json(one)::text"
        rows = self._rows(
            self._composed(
                f"SELECT {{key}}::text, {given} FROM {{table}} AS one WHERE {behind} {{key}} <= %s::{{type}} "
                "ORDER BY one.{key}"  # the name alone would be that of the text
            ),
            *last,
            bound,
        )
        return [Message([key], text.encode()) for key, text in rows]

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def _writing(self) -> set[str]:
        """The transactions that may have inserted rows which are not seen yet."""
        asked = (
            "SELECT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND granted "
            "AND mode = 'RowExclusiveLock' "
            "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
            "AND (relation = %s OR relation IN (SELECT relid FROM pg_partition_tree(%s::oid::regclass)))"
        )
        return {one for (one,) in self._rows(asked, self._oid, self._oid)}

    def _composed(self, query: str) -> Any:
        sql = self._client.sql
        return sql.SQL(query).format(
            table=self._client.table(self._table),
            key=sql.Identifier(self._key),
            column=sql.Identifier(self._column or ""),
            type=sql.SQL(self._type),
        )

    def _rows(self, query: Any, *values: Any) -> list[Any]:
        found: list[Any] = self._connection.execute(query, values or None).fetchall()
        return found


class PostgresChannelFeed(PassingFeed):
    """Reads what is notified on a channel."""

    _client: PostgresClient

    def __post_init__(self) -> None:
        if others := [name for name in ("table", "key", "column", "from") if name in self.server.options]:
            raise InputError(
                f"{self.server.name}: a channel needs no {others[0]}: remove it, or remove listen"
            )
        super().__post_init__()

    @property
    def source(self) -> str:
        """The channel."""
        return self.server.options["listen"]

    def _named(self) -> str:
        return f"{self.server.name}?listen={self.source}"

    def _made(self) -> PostgresClient:
        return PostgresClient(self.server, self.name)

    def _messages(self, stop: Event) -> Generator[bytes, None, None]:
        with self._client.connected() as connection:
            channel = self._client.sql.Identifier(self.source)
            connection.execute(self._client.sql.SQL("LISTEN {}").format(channel))
            yield b""
            while not stop.is_set():
                for one in connection.notifies(timeout=POLL_SECONDS):
                    yield one.payload.encode()


def feed_at(
    scheme: str, rest: str, largest_record: int, encoding: str | None
) -> PostgresFeed | PostgresChannelFeed:
    """The feed of an address. Raises InputError, and MissingPackageError."""
    server = Server.of(POSTGRES, scheme, rest, is_read=True)
    feed = PostgresChannelFeed if "listen" in server.options else PostgresFeed
    return feed(server, largest_record=largest_record, encoding=encoding)
