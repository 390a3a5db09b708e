"""The command `python -m experiments scale`."""

import csv
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click
from rich.console import Console

from experiments.endurance.soak import cpu_of, memory_of
from experiments.jobs.answers import Form, read
from experiments.jobs.part import Table
from experiments.kept_results import FOLDER, write_machines
from experiments.measuring.machine import Machine
from experiments.scale.loads import A_TICK, LOADS, Fact, Load, line, lines

PARTS = 10
FLAT = 1.1
"""What grows by no more than a tenth from the fifth tenth to the last one is flat."""

SMALL = {"facts": 20_000, "live": 2000, "rules": 50, "keys": 1000}
"""Sizes at which answers are compared."""


class DifferentAnswersError(Exception):
    """The product finds something else than a plain loop."""


@dataclass(frozen=True)
class Tenth:
    """What a tenth of a run took.

    Attributes:
        part: which one, from 1 on.
        micros: microseconds of CPU a fact.
        memory: MiB in its end.
    """

    part: int
    micros: float
    memory: float


@click.command()
@click.argument("name", type=click.Choice([*LOADS]))
@click.option("--size", type=click.IntRange(1000), help="The number. The default takes some seconds.")
@click.option("--full", is_flag=True, help="Use the full size: 100,000,000 facts, or 1,000,000 live facts.")
@click.option(
    "--results", "folder", type=click.Path(path_type=Path, file_okay=False), help="The folder of results."
)
def main(name: str, size: int | None, full: bool, folder: Path | None) -> None:
    """Measure the reach of one process.

    NAME is facts (in all), live (facts in a window), rules, or keys (with their last values). The answers are
    compared first. The command writes scale-NAME.csv and .json (the machine) to experiments/results.
    """
    load = LOADS[name]
    machine = Machine.here()  # before a long run, as files may change meanwhile
    chosen = size or (load.full if full else load.default)
    with Console(stderr=True).status("answers are compared") as status:
        compare(load, SMALL[name])
        found = []
        for one in measured(load, chosen):
            found.append(one)
            status.update(f"{name}: {one.part} of {PARTS} tenths, {one.micros:.2f} us a fact")
    write(folder or FOLDER, name, chosen, found, machine)
    click.echo(table_of(name, chosen, load.facts(chosen), found).text())


def measured(load: Load, size: int) -> Iterator[Tenth]:
    """Runs a load; each tenth."""
    facts = load.facts(size)
    with tempfile.TemporaryDirectory() as folder, _process(Path(folder), load.program(size)) as process:
        assert process.stdin is not None
        stream, ticks = lines(load, size, facts), -(-facts // A_TICK)
        spent = 0.0
        for part in range(1, PARTS + 1):
            some = ticks * part // PARTS - ticks * (part - 1) // PARTS
            process.stdin.writelines(islice(stream, some))
            process.stdin.flush()
            took, memory = cpu_of(process.pid), memory_of(process.pid)
            yield Tenth(part, (took - spent) * 1e6 / (some * A_TICK), memory / 2**20)
            spent = took
        process.stdin.close()
        if process.wait():
            raise RuntimeError(f"the run ended with {process.returncode}")


def compare(load: Load, size: int) -> None:
    """Holds the answers on a stream to those of a plain loop.

    Raises:
        DifferentAnswersError: if there is a difference, or no answer at all.
    """
    choose = random.Random(15)
    ticks = range(min(load.facts(size), 30_000) // A_TICK)
    told: list[tuple[int, Fact]] = [
        (tick, fact) for tick in ticks for fact in dict.fromkeys(load.made(size, tick, choose))
    ]
    text = b"".join(line(tick, (fact for at, fact in told if at == tick)) for tick in ticks)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "answers"
        with target.open("wb") as output:
            process = _process(Path(folder), load.program(size), output.fileno())
            process.communicate(text)
        expected = load.expected(size, told, ticks[-1])
        if read(target, Form.CHANGES, ticks[-1]) != expected or not expected:
            raise DifferentAnswersError("the product and the plain loop find different atoms")


def _process(folder: Path, program: str, output: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    path = folder / "program.lars"
    path.write_text(program)
    command = [sys.executable, "-m", "lars2asp", "run", str(path), "--input", "-", "--changes"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output)


def write(folder: Path, name: str, size: int, found: Sequence[Tenth], machine: Machine) -> None:
    """Writes what was measured, and on what."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"scale-{name}.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["size", "tenth", "us a fact", "MiB"])
        table.writerows([size, one.part, f"{one.micros:.3f}", f"{one.memory:.1f}"] for one in found)
    write_machines(folder, f"scale-{name}", [machine])


def table_of(name: str, size: int, facts: int, found: Sequence[Tenth]) -> Table:
    """All tenths, and whether time and memory are flat; in the first ones windows are filled."""
    middle, last = found[PARTS // 2 - 1], found[-1]
    verdicts = [
        f"time a fact {_verdict(middle.micros, last.micros)}",
        f"memory {_verdict(middle.memory, last.memory)}",
    ]
    what = f"{name}: {size:,}, {facts:,} facts through one process"
    title = f"{what}; in the second half: {', '.join(verdicts)}"
    cells = [[str(one.part), f"{one.micros:.2f}", f"{one.memory:.0f}"] for one in found]
    return Table(title, ["tenth", "us of CPU a fact", "MiB"], cells)


def _verdict(before: float, after: float) -> str:
    if not before:  # processor time is told in hundredths of a second
        return "too little to tell"
    return "flat" if after <= FLAT * before else f"grows to {after / before:.2f} times"
