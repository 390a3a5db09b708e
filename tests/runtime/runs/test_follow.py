"""Live sources in Python."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from threading import enumerate as enumerate_threads

import pytest

from lars2asp import InputError, Reasoner
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line
from lars2asp.runtime.sources.times.timeline import Timeline
from tests.support.feeds import ScriptedFeed
from tests.support.processes import PATIENCE_SECONDS


class Enough(Exception):  # noqa: N818 - it is none
    """Ends a run."""


def test_answers_go_to_a_function() -> None:
    found = []

    def take(answer: Answer) -> None:
        found.append((answer.tick, [*answer.began.texts], [*answer.ended.texts]))

    reasoner = Reasoner.from_text("a(X) :- p(X) in [2].")
    rejected: list[object] = []
    feed = ScriptedFeed(["3: p(1)", "2: p(9)", "4: p(2)", "p(3)", "9: q"])
    reasoner.run_live(feed, take, reading=Reading(Format.FACTS), lateness=1, on_reject=rejected.append)
    assert found == [
        (2, ["a(9)"], []),
        (3, ["a(1)"], []),
        (4, ["a(2)"], []),
        (5, [], ["a(9)"]),
        (6, [], ["a(1)"]),
        (7, [], ["a(2)"]),
    ]
    assert len(rejected) == 1


def test_several_sources_are_merged_by_time() -> None:
    """However fast each of them is."""
    found = []

    def take(answer: Answer) -> None:
        found.append((answer.tick, answer.holds.texts))

    reasoner = Reasoner.from_text("a(X) :- p(X). b(X) :- q(X) in [1].")
    feeds = [ScriptedFeed(["1: p(1)", "5: p(2)"], "one"), ScriptedFeed(["2: q(1)", "4: q(2)"], "other")]
    reasoner.run_live(feeds, take, reading=Reading(Format.FACTS), idle_timeout=timedelta(minutes=1))
    assert found == [(1, ("a(1)",)), (2, ("b(1)",)), (4, ("b(2)",)), (5, ("a(2)", "b(2)"))]
    with pytest.raises(ValueError, match="name at least one source"):
        Reasoner.from_text("a :- p.").run_live([], take)


def test_by_the_clock() -> None:
    """The timeline begins now; what the function raises ends the run."""
    ticks = []

    def take(answer: Answer) -> None:
        ticks.append(answer.tick)
        if len(ticks) == 3:
            raise Enough

    reasoner = Reasoner.from_text("a(X) :- p(X).")
    reading = Reading(timeline=Timeline(20_000, origin=datetime.now(UTC) - timedelta(hours=1)))
    with pytest.raises(Enough):
        reasoner.run_live(ScriptedFeed([]), take, clock="wall", emit=1, until=10**9, reading=reading)
    assert ticks == [*range(ticks[0], ticks[0] + 3)]
    assert reasoner.start == ticks[0]


def test_what_is_no_feed(tmp_path: Path) -> None:
    reasoner = Reasoner.from_text("a.")
    with pytest.raises(InputError, match="cannot read this file"):
        reasoner.run_live(tmp_path / "none", print, on_reject="stop")
    with pytest.raises(InputError, match="tcp:PORT"):
        reasoner.run_live("tcp:x", print, on_reject="stop")


class Endless:
    """A feed of lines without end, faster than they are taken.

    Attributes:
        has_ended: whether it was asked to end, and did.
    """

    name = "endless"

    def __init__(self, pause: float = 0.0) -> None:
        self.has_ended = Event()
        self._pause = pause

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        tick = 0
        while not stop.wait(self._pause):
            emit(Line(self.name, tick + 1, f'{{"time": {tick}, "facts": ["p({tick})"]}}'))
            tick += 1
        self.has_ended.set()


@pytest.mark.parametrize("by_clock", [False, True])
def test_a_stop_from_another_thread_ends_the_run(by_clock: bool) -> None:
    """Whether lines come or not; the feed has ended as well, though nobody takes what it emits."""
    reasoner, feed, stop = Reasoner.from_text("#tick 20 msec. a(X) :- p(X)."), Endless(0), Event()
    reading = Reading(timeline=Timeline(20_000, origin=datetime.now(UTC) - timedelta(hours=1)))
    answers = []

    def take(answer: Answer) -> None:
        answers.append(answer.tick)
        if len(answers) == 3:
            Thread(target=stop.set).start()

    reasoner.run_live(
        feed,
        take,
        clock="wall" if by_clock else "data",
        emit=1,
        reading=reading,
        stop=stop,
        on_reject=lambda _: None,
    )
    assert feed.has_ended.wait(PATIENCE_SECONDS)
    assert len(answers) >= 3
    assert reasoner.now == answers[-1]
    assert reasoner.step(answers[-1] + 1, ["p(x)"]).holds.texts == ("a(x)",)


def test_a_stop_while_no_line_comes() -> None:
    stop = Event()
    stop.set()
    Reasoner.from_text("a.").run_live(Endless(3600), print, stop=stop)


def test_answers_for_asyncio() -> None:
    async def run() -> list[tuple[int, tuple[str, ...]]]:
        reasoner = Reasoner.from_text("a(X) :- p(X) in [1].")
        feed = ScriptedFeed(["3: p(1)", "4: p(2)", "9: q"])
        return [
            (answer.tick, answer.holds.texts)
            async for answer in reasoner.run_live_async(feed, reading=Reading(Format.FACTS))
        ]

    assert asyncio.run(run()) == [(3, ("a(1)",)), (4, ("a(1)", "a(2)")), (5, ("a(2)",)), (6, ())]


def test_cancelled_tasks_leave_nothing_behind() -> None:
    """In the middle of an answer, and while one is waited for."""

    async def run(feed: Endless, most: int) -> None:
        reasoner = Reasoner.from_text("a(X) :- p(X).")
        seen = asyncio.Event()

        async def look() -> None:
            number = 0
            async for _ in reasoner.run_live_async(feed):
                number += 1
                if number == most:
                    seen.set()
                    await asyncio.sleep(3600)

        task = asyncio.create_task(look())
        if most:
            await seen.wait()
        else:
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    for feed, most in ((Endless(), 3), (Endless(3600), 0)):
        asyncio.run(run(feed, most))
        assert feed.has_ended.wait(PATIENCE_SECONDS)
    assert not [thread for thread in enumerate_threads() if thread.name in ("follow_async", "endless")]


def test_errors_for_asyncio() -> None:
    async def run() -> None:
        async for _ in Reasoner.from_text("a(X) :- p(X).").run_live_async(
            ScriptedFeed(["1: p(1)", "no"]), on_reject="stop"
        ):
            pass

    with pytest.raises(InputError, match="script:1: error"):
        asyncio.run(run())


def test_a_table_that_grows(tmp_path: Path) -> None:
    """By its name, and as the program declares; of other sources a reading says so."""
    path = tmp_path / "readings.csv"
    path.write_text("t;sensor.id;value\n1;k;24,1\n2;k;26\n3;k;1\n")
    program = '#decimals r(_,1). #input r(sensor.id, number(value, ",")) at t. hot(S) :- r(S,T), T > 25.0.'
    found: list[tuple[int, tuple[str, ...]]] = []

    def take(answer: Answer) -> None:
        found.append((answer.tick, answer.holds.texts))

    reasoner = Reasoner.from_text(program)
    reasoner.run_live(path, take, until=2)
    assert found == [(2, ('hot("k")',))]
    other, plan = Reasoner.from_text(program), reasoner.plan
    reading = Reading(Format.CSV, declarations=plan.inputs, decimals=plan.decimals)
    other.run_live(ScriptedFeed(path.read_text().splitlines()), take, reading=reading)
    assert found[1:] == [(2, ('hot("k")',)), (3, ())]
