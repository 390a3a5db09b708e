"""A DataFrame of timed facts in, a DataFrame of what began and ended out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, TypedDict, Unpack

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere
from pyspark.sql.streaming.query import StreamingQuery

from lars2asp.compiler import Overrides, checked_program, compile_plan
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.evaluators.choice import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.shard import ShardSettings
from lars2asp.runtime.sources.timeline import EPOCH, Timeline, TimeUnit
from lars2asp.runtime.spark.carrier.driver import DriverReasoner, Sink, with_clock
from lars2asp.runtime.spark.carrier.operators import evaluated
from lars2asp.runtime.spark.carrier.packet_frames import as_changes
from lars2asp.runtime.spark.carrier.rows import RowForm, rows_reader
from lars2asp.runtime.spark.carrier.sharded_program import EventTime, ShardedProgram
from lars2asp.splitting.parts import Split
from lars2asp.splitting.split import split, whole
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.source import Source

Program = str | Path | Sequence[Path]
"""The text of a program, or the path of its file, or those of its files."""


class Partition(StrEnum):
    """How a program is spread over reasoners."""

    AUTO = "auto"
    """By groups of rules and by keys, as far as the analysis of the program allows."""
    NONE = "none"
    """One reasoner for all."""
    PIPELINED = "pipelined"
    """Components in levels, one behind the other; each of them by keys, as far as the analysis allows."""


class SparkOptions(TypedDict, total=False):
    """How a program is run on Spark.

    partition: how it is spread over reasoners; `auto` by default.
    partitions: how many reasoners work side by side, if the program can be split so far; by default as many
        as `spark.sql.shuffle.partitions` says. It must stay the same for a checkpoint.
    lateness: so far behind the latest time of earlier batches records may come, as a number of ticks or a
        duration such as `"30 sec"`; 0 by default.
    form: what the rows are; by default what their columns tell.
    start: the first tick of the timeline; by default that of the first record.
    complete_windows: whether `always` needs windows that lie wholly on the timeline.
    evaluator: which evaluator to use.
    constants: values for `#const` names.
    semantics: `"recorded"` or `"strict"`, in place of the program's own choice.
    tick: the length of a tick, in place of the program's own.
    timezone: the zone of timestamps that name no offset.
    unit: what integer times count.
    origin: when tick 0 begins; the Unix epoch by default.
    trusted: whether the program may have scripts and include any file, as for `Reasoner`; True by default.
    """

    partition: Partition | str
    partitions: int
    lateness: int | str
    form: RowForm | str
    start: int
    complete_windows: bool
    evaluator: EvaluatorName | str
    constants: Mapping[str, str | int]
    semantics: Semantics | str
    tick: str
    timezone: str
    unit: TimeUnit | str
    origin: datetime
    trusted: bool


def answers(
    df: DataFrame, program: Program, *, clock: DataFrame | None = None, **options: Unpack[SparkOptions]
) -> DataFrame:
    """What begins and ends to hold of the program's output: a streaming DataFrame for a streaming one.

    The rows of `df` have a `time` and an `atom` each (`change` may say that it `began` or `ended`, and
    `until` how long it holds), or the columns that the program declares by `#input`, or a JSON line in
    `value`. Rows of one tick have no order: what ends comes first, then what begins, then what holds.

    The result has the columns `time` (a tick), `atom`, `change` (`began`, `ended`; `rejected` for a row that
    was not taken, with its text as `atom`; `unsatisfiable` and `satisfiable` where answer streams end to be
    there and are there again), `partition` (which reasoner it comes from) and `reason` (why a row was
    rejected).

    A tick of a stream is over when a batch before has shown a time that lies more than the lateness behind
    it. Where nothing arrives no tick is over, unless a clock goes on.

    Args:
        df: timed facts.
        program: the text of the program, or paths of its files.
        clock: a streaming DataFrame whose column `time` tells what time it is.
        options: see SparkOptions.

    Raises:
        ProgramError: with all that is wrong with the program.
        InputError: for columns that do not fit, and times that Spark cannot keep.
        EvaluatorError: if the evaluator cannot serve the program.
        ValueError: for a negative start or lateness, or less than one partition.
    """
    made = _made(df, program, options)
    return as_changes(evaluated(df, made.job, made.lateness, clock))


def write_answers(
    df: DataFrame,
    program: Program,
    sink: Sink,
    checkpoint: str | Path,
    *,
    clock: DataFrame | None = None,
    trigger: Mapping[str, Any] | None = None,
    **options: Unpack[SparkOptions],
) -> StreamingQuery:
    """Driver mode: one reasoner in this process evaluates the batches of a stream; serves every program.

    Args:
        df: a streaming DataFrame of timed facts, as for `answers`.
        program: the text of the program, or paths of its files.
        sink: takes the changes of each batch, as `answers` gives them, and the number of the batch. After an
            interruption it may be given the last batch again, with the same changes.
        checkpoint: a folder of this machine, for Spark's checkpoint and the reasoner's states.
        clock: a streaming DataFrame whose column `time` tells what time it is.
        trigger: when there is a batch, as `DataStreamWriter.trigger` takes it; `{"availableNow": True}` to
            end when all is read.
        options: see SparkOptions; `partition` and `partitions` have no meaning here.
    """
    made = _made(df, program, {**options, "partition": Partition.NONE})
    folder = Path(checkpoint).absolute()
    reasoner = DriverReasoner(made.job, folder / "states", made.lateness, sink)
    rows = with_clock(df, made.job.reader.columns, clock)
    writer = rows.writeStream.foreachBatch(reasoner).option("checkpointLocation", str(folder / "spark"))
    return writer.trigger(**(trigger or {"processingTime": "0 seconds"})).start()


@dataclass(frozen=True)
class _Made:
    """A job, and the lateness in ticks."""

    job: ShardedProgram
    lateness: int


def _made(df: DataFrame, program: Program, options: SparkOptions) -> _Made:
    unknown = options.keys() - SparkOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"unknown options: {', '.join(sorted(unknown))}")
    semantics = options.get("semantics")
    checked = checked_program(
        *_sources(program),
        overrides=Overrides(
            {name: str(value) for name, value in options.get("constants", {}).items()},
            options.get("tick"),
            Semantics(semantics) if semantics is not None else None,
            timezone=options.get("timezone"),
        ),
        trusted=options.get("trusted", True),
    )
    plan = compile_plan(checked)
    unit = TimeUnit(options.get("unit", TimeUnit.TICK))
    timeline = Timeline(plan.tick_length, unit, options.get("origin", EPOCH), plan.zone)
    form = options.get("form")
    reader = rows_reader(df.columns, plan.inputs, timeline, RowForm(form) if form is not None else None)
    lateness = options.get("lateness", 0)
    lateness = timeline.ticks(lateness) if isinstance(lateness, str) else lateness
    if lateness < 0:
        raise ValueError("the lateness is a number of ticks, 0 or more")
    partition = Partition(options.get("partition", Partition.AUTO))
    spark = df.sparkSession
    partitions = options.get("partitions") or int(spark.conf.get("spark.sql.shuffle.partitions") or 1)
    if partitions < 1:
        raise ValueError("there is one partition or more")
    if partition is Partition.NONE:
        parts = Split((whole(checked.program),))
    else:
        parts = split(checked.program, checked.semantics, pipelined=partition is Partition.PIPELINED)
    layout = Layout.for_partitions(parts, partitions)
    settings = ShardSettings(
        checked.semantics,
        options.get("start"),
        options.get("complete_windows", False),
        EvaluatorName(options.get("evaluator", EvaluatorName.AUTO)),
    )
    numbers = _numbers(spark, layout.places(partitions), partitions)
    job = ShardedProgram(layout, settings, reader, _event_time(timeline), numbers)
    for part in parts.parts:  # what can be refused is refused here, not in a worker
        Reasoner(job.plan(part), start=settings.start, evaluator=settings.evaluator)
    return _Made(job, lateness)


def _sources(program: Program) -> tuple[Source, ...]:
    if isinstance(program, str):
        return (Source("<text>", program),)
    return read_sources([program] if isinstance(program, Path) else program)


def _event_time(timeline: Timeline) -> EventTime:
    """Raises InputError for ticks before Spark's first one."""
    if timeline.tick_length is None:
        return EventTime()
    origin = (timeline.origin - EPOCH) // timedelta(milliseconds=1)
    if origin < 0:
        raise InputError("Spark's event time begins in 1970: take a later origin")
    length = timeline.tick_length // 1000
    return EventTime(origin + length, length)


def _numbers(spark: SparkSession, places: Sequence[int], count: int) -> tuple[int, ...]:
    """Numbers that Spark hashes into these of so many partitions; the same ones at all times."""
    found: dict[int, list[int]] = {place: [] for place in places}
    wanted = Counter(places)
    end = 0
    while any(len(found[place]) < number for place, number in wanted.items()):
        begin, end = end, max(64, 2 * end)
        place = F.expr(f"cast(pmod(hash(cast(id as int)), {count}) as int) as place")
        for number, where in spark.range(begin, end, 1, 1).select(F.col("id").cast("int"), place).collect():
            if where in found:
                found[where].append(number)
    return tuple(found[place].pop(0) for place in places)
