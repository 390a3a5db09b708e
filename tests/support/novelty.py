"""A program and a stream on which the planner changes its mind about the evaluator."""

import random
from collections.abc import Iterator

JOIN = "a(X,Y+1) :- b(X,Z) in [1], c(Z,Y) in [1]. d(X) :- a(X,_), not a(X,_) in {1}."


def changing_novelty() -> Iterator[list[str]]:
    """Facts that are new at every tick, then the same ones for long, then new ones again."""
    choose = random.Random(2)
    for tick in range(160):
        if 60 <= tick < 110:
            yield [f"b({number},{number % 9})" for number in range(50)] + [f"c({z},{z})" for z in range(9)]
        else:
            first = tick * 100
            yield [f"b({first + number},{choose.randrange(9)})" for number in range(50)] + [
                f"c({choose.randrange(9)},{first + number})" for number in range(50)
            ]
