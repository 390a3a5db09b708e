"""Answers that a reasoner gives one by one of blocks of ticks, held to those that it gives tick by tick."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from math import inf
from pathlib import Path
from typing import cast

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from lars2asp import Answer, InputError, Reasoner, Record, Rejected
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import EvaluatorError
from lars2asp.runtime.given_ticks import Every
from lars2asp.runtime.reasoner import RunSource
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Semantics
from tests.oracle import Item
from tests.strategies import GROUPS, Case
from tests.support.blocks import AT_RANDOM, SERVED, again, ends_of_blocks, plain, tick_by_tick, without_flow
from tests.support.definition import record
from tests.support.plans import compiled

Seen = list[object]


class DroppedError(Exception):
    """A run is not gone on with."""


def told(answer: Answer) -> tuple[object, ...]:
    """All that is asked of an answer."""
    return answer.tick, answer.satisfiable, answer.holds.texts, answer.began.texts, answer.ended.texts


def snapshot(reasoner: Reasoner, seen: Seen) -> Reasoner:
    """Another reasoner goes on from a snapshot."""
    other = Reasoner(
        reasoner.plan,
        complete_windows=reasoner.session.execution.complete_windows,
        evaluator=tick_by_tick(reasoner.plan),
    )
    without_flow(other.session)
    other.resume(reasoner.snapshot())
    assert reasoner.now is not None
    seen.append(
        ["resumed", *map(told, other.run([(reasoner.now + 1, []), (reasoner.now + 3, [])], emit="every"))]
    )
    return reasoner


def step(reasoner: Reasoner, seen: Seen) -> Reasoner:
    """The reasoner goes on past records to come."""
    assert reasoner.now is not None
    seen.append(told(reasoner.step(reasoner.now + 2, ["p(0)", "e(0,1)"])))
    return reasoner


def nothing(reasoner: Reasoner, seen: Seen) -> Reasoner:
    """Nothing is done in between."""
    return reasoner


def switch(reasoner: Reasoner, seen: Seen) -> Reasoner:
    """The rest is evaluated by another evaluator."""
    reasoner.use(tick_by_tick(reasoner.plan))
    return reasoner


def look(reasoner: Reasoner, seen: Seen) -> Reasoner:
    """How much is held is asked."""
    assert reasoner.statistics.facts >= 0
    return reasoner


def drop(reasoner: Reasoner, seen: Seen) -> Reasoner:
    """The run is left."""
    raise DroppedError


def answers(
    plan: Plan,
    pieces: list[list[Record]],
    block: float | None,
    every: Every,
    lateness: int,
    until: int | None,
    at: int,
    do: Callable[[Reasoner, Seen], Reasoner],
    *,
    is_strict: bool,
    complete: bool,
) -> Seen:
    """What is seen of a reasoner that runs on pieces of a stream, one by one.

    When it has given so many answers, something is done. Blocks have so many facts; None: tick by tick.
    """
    tuning = Tuning(block_facts=int(min(block or 0, 10**9)))
    evaluator = tick_by_tick(plan) if block is None else "flow"
    reasoner = Reasoner(plan, tuning=tuning, complete_windows=complete, evaluator=evaluator)
    if block is None:
        without_flow(reasoner.session)
    seen: Seen = []

    def reject(one: Rejected) -> None:
        seen.append(str(one))
        if is_strict:
            raise InputError(one.reason)

    for piece in pieces:
        try:
            run: Iterator[Answer] = reasoner.run(
                piece, emit=every, lateness=lateness, until=until, on_reject=reject
            )
            for answer in run:
                seen.append((reasoner.now, *told(answer)))
                at -= 1
                if not at:
                    reasoner = do(reasoner, seen)
        except InputError as error:
            seen.append(str(error))
        except DroppedError:
            pass
        seen.append(reasoner.now)
    return seen


@pytest.mark.parametrize("group", SERVED)
def test_random_programs(group: str) -> None:
    """Answers, rejections and their order are the same, whatever is done with the reasoner in between."""

    @AT_RANDOM
    @given(
        GROUPS[group],
        st.sampled_from([0, 0, 0, 3]),
        st.sampled_from([1, 1, 2]),
        st.sampled_from([1, 7, inf]),
        st.sampled_from([None, 1, 3]),
        st.sampled_from([0, 0, 2]),
        st.integers(1, 12),
        st.sampled_from([nothing, step, snapshot, switch, look, drop]),
        st.booleans(),
        st.booleans(),
    )
    def hold(
        case: Case,
        as_it_is: int,
        pieces: int,
        block: float,
        every: Every,
        lateness: int,
        at: int,
        do: Callable[[Reasoner, Seen], Reasoner],
        is_strict: bool,
        has_until: bool,
    ) -> None:
        note(case.program)
        plan = compiled(case, Semantics.RECORDED)
        items = again(case, 3)
        plain_ones = [*map(plain, items[: len(items) - as_it_is])]
        items = [*plain_ones, *items[len(plain_ones) :]]
        items = [replace(item, tick=item.tick + place % 2) for place, item in enumerate(items)]
        records = [*map(record, items)]
        middle = len(records) // pieces
        parts = [records[:middle], records[middle:]]
        until = items[-1].tick - 1 if has_until else None
        how = every, lateness, until, at, do
        complete = case.complete_windows
        try:
            found = answers(plan, parts, block, *how, is_strict=is_strict, complete=complete)
        except EvaluatorError:
            return
        assert found == answers(plan, parts, None, *how, is_strict=is_strict, complete=complete)

    hold()


@pytest.mark.parametrize("evaluator", ["flow", "delta"])
def test_a_run_that_is_dropped_in_its_last_block(evaluator: str) -> None:
    """The next run goes on after the answer that was given last."""
    reasoner = Reasoner.from_text("a(X) :- p(X) in [3].", evaluator=evaluator)
    run = reasoner.run([(0, ["p(0)"]), (1, ["p(1)"])], emit=1)
    assert next(run).tick == 0
    del run
    found = [(answer.tick, answer.holds.texts) for answer in reasoner.run([(3, ["p(3)"])], emit=1)]
    assert found == [(1, ("a(0)",)), (2, ("a(0)",)), (3, ("a(0)", "a(3)"))]
    assert reasoner.step(4).holds.texts == ("a(3)",)


PROGRAM = """
#tick 1 min.  #timezone "Europe/Vienna".
#input reading(room, temp) at time.
hot(R, T) :- reading(R, T), T > 25.
warm(R) :- hot(R, _) in [3 min].
long(R) :- warm(R) always in [5 min].
"""


def rows(number: int) -> list[dict[str, object]]:
    """Readings, a minute apart, of which some are no numbers, late, or at no time."""
    found: list[dict[str, object]] = []
    for row in range(number):
        minute = row - 9 * (row % 50 == 33)
        time = f"2026-02-01 {minute // 60 % 24:02}:{minute % 60:02}:00"
        found.append({"time": time, "room": f"r{row % 3}", "temp": str(20 + row * row % 11)})
        if row % 40 == 7:
            found[-1]["temp"] = None
        if row % 60 == 8:
            found[-1]["time"] = "soon"
    return found


@pytest.mark.parametrize("kind", ["pandas", "arrow", "polars", "csv", "pairs"])
@pytest.mark.parametrize("every", [None, 1])
@pytest.mark.parametrize("lateness", [0, 12])
def test_sources(kind: str, every: Every, lateness: int, tmp_path: Path) -> None:
    """Answers, and the rows that are rejected, in their order among them."""
    source = source_of(kind, rows(300), tmp_path)
    seen, ends = [], []
    for evaluator in ("delta", "flow"):
        reasoner = Reasoner.from_text(PROGRAM, evaluator=evaluator, tuning=Tuning(block_facts=100))
        seen.append(all_of(reasoner, source, every, lateness))
        ends.append([told(one) for one in reasoner.run([((reasoner.now or 0) + 4, [])])])
    assert seen[0] == seen[1]
    assert ends[0] == ends[1]
    assert len(seen[0]) > 100
    assert any(isinstance(one, str) for one in seen[0]) or kind == "pairs"


def all_of(reasoner: Reasoner, source: RunSource, every: Every, lateness: int) -> Seen:
    """Answers and what is rejected, in their order."""
    seen: Seen = []

    def reject(one: Rejected) -> None:
        seen.append(str(one))

    for answer in reasoner.run(source, emit=every, lateness=lateness, on_reject=reject):
        seen.append((reasoner.now, told(answer)))
    return seen


def source_of(kind: str, found: list[dict[str, object]], folder: Path) -> RunSource:
    """Rows as a reasoner takes them."""
    match kind:
        case "pandas":
            return cast(RunSource, pd.DataFrame(found))
        case "polars":
            return cast(RunSource, pl.DataFrame(found))
        case "arrow":
            return cast(RunSource, pa.Table.from_pylist(found))
        case "csv":
            path = folder / "readings.csv"
            cells = [",".join(str(cell or "") for cell in row.values()) for row in found]
            path.write_text("time,room,temp\n" + "\n".join(cells) + "\n")
            return path
        case _:
            return [
                (
                    datetime.fromisoformat(f"{row['time']}"),
                    [("reading", f"{row['room']}", int(f"{row['temp']}"))],
                )
                for row in found
                if row["time"] != "soon" and row["temp"] is not None
            ]


@pytest.mark.parametrize("lateness", [0, 2])
def test_columns_go_on_tick_by_tick_from_their_middle(lateness: int) -> None:
    """What came of a block is too much for another one, when only some rows of the columns are taken."""
    program = "#input p(k) at t. far(X,Y) :- p(X), p(Y) in [2], X < Y, Y < X + 9. #show far/2."
    rows = [{"t": row // 100, "k": row % 1200} for row in range(2400)]
    frames = [pa.Table.from_pylist(rows[first : first + 1200]) for first in (0, 1200)]
    seen = []
    for evaluator in ("delta", "flow"):
        reasoner = Reasoner.from_text(program, evaluator=evaluator)
        seen.append([all_of(reasoner, frame, 1, lateness) for frame in frames])
    assert seen[0] == seen[1]
    assert [len(answers) for answers in seen[0]] == [12, 12]


@pytest.mark.parametrize("evaluator", ["delta", "flow"])
@pytest.mark.parametrize("lateness", [0, 2])
def test_a_later_run_that_begins_with_what_is_rejected(evaluator: str, lateness: int) -> None:
    """What ended before, and is known to be over then, is told before it."""
    reasoner = Reasoner.from_text("a(X) :- e(X).", evaluator=evaluator)
    seen: Seen = []
    one, wrong, later = (
        record(Item(tick, (("e", (tick,)),), until)) for tick, until in ((1, None), (4, 3), (5, None))
    )
    for piece in ([one], [wrong, later]):
        run = reasoner.run(piece, emit=None, lateness=lateness, on_reject=lambda _: seen.append("rejected"))
        for answer in run:
            seen.append((answer.tick, *answer.began.texts, *answer.ended.texts))
    first, *others, last = seen
    assert (first, last) == ((1, "a(1)"), (5, "a(5)"))
    assert others == ([(2, "a(1)"), "rejected"] if lateness else ["rejected", (2, "a(1)")])


def test_what_only_rules_look_at_that_never_fire_is_taken_up() -> None:
    program = """
        c :- p(_) at least 1 in [since a(_)]; k(K); b(0) at most K in [0]; not #true.
        b(K) :- k(K); r at least K in [0]; e(X,X) at least 1 in [0]; K != X.
        d(X) :- p(X) in [1 #]; not #true.
        k(-1). k(0). k(1). k(2). k(3).
    """
    facts = ["p(0)", "r", "e(0,0)", "a(0)"]
    reasoner = Reasoner.from_text(program, evaluator="flow")
    *_, last = reasoner.run([(0, facts), (1, facts)])
    assert "b(1)" in last.holds.texts
    assert "b(1)" not in reasoner.step(2).holds.texts


@pytest.mark.parametrize(("number", "blocks"), [(100, 0), (5000, 2)])
def test_much_is_evaluated_in_blocks(monkeypatch: pytest.MonkeyPatch, number: int, blocks: int) -> None:
    """Without an option, if all of it is there; of what comes one by one no more is taken than is needed."""
    ends = ends_of_blocks(monkeypatch)
    pairs = [(tick, [("p", tick % 5)]) for tick in range(number)]
    program = "a(X) :- p(X) in [3]."
    assert len([*Reasoner.from_text(program).run(pairs)]) == number
    assert len(ends) >= blocks and bool(ends) is bool(blocks)
    ends.clear()
    taken = iter(pairs)
    run = Reasoner.from_text(program, evaluator="flow").run(taken)
    assert next(run).tick == 0
    assert next(taken)[0] == 2
    assert not ends


def test_frames_of_answers_are_made_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of intervals and changes as well."""
    ends = ends_of_blocks(monkeypatch)
    frame = pd.DataFrame(
        {"time": range(5000), "room": "hall", "temp": [20 + row % 11 for row in range(5000)]}
    )
    program = "#input reading(room, temp) at time. hot(R) :- reading(R,T) in [2], T > 25."
    found = [
        Reasoner.from_text(program, evaluator=evaluator).intervals(cast(RunSource, frame))["hot"].to_pandas()
        for evaluator in ("delta", "auto")
    ]
    assert ends
    assert found[0].equals(found[1])


def test_windows_that_hold_more_than_comes_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece of a stream is not worth blocks where it has fewer rows than windows hold."""
    ends = ends_of_blocks(monkeypatch)
    reasoner = Reasoner.from_text("a(X) :- p(X) in [3000].")
    seen = []
    for first, last in ((0, 9000), (9000, 11_000), (11_000, 20_000)):
        pairs = [(tick, [("p", tick)]) for tick in range(first, last)]
        assert [answer.tick for answer in reasoner.run(pairs)] == [*range(first, last)]
        seen.append(bool(ends))
        ends.clear()
    assert seen == [True, False, True]
