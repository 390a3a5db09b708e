"""The command `python -m experiments jobs`."""

from dataclasses import replace

import click
from rich.console import Console

from experiments.jobs.part import Settings
from experiments.jobs.parts import PARTS
from experiments.jobs.peers.interpreter import peers_option

QUICK = 0.02
"""The part of the full sizes with --quick."""


@click.command()
@click.argument("parts", nargs=-1, metavar="[PART]...")
@click.option("--quick", is_flag=True, help="Use small sizes and one run, to see that everything works.")
@click.option("--full", is_flag=True, help="Add the large sizes, which takes long.")
@click.option("--runs", type=click.IntRange(1), default=3, help="Runs of each measurement.")
@click.option(
    "--only",
    default="",
    help="Only run names with this (whole, nexmark, held, statistics, early, between).",
)
@peers_option
def main(parts: tuple[str, ...], quick: bool, full: bool, runs: int, only: str, peers: str) -> None:
    """Measure the cost of jobs, compare the answers, and print tables.

    PART is whole (ten jobs as whole processes, with plain loops and other systems), asp (jobs at one tick in
    clingo, and over a short trace in telingo and MeTeoR), nexmark (its queries, with plain loops, DuckDB,
    pathway and PyFlink), held (every window and streaming atom, by the number of atoms and the distance of
    ticks), rules (ticks that touch one rule of many), reading (rows into facts), output (answers that are
    awaited and written), compiling, statistics (with and without `--stats`), early (with and without
    `--revise`) or between (checkpoints and other records between blocks). Without PART all run. The machine
    should be idle otherwise.

    Whole, nexmark and asp keep their numbers in experiments/results if you measure everything in full size
    and no system is missing. `report` writes its pages from these files.

    Times are CPU times. The command ends slow processes, later with --full, and the tables name them. It
    reports a system that fails, with the reason, and measures the others.
    """
    for part in parts:
        if part not in PARTS:
            raise click.UsageError(f"there is no part {part}: {', '.join(PARTS)}")
    settings = Settings(is_full=full, runs=runs, only=only, peers=peers)
    if quick:
        settings = replace(settings, scale=QUICK, runs=1)
    with Console(stderr=True).status("") as status:
        for part in parts or PARTS:
            for table in PARTS[part](replace(settings, say=status.update)):
                click.echo(table.text())
