"""Answers as rows of a table of Postgres."""

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.feeds.brokers.server import Kind, Server
from lars2asp.runtime.sinks.delivery.delivering import MOST_LINES, UnreachableError
from lars2asp.runtime.sinks.delivery.posting import Posting
from lars2asp.syntax.source import shown

POSTGRES = Kind(
    "postgres",
    None,
    5432,
    5432,
    "postgres://user@localhost/database?table=alarms&password-file=FILE",
    (),
    ("table",),
)
ANSWER_SECONDS = 10
"""For how long a connection is waited for."""

_REFUSALS = ("22", "23", "28", "3D", "42")
"""The classes of errors that stay: of values, constraints, users, databases and names."""

_FULL = ("too many", "connection slots")
"""What a server says that has no room for a connection."""

_CURE = "check database, user and password"


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


class PostgresTable:
    """Inserts a row for each line, in order: its JSON object has a value for each of some columns.

    Rows that are sent at once come in one transaction. Those that a constraint of the table says are there
    already are passed over, so that rows with a key are there once, however often a run was killed.

    Args:
        server: the database, and where it is.
        posting: makes the objects.

    Raises MissingPackageError, and InputError for options that it cannot have.
    """

    def __init__(self, server: Server, posting: Posting | None = None) -> None:
        self._server = server
        self._posting = posting or Posting()
        self._psycopg = needed("psycopg", "postgres", server.name)
        self._sql = needed("psycopg.sql", "postgres", server.name)
        self._connection: Any = None
        self._was_connected = False
        self.most_lines = MOST_LINES
        if "table" not in server.options or len(server.hosts) > 1:
            raise InputError(f"{server.name}: name one server and the table: such as {POSTGRES.example}")
        self._table = server.options["table"]
        self.name = f"{server.name}?table={self._table}"

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Inserts rows; see `Destination`."""
        rows = [*map(self._row, lines)]
        try:
            if self._connection is None or self._connection.closed:
                self._connection = self._connected()
                self._was_connected = True
            with self._connection.transaction(), self._connection.cursor() as cursor:
                for names, some in groupby(rows, tuple):
                    cursor.execute(self._insert(names), (json.dumps([*some]),))
        except self._psycopg.Error as error:
            reason = _reason(error)
            if (error.sqlstate or "").startswith(_REFUSALS):
                raise InputError(f"{self.name}: {reason}") from error
            self.close()
            if "password authentication failed" in reason or "no password supplied" in reason:
                raise InputError(f"{self.name}: {reason}: {_CURE}") from error
            raise UnreachableError(reason) from error

    def close(self) -> None:
        """Closes the connection; see `Destination`."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _row(self, line: bytes) -> dict[str, Any]:
        """The row of a line. Raises InputError where there is none."""
        payload = self._posting.payload(line)
        try:
            row = json.loads(payload)
        except ValueError:
            row = None
        if not isinstance(row, dict) or not row:
            text = shown(payload.decode())
            raise InputError(
                f"{self.name}: {text}: a row is a JSON object, with the names of columns: correct the body, "
                'in a file named .json, such as {"room": "{R}"}'
            )
        return row

    def _connected(self) -> Any:
        """A connection. Raises psycopg.Error, and InputError where a server refuses the first of the run.

        Errors of connecting have no code. A server that takes connections, and still refuses this one, does
        so the next time too; one that begins or ends takes none.
        """
        try:
            return self._connect()
        except self._psycopg.OperationalError:
            pq = self._psycopg.pq
            if self._was_connected or pq.PGconn.ping(self._conninfo().encode()) != pq.Ping.OK:
                raise
        try:
            return self._connect()  # it may have begun in between
        except self._psycopg.errors.ConnectionTimeout:
            raise
        except self._psycopg.OperationalError as error:
            reason = _reason(error)
            if any(sign in reason for sign in _FULL):
                raise
            raise InputError(f"{self.name}: {reason}: {_CURE}") from error

    def _connect(self) -> Any:
        return self._psycopg.connect(self._conninfo(), autocommit=True)

    def _conninfo(self) -> str:
        [(host, port)] = self._server.hosts
        made: str = self._psycopg.conninfo.make_conninfo(
            host=host,
            port=port,
            dbname=self._server.topic,
            user=self._server.user,
            password=self._server.password,
            connect_timeout=ANSWER_SECONDS,
            application_name="lars2asp",
        )
        return made

    def _insert(self, names: tuple[str, ...]) -> Any:
        """Inserts objects that have values for some columns, as the types of these say."""
        sql = self._sql
        table = sql.Identifier(*self._table.split("."))
        columns = sql.SQL(", ").join(map(sql.Identifier, names))
        return sql.SQL(
            "INSERT INTO {0} ({1}) SELECT {1} FROM jsonb_populate_recordset(NULL::{0}, %s::jsonb) "
            "ON CONFLICT DO NOTHING"
        ).format(table, columns)


def destination_at(scheme: str, rest: str, posting: Posting | None) -> PostgresTable:
    """That of an address. Raises InputError, and MissingPackageError."""
    return PostgresTable(Server.of(POSTGRES, scheme, rest, is_read=False), posting)
