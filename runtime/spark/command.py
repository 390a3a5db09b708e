"""What the command `lars2asp spark` is told, and what came of it; Spark itself is imported when it runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from importlib import import_module
from pathlib import Path

from lars2asp.compiler import CheckedProgram, Overrides, checked_program
from lars2asp.runtime.evaluators.choice import EvaluatorName
from lars2asp.runtime.sources.timeline import EPOCH, TimeUnit
from lars2asp.runtime.spark.query.inputs import SparkInput
from lars2asp.runtime.spark.spark_errors import SparkSetupError
from lars2asp.splitting.parts import Split
from lars2asp.splitting.split import split, whole
from lars2asp.syntax.parser import read_sources


class Spread(StrEnum):
    """Which reasoners evaluate a program, and where."""

    AUTO = "auto"
    """One for each group of rules and bucket of keys, as far as the analysis of the program allows."""
    NONE = "none"
    """One on one of Spark's workers."""
    PIPELINED = "pipelined"
    """As `auto`, with components in levels, one behind the other."""
    DRIVER = "driver"
    """One in the process of the command."""


@dataclass(frozen=True)
class Settings:
    """What is run on Spark.

    Attributes:
        program: the files of the program.
        overrides: what is given in place of what the program says.
        input: where rows come from.
        output: the folder where answers go.
        checkpoint: the folder with what an interrupted run needs to go on.
        spread: which reasoners there are.
        partitions: how many reasoners work side by side; None: as the checkpoint has it, or as there are
            cores.
        lateness: for how long late rows are waited for: ticks, or as in `30 sec`.
        start: the first tick, as a time; None: that of the input.
        until: a time up to which all ticks are over in the end; None: the last ones stay open.
        is_followed: whether it goes on until it is interrupted.
        complete_windows: whether `always` needs windows that lie wholly on the timeline.
        evaluator: which evaluator to use.
        unit: what integer times count.
        origin: when tick 0 begins.
        master: where Spark runs; None: as `config` says, else on all cores of this machine.
        config: settings of Spark.
        trusted: whether the program may have scripts and include any file.
    """

    program: tuple[str, ...]
    overrides: Overrides
    input: SparkInput
    output: str
    checkpoint: Path
    spread: Spread = Spread.AUTO
    partitions: int | None = None
    lateness: str = "0"
    start: str | None = None
    until: str | None = None
    is_followed: bool = False
    complete_windows: bool = False
    evaluator: EvaluatorName = EvaluatorName.AUTO
    unit: TimeUnit = TimeUnit.TICK
    origin: datetime = EPOCH
    master: str = "local[*]"
    config: Mapping[str, str] = field(default_factory=dict)
    trusted: bool = True


@dataclass(frozen=True)
class Outcome:
    """What a run has done, from its start on this time.

    Attributes:
        rows: how many rows were read.
        rejected: how many of them, or of what they told, were rejected.
        batches: how many batches were done.
        partitions: how many reasoners there are.
        seconds: how long it took, the start of Spark left out.
    """

    rows: int
    rejected: int
    batches: int
    partitions: int
    seconds: float

    def __str__(self) -> str:
        """One line."""
        numbers = (
            (self.rows, "row"),
            (self.batches, "batch"),
            (self.partitions, "partition"),
        )
        counted = [f"{number} {_plural(what, number)}" for number, what in numbers]
        return f"{', '.join(counted)}, {self.rejected} rejected, {self.seconds:.1f} s"


def _plural(what: str, number: int) -> str:
    if number == 1:
        return what
    return f"{what}es" if what.endswith("ch") else f"{what}s"


def checked(settings: Settings) -> CheckedProgram:
    """The program without mistakes. Raises ProgramError."""
    return checked_program(
        *read_sources(settings.program), overrides=settings.overrides, trusted=settings.trusted
    )


def split_of(program: CheckedProgram, spread: Spread) -> Split:
    """The parts in which a program is evaluated."""
    if spread in (Spread.NONE, Spread.DRIVER):
        return Split((whole(program.program),))
    return split(program.program, program.semantics, pipelined=spread is Spread.PIPELINED)


def run(settings: Settings, program: CheckedProgram) -> Outcome:
    """Runs a program on Spark.

    Raises:
        SparkSetupError: where Spark, a Java or a library is missing.
        SparkError: where Spark fails.
        InputError: for input, columns and times that cannot be read.
        SnapshotError: for a checkpoint of another run.
        EvaluationError: if clingo refuses the program, or a function of the user's fails.
    """
    try:
        runner = import_module("lars2asp.runtime.spark.query.query_run")
    except ImportError as error:
        raise SparkSetupError(f"Spark is needed: pip install 'lars2asp[spark]' ({error})") from error
    outcome: Outcome = runner.Run(settings, program).done()
    return outcome
