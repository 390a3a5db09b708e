"""The evaluator `stamped`: one Control for many ticks, and when it is made again."""

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

from lars2asp import EvaluatorError, Reasoner
from lars2asp.runtime.tuning import Tuning


def random_stream(ticks: int, values: int) -> Iterator[tuple[int, list[str]]]:
    """A few facts a tick over a few values, now and then none."""
    choose = random.Random(3)
    for tick in range(ticks):
        names = choose.choices(["p", "s", "-s", "link"], weights=[6, 3, 1, 1], k=choose.randrange(4))
        yield (
            tick,
            [
                f"{name}({','.join(str(choose.randrange(values)) for _ in range(1 + (name == 'link')))})"
                for name in names
            ],
        )


PROGRAMS = [
    "link(1,2). link(2,3). link(3,1). r(1). r(Y) :- r(X), link(X,Y), p(Y) in [3].",
    "link(1,2). link(2,3). #show r/1. r(Y) :- p(X) in [2], link(X,Y), not s(Y).",
    "link(1,2). back(Y,X) :- link(X,Y). a(X) :- p(X), back(X,_) in [4].",
    "#const c = 2. c :- p(c). d :- not c. -d :- p(3). e(X) :- p(X), not d.",
    "s(X) :- p(X). b(X) :- s(X) in [2]. #show n(N) : N = #count { X : b(X) }. #show b/1.",
    "1 { q(X) : p(X) in [2] } 1 :- p(_) in [2]. :~ q(X). [X@1] :- q(X), s(X).",
    "q(X) ; t(X) :- p(X) in [2]. :- s(X), t(X). -q(X) :- s(X) in [1].",
    "q(X) :- p(X), not t(X). t(X) :- p(X), not q(X). u(X) :- q(X) in [3]. -u(X) :- s(X).",
    "-s(X) :- p(X), p(X+1) in [3]. t(X) :- -s(X), not s(X). u(X) :- not -s(X), p(X) in [1].",
    "t(X) :- r(X), -s(X). r(X) :- p(X). r(Y) :- r(X), link(X,Y), not -s(Y). s(X) :- p(X) in [2], X < 3.",
    "q :- p(_), #count { 1 : t } < 1. t :- p(_), #count { 1 : q } < 1. u(X) :- p(X) in [1], q.",
    "{ q(X) } :- p(X) in [2]. #project t/1. t(X) :- q(X), X < 2. #heuristic q(X) : p(X). [1,true]",
    "{ q(X) : p(X) } 1. n(1) :- q(_). n(N+1) :- n(N), not o(N), N < 12. o(X+5) :- p(X). o(N) :- n(N), N > 9.",
    "{ q(X) } :- p(X). t(X) :- s(X), not q(X). u(X) :- t(X). v(X) :- q(X), not u(X), not w. w :- v(3).",
    "{ q(X) } :- p(X). t :- 2 { q(X) : s(X) }. u(X) :- p(X), not t. -u(X) :- q(X), s(X). a :- q(X) : p(X).",
    "k(@now+1) :- p(_). q(X) at @now :- p(X) in [2]. z :- q(X) in [4], X = 2. #temp z :- s(1).",
    "q(X) at T :- p(X) at T in [2]. f :- q(1) always in [1]. v(X) at @now+2 :- p(X). w(X) :- v(X) in [1].",
]


def models(reasoner: Reasoner, tick: int, facts: list[str]) -> set[frozenset[str]]:
    """The answer streams, each once."""
    found = reasoner.step(tick, facts).models
    different = {frozenset(model.texts) for model in found}
    assert len(different) == len(found)
    return different


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("semantics", ["recorded", "strict"])
def test_the_answers_are_those_of_oneshot(program: str, semantics: str) -> None:
    tuning = Tuning(stamped_spare=30, stamped_most_ticks=7)
    one = Reasoner.from_text(program, semantics=semantics, models=0, evaluator="oneshot")
    others = []
    for name in ("stamped", "external", "auto"):
        try:
            others.append(
                Reasoner.from_text(program, semantics=semantics, models=0, evaluator=name, tuning=tuning)
            )
        except EvaluatorError:
            assert name == "external"
    for tick, facts in random_stream(60, 5):
        expected = models(one, tick, facts)
        for other in others:
            assert models(other, tick, facts) == expected
        if len(expected) > 1 and semantics == "recorded":  # they follow others, which are recorded
            break


@pytest.mark.parametrize("consequences", ["brave", "cautious"])
def test_consequences(consequences: str) -> None:
    program = "1 { q(X) : p(X) in [2] } 2 :- p(_) in [2]. a(X) :- q(X). b :- q(_). :~ q(X). [1@X]"
    one, other = (
        Reasoner.from_text(program, consequences=consequences, evaluator=name)
        for name in ("oneshot", "stamped")
    )
    for tick, facts in random_stream(60, 5):
        assert other.step(tick, facts).holds.symbols == one.step(tick, facts).holds.symbols


def test_background_data_is_ground_once() -> None:
    links = " ".join(f"link({i},{i + 1})." for i in range(200))
    text = f"r(0) :- p(0). r(Y) :- r(X), link(X,Y), p(Y) in [2]. {links}"
    reasoner = Reasoner.from_text(text, evaluator="stamped", stats=True, tuning=Tuning(stamped_spare=50))
    made, before = [], 0
    for tick in range(1000):
        reasoner.step(tick, [f"p({tick % 7})"])
        [component] = reasoner.statistics.components
        assert component.cost is not None
        groundings, before = component.cost.groundings - before, component.cost.groundings
        if groundings > 1:  # that of the tick, and that of the background data
            made.append(tick)
    assert 5 < len(made) < 40  # at each tick there are but a few atoms to 250 that are no reason
    longest = max(after - tick for tick, after in pairwise([*made, 1000]))
    assert 201 + longest * 8 < 1000  # a tick has an atom of p, at most three in its window and four of r


def test_background_data_that_is_input_as_well() -> None:
    text = "link(1,2). r(Y) :- p(X), link(X,Y). s(Y) :- r(X), link(X,Y), not s(X). s(Y) :- s(X), link(X,Y)."
    reasoner = Reasoner.from_text(text + "#show r/1. #show s/1.", evaluator="stamped")
    assert reasoner.step(0, ["p(1)"]).holds.texts == ("r(2)",)
    assert reasoner.step(1, ["p(1)", "link(2,3)"]).holds.texts == ("r(2)", "s(3)")
    assert reasoner.step(2, ["p(1)"]).holds.texts == ("r(2)",)


def test_own_externals_are_refused() -> None:
    with pytest.raises(EvaluatorError, match="externals of its own"):
        Reasoner.from_text("#external a. [free] b :- a.", evaluator="stamped")


def test_ticks_with_more_atoms_than_background_data_are_evaluated_by_themselves() -> None:
    """Pairs of atoms and stamps cost more than atoms, and clingo keeps them."""
    program = "kin(1..40,1..30). { in(X) } :- p(X). late(@now,X) :- in(X), kin(X,_). j(X,Y) :- p(X), in(Y)."
    reasoner = Reasoner.from_text(program, stats=True)
    for tick in range(40):
        reasoner.step(tick, [f"p({number})" for number in range(3)])
    before = groundings(reasoner)
    assert before == 40 + 1
    for tick in range(40, 80):
        reasoner.step(tick, [f"p({number})" for number in range(60)])
    assert groundings(reasoner) - before <= 40 + 10  # one of a Control that is kept takes one more to begin


def groundings(reasoner: Reasoner) -> int:
    """The number of groundings of the last component."""
    cost = reasoner.statistics.components[-1].cost
    assert cost is not None
    return cost.groundings


@pytest.mark.parametrize(
    "program",
    [
        "-b(0) :- e(0). b(X) :- b(X). -b(0). b(0).",
        "-b(2) :- e(0), b(1). -b(1..3). b(1).",
        "-b :- e(0), b. -b. b.",
    ],
)
def test_facts_that_exclude_each_other_leave_no_answer(program: str) -> None:
    """Also where rules without a choice derive more of one, or of both."""
    reasoner = Reasoner.from_text(program, evaluator="stamped", start=0)
    for tick, facts in enumerate([[], ["e(0)"], ["e(5000000000)"], []]):
        assert not reasoner.step(tick, facts).satisfiable


def test_a_contradiction_beside_much_background_data_leaves_no_answer() -> None:
    """What is evaluated by itself hands on what contradicts."""
    program = "-b(X,Y) :- e(X), k(Y). b(X,Y) :- e(X), X < 2, k(Y). k(0..1500)."
    reasoner = Reasoner.from_text(program, evaluator="stamped", start=0)
    told = [["e(2)", "e(3)"], ["e(2)"], ["e(0)", "e(1)"], ["e(1)"], ["e(2)"]]
    found = [reasoner.step(tick, facts) for tick, facts in enumerate(told)]
    assert [answer.satisfiable for answer in found] == [True, True, False, False, True]
