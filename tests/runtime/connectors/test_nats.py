"""Subjects of a real NATS: streams read on from a checkpoint, written to in order, missing; and without."""

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lars2asp.connectors import check_input, check_output
from lars2asp.runtime.connectors.address import Address
from lars2asp.runtime.connectors.addresses import destination_of, feed_of
from lars2asp.runtime.connectors.message_feed import MessageFeed, WaitLimits
from lars2asp.runtime.connectors.nats import NATS, NatsCoreInput, NatsInput, NatsOutput
from lars2asp.runtime.errors import InputError
from tests.support.feeds import running, texts
from tests.support.nats import Nats, nats_server, needs_nats
from tests.support.processes import LARS2ASP, completed, free_port, started, wait_for

pytest.importorskip("nats")


@pytest.fixture(scope="module")
def nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nats]:
    """A server."""
    with nats_server(tmp_path_factory.mktemp("nats")) as server:
        yield server


def feed_at(address: str) -> Any:
    """The feed of a subject."""
    feed = feed_of(address)
    assert feed is not None
    return feed


def records(first: int, end: int) -> list[str]:
    """Records of ticks."""
    return [f'{{"time": {i}, "facts": ["p({i})"]}}' for i in range(first, end)]


@needs_nats
def test_a_stream_is_read_on_from_its_position(nats: Nats) -> None:
    """Also within a message of several lines, and where the stream has more than is asked for at once."""
    nats.write("lines", ["a\nb", "c", *map(str, range(1200))])
    with running(feed_at(nats.address("lines"))) as run:
        run.wait_for(lambda: len([one for one in run.lines if one.number]) == 1203)
    lines = [one for one in run.lines if one.number]
    assert [(one.source, one.number, one.text) for one in lines[:4]] == [
        ("lines", 1, "a"),
        ("lines", 1, "b"),
        ("lines", 2, "c"),
        ("lines", 3, "0"),
    ]
    assert texts(lines[3:]) == [*map(str, range(1200))]
    for number in (0, 1, 2, 700):
        feed = feed_at(nats.address("lines"))
        feed.go_on({"lines": [*lines[number].position]})
        with running(feed) as run:
            run.wait_for(lambda: len([one for one in run.lines if one.number]) == len(lines) - number - 1)  # noqa: B023
        assert [one for one in run.lines if one.number] == lines[number + 1 :]


@needs_nats
def test_it_keeps_to_the_protocol(nats: Nats) -> None:
    """With a stream, and without."""

    def add(number: int) -> bytes:
        nats.write("checked", [str(number)])
        return str(number).encode()

    def publish(number: int) -> bytes:
        nats.publish("passing", str(number))
        return str(number).encode()

    nats.write("checked", [])
    nats.write("taken", [])
    check_input(lambda: NatsInput(Address.of(NATS, nats.address("checked"), is_read=True)), add)
    passing = Address.of(NATS, f"{nats.address('passing')}?core", is_read=True)
    check_input(lambda: NatsCoreInput(passing), publish)
    messages, out = [b"1", b"2", b"3"], nats.address("taken")
    check_output(lambda: NatsOutput(out), messages, lambda: [*map(str.encode, nats.read("taken"))])


@needs_nats
def test_a_server_that_is_started_again_is_waited_for(tmp_path: Path) -> None:
    """By who reads and by who writes."""
    (tmp_path / "p.lars").write_text("a(X) :- p(X).")
    with nats_server(tmp_path) as server:
        server.write("in", records(0, 10))
        server.write("out", [])
        to = ("--input", server.address("in"), "--output", server.address("out"), "--until", "18")
        with started([*LARS2ASP, "run", "p.lars", *to], cwd=tmp_path, stderr=subprocess.PIPE) as process:
            wait_for(lambda: server.count("out"), process)
            server.stop()
            assert process.stderr is not None
            while b"it is waited for" not in process.stderr.readline():
                assert process.poll() is None
            time.sleep(0.2)
            server.start()
            server.write("in", records(10, 20))
            assert process.wait() == 0
        assert [json.loads(text)["time"] for text in server.read("out")] == [*range(19)]


@needs_nats
def test_without_a_stream_what_is_published_counts(nats: Nats, tmp_path: Path) -> None:
    """From the time on at which the run is there, to and from who listens."""
    heard = feed_at(f"{nats.address('plain.>')}?core")
    (tmp_path / "p.lars").write_text("a(X) :- p(X).")
    (tmp_path / "in.jsonl").write_text("".join(f"{line}\n" for line in records(0, 1500)))
    to = ("--input", "in.jsonl", "--output", f"{nats.address('plain.out')}?core")
    with running(heard) as run:
        while not run.lines:
            nats.publish("plain.in", "first")
        before = len(run.lines)
        completed([*LARS2ASP, "run", "p.lars", *to], cwd=tmp_path)
        run.wait_for(lambda: len([one for one in run.lines if one.text != "first"]) == 1500)
    assert before
    sent = [json.loads(one.text)["atoms"] for one in run.lines if one.text != "first"]
    assert sent == [[f"a({i})"] for i in range(1500)]


@needs_nats
def test_what_is_not_there_is_said(nats: Nats, caplog: pytest.LogCaptureFixture) -> None:
    nats.write("short", records(0, 10))
    ended = feed_at(f"{nats.address('short')}?from=end")
    with running(ended) as run:
        run.wait_for(lambda: run.lines)
        nats.write("short", ["1"])
        run.wait_for(lambda: "1" in texts(run.lines))
    assert len([one for one in run.lines if one.number]) == 1
    feed = feed_at(nats.address("short"))
    feed.go_on({"short": [99, 0, 7]})
    for one, said in ((feed, "this is another"), (feed_at(nats.address("none")), "create one")):
        with running(one) as run:
            run.thread.join()
        assert said in str(run.error)
    destination = destination_of(nats.address("none"))
    assert destination is not None
    with pytest.raises(InputError, match="no JetStream stream stores the subject none: create one"):
        destination.deliver([b"{}"])
    destination.close()

    async def removed(client: Any) -> None:
        await client.jetstream().purge_stream("of-short", keep=2)

    nats.do(removed)
    feed = feed_at(nats.address("short"))
    feed.go_on({"short": [3, 0, 3]})
    with running(feed) as run:
        run.wait_for(lambda: len(run.lines) == 3)
    assert "up to 6 messages after 3 were removed before they were read" in caplog.text
    with free_port() as port:
        connector = NatsInput(Address.of(NATS, f"nats://127.0.0.1:{port}/t", is_read=True))
        with running(MessageFeed(connector, limits=WaitLimits(0.1, 0.01))) as run:
            run.thread.join()
    assert "Connection refused; is the server running, and is the address right?" in str(run.error)


@needs_nats
def test_users_need_their_passwords(tmp_path: Path) -> None:
    """They stand in no message."""
    with nats_server(tmp_path, "--user", "me", "--pass", "s3cret") as server:
        server.write("s", [])
        (tmp_path / "pw").write_text("s3cret\n")
        for password, is_right in (("?password-file=pw", True), ("", False)):
            address = f"nats://me{'' if is_right else ':s3cre'}@127.0.0.1:{server.port}/s"
            (tmp_path / "p.lars").write_text("a(X) :- p(X).")
            (tmp_path / "in.jsonl").write_text('{"time": 0, "facts": ["p(1)"]}\n')
            to = ("--input", "in.jsonl", "--output", f"{address}{password}")
            done = completed([*LARS2ASP, "run", "p.lars", *to], cwd=tmp_path, status=0 if is_right else 2)
            assert "s3cre" not in done.stderr
            assert is_right or "check user, password and token" in done.stderr
        assert server.read("s") == ['{"time": 0, "atoms": ["a(1)"]}']


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("nats://localhost", "write nats://HOST/NAME, such as nats://localhost:4222/readings"),
        ("nats://localhost/t?core&from=end", "remove from"),
        ("nats://localhost/t?core=yes", "' is unknown here, or its value is wrong"),
        ("nats://u@localhost/t?token-file=x", "remove one of them"),
    ],
)
def test_wrong_addresses(address: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        feed_of(address)
    assert said in str(raised.value)


def test_answers_go_to_one_subject() -> None:
    with pytest.raises(InputError, match=r"remove \* and >"):
        destination_of("nats://localhost/a.*")
