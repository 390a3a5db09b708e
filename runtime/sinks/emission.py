"""How answers are written."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.sinks.columns import AnswerTable
from lars2asp.runtime.sinks.quad_lines import QuadForm
from lars2asp.syntax.option_values import OptionValue
from lars2asp.syntax.values import dataclass


class OutputFormat(OptionValue):
    """The form of what is written."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    NQUADS = "nquads"

    @property
    def is_table(self) -> bool:
        """Whether there is a column for each argument."""
        return self in (OutputFormat.CSV, OutputFormat.PARQUET)


def output_format_of(name: str) -> OutputFormat:
    """The format of a file, by its name."""
    suffix = Path(name).suffix.lower().removeprefix(".")
    if suffix == "nq":
        return OutputFormat.NQUADS
    return OutputFormat(suffix) if suffix in (OutputFormat.CSV, OutputFormat.PARQUET) else OutputFormat.JSONL


@dataclass(frozen=True)
class Emission:
    """How answers are written.

    Attributes:
        changes: in JSON lines what began and ended to hold since the line before, in place of all atoms.
        models: all answer streams that were found, in place of the one followed.
        format: the form of what is written.
        intervals: in tables a row for each interval over which an atom holds, in place of its changes.
        times: gives the time of a tick as text, where times stand beside ticks.
        zone: the name of the time zone of these.
        tables: the tables of the output, each predicate once; none for JSON lines.
        quads: how answers are N-Quads, where they are.
        for_spreadsheets: whether in CSV an apostrophe stands before texts that spreadsheets would compute.
    """

    changes: bool = False
    models: bool = False
    format: OutputFormat = OutputFormat.JSONL
    intervals: bool = False
    times: Callable[[int], str | None] | None = None
    zone: str = "UTC"
    tables: tuple[AnswerTable, ...] = ()
    quads: QuadForm | None = None
    for_spreadsheets: bool = False


class Sink(Protocol):
    """Takes answers on their way out.

    Attributes:
        is_first: whether no answer was written yet.
    """

    is_first: bool

    def write(self, answer: Answer) -> None:
        """Writes an answer, the changes of which are those since the one written before.

        Raises InputError where that is not possible, but BrokenPipeError where nobody reads any more.
        """
        ...

    def write_all(self, answers: Iterable[Answer]) -> None:
        """Writes several answers, each as `write` does; whoever reads along sees them together.

        Raises the same.
        """
        ...

    def close(self) -> None:
        """Writes what only the end of a run decides. Raises the same."""
        ...

    def state(self) -> Any:
        """What the sink must know to go on after an interruption besides `is_first`, as JSON has it."""
        ...

    def restore(self, state: Any) -> None:
        """Takes over a state."""
        ...
