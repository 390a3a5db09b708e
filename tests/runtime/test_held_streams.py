"""Facts that are held, by definition, also where they come late or twice and runs are interrupted."""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp.compiler import Overrides, compile_program, read_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.reasoning.snapshot import packed, unpacked
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.states.state_keeping import CheckpointInterval, State, StateKeeper
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.oracle import Oracle, TooManyError, UnstratifiedError
from tests.strategies import GROUPS, Disordered, disordered, widened
from tests.support.definition import follow, record
from tests.support.evaluating import serving
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(7)

BEYOND_CLINGO = "but clingo has 32 bits"
"""What is said of a tick that has no answer since clingo could give only another one."""

RESTLESS = Tuning(sweep_after=0, deferred_least=2, stamped_spare=10, external_advance=10**6)
"""Histories and evaluators forget as soon as they may, and groundings are kept from the first tick on."""

HELD = {
    "near": GROUPS["held facts"],
    "far apart": GROUPS["held facts far apart"],
    "wide numbers": (GROUPS["held facts"] | GROUPS["held facts far apart"]).flatmap(widened),
}


class Kept:
    """Takes checkpoints."""

    def __init__(self) -> None:
        self.state: bytes | None = None

    def save(self, state: State) -> None:
        """Keeps a state."""
        self.state = packed(state)


class Cut(Exception):  # noqa: N818 - it is none
    """Ends a run."""


class Interrupted:
    """A run that is interrupted now and then, and goes on from a checkpoint, with another evaluator.

    Args:
        told: what the run is over.
        plan: its program.
        names: the evaluators, which take turns.
        random: says how often there are checkpoints, and after which records and answers it is interrupted.

    Attributes:
        rejected: the records that came too late.
    """

    def __init__(self, told: Disordered, plan: Plan, names: Sequence[EvaluatorName], random: Random) -> None:
        self._told = told
        self._plan = plan
        self._names = names
        self._random = random
        self._interval = random.choice([1, 1, 2, 4])
        self._cuts = {random.randint(1, 3 * len(told.arriving)) for _ in range(random.randint(1, 3))}
        """After how many records and answers it is interrupted."""
        self._steps = self._read = 0
        self._kept = Kept()
        self._written: list[Answer] = []
        self.rejected: list[Rejected] = []

    def answers(self) -> list[Answer]:
        """The answers at all ticks."""
        turn = 0
        while not self._is_done(self._names[turn % len(self._names)]):
            turn += 1
        return self._written

    def _is_done(self, name: EvaluatorName) -> bool:
        case = self._told.case
        reasoner = Reasoner(
            self._plan,
            start=case.start,
            complete_windows=case.complete_windows,
            models=0,
            evaluator=name,
            tuning=RESTLESS,
        )
        keeper = StateKeeper(
            self._kept,  # type: ignore[arg-type]
            CheckpointInterval(self._interval),
            others=lambda: {
                "read": self._read,
                "written": len(self._written),
                "rejected": len(self.rejected),
            },
        )
        run = DataTimeRun(
            reasoner.session, 1, self._write, self.rejected.append, keeper, lateness=self._told.lateness
        )
        if self._kept.state is None:
            run.save()
        else:
            state = unpacked(self._kept.state)
            self._read = state["read"]
            del self._written[state["written"] :]
            del self.rejected[state["rejected"] :]
            run.restore(state)
        try:
            run.over(self._source(), case.last)
        except Cut:
            if self._random.random() < 0.5 and run.is_wholly_kept:
                run.save()
            return False
        return True

    def _source(self) -> Iterator[Record]:
        arriving = self._told.arriving
        while self._read < len(arriving):
            self._read += 1
            yield record(arriving[self._read - 1])
            self._step()

    def _write(self, answer: Answer) -> None:
        self._written.append(answer)
        self._step()

    def _step(self) -> None:
        self._steps += 1
        if self._steps in self._cuts:
            raise Cut


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("ERROR", "lars2asp")


@pytest.mark.parametrize("group", HELD)
def test_late_and_interrupted(group: str) -> None:
    """Records come late, some again; the run is interrupted, and goes on with another evaluator."""

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(
        disordered(HELD[group]),
        st.integers(0, 10),
        st.randoms(use_true_random=False),
    )
    def hold(told: Disordered, number: int, random: Random) -> None:
        case = told.case
        note(case.program)
        source = Source("held.lars", case.program)
        try:
            plan = compile_program(source, overrides=Overrides(semantics=Semantics(case.semantics)))
        except ProgramError:
            assume(False)
            raise
        names = serving(plan)
        number %= len(names)
        names = names[number:] + names[:number]
        note(names)
        start = case.records[0].tick if case.start is None else case.start
        oracle = Oracle(
            read_program(source),
            case.records,
            start=start,
            is_strict=case.semantics == "strict",
            complete_windows=case.complete_windows,
        )
        run = Interrupted(told, plan, names, random)
        try:
            follow(case, start, iter(run.answers()), cache(oracle.answer_streams))
        except (TooManyError, UnstratifiedError):
            assume(False)
        except EvaluationError as error:  # the tick has no answer, which is said
            assume(BEYOND_CLINGO not in str(error))
            raise
        assert len(run.rejected) == told.late

    hold()
