"""Rows of a real Postgres, read on from a checkpoint in the order of a key; and what is notified."""

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lars2asp.connectors import check_input, check_output
from lars2asp.runtime.connectors.address import Address
from lars2asp.runtime.connectors.addresses import feed_of
from lars2asp.runtime.connectors.message_feed import MessageFeed, WaitLimits
from lars2asp.runtime.connectors.postgres import POSTGRES, PostgresInput, PostgresOutput
from lars2asp.runtime.errors import InputError
from tests.support.feeds import Running, running, texts
from tests.support.postgres import PASSWORD, Postgres, needs_postgres, postgres_server
from tests.support.processes import LARS2ASP, completed, free_port, started, wait_for

psycopg = pytest.importorskip("psycopg")


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """A server."""
    with postgres_server() as server:
        yield server


def feed_at(address: str) -> Any:
    """The feed of a table or channel."""
    feed = feed_of(address)
    assert feed is not None
    return feed


def read(run: Running) -> list[str]:
    """The lines that came of rows."""
    return texts([one for one in run.lines if one.number])


@needs_postgres
def test_it_keeps_to_the_protocol(postgres: Postgres) -> None:
    postgres.ask("CREATE TABLE checked (id int UNIQUE)")
    postgres.ask("CREATE TABLE taken (place serial, id int)")

    def add(number: int) -> bytes:
        postgres.ask(f"INSERT INTO checked VALUES ({number})")
        return b'{"id":%d}' % number

    def taken() -> list[bytes]:
        return [b'{"id":%d}' % one for (one,) in postgres.ask("SELECT id FROM taken ORDER BY place")]

    source = Address.of(POSTGRES, f"{postgres.address('checked')}&key=id", is_read=True)
    check_input(lambda: PostgresInput(source), add)
    rows = [b'{"id":%d}' % number for number in (3, 1, 2)]
    check_output(lambda: PostgresOutput(postgres.address("taken")), rows, taken)


@needs_postgres
def test_rows_are_read_on_from_a_key(postgres: Postgres) -> None:
    """As JSON records, or as the text of a column; of keys of any type that has an order."""
    for number, (kind, keys) in enumerate(
        (
            ("int", ["9", "10", "100"]),
            ("timestamptz", ["2026-03-01T10:00:00+00:00", "2026-03-01T10:00:00.5+00:00", "2026-03-02Z"]),
            ("text", ["a", "b c", "d'e"]),
            ("uuid", [f"00000000-0000-0000-0000-00000000000{i}" for i in (1, 2, 3)]),
        )
    ):
        table = f"keys{number}"
        postgres.ask(f'CREATE TABLE {table} ("the Key" {kind} UNIQUE, v float)')
        for value, key in enumerate(keys):
            quoted = key.replace("'", "''")
            postgres.ask(f"INSERT INTO {table} VALUES ('{quoted}', {value}.5)")
        address = f"{postgres.address(table)}&key=the Key"
        with running(feed_at(f"{address}&column=v")) as run:
            run.wait_for(lambda: len(read(run)) == 3)
        assert read(run) == ["0.5", "1.5", "2.5"]
        lines = [one for one in run.lines if one.number]
        assert [(one.source, one.number) for one in lines] == [(table, 1), (table, 2), (table, 3)]
        feed = feed_at(address)
        feed.go_on({table: [*lines[0].position]})
        with running(feed) as run:
            run.wait_for(lambda: len(read(run)) == 2)
        assert all('"v":' in text for text in read(run))


@needs_postgres
def test_a_row_whose_transaction_ends_late_is_not_missed(postgres: Postgres) -> None:
    """Rows with higher keys, which others have inserted meanwhile, wait for it."""
    postgres.write("late", ["0"])
    with running(feed_at(postgres.given("late"))) as run:
        run.wait_for(lambda: read(run) == ["0"])
        with psycopg.connect(postgres.place) as slow:
            slow.execute("INSERT INTO late (data) VALUES ('1')")
            postgres.write("late", ["2", "3"])
            run.stop.wait(1)
            assert read(run) == ["0"]
            slow.commit()
        run.wait_for(lambda: read(run) == ["0", "1", "2", "3"])


@needs_postgres
def test_a_table_of_partitions_is_read_so_too(postgres: Postgres) -> None:
    """Also where who writes names a partition alone."""
    postgres.ask("CREATE TABLE parts (id bigserial, data text, UNIQUE (id)) PARTITION BY RANGE (id)")
    postgres.ask("CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (3)")
    postgres.ask("CREATE TABLE parts_high PARTITION OF parts FOR VALUES FROM (3) TO (1000)")
    with running(feed_at(postgres.given("parts"))) as run:
        with psycopg.connect(postgres.place) as slow:
            slow.execute("INSERT INTO parts_low VALUES (1, 'a')")
            postgres.ask("INSERT INTO parts VALUES (2, 'b'), (3, 'c')")
            run.stop.wait(0.5)
            assert read(run) == []
            slow.commit()
        run.wait_for(lambda: read(run) == ["a", "b", "c"])


@needs_postgres
def test_a_run_is_the_same_however_often_it_was_killed(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From table to file exactly once: each row has its number."""
    monkeypatch.chdir(tmp_path)
    postgres.ask("CREATE TABLE killed (id serial PRIMARY KEY, t int, x int)")
    postgres.ask("INSERT INTO killed (t, x) SELECT i, i FROM generate_series(0, 2999) i")
    Path("p.lars").write_text("#input p(x,row()) at t. a(X,N) :- p(X,N) in [3].")
    run = [*LARS2ASP, "run", "p.lars", "--input", f"{postgres.address('killed')}&key=id", "--until", "2990"]
    kept = ["--output", "a.jsonl", "--checkpoint", "state", "--checkpoint-every", "100"]
    for how in (signal.SIGKILL, signal.SIGTERM):
        known = {*Path("state").glob("*.checkpoint")}
        with started([*run, *kept], stderr=subprocess.DEVNULL) as process:
            wait_for(lambda: len({*Path("state").glob("*.checkpoint")} - known) > 1, process)  # noqa: B023
            process.send_signal(how)
            process.wait()
    said = completed([*run, *kept]).stderr
    assert "can see the password in --input" in said
    assert PASSWORD not in said
    completed([*run, "--output", "whole.jsonl"])
    assert Path("a.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    assert PASSWORD not in "".join(path.read_bytes().decode("latin-1") for path in Path("state").iterdir())


@needs_postgres
def test_from_the_end_only_what_comes_counts(postgres: Postgres) -> None:
    """Also where there is nothing yet."""
    for table, given in (("ended", ["1"]), ("blank", [])):
        postgres.write(table, given)
        with running(feed_at(f"{postgres.given(table)}&from=end")) as run:
            run.wait_for(lambda: run.lines)
            postgres.write(table, ["2"])
            run.wait_for(lambda: read(run) == ["2"])


@needs_postgres
def test_what_is_notified_is_lines(postgres: Postgres, caplog: pytest.LogCaptureFixture) -> None:
    """A connection that is lost is made again."""
    with running(feed_at(postgres.address("x").replace("table=x", "listen=My News"))) as run:
        while not run.lines:
            postgres.ask("NOTIFY \"My News\", 'a\nb'")
        assert [(one.source, one.text) for one in run.lines[:2]] == [("My News", "a"), ("My News", "b")]
        postgres.ask(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pid <> "
            "pg_backend_pid()"
        )
        while "c" not in texts(run.lines):
            postgres.ask("NOTIFY \"My News\", 'c'")
    assert "it is there again" in caplog.text
    assert "it is waited for, and what comes meanwhile is lost" in caplog.text


@needs_postgres
def test_what_is_wrong_is_said(postgres: Postgres, caplog: pytest.LogCaptureFixture) -> None:
    postgres.ask("CREATE TABLE loose (id int, at timestamp)")
    postgres.ask("CREATE VIEW seen AS SELECT * FROM loose")
    for address, said in (
        (f"{postgres.address('nowhere')}&key=id", "there is no table nowhere"),
        (f"{postgres.address('loose')}&key=no", "loose lacks column no: its columns are id, at"),
        (
            f"{postgres.address('loose')}&key=at",
            "at has no unique index, so lars2asp cannot continue after a row",
        ),
        (f"{postgres.address('loose', 'me:wrong')}&key=at", "check database, user and password"),
    ):
        with running(feed_at(address)) as run:
            run.thread.join()
        assert said in str(run.error)
    with running(feed_at(f"{postgres.address('seen')}&key=id")) as run:
        run.wait_for(lambda: run.lines)
    assert "may be missed" in caplog.text
    with free_port() as port:
        text = f"postgres://me@127.0.0.1:{port}/d?table=t&key=k"
        connector = PostgresInput(Address.of(POSTGRES, text, is_read=True))
        with running(MessageFeed(connector, limits=WaitLimits(0.1, 0.01))) as run:
            run.thread.join()
    assert "is the server running, and is the address right?" in str(run.error)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgres://localhost/d", "table=readings&key=id, or a channel, as in"),
        ("postgres://localhost/d?table=t", "name a table and its key"),
        ("postgres://localhost/d?listen=c&table=t", "a channel needs no table"),
        ("postgres://a,b/d?table=t&key=k", "name one server"),
    ],
)
def test_wrong_addresses(address: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        feed_of(address)
    assert said in str(raised.value)
