"""From the columns of a table to blocks of atoms, as `#input` declares."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import reduce
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.analysis.number_forms import NumberForms
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.blocks import Arguments, Block, arguments_of
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.arrow.arrow_rows import Facts, TableRows, declaration_readers
from lars2asp.runtime.sources.records import NO_FACT, PASSED_OVER, Origin, Rejected
from lars2asp.runtime.sources.tables.row_reader import RecordValues
from lars2asp.runtime.sources.tables.wanted_columns import columns_needed, columns_read
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.cells import NAME, arguments, cells, ranks, ticks
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.values import dataclass

_ROWS = "the rows"
"""What a table is called."""


@dataclass(frozen=True)
class SparkTableRows:
    """Rows of a table."""

    columns: tuple[str, ...]
    declarations: tuple[Input, ...]
    timeline: Timeline
    decimals: NumberForms = field(default_factory=dict)

    def __post_init__(self) -> None:
        for declaration in self.declarations:
            times = (one.times for one in declaration.by_time)
            for names in (*times, *(column.names for column in declaration.all_columns)):
                if len(names) > 1:
                    raise InputError(
                        f"#input {declaration.predicate}: on Spark a time must be one column: join "
                        f"{' and '.join(names)} in the DataFrame"
                    )
        self._read(pa.record_batch([pa.nulls(0)] * len(self.columns), names=[*self.columns]))

    @property
    def needed(self) -> set[str]:
        """The columns that the declarations name, or all if they ask which rows have a value."""
        whole = [name for name in self.columns if not self._is_field(name)]
        if any(declaration.asks_filled for declaration in self.declarations):
            whole += columns_read(self.declarations)
            has_pattern = any(declaration.spread is not None for declaration in self.declarations)
            return {*whole} if has_pattern else {*self.columns}
        return {*columns_needed(self.declarations, whole)}

    def _is_field(self, name: str) -> bool:
        """Whether a name is that of a field of another column."""
        return any(name.startswith(f"{one}.") for one in self.columns)

    def _read(self, batch: pa.RecordBatch) -> TableRows:
        readers = declaration_readers(self.declarations, batch, _ROWS, self.timeline, self.decimals)
        return TableRows(batch, _ROWS, 1, readers)

    def route(self, batch: pa.RecordBatch, router: Router) -> None:
        """Adds one fact for each declaration; a row that cannot be read is rejected whole."""
        rows = self._read(pa.RecordBatch.from_arrays(batch.columns, names=[*self.columns]))
        times = {id(one.times): ticks(one.times) for one in rows.facts}
        beyond = {
            row: router.beyond(at[row].as_py())
            for at in reversed(times.values())
            for row in pc.indices_nonzero(pc.greater(at, router.last_tick)).to_pylist()
        }
        wrong = beyond | rows.wrong
        is_good = pa.repeat(True, batch.num_rows)
        if wrong:
            is_good = pa.array([row not in wrong for row in range(batch.num_rows)], pa.bool_())
            _reject(rows, wrong, batch, router)
        for at in times.values():
            for tick in pc.min_max(at.filter(is_good)).as_py().values():
                if tick is not None:
                    router.reach(tick)
        width, told = 1 + max(one.reader.number for one in rows.facts), list[_Told]()
        for one in rows.facts:
            mask = is_good if one.told is None else pc.and_(is_good, one.told)
            at = times[id(one.times)]
            told.append(_Told(mask, at, router.takes(one.signature)))
            if pc.any(mask).as_py():
                block = one.signature, at.filter(mask), _arguments(one, mask, width, router)
                rank = ranks(one.times)
                rank = None if rank is None else rank.filter(mask)
                router.add_block(Block.from_columns(PacketSign.FACT, *block, ranks=rank))
        if any(one.reader.declared.is_numbered for one in rows.facts):
            router.records.count += width * batch.num_rows
        _count(rows, is_good, told, router)


class _Told(NamedTuple):
    """What a declaration tells: for which rows, at which ticks, and whether its predicate may be input."""

    mask: pa.Array
    ticks: pa.Array
    is_taken: bool


def _arguments(facts: Facts, mask: pa.Array, width: int, router: Router) -> Iterator[Arguments]:
    """The arguments of the rows for which a mask is true; of each row so many facts may have a number."""
    reader, records = facts.reader, router.records
    for (column, values), found in zip(reader.arguments, facts.columns, strict=True):
        if isinstance(values, RecordValues) and column.conversion == "record":
            first = records.count + 1 + reader.number
            rows = pc.indices_nonzero(mask).to_pylist()
            yield arguments_of([records.number(first + width * row) * values.scale for row in rows])
        else:
            yield arguments(found, mask)


def _reject(rows: TableRows, wrong: Mapping[int, str], batch: pa.RecordBatch, router: Router) -> None:
    """Rejects rows that are wrong."""
    places = sorted(wrong)
    texts = zip(*map(cells, batch.take(pa.array(places, pa.int64())).columns), strict=True)
    for row, text in zip(places, texts, strict=True):
        origin = Origin(NAME, 0, ",".join(text))
        rejected = rows.refused(row, origin) if row in rows.wrong else Rejected(origin, wrong[row])
        if router.counts.account.refuse(rejected):
            router.reject(rejected)


def _count(rows: TableRows, is_good: pa.Array, told: Sequence[_Told], router: Router) -> None:
    """Counts the rows that are not rejected."""
    counts, nothing = router.counts, pa.repeat(False, len(is_good))
    has_fact = reduce(pc.or_, (one.mask for one in told))
    without = pc.and_(is_good, pc.invert(has_fact))
    if pc.any(without).as_py():
        passed_over = _number(pc.and_(without, rows.unfit))
        counts.take_time(PASSED_OVER, passed_over)
        counts.take_time(NO_FACT, _number(without) - passed_over)
    taken = [one for one in told if one.is_taken]
    gave = reduce(pc.or_, (one.mask for one in taken), nothing)
    counts.refuse(_number(has_fact) - _number(gave))
    if len({id(one.ticks) for one in taken}) == 1:
        counts.take(taken[0].ticks.filter(gave))
    elif taken:
        times = (pc.if_else(one.mask, one.ticks, None).filter(gave).to_pylist() for one in taken)
        for each in zip(*times, strict=True):
            counts.take_row([tick for tick in each if tick is not None])


def _number(mask: pa.Array) -> int:
    """In how many rows a mask is true."""
    return pc.sum(mask).as_py() or 0
