"""What explanations cost: keeping what they need (`explain_last`), and asking.

    python -m experiments explanations

Each program runs with and without `explain_last`, in turns; the best of some runs counts. The month of
flights is asked why its last disruption of EWR held, and why not a tick before.
"""

import gc
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from random import Random
from time import process_time

import click
from rich.console import Console
from rich.table import Table

from examples.flights.__main__ import NEW_YORK, PROGRAM
from examples.flights.data import data_folder, events, number_of_facts
from lars2asp import Reasoner, constant
from lars2asp.runtime.reasoning.memory import collect_for_rows
from lars2asp.runtime.sources.times.timeline import Timeline

RUNS = 5
DAY = 288
"""Ticks of flights.lars."""

Facts = Sequence[Sequence[tuple[object, ...]]]


def workloads() -> dict[str, tuple[str, Facts]]:
    """Programs and facts, tick by tick."""
    random = Random(3)
    keys = [constant(f"k{number}") for number in range(1000)]

    def facts(ticks: int, each: int, make: Callable[[], tuple[object, ...]]) -> Facts:
        return [[make() for _ in range(each)] for _ in range(ticks)]

    def edge() -> tuple[object, ...]:
        return random.choice("pq"), random.randrange(1000), random.randrange(1000)

    def key() -> tuple[object, ...]:
        return "p", random.choice(keys)

    return {
        "diamond, 100 facts a tick": ("a(X) :- p(X) in [20].", facts(3000, 100, key)),
        "box, 100 facts a tick": ("a(X) :- p(X) always in [5].", facts(3000, 100, key)),
        "join, 100 facts a tick": (
            "a(X,Z) :- p(X,Y) in [10], q(Y,Z) in [10].",
            facts(1000, 100, edge),
        ),
        "diamond, one fact a tick": ("a(X) :- p(X) in [20].", facts(30_000, 1, key)),
    }


def run(reasoner: Reasoner, facts: Facts) -> float:
    """Seconds of CPU."""
    gc.collect()
    begun = process_time()
    for tick, here in enumerate(facts):
        reasoner.step(tick, here)
    return process_time() - begun


@click.command()
@click.option("--as-command", is_flag=True, help="Set the garbage collector like `lars2asp run`.")
def main(as_command: bool) -> None:
    """Measure reasoners with and without `explain_last`, and questions."""
    if as_command:
        collect_for_rows()
    table = Table("program", "us a fact", "with explain_last=100", "ratio")
    for name, (text, facts) in workloads().items():
        off, on = [], []
        for _ in range(RUNS):
            off.append(run(Reasoner.from_text(text), facts))
            on.append(run(Reasoner.from_text(text, explain_last=100), facts))
        number = sum(map(len, facts))
        costs = (f"{1e6 * min(found) / number:.2f}" for found in (off, on))
        table.add_row(name, *costs, f"{min(on) / min(off):.2f}")
    _add_flights(table)
    Console().print(table)


def _add_flights(table: Table) -> None:
    begin, end = (datetime(2013, month, 1, tzinfo=NEW_YORK).astimezone(UTC) for month in (3, 4))
    timeline = Timeline(300_000_000)
    stream = events(data_folder(), timeline, begin, end)

    def through(kept: int | None) -> tuple[float, Reasoner, int]:
        reasoner, last = Reasoner.from_file(PROGRAM, complete_windows=True, explain_last=kept), 0
        gc.collect()
        begun = process_time()
        for answer in reasoner.run(stream, emit="every"):
            for signature, rows in answer.began.rows.items():
                if signature.name == "disrupted" and ("EWR",) in rows:
                    last = answer.tick
        return process_time() - begun, reasoner, last

    off = min(through(None)[0] for _ in range(RUNS))
    on = min(through(DAY)[0] for _ in range(RUNS))
    facts = number_of_facts(stream)
    cells = (f"{1e6 * seconds / facts:.2f}" for seconds in (off, on))
    table.add_row(f"flights of March 2013, explain_last={DAY}", *cells, f"{on / off:.2f}")
    last = through(None)[2]
    for question, tick in (("why", last), ("why not", last - 1)):
        reasoner = Reasoner.from_file(PROGRAM, complete_windows=True, explain_last=DAY)
        for _ in reasoner.run(stream, until=tick, emit="every"):
            pass
        for which in ("first", "second"):
            begun = process_time()
            explanation = reasoner.why('disrupted("EWR")')
            seconds = process_time() - begun
            words = f"{question} disrupted EWR, {which} question: {explanation.size} claims"
            table.add_row(words, "", f"{1e3 * seconds:.1f} ms", "")
