"""Topics of Kafka: read on from a checkpoint, written to in order, missing."""

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lars2asp.runtime.connectors.address import Address
from lars2asp.runtime.connectors.addresses import feed_of
from lars2asp.runtime.connectors.kafka import KAFKA, KafkaClient, KafkaFeed, KafkaLimits
from lars2asp.runtime.errors import InputError
from tests.support.feeds import running, texts
from tests.support.kafka import Kafka, kafka_server
from tests.support.processes import LARS2ASP, completed, free_port, started, wait_for

confluent_kafka = pytest.importorskip("confluent_kafka")


@pytest.fixture(scope="module")
def kafka() -> Iterator[Kafka]:
    """A server."""
    with kafka_server() as server:
        yield server


def feed_at(kafka: Kafka, topic: str) -> KafkaFeed:
    """The feed of a topic."""
    feed = feed_of(kafka.address(topic))
    assert isinstance(feed, KafkaFeed)
    return feed


def records(first: int, end: int) -> list[str]:
    """Records of ticks."""
    return [f'{{"time": {i}, "facts": ["p({i})"]}}' for i in range(first, end)]


def has_new(state: Path, known: frozenset[Path]) -> bool:
    """Whether a folder has more checkpoints than that at the beginning of a run."""
    return len({*state.glob("*.checkpoint")} - known) > 1


class BusyConsumer:
    """A consumer of a topic that always has a message, and gets partitions; 1 has no bounds at first.

    Attributes:
        begun: the partitions that are read.
    """

    def __init__(self) -> None:
        self.begun: list[int] = []

    def list_topics(self, topic: str, timeout: float) -> Any:
        del timeout
        partitions = dict.fromkeys(range(3 if self.begun else 1))
        return SimpleNamespace(topics={topic: SimpleNamespace(error=None, partitions=partitions)})

    def get_watermark_offsets(self, at: Any, timeout: float) -> tuple[int, int]:
        del timeout
        if at.partition == 1 and 2 not in self.begun:
            error = confluent_kafka.KafkaError
            raise confluent_kafka.KafkaException(error(error.LEADER_NOT_AVAILABLE))
        return 0, 0

    def incremental_assign(self, begun: list[Any]) -> None:
        self.begun += [at.partition for at in begun]

    def poll(self, timeout: float) -> Any:
        time.sleep(timeout / 100)
        return SimpleNamespace(error=lambda: None, partition=lambda: 0, offset=lambda: 0, value=lambda: b"x")

    def consume(self, _: int, __: float) -> list[Any]:
        return []

    def close(self) -> None:
        pass


def test_each_partition_is_read_on_from_its_position(kafka: Kafka) -> None:
    """Also within a message of several lines."""
    kafka.write("lines", ["a\nb\nc", "", "d"])
    kafka.write("lines", ["x"], partition=1)
    with running(feed_at(kafka, "lines")) as run:
        run.wait_for(lambda: len([one for one in run.lines if one.number]) == 5)
    lines = [one for one in run.lines if one.number and one.source == "lines[0]"]
    assert [(one.text, one.number, one.position) for one in lines] == [
        ("a", 1, (0, 1)),
        ("b", 1, (0, 2)),
        ("c", 1, (1, 0)),
        ("d", 3, (3, 0)),
    ]
    for number, line in enumerate(lines):
        feed = feed_at(kafka, "lines")
        feed.go_on({"lines[0]": line.position, "lines[1]": [1, 0]})
        with running(feed) as run:
            run.wait_for(lambda: {"lines[0]", "lines[1]"} <= {*run.over})
        assert texts([one for one in run.lines if one.number]) == texts(lines[number + 1 :])


def test_partitions_far_apart_have_the_order_of_their_times(kafka: Kafka, tmp_path: Path) -> None:
    """Each is waited for while it has something to be read; --lateness is not needed for that."""
    for partition in range(4):
        kafka.write("apart", records(0, 40)[partition::4], partition)
    (tmp_path / "p.lars").write_text("a(N) :- N = #count{ X : p(X) in [40] }.")
    run = ["run", "p.lars", "--input", kafka.address("apart"), "--until", "38", "--emit", "every"]
    done = completed([*LARS2ASP, *run], cwd=tmp_path)
    assert [json.loads(line)["atoms"] for line in done.stdout.splitlines()] == [
        [f"a({i + 1})"] for i in range(39)
    ]


def test_a_run_is_the_same_however_often_it_was_killed(kafka: Kafka, tmp_path: Path) -> None:
    """From topic to file exactly once: no journal keeps lines. What is not valid is rejected, once.

    No message is read twice: each row has its number.
    """
    given = [f'{{"t": {i}, "x": {i}}}' for i in range(3000)]
    given[1500] = "{bad"
    kafka.write("killed", given)
    (tmp_path / "p.lars").write_text("#input p(x,row()) at t. a(X,N) :- p(X,N) in [3].")
    run = [*LARS2ASP, "run", "p.lars", "--input", kafka.address("killed"), "--until", "2990"]
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
    whole = [
        "--input",
        kafka.address("killed"),
        "--until",
        "2990",
        "--output",
        "whole.jsonl",
        "--rejects",
        "w.jsonl",
    ]
    completed([*LARS2ASP, "run", "p.lars", *whole], cwd=tmp_path, status=1)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 1
    journals = "".join(path.read_text() for path in (tmp_path / "state").glob("*.journal"))
    assert "p(" not in journals


def test_answers_are_messages_in_order(kafka: Kafka, tmp_path: Path) -> None:
    """Lines, or bodies of a template; a server that is gone for a while is waited for."""
    (tmp_path / "p.lars").write_text("a(X) :- p(X).")
    given = [f"{line}\n" for line in records(0, 2501)]
    (tmp_path / "in.jsonl").write_text("".join(given))
    (tmp_path / "live.jsonl").write_text("".join(given[:50]))
    kafka.write("answers", [])
    run = [*LARS2ASP, "run", "p.lars", "--until", "2499", "--input", "in.jsonl"]
    whole = completed(run, cwd=tmp_path).stdout
    live = [*run[:-1], "live.jsonl", "--follow", "--output", kafka.address("answers")]
    with started(live, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        wait_for(lambda: kafka.read("answers"), process)
        assert process.stderr is not None
        with kafka.gone():
            with (tmp_path / "live.jsonl").open("a") as file:
                file.writelines(given[50:])
            while b"the server does not answer; lars2asp retries" not in (said := process.stderr.readline()):
                assert said
        assert process.wait() == 0
    assert "".join(f"{text}\n" for text in kafka.read("answers")) == whole
    (tmp_path / "b.json").write_text('{"x": "{X}"}')
    completed(
        [*run, "--output", f"{kafka.address('bodies')}?partition=3", "--output-body", "b.json"], cwd=tmp_path
    )
    assert kafka.read("bodies", 3) == [f'{{"x": "{i}"}}' for i in range(2500)]


def test_a_server_that_is_gone_for_a_while_is_waited_for(kafka: Kafka) -> None:
    kafka.write("gone", ["1"])
    with running(feed_at(kafka, "gone")) as run:
        run.wait_for(lambda: "1" in texts(run.lines))
        with kafka.gone():
            run.stop.wait(0.3)
        kafka.write("gone", ["2"])
        run.wait_for(lambda: "2" in texts(run.lines))


def test_new_partitions_of_a_busy_topic_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the server does not yet say where others of them begin: these follow at the next look."""
    consumer = BusyConsumer()
    monkeypatch.setattr("confluent_kafka.Consumer", lambda _: consumer)
    with running(KafkaFeed("kafka://nowhere/busy", limits=KafkaLimits(partitions_seconds=0))) as run:
        run.wait_for(lambda: len(consumer.begun) == 3)
    assert consumer.begun == [0, 2, 1]


def test_from_the_end_only_what_comes_counts(kafka: Kafka) -> None:
    kafka.write("late", ["1", "2"])
    feed = feed_of(f"{kafka.address('late')}?from=end")
    assert feed is not None
    with running(feed) as run:
        run.wait_for(lambda: "late[0]" in run.over)
        kafka.write("late", ["3"])
        run.wait_for(lambda: "3" in texts(run.lines))
    assert texts([one for one in run.lines if one.number]) == ["3"]


def test_partitions_that_were_added_while_no_run_read_are_read_whole(kafka: Kafka) -> None:
    """The end is that at the beginning of the first run."""
    kafka.write("added", ["1"])
    kafka.write("added", ["2"], partition=1)
    feed = feed_of(f"{kafka.address('added')}?from=end")
    assert isinstance(feed, KafkaFeed)
    feed.go_on({"added[0]": [1, 0]})
    with running(feed) as run:
        run.wait_for(lambda: {"added[0]", "added[1]"} <= {*run.over})
    assert texts([one for one in run.lines if one.number]) == ["2"]


def test_what_is_not_there_is_said(kafka: Kafka) -> None:
    with running(feed_at(kafka, "nothing")) as run:
        run.thread.join()
    assert "there is no topic nothing: create it first" in str(run.error)
    with free_port() as port:
        limits = KafkaLimits(answer_seconds=0.1)
        with running(KafkaFeed(f"kafka://127.0.0.1:{port}/t", limits=limits)) as run:
            run.thread.join()
    assert "Connection refused" in str(run.error)
    assert "is the server running, and is the address right?" in str(run.error)
    kafka.write("short", ["1"])
    feed = feed_at(kafka, "short")
    feed.go_on({"short[0]": [7, 0]})
    with running(feed) as run:
        run.thread.join()
    assert "this is another topic; remove the checkpoint folder to start over" in str(run.error)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("kafka://localhost", "write kafka://HOST/NAME, such as kafka://localhost:9092/readings"),
        ("kafka://u:s3cret@localhost:99999/t", "a port must be a number from"),
        ("kafka://localhost/t?form=end", "' is unknown here, or its value is wrong"),
        ("kafka://localhost/t?from=begin", "from is beginning or end"),
        ("kafka://localhost/t?insecure", "also accepts ca, insecure"),
        (
            "kafka://localhost/t?password-file=x",
            "a password needs a user: write USER@HOST, with one password only",
        ),
        ("kafkas://u@localhost/t?password-file=missing", "cannot read the password"),
        ("kafkas://u@localhost/t?ca=missing", "missing: cannot read this file"),
        ("kafka://localhost/t?config=missing", "cannot read the settings"),
    ],
)
def test_wrong_addresses(address: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        feed_of(address)
    assert said in str(raised.value)
    assert "s3cret" not in str(raised.value)


def test_users_and_settings_become_those_of_the_client(tmp_path: Path) -> None:
    """The client is not asked to connect: its own library has no server that checks passwords."""
    (tmp_path / "pw").write_text("s3cret\n")
    (tmp_path / "more").write_text("# ours\nssl.key.password = x=y\n")
    options = f"mechanism=SCRAM-SHA-512&password-file={tmp_path}/pw&insecure&config={tmp_path}/more"
    address = Address.of(KAFKA, f"kafkas://me@a,[::1]:9094/t?{options}", is_read=True)
    assert address.name == "kafkas://a:9093,[::1]:9094/t"
    assert "s3cret" not in repr(address)
    settings = KafkaClient(address).settings(group_id="g")
    expected = {
        "bootstrap.servers": "a:9093,[::1]:9094",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.username": "me",
        "sasl.password": "s3cret",
        "enable.ssl.certificate.verification": False,
        "ssl.key.password": "x=y",
        "group.id": "g",
    }
    assert settings | expected == settings
