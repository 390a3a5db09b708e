"""Random programs by `auto` and by `oneshot`: the worst ratios of time and memory, and what `auto` chose."""

import signal
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context

import click

from experiments.ratios.case_run import CaseRun, run_of
from experiments.ratios.random_program import RandomCase, random_case

_SLACK_SECONDS = 0.01
_SLACK_MIB = 8
"""Differences of less are those of compiling and of the machine."""

_REPEATED = 1.6
"""From this ratio of times on both runs are made again, and the least of each counts."""

_MEMORY = 2 * 1024**3
_SHOWN = 5


@dataclass(frozen=True)
class Comparison:
    """A program by both evaluators.

    Attributes:
        case: the program.
        time: how many times as long `auto` takes.
        memory: how many times as much memory.
        chosen: the evaluators of its components.
        fault: what went wrong, or is different; empty where nothing is.
        is_left_out: whether `oneshot` has no answer to compare with.
    """

    case: RandomCase
    time: float = 0.0
    memory: float = 0.0
    chosen: tuple[str, ...] = ()
    fault: str = ""
    is_left_out: bool = False


def compared(number: int) -> Comparison:
    """The comparison of a case."""
    case = random_case(number)
    one = run_of(case, "oneshot", ticks=100, enough=0.15, seconds=5, memory=_MEMORY)
    if isinstance(one, str):
        return Comparison(case, fault=one, is_left_out=True)
    found = _against(case, one)
    if found.time > _REPEATED:
        again = [run_of(case, "oneshot", ticks=one.ticks, enough=9, seconds=9, memory=_MEMORY) for _ in "12"]
        longest = max([one, *(run for run in again if isinstance(run, CaseRun))], key=lambda run: run.seconds)
        more = [_against(case, longest) for _ in "12"]
        found = min([found, *more], key=lambda each: each.time)
    return found


def _against(case: RandomCase, one: CaseRun) -> Comparison:
    seconds = 3 + round(10 * one.seconds)
    run = run_of(case, "auto", ticks=one.ticks, enough=seconds, seconds=seconds, memory=_MEMORY)
    if isinstance(run, str):
        return Comparison(case, time=99, memory=99, fault=run)
    different = [tick for tick, (x, y) in enumerate(zip(one.answers, run.answers, strict=True)) if x != y]
    return Comparison(
        case,
        max(0.0, run.seconds - _SLACK_SECONDS) / one.seconds,
        max(0.0, run.peak - _SLACK_MIB) / one.peak,
        run.evaluators,
        f"answers differ at tick {different[0]}" if different else "",
    )


@click.command()
@click.option("-n", "count", type=click.IntRange(1), default=200, help="The number of programs.")
@click.option("--first", type=click.IntRange(0), default=0, help="The number of the first program.")
@click.option("--processes", type=click.IntRange(1), default=1, help="The number of processes.")
@click.option(
    "--show", type=click.IntRange(0), help="Print the program of this number, and compare it alone."
)
def main(count: int, first: int, processes: int, show: int | None) -> None:
    """Compare `auto` with `oneshot` on random programs with constants that recur.

    Times are CPU times, without compiling. To share programs among machines, give each machine another
    --first.
    """
    if show is not None:
        case = random_case(show)
        print(case.program, f"\nrate {case.rate}, {case.constants} constants")
        print(_line(compared(show)))
        return
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    found: list[Comparison] = []
    try:
        found.extend(_all(range(first, first + count), processes))
    finally:  # whatever ends it: with what was found up to then
        _report(found)


def _all(numbers: range, processes: int) -> Iterator[Comparison]:
    with (
        get_context("fork").Pool(processes) as pool,
        click.progressbar(pool.imap_unordered(compared, numbers), length=len(numbers)) as found,
    ):
        yield from found


def _report(found: list[Comparison]) -> None:
    left_out = Counter(one.fault for one in found if one.is_left_out)
    whole = [one for one in found if not one.is_left_out]
    print(f"{len(whole)} programs; without an answer by oneshot: {dict(left_out)}")
    print("chosen:", dict(Counter(name for one in whole for name in set(one.chosen)).most_common()))
    for what in "time", "memory":
        print(f"worst in {what}:")
        for one in sorted(whole, key=lambda each: -getattr(each, what))[:_SHOWN]:
            print(" ", _line(one))
    over = [one for one in whole if one.time > 2 or one.memory > 2]
    faults = [one for one in whole if one.fault]
    print(f"more than twice: {[one.case.number for one in over]}; faults:")
    for one in faults:
        print(" ", _line(one))


def _line(one: Comparison) -> str:
    return (
        f"{one.case.number}: time {one.time:.2f}, memory {one.memory:.2f}, rate {one.case.rate} of "
        f"{one.case.constants}, {' '.join(one.chosen)} {one.fault}"
    )
