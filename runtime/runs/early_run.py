"""A run in data time that waits for nothing: late records revise what was said, until it is final."""

from bisect import bisect_right, insort
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import field
from operator import itemgetter
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from lars2asp.analysis.dependency_cycles import why_several
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.planning.left_out import without
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.given_ticks import next_given
from lars2asp.runtime.revisions import Revision, Told, restored_told, revisions, told_state
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.sources.early_records import EarlyRecords
from lars2asp.runtime.sources.input_watermarks import FromInput
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.sources.reordering import Watermark, record_state, restored_record
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.syntax.nodes import Rule, WeakConstraint
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from lars2asp.runtime.reasoning.blocks import Items
    from lars2asp.runtime.reasoning.session import Session


def why_not_early(plan: Plan) -> str | None:
    """Why a program is not evaluated again where records come late; None for one that is."""
    if next(plan.program.every(WeakConstraint), None) is not None:
        return "does not revise the costs of answers (#minimize, #maximize)"
    if all(one.is_certain or not one.derives for one in plan.components):
        return None
    reason = why_several(ProgramAnalysis(without(plan.program, plan.left_out)))
    if reason is None:
        return None
    return (
        "repeats the ticks since a late record, but this program may have several answer streams and "
        f"could then follow another: {reason}"
    )


class _State(NamedTuple):
    """A state to go back to.

    Attributes:
        now: the last tick that was over; -1: the beginning.
        satisfiable: whether there was an answer stream at it.
        remembered: the state of the session; None: the beginning.
    """

    now: int
    satisfiable: bool
    remembered: bytes | None


@dataclass(eq=False)
class EarlyRun(DataTimeRun):
    """A run that answers at once, and again where records come late; see DataTimeRun.

    A late record takes the reasoner back to the last state before its tick that is kept, from which all that
    came since is evaluated again, in time order. What is kept are some states, the records behind the first
    of these, and what was said of the ticks since: as much as comes within the lateness, and a little more.
    Records that the ones before them rule out (what ends must have begun) are rejected when their ticks are
    final.

    Where many records come late they are gathered, while more were evaluated again than the tuning allows;
    of live input all that came at once are taken at once. Ticks are final once what is late at them is taken.

    The program has one answer stream at most, whatever the stream is: else another one might be followed.

    A checkpoint has the first of these states, and the records and what was said since. A run that goes on
    from it evaluates them again, and has then said the same.

    Attributes:
        revise: takes the differences between what was said and what is so.
        finish: takes ticks: all up to each of these are final.
        tuning: how far states are apart.
    """

    revise: Callable[[Sequence[Revision]], None] = field(kw_only=True)
    finish: Callable[[int], None] = field(kw_only=True)
    tuning: Tuning = field(default=DEFAULT, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        session = self.session
        self.records = EarlyRecords(
            *(self.lateness or 0, self.on_reject, session.gaps.largest, self.words),
            *(self.inputs, self.reached),
        )
        self._unused = copy(session.execution)
        self._states = deque([_State(-1, True, None)])
        """The states, the first of which lies behind the watermark, with all up to the second one."""
        self._came: dict[int, list[Record]] = {}
        """The records of ticks behind the first state, by these ticks."""
        self._told: list[Told] = []
        """The answers of these ticks that differ from the ones before them."""
        self._refused: list[tuple[int, Rejected]] = []
        """The records that were rejected and whose ticks are not final, by these."""
        self._late_from: int | None = None
        """The least tick of late records that have not been taken."""
        self._late = 0
        """The number of these."""
        self._taken, self._repeated = 0, 0
        """The number of records that came in time, and of those that were evaluated again."""
        self._going_back = sum(bool(rule.body) for rule in session.plan.program.every(Rule))
        """What going back costs, in records: evaluators are made anew, each rule in about the time of one."""
        self._is_live = False
        """Whether the input is live."""
        self._satisfiable = True
        """Whether the last answer has an answer stream."""
        self._final = -1
        """The last tick that is final."""
        self._base, self._said = self._states[0], -1
        """The state that it went back to last, and the last tick of which something had been said then."""
        self._before: list[Told] | None = None
        """What had been said of the ticks since; None once it is compared with what is so."""
        self._taking: Record | None = None
        """The record that is being taken, until it is among those that came."""
        self._kept_said: int | None = None
        """Of a state from which the run goes on, the last tick of which something had been said."""
        self._kept_at, self._keeping = perf_counter(), 0.0
        """When a state was kept last, and how long that took, in seconds."""

    @property
    def undone(self) -> int:
        """The number of records that came and are not evaluated."""
        over = -1 if self.session.now is None else self.session.now
        return (
            self._late
            + len(self.records)
            + sum(len(records) for tick, records in self._came.items() if tick > over)
        )

    def drain(self, until: int | None) -> None:
        """Evaluates them, once the run has been interrupted, as the end of the input does."""
        with self.session:
            for record in self.records.left():
                if until is None or record.tick <= until:
                    self._take(record)
            self._revise()
            self._finish(None)
            self._end()

    def restore(self, state: Mapping[str, Any], warmed: "Session | None" = None) -> None:
        """See Run."""
        if state.get("takes_over"):
            raise SnapshotError(
                "--revise cannot resume with a changed program, because final answers could change: "
                "remove --revise or --changed-program"
            )
        super().restore(state, warmed)
        read, kept = TermReader(state["terms"]).read, state["not_final"]
        if self.session.now is not None:
            self._states[0] = _State(self.session.now, kept["satisfiable"], self.session.remembered())
        for one in kept["came"]:
            record = restored_record(one, read)
            self._came.setdefault(record.tick, []).append(record)
        self._told = [restored_told(one, read) for one in kept["told"]]
        self._kept_said, self._final = kept["said"], kept["final"]
        self._taken, self._repeated = kept["taken"], kept["repeated"]

    def _state(self) -> dict[str, Any]:
        base, before, terms = self._states[0], self._before, TermTable()
        first = copy(self.session)
        first.go_back(self._unused, base.remembered)
        came = [record for tick in sorted(self._came) for record in self._came[tick]]
        if self._taking is not None:
            came.append(self._taking)
        told, said = self._told, self._last_said
        if before is not None:  # which has not been compared
            told, said = [*told[: self._number_told(self._base.now)], *before], self._said
        not_final = {
            "came": [record_state(record, terms.write) for record in came],
            "told": [told_state(one, terms.write) for one in told],
            "satisfiable": base.satisfiable,
            "said": said,
            "final": self._final,
            "taken": self._taken,
            "repeated": self._repeated,
        }
        return self._state_of(first, terms) | {"not_final": not_final}

    def over_batches(self, batches: Iterable[Sequence[Record]], until: int | None) -> None:
        """See DataTimeRun."""
        self._is_live = True
        super().over_batches(batches, until)

    def over_inputs(self, batches: Iterable[FromInput], until: int | None) -> None:
        """See DataTimeRun."""
        self._is_live = True
        super().over_inputs(batches, until)

    def _over(self, items: "Items", until: int | None) -> None:
        with self.session:
            for _ in self._in_steps(self.records.each(items), until):
                pass

    def steps(self, records: Iterable[Record], until: int | None) -> Iterator[None]:
        """Does what `over` does, a record at a time; each step is to be asked for in turn."""
        return self._in_steps(self.records.moving(records), until)

    def _in_steps(self, items: Iterable[Record | Watermark], until: int | None) -> Iterator[None]:
        is_past = False
        if self._kept_said is not None:
            self._revise()
        for item in items:
            if isinstance(item, Watermark):
                if until is not None and item.tick >= until:
                    is_past = True
                    break
                self._pass_to(item.tick)
            elif until is None or item.tick <= until:
                self._take(item)
            else:
                is_past = True
            self._keep_checkpoint()
            yield
        if self._late_from is not None:
            self._revise()
        self._finish(until if is_past else self.session.last_without_records(until))
        self._end()
        yield

    def _take(self, record: Record) -> None:
        stop, tick = self.stop, record.tick
        self._taking = record
        if stop.asked is not None or stop.has_errands:
            stop.check()
        first = self.session.first_open
        is_late = first is not None and tick < first
        if is_late or (self._refused and tick < self._refused[-1][0]):  # which may be right now
            self._late_from = tick if self._late_from is None else min(self._late_from, tick)
            self._late += 1
            self._came.setdefault(tick, []).append(record)
            self._taking = None
            return
        if tick != first:
            self._revise_if_due()
        self._taken += 1
        self._came.setdefault(tick, []).append(record)
        self._taking = None
        self._judge(record)

    def _judge(self, record: Record) -> None:
        """Takes a record, in time order; the ticks before its own are over."""
        session, tick = self.session, record.tick
        accepted = session.accept(record, lambda rejected: self._refuse(tick, rejected))
        if accepted is not None:
            if session.gathered != accepted.tick:
                self._finish(accepted.tick - 1)
                self._keep()
            session.gather(accepted)

    def _pass_to(self, tick: int) -> None:
        """The ticks up to one get no records any more, and are final."""
        self._revise_if_due()
        super()._pass_to(tick)
        self._settle(tick if self._late_from is None else min(tick, self._late_from - 1))

    def _refuse(self, tick: int, rejected: Rejected) -> None:
        """A record is rejected, unless another one comes before its tick is final that changes that."""
        if tick > self._final:
            insort(self._refused, (tick, rejected), key=itemgetter(0))

    def _settle(self, tick: int) -> None:
        """What is known of the ticks up to one is final."""
        if tick <= self._final:
            return
        self._final = tick
        self._reject(bisect_right(self._refused, tick, key=lambda refused: refused[0]))
        now, states = self.session.now, self._states
        if now is not None and tick >= self.session.execution.first:
            self.finish(min(tick, now))
        if len(states) > 1 and states[1].now <= tick:
            while len(states) > 1 and states[1].now <= tick:
                states.popleft()
            over = states[0].now
            self._came = {tick: records for tick, records in self._came.items() if tick > over}
            del self._told[: self._number_told(over)]

    def _end(self) -> None:
        """All that is known is final."""
        if self.session.now is not None:
            self._settle(self.session.now)
        self._reject(len(self._refused))

    def _reject(self, number: int) -> None:
        """The first records that are rejected are so for good."""
        refused, self._refused = self._refused[:number], self._refused[number:]
        for _, rejected in refused:
            self.on_reject(rejected)

    @property
    def _last_said(self) -> int:
        """The last tick of which something was said; -1 for none."""
        if self._kept_said is not None:
            return self._kept_said
        return -1 if self.session.now is None else self.session.now

    def _revise_if_due(self) -> None:
        """Takes what came late, unless too much was evaluated again."""
        is_due = self._is_live or self._repeated <= self.tuning.early_again * self._taken
        if self._late_from is not None and is_due:
            self._revise()

    def _revise(self) -> None:
        """Goes back to the state before what came late, and evaluates again what came since."""
        session, states = self.session, self._states
        self._said, self._kept_said = self._last_said, None
        since = self._said + 1 if self._late_from is None else self._late_from
        while len(states) > 1 and states[-1].now >= since:
            states.pop()
        self._base = base = states[-1]
        number = self._number_told(base.now)
        self._before, self._told = self._told[number:], self._told[:number]
        self._refused = [refused for refused in self._refused if refused[0] <= base.now]
        self._satisfiable = base.satisfiable
        self._late_from, self._late = None, 0
        session.go_back(self._unused, base.remembered)
        self._repeated += self._going_back
        for tick in sorted(self._came):
            for record in self._came[tick] if tick > base.now else ():
                self._judge(record)
                self._repeated += 1
        if self._before is not None and self._said >= 0:
            self._finish(self._said)
        self._say_revised()

    def _say_revised(self) -> None:
        """Says in what the answers so far differ from those that were given, if they were evaluated again."""
        before, self._before = self._before, None
        if before is not None:
            told = self._told[self._number_told(self._base.now) :]
            found = revisions(before, told, self._said, satisfiable=self._base.satisfiable)
            if found:
                self.revise(found)

    def _finish(self, tick: int | None) -> None:
        """Evaluates the ticks up to one, by default the last one of the input."""
        stop, every = self.stop, self.given_ticks
        for answer in self.session.finish(tick, every):
            if self._before is not None:
                if answer.tick <= self._said:
                    self._note(answer)
                    continue
                self._say_revised()
            if self._note(answer) or (
                every is not None and next_given(every, answer.tick - 1) == answer.tick
            ):
                self.write(answer)
            if stop.asked is not None or stop.has_errands:
                stop.check()

    def _note(self, answer: Answer) -> bool:
        """Whether an answer differs from the one before; it is kept if so."""
        changes = answer.row_changes
        if not changes and answer.satisfiable == self._satisfiable:
            return False
        self._satisfiable = answer.satisfiable
        self._told.append(Told(answer.tick, changes, answer.satisfiable))
        return True

    def _number_told(self, tick: int) -> int:
        """The number of answers that are kept up to a tick."""
        return bisect_right(self._told, tick, key=lambda told: told.tick)

    def _keep_checkpoint(self) -> None:
        keeper = self.keeper
        if keeper.checkpoints is not None and keeper.is_due(self.session.now):
            keeper.keep(self.session, self._state)

    def _keep(self) -> None:
        """Keeps a state to go back to, if it is time for that, between two ticks."""
        session = self.session
        now = session.now
        if now is None or session.gathered is not None or self._late_from is not None:
            return
        if now - self._states[-1].now <= (self.lateness or 0) // self.tuning.early_states:
            return
        begun = perf_counter()
        if begun - self._kept_at < self.tuning.early_share * self._keeping:
            return
        self._states.append(_State(now, self._satisfiable, session.remembered()))
        self._kept_at = perf_counter()
        self._keeping = self._kept_at - begun
