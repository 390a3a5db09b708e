"""A reasoner is for one thread at a time: others are told so, and what is under way goes on."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from lars2asp import Answer, EvaluationError, InUseError, Reasoner
from tests.support.feeds import ScriptedFeed
from tests.support.processes import PATIENCE_SECONDS


class Waiting:
    """A function for programs that waits until it is let go on, where it is called with the number 1."""

    def __init__(self) -> None:
        self.is_called, self.may_go_on = Event(), Event()

    def slow(self, number: Any) -> Any:
        if number.number == 1:
            self.is_called.set()
            assert self.may_go_on.wait(PATIENCE_SECONDS)
        return number


@pytest.fixture
def other() -> Iterator[ThreadPoolExecutor]:
    """Another thread."""
    with ThreadPoolExecutor(1) as executor:
        yield executor


def made(functions: object) -> Reasoner:
    return Reasoner.from_text("a(@slow(X)) :- p(X) in [5]. b(X) :- q(X).", functions=functions)


CALLS: list[Callable[[Reasoner], object]] = [
    lambda reasoner: reasoner.step(2),
    lambda reasoner: reasoner.step(0),
    lambda reasoner: next(reasoner.run([(2, [])], emit="every")),
    lambda reasoner: list(reasoner.run([(2, ["p(2)"])], emit=None)),
    lambda reasoner: reasoner.snapshot(),
    lambda reasoner: reasoner.use("oneshot"),
    lambda reasoner: reasoner.session.renew(),
    lambda reasoner: reasoner.session.start_at(0),
    lambda reasoner: reasoner.statistics,
]


@pytest.mark.parametrize("as_run", [False, True])
def test_a_thread_that_comes_while_another_one_is_in_is_refused(
    other: ThreadPoolExecutor, as_run: bool
) -> None:
    functions = Waiting()
    reasoner = made(functions)
    reasoner.step(0, ["p(0)"])
    run = reasoner.run([(1, ["p(1)"])], emit="every")
    under_way = other.submit(next, run) if as_run else other.submit(reasoner.step, 1, ["p(1)"])
    try:
        assert functions.is_called.wait(PATIENCE_SECONDS)
        for call in CALLS:
            with pytest.raises(InUseError, match="another thread is using this reasoner"):
                call(reasoner)
        with pytest.raises(InUseError):
            next(run)
        assert reasoner.counts[2] == 2  # these may be asked for
        assert (reasoner.now, reasoner.start) == (0, None)
    finally:
        functions.may_go_on.set()
    assert under_way.result(PATIENCE_SECONDS).holds.texts == ("a(0)", "a(1)")
    assert reasoner.step(2, ["q(1)"]).holds.texts == ("a(0)", "a(1)", "b(1)")


def test_a_snapshot_is_not_taken_over_by_a_reasoner_that_is_in_use(other: ThreadPoolExecutor) -> None:
    functions = Waiting()
    reasoner = made(functions)
    snapshot = made(functions).snapshot()
    under_way = other.submit(reasoner.step, 1, ["p(1)"])
    try:
        assert functions.is_called.wait(PATIENCE_SECONDS)
        with pytest.raises(InUseError):
            reasoner.resume(snapshot)
    finally:
        functions.may_go_on.set()
    assert under_way.result(PATIENCE_SECONDS).holds.texts == ("a(1)",)


def test_a_reasoner_may_be_handed_from_thread_to_thread(other: ThreadPoolExecutor) -> None:
    """A run as well, from answer to answer."""
    reasoner = Reasoner.from_text("a(X) :- p(X) in [1].")
    run = reasoner.run([(0, ["p(0)"]), (3, ["p(3)"])], emit="every")
    assert next(run).holds.texts == ("a(0)",)
    assert other.submit(next, run).result(PATIENCE_SECONDS).holds.texts == ("a(0)",)
    assert other.submit(reasoner.step, 2, ["p(2)"]).result(PATIENCE_SECONDS).holds.texts == ("a(2)",)
    assert next(run).holds.texts == ("a(2)", "a(3)")
    assert other.submit(list[Answer], run).result(PATIENCE_SECONDS) == []


def test_a_run_that_is_dropped_by_another_thread_disturbs_nothing(other: ThreadPoolExecutor) -> None:
    functions = Waiting()
    reasoner = made(functions)
    run = reasoner.run([(0, ["p(0)"]), (9, [])], emit="every")
    next(run)
    under_way = other.submit(reasoner.step, 1, ["p(1)"])
    try:
        assert functions.is_called.wait(PATIENCE_SECONDS)
        del run
    finally:
        functions.may_go_on.set()
    assert under_way.result(PATIENCE_SECONDS).holds.texts == ("a(0)", "a(1)")


@pytest.mark.parametrize("evaluator", ["oneshot", "stamped", "external"])
def test_a_function_of_the_program_cannot_use_the_reasoner_that_waits_for_it(evaluator: str) -> None:
    class Functions:
        def greedy(self, number: Any) -> Any:
            if number.number == 1:
                reasoner.step(5, ["p(5)"])
            return number

    reasoner = Reasoner.from_text("a(@greedy(X)) :- p(X).", functions=Functions(), evaluator=evaluator)
    reasoner.step(0)
    with pytest.raises(EvaluationError, match="a function that the program calls uses the reasoner"):
        reasoner.step(1, ["p(1)"])
    assert reasoner.now == 1
    assert reasoner.step(2, ["p(2)"]).holds.texts == ("a(2)",)


def test_who_follows_a_live_source_keeps_others_out(other: ThreadPoolExecutor) -> None:
    """Who takes the answers may look at the reasoner, in the thread of the run."""
    reasoner = Reasoner.from_text("a(X) :- p(X).")
    refused: list[BaseException | None] = []
    ticks: list[int] = []

    def take(answer: Answer) -> None:
        ticks.append(reasoner.statistics.ticks)
        assert reasoner.snapshot()
        refused.append(other.submit(reasoner.step, 7).exception(PATIENCE_SECONDS))

    reasoner.run_live(ScriptedFeed(['{"time": 0, "facts": ["p(1)"]}']), take)
    assert ticks == [1]
    assert [type(error) for error in refused] == [InUseError]
