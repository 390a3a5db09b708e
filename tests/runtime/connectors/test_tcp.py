"""Lines over sockets of this machine."""

import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from errno import EMFILE
from os import strerror
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from lars2asp.runtime.connectors import tcp
from lars2asp.runtime.connectors.addresses import destination_of, feed_of
from lars2asp.runtime.connectors.delivering import Destination, Retries
from lars2asp.runtime.connectors.limited_warnings import WARNING_SECONDS
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.connectors.tcp import AGAIN_AFTER_SECONDS, MOST_UNFINISHED, PIECE, TcpFeed, TcpLines
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.runs.processes.delivery import Delivery
from lars2asp.runtime.sources.records import LARGEST_RECORD, TRUNCATED_SIZE, Line
from lars2asp.runtime.sources.text.text_files import is_utf8
from tests.support.feeds import Running, running, texts
from tests.support.processes import PATIENCE_SECONDS


@pytest.fixture
def feed() -> Iterator[TcpFeed]:
    """A feed on a free port, which is known before it runs."""
    feed = TcpFeed()
    feed.open()
    yield feed
    feed.close()


def connect(feed: TcpFeed) -> socket.socket:
    """A connection to a feed."""
    return socket.create_connection((feed.host, feed.port), timeout=PATIENCE_SECONDS)


def send(feed: TcpFeed, data: bytes) -> None:
    """Sends data over a connection of its own."""
    with connect(feed) as connection:
        connection.sendall(data)


def source(connection: socket.socket) -> str:
    """What the feed calls a connection."""
    host, port = connection.getsockname()[:2]
    return f"tcp:{host}:{port}"


def test_lines_come_with_the_name_of_their_connection(feed: TcpFeed) -> None:
    assert feed.name == f"tcp:127.0.0.1:{feed.port}"
    assert feed.port
    with running(feed) as run, connect(feed) as first, connect(feed) as second:
        first.sendall(b"a\nb")
        run.wait_for_lines(1)
        second.sendall(b"c\r\n")
        run.wait_for_lines(2)
        first.sendall(b"d\n")
        assert run.wait_for_lines(3) == [
            Line(source(first), 1, "a"),
            Line(source(second), 1, "c"),
            Line(source(first), 2, "bd"),
        ]


def test_what_is_sent_before_the_feed_runs_is_not_lost(feed: TcpFeed) -> None:
    send(feed, b"early\n")
    with running(feed) as run:
        assert texts(run.wait_for_lines(1)) == ["early"]


def test_the_feed_goes_on_when_connections_close_and_their_last_line_counts(feed: TcpFeed) -> None:
    with running(feed) as run:
        for number in range(20):
            send(feed, f"{number}".encode())
            run.wait_for_lines(number + 1)
        assert texts(run.lines) == [str(number) for number in range(20)]


def test_the_last_line_of_a_connection_that_breaks_does_not_count(feed: TcpFeed) -> None:
    with running(feed) as run:
        broken = connect(feed)
        broken.sendall(b"whole\nlevel(1")
        run.wait_for_lines(1)
        broken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        broken.close()  # with a reset
        send(feed, b"next\n")
        assert texts(run.wait_for_lines(2)) == ["whole", "next"]


def test_a_line_that_is_no_utf8_does_no_harm_to_others(feed: TcpFeed) -> None:
    with running(feed) as run:
        send(feed, b"a\n\xff\xfe\nb\n")
        first, bad, last = run.wait_for_lines(3)
    assert (first.text, last.text) == ("a", "b")
    assert not is_utf8(bad.text)


def test_a_line_that_is_too_long_does_no_harm_to_others(feed: TcpFeed) -> None:
    with running(feed) as run:
        send(feed, b"a\n" + b"x" * (LARGEST_RECORD + 1) + b"\nb\n")
        first, long, last = run.wait_for_lines(3)
    assert (first.text, last.text) == ("a", "b")
    assert (long.text, long.length) == ("x" * TRUNCATED_SIZE, LARGEST_RECORD + 1)


def test_a_slow_reader_loses_nothing(feed: TcpFeed) -> None:
    """Each of four connections sends more than sockets and feed can hold."""
    senders, count = 4, 12_500
    hold = Event()

    def take(line: Line) -> None:
        if line.number == 100:
            hold.wait(PATIENCE_SECONDS)

    padding = "x" * 1000
    data = ["".join(f"{sender} {n} {padding}\n" for n in range(count)).encode() for sender in range(senders)]
    threads = [Thread(target=send, args=(feed, part), daemon=True) for part in data]
    with running(feed, take) as run:
        try:
            for thread in threads:
                thread.start()
            run.wait_for_lines(99)
            for thread in threads:
                thread.join(0.1)
            assert all(thread.is_alive() for thread in threads), "the senders are not held back"
            assert len(run.lines) < 1000
        finally:
            hold.set()
        got = [line.text.split()[:2] for line in run.wait_for_lines(senders * count)]
        for thread in threads:
            thread.join()
    assert len(got) == senders * count
    for sender in range(senders):
        assert [n for by, n in got if by == str(sender)] == [str(n) for n in range(count)]


def test_connections_take_turns(feed: TcpFeed) -> None:
    """A connection with much to say keeps others waiting for no more than a piece of it."""
    reached, hold = Event(), Event()

    def take(line: Line) -> None:
        reached.set()
        hold.wait(PATIENCE_SECONDS)

    with running(feed, take) as run:
        sender = Thread(target=send, args=(feed, b"much\n" * 200_000), daemon=True)
        sender.start()
        reached.wait(PATIENCE_SECONDS)
        with connect(feed) as quiet:
            quiet.sendall(b"little\n")
            hold.set()
            run.wait_for_lines(200_001)
        sender.join()
    assert 0 < texts(run.lines).index("little") < 3 * PIECE / len(b"much\n")


def test_it_ends_soon_when_it_is_stopped_and_frees_the_port(feed: TcpFeed) -> None:
    with connect(feed) as connection:
        connection.sendall(b"a\n")
        with running(feed) as run:
            run.wait_for_lines(1)
            run.end()
        assert connection.recv(1) == b""
    again = TcpFeed(port=feed.port)
    again.open()
    again.close()


def test_it_stops_among_the_lines_of_one_piece(feed: TcpFeed) -> None:
    send(feed, b"a\n" * 1000)
    stop = Event()
    got: list[Line] = []

    def take(line: Line) -> None:
        got.append(line)
        stop.set()

    feed.run(take, stop)
    assert len(got) == 1


def test_a_reader_that_fails_ends_the_feed(feed: TcpFeed) -> None:
    send(feed, b"a\n")

    def take(line: Line) -> None:
        raise RuntimeError(line.text)

    with pytest.raises(RuntimeError, match="a"):
        feed.run(take, Event())


def test_ipv6() -> None:
    feed = TcpFeed("::1")
    try:
        feed.open()
    except InputError:
        pytest.skip("this machine has no IPv6")
    assert feed.name == f"tcp:[::1]:{feed.port}"
    with running(feed) as run, connect(feed) as connection:
        connection.sendall(b"a\n")
        assert run.wait_for_lines(1)[0].source == f"tcp:[::1]:{connection.getsockname()[1]}"


def test_a_port_that_is_taken_is_an_error(feed: TcpFeed) -> None:
    other = TcpFeed(port=feed.port)
    with pytest.raises(InputError, match="choose another port, or an address of this machine"):
        other.run(lambda line: None, Event())


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host", "a" * 70])
def test_an_address_that_is_not_of_this_machine_is_an_error(host: str) -> None:
    with pytest.raises(InputError, match="choose another port, or an address of this machine"):
        TcpFeed(host).open()


# --- bounds ---------------------------------------------------------------------------------------


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def said(connection: socket.socket) -> str:
    """What the feed says until it closes the connection."""
    found = b""
    while piece := connection.recv(4096):
        found += piece
    return found.decode()


@contextmanager
def bounded(
    *, connections: int = 1000, idle: float = 100.0, largest_record: int = 1000
) -> Iterator[tuple[TcpFeed, Running, Clock]]:
    """A feed with other bounds that runs."""
    clock = Clock()
    feed = TcpFeed(connections=connections, idle=idle, largest_record=largest_record, clock=clock)
    feed.open()
    with running(feed) as run:
        yield feed, run, clock


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was said to the user, without the name of the feed."""
    return [record.getMessage().partition(": ")[2] for record in caplog.records]


def test_one_connection_too_many_is_told_so(caplog: pytest.LogCaptureFixture) -> None:
    """Also one that says something first; when one of the others has closed there is room again."""
    with bounded(connections=2) as (feed, run, _):
        first, second = connect(feed), connect(feed)
        for number, connection in enumerate((first, second), start=1):
            connection.sendall(b"a\n")
            run.wait_for_lines(number)
        for _ in range(50):
            with connect(feed) as third:
                assert said(third) == "too many connections: 2 are open, come again later\n"
        with connect(feed) as third, suppress(ConnectionError):
            third.sendall(b"lost\n")
            said(third)
        second.close()
        with retried(feed, run, b"next\n"):
            first.sendall(b"still\n")
            run.wait_for(lambda: {"next", "still"} <= set(texts(run.lines)))
        first.close()
    assert "lost" not in texts(run.lines)
    [warning, *more] = warnings(caplog)
    assert "a connection was refused: 2 are open" in warning
    assert not more


@contextmanager
def retried(feed: TcpFeed, run: Running, data: bytes) -> Iterator[None]:
    """A connection that sends something, made again as long as it is refused."""
    while True:
        with connect(feed) as connection, suppress(ConnectionError):
            connection.sendall(data)
            connection.settimeout(0.05)
            with suppress(TimeoutError):
                if connection.recv(1):
                    continue
            run.wait_for(lambda: data.decode().strip() in texts(run.lines))
            yield
            return


def test_warnings_are_bounded_but_go_on(caplog: pytest.LogCaptureFixture) -> None:
    with bounded(connections=1) as (feed, run, clock), connect(feed) as open_one:
        open_one.sendall(b"a\n")
        run.wait_for_lines(1)
        for minute in range(3):
            clock.now = minute * WARNING_SECONDS * 1.01
            for _ in range(5):
                with connect(feed) as other:
                    assert said(other)
            open_one.sendall(b"a\n")
            run.wait_for_lines(minute + 2)
    found = warnings(caplog)
    assert [text.partition(" (and")[2] for text in found] == ["", " 4 times before)", " 4 times before)"]


def test_a_connection_from_which_nothing_comes_is_closed(caplog: pytest.LogCaptureFixture) -> None:
    """What it had begun to say does not count; one from which something came meanwhile stays."""
    with bounded(idle=100) as (feed, run, clock), connect(feed) as idle, connect(feed) as busy:
        idle.sendall(b"whole\nlevel(1")
        run.wait_for_lines(1)
        clock.now = 60
        busy.sendall(b"1\n")
        run.wait_for_lines(2)
        clock.now = 101
        assert said(idle) == "closed: nothing came for 100 seconds\n"
        busy.sendall(b"2\n")
        assert texts(run.wait_for_lines(3)) == ["whole", "1", "2"]
    assert warnings(caplog) == [
        "a connection was closed, from which nothing came for 100 seconds; ?idle= allows for more"
    ]


def test_what_waits_is_not_idle() -> None:
    """While the reader is busy nothing is read; what came meanwhile counts when it is read."""
    clock, hold, reached = Clock(), Event(), Event()

    def take(line: Line) -> None:
        if line.text == "first":
            reached.set()
            hold.wait(PATIENCE_SECONDS)

    feed = TcpFeed(idle=100, clock=clock)
    feed.open()
    with connect(feed) as one, connect(feed) as other, running(feed, take) as run:
        one.sendall(b"0\n")
        other.sendall(b"0\n")
        run.wait_for_lines(2)
        one.sendall(b"first\n")
        reached.wait(PATIENCE_SECONDS)
        other.sendall(b"second\n")
        one.sendall(b"third\n")
        clock.now = 1000
        hold.set()
        assert {"second", "third"} <= set(texts(run.wait_for_lines(5)))


def test_lines_that_have_not_ended_are_bounded_together(caplog: pytest.LogCaptureFixture) -> None:
    """The connection with the longest is closed; the others go on."""
    with bounded(largest_record=1000) as (feed, run, _), ExitStack() as stack:
        connections = [stack.enter_context(connect(feed)) for _ in range(MOST_UNFINISHED + 1)]
        for number, connection in enumerate(connections):
            connection.sendall(b"a\n" + b"x" * (900 if number == 2 else 800))
            run.wait_for_lines(number + 1)
        connections[0].sendall(b"x" * 50)
        assert "unfinished lines of all connections exceed" in said(connections[2])
        for number, connection in enumerate(connections):
            if number != 2:
                connection.sendall(b"\n")
        run.wait_for_lines(len(connections) + MOST_UNFINISHED)
    lengths = sorted(len(line.text) for line in run.lines if line.text != "a")
    assert lengths == [800] * (MOST_UNFINISHED - 1) + [850]
    assert len(warnings(caplog)) == 1


def test_a_connection_without_line_ends_holds_no_more_than_a_record(feed: TcpFeed) -> None:
    """However much comes: only the beginning is held, and the rest is passed over."""
    with bounded(largest_record=1000) as (small, run, _), connect(small) as connection:
        for _ in range(10):
            connection.sendall(b"x" * 100_000)
        connection.sendall(b"\nnext\n")
        long, following = run.wait_for_lines(2)
    assert (len(long.text), long.length, following.text) == (TRUNCATED_SIZE, 1_000_000, "next")


def test_when_no_more_files_may_be_opened_new_connections_wait(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that are open go on, nothing spins, and those that wait are taken when it can be done."""
    attempts = []
    is_full = True

    class Listener(socket.socket):
        def accept(self) -> Any:
            attempts.append(1)
            if is_full and len(attempts) > 1:
                raise OSError(EMFILE, strerror(EMFILE))
            return super().accept()

    def create(address: tuple[str, int], **_: object) -> socket.socket:
        listener = Listener()
        listener.bind(address)
        listener.listen()
        return listener

    monkeypatch.setattr(socket, "create_server", create)
    with bounded() as (feed, run, clock), connect(feed) as first:
        first.sendall(b"0\n")
        run.wait_for_lines(1)
        with connect(feed) as second:
            second.sendall(b"late\n")
            for number in range(20):
                first.sendall(b"1\n")
                run.wait_for_lines(number + 2)
            run.wait_for(lambda: len(attempts) == 2)
            for number in range(20):
                first.sendall(b"1\n")
                run.wait_for_lines(number + 22)
            assert len(attempts) == 2
            is_full = False
            clock.now = AGAIN_AFTER_SECONDS
            run.wait_for_lines(42)
    assert texts(run.lines)[-1] == "late"
    assert warnings(caplog) == ["cannot take a new connection: Too many open files; it waits"]


CERTIFICATES = Path(__file__).with_name("certificates")


def test_the_first_line_is_the_token(caplog: pytest.LogCaptureFixture) -> None:
    """However it is cut; a connection with another one is closed, told why, and counted."""
    feed = TcpFeed(token="s3cret")
    feed.open()
    with running(feed) as run:
        with connect(feed) as connection:
            for piece in (b"s3c", b"ret\r\na\n", b"b\n"):
                connection.sendall(piece)
                run.stop.wait(0.02)
            run.wait_for_lines(2)
        for wrong in (b"s3crex\nc\n", b"s3cret\0\nc\n", b"\nc\n", b"x" * 5000):
            with connect(feed) as connection:
                connection.sendall(wrong)
                assert connection.recv(4096) == b"closed: the first line is not the token\n"
        send(feed, b"s3cret\nd")
        run.wait_for_lines(3)
    assert texts(run.lines) == ["a", "b", "d"]
    assert caplog.text.count("a connection was closed whose first line was not the token") == 1
    assert "s3cre" not in caplog.text


def test_lines_come_over_tls(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    """Many at once, from who knows the token; nobody waits for who does not begin TLS."""
    (tmp_path / "token").write_text("s3cret\n")
    file = CERTIFICATES / "localhost.pem"
    options = f"cert={file}&key={file}&token-file={tmp_path}/token"
    feed = feed_of(f"tcp:0?{options}")
    assert isinstance(feed, TcpFeed)
    feed.open()
    to = f"tcp:localhost:{feed.port}?tls&ca={CERTIFICATES / 'authority.pem'}&token-file={tmp_path}/token"
    with running(feed) as run, connect(feed) as silent:
        with connect(feed) as plain, suppress(ConnectionError):
            plain.sendall(b"s3cret\nplain\n")
            while plain.recv(4096):
                pass
        destination = destination_of(to)
        assert destination is not None
        lines = [b"%d " % i + b"x" * 1000 for i in range(500)]
        destination.deliver(lines)
        destination.deliver([b"last"])
        run.wait_for_lines(501)
        destination.close()
        assert silent.fileno() >= 0
    assert [text.encode() for text in texts(run.lines)] == [*lines, b"last"]
    assert "a connection was closed with which TLS did not begin" in caplog.text


def delivering(destination: Destination, retries: Retries) -> None:
    """Delivers lines as a run does."""
    with Delivery(destination, posting=Posting(retries=retries)) as delivery:
        delivery.write('{"time": 0, "facts": ["a"]}\n')
        delivery.flush()


@pytest.mark.parametrize(
    ("given", "hint"), [("wr0ng", "is this the right token"), (None, "add .token-file=FILE")]
)
@pytest.mark.parametrize("seconds", [0, PATIENCE_SECONDS])
def test_a_sender_with_another_token_says_so(
    monkeypatch: pytest.MonkeyPatch, given: str | None, hint: str, seconds: float
) -> None:
    """Also where the other end takes its time: then at the next lines, or at the end."""
    monkeypatch.setattr(tcp, "VERDICT_SECONDS", seconds)
    feed = TcpFeed(token="s3cret")
    feed.open()
    said = f"it says 'closed: the first line is not the token'; .*{hint}"
    with running(feed) as run, closing(TcpLines("127.0.0.1", feed.port, None, given)) as sink:
        if seconds:
            with pytest.raises(InputError, match=said):
                delivering(sink, Retries())
        else:
            with pytest.raises(InputError, match=said):
                while True:
                    sink.deliver([b"a"])
                    run.stop.wait(0.01)
    assert not run.lines


@pytest.mark.parametrize("is_encrypted", [True, False])
def test_lines_to_a_port_with_tls_are_not_taken_for_sent(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, *, is_encrypted: bool
) -> None:
    """Nor those to one with too many connections, which says so; they come again."""
    monkeypatch.setattr(tcp, "VERDICT_SECONDS", PATIENCE_SECONDS)
    file = str(CERTIFICATES / "localhost.pem")
    feed = feed_of(f"tcp:0?cert={file}&key={file}" if is_encrypted else "tcp:0?connections=1")
    assert isinstance(feed, TcpFeed)
    feed.open()
    said = "add .tls" if is_encrypted else "it says 'too many connections: 1 are open, come again later'"
    with running(feed) as run, connect(feed) as first:
        if not is_encrypted:
            first.sendall(b"first\n")
            run.wait_for_lines(1)
        with pytest.raises(InputError, match=f"cannot deliver answers: .*{said}.*; lars2asp gave up"):
            delivering(TcpLines("127.0.0.1", feed.port), Retries(first_seconds=0.01, total_seconds=0))
    assert "takes answers again" not in caplog.text


def test_files_of_certificates_are_looked_at() -> None:
    with pytest.raises(InputError, match="TLS needs a certificate and its key"):
        feed_of("tcp:0?cert=a")
    with pytest.raises(InputError, match="certificates need TLS: add tls"):
        destination_of("tcp:localhost:9000?ca=a")
    feed = feed_of("tcp:0?cert=missing&key=missing")
    assert feed is not None
    with running(feed) as run:
        run.thread.join()
    assert "are these the certificate and its key?" in str(run.error)
