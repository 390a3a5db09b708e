"""From a DataFrame of timed facts to a DataFrame of changes."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, Unpack

from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from lars2asp.compiler import Overrides, checked_program
from lars2asp.runtime.reasoning.run_options import check_keywords
from lars2asp.runtime.reasoning.user_functions import given_functions
from lars2asp.runtime.spark.carrier.answer_tables import as_intervals, as_table, columns_beside
from lars2asp.runtime.spark.carrier.boundary import check_clock, check_stream
from lars2asp.runtime.spark.carrier.driver import BatchSink, started_on_driver
from lars2asp.runtime.spark.carrier.operators import evaluated
from lars2asp.runtime.spark.carrier.packet_frames import RejectedRows, as_changes
from lars2asp.runtime.spark.carrier.row_account import RowAccount
from lars2asp.runtime.spark.carrier.sharded_program import ShardedProgram
from lars2asp.runtime.spark.carrier.tables import facts_of
from lars2asp.runtime.spark.spark_program import SparkProgram
from lars2asp.runtime.spark.spark_settings import Partitioning, SparkOptions, SparkSettings
from lars2asp.syntax.parser import read_sources, text_source
from lars2asp.syntax.source import Source

ProgramSource = str | Path | Sequence[Path]
"""The text of a program, or paths of its files."""


def answers(
    df: DataFrame,
    program: ProgramSource,
    *,
    clock: DataFrame | None = None,
    account: RowAccount | None = None,
    **options: Unpack[SparkOptions],
) -> DataFrame:
    """Returns the changes of the output as a DataFrame; a streaming one if `df` is streaming.

    Each row of `df` contains a `time` and an `atom`, or the columns of an `#input`, or a JSON line in
    `value`. With `time` and `atom`, a column `change` may say `began` or `ended`, and `until` the last tick.
    Within a tick, rows are in the order of their times; at equal times ends come first, then begins, then
    facts.

    | column | content |
    | --- | --- |
    | `time` | a tick |
    | `at` | when the tick begins, if ticks have a length; a watermark for streams |
    | `atom` | the atom, or the text of a rejected row |
    | `change` | `began`, `ended`, `rejected`, or `unsatisfiable` and `satisfiable` for answer streams |
    | `predicate`, `arguments` | the parts of the atom; strings without quotes |
    | `partition` | the reasoner |
    | `reason` | why a row was rejected |

    A tick of a stream is over when an earlier batch contained a time beyond it by more than the lateness.
    Without new rows no tick is over, unless you give a clock.

    Args:
        df: The input.
        program: The text of the program, or paths of its files.
        clock: A streaming DataFrame with the current time in the column `time`.
        account: Counts the rows.
        options: Keywords such as `const` and `lateness`; see "Keywords of `lars2asp.spark`".

    Raises:
        ProgramError: Lists every mistake in the program.
        InputError: For wrong columns, an earlier watermark or aggregation, times beyond Spark's range, and
            functions that Spark cannot send to workers.
        EvaluatorError: If the evaluator cannot run the program.
        Lars2aspError: If Spark is not ready, for example because of its state store.
        ValueError: For keywords with a wrong value, and for the name of a file as text.
    """
    _check_frame(df)
    compiled = _compiled(program, options)
    return as_changes(*_packets(df, compiled, clock, account))


def answers_of(
    df: DataFrame,
    program: ProgramSource,
    predicate: str,
    *,
    columns: Sequence[str] | None = None,
    intervals: bool = False,
    on_reject: Literal["warn", "stop", "rows"] = "warn",
    clock: DataFrame | None = None,
    account: RowAccount | None = None,
    **options: Unpack[SparkOptions],
) -> DataFrame:
    """Returns the answers of one predicate as a table with a column for each argument.

    Each row contains a `change` at a `time`, as in `answers`. With `intervals` it contains `begin` and `end`,
    the first ticks when the atom holds and no longer holds, and their times (`begin_at`, `end_at`).

    Args:
        df: Timed facts, as for `answers`.
        program: The text of the program, or paths of its files.
        predicate: Such as `"alarm/2"`.
        columns: A name for each argument, with a type if you like, as in `["room", "level int"]`. A value of
            another type is missing. [default: the variables in the heads, or a1, a2; int or string]
        intervals: True for intervals, if `df` is bounded.
        on_reject: What to do with bad rows. "warn": workers log how many there were, and why the first.
            "stop": the first stops the query. "rows": the table includes them, with the columns `row` and
            `reason`; not with intervals. [default: "warn"]
        clock: As for `answers`.
        account: As for `answers`.
        options: See SparkOptions.

    Raises:
        ValueError: For a predicate that is not in the output, and for columns that do not fit it. Also for
            two columns whose names differ only in case, for intervals of a stream, and for the causes of
            `answers`.
    """
    _check_frame(df)
    compiled = _compiled(program, options)
    signature = compiled.shown(predicate)
    if not df.isStreaming and compiled.has_rules_for_others(signature):  # a checkpoint is of one output
        compiled = _compiled(program, {**options, "show": [predicate]})
    if intervals and df.isStreaming:
        raise ValueError("intervals need a bounded DataFrame, because intervals of a stream are still open")
    told = RejectedRows(on_reject)
    if intervals and told is RejectedRows.ROWS:
        raise ValueError("rejected rows are no intervals: remove intervals, or ask for answers")
    is_real = compiled.timeline.tick_length is not None
    others = columns_beside(told, is_real=is_real, intervals=intervals)
    table = compiled.table_columns(signature, df, columns, others)
    if intervals:
        changes = as_changes(*_packets(df, compiled, clock, account), told)
        return as_intervals(changes, signature, table)
    return as_table(*_packets(df, compiled, clock, account), signature, table, told)


def write_answers(
    df: DataFrame,
    program: ProgramSource,
    sink: BatchSink,
    checkpoint: str | Path,
    *,
    clock: DataFrame | None = None,
    trigger: Mapping[str, Any] | None = None,
    account: RowAccount | None = None,
    **options: Unpack[SparkOptions],
) -> StreamingQuery:
    """Runs any program on a stream with one reasoner in this process, batch by batch (driver mode).

    Args:
        df: A streaming DataFrame; see `answers`.
        program: The text of the program, or paths of its files.
        sink: Takes the changes of a batch, as in `answers`, and its number. After an interruption it may get
            the last batch again, with the same changes.
        checkpoint: A local folder for Spark's checkpoint and the states of the reasoner.
        clock: A streaming DataFrame with the current time in the column `time`.
        trigger: When to run a batch, as in Spark's `trigger`; `{"availableNow": True}` stops at the end of
            the input.
        account: Counts the rows.
        options: Keywords as in `answers`, except `split` and `partitions`.

    Raises:
        ValueError: For `until`. Other errors: see `answers`.
    """
    _check_frame(df)
    if options.get("until") is not None:
        raise ValueError("until needs a bounded DataFrame, because a clock moves the time of a stream")
    compiled = _compiled(program, {**options, "split": Partitioning.DRIVER})
    check_clock(clock, compiled.timeline)
    counts = [] if account is None else [account.of_batches(df.sparkSession)]
    return started_on_driver(df, compiled.sharded(df), sink, Path(checkpoint), clock, trigger, *counts)


def _packets(
    df: DataFrame, compiled: SparkProgram, clock: DataFrame | None, account: RowAccount | None
) -> tuple[DataFrame, ShardedProgram]:
    if compiled.settings.split is Partitioning.DRIVER:
        raise ValueError("write_answers runs a program on the driver")
    for stream in (df,) if clock is None else (df, clock):
        check_stream(stream)
    check_clock(clock, compiled.timeline)
    if df.isStreaming and compiled.until is not None:
        raise ValueError("until needs a bounded DataFrame, because a clock moves the time of a stream")
    compiled = compiled.for_rows(df)
    sharded = compiled.sharded(df)
    return evaluated(df, sharded, clock, compiled.until, account), sharded


def _check_frame(df: object) -> None:
    """Raises TypeError unless it is a DataFrame of Spark."""
    if not hasattr(df, "isStreaming"):
        kind = type(df)
        raise TypeError(
            f"pass a DataFrame of Spark, not {kind.__module__}.{kind.__qualname__}: make one with "
            "spark.createDataFrame(...), or pass the frame to Reasoner.run"
        )


def _compiled(program: ProgramSource, options: SparkOptions) -> SparkProgram:
    check_keywords(options, SparkOptions.__annotations__, "lars2asp.spark")
    if isinstance(program, str):
        if _is_path(program):
            raise ValueError(
                f"{program!r} is the name of a file, not the text of a program: pass Path({program!r})"
            )
        sources: tuple[Source, ...] = (text_source(program, options.get("dialect")),)
    else:
        paths = [program] if isinstance(program, Path) else program
        sources = read_sources(paths, options.get("dialect"))
    sources = (*sources, *(facts_of(name, df) for name, df in (options.get("tables") or {}).items()))
    trusted = options.get("trusted", True)
    overrides = Overrides.of(options, given_functions(options.get("functions"), trusted=trusted))
    checked = checked_program(*sources, overrides=overrides, trusted=trusted)
    return SparkProgram(checked, SparkSettings.of(options))


def _is_path(text: str) -> bool:
    """Whether a text is most likely the path of a program file."""
    if "\n" in text:
        return False
    with suppress(OSError, ValueError):
        if Path(text).is_file():
            return True
    return text.endswith((".lars", ".lp"))
