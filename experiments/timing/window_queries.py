"""Which form of an interval stream should answer the windows that are queried at every tick?

Compares, for `p in [n]` and `p always in [n]` queried once a tick, a dictionary of each atom's latest
interval (what `lars2asp.externals.history` uses) with overlap and envelop queries of an interval tree over
all intervals. Facts are ready symbols; adding, querying and forgetting are timed together, and equal answers
are checked first. It takes two minutes, nearly all for the tree:

    python -m experiments window-queries
"""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import click
from clingo import Function, Number, Symbol
from intervaltree import Interval as TreeInterval
from intervaltree import IntervalTree
from rich.console import Console
from rich.table import Table

from lars2asp.externals.history import History
from lars2asp.externals.symbols import key_of

SymbolStream = Sequence[Sequence[Symbol]]
TICKS, WARM_UP, REPEATS = 20, 90, 3


@dataclass(frozen=True)
class WindowQuery:
    """A window over a stream: facts at each tick, from a pool of constants or all fresh (pool 0)."""

    name: str
    window: int
    facts: int
    pool: int
    is_box: bool = False

    def stream(self) -> SymbolStream:
        """The atoms of the input at each tick."""
        size = self.pool
        return [
            [
                Function("p", [Number((tick * self.facts + i) % size if size else tick * self.facts + i)])
                for i in range(self.facts)
            ]
            for tick in range(WARM_UP + TICKS)
        ]


QueryStep = Callable[[int, Sequence[Symbol]], set[int]]


def by_dictionary(setting: WindowQuery) -> QueryStep:
    """The product's history."""
    history = History(setting.window, keeps_earlier=False)

    def step(tick: int, atoms: Sequence[Symbol]) -> set[int]:
        for atom in atoms:
            history.add_input(key_of(atom), tick, tick, False)
        history.advance(tick)
        first = max(0, tick - setting.window)
        return set(history.throughout(first, tick) if setting.is_box else history.since(first))

    return step


def by_tree(setting: WindowQuery) -> QueryStep:
    """One interval tree over all runs; a run that goes on is taken out and put back longer."""
    tree = IntervalTree()
    runs: dict[Symbol, TreeInterval] = {}

    def step(tick: int, atoms: Sequence[Symbol]) -> set[int]:
        for atom in atoms:
            run = runs.get(atom)
            if run is not None and run.end >= tick:
                tree.remove(run)
                runs[atom] = TreeInterval(run.begin, tick + 1, run.data)
            else:
                runs[atom] = TreeInterval(tick, tick + 1, key_of(atom))
            tree.add(runs[atom])
        first = max(0, tick - setting.window)
        for old in tree.envelop(0, first):
            tree.remove(old)
        if setting.is_box:
            return {run.data for run in tree.at(tick) if run.begin <= first}
        return {run.data for run in tree.overlap(first, tick + 1)}

    return step


def microseconds_a_fact(
    make: Callable[[WindowQuery], QueryStep], setting: WindowQuery, stream: SymbolStream
) -> float:
    """The median over the repeats, after the warm-up."""
    times = []
    for _ in range(REPEATS):
        step = make(setting)
        for tick in range(WARM_UP):
            step(tick, stream[tick])
        began = time.perf_counter()
        for tick in range(WARM_UP, WARM_UP + TICKS):
            step(tick, stream[tick])
        times.append((time.perf_counter() - began) / (TICKS * setting.facts) * 1e6)
    return statistics.median(times)


def check_equal(setting: WindowQuery, stream: SymbolStream) -> None:
    """Raises AssertionError where the two forms answer differently."""
    one, other = by_dictionary(setting), by_tree(setting)
    for tick, atoms in enumerate(stream):
        if one(tick, atoms) != other(tick, atoms):
            raise AssertionError(f"{setting.name}: answers differ at tick {tick}")


SETTINGS = (
    WindowQuery("in [10], 50 fresh facts a tick", 10, 50, 0),
    WindowQuery("in [80], 50 fresh facts a tick", 80, 50, 0),
    WindowQuery("in [80], 50 of 250 facts a tick", 80, 50, 250),
    WindowQuery("always in [80], 50 fresh facts a tick", 80, 50, 0, True),
    WindowQuery("always in [80], the same 50 facts", 80, 50, 50, True),
)


@click.command()
def main() -> None:
    """Prints one table: microseconds for each fact, by an interval tree and by the product's history."""
    table = Table(title="microseconds for each fact, one query a tick included (median of 3)")
    for heading in ("window and stream", "interval tree", "latest runs", "ratio"):
        table.add_column(heading, justify="left" if heading.startswith("window") else "right")
    for setting in SETTINGS:
        stream = setting.stream()
        check_equal(setting, stream)
        tree = microseconds_a_fact(by_tree, setting, stream)
        latest = microseconds_a_fact(by_dictionary, setting, stream)
        table.add_row(setting.name, f"{tree:.1f}", f"{latest:.2f}", f"{tree / latest:.1f}")
    Console().print(table)
