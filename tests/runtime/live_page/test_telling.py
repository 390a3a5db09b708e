"""The reasoner never waits for its page, and tells all anew when some of it was given up."""

import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from lars2asp import Answer, Reasoner
from lars2asp.analysis.late_moments import LateMoments
from lars2asp.runtime.live_page import telling as tellings
from lars2asp.runtime.live_page.board import Board
from lars2asp.runtime.live_page.messages import (
    Begun,
    Counted,
    Mark,
    Message,
    Over,
    Question,
    Reply,
    Unpacking,
    Whole,
    packed,
)
from lars2asp.runtime.live_page.telling import Telling
from lars2asp.runtime.sinks.counters import Counters
from tests.runtime.live_page.test_board import EVER, lanes_of

NOTHING_YET = Counted(Counters(), 0, ())


class Subject:
    """A reasoner that steps through ticks at which `p` has a number that is that of the tick."""

    def __init__(self) -> None:
        self.reasoner = Reasoner.from_text("held(X) :- p(X) in [3].")
        self.answer: Answer | None = None

    def step(self, tick: int) -> Answer:
        self.answer = self.reasoner.step(tick, [("p", tick)])
        return self.answer

    def counted(self) -> Counted:
        return NOTHING_YET

    def last(self) -> Answer | None:
        return self.answer

    def explained(self, question: Question) -> tuple[Mapping[str, Any], Sequence[Mark]]:
        return {"asked": question.atom}, ()


@contextmanager
def told_by(subject: Subject) -> Iterator[tuple[Telling, socket.socket, threading.Event]]:
    """What tells, the other end, and an event that is set when errands wait."""
    here, there = socket.socketpair()
    telling, asked = Telling(here, {}), threading.Event()
    telling.begin(subject, asked.set)
    with here, there:
        yield telling, there, asked


@contextmanager
def answering(telling: Telling, asked: threading.Event) -> Iterator[None]:
    """Within, errands are run as a reasoner does that waits for input."""
    is_over = threading.Event()

    def answer() -> None:
        while not is_over.is_set():
            asked.wait()
            asked.clear()
            telling.errands()

    thread = threading.Thread(target=answer)
    thread.start()
    yield
    is_over.set()
    asked.set()
    thread.join()


def received(there: socket.socket, until: Callable[[Message], bool]) -> list[Message]:
    """The messages up to one."""
    unpacking, found = Unpacking(), list[Message]()
    while True:
        data = there.recv(2**20)
        assert data
        for batch in unpacking.messages(data):
            for message in batch:
                found.append(message)
                if until(message):
                    return found


def test_a_page_that_takes_nothing_costs_bounded_memory_and_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told all that holds once it takes something again."""
    monkeypatch.setattr(tellings, "MOST_BACKLOG", 10_000)
    subject, board = Subject(), Board(EVER)
    with told_by(subject) as (telling, there, asked):
        held = 0
        for tick in range(60_000):
            telling.take(subject.step(tick))
            held = max(held, telling.held)
        with answering(telling, asked):
            for message in received(there, lambda message: isinstance(message, Whole)):
                board.take(message, 0.0)
        closing = threading.Thread(target=lambda: [None for _ in iter(lambda: there.recv(2**20), b"")])
        closing.start()
        telling.end()
        there.shutdown(socket.SHUT_RDWR)
        closing.join()
    assert {atom for atom, lane in board.lanes.items() if lane.holds} == {
        f"held({tick})" for tick in range(59_996, 60_000)
    }
    assert board.missed
    assert held < 2_000_000


def test_what_is_told_is_what_was_answered() -> None:
    subject, board = Subject(), Board(EVER)
    with told_by(subject) as (telling, there, _):
        for tick in range(100):
            telling.take(subject.step(tick))
        telling.over()
        for message in received(there, lambda message: isinstance(message, Over)):
            board.take(message, 0.0)
        telling.end()
    expected = {f"held({tick})": [tick, tick + 4] if tick < 96 else [tick] for tick in range(100)}
    assert lanes_of(board) == expected and not board.missed and board.is_over


def test_questions_are_answered_between_two_ticks() -> None:
    with told_by(Subject()) as (telling, there, asked):
        there.sendall(packed(Question(7, "held(1)", 3)))
        with answering(telling, asked):
            *_, reply = received(there, lambda message: isinstance(message, Reply))
        assert reply == Reply(7, {"asked": "held(1)"}, ())
        telling.end()


def test_questions_take_a_tenth_of_the_time() -> None:
    """After one that took two seconds none is answered for eighteen, however many wait."""
    now = [0.0]

    class Slow(Subject):
        def explained(self, question: Question) -> tuple[Mapping[str, Any], Sequence[Mark]]:
            now[0] += 2
            return super().explained(question)

    here, there = socket.socketpair()
    telling, asked = Telling(here, {}, lambda: now[0]), threading.Event()
    telling.begin(Slow(), asked.set)
    with here, there:
        there.sendall(b"".join(packed(Question(number, "p", None)) for number in range(3)))
        for begins in (0.0, 20.0, 40.0):
            now[0] = begins
            while now[0] == begins:
                asked.wait()
                asked.clear()
                telling.errands()
            assert now[0] == begins + 2
            for later in (begins + 2, begins + 19.9):
                now[0] = later
                telling.errands()
                assert now[0] == later
        telling.end()
        here.close()
        told = [one for batch in Unpacking().messages(_rest(there)) for one in batch]
    assert [one.number for one in told if isinstance(one, Reply)] == [0, 1, 2]


def _rest(connection: socket.socket) -> bytes:
    """All that comes on a connection until it is closed."""
    return b"".join(iter(lambda: connection.recv(2**16), b""))


def test_a_run_goes_on_when_the_process_of_the_page_has_ended(caplog: pytest.LogCaptureFixture) -> None:
    subject = Subject()
    with told_by(subject) as (telling, there, _):
        there.close()
        for tick in range(1000):
            telling.take(subject.step(tick))
        telling.end()
    assert "goes on without it" in caplog.text


def test_the_page_is_told_when_tick_0_begins_before_it_is_told_of_ticks() -> None:
    """Once, where the first record has decided that after the page was there."""
    subject, moments = Subject(), LateMoments(1000)
    here, there = socket.socketpair()
    telling = Telling(here, {}, moments=moments)
    telling.begin(subject, lambda: None)
    with here, there:
        moments.begin_with(1_795_935_600_000_000)
        telling.take(subject.step(25_200_000))
        telling.take(subject.step(25_200_004))
        telling.over()
        found = received(there, lambda message: isinstance(message, Over))
        assert found[0] == Begun(1_795_910_400_000_000)
        assert sum(isinstance(one, Begun) for one in found) == 1
        telling.end()
