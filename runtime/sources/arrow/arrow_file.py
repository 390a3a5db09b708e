"""Files of typed columns: Parquet and Feather, read in batches."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from lars2asp.runtime.errors import InputError, SnapshotError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import OnReject, Record
from lars2asp.runtime.sources.tables.table import MOST_ROWS, missing_declaration
from lars2asp.runtime.sources.tables.wanted_columns import (
    chosen_columns,
    columns_needed,
    columns_read,
    fitting,
    with_names,
)
from lars2asp.runtime.sources.tables.written_answers import read_typed_table
from lars2asp.runtime.sources.text.byte_streams import beginning_of
from lars2asp.runtime.sources.text.numbered_lines import LinePosition
from lars2asp.runtime.sources.text.text_files import open_bytes
from lars2asp.runtime.sources.text.zip_files import member_at, open_member, size_of_member
from lars2asp.syntax.nodes import Input

ROWS_AT_ONCE = 10_000
"""The number of rows of a batch, at most."""


_ARROW = ("pyarrow", "pyarrow.ipc", "pyarrow.parquet")


_PARQUET = b"PAR1"
_ARROWS = (b"ARRO", b"\xff\xff\xff\xff")
"""How files, and streams, of Arrow begin."""


class ArrowFile:
    """The rows of a file.

    Attributes:
        number: that of the last row of the batch that was given last but one, counted from 1.
        in_columns: whether records may be given in columns.

    Its first bytes say whether it is Parquet or Arrow, whatever its name and `--input-format` are.

    Raises InputError for what is not such a file.
    """

    def __init__(self, path: str) -> None:
        pa, ipc, parquet = (needed(name, "tables", path) for name in _ARROW)
        self._path = path
        self.number = 0
        self.in_columns = False
        try:
            member = member_at(path)
            self._size = Path(path).stat().st_size if member is None else size_of_member(member)
            source = (
                path if member is None else pa.BufferReader(beginning_of(open_member(member), self._size))
            )
            if _is_parquet(path):
                self._file = parquet.ParquetFile(source)
                self._schema = self._file.schema_arrow
                groups = map(self._file.metadata.row_group, range(self._file.num_row_groups))
                self._sizes = [group.num_rows for group in groups]
                self._is_parquet = True
            else:
                opened = pa.memory_map(path) if member is None else source
                self._file = _batches_of(opened, ipc, pa.ArrowInvalid)
                self._schema = self._file.schema
                self._sizes = [self._file.get_batch(n).num_rows for n in range(self._file.num_record_batches)]
                self._is_parquet = False
        except FileNotFoundError as error:
            raise InputError.of(path, f"cannot read this file: {error.strerror}") from error
        except pa.ArrowException as error:
            raise InputError.of(
                path, f"this is no Parquet or Arrow file: {str(error).splitlines()[0]}"
            ) from error

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns."""
        names: Sequence[str] = self._schema.names
        return names

    @property
    def with_text(self) -> Sequence[str]:
        """The names of the columns that have text; lists and structs have none. Raises InputError."""
        from lars2asp.runtime.sources.arrow.arrow_columns import has_text  # noqa: PLC0415

        found = [field.name for field in self._schema if has_text(field.type)]
        if not found:
            raise InputError(
                f"{self._path}: no column contains text or numbers: to read a field of a struct, name it "
                'in #input, as in "place.room"'
            )
        return found

    @property
    def bytes_read(self) -> int:
        """How much of the file has been read, about."""
        rows = sum(self._sizes)
        return self._size * self.number // rows if rows else 0

    def begin(self, place: LinePosition) -> None:
        """Reads from a row on. Raises SnapshotError where there are not so many."""
        if place.line - 1 > sum(self._sizes):
            raise SnapshotError(
                f"{self._path}: the file is now shorter than the part that was already read: put the old "
                "file back, or remove the checkpoint folder to start over"
            )
        self.number = place.line - 1

    def end_head(self) -> None:
        """There is no head."""

    def place(self, line: int) -> LinePosition:
        """Where a row stands."""
        return LinePosition(line, None)

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """Record batches with some columns, from the row behind the last one on.

        Raises InputError where the file is damaged.
        """
        import pyarrow as pa  # noqa: PLC0415

        to_skip = self.number
        try:
            for group, size in enumerate(self._sizes):
                if to_skip >= size:
                    to_skip -= size
                    continue
                for batch in self._of_group(group, columns):
                    if to_skip >= batch.num_rows:
                        to_skip -= batch.num_rows
                        continue
                    yield batch.slice(to_skip)
                    self.number += batch.num_rows - to_skip
                    to_skip = 0
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"{self._path}: the file is damaged: {str(error).splitlines()[0]}") from error

    def texts(self) -> Iterator[list[str]]:
        """The rows as text, of the columns that have it."""
        from lars2asp.runtime.sources.arrow.arrow_columns import texts_of  # noqa: PLC0415 - few need pyarrow

        for batch in self.batches(self.with_text):
            for row in zip(*map(texts_of, batch.columns), strict=True):
                yield [cell or "" for cell in row]

    def without_rows(self) -> Any:
        """A record batch with the columns of the file, and no row."""
        import pyarrow as pa  # noqa: PLC0415

        return pa.RecordBatch.from_pylist([], schema=self._schema)

    def _of_group(self, group: int, columns: Sequence[str]) -> Iterator[Any]:
        if self._is_parquet:
            yield from self._file.iter_batches(ROWS_AT_ONCE, [group], [*columns])
            return
        whole = self._file.get_batch(group).select([*columns])
        for begin in range(0, whole.num_rows, ROWS_AT_ONCE):
            yield whole.slice(begin, ROWS_AT_ONCE)


class _StreamedBatches:
    """The batches of a stream in a file, which has no index of them: they stay where they are mapped."""

    def __init__(self, stream: Any) -> None:
        self.schema = stream.schema
        self._batches = [*stream]
        self.num_record_batches = len(self._batches)

    def get_batch(self, number: int) -> Any:
        """A batch by its number."""
        return self._batches[number]


def _is_parquet(path: str) -> bool:
    with open_bytes(path) as raw:
        begins = beginning_of(raw, len(_PARQUET))
    return begins == _PARQUET or (begins not in _ARROWS and Path(path).suffix.lower() == ".parquet")


def _batches_of(opened: Any, ipc: Any, invalid: type[Exception]) -> Any:
    """The batches of a file in the file format of Arrow, or in its format of streams."""
    try:
        return ipc.open_file(opened)
    except invalid:
        opened.seek(0)
        return _StreamedBatches(ipc.open_stream(opened))


def file_records(
    file: ArrowFile, name: str, reading: Reading, on_reject: OnReject
) -> Iterator[Sequence[Record]]:
    """The records of a file of typed columns; see `read_csv`."""
    from lars2asp.runtime.sources.arrow.arrow_rows import column_of, read_batches  # noqa: PLC0415

    declarations, timeline = reading.of_fields, reading.timeline
    if not reading.format_of(name).has_types:  # answers that were written
        return read_typed_table(
            file.with_text,
            file.texts(),
            name,
            declarations,
            timeline,
            on_reject,
            reading.dialect,
            reading.decimals,
            intervals=reading.format is Format.INTERVALS,
            number=file.number + 1,
        )
    if not declarations:
        rows = [*islice(file.texts(), MOST_ROWS)]
        raise InputError(missing_declaration(name, file.with_text, rows, timeline))
    header = file.without_rows()
    if reading.is_of_several:
        declarations = fitting(declarations, partial(_fits, header))
    declarations = [with_names(one, file.columns, name) for one in declarations]
    for declaration in declarations:  # errors name all columns that there are
        for column in columns_read([declaration]):
            column_of(header, column, name, declaration)
        if declaration.spread is not None and declaration.spread.is_of_columns:
            chosen_columns(declaration, file.columns, name)
    read = columns_needed(declarations, file.columns)
    needed = [one for one in file.columns if any(f"{path}.".startswith(f"{one}.") for path in read)]
    if any(declaration.asks_filled for declaration in declarations):
        needed = [*file.columns]
    return read_batches(
        file.batches(needed),
        name,
        declarations,
        timeline,
        on_reject,
        reading.decimals,
        has_row_each=True,  # a run goes on behind any of them
        in_columns=lambda: file.in_columns,
        missing=reading.dialect.missing,
        number=file.number + 1,
    )


def _fits(header: Any, declaration: Input) -> bool:
    """Whether a file has all columns that a declaration names."""
    from lars2asp.runtime.sources.arrow.arrow_rows import column_of  # noqa: PLC0415 - few need pyarrow

    try:
        for column in columns_read([declaration]):
            column_of(header, column, "", declaration)
    except InputError:
        return False
    spread = declaration.spread
    return (
        spread is None or not spread.is_of_columns or bool(chosen_columns(declaration, header.schema.names))
    )
