"""Which form of an interval stream should answer the windows that are queried at every tick?

Compares, for `p in [n]` and `p always in [n]` queried once a tick, a dictionary of each atom's latest
interval (what the interval database uses) with overlap and envelop queries of an interval tree over
all intervals. Facts are ready rows; adding, querying and forgetting are timed together, and equal answers
are checked first. It takes two minutes, nearly all for the tree:

    python -m experiments window-queries
"""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import click
from intervaltree import Interval as TreeInterval
from intervaltree import IntervalTree
from rich.console import Console
from rich.table import Table

from lars2asp.analysis.windows import Sliding
from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Signature

P = Signature("p", 1)
RowStream = Sequence[Sequence[Row]]
TICKS, WARM_UP, REPEATS = 20, 90, 3


@dataclass(frozen=True)
class WindowQuery:
    """A window over a stream: facts at each tick, from a pool of constants or all fresh (pool 0)."""

    name: str
    window: int
    facts: int
    pool: int
    is_box: bool = False

    def stream(self) -> RowStream:
        """The atoms of the input at each tick."""
        ticks = range(WARM_UP + TICKS)
        numbers = [range(tick * self.facts, (tick + 1) * self.facts) for tick in ticks]
        return [[(i % self.pool if self.pool else i,) for i in here] for here in numbers]


QueryStep = Callable[[int, Sequence[Row]], set[Row]]


def by_dictionary(setting: WindowQuery) -> QueryStep:
    """The product's database."""
    kind = LookupKind.ALWAYS if setting.is_box else LookupKind.IN
    lookup = Lookup(kind, P, Sliding(setting.window))
    database = IntervalDatabase(0, [lookup], {P: setting.window})

    def step(tick: int, rows: Sequence[Row]) -> set[Row]:
        database.gather(tick, Events((AtomRows(P, rows),)))
        database.commit(tick)
        return set(database.answer(lookup, tick))

    return step


def by_tree(setting: WindowQuery) -> QueryStep:
    """One interval tree over all runs; a run that goes on is taken out and put back longer."""
    tree = IntervalTree()
    runs: dict[Row, TreeInterval] = {}

    def step(tick: int, rows: Sequence[Row]) -> set[Row]:
        for row in rows:
            run = runs.get(row)
            if run is not None and run.end >= tick:
                tree.remove(run)
                runs[row] = TreeInterval(run.begin, tick + 1, row)
            else:
                runs[row] = TreeInterval(tick, tick + 1, row)
            tree.add(runs[row])
        first = max(0, tick - setting.window)
        for old in tree.envelop(0, first):
            tree.remove(old)
        if setting.is_box:
            return {run.data for run in tree.at(tick) if run.begin <= first}
        return {run.data for run in tree.overlap(first, tick + 1)}

    return step


def microseconds_a_fact(
    make: Callable[[WindowQuery], QueryStep], setting: WindowQuery, stream: RowStream
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


def check_equal(setting: WindowQuery, stream: RowStream) -> None:
    """Raises AssertionError where the two forms answer differently."""
    one, other = by_dictionary(setting), by_tree(setting)
    for tick, rows in enumerate(stream):
        if one(tick, rows) != other(tick, rows):
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
    """Print the microseconds for each fact, in an interval tree and in the database of lars2asp."""
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
