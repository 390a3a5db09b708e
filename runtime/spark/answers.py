"""A DataFrame of timed facts in, a DataFrame of what began and ended out."""

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
"""The text of a program, or the path of its file, or those of its files."""


def answers(
    df: DataFrame,
    program: ProgramSource,
    *,
    clock: DataFrame | None = None,
    account: RowAccount | None = None,
    **options: Unpack[SparkOptions],
) -> DataFrame:
    """The changes of the program's output: a streaming DataFrame for a streaming one.

    The rows of `df` have a `time` and an `atom` each (`change` may say that it `began` or `ended`, and
    `until` how long it holds), or the columns that the program declares by `#input`, or a JSON line in
    `value`. Rows of one tick are in the order of their times; of equal times, what ends comes first, then
    what begins, then what holds.

    The result has the columns `time` (a tick), `at` (when the tick begins; only where ticks have a length),
    `atom`, `change` (`began`, `ended`; `rejected` for a row that was not taken, with its text as `atom`;
    `unsatisfiable` and `satisfiable` where answer streams end to be there and are there again), `predicate`
    and `arguments` of the atom (`alarm/2`; strings without quotes, else as programs write it), `partition`
    (which reasoner it comes from) and `reason` (why a row was rejected).

    Of a stream, `at` has a watermark: windows and deduplication go by it, without another `withWatermark`.

    A tick of a stream is over when a batch before has shown a time that lies more than the lateness behind
    it. Where nothing arrives no tick is over, unless a clock goes on.

    Args:
        df: timed facts.
        program: the text of the program, or paths of its files.
        clock: a streaming DataFrame whose column `time` says what time it is.
        account: counts what becomes of the rows.
        options: see SparkOptions.

    Raises:
        ProgramError: with all that is wrong with the program.
        InputError: for columns that do not fit, a watermark or an aggregation before, times that Spark cannot
            keep, and functions that cannot be sent to workers.
        EvaluatorError: if the evaluator cannot serve the program.
        SparkSetupError: for a state store that does not do.
        ValueError: for a negative start or lateness, `until` for a stream, less than one partition, or the
            name of a file as text.
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
    """The answers of one predicate as a table with a column for each argument.

    A row says what `change` (`began`, `ended`) there was at a `time`, and `at`, as in `answers`. With
    `intervals` a row says that an atom held from `begin` until `end`, the tick at which it did not hold any
    more (missing where it held to the last), and when these ticks begin (`begin_at`, `end_at`).

    Args:
        df: timed facts, as for `answers`.
        program: the text of the program, or paths of its files.
        predicate: such as `"alarm/2"`.
        columns: a name for each argument, a type may follow, as in `["room", "level int"]`. By default the
            variable that the rules' heads have there, or a1, a2, ...; the type is int where the program says
            that it is an integer, otherwise string. A value that does not fit its type is missing.
        intervals: whether rows are intervals, for a bounded `df`.
        on_reject: what becomes of rows that are rejected. `warn`: workers say on standard error how many
            there were, and why the first. `stop`: the first ends the query. `rows`: they are rows of the
            table, whose `change` is `rejected`, without arguments, and with the text of the `row` and the
            `reason` in two columns more. Not so with intervals.
        clock: as for `answers`.
        account: as for `answers`.
        options: see SparkOptions.

    Raises:
        ValueError: for a predicate that is not in the output, columns that do not fit it, two columns whose
            names differ only in case, and intervals of a stream; and as `answers` does.
    """
    _check_frame(df)
    compiled = _compiled(program, options)
    signature = compiled.shown(predicate)
    if not df.isStreaming and compiled.has_rules_for_others(signature):  # a checkpoint is of one output
        compiled = _compiled(program, {**options, "show": [predicate]})
    if intervals and df.isStreaming:
        raise ValueError("intervals are of a bounded DataFrame: those of a stream are not over")
    told = RejectedRows(on_reject)
    if intervals and told is RejectedRows.ROWS:
        raise ValueError("rejected rows are no intervals: leave out intervals, or ask for answers")
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
    """Driver mode: one reasoner in this process evaluates the batches of a stream; serves every program.

    Args:
        df: a streaming DataFrame of timed facts, as for `answers`.
        program: the text of the program, or paths of its files.
        sink: takes the changes of each batch, as `answers` gives them, and the number of the batch. After an
            interruption it may be given the last batch again, with the same changes.
        checkpoint: a folder of this machine, for Spark's checkpoint and the reasoner's states.
        clock: a streaming DataFrame whose column `time` says what time it is.
        trigger: when there is a batch, as `DataStreamWriter.trigger` takes it; `{"availableNow": True}` to
            end when all is read.
        account: counts what becomes of the rows.
        options: see SparkOptions; `split` and `partitions` have no meaning here.
    """
    _check_frame(df)
    if options.get("until") is not None:
        raise ValueError("until is for a bounded DataFrame: a clock has the time of a stream go on")
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
        raise ValueError("until is for a bounded DataFrame: a clock has the time of a stream go on")
    compiled = compiled.for_rows(df)
    sharded = compiled.sharded(df)
    return evaluated(df, sharded, clock, compiled.until, account), sharded


def _check_frame(df: object) -> None:
    """Raises TypeError for what is no DataFrame of Spark."""
    if not hasattr(df, "isStreaming"):
        kind = type(df)
        raise TypeError(
            f"a DataFrame of Spark is needed, and not {kind.__module__}.{kind.__qualname__}: "
            "spark.createDataFrame(...) makes one, and Reasoner.run takes frames of others as they are"
        )


def _compiled(program: ProgramSource, options: SparkOptions) -> SparkProgram:
    check_keywords(options, SparkOptions.__annotations__, "lars2asp.spark")
    if isinstance(program, str):
        if _is_path(program):
            raise ValueError(
                f"{program!r} is the name of a file, not the text of a program: take Path({program!r})"
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
