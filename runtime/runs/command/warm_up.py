"""What windows of a changed program hold, from input that was recorded before (`--history`)."""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from functools import partial
from itertools import chain
from typing import Any

from lars2asp.analysis.looking_back import looks_back
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.events import Events
from lars2asp.externals.intervals import OPEN_END
from lars2asp.externals.terms.table import ReadRows, TermReader, read_atoms, same_rows
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.planning.noted_times import noted_program
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.flow.states import FlowState
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.command.run_settings import RunSettings
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.processes.stop import Stop
from lars2asp.runtime.runs.states.state_keeping import State, StateKeeper
from lars2asp.runtime.runs.table_rows import KeptRows, rows_of_state
from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.records import PassedOver, Record, Rejected
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import visible
from lars2asp.syntax.values import dataclass

_log = logging.getLogger("lars2asp")


_Lasting = dict[tuple[Signature, Row], int | None]
"""Atoms with their last ticks; None where they have begun and not ended."""


@dataclass(eq=False)
class WarmUp:
    """Runs a changed program over a history, to the tick of a checkpoint.

    Attributes:
        settings: those of the run that goes on from the checkpoint.
        state: the checkpoint.
        stop: ends the run when a signal asks for it.
    """

    settings: RunSettings
    state: State
    stop: Stop
    _rejected: int = field(default=0, init=False)
    _reason: str = field(default="", init=False)
    _begins: "_Begins" = field(init=False)

    def __post_init__(self) -> None:
        reasoner = self.state["reasoner"]
        self._now: int = reasoner["now"]
        self._first: int = reasoner["first"]
        self._name = ", ".join(self.settings.history)

    def session(self) -> Session:
        """The session at the tick. Raises InputError where the history does not go back far enough.

        What holds on from before the history, as the checkpoint says, holds from its first tick on.
        """
        session = self._over(())
        if session.execution.first > self._first:
            read = TermReader(self.state["terms"]).read
            before = _lasting(self.state["reasoner"], read, self.state["program"]["derives"])
            known = _lasting(session.state(same_rows), same_rows)
            lacking = {one: last for one, last in before.items() if one not in known}
            lacking |= dict.fromkeys(self._begins.before)
            if lacking:
                session = self._over(_events(lacking))
        if self._begins.latest < self._now:
            _log.warning(
                "%s: the history ends at tick %d, and the checkpoint is of tick %d: if input came between, "
                "windows are without it until they have gone on; give it as well (--history may be given "
                "several times)",
                self._name,
                self._begins.latest,
                self._now,
            )
        if self._rejected:
            were = "1 record was" if self._rejected == 1 else f"{self._rejected} records were"
            _log.warning("%s: %s rejected: %s", self._name, were, visible(self._reason))
        return session

    def _over(self, lasting: Iterable[Events]) -> Session:
        """The session at the tick; some events come before all others."""
        settings, self._rejected, self._begins = self.settings, 0, _Begins()
        how = settings.reading, self._reject, self.stop.wait_for, settings.reading.counted
        with open_inputs(settings.history, *how) as source:
            records = source.records()
            record = next(records, None)
            if record is None or record.tick > self._now:
                raise InputError(f"{self._name}: the history contains no record before tick {self._now + 1}")
            session = settings.session(self._first)
            start = self._start(session, record.tick)
            session = settings.session(start)
            session.gaps = session.gaps.left_to_inputs()
            session.doubt_of = settings.reading.doubt_of
            before = (Record(record.tick, events) for events in lasting)
            watched = map(self._begins.seen, chain([record], records))
            wanted = filter(partial(_lasts, session, start), watched)
            keeper = StateKeeper(tuning=settings.tuning)
            parts = session, None, lambda _: None, self._reject, keeper, self.stop
            rows = rows_of_state(self.state, TermReader(self.state["terms"]).read)
            tables = KeptRows(rows) if session.plan.tables else None
            run = DataTimeRun(*parts, lateness=settings.lateness, tables=tables)
            run.over(chain(before, wanted), self._now)
        return session

    def _start(self, session: Session, begin: int) -> int:
        """The tick from which the history is evaluated; it begins at a tick. Raises InputError."""
        depth = looks_back(ProgramAnalysis(noted_program(session.plan)))
        start = min(begin, self._first)
        needed = start if depth is None else max(start, self._now - depth)
        if begin > max(self._first, needed):
            looked_at = self._first if depth is None else max(self._first, needed)
            raise InputError(
                f"{self._name}: the history begins at tick {begin}, but the windows reach back to "
                f"tick {looked_at}: add an earlier --history, or run without it"
            )
        return needed

    def _reject(self, rejected: Rejected) -> None:
        if not isinstance(rejected, PassedOver):
            self._rejected += 1
            self._reason = self._reason or str(rejected)


class _Begins:
    """Which atoms a history says to end that began before it, and the latest tick of which it tells."""

    def __init__(self) -> None:
        self.latest = 0
        self.before: dict[tuple[Signature, Row], None] = {}
        self._known: set[tuple[Signature, Row]] = set()

    def seen(self, record: Record) -> Record:
        """The record, which comes next."""
        _, begin, end, _ = record.events
        self.latest = max(self.latest, record.tick)
        if begin or end:
            ended, begun = ({(one, row) for one, rows in atoms for row in rows} for atoms in (end, begin))
            self.before |= dict.fromkeys(ended - self._known)
            self._known |= ended | begun
        return record


def _lasts(session: Session, start: int, record: Record) -> bool:
    """Whether a record may tell something at the start or after it."""
    facts, begin, end, until = record.events
    if record.tick >= start or begin or end:
        return True
    held = session.plan.held
    return until >= start if until is not None else any(one in held for one, _ in facts)


def _lasting(state: Mapping[str, Any], read: ReadRows, derived: Collection[str] = ()) -> _Lasting:
    """What holds on by the input in the state of a session, and until when; but for predicates of rules."""
    found: _Lasting = {}
    if "flow" in state:
        flow = FlowState.read(state["first"], state["flow"], read)
        for signature, facts in flow.current.items():
            found |= {(signature, row): last for row, last in facts.items()}
        for signature, known in flow.held.items():
            if signature not in flow.current and str(signature) not in derived:
                ends = ((row, runs[-1] - 1) for row, runs in known.items())
                found |= {(signature, row): last for row, last in ends if last > flow.now}
        return found | {(signature, row): None for signature, rows in flow.open.items() for row in rows}
    database = state["database"]
    for signature, rows in read_atoms(database["open"], read):
        found |= {(signature, row): None for row in rows}
    held = {Signature(*one): facts for one, facts in database.get("current", ())}
    for signature, (rows, lasts) in held.items():
        found |= {(signature, row): last for row, last in zip(read(rows), lasts, strict=True)}
    for one, streams in database["predicates"]:
        signature = Signature(*one)
        for stream in streams if signature not in held and str(signature) not in derived else ():
            rows, told = stream["told"]
            for row, (until, is_open, _) in zip(read(rows), told, strict=True):
                if not is_open and until > database["now"]:
                    found[signature, row] = until
    return found


def _events(lasting: _Lasting) -> Iterator[Events]:
    """Events after which as much holds on."""
    for (signature, row), last in lasting.items():
        atoms = (AtomRows(signature, [row]),)
        if last is None:
            yield Events(begin=atoms)
        else:
            yield Events(atoms, until=None if last >= OPEN_END else last)
