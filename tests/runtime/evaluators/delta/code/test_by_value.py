"""Rules with constants: rows go to those whose constants they have."""

import random
from collections.abc import Sequence

import pytest

from lars2asp.externals.terms.terms import Row
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.delta.code.by_value import ByValue
from lars2asp.syntax.nodes import Signature
from tests.runtime.evaluators.delta.code.test_row_code import VALUES, check
from tests.support.row_rules import Delta, lookup, row_rules

CONSTANTS = ["0", "1", "2", "3", "-1", '"s"', "a", "f(1)", "f(a,2)", "(1,2)", "-f(1)", "9"]
"""Those of `VALUES` and one that never comes."""

BODIES = [
    "p(X,{0})",
    "p({0},X)",
    "p(X,{0}), r(X)",
    "r(X), not p({0},X)",
    "p(X,{0}), p(X,{1})",
    "p({0},X), p(X,{1}), not p({1},{0})",
    "p(X,{0}), q(X,Y), p(Y,{1})",
    "r(X), p({0},{1})",
    "p(X,{0}), X = #count {{ Y : p(Y,{0}) }}",
    "p(X,{0}), X > 1",
]


@pytest.mark.parametrize("seed", range(40))
def test_what_is_derived_is_what_the_rules_mean(seed: int) -> None:
    choose = random.Random(seed)
    rules = [
        f"h{number}(X) :- {choose.choice(BODIES).format(*choose.sample(CONSTANTS, 2))}."
        for number in range(choose.randint(3, 20))
    ]
    check(" ".join(rules), seed, VALUES, ticks=25)


def test_rules_whose_constants_do_not_come_take_no_rows() -> None:
    """Each value goes to the functions that take it, several together, and to nobody else."""
    taken: list[tuple[str, Sequence[Row]]] = []
    one = ByValue(
        1,
        {
            "a": [lambda rows: taken.append(("a", rows)), lambda rows: taken.append(("a again", rows))],
            "b": [lambda rows: taken.append(("b", rows))],
        },
    )
    one([(1, "c")])
    one([(1, "a")])
    one([(1, "b"), (2, "c"), (3, "a"), (4, "b")])
    assert taken == [
        ("a", [(1, "a")]),
        ("a again", [(1, "a")]),
        ("b", [(1, "b"), (4, "b")]),
        ("a", [(3, "a")]),
        ("a again", [(3, "a")]),
    ]


def test_rules_that_cannot_fire_are_passed_over() -> None:
    """One of a hundred has rows of both of its parts."""
    rules = " ".join(f"h{number}(X) :- p(X,Y), q(X,{number}), Y > {number}." for number in range(100))
    delta = Delta(row_rules(rules))
    answers: dict[Lookup, set[Row]] = {lookup("p", 2): {(1, 50), (2, 7)}, lookup("q", 2): {(1, 3), (2, 8)}}
    assert delta.step(answers) == {Signature("h3", 1): {(1,)}}
    assert delta.evaluator.code.count("if rows_") >= 100
