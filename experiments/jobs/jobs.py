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
@click.option("--quick", is_flag=True, help="Small sizes, one run each: shows that all works, not figures.")
@click.option("--full", is_flag=True, help="The large sizes as well; takes long.")
@click.option("--runs", type=click.IntRange(1), default=3, help="Runs of each measurement.")
@click.option(
    "--only",
    default="",
    help="Of whole, nexmark, held, statistics, early, between only what has this in its name.",
)
@peers_option
def main(parts: tuple[str, ...], quick: bool, full: bool, runs: int, only: str, peers: str) -> None:
    """Measures what jobs cost; prints tables, answers compared before.

    PART is whole (ten jobs as whole processes, beside plain loops and other systems), asp (jobs at one tick
    in clingo, and over a short trace in telingo and MeTeoR), nexmark (its queries, beside plain loops,
    DuckDB, pathway and PyFlink), held (every window and streaming atom, by how much is held and how far
    ticks lie apart), rules (ticks that touch one rule of many), reading (rows that become facts), output
    (answers that are waited for and written), compiling, statistics (jobs with `--stats` and without), early
    (with `--revise` and without) or between (checkpoints and other records between blocks); without one all
    are taken. Nothing else should run on the machine meanwhile.

    Whole, nexmark and asp keep what they measure in experiments/results (jobs.csv, nexmark.csv, asp.csv, and
    .json, the machine), from which `report` writes pages: where all is measured in full size, and all other
    systems are there.

    Times are CPU times. What takes too long is ended, and the tables say so; with --full later.
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
