"""The reasoner of one shard: takes packets, waits for the watermark, gives packets.

Its state, which a carrier keeps, is a base (a snapshot, with the entries that wait) and a journal of the
packets taken since. So a batch keeps as much as it brought, and now and then a new base makes the journal
short again. Where a program may have several answer streams, a new base comes at places that depend on the
stream alone, and evaluation begins anew there, so that the same ones are followed however the stream was cut
into batches, and wherever it was interrupted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import compress

from clingo import Symbol

from lars2asp.externals.events import Events
from lars2asp.externals.symbol_table import SymbolKeys, Symbols
from lars2asp.externals.symbols import signature_of, symbol_of
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.reasoning.snapshot import packed, unpacked
from lars2asp.runtime.sharding.layout import Routes, Shard
from lars2asp.runtime.sharding.packets import (
    OUTPUT,
    UNTIL,
    Entry,
    Packet,
    PacketBuilder,
    PacketSign,
    atom_of,
    entries,
    exact_text,
    line,
    output_text,
    rejection,
)
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.printer import to_text

_Waiting = tuple[str, str, int | None]
"""An entry that waits for its tick: sign, atom, last tick of a fact (None where that is its only one)."""

_RANKS = {
    PacketSign.END: 0,
    PacketSign.DERIVED_END: 0,
    PacketSign.BEGIN: 1,
    PacketSign.DERIVED_BEGIN: 1,
    PacketSign.FACT: 2,
    UNTIL: 2,
}
"""The order of the input of one tick: what ends, what begins, what holds."""


@dataclass(frozen=True)
class ShardSettings:
    """How the program is run; the same for all shards.

    Attributes:
        semantics: how windows over derived atoms are read.
        start: the first tick of the timeline; None for that of the first record.
        complete_windows: whether `always` needs windows that lie wholly on the timeline.
        evaluator: which evaluator to use.
        tuning: thresholds. A new base comes after a work of `shard_journal` at least, counted in input atoms,
            batches and evaluated ticks. Where a program may have several answer streams it is
            `work_between_states`, without batches: evaluation begins anew at the places of a run in process,
            so that both follow the same ones.
    """

    semantics: Semantics
    start: int | None = None
    complete_windows: bool = False
    evaluator: EvaluatorName = EvaluatorName.AUTO
    tuning: Tuning = field(default=DEFAULT, repr=False)


@dataclass(frozen=True)
class ShardSpec:
    """A shard, and how its reasoner is made.

    Attributes:
        shard: which shard.
        settings: how it runs.
        routes: the shards above, to which derived atoms go.
        carrier: the carrier's own options that the state depends on, as text.
    """

    shard: Shard
    settings: ShardSettings
    routes: Routes
    carrier: str = ""

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the program, the options and the place among the shards; kept in checkpoints."""
        shard = self.shard
        settings = repr(self.settings).removeprefix("Shard")  # as checkpoints have had it from the beginning
        options = f"({shard.number}, {shard.bucket}, {shard.buckets}, {settings}, {self.carrier!r})"
        program = [to_text(statement) for statement in shard.part.program.statements]
        return sha256(f"({options}, {program!r})".encode()).hexdigest()


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
        shard, settings = spec.shard, spec.settings
        self._spec = spec
        self._session = Session(
            plan,
            start=settings.start,
            complete_windows=settings.complete_windows,
            evaluator=settings.evaluator,
            tuning=settings.tuning,
        )
        self._is_alone = shard.buckets == 1
        self._makes_symbols = bool(plan.called)
        """Whether the user's functions make symbols, whose text clingo may not read again."""
        self._waiting: dict[int, set[_Waiting]] = {}
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
        tick, sign, rest, until = entry
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
            output.add((OUTPUT,), tick, rejection(tick, reason, rest))
            return False
        else:
            self._waiting.setdefault(tick, set()).add((sign, rest, until))
        return True

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
        """Hands the reasoner the entries that wait for a tick."""
        waiting = sorted(self._waiting.pop(tick), key=lambda entry: (_RANKS[entry[0]], *map(str, entry)))
        by_end: dict[int | None, list[_Waiting]] = {}
        for entry in waiting:
            by_end.setdefault(entry[2], []).append(entry)
        for group in by_end.values():
            found = [(group[0], self._take_record(tick, group))]
            if found[0][1] and len(group) > 1:  # those that are valid by themselves are taken
                found = [(entry, self._take_record(tick, [entry])) for entry in group]
            for (_, atom, _), reasons in found:
                for reason in reasons:
                    output.add((OUTPUT,), tick, rejection(tick, reason, atom))

    def _take_record(self, tick: int, waiting: Iterable[_Waiting]) -> list[str]:
        """Hands the reasoner entries as one record; the reasons why it is rejected, if it is."""
        atoms: tuple[list[Symbol], list[Symbol], list[Symbol]] = ([], [], [])
        until = None
        for sign, rest, last in waiting:
            atoms[_RANKS[sign]].append(atom_of(rest))
            until = last
        ends, begins, facts = map(tuple, atoms)
        rejections: list[Rejected] = []
        record = Record(tick, Events(facts, begins, ends, until))
        accepted = self._session.accept(record, rejections.append)
        if accepted is not None:
            events = accepted.events
            self._work += len(events.facts) + len(events.begin) + len(events.end)
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
            output.add((OUTPUT,), tick, line(tick, sign))
        text_of, part = output_text if self._makes_symbols else str, self._spec.shard.part
        began, ended = answer.changed_keys
        for keys, change, derived in (
            (ended, PacketSign.ENDED, PacketSign.DERIVED_END),
            (began, PacketSign.BEGAN, PacketSign.DERIVED_BEGIN),
        ):
            if self._spec.shard.is_whole:  # there may be terms that are no atoms
                for text in sorted(text_of(symbol_of(key)) for key in keys):
                    output.add((OUTPUT,), tick, line(tick, change, text))
                continue
            for text, atom in sorted((text_of(atom), atom) for atom in map(symbol_of, keys)):
                if not (self._is_alone or self._spec.shard.owns(atom)):
                    continue
                signature = signature_of(atom)
                if signature in part.outputs:
                    output.add((OUTPUT,), tick, line(tick, change, text))
                if signature in part.hands_on:
                    handed_on = exact_text(atom) if self._makes_symbols else text
                    output.add(self._spec.routes.targets(atom), tick, line(tick, derived, handed_on))

    # --- state ----------------------------------------------------------------------------------------

    def _base(self) -> bytes:
        """A snapshot, between two ticks; evaluation begins anew."""
        symbols = Symbols()
        state = self._session.state(symbols.number)
        table = symbols.table
        self._work = 0
        if self._session.is_certain:
            size = len(table) + sum(map(len, self._waiting.values()))
            self._due = max(self._spec.settings.tuning.shard_journal, 2 * size)
        return packed(
            {
                "fingerprint": self._spec.fingerprint,
                "reasoner": state,
                "symbols": table,
                "start": self._session.start,
                "waiting": [[tick, *one] for tick, waiting in self._waiting.items() for one in waiting],
                "satisfiable": self._is_satisfiable,
                "due": self._due,
            }
        )

    def _restore(self, state: ShardState) -> None:
        if state.base:
            kept = unpacked(state.base)
            if kept["fingerprint"] != self._spec.fingerprint:
                raise SnapshotError(
                    "the state is of another program, of other options or of another number of partitions"
                )
            if kept["start"] is not None and self._spec.settings.start is None:
                self._session.start_at(kept["start"])
            self._session.restore(kept["reasoner"], SymbolKeys(kept["symbols"]).key)
            for tick, sign, rest, until in kept["waiting"]:
                self._waiting.setdefault(tick, set()).add((sign, rest, until))
            self._is_satisfiable, self._due = kept["satisfiable"], kept["due"]
        for journaled in state.journal:
            texts, late, over = _read_journal(journaled)
            self.take(texts, late, over)


def _journaled(texts: Iterable[str], late: int | None, over: int | None) -> str:
    return "\n".join([f"{'' if late is None else late} {'' if over is None else over}", *texts])


def watermark_of(journaled: str) -> int | None:
    """The watermark of an entry of the journal: the last tick that was over; None for none."""
    return _read_journal(journaled)[2]


def _read_journal(journaled: str) -> tuple[list[str], int | None, int | None]:
    head, _, text = journaled.partition("\n")
    late, over = head.split(" ")
    return [text], int(late) if late else None, int(over) if over else None
