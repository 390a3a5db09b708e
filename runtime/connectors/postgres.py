"""Tables of Postgres, whose rows are read behind a key and inserted, and what is notified on channels.

postgres://user@host/db?table=readings&key=id
    rows in the order of a key, each a JSON record; as an output, without a key: a row for each answer
    &from=end&column=data           at first only what comes from now on; the text of one column
postgres://user@host/db?listen=readings
    what is notified on a channel while the run is there
    &password-file=FILE
"""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from time import monotonic, sleep
from typing import Any

from lars2asp.runtime.connectors.address import Address, Form
from lars2asp.runtime.connectors.connector import Connector, InputConnector, Message, OutputConnector
from lars2asp.runtime.connectors.feed import POLL_SECONDS
from lars2asp.runtime.connectors.message_destination import destination_by
from lars2asp.runtime.connectors.message_feed import feed_by
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.syntax.source import shown

POSTGRES = Form(
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


class _Postgres(Connector):
    """How to come to a database. Raises MissingPackageError, and InputError for wrong options."""

    def __init__(self, address: Address, what: str) -> None:
        self.name = f"{address.name}?{what}={address.options[what]}"
        self._address = address
        self._psycopg = needed("psycopg", "postgres", address.name)
        self._sql = needed("psycopg.sql", "postgres", address.name)
        self.errors = (self._psycopg.Error,)
        self._was_connected = False
        address.server("name one server")

    def refusal(self, error: Exception) -> InputError | None:
        """See Connector."""
        reason = _reason(error)
        if (getattr(error, "sqlstate", None) or "").startswith(_REFUSALS):
            return InputError(f"{self.name}: {reason}")
        if "password authentication failed" in reason or "no password supplied" in reason:
            return InputError(f"{self.name}: {reason}: {_CURE}")
        return None

    def _connect(self) -> None:
        """Connects. Raises psycopg.Error, and InputError if a server refuses the first connection of the run.

        Errors of connecting have no code. A server that takes connections, and still refuses this one, does
        so the next time too; one that begins or ends takes none.
        """
        self.connection = self._connected() if self._was_connected else self._first_connected()
        self._was_connected = True

    def _identifier(self, table: str) -> Any:
        """A table, with its schema if that is named, as queries have it."""
        return self._sql.Identifier(*table.split("."))

    def _first_connected(self) -> Any:
        try:
            return self._connected()
        except self._psycopg.OperationalError:
            pq = self._psycopg.pq
            if pq.PGconn.ping(self._conninfo().encode()) != pq.Ping.OK:
                raise
        try:
            return self._connected()  # it may have begun in between
        except self._psycopg.errors.ConnectionTimeout:
            raise
        except self._psycopg.OperationalError as error:
            reason = _reason(error)
            if any(sign in reason for sign in _FULL):
                raise
            raise InputError(f"{self.name}: {reason}: {_CURE}") from error

    def _connected(self) -> Any:
        return self._psycopg.connect(self._conninfo(), autocommit=True)

    def _conninfo(self) -> str:
        host, port = self._address.hosts[0]
        made: str = self._psycopg.conninfo.make_conninfo(
            host=host,
            port=port,
            dbname=self._address.topic,
            user=self._address.user,
            password=self._address.password,
            connect_timeout=ANSWER_SECONDS,
            application_name="lars2asp",
        )
        return made


class PostgresInput(_Postgres, InputConnector):
    """The rows of a table in the order of a key; the position of a row is `[its key]`, `[]` is before all.

    The text of a row is a JSON record of its columns, or that of the one that the address names. What is
    changed or deleted later is not read.

    Keys are given when a row is inserted, and rows are seen when its transaction ends: a row may come behind
    others with higher keys. Whoever inserts holds a lock of the table from before a key is given until then.
    So rows are looked for, who has this lock is waited for, and then all up to the highest of them are read.
    """

    def __init__(self, address: Address) -> None:
        options = address.options
        if not {"table", "key"} <= {*options} or "listen" in options:
            raise InputError(
                f"{address.name}: name a table and its key, as in ?table=readings&key=id, or a "
                "channel, as in ?listen=readings"
            )
        super().__init__(address, "table")
        self.source = self._table = options["table"]
        self._key, self._column = options["key"], options.get("column")
        self._begins_at_end = address.begins_at_end
        self._oid = 0
        self._type = ""
        self._bound: str | None = None
        """The highest key of the rows that were found; None while there are none."""
        self._writers: set[str] = set()
        """Those that are waited for before these are read."""
        self._since = 0.0

    def open(self, last: list[str] | None, count: int) -> list[str]:
        """Looks at the table; see InputConnector."""
        self._connect()
        self._bound, self._writers = None, set()
        name, table, key = self.name, shown(self._table), shown(self._key)
        quoted = self._identifier(self._table).as_string(self.connection)
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
            self.warn(
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
        """See InputConnector."""
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
                self.warn("a transaction that writes to the table does not end; it is waited for")
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
        sql = self._sql
        return sql.SQL(query).format(
            table=self._identifier(self._table),
            key=sql.Identifier(self._key),
            column=sql.Identifier(self._column or ""),
            type=sql.SQL(self._type),
        )

    def _rows(self, query: Any, *values: Any) -> list[Any]:
        found: list[Any] = self.connection.execute(query, values or None).fetchall()
        return found


class PostgresChannelInput(_Postgres, InputConnector):
    """What is notified on a channel."""

    keeps_messages = False

    def __init__(self, address: Address) -> None:
        if others := [name for name in ("table", "key", "column", "from") if name in address.options]:
            raise InputError(f"{address.name}: a channel needs no {others[0]}: remove it, or remove listen")
        super().__init__(address, "listen")
        self.source = address.options["listen"]

    def open(self, last: None, count: int) -> None:
        """See InputConnector."""
        self._connect()
        channel = self._sql.Identifier(self.source)
        self.connection.execute(self._sql.SQL("LISTEN {}").format(channel))

    def messages(self, last: None) -> list[Message]:
        """See InputConnector."""
        come = self.connection.notifies(timeout=POLL_SECONDS)
        return [Message(None, one.payload.encode()) for one in come]


class PostgresOutput(_Postgres, OutputConnector):
    """Inserts a row for each message: its JSON object has a value for each of some columns.

    Rows that are sent at once come in one transaction. Those that a constraint of the table says are there
    already are passed over, so that rows with a key are there once, however often a run was killed.
    """

    all_or_none = True

    def __init__(self, text: str) -> None:
        address = Address.of(POSTGRES, text, is_read=False)
        if "table" not in address.options or len(address.hosts) > 1:
            raise InputError(f"{address.name}: name one server and the table: such as {POSTGRES.example}")
        super().__init__(address, "table")

    def check(self, message: bytes) -> None:
        """See OutputConnector."""
        try:
            row = json.loads(message)
        except ValueError:
            row = None
        if not isinstance(row, dict) or not row:
            text = shown(message.decode())
            raise InputError(
                f"{self.name}: {text}: a row is a JSON object, with the names of columns: correct the body, "
                'in a file named .json, such as {"room": "{R}"}'
            )

    def open(self) -> None:
        """See OutputConnector."""
        self._connect()

    def send(self, messages: Sequence[bytes]) -> Iterator[int]:
        """See OutputConnector."""
        rows = [*map(json.loads, messages)]
        with self.connection.transaction(), self.connection.cursor() as cursor:
            for names, some in groupby(rows, tuple):
                cursor.execute(self._insert(names), (json.dumps([*some]),))
        yield len(messages)

    def _insert(self, names: tuple[str, ...]) -> Any:
        """Inserts objects that have values for some columns, as the types of these say."""
        sql = self._sql
        columns = sql.SQL(", ").join(map(sql.Identifier, names))
        return sql.SQL(
            "INSERT INTO {0} ({1}) SELECT {1} FROM jsonb_populate_recordset(NULL::{0}, %s::jsonb) "
            "ON CONFLICT DO NOTHING"
        ).format(self._identifier(self._address.options["table"]), columns)


def _input(text: str) -> InputConnector:
    address = Address.of(POSTGRES, text, is_read=True)
    return (PostgresChannelInput if "listen" in address.options else PostgresInput)(address)


input_at = partial(feed_by, _input)
output_at = partial(destination_by, PostgresOutput)
