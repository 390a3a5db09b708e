"""What does a tick cost whose rules look since an atom: by keys, by rules, and by how far ticks lie apart?

Each tick has ten orders and one login of random customers, all of whom logged in before. Three rules count
orders, `orders_1(C,N) :- order_1(C) count N in [since login(C)]`; the others are about predicates of which
nothing comes. It should cost the same however many customers, rules and ticks without input there are:

    python -m experiments since-cost
"""

import random
import sys
import time
from collections.abc import Iterator

import click

from lars2asp.runtime.reasoner import Reasoner

ORDERS = 10


def program(rules: int) -> str:
    """Rules of which the first three are looked at."""
    return "\n".join(
        f"orders_{one}(C,N) :- order_{one}(C) count N in [since login(C)]." for one in range(1, rules + 1)
    )


def stream(keys: int, gap: int, ticks: int) -> Iterator[tuple[int, list[str]]]:
    """A first tick at which all log in, and ticks with orders."""
    chosen = random.Random(0)
    yield 0, [f"login({key})" for key in range(keys)]
    for number in range(1, ticks + 1):
        atoms = [f"order_{chosen.randint(1, 3)}({chosen.randrange(keys)})" for _ in range(ORDERS)]
        yield number * gap, [*atoms, f"login({chosen.randrange(keys)})"]


def cost(keys: int, rules: int, gap: int, ticks: int) -> float:
    """The CPU time of a tick in microseconds, after as many ticks that are not measured."""
    reasoner = Reasoner.from_text(program(rules))
    begun = 0.0
    for number, (tick, atoms) in enumerate(stream(keys, gap, 2 * ticks)):
        reasoner.step(tick, atoms)
        if number == ticks:
            begun = time.process_time()
    return (time.process_time() - begun) / ticks * 1e6


@click.command()
@click.option("--ticks", default=2000, help="The number of ticks.")
def main(ticks: int) -> None:
    """Measure the cost of a tick by keys, rules and gaps."""
    for keys in (10, 1000, 30_000):
        for rules in (3, 300):
            for gap in (1, 3600):
                each = cost(keys, rules, gap, ticks)
                sys.stdout.write(
                    f"{keys:6} keys, {rules:3} rules, every {gap:4} ticks: {each:6.0f} us a tick\n"
                )
