"""Programs of runs on Spark that are killed, and random ones that split by their rooms."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

_TOGETHER = """
hot(R) :- temp(R,V) in [3], V > 80.
heating(R) :- on(R) always in [20].
busy(R,N) :- temp(R,_) count N in [15], N > 3.
check(R) at T+40 :- temp(R,V) at T in [2], V > 97.
quiet(R) :- room(R), not temp(R,_) in [12].
alarm(R) :- hot(R), heating(R), not alarm(R) in {1,2,3}.
many :- #count { R : hot(R) } > 4.
room(1..9).
"""
"""All but the last rule agree on the room, so that the last one is a part, or a level, of its own."""

_CHOOSING = _TOGETHER + "1 { guard(R,G) : guard(G) } 1 :- check(R). guard(a;b;c)."
"""A program that only driver mode and one partition serve, with one of several answer streams followed."""

_IN_BLOCKS = """
hot(R) :- temp(R,V) in [3], V > 80.
warm(R) :- temp(R,V), V > 60.
heated(R) :- warm(R) always in [2].
busy(R,N) :- temp(R,_), N = #count { V : temp(R,V) in [15] }, N > 3.
check(R,T) :- temp(R,V) at T in [20], V > 97.
quiet(R) :- room(R), not temp(R,_) in [12].
last(R,V) :- temp(R,V) in [3 # by R], hot(R) in [9].
many :- #count { R : hot(R) } > 4.
room(1..9).
"""
"""What blocks of ticks can have, and windows that reach over the ends of batches."""


@dataclass(frozen=True)
class Run:
    """A program, and how it runs on Spark.

    Attributes:
        program: its text.
        partition: how it is spread over reasoners.
        evaluator: that of both runs, on Spark and in process.
        beside: that in process, where another one is to confirm it.
        has_lasting: whether atoms begin and end in its stream; else there are facts alone.
    """

    program: str
    partition: str = "auto"
    evaluator: str = "auto"
    beside: str = "auto"
    has_lasting: bool = True


RUNS: Mapping[str, Run] = {
    "auto": Run(_TOGETHER),
    "pipelined": Run(_TOGETHER, "pipelined"),
    "driver": Run(_CHOOSING, "driver"),
    "none": Run(_CHOOSING, "none"),
    "blocks": Run(_IN_BLOCKS, evaluator="flow", beside="delta", has_lasting=False),
}
"""By their names."""

_BODIES = (
    "temp(R,V) in [{near}], V > {high}",
    "temp(R,V) in [{near}], V < {low}, not temp(R,{high}) in [{far}]",
    "temp(R,V), temp(R,W) in [{near}], V > W + {gap}",
    "temp(R,_), #count {{ V : temp(R,V) in [{far}] }} >= {few}",
    "temp(R,_), M = #max {{ V : temp(R,V) in [{far}] }}, M - {gap} > {low}",
    "temp(R,_) at least {few} in [{far}]",
    "on(R), not temp(R,_) in [{near}]",
    "on(R) in [{far}], temp(R,V) in [{few} # by R], V > {high}",
    "temp(R,V) at T in [{near}], V > {high}, T \\ 2 = 0",
    "room(R), not temp(R,_) in [{far}]",
)
"""Bodies that look at atoms of one room."""

_ABOVE = (
    "{below}(R) always in [{near}]",
    "{below}(R) in [{far}], not {below}(R)",
    "{below}(R), not on(R) in [{far}]",
    "room(R), not {below}(R) in [{far}]",
)
"""Bodies over what a rule before derives for the room."""


def random_run(choose: random.Random, number: int) -> Run:
    """A program that splits by the room, but for one rule over all rooms; every second one in levels."""
    heads = [f"d{place}" for place in range(choose.randint(3, 6))]
    rules = []
    for place, head in enumerate(heads):
        below = choose.choice(heads[:place]) if place and choose.random() < 0.5 else None
        body = choose.choice(_ABOVE if below else _BODIES).format(
            below=below,
            near=choose.randint(0, 4),
            far=choose.randint(5, 30),
            few=choose.randint(2, 4),
            low=choose.randint(45, 60),
            high=choose.randint(75, 95),
            gap=choose.randint(5, 40),
        )
        rules.append(f"{head}(R) :- {body}.")
    rules.append(f"crowd(N) :- N = #count {{ R : {choose.choice(heads)}(R) }}, N > 1.")
    text = "\n".join([*rules, "room(1..9)."])
    return Run(text, ("auto", "pipelined")[number % 2], has_lasting=choose.random() < 0.5)
