"""An engine for tuples gives the same with symbols as its atoms."""

import random

import pytest
from clingo import Symbol

from experiments.engine import Fact
from experiments.engines.over_symbols import OverSymbols
from experiments.native import Laser
from tests.experiments.native.running import checked

PROGRAM = """
q(X,Z) :- p(X,Y) in [2], p(Y,Z) in [3], not r(Z).
s(a) :- q(X,X), t in [1].
u(X) :- r(X) always in [1].
"""


@pytest.mark.parametrize("seed", range(5))
def test_answers_are_those_of_the_engine(seed: int) -> None:
    choose = random.Random(seed)
    plain, over = Laser(checked(PROGRAM)), OverSymbols(Laser(checked(PROGRAM)))
    derived = 0
    for tick in range(60):
        values = ["a", "b", 0, 1, 2]
        facts: list[Fact] = [
            ("p", choose.choice(values), choose.choice(values)) for _ in range(choose.randrange(5))
        ]
        facts += [("r", choose.choice(values))] * choose.randrange(2) + [("t",)] * choose.randrange(2)
        expected, got = plain.step(tick, plain.facts(facts)), over.step(tick, over.facts(facts))
        assert all(isinstance(atom, Symbol) for atom in (*got.began, *got.ended))
        assert sorted(map(over.text, got.began)) == sorted(map(plain.text, expected.began))
        assert sorted(map(over.text, got.ended)) == sorted(map(plain.text, expected.ended))
        derived += len(got.began)
    assert derived > 20
