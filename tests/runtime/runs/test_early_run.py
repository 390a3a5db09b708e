"""Answers that are given at once and revised: in the end those of the sorted stream stand."""

import json
from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from random import Random
from signal import SIGTERM
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp.compiler import Overrides, compile_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.early_run import EarlyRun, why_not_early
from lars2asp.runtime.runs.processes.stop import Stop
from lars2asp.runtime.runs.states.state_keeping import StateKeeper
from lars2asp.runtime.sinks.emission import Emission
from lars2asp.runtime.sinks.json_lines import JsonLines
from lars2asp.runtime.sources.input_watermarks import FromInput, InputWatermarks
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.oracle import Item
from tests.strategies import GROUPS, Disordered, cases, disordered
from tests.strategies.heads import waiting_programs
from tests.support.definition import record
from tests.support.evaluating import serving
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(2)

Standing = dict[int, tuple[bool, frozenset[str]]]
"""Whether there is an answer stream, and the atoms, by ticks."""

CERTAIN = {name: group for name, group in GROUPS.items() if name != "several answer streams"}
CERTAIN["heads ahead"] = cases(waiting_programs())


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("ERROR", "lars2asp")


class Reader:
    """Reads lines as the docs say: what stands at each tick, and what is final.

    A tick of which no line speaks has what stands at the tick before.
    """

    def __init__(self) -> None:
        self.final = -1
        self._said: Standing = {-1: (True, frozenset())}

    def read(self, line: dict[str, Any]) -> None:
        """Reads the next line."""
        if "final" in line:
            assert line["final"] > self.final
            self.final = line["final"]
        elif "revised" in line:
            assert self.final < line["from"]
            self._fill(line["from"] if line["to"] is None else line["to"] + 1)
            last = max(self._said) if line["to"] is None else line["to"]
            for tick in range(line["from"], last + 1):
                self._revise(tick, line)
        else:
            tick = line["time"]
            assert tick > max(self.final, *self._said)
            if "atoms" in line:
                atoms = frozenset(line["atoms"])
            else:
                _, before = self.at(tick - 1)
                assert before.isdisjoint(line["began"])
                assert before.issuperset(line["ended"])
                atoms = before.difference(line["ended"]).union(line["began"])
            self._fill(tick - 1)
            self._said[tick] = line.get("satisfiable", True), atoms

    def _revise(self, tick: int, line: dict[str, Any]) -> None:
        satisfiable, atoms = self._said[tick]
        if line["revised"] is None:
            assert satisfiable != line["satisfiable"]
            self._said[tick] = line["satisfiable"], atoms
        else:
            assert (line["revised"] in atoms) != line["holds"]
            changed = atoms | {line["revised"]} if line["holds"] else atoms - {line["revised"]}
            self._said[tick] = satisfiable, changed

    def _fill(self, until: int) -> None:
        for tick in range(max(self._said) + 1, until + 1):
            self._said[tick] = self._said[tick - 1]

    def at(self, tick: int) -> tuple[bool, frozenset[str]]:
        """What stands at a tick."""
        self._fill(tick)
        return self._said[tick]


class Kept(StateKeeper):
    """Keeps the state as JSON has it."""

    state_of_the_run: dict[str, Any]

    def save(self, state: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        self.state_of_the_run = json.loads(json.dumps(state()))
        return self.state_of_the_run


class Interrupted(BaseException):
    """Ends a run."""


class Interruptions(Stop):
    """Ends a run at some of the places at which its state can be kept.

    Args:
        places: how many such places are passed before each end.
    """

    def __init__(self, places: Iterable[int]) -> None:
        super().__init__()
        self.asked = SIGTERM
        self._places = iter(places)
        self._left = next(self._places, None)
        self.run: EarlyRun | None = None

    def check(self) -> None:
        """Ends the run if it is time for that, and its input has not ended."""
        assert self.run is not None
        if self._left is None or self.run.records.is_ending:
            return
        self._left -= 1
        if self._left < 0:
            self._left = next(self._places, None)
            raise Interrupted


class Compared:
    """Runs over the records of a case.

    Args:
        told: the case.
        plan: its program.
        name: the evaluator.
        arriving: the records as they arrive.
    """

    def __init__(self, told: Disordered, plan: Plan, name: EvaluatorName, arriving: Iterable[Item]) -> None:
        self._told, self._plan, self._name = told, plan, name
        self._arriving = [*map(record, arriving)]

    def _session(self) -> Session:
        case = self._told.case
        reasoner = Reasoner(
            self._plan, start=case.start, complete_windows=case.complete_windows, evaluator=self._name
        )
        return reasoner.session

    def waiting(self, until: int | None, *, of_inputs: bool) -> tuple[Standing, list[str]]:
        """The answers of a run that waits, and what was rejected."""
        answers: list[Answer] = []
        rejected: list[Rejected] = []
        inputs = InputWatermarks(range(2)) if of_inputs else None
        run = DataTimeRun(
            self._session(),
            1,
            answers.append,
            rejected.append,
            lateness=self._told.lateness,
            inputs=inputs,
        )
        if of_inputs:
            run.over_inputs(self._of_inputs(), until)
        else:
            run.over(self._arriving, until)
        standing = {one.tick: (one.satisfiable, frozenset(one.holds.texts)) for one in answers}
        return standing, [_without_cure(one) for one in rejected]

    def early(
        self, until: int | None, random: Random, *, of_inputs: bool
    ) -> tuple[Reader, list[dict[str, Any]], list[str]]:
        """The lines of a run that does not, what they say in the end, and what was rejected."""
        output, rejected = StringIO(), list[Rejected]()
        sink = JsonLines(output, Emission(changes=random.random() < 0.5))
        plan, every = self._plan, random.choice([None, 1])
        tuning = Tuning(
            early_share=random.choice([0, 0, 10]),
            early_states=random.choice([1, 2, 8]),
            early_again=random.choice([0, 1, 4]),
        )
        stop = Interruptions([random.randint(0, 6) for _ in range(random.choice([0, 1, 4]))])
        over: Callable[[EarlyRun], None]
        if of_inputs:
            inputs = self._of_inputs()
            over = lambda run: run.over_inputs(inputs, until)  # noqa: E731
        elif random.random() < 0.5:
            batches = self._batches(random)
            over = lambda run: run.over_batches(batches, until)  # noqa: E731
        else:
            records = iter(self._arriving)
            over = lambda run: run.over(records, until)  # noqa: E731
        keeper, state = Kept(), None
        while True:
            run = EarlyRun(
                self._session(),
                every,
                sink.write,
                rejected.append,
                keeper,
                stop,
                lateness=self._told.lateness,
                inputs=InputWatermarks(range(2)) if of_inputs else None,
                revise=lambda found: sink.revise(found, plan.decimals),
                finish=sink.finish,
                tuning=tuning,
            )
            stop.run = run
            if state is not None:
                run.restore(state)
            try:
                over(run)
            except Interrupted:
                run.save()
                state = keeper.state_of_the_run
            else:
                break
        lines = [json.loads(line) for line in output.getvalue().splitlines()]
        reader = Reader()
        for line in lines:
            reader.read(line)
        return reader, lines, [_without_cure(one) for one in rejected]

    def _batches(self, random: Random) -> Iterator[list[Record]]:
        left = self._arriving
        while left:
            number = random.randint(0, 3)
            yield left[:number]
            left = left[number:]

    def _of_inputs(self) -> Iterator[FromInput]:
        for place, one in enumerate(self._arriving):
            yield FromInput(place % 3 == 0, [one])
        yield FromInput(0, None)


def _without_cure(rejected: Rejected) -> str:
    """Why a record was rejected; what would take all is said of those since a run went on."""
    return rejected.reason.partition(";")[0]


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("alarm at @now+3 :- p. quiet :- not alarm in [2].", None),
        ("a at @now-2 :- b. n(N) :- a count N in [5]. m :- a at most 1 in [5].", None),
        ("a at T :- b(T). c :- not a in [5].", None),
        ("on at @now+1 :- not on.", None),
        ("x at @now+k :- y at most 1 in [3]. y :- not x. #const k = 2.", None),
        ("-a :- b. a :- c.", None),
        ("a at @now-1 :- q, not a in [3].", "a/0 excludes a/0 (line 1)"),
        (
            "a at T :- b(T), not c in [3].\nc :- a in {1}.",
            "a/0 excludes c/0 (line 1), c/0 needs a/0 (line 2)",
        ),
        ("a at @now-k :- b, a at most 1 in [3]. #const k = 0.", "a/0 excludes a/0 (line 1)"),
        ("a(X) :- b(X), 2 <= #count { Y : a(Y) }.", "a/1 needs a/1 (line 1)"),
        ("x :- b. { a } :- x.", "a head may choose a/0 (line 1)"),
        ("x :- (b, not x) in [3].", "(b, not x) excludes x/0 (line 1), x/0 needs (b, not x) (line 1)"),
    ],
)
def test_one_answer_stream_is_enough_and_a_cycle_that_may_make_more_is_named(
    program: str, reason: str | None
) -> None:
    found = why_not_early(compile_program(Source("early.lars", program)))
    assert (found and found.partition(": ")[2]) == reason


@pytest.mark.parametrize("group", CERTAIN)
def test_what_stands_in_the_end(group: str) -> None:
    """It is what a run says that waits, at each tick, and no revision touches what is final.

    So it is where the run is interrupted, and goes on from its state.
    """

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(disordered(CERTAIN[group]), st.randoms(use_true_random=False), st.booleans(), st.booleans())
    def hold(told: Disordered, random: Random, ends: bool, of_inputs: bool) -> None:
        case = told.case
        program = case.program + random.choice(["", "", "\n:- p(0) in [1], e(_,_)."])
        note(program)
        try:
            overrides = Overrides(semantics=Semantics(case.semantics))
            plan = compile_program(Source("early.lars", program), overrides=overrides)
        except ProgramError:
            assume(False)
            raise
        assume(why_not_early(plan) is None)
        assume(told.lateness > 0 or of_inputs)
        arriving = list(told.arriving)
        if ends:  # what may not have begun
            for _ in range(2):
                ending = ("p", (random.choice([0, 1]),))
                tick = random.choice(arriving).tick
                arriving.insert(random.randint(0, len(arriving)), Item(tick, end=(ending,)))
        name = random.choice(serving(plan))
        note(name)
        until = random.choice([None, None, case.last, case.last // 2])
        compared = Compared(told, plan, name, arriving)
        try:
            waiting, rejected = compared.waiting(until, of_inputs=of_inputs)
            reader, lines, refused = compared.early(until, random, of_inputs=of_inputs)
        except EvaluationError:
            assume(False)
            raise
        note(lines)
        for tick, answer in waiting.items():
            assert reader.at(tick) == answer, tick
        assert reader.final == max(waiting, default=-1)
        if until is None:  # else one reads on for longer
            assert sorted(refused) == sorted(rejected)

    hold()
