"""Answers that are sent to others: a webhook, a port, a topic of a broker."""

import json
import socket
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from lars2asp.__main__ import main
from lars2asp.runtime.connectors import tcp
from lars2asp.runtime.connectors.addresses import destination_of, name_of
from lars2asp.runtime.connectors.delivering import MOST_LINES, Retries, UnreachableError
from lars2asp.runtime.connectors.http import Webhook
from lars2asp.runtime.connectors.mqtt import MqttFeed, MqttTopic
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.connectors.tcp import TcpLines
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.runs.processes.delivery import Delivery
from lars2asp.runtime.sources.records import Line
from tests.support.broker import MOSQUITTO, Broker
from tests.support.processes import PATIENCE_SECONDS, free_port
from tests.support.webhooks import webhook

AT_ONCE = Retries(first_seconds=0.01, total_seconds=0)


def files(folder: Path, number: int) -> list[str]:
    """The command that writes as many answers."""
    (folder / "p.lars").write_text("a(X) :- p(X).")
    told = (f'{{"time": {i}, "facts": ["p({i})"]}}\n' for i in range(number))
    (folder / "in.jsonl").write_text("".join(told))
    return ["run", str(folder / "p.lars"), "--input", str(folder / "in.jsonl")]


@pytest.mark.parametrize("more", [(), ("--checkpoint", "state", "--checkpoint-every", "100")])
def test_all_answers_of_a_run_come_to_a_webhook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    """In order, in batches, also those that it did not take at first."""
    monkeypatch.chdir(tmp_path)
    command = files(tmp_path, 3000)
    assert main([*command, "--output", "whole.jsonl"]) == 0
    statuses = iter([503])
    with webhook(lambda _: next(statuses, 200)) as hook:
        assert main([*command, "--output", hook.address, *more]) == 0
    bodies = hook.bodies
    assert b"".join(bodies) == Path("whole.jsonl").read_bytes()
    assert max(body.count(b"\n") for body in bodies) <= MOST_LINES


def test_a_webhook_that_refuses_ends_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with webhook(lambda _: 404) as hook:
        assert main([*files(tmp_path, 3), "--output", hook.address]) == 2
    assert f"{hook.address}: the receiver refuses answers with status 404" in capsys.readouterr().err


def test_what_takes_nothing_is_given_up() -> None:
    with free_port() as port:
        for one in (Webhook(f"http://127.0.0.1:{port}/", "here"), TcpLines("127.0.0.1", port)):
            said = "seconds. Without --checkpoint the undelivered answers are lost"
            with (
                pytest.raises(InputError, match=said),
                Delivery(one, posting=Posting(retries=AT_ONCE)) as delivery,
            ):
                delivery.write("{}\n")
                delivery.flush()


def test_lines_to_a_port_come_again_after_a_lost_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        with closing(TcpLines("127.0.0.1", listener.getsockname()[1])) as sink:
            sink.deliver([b"1", b"2"])
            first, _ = listener.accept()
            with first, first.makefile("rb") as lines:
                assert [lines.readline() for _ in range(2)] == [b"1\n", b"2\n"]
            sink.deliver([b"3"])
            second, _ = listener.accept()
        with second, second.makefile("rb") as lines:
            assert lines.read() == b"3\n"


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        (b"", "the receiver closes the connection at once; if the receiver expects TLS, add .tls"),
        (
            b"\x15\x03\x03\x00\x02\x02\x46",
            "the receiver closes the connection at once: the receiver expects TLS: add .tls",
        ),
        (b"not today\r\n", "the receiver closes the connection at once; it says 'not today'"),
    ],
)
def test_lines_to_a_port_that_closes_at_once_are_not_taken_for_sent(
    monkeypatch: pytest.MonkeyPatch, said: bytes, hint: str
) -> None:
    """They come again with the next connection, and what the other end says is in the message."""
    monkeypatch.setattr(tcp, "VERDICT_SECONDS", PATIENCE_SECONDS)
    found: list[bytes] = []

    def refuse(listener: socket.socket) -> None:
        for _ in range(2):
            connection, _address = listener.accept()
            with connection:
                found.append(connection.recv(4096))
                connection.sendall(said)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=refuse, args=(listener,), daemon=True)
        thread.start()
        with closing(TcpLines("127.0.0.1", listener.getsockname()[1])) as sink:
            for _ in range(2):
                with pytest.raises(UnreachableError, match=hint):
                    sink.deliver([b"1", b"2"])
        thread.join(PATIENCE_SECONDS)
    assert found == [b"1\n2\n"] * 2


@pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed")
def test_messages_of_a_topic(tmp_path: Path) -> None:
    broker = Broker(tmp_path)
    broker.start()
    try:
        found: list[str] = []
        stop = Event()

        def take(line: Line) -> None:
            found.append(line.text)
            if len(found) == 3:
                stop.set()

        feed = MqttFeed(f"mqtt://127.0.0.1:{broker.port}/a/b?id=reader")
        stop.set()
        feed.run(take, stop)  # the broker remembers its subscription
        stop.clear()
        reader = Thread(target=feed.run, args=(take, stop), daemon=True)
        reader.start()
        with closing(MqttTopic(f"mqtt://127.0.0.1:{broker.port}/a/b")) as topic:
            while not found:
                topic.deliver([b"0"])
            topic.deliver([b"1", b"2"])
        reader.join(60)
        assert found[0] == "0"
    finally:
        broker.stop()


def test_no_broker_is_said() -> None:
    with (
        free_port() as port,
        pytest.raises(InputError, match="cannot connect: Connection refused; is the broker"),
    ):
        MqttTopic(f"mqtt://127.0.0.1:{port}/a/b").deliver([b"1"])


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("http:///x", "write http://HOST/PATH, such as http://localhost:8080/alarms"),
        ("http://h:port/x", "write http://HOST/PATH, such as http://localhost:8080/alarms"),
        ("tcp:9000", "write tcp:HOST:PORT, such as tcp:localhost:9000"),
        ("tcp:h:99999", "a port must be a number from"),
        ("mqtt://h/a/#", "answers go to one topic"),
    ],
)
def test_wrong_addresses(address: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        destination_of(address)


def test_names_have_no_passwords() -> None:
    assert name_of("https://me:secret@host:99/p?token=secret") == "https://host:99/p"
    assert name_of("answers.jsonl") == "answers.jsonl"
    assert destination_of("answers:1.jsonl") is None
    destination = destination_of("tcp://[::1]:9000")
    assert destination is not None
    assert destination.name == "tcp://[::1]:9000"
    assert json.dumps(name_of("mqtt://me:secret@host/a?id=b")) == '"mqtt://host/a"'
