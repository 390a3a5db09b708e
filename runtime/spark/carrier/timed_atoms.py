"""Rows with a time and an atom each become blocks of atoms."""

from collections.abc import Sequence
from functools import lru_cache, reduce

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.externals.terms.terms import columns_of
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.blocks import Block, arguments_of
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.arrow.arrow_columns import TimeCells
from lars2asp.runtime.sources.facts.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.fine_ticks import FineTick, moment_ranked
from lars2asp.runtime.sources.records import Origin, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.cells import NAME, cells, ranks, ticks
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

TIME, ATOM, CHANGE, UNTIL = "time", "atom", "change", "until"

NO_FACTS = ("rejected", "unsatisfiable", "satisfiable")
"""Changes in answers of a program that are no input to another one."""

_SIGNS = {"began": PacketSign.BEGIN, "ended": PacketSign.END, "": PacketSign.FACT}
"""What happens to an atom, by the change that its row has."""

_FEWEST_AT_ONCE = 16
"""The number of rows from which on those that are no atoms are found by halves, not one by one."""


@dataclass(frozen=True)
class TimedAtoms:
    """Rows with a time and an atom each."""

    columns: tuple[str, ...]
    timeline: Timeline
    facts: FactReader = PLAIN

    def route(self, batch: pa.RecordBatch, router: Router) -> None:
        """Adds the atoms of rows to a router; a row without atom only moves time.

        Rows are read by columns, those of a predicate together; where a time or a change is none, one by one.
        """
        timeline = self.timeline.fine if CHANGE in self.columns else self.timeline
        times = TimeCells(TIME, timeline).read(batch.column(0))
        at = ticks(times)
        is_good = pc.less_equal(at, router.last_tick).fill_null(False)
        changes = _texts(batch.column(2)) if CHANGE in self.columns else None
        until = batch.column(batch.num_columns - 1) if UNTIL in self.columns else None
        last = None
        is_short = is_good
        if until is not None and until.null_count < len(until):
            last = ticks(TimeCells(UNTIL, self.timeline).read(until))
            is_short = pc.and_(is_good, _is_empty(until))
        if (rank := ranks(times)) is not None:
            batch = batch.append_column("rank", rank)
        taken = []
        for change, sign in _SIGNS.items():
            if changes is None and change:
                continue
            is_so = is_short if changes is None else pc.and_(is_short, pc.equal(changes, change))
            taken.append(is_so)
            self._add(sign, batch.filter(is_so), at.filter(is_so), None, router)
        if last is not None:
            is_so = pc.and_(is_good, pc.less_equal(last, router.last_tick).fill_null(False))
            is_so = is_so if changes is None else pc.and_(is_so, pc.equal(changes, ""))
            taken.append(is_so)
            self._add(PacketSign.FACT, batch.filter(is_so), at.filter(is_so), last.filter(is_so), router)
        self._route_rows(batch.filter(pc.invert(reduce(pc.or_, taken))), router)

    def _route_rows(self, batch: pa.RecordBatch, router: Router) -> None:
        """Adds the atoms of rows one by one."""
        has_change, has_until = CHANGE in self.columns, UNTIL in self.columns
        timeline = self.timeline.fine if has_change else self.timeline
        tick_of = lru_cache(maxsize=1024)(timeline.tick_of_text)
        for row in zip(*map(cells, self._own(batch)), strict=True):
            try:
                if has_change and row[2] in NO_FACTS:
                    router.counts.account.passed_over += 1
                    continue
                tick = tick_of(row[0])
                sign, until = self._sign(row[2] if has_change else "", row[-1] if has_until else "")
                if row[1]:
                    router.check(tick)
                    self._add_row(row[1], tick, sign, until, router)
                else:
                    router.reach(tick)
                    router.counts.account.clock_only += 1
            except InputError as error:
                _reject(row, error, router)

    def _add(
        self, sign: PacketSign, rows: pa.RecordBatch, ticks: pa.Array, until: pa.Array | None, router: Router
    ) -> None:
        """Adds the atoms of rows to which the same happens."""
        if not rows.num_rows:
            return
        names = pc.list_element(pc.split_pattern(_texts(rows.column(1)), "(", max_splits=1), 0)
        names = names.dictionary_encode()
        for number, name in enumerate(names.dictionary.to_pylist()):
            is_so = pc.equal(names.indices, number)
            here = rows.filter(is_so)
            when, last = ticks.filter(is_so), None if until is None else until.filter(is_so)
            if not name:
                has_text = pc.not_equal(_texts(here.column(1)), "")
                alone = when.filter(pc.invert(has_text))
                router.counts.account.clock_only += len(alone)
                for tick in alone.unique().to_pylist():
                    router.reach(tick)
                here, when = here.filter(has_text), when.filter(has_text)
                last = None if last is None else last.filter(has_text)
            if here.num_rows:
                self._add_alike(sign, here, when, last, router)

    def _add_alike(
        self, sign: PacketSign, rows: pa.RecordBatch, ticks: pa.Array, until: pa.Array | None, router: Router
    ) -> None:
        """Adds the atoms of rows, most often of one predicate; those that are none are found by halves."""
        texts = _texts(rows.column(1)).to_pylist()
        try:
            found = self.facts.parse_atoms(texts)
        except InputError:
            if len(texts) < _FEWEST_AT_ONCE:
                self._add_each(sign, rows, ticks, until, router)
                return
            middle = len(texts) // 2
            for half in ((0, middle), (middle, len(texts) - middle)):
                last = None if until is None else until.slice(*half)
                self._add_alike(sign, rows.slice(*half), ticks.slice(*half), last, router)
            return
        if len(found) > 1:
            self._add_each(sign, rows, ticks, until, router)
            return
        [(signature, arguments)] = found
        columns = [*map(arguments_of, columns_of(arguments))]
        router.add_block(Block.from_columns(sign, signature, ticks, columns, until, self._ranks(rows)))
        if router.takes(signature):
            router.counts.take(ticks, lasts=sign != PacketSign.FACT or until is not None)
        else:
            router.counts.refuse(len(ticks))

    def _add_each(
        self, sign: PacketSign, rows: pa.RecordBatch, ticks: pa.Array, until: pa.Array | None, router: Router
    ) -> None:
        last = [None] * len(ticks) if until is None else until.to_pylist()
        at, ranks = ticks.to_pylist(), self._ranks(rows)
        if ranks is not None:
            at = [*map(FineTick.at, at, map(moment_ranked, ranks.to_pylist()))]
        places = zip(zip(*map(cells, self._own(rows)), strict=True), at, last, strict=True)
        for row, tick, end in places:
            try:
                self._add_row(row[1], tick, sign, end, router)
            except InputError as error:
                _reject(row, error, router)

    def _own(self, rows: pa.RecordBatch) -> list[pa.Array]:
        """The columns of the rows themselves."""
        return list(rows.columns[: len(self.columns)])

    def _ranks(self, rows: pa.RecordBatch) -> pa.Array | None:
        """The column with the ranks of the times of rows; None where there is none."""
        return rows.columns[-1] if rows.num_columns > len(self.columns) else None

    def _add_row(self, text: str, tick: int, sign: PacketSign, until: int | None, router: Router) -> None:
        """Adds the atom of a row. Raises InputError."""
        atoms = self.facts.parse_atoms([text])
        router.add_atoms(tick, sign, atoms, until)
        if all(router.takes(one.signature) for one in atoms):
            router.counts.take_row([tick], lasts=sign != PacketSign.FACT or until is not None)
        else:
            router.counts.refuse()

    def _sign(self, change: str, until: str) -> tuple[PacketSign, int | None]:
        """What happens to the atom of a row, and the last tick of a fact that holds longer than its own."""
        if change not in _SIGNS:
            raise InputError(f"'{shown(change)}' is no change: write began or ended")
        if change and until:
            raise InputError("until needs facts: atoms with began end by a record with ended")
        return _SIGNS[change], +self.timeline.tick_of_text(until) if until else None


def _texts(column: pa.Array) -> pa.Array:
    return column.cast(pa.string()).fill_null("")


def _is_empty(column: pa.Array) -> pa.Array:
    """Where a column has nothing, or a text without characters."""
    is_text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    return pc.equal(_texts(column), "") if is_text else column.is_null()


def _reject(row: Sequence[str], error: InputError, router: Router) -> None:
    router.reject(Rejected(Origin(NAME, 0, " ".join(row)), str(error)))
    router.counts.refuse()
