"""The command `python -m experiments path`."""

from collections.abc import Sequence

import click
from rich.console import Console

from experiments.path.group import Line
from experiments.path.parts import PARTS
from experiments.path.turns import measured

QUICK = 0.02
"""The part of the full sizes with --quick."""


@click.command()
@click.argument("parts", nargs=-1, metavar="[PART]...")
@click.option("--quick", is_flag=True, help="Use small sizes, to see that everything works.")
@click.option(
    "--repeats", type=click.IntRange(1), default=1, show_default=True, help="Runs of each measurement."
)
@click.option("--only", default="", help="Only run groups with this in their names.")
def main(parts: tuple[str, ...], quick: bool, repeats: int, only: str) -> None:
    """Measure the whole path of a fact, and print a table with the greatest ratios allowed.

    PART is engines, command-line, single-ticks, aggregates, growth, fresh-constants or door; without one all
    run. Each run uses a process of its own, and the machine should be idle otherwise. Times are CPU times,
    medians of the runs. One run of each part takes five minutes in all.
    """
    for part in parts:
        if part not in PARTS:
            raise click.UsageError(f"there is no part {part}: {', '.join(PARTS)}")
    scale = QUICK if quick else 1.0
    click.echo("| part | what | measured | at most | ratio | beside |")
    click.echo("| --- | --- | ---: | ---: | ---: | --- |")
    with Console(stderr=True).status("") as status:
        for part in parts or PARTS:
            for group in PARTS[part]():
                if only in group.name:
                    found = measured(part, group, repeats, scale, status.update)
                    _print(part, group.lines(found))


def _print(part: str, lines: Sequence[Line]) -> None:
    for line in lines:
        most = "" if line.most is None else f"{line.most:.3g}"
        ratio = "" if line.ratio is None else f"{line.ratio:.2f}"
        cells = part, line.what, f"{line.value:.3g} {line.unit}", most, ratio, line.beside
        click.echo(f"| {' | '.join(cells)} |")
