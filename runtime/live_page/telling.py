"""The end of the process that reasons: what happens goes to the page, and questions come back.

Nothing here waits for the page. A thread sends what the reasoner hands over, in batches; where more has
gathered than the page takes, it is given up, and all that holds is told once more when there is room.
"""

import logging
import os
import socket
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from select import POLLIN, POLLOUT, poll
from threading import Thread
from time import monotonic, sleep, time
from typing import Any, NamedTuple, Protocol

from lars2asp.analysis.late_moments import LateMoments
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.externals.terms.text import Decimals, atom_texts
from lars2asp.externals.views import RowChanges
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.charts.lanes import predicate_name
from lars2asp.runtime.live_page.messages import (
    Answered,
    Begun,
    Counted,
    InputCounts,
    Mark,
    Message,
    Over,
    Question,
    Refused,
    Reply,
    Unpacking,
    Whole,
    packed,
)
from lars2asp.runtime.sources.records import Rejected
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import shown

_log = logging.getLogger("lars2asp")

GATHER_SECONDS = 0.01
"""How long changes are gathered before they are sent."""

IDLE_SECONDS = 0.1
"""How long input waits for an answer."""

COUNT_SECONDS = 1.0
"""How often it is told how far the run is."""

SHARE = 10
"""Questions take one part in so many of the time of the reasoner: after each one it rests from them."""

MOST_BACKLOG = 2**23
"""In bytes: more than this is not kept for a page that does not take it."""

END_SECONDS = 2.0
"""How long the end of a run waits until the page has taken what was told."""

MOST_SHOWN = 300
"""The number of characters of a rejected record."""


class Subject(Protocol):
    """What is asked between two ticks."""

    def counted(self) -> Counted:
        """How far the run is."""
        ...

    def last(self) -> Answer | None:
        """The answer that was given last."""
        ...

    def explained(self, question: Question) -> tuple[Mapping[str, Any], Sequence[Mark]]:
        """An explanation, and what it rests on. Raises Lars2aspError."""
        ...


class _Input(NamedTuple):
    tick: int
    events: Events


class _Changed(NamedTuple):
    tick: int
    satisfiable: bool
    changes: RowChanges
    at: float


class Telling:
    """Tells the page what happens; all methods but `begin` and `end` are for the thread that reasons.

    Args:
        connection: to the process that serves the page.
        decimals: how the numbers of predicates are written.
        clock: the time in seconds, by which questions take their share.
        moments: the moments of ticks, where the first record decides when tick 0 begins.
    """

    def __init__(
        self,
        connection: socket.socket,
        decimals: Decimals,
        clock: Callable[[], float] = monotonic,
        moments: LateMoments | None = None,
    ) -> None:
        self._moments = moments
        """Those of ticks, until the page knows when tick 0 begins."""
        self._clock = clock
        self._rests_until = clock()
        """No question is answered before."""
        self._connection = connection
        self._decimals = decimals
        self._waiting: deque[Message | _Input | _Changed] = deque()
        self._questions: deque[Question] = deque()
        self._unpacking = Unpacking()
        self._is_counting = self._wants_whole = False
        self._is_woken = self._is_ending = False
        self.is_gone = False
        """Whether the process that serves the page has ended."""
        self._lost_since: int | None = None
        """The tick of the first answer that was not told."""
        self._backlog: deque[memoryview] = deque()
        self._size = 0
        """The bytes of the backlog."""

    def begin(self, subject: Subject, ask: Callable[[], None]) -> None:
        """Begins to send.

        Args:
            subject: what is asked by `errands`.
            ask: makes the thread that reasons call `errands` between two ticks.
        """
        self._subject, self._ask = subject, ask
        self._awake, self._alarm = os.pipe()
        os.set_blocking(self._awake, False)
        os.set_blocking(self._alarm, False)
        self._connection.setblocking(False)
        self._sender = Thread(target=self._run, name="page", daemon=True)
        self._sender.start()

    def end(self) -> None:
        """Sends what is left, as far as the page takes it."""
        self._is_ending = True
        self._wake()
        self._sender.join()
        for end in (self._awake, self._alarm):
            os.close(end)

    @property
    def held(self) -> int:
        """In bytes: what is kept for the page until it takes it."""
        return self._size

    # --- what happens ---------------------------------------------------------------------------------

    def told(self, tick: int, events: Events) -> None:
        """Takes input; it is sent with the next answer, or a moment later."""
        self._waiting.append(_Input(tick, events))

    def take(self, answer: Answer) -> None:
        """Takes an answer, the changes of which are those since the one taken before."""
        self._put(_Changed(answer.tick, answer.satisfiable, answer.row_changes, time()))

    def whole(self) -> None:
        """Tells all that holds, whatever was told before."""
        answer = self._subject.last()
        if answer is None:
            return
        atoms = [(predicate_name(one), self._texts(one, [*rows])) for one, rows in answer.holds.rows.items()]
        self._put(Whole(answer.tick, answer.satisfiable, atoms, time()))

    def refused(self, rejected: Rejected) -> None:
        """Takes a rejected record."""
        origin = rejected.origin
        self._put(Refused(shown(str(origin)), rejected.reason, shown(origin.text, MOST_SHOWN)))

    def over(self) -> None:
        """The run is over."""
        self._put(self._subject.counted())
        self._put(Over())

    def errands(self) -> None:
        """Answers what is asked, between two ticks."""
        if self._is_counting:
            self._is_counting = False
            self._put(self._subject.counted())
        if self._wants_whole:
            self._wants_whole = False
            self.whole()
        while self._questions and self._clock() >= self._rests_until:
            question = self._questions.popleft()
            if question.until > time():
                begin = self._clock()
                self._put(self._reply(question))
                end = self._clock()
                self._rests_until = end + (SHARE - 1) * (end - begin)
                return  # the run goes on before the next one

    def _reply(self, question: Question) -> Reply:
        try:
            found, marks = self._subject.explained(question)
        except Lars2aspError as error:
            return Reply(question.number, {"error": str(error)})
        except Exception as error:  # what is asked must not end the run
            words = shown(f"{type(error).__name__}: {error}", MOST_SHOWN)
            return Reply(question.number, {"error": f"this cannot be explained: {words}"})
        return Reply(question.number, found, marks)

    def _put(self, message: "Message | _Input | _Changed") -> None:
        self._waiting.append(message)
        if not self._is_woken:
            self._wake()

    def _wake(self) -> None:
        self._is_woken = True
        with suppress(BlockingIOError):
            os.write(self._alarm, b".")

    # --- the thread that sends ------------------------------------------------------------------------

    def _run(self) -> None:
        counts_at = monotonic()
        try:
            while not self._is_ending:
                seconds = min(IDLE_SECONDS, max(0.0, counts_at - monotonic()))
                if self._questions and (rest := self._rests_until - self._clock()) > 0:
                    seconds = min(seconds, rest)
                ready = self._ready(seconds)
                if self._connection.fileno() in ready:
                    self._receive()
                if self._awake in ready:
                    sleep(GATHER_SECONDS)
                    os.read(self._awake, 4096)
                    self._is_woken = False
                if self._waiting:
                    self._take_all()
                if monotonic() >= counts_at:
                    counts_at = monotonic() + COUNT_SECONDS
                    self._is_counting = True
                    self._ask()
                if self._questions and self._clock() >= self._rests_until:
                    self._ask()
                self._send()
            self._finish()
        except (OSError, EOFError):
            if not self._is_ending:
                _log.warning("the process that serves the page has ended; the run goes on without it")
            self._drop()
        except Exception:  # whatever fails here, the run does not
            _log.exception("the page cannot be told what happens; the run goes on without it")
            self._drop()

    def _ready(self, seconds: float) -> set[int]:
        """What can be read; returns as well where the page takes more."""
        waiting, page = poll(), self._connection.fileno()
        waiting.register(page, POLLIN | POLLOUT if self._backlog else POLLIN)
        waiting.register(self._awake, POLLIN)
        return {number for number, event in waiting.poll(1000 * seconds) if event != POLLOUT}

    def _drop(self) -> None:
        """Lets go of all that comes, as nobody takes it."""
        self.is_gone = True
        while not self._is_ending:
            self._waiting.clear()
            sleep(0.1)

    def _finish(self) -> None:
        """Sends the rest; half a message would spoil what the next process of the run tells and is asked."""
        deadline = monotonic() + END_SECONDS
        while self._unpacking.is_partial and monotonic() < deadline:
            if self._connection.fileno() in self._ready(deadline - monotonic()):
                self._receive()
        for question in self._questions:
            self._waiting.append(Reply(question.number, {"error": "the run has come to its end: ask again"}))
        self._take_all()
        while self._backlog and monotonic() < deadline:
            self._ready(max(0.0, deadline - monotonic()))
            self._send()
        if self._backlog or self._unpacking.is_partial:
            self._connection.shutdown(socket.SHUT_RDWR)

    def _take_all(self) -> None:
        """Makes one message of what was handed over; input of one tick is counted together."""
        batch: list[Message] = []
        tick, atoms = -1, list[AtomRows]()
        is_full = self._size > MOST_BACKLOG

        def tell_input() -> None:
            nonlocal tick
            if tick >= 0:
                counts: dict[str, int] = {}
                for signature, rows in atoms:
                    name = predicate_name(signature)
                    counts[name] = counts.get(name, 0) + len(rows)
                batch.append(InputCounts(tick, [*counts.items()]))
                atoms.clear()
                tick = -1

        for _ in range(len(self._waiting)):
            one = self._waiting.popleft()
            if isinstance(one, _Input):
                if is_full:
                    continue
                if one.tick != tick:
                    tell_input()
                    tick = one.tick
                facts, begin, end, _ = one.events
                atoms += (*facts, *begin, *end)
                continue
            tell_input()
            if isinstance(one, _Changed):
                if is_full and self._lost_since is None:
                    self._lost_since = one.tick
                if self._lost_since is None:
                    batch.append(self._answered(one))
                continue
            if isinstance(one, Refused) and is_full:
                continue
            if isinstance(one, Whole):
                one, self._lost_since = one._replace(lost_since=self._lost_since), None
            batch.append(one)
        tell_input()
        if batch:
            if self._moments is not None and self._moments.is_known:
                batch.insert(0, Begun(self._moments.begin))
                self._moments = None
            data = packed(batch)
            self._backlog.append(memoryview(data))
            self._size += len(data)

    def _answered(self, one: _Changed) -> Answered:
        changes = [
            (predicate_name(signature), self._texts(signature, began), self._texts(signature, ended))
            for signature, (began, ended) in one.changes
        ]
        return Answered(one.tick, one.satisfiable, changes, one.at)

    def _texts(self, signature: Signature, rows: Sequence[Row]) -> list[str]:
        return atom_texts(signature, rows, self._decimals) if rows else []

    def _send(self) -> None:
        while self._backlog:
            data = self._backlog[0]
            try:
                sent = self._connection.send(data)
            except BlockingIOError:
                return
            self._size -= sent
            if sent < len(data):
                self._backlog[0] = data[sent:]
                return
            self._backlog.popleft()
        if self._lost_since is not None and not self._wants_whole:
            self._wants_whole = True
            self._ask()

    def _receive(self) -> None:
        data = self._connection.recv(2**16)
        if not data:
            raise EOFError
        self._questions.extend(self._unpacking.messages(data))
        self._ask()
