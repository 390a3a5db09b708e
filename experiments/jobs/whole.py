"""The ten jobs as whole processes, beside plain loops and other systems."""

import math
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from experiments.failures import FailedProcessError, reason_of
from experiments.jobs.answers import Form, Intervals, read
from experiments.jobs.costs import Cost, JobCost, machine_with, write
from experiments.jobs.job import Job
from experiments.jobs.part import Settings, Table
from experiments.jobs.processes import Used, used_by
from experiments.jobs.program_lines import ROOT, lines_of_entry, lines_of_text
from experiments.jobs.ten import TEN
from experiments.kept_results import FOLDER

LONG = 2.5
"""In CPU seconds: what takes longer is run once."""

LEAST_NET = 0.02
"""In CPU seconds: less than that is noise, and nothing is held to it."""

MORE = 10
"""How many times as many rows the large sizes have."""

LEAST = {"absence": 10_000, "closure": 500}
"""The least rows of a job, where they are not 5,000."""


class Way(StrEnum):
    """What does a job."""

    CHANGES = "lars2asp, changes"
    PIPE = "lars2asp, changes, pipe"
    DELTA = "lars2asp, changes, delta"
    LINES = "lars2asp, full lines"
    LOOP = "plain loop"
    LOOP_PIPE = "plain loop, pipe"
    BYTEWAX = "bytewax"
    BYTEWAX_PIPE = "bytewax, pipe"
    PATHWAY = "pathway"
    DUCKDB = "duckdb"
    POLARS = "polars"
    FLINK = "pyflink"


PIPED: Mapping[Way, Way] = {
    Way.PIPE: Way.CHANGES,
    Way.LOOP_PIPE: Way.LOOP,
    Way.BYTEWAX_PIPE: Way.BYTEWAX,
}
"""What does a job from standard input, and what does it from a file."""

OPTIONS: Mapping[Way, tuple[str, ...]] = {
    Way.CHANGES: ("--changes",),
    Way.PIPE: ("--changes",),
    Way.DELTA: ("--changes", "--evaluator", "delta"),
    Way.LINES: (),
}
"""Of the product, by what it writes."""

FORMS: Mapping[Way, Form] = {
    **dict.fromkeys((Way.CHANGES, Way.PIPE, Way.DELTA), Form.CHANGES),
    Way.LINES: Form.ATOMS,
}
"""How the product writes answers; those of other systems are intervals."""

PEERS = frozenset({Way.BYTEWAX, Way.BYTEWAX_PIPE, Way.PATHWAY, Way.DUCKDB, Way.POLARS, Way.FLINK})
"""Other systems, which may be missing."""

PACKAGES: Mapping[Way, str] = {
    **dict.fromkeys((Way.BYTEWAX, Way.BYTEWAX_PIPE), "bytewax"),
    Way.PATHWAY: "pathway",
    Way.DUCKDB: "duckdb",
    Way.POLARS: "polars",
    Way.FLINK: "apache-flink",
}
"""What the package index calls them."""


@dataclass(frozen=True)
class Texts:
    """What users write for jobs, but for the programs of the product.

    Attributes:
        modules: by ways: a module that is run as a process, and its table of jobs.
        loop_form: how the plain loops write answers.
        declared: by ways: what such a module declares for its texts.
    """

    modules: Mapping[Way, tuple[str, str]]
    loop_form: Form = Form.CHANGES
    declared: Mapping[Way, Sequence[str]] = field(default_factory=dict)


OF_JOBS = Texts(
    {
        Way.LOOP: ("experiments.jobs.loops", "LOOPS"),
        Way.BYTEWAX: ("experiments.jobs.peers.bytewax_flows", "FLOWS"),
        Way.PATHWAY: ("experiments.jobs.peers.pathway_tables", "TABLES"),
        Way.DUCKDB: ("experiments.jobs.peers.duckdb_queries", "QUERIES"),
        Way.POLARS: ("experiments.jobs.peers.polars_frames", "FRAMES"),
        Way.FLINK: ("experiments.jobs.peers.flink_sql", "QUERIES"),
    },
    declared={Way.FLINK: ("COLUMNS",)},
)

CANNOT: Mapping[Way, Mapping[str, str]] = {
    Way.POLARS: {"closure": "has no recursion: you would join in a Python loop until nothing is new"},
    Way.FLINK: {"closure": "has no recursion"},
}
"""The jobs that systems cannot express, and why."""

TAKEN: Mapping[Way, str] = {
    Way.BYTEWAX: "takes event by event; the state of a key, and its end, are written in Python",
    Way.PATHWAY: "takes the whole file at once",
    Way.DUCKDB: "takes the whole file at once",
    Way.POLARS: "takes the whole file at once",
    Way.FLINK: "takes the whole file at once, in batches in which a row can ask for the next row",
}
"""How other systems find the answers."""


class DifferentAnswersError(Exception):
    """Two ways of doing a job give different answers."""


@dataclass(frozen=True)
class Work:
    """A job on a stream.

    Attributes:
        name: that of the job.
        folder: has the program and takes answers.
        source: the stream.
        last: its last tick.
        peers: an interpreter of Python that has other systems.
        texts: what other systems are told.
    """

    name: str
    folder: Path
    source: Path
    last: int
    peers: str = sys.executable
    texts: Texts = OF_JOBS

    @classmethod
    def made(
        cls,
        name: str,
        job: Job,
        folder: Path,
        rows: int,
        peers: str = sys.executable,
        texts: Texts = OF_JOBS,
    ) -> "Work":
        """Writes the program and a stream of so many rows."""
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.lars").write_text(job.program)
        source = folder / f"{name}{job.suffix}"
        return cls(name, folder, source, job.write(source, rows), peers, texts)

    def run(self, way: Way, most: int | None = None) -> Used | None:
        """Does the job; what the process took, None if it was ended after `most` CPU seconds."""
        return used_by(self._command(way), most)

    def answers(self, way: Way) -> Intervals:
        """What was found by the last run."""
        form = self.texts.loop_form if PIPED.get(way, way) is Way.LOOP else FORMS.get(way, Form.INTERVALS)
        return read(self._target(way), form, self.last)

    def _command(self, way: Way) -> list[str]:
        done = PIPED.get(way, way)
        source, target = str(self.source), str(self._target(way))
        if way in OPTIONS:
            read = ["-", *_form_of(self.source)] if way in PIPED else [source]
            program = str(self.folder / f"{self.name}.lars")
            written = ["--input", *read, "--output", target, *OPTIONS[way]]
            told = [sys.executable, "-m", "lars2asp", "run", program, *written]
        else:
            python = sys.executable if done is Way.LOOP else self.peers
            read = ["/dev/stdin" if way in PIPED else source]
            told = [python, "-m", self.texts.modules[done][0], self.name, *read, target]
        return ["sh", "-c", f"cat {shlex.quote(source)} | {shlex.join(told)}"] if way in PIPED else told

    def _target(self, way: Way) -> Path:
        return self.folder / f"{self.name}.{way.name.lower()}"


def _form_of(source: Path) -> list[str]:
    """What a pipe does not say by its name: that it has a table."""
    return ["--input-format", "csv"] if source.suffix == ".csv" else []


def tables(settings: Settings) -> Iterator[Table]:
    """A table for each job, and with the large sizes another of ten times as many rows."""
    there = {way for way in Way if way not in PEERS or is_installed(way, settings.peers)}
    machine = machine_with(settings.peers, [*PACKAGES.values()])  # before, as files may change meanwhile
    kept: list[JobCost] = []
    for name, job in TEN.items():
        if settings.only in name:
            rows = settings.some(job.rows, LEAST.get(name, 5000))
            ways = [way for way in Way if way in there and name not in CANNOT.get(way, {})]
            found = measured(name, job, rows, ways, settings)
            kept += costs_of(name, job, rows, found)
            yield table_of(name, job, rows, found, there)
            if settings.is_full:
                ways = [way for way in ways if found[way].whole is not None]
                large = measured(name, job, MORE * rows, ways, settings)
                yield table_of(name, job, MORE * rows, large, there)
                yield growth_of(name, found, large)
    if not settings.only:
        yield pipes_of(kept)
    if settings.is_all and there >= PEERS:
        write(FOLDER, "jobs", kept, machine)


def pipes_of(kept: Sequence[JobCost]) -> Table:
    """The jobs through a pipe, beside the plain loop and bytewax through a pipe."""
    costs: dict[str, dict[str, JobCost]] = {}
    for one in kept:
        costs.setdefault(one.job, {})[one.system] = one
    cells = []
    for job, found in costs.items():
        wholes = [found[way].cost.whole if way in found else None for way in PIPED]
        nets = [found[way].cost.net if way in found else None for way in PIPED]
        written = ["" if net is None else f"{net * 1e6 / found[Way.PIPE].rows:.2f}" for net in nets]
        ratios = [_over(values[0], other) for values in (nets, wholes) for other in values[1:]]
        cells.append([job, *written, *ratios])
    return Table(
        "through a pipe: CPU time without the start in us a row, and as a part of what others take",
        ["", *PIPED, "without / loop", "without / bytewax", "whole / loop", "whole / bytewax"],
        cells,
    )


def costs_of(
    name: str, job: Job, rows: int, found: Mapping[Way, Cost], texts: Texts = OF_JOBS
) -> Sequence[JobCost]:
    """What is kept of a job."""
    return [
        JobCost(name, way.value, rows, cost, lines_of(way, name, job, texts)) for way, cost in found.items()
    ]


def is_installed(way: Way, python: str) -> bool:
    """Whether an interpreter has another system, and a Java where it needs one."""
    has_java = "JAVA_HOME" in os.environ or shutil.which("java") is not None
    return has_module(python, PIPED.get(way, way).value) and (has_java or way is not Way.FLINK)


def has_module(python: str, module: str) -> bool:
    """Whether an interpreter has a module."""
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    return subprocess.run([python, "-c", code], check=False).returncode == 0


def measured(
    name: str, job: Job, rows: int, ways: Sequence[Way], settings: Settings, texts: Texts = OF_JOBS
) -> Mapping[Way, Cost]:
    """The cost of each way. Ways take turns, and answers are compared after the first turn.

    Another system that fails, or gives other answers than the plain loop, ends for itself alone.

    Raises:
        DifferentAnswersError: if the product gives other answers than the plain loop.
        FailedProcessError: if the product or the plain loop fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        work = Work.made(name, job, Path(folder), rows, settings.peers, texts)
        empty = Work.made(name, job, Path(folder) / "empty", 1, settings.peers, texts)
        whole: dict[Way, list[Used]] = {way: [] for way in ways}
        start: dict[Way, list[Used]] = {way: [] for way in ways}
        failed: dict[Way, str] = {}
        going = [*ways]
        for turn in range(settings.runs):
            for way in [*going]:
                settings.say(f"{name}: {way}, turn {turn + 1}")
                is_hopeless = way is Way.LINES and not whole[Way.CHANGES]  # full lines take longer
                try:
                    began = empty.run(way)
                    assert began is not None
                    start[way].append(began)
                    took = None if is_hopeless else work.run(way, settings.most + math.ceil(began.cpu))
                except FailedProcessError as error:
                    if way not in PEERS:
                        raise
                    failed[way], took = reason_of(error), None
                if took is not None:
                    whole[way].append(took)
                if took is None or took.cpu > LONG:
                    going.remove(way)
            if turn == 0:
                compared = [way for way in ways if whole[way] and way not in failed]
                failed |= _differing(work, [way for way in compared if way in PEERS])
                compare(work, [way for way in compared if way not in PEERS])
                going = [way for way in going if way not in failed]
    return {way: Cost.of(found, start[way], failed.get(way, "")) for way, found in whole.items()}


def _differing(work: Work, peers: Sequence[Way]) -> Mapping[Way, str]:
    """Other systems whose answers differ from those of the plain loop, and how."""
    found = {}
    for way in peers:
        try:
            compare(work, [way])
        except (DifferentAnswersError, OSError, ValueError) as error:  # or no answers, or unreadable ones
            found[way] = reason_of(error)
    return found


def compare(work: Work, ways: Sequence[Way]) -> None:
    """Holds all answers to those of the plain loop.

    Raises:
        DifferentAnswersError: if there is a difference, or if there is no answer at all.
    """
    expected = work.answers(Way.LOOP)
    if not expected:
        raise DifferentAnswersError(f"{work.name}: the plain loop finds nothing")
    for way in ways:
        found = work.answers(way)
        if found != expected:
            differing = [one for one in {**expected, **found} if expected.get(one) != found.get(one)]
            first = min(differing)
            raise DifferentAnswersError(
                f"{work.name}: {way} differs from the plain loop in {len(differing)} atoms; "
                f"it has {first} at {found.get(first)}, the loop at {expected.get(first)}"
            )


def table_of(name: str, job: Job, rows: int, found: Mapping[Way, Cost], there: Collection[Way]) -> Table:
    """What was measured, beside the plain loop, bytewax and DuckDB; and what is not, and why.

    Ways through a pipe stand beside the loop and bytewax through a pipe.

    Args:
        name: that of the job.
        job: the job.
        rows: of its stream.
        found: what was measured.
        there: what is installed.
    """
    nothing = Cost(None, 0)
    duckdb = found.get(Way.DUCKDB, nothing).whole
    cells = []
    for way in Way:
        cost = found.get(way)
        loop, bytewax = (Way.LOOP_PIPE, Way.BYTEWAX_PIPE) if way in PIPED else (Way.LOOP, Way.BYTEWAX)
        if cost is None:
            reason = CANNOT.get(way, {}).get(name) if way in there else "not installed: skipped"
            cells.append([f"{way.value}: {reason}", *[""] * 10])
        elif cost.whole is None or cost.net is None:
            cells.append(
                [way.value, cost.without_time, f"{cost.start:.2f}", *[""] * 7, str(lines_of(way, name, job))]
            )
        else:
            times = [
                f"{cost.whole:.2f}",
                f"{cost.start:.2f}",
                f"{cost.net:.2f}",
                f"{cost.net * 1e6 / rows:.2f}",
            ]
            peers = (found.get(bytewax, nothing).whole, duckdb)
            beside = [_over(cost.net, found.get(loop, nothing).net)]
            beside += [_over(cost.whole, peer) for peer in peers]
            more = [f"{cost.wall:.2f}", f"{cost.memory / 2**20:.0f}", str(lines_of(way, name, job))]
            cells.append([way.value, *times, *beside, *more])
    return Table(
        f"{name}: {rows:,} rows; {job.what}; CPU seconds",
        [
            "",
            "whole",
            "start-up",
            "without",
            "us a row",
            "without / loop",
            "whole / bytewax",
            "whole / duckdb",
            "wall, s",
            "memory, MiB",
            "lines",
        ],
        cells,
    )


def growth_of(name: str, few: Mapping[Way, Cost], many: Mapping[Way, Cost]) -> Table:
    """How much more CPU time, without the start, and memory the large size takes."""
    return Table(
        f"{name}: {MORE} times as many rows",
        ["", "CPU time, times as much", "memory, times as much"],
        [
            [way.value, _over(large.net, few[way].net), _over(large.memory, few[way].memory)]
            for way, large in many.items()
            if large.net is not None and (few[way].net or 0) > LEAST_NET
        ],
    )


def lines_of(way: Way, name: str, job: Job, texts: Texts = OF_JOBS) -> int:
    """The lines that a user writes for a job."""
    if way in OPTIONS:
        return lines_of_text(job.program)
    module, table = texts.modules[PIPED.get(way, way)]
    path = ROOT / f"{module.replace('.', '/')}.py"
    return lines_of_entry(path, table, name, declared=texts.declared.get(way, ()))


def _over(one: float | None, other: float | None) -> str:
    return "" if one is None or other is None else f"{one / other:.2f}"
