"""Does anything break on broken input and broken programs? 100,000 lines and 20,000 programs take 5 minutes.

Valid lines of the three formats are mutated and put between good ones, and read as a file is, in part by a
Reasoner: every good line has to be counted, every other one taken or rejected once, with a reason of one
line. Valid programs are mutated, compiled and run for three ticks. Nothing but a Lars2aspError may come out,
compiling has to be quick, and what clingo grounds without end is counted as a time-out.

    python -m experiments fuzz [--lines N] [--programs N] [--seed S] [--only CASE]

Prints counts, the longest times and the findings, each kind with one of the texts; exits 1 if there are any.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Iterable

import click

from experiments.fuzzing.line_fuzz import BAD_LINES, LineFuzz
from experiments.fuzzing.outcomes import Finding, FuzzOutcome
from experiments.fuzzing.program_fuzz import ProgramFuzz
from experiments.fuzzing.supervision import FuzzTask, outcomes


def total(task: FuzzTask, cases: Iterable[int]) -> FuzzOutcome:
    """The outcome of all cases together."""
    found = FuzzOutcome()
    for outcome in outcomes(task, cases):
        found.add(outcome)
    return found


def fuzz_lines(lines: int, seed: int) -> FuzzOutcome:
    """The outcome of a number of mutated lines."""
    return total(LineFuzz(seed), range(-(-lines // BAD_LINES)))


def fuzz_programs(programs: int, seed: int) -> FuzzOutcome:
    """The outcome of a number of mutated programs."""
    return total(ProgramFuzz(seed), range(programs))


def report(name: str, outcome: FuzzOutcome, seconds: float) -> None:
    """Prints the outcome of lines or programs."""
    click.echo(f"{name}: {seconds:.0f} s")
    for what, count in sorted(outcome.counts.items()):
        click.echo(f"  {count:8} {what}")
    for stage, (longest, text) in outcome.slowest.items():
        click.echo(f"  longest {stage}: {longest:.2f} s, {len(text)} characters, {text[:60]!a}")
    by_kind: dict[str, list[Finding]] = defaultdict(list)
    for finding in outcome.findings:
        by_kind[finding.kind].append(finding)
    for findings in by_kind.values():
        click.echo(f"\n{len(findings)} x {min(findings, key=lambda finding: len(finding.text))}")


@click.command()
@click.option("--lines", default=100_000, show_default=True, help="Mutated lines.")
@click.option("--programs", default=20_000, show_default=True, help="Mutated programs.")
@click.option("--seed", default=1, show_default=True, help="Another seed makes other mutations.")
@click.option("--only", type=int, help="Print the text of one program, and run it here.")
def main(lines: int, programs: int, seed: int, only: int | None) -> None:
    """Mutate lines and programs, and report failures."""
    if only is not None:
        task = ProgramFuzz(seed)
        click.echo(ascii(task.text(only, "")))
        click.echo(task.run(only, lambda stage, text: click.echo(stage)).counts)
        return
    is_broken = False
    for name, run, number in (("lines", fuzz_lines, lines), ("programs", fuzz_programs, programs)):
        began = time.perf_counter()
        outcome = run(number, seed)
        report(f"{number} {name}", outcome, time.perf_counter() - began)
        is_broken = is_broken or bool(outcome.findings)
    sys.exit(1 if is_broken else 0)
