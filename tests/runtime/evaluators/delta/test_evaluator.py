"""The evaluator `delta`: instances that are ground once, and forgotten in time."""

import random
from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from lars2asp.compiler import compile_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import EvaluatorError
from lars2asp.runtime.evaluators.choice import assign
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.syntax.source import Source
from tests.support.evaluating import Evaluating
from tests.support.plans import by_clingo

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


def plan_of(program: str, *, is_joined: bool) -> Plan:
    """The plan of a program; clingo finds the instances of joins if they are not to be joined."""
    plan = compile_program(Source("program.lars", program))
    return plan if is_joined else by_clingo(plan)


def delta(program: str, tuning: Tuning = DEFAULT, *, is_joined: bool = True) -> Reasoner:
    """A reasoner with the evaluator `delta`."""
    return Reasoner(plan_of(program, is_joined=is_joined), evaluator="delta", tuning=tuning, statistics=True)


def groundings(reasoner: Reasoner) -> int:
    """How often clingo has grounded."""
    costs = [component.cost for component in reasoner.statistics.components]
    return sum(cost.groundings for cost in costs if cost is not None)


@cache
def answers_of_oneshot(program: str, semantics: str) -> list[Answer]:
    one = Reasoner.from_text(program, semantics=semantics, evaluator="oneshot")
    return [one.step(tick, facts) for tick, facts in stream(120, 5)]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("semantics", ["recorded", "strict"])
@pytest.mark.parametrize(("spare", "few"), [(None, 1024), (4096, 1024), (0, 1024), (0, 0), (50, 0)])
def test_the_answers_are_those_of_oneshot(program: str, semantics: str, spare: int | None, few: int) -> None:
    """Once as it is, then with instances that clingo finds."""
    of_oneshot = answers_of_oneshot(program, semantics)
    plan = Reasoner.from_text(program, semantics=semantics).plan
    tuning = DEFAULT
    if spare is not None:
        plan, tuning = by_clingo(plan), Tuning(delta_spare=spare, delta_few=few)
    try:
        other = Reasoner(plan, evaluator="delta", tuning=tuning)
    except EvaluatorError:
        assert semantics == "strict"  # windows over what is derived are not kept there
        other = Reasoner(plan, tuning=tuning)
    for (tick, facts), expected in zip(stream(120, 5), of_oneshot, strict=True):
        got = other.step(tick, facts)
        assert got.symbols == expected.symbols
        assert (got.added, got.removed) == (expected.added, expected.removed)


@pytest.mark.parametrize(
    "program",
    [
        *PROGRAMS,
        "q :- p(1,1) at _, p(1,1) at most 0 in [3]. s :- p(_,_) in [1 # p/2].",
        "q(X) :- p(X,_). s(X) :- q(X) in [3 step 2]. t(X) :- q(X) in {0,2}, not s(X) always in [3 step 3].",
        "q(X) :- p(X,_). s(X,T) :- q(X) at T in [2]. t(X,N) :- s(X,_), p(X,Y) count N in {1,2}.",
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_evaluators_can_be_switched_at_any_tick(program: str, seed: int) -> None:
    one = Reasoner.from_text(program, evaluator="oneshot")
    other = Reasoner.from_text(program, evaluator="external")
    names = [
        name
        for name in (EvaluatorName.DELTA, EvaluatorName.EXTERNAL, EvaluatorName.STAMPED, EvaluatorName.AUTO)
        if serves(program, name)
    ]
    choose = random.Random(seed)
    for tick, facts in stream(90, 4, seed=seed):
        if tick and choose.random() < 0.25:
            other.use(choose.choice(names))
        assert other.step(tick, facts).symbols == one.step(tick, facts).symbols


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
    ],
)
@pytest.mark.parametrize("is_joined", [False, True])
def test_fresh_constants_do_not_pile_up(program: str, is_joined: bool) -> None:
    plan = plan_of(program, is_joined=is_joined)
    evaluating = Evaluating(plan, EvaluatorName.DELTA, Tuning(delta_spare=50))
    for tick in range(300):
        facts = [f"p({10 * tick + i},{10 * tick + i + 1})" for i in range(10)]
        assert evaluating.step(tick, facts) >= min(tick, 3) * 10 + 9
        assert evaluating.delta.size < 350


def test_what_clingo_knows_does_not_pile_up_either() -> None:
    """Where the same facts come and go, and are handed to it again and again."""
    tuning = Tuning(delta_spare=50, delta_few=0)
    plan = plan_of("q(X,Z) :- p(X,Y) in [3], p(Y,Z) in [3].", is_joined=False)
    evaluating = Evaluating(plan, EvaluatorName.DELTA, tuning)
    sizes, generations = [], []
    for tick in range(2000):
        evaluating.step(tick, [f"p({(2 * tick + i) % 40},{(2 * tick + i + 1) % 40})" for i in range(2)])
        sizes.append(evaluating.ground_instances.control_size)
        generations.append(evaluating.ground_instances.generation)
    assert max(sizes[1000:]) <= max(sizes[:1000]) < 250
    assert max(generations[1000:]) <= max(generations[:1000]) < 100


def test_what_comes_back_is_not_ground_again() -> None:
    reasoner = delta("q(X,Z) :- p(X,Y) in [1], p(Y,Z) in [1].", is_joined=False)
    for tick, facts in stream(200, 3):
        reasoner.step(tick, [fact for fact in facts if fact.startswith("p")])
    ground_before = groundings(reasoner)
    for tick, facts in stream(50, 3):
        reasoner.step(200 + tick, [fact for fact in facts if fact.startswith("p")])
    assert groundings(reasoner) == ground_before > 1


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("a(X) :- p(X). a(X) :- a(Y), e(Y,X).", "recursion"),
        ("a(N) :- N = #count { X : p(X) }.", "an aggregate"),
        ("{ a } :- p.", "several answer streams"),
        ("a at @now-1 :- p.", "a head that is not one atom"),
        ("a :- p(X+1), q(X).", "arithmetic in an atom of the body"),
        ("a :- not p(_).", "`_` under `not`"),
        ("a :- not not p.", "a double negation"),
        ("a(@now) :- p.", "@now"),
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
@pytest.mark.parametrize("is_joined", [False, True])
def test_what_comes_while_nothing_can_be_derived_counts_afterwards(
    program: str, least: int, is_late: bool, is_joined: bool
) -> None:
    of_oneshot, snapshot = of_oneshot_when_guarded(program, least)
    other = delta(program, Tuning(deferred_least=least, delta_spare=20), is_joined=is_joined)
    if is_late:
        other.resume(snapshot)
    derived = 0
    for (tick, told), expected in zip(guarded_stream(least), of_oneshot, strict=True):
        if is_late and tick < LATE:
            continue
        got = other.step(tick, told)
        assert got.symbols == expected.symbols
        derived += len(got.symbols)
    assert derived > 10


def test_nothing_is_ground_while_nothing_can_be_derived() -> None:
    reasoner = delta("q(X,Y) :- p(X) always in [3], r(X,Y) in [3].", is_joined=False)
    ground = []
    for tick in range(200):
        readings = [] if tick % 2 and tick < 150 else ["p(1)"]
        reasoner.step(tick, [*readings, f"r(1,{tick})"])
        ground.append(groundings(reasoner))
    assert ground[4] == ground[149] < ground[199]
    assert reasoner.step(200, ["p(1)"]).atoms == ("q(1,197)", "q(1,198)", "q(1,199)")
