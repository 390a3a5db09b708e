"""Recursion kept up to date by hand is what is found from nothing."""

from random import Random

import pytest

from experiments.recursion.closure import ClosureFromBelow, ClosureFromNothing
from experiments.recursion.reachable import (
    CountedFromBelow,
    DeletedAndRederived,
    FromNothing,
    Links,
    Reachable,
)


@pytest.mark.parametrize("kind", [DeletedAndRederived, CountedFromBelow])
@pytest.mark.parametrize("seed", range(8))
def test_what_is_reachable(kind: type[Reachable], seed: int) -> None:
    choose = Random(seed)
    panels = choose.randint(4, 25)
    pairs = [(panels, 0), (panels, 1)]
    pairs += (tuple(choose.sample(range(panels), 2)) for _ in range(panels * choose.randint(1, 3)))  # type: ignore
    links = Links(panels, pairs)
    one, other = FromNothing(links), kind(links)
    working: set[int] = set()
    for _ in range(60):
        flipped = choose.sample(range(panels), choose.randint(0, 3))
        began, ended = [p for p in flipped if p not in working], [p for p in flipped if p in working]
        working.symmetric_difference_update(flipped)
        assert other.step(began, ended) == one.step(began, ended)


@pytest.mark.parametrize("seed", range(8))
def test_a_closure(seed: int) -> None:
    choose = Random(seed)
    nodes = choose.randint(3, 12)
    one, other = ClosureFromNothing(), ClosureFromBelow()
    edges: set[tuple[int, int]] = set()
    for _ in range(60):
        drawn = {(choose.randrange(nodes), choose.randrange(nodes)) for _ in range(choose.randint(0, 4))}
        began, ended = sorted(drawn - edges), sorted(drawn & edges)
        edges ^= drawn
        assert other.step(began, ended) == one.step(began, ended)
