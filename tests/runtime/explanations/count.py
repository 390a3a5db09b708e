"""How many explanations of random programs does the checker accept, and how many changed ones does it refuse?

    python -m tests.runtime.explanations.count [--seed N] [--programs N] [--group NAME]... [--kept]

Each group of programs (tests/strategies/explained.py) is tried with a number of programs on their streams.
Of each a few atoms that hold and a few that do not are explained (`why`, `why-not`) and checked, and each
explanation is changed in ways that make it wrong. Another seed makes other programs, so that processes with
seeds of their own share the work. Prints counts for each group, and what was refused or accepted wrongly;
exits 1 if anything was.
"""

import sys
import time
from collections import Counter
from random import Random
from typing import Any

import click
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.runtime.explanations.changes import changed
from tests.strategies import EXPLAINED, Case
from tests.support.checked_explanations import ALL, Checked

CHANGES = 2
"""So many wrong explanations are made of each."""

SHOWN = 5
"""So many findings of a group are printed."""


class Count:
    """What was found in a group.

    Attributes:
        counts: explanations by kind and outcome.
        findings: the programs, questions and faults of those that went wrong.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.findings: list[str] = []

    def add(self, case: Case, random: Random, *, kept: int) -> None:
        """Counts the explanations of a program on its stream."""
        if not Checked.is_program(case):
            self.counts["no programs"] += 1
            return
        try:
            checked = Checked(case, kept)
        except Exception as error:
            self._find(case, "run", f"{type(error).__name__}: {error}")
            return
        self.counts["programs"] += 1
        for atom, tick in checked.questions(random):
            try:
                self._explain(case, checked, random, atom, tick, is_changed=kept == ALL)
            except Exception as error:
                self._find(case, f"{atom} @ {tick}", f"{type(error).__name__}: {error}")

    def _explain(
        self, case: Case, checked: Checked, random: Random, atom: str, tick: int, *, is_changed: bool
    ) -> None:
        explanation = checked.explanation(atom, tick)
        if explanation is None:
            self.counts["not kept"] += 1
            return
        faults = checked.faults(explanation)
        kind = "why" if explanation["explains"][0]["holds"] else "why-not"
        self.counts[f"{kind} {'refused' if faults else 'accepted'}"] += 1
        if faults:
            self._find(case, f"{kind} {atom} @ {tick}", "; ".join(faults[:3]))
            return
        for name, change in changed(explanation, checked.program, random, CHANGES) if is_changed else ():
            is_refused = bool(checked.faults(change))
            self.counts[f"changed {'refused' if is_refused else 'accepted'}"] += 1
            if not is_refused:
                self._find(case, f"{kind} {atom} @ {tick}", f"{name} is not noticed")

    def _find(self, case: Case, question: str, fault: str) -> None:
        told = "; ".join(f"{one}" for one in case.records)
        self.findings.append(f"{question}: {fault}\n{case.program}\n{told}\n{case.semantics}")


def counted(group: str, programs: int, number: int, *, kept: int = ALL) -> Count:
    """What is found in a group with a number of programs, by a seed."""
    found = Count()

    @seed(number)
    @settings(
        max_examples=programs,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(EXPLAINED[group], st.randoms(use_true_random=False))
    def counting(case: Case, random: Random) -> None:
        found.add(case, random, kept=kept)

    counting()
    return found


@click.command()
@click.option("--seed", "number", default=1, show_default=True, help="Another seed makes other programs.")
@click.option("--programs", default=100, show_default=True, help="Programs of each group.")
@click.option(
    "--group", "groups", multiple=True, type=click.Choice([*EXPLAINED]), help="A group; several may be."
)
@click.option("--kept", is_flag=True, help="Keep one tick alone; such explanations are not changed.")
def main(number: int, programs: int, groups: tuple[str, ...], kept: bool) -> None:
    """Counts explanations of random programs that are accepted, and changed ones that are refused."""
    total: Counter[str] = Counter()
    is_broken = False
    for group in groups or [*EXPLAINED]:
        began = time.perf_counter()
        found = counted(group, programs, number, kept=1 if kept else ALL)
        total += found.counts
        click.echo(f"{group}: {_said(found.counts)}; {time.perf_counter() - began:.0f} s")
        for finding in sorted(found.findings, key=len)[:SHOWN]:
            click.echo(f"--- {finding}")
        is_broken = is_broken or bool(found.findings)
    click.echo(f"all: {_said(total)}")
    sys.exit(1 if is_broken else 0)


def _said(counts: Counter[str]) -> str:
    found: list[Any] = [f"{number} {what}" for what, number in sorted(counts.items())]
    return ", ".join(found)


if __name__ == "__main__":
    main()
