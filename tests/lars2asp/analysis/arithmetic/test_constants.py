"""Integer terms as clingo computes them."""

import pytest
from clingo import Control

from lars2asp.analysis.arithmetic.constants import constant_values, integer_value
from lars2asp.syntax.nodes import Atom, Rule
from tests.support.programs import parse_text


@pytest.mark.parametrize(
    "term",
    [
        "7/2",
        "-7/2",
        "7/-2",
        "7\\2",
        "-7\\2",
        "7\\-2",
        "2**10",
        "-1**3",
        "6&3",
        "6?3",
        "6^3",
        "~5",
        "|3-8|",
    ],
)
def test_operators_are_those_of_clingo(term: str) -> None:
    control = Control()
    control.add("base", [], f"p({term}).")
    control.ground()
    [rule] = parse_text(f"p({term}).").statements
    assert isinstance(rule, Rule)
    assert isinstance(rule.head, Atom)
    found = [atom.symbol.arguments[0].number for atom in control.symbolic_atoms]
    assert [integer_value(rule.head.arguments[0], {})] == found


@pytest.mark.parametrize("term", ["1/0", "1\\0", "10**4000", "a", '"1"', "1..2", "X", "@f"])
def test_other_terms_are_no_integers(term: str) -> None:
    [rule] = parse_text(f"p({term}).").statements
    assert isinstance(rule, Rule)
    assert isinstance(rule.head, Atom)
    assert integer_value(rule.head.arguments[0], {}) is None


def test_constants_may_stand_in_any_order() -> None:
    assert constant_values(parse_text("#const a = b+1. #const b = 2. #const c = f(b). #const d = e.")) == {
        "a": 3,
        "b": 2,
    }
