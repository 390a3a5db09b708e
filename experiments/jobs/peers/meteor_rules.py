"""Jobs as rules of DatalogMTL, which MeTeoR materializes over a whole stream at once.

    python -m experiments.jobs.peers.meteor_rules JOB INPUT OUTPUT

Time is dense there: a fact holds at a point, and a diamond over [0,n] makes an interval of it. Ends are whole
numbers that belong to their intervals, so that what two of them have in common holds at ticks, if there is
anything. What is written is a table of intervals.
"""

import csv
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from clingo import SymbolType
from meteor_reasoner.materialization.coalesce import coalescing_d
from meteor_reasoner.materialization.materialize import materialize
from meteor_reasoner.utils.loader import load_dataset, load_program

from experiments.jobs.peers.clingo_ticks import facts

PROGRAMS: Mapping[str, str] = {
    "join": """
        Match(O,P) :- Diamondminus[0,30]Order(O,I), Diamondminus[0,30]Payment(P,I)
    """,
    "closure": """
        Path(X,Y) :- Diamondminus[0,39]Link(X,Y)
        Path(X,Z) :- Path(X,Y), Diamondminus[0,39]Link(Y,Z)
    """,
}
"""By jobs."""

MOST_ROUNDS = 1000
"""Rules are applied so often at most."""


def run(name: str, source: Path) -> Iterator[tuple[int, int, str]]:
    """From when to when atoms hold."""
    told: list[str] = []
    strings: set[str] = set()
    for tick, predicate, some in facts(name, source):
        strings.update(one.string for one in some if one.type is SymbolType.String)
        values = ",".join(one.string if one.type is SymbolType.String else str(one) for one in some)
        told.append(f"{predicate.capitalize()}({values})@{tick}")
    dataset = load_dataset(told)
    coalescing_d(dataset)
    rules = load_program([rule.strip() for rule in PROGRAMS[name].strip().splitlines()])
    heads = {rule.head.get_predicate() for rule in rules}
    if not materialize(dataset, rules=rules, K=MOST_ROUNDS):
        raise RuntimeError(f"{name}: nothing is settled after {MOST_ROUNDS} rounds")
    for predicate in heads:
        for row, intervals in dataset[predicate].items():
            values = ",".join(f'"{one.name}"' if one.name in strings else one.name for one in row)
            for one in intervals:
                yield int(one.left_value), int(one.right_value), f"{predicate.lower()}({values})"


if __name__ == "__main__":
    _, job, read_from, written_to = sys.argv
    with Path(written_to).open("w", newline="") as table:
        csv.writer(table).writerows(run(job, Path(read_from)))
