"""What the page says of systems with rules, from the file that `jobs asp` writes."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from experiments.jobs import asp
from experiments.jobs.tick_costs import NAME, TickCost, read
from experiments.jobs.whole import Way
from experiments.kept_results import read_machines
from experiments.reporting.beside import spread
from experiments.reporting.report import machine_text

COMMAND = "`python -m experiments jobs asp`"

_GIVEN: Mapping[str, tuple[str, Sequence[str]]] = {
    "clingo": ("one tick alone", [*asp.AT_A_TICK]),
    **{peer.name: ("a whole stream", [*traces]) for peer, traces in asp.TRACES.items()},
}
"""By systems: what they are given, and of which jobs."""


def paragraphs(folder: Path) -> Sequence[str]:
    """What they cannot say; and what a tick costs, where that was measured."""
    found = read(folder)
    lines = [
        f"- **{system}** ({what}; {', '.join(jobs)}) {asp.CANNOT[system]}.{_said(system, found)}"
        for system, (what, jobs) in _GIVEN.items()
    ]
    first = (
        f"**Systems with rules.** {COMMAND} sets them beside some of these jobs, with smaller streams, "
        "answers compared as well:"
    )
    if not found:
        return [first, "\n".join(lines)]
    machines = "; ".join(map(machine_text, read_machines(folder, NAME)))
    return [first, "\n".join(lines), f"Measured by {COMMAND} on: {machines}.", _table(found)]


def _pairs(found: Sequence[TickCost]) -> Sequence[tuple[TickCost, TickCost]]:
    """Each row of another system with that of the product, which is behind it."""
    return [(one, own) for one, own in pairwise(found) if one.system in _GIVEN and own.system == Way.CHANGES]


def _said(system: str, found: Sequence[TickCost]) -> str:
    """How the CPU times compare, starts included: without them little is left of the product's."""
    pairs = [(one, own) for one, own in _pairs(found) if one.system == system]
    if not pairs:
        return ""
    ratios = spread({one.job: one.whole / own.whole for one, own in pairs})
    if all(one.ticks < own.ticks for one, own in pairs):
        return (
            f" For that tick it takes in the median {ratios} the CPU time that lars2asp takes for all ticks."
        )
    return f" It takes in the median {ratios} the CPU time of lars2asp."


def _table(found: Sequence[TickCost]) -> str:
    lines = [
        "| CPU seconds (lines) | system | rows | ticks | it takes | lars2asp takes |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for one, own in _pairs(found):
        ticks = f"{one.ticks:,}" if one.ticks == own.ticks else f"{one.ticks:,} of {own.ticks:,}"
        times = [f"{each.whole:.2f} ({each.lines})" for each in (one, own)]
        lines.append(f"| {' | '.join([one.job, one.system, f'{one.rows:,}', ticks, *times])} |")
    return "\n".join(lines)
