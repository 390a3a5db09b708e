"""The reasoner of one shard: takes packets, waits for the watermark, gives packets.

Its state, which a carrier keeps, is a base (a snapshot, with the entries that wait) and a journal of the
packets taken since. So a batch keeps as much as it brought, and now and then a new base makes the journal
short again. Where a program may have several answer streams, a new base comes at places that depend on the
stream alone, and evaluation begins anew there, so that the same ones are followed however the stream was cut
into batches, and wherever it was interrupted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain, groupby, repeat
from operator import itemgetter
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import ReadRows, TermReader, TermTable, WriteRows
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.externals.terms.text import atom_texts
from lars2asp.externals.views import RowChanges
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.flow.states import FlowState
from lars2asp.runtime.reasoning.blocks import Blocks
from lars2asp.runtime.reasoning.memory import IN_BLOCKS, YOUNG, collecting_for_rows
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.reasoning.snapshot import packed, restoring, unpacked
from lars2asp.runtime.sharding.blocks import Block, read, written
from lars2asp.runtime.sharding.packets import OUTPUT, Packet, PacketBuilder, PacketSign
from lars2asp.runtime.sharding.shard_spec import ANOTHER_RUN, ShardSpec, check_fingerprint
from lars2asp.runtime.sharding.whole_input import WholeInput, columns_of, each_alone, in_order, is_by_arrival
from lars2asp.runtime.sources.fine_ticks import NO_MOMENT, rank_of
from lars2asp.runtime.sources.records import Late, Record, Rejected
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.values import dataclass

_Waiting = dict[tuple[str, int | None, Signature, int], set[Row]]
"""The atoms that wait for a tick, by sign, last tick of facts (None for their only one), predicate and time,
where that counts."""

_PARTS: dict[str, str] = {
    PacketSign.END: "end",
    PacketSign.DERIVED_END: "end",
    PacketSign.BEGIN: "begin",
    PacketSign.DERIVED_BEGIN: "begin",
    PacketSign.FACT: "facts",
}
"""The parts of Events for atoms, by their signs."""

_DERIVED = (PacketSign.DERIVED_BEGIN, PacketSign.DERIVED_END)


@dataclass
class ShardState:
    """The state of a shard, as a carrier keeps it.

    Attributes:
        base: a snapshot; empty before the first.
        journal: the entries since.
    """

    base: bytes = b""
    journal: list[bytes] = field(default_factory=list)


class Refused(NamedTuple):
    """How many atoms of the input were rejected at their ticks.

    Attributes:
        rejected: those that are not valid there.
        late: those from before the timeline, but for facts from before a start that was given.
    """

    rejected: int = 0
    late: int = 0


@dataclass(frozen=True)
class BatchResult:
    """The result of a batch for a shard.

    Attributes:
        packets: for the shards above, and for the output.
        base: the new base, with which the journal begins anew; None if the old one stays.
        entry: a new entry of the journal.
        facts: the number of atoms that were taken.
        late: the number of those that came too late.
        refused: see ShardReasoner.
    """

    packets: list[Packet]
    base: bytes | None
    entry: bytes
    facts: int
    late: int
    refused: Refused = Refused()


class ShardReasoner:
    """Evaluates a shard; an error leaves it broken, and another one is to be made from the state.

    Raises SnapshotError for a state that is of another program, other options or other shards.

    Attributes:
        clock: the latest tick of a CLOCK entry.
        is_in_blocks: whether the last ticks were evaluated many at once.
        refused: what was rejected of the packets taken last; an atom that went to several shards counts in
            the first of them.
    """

    def __init__(self, spec: ShardSpec, plan: Plan, state: ShardState | None = None) -> None:
        settings = spec.settings
        self._spec = spec
        self._session = Session(
            plan,
            start=settings.start,
            complete_windows=settings.complete_windows,
            evaluator=settings.evaluator,
            functions=settings.functions,
            clingo=settings.clingo,
            largest_interval=settings.largest_interval,
            tuning=settings.tuning,
        )
        self._waiting: dict[int, _Waiting] = {}
        self._is_satisfiable = True
        self._work = 0
        self.refused = Refused()
        self._facts = self._late = 0
        """The atoms of the packets taken last, those in time and the others."""
        execution = self._session.execution
        self._is_certain = self._session.is_certain or (execution.has_flow and execution.has_one_answer)
        """Whether there is one answer stream at most, also with constraints."""
        self._is_ordered = not self._is_certain or is_by_arrival(plan)
        """Whether the order in which the atoms of a tick arrive may matter."""
        self._told: list[Block] = []
        """Facts that wait for their ticks, if many ticks may be evaluated at once."""
        self.is_in_blocks = False
        tuning = settings.tuning
        self._due = tuning.shard_journal if self._is_certain else tuning.work_between_states
        self.clock: int | None = None
        if state is not None:
            self._restore(state)

    # --- packets --------------------------------------------------------------------------------------

    def take(self, packets: Sequence[bytes], late: int | None, over: int | None) -> BatchResult:
        """Takes packets, and goes on to the watermark.

        Args:
            packets: the data of the packets.
            late: input for ticks up to this one comes too late; None where none does.
            over: the watermark: the ticks up to this one are over; None for none.

        Raises:
            EvaluationError: if clingo refuses the program, or a function of the user's fails.
        """
        output = PacketBuilder(self._spec.routes, self._spec.shard)
        self._facts, self._late, self.refused = 0, 0, Refused()
        kept = [self._add(packet, late, output) for packet in packets]
        if self._is_certain:
            self._work += 1  # so that the journal has no end of short entries
        base = self._go_on(over, output) if over is not None else None
        journaled = _journaled(kept, late, over) if base is None else _journaled((), None, over)
        return BatchResult(output.packets(), base, journaled, self._facts, self._late, self.refused)

    def evaluate(self, packets: Sequence[bytes]) -> list[Packet]:
        """What comes of the packets of a whole input, one of which says how far time goes.

        No state is kept: `take` does not go on from there. Raises what `take` raises.
        """
        output = PacketBuilder(self._spec.routes, self._spec.shard)
        for block in chain.from_iterable(map(read, packets)):
            self._wait(block)
        if self.clock is not None:
            self._advance(self.clock, output)
        return output.packets()

    @property
    def start(self) -> int | None:
        """The first tick of the timeline as far as it is known."""
        return self._session.start

    @property
    def makes_symbols(self) -> bool:
        """Whether clingo's symbols are made, which are never freed."""
        return self._session.execution.makes_symbols

    def next_tick(self) -> int | None:
        """The first tick that has atoms or a change once it is over; None for none."""
        change = self._session.next_change()
        ticks = [*self._waiting, *(pc.min(block.columns.column(0)).as_py() for block in self._told)]
        return min(ticks if change is None else [*ticks, change], default=None)

    def _add(self, packet: bytes, late: int | None, output: PacketBuilder) -> bytes:
        """Takes a packet; gives what of it came in time."""
        blocks = [*read(packet)]
        kept = [taken for block in blocks if (taken := self._in_time(block, late, output)) is not None]
        for block in kept:
            self._wait(block)
        return packet if [*map(id, kept)] == [*map(id, blocks)] else written(kept)

    def _in_time(self, block: Block, late: int | None, output: PacketBuilder) -> Block | None:
        """What of a block came in time; the rest is rejected, and starts nothing."""
        if late is None or block.sign == PacketSign.CLOCK or block.sign in _DERIVED:
            return block
        if block.sign == PacketSign.START:
            return block if min(block.ticks) > late else Block.at(late + 1, block.sign)
        is_late = pc.less_equal(block.columns.column(0), pa.scalar(late, pa.int64()))
        if not pc.any(is_late).as_py():
            return block
        rejected = block.where(is_late)
        for tick, *_, rows in _by_tick(rejected):
            reason = f"late: tick {tick} came when the ticks up to {late} were over"
            output.reject(tick, reason, atom_texts(block.signature, rows, self._session.plan.decimals))
        self._late += rejected.columns.num_rows
        kept = block.where(pc.invert(is_late))
        return kept if kept.columns.num_rows else None

    def _wait(self, block: Block) -> None:
        """Keeps atoms for their ticks, or what is said without atoms."""
        match block.sign:
            case PacketSign.START:
                self._start_at(min(block.ticks))
            case PacketSign.CLOCK:
                latest = max(block.ticks)
                self.clock = latest if self.clock is None else max(self.clock, latest)
            case _:
                self._facts += block.columns.num_rows
                if self._may_be_in_columns(block):
                    self._told.append(block)
                else:
                    self._keep(block)

    def _may_be_in_columns(self, block: Block) -> bool:
        """Whether the atoms of a block may stay in columns."""
        is_plain = block.sign == PacketSign.FACT and not block.has_until
        return is_plain and not self._is_ordered and self._has_flow

    @property
    def _has_flow(self) -> bool:
        """Whether `flow` may evaluate the next ticks: it has not been left."""
        execution = self._session.execution
        return execution.takes_batches and (not execution.has_begun or execution.flow is not None)

    def _keep(self, block: Block) -> None:
        has_order = self._is_ordered or block.sign in (PacketSign.BEGIN, PacketSign.END)
        for tick, until, rank, rows in _by_tick(block):
            key = block.sign, until, block.signature, rank if has_order else NO_MOMENT
            self._waiting.setdefault(tick, {}).setdefault(key, set()).update(rows)

    def _start_at(self, tick: int) -> None:
        start, now = self._session.start, self._session.now
        if self._spec.settings.start is None and now is None and (start is None or tick < start):
            self._session.start_at(tick)

    def _go_on(self, over: int, output: PacketBuilder) -> bytes | None:
        """Evaluates the ticks up to the watermark; gives a new base if one is due."""
        base = self._advance(over, output)
        if self._is_due and self._is_certain:  # else this place must not matter
            base = self._base()
        return base

    def _advance(self, over: int, output: PacketBuilder) -> bytes | None:
        """Evaluates the ticks up to one; gives the last base that was due in between.

        If there may be several answer streams, the same is followed however the stream is cut into batches.
        """
        if self._is_certain:
            self._advance_at_once(over, output)
            return None
        base = None
        for tick in sorted(tick for tick in self._waiting if tick <= over):
            self._finish(tick - 1, output)
            if self._is_due:
                base = self._base()
            self._take_waiting(tick, output)
        self._finish(over, output)
        return base

    def _advance_at_once(self, over: int, output: PacketBuilder) -> None:
        """Evaluates the ticks up to one, many at once if that is possible."""
        ticks = sorted(tick for tick in self._waiting if tick <= over)
        told, self._told = self._told, []
        due: list[Block] = []
        for block in told:
            is_over = pc.less_equal(block.columns.column(0), pa.scalar(over, pa.int64()))
            for where, some in ((is_over, due), (pc.invert(is_over), self._told)):
                if (part := block.where(where)).columns.num_rows:
                    some.append(part)
        if any(sign != PacketSign.FACT for tick in ticks for sign, *_ in self._waiting[tick]):
            for block in due:
                self._keep(block)
            ticks, due = sorted(tick for tick in self._waiting if tick <= over), []
        columns = columns_of(due)
        self._work += len(columns) + sum(len(one) for tick in ticks for one in self._waiting[tick].values())

        def reject(one: Rejected, atom: AtomRows, record: Record) -> None:
            self._reject(one, atom, record, output)

        whole = WholeInput(columns, ticks, self._taken, reject)
        first = min((*columns.ticks[:1], *ticks[:1]), default=None)
        start, now = self._session.start, self._session.now
        is_late = now is None and start is not None and first is not None and first < start
        self.is_in_blocks = self._has_flow and first is not None and not is_late
        with self._session, collecting_for_rows(IN_BLOCKS if self.is_in_blocks else YOUNG):
            for answer in self._answers(whole, over):
                self._work += 1
                self._send(answer, output)

    def _answers(self, whole: WholeInput, until: int) -> Iterator[Answer]:
        """The answers at all ticks up to one."""
        records = whole.each(whole.items())
        if self.is_in_blocks:
            blocks = Blocks(self._session, None, whole.on_reject, lambda _: False, whole.each)
            yield from chain.from_iterable(blocks.over(whole.items(), until))
            if blocks.is_over:
                return
            records = chain(blocks.open, whole.each(blocks.rest))
        yield from self._session.answers(records, until, None, whole.on_reject)

    @property
    def _is_due(self) -> bool:
        """Whether a base is due; input from before the timeline starts is in none."""
        return self._work >= self._due and self._session.now is not None

    def _take_waiting(self, tick: int, output: PacketBuilder) -> None:
        """Hands the reasoner the atoms that wait for a tick."""
        for events in self._taken(tick):
            if self._take_record(tick, events):
                for atom, alone in each_alone(events):  # those that are valid by themselves are taken
                    for one in self._take_record(tick, alone):
                        self._reject(one, atom, Record(tick, alone), output)

    def _reject(self, one: Rejected, atom: AtomRows, record: Record, output: PacketBuilder) -> None:
        """An atom is rejected at its tick, by itself."""
        tick, (facts, *_, until), _ = record
        output.reject(tick, one.reason, atom_texts(*atom, self._session.plan.decimals))
        told, start = self._spec.told, self._spec.settings.start
        targets = () if told is None else told.targets(Block.of(PacketSign.FACT, atom, [tick]))
        if min(targets, default=None) != self._spec.shard.number:
            return
        is_late = isinstance(one, Late)
        if is_late and facts and until is None and start is not None and tick < start:
            return  # who read it knew
        rejected, late = self.refused
        self.refused = Refused(rejected + (not is_late), late + is_late)

    def _taken(self, tick: int) -> Iterator[Events]:
        """Takes out the atoms that wait for a tick, by their times: those that hold equally long together."""
        found: dict[tuple[int, int | None], dict[str, list[AtomRows]]] = {}
        for (sign, until, signature, rank), rows in self._waiting.pop(tick).items():
            parts = found.setdefault((rank, until), {})
            parts.setdefault(_PARTS[sign], []).append(AtomRows(signature, [*rows]))
        arranged = in_order if self._is_ordered else tuple
        for rank, until in sorted(found, key=lambda one: (one[0], -1 if one[1] is None else one[1])):
            events = {part: arranged(atoms) for part, atoms in found[rank, until].items()}
            yield Events(**events, until=until)

    def _take_record(self, tick: int, events: Events) -> list[Rejected]:
        """Hands the reasoner a record; what is said of it if it is rejected."""
        rejections: list[Rejected] = []
        accepted = self._session.accept(Record(tick, events), rejections.append)
        if accepted is not None:
            taken = accepted.events
            self._work += sum(len(rows) for _, rows in (*taken.facts, *taken.begin, *taken.end))
            self._session.gather(accepted)
        return rejections

    # --- answers --------------------------------------------------------------------------------------

    def _finish(self, until: int, output: PacketBuilder) -> None:
        for answer in self._session.finish(until):
            self._work += 1
            self._send(answer, output)

    def _send(self, answer: Answer, output: PacketBuilder) -> None:
        """Sends the changes of an answer."""
        tick = answer.tick
        if answer.satisfiable is not self._is_satisfiable:
            self._is_satisfiable = answer.satisfiable
            self._send_satisfiable(tick, output)
        self._send_changes(tick, answer.row_changes, output)

    def _send_changes(self, tick: int, changes: RowChanges, output: PacketBuilder) -> None:
        part = self._spec.shard.part
        for signature, (began, ended) in changes:
            if not self._spec.shard.has(signature):
                continue
            is_output = self._spec.shard.is_whole or signature in part.outputs  # terms may be no atoms
            for rows, change, derived in (
                (ended, PacketSign.ENDED, PacketSign.DERIVED_END),
                (began, PacketSign.BEGAN, PacketSign.DERIVED_BEGIN),
            ):
                atoms = AtomRows(signature, rows)
                if is_output:
                    output.add(OUTPUT, tick, change, atoms)
                if signature in part.hands_on:
                    output.route(tick, derived, atoms)

    def _send_satisfiable(self, tick: int, output: PacketBuilder) -> None:
        """Sends that there is an answer stream from a tick on, or none."""
        shard = self._spec.shard
        if shard.part.failed is not None:
            failed = AtomRows(shard.part.failed, [(shard.number,)])
            change = PacketSign.DERIVED_END if self._is_satisfiable else PacketSign.DERIVED_BEGIN
            output.route(tick, change, failed)
        elif shard.bucket == 0:
            sign = PacketSign.SATISFIABLE if self._is_satisfiable else PacketSign.UNSATISFIABLE
            output.add(OUTPUT, tick, sign)

    # --- state ----------------------------------------------------------------------------------------

    def _base(self) -> bytes:
        """A snapshot, between two ticks; evaluation begins anew."""
        for block in self._told:
            self._keep(block)
        self._told = []
        table = TermTable()
        size = sum(len(rows) for atoms in self._waiting.values() for rows in atoms.values())

        def write(rows: Iterable[Row]) -> list[Any]:
            nonlocal size
            written = table.write(rows)
            size += len(written)
            return written

        state = self._session.state(write)
        self._work = 0
        if self._is_certain:
            self._due = max(self._spec.settings.tuning.shard_journal, 2 * size)
        return packed(
            {
                "fingerprint": self._spec.fingerprint,
                "reasoner": state,
                "terms": table.table,
                "start": self._session.start,
                "ranked": [*self._written(write)],
                "satisfiable": self._is_satisfiable,
                "due": self._due,
            }
        )

    def _written(self, write: WriteRows) -> Iterator[list[Any]]:
        """The atoms that wait, in the form that a state has them in."""
        for tick, waiting in self._waiting.items():
            for (sign, until, signature, rank), rows in waiting.items():
                at = [] if rank == NO_MOMENT else [rank]
                yield [tick, sign, until, [*signature], write(rows), *at]

    def _read(self, kept: Mapping[str, Any], read_rows: ReadRows) -> None:
        has_ranks = "ranked" in kept  # else it is of 0.3.0, and has times
        for tick, sign, until, signature, rows, *at in kept["ranked" if has_ranks else "waiting"]:
            rank = NO_MOMENT if not at else at[0] if has_ranks else rank_of(at[0])
            key = sign, until, Signature(*signature), rank
            self._waiting.setdefault(tick, {})[key] = set(read_rows(rows))

    def _restore(self, state: ShardState) -> None:
        if state.base:
            kept = unpacked(state.base)
            check_fingerprint(kept["fingerprint"], self._spec)
            if kept["start"] is not None and self._spec.settings.start is None:
                self._session.start_at(kept["start"])
            terms = TermReader(kept["terms"])
            if "blocks" in kept:  # of 0.3.0
                with restoring():
                    self._restore_flow(kept["blocks"], terms.read)
            else:
                self._session.restore(kept["reasoner"], terms.read)
            self._read(kept, terms.read)
            self._is_satisfiable, self._due = kept["satisfiable"], kept["due"]
        for journaled in state.journal:
            late, over, packets = _read_journal(journaled)
            self.take([packets], late, over)

    def _restore_flow(self, state: Mapping[str, Any], read_rows: ReadRows) -> None:
        """Takes over a state of `flow` alone."""
        start = self._session.start
        if state["program"] != self._session.execution.fingerprint(None):
            raise SnapshotError(ANOTHER_RUN)
        assert start is not None
        ticks = self._session.begin_blocks(start)
        if ticks is None:
            raise SnapshotError(ANOTHER_RUN)
        ticks.flow.restore(FlowState.of_blocks(start, state, read_rows))
        self._session.end_blocks()
        for signature, rows, at, until in state["waiting"]:
            self._keep(
                Block.of(PacketSign.FACT, AtomRows(Signature(*signature), [*read_rows(rows)]), at, until)
            )


def _by_tick(block: Block) -> Iterator[tuple[int, int | None, int, list[Row]]]:
    """The rows of a block by ticks, last ticks of facts, and times; the same ones may come more than once."""
    ticks, rows, until, ranks = block.ticks, block.rows, block.until, block.ranks
    if until is None and ranks is None and len(set(ticks)) == 1:
        yield ticks[0], None, NO_MOMENT, rows
        return
    last: Iterable[int | None] = repeat(None) if until is None else until
    times = repeat(NO_MOMENT) if ranks is None else ranks
    for (tick, end, rank), here in groupby(zip(ticks, last, times, rows, strict=False), itemgetter(0, 1, 2)):
        yield tick, end, rank, [row for *_, row in here]


def _journaled(packets: Iterable[bytes], late: int | None, over: int | None) -> bytes:
    head = f"{'' if late is None else late} {'' if over is None else over}\n"
    return head.encode() + b"".join(packets)


def watermark_of(journaled: bytes) -> int | None:
    """The watermark of an entry of the journal: the last tick that was over; None for none."""
    return _read_journal(journaled)[1]


def _read_journal(journaled: bytes) -> tuple[int | None, int | None, bytes]:
    head, _, packets = journaled.partition(b"\n")
    late, over = head.split(b" ")
    return int(late) if late else None, int(over) if over else None, packets
