"""The part of RESULTS.md on systems with rules, from the file that `jobs asp` writes."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from experiments.jobs import asp
from experiments.jobs.tick_costs import NAME, TickCost, read
from experiments.jobs.whole import Way
from experiments.kept_results import read_machines
from experiments.reporting.beside import spread
from experiments.reporting.provenance import machine_text, runs_text

COMMAND = "`python -m experiments jobs asp`"

_GIVEN: Mapping[str, tuple[str, Sequence[str]]] = {
    "clingo": ("one tick alone", [*asp.AT_A_TICK]),
    **{peer.name: ("a whole stream", [*traces]) for peer, traces in asp.TRACES.items()},
}
"""By systems: their input, and the jobs."""


def paragraphs(folder: Path) -> Sequence[str]:
    """The limits of the systems, and the cost of a tick if there is a file."""
    found = read(folder)
    lines = [
        f"- **{system}** ({what}; {', '.join(jobs)}) {asp.CANNOT[system]}.{_said(system, found)}"
        for system, (what, jobs) in _GIVEN.items()
    ]
    first = (
        f"**Systems with rules.** {COMMAND} runs some of these jobs in them, with smaller streams. Their "
        "answers are compared, too:"
    )
    if not found:
        return [first, "\n".join(lines)]
    machines = "; ".join(map(machine_text, read_machines(folder, NAME)))
    return [first, "\n".join(lines), _table(found), f"**Measured.** {_runs(found)} {COMMAND} on: {machines}."]


def _runs(found: Sequence[TickCost]) -> str:
    """The number of runs, as far as the file notes it."""
    runs = [one.runs for one in found]
    if 0 in runs:
        return "The file does not note the number of runs; the command makes three."
    text = runs_text(runs)
    return f"{text[0].upper()}{text[1:]}."


def _pairs(found: Sequence[TickCost]) -> Sequence[tuple[TickCost, TickCost]]:
    """Each row of another system with the product's row, which follows it."""
    return [(one, own) for one, own in pairwise(found) if one.system in _GIVEN and own.system == Way.CHANGES]


def _said(system: str, found: Sequence[TickCost]) -> str:
    """How the CPU times compare, with the starts: most of the product's time is its start."""
    pairs = [(one, own) for one, own in _pairs(found) if one.system == system]
    if not pairs:
        return ""
    ratios = spread({one.job: one.whole / own.whole for one, own in pairs})
    if all(one.ticks < own.ticks for one, own in pairs):
        return (
            f" In the median it takes {ratios} the CPU time for that tick that lars2asp takes for all ticks."
        )
    return f" In the median it takes {ratios} the CPU time of lars2asp."


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
