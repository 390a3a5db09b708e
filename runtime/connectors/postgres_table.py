"""Answers as rows of a table of Postgres."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from lars2asp.runtime.connectors.message_destination import BrokerMessages
from lars2asp.runtime.connectors.postgres import POSTGRES, PostgresClient
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.connectors.server import Server
from lars2asp.runtime.errors import InputError
from lars2asp.syntax.source import shown


class PostgresTable(BrokerMessages):
    """Inserts a row for each line, in order: its JSON object has a value for each of some columns.

    Rows that are sent at once come in one transaction. Those that a constraint of the table says are there
    already are passed over, so that rows with a key are there once, however often a run was killed.

    Args:
        server: the database, and where it is.
        posting: makes the objects.

    Raises MissingPackageError, and InputError for options that it cannot have.
    """

    def __init__(self, server: Server, posting: Posting | None = None) -> None:
        if "table" not in server.options or len(server.hosts) > 1:
            raise InputError(f"{server.name}: name one server and the table: such as {POSTGRES.example}")
        self._table = server.options["table"]
        name = f"{server.name}?table={self._table}"
        self._client = PostgresClient(server, name)
        super().__init__(name, self._client, posting)

    def _payload(self, line: bytes) -> bytes:
        """The row of a line. Raises InputError where there is none."""
        payload = super()._payload(line)
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
        return payload

    def _opened(self) -> "_Inserting":
        return _Inserting(self._client.connected(), self._client, self._table)


class _Inserting:
    """Inserts rows; see `Sender`."""

    def __init__(self, connection: Any, client: PostgresClient, table: str) -> None:
        self._connection = connection
        self._sql = client.sql
        self._table = client.table(table)

    def send(self, payloads: Sequence[bytes]) -> Iterator[int]:
        """Inserts all or none."""
        rows = [*map(json.loads, payloads)]
        with self._connection.transaction(), self._connection.cursor() as cursor:
            for names, some in groupby(rows, tuple):
                cursor.execute(self._insert(names), (json.dumps([*some]),))
        yield len(payloads)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def _insert(self, names: tuple[str, ...]) -> Any:
        """Inserts objects that have values for some columns, as the types of these say."""
        sql = self._sql
        columns = sql.SQL(", ").join(map(sql.Identifier, names))
        return sql.SQL(
            "INSERT INTO {0} ({1}) SELECT {1} FROM jsonb_populate_recordset(NULL::{0}, %s::jsonb) "
            "ON CONFLICT DO NOTHING"
        ).format(self._table, columns)


def destination_at(scheme: str, rest: str, posting: Posting | None) -> PostgresTable:
    """That of an address. Raises InputError, and MissingPackageError."""
    return PostgresTable(Server.of(POSTGRES, scheme, rest, is_read=False), posting)
