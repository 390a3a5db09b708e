"""Measurements of a group in turns, each in a process of its own.

    python -m experiments.path.turns PART GROUP MEASURE SCALE

is what is started for each.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from statistics import median

import click

from experiments.path.group import Figures, Found, Group
from experiments.path.parts import group_of

RunApart = Callable[[str, str, str, float], Figures]
"""Takes a part, a group, a measurement and a scale."""


def run_apart(part: str, group: str, measure: str, scale: float) -> Figures:
    """One measurement in a process of its own."""
    command = [sys.executable, "-m", "experiments.path.turns", part, group, measure, str(scale)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measured(
    part: str, group: Group, turns: int, scale: float, say: Callable[[str], None], run: RunApart = run_apart
) -> Found:
    """The medians of the results of all measurements; each turn begins with another one."""
    names = [*group.measures]
    results: dict[str, list[Figures]] = {name: [] for name in names}
    for turn in range(turns):
        first = turn % len(names)
        for name in [*names[first:], *names[:first]]:
            say(f"{part}: {group.name}, {name}, turn {turn + 1}")
            results[name].append(run(part, group.name, name, scale))
    return {
        name: {figure: median(one[figure] for one in found) for figure in found[0]}
        for name, found in results.items()
    }


@click.command()
@click.argument("part")
@click.argument("group")
@click.argument("measure")
@click.argument("scale", type=float)
def main(part: str, group: str, measure: str, scale: float) -> None:
    """Measures once, and prints the results as JSON."""
    json.dump(group_of(part, group).measures[measure](scale), sys.stdout)


if __name__ == "__main__":
    main()
