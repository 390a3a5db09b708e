"""Random inputs against a plain reader: the five counts of each input and all facts are equal.

LARS2ASP_DOOR=5000 sets how many inputs are made, LARS2ASP_SEED=7 where their numbers begin.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from lars2asp.__main__ import main
from tests.runtime.door.made_inputs import Case, random_case
from tests.runtime.door.plain_reader import Expected, Given, expected, seconds
from tests.support.processes import LARS2ASP, completed, started, wait_for

NUMBER = int(os.environ.get("LARS2ASP_DOOR", "40"))
SEED = int(os.environ.get("LARS2ASP_SEED", "0"))
MOST_AT_ONCE = 250
"""The cases of one test: others run beside it."""
ENDS = "2029-01-01T00:00:00Z"
"""The last tick of a run on a file that grows: all records are from before it, but for the last one."""
LAST_RECORDS = {
    "csv": "2030-01-01T00:00:00Z,end,0",
    "jsonl": '{"ts": "2030-01-01T00:00:00Z", "room": "end", "temp": 0}',
    "log": "2030-01-01T00:00:00Z the end",
}

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


def followed_run_of(case: Case, folder: Path, random: Random) -> tuple[Counts, Answers]:
    """A run on a file that grows and is rotated, killed and started again."""
    command, [name] = written(case, folder)
    command = with_inputs([*command, "--follow", "--checkpoint", str(folder / "state")], [name])
    command = [*LARS2ASP, *command, "--checkpoint-every", "1", "--until", ENDS]
    log = Log(Path(name), case.inputs[0])

    def rotate(*, is_read: bool) -> None:
        if any(one.stat().st_size for one in (folder / "state").glob("*.journal")):  # the file is known
            log.rotate(random, is_read=is_read)

    while True:
        with started(command, stderr=subprocess.DEVNULL) as process:
            while log.pieces and random.random() < 0.6:
                log.write()
                rotate(is_read=False)
                time.sleep(random.choice((0, 0.02, 0.1, 0.4)))
            if not log.pieces:
                wait_for(lambda: process.poll() is not None)
                assert process.returncode in (0, 1), process.returncode
                return outcome(folder, [name])
            process.kill()
            process.wait()
        rotate(is_read=True)


class Log:
    """A file that is written piece by piece.

    Args:
        file: the file.
        given: what is written to it, by and by.
    """

    def __init__(self, file: Path, given: Given) -> None:
        lines = given.text.splitlines(keepends=True)
        self._file = file
        self._header = lines.pop(0) if given.form == "csv" else ""
        self.pieces = lines
        self._rotations = 0
        file.write_text(self._header)

    def write(self) -> None:
        """Writes the next line."""
        with self._file.open("a") as file:
            file.write(self.pieces.pop(0))

    def rotate(self, random: Random, *, is_read: bool) -> None:
        """Renames the file and begins another one, or copies it and begins it anew; or leaves it.

        Args:
            random: decides which.
            is_read: whether nobody reads the file now: what is cut while somebody reads may be lost.
        """
        is_told_apart = is_read and not self._header  # a copy of a header looks like the file that was cut
        way = random.choice(("", "", "", "rename", "copy" if is_told_apart else ""))
        if not way:
            return
        self._rotations += 1
        older = self._file.with_name(f"{self._file.name}.{self._rotations}")
        if way == "rename":
            self._file.rename(older)
        else:
            shutil.copy(self._file, older)
        self._file.write_text(self._header)


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


@FIRSTS
def test_a_file_that_is_rotated_is_read_once_by_runs_that_are_killed(first: int, tmp_path: Path) -> None:
    for case, folder, said in cases(first, 10, tmp_path):
        given = case.inputs[0]
        more = "," * max(given.text.partition("\n")[0].count(",") - 2, 0) if given.form == "csv" else ""
        given = replace(given, text=f"{given.text}{LAST_RECORDS[given.form]}{more}\n")
        wanted = expected([given], case.declared, case.lateness, gap=None)
        wanted.facts.pop(seconds("2030-01-01T00:00:00Z"), None)
        alone = replace(case, inputs=(given,))
        hold(wanted, followed_run_of(alone, folder, Random(folder.name)), said)
