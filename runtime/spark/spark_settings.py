"""How a program is run on Spark: the settings that `answers` and the command `lars2asp spark` share."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self, TypedDict

from lars2asp.compiler import CheckedProgram
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.sources.times.timeline import TimeUnit
from lars2asp.splitting.parts import Split
from lars2asp.splitting.split import split, whole
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.option_values import OptionValue
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Partitioning(OptionValue):
    """Which reasoners evaluate a program, and where."""

    AUTO = "auto"
    """One for each group of rules and bucket of keys, as far as the analysis of the program allows."""
    NONE = "none"
    """One on one of Spark's workers."""
    PIPELINED = "pipelined"
    """As `auto`, with components in levels, one behind the other."""
    DRIVER = "driver"
    """One in the process of the driver."""


class RowForm(OptionValue):
    """The forms of the rows of a DataFrame."""

    ATOMS = "atoms"
    """`time` and `atom`; `change` says that it `began` or `ended`, `until` how long it holds."""
    TABLE = "table"
    """Columns from which `#input` makes atoms."""
    FILES = "files"
    """Files with tables: `path`, and `content` where workers cannot open that, as in Spark's `binaryFile`."""
    JSONL = "jsonl"
    """Lines of JSON in the column `value`."""
    LOG = "log"
    """Lines of text in the column `value`, which patterns of `#input` read."""
    FACTS = "facts"
    """Lines such as `3: p(a), q` in the column `value`."""


class SparkOptions(TypedDict, total=False):
    """The keyword arguments of `answers`: those of SparkSettings, where texts may stand for names, and these.

    const: values for `#const` names: integers, floats where decimals are declared, or texts as programs have
        them.
    semantics: `"recorded"` or `"strict"`, in place of the program's own choice.
    tick: the length of a tick, in place of the program's own.
    timezone: the zone of timestamps that name no offset.
    origin: when tick 0 begins, in place of the program's own; where neither says it the Unix epoch, or for
        ticks shorter than a second midnight of the day of the smallest time (of a stream one must say it).
    complete_windows: whether `always`, `not` and `at most` need windows wholly on the timeline, even if the
        program does not say so.
    show: the predicates of the output, such as `["alarm/1"]`, in place of those that the program shows; rules
        that they do not need are not evaluated.
    dialect: of a program of another system which one, as for `Reasoner`.
    tables: background data of the program, by the names of predicates: each row of a bounded DataFrame is a
        fact with an argument for each column.
    functions: an object (a module, an instance) with `@`-functions that the program calls, as for
        `Reasoner`; it is sent to the workers, which must find what it imports.
    clingo: options of clingo, as for `Reasoner`.
    trusted: whether the program may have scripts and include any file, as for `Reasoner`; True by default.
    largest_interval: the number of values that one interval may have at a tick, as for `Reasoner`.
    """

    split: Partitioning | str
    partitions: int
    lateness: int | str
    input_format: RowForm | str
    start: int | str
    until: int | str
    complete_windows: bool
    evaluator: EvaluatorName | str
    clingo: Sequence[str]
    const: Mapping[str, str | float | Decimal]
    semantics: Semantics | str
    tick: str
    timezone: str
    time_unit: TimeUnit | str
    origin: datetime | str
    show: Sequence[str]
    dialect: str
    tables: "Mapping[str, DataFrame]"
    functions: object
    trusted: bool
    largest_interval: int


@dataclass(frozen=True)
class SparkSettings:
    """How a program is run on Spark.

    Attributes:
        split: which reasoners there are.
        partitions: how many reasoners work side by side, if the program can be split so far; by default as
            many as the session sets with `spark.sql.shuffle.partitions`, and of a bounded DataFrame as many
            as there are cores if it sets none. It must stay the same for a checkpoint.
        lateness: how far behind the latest time of earlier batches records may come, as a number of ticks or
            a duration such as `"30 sec"`; by default as the program declares, or 0.
        input_format: the form of the rows; by default the one that fits their columns.
        start: the first tick of the timeline, or its time as text; by default that of the first record.
        until: for a bounded DataFrame the tick to which time goes on behind the last record, or its time as
            text: absence is answered up to there. By default time ends with the last record.
        evaluator: which evaluator to use.
        clingo: options of clingo, which Controls are made with.
        time_unit: what integer times count.
        functions: an object with `@`-functions.
    """

    split: Partitioning = Partitioning.AUTO
    partitions: int | None = None
    lateness: int | str | None = None
    input_format: RowForm | None = None
    start: int | str | None = None
    until: int | str | None = None
    evaluator: EvaluatorName = EvaluatorName.AUTO
    clingo: Sequence[str] = ()
    time_unit: TimeUnit = TimeUnit.TICK
    functions: object = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """The settings among keyword arguments. Raises ValueError for names that do not exist."""
        enums: dict[str, type[StrEnum]] = {
            "split": Partitioning,
            "input_format": RowForm,
            "evaluator": EvaluatorName,
            "time_unit": TimeUnit,
        }
        given: dict[str, Any] = {
            name: enums[name](str(value)) if name in enums else value
            for name, value in options.items()
            if name in cls.__dataclass_fields__ and value is not None
        }
        return cls(**given)


def split_of(program: CheckedProgram, partitioning: Partitioning) -> Split:
    """The parts in which a program is evaluated."""
    if partitioning in (Partitioning.NONE, Partitioning.DRIVER):
        return Split((whole(program.program),))
    return split(program.program, program.semantics, pipelined=partitioning is Partitioning.PIPELINED)
