"""Does a tick cost the same, and is as much remembered, after 100,000 ticks as after 1,000?

The settings of experiments.evaluators with a tenth of the facts, as the planner evaluates them. Times are the
medians of 200 ticks, before the early tick and before the last one; memory is the most that the process ever
had by then, each setting having a process of its own:

    python -m experiments.long_runs [NAME...] [--ticks N]
"""

import resource
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import click
from rich.console import Console
from rich.table import Table

from experiments.evaluators import reasoner, works
from runtime.evaluators.choice import EvaluatorName

SHARE = 10
"""One in so many of the facts is told."""

MEASURED = 200
"""So many ticks are timed."""


def peak_mib() -> float:
    """The most memory that the process ever had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(name: str, early: int, ticks: int) -> tuple[list[float], list[float]]:
    """Milliseconds for a tick, and MiB, by the early tick and by the last."""
    [work] = [work for work in works(SHARE) if work.name == name]
    one = reasoner(work, EvaluatorName.AUTO)
    times: list[float] = []
    medians, memory = [], []
    for tick, facts in zip(range(ticks), work.stream(), strict=False):
        began = time.perf_counter()
        answer = one.step(tick, facts)
        answer.changes  # noqa: B018 - what is timed includes the changes
        times.append(time.perf_counter() - began)
        if tick + 1 in (early, ticks):
            medians.append(statistics.median(times[-MEASURED:]) * 1e3)
            memory.append(peak_mib())
        del times[:-MEASURED]
    return medians, memory


@click.command()
@click.argument("names", nargs=-1)
@click.option("--ticks", default=100_000, show_default=True, help="The last tick.")
@click.option("--early", default=1000, show_default=True, help="The tick to compare with.")
def main(names: tuple[str, ...], ticks: int, early: int) -> None:
    """Prints one table: what a tick costs, and memory, early and late."""
    table = Table(title=f"after {early} and after {ticks} ticks; a tenth of the facts")
    for heading in ("work", "ms early", "ms late", "late / early", "MiB early", "MiB late"):
        table.add_column(heading, justify="left" if heading == "work" else "right")
    for work in works(SHARE):
        if names and not any(work.name.startswith(name) for name in names):
            continue
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            (first, last), (before, after) = process.submit(run, work.name, early, ticks).result()
        row = [f"{first:.3f}", f"{last:.3f}", f"{last / first:.2f}", f"{before:.0f}", f"{after:.0f}"]
        table.add_row(work.name, *row)
        Console(stderr=True).print(work.name, *row)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
