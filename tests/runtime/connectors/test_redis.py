"""Streams of a real Redis: read on from a checkpoint, written to in order, missing."""

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from lars2asp.connectors import check_input, check_output
from lars2asp.runtime.connectors.addresses import feed_of
from lars2asp.runtime.connectors.message_feed import MessageFeed, WaitLimits
from lars2asp.runtime.connectors.redis import RedisInput, RedisOutput
from lars2asp.runtime.errors import InputError
from tests.support.feeds import running, texts
from tests.support.processes import LARS2ASP, completed, free_port, started, wait_for
from tests.support.redis import Redis, needs_redis, redis_server

redis_errors = pytest.importorskip("redis").exceptions


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    """A server."""
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


def feed_at(address: str) -> MessageFeed:
    """The feed of a stream."""
    feed = feed_of(address)
    assert isinstance(feed, MessageFeed)
    return feed


def records(first: int, end: int) -> list[str]:
    """Records of ticks."""
    return [f'{{"time": {i}, "facts": ["p({i})"]}}' for i in range(first, end)]


def has_new(state: Path, known: frozenset[Path]) -> bool:
    """Whether a folder has more checkpoints than that at the beginning of a run."""
    return len({*state.glob("*.checkpoint")} - known) > 1


@needs_redis
def test_a_stream_is_read_on_from_its_position(redis: Redis) -> None:
    """Also within an entry of several lines; entries without text are JSON records."""
    redis.add("lines", "a\nb", "c", {"room": "hall", "temp": "-2.5", "code": "007"})
    with running(feed_at(redis.address("lines"))) as run:
        run.wait_for(lambda: len([one for one in run.lines if one.number]) == 4)
    lines = [one for one in run.lines if one.number]
    assert [(one.source, one.number, one.text) for one in lines] == [
        ("lines", 1, "a"),
        ("lines", 1, "b"),
        ("lines", 2, "c"),
        ("lines", 3, '{"room":"hall","temp":-2.5,"code":"007"}'),
    ]
    for number, line in enumerate(lines):
        feed = feed_at(redis.address("lines"))
        feed.go_on({"lines": [*line.position]})
        with running(feed) as run:
            run.wait_for(lambda: len([one for one in run.lines if one.number]) == len(lines) - number - 1)  # noqa: B023
        assert [one for one in run.lines if one.number] == lines[number + 1 :]


@needs_redis
def test_it_keeps_to_the_protocol(redis: Redis) -> None:
    def add(number: int) -> bytes:
        redis.add("checked", str(number))
        return str(number).encode()

    check_input(lambda: RedisInput(redis.address("checked")), add)
    messages, out = [b"1", b"2", b"3"], redis.address("taken")
    check_output(lambda: RedisOutput(out), messages, lambda: [*map(str.encode, redis.read("taken"))])


@needs_redis
def test_a_run_is_the_same_however_often_it_was_killed(redis: Redis, tmp_path: Path) -> None:
    """From stream to file exactly once: no journal keeps lines. What is not valid is rejected, once."""
    given = records(0, 3000)
    given[1500] = "{bad"
    redis.add("killed", *given)
    (tmp_path / "p.lars").write_text("a(X) :- p(X) in [3].")
    run = [*LARS2ASP, "run", "p.lars", "--input", redis.address("killed"), "--until", "2990"]
    run += [
        "--output",
        "a.jsonl",
        "--rejects",
        "r.jsonl",
        "--checkpoint",
        "state",
        "--checkpoint-every",
        "100",
    ]
    state, known = tmp_path / "state", set[Path]()
    for how in (signal.SIGKILL, signal.SIGTERM):
        known |= {*state.glob("*.checkpoint")}
        with started(run, cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
            wait_for(partial(has_new, state, frozenset(known)), process)
            process.send_signal(how)
            process.wait()
    completed(run, cwd=tmp_path, status=1)
    (tmp_path / "in.jsonl").write_text("".join(f"{line}\n" for line in given))
    whole = ["--input", "in.jsonl", "--until", "2990", "--output", "whole.jsonl", "--rejects", "w.jsonl"]
    completed([*LARS2ASP, "run", "p.lars", *whole], cwd=tmp_path, status=1)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 1
    assert "p(" not in "".join(path.read_text() for path in state.glob("*.journal"))


@needs_redis
@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (8, ""),
        (7, ""),
        (4, "up to 3 entries after {} may have been"),
        (0, "up to 7 entries after {} may have"),
    ],
)
def test_entries_that_were_trimmed_before_they_were_read_are_told(
    redis: Redis, caplog: pytest.LogCaptureFixture, kept: int, said: str
) -> None:
    """XTRIM leaves no id behind; entries that were read may go."""
    stream = f"trimmed{kept}"
    redis.add(stream, *records(0, 10))
    last = redis.client.xrange(stream)[2][0].decode()
    redis.client.xtrim(stream, maxlen=kept, approximate=False)
    feed = feed_at(redis.address(stream))
    feed.go_on({stream: [last, 0, 3]})
    with running(feed) as run:
        run.wait_for(lambda: len(run.lines) == 1 + min(kept, 7))
    assert said.format(last) in caplog.text
    assert bool(said) == ("removed" in caplog.text)


@needs_redis
def test_a_server_that_is_started_again_is_waited_for(tmp_path: Path) -> None:
    """By who reads and by who writes."""
    (tmp_path / "p.lars").write_text("a(X) :- p(X).")
    with redis_server(tmp_path) as server:
        server.add("in", *records(0, 10))
        to = ("--input", server.address("in"), "--output", server.address("out"), "--until", "18")
        with started([*LARS2ASP, "run", "p.lars", *to], cwd=tmp_path, stderr=subprocess.PIPE) as process:
            wait_for(lambda: server.read("out"), process)
            server.stop()
            assert process.stderr is not None
            while b"it is waited for" not in process.stderr.readline():
                assert process.poll() is None
            time.sleep(0.2)
            server.start()
            server.add("in", *records(10, 20))
            assert process.wait() == 0
        assert [json.loads(text)["time"] for text in server.read("out")] == [*range(19)]


@needs_redis
def test_what_is_not_there_is_said(redis: Redis, caplog: pytest.LogCaptureFixture) -> None:
    with running(feed_at(f"{redis.address('late')}?from=end")) as run:
        run.wait_for(lambda: run.lines)
        redis.add("late", "1")
        run.wait_for(lambda: "1" in texts(run.lines))
    assert "there is no stream late yet; it is waited for" in caplog.text
    redis.client.set("text", "x")
    feed = feed_at(redis.address("late"))
    feed.go_on({"late": ["9999999999999-0", 0, 7]})
    for one, said in ((feed_at(redis.address("text")), "WRONGTYPE"), (feed, "this is another")):
        with running(one) as run:
            run.thread.join()
        assert said in str(run.error)
    with free_port() as port:
        connector = RedisInput(f"redis://127.0.0.1:{port}/t")
        with running(MessageFeed(connector, limits=WaitLimits(0.1, 0.01))) as run:
            run.thread.join()
    assert "Connection refused" in str(run.error)
    assert "is the server running, and is the address right?" in str(run.error)


@needs_redis
def test_users_need_their_passwords(tmp_path: Path) -> None:
    """They stand in no message."""
    with redis_server(tmp_path) as server:
        server.client.acl_setuser("me", enabled=True, passwords=["+s3cret"], keys="*", commands=["+@all"])
        (tmp_path / "pw").write_text("s3cret\n")
        for password, is_right in (("?password-file=pw", True), ("", False)):
            address = f"redis://me{'' if is_right else ':s3cre'}@127.0.0.1:{server.port}/s"
            (tmp_path / "p.lars").write_text("a(X) :- p(X).")
            (tmp_path / "in.jsonl").write_text('{"time": 0, "facts": ["p(1)"]}\n')
            to = ("--input", "in.jsonl", "--output", f"{address}{password}")
            done = completed([*LARS2ASP, "run", "p.lars", *to], cwd=tmp_path, status=0 if is_right else 2)
            assert "s3cre" not in done.stderr
            assert is_right or "check user and password" in done.stderr
        assert server.read("s") == ['{"time": 0, "atoms": ["a(1)"]}']


def test_what_passes_is_waited_for() -> None:
    """Such as a server that another one takes over from; what is wrong ends the run."""
    errors, client = redis_errors, RedisInput("redis://localhost/t")
    for kind in ("BusyLoading", "OutOfMemory", "ReadOnly", "ClusterDown", "MasterDown", "TryAgain"):
        assert client.refusal(getattr(errors, f"{kind}Error")("it passes")) is None
    assert "WRONGTYPE" in str(client.refusal(errors.ResponseError("WRONGTYPE")))


@needs_redis
def test_figures_have_no_passwords(redis: Redis, tmp_path: Path) -> None:
    redis.client.acl_setuser("one", enabled=True, passwords=["+s3cret"], keys="*", commands=["+@all"])
    (tmp_path / "p.lars").write_text("a(X) :- p(X).")
    inputs = []
    for stream in ("left", "right"):
        redis.add(stream, *records(0, 3))
        inputs += ["--input", redis.address(stream).replace("//", "//one:s3cret@")]
    run = [*LARS2ASP, "run", "p.lars", *inputs, "--until", "1", "--stats", "--stats-json", "s.json"]
    told = completed(run, cwd=tmp_path).stderr + (tmp_path / "s.json").read_text()
    assert redis.address("left") in told
    assert "s3cret" not in told


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("redis://localhost", "write redis://HOST/NAME, such as redis://localhost:6379/readings"),
        ("redis://localhost/t?db=x", "db must be a number, such as db=0"),
        ("redis://a,b/t", "name one server only"),
        ("redis://localhost/t?maxlen=5", "' is unknown here, or its value is wrong"),
    ],
)
def test_wrong_addresses(address: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        feed_of(address)
    assert said in str(raised.value)
