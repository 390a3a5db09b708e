"""The base of all runs: records go to a reasoner, answers to a sink, and the state is kept between ticks."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import TermReader, TermTable, written_atoms
from lars2asp.runtime.answer import Answer, PreviousAnswer
from lars2asp.runtime.given_ticks import Every, given_ticks
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.processes.stop import Stop
from lars2asp.runtime.runs.states.state_keeping import StateKeeper
from lars2asp.runtime.runs.table_rows import KeptRows, Rows, row_changes, rows_of_state
from lars2asp.runtime.sources.lateness import LatenessWords
from lars2asp.runtime.sources.records import OnReject, Record
from lars2asp.runtime.sources.reordering import WaitingRecords, record_state, restored_record
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.values import dataclass


@dataclass(eq=False)
class Run:
    """A run of a reasoner.

    Attributes:
        session: the session, not used yet.
        every: answers are given at ticks that this number divides; None: those that differ from the one
            given before; "windows": these, and those at the ends of windows. See `PreviousAnswer`.
        write: takes the answers that are given.
        on_reject: takes rejected records.
        keeper: keeps the state of the run.
        stop: ends the run when a signal asks for it, where `save` can keep its state.
        lateness: the number of ticks for which late records are waited for; None where nothing says it.
        words: what is said of late records; None: what Reasoner says of them.
        on_input: takes the tick and the events of each record that counts.
        tables: the rows of tables, which begin and end as their files change; None where there are none.
        records: those that wait for their ticks.
    """

    session: Session
    every: Every
    write: Callable[[Answer], None]
    on_reject: OnReject
    keeper: StateKeeper = field(default_factory=StateKeeper)
    stop: Stop = field(default_factory=Stop)
    lateness: int | None = field(default=None, kw_only=True)
    words: LatenessWords | None = field(default=None, kw_only=True)
    on_input: Callable[[int, Events], None] | None = field(default=None, kw_only=True)
    tables: KeptRows | None = field(default=None, kw_only=True)
    records: WaitingRecords = field(init=False)

    def __post_init__(self) -> None:
        self.session.words = self.words
        self.given_ticks = given_ticks(self.every, self.session.plan)
        self._given = PreviousAnswer(self.given_ticks, as_models=self.session.gives_models)
        self._open: list[Record] = []
        """The records of the tick that is not over."""
        self._again: deque[Record] = deque()
        """The records of the tick that was not over when the run was interrupted."""
        self._rows_told: Mapping[Signature, Rows] = {}
        """The rows of tables that hold at the last tick that is over."""
        self._rows_to_come: tuple[int, Mapping[Signature, Rows]] | None = None
        """Those that hold from a tick on that is gathered."""
        self._rows_due: deque[tuple[int, Mapping[Signature, Rows]]] = deque()
        """Those that were read and are not told, with the first ticks at which they may hold."""
        self._rows_seen: Mapping[Signature, Rows] | None = None
        """Those that were read last."""

    def restore(self, state: Mapping[str, Any], warmed: Session | None = None) -> None:
        """Goes on from a state, before anything else, of a changed program with what another session holds.

        Raises SnapshotError.
        """
        read = TermReader(state["terms"]).read
        before = (
            (state.get("program") or {}) if state.get("takes_over") else None
        )  # it has one with its first tick
        self.session.restore(state["reasoner"], read, before, warmed)
        self._given.restore(state["given"], read, self.session.output)
        self.keeper.restore(state["keeper"])
        self._again.extend(restored_record(record, read) for record in state["told"])
        self.records.restore(state["waiting"], read)
        self._rows_told = rows_of_state(state, read)
        self._rows_due.extend(
            (first, rows_of_state({"tables": due}, read)) for first, due in state.get("due", ())
        )
        if self.words is not None:
            self.words.needed = state.get("needed_lateness", 0)

    @property
    def undone(self) -> int:
        """The number of records that came and are not evaluated, as their ticks are not over."""
        return len(self.records) + len(self._open) + len(self._again)

    def drain(self, until: int | None) -> None:
        """Evaluates them, once the run has been interrupted, as the end of the input does.

        Raises what a run raises.
        """
        self.keeper.hands_over = False
        self.session.restore_early(())  # these are among the records here
        self._again.extendleft(reversed(self._open))
        self._open.clear()
        with self.session:
            self._go_on()
            for record in self.records.left():
                if until is not None and record.tick > until:
                    break
                self._take(record)
            self._finish(None)

    def save(self) -> None:
        """Keeps the state of a run that has not begun, or ends."""
        self.keeper.save(self._state)

    @property
    def given(self) -> Answer | None:
        """The answer that was given last; None before the first."""
        return self._given.last

    @property
    def is_wholly_kept(self) -> bool:
        """Whether a run that goes on from a state kept here has the same answers.

        Of several answer streams, the one that is followed depends on where evaluation began.
        """
        return self.session.is_certain

    def _go_on(self) -> None:
        """Takes the records of the tick that was not over when the run was interrupted."""
        while self._again:
            self._take(self._again[0])
            self._again.popleft()

    def _take(self, record: Record) -> None:
        """Takes the next record; the ticks before its own are over."""
        session, stop, keeper = self.session, self.stop, self.keeper
        if stop.asked is not None or stop.has_errands:
            stop.check()
        self._look()
        item = session.accept(record, self.on_reject)
        if item is None:
            return
        tick, events, _ = item
        if session.gathered != tick:
            self._finish(tick - 1)
            self._keep()
            self._tell_rows(tick, begins=True)
        for _, rows in events.facts:
            keeper.work += len(rows)
        if events.begin or events.end:
            keeper.work += sum(len(rows) for _, rows in (*events.begin, *events.end))
        session.gather(item)
        if self.on_input is not None:
            self.on_input(tick, events)
        self._open.append(record)

    def _pass_to(self, tick: int) -> None:
        """The ticks up to one get no records any more."""
        now = self.session.now
        self._look()
        if (now is None or tick > now) and self.session.may_pass_to(tick):
            self._finish(tick)
        self._keep()

    def _finish(self, tick: int | None) -> None:
        """Evaluates the ticks up to one, by default the last one of the input."""
        if tick is not None:
            self._tell_rows(tick)
        self._evaluate_to(tick)

    def _evaluate_to(self, tick: int | None) -> None:
        stop = self.stop
        for answer in self.session.finish(tick, self.given_ticks):
            if self._open and self.session.gathered is None:
                self._open.clear()
            self.keeper.work += 1
            given = self._given.given(answer)
            if given is not None:
                self.write(given)
            if stop.asked is not None or stop.has_errands:
                stop.check()
            if answer.timed_out and self.session.execution.is_stuck:
                self.keeper.hand_over(self._state)  # only the end of this process ends clingo's work

    @property
    def _newest(self) -> int:
        """The tick of the newest record that was seen, if records wait; else less than all ticks.

        Rows that are read again hold behind it.
        """
        return -1

    def _look(self) -> None:
        """Looks whether tables have other rows."""
        if self.tables is None:
            return
        self.tables.look()
        rows = self.tables.rows
        if rows is not self._rows_seen:
            self._rows_seen = rows
            self._rows_due.append((self._newest + 1, rows))

    def _settle_rows(self) -> None:
        """The rows that were gathered for a tick that is over were told; those that were forgotten, not."""
        session, to_come = self.session, self._rows_to_come
        if to_come is None:
            return
        at, rows = to_come
        if session.now is not None and session.now >= at:
            self._rows_told, self._rows_to_come = rows, None
        elif session.gathered != at:
            self._rows_to_come = None
            self._rows_due.appendleft(to_come)

    @property
    def _has_other_rows(self) -> bool:
        """Whether tables have other rows than those that were told."""
        self._settle_rows()
        return bool(self._rows_due)

    def _tell_rows(self, until: int, *, begins: bool = False) -> None:
        """Rows of tables begin and end at the next tick, if that is not behind one; those before it are over.

        The next tick is the first one of which no record came; where `begins` says so the timeline begins
        with it. Where records wait, none came from there on when the rows were read.
        """
        session, tables = self.session, self.tables
        while tables is not None and self._has_other_rows:
            first, rows = self._rows_due[0]
            if session.gathered is not None:
                at = session.gathered + 1
            elif session.now is not None:
                at = session.now + 1
            elif session.start is not None or begins:
                at = until if session.start is None else session.start
            else:
                return
            at = max(at, first)
            if at > until:
                return
            if session.now is not None or session.gathered is not None:
                self._finish_to(at - 1)
            for signature, events in row_changes(self._rows_told, rows):
                session.tell_rows(at, events, tables.name_of(signature))
            self._rows_due.popleft()
            if session.gathered == at:
                self._rows_to_come = at, rows
            else:  # they are the same
                self._rows_told = rows

    def _finish_to(self, tick: int) -> None:
        """Evaluates the ticks up to one, if some are left, before rows of tables begin and end."""
        session = self.session
        if session.gathered is not None or session.now is None or session.now < tick:
            self._evaluate_to(tick)
            self._settle_rows()

    def _keep(self) -> None:
        """Keeps the state if it is due, between two ticks."""
        if self.keeper.is_due(self.session.now) and self.session.gathered is None:
            self.keeper.keep(self.session, self._state)

    def _state(self) -> dict[str, Any]:
        """The state of reasoner and keeper and the records that are not over, as JSON has it."""
        return self._state_of(self.session, TermTable())

    def _state_of(self, session: Session, terms: TermTable) -> dict[str, Any]:
        """The same with another state of the reasoner, and a table that may have terms already."""
        state = {
            "reasoner": session.state(terms.write),
            "given": self._given.state(terms.write),
            "keeper": self.keeper.state(),
            "waiting": self.records.state(terms.write),
            "needed_lateness": 0 if self.words is None else self.words.needed,
            "told": [record_state(record, terms.write) for record in (*self._open, *self._again)],
        }
        if self.tables is not None:
            self._settle_rows()
            state["tables"] = written_atoms(self._rows_told.items(), terms.write)
            state["due"] = [[first, written_atoms(due.items(), terms.write)] for first, due in self._rows_due]
        return state | {"terms": terms.table}

    @property
    def tick(self) -> int | None:
        """The last tick that is over."""
        return self.session.reached
