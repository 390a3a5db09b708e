"""Lines over sockets of this machine."""

import socket
import struct
from collections.abc import Iterator
from threading import Event, Thread

import pytest

from runtime.errors import InputError
from runtime.feeds.feed import Line
from runtime.feeds.tcp import PIECE, TcpFeed
from runtime.records import BEGINNING, LARGEST_RECORD
from runtime.text_files import is_utf8
from tests.processes import PATIENCE_SECONDS
from tests.runtime.feeds.running import running, texts


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
    assert (long.text, long.length) == ("x" * BEGINNING, LARGEST_RECORD + 1)


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
    with pytest.raises(InputError, match=f"tcp:127.0.0.1:{feed.port}: cannot listen there: .*another port"):
        other.run(lambda line: None, Event())


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host", "a" * 70])
def test_an_address_that_is_not_of_this_machine_is_an_error(host: str) -> None:
    with pytest.raises(InputError, match="cannot listen there"):
        TcpFeed(host).open()
