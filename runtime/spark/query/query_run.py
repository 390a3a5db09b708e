"""One run of the command `lars2asp spark`: queries from input to output, and what they have done."""

import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from time import monotonic

from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from lars2asp.compiler import CheckedProgram, compile_plan
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sinks.json_lines import json_line
from lars2asp.runtime.sources.text_files import write_whole
from lars2asp.runtime.sources.timeline import Timeline, TimeUnit
from lars2asp.runtime.spark.answers import SparkOptions, answers, write_answers
from lars2asp.runtime.spark.carrier.rows import RowForm, rows_reader
from lars2asp.runtime.spark.command import Outcome, Settings, Spread, split_of
from lars2asp.runtime.spark.query import kept_run
from lars2asp.runtime.spark.query.clock_folder import ClockFolder
from lars2asp.runtime.spark.query.inputs import FileFormat, has_scheme, place_of
from lars2asp.runtime.spark.query.kept_run import KeptRun
from lars2asp.runtime.spark.query.query_progress import REJECTED, Counts, counting, with_rejected_counted
from lars2asp.runtime.spark.query.waiting import wait_for_end
from lars2asp.runtime.spark.session.chatter import without_chatter
from lars2asp.runtime.spark.session.local_session import local_session
from lars2asp.runtime.spark.spark_errors import told_plainly
from lars2asp.syntax.printer import to_text

TELL_EVERY = 5.0
"""In seconds: how often it is said how far a run is."""

_PARTITIONS = "spark.sql.shuffle.partitions"
_FORMS = {FileFormat.JSONL: RowForm.JSONL, FileFormat.FACTS: RowForm.FACTS}


class Run:
    """A run; see `command.run` for what it raises.

    Args:
        settings: what is run.
        program: the program, checked.
    """

    def __init__(self, settings: Settings, program: CheckedProgram) -> None:
        self._settings = settings
        self._program = program
        plan = self._plan = compile_plan(program)
        self._timeline = Timeline(plan.tick_length, settings.unit, settings.origin, plan.zone)
        self._lateness = self._timeline.ticks(settings.lateness)
        self._start = None if settings.start is None else self._timeline.tick_of_text(settings.start)
        self._until = None if settings.until is None else self._timeline.tick_of_text(settings.until)
        self._kept = kept_run.load(settings.checkpoint)
        self._check_output()

    def done(self) -> Outcome:
        """Runs until all is read, or for ever; what was done."""
        is_own = SparkContext._active_spark_context is None
        with told_plainly():
            spark = self._session()
            try:
                return self._done_on(spark)
            finally:
                if is_own:
                    spark.stop()

    def _session(self) -> SparkSession:
        settings, config = self._settings, dict(self._settings.config)
        if partitions := settings.partitions or (self._kept.partitions if self._kept is not None else None):
            config[_PARTITIONS] = str(partitions)
        with without_chatter():
            return local_session(settings.master, config=config, tells_failures=False)

    def _done_on(self, spark: SparkSession) -> Outcome:
        settings = self._settings
        partitions = int(spark.conf.get(_PARTITIONS) or 1)
        layout = Layout.for_partitions(split_of(self._program, settings.spread), partitions)
        rows = settings.input.rows(spark)
        rows_reader(rows.columns, self._plan.inputs, self._timeline, self._form)
        self._make_folders(partitions)
        clock = ClockFolder(settings.checkpoint / "clock")
        sink = _OneFilePerBatch(Path(settings.output))
        start = self._starts(rows, clock.times(spark), sink)
        with counting(spark, str(clock.folder), layout.split.levels, _Telling()) as counts:
            wait_for_end(start())
            if self._until is not None and not settings.is_followed:
                clock.move_to(self._time_of(self._until + 1 + self._lateness))
                wait_for_end(start())
        rejected = counts.rejected + sink.rejected
        return Outcome(counts.rows, rejected, counts.batches, len(layout.shards), counts.seconds)

    # --- queries --------------------------------------------------------------------------------------

    def _starts(
        self, rows: DataFrame, clock: DataFrame, sink: "_OneFilePerBatch"
    ) -> Callable[[], StreamingQuery]:
        """What starts the query, and starts it again from its checkpoint."""
        settings, options = self._settings, self._options()
        program = [Path(name) for name in settings.program]
        trigger = {"processingTime": "0 seconds"} if settings.is_followed else {"availableNow": True}
        if settings.spread is Spread.DRIVER:
            return lambda: write_answers(
                rows, program, sink, settings.checkpoint, clock=clock, trigger=trigger, **options
            )
        options["partition"] = settings.spread.value
        changes = with_rejected_counted(answers(rows, program, clock=clock, **options))
        writer = (
            changes.writeStream.format("json").trigger(**trigger).option("path", place_of(settings.output))
        )
        return writer.option("checkpointLocation", place_of(str(settings.checkpoint / "spark"))).start

    def _options(self) -> SparkOptions:
        settings, overrides = self._settings, self._settings.overrides
        options = SparkOptions(
            lateness=self._lateness,
            complete_windows=settings.complete_windows,
            evaluator=settings.evaluator,
            constants=overrides.constants,
            unit=settings.unit,
            origin=settings.origin,
            trusted=settings.trusted,
        )
        if self._start is not None:
            options["start"] = self._start
        if overrides.semantics is not None:
            options["semantics"] = overrides.semantics
        if overrides.tick is not None:
            options["tick"] = overrides.tick
        if overrides.timezone is not None:
            options["timezone"] = overrides.timezone
        if self._form is not None:
            options["form"] = self._form
        return options

    @property
    def _form(self) -> RowForm | None:
        """What the rows are; None where their columns tell."""
        return _FORMS.get(self._settings.input.file_format)

    def _time_of(self, tick: int) -> str:
        """A tick as records write it."""
        if self._settings.unit is TimeUnit.TICK:
            return str(tick)
        return self._timeline.moment(tick).isoformat()

    # --- what must fit --------------------------------------------------------------------------------

    def _check_output(self) -> None:
        """Raises InputError for a folder that is not this run's to write to."""
        settings = self._settings
        if has_scheme(settings.output):
            if settings.spread is Spread.DRIVER:
                raise InputError("--partition driver writes to a folder of this machine")
            return
        folder, source = Path(settings.output).absolute(), settings.input.path
        if source is not None and source in (folder, *folder.parents, settings.checkpoint.absolute()):
            raise InputError(f"--output {settings.output} lies in what is read: take another folder")
        if self._kept is not None and not folder.is_dir():
            raise InputError(
                f"--output {settings.output} is gone, and the checkpoint goes on behind it: "
                "take another checkpoint folder to begin anew"
            )
        if self._kept is None and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(
                f"--output {settings.output} is no empty folder: take a new one, or the checkpoint "
                "of the run that wrote it"
            )

    def _make_folders(self, partitions: int) -> None:
        settings = self._settings
        try:
            kept_run.keep(settings.checkpoint, self._to_keep(partitions))
            if not has_scheme(settings.output):
                Path(settings.output).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{error.filename}: cannot be made: {error.strerror}") from error

    def _to_keep(self, partitions: int) -> KeptRun:
        settings, timeline = self._settings, self._timeline
        options = (
            self._program.semantics,
            self._start,
            settings.complete_windows,
            settings.evaluator,
            (timeline.tick_length, timeline.unit, timeline.origin.isoformat(), str(timeline.zone)),
            settings.input.file_format,
        )
        program = [to_text(statement) for statement in self._program.program.statements]
        return KeptRun(
            sha256(repr((program, options)).encode()).hexdigest(),
            settings.input.address if settings.input.path is None else str(settings.input.path),
            settings.output if has_scheme(settings.output) else str(Path(settings.output).absolute()),
            settings.spread.value,
            partitions,
        )


class _Telling:
    """Says now and then on standard error how far a run is."""

    def __init__(self) -> None:
        self._told = monotonic()

    def __call__(self, counts: Counts) -> None:
        now = monotonic()
        if now - self._told >= TELL_EVERY and sys.stderr is not None:
            self._told = now
            sys.stderr.write(f"read {counts.rows}, batch {counts.batches}, {counts.seconds:.0f} s\n")
            sys.stderr.flush()


class _OneFilePerBatch:
    """Writes the changes of each batch to a file of its own; a batch that comes again overwrites it.

    Attributes:
        rejected: how many of the changes say that something was rejected.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.rejected = 0

    def __call__(self, changes: DataFrame, batch: int) -> None:
        rows = changes.collect()
        lines = []
        for row in rows:
            told = {name: value for name, value in row.asDict().items() if value is not None}
            lines.append(json_line(told, (",", ":")))
        write_whole(self._folder / f"batch-{batch:08}.json", "".join(lines).encode())
        self.rejected += sum(row.change == REJECTED for row in rows)
