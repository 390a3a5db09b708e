"""Between brokers nothing is lost, and what was acknowledged is not sent again, however a run is interrupted.

LARS2ASP_KILLS=100 sets how often each run is interrupted.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Protocol

import pytest

from lars2asp.__main__ import main
from lars2asp.runtime.connectors.delivering import MOST_LINES
from tests.support.kafka import kafka_server
from tests.support.nats import nats_server, needs_nats
from tests.support.postgres import needs_postgres, postgres_server
from tests.support.processes import LARS2ASP, started, wait_for
from tests.support.rabbitmq import needs_rabbitmq, rabbitmq_server
from tests.support.redis import needs_redis, redis_server

KILLS = int(os.environ.get("LARS2ASP_KILLS", "2"))
TICKS = 800
"""The ticks that come with each part of a run."""


class Broker(Protocol):
    """A broker with topics of texts."""

    def given(self, topic: str) -> str: ...
    def address(self, topic: str) -> str: ...
    def write(self, topic: str, texts: Sequence[str]) -> None: ...
    def read(self, topic: str) -> list[str]: ...
    def count(self, topic: str) -> int: ...


@contextmanager
def broker_of(kind: str, folder: Path) -> Iterator[Broker]:
    """A broker."""
    pytest.importorskip({"kafka": "confluent_kafka", "postgres": "psycopg", "amqp": "pika"}.get(kind, kind))
    servers: dict[str, Callable[[Path], AbstractContextManager[Broker]]] = {
        "kafka": lambda _: kafka_server(),
        "postgres": lambda _: postgres_server(),
        "redis": redis_server,
        "nats": nats_server,
        "amqp": rabbitmq_server,
    }
    with servers[kind](folder) as broker:
        yield broker


BROKERS = [
    "kafka",
    pytest.param("redis", marks=needs_redis),
    pytest.param("nats", marks=needs_nats),
    pytest.param("postgres", marks=needs_postgres),
    pytest.param("amqp", marks=needs_rabbitmq),
]


@pytest.mark.parametrize("kind", BROKERS)
def test_nothing_is_lost_between_brokers(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked to end nothing comes twice; killed at most the batch that was under way."""
    monkeypatch.chdir(tmp_path)
    with broker_of(kind, tmp_path) as broker:
        for how in ((signal.SIGTERM, signal.SIGINT), (signal.SIGKILL,)):
            hold(kind, broker, how)


def test_what_was_delivered_is_known_without_another_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often the run is killed before the first one is due."""
    monkeypatch.chdir(tmp_path)
    with broker_of("kafka", tmp_path) as broker:
        hold("kafka", broker, (signal.SIGKILL,), every=10**6, times=4)


def hold(
    kind: str, broker: Broker, how: Sequence[signal.Signals], *, every: int = 300, times: int = KILLS
) -> None:
    """Nothing is lost from one topic to another where the run is ended so."""
    name = "_killed" if signal.SIGKILL in how else "_asked"
    source, answers = f"source{name}", f"answers{name}"
    Path("p.lars").write_text("a(X) :- p(X). n(N) :- N = #count{ X : p(X) in [5] }.")
    random, given, parts = Random(7), list[str](), [0]
    run = ["run", "p.lars", "--input", broker.given(source), "--output", broker.address(answers)]
    run += ["--checkpoint", f"state{name}", "--checkpoint-every", str(every)]
    for number in range(times):
        first = len(given)
        came = [f'{{"time": {i}, "facts": ["p({i})"]}}' for i in range(first, first + TICKS)]
        given += came
        broker.write(source, came)
        broker.write(answers, [])
        with started([*LARS2ASP, *run], stderr=subprocess.DEVNULL) as process:
            wait_for(lambda: broker.count(answers) > parts[-1], process)
            time.sleep(random.random() * 0.05)
            process.send_signal(how[number % len(how)])
            process.wait()
        parts.append(broker.count(answers))
    last = len(given) - 2  # the last one is not over
    with started([*LARS2ASP, *run, "--until", str(last)], stderr=subprocess.PIPE) as process:
        said = process.communicate()[1]
        is_given_again = kind == "amqp" and signal.SIGKILL in how  # what was read, and not acknowledged
        again = said.count(b"error: late") + said.count(b"error: the time goes backwards")
        assert said.count(b"error") == (again if is_given_again else 0)
        assert process.returncode in (0, 1 if is_given_again else 0), said
    sent = broker.read(answers)
    Path("in.jsonl").write_text("".join(f"{line}\n" for line in given))
    whole = ["run", "p.lars", "--input", "in.jsonl", "--until", str(last), "--output", "whole.jsonl"]
    assert main(whole) == 0
    assert [*dict.fromkeys(sent)] == Path("whole.jsonl").read_text().splitlines()
    repeated, seen = [], set[str]()
    for begin, end in pairwise([*parts, len(sent)]):
        repeated.append(sum(text in seen for text in sent[begin:end]))
        seen |= {*sent[begin:end]}
    print(f"{kind}: {times} times {'+'.join(one.name for one in how)}, sent again {repeated}")
    assert max(repeated) <= (MOST_LINES if signal.SIGKILL in how else 0)
