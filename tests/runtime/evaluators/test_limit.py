"""A tick for which clingo takes too long has no answer, and the stream goes on."""

import gc
import json
import logging
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest
from clingo import Number, Symbol

from lars2asp import Reasoner
from lars2asp.__main__ import main
from lars2asp.runtime.errors import TickTimeoutError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.limit import TickLimit
from tests.support.command_line import lines, run
from tests.support.processes import PATIENCE_SECONDS, completed, started

HARD = """
{ in(P,H) : H = 1..11 } = 1 :- P = 1..12, go.
:- in(P,H), in(Q,H), P < Q.
"""
"""Twelve pigeons in eleven holes: quickly ground, and not solved for hours."""


class Waiting:
    """An `@`-function that waits until it is let go."""

    def __init__(self) -> None:
        self.go = Event()
        self.calls = 0

    def wait(self, _: Symbol) -> Symbol:
        self.calls += 1
        self.go.wait(PATIENCE_SECONDS)
        return Number(1)


@pytest.mark.parametrize("evaluator", [EvaluatorName.AUTO, EvaluatorName.ONESHOT, EvaluatorName.STAMPED])
def test_a_search_that_takes_too_long(evaluator: EvaluatorName, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing of it is recorded; what is told at the tick counts."""
    program = HARD + "c(X) :- p(X) in [2]. d :- go. e :- d in [5]."
    reasoner = Reasoner.from_text(program, evaluator=evaluator, tick_timeout=0.3)
    assert "c(1)" in reasoner.step(0, ["p(1)"]).holds.texts
    late = reasoner.step(1, ["go", "p(2)"])
    assert (late.timed_out, late.satisfiable, late.holds.texts, late.models) == (True, False, (), ())
    assert "tick 1 has no answer: clingo takes longer than 0.3 s" in caplog.text
    after = reasoner.step(2)
    assert (after.timed_out, after.holds.texts) == (False, ("c(1)", "c(2)"))
    assert not reasoner.is_stuck


def test_while_nothing_changes_it_is_not_tried_again() -> None:
    reasoner = Reasoner.from_text(HARD, tick_timeout=0.5)
    answers = list(reasoner.run([(0, []), (1, []), (1000, [])], emit=None))
    assert [answer.tick for answer in answers] == []
    reasoner.step(1001, begin=["go"])
    answers = list(reasoner.run([(5000, [])], emit=1000))
    assert [(answer.tick, answer.timed_out) for answer in answers] == [
        (2000, True),
        (3000, True),
        (4000, True),
        (5000, True),
    ]
    assert reasoner.counts[0] < 10


def test_it_goes_on_from_a_snapshot() -> None:
    one, other = (Reasoner.from_text(HARD + "c :- p in [2].", tick_timeout=0.5) for _ in range(2))
    one.step(0, begin=["go"])
    other.resume(one.snapshot())
    assert [(answer.tick, answer.timed_out) for answer in other.run([(9, [])], until=9, emit="every")][
        :9
    ] == [(tick, True) for tick in range(1, 10)]
    assert other.step(10, ["p"], end=["go"]).holds.texts == ("c",)


def test_a_function_that_does_not_return() -> None:
    waiting = Waiting()
    program = "a(@wait(X)) :- p(X) in [0]. b(X) :- q(X) in [1]. {c} :- p(_). :- c, b(1)."
    reasoner = Reasoner.from_text(program, functions=waiting, evaluator="oneshot", tick_timeout=0.5)
    try:
        assert reasoner.step(0, ["q(1)"]).holds.texts == ("b(1)",)
        assert reasoner.step(1, ["p(1)"]).timed_out
        assert reasoner.is_stuck
        assert waiting.calls == 1
        assert reasoner.step(2, ["q(2)"]).holds.texts == ("b(2)",)
    finally:
        waiting.go.set()


def test_recursion_without_end_that_no_warning_is_of(caplog: pytest.LogCaptureFixture) -> None:
    program = "a(0) :- go. a(X+2) :- a(X), X != 5. b(X) :- a(X). b(X) :- c(X). c(X) :- p(X) in [2]."
    reasoner = Reasoner.from_text(program, evaluator="delta", tick_timeout=0.5)
    assert reasoner.step(0, ["p(1)"]).holds.texts == ("b(1)", "c(1)")
    assert reasoner.step(1, ["go", "p(2)"]).timed_out
    assert "tick 1 has no answer: evaluation takes longer than 0.5 s" in caplog.text
    assert reasoner.step(2).holds.texts == ("b(1)", "b(2)", "c(1)", "c(2)")
    assert not reasoner.is_stuck


def test_work_is_interrupted_again_if_it_drops_the_error() -> None:
    """As Python does where the error is raised in a `__del__`."""
    limit = TickLimit(0.1)
    dropped = 0

    def work() -> None:
        nonlocal dropped
        while dropped < 2:
            try:
                while True:
                    pass
            except BaseException:
                dropped += 1
        while True:
            pass

    limit.begin()
    with pytest.raises(TickTimeoutError):
        limit.interrupted(work)
    assert dropped == 2
    limit.begin()
    assert limit.interrupted(lambda: 1) == 1


def test_no_garbage_is_collected_in_work_that_is_interrupted() -> None:
    """What is raised in a `__del__` would be printed."""
    limit = TickLimit(PATIENCE_SECONDS)
    limit.begin()
    assert not limit.interrupted(gc.isenabled)
    assert gc.isenabled()


@pytest.mark.parametrize(
    "program",
    [
        "a(X,Y,Z,V,W) :- p(X), p(Y), p(Z), p(V), p(W), X+Y+Z+V+W < 0.",
        "a(N) :- N = #count { X,Y,Z,V,W : p(X), p(Y), p(Z), p(V), p(W), X != Y, V != W }.",
        "a(X,Y) :- go, X = 0..2500, Y = 0..3500, X*X+Y*Y < 0.",
    ],
)
@pytest.mark.parametrize("evaluator", [EvaluatorName.AUTO, EvaluatorName.DELTA])
def test_joins_that_take_too_long(
    program: str, evaluator: EvaluatorName, caplog: pytest.LogCaptureFixture
) -> None:
    """What `delta` evaluates is interrupted, wherever it is, and begins anew from what holds."""
    program += "b(X) :- p(X) in [3], X < 3. c(X) :- b(X) in [1]."
    reasoner = Reasoner.from_text(program, evaluator=evaluator, tick_timeout=0.5, largest_interval=10_000_000)
    assert reasoner.step(0, ["p(1)"]).holds.texts[-2:] == ("b(1)", "c(1)")
    late = reasoner.step(1, ["go", *(f"p({number})" for number in range(2, 120))])
    assert (late.timed_out, late.holds.texts) == (True, ())
    assert "tick 1 has no answer: evaluation takes longer than 0.5 s" in caplog.text
    after = reasoner.step(2)
    assert after.holds.texts[-4:] == ("b(1)", "b(2)", "c(1)", "c(2)")
    assert not reasoner.is_stuck


@pytest.mark.parametrize("more", [[], ["--revise", "1"]], ids=["", "revise"])
@pytest.mark.parametrize("evaluator", EvaluatorName)
def test_each_evaluator_keeps_the_limit_of_a_run(
    evaluator: EvaluatorName, more: list[str], tmp_path: Path
) -> None:
    join = "a(X,Y) :- p(X), p(Y), p(Z), p(V), p(W), X+Y+Z+V+W < 0."
    (tmp_path / "p.lars").write_text(f"{join} b(X) :- p(X) in [3], X < 3. #show a/2. #show b/1.")
    ticks = [["p(1)"], [f"p({number})" for number in range(2, 120)], ["p(0)"]]
    records = [json.dumps({"time": tick, "facts": facts}) for tick, facts in enumerate(ticks)]
    (tmp_path / "in.jsonl").write_text("\n".join(records))
    more = ["--evaluator", str(evaluator), "--tick-timeout", "0.3", *more]
    done = run(tmp_path, "run", "p.lars", "--input", "in.jsonl", *more)
    assert "tick 1 has no answer: " in done.stderr
    assert "takes longer than 0.3 s" in done.stderr
    if "--revise" not in more:
        answers = lines(done.stdout)
        assert [one.get("timeout", False) for one in answers] == [False, True, False]
        assert answers[2]["atoms"] == ["b(0)", "b(1)", "b(2)"]


def test_files_are_evaluated_within_the_limit_too() -> None:
    """Not in blocks, which have many ticks at once."""
    reasoner = Reasoner.from_text("a(X,Y) :- p(X), p(Y) in [9], X < Y.", tick_timeout=PATIENCE_SECONDS)
    assert not reasoner.session.may_begin_blocks


def test_what_is_in_time_is_as_without_a_limit() -> None:
    program = """
        { a(X) : p(X) in [3] } = 1. b(X) :- a(X) in [2]. c(X,Y) :- b(X), p(Y), X < Y. #minimize { X : a(X) }.
        """
    stream = [(tick, [f"p({tick % 3})", f"p({tick % 5 + 3})"]) for tick in range(30)]
    with_limit, without = (
        [answer.holds.texts for answer in Reasoner.from_text(program, **options).run(stream, emit="every")]  # type: ignore[arg-type]
        for options in ({"tick_timeout": PATIENCE_SECONDS}, {})
    )
    assert with_limit == without


def test_errors_are_those_of_the_work() -> None:
    limit = TickLimit(PATIENCE_SECONDS)
    limit.begin()
    assert limit.run(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        limit.run(lambda: 1 // 0)


def test_no_time_is_left() -> None:
    limit = TickLimit(1e-9)
    assert limit.run(lambda: 7) == 7  # no tick has begun
    limit.begin()
    go = Event()
    with pytest.raises(TickTimeoutError):
        limit.run(lambda: go.wait(PATIENCE_SECONDS), go.set)
    assert go.is_set()
    assert not limit.is_stuck


def test_a_limit_is_a_duration() -> None:
    """A number counts seconds, as on the command line."""
    for given in (0.5, "0.5", "500 msec", timedelta(milliseconds=500)):
        reasoner = Reasoner.from_text("a.", tick_timeout=given)
        assert reasoner.session.execution.tick_timeout == 0.5


@pytest.mark.parametrize("seconds", [0, -1.5, "soon", "5 tick"])
def test_a_limit_is_a_positive_number(seconds: float | str) -> None:
    with pytest.raises(ValueError, match="tick_timeout is a number of seconds, a text"):
        Reasoner.from_text("a.", tick_timeout=seconds)


STUCK = """
import sys
from lars2asp import Reasoner
from lars2asp.__main__ import main
reasoner = Reasoner.from_text("a(0) :- go. a(X+1) :- a(X). c :- p in [2].", tick_timeout=0.5)
assert reasoner.step(0, ["go"]).timed_out
assert reasoner.is_stuck
print(reasoner.step(1, ["p"]).holds.texts)
"""


@pytest.mark.parametrize(("more", "status"), [("", 0), ("1 // 0", 1)])
def test_a_process_ends_although_clingo_is_stuck(more: str, status: int) -> None:
    done = completed([sys.executable, "-c", STUCK + more], status=status)
    assert done.stdout == "('c',)\n"
    assert "tick 0 has no answer" in done.stderr


def test_the_command_line_goes_on_without_what_is_stuck() -> None:
    """Another process goes on at once: what clingo does is over, also where nothing comes for long."""
    program = "a(0) :- go. a(X+1) :- a(X). c(X) :- p(X) in [2]."
    command = [sys.executable, "-c", COMMAND, program]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        facts = enumerate(("p(0)", "go", "p(2)"))
        given = "".join(f'{{"time": {tick}, "facts": ["{fact}"]}}\n' for tick, fact in facts)
        out, _ = process.communicate(given.encode())
    assert process.returncode == 0
    assert out.decode().splitlines() == [
        '{"time": 0, "atoms": ["c(0)"]}',
        '{"time": 1, "satisfiable": false, "timeout": true, "atoms": []}',
        '{"time": 2, "atoms": ["c(0)", "c(2)"]}',
    ]


COMMAND = """
import sys, tempfile, pathlib
from lars2asp.__main__ import main
with tempfile.TemporaryDirectory() as folder:
    program = pathlib.Path(folder, "program.lars")
    program.write_text(sys.argv[1])
    status = main(["run", str(program), "--tick-timeout", "0.3"])
sys.exit(status)
"""


def test_the_level_of_the_remark_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    Reasoner.from_text(HARD, tick_timeout=0.1).step(0, ["go"])
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_a_large_gap_is_judged_without_the_limit_of_the_tick_before() -> None:
    """What is tried for it has a limit of its own."""
    program = "a(X,Y) :- p(X), Y = X*2, Y < 100. b :- not a(1,2). c at @now+2 :- p(1)."
    reasoner = Reasoner.from_text(program, tick_timeout=0.5)
    reasoner.step(0, ["p(1)"])
    time.sleep(0.6)
    assert reasoner.step(3_000_000).holds.texts == ("b",)


@pytest.mark.parametrize("seconds", ["nan", "inf", "0", "-1", "soon"])
def test_the_limit_on_the_command_line(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "x.lars", "--tick-timeout", seconds]) == 2
    assert "is not a duration such as '2 sec'" in capsys.readouterr().err
