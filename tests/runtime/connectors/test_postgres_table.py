"""Answers as rows of a real Postgres."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from lars2asp.runtime.connectors.addresses import destination_of
from lars2asp.runtime.connectors.delivering import UnreachableError
from lars2asp.runtime.errors import InputError
from tests.support.postgres import PASSWORD, Postgres, needs_postgres, postgres_server
from tests.support.processes import LARS2ASP, completed, free_port, started, wait_for

pytest.importorskip("psycopg")

ANSWERS = 3000


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """A server."""
    with postgres_server() as server:
        yield server


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command of a run, with a body for rows."""
    monkeypatch.chdir(tmp_path)
    Path("p.lars").write_text("alarm(X) :- p(X).")
    Path("in.jsonl").write_text("".join(f'{{"time": {i}, "facts": ["p({i})"]}}\n' for i in range(ANSWERS)))
    Path("row.json").write_text('{"room": "{X}", "tick": {time}, "change": "{change}"}')
    return [*LARS2ASP, "run", "p.lars", "--input", "in.jsonl", "--output-body", "row.json"]


@needs_postgres
def test_each_row_is_there_once(postgres: Postgres, run: list[str]) -> None:
    """Also after kills, where the table has a key. Columns that no body names have their defaults."""
    postgres.ask(
        "CREATE TABLE alarms (id serial, room int, tick int, change text, UNIQUE (room, tick, change))"
    )
    Path("pw").write_text(f"{PASSWORD}\n")
    to = postgres.address("public.alarms", "me") + "&password-file=pw"
    sent = [*run, "--output", to, "--checkpoint", "state", "--checkpoint-every", "300"]
    for how in (signal.SIGKILL, signal.SIGTERM):
        with started(sent, stderr=subprocess.DEVNULL) as process:
            before = postgres.ask("SELECT count(*) FROM alarms")
            wait_for(lambda: postgres.ask("SELECT count(*) FROM alarms") != before, process)  # noqa: B023
            process.send_signal(how)
            process.wait()
    assert PASSWORD not in completed(sent).stderr
    rows = postgres.ask("SELECT room, tick FROM alarms WHERE change = 'began' ORDER BY room")
    assert rows == [(i, i) for i in range(ANSWERS)]
    [(number,)] = postgres.ask("SELECT count(*) FROM alarms WHERE change = 'ended' AND tick = room + 1")
    assert number == ANSWERS - 1
    assert PASSWORD not in "".join(path.read_bytes().decode("latin-1") for path in Path("state").iterdir())


@needs_postgres
def test_lines_are_rows_too(postgres: Postgres, run: list[str]) -> None:
    """A column for each name of a line."""
    postgres.ask("CREATE TABLE changes (time int, began text[], ended jsonb)")
    completed([*run[:-2], "--until", "1", "--changes", "--output", postgres.address("changes")])
    assert postgres.ask("SELECT * FROM changes ORDER BY time") == [
        (0, ["alarm(0)"], []),
        (1, ["alarm(1)"], ["alarm(0)"]),
    ]


@needs_postgres
def test_what_is_wrong_is_said(postgres: Postgres, run: list[str]) -> None:
    postgres.ask("CREATE TABLE narrow (room int)")
    for address, said in (
        (postgres.address("nowhere"), 'relation "nowhere" does not exist'),
        (postgres.address("narrow"), 'column "tick" of relation "narrow" does not exist'),
        (postgres.address("narrow", "me:wrong"), "check database, user and password"),
        (postgres.address("narrow").replace("/postgres?", "/nowhere?"), '"nowhere" does not exist: check'),
        (postgres.address("narrow", "nobody:x"), "check database, user and password"),
    ):
        done = completed([*run, "--output", address], status=2)
        assert said in done.stderr
        assert "can see the password in --output" in done.stderr
        assert "wrong" not in done.stderr
    with free_port() as port:
        to = ["--output", f"postgres://me@127.0.0.1:{port}/d?table=t", "--retry-for", "1 sec"]
        assert "gave up after 1 seconds" in completed([*run, *to], status=2).stderr


@needs_postgres
def test_a_server_that_is_full_is_tried_again(postgres: Postgres) -> None:
    """And one that refuses after a first connection, but not one that refuses the first."""
    postgres.ask("CREATE TABLE full_ones (a int)")
    postgres.ask("CREATE ROLE few LOGIN PASSWORD 'few' CONNECTION LIMIT 0")
    address = postgres.address("full_ones", "few:few")
    table = destination_of(address)
    assert table is not None
    with pytest.raises(UnreachableError, match="too many connections"):
        table.deliver([b'{"a": 1}'])
    postgres.ask("ALTER ROLE few CONNECTION LIMIT 9")
    postgres.ask("GRANT ALL ON full_ones TO few")
    table.deliver([b'{"a": 1}'])
    postgres.ask("ALTER ROLE few NOLOGIN")
    table.close()
    with pytest.raises(UnreachableError, match="not permitted to log in"):
        table.deliver([b'{"a": 2}'])
    new = destination_of(address)
    assert new is not None
    with pytest.raises(InputError, match="not permitted to log in: check"):
        new.deliver([b'{"a": 2}'])


def test_a_body_that_is_no_json_is_said(run: list[str]) -> None:
    """It ends the run, or is a dead letter."""
    Path("row.txt").write_text("room {X}")
    sent = [*run[:-1], "row.txt", "--until", "1", "--output", "postgres://me@127.0.0.1/d?table=t"]
    error = completed(sent, status=2).stderr
    assert "room 0: a row is a JSON object, with the names of columns: correct the body" in error
    completed([*sent, "--dead-letters", "dead.jsonl"])
    [letter] = Path("dead.jsonl").read_text().splitlines()[:1]
    assert "room 0: a row is a JSON object" in json.loads(letter)["reason"]


def test_the_table_is_named() -> None:
    with pytest.raises(InputError, match="name one server and the table"):
        destination_of("postgres://me@localhost/d")
