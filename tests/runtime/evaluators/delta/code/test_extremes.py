"""The least and greatest of values that come and go."""

import random

import pytest

from lars2asp.externals.terms.order import value_key
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Value, constant, function
from lars2asp.runtime.evaluators.delta.code.extremes import Extreme

VALUES: list[Value] = [
    *range(-3, 6),
    *("a", "b"),
    constant("a"),
    constant("a", is_positive=False),
    function("f", (1,)),
    function("f", ("a",)),
    INFIMUM,
    SUPREMUM,
]


@pytest.mark.parametrize("is_least", [True, False])
@pytest.mark.parametrize("values", [VALUES, VALUES[:9]])
def test_the_extreme_is_that_of_the_values_that_are_there(is_least: bool, values: list[Value]) -> None:
    choose = random.Random(1)
    extreme = Extreme(is_least=is_least)
    held: list[Value] = []
    for _ in range(2000):
        more = [choose.choice(values) for _ in range(choose.randrange(4))]
        held += more
        less = choose.sample(held, choose.randint(0, min(len(held), 5)))
        for value in less:
            held.remove(value)
        best = min if is_least else max
        expected = best(held, key=value_key, default=SUPREMUM if is_least else INFIMUM)
        assert extreme.changed(more, less) == expected
        assert len(extreme) == len(set(held))


def test_values_that_are_gone_do_not_pile_up() -> None:
    """Where the first one stays."""
    extreme = Extreme(is_least=True)
    extreme.changed([0], [])
    for number in range(1, 5000):
        assert (
            extreme.changed([number, str(number)], [number - 1, str(number - 1)] if number > 1 else []) == 0
        )
        assert extreme.changed([0], [0]) == 0
    assert extreme.number_of_entries < 100
