"""Lines over WebSockets and server-sent events, from servers on this machine."""

import ssl
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from websockets.sync.server import ServerConnection, serve

from lars2asp.runtime.connectors.addresses import feed_of
from lars2asp.runtime.connectors.feed import Feed
from lars2asp.runtime.connectors.web import EventFeed, WebLimits, WebSocketFeed
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import TRUNCATED_SIZE
from tests.support.feeds import running, texts
from tests.support.processes import free_port

CERTIFICATES = Path(__file__).parent / "certificates"
IMPATIENT = WebLimits(reconnect_seconds=(0.01, 0.1))


@contextmanager
def web_socket(talk: Callable[[ServerConnection], None], **options: Any) -> Iterator[int]:
    """A server that talks to each client; its port."""
    with serve(talk, "localhost", 0, **options) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.socket.getsockname()[1]
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def event_server(talk: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """A server of events; its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            talk(self)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("localhost", 0), Handler) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://localhost:{server.server_port}/live"
        finally:
            server.shutdown()
            thread.join()


def begin(handler: BaseHTTPRequestHandler, status: int = 200, kind: str = "text/event-stream") -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Connection", "close")
    handler.end_headers()


def error_of(feed: Feed) -> str:
    with pytest.raises(InputError) as caught:
        feed.run(lambda _: None, Event())
    return str(caught.value)


# --- WebSockets -----------------------------------------------------------------------------------


def test_messages_are_lines() -> None:
    """A message may have several, and be bytes; a stop ends the feed while none comes."""

    def talk(connection: ServerConnection) -> None:
        connection.send("one\ntwo\n")
        connection.send(b"three")
        connection.send("four".ljust(2000, "!"))
        connection.send("five")
        connection.recv()  # until the client ends

    with web_socket(talk) as port:
        feed = WebSocketFeed(f"ws://localhost:{port}/live?key=secret", largest_record=1999)
        with running(feed) as run:
            run.wait_for_lines(5)
    assert [text[:5] for text in texts(run.lines)] == ["one", "two", "three", "four!", "five"]
    assert (run.lines[3].length, len(run.lines[3].text)) == (2000, TRUNCATED_SIZE)
    assert {line.source for line in run.lines} == {f"ws://localhost:{port}/live"}
    assert [line.number for line in run.lines] == [1, 2, 3, 4, 5]


def test_a_lost_connection_is_made_again() -> None:
    def talk(connection: ServerConnection) -> None:
        connection.send("hello")

    with web_socket(talk) as port, running(WebSocketFeed(f"ws://localhost:{port}/", limits=IMPATIENT)) as run:
        assert texts(run.wait_for_lines(3))[:3] == ["hello"] * 3


def test_tokens_and_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    def talk(connection: ServerConnection) -> None:
        assert connection.request is not None
        connection.send(connection.request.headers["Authorization"])
        connection.recv()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / "localhost.pem")
    with web_socket(talk, ssl=context) as port:
        address = f"wss://localhost:{port}/live"
        monkeypatch.setenv("LARS2ASP_WEB_TOKEN", "abc")
        feed = feed_of(address)
        assert feed is not None
        assert "name another authority in the environment variable SSL_CERT_FILE" in error_of(feed)
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "authority.pem"))
        with running(feed) as run:
            assert texts(run.wait_for_lines(1)) == ["Bearer abc"]


# --- server-sent events ---------------------------------------------------------------------------


def test_events_are_lines() -> None:
    """Comments, names and ids are no lines; an event that is not complete is dropped."""

    def talk(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        long = b"x" * 3000
        for piece in (
            b": a comment\r\nevent: reading\r\nda",
            b"ta: one\r\ndata:two\r\n\r\nid: 7\nretry: 0\ndata: three\n\n",
            b"\n\ndata: " + long + b"\n\ndata: " + long[:1500] + b"\ndata: " + long[:600] + b"\n\n",
            b"data: last\n\ndata: not complete",
        ):
            handler.wfile.write(piece)
            handler.wfile.flush()
        waits.wait()

    waits = Event()
    with event_server(talk) as url:
        with running(EventFeed(url, largest_record=2000)) as run:
            run.wait_for_lines(6)
        waits.set()
    assert [text[:5] for text in texts(run.lines)] == ["one", "two", "three", "xxxxx", "xxxxx", "last"]
    assert [line.length for line in run.lines[3:]] == [3000, 2101, None]


def test_events_go_on_after_a_loss() -> None:
    """The server is told the last id."""
    seen: list[str | None] = []

    def talk(handler: BaseHTTPRequestHandler) -> None:
        seen.append(handler.headers["Last-Event-ID"])
        begin(handler)
        handler.wfile.write(b"id: %d\ndata: hello\n\n" % len(seen))

    with event_server(talk) as url, running(EventFeed(url, limits=IMPATIENT)) as run:
        run.wait_for_lines(3)
    assert seen[:3] == [None, "1", "2"]


# --- what is said ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("made", "scheme"), [(WebSocketFeed, "ws"), (EventFeed, "http")])
def test_a_server_that_is_not_there(made: Callable[[str], Feed], scheme: str) -> None:
    with free_port() as port:
        assert "cannot connect" in error_of(made(f"{scheme}://localhost:{port}/"))


def test_servers_that_refuse() -> None:
    with event_server(lambda handler: begin(handler, 401)) as url:
        assert "HTTP status 401; put a token into LARS2ASP_WEB_TOKEN" in error_of(EventFeed(url))
        assert "HTTP status 401" in error_of(WebSocketFeed(url.replace("http:", "ws:")))
    with event_server(lambda handler: begin(handler, kind="text/html")) as url:
        assert error_of(EventFeed(url)).endswith("the server sends text/html, not text/event-stream")


@pytest.mark.parametrize("address", ["ws://localhost/x", "sse+http://localhost/x"])
def test_without_the_packages(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("httpx", "websockets.sync.client"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=r"is missing: pip install 'lars2asp\[web\]'"):
        feed_of(address)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("ws://h:9/a?key=x", "ws://h:9/a"),
        ("wss://h", "wss://h"),
        ("sse+https://[::1]:8443/events", "https://[::1]:8443/events"),
    ],
)
def test_addresses(address: str, name: str) -> None:
    feed = feed_of(address)
    assert feed is not None
    assert feed.name == name


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("ws:9000", "write ws://SERVER/PATH, such as ws://localhost:8000/live"),
        ("ws://h:70000/", "a port must be a number from"),
        ("sse+http://ann:secret@h/a", "the environment variable LARS2ASP_WEB_TOKEN"),
    ],
)
def test_wrong_addresses(address: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        feed_of(address)
    assert "secret" not in str(caught.value)
