"""Queues of a real RabbitMQ: acknowledged when a journal has their messages, written to in order, missing."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from lars2asp.runtime.connectors.addresses import destination_of, feed_of
from lars2asp.runtime.connectors.amqp import AmqpFeed
from lars2asp.runtime.connectors.message_feed import WaitLimits
from lars2asp.runtime.errors import InputError
from tests.support.feeds import running, texts
from tests.support.processes import LARS2ASP, completed, free_port, started, wait_for
from tests.support.rabbitmq import RabbitMq, needs_rabbitmq, rabbitmq_server

pytest.importorskip("pika")


@pytest.fixture(scope="module")
def rabbitmq(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RabbitMq]:
    """A server."""
    with rabbitmq_server(tmp_path_factory.mktemp("rabbitmq")) as server:
        yield server


def feed_at(address: str) -> AmqpFeed:
    """The feed of a queue."""
    feed = feed_of(address)
    assert isinstance(feed, AmqpFeed)
    return feed


def records(first: int, end: int) -> list[str]:
    """Records of ticks."""
    return [f'{{"time": {i}, "facts": ["p({i})"]}}' for i in range(first, end)]


@needs_rabbitmq
def test_messages_are_acknowledged_when_they_are_kept(rabbitmq: RabbitMq) -> None:
    """Those that are not come again; without a journal those that were read do not."""
    rabbitmq.write("kept", ["a\nb", "", "c", "d"])
    feed = feed_at(rabbitmq.address("kept"))
    feed.waits_until_kept = True
    with running(feed) as run:
        run.wait_for(lambda: texts(run.lines) == ["a", "b", "c", "d"])
        assert [one.number for one in run.lines] == [1, 2, 3, 4]
        feed.kept("another", 4)
        feed.kept(feed.name, 3)
    with running(feed_at(rabbitmq.address("kept"))) as run:
        run.wait_for(lambda: texts(run.lines) == ["d"])
    assert rabbitmq.count("kept") == 0


@needs_rabbitmq
def test_a_run_that_is_asked_to_end_acknowledges_what_it_has(rabbitmq: RabbitMq, tmp_path: Path) -> None:
    """And no message comes twice: each row has its number."""
    given = [f'{{"t": {i}, "x": {i}}}' for i in range(3000)]
    rabbitmq.write("asked", given)
    (tmp_path / "p.lars").write_text("#input p(x,row()) at t. a(X,N) :- p(X,N) in [3].")
    run = [*LARS2ASP, "run", "p.lars", "--until", "2990", "--input", rabbitmq.address("asked")]
    kept = ["--output", "a.jsonl", "--checkpoint", "state", "--checkpoint-every", "100"]
    for how in (signal.SIGTERM, signal.SIGINT):
        known = {*(tmp_path / "state").glob("*.checkpoint")}
        with started([*run, *kept], cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
            wait_for(lambda: len({*(tmp_path / "state").glob("*.checkpoint")} - known) > 1, process)  # noqa: B023
            process.send_signal(how)
            process.wait()
    completed([*run, *kept], cwd=tmp_path)
    (tmp_path / "in.jsonl").write_text("".join(f"{line}\n" for line in given))
    whole = [*run[:-1], "in.jsonl", "--output", "whole.jsonl"]
    completed(whole, cwd=tmp_path)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


@needs_rabbitmq
def test_a_server_that_is_started_again_is_waited_for(rabbitmq: RabbitMq, tmp_path: Path) -> None:
    """By who reads and by who writes; what was read and not acknowledged is not read again."""
    (tmp_path / "p.lars").write_text("a(X) :- p(X).")
    rabbitmq.write("in", [])
    rabbitmq.write("out", [])
    feed = feed_at(rabbitmq.address("in"))
    feed.waits_until_kept = True
    to = ("--input", "in.jsonl", "--output", rabbitmq.address("out"), "--until", "8", "--follow")
    (tmp_path / "in.jsonl").write_text("".join(f"{line}\n" for line in records(0, 5)))
    with (
        running(feed) as reading,
        started([*LARS2ASP, "run", "p.lars", *to], cwd=tmp_path, stderr=subprocess.PIPE) as process,
    ):
        wait_for(lambda: rabbitmq.count("out"), process)
        # only persistent messages are there after a restart: those that a run has sent
        sent = rabbitmq.read("out")
        for text in sent:
            destination = destination_of(rabbitmq.address("in"))
            assert destination is not None
            destination.deliver([text.encode()])
            destination.close()
        reading.wait_for(lambda: len(reading.lines) == len(sent))
        before = texts(reading.lines)
        rabbitmq.stop()
        with (tmp_path / "in.jsonl").open("a") as file:
            file.writelines(f"{line}\n" for line in records(5, 10))
        assert process.stderr is not None
        while b"lars2asp retries" not in process.stderr.readline():
            assert process.poll() is None
        rabbitmq.start()
        assert process.wait() == 0
        destination = destination_of(rabbitmq.address("in"))
        assert destination is not None
        destination.deliver([b"new"])
        destination.close()
        reading.wait_for(lambda: "new" in texts(reading.lines))
        assert texts(reading.lines)[: len(before)] == before
        assert len({*texts(reading.lines)}) == len(reading.lines)
        feed.kept(feed.name, len(reading.lines))
    found = {json.loads(text)["time"] for text in [*before, *rabbitmq.read("out")]}
    assert found == {*range(9)}


@needs_rabbitmq
def test_answers_go_to_exchanges_too(rabbitmq: RabbitMq) -> None:
    rabbitmq.write("bound", [])
    rabbitmq.do(lambda channel: channel.exchange_declare("house"))
    rabbitmq.do(lambda channel: channel.queue_bind("bound", "house", "alarms"))
    address = f"amqp://guest:guest@127.0.0.1:{rabbitmq.port}/%2F?exchange=house&key="
    for key, is_bound in (("alarms", True), ("others", False)):
        destination = destination_of(f"{address}{key}")
        assert destination is not None
        if is_bound:
            destination.deliver([b"1", b"2"])
        else:
            with pytest.raises(
                InputError, match="no queue receives the messages: create the queue, or bind it, first"
            ):
                destination.deliver([b"1"])
        destination.close()
    assert rabbitmq.read("bound") == ["1", "2"]


@needs_rabbitmq
def test_what_is_not_there_is_said(rabbitmq: RabbitMq) -> None:
    there = f"127.0.0.1:{rabbitmq.port}"
    for address, said in (
        (f"amqp://{there}/?queue=nowhere", "no queue 'nowhere'"),
        (f"amqp://{there}/nowhere?queue=q", "refuses the virtual host"),
        (f"amqp://me:s3cret@{there}/?queue=q", "check user and password"),
    ):
        with running(feed_at(address)) as run:
            run.thread.join()
        assert said in str(run.error)
        assert "s3cret" not in str(run.error)
    destination = destination_of(f"amqp://{there}/?queue=nowhere")
    assert destination is not None
    with pytest.raises(
        InputError, match="no queue receives the messages: create the queue, or bind it, first"
    ):
        destination.deliver([b"1"])
    with free_port() as port:
        address = f"amqp://127.0.0.1:{port}/?queue=q"
        with running(AmqpFeed(address, limits=WaitLimits(0.1, 0.01))) as run:
            run.thread.join()
    assert "Connection refused; is the server running, and is the address right?" in str(run.error)


def test_wrong_addresses() -> None:
    with pytest.raises(InputError, match="name a queue"):
        feed_of("amqp://localhost/v")
    for rest in ("", "?exchange=e&queue=q", "?queue=q&key=k"):
        with pytest.raises(InputError, match="name a queue, as"):
            destination_of(f"amqp://localhost/{rest}")
