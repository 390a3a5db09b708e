"""A program on one stream: records in, ticks evaluated, answers out."""

import logging
import pickle
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Self, Unpack

from lars2asp.analysis.tick_moments import EPOCH, MICROSECOND
from lars2asp.externals.events import EventError, Events
from lars2asp.externals.terms.table import ReadRows, WriteRows, same_rows
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.traces.checks import InputChecks
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import NO_ANSWER, Answer, answer_at, count_from, restored_answer, state_of
from lars2asp.runtime.errors import (
    EvaluationError,
    InputError,
    SnapshotError,
    TickTimeoutError,
    UncomputableError,
)
from lars2asp.runtime.evaluators.costs.statistics import Statistics
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.explanations.past.history import History
from lars2asp.runtime.explanations.past.keeping import history_of
from lars2asp.runtime.flow.states import FlowState
from lars2asp.runtime.given_ticks import GivenTicks, next_given
from lars2asp.runtime.output import OutputState, Version, everything, sets_of
from lars2asp.runtime.reasoning.binding_facts import Given, binding_facts, enumerates
from lars2asp.runtime.reasoning.changed_program import (
    EVALUATED_AS_ONE,
    Shape,
    check_answers,
    not_kept,
    output_before,
    rules_changed,
    shown_before,
)
from lars2asp.runtime.reasoning.execution import Execution
from lars2asp.runtime.reasoning.flow_ticks import FlowTicks
from lars2asp.runtime.reasoning.gaps import Gaps, takes_too_long
from lars2asp.runtime.reasoning.memory import memory_in_use
from lars2asp.runtime.reasoning.run_options import RunOptions
from lars2asp.runtime.reasoning.snapshot import restoring
from lars2asp.runtime.reasoning.turns import Turn
from lars2asp.runtime.sources.account import Accounts
from lars2asp.runtime.sources.facts.stream_items import Time
from lars2asp.runtime.sources.fine_ticks import FineTick
from lars2asp.runtime.sources.lateness import LateError, LatenessWords, backwards
from lars2asp.runtime.sources.records import (
    UNKNOWN,
    Late,
    OnReject,
    Origin,
    Record,
    Rejected,
    TimeAlone,
    clipped,
    misshapen,
    refusal_of,
    refuse,
    told_before,
)
from lars2asp.runtime.sources.reordering import Watermark
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.tuning import DEFAULT
from lars2asp.syntax.nodes import Atom, Signature
from lars2asp.syntax.source import visible

if TYPE_CHECKING:
    from lars2asp.runtime.explanations.words.explanation import Explanation
    from lars2asp.runtime.flow.evaluator import FlowEvaluator

_log = logging.getLogger("lars2asp")

_EXPLAINING = "lars2asp.runtime.reasoning.explaining"

NO_EVENTS = Events()
"""Stands for no input."""


class Session:
    """A program on one stream, as runs, shards and a Reasoner use it.

    Each record is accepted, the ticks before its own are finished, and it is gathered for its tick. In a
    `with` statement a session keeps other threads out, and in the end, whatever ends it, forgets the records
    of a tick that is not over:

        with session:
            for record in records:
                accepted = session.accept(record, on_reject)
                if accepted is not None:
                    answers = [*session.finish(accepted.tick - 1)]
                    session.gather(accepted)
            answers = [*session.finish(None)]

    Args:
        plan: the program.
        options: how it is run. Raises what Reasoner raises for them.

    Attributes:
        plan: the program.
        execution: the program in evaluation.
        start: the first tick of the timeline, None where the first record is to decide.
        timeline: how times that a Python program gives become ticks.
        now: the last tick that is over, None before the first.
        turn: lets one thread in at a time.
        gaps: whether records lie too far ahead.
        accounts: how many records of each input gave facts, and what became of the others.
        words: what is said of records whose time goes backwards, where a run knows the times of ticks.
        gives_models: whether answers list answer streams, in place of the atoms of one.
        is_certain: whether there is one answer stream at most, whatever the stream is.
        is_measured: whether the time that components take is measured.
        gathered: the tick for which records are gathered, which is not over: all ticks before it are.
        given: the last answer that the reasoner gave.
        history: what came and was answered, where answers are to be explained.
        ahead: where ticks behind `now` were evaluated in blocks, what takes up the state at it, for who goes
            on from there.
    """

    def __init__(self, plan: Plan, **options: Unpack[RunOptions]) -> None:
        self.plan = plan
        self._moments, self._options = plan.moments, options
        self.timeline = Timeline.of(plan)
        if isinstance(back := options.get("explain_last"), str | timedelta):
            options["explain_last"] = self.timeline.ticks_in(back)
        start = options.get("start")
        try:
            self.start = None if start is None else self.timeline.given_tick(start)
        except InputError as error:
            raise ValueError(f"the start must be a tick: {error}") from error
        self.doubt_of: Callable[[int], str] = self.timeline.doubt_of
        self.words: LatenessWords | None = None
        self.accounts = Accounts()
        self.gives_models = options.get("models", 1) != 1
        self.is_certain = all(component.is_certain for component in plan.components)
        self.is_measured = options.get("stats", False)
        self.turn = Turn()
        self.now: int | None = None
        self._blocks: FlowEvaluator | None = None
        """What evaluates the stream, as long as it is in blocks."""
        self.ahead: Callable[[], None] | None = None
        self.given = NO_ANSWER
        self._tuning = options.get("tuning", DEFAULT)
        gap = options.get("largest_gap")
        gap = self.timeline.ticks_in(gap) if isinstance(gap, str | timedelta) else gap
        self.gaps = Gaps(plan.largest_gap if gap is None else gap, self._tuning)
        self._given: Given | None = [] if enumerates(plan) else None
        """What was gathered for the open tick, if a message may have to name its records."""
        self.execution = Execution(plan, options)
        self._make_history()
        self._noted: Version | None = None
        """The output that the history has, with hidden predicates; None before the first tick."""
        self._is_trial = False
        """Whether it only tries what a session would do."""
        self.gathered: int | None = None
        self._has_events = False
        """Whether they tell more than that time has come so far."""
        self._waiting: list[tuple[int, Record, OnReject]] = []
        """Records of that tick, with their times, in whose order they are gathered when it is over."""
        self._on_reject: OnReject = refuse
        """Takes the record that was accepted last, if it is rejected when its tick is over."""
        self._latest: int | None = None
        """The tick of the last record that was accepted."""
        self._led_to: int | None = None
        """The tick to which the stream before led."""
        self._early: list[tuple[int, Record]] = []
        """Records of ticks before the start, with these; what of them lasts counts from the start on."""
        self._early_over: int | None = None
        """The last of the ticks before the start that are over."""
        self._evaluated: int | None = None
        """The last tick that was evaluated."""
        self._last: Answer | None = None
        """The answer at it."""
        self._ticks = 0
        """The number of ticks that were evaluated."""
        self._due: int | None = None
        """The first tick after the one evaluated last that is to be evaluated without input."""
        self._is_due_known = False
        self._is_changed = False
        """Whether the next tick is the first one of a changed program, which components evaluate."""

    def _make_history(self) -> None:
        self.history = history_of(self.plan, self._options, lambda: self.output.now, self._recorded)
        if self.history is not None:
            self.execution.on_placed = self.history.placed
            import_module(_EXPLAINING)  # so that the first question needs not wait for it

    def _settle_origin(self, *, is_said: bool = True) -> None:
        """Where the first record decides when tick 0 begins, the program is taken as one that says it."""
        moments, at_origin = self._moments, self.plan.at_origin
        if moments is None or at_origin is None:
            return
        if not moments.is_known:
            moments.begin_at(0)
        elif moments.begin and is_said and not self._is_trial:
            _log.warning(
                "tick 0 is %s, when the day of the first record begins: #origin says another moment",
                moments.origin.isoformat(),
            )
        self.plan = at_origin(moments.origin.isoformat())
        self.execution.take(self.plan)
        if not self._is_trial:
            self._make_history()

    def start_at(self, time: Time) -> None:
        """The timeline is to start at a tick; to be called before any input. Raises InputError."""
        with self.turn:
            self.start = self.timeline.tick_of(time)

    def catch_up(self) -> None:
        """What was evaluated in blocks is taken up at the tick of the answer that was given last."""
        ahead, self.ahead = self.ahead, None
        if ahead is not None:
            ahead()

    def use(self, evaluator: EvaluatorName | str) -> None:
        """Uses another evaluator from the next tick on; see `Reasoner.use`."""
        with self.turn:
            self.catch_up()
            self.execution.use(evaluator)
            self._is_due_known = False

    # --- what it is -----------------------------------------------------------------------------------

    @property
    def output(self) -> OutputState:
        """The atoms of the output that hold now; none before the first tick."""
        return self.execution.output

    @property
    def counts(self) -> tuple[int, int, int]:
        """The numbers of ticks evaluated, of ticks passed over, and of atoms of the input."""
        execution = self.execution
        if not execution.has_begun:
            return 0, 0, 0
        reached, blocks = self.reached, self._blocks
        over = 0 if reached is None else reached + 1 - execution.first
        if blocks is not None:
            return blocks.ticks, over - blocks.ticks, blocks.facts
        return self._ticks, over - self._ticks, execution.database.facts

    @property
    def reached(self) -> int | None:
        """The last tick that is over, in blocks as well; None before the first."""
        blocks = self._blocks
        return self.now if blocks is None or blocks.now < blocks.start else blocks.now

    @property
    def merged(self) -> dict[str, int]:
        """The number of facts that were equal to another one of their tick, by predicates looked at."""
        if not self.execution.has_begun:
            return {}
        known = self.execution.database if self._blocks is None else self._blocks
        return {str(signature): number for signature, number in sorted(known.merged.items())}

    @property
    def statistics(self) -> Statistics:
        """The work done so far and its cost; see `Reasoner.statistics`."""
        memory = memory_in_use()
        with self.turn:
            self.catch_up()
            if not self.execution.has_begun:
                return Statistics(*self.counts, 0, 0, memory, (), inputs=self.accounts.by_name)
            database = self.execution.database
            held, components = (len(database), database.atoms()), self.execution.components
            return Statistics(*self.counts, *held, memory, components, self.merged, self.accounts.by_name)

    def step(self, tick: int, events: Events) -> Answer:
        """The answer at a tick that lies ahead, with its input; see `Reasoner.step`."""
        self.turn.enter()
        try:
            if self.ahead is not None:
                self.catch_up()
            now = self.now
            if now is not None and events is not NO_EVENTS and self._is_plain(now, tick, events):
                answer = self._stepped(tick, events)
                count_from(answer, self.given)
                self.given = answer
                return answer
            first = self.start or 0 if now is None else now + 1
            if tick < first:
                raise InputError(f"tick {tick} is already over: the next tick is {first}")
            if now is None or tick > first or events is not NO_EVENTS or self.gathered is not None:
                if now is None:
                    self._take_early()
                self._check_events(tick, events)
                if tick > first or now is None:
                    self._check_gap(tick)
                if now is None and tick > first and self.gathered is not None:  # from before the start
                    for _ in self.finish(first):
                        pass
                self._gather(tick, events)
                if tick > first:
                    for _ in self._pass(tick - 1, None):
                        pass
                return self.give(self._committed(tick))
            self.gaps.too_far = None
            if self._is_silent(tick):
                return self.give(self._passed(tick))
            self.execution.database.advance(tick)
            return self.give(self._evaluate(tick))
        finally:
            if self.gathered is not None or self.now is None:
                self.forget()
            self._latest = None
            self.turn.leave()

    def _is_plain(self, now: int, tick: int, events: Events) -> bool:
        """Whether `flow` can evaluate a tick after the last one from its own plain facts alone."""
        ticks, (facts, begin, end, until) = self.execution.database, events
        if type(ticks) is not FlowTicks or self.gathered is not None or self.history is not None:
            return False
        if until is not None or begin or end or not ticks.are_plain(tick, facts):
            return False
        if tick == now + 1:
            return True
        due = self.next_change()
        return now < tick <= now + self.gaps.harmless and (due is None or due >= tick)

    def _stepped(self, tick: int, events: Events) -> Answer:
        """The answer at such a tick."""
        ticks, turn = self.execution.database, self.turn
        assert type(ticks) is FlowTicks
        self._is_due_known = False
        self.gaps.too_far = None
        turn.is_closed = True
        try:
            answer = ticks.step_over(tick, events.facts)
        finally:
            turn.is_closed = False
        self.now = self._evaluated = tick
        self._ticks += 1
        self._last = answer
        return answer

    # --- records --------------------------------------------------------------------------------------

    def __enter__(self) -> None:
        """Raises InUseError while another thread is in the session."""
        self.turn.enter()
        self.catch_up()
        self._take_early()

    def __exit__(self, *_: object) -> None:
        try:
            self.forget()
        finally:
            self.turn.leave()

    def forget(self) -> None:
        """Forgets the records that are gathered for a tick that is not over."""
        self.gathered = self._latest = None
        self._has_events = False
        self._waiting = []
        over = self._early_over
        is_early = self.now is None and over is not None
        self._early = [each for each in self._early if is_early and each[0] <= (over or 0)]
        if self.history is not None:
            self.history.discard()
        if self.execution.has_begun:
            self.execution.database.discard()
            self.execution.has_begun = self.now is not None  # else the timeline has not started yet

    def settle(self, until: int | None) -> None:
        """The ticks up to one, or that of the last record, are over; matters for those before the start."""
        last = self._latest if until is None else until
        if self.now is None and last is not None:
            self._early_over = last

    @property
    def early(self) -> Sequence[tuple[int, Record]]:
        """Records of ticks before the start that are over, with these, while the timeline has not begun."""
        return self._early if self.now is None else ()

    def restore_early(self, early: Iterable[tuple[int, Record]]) -> None:
        """Takes over such records, in place of those that it has."""
        self._early = [*early]
        self._early_over = self._early[-1][0] if self._early else None

    def _take_early(self) -> None:
        """Gathers the records of ticks before the start that came in earlier pieces of the stream."""
        if self.now is None and self.gathered is None:
            for tick, record in self._early:
                self._gather_early(tick, record)
                self._latest = tick

    def accept(self, record: Record, on_reject: OnReject) -> Record | None:
        """The record as far as it lies on the timeline, for `gather`; None if it is rejected.

        From here on records of ticks before it are rejected.
        """
        kept, (tick, events, _) = record, record
        is_fine = type(tick) is FineTick
        if is_fine:
            tick, self._on_reject = +tick, on_reject
        if is_fine and events.end:  # what begins them may come later
            events = events._replace(end=())
        try:
            if tick == self.gathered == self._latest:  # as for the last one
                self.execution.database.check(tick, events)
                return record
            kept, last = self._on_the_timeline(record)
            if kept is not record:
                events = kept.events._replace(end=()) if is_fine else kept.events
            if self.execution.has_begun:
                self.execution.database.check(kept.tick, events)
            else:
                self._check_events(kept.tick, events)
            if last is None or kept.tick - last > self.gaps.harmless:
                self._check_gap(kept.tick)
        except (InputError, EventError) as error:
            if not isinstance(record.events, TimeAlone):
                on_reject(refusal_of(record, str(error), Late if isinstance(error, LateError) else Rejected))
            return None
        except (AttributeError, TypeError, ValueError):
            if (problem := misshapen(record.events)) is None:
                raise
            on_reject(Rejected(record.origin or UNKNOWN, problem))
            return None
        self._latest = tick
        return kept

    def reach(self, tick: int) -> None:
        """The last record that was accepted is of a tick."""
        self._latest = tick

    def begin_blocks(self, tick: int) -> FlowTicks | None:
        """The evaluation of the stream in blocks, from the tick of a record on; None if it cannot begin."""
        execution = self._begun(tick)
        if self._evaluated is not None:
            has_failed = self._last is not None and not self._last.satisfiable
            last = self._evaluated if self.now is None else self.now
            if not execution.go_to_flow(last, has_failed=has_failed):
                return None
        ticks = execution.database
        if not isinstance(ticks, FlowTicks):
            return None
        self._blocks = flow = ticks.flow
        flow.ticks = self._ticks
        if self.now is not None and self.now > flow.now:  # foreknown rows may have changed
            flow.block({}, self.now)
        return ticks

    @property
    def may_begin_blocks(self) -> bool:
        """Whether ticks to come may be evaluated in blocks, as far as is known without looking at windows."""
        execution = self.execution
        if self.history is not None or self.gathered is not None or not execution.takes_batches:
            return False
        if execution.tick_timeout is not None:
            return False
        if self.now is None:
            return self.start is None
        return self._last is not None and not (self._last.timed_out or self._last.failure)

    def end_blocks(self) -> None:
        """Goes on behind the last tick of blocks."""
        flow, self._blocks = self._blocks, None
        ticks = self.execution.database
        if flow is None:
            return
        assert isinstance(ticks, FlowTicks)
        ticks.discard()
        if flow.now < flow.start:
            self.now = self._latest = None
            return
        self.now = self._evaluated = self._latest = now = flow.now
        self._ticks, self._is_due_known = flow.ticks, False
        self._last = ticks.answer_without_changes(now)

    @property
    def first_open(self) -> int | None:
        """The first tick of which a record does not come after one of a later tick; None before any."""
        now, latest = self.now, self._latest
        return latest if now is None or (latest is not None and latest > now) else now + 1

    def _on_the_timeline(self, record: Record) -> tuple[Record, int | None]:
        """The record as far as it lies on the timeline, and the last tick before. Raises InputError."""
        now, before, first = self.now, self._latest, self.first_open
        last = before if now is None or (before is not None and before > now) else now
        kept = record
        if first is None and record.tick < 0 and self.start is None:
            raise InputError(
                f"tick {self.timeline.named(record.tick)} is before tick 0, which is the day of the "
                'first record: declare an earlier begin, as in #origin "2026-01-31T00:00:00Z".'
            )
        if now is None and self.start is not None:
            kept = clipped(record, self.start, self.plan.held)
        if first is not None and record.tick < first:
            past = max(tick for tick in (now, before) if tick is not None)
            raise LateError(backwards(record, past, self.words, self._led_to))
        if kept is not record and record.events.until is not None and record.events.until < record.tick:
            self._check_events(record.tick, record.events)
        return kept, last

    def gather(self, record: Record) -> None:
        """Gathers a record that was accepted; the ticks before its own must be finished."""
        tick, events, origin = record
        if self.now is None and self._latest is not None and self._latest < tick:
            self.settle(self._latest - 1)
            self._early.append((self._latest, record))
            self._gather_early(self._latest, record)
        else:
            self._gather(tick, events, origin)

    def _gather_early(self, tick: int, record: Record) -> None:
        """Gathers, at the start, what lasts of a record of a tick before it."""
        for one in told_before(record, tick, self.plan.held):
            self._gather(*one)

    def _gather(self, tick: int, events: Events, origin: Origin | None = None) -> None:
        if type(tick) is FineTick:
            self._begun(+tick)
            self.gathered = +tick
            self.gaps.too_far = None
            self._waiting.append((tick.moment, Record(+tick, events, origin), self._on_reject))
            return
        execution = self.execution if self.execution.has_begun else self._begun(tick)
        self.gathered = tick
        self.gaps.too_far = None
        if events.facts or events.begin or events.end:
            self._has_events = True
            execution.database.gather(tick, events)
            if self._given is not None:
                self._given.append((events, origin))
        if self.history is not None:
            self.history.told(tick, events, origin)

    def _gather_waiting(self) -> None:
        """Gathers the records of a tick that is over, in the order of their times."""
        waiting, self._waiting = sorted(self._waiting, key=itemgetter(0)), []
        for _, record, on_reject in waiting:
            try:
                if record.events.end:
                    self.execution.database.check(record.tick, record.events)
            except EventError as error:
                if not self._is_trial:
                    on_reject(Rejected(record.origin or UNKNOWN, str(error)))
            else:
                self._gather(*record)

    def tell_rows(self, tick: int, events: Events, name: str) -> None:
        """Gathers rows of tables that begin and end at a tick, as the first that it has; see `Plan.tables`.

        The ticks before it must be finished. Explanations call where they come from by the name.
        """
        execution = self.execution if self.execution.has_begun else self._begun(tick)
        self.gathered, self._has_events = tick, True
        execution.gather_rows(tick, events)
        if self.history is not None:
            self.history.told(tick, events, name)

    def may_pass_to(self, tick: int) -> bool:
        """Whether time may pass up to a tick because no records come for it any more.

        Not so where too many ticks would have to be evaluated for it, as for the record that says so.
        """
        return not self.gaps.is_too_long(tick + 1, self._last_tick, self.start, self._takes_too_long)

    def finish(self, until: int | None, every: GivenTicks = None) -> Iterator[Answer]:
        """The answers at the ticks up to one, which are over now, with the records gathered for them.

        Args:
            until: the tick; None for that of the last record.
            every: answers are given at the ticks that are evaluated, and at those that this says.
        """
        gathered, last = self.gathered, self._latest if until is None else until
        if last is None:
            return
        if gathered is not None and gathered <= last:
            if self.now is None or self.now < gathered - 1:
                yield from self._pass(gathered - 1, every)
            yield self._committed(gathered)
        if until is not None and (self.now is None or self.now < until):
            if every is None and self.now is not None and self._is_silent(until):
                self.now = until
            else:
                yield from self._pass(until, every)

    def last_without_records(self, until: int | None) -> int | None:
        """The last tick of a stream that has ended, None for that of its last record.

        One without any record has one tick at least: the start, 0 where none is given.

        Args:
            until: the last tick that was asked for.
        """
        if self.now is not None or self._latest is not None:
            return until
        if self.start is None:
            self.start = 0
        return self.start if until is None else until

    def answers(
        self,
        items: Iterable[Record | Watermark],
        until: int | None,
        every: GivenTicks,
        on_reject: OnReject,
    ) -> Iterator[Answer]:
        """The answers at the ticks that are evaluated, and at those that `every` says.

        The reasoner may go on in between.
        """
        self.catch_up()
        self._take_early()
        for record in items:
            if isinstance(record, Watermark):
                if until is not None and record.tick >= until:
                    break
                if (self.now is None or record.tick > self.now) and self.may_pass_to(record.tick):
                    yield from self.finish(record.tick, every)
                continue
            if until is not None and record.tick > until:
                break
            accepted = self.accept(record, on_reject)
            if accepted is not None:
                gathered = self.gathered
                if gathered is not None and self.now == gathered - 1 and accepted.tick == gathered + 1:
                    yield self._committed(gathered)  # as in most streams; the same as below
                elif gathered != accepted.tick:
                    yield from self.finish(accepted.tick - 1, every)
                if self.now is not None and self.now >= accepted.tick:  # `step` went past it in between
                    self.accept(record, on_reject)
                else:
                    self._latest = record.tick
                    self.gather(accepted)
        yield from self.finish(until, every)
        self.settle(until)
        self._led_to = self.now

    def give(self, answer: Answer) -> Answer:
        """An answer to be given; its changes are those since the one given before."""
        count_from(answer, self.given)
        self.given = answer
        return answer

    def _check_events(self, tick: int, events: Events) -> None:
        """Raises InputError for events that do not fit the input before."""
        execution = self.execution  # the timeline may not start at a record that is not taken
        checks = execution.database if execution.has_begun else InputChecks.of(self.plan)
        try:
            checks.check(tick, events)
        except EventError as error:
            raise InputError(str(error)) from error

    def _check_gap(self, tick: int) -> None:
        """Raises InputError for a record that lies too far ahead of the last one."""
        self.gaps.check(tick, self._last_tick, self.start, self._takes_too_long)

    @property
    def _last_tick(self) -> int | None:
        """The tick of the last record, or the last one that is over; None before the first."""
        return self.now if self._latest is None else max(self._latest, self.now or 0)

    def _takes_too_long(self, until: int) -> bool:
        """Whether more than `many_ticks` ticks before one would have to be evaluated; a copy tries it."""
        if self.gathered is None and self.now is not None:
            change = self.next_change()
            if change is None or change >= until:
                return False
        trial = self._copy()
        return takes_too_long(trial.finish(until - 1), until, trial._calm_after, self._tuning)

    def _copy(self) -> Self:
        """A session that goes on from here by itself, with what is gathered."""
        copied = copy(self)
        copied._is_trial = True
        copied.gaps = copy(self.gaps)
        copied.history = None
        copied.execution = self.execution.copied(has_evaluated=self._last is not None)
        copied.execution.on_placed = None
        if self._last is not None:
            version = copied.output.version
            copied._last = Answer(self._last.tick, self._last.satisfiable, version, version)
        return copied

    def _calm_after(self, tick: int) -> int:
        """The tick after which no window holds what is known at one, but for rules that go in circles."""
        reach = sum(ticks for ticks in self.execution.plan.reach.values() if ticks is not None)
        return max(tick, self.execution.database.last_alarm) + reach

    # --- ticks ----------------------------------------------------------------------------------------

    def next_change(self) -> int | None:
        """The first tick that lies ahead and is to be evaluated even without input; None for none."""
        if self.now is None or self._evaluated is None:
            return self.start
        if not self._is_due_known:
            self._due, self._is_due_known = self.execution.pipeline.next_change(self._evaluated), True
        return None if self._due is None else max(self._due, self.now + 1)

    def _begun(self, tick: int) -> Execution:
        """The program in evaluation; the timeline starts at the first tick that is asked for."""
        if not self.execution.has_begun:
            self._settle_origin()
            first = tick if self.start is None else self.start
            if doubt := self.doubt_of(first):
                _log.warning("%s", doubt)
            self.execution.begin(first)
        return self.execution

    def _pass(self, until: int, every: GivenTicks) -> Iterator[Answer]:
        """The answers at the ticks up to and with `until`, which have no input.

        At those that are evaluated, and at those that `every` says.
        """
        number = 0
        while self.now is None or self.now < until:
            tick = self.next_change()
            change = until + 1 if tick is None else min(tick, until + 1)
            before = self._evaluated
            yield from self._pass_over(change, every)
            if self._evaluated != before:  # `step` went on in between
                continue
            if tick is None or tick > until:
                return
            number += 1
            if number == self._tuning.many_ticks:
                _log.warning("%d ticks without a record were evaluated up to tick %d", number, tick)
            self._begun(tick).database.advance(tick)
            yield self._evaluate(tick)

    def _pass_over(self, change: int, every: GivenTicks) -> Iterator[Answer]:
        """The answers at the ticks before one, nothing changing at them, that `every` says."""
        if self.now is None or self._last is None:
            return
        before = self._evaluated
        while every is not None and (tick := next_given(every, self.now)) < change:
            self.now = tick
            yield answer_at(self._last, tick)
            if self._evaluated != before:
                return
        self.now = max(self.now, change - 1)

    def _committed(self, tick: int) -> Answer:
        """The answer at a tick for which records were gathered."""
        if self._waiting:
            self._gather_waiting()
        self.gathered = None
        if not self._has_events and self._is_silent(tick):
            return self._passed(tick)
        self._has_events = False
        self.execution.database.commit(tick)
        return self._evaluate(tick)

    def _is_silent(self, tick: int) -> bool:
        """Whether nothing is due up to a tick, if there is no input."""
        if self._last is None or self._last.timed_out:
            return False
        due = self._due if self._is_due_known else self.next_change()
        return due is None or due > tick

    def _passed(self, tick: int) -> Answer:
        """The answer at the next tick, at which nothing is due."""
        assert self._last is not None
        self.now = tick
        answer = answer_at(self._last, tick)
        if self.history is not None:
            self._note(self.history, answer)
        return answer

    def _evaluate(self, tick: int) -> Answer:
        """The answer at a tick, the input of which the database has."""
        self._is_due_known = False
        self.gaps.too_far = None
        turn = self.turn
        turn.is_closed = True
        try:
            answer = self.execution.step(tick)
        except EvaluationError as error:
            pipeline = self.execution.pipeline
            timed_out = isinstance(error, TickTimeoutError)
            failure = f"{error}{self._bound(error, tick)}" if isinstance(error, UncomputableError) else ""
            answer = self._over(pipeline.nothing(tick, timed_out=timed_out, failure=failure))
            if not timed_out and not failure:
                raise
            if not self._is_trial:
                _log.warning("tick %d has no answer: %s", tick, failure or error)
            return answer
        finally:
            turn.is_closed = False
        return self._over(answer)

    def _bound(self, error: UncomputableError, tick: int) -> str:
        """The facts for which a tick cannot be computed, as a part of a message."""
        answers = self.execution.answers(tick)
        return binding_facts(error, self.plan, answers, self._given or [])

    def _over(self, answer: Answer) -> Answer:
        """The answer at a tick that was evaluated and is over."""
        if self._given:
            self._given.clear()
        self.now = self._evaluated = answer.tick
        self._ticks += 1
        self._last = answer
        if self._is_changed and answer.satisfiable:
            self._is_changed = not self.execution.go_to_flow(answer.tick, has_failed=False)
        if self.history is not None:
            self._note(self.history, answer)
        return answer

    def _note(self, history: History, answer: Answer) -> None:
        """The history takes an answer."""
        output, noted = self.output, self._noted
        changes = everything(sets_of(output.now.items())) if noted is None else output.whole.since(noted)
        self._noted = output.whole
        history.answered(answer.tick, self.execution.first, changes, answer.satisfiable)

    def _recorded(self, signature: Signature) -> Collection[Row]:
        """The derived atoms of a predicate that ticks after the last one see."""
        return self.execution.pipeline.recorded(signature)

    def explained(
        self,
        atom: Atom,
        time: Time | None,
        depth: int | None,
        explanations: int,
        timeline: Timeline | None,
        seconds: float | None = None,
    ) -> "Explanation":
        """Why an atom holds at a tick, or why not; see `Reasoner.why`.

        It may take as long as a tick may, and no longer than some seconds, if these are given.
        """
        from lars2asp.runtime.reasoning.explaining import explained  # noqa: PLC0415 - few ask

        if self.history is None:
            raise ValueError("this reasoner keeps no ticks to explain: make it with explain_last=N")
        asked = self.history.asked(self.now if time is None else self.timeline.tick_of(time), self.now)
        limits = [one for one in (seconds, self.execution.tick_timeout) if one is not None]
        return explained(
            self.plan,
            self.execution,
            self.history,
            atom,
            asked,
            depth,
            explanations,
            timeline,
            is_last=asked == self.now,
            seconds=min(limits, default=None),
        )

    # --- state ----------------------------------------------------------------------------------------

    def state(self, write: WriteRows) -> dict[str, Any]:
        """The content of a snapshot, in a form that JSON has.

        Where there may be several answer streams it is begun anew from here, as whoever goes on from it does.
        """
        state = {"program": self.execution.fingerprint(self.start), **self._state(write)}
        if "first" in state and not self.is_certain:
            self.execution.pipeline.renew()
            self._is_due_known = False
        return state

    def _state(self, write: WriteRows) -> dict[str, Any]:
        """The same without the program; the evaluators go on."""
        self.catch_up()
        state: dict[str, Any] = {"now": self.now, "evaluated": self._evaluated, "ticks": self._ticks}
        if self._moments is not None and self._moments.is_known:
            state["origin"] = self._moments.begin
        execution = self.execution
        if execution.has_begun and self._last is not None:
            state |= {
                "satisfiable": self._last.satisfiable,
                "given": None if self.given is NO_ANSWER else state_of(self.given, write),
                **execution.state(write),
            }
            if execution.plan.left_out:
                state["leaves_out"] = True
            if self.history is not None:
                state["history"] = self.history.state(write)
        return state

    def remembered(self) -> bytes:
        """What `go_back` needs to go on from here, between ticks."""
        return pickle.dumps(self._state(same_rows), pickle.HIGHEST_PROTOCOL)

    def go_back(self, unused: Execution, remembered: bytes | None) -> None:
        """Forgets what came since a state, or since the beginning: it goes on from there.

        Args:
            unused: the program in evaluation, as it was before any input.
            remembered: the state, of this session; None for the beginning.
        """
        self.execution = copy(unused)
        if unused.plan.at_origin is not None and self.plan.at_origin is None:
            self.execution.take(self.plan)
        self.now = self._evaluated = self._last = self._latest = self.gathered = None
        self._early, self._early_over, self._ticks = [], None, 0
        self._has_events = self._is_due_known = False
        self._waiting = []
        if remembered is not None:
            self._restore(pickle.loads(remembered), same_rows)

    def renew(self) -> None:
        """The evaluators begin anew with the next tick, as with a snapshot."""
        with self.turn:
            self.catch_up()
            if self.execution.has_begun:
                self.execution.pipeline.renew()
                self._is_due_known = False

    def restore(
        self,
        state: Mapping[str, Any],
        read: ReadRows,
        before: Shape | None = None,
        warmed: Self | None = None,
    ) -> None:
        """Takes over the content of a snapshot; see `Reasoner.resume`.

        With the shape that the program had before it was changed, the state may be of that one; what changed
        goes to the log.

        A session that has come to the tick of the state over a stream recorded before gives what windows of
        a changed program hold; the state then says how far the stream has come, and what was answered.
        """
        if self.execution.has_begun or self.now is not None or self._early:
            raise ValueError("this reasoner was already used: call resume() on a new Reasoner")
        unused, plan = copy(self.execution), self.plan
        try:
            self._restore_origin(state)
            is_same = state["program"] == self.execution.fingerprint(self.start)
            if not is_same and before is None:
                if state["program"] == self.execution.fingerprint(self.start, counts_days=False):
                    raise SnapshotError(
                        "the snapshot is of an earlier version, where #tick 1 day. was always 24 "
                        "hours: start over, and for ticks of 24 hours write #tick 24 hour."
                    )
                raise SnapshotError(
                    "the snapshot is of another program, or of other options: use the same ones: use "
                    "the same ones"
                )
            with restoring():
                if is_same or before is None or warmed is None:
                    self._restore(state, read, None if is_same else before)
                else:
                    self._restore_warmed(state, read, before, warmed)
        except BaseException:
            self.execution, self.plan = unused, plan
            if plan.moments is not None:
                plan.moments.forget()
            self.now = self._evaluated = self._last = None
            self._ticks = 0
            raise

    def _restore_origin(self, state: Mapping[str, Any]) -> None:
        """Ticks are counted from where they are in a state. Raises SnapshotError."""
        origin, has_begun = state.get("origin"), "first" in state
        if self._moments is None:
            if origin not in (None, self.timeline.moments.begin):
                begin = (EPOCH + origin * MICROSECOND).isoformat()
                raise SnapshotError(f'its tick 0 is {begin}: write #origin "{begin}". or remove #origin')
        elif origin is not None or has_begun:
            self._moments.begin_at(origin or 0)
            if has_begun:
                self._settle_origin(is_said=False)

    def _restore(self, state: Mapping[str, Any], read: ReadRows, before: Shape | None = None) -> None:
        self.now, self._evaluated = state["now"], state["evaluated"]
        self._ticks = state["ticks"]
        self._is_due_known = False
        if "first" not in state:
            return
        self.execution.restore(state, read, before)
        if before is not None:
            shape = self.execution.shape
            self._tell([*rules_changed(before, shape), *not_kept(before, shape, state["evaluated"])])
        version = self.output.version
        pipeline = state.get("pipeline", {})
        timed_out = {**pipeline, **state.get("flow", {})}.get("is_timed_out", False)
        self._last = Answer(state["evaluated"], state["satisfiable"], version, version, timed_out=timed_out)
        if state["given"] is not None:
            self.given = restored_answer(state["given"], read, self.output)
        self._is_changed = before is not None or "shown" in pipeline
        self._is_changed = self._is_changed or state["is_whole"] is not self.execution.is_whole
        if not self._is_changed:
            self.execution.go_to_flow(state["evaluated"], has_failed=not state["satisfiable"])
        ticks = self.execution.pipeline
        if isinstance(ticks, FlowTicks) and state["satisfiable"] and not self._is_changed:
            self._last = ticks.last_answer_again(state["evaluated"])
        if self.history is not None:
            if "history" not in state:
                raise SnapshotError(
                    "the snapshot contains no history: its reasoner was made without explain_last"
                )
            self.history.restore(state["history"], read)
            self._noted = self.output.whole

    def _restore_warmed(
        self, state: Mapping[str, Any], read: ReadRows, before: Shape, warmed: "Session"
    ) -> None:
        """Takes over what another session holds at the tick of a state, which says what was answered."""
        shape = warmed.execution.shape
        check_answers(before, shape)
        if state["is_whole"] or warmed.execution.is_whole:
            raise SnapshotError(EVALUATED_AS_ONE)
        known = warmed._state(same_rows)
        known |= {"first": min(state["first"], known["first"]), "ticks": state["ticks"], "given": None}
        counted = state.get("flow") or state["database"]
        merged = counted.get("merged", ())
        if "flow" in known:
            flow = FlowState.read(known["first"], known["flow"], same_rows)
            flow = flow.changed(known["now"], self.plan.forgotten)
            flow = replace(flow, output=output_before(state, read))
            known["flow"] = flow.written(same_rows, ()) | {"facts": counted["facts"], "merged": merged}
        else:
            known["pipeline"] = shown_before(known["pipeline"], state, read)
            known["database"] |= {"facts": counted["facts"], "merged": merged}
        self._restore(known, same_rows)
        if state["given"] is not None:
            self.given = restored_answer(state["given"], read, self.output)
        since = warmed.execution.first
        self._tell([*rules_changed(before, shape), f"windows hold what the history has from tick {since} on"])

    def _tell(self, changes: Iterable[str]) -> None:
        """Says in which ways the program changed."""
        for words in changes:
            _log.warning("the program changed: %s", visible(words))
