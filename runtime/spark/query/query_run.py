"""One run of the command `lars2asp spark`: queries from input to output, and what they have done."""

from collections.abc import Callable
from pathlib import Path

from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.compiler import CheckedProgram
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.fingerprints import fingerprint
from lars2asp.runtime.runs.progress_bar import file_names
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.times.timeline import TimeUnit
from lars2asp.runtime.spark.carrier.driver import started_on_driver
from lars2asp.runtime.spark.carrier.operators import evaluated
from lars2asp.runtime.spark.carrier.packet_frames import as_changes
from lars2asp.runtime.spark.carrier.sharded_program import ShardedProgram
from lars2asp.runtime.spark.carrier.table_files import TableFiles
from lars2asp.runtime.spark.query import kept_run
from lars2asp.runtime.spark.query.clock_folder import ClockFolder
from lars2asp.runtime.spark.query.kept_run import KeptRun
from lars2asp.runtime.spark.query.query_output import BatchFiles, check_output, check_sink, written
from lars2asp.runtime.spark.query.query_progress import RunResult, counting, with_rows_counted
from lars2asp.runtime.spark.query.spark_query import FileFormat, SparkQuery, has_scheme, place_of
from lars2asp.runtime.spark.query.waiting import run_to_end
from lars2asp.runtime.spark.session.chatter import without_chatter
from lars2asp.runtime.spark.session.local_session import PARTITIONS, local_session
from lars2asp.runtime.spark.spark_errors import plain_errors
from lars2asp.runtime.spark.spark_program import SparkProgram
from lars2asp.runtime.spark.spark_settings import Partitioning, SparkSettings
from lars2asp.syntax.printer import to_text


class QueryRun:
    """A run of the command `lars2asp spark`.

    Args:
        program: the program.
        settings: how it is run.
        query: what is read and written, and where.

    Raises InputError for an output that cannot be written, SnapshotError for a checkpoint of another run.
    """

    def __init__(self, program: CheckedProgram, settings: SparkSettings, query: SparkQuery) -> None:
        self._program = SparkProgram(program, settings)
        self._settings = settings
        self._query = query
        self._lateness, self._start = self._program.lateness, self._program.start
        self._until = None if query.until is None else self._program.timeline.tick_of_text(query.until)
        self._of_batches: dict[int, Account] = {}
        """What became of the rows of each batch, in driver mode."""
        self._kept = kept_run.load(query.checkpoint)
        self._check_output()

    def done(self) -> RunResult:
        """Runs until all is read, or for ever.

        Raises:
            SparkSetupError: where Spark, a Java or a library is missing.
            SparkError: where Spark fails.
            InputError: for input, columns and times that cannot be read.
            EvaluatorError: if the evaluator cannot serve the program.
            SnapshotError: for a checkpoint of another run.
            EvaluationError: if clingo refuses the program, or a function of the user's fails.
        """
        is_own = SparkContext._active_spark_context is None
        with plain_errors():
            spark = self._session()
            try:
                return self._done_on(spark)
            finally:
                if is_own:
                    spark.stop()

    def _session(self) -> SparkSession:
        query, config = self._query, dict(self._query.config)
        if partitions := self._settings.partitions or (self._kept and self._kept["partitions"]):
            config[PARTITIONS] = str(partitions)
        with without_chatter():
            return local_session(query.master, config=config, reports_failures=False)

    def _done_on(self, spark: SparkSession) -> RunResult:
        query = self._query
        check_sink(spark, query)
        rows = query.input.rows(spark)
        program = self._program.sharded(rows)
        reader, table = program.reader, query.input.first_table
        if isinstance(reader, TableFiles) and table is not None:
            reader.check(table)
        self._make_folders(self._program.partitions(spark))
        clock = ClockFolder(query.checkpoint / "clock")
        sink = BatchFiles(Path(query.output), query.output_format)
        start = self._starter(program, rows, clock.times(spark), sink)
        levels, is_quiet = program.layout.split.levels, query.is_quiet
        with counting(
            spark, str(clock.folder), levels, file_names(query.input.address), is_quiet=is_quiet
        ) as result:
            result.noun = "file" if isinstance(reader, TableFiles) else result.noun
            ends = self._until is not None and not query.is_followed
            if not (ends and query.input.is_read_at_once):  # else rows may come in the batch of the end
                run_to_end(start)
            if ends:
                clock.move_to(self._end())
                run_to_end(start)
        result.account = sum(self._of_batches.values(), result.account)
        result.partitions = len(program.layout.shards)
        return result

    def _starter(
        self, program: ShardedProgram, rows: DataFrame, clock: DataFrame, sink: BatchFiles
    ) -> Callable[[], StreamingQuery]:
        """Starts the query, and starts it again from its checkpoint."""
        query = self._query
        trigger = {"processingTime": "0 seconds"} if query.is_followed else {"availableNow": True}
        if self._settings.split is Partitioning.DRIVER:
            how = clock, trigger, self._of_batches.__setitem__
            return lambda: started_on_driver(rows, program, sink, query.checkpoint, *how)
        packets = with_rows_counted(evaluated(rows, program, clock, counts=True))
        changes = as_changes(packets, program)
        writer = written(changes, query).trigger(**trigger)
        return writer.option("checkpointLocation", place_of(str(query.checkpoint / "spark"))).start

    def _end(self) -> str:
        """The tick at which those up to the last one asked for are over, as records write it."""
        assert self._until is not None
        tick = self._until + 1 + self._lateness
        is_plain = self._settings.time_unit is TimeUnit.TICK
        return str(tick) if is_plain else self._program.timeline.moment(tick).isoformat()

    def _check_output(self) -> None:
        """Raises InputError for a folder that this run must not write to."""
        query = self._query
        check_output(query, on_driver=self._settings.split is Partitioning.DRIVER)
        if has_scheme(query.output):
            if self._settings.split is Partitioning.DRIVER:
                raise InputError("--split driver writes to a folder of this machine")
            return
        folder, source = Path(query.output).absolute(), query.input.path
        if source is not None and source in (folder, *folder.parents, query.checkpoint.absolute()):
            raise InputError(f"--output {query.output} is inside the input folder: name another folder")
        if self._kept is not None and not folder.is_dir():
            raise InputError(
                f"--output {query.output} is gone, but the checkpoint continues after it: name "
                "another checkpoint folder to start over"
            )
        if self._kept is None and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(
                f"--output {query.output} is not an empty folder: name a new folder, or use the "
                "checkpoint of the run that wrote it"
            )

    def _make_folders(self, partitions: int) -> None:
        query = self._query
        try:
            kept_run.keep(query.checkpoint, self._to_keep(partitions))
            if not has_scheme(query.output):
                Path(query.output).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot create {error.filename}: {error.strerror}") from error

    def _to_keep(self, partitions: int) -> KeptRun:
        settings, query, program = self._settings, self._query, self._program
        timeline, most = program.timeline, program.checked.largest_interval
        options = (
            program.checked.semantics,
            self._start,
            program.plan.complete_windows,
            settings.evaluator,
            (timeline.tick_length, timeline.unit, timeline.origin.isoformat(), str(timeline.zone)),
            *(["days by the clock"] if timeline.counts_days else []),
            *self._format_to_keep(),
            query.functions,
            *settings.clingo,
            *([] if most == LARGEST_INTERVAL else [most]),
        )
        statements = [to_text(statement) for statement in program.checked.program.statements]
        return {
            "program": fingerprint((statements, options)),
            "input": query.input.address if query.input.path is None else str(query.input.path),
            "output": f"{query.output_format} {place_of(query.output)}",
            "partition": settings.split.value,
            "partitions": partitions,
        }

    def _format_to_keep(self) -> list[str]:
        """The format of the input; lines that patterns read were called jsonl when there was no log."""
        form = self._query.input.file_format
        if form is FileFormat.LOG:
            return [FileFormat.JSONL]
        has_patterns = any(one.pattern for one in self._query.input.declarations)
        return [form, "json"] if has_patterns and form is FileFormat.JSONL else [form]
