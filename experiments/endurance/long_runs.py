"""Does a tick cost the same, and is as much remembered, after 100,000 ticks as after 1,000?

Settings of the benchmarks (experiments.benchmarks), as the planner evaluates them. Times are the medians
of 200 ticks, before the early tick and before the last one; memory is the most that the process ever had by
then, each setting having a process of its own:

    python -m experiments long-runs [NAME...] [--ticks N]
"""

import resource
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import click
from rich.console import Console
from rich.table import Table

from experiments.benchmark import EngineName
from experiments.benchmarks import BENCHMARKS
from experiments.engines.registry import making

SETTINGS = (
    ("laser-diamond", "n=20, 200 facts"),
    ("laser-box", "n=20, 200 facts"),
    ("laser-join", "n=20, 200 facts"),
    ("laser-rules", "10 rules"),
    ("laser-cooling-windows", "n=80, 200 facts"),
    ("chain-above-boxes", "10 rules"),
    ("eiter-windows", "n=80, 1000 ticks"),
    ("idlvsr-heavy-join", "n=20, each with each, 50 events"),
    ("choice", "n=10"),
)
"""Benchmarks and their settings."""

MEASURED = 200
"""The number of ticks that are timed."""


def peak_mib() -> float:
    """The most memory that the process ever had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(name: str, setting: str, early: int, ticks: int) -> tuple[list[float], list[float]]:
    """Milliseconds for a tick, and MiB, by the early tick and by the last."""
    [work] = [one for one in BENCHMARKS[name].settings(False) if one.name == setting]
    times: list[float] = []
    medians, memory = [], []
    with making(work, EngineName.AUTO) as engine:
        for tick, facts in zip(range(ticks), work.stream(), strict=False):
            own_facts = engine.facts(facts)
            began = time.perf_counter()
            engine.step(tick, own_facts)
            times.append(time.perf_counter() - began)
            if tick + 1 in (early, ticks):
                medians.append(statistics.median(times[-MEASURED:]) * 1e3)
                memory.append(peak_mib())
            del times[:-MEASURED]
    return medians, memory


@click.command()
@click.argument("names", nargs=-1)
@click.option("--ticks", default=100_000, show_default=True, help="The last tick.")
@click.option("--revise", default=1000, show_default=True, help="The tick to compare with.")
def main(names: tuple[str, ...], ticks: int, early: int) -> None:
    """Print the cost of a tick and the memory, early and late in a run."""
    table = Table(title=f"after {early} and after {ticks} ticks")
    for heading in ("work", "ms early", "ms late", "late / early", "MiB early", "MiB late"):
        table.add_column(heading, justify="left" if heading == "work" else "right")
    for benchmark, setting in SETTINGS:
        if names and not any(benchmark.startswith(name) for name in names):
            continue
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            (first, last), (before, after) = process.submit(run, benchmark, setting, early, ticks).result()
        what = f"{benchmark}, {setting}"
        row = [f"{first:.3f}", f"{last:.3f}", f"{last / first:.2f}", f"{before:.0f}", f"{after:.0f}"]
        table.add_row(what, *row)
        Console(stderr=True).print(what, *row)
    Console(width=100).print(table)
