"""The answers of a run as data frames, one for each predicate of the output: intervals, or changes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from lars2asp.analysis.number_forms import DurationForm, NumberForm, TimeForm
from lars2asp.externals.terms.terms import Row
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.extras import needed
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.sinks.argument_types import argument_type, value_of
from lars2asp.runtime.sinks.columns import (
    BEGAN,
    ENDED,
    OpenIntervals,
    answer_tables,
    changes_of,
    fits,
)
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import shown

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from lars2asp.runtime.sources.times.timeline import Timeline

_WHOSE = "frames of answers"

ROWS_AT_ONCE = 8192
"""The number of rows of a batch."""


class FrameKind(Enum):
    """The kind of rows in frames; the value names the columns with ticks."""

    INTERVALS = ("begin", "end")
    CHANGES = ("time",)


class AnswerRow(NamedTuple):
    """A row of a frame.

    Attributes:
        signature: The predicate.
        row: The arguments of the atom.
        ticks: Its first tick and the tick after its last (None for an open end), or the tick of the change.
        change: Whether it began or ended; None for intervals.
    """

    signature: Signature
    row: Row
    ticks: tuple[int | None, ...]
    change: str | None = None


def interval_rows(answers: Iterable[Answer], before: Answer) -> Iterator[AnswerRow]:
    """The intervals of atoms, when they end; at last the open intervals.

    Args:
        answers: The answers that differ from their predecessors.
        before: The answer before; intervals of its atoms begin at its tick.
    """
    intervals = OpenIntervals()
    assert not [*intervals.take(before, is_first=True)]  # they begin
    for answer in answers:
        for signature, row, begin, end in [*intervals.take(answer, is_first=False)]:
            yield AnswerRow(signature, row, (begin, end))
    for signature, row, begin, _ in intervals.rest():
        yield AnswerRow(signature, row, (begin, None))


def change_rows(answers: Iterable[Answer]) -> Iterator[AnswerRow]:
    """The atoms that ended and began, answer by answer."""
    for answer in answers:
        for signature, row, began in changes_of(answer, is_first=False):
            yield AnswerRow(signature, row, (answer.tick,), BEGAN if began else ENDED)


class AnswerFrames(Mapping[str, "AnswerFrame"]):
    """The answers of a run as data frames, one for each predicate such as `alarm/2`.

    `Reasoner.intervals` and `Reasoner.changes` make them. You can also use the name, `alarm`, if it is
    unique. The run starts when you first ask for rows. `to_pandas`, `to_polars` and `to_arrow` run
    it to its end and keep all frames. `batches`, and iteration over one frame, keep none.

    The first columns are:

        begin, end              the first tick of the atom, and the tick after its last
        time, change            the tick, and `began` or `ended`
        begin_at, end_at, at    when these ticks begin, if ticks have a length and the input has times

    The end of an open interval is null. Each argument is a further column, named after the variable in the
    heads of the rules or the column in `#input`, otherwise a1, a2. Its type is integer, decimal128,
    timestamp, duration or text. Terms from `#show` that are no atoms, such as numbers, are in no frame.

    Args:
        session: The program on its stream.
        kind: Intervals or changes.
        run: Starts the run.
        timeline: Returns the timeline of the input, or None.
    """

    def __init__(
        self,
        session: Session,
        kind: FrameKind,
        run: Callable[[], Iterator[Answer]],
        *,
        timeline: Callable[[], "Timeline | None"],
    ) -> None:
        self._tables = answer_tables(session.plan)
        self._session = session
        self._timeline = timeline
        self._kind = kind
        self._run = run
        self._has_run = False
        self._arrow: Any = _arrow()

    def __getitem__(self, predicate: str) -> "AnswerFrame":
        """Returns the frame of a predicate. Raises KeyError for a predicate that is not in the output."""
        found = [one for one in self._tables if str(predicate) in (str(one), str(one).rpartition("/")[0])]
        if len(found) != 1:
            known = ", ".join(map(str, self._tables)) or "nothing"
            raise KeyError(
                f"{shown(str(predicate))} is not one predicate of the output, which has {shown(known)}"
            )
        return AnswerFrame(self, found[0])

    def __iter__(self) -> Iterator[str]:
        return map(str, self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __repr__(self) -> str:
        return (
            f"<AnswerFrames: {', '.join(self) or 'none'}; to_pandas(), to_polars() or to_arrow() gives them>"
        )

    def __getstate__(self) -> dict[str, Any]:
        return {"_tables": self._tables, "_kind": self._kind, "_has_run": True, "tables": self.tables}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _arrow=_arrow())

    def batches(self) -> "Iterator[tuple[str, pa.RecordBatch]]":
        """Yields the rows of all frames during the run: pairs of a predicate and an Arrow batch.

        Raises:
            ValueError: If the run has already started.
            InputError: See `Reasoner.run`; also for text in a column of integers.
        """
        for signature, batch in self.stream(self._tables):
            yield str(signature), batch

    def to_arrow(self) -> "dict[str, pa.Table]":
        """Returns all frames as Arrow tables, by predicate."""
        return {name: frame.to_arrow() for name, frame in self.items()}

    def to_pandas(self) -> "dict[str, pd.DataFrame]":
        """Returns all frames for pandas, by predicate; The type of `end` is Int64."""
        return {name: frame.to_pandas() for name, frame in self.items()}

    def to_polars(self) -> "dict[str, pl.DataFrame]":
        """Returns all frames for polars, by predicate."""
        return {name: frame.to_polars() for name, frame in self.items()}

    # --- for frames -----------------------------------------------------------------------------------

    def schema(self, signature: Signature, integers: Iterable[bool] | None = None) -> "pa.Schema":
        """Returns the columns of a frame; by default the program decides which arguments are integers."""
        pa, table = self._arrow, self._tables[signature]
        is_integer = [column.is_integer for column in table.columns] if integers is None else [*integers]
        fields = [(name, pa.int64()) for name in self._kind.value]
        fields += [(_moment_name(name), self._moment_type) for name in self._kind.value if self._clock]
        fields += [("change", pa.string())] if self._kind is FrameKind.CHANGES else []
        kinds = [
            argument_type(pa.int64(), decimals, pa) if one else pa.string()
            for one, decimals in zip(is_integer, table.decimals, strict=True)
        ]
        return pa.schema([*fields, *zip(table.names, kinds, strict=True)])

    def stream(self, wanted: Iterable[Signature]) -> "Iterator[tuple[Signature, pa.RecordBatch]]":
        """Yields the rows of some frames; see `batches`. Kept frames can be read again."""
        if "tables" in vars(self):
            for signature in wanted:
                for batch in self.tables[signature].to_batches(ROWS_AT_ONCE):
                    yield signature, batch
            return
        for signature, rows in self._begun(wanted):
            yield signature, self._batch(signature, rows, is_fixed=True)

    @cached_property
    def tables(self) -> "Mapping[Signature, pa.Table]":
        """All rows of the run; a column is integer if all of its values are integers."""
        pa, parts = self._arrow, dict[Signature, list[Any]]()
        for signature, rows in self._begun(self._tables):
            parts.setdefault(signature, []).append(self._batch(signature, rows, is_fixed=False))
        found = {}
        for signature in self._tables:
            batches = parts.get(signature, [])
            integers = [
                not any(pa.types.is_string(batch.column(name).type) for batch in batches)
                for name in self._tables[signature].names
            ]
            schema = self.schema(signature, integers if batches else None)
            forms = self._tables[signature].decimals
            table = pa.Table.from_batches([_cast(batch, schema, forms) for batch in batches], schema)
            found[signature] = table.sort_by(self._kind.value[0])
        return found

    def _begun(self, wanted: Iterable[Signature]) -> Iterator[tuple[Signature, list[AnswerRow]]]:
        """The rows of some predicates, in batches."""
        if self._has_run:
            raise ValueError(
                "the run has already begun, and its rows were not kept: start a new run, or get all "
                "rows at once with to_arrow(), to_pandas() or to_polars()"
            )
        self._has_run = True
        waiting: dict[Signature, list[AnswerRow]] = {signature: [] for signature in wanted}
        for row in self._rows():
            rows = waiting.get(row.signature)
            if rows is None:
                continue
            rows.append(row)
            if len(rows) == ROWS_AT_ONCE:
                yield row.signature, rows
                waiting[row.signature] = []
        for signature, rows in waiting.items():
            if rows:
                yield signature, rows

    def _rows(self) -> Iterator[AnswerRow]:
        if self._kind is FrameKind.CHANGES:
            return change_rows(self._run())
        return interval_rows(self._run(), self._session.given)

    @cached_property
    def _clock(self) -> "Timeline | None":
        """The timeline, if the input has times; known when there are rows."""
        timeline = self._timeline()
        return None if timeline is None or timeline.tick_length is None else timeline

    @property
    def _moment_type(self) -> "pa.DataType":
        zone = None if self._clock is None else self._clock.zone
        return self._arrow.timestamp("us", str(zone or "UTC"))

    def _batch(self, signature: Signature, rows: list[AnswerRow], *, is_fixed: bool) -> "pa.RecordBatch":
        pa, table = self._arrow, self._tables[signature]
        ticks = [*zip(*(row.ticks for row in rows), strict=True)]
        columns: list[Any] = [*ticks]
        if self._clock is not None:
            begin_of = self._clock.begin_of
            columns += [[None if one is None else begin_of(one) for one in column] for column in ticks]
        if self._kind is FrameKind.CHANGES:
            columns.append([row.change for row in rows])
        if is_fixed:
            for row in rows:
                table.check_integers(row.row, "ask for whole frames (to_arrow(), ...), in which it is text")
            schema = self.schema(signature)
        else:
            arguments = zip(*(row.row for row in rows), strict=True)
            are_numbers = [
                all(type(value) is int and fits(value, decimals) for value in one)
                for one, decimals in zip(arguments, table.decimals, strict=True)
            ]
            schema = self.schema(signature, are_numbers)
        cells = zip(*(table.cells(row.row) for row in rows), strict=True)
        kinds = schema.types[len(columns) :]
        columns += [[*map(value_of(kind, pa), one)] for kind, one in zip(kinds, cells, strict=True)]
        return pa.record_batch(columns, schema=schema)


@dataclass(frozen=True)
class AnswerFrame:
    """The frame of one predicate; see AnswerFrames.

    Attributes:
        frames: The frames of the run.
        signature: The predicate.
    """

    frames: AnswerFrames
    signature: Signature

    def __iter__(self) -> "Iterator[pa.RecordBatch]":
        """Yields the rows during the run, as Arrow batches."""
        return (batch for _, batch in self.frames.stream([self.signature]))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """All rows, as a stream of Arrow's C interface: frames of other packages can be made of it."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> "pa.Table":
        """Returns all rows as an Arrow table, in the order of the first column."""
        return self.frames.tables[self.signature]

    def to_pandas(self) -> "pd.DataFrame":
        """Returns all rows for pandas; The type of `end` is Int64."""
        pandas = needed("pandas", None, _WHOSE)
        table = self.to_arrow()
        frame = table.to_pandas()
        if "end" in table.column_names[:2]:
            frame["end"] = table["end"].to_pandas(types_mapper={_arrow().int64(): pandas.Int64Dtype()}.get)
        return frame

    def to_polars(self) -> "pl.DataFrame":
        """Returns all rows for polars."""
        frame: pl.DataFrame = needed("polars", None, _WHOSE).from_arrow(self.to_arrow())
        return frame


def _moment_name(name: str) -> str:
    return "at" if name == "time" else f"{name}_at"


def _cast(batch: "pa.RecordBatch", schema: "pa.Schema", forms: Sequence[NumberForm]) -> "pa.RecordBatch":
    """A batch with other types of arguments, because some are texts in other batches."""
    others: list[NumberForm] = [0] * (len(schema.types) - len(forms))
    columns = [
        column if column.type == kind else _as_text(column, form)
        for column, kind, form in zip(batch.columns, schema.types, [*others, *forms], strict=True)
    ]
    return _arrow().record_batch(columns, schema=schema)


def _as_text(column: "pa.Array", form: NumberForm) -> "pa.Array":
    """Arguments as texts; numbers with all decimals, and without exponent."""
    pa = _arrow()
    if isinstance(form, TimeForm):
        return pa.array([form.text(form.of_moment(value)) for value in column.to_pylist()], pa.string())
    if isinstance(form, DurationForm):
        return pa.array([form.text(form.of_length(value)) for value in column.to_pylist()], pa.string())
    if pa.types.is_decimal(column.type):
        return pa.array([f"{value:f}" for value in column.to_pylist()], pa.string())
    return column.cast(pa.string())


def _arrow() -> Any:
    return needed("pyarrow", "tables", _WHOSE)
