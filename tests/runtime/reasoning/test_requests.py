"""What is asked of answer streams, in batches of any size: all of them, brave and cautious consequences."""

from collections.abc import Iterable
from functools import cache, reduce

import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st

from lars2asp.compiler import read_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import EvaluatorError
from lars2asp.runtime.reasoning.run_options import RunOptions
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.oracle import Item, Oracle, TooManyError, UnstratifiedError
from tests.strategies import GROUPS, Case
from tests.support.blocks import AT_RANDOM, plain
from tests.support.definition import follow, record
from tests.support.plans import compiled

UNCERTAIN = "several answer streams", "choices beside rules", "failing ticks"
SIZES = st.sampled_from([1, 3, 7, 10**9])


def in_batches(case: Case, plan: Plan, items: list[Item], size: int, options: RunOptions) -> list[Answer]:
    """The answers at all ticks, by `flow` in batches of so many facts. Raises EvaluatorError."""
    tuning = Tuning(block_facts=size)
    complete, start = case.complete_windows, case.start
    more = RunOptions(tuning=tuning, complete_windows=complete, evaluator="flow", **options)
    session = Session(plan, **more)
    if start is not None:
        session.start_at(start)
    seen: list[Answer] = []

    def write_all(answers: Iterable[Answer]) -> None:
        for answer in answers:
            assert answer.models is not None  # before others change
            seen.append(answer)

    run = DataTimeRun(session, 1, seen.append, lambda _: None, in_blocks=write_all)
    run.over(iter([record(item) for item in items]), case.last)
    return seen


@pytest.mark.parametrize("group", UNCERTAIN)
def test_all_answer_streams(group: str) -> None:
    """They are those of the definition, and the first is followed."""

    @AT_RANDOM
    @given(GROUPS[group], SIZES)
    def hold(case: Case, size: int) -> None:
        note(case.program)
        plan = compiled(case, Semantics.RECORDED)
        items = [plain(item) for item in case.records]
        start = items[0].tick if case.start is None else case.start
        program = read_program(Source("random.lars", case.by_ticks or case.program))
        complete = case.complete_windows
        oracle = Oracle(program, items, start=start, complete_windows=complete)
        try:
            answers = in_batches(case, plan, items, size, RunOptions(models=0))
            follow(case, start, iter(answers), cache(oracle.answer_streams))
        except (EvaluatorError, TooManyError, UnstratifiedError):
            assume(False)

    hold()


@pytest.mark.parametrize("kind", ["brave", "cautious"])
def test_consequences(kind: str) -> None:
    """They are those of all answer streams; what is certain is among them."""

    @AT_RANDOM
    @given(GROUPS["choices beside rules"], SIZES)
    def hold(case: Case, size: int) -> None:
        note(case.program)
        plan = compiled(case, Semantics.RECORDED)
        items = [plain(item) for item in case.records]
        try:
            found = in_batches(case, plan, items, size, RunOptions(consequences=kind))
            every = in_batches(case, plan, items, 1, RunOptions(models=0))
        except EvaluatorError:
            assume(False)
        combined = frozenset[str].union if kind == "brave" else frozenset[str].intersection
        for answer, streams in zip(found, every, strict=True):
            assert (answer.tick, answer.satisfiable) == (streams.tick, streams.satisfiable)
            sets = [frozenset(model.texts) for model in streams.models]
            assert frozenset(answer.holds.texts) == (reduce(combined, sets) if sets else frozenset())

    hold()
