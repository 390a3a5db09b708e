"""From the columns of a table to blocks of atoms, as `#input` declares."""

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.analysis.number_forms import NumberForms
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.blocks import Arguments, Block
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.records import LEFT_OUT, NO_FACT, PASSED_OVER, LeftOut, Origin, Rejected
from lars2asp.runtime.sources.tables.row_reader import RowReader, row_readers, with_keys
from lars2asp.runtime.sources.tables.table_form import Dialect
from lars2asp.runtime.sources.tables.wanted_columns import columns_needed, columns_read
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.cells import NAME, texts_of
from lars2asp.runtime.spark.carrier.converted import arguments_in, needs_number, ranks_of, ticks_of
from lars2asp.syntax.nodes import RECORD_COLUMNS, Input
from lars2asp.syntax.values import dataclass


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
        self._readers()

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

    def _readers(self) -> list[RowReader]:
        how = self.columns, "the rows", self.timeline, Dialect(), self.decimals
        readers = row_readers(self.declarations, *how, has_empty_texts=True)
        for reader in readers:
            reader.asks_filled = reader.declared.asks_filled
        return readers

    def route(self, batch: pa.RecordBatch, router: Router) -> None:
        """Adds one fact for each declaration; a row that cannot be read is rejected whole.

        Rows are read by columns: each distinct value is converted once. Those where a cell is missing or
        cannot be converted are read one by one.
        """
        readers = self._readers()
        if any(reader.is_numbered for reader in readers):
            batch = _numbered(batch, router)
        all_times = {(reader.time_places, reader.timeline.form) for reader in readers}
        has_several = len(all_times) > 1 and any(reader.conditions for reader in readers)
        has_several = has_several or any(len(one.times) > 1 or _asks_others(one) for one in readers)
        if has_several or readers[0].behind:
            self._route_rows(batch, readers, router)
            return
        ticks = {
            (place, form): ticks_of(batch.column(place), replace(self.timeline, form=form), router)
            for place, form in {(reader.time_places[0], reader.timeline.form) for reader in readers}
        }
        ranks = {
            (place, form): ranks_of(batch.column(place), replace(self.timeline, form=form))
            for place, form in ticks
        }
        wanted = {key: column for one in readers for key, column in zip(_keys(one), one.columns, strict=True)}
        values = {
            (places, *key, decimals): arguments_in(batch.column(places[0]), column, decimals, self.timeline)
            for (places, *key, decimals), column in wanted.items()
        }
        masks = [found.is_good for found in ticks.values() if found.is_good is not None]
        chosen = [_taken(batch, reader) for reader in readers]
        for reader, mask in zip(readers, chosen, strict=True):
            own = [values[key].is_good for key in _keys(reader)]
            good = [one for one in own if one is not None]
            if mask is None:
                masks += good
            else:
                left_out = pc.invert(mask)
                masks.append(reduce(pc.and_, [pc.is_valid(mask), *(pc.or_(left_out, one) for one in good)]))
        is_good = pc.fill_null(reduce(pc.and_, masks), False) if masks else None
        if is_good is not None:
            self._route_rows(batch.filter(pc.invert(is_good)), readers, router)
        if not batch.num_rows or (is_good is not None and not pc.any(is_good).as_py()):
            return
        if all(mask is not None for mask in chosen):
            fits = reduce(pc.or_, chosen)
            self._pass_over(next(iter(ticks.values())).arguments(pc.and_(is_good, pc.invert(fits))), router)
            is_good = pc.and_(is_good, fits)
        taken, rows = dict[tuple[int, TimeFormat | None], pa.Array](), list[pa.Array]()
        for reader, chosen_rows in zip(readers, chosen, strict=True):
            mask = is_good if chosen_rows is None else pc.and_(is_good, chosen_rows)
            time = ticks[reader.time_places[0], reader.timeline.form]
            at = time.arguments(mask).values
            if not len(at):
                continue
            arguments = [values[key].arguments(mask) for key in _keys(reader)]
            times = ranks[reader.time_places[0], reader.timeline.form]
            times = times if times is None or mask is None else times.filter(mask)
            block = Block.from_columns(PacketSign.FACT, reader.signature, at, arguments, ranks=times)
            router.add_block(block)
            if router.takes(reader.signature):
                rows.append(mask)
                taken[reader.time_places[0], reader.timeline.form] = at
        if len(taken) == 1 and any(mask is not None for mask in chosen):
            fits = reduce(pc.or_, rows)
            router.counts.take(time.arguments(fits).values)
            router.counts.refuse(pc.sum(pc.and_(is_good, pc.invert(fits))).as_py() or 0)
        elif len(taken) == 1:
            router.counts.take(*taken.values())
        elif taken:
            for row in zip(*map(pa.Array.to_pylist, taken.values()), strict=True):
                router.counts.take_row(row)
        else:
            router.counts.refuse(batch.num_rows if is_good is None else pc.sum(is_good).as_py())

    @staticmethod
    def _pass_over(times: Arguments, router: Router) -> None:
        """Counts rows that conditions leave out, at these ticks."""
        for tick in (pc.min_max(times.values).as_py() if len(times.values) else {}).values():
            router.add_atoms(tick, PacketSign.FACT, ())
        for _ in range(len(times.values)):
            router.counts.take_time(PASSED_OVER)

    @staticmethod
    def _pass_over_row(ticks: list[int], router: Router) -> None:
        """Counts a row that conditions leave out, which has one of these times, if any."""
        if not ticks:
            router.counts.account.refuse(LeftOut.of(Origin(NAME, 0)))
            return
        router.check(ticks[0])
        router.add_atoms(ticks[0], PacketSign.FACT, ())
        router.counts.take_time(PASSED_OVER)

    def _with_numbers(
        self, row: Sequence[Any], readers: Sequence[RowReader], router: Router
    ) -> Iterator[tuple[RowReader, Sequence[Any]]]:
        """The row for each of its readers; each fact that `each K, V` gives has a number of its own."""
        records = router.records
        are_several = readers[0].behind and any(reader.is_numbered for reader in readers)
        place, before = readers[0].first_key - 1, records.count
        for reader in readers:
            if are_several:
                count = before + 1 + reader.number
                row = (*row[:place], records.number(count) - reader.number, *row[place + 1 :])
                records.count = max(records.count, count)
            yield reader, row

    def _route_rows(self, batch: pa.RecordBatch, readers: list[RowReader], router: Router) -> None:
        """Adds the facts of rows one by one."""
        times = {place for reader in readers for place in reader.time_places}
        width = len(self.columns)
        own = [column.to_pylist() for column in batch.columns[width:]]
        for cells_of_row in zip(*map(texts_of, batch.columns[:width]), *own, strict=True):
            row = with_keys(cells_of_row, readers)
            try:
                read = [reader.read(one) for reader, one in self._with_numbers(row, readers, router)]
                facts = [(tick, atoms) for tick, atoms in read if tick is not None and atoms is not LEFT_OUT]
                if not facts:
                    self._pass_over_row([tick for tick, _ in read if tick is not None], router)
                    continue
                for tick, _ in facts:
                    router.check(tick)
            except InputError as error:
                written = ",".join([cell or "" for cell in row[:width]])
                router.reject(Rejected(Origin(NAME, 0, written), str(error)))
                router.counts.refuse()
                continue
            for tick, atoms in facts:
                router.add_atoms(tick, PacketSign.FACT, () if atoms is None else (atoms,))
            told = [(tick, atoms.signature) for tick, atoms in facts if atoms is not None]
            if taken := [tick for tick, signature in told if router.takes(signature)]:
                router.counts.take_row(taken)
            elif told:
                router.counts.refuse()
            else:
                cells = enumerate(row[:width])
                is_filled = any(cell is not None for place, cell in cells if place not in times)
                router.counts.take_time(NO_FACT if is_filled else PASSED_OVER)


def _asks_others(reader: RowReader) -> bool:
    """Whether cells that are no arguments decide if a row counts, though all arguments are there."""
    cells = zip(reader.places, reader.columns, strict=True)
    return reader.asks_filled and {places[0] for places, one in cells if one.is_cell} <= {*reader.time_places}


def _keys(reader: RowReader) -> Iterator[tuple[Any, ...]]:
    """What tells the values of the columns of a declaration from those of others."""
    are_numbers = map(needs_number, reader.columns)
    return zip(reader.places, reader.columns, are_numbers, reader.decimals, strict=True)


def _taken(batch: pa.RecordBatch, reader: RowReader) -> pa.Array | None:
    """For each row whether a declaration takes it, null where a cell is wrong; None: it takes all."""
    found = []
    for (place,), cells in reader.conditions:
        column = batch.column(place)
        column = column.cast(pa.string()) if pa.types.is_null(column.type) else column
        encoded = column.dictionary_encode()
        outcomes = [cells[text] for text in (*texts_of(encoded.dictionary), None)]
        values = pa.array([one if isinstance(one, bool) else None for one in outcomes], pa.bool_())
        found.append(values.take(encoded.indices.fill_null(len(encoded.dictionary))))
    return reduce(pc.and_kleene, found) if found else None


def _numbered(batch: pa.RecordBatch, router: Router) -> pa.RecordBatch:
    """Rows with what `record()` is of each behind their cells; `row()` and `file()` are refused."""
    records = router.records
    first = records.count + 1
    records.count += batch.num_rows
    numbers = pa.array(map(records.number, range(first, first + batch.num_rows)), pa.int64())
    for name in RECORD_COLUMNS:
        column = numbers if name == "record" else pa.nulls(batch.num_rows)
        batch = batch.append_column(f"{name}()", column)
    return batch
