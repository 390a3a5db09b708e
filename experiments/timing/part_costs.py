"""What the parts of programs cost for each fact that they take, beside the weights that layouts give them.

Each part of the programs of the benchmarks, and of the flights, is evaluated alone, in process, with the
facts that it reads; weights have the packets of shards as well. It takes some seconds:

    python -m experiments part-costs
"""

from collections.abc import Iterator
from time import process_time
from typing import NamedTuple

import click
from rich.console import Console
from rich.table import Table

from experiments.benchmark import Setting
from experiments.benchmarks import BENCHMARKS, flights
from experiments.engines.product import product_fact
from lars2asp import Reasoner
from lars2asp.compiler import Overrides, checked_program, compile_part
from lars2asp.runtime.sharding.layout import weight
from lars2asp.splitting.parts import Part
from lars2asp.splitting.split import split
from lars2asp.syntax.nodes import Semantics, Signature
from lars2asp.syntax.source import Source

MOST_SECONDS = 3.0
"""CPU time after which no more ticks of a part are evaluated."""


class PartCost(NamedTuple):
    """A part, the number of facts that it took, and for each the CPU time and the weight, in microseconds."""

    part: Part
    facts: int
    cost: float
    expected: float


def settings() -> dict[str, Setting]:
    """The largest of the short settings of each benchmark, and a week of flights."""
    found = {name: max(one.settings(True), key=lambda s: s.x) for name, one in BENCHMARKS.items()}
    week = next(setting for setting in flights.FLIGHTS.settings(False) if setting.x > 1)
    return found | {flights.FLIGHTS.name: week}


def part_costs(setting: Setting) -> Iterator[PartCost]:
    """The parts of a setting's program, and what they cost after its first ticks."""
    overrides = Overrides(semantics=Semantics(setting.semantics))
    checked = checked_program(Source("text", setting.program), overrides=overrides)
    for part in split(checked.program, checked.semantics).parts:
        reasoner = Reasoner(compile_part(part, checked.semantics))
        count, took = 0, 0.0
        told: set[Signature] = set()
        for tick, facts in zip(range(setting.warm_up + setting.ticks), setting.stream(), strict=False):
            read = [fact for fact in facts if Signature(fact[0], len(fact) - 1) in part.reads]
            told |= {Signature(fact[0], len(fact) - 1) for fact in read}
            rows = [product_fact(fact) for fact in read]
            began = process_time()
            reasoner.step(tick, rows)
            if tick >= setting.warm_up:
                count, took = count + len(rows), took + process_time() - began
            if took > MOST_SECONDS:
                break
        if count:
            yield PartCost(part, count, took * 1e6 / count, weight(part) / len(told))


@click.command()
def main() -> None:
    """Print the cost of the parts of programs for a fact."""
    table = Table(title="microseconds of CPU time for a fact of a part")
    for heading in ("benchmark", "part", "facts", "measured", "weight of a fact"):
        table.add_column(heading, justify="left" if heading == "benchmark" else "right")
    for name, setting in settings().items():
        for part, facts, cost, expected in part_costs(setting):
            table.add_row(name, str(part.number), str(facts), f"{cost:.1f}", f"{expected:.1f}")
    Console().print(table)
