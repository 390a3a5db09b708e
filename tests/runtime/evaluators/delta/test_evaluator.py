"""The evaluator `delta` in programs: it answers as `oneshot` does, and forgets what has left the windows."""

import logging
import random
from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from lars2asp.compiler import compile_program
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import EvaluatorError
from lars2asp.runtime.evaluators.choice import assign
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.syntax.source import Source
from tests.support.evaluating import Evaluating

MANY = ", ".join(f"q(X{i}), p(X{i},X{i + 1}) in [6]" for i in range(8))
"""More literals than are joined at once."""

PROGRAMS = [
    "q(X,Y) :- p(X,Y) in [3].",
    "q(X,Z) :- p(X,Y) in [3], p(Y,Z) in [2], X != Z.",
    "q(X) :- p(X,_) always in [2]. r(X) :- q(X), not q(X) in {1}.",
    "q(X,T) :- p(X,Y) at T in [4], p(Y,X) in [1].",
    "q(X,N) :- p(X,_) count N in [4]. r(X) :- p(X,Y) at least 2 in [5], not s(Y).",
    "q(X) :- node(X), not p(X,X) in [2]. node(1..3). q(9).",
    "q(X,Z) :- edge(X,Y), p(Y,Z) in [3], not edge(X,Z). edge(1,2). edge(2,3). edge(3,1).",
    "q(X) :- p(X,1). q(X) :- p(1,X) in [2]. r :- q(2). s :- not r.",
    "q(X,V) :- p(X,Y) in [3], p(Y,Z) in [1], p(Z,V) in [0], r in [2]. r :- p(1,_). r :- p(_,2) in [1].",
    "q(X) :- p(X,X) in [1], X > 1. r(Y) :- q(X) in [2], p(X,Y) in [2]. t :- r(Y) in [1], q(Y).",
    "q(X+1,Y-X) :- p(X,Y) in [3], |X-Y| > 1. r(f(X),(X,Y)) :- q(X,Y). s(X) :- r(f(X),_), not p(X,_) in [1].",
    "q(X) :- node(X), #count { Y : p(X,Y) in [4] } >= 2. r(N) :- N = #count { X : q(X) }. node(1..4).",
    "q(X,N) :- p(X,_), N = #sum { Y,T : p(X,Y) at T in [3] }. r(M) :- M = #max { N : q(_,N) in [2] }.",
    "q(X) :- p(X,_) in [2], not 1 < #count { Y : p(X,Y) in [3], not p(Y,X) } < 4."
    " r(X) :- X = 1..3, not q(X).",
    "q(X) :- p(X,_) in [3], p(Y,X) : p(X,Y). r :- 2 { p(X,X) in [4] }."
    " s(X,N) :- q(X), N = #min { Y : p(_,Y) }.",
    "q(X,Y) :- p(X,Y) in [2]. q(X,Z) :- q(X,Y), p(Y,Z) in [2]. r(N) :- N = #count { X,Y : q(X,Y) in [1] }.",
    "q(X,Y) :- p(X,Y) in [3]. q(X,Z) :- q(X,Y), q(Y,Z), not edge(X,Z). s(X) :- q(X,X). #show q/2. #show s/1.",
    "q(X) :- p(X,X) in [3]. r(Y) :- q(X), p(X,Y) in [4], X != 0. q(Y) :- r(X), p(Y,X) in [3]. q(9).",
    "q(X,0) :- p(X,_) in [1]. q(Y,N+1) :- q(X,N), p(X,Y) in [3], N < 3. r(f(X)) :- q(X,2). r(X) :- r(f(X)).",
    "q(X) :- p(X,0) in [2]. q(X) :- q(Y), q(Z), p(X,Y) in [3], p(X,Z) in [2], Y < Z."
    " r(2) :- q(3). r(X) :- r(X), q(X).",
    "q(X,Y) :- edge(X,Y), p(_,Y) in [1]. q(X,Y) :- q(Y,X). q((X,Y),1) :- q(X,Y), q(_,1), p(X,Y)."
    " edge(1,2). edge(2,3).",
    "q(V) :- p(X,_), Y = f(1), g(V,X) = Y. r(X) :- p(X,_), Y = (1,2), f(W) = Y, not p(X,W)."
    " s(X) :- p(X,_) in [1].",
    f"q(X) :- p(X,_) in [1]. q(X0) :- {MANY}. r(X) :- p(X,0), q(X). r(X8) :- r(X1), {MANY}."
    " #show q/1. #show r/1.",
]


def stream(ticks: int, values: int, seed: int = 3) -> Iterable[tuple[int, list[str]]]:
    """A few facts a tick; now and then one of background data or of what rules derive."""
    choose = random.Random(seed)
    for tick in range(ticks):
        facts = [
            f"p({choose.randrange(values)},{choose.randrange(values)})" for _ in range(choose.randrange(5))
        ]
        if choose.random() < 0.1:
            facts.append(
                choose.choice(["q(1)", "q(1,2)", "edge(2,2)", "edge(1,2)", "node(7)", "s(1)", "r(2)"])
            )
        yield tick, facts


def delta(program: str, tuning: Tuning = DEFAULT) -> Reasoner:
    """A reasoner with the evaluator `delta`."""
    return Reasoner.from_text(program, evaluator="delta", tuning=tuning)


@cache
def answers_of_oneshot(program: str, semantics: str) -> list[Answer]:
    one = Reasoner.from_text(program, semantics=semantics, evaluator="oneshot")
    return [one.step(tick, facts) for tick, facts in stream(80, 5)]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("semantics", ["recorded", "strict"])
def test_the_answers_are_those_of_oneshot(program: str, semantics: str) -> None:
    of_oneshot = answers_of_oneshot(program, semantics)
    try:
        other = Reasoner.from_text(program, semantics=semantics, evaluator="delta")
    except EvaluatorError:
        assert semantics == "strict"  # windows over what is derived are not kept there
        other = Reasoner.from_text(program, semantics=semantics)
    for (tick, facts), expected in zip(stream(80, 5), of_oneshot, strict=True):
        got = other.step(tick, facts)
        assert got.holds.symbols == expected.holds.symbols
        assert (got.began.symbols, got.ended.symbols) == (expected.began.symbols, expected.ended.symbols)


@pytest.mark.parametrize(
    "program",
    [
        *PROGRAMS,
        "q :- p(1,1) at _, p(1,1) at most 0 in [3]. s :- p(_,_) in [1 # p/2].",
        "q(X) :- p(X,_). s(X) :- q(X) in [3 step 2]. t(X) :- q(X) in {0,2}, not s(X) always in [3 step 3].",
        "q(X) :- p(X,_). s(X,T) :- q(X) at T in [2]. t(X,N) :- s(X,_), p(X,Y) count N in {1,2}.",
    ],
)
def test_evaluators_can_be_switched_at_any_tick(program: str) -> None:
    one = Reasoner.from_text(program, evaluator="oneshot")
    other = Reasoner.from_text(program, evaluator="external")
    names = [
        name
        for name in (EvaluatorName.DELTA, EvaluatorName.EXTERNAL, EvaluatorName.STAMPED, EvaluatorName.AUTO)
        if serves(program, name)
    ]
    choose = random.Random(1)
    for tick, facts in stream(90, 4, seed=1):
        if tick and choose.random() < 0.25:
            other.use(choose.choice(names))
        assert other.step(tick, facts).holds.symbols == one.step(tick, facts).holds.symbols


def serves(program: str, name: EvaluatorName) -> bool:
    """Whether an evaluator can be forced for a program."""
    try:
        Reasoner.from_text(program, evaluator=name)
    except EvaluatorError:
        return False
    return True


@pytest.mark.parametrize(
    "program",
    [
        "q(X,Y) :- p(X,Y) in [3].",
        "q(X,Y) :- p(X,Y) in [3], X < Y.",
        "q(X,Z) :- p(X,Y) in [3], p(Y,Z) in [3].",
        "q(Y) :- p(X,Y), #count { Z : p(Z,Y) in [3] } > 0. q(N) :- N = #max { Z : p(Z,_) in [2] }.",
        "q(f(X)) :- p(X,Y) in [3], not p(Y,_) in [2].",
        "q(X) :- p(X,_) in [2]. q(Y) :- q(X), p(X,Y) in [3].",
    ],
)
def test_fresh_constants_do_not_pile_up(program: str) -> None:
    evaluating = Evaluating(compile_program(Source("program.lars", program)), EvaluatorName.DELTA)
    for tick in range(300):
        facts = [f"p({10 * tick + i},{10 * tick + i + 1})" for i in range(10)]
        assert evaluating.step(tick, facts) > 0
        assert evaluating.delta.size < 350


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("a(X) :- p(X). a(X) :- a(Y) in [2], e(Y,X).", "recursion through a window"),
        ("{ a } :- p.", "several answer streams"),
        ("a at @now-1 :- p.", "a head that is not one atom"),
    ],
)
def test_programs_that_cannot_be_kept_are_refused(program: str, why: str) -> None:
    with pytest.raises(EvaluatorError, match=f"evaluator delta cannot serve this program: .*{why}"):
        Reasoner.from_text(program, evaluator="delta")
    assert assign(Reasoner.from_text(program).plan, EvaluatorName.AUTO)


GUARDED = [
    "q(X,Y) :- p(X,Y) in [3], g in [1].",
    "q(X,Y) :- p(X,Y) in [3], g always in [2], not p(Y,X) in [2].",
    "q(X,Z) :- p(X,Y) in [3], p(Y,Z) in [4], g, h in [3].",
    "q(X,T) :- p(X,_) at T in [3], g. q(0,N) :- h, p(1,_) count N in [2]. q(1,1) :- g, h in [2].",
    "q(X,N) :- p(X,_) in [2], g, N = #count { Y : p(X,Y) in [3] }. r(X) :- h, X = #sum { 1 : not p(1,1) }.",
    "q(X,Y) :- p(X,Y) in [3], g in [1]. q(X,Z) :- q(X,Y), p(Y,Z) in [4], not h. r(X) :- q(X,X), g in [2].",
    "a(X) :- p(X,_), g in [1]. b(X) :- a(X), p(X,_) in [5]. c(X) :- b(X), not h in [2], p(_,X) in [4].",
]


LATE = 40
"""At this tick an evaluator takes over that was not there before."""


def guarded_stream(least: int) -> Iterator[tuple[int, list[str]]]:
    """The atoms g and h come seldom, and stay for some ticks."""
    choose = random.Random(least)
    for tick, facts in stream(300, 5):
        told = [fact for fact in facts if fact[0] == "p"]
        told += [name for name, period in (("g", 23), ("h", 31)) if tick % period < choose.randint(0, 6)]
        yield tick, told


@cache
def of_oneshot_when_guarded(program: str, least: int) -> tuple[list[Answer], bytes]:
    """The answers, and a snapshot before the tick at which another evaluator may take over."""
    one = Reasoner.from_text(program, evaluator="oneshot")
    answers, snapshot = [], b""
    for tick, told in guarded_stream(least):
        if tick == LATE:
            snapshot = one.snapshot()
        answers.append(one.step(tick, told))
    return answers, snapshot


@pytest.mark.parametrize("program", GUARDED)
@pytest.mark.parametrize("least", [0, 4, 1000])
@pytest.mark.parametrize("is_late", [False, True])
def test_what_comes_while_nothing_can_be_derived_counts_afterwards(
    program: str, least: int, is_late: bool
) -> None:
    of_oneshot, snapshot = of_oneshot_when_guarded(program, least)
    other = delta(program, Tuning(deferred_least=least))
    if is_late:
        other.resume(snapshot)
    derived = 0
    for (tick, told), expected in zip(guarded_stream(least), of_oneshot, strict=True):
        if is_late and tick < LATE:
            continue
        got = other.step(tick, told)
        assert got.holds.symbols == expected.holds.symbols
        derived += len(got.holds.symbols)
    assert derived > 10


@pytest.mark.parametrize(
    "program",
    [
        "q(X+1) :- p(X).",
        "q(X) :- p(X), X*2 < 5.",
        "q(X) :- p(X), not p(X-1).",
        "q(1..X) :- p(X).",
        "q(-X,|X|) :- p(X). q(X/0) :- p(X). q(f(2*X-1)) :- p(X).",
        "q(S) :- S = #sum { X : p(X) }. r(S) :- S = #sum+ { X,Y : p(X), p(Y) in [2]; -3 }.",
        "q(S) :- S = #sum { X+1 : p(X) in [3] }. q(S) :- S = #min { : p(X) }.",
        "q(X) :- p(X), Y = 0..X-1, p(Y).",
    ],
)
def test_what_is_undefined_is_remarked_as_by_clingo(program: str, caplog: pytest.LogCaptureFixture) -> None:
    found = []
    for evaluator in ("oneshot", "delta"):
        caplog.clear()
        reasoner = Reasoner.from_text(f"{program} #types p(any).", evaluator=evaluator)
        with caplog.at_level(logging.WARNING, logger="lars2asp"):
            for tick in range(2):
                reasoner.step(tick, ["p(a)", "p(1)", 'p("s")', "p(f(3))"])
        found.append(sorted(caplog.messages))
    assert found[0] == found[1]
    assert found[0]
