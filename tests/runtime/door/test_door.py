"""Random inputs against a plain reader: the five counts of each input and all facts are equal.

LARS2ASP_DOOR=5000 sets how many inputs are made, LARS2ASP_SEED=7 where their numbers begin.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from lars2asp.__main__ import main
from tests.runtime.door.made_inputs import Case, random_case
from tests.runtime.door.plain_reader import Expected, expected
from tests.support.processes import LARS2ASP, completed

NUMBER = int(os.environ.get("LARS2ASP_DOOR", "40"))
SEED = int(os.environ.get("LARS2ASP_SEED", "0"))
MOST_AT_ONCE = 250
"""The cases of one test: others run beside it."""


Counts = list[dict[str, int]]
Answers = list[tuple[int, frozenset[str]]]


def written(case: Case, folder: Path) -> tuple[list[str], list[str]]:
    """A command that runs a case, without its inputs, and the files of these."""
    (folder / "p.lars").write_text(case.program)
    command = ["run", str(folder / "p.lars"), "--lateness", f"{case.lateness} sec", "--quiet"]
    command += ["--output", str(folder / "a.jsonl"), "--rejects", str(folder / "r.jsonl")]
    command += ["--stats-json", str(folder / "s.json")]
    names = []
    for number, one in enumerate(case.inputs):
        names.append(str(folder / f"in{number}.{one.form}"))
        Path(names[-1]).write_text(one.text)
    return command, names


def with_inputs(command: Sequence[str], names: Sequence[str]) -> list[str]:
    """The command with its inputs."""
    return [*command, *chain.from_iterable(("--input", name) for name in names)]


def outcome(folder: Path, names: Sequence[str]) -> tuple[Counts, Answers]:
    """The counts and the answers of a run."""
    counted = json.loads((folder / "s.json").read_text())["inputs"]
    answers = [json.loads(line) for line in (folder / "a.jsonl").read_text().splitlines()]
    ticks = [(one["time"], frozenset(one["atoms"])) for one in answers]
    return [counted[name] for name in names], without_repetitions(ticks)


def run_of(case: Case, folder: Path) -> tuple[Counts, Answers]:
    """A run on files."""
    command, names = written(case, folder)
    assert main(with_inputs(command, names)) in (0, 1)
    return outcome(folder, names)


def resumed_run_of(case: Case, folder: Path, until: int) -> tuple[Counts, Answers]:
    """The same, ended at a tick and continued from its checkpoint."""
    command, names = written(case, folder)
    command = with_inputs([*command, "--checkpoint", str(folder / "state")], names)
    assert main([*command, "--until", str(until)]) in (0, 1)
    assert main(command) in (0, 1)
    return outcome(folder, names)


def piped_run_of(case: Case, folder: Path) -> tuple[Counts, Answers]:
    """A run on standard input."""
    command, _ = written(case, folder)
    [given] = case.inputs
    completed([*LARS2ASP, *with_inputs(command, ["-"])], given=given.text, status=None)
    return outcome(folder, ["-"])


def without_repetitions(ticks: Iterable[tuple[int, frozenset[str]]]) -> list[tuple[int, frozenset[str]]]:
    """The ticks at which atoms are others than at the tick before."""
    found: list[tuple[int, frozenset[str]]] = []
    for tick, atoms in ticks:
        if atoms != (found[-1][1] if found else frozenset()):
            found.append((tick, atoms))
    return found


def changes_of(facts: dict[int, set[str]]) -> list[tuple[int, frozenset[str]]]:
    """The same of facts that hold at single ticks."""
    ticks = sorted({*facts, *(tick + 1 for tick in facts)})
    return without_repetitions((tick, frozenset(facts.get(tick, ()))) for tick in ticks)


def hold(wanted: Expected, got: tuple[Counts, Answers], said: str) -> None:
    """A run is as expected; an empty answer behind the last tick may be left out."""
    counts, answers = got
    last = answers[-1][0] if answers else 0
    changes = [one for one in changes_of(wanted.facts) if one[1] or one[0] <= last]
    assert (counts, answers) == (wanted.counts, changes), said


def cases(first: int, every: int, folder: Path) -> Iterator[tuple[Case, Path, str]]:
    """Some of the cases, each with a folder, and what failures say."""
    for seed in range(first, min(first + MOST_AT_ONCE, SEED + NUMBER), every):
        own = folder / str(seed)
        own.mkdir()
        yield random_case(seed), own, f"seed {seed}: {own}"


FIRSTS = pytest.mark.parametrize("first", range(SEED, SEED + NUMBER, MOST_AT_ONCE))


@FIRSTS
def test_counts_and_facts_are_those_of_a_plain_reader(first: int, tmp_path: Path) -> None:
    for case, folder, said in cases(first, 1, tmp_path):
        hold(expected(case.inputs, case.declared, case.lateness), run_of(case, folder), said)


@FIRSTS
def test_a_run_that_goes_on_counts_all_records_once(first: int, tmp_path: Path) -> None:
    for case, folder, said in cases(first, 4, tmp_path):
        wanted = expected(case.inputs, case.declared, case.lateness)
        if wanted.facts:
            ticks = sorted(wanted.facts)
            hold(wanted, resumed_run_of(case, folder, ticks[len(ticks) // 2]), said)


@FIRSTS
def test_standard_input_is_read_as_files_are(first: int, tmp_path: Path) -> None:
    """No record of it waits for a gap."""
    for case, folder, said in cases(first, 20, tmp_path):
        alone = replace(case, inputs=case.inputs[:1])
        wanted = expected(alone.inputs, case.declared, case.lateness, gap=None)
        hold(wanted, piped_run_of(alone, folder), said)
