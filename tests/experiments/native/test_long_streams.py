"""Laser and Laser2 give the answers of the product's simplest evaluator on long streams."""

import random
from collections.abc import Iterator

import pytest

from experiments.native import Laser, Laser2
from lars2asp import Reasoner
from tests.experiments.native.running import checked, step
from tests.support.examples import number_of_examples

SEEDS = number_of_examples(80) // 80

PROGRAMS = [
    """
    q(X,Z) :- p(X,Y) in [3], p(Y,Z) in [2], X != Z. s(X) :- q(X,_) in [4], p(X,X) in [6].
    """,
    """
    q(X) :- p(X,_) always in [2]. s(Y) :- q(X), p(X,Y) in [5]. u(X) :- s(X), not q(X).
    v :- u(_) always in [1].
    """,
    """
    m(X) at T :- p(X,_) at T in [6], go. q(X) :- m(X) always in [3]. s(X) :- q(X), not go.
    go :- g in [1].
    """,
    """
    m(X) at T+2 :- p(X,_) at T in [4]. q(X) :- m(X) always in [1].
    s(X,T) :- m(X) at T in [3], p(X,Y) at T in [3].
    """,
    """
    a :- g always in [4]. b(X) :- a, p(X,_) in [5]. c(X) :- b(X). c(X) :- b(Y), p(Y,X).
    d :- c(X) in [2], p(X,_).
    """,
    """
    a(X) :- p(X,_) in [4 #]. b(X) :- p(X,X) always in [3 # p/2].
    c(X) :- a(X), not b(X), p(X,_) at T in [5 #], T >= 3.
    """,
    """
    r(X,Y) :- p(X,Y) in [2]. r(X,Z) :- r(X,Y), p(Y,Z) in [1].
    n(X) :- p(X,_) in [8], not r(X,X).
    """,
    """
    w(X) :- p(X,_) always in [3]. w(0) :- w(1). x(Y) :- w(X), p(X,Y) always in [2].
    y :- x(_). y :- g always in [9].
    """,
]


def stream(seed: int) -> Iterator[str]:
    """Facts that mostly stay as they were, now and then of what rules derive."""
    choose = random.Random(seed)
    density = choose.choice([0.1, 0.3, 0.7, 0.9])
    atoms: set[str] = set()
    while True:
        for atom in ["g", *(f"p({x},{y})" for x in range(3) for y in range(3))]:
            if choose.random() < 0.25:
                atoms.discard(atom)
                if choose.random() < density:
                    atoms.add(atom)
        other = (
            {choose.choice(["a", "w(1)", "q(1)", "m(2)", "b(0)"])} if choose.random() < 0.05 else set[str]()
        )
        yield " ".join(choose.sample(sorted(atoms | other), len(atoms | other)))


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_answers_are_the_same(program: str, seed: int) -> None:
    reasoner = Reasoner.from_text(program, semantics="strict", evaluator="oneshot")
    engines = [
        Laser(checked(program)),
        Laser2(checked(program), threshold=seed % 3),
        Laser(checked(program), is_semi_naive=False),
    ]
    answers: list[set[str]] = [set() for _ in engines]
    for tick, facts in zip(range(40), stream(seed), strict=False):
        expected = set(map(str, reasoner.step(tick, facts.split()).holds.symbols))
        answers = [
            step(one, answer, tick, facts.split()) for one, answer in zip(engines, answers, strict=True)
        ]
        assert answers == [expected] * len(engines), f"at tick {tick}"
