"""Where a run writes its answers: a file, one for each table, or what another process delivers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from lars2asp.runtime.connectors.addresses import destination_of
from lars2asp.runtime.connectors.posting import Posting
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sinks.csv_tables import AnswerTables, CsvWriter
from lars2asp.runtime.sinks.emission import Emission, OutputFormat, Sink
from lars2asp.runtime.sinks.json_lines import JsonLines
from lars2asp.runtime.sinks.quad_lines import QuadLines
from lars2asp.runtime.sources.text.text_files import (
    STANDARD,
    CheckpointedSize,
    OutputFile,
    open_output,
    size_of,
)
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from lars2asp.runtime.runs.processes.delivery import Delivered, Delivery

# What delivers answers to others is imported where it is used: most runs start sooner without.
# ruff: noqa: PLC0415

Sizes = int | dict[str, int] | None
"""The bytes of the file that were written, or of the files of a folder by their names; None for no file."""

Waiting = Callable[[], AbstractContextManager[float | None]]


@dataclass(frozen=True)
class Outputs:
    """Where answers go.

    Attributes:
        emission: how they are written.
        files: the file, or those of a folder.
        names: in a folder the names of the files.
        delivery: delivers what is written, where another process does that.
    """

    emission: Emission
    files: Sequence[OutputFile]
    names: Sequence[str] = ()
    delivery: "Delivery | None" = None

    @property
    def streams(self) -> list[TextIO]:
        """What takes answers, after `begin`."""
        return [file.stream for file in self.files]

    def begin(self) -> None:
        """Drops what is in the files, but for what is kept of it. Raises InputError."""
        for file in self.files:
            file.begin()
        if self.delivery is not None:
            self.delivery.begin()

    def flush(self) -> None:
        """Writes what is still in buffers."""
        for stream in self.streams:
            stream.flush()

    def finish(self) -> None:
        """Writes and delivers all; nothing is written any more. Raises InputError where it cannot be."""
        self.flush()
        if self.delivery is not None:
            self.delivery.end()

    def isatty(self) -> bool:
        """Whether answers go to a terminal."""
        return any(stream.isatty() for stream in self.streams)

    def sizes(self) -> Sizes:
        """How much was written, all of it on the disk. Raises InputError where it cannot be."""
        if not self.names:
            return size_of(self.streams[0])
        return {name: size_of(stream) or 0 for name, stream in zip(self.names, self.streams, strict=True)}

    def delivered(self) -> dict[str, Any] | None:
        """How far answers were delivered, as JSON has it; see `Delivery.state`."""
        return None if self.delivery is None else self.delivery.state()

    def sink(self) -> Sink:
        """What writes answers there."""
        match self.emission.format:
            case OutputFormat.JSONL:
                return JsonLines(self.streams[0], self.emission)
            case OutputFormat.NQUADS:
                assert self.emission.quads is not None
                return QuadLines(self.streams[0], self.emission.quads)
            case OutputFormat.CSV:
                return AnswerTables(CsvWriter(self.streams), self.emission)
            case OutputFormat.PARQUET:
                from lars2asp.runtime.sinks.parquet_files import ParquetLines

                return AnswerTables(ParquetLines(self.streams[0]), self.emission)


@contextmanager
def open_outputs(
    path: str,
    emission: Emission,
    sizes: Sizes,
    checkpoint: str | None,
    waiting: Waiting = nullcontext,
    delivered: "Delivered | None" = None,
    posting: Posting | None = None,
) -> Iterator[Outputs]:
    """The place for answers; see `open_output`.

    Args:
        path: a file, `-` for standard output, an address, or for tables a folder.
        emission: how answers are written.
        sizes: the part of the files that the checkpoint needs.
        checkpoint: the folder of the checkpoints.
        waiting: a context that is entered while the process waits for what another one delivers.
        delivered: how far that one had come before the run was interrupted.
        posting: how answers are sent to others.

    Raises InputError.
    """
    destination = destination_of(path, posting)
    if emission.format is OutputFormat.PARQUET:
        from lars2asp.runtime.sinks.parquet_files import ParquetFiles

        names = table_files(emission) if is_folder(path) else []
        destination = ParquetFiles(path, names, emission)
    with ExitStack() as stack:
        if destination is not None:
            from lars2asp.runtime.runs.processes.delivery import Delivery

            delivery = stack.enter_context(Delivery(destination, waiting, delivered, posting))
            yield Outputs(emission, [OutputFile(cast(TextIO, delivery), None)], delivery=delivery)
            return
        parts = {"": sizes} if not isinstance(sizes, dict) else sizes
        kept = {
            name: CheckpointedSize(size, str(checkpoint)) for name, size in parts.items() if size is not None
        }
        if not (emission.format.is_table and is_folder(path)):
            yield Outputs(emission, [stack.enter_context(open_output(path, kept.get(""), checkpoint))])
            return
        names = table_files(emission)
        stack.enter_context(_folder(path))
        paths = {name: str(Path(path, name)) for name in names}
        files = [stack.enter_context(open_output(paths[one], kept.get(one), checkpoint)) for one in names]
        yield Outputs(emission, files, names)


def with_spreadsheet(path: str) -> tuple[str, bool]:
    """The place for answers without `?spreadsheet=yes`, and whether it has that; a file so named goes first.

    Raises InputError for another value.
    """
    base, mark, value = path.partition("?spreadsheet=")
    if not mark or destination_of(path) is not None or Path(path).exists():
        return path, False
    if value not in ("yes", "no"):
        raise InputError(f"{base}?...: write spreadsheet=yes or spreadsheet=no")
    return base, value == "yes"


def is_folder(path: str) -> bool:
    """Whether tables go to the files of a folder: its name ends with `/`, or it is there."""
    return path != STANDARD and (path.endswith("/") or Path(path).is_dir())


def table_files(emission: Emission) -> list[str]:
    """The names of the files of tables: `alarm.csv`, or `alarm-2.csv` where predicates share the name."""
    signatures = [table.signature for table in emission.tables]
    names = [f"{'' if one.is_positive else '-'}{one.name}" for one in signatures]
    return [
        f"{name}{f'-{one.arity}' if names.count(name) > 1 else ''}.{emission.format}"
        for name, one in zip(names, signatures, strict=True)
    ]


@contextmanager
def _folder(path: str) -> Iterator[None]:
    """A folder, made if need be, and removed again if nothing is written to it. Raises InputError."""
    folder = Path(path)
    is_new = not folder.is_dir()
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        cure = f"; create the folder {shown(str(folder.parent))} first" if not folder.parent.is_dir() else ""
        raise InputError(f"{path}: cannot create the folder for answers: {error.strerror}{cure}") from error
    try:
        yield
    finally:
        if is_new:
            with suppress(OSError):  # it has files
                folder.rmdir()
