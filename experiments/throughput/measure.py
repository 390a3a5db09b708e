"""The command `python -m experiments throughput`."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil
from pathlib import Path
from statistics import median

import click
from rich.console import Console

from experiments.failures import reason_of
from experiments.jobs.costs import machine_with
from experiments.jobs.part import Table
from experiments.jobs.peers.interpreter import peers_option
from experiments.kept_results import FOLDER
from experiments.throughput.curves import draw
from experiments.throughput.driving import Pace, latencies
from experiments.throughput.latency import Latency, sustained, write
from experiments.throughput.systems import (
    OWN,
    DifferentPairsError,
    StreamSystem,
    compare,
    environment,
    systems,
)


@click.command()
@click.option("--begin", default=500, help="The first rate, in events a second.")
@click.option("--growth", default=2.0, help="The factor from rate to rate.")
@click.option("--most", default=512_000, help="The highest rate.")
@click.option("--tick", default=0.1, help="Seconds of a tick.")
@click.option("--ticks", default=100, help="Ticks that count at each rate.")
@click.option("--only", default="", help="Only run systems with this in their names.")
@peers_option
@click.option(
    "--results", "folder", type=click.Path(path_type=Path, file_okay=False), help="The folder of results."
)
def main(
    begin: int,
    growth: float,
    most: int,
    tick: float,
    ticks: int,
    only: str,
    peers: str,
    folder: Path | None,
) -> None:
    """Measure latency at growing rates, until its 99th percentile exceeds a tick, and draw curves.

    lars2asp, bytewax, pathway and Ticker's encoding join two streams by the clock, after their answers are
    compared. Before the ticks that count, a third as many warm up. The sender runs on the same machine. The
    command writes throughput.csv, .json (the machine) and .svg to experiments/results. With --only it needs
    --results to write.
    """
    target = folder or (None if only else FOLDER)
    machine = machine_with(peers, ["bytewax", "pathway"])  # before a long run, as files may change meanwhile
    found: list[Latency] = []
    failures = []
    with tempfile.TemporaryDirectory() as name, Console(stderr=True).status("") as status:
        for system in systems(Path(name), peers):
            if only in system.name:
                paces = (Pace(rate, tick, ticks // 3, ticks) for rate in _rates(begin, growth, most))
                try:
                    found += at_growing_rates(system, paces, status.update)
                except (RuntimeError, DifferentPairsError) as error:
                    if system.name == OWN:
                        raise
                    failures.append(f"{system.name} failed: {reason_of(error)}")
    click.echo(table_of(found).text())
    if failures:
        raise click.ClickException("; ".join([*failures, "nothing is kept"]))
    if target is not None:
        write(target, found, machine)
        click.echo(draw(target, found))


def at_growing_rates(
    system: StreamSystem, paces: Iterable[Pace], say: Callable[[str], object]
) -> Sequence[Latency]:
    """The latencies of a system, until it does not keep up.

    Raises:
        DifferentPairsError: if it finds other pairs than a plain loop.
        RuntimeError: if it does not answer.
    """
    say(f"{system.name}: answers are compared")
    compare(system)
    found = []
    for pace in paces:
        say(f"{system.name}: {pace.rate:,} events a second")
        found.append(measured(system, pace))
        if not found[-1].is_sustained:
            break
    return found


def measured(system: StreamSystem, pace: Pace) -> Latency:
    """The latency of a system at a pace."""
    late = [1000 * one for one in latencies(system.command, pace, environment())]
    high = sorted(late)[ceil(0.99 * len(late)) - 1]
    lost = sum(one == float("inf") for one in late)
    return Latency(system.name, 1000 * pace.tick, pace.rate, len(late), median(late), high, lost)


def _rates(begin: int, growth: float, most: int) -> Iterator[int]:
    rate = float(begin)
    while rate <= most:
        yield round(rate)
        rate *= growth


def table_of(found: Sequence[Latency]) -> Table:
    """All rates, and for each system the highest that it sustains."""
    cells = [
        [one.system, f"{one.rate:,}", f"{one.median:.1f}", f"{one.high:.1f}", str(one.lost)] for one in found
    ]
    title = "; ".join(
        f"{system} sustains {rate:,} events a second" for system, rate in sustained(found).items()
    )
    headings = ["system", "events a second", "median, ms", "99th percentile, ms", "ticks without an answer"]
    return Table(title, headings, cells)
