"""Lines over a real MQTT broker, and what is said where there is none."""

import gc
import itertools
import json
import socket
import ssl
import subprocess
import sys
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from hashlib import pbkdf2_hmac
from pathlib import Path
from threading import Event, Thread
from time import sleep
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from lars2asp.runtime.connectors.addresses import feed_of
from lars2asp.runtime.connectors.mqtt import MqttFeed, MqttLimits
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import TRUNCATED_SIZE, Line
from tests.support.broker import MOSQUITTO, Broker
from tests.support.command_line import run as run_command
from tests.support.feeds import Running, running, texts
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, free_port, started, wait_for

needs_broker = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed")

TOPIC = "house/hall"
READY = "ready"


IMPATIENT = MqttLimits(reconnect_seconds=(0.1, 1))


def use_client(monkeypatch: pytest.MonkeyPatch, client: type[Client]) -> None:
    """Feeds take this client in place of the package's."""
    package = SimpleNamespace(Client=client, CallbackAPIVersion=CallbackAPIVersion)
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", package)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A broker with a message that everybody gets who subscribes."""
    broker = Broker(tmp_path)
    try:
        broker.start()
        broker.publish([READY], TOPIC, retain=True)
        yield broker
    finally:
        broker.stop()


@contextmanager
def subscribed(
    broker: Broker,
    client_id: str | None = None,
    take: Callable[[Line], None] | None = None,
    limits: MqttLimits = IMPATIENT,
) -> Iterator[Running]:
    """A feed that runs and has subscribed."""
    options = "" if client_id is None else f"?id={client_id}"
    feed = MqttFeed(f"mqtt://127.0.0.1:{broker.port}/house/#{options}", limits=limits)
    with running(feed, take) as run:
        run.wait_for_lines(1)
        yield run


def numbers(*runs: Running) -> list[int]:
    """The numbers that feeds emitted, in the order in which they came."""
    return [int(text) for run in runs for text in texts(run.lines) if text != READY]


def texts_of(count: int, start: int = 0) -> list[str]:
    """Messages of one number each."""
    return [str(number) for number in range(start, start + count)]


@needs_broker
def test_a_message_is_one_or_more_lines(broker: Broker) -> None:
    with subscribed(broker) as run:
        broker.publish(["a\nb\r\n", "", "c"], TOPIC)
        broker.publish(["d"], "house/attic", qos=0)
        assert run.wait_for_lines(5) == [
            Line(TOPIC, 1, READY),
            Line(TOPIC, 2, "a"),
            Line(TOPIC, 3, "b"),
            Line(TOPIC, 4, "c"),
            Line("house/attic", 1, "d"),
        ]


@needs_broker
def test_a_slow_reader_gets_every_message_once(broker: Broker) -> None:
    """Exactly once, since the connection holds. Most wait at the broker: few are under way at any time."""
    count = 20_000
    hold = Event()

    def take(line: Line) -> None:
        if line.number == 100:
            hold.wait(PATIENCE_SECONDS)
        if line.number % 500 == 0:
            sleep(0.01)

    with subscribed(broker, take=take) as run:
        broker.publish(texts_of(count), TOPIC)
        run.wait_for_lines(99)
        hold.set()
        run.wait_for_lines(count + 1)
    assert numbers(run) == list(range(count))


@needs_broker
def test_nothing_is_lost_when_the_broker_is_started_again(broker: Broker) -> None:
    """At least once: acknowledgements that were under way may be lost."""
    count = 3_000

    def take(line: Line) -> None:
        if line.number % 100 == 0:
            sleep(0.005)

    with subscribed(broker, "reader", take) as run:
        broker.publish(texts_of(count), TOPIC)
        run.wait_for_lines(count // 3)
        broker.stop()
        broker.start()
        broker.publish(texts_of(count, count), TOPIC)
        run.wait_for(lambda: len(set(numbers(run))) >= 2 * count)
    assert set(numbers(run)) == set(range(2 * count))


@needs_broker
def test_a_message_that_could_not_be_acknowledged_is_not_emitted_again(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is lost, and another made, while the reader is busy with the 10th message."""
    hold, count = Event(), 200
    connections = []

    class Counted(Client):
        """Counts its connections."""

        def reconnect(self) -> MQTTErrorCode:
            done = super().reconnect()
            connections.append(1)
            return done

    use_client(monkeypatch, Counted)

    def take(line: Line) -> None:
        if line.text == "9":
            hold.wait(PATIENCE_SECONDS)

    with subscribed(broker, "reader", take) as run:
        broker.publish(texts_of(count), TOPIC)
        run.wait_for(lambda: numbers(run) == list(range(9)))
        broker.stop()
        broker.start()
        run.wait_for(lambda: len(connections) == 2)
        hold.set()
        broker.publish(["1000"], TOPIC)
        run.wait_for(lambda: 1000 in numbers(run))
    since = [number for number in numbers(run)[9:] if number >= 9]  # of those before it nobody knows
    assert since == [*range(9, count), 1000]


@needs_broker
def test_with_an_id_the_broker_keeps_what_comes_while_no_feed_runs(broker: Broker) -> None:
    """Of two feeds, one after the other, the second begins with what the first did not acknowledge."""
    limits = replace(IMPATIENT, end_seconds=PATIENCE_SECONDS)
    count = 1_000
    with subscribed(broker, "reader", limits=limits) as first:
        broker.publish(texts_of(count), TOPIC)
        first.wait_for(lambda: len(numbers(first)) >= count // 2)
    broker.publish(texts_of(count, count), TOPIC)
    with subscribed(broker, "reader", limits=limits) as second:
        second.wait_for(lambda: 2 * count - 1 in numbers(second))
    assert set(numbers(first, second)) == set(range(2 * count))
    assert numbers(second) == sorted(numbers(second))
    assert len(numbers(first, second)) <= 2 * count + 1, "only the line at which it was stopped comes twice"


@needs_broker
def test_a_killed_run_loses_no_acknowledged_message(broker: Broker, tmp_path: Path) -> None:
    """The journal has a message before the broker forgets it."""
    (tmp_path / "p.lars").write_text("a(X) :- p(X).")
    address = f"mqtt://127.0.0.1:{broker.port}/house/%23?id=reader".replace("%23", "#")
    run = [*LARS2ASP, "run", "p.lars", "--input", address, "--output", "a.jsonl"]
    run += ["--rejects", "r.jsonl", "--checkpoint", "state", "--checkpoint-every", "400"]
    answers, rejects, count, kills = tmp_path / "a.jsonl", tmp_path / "r.jsonl", 600, 3
    said = b""
    for part in range(kills):
        size = answers.stat().st_size if answers.exists() else 0
        with started(run, cwd=tmp_path, stderr=subprocess.PIPE) as process:
            if not part:
                wait_for(lambda: rejects.exists() and READY in rejects.read_text(), process)
            first = part * count
            records = [f'{{"time": {i}, "facts": ["p({i})"]}}' for i in range(first, first + count)]
            broker.publish(records, TOPIC)
            wait_for(lambda: answers.exists() and answers.stat().st_size > size, process)  # noqa: B023
            process.kill()
            said += process.communicate()[1]
    last = kills * count - 2
    with started([*run, "--until", str(last)], cwd=tmp_path, stderr=subprocess.PIPE) as process:
        said += process.communicate()[1]
    expected = [{"time": i, "atoms": [f"a({i})"]} for i in range(last + 1)]
    assert [json.loads(line) for line in answers.read_text().splitlines()] == expected
    again = [line for line in rejects.read_text().splitlines() if json.loads(line)["record"] != READY]
    assert all("late" in line or "backwards" in line for line in again)
    assert not again or b"delivers a message again" in said


@needs_broker
def test_without_an_id_it_subscribes_again_after_a_lost_connection(broker: Broker) -> None:
    with subscribed(broker) as run:
        broker.stop()
        broker.start()
        run.wait_for(lambda: texts(run.lines).count(READY) == 2)
        broker.publish(["1"], TOPIC)
        run.wait_for(lambda: numbers(run) == [1])


@needs_broker
@pytest.mark.parametrize(
    ("client_id", "also"), [(None, ", and what comes meanwhile is lost"), ("reader", "")], ids=["no id", "id"]
)
def test_a_lost_connection_is_reported_and_its_return(
    broker: Broker, caplog: pytest.LogCaptureFixture, client_id: str | None, also: str
) -> None:
    with subscribed(broker, client_id) as run:
        broker.stop()
        run.wait_for(lambda: "cannot connect: Connection refused" in caplog.text)
        broker.start()
        run.wait_for(lambda: "it is there again" in caplog.text)
    name = f"mqtt://127.0.0.1:{broker.port}/house/#"
    assert [one.getMessage() for one in caplog.records] == [
        f"{name}: the connection is lost; it is waited for{also}",
        f"{name}: cannot connect: Connection refused; it is waited for{also}",
        f"{name}: it is there again",
    ]


@needs_broker
def test_a_live_run_reports_on_standard_error_that_its_broker_is_gone(broker: Broker, tmp_path: Path) -> None:
    """For its input and for its output."""
    (tmp_path / "p.lars").write_text("a(X) :- p(X).")
    host = f"mqtt://127.0.0.1:{broker.port}"
    run = [*LARS2ASP, "run", "p.lars", "--input", f"{host}/house/#", "--output", f"{host}/answers"]
    with started(run, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        said = process.stderr
        assert said is not None

        def wait_for_both(text: str) -> None:
            waiting = {f"{host}/{topic}: {text}".encode() for topic in ("house/#", "answers")}
            while waiting:
                line = said.readline()
                assert line, f"the run has ended before it said {waiting}"
                waiting = {one for one in waiting if one not in line}

        with running(MqttFeed(f"mqtt://127.0.0.1:{broker.port}/answers")) as answers:
            for tick in itertools.count():
                broker.publish([f'{{"time": {tick}, "facts": ["p({tick})"]}}'], TOPIC)
                sleep(0.01)
                if answers.lines:
                    break
        broker.stop()
        wait_for_both("the connection is lost; it is waited for")
        broker.start()
        wait_for_both("it is there again")


@needs_broker
def test_more_messages_than_are_held_wait_in_the_connection(broker: Broker) -> None:
    """Of QoS 0, for which there are no acknowledgements."""
    hold = Event()

    def take(line: Line) -> None:
        if line.text != READY:
            hold.wait(PATIENCE_SECONDS)

    with subscribed(broker, take=take, limits=replace(IMPATIENT, messages=5)) as run:
        broker.publish(texts_of(500), TOPIC, qos=0)
        hold.set()
        run.wait_for(lambda: 499 in numbers(run))
    assert numbers(run) == list(range(500))


@needs_broker
def test_it_ends_while_more_is_there_than_it_holds(broker: Broker) -> None:
    limits = replace(IMPATIENT, messages=5)
    with subscribed(broker, take=lambda line: sleep(0.01), limits=limits) as run:
        broker.publish(texts_of(500), TOPIC)
        run.wait_for_lines(3)
        run.end()
        assert len(run.lines) < 500


@needs_broker
def test_it_ends_while_the_broker_is_away(broker: Broker) -> None:
    with subscribed(broker) as run:
        broker.stop()
        run.end()
    assert run.error is None


@needs_broker
def test_user_and_password(tmp_path: Path) -> None:
    """A wrong password is refused, and the message does not tell it."""
    salt, digest = bytes(12), pbkdf2_hmac("sha512", b"secret", bytes(12), 101)
    passwords = tmp_path / "passwords"
    passwords.write_text(f"ann:$7$101${b64encode(salt).decode()}${b64encode(digest).decode()}\n")
    passwords.chmod(0o600)
    broker = Broker(tmp_path, f"allow_anonymous true\npassword_file {passwords}")
    try:
        broker.start()
        broker.publish([READY], TOPIC, retain=True)
        with running(MqttFeed(f"mqtt://ann:secret@127.0.0.1:{broker.port}/{TOPIC}")) as run:
            run.wait_for_lines(1)
        wrong = MqttFeed(f"mqtt://ann:wrong@127.0.0.1:{broker.port}/{TOPIC}")
        expected = rf"^mqtt://127.0.0.1:{broker.port}/{TOPIC}: the broker refuses .*Not authorized"
        with pytest.raises(InputError, match=expected):
            wrong.run(lambda line: None, Event())
    finally:
        broker.stop()


def test_no_broker_is_an_error() -> None:
    with (
        free_port() as port,
        pytest.raises(
            InputError, match=f"mqtt://127.0.0.1:{port}/a/b: cannot connect: Connection refused; is"
        ),
    ):
        MqttFeed(f"mqtt://127.0.0.1:{port}/a/b").run(lambda line: None, Event())


@contextmanager
def answering_on(data: bytes, tls: ssl.SSLContext | None = None) -> Iterator[int]:
    """The port of a broker that answers each connection with the same data, whatever is asked."""

    def answer() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection, suppress(OSError):
                    connection.settimeout(PATIENCE_SECONDS)
                    if tls is not None:
                        connection = tls.wrap_socket(connection, server_side=True)
                    connection.sendall(data)
                    while connection.recv(65536):
                        pass
                connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=answer, daemon=True)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(PATIENCE_SECONDS)


@contextmanager
def answering(data: bytes, **options: Any) -> Iterator[MqttFeed]:
    """A feed with such a broker."""
    with answering_on(data) as port:
        yield MqttFeed(f"mqtt://127.0.0.1:{port}/a/b", **{"limits": IMPATIENT, **options})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no broker answers here: is the port right"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "no broker answers here: is the port right"),
        (b"\x20\x02\0\x05", "refuses the connection: Not authorized"),
        (b"\x20\x02\0\0" + b"\x90\x03\0\x01\x80", "refuses the subscription"),
    ],
)
def test_what_is_no_broker_or_refuses(data: bytes, message: str) -> None:
    is_silent = "no broker answers here: is the port right" in message
    limits = replace(IMPATIENT, answer_seconds=0.2 if is_silent else PATIENCE_SECONDS)
    with answering(data, limits=limits) as feed, pytest.raises(InputError, match=message):
        feed.run(lambda line: None, Event())


def test_a_topic_that_is_no_utf8_does_no_harm() -> None:
    data = b"\x20\x02\0\0" + b"\x30\x04\0\x01\xffa" + b"\x30\x04\0\x01bc"
    with answering(data) as feed, running(feed) as run:
        assert run.wait_for_lines(2) == [Line(feed.name, 1, "a"), Line("b", 1, "c")]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_client_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rather than a feed that is silent for ever."""

    class Failing(Client):
        """Has an error in its thread, once it is connected."""

        def subscribe(self, *_: Any, **__: Any) -> NoReturn:
            raise ZeroDivisionError

    use_client(monkeypatch, Failing)
    with (
        answering(b"\x20\x02\0\0") as feed,
        pytest.raises(InputError, match="the connection broke down"),
    ):
        feed.run(lambda line: None, Event())


def test_a_missing_package_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    with pytest.raises(InputError, match=r"pip install 'lars2asp\[mqtt\]'"):
        MqttFeed("mqtt://localhost/a")


# --- bounds ---------------------------------------------------------------------------------------

WELCOME = b"\x20\x02\0\0"


def message(payload: bytes, topic: bytes = b"b") -> bytes:
    """A message of QoS 0 as a broker sends it."""
    size, length = len(payload) + 2 + len(topic), bytearray()
    while size > 127:
        length.append(size % 128 | 128)
        size //= 128
    return bytes([0x30, *length, size]) + len(topic).to_bytes(2) + topic + payload


def test_a_message_that_is_too_long_is_one_line_that_is() -> None:
    data = WELCOME + message(b"a\n" * 2000) + message(b"b\nc")
    with answering(data, largest_record=3000) as feed, running(feed) as run:
        assert run.wait_for_lines(3) == [
            Line("b", 1, "a\n" * (TRUNCATED_SIZE // 2), 4000),
            Line("b", 2, "b"),
            Line("b", 3, "c"),
        ]


def test_messages_that_wait_are_bounded_by_bytes() -> None:
    """While the reader is busy no more is read; nothing is lost."""
    data = WELCOME + b"".join(message(str(number % 10).encode() * 1000) for number in range(100))
    hold, waiting = Event(), []

    def take(line: Line) -> None:
        hold.wait(PATIENCE_SECONDS)
        sleep(0.001)
        waiting.append(feed.waiting)

    limits = replace(IMPATIENT, size=5000)
    with answering(data, limits=limits) as feed, running(feed, take) as run:
        run.wait_for(lambda: feed.waiting >= 5)
        hold.set()
        found = run.wait_for_lines(100)
    assert max(waiting) <= 5
    assert texts(found) == [str(number % 10) * 1000 for number in range(100)]


# --- TLS ------------------------------------------------------------------------------------------


@pytest.fixture
def sockets_that_paho_leaves() -> Iterator[None]:
    """They are collected within the test that leaves them, and not in some later one."""
    before = threading.enumerate()
    yield
    for thread in threading.enumerate():  # those of a client may end later than its feed
        if thread not in before:
            thread.join(PATIENCE_SECONDS)
    gc.collect()


CERTIFICATES = Path(__file__).parent / "certificates"


@pytest.fixture
def secured() -> Iterator[int]:
    """The port of a broker with a certificate for localhost, of an authority that no system trusts."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / "localhost.pem")
    with answering_on(WELCOME + message(b"secured"), context) as port:
        yield port


@pytest.mark.parametrize(
    ("host", "options"),
    [
        ("localhost", f"?ca={CERTIFICATES / 'authority.pem'}"),
        ("localhost", "?insecure"),
        ("127.0.0.1", "?id=reader&insecure"),
    ],
    ids=["ca", "insecure", "insecure-address"],
)
def test_a_broker_over_tls(secured: int, host: str, options: str) -> None:
    feed = feed_of(f"mqtts://{host}:{secured}/a/b{options}")
    assert isinstance(feed, MqttFeed)
    assert feed.name == f"mqtts://{host}:{secured}/a/b"
    with running(feed) as run:
        assert texts(run.wait_for_lines(1)) == ["secured"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("sockets_that_paho_leaves")
@pytest.mark.parametrize(
    ("host", "options", "reason"),
    [
        ("localhost", "", "certificate verify failed: .*ca=FILE"),
        ("127.0.0.1", f"?ca={CERTIFICATES / 'authority.pem'}", "certificate verify failed: .*127.0.0.1"),
    ],
    ids=["unknown-authority", "another-name"],
)
def test_certificates_are_checked(secured: int, host: str, options: str, reason: str) -> None:
    feed = feed_of(f"mqtts://{host}:{secured}/a/b{options}")
    assert feed is not None
    with pytest.raises(InputError, match=f"^mqtts://{host}:{secured}/a/b: cannot connect: {reason}"):
        feed.run(lambda line: None, Event())


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("sockets_that_paho_leaves")
def test_a_broker_without_tls_is_an_error() -> None:
    with answering_on(b"HTTP/1.1 400 Bad Request\r\n\r\n") as port:
        feed = feed_of(f"mqtts://localhost:{port}/a?insecure")
        assert feed is not None
        with pytest.raises(InputError, match=f"^mqtts://localhost:{port}/a: cannot connect: .*use TLS"):
            feed.run(lambda line: None, Event())


@pytest.mark.parametrize("text", [None, "no certificate"])
def test_a_file_without_certificates_is_an_error(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "ca.pem"
    if text is not None:
        path.write_text(text)
    feed = feed_of(f"mqtts://localhost/a?ca={path}")
    assert feed is not None
    with pytest.raises(InputError, match=f"{path}: cannot read this file: "):
        feed.run(lambda line: None, Event())


# --- the command line -----------------------------------------------------------------------------


@pytest.mark.parametrize("clock", ["data", "wall"])
def test_a_password_in_the_address_is_warned_of_and_not_told(tmp_path: Path, clock: str) -> None:
    """Nowhere: not in messages, and not in checkpoints."""
    (tmp_path / "p.lars").write_text("#tick 1 sec. a :- p.\n")
    with answering_on(b"\x20\x02\0\x05") as port:
        address = f"mqtt://ann:secret@127.0.0.1:{port}/a/b"
        arguments = ["run", "p.lars", "--clock", clock, "--input", address, "--checkpoint", "state"]
        done = run_command(tmp_path, *arguments, status=2)
    warning, notice, error = done.stderr.splitlines()
    by_records = "times of records decide the ticks (for this machine's clock add --clock wall)"
    by_clock = "this machine's clock decides the ticks"
    assert notice.endswith(f"; {by_records if clock == 'data' else by_clock}")
    assert warning.startswith("warning: all users of this machine can see the password in --input")
    assert error.startswith(f"error: mqtt://127.0.0.1:{port}/a/b: the broker refuses the connection")
    assert "secret" not in done.stderr
    assert not any(b"secret" in path.read_bytes() for path in (tmp_path / "state").iterdir())


def test_a_password_in_a_file_is_not_warned_of(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("a :- p.\n")
    (tmp_path / "secret").write_text("password\n")
    with answering_on(b"\x20\x02\0\x05") as port:
        address = f"mqtt://ann@127.0.0.1:{port}/a/b?password-file=secret"
        done = run_command(tmp_path, "run", "p.lars", "--input", address, status=2)
    notice, error = done.stderr.splitlines()
    assert notice.startswith(f"mqtt://127.0.0.1:{port}/a/b: waits for JSON lines such as ")
    assert error.startswith(f"error: mqtt://127.0.0.1:{port}/a/b: the broker refuses the connection")
