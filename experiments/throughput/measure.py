"""The command `python -m experiments throughput`."""

import csv
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from statistics import median

import click
from rich.console import Console

from experiments.jobs.part import Table
from experiments.jobs.peers.interpreter import peers_option
from experiments.measuring.machine import Machine
from experiments.reporting.results import FOLDER
from experiments.throughput.curves import draw
from experiments.throughput.driving import Pace, latencies
from experiments.throughput.systems import StreamSystem, compare, environment, systems


@dataclass(frozen=True)
class Latency:
    """What was measured at a rate.

    Attributes:
        system: the name of the system.
        rate: events in a second.
        ticks: how many ticks counted.
        median: milliseconds from when a tick is due to its answer.
        high: the 99th percentile of these.
        lost: ticks without an answer in the end.
    """

    system: str
    rate: int
    ticks: int
    median: float
    high: float
    lost: int


@click.command()
@click.option("--begin", default=500, help="The first rate, in events a second.")
@click.option("--growth", default=2.0, help="By what the rate grows.")
@click.option("--most", default=512_000, help="The highest rate.")
@click.option("--tick", default=0.1, help="Seconds of a tick.")
@click.option("--ticks", default=100, help="Ticks that count at each rate.")
@click.option("--only", default="", help="Only systems that have this in their name.")
@peers_option
@click.option(
    "--results", "folder", type=click.Path(path_type=Path, file_okay=False), help="Where results are kept."
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
    """Measures latency at growing rates, until its 99th percentile exceeds a tick; draws the curves.

    A join of two streams by the clock, for the product, bytewax, pathway and Ticker's encoding; answers are
    compared before. A third as many ticks go before those that count. What drives them runs on the same
    machine. Writes throughput.csv, .json (the machine) and .svg to experiments/results.
    """
    target = folder or FOLDER
    found = []
    with tempfile.TemporaryDirectory() as name, Console(stderr=True).status("") as status:
        for system in systems(Path(name), peers):
            if only in system.name:
                status.update(f"{system.name}: answers are compared")
                compare(system)
                for rate in _rates(begin, growth, most):
                    status.update(f"{system.name}: {rate:,} events a second")
                    one = measured(system, Pace(rate, tick, ticks // 3, ticks))
                    found.append(one)
                    if one.high > tick * 1000:
                        break
    write(target, found)
    click.echo(table_of(found, tick).text())
    click.echo(draw(target, [(one.system, one.rate, one.median, one.high) for one in found], tick))


def measured(system: StreamSystem, pace: Pace) -> Latency:
    """The latency of a system at a pace."""
    late = [1000 * one for one in latencies(system.command, pace, environment())]
    high = sorted(late)[ceil(0.99 * len(late)) - 1]
    lost = sum(one == float("inf") for one in late)
    return Latency(system.name, pace.rate, len(late), median(late), high, lost)


def _rates(begin: int, growth: float, most: int) -> Iterator[int]:
    rate = float(begin)
    while rate <= most:
        yield round(rate)
        rate *= growth


def write(folder: Path, found: Sequence[Latency]) -> None:
    """Writes what was measured, and on what."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "throughput.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["system", "events a second", "ticks", "median, ms", "99th percentile, ms", "lost"])
        for one in found:
            table.writerow(
                [one.system, one.rate, one.ticks, f"{one.median:.2f}", f"{one.high:.2f}", one.lost]
            )
    (folder / "throughput.json").write_text(json.dumps([asdict(Machine.here())], indent=2) + "\n")


def table_of(found: Sequence[Latency], tick: float) -> Table:
    """All rates, and for each system the highest that it sustains."""
    sustained: dict[str, int] = {}
    for one in found:
        sustained.setdefault(one.system, 0)
        if one.high <= tick * 1000:
            sustained[one.system] = one.rate
    cells = [
        [one.system, f"{one.rate:,}", f"{one.median:.1f}", f"{one.high:.1f}", str(one.lost)] for one in found
    ]
    title = "; ".join(f"{system} sustains {rate:,} events a second" for system, rate in sustained.items())
    headings = ["system", "events a second", "median, ms", "99th percentile, ms", "ticks without an answer"]
    return Table(title, headings, cells)
