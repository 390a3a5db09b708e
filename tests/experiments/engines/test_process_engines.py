"""Parts of a program in processes give what one reasoner gives."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from experiments.engine import AnswerChanges, Engine, Fact, RefusedError, text_of
from experiments.engines.copied_input import parts_by_cliques
from experiments.engines.process_engines import PipelinedEngine, SplitEngine
from experiments.engines.product import ProductEngine
from experiments.engines.stages import StagesError, stages
from experiments.engines.workers import Round, ShardOrder, WorkerError, Workers, done
from lars2asp.compiler import CheckedProgram, Overrides, checked_program, compile_part, compile_plan
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.sharding.shard import ShardReasoner
from lars2asp.runtime.sharding.shard_spec import ShardSettings, ShardSpec
from lars2asp.splitting.parts import Split
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.strategies import splittable_programs
from tests.support.processes import is_running, started, wait_for

Stream = Sequence[Sequence[Fact]]


def checked(text: str, semantics: Semantics = Semantics.RECORDED) -> CheckedProgram:
    return checked_program(Source("test.lars", text), overrides=Overrides(semantics=semantics))


def as_sets(engine: Engine, changes: AnswerChanges) -> tuple[set[str], set[str]]:
    return set(engine.texts(changes.began)), set(engine.texts(changes.ended))


def of_one(program: CheckedProgram, stream: Stream) -> list[tuple[set[str], set[str]]]:
    """What one reasoner gives."""
    engine = ProductEngine(compile_plan(program), EvaluatorName.AUTO)
    return [as_sets(engine, engine.step(tick, engine.facts(facts))) for tick, facts in enumerate(stream)]


def of_split(
    program: CheckedProgram,
    stream: Stream,
    workers: int = 2,
    *,
    in_levels: bool = False,
    parts: Split | None = None,
    make_workers: type[Workers] = Workers,
) -> list[tuple[set[str], set[str]]]:
    engine = SplitEngine(program, workers, in_levels=in_levels, parts=parts, make_workers=make_workers)
    with closing(engine):
        return [as_sets(engine, engine.step(tick, engine.facts(facts))) for tick, facts in enumerate(stream)]


def of_pipelined(
    program: CheckedProgram, stream: Stream, workers: int = 2, make_workers: type[Workers] = Workers
) -> list[tuple[set[str], set[str]]]:
    with closing(PipelinedEngine(program, workers, make_workers=make_workers)) as engine:
        given = [as_sets(engine, engine.step(tick, engine.facts(facts))) for tick, facts in enumerate(stream)]
        rest = list(engine.drain())
        assert given[: engine.lag] == [(set(), set())] * min(engine.lag, len(given))
        assert [tick for tick, _ in rest] == list(range(len(stream)))[-engine.lag :] * bool(engine.lag)
        return [*given[engine.lag :], *(as_sets(engine, changes) for _, changes in rest)]


LAYERS = """
hot(R) :- reading(R,T) in [2], T > 25.
quiet(R) :- room(R), not hot(R).
all :- #count { R : hot(R) } = 3.
calm :- not all always in [2].
linked(X,Y) :- door(X,Y) in [3].
linked(X,Z) :- linked(X,Y), door(Y,Z) in [3].
room(1..3).
"""
READINGS: Stream = [
    [("reading", 1, 30), ("door", 1, 2)],
    [("reading", 2, 26), ("reading", 3, 27)],
    [("door", 2, 3)],
    [],
    [("reading", 3, 10), ("door", 3, 1)],
    [],
    [("reading", 1, 40)],
]


@pytest.mark.parametrize(("semantics", "workers"), [(Semantics.RECORDED, 2), (Semantics.STRICT, 1)])
def test_parts_in_processes_give_what_one_reasoner_gives(semantics: Semantics, workers: int) -> None:
    program = checked(LAYERS, semantics)
    expected = of_one(program, READINGS)
    assert of_split(program, READINGS, workers) == expected
    assert of_split(program, READINGS, workers, in_levels=True) == expected
    assert of_pipelined(program, READINGS, workers) == expected


def test_what_pipelined_gives_is_that_of_earlier_ticks() -> None:
    program = checked(
        "a(X) :- p(X,Y), not q(Y). b(Y) :- a(X), e(X,Y). c(N) :- N = #count { Y : b(Y) }, u. d :- b(_)."
    )
    stream: Stream = [[("p", 1, 1), ("e", 1, 7), ("u",)], [("u",)], [("p", 2, 2), ("e", 2, 8), ("e", 2, 9)]]
    with closing(PipelinedEngine(program, 2)) as engine:
        assert engine.lag > 0
    assert of_pipelined(program, stream) == of_one(program, stream)


def test_workers_end_when_they_are_closed() -> None:
    with closing(SplitEngine(checked(LAYERS), 2)) as engine:
        workers = engine.processes
        assert len(workers) == 2
        engine.step(0, engine.facts(READINGS[0]))
        assert engine.counts["messages"] >= 1
    assert not any(map(is_running, workers))


def test_a_worker_that_is_gone_is_reported() -> None:
    with closing(SplitEngine(checked(LAYERS), 1)) as engine:
        os.kill(engine.processes[0], signal.SIGKILL)
        with pytest.raises(WorkerError, match="gone"):
            engine.step(0, engine.facts(READINGS[0]))


def test_workers_end_with_their_parent() -> None:
    code = dedent("""\
        import signal, sys
        from experiments.engines.process_engines import SplitEngine
        from lars2asp.compiler import checked_program
        from lars2asp.syntax.source import Source
        engine = SplitEngine(checked_program(Source("test.lars", sys.argv[1])), 2)
        print(*engine.processes, flush=True)
        signal.pause()
        """)
    with started([sys.executable, "-c", code, LAYERS], stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        workers = [int(one) for one in run.stdout.readline().split()]
        assert len(workers) == 2
        run.kill()
        wait_for(lambda: not any(map(is_running, workers)))


# --- stages ---------------------------------------------------------------------------------------

CHOOSING = """
1 { a(X) : p(X) } 1 :- p(_).
next(X+1) :- a(X).
1 { b(X) ; b(X+1) } 1 :- next(X).
:- b(X), not next(X).
"""


def test_stages_hand_on_what_is_read_off_their_answer() -> None:
    parts = stages(checked(CHOOSING).program).parts
    assert [
        (part.level, sorted(map(str, part.hands_on)), sorted(map(str, part.listens))) for part in parts
    ] == [
        (0, ["next/1"], []),
        (1, [], ["next/1"]),
    ]


def test_stages_give_an_answer_of_the_program() -> None:
    stream: Stream = [[("p", 1)], [("p", 4)], [], [("p", 9)]]
    with closing(PipelinedEngine(checked(CHOOSING), 2, commits=True)) as engine:
        assert engine.lag == 1
        given = [as_sets(engine, engine.step(tick, engine.facts(facts))) for tick, facts in enumerate(stream)]
        given += [as_sets(engine, changes) for _, changes in engine.drain()]
    begun = [{f"a({x})", f"next({x + 1})", f"b({x + 1})"} for x in (1, 4, 9)]
    assert given[1:] == [(begun[0], set()), (begun[1], begun[0]), (set(), begun[1]), (begun[2], set())]


@pytest.mark.parametrize(
    "text",
    [
        "{ a }. :~ a. [1]",
        "{ a }. b :- a in [3].",
        "{ a }. b at @now+1 :- a.",
        "{ a }. { b }. :- a, b.",
    ],
)
def test_programs_that_have_no_stages(text: str) -> None:
    with pytest.raises(StagesError):
        stages(checked(text).program)


# --- random programs ------------------------------------------------------------------------------


class InThisProcess(Workers):
    """Stands in for workers: reasoners in this process."""

    def __init__(self, specs: Sequence[ShardSpec], places: Sequence[int], settings: ShardSettings) -> None:
        assert len(places) == len(specs)
        self._reasoners = [
            ShardReasoner(spec, compile_part(spec.shard.part, settings.semantics)) for spec in specs
        ]

    def run(self, orders: Iterable[ShardOrder]) -> Round:
        return Round([done(self._reasoners[o.shard], o) for o in orders], 1, 0)

    def close(self) -> None:
        pass


@st.composite
def streams(draw: st.DrawFn) -> Stream:
    """Facts of each tick in the order of their texts, as shards take them."""
    argument = st.sampled_from([0, 1, 2, "x"])
    fact = st.one_of(
        st.tuples(st.just("p"), argument),
        st.tuples(st.just("e"), argument, argument),
        st.tuples(st.just("k"), argument),
        st.just(("r",)),
    )
    ticks = draw(st.lists(st.lists(fact, max_size=4, unique=True), min_size=1, max_size=7))
    return [sorted(facts, key=text_of) for facts in ticks]


@pytest.fixture
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("ERROR", "lars2asp")


@pytest.mark.usefixtures("_quiet")
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(splittable_programs(), streams(), st.sampled_from(Semantics), st.integers(1, 3))
def test_random_programs(text: str, stream: Stream, semantics: Semantics, workers: int) -> None:
    note(text)
    program = checked(text, semantics)
    expected = of_one(program, stream)
    assert of_split(program, stream, workers, make_workers=InThisProcess) == expected
    assert of_split(program, stream, workers, in_levels=True, make_workers=InThisProcess) == expected
    assert of_pipelined(program, stream, workers, InThisProcess) == expected
    try:
        parts = parts_by_cliques(program.program, program.semantics)
    except RefusedError:
        return
    assert of_split(program, stream, workers, parts=parts, make_workers=InThisProcess) == expected
