"""Recursion kept up to date by hand is what the product finds."""

from random import Random

import pytest

from experiments.recursion.measure import by_hand, by_product, flipping, reachability
from experiments.recursion.reachable import Links


@pytest.mark.parametrize("seed", range(8))
def test_what_is_reachable(seed: int) -> None:
    choose = Random(seed)
    panels = choose.randint(12, 25)
    pairs = [(panels, 0), (panels, 1)]
    pairs += (tuple(choose.sample(range(panels), 2)) for _ in range(panels * choose.randint(1, 3)))  # type: ignore
    links = Links(panels, pairs)
    workload = reachability("some", links, list(flipping(panels, 6)))
    expected = by_product(workload, "external")[1]
    assert by_product(workload, "delta")[1] == expected
    assert by_hand(workload, links)[1] == expected
