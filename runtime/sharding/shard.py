"""The reasoner of one shard: takes packets, waits for the watermark, gives packets.

Its state, which a carrier keeps, is a base (a snapshot, with the entries that wait) and a journal of the
packets taken since. So a batch keeps as much as it brought, and now and then a new base makes the journal
short again. Where a program may have several answer streams, a new base comes at places that depend on the
stream alone, and evaluation begins anew there, so that the same ones are followed however the stream was cut
into batches, and wherever it was interrupted.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, groupby, repeat
from operator import itemgetter
from typing import Any

from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.externals.terms.text import atom_texts
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.reasoning.snapshot import packed, unpacked
from lars2asp.runtime.sharding.blocks import atoms_of, block_of
from lars2asp.runtime.sharding.packets import (
    OUTPUT,
    UNTIL,
    Entry,
    Packet,
    PacketBuilder,
    PacketSign,
    entries,
    fact_sign,
    line,
    rejection,
)
from lars2asp.runtime.sharding.shard_spec import ShardSpec, check_fingerprint
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.syntax.nodes import Signature

_Waiting = dict[tuple[str, int | None, Signature], set[Row]]
"""The atoms that wait for a tick, by sign, last tick of facts (None for their only one) and predicate."""

_PARTS = {
    PacketSign.END: "end",
    PacketSign.DERIVED_END: "end",
    PacketSign.BEGIN: "begin",
    PacketSign.DERIVED_BEGIN: "begin",
    PacketSign.FACT: "facts",
    UNTIL: "facts",
}
"""The parts of Events for atoms, by their signs."""


@dataclass
class ShardState:
    """The state of a shard, as a carrier keeps it.

    Attributes:
        base: a snapshot; empty before the first.
        journal: the entries since.
    """

    base: bytes = b""
    journal: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class BatchResult:
    """The result of a batch for a shard.

    Attributes:
        packets: for the shards above, and for the output.
        base: the new base, with which the journal begins anew; None if the old one stays.
        entry: a new entry of the journal.
    """

    packets: list[Packet]
    base: bytes | None
    entry: str


class ShardReasoner:
    """Evaluates a shard; an error leaves it broken, and another one is to be made from the state.

    Raises SnapshotError for a state that is of another program, other options or other shards.

    Attributes:
        clock: the latest tick of a CLOCK entry.
    """

    def __init__(self, spec: ShardSpec, plan: Plan, state: ShardState | None = None) -> None:
        settings = spec.settings
        self._spec = spec
        self._session = Session(
            plan,
            start=settings.start,
            complete_windows=settings.complete_windows,
            evaluator=settings.evaluator,
            context=settings.functions,
            tuning=settings.tuning,
        )
        self._waiting: dict[int, _Waiting] = {}
        self._is_satisfiable = True
        self._work = 0
        tuning = settings.tuning
        self._due = tuning.shard_journal if self._session.is_certain else tuning.work_between_states
        self.clock: int | None = None
        if state is not None:
            self._restore(state)

    # --- packets --------------------------------------------------------------------------------------

    def take(self, texts: Sequence[str], late: int | None, over: int | None) -> BatchResult:
        """Takes packets, and goes on to the watermark.

        Args:
            texts: those of the packets.
            late: input for ticks up to this one comes too late; None where none does.
            over: the watermark: the ticks up to this one are over; None for none.

        Raises:
            EvaluationError: if clingo refuses the program, or a function of the user's fails.
        """
        output = PacketBuilder()
        kept: list[str] = []
        for text in texts:
            taken = [self._add(entry, late, output) for entry in entries(text)]
            kept.append(text if all(taken) else "\n".join(compress(filter(None, text.split("\n")), taken)))
        if self._session.is_certain:
            self._work += 1  # so that the journal has no end of short entries
        base = self._go_on(over, output) if over is not None else None
        journaled = _journaled(filter(None, kept), late, over) if base is None else _journaled((), None, over)
        return BatchResult(output.packets(), base, journaled)

    @property
    def start(self) -> int | None:
        """The first tick of the timeline as far as it is known."""
        return self._session.start

    def next_tick(self) -> int | None:
        """The first tick that has entries or a change once it is over; None for none."""
        ticks = [*self._waiting]
        change = self._session.next_change()
        return min(ticks if change is None else [*ticks, change], default=None)

    def _add(self, entry: Entry, late: int | None, output: PacketBuilder) -> bool:
        """Takes an entry; whether it came in time."""
        tick, sign, rest, _ = entry
        if sign == PacketSign.START:
            tick = tick if late is None else max(tick, late + 1)  # what comes too late starts nothing
            start, now = self._session.start, self._session.now
            if self._spec.settings.start is None and now is None and (start is None or tick < start):
                self._session.start_at(tick)
        elif sign == PacketSign.CLOCK:
            self.clock = tick if self.clock is None else max(self.clock, tick)
        elif (
            late is not None
            and tick <= late
            and sign not in (PacketSign.DERIVED_BEGIN, PacketSign.DERIVED_END)
        ):
            reason = f"late: tick {tick} came when the ticks up to {late} were over"
            texts = atom_texts(*atoms_of(rest))
            output.add(OUTPUT, tick, [rejection(tick, reason, text) for text in texts])
            return False
        else:
            self._wait(entry)
        return True

    def _wait(self, entry: Entry) -> None:
        """Keeps atoms for their tick."""
        signature, rows = atoms_of(entry.rest)
        waiting = self._waiting.setdefault(entry.tick, {})
        waiting.setdefault((entry.sign, entry.until, signature), set()).update(rows)

    def _go_on(self, over: int, output: PacketBuilder) -> bytes | None:
        """Evaluates the ticks up to the watermark; gives a new base if one is due."""
        base = None
        for tick in sorted(tick for tick in self._waiting if tick <= over):
            self._finish(tick - 1, output)
            if self._is_due:
                base = self._base()
            self._take_waiting(tick, output)
        self._finish(over, output)
        if self._is_due and self._session.is_certain:  # else this place must not matter
            base = self._base()
        return base

    @property
    def _is_due(self) -> bool:
        """Whether a base is due; input from before the timeline starts is in none."""
        return self._work >= self._due and self._session.now is not None

    def _take_waiting(self, tick: int, output: PacketBuilder) -> None:
        """Hands the reasoner the atoms that wait for a tick."""
        by_end: dict[int | None, dict[str, list[AtomRows]]] = {}
        for (sign, until, signature), rows in self._waiting.pop(tick).items():
            by_end.setdefault(until, {}).setdefault(_PARTS[sign], []).append(AtomRows(signature, [*rows]))
        for until in sorted(by_end, key=lambda end: -1 if end is None else end):
            texts = {part: _by_text(atoms) for part, atoms in by_end[until].items()}
            atoms = {part: _blocks(here) for part, here in texts.items()}
            if not self._take_record(tick, Events(**atoms, until=until)):
                continue
            for part in "end", "begin", "facts":  # those that are valid by themselves are taken
                for atom in texts.get(part, ()):
                    reasons = self._take_record(tick, Events(**{part: _blocks([atom])}, until=until))
                    output.add(OUTPUT, tick, [rejection(tick, reason, atom[0]) for reason in reasons])

    def _take_record(self, tick: int, events: Events) -> list[str]:
        """Hands the reasoner a record; the reasons why it is rejected, if it is."""
        rejections: list[Rejected] = []
        accepted = self._session.accept(Record(tick, events), rejections.append)
        if accepted is not None:
            taken = accepted.events
            self._work += sum(len(rows) for _, rows in (*taken.facts, *taken.begin, *taken.end))
            self._session.gather(accepted)
        return [rejected.reason for rejected in rejections]

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
            sign = PacketSign.SATISFIABLE if answer.satisfiable else PacketSign.UNSATISFIABLE
            output.add(OUTPUT, tick, [line(tick, sign)])
        part = self._spec.shard.part
        for signature, (began, ended) in answer.row_changes:
            is_output = self._spec.shard.is_whole or signature in part.outputs  # terms may be no atoms
            for rows, change, derived in (
                (ended, PacketSign.ENDED, PacketSign.DERIVED_END),
                (began, PacketSign.BEGAN, PacketSign.DERIVED_BEGIN),
            ):
                atoms = self._spec.shard.owned(AtomRows(signature, rows))
                if not atoms.rows:
                    continue
                if is_output:
                    head = line(tick, change)
                    texts = sorted(_in_one_line(atom_texts(*atoms)))
                    output.add(OUTPUT, tick, [head + text for text in texts])
                if signature in part.hands_on:
                    output.add_atoms(self._spec.routes.targets(atoms), tick, derived.value)

    # --- state ----------------------------------------------------------------------------------------

    def _base(self) -> bytes:
        """A snapshot, between two ticks; evaluation begins anew."""
        table = TermTable()
        size = sum(len(rows) for atoms in self._waiting.values() for rows in atoms.values())

        def write(rows: Iterable[Row]) -> list[Any]:
            nonlocal size
            written = table.write(rows)
            size += len(written)
            return written

        state = self._session.state(write)
        self._work = 0
        if self._session.is_certain:
            self._due = max(self._spec.settings.tuning.shard_journal, 2 * size)
        return packed(
            {
                "fingerprint": self._spec.fingerprint,
                "reasoner": state,
                "terms": table.table,
                "start": self._session.start,
                "waiting": "\n".join(self._waiting_lines()),
                "satisfiable": self._is_satisfiable,
                "due": self._due,
            }
        )

    def _waiting_lines(self) -> Iterator[str]:
        """The entries that wait."""
        for tick, waiting in self._waiting.items():
            for (sign, until, signature), rows in waiting.items():
                kind = sign if until is None else fact_sign(until)
                yield line(tick, kind, block_of(AtomRows(signature, [*rows])))

    def _restore(self, state: ShardState) -> None:
        if state.base:
            kept = unpacked(state.base)
            check_fingerprint(kept["fingerprint"], self._spec)
            if kept["start"] is not None and self._spec.settings.start is None:
                self._session.start_at(kept["start"])
            self._session.restore(kept["reasoner"], TermReader(kept["terms"]).read)
            for entry in entries(kept["waiting"]):
                self._wait(entry)
            self._is_satisfiable, self._due = kept["satisfiable"], kept["due"]
        for journaled in state.journal:
            texts, late, over = _read_journal(journaled)
            self.take(texts, late, over)


_WithText = tuple[str, Signature, Row]
"""An atom behind its text."""


def _by_text(atoms: Iterable[AtomRows]) -> list[_WithText]:
    """Atoms in the order of their texts."""
    found: list[_WithText] = []
    for signature, rows in atoms:
        found += zip(atom_texts(signature, rows), repeat(signature), rows)
    found.sort(key=itemgetter(0))
    return found


def _blocks(atoms: Iterable[_WithText]) -> tuple[AtomRows, ...]:
    """Neighbours of one predicate together."""
    groups = groupby(atoms, itemgetter(1))
    return tuple(AtomRows(signature, [row for *_, row in here]) for signature, here in groups)


def _in_one_line(texts: Sequence[str]) -> Sequence[str]:
    """Texts in a line each; only the user's functions make names with line breaks."""
    return [text.replace("\n", "\\n") for text in texts] if "\n" in "".join(texts) else texts


def _journaled(texts: Iterable[str], late: int | None, over: int | None) -> str:
    return "\n".join([f"{'' if late is None else late} {'' if over is None else over}", *texts])


def watermark_of(journaled: str) -> int | None:
    """The watermark of an entry of the journal: the last tick that was over; None for none."""
    return _read_journal(journaled)[2]


def _read_journal(journaled: str) -> tuple[list[str], int | None, int | None]:
    head, _, text = journaled.partition("\n")
    late, over = head.split(" ")
    return [text], int(late) if late else None, int(over) if over else None
