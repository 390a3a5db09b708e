"""The evaluator `external`: one grounding that serves many ticks, and when it is made again."""

import random

import pytest

from lars2asp.compiler import compile_program
from lars2asp.runtime.errors import EvaluatorError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.syntax.source import Source
from tests.support.evaluating import Evaluating

Stream = list[tuple[int, list[str]]]


def recurring(ticks: int, values: int) -> Stream:
    """A few facts a tick over a few values."""
    choose = random.Random(7)
    return [
        (tick, [f"p({choose.randrange(values)})" for _ in range(choose.randrange(4))])
        for tick in range(ticks)
    ]


def evaluating(
    program: str, tuning: Tuning = DEFAULT, *, name: EvaluatorName = EvaluatorName.EXTERNAL
) -> Evaluating:
    """The evaluators of a program."""
    return Evaluating(compile_program(Source("program.lars", program)), name, tuning)


@pytest.mark.parametrize(
    "program",
    [
        "a(X) :- p(X) in [5], not p(X). b :- a(X), not a(X) in {1}.",
        "r(X) :- p(X) always in [1]. r(X+1) :- r(X), X < 12.",
        "1 { c(X) : p(X) in [3] } 1 :- p(_) in [3]. #minimize { X : c(X) }. d(X) :- c(X) in {1}.",
        "a(X,N) :- p(X) count N in [6]. b(X) :- not p(X) at least 2 in [9 step 3], p(X) in [every 4].",
        "a ; b :- p(1) in [4]. :- a, p(2). n(N) :- N = #count { X : p(X) in [6 #] }.",
    ],
)
@pytest.mark.parametrize("semantics", ["recorded", "strict"])
def test_the_answers_are_those_of_oneshot(program: str, semantics: str) -> None:
    one = Reasoner.from_text(program, semantics=semantics, models=0, evaluator="oneshot")
    other = Reasoner.from_text(program, semantics=semantics, models=0, evaluator="external")
    for tick, facts in recurring(120, 8):
        expected, got = one.step(tick, facts), other.step(tick, facts)
        assert {one.symbols for one in got.models} == {one.symbols for one in expected.models}
        if set(got.holds.symbols) != set(
            expected.holds.symbols
        ):  # another of several was followed: histories part
            break


@pytest.mark.parametrize("consequences", ["brave", "cautious"])
def test_consequences_after_consequences(consequences: str) -> None:
    """What one solving sets up does not last for the next."""
    program = "1 { c(X) : p(X) in [3] } 2 :- p(_) in [3]. :~ c(X). [X]"
    one = Reasoner.from_text(program, consequences=consequences, evaluator="oneshot")
    other = Reasoner.from_text(program, consequences=consequences, evaluator="external")
    for tick, facts in recurring(40, 5):
        assert other.step(tick, facts).holds.symbols == one.step(tick, facts).holds.symbols


def test_a_grounding_serves_as_long_as_constants_recur() -> None:
    one = evaluating("a(X) :- p(X) in [5].")
    groundings = []
    for tick, facts in recurring(400, 8):
        one.step(tick, facts)
        groundings.append(one.external.groundings)
    assert groundings[-1] < 10
    assert groundings[-1] == groundings[99]


def test_groundings_are_rare_where_every_constant_is_fresh() -> None:
    one = evaluating("a(X) :- p(X) in [5].")
    for tick in range(1000):
        assert one.step(tick, [f"p({tick})"]) == min(tick, 5) + 1
    assert one.external.groundings < 15


BOUNDED = """
    r(X) :- link(0,X), p(X) in [2]. r(Y) :- r(X) in [0], link(X,Y), p(Y) in [2], not q(Y).
    q(X) :- s(X), not p(X).
    t(X) :- r(X), link(X,Y), p(Y) always in [1], not r(Y).
    link(0,1). link(1,2). link(2,3). link(3,1). link(2,4).
"""


def test_what_background_data_bounds_is_ground_once() -> None:
    one = Reasoner.from_text(BOUNDED, evaluator="oneshot")
    other = Reasoner.from_text(BOUNDED)
    alone = evaluating(BOUNDED, name=EvaluatorName.AUTO)
    choose = random.Random(2)
    for tick in range(200):
        facts = [f"p({choose.randrange(9)})", f"s({choose.randrange(9)})", f"p(fresh{tick})"]
        answer = one.step(tick, facts)
        assert other.step(tick, facts).holds.symbols == answer.holds.symbols
        assert alone.step(tick, facts) == len(answer.holds.symbols)
        assert alone.external.groundings == 1
    for tick in range(200, 300):
        facts = [f"p({choose.randrange(9)})", f"link({choose.randrange(9)},{choose.randrange(9)})"]
        assert other.step(tick, facts).holds.symbols == one.step(tick, facts).holds.symbols


def test_groundings_come_back_when_constants_do() -> None:
    one = evaluating("a(X) :- p(X) in [5].")
    for tick in range(300):
        one.step(tick, [f"p(fresh{tick})"])
    groundings = one.external.groundings
    for tick, facts in recurring(3000, 8):
        one.step(300 + tick, facts)
    assert 1 <= one.external.groundings - groundings < 20


def test_what_is_long_gone_is_left_out_of_a_grounding() -> None:
    one = evaluating("a(X) :- p(X,_).", Tuning(external_spare=50, external_memory=10))
    for tick in range(600):
        one.step(tick, [f"p({tick // 100},{number})" for number in range(tick % 7)])
    assert one.external.size < 100


@pytest.mark.parametrize(
    "program",
    [
        "a(@now) :- p.",
        "a at @now+1 :- p.",
        "b at @now-1 :- p. a(T) :- b at T in [5].",
        "{b} :- p. a :- b at 3.",
    ],
)
def test_programs_that_depend_on_the_tick_are_refused(program: str) -> None:
    with pytest.raises(
        EvaluatorError, match="evaluator external cannot serve this program: its rules depend"
    ):
        Reasoner.from_text(program, evaluator="external")
    Reasoner.from_text(program).step(0, ["p"])


def test_fresh_constants_do_not_pile_up() -> None:
    """While every tick is evaluated by itself, no more is remembered than a few times what holds."""
    one = evaluating("a(X) :- p(X) in [2].", Tuning(external_spare=50))
    for tick in range(500):
        one.step(tick, [f"p({tick},{number})" for number in range(5)] + [f"p(t{tick})"])
    assert one.external.size < 100
