"""The process that serves the page of a run."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from itertools import groupby
from time import time
from typing import Any

import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.live_page.access import ALWAYS, HEADERS, Access
from lars2asp.runtime.live_page.board import Board, Kind, PageNews
from lars2asp.runtime.live_page.frames import Frames
from lars2asp.runtime.live_page.messages import Begun, Message, PageOf, Question, Reply, Unpacking, packed
from lars2asp.runtime.live_page.metrics import metrics_of

FRAME_SECONDS = 0.04
"""The least time between two frames of a browser."""

QUIET_SECONDS = 15.0
"""After this time without news something is sent, so that a browser knows of a lost connection."""

ANSWER_SECONDS = 60.0
"""How long an answer to a question is waited for."""

MOST_QUESTIONS = 20
"""The number of questions that may wait."""

LONGEST_NUMBER = 18
"""In digits."""

LONGEST_QUESTION = 12_000
"""In characters."""

MOST_CONNECTIONS = 200

PLACES_KEPT = 20
"""So many connections more may ask whether the run is well (ALWAYS), however many others there are."""

REQUEST_SECONDS = 10.0
"""How long a connection may be without a request, and a request may take to come, with its body."""

MOST_BYTES = 2**20
"""The most that is read at once of what the run tells."""

_CLOSING = HEADERS | {"Connection": "close"}

_FILES = {
    "/": ("live_page", "live.html", "text/html; charset=utf-8"),
    "/style.css": ("charts", "page.css", "text/css; charset=utf-8"),
    "/live.css": ("live_page", "live.css", "text/css; charset=utf-8"),
    "/uplot.css": ("live_page", "uplot/uPlot.min.css", "text/css; charset=utf-8"),
    "/times.js": ("charts", "times.js", "text/javascript; charset=utf-8"),
    "/lanes.js": ("charts", "lanes.js", "text/javascript; charset=utf-8"),
    "/icon.svg": ("live_page", "icon.svg", "image/svg+xml"),
    "/live.js": ("live_page", "live.js", "text/javascript; charset=utf-8"),
    "/explained.js": ("live_page", "explained.js", "text/javascript; charset=utf-8"),
    "/uplot.js": ("live_page", "uplot/uPlot.iife.min.js", "text/javascript; charset=utf-8"),
}


class LivePage:
    """The page of a run: what it shows, and who asks for it.

    Args:
        page: what must be known of the run.
        connection: to the process that reasons.
        unpacking: makes messages of what comes on it.
        told: what came with the first message.
    """

    def __init__(
        self, page: PageOf, connection: socket.socket, unpacking: Unpacking, told: Sequence[Sequence[Message]]
    ) -> None:
        self.page = page
        self._unpacking = unpacking
        self.board = Board(page.kept)
        self.frames = Frames(self.board, page)
        self._connection = connection
        self._replies: dict[int, asyncio.Future[Reply]] = {}
        self._questions = 0
        self._is_asking = asyncio.Lock()
        self._has_ended = False
        self._news = asyncio.Event()
        self._take_all(told)

    async def listen(self) -> None:
        """Takes what the run tells, until it ends."""
        loop = asyncio.get_running_loop()
        while data := await loop.sock_recv(self._connection, MOST_BYTES):
            self._take_all(self._unpacking.messages(data))
            self._news.set()
            self._news = asyncio.Event()
        self.board.is_over = self._has_ended = True
        for number, waiting in self._replies.items():
            if not waiting.done():
                waiting.set_result(Reply(number, {"error": "the run has ended"}))
        self._news.set()

    def _take_all(self, batches: Iterable[Iterable[Message]]) -> None:
        for batch in batches:
            for message in batch:
                self._take(message)

    def _take(self, message: Message) -> None:
        if isinstance(message, Reply):
            waiting = self._replies.pop(message.number, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(message)
        elif isinstance(message, Begun):
            if (late := self.page.timeline.late) is not None:
                late.begin_at(message.origin)
        else:
            self.board.take(message, time())

    def routes(self) -> list[Route]:
        """The paths of the page."""
        found = [Route(path, _file(*where)) for path, where in _FILES.items()]
        return [
            *found,
            Route("/frames", self._frames),
            Route("/why", self._why),
            Route("/events", self._events),
            Route("/state", self._state),
            Route("/metrics", self._metrics),
            Route("/healthz", _healthz),
            Route("/readyz", self._readyz),
        ]

    # --- for the page ---------------------------------------------------------------------------------

    async def _frames(self, _: Request) -> Response:
        return _events_response(self._frames_for_one())

    async def _frames_for_one(self) -> AsyncIterator[bytes]:
        """The frames for a browser; who is slow gets fewer, since the next is made when one has gone."""
        position = self.frames.position
        yield _event(self.frames.whole(), "whole")
        was_over = False
        while not self._has_ended or not was_over:
            news, now = self._news, self.frames.position
            if now == position and self.board.is_over == was_over:
                try:
                    await asyncio.wait_for(news.wait(), QUIET_SECONDS)
                except TimeoutError:
                    yield b": quiet\n\n"
                continue
            was_over = self.board.is_over
            found = self.frames.since(position)
            position = now
            yield _event(found, "more") if found is not None else _event(self.frames.whole(), "whole")
            await asyncio.sleep(FRAME_SECONDS)

    async def _why(self, request: Request) -> Response:
        """Why the atom of a lane, or one that is written, holds at a tick, or at a time, or why not."""
        if not self.page.explains:
            return _error("this run keeps nothing for explanations", 404)
        asked = request.query_params
        number, at = _number(asked.get("lane", "")), asked.get("tick", "")
        lane = None if number is None else self.board.lane(number)
        atom = asked.get("atom", "") if lane is None else lane.atom
        if not atom or len(atom) > LONGEST_QUESTION:
            return _error("no atom", 400)
        try:
            tick = self.page.timeline.asked_tick(at) if at else None
        except InputError as error:
            return _error(str(error), 400)
        if len(self._replies) >= MOST_QUESTIONS:
            return _error("too many questions wait", 503)
        self._questions += 1
        waiting: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._replies[self._questions] = waiting
        question = Question(self._questions, atom, tick, time() + ANSWER_SECONDS)
        try:
            async with self._is_asking:
                await asyncio.get_running_loop().sock_sendall(self._connection, packed(question))
            reply = await asyncio.wait_for(waiting, ANSWER_SECONDS)
        except (OSError, TimeoutError):
            self._replies.pop(question.number, None)
            return _error("the reasoner does not answer", 504)
        marks = [
            {"kind": place[0], "number": place[1], "window": mark.is_window, "runs": [*map(list, mark.runs)]}
            for mark in reply.marks
            if (place := self.board.marked(mark)) is not None
        ]
        return JSONResponse(  # orjson refuses what is nested as deep as explanations are
            {**reply.found, "marks": marks}, 200 if "error" not in reply.found else 422, HEADERS
        )

    # --- for others -----------------------------------------------------------------------------------

    async def _events(self, request: Request) -> Response:
        return _events_response(self._events_for_one(_number(request.headers.get("last-event-id", ""))))

    async def _events_for_one(self, position: int | None) -> AsyncIterator[bytes]:
        """The changes, tick by tick; all that holds first, and where changes are not kept."""
        board = self.board
        while True:
            signal_of_news = self._news
            news = None if position is None or position > board.news else board.since(position)
            position = board.news
            if news is None:
                yield _event(_dumped(self._holding()), "state", position)
            for end, line in self._deltas(news or (), position):
                yield _event(_dumped(line), "change", end)
            if board.is_over and position == board.news:
                yield _event(b"{}", "over", position)
                return
            try:
                await asyncio.wait_for(signal_of_news.wait(), QUIET_SECONDS)
            except TimeoutError:
                yield b": quiet\n\n"
            await asyncio.sleep(FRAME_SECONDS)

    def _deltas(self, news: Sequence[PageNews], end: int) -> Iterator[tuple[int, dict[str, Any]]]:
        """The changes in news, tick by tick, each with the number of news up to it; `end` is that of all."""
        first = end - len(news) + 1
        changes = ((first + place, one) for place, one in enumerate(news) if one[0] is Kind.CHANGE)
        for tick, together in groupby(changes, lambda pair: pair[1][2]):
            began: list[str] = []
            ended: list[str] = []
            here = [*together]
            for _, (_, _, _, text, begins) in here:
                (began if begins else ended).append(text)
            yield here[-1][0], {"time": tick, "began": began, "ended": ended}

    def _holding(self) -> dict[str, Any]:
        board, timeline = self.board, self.page.timeline
        holds = []
        for lane in board.lanes.values():
            if lane.holds:
                since = lane.begins[-1]
                at = None if timeline.tick_length is None else timeline.text(since)
                holds.append({"atom": lane.text, "since": since, **({} if at is None else {"at": at})})
        return {"time": board.tick, "satisfiable": board.satisfiable, "over": board.is_over, "holds": holds}

    async def _state(self, _: Request) -> Response:
        counted = self.board.counted
        counts = None if counted is None else counted.to_dict()
        refused = [one._asdict() for one in self.board.refused]
        return _json({**self._holding(), "counts": counts, "rejected": refused})

    async def _metrics(self, _: Request) -> Response:
        return Response(metrics_of(self.board), 200, HEADERS, "text/plain; version=0.0.4; charset=utf-8")

    async def _readyz(self, request: Request) -> Response:
        """Whether the run is ready: it has begun, and is not further behind than may be."""
        board, counted = self.board, self.board.counted
        behind = None if counted is None else counted.counters.lag_seconds
        most = _number(request.query_params.get("lag", ""))
        if board.is_over:
            return PlainTextResponse("over\n", 200, HEADERS)
        if counted is None:
            return PlainTextResponse("the run has not begun\n", 503, HEADERS)
        if most is not None and behind is not None and behind > most:
            return PlainTextResponse(f"the run lags by {behind:.1f} seconds\n", 503, HEADERS)
        return PlainTextResponse("ready\n", 200, HEADERS)


def serve(connection: socket.socket, listening: socket.socket) -> None:
    """Serves the page of a run until that ends.

    Args:
        connection: to the process that reasons, which tells first what must be known of the run.
        listening: takes the connections of browsers.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    unpacking = Unpacking()
    told: list[Any] = []
    while not told:
        data = connection.recv(MOST_BYTES)
        if not data:
            return
        told += unpacking.messages(data)
    connection.setblocking(False)
    asyncio.run(_serve(LivePage(told[0], connection, unpacking, told[1:]), listening))


async def _serve(live: LivePage, listening: socket.socket) -> None:
    port = listening.getsockname()[1]
    app = Access(Starlette(routes=live.routes()), live.page, port)
    config = uvicorn.Config(
        app,
        lifespan="off",
        ws="none",  # else a handshake by another page is an error of ours, and not refused
        access_log=False,
        log_level="critical",  # what others send does not concern who runs this
        http=_Connection,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    await live.listen()
    await asyncio.sleep(2 * FRAME_SECONDS)  # so that browsers are told
    server.should_exit = True
    await serving


class _Connection(H11Protocol):
    """A connection that is closed where a request does not come, or not as a whole."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._patience: asyncio.TimerHandle | None = None
        most, self.limit_concurrency = self.limit_concurrency, None
        assert most is not None
        self._rooms, self._app = most, self.app
        self.app = self._with_room

    async def _with_room(self, scope: Any, receive: Any, send: Any) -> None:
        """Serves a request, where there is room."""
        has_room = len(self.connections) < self._rooms or scope["path"] in ALWAYS
        app: Any = self._app if has_room else PlainTextResponse("too many connections\n", 503, _CLOSING)
        await app(scope, receive, send)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins to wait; where there is no place any more, the one goes that has waited longest."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > self._rooms + PLACES_KEPT:
            others: Any = self.connections
            waiting = [one for one in others if one._patience is not None]
            min(waiting, key=lambda one: one._patience.when()).transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits no more."""
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Waits as long as what comes is part of a request that is not whole."""
        super().data_received(data)
        if self._is_whole:
            self._wait_no_more()
        elif self._patience is None:
            self._wait()

    def on_response_complete(self) -> None:
        """Waits for the next request, of which a part may be there."""
        super().on_response_complete()
        if not self.transport.is_closing() and not self._is_whole:
            self._wait()

    @property
    def _is_whole(self) -> bool:
        """Whether a request has come that is not answered yet."""
        cycle = self.cycle
        return cycle is not None and not cycle.response_complete and not cycle.more_body

    def _wait(self) -> None:
        self._wait_no_more()
        self._patience = self.loop.call_later(REQUEST_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


class _Server(uvicorn.Server):
    """A server that leaves signals alone: it ends with the run."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _number(text: str) -> int | None:
    """A number that a request has; None for none, and for what is too long to be one."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else None


def _file(folder: str, name: str, kind: str) -> Any:
    """What gives a file of the package."""
    content = files(f"lars2asp.runtime.{folder}").joinpath(name).read_bytes()

    async def found(_: Request) -> Response:
        return Response(content, 200, HEADERS, kind)

    return found


async def _healthz(_: Request) -> Response:
    return PlainTextResponse("ok\n", 200, HEADERS)


def _events_response(events: AsyncIterator[bytes]) -> Response:
    return StreamingResponse(events, 200, HEADERS, "text/event-stream")


def _event(data: bytes, name: str, number: int | None = None) -> bytes:
    identity = b"" if number is None else b"id: %d\n" % number
    return b"%sevent: %s\ndata: %s\n\n" % (identity, name.encode(), data)


def _dumped(found: Any) -> bytes:
    return orjson.dumps(found)


def _json(found: Any, status: int = 200) -> Response:
    return Response(orjson.dumps(found), status, HEADERS, "application/json")


def _error(words: str, status: int) -> Response:
    return JSONResponse({"error": words}, status, HEADERS)
