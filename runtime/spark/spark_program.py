"""A program for Spark: checked and compiled once, then laid out for the rows of a DataFrame."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Self

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere

from lars2asp.analysis.argument_columns import ArgumentColumn, argument_columns, types_with_integers
from lars2asp.analysis.late_moments import LateMoments
from lars2asp.analysis.number_forms import DurationForm, NumberForm, TimeForm
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.compiler import CheckedProgram, compile_plan
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.shard_spec import ShardSettings
from lars2asp.runtime.sinks.columns import TABLE_COLUMNS
from lars2asp.runtime.sources.facts.fact_reader import FactReader
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.answer_tables import TableColumn
from lars2asp.runtime.spark.carrier.boundary import (
    check_columns,
    column_types,
    has_decimals,
    have_ticks,
    is_integer,
    type_of,
)
from lars2asp.runtime.spark.carrier.earliest import first_moment
from lars2asp.runtime.spark.carrier.rows import RowsReader, rows_reader
from lars2asp.runtime.spark.carrier.sharded_program import EventTime, ShardedProgram
from lars2asp.runtime.spark.session.local_session import PARTITIONS
from lars2asp.runtime.spark.spark_settings import SparkSettings, split_of
from lars2asp.syntax.nodes import Function, Input, ShowTerm, Signature
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

_MOST_CORES = 1000
"""So many are counted by the partitions of a range, where a session says no other number."""


@dataclass(frozen=True)
class SparkProgram:
    """A checked program, and the settings with which it runs on Spark."""

    checked: CheckedProgram
    settings: SparkSettings

    @cached_property
    def plan(self) -> Plan:
        """The plan of the whole program."""
        return compile_plan(self.checked)

    @cached_property
    def timeline(self) -> Timeline:
        """How times become ticks."""
        timeline = replace(Timeline.of(self.plan), unit=self.settings.time_unit)
        return replace(timeline.refusing, is_fine=timeline.is_fine)

    @cached_property
    def lateness(self) -> int:
        """The lateness in ticks. Raises InputError for no duration, ValueError for a negative one."""
        lateness = self.settings.lateness
        if lateness is None:
            return self.plan.lateness or 0
        ticks = self.timeline.ticks(lateness) if isinstance(lateness, str) else lateness
        if ticks < 0:
            raise ValueError("the lateness must be a number of ticks, 0 or more")
        return ticks

    @cached_property
    def start(self) -> int | None:
        """The first tick of the timeline; None for that of the first record. Raises InputError."""
        start = self.settings.start
        return +self.timeline.tick_of_text(start) if isinstance(start, str) else start

    @cached_property
    def until(self) -> int | None:
        """The tick to which time goes on behind the input; None for its last one.

        Raises InputError for no time, ValueError for a negative tick.
        """
        until = self.settings.until
        tick = +self.timeline.tick_of_text(until) if isinstance(until, str) else until
        if tick is not None and tick < 0:
            raise ValueError("until must be a tick, 0 or more")
        return tick

    def partitions(self, spark: SparkSession, *, is_bounded: bool = False) -> int:
        """How many reasoners work side by side. Raises ValueError for less than one."""
        partitions = self.settings.partitions
        if partitions is None:
            is_said = not is_bounded or PARTITIONS in spark.conf.getAll
            partitions = int(spark.conf.get(PARTITIONS) or 1) if is_said else cores_of(spark)
        if partitions < 1:
            raise ValueError("the number of partitions must be 1 or more")
        return partitions

    def shown(self, predicate: str) -> Signature:
        """The predicate of the output that is written so. Raises ValueError."""
        program = self.checked.program
        terms = (
            Signature(show.term.name, len(show.term.arguments))
            for show in program.every(ShowTerm)
            if isinstance(show.term, Function)
        )
        found = {str(signature): signature for signature in (*ProgramAnalysis(program).shown, *terms)}
        if predicate not in found:
            known = ", ".join(sorted(found)) or "nothing"
            raise ValueError(f"the output does not contain {shown(predicate)!r}: use one of {shown(known)}")
        return found[predicate]

    def has_rules_for_others(self, signature: Signature) -> bool:
        """Whether other predicates are shown than one that is an atom's."""
        shown = ProgramAnalysis(self.checked.program).shown
        return signature in shown and len(shown) > 1

    def table_columns(
        self,
        signature: Signature,
        df: DataFrame,
        given: Sequence[str] | None,
        others: Sequence[str] = TABLE_COLUMNS,
    ) -> list[TableColumn]:
        """The columns for the arguments of a predicate, beside others of the table.

        Raises ValueError where those given do not fit, or two columns have one name for Spark.
        """
        if given is not None:
            columns = [TableColumn(name, kind.strip() or "string") for name, _, kind in map(_words, given)]
        else:
            program, schema = self.checked.program, column_types(df.schema)
            declared = [(one, column) for one in self.plan.program.every(Input) for column in one.columns]
            decimals = self.plan.decimals
            integers = [
                (one, column)
                for one, column in declared
                if is_integer(column, type_of(schema, column.name), has_decimals(one, column, decimals))
            ]
            types = types_with_integers(program, integers) if integers else self.checked.types
            places = decimals.get(signature, (0,) * signature.arity)
            arguments = argument_columns(program, signature, types)
            _check_variables(signature, arguments, others)
            columns = [
                TableColumn(
                    f"a{place}" if column.name.lower() in others else column.name,
                    _spark_type(digits) if column.is_integer else "string",
                )
                for place, (column, digits) in enumerate(zip(arguments, places, strict=True), start=1)
            ]
        if len(columns) != signature.arity:
            raise ValueError(
                f"{signature} has {signature.arity} arguments, but columns= names {len(columns)}"
            )
        for column, form in zip(columns, self.plan.decimals.get(signature, ()), strict=False):
            _check_temporal(column, form)
        taken = {*others}
        for column in columns:
            if (name := column.name.lower()) in taken:
                what = "the table of answers" if name in others else "columns="
                raise ValueError(f"{what} already has a column {column.name}{_DIFFERENT}")
            taken.add(name)
        return columns

    def reader(self, df: DataFrame) -> RowsReader:
        """How the rows of a DataFrame are read. Raises InputError."""
        names = [*df.columns, *(name for name in column_types(df.schema) if name not in df.columns)]
        facts = FactReader(self.plan.decimals, self.plan.required)
        reader = rows_reader(names, self.plan.inputs, self.timeline, self.settings.input_format, facts)
        check_columns(df, reader)
        return reader

    def sharded(self, df: DataFrame) -> ShardedProgram:
        """The program in shards for the rows of a DataFrame; see `answers` for what is raised."""
        settings, spark, reader = self.settings, df.sparkSession, self.reader(df)
        if df.isStreaming and self._has_open_origin(df, reader):
            raise InputError(
                "ticks shorter than a second need a declared begin on Spark: write for example "
                '#origin "2026-01-31T00:00:00Z". (origin=)'
            )
        lateness = self.lateness
        partitions = self.partitions(spark, is_bounded=not df.isStreaming)
        layout = Layout.for_partitions(split_of(self.checked, settings.split), partitions)
        shards = ShardSettings(
            self.checked.semantics,
            self.start,
            self.plan.complete_windows,
            settings.evaluator,
            settings.functions,
            tuple(settings.clingo),
            largest_interval=self.checked.largest_interval,
        )
        numbers = _numbers(spark, layout.places(partitions), partitions)
        event_time = EventTime.of(self.timeline)
        program = ShardedProgram(layout, shards, reader, event_time, numbers, partitions, lateness)
        for part in layout.split.parts:  # an error is raised here, not in a worker
            Reasoner(
                program.plan(part),
                start=shards.start,
                evaluator=shards.evaluator,
                functions=shards.functions,
                clingo=shards.clingo,
            )
        return program

    def _has_open_origin(self, df: DataFrame, reader: RowsReader) -> bool:
        """Whether the times of rows are to decide when tick 0 begins."""
        return self.plan.at_origin is not None and not have_ticks(df, reader)

    def for_rows(self, df: DataFrame) -> Self:
        """The program for bounded rows, the smallest time of which may decide when tick 0 begins."""
        timeline, reader = self.timeline, self.reader(df)
        if df.isStreaming or timeline.tick_length is None or not self._has_open_origin(df, reader):
            return self
        first = first_moment(df, reader)
        if first is None or self.checked.at_origin is None:
            return self
        if isinstance(start := self.settings.start, str):
            first = min(first, replace(timeline, tick_length=1).tick_of_text(start))
        moments = LateMoments(timeline.tick_length, zone=timeline.zone)
        moments.begin_with(first)
        return replace(self, checked=self.checked.at_origin(moments.origin.isoformat()))


_DIFFERENT = ": Spark ignores case, so give each argument another name with columns=[...]"


def _check_variables(
    signature: Signature, arguments: Sequence[ArgumentColumn], others: Sequence[str]
) -> None:
    """Raises ValueError for a variable of heads whose name another column has for Spark."""
    known = dict.fromkeys(others, "the table of answers contains a column")
    for one in arguments:
        name = one.variable.lower()
        if name in known:
            raise ValueError(
                f"the argument {one.variable} of {signature} needs another name, because "
                f"{known[name]} {name!r}{_DIFFERENT}"
            )
        if name:
            known[name] = f"for Spark, the argument {one.variable} is the column"


def _words(column: str) -> tuple[str, str, str]:
    return column.strip().partition(" ")


def cores_of(spark: SparkSession) -> int:
    """The number of tasks that Spark runs side by side."""
    if hasattr(spark, "_jsparkSession"):
        return spark.sparkContext.defaultParallelism
    return spark.range(0, _MOST_CORES).select(F.spark_partition_id()).distinct().count()


def _numbers(spark: SparkSession, places: Sequence[int], count: int) -> tuple[int, ...]:
    """For each place, one of `count` partitions, a number that Spark hashes into it; always the same ones."""
    found: dict[int, list[int]] = {place: [] for place in places}
    needed = Counter(places)
    end = 0
    while any(len(found[place]) < number for place, number in needed.items()):
        begin, end = end, max(64, 2 * end)
        place = F.expr(f"cast(pmod(hash(cast(id as int)), {count}) as int) as place")
        for number, where in spark.range(begin, end, 1, 1).select(F.col("id").cast("int"), place).collect():
            if where in found:
                found[where].append(number)
    return tuple(found[place].pop(0) for place in places)


def _spark_type(form: NumberForm) -> str:
    """The type of a column of integers that are written so."""
    if isinstance(form, int):
        return f"decimal(38,{form})" if form else "bigint"
    return "timestamp" if isinstance(form, TimeForm) else "string"


def _check_temporal(column: TableColumn, form: NumberForm) -> None:
    """Raises ValueError for a type of a column that times or durations do not have."""
    kind = column.type.lower()
    if isinstance(form, TimeForm) and not kind.startswith(("timestamp", "string")):
        raise ValueError(f"the column {column.name} contains times: its type must be timestamp or string")
    if isinstance(form, DurationForm) and kind != "string":
        raise ValueError(f"the column {column.name} contains durations: its type must be string (2 h 05 min)")
