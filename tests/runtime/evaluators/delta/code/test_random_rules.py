"""The code of random rules derives what their meaning says."""

import random

import pytest

from tests.runtime.evaluators.delta.code.random_rules import RandomRules
from tests.runtime.evaluators.delta.code.test_row_code import VALUES, check

GROUPS = [
    "",
    "functions",
    "arithmetic",
    "aggregates",
    "aggregates functions",
    "aggregates arithmetic functions",
]
NUMBER = 20
"""The number of rule sets of each group."""


@pytest.mark.parametrize("group", GROUPS)
def test_random_rules(group: str) -> None:
    for seed in range(NUMBER):
        choose = random.Random(f"{group} {seed}")
        text = RandomRules(choose, frozenset(group.split())).rules()
        try:
            check(text, seed, choose.choice([VALUES, [0, 1, 2, 3]]), ticks=20)
        except Exception as error:
            raise AssertionError(f"{text} (seed {seed})") from error
