"""Lines over HTTP: programs post them to a port of this machine, or a webhook takes them.

http:8088, http://0.0.0.0:8088?token-file=FILE
    an input: a port; from other machines with a token (Authorization: Bearer)
https:8443?cert=FILE&key=FILE       the same over TLS
http://HOST/PATH, https://HOST/PATH an output: batches of lines, each the body of a POST, or a POST for each
    atom; it may have user:password@
"""

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY
from hashlib import sha256
from threading import Event
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from lars2asp.runtime.connectors.address import LOCAL, masked, token_of
from lars2asp.runtime.connectors.delivering import MOST_LINES, UnreachableError
from lars2asp.runtime.connectors.feed import POLL_SECONDS, Lines
from lars2asp.runtime.connectors.listening import THIS_MACHINE, Certificate, Listening, name_of, own_port
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import check_installed, needed
from lars2asp.runtime.sources.records import LARGEST_RECORD, Line
from lars2asp.syntax.values import dataclass

MOST_REQUESTS = 1000
"""The number of connections that may be open at once; others get status 503."""

MOST_WAITING = 100
"""The number of requests whose lines may wait for room; others get status 429, and come again."""

PIECE_SECONDS = 60.0
"""For how long the next piece of a body is waited for."""

KEPT_SECONDS = 30.0
"""For how long a request waits until its lines are kept."""

AGAIN_SECONDS = 1
"""When a request that could not be taken may come again."""

MOST_REASONS = 10
"""The number of lines of which an answer says why they are rejected."""

ANSWER_SECONDS = 30
"""For how long an answer to a POST is waited for."""

TRIED_AGAIN = (408, 425, 429)
"""The statuses besides 500 and above after which a POST is tried again."""

_Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Judged(NamedTuple):
    """What a line is worth.

    Attributes:
        is_taken: whether something of it is taken.
        reasons: why records of it are rejected.
    """

    is_taken: bool = True
    reasons: tuple[str, ...] = ()


class _RefusedError(Exception):
    """A request is not taken."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


@dataclass(eq=False)
class HttpFeed(Listening):
    """Listens on a port; the body of each POST is one or more lines.

    A request is answered with 202, and how many lines were taken, when all of them are: where the run keeps a
    journal, when they stand in it. While the reader is busy requests wait, and no more is read of them.

    Attributes:
        host: the address or name to listen on; `0.0.0.0` takes requests from other machines.
        port: the number of the port; 0 before `open` takes any that is free.
        token: what requests must have, as `Authorization: Bearer`; None: anything.
        tls: what HTTPS needs; None for HTTP.
        largest_record: in bytes, the length beyond which only the beginning of a line is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
        judge: says what of a line is rejected; None: nothing is known of it.
        waits_until_kept: whether requests are answered when `kept` has said so.
        name: such as `http:127.0.0.1:8088`.

    Raises MissingPackageError.
    """

    host: str = THIS_MACHINE
    port: int = 0
    _: KW_ONLY
    token: str | None = None
    tls: Certificate | None = None
    largest_record: int = LARGEST_RECORD
    encoding: str | None = None
    judge: Callable[[Line], Judged] | None = None
    waits_until_kept: bool = False

    def __post_init__(self) -> None:
        self.scheme = "http" if self.tls is None else "https"
        self.name = name_of(self.scheme, self.host, self.port)
        self._requests: _Requests | None = None
        check_installed(("uvicorn",), "web", self.name)

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits lines until `stop` is set; see `Feed`."""
        self.open()
        try:
            asyncio.run(self._serve(emit, stop))
        finally:
            self.close()

    def kept(self, source: str, number: int, of_input: int = 0) -> None:
        """The lines up to a number are kept; called by another thread."""
        if source == self.name and self._requests is not None:
            self._requests.kept(number)

    async def _serve(self, emit: Callable[[Line], None], stop: Event) -> None:
        uvicorn = needed("uvicorn", "web", self.name)
        requests = self._requests = _Requests(self, emit, stop)
        tls = {}
        if self.tls is not None:
            tls = {"ssl_certfile": self.tls.certificate, "ssl_keyfile": self.tls.key}
        config = uvicorn.Config(
            requests.take,
            **{"lifespan": "off", "ws": "none", "http": "h11", "log_config": None, "access_log": False},
            interface="asgi3",
            proxy_headers=False,
            server_header=False,
            limit_concurrency=MOST_REQUESTS,
            timeout_graceful_shutdown=int(KEPT_SECONDS),
            **tls,
        )

        class Server(uvicorn.Server):  # type: ignore[misc, name-defined] # it is imported here
            """A server that leaves signals alone: it ends with the run."""

            @contextmanager
            def capture_signals(self) -> Iterator[None]:
                yield

        try:
            server = Server(config)
            assert self._listener is not None
            serving = asyncio.create_task(server.serve(sockets=[self._listener]))
            while not stop.is_set() and not serving.done():
                await asyncio.sleep(POLL_SECONDS)
            server.should_exit = True
            await serving
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"{self.name}: {reason}: are these the certificate and its key?") from error


class _Requests:
    """The requests to a port, and their lines."""

    def __init__(self, feed: HttpFeed, emit: Callable[[Line], None], stop: Event) -> None:
        self._feed = feed
        self._emit = emit
        self._stop = stop
        self._loop = asyncio.get_running_loop()
        self._turn = asyncio.Lock()
        self._number = 0
        """That of the last line."""
        self._waiting = 0
        self._kept = 0
        self._unkept: list[tuple[int, asyncio.Future[None]]] = []
        """The requests that wait until a line is kept."""

    def kept(self, number: int) -> None:
        """The lines up to a number are kept; called by another thread."""
        with suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(self._take_kept, number)

    async def take(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Serves a request."""
        try:
            self._check(scope)
            answer = await self._taken(receive)
        except _RefusedError as error:
            await _respond(send, error.status, {"error": error.reason})
        else:
            if answer is not None:
                await _respond(send, 202, answer)

    def _check(self, scope: _Scope) -> None:
        """Raises _RefusedError for requests that may not be served."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        token = self._feed.token
        if token is not None:
            kind, _, given = headers.get(b"authorization", "").partition(" ")
            if kind.lower() != "bearer" or not _is_same(given.strip(), token):
                raise _RefusedError(401, "the token is missing or wrong: send Authorization: Bearer TOKEN")
        elif b"origin" in headers:
            raise _RefusedError(403, "web pages may not post here")
        if scope["method"] != "POST":
            raise _RefusedError(405, "send lines with POST")
        if headers.get(b"content-encoding", "identity") != "identity":
            raise _RefusedError(415, "send bodies uncompressed, without Content-Encoding")
        if self._waiting >= MOST_WAITING:
            raise _RefusedError(429, "too many requests are waiting: try again later")

    async def _taken(self, receive: _Receive) -> dict[str, Any] | None:
        """Takes the lines of a body, and gives the answer; None where who sent has gone."""
        feed, found = self._feed, _Found()
        lines = Lines(feed.name, feed.largest_record, feed.encoding)
        before: Line | None = None
        while True:
            try:
                message = await asyncio.wait_for(receive(), PIECE_SECONDS)
            except TimeoutError:
                message = {"type": "http.disconnect"}
            is_gone = message["type"] == "http.disconnect"
            has_more = not is_gone and message.get("more_body", False)
            came = [] if is_gone else [*lines.add(message.get("body", b""))]
            if not has_more and not is_gone:
                came += lines.end()
            whole = [*([] if before is None else [before]), *came]
            before = whole.pop() if has_more and whole else None
            if not has_more and whole:
                whole[-1] = whole[-1]._replace(end="")  # as the last line of a message
            await self._put([line for line in whole if line.text or line.length is not None], found)
            if is_gone:
                return None
            if not has_more:
                break
        await self._until_kept(found.last)
        return found.answer(is_judged=feed.judge is not None)

    async def _put(self, lines: Sequence[Line], found: "_Found") -> None:
        """Emits lines, when it is their turn. Raises _RefusedError where the run is ending."""
        if not lines:
            return
        self._waiting += 1
        try:
            async with self._turn:
                await self._loop.run_in_executor(None, self._put_now, lines, found)
        finally:
            self._waiting -= 1

    def _put_now(self, lines: Sequence[Line], found: "_Found") -> None:
        for line in lines:
            if self._stop.is_set():
                raise _RefusedError(503, "the run is ending: try again later")
            self._number += 1
            found.add(Judged() if self._feed.judge is None else self._feed.judge(line))
            self._emit(line._replace(number=self._number))
        found.last = self._number

    async def _until_kept(self, number: int) -> None:
        """Waits until the lines up to a number are kept. Raises _RefusedError where that takes too long."""
        if not self._feed.waits_until_kept or number <= self._kept:
            return
        waiting: asyncio.Future[None] = self._loop.create_future()
        self._unkept.append((number, waiting))
        try:
            await asyncio.wait_for(waiting, KEPT_SECONDS)
        except TimeoutError as error:
            raise _RefusedError(503, "the lines are not stored yet: try again later") from error

    def _take_kept(self, number: int) -> None:
        self._kept = max(self._kept, number)
        for last, waiting in self._unkept:
            if last <= self._kept and not waiting.done():
                waiting.set_result(None)
        self._unkept = [one for one in self._unkept if not one[1].done()]


class _Found:
    """How many lines of a request were taken, and how many records of them were not."""

    def __init__(self) -> None:
        self.last = 0
        """The number of the last one."""
        self._count = 0
        self._accepted = 0
        self._rejected = 0
        self._reasons: list[str] = []

    def add(self, judged: Judged) -> None:
        """A line, and what it is worth."""
        self._count += 1
        self._accepted += judged.is_taken
        self._rejected += len(judged.reasons)
        left = MOST_REASONS - len(self._reasons)
        self._reasons += [f"line {self._count}: {reason}" for reason in judged.reasons[:left]]

    def answer(self, *, is_judged: bool) -> dict[str, Any]:
        """What is answered."""
        found: dict[str, Any] = {"accepted": self._accepted}
        if is_judged:
            found["rejected"] = self._rejected
        return found | ({"reasons": self._reasons} if self._reasons else {})


async def _respond(send: _Send, status: int, found: dict[str, Any]) -> None:
    body = json.dumps(found).encode() + b"\n"
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if status in (429, 503):
        headers.append((b"retry-after", b"%d" % AGAIN_SECONDS))
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if status != 202:
        headers.append((b"connection", b"close"))  # the body may not have been read
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _is_same(given: str, token: str) -> bool:
    """Compares in a time that tells nothing."""
    return hmac.compare_digest(sha256(given.encode()).digest(), sha256(token.encode()).digest())


class Webhook:
    """Posts lines to an address, as `application/x-ndjson`; an answer with a status of 2xx takes them.

    Where bodies are made by a template, each line is one. What was posted and not answered so is sent once
    more, so that it may come twice.

    Args:
        address: the address, in which a user and a password may stand.
        name: the same without these.
        posting: the headers and the bodies.

    Raises MissingPackageError, and InputError for headers that cannot be sent.
    """

    def __init__(self, address: str, name: str, posting: Posting | None = None) -> None:
        self.name = name
        self._address = address
        self._posting = posting or Posting()
        self._httpx = needed("httpx", "web", name)
        self._client: Any = None
        self.most_lines = MOST_LINES if self._posting.body is None else 1
        self._posting.sent_headers()

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Posts lines; see `Destination`."""
        if self._client is None:
            self._client = self._httpx.Client(timeout=ANSWER_SECONDS)
        template = self._posting.body
        if template is None:
            self._post(b"".join(line + b"\n" for line in lines), "application/x-ndjson")
            return
        kind = "application/json" if template.is_json else "text/plain; charset=utf-8"
        for line in lines:
            self._post(self._posting.payload(line), kind)

    def close(self) -> None:
        """Closes the connection; see `Destination`."""
        if self._client is not None:
            self._client.close()

    def _post(self, body: bytes, kind: str) -> None:
        given = self._posting.sent_headers()
        headers = {} if any(name.lower() == "content-type" for name in given) else {"Content-Type": kind}
        try:
            answer = self._client.post(self._address, content=body, headers=headers | given)
        except self._httpx.TransportError as error:
            raise UnreachableError(str(error) or type(error).__name__) from error
        status = answer.status_code
        if status in TRIED_AGAIN or status >= 500:
            after = answer.headers.get("Retry-After", "")
            seconds = float(after) if after.isdecimal() else 0.0
            raise UnreachableError(f"the receiver answers with status {status}", seconds)
        if not 200 <= status < 300:
            raise InputError(
                f"{self.name}: the receiver refuses answers with status {status}: is this the right address?"
            )


def input_at(text: str, largest_record: int, encoding: str | None) -> HttpFeed:
    """The feed of an address. Raises InputError, and MissingPackageError."""
    scheme, _, rest = text.partition(":")
    address = f"{scheme}:{masked(rest.partition('?')[0])}"
    wrong = (
        f"lars2asp receives POSTs at a port of this machine: write {scheme}:PORT or "
        f"{scheme}://HOST:PORT, such as {scheme}:8088. To read from a server use sse+{scheme}:// "
        "or ws://"
    )
    form = "http://HOST:PORT?token-file=FILE, with https: also &cert=FILE&key=FILE"
    host, port, options = own_port(rest, address, wrong, ("token-file", "cert", "key"), form)
    token = token_of(options)
    if token is None and host not in LOCAL:
        raise InputError(
            f"{address}: other machines can post to this address: add a token (?token-file=FILE), or "
            "remove the host"
        )
    if scheme == "http" and {"cert", "key"} & {*options}:
        raise InputError(f"{address}: certificates need TLS: write https:")
    tls = Certificate.of(options, address, form)
    if scheme == "https" and tls is None:
        raise InputError(f"{address}: TLS needs a certificate and its key: {form}")
    return HttpFeed(host, port, token=token, tls=tls, largest_record=largest_record, encoding=encoding)


def output_at(address: str, posting: Posting | None) -> Webhook:
    """The destination of an address. Raises InputError, and MissingPackageError."""
    scheme, _, rest = address.partition(":")
    name = f"{scheme}:{masked(rest.partition('?')[0])}"
    try:
        parts = urlsplit(address)
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError:  # what stands as a port is none
        is_whole = False
    if not is_whole:
        raise InputError(f"{name}: write http://HOST/PATH, such as http://localhost:8080/alarms")
    return Webhook(address, name, posting)
