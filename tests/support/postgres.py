"""A real Postgres, for tests."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import PATIENCE_SECONDS, completed, free_port, started, wait_for

_FOLDERS = [str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), *_FOLDERS])
INITDB, POSTGRES = shutil.which("initdb", path=_PATH), shutil.which("postgres", path=_PATH)

needs_postgres = pytest.mark.skipif(INITDB is None or POSTGRES is None, reason="postgres is not installed")

PASSWORD = "s3cret"


class Postgres:
    """A server with the user `me`, who has a password.

    Attributes:
        port: the port.
    """

    def __init__(self, port: int) -> None:
        self.port = port

    def address(self, table: str, user: str = f"me:{PASSWORD}") -> str:
        """That of a table."""
        return f"postgres://{user}@127.0.0.1:{self.port}/postgres?table={table}"

    def given(self, table: str) -> str:
        """That of a table which is read, whose rows have a text."""
        return f"{self.address(table)}&key=id&column=data"

    def write(self, table: str, texts: Sequence[str]) -> None:
        """Adds rows with texts to a table, which is made where there is none; `id` is its key."""
        import psycopg  # noqa: PLC0415

        self.ask(
            f"CREATE TABLE IF NOT EXISTS {table} (id serial PRIMARY KEY, data text, time int, atoms jsonb)"
        )
        with psycopg.connect(self.place) as connection, connection.cursor() as cursor:
            insert = f"INSERT INTO {table} (data) VALUES (%s)"
            cursor.executemany(insert.encode(), [(text,) for text in texts])

    def count(self, table: str) -> int:
        """The number of rows."""
        return int(self.ask(f"SELECT count(*) FROM {table}")[0][0])

    def read(self, table: str) -> list[str]:
        """The rows that are answers, as lines of these."""
        rows = self.ask(f"SELECT time, atoms FROM {table} ORDER BY id")
        return [json.dumps({"time": time, "atoms": atoms}) for time, atoms in rows]

    def ask(self, query: str) -> list[Any]:
        """What a query gives, if it gives rows."""
        import psycopg  # noqa: PLC0415 - not every environment has it

        with psycopg.connect(self.place, autocommit=True) as connection:
            cursor = connection.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    @property
    def answers(self) -> bool:
        """Whether it takes connections."""
        import psycopg  # noqa: PLC0415

        try:
            self.ask("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    @property
    def place(self) -> str:
        """Where it is, as its client has it."""
        return f"host=127.0.0.1 port={self.port} dbname=postgres user=me password={PASSWORD}"


@contextmanager
def postgres_server() -> Iterator[Postgres]:
    """A server, as long as the context lasts. It runs as no root, in a folder that is its own."""
    assert INITDB is not None
    assert POSTGRES is not None
    is_root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as folder, free_port() as port:
        password, data = Path(folder, "password"), Path(folder, "data")
        password.write_text(PASSWORD)
        as_user: dict[str, Any] = {"user": "postgres", "cwd": folder} if is_root else {}
        if is_root:
            for path in (folder, password):
                shutil.chown(path, "postgres")
        made = ["-D", str(data), "-U", "me", "--auth=scram-sha-256", f"--pwfile={password}", "--no-sync"]
        completed([INITDB, *made], **as_user)
        run = [POSTGRES, "-D", str(data), "-p", str(port), "-k", folder, "-c", "listen_addresses=127.0.0.1"]
        with started([*run, "-c", "fsync=off"], stderr=subprocess.DEVNULL, **as_user) as process:
            server = Postgres(port)
            wait_for(lambda: server.answers, process)
            yield server
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE_SECONDS)
