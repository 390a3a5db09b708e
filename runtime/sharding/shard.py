"""The reasoner of one shard: takes packets, waits for the watermark, gives packets.

What it is lies in a state that a carrier keeps: a base (a snapshot, with the records that wait) and a journal
of what was taken since. So what is kept with a batch is as large as the batch, and from time to time a new
base makes the journal short again. Where a program may have several answer streams a new base comes at places
that depend on the stream alone, and evaluation begins anew there, so that the same ones are followed however
the stream was cut into batches, and wherever it was interrupted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import compress

from clingo import Symbol

from lars2asp.externals.events import Events
from lars2asp.externals.symbol_table import Keys, Symbols
from lars2asp.externals.symbols import signature_of, symbol_of
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.evaluators.choice import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.runs import keeping
from lars2asp.runtime.sharding.layout import Routes, Shard
from lars2asp.runtime.sharding.packets import (
    OUTPUT,
    UNTIL,
    Entry,
    Packet,
    Post,
    Sign,
    atom_of,
    entries,
    exact_text,
    line,
    output_text,
    rejection,
)
from lars2asp.runtime.snapshot import packed, unpacked
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.syntax.nodes import Semantics, Signature
from lars2asp.syntax.printer import to_text

WORK = 2000
"""In atoms told and ticks evaluated: after so much work at least there is a new base.

Where bases may come anywhere, being told something counts as well.
"""

RENEWAL = keeping.WORK
"""The same where a program may have several answer streams: evaluation begins anew at the places of a run in
process, so that both follow the same ones."""

_Waiting = tuple[str, str, int | None]
"""What waits: sign, atom, and the last tick at which a fact holds, if it is not the only one."""

_RANKS = {Sign.END: 0, Sign.DERIVED_END: 0, Sign.BEGIN: 1, Sign.DERIVED_BEGIN: 1, Sign.FACT: 2, UNTIL: 2}
"""The order of what is told for one tick: what ends, what begins, what holds."""


@dataclass(frozen=True)
class Settings:
    """How the program is run; the same for all shards.

    Attributes:
        semantics: how windows over derived atoms are read.
        start: the first tick of the timeline; None for that of the first record.
        complete_windows: whether `always` needs windows that lie wholly on the timeline.
        evaluator: which evaluator to use.
    """

    semantics: Semantics
    start: int | None = None
    complete_windows: bool = False
    evaluator: EvaluatorName = EvaluatorName.AUTO


@dataclass(frozen=True)
class Spec:
    """All that makes the reasoner of a shard.

    Attributes:
        shard: its place.
        settings: how it runs.
        routes: where what it derives goes, of the shards above.
    """

    shard: Shard
    settings: Settings
    routes: Routes
    carried: str = ""
    """What else its state depends on, of what carries it."""

    @cached_property
    def fingerprint(self) -> str:
        """Tells apart what is of another program, of other options or of another number of shards."""
        shard = self.shard
        told = (shard.number, shard.bucket, shard.buckets, self.settings, self.carried)
        program = [to_text(statement) for statement in shard.part.program.statements]
        return sha256(repr((told, program)).encode()).hexdigest()


@dataclass
class State:
    """What is kept of a shard.

    Attributes:
        base: a snapshot; empty before the first.
        journal: what was taken since.
    """

    base: bytes = b""
    journal: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Taken:
    """What came of taking packets.

    Attributes:
        packets: for the shards above, and for the output.
        base: the new base, with which the journal begins anew; None if the old one stays.
        entry: what is added to the journal.
    """

    packets: list[Packet]
    base: bytes | None
    entry: str


class ShardReasoner:
    """Evaluates a shard; an error leaves it broken, and another one is to be made from the state.

    Raises SnapshotError for a state that is of another program, other options or other shards.

    Attributes:
        clock: the latest tick that it was told of with CLOCK.
    """

    def __init__(self, spec: Spec, plan: Plan, state: State | None = None) -> None:
        shard, settings = spec.shard, spec.settings
        self._spec = spec
        self._reasoner = Reasoner(
            plan,
            start=settings.start,
            complete_windows=settings.complete_windows,
            evaluator=settings.evaluator,
        )
        self._roles: dict[Signature, tuple[bool, bool]] = {}
        self._is_alone = shard.buckets == 1
        self._makes_symbols = bool(plan.called)
        """Whether functions of the user's make symbols, such that clingo may not read their text again."""
        self._waiting: dict[int, set[_Waiting]] = {}
        self._is_satisfiable = True
        self._work = 0
        self._due = WORK if self._reasoner.is_certain else RENEWAL
        self.clock: int | None = None
        if state is not None:
            self._restore(state)

    # --- packets --------------------------------------------------------------------------------------

    def take(self, texts: Sequence[str], late: int | None, over: int | None) -> Taken:
        """Takes packets, and goes on to the watermark.

        Args:
            texts: those of the packets.
            late: what the input tells of ticks up to this one comes too late; None for nothing.
            over: the watermark: the ticks up to this one are over; None for none.

        Raises:
            EvaluationError: if clingo refuses the program, or a function of the user's fails.
        """
        post = Post()
        kept: list[str] = []
        for text in texts:
            taken = [self._add(entry, late, post) for entry in entries(text)]
            kept.append(text if all(taken) else "\n".join(compress(filter(None, text.split("\n")), taken)))
        if self._reasoner.is_certain:
            self._work += 1  # so that the journal has no end of short entries
        base = self._go_on(over, post) if over is not None else None
        journaled = _journaled(filter(None, kept), late, over) if base is None else _journaled((), None, over)
        return Taken(post.packets(), base, journaled)

    @property
    def start(self) -> int | None:
        """The first tick of the timeline as far as it is known."""
        return self._reasoner.start

    def next_tick(self) -> int | None:
        """The first tick for which there is something to do once it is over; None for none."""
        ticks = [*self._waiting]
        change = self._reasoner.next_change()
        return min(ticks if change is None else [*ticks, change], default=None)

    def _add(self, entry: Entry, late: int | None, post: Post) -> bool:
        """Takes an entry; whether it did not come too late."""
        tick, sign, rest, until = entry
        if sign == Sign.START:
            tick = tick if late is None else max(tick, late + 1)  # what comes too late starts nothing
            start, now = self._reasoner.start, self._reasoner.now
            if self._spec.settings.start is None and now is None and (start is None or tick < start):
                self._reasoner.start_at(tick)
        elif sign == Sign.CLOCK:
            self.clock = tick if self.clock is None else max(self.clock, tick)
        elif late is not None and tick <= late and sign not in (Sign.DERIVED_BEGIN, Sign.DERIVED_END):
            reason = f"late: tick {tick} came when the ticks up to {late} were over"
            post.add((OUTPUT,), tick, rejection(tick, reason, rest))
            return False
        else:
            self._waiting.setdefault(tick, set()).add((sign, rest, until))
        return True

    def _go_on(self, over: int, post: Post) -> bytes | None:
        """Evaluates the ticks up to the watermark; gives a new base if it is time for one."""
        base = None
        for tick in sorted(tick for tick in self._waiting if tick <= over):
            self._finish(tick - 1, post)
            if self._is_due:
                base = self._base()
            self._tell(tick, post)
        self._finish(over, post)
        if self._is_due and self._reasoner.is_certain:  # else this place must not matter
            base = self._base()
        return base

    @property
    def _is_due(self) -> bool:
        """Whether it is time for a base; what is told before the timeline starts is in none."""
        return self._work >= self._due and self._reasoner.now is not None

    def _tell(self, tick: int, post: Post) -> None:
        """Tells what waits for a tick."""
        waiting = sorted(self._waiting.pop(tick), key=lambda told: (_RANKS[told[0]], *map(str, told)))
        together: dict[int | None, list[_Waiting]] = {}
        for told in waiting:
            together.setdefault(told[2], []).append(told)
        for group in together.values():
            reasons = self._told(tick, group)
            if reasons and len(group) > 1:
                for told in group:  # those that fit are told alone
                    self._reject(tick, told, self._told(tick, [told]), post)
            else:
                self._reject(tick, group[0], reasons, post)

    @staticmethod
    def _reject(tick: int, told: _Waiting, reasons: list[str], post: Post) -> None:
        for reason in reasons:
            post.add((OUTPUT,), tick, rejection(tick, reason, told[1]))

    def _told(self, tick: int, waiting: Iterable[_Waiting]) -> list[str]:
        """Tells a record; what is wrong with it, if anything is."""
        atoms: tuple[list[Symbol], list[Symbol], list[Symbol]] = ([], [], [])
        until = None
        for sign, rest, last in waiting:
            atoms[_RANKS[sign]].append(atom_of(rest))
            until = last
        ends, begins, facts = map(tuple, atoms)
        rejections: list[Rejected] = []
        record = Record(tick, Events(facts, begins, ends, until))
        told = self._reasoner.accepted(record, rejections.append)
        if told is not None:
            events = told.events
            self._work += len(events.facts) + len(events.begin) + len(events.end)
            self._reasoner.tell(told)
        return [rejected.reason for rejected in rejections]

    # --- answers --------------------------------------------------------------------------------------

    def _finish(self, until: int, post: Post) -> None:
        for answer in self._reasoner.finish(until):
            self._work += 1
            self._post(answer, post)

    def _post(self, answer: Answer, post: Post) -> None:
        """Hands out the changes of an answer."""
        tick = answer.tick
        if answer.satisfiable is not self._is_satisfiable:
            self._is_satisfiable = answer.satisfiable
            sign = Sign.SATISFIABLE if answer.satisfiable else Sign.UNSATISFIABLE
            post.add((OUTPUT,), tick, line(tick, sign))
        text_of = output_text if self._makes_symbols else str
        began, ended = answer.changed_keys
        for keys, output, derived in (
            (ended, Sign.ENDED, Sign.DERIVED_END),
            (began, Sign.BEGAN, Sign.DERIVED_BEGIN),
        ):
            if self._spec.shard.is_whole:  # there may be terms that are no atoms
                for text in sorted(text_of(symbol_of(key)) for key in keys):
                    post.add((OUTPUT,), tick, line(tick, output, text))
                continue
            for text, atom in sorted((text_of(atom), atom) for atom in map(symbol_of, keys)):
                is_output, is_handed_on = self._role(signature_of(atom))
                if not (self._is_alone or self._spec.shard.owns(atom)):
                    continue
                if is_output:
                    post.add((OUTPUT,), tick, line(tick, output, text))
                if is_handed_on:
                    handed_on = exact_text(atom) if self._makes_symbols else text
                    post.add(self._spec.routes.targets(atom), tick, line(tick, derived, handed_on))

    def _role(self, signature: Signature) -> tuple[bool, bool]:
        """Whether a predicate is output, and whether it is handed on."""
        role = self._roles.get(signature)
        if role is None:
            part = self._spec.shard.part
            role = self._roles[signature] = signature in part.outputs, signature in part.hands_on
        return role

    # --- state ----------------------------------------------------------------------------------------

    def _base(self) -> bytes:
        """A snapshot, between two ticks; evaluation begins anew."""
        symbols = Symbols()
        state = self._reasoner.state(symbols.number)
        table = symbols.table
        self._work = 0
        if self._reasoner.is_certain:
            self._due = max(WORK, 2 * (len(table) + sum(map(len, self._waiting.values()))))
        return packed(
            {
                "fingerprint": self._spec.fingerprint,
                "reasoner": state,
                "symbols": table,
                "start": self._reasoner.start,
                "waiting": [[tick, *told] for tick, waiting in self._waiting.items() for told in waiting],
                "satisfiable": self._is_satisfiable,
                "due": self._due,
            }
        )

    def _restore(self, state: State) -> None:
        if state.base:
            kept = unpacked(state.base)
            if kept["fingerprint"] != self._spec.fingerprint:
                raise SnapshotError(
                    "the state is of another program, of other options or of another number of partitions"
                )
            if kept["start"] is not None and self._spec.settings.start is None:
                self._reasoner.start_at(kept["start"])
            self._reasoner.restore(kept["reasoner"], Keys(kept["symbols"]).key)
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
