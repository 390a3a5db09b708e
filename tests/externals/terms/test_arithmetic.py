"""Arithmetic gives what clingo gives where that does not wrap around, and else the number itself."""

import random
from collections.abc import Sequence

import clingo
import pytest

from lars2asp.externals.terms.arithmetic import negated, operation
from lars2asp.externals.terms.terms import INFIMUM, constant, function, tuple_term
from lars2asp.syntax.nodes import LARGEST_INTEGER, LARGEST_NUMBER, SMALLEST_INTEGER

OPERATORS = ["+", "-", "*", "/", "\\", "**", "&", "?", "^"]
EDGES = [0, 1, -1, 2, -2, 7, 31, 32, 46341, LARGEST_INTEGER, LARGEST_INTEGER - 1, -LARGEST_INTEGER]


def by_clingo(operator: str, pairs: Sequence[tuple[int, int]]) -> list[int | None]:
    """What clingo computes, None where it is undefined."""
    control = clingo.Control(logger=lambda *_: None)
    facts = "".join(
        f"o({place},{written(one)},{written(other)})." for place, (one, other) in enumerate(pairs)
    )
    control.add("base", [], f"{facts} r(I,X {operator} Y) :- o(I,X,Y).")
    control.ground([("base", [])])
    found: list[int | None] = [None] * len(pairs)
    for atom in control.symbolic_atoms.by_signature("r", 2):
        place, value = atom.symbol.arguments
        found[place.number] = value.number
    return found


def written(number: int) -> str:
    return str(number) if number > SMALLEST_INTEGER else f"{number + 1}-1"


def operands() -> list[tuple[int, int]]:
    choose = random.Random(1)
    pairs = [(one, other) for one in [*EDGES, SMALLEST_INTEGER] for other in [*EDGES, SMALLEST_INTEGER]]
    for bits in (4, 12, 31):
        pairs += [
            (choose.randint(-(2**bits), 2**bits - 1), choose.randint(-(2**bits), 2**bits - 1))
            for _ in range(300)
        ]
    return pairs


@pytest.mark.parametrize("operator", OPERATORS)
def test_operations_are_those_of_clingo(operator: str) -> None:
    pairs = [one for one in operands() if operator not in "/\\" or one != (SMALLEST_INTEGER, -1)]
    expected = by_clingo(operator, pairs)  # which the pair left out would end
    for pair, value in zip(pairs, expected, strict=True):
        found = operation(operator, *pair)
        if operator == "**" and pair[1] > 100 and abs(pair[0]) > 1:
            assert found is None or abs(found) <= LARGEST_NUMBER
        else:
            assert found == value or (found is not None and value == wrapped(found) != found), pair


def wrapped(number: int) -> int:
    """What clingo makes of a number of more than 32 bits."""
    return (number - SMALLEST_INTEGER) % 2**32 + SMALLEST_INTEGER


def test_numbers_have_any_size() -> None:
    assert operation("/", SMALLEST_INTEGER, -1) == 2**31
    assert operation("\\", SMALLEST_INTEGER, -1) == 0
    assert operation("*", 2**63, -(2**63)) == -(2**126)
    assert operation("**", 10, 3999) == 10**3999
    assert operation("&", -1, 2**70) == 2**70


@pytest.mark.parametrize(
    ("operator", "one", "other"), [("**", 10, 4000), ("**", 10, 10**3999), ("*", 10**3000, 10**1000)]
)
def test_results_of_too_many_digits_are_undefined(operator: str, one: int, other: int) -> None:
    assert operation(operator, one, other) is None
    assert operation(operator, -1, other % 2) in (-1, 1, 0)


@pytest.mark.parametrize("operator", OPERATORS)
def test_operations_on_what_is_no_number_are_undefined(operator: str) -> None:
    assert operation(operator, "1", 1) is None
    assert operation(operator, 1, constant("a")) is None


def test_a_minus_is_the_contrary_of_functions() -> None:
    assert negated(3) == -3
    assert negated(SMALLEST_INTEGER) == 2**31
    assert negated(constant("a")) is constant("a", is_positive=False)
    assert negated(function("f", (1,), is_positive=False)) is function("f", (1,))
    assert negated(tuple_term((1, 2))) is function("", (1, 2), is_positive=False)
    assert negated("a") is None
    assert negated(INFIMUM) is None
