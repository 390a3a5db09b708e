"""The ticks of a session one at a time, by the engine `flow`."""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from typing import Any

from lars2asp.analysis.calendar_atoms import CalendarPredicate
from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.events import EventError, Events
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.externals.traces.checks import InputChecks
from lars2asp.externals.traces.told import atoms_told, told_of
from lars2asp.externals.views import RowChanges, Rows, TickChanges
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import EvaluationError, TickTimeoutError, UncomputableError
from lars2asp.runtime.evaluators.flow_refusals import in_order as flow_in_order
from lars2asp.runtime.evaluators.flow_refusals import speculates
from lars2asp.runtime.evaluators.limit import TickLimit
from lars2asp.runtime.evaluators.protocol import Evaluator, rows_of_keys
from lars2asp.runtime.flow.confirmed import Batch, Confirmed
from lars2asp.runtime.flow.evaluator import IN_ORDER, NOTHING_TOLD, FlowEvaluator, Outcome, Told
from lars2asp.runtime.flow.states import FlowState
from lars2asp.runtime.output import OutputState, Version, sets_of
from lars2asp.syntax.nodes import Signature


def may_go_back(plan: Plan) -> bool:
    """Whether some ticks may have to be taken back: functions, clingo and intervals may fail."""
    rules = [one.delta_rules for one in plan.in_batches]
    by_clingo = any(one.refusal is not None for one in rules)
    enumerates = any(any(one.enumerating(plan.largest_interval)) for one in rules)
    return bool(plan.called) or by_clingo or enumerates or speculates(plan)


class ForeknownTicks:
    """The ticks at which rows begin or end that no fact tells: of the calendar, and of comparisons.

    Args:
        plan: the program.
    """

    def __init__(self, plan: Plan) -> None:
        self._regular = plan.regular
        self._calendar = [_CalendarChanges(one) for one in plan.calendar]

    def __bool__(self) -> bool:
        return bool(self._regular or self._calendar)

    def number(self, before: int, last: int, most: int) -> int:
        """How many there are after a tick up to another; of a calendar it counts no further than `most` + 1.

        Later calls must not ask about earlier ticks.
        """
        number = sum(len(one.between(before + 1, last)) for one in self._regular)
        return number + sum(one.number(before, last, most) for one in self._calendar)


class _CalendarChanges:
    """The ticks at which others of the atoms of a predicate hold.

    Args:
        predicate: the predicate.
    """

    def __init__(self, predicate: CalendarPredicate) -> None:
        self._predicate = predicate
        self._ticks: list[int] = []

    def number(self, before: int, last: int, most: int) -> int:
        """How many there are after a tick up to another; it counts no further than `most` + 1.

        Later calls must not ask about earlier ticks.
        """
        ticks = self._ticks
        del ticks[: bisect_right(ticks, before)]
        while not ticks or (ticks[-1] <= last and len(ticks) <= most):
            change = self._predicate.next_change(ticks[-1] if ticks else before)
            ticks.append(FOR_EVER if change is None else change)
        return bisect_right(ticks, last)


class FlowTicks:
    """Gathers the input of a tick and evaluates it, in place of an IntervalDatabase and a Pipeline.

    Between two ticks others may evaluate many ticks at once with the same evaluator.

    Args:
        plan: the program, which `flow` serves.
        flow: evaluates it.
        least: see Confirmed.
        limit: how long a tick may take.
        explains: whether somebody may ask why a tick has no answer stream.

    Attributes:
        flow: evaluates the program.
        gathered: the ticks and events that are gathered, and whether they are rows of tables.
        checks: says whether events can be taken.
        output: the atoms of the output that hold now.
        check: see IntervalDatabase.
        may_go_back: see the function.
        is_committed: whether the gathered input is of the tick that is evaluated; else of a later one.
        has_failed: whether the last answer is that there is no answer stream.
    """

    def __init__(
        self,
        plan: Plan,
        flow: FlowEvaluator,
        least: int,
        limit: TickLimit | None = None,
        *,
        explains: bool = False,
    ) -> None:
        self.flow = flow
        self._plan, self._held, self._least = plan, plan.held, least
        self._in_order = flow_in_order(plan)
        self._derived: AbstractSet[Signature] = {one for some in plan.in_batches for one in some.derives}
        self._limit = limit
        self.may_go_back = limit is not None or may_go_back(plan)
        self._speculates, self._explains = speculates(plan), explains
        self._failing: FlowState | None = None
        """What was known at the last tick, if windows decide that it has no answer stream."""
        self._confirmed: Confirmed | None = None
        self.is_committed = False
        self.has_failed = flow.has_failed
        self.gathered: list[tuple[int, Events, bool]] = []
        self._number = 0
        """The number of events of the tick that is evaluated."""
        self._special = self._in_order
        """Whether all events are needed as they are told."""
        self.checks = InputChecks.of(plan, flow.is_open)
        self.check = self.checks.check
        self._plain: set[Signature] = set()
        """Predicates whose facts passed `check`, which no rule derives, and which are not held."""
        self._points: Collection[AtomRows] = ()
        self._told: Mapping[Signature, Told] = NOTHING_TOLD
        self._evaluation = None if flow.has_failed else flow.evaluation
        """What clingo says of the last answer."""
        self._streams: Callable[[], Iterable[Rows]] | None = None
        """What gives its answer streams, if there are more than the one that is followed."""
        hidden = plan.explained.hidden if plan.explained else frozenset[Signature]()
        self.output = OutputState(lambda: flow.shown, hidden, plan.decimals)
        if self.has_failed:
            self.output.fix({})
        self._before: Version | None = None
        """The output before a tick that cannot be evaluated, until that has its answer."""

    def go_on_with(self, output: OutputState) -> None:
        """Goes on with the output of the pipeline that evaluated the ticks before."""
        self.output, flow = output, self.flow
        if not self.has_failed:
            output.follow(lambda: flow.shown)
            self._streams = self._all_streams()

    @property
    def facts(self) -> int:
        """The number of facts so far."""
        return self.flow.facts

    @property
    def merged(self) -> Mapping[Signature, int]:
        """See IntervalDatabase."""
        return {one: number for one, number in self.flow.merged.items() if self.flow.looks_at(one)}

    def __len__(self) -> int:
        """The number of intervals that are kept."""
        return self.flow.kept

    def atoms(self) -> int:
        """The number of atoms that have such intervals."""
        return self.flow.atoms

    @property
    def last_alarm(self) -> int:
        """See IntervalDatabase."""
        return self.flow.last_end

    def state(self) -> FlowState:
        """The state of the evaluator; gathered input is not part of it."""
        return replace(self.flow.state(), merged={**self.merged})

    # --- input ----------------------------------------------------------------------------------------

    def gather(self, tick: int, events: Events, *, are_rows: bool = False) -> None:
        """Takes events of the tick that is being gathered, which passed `check`; or rows of tables."""
        self.gathered.append((tick, events, are_rows))
        if not are_rows:
            self.checks.note(events)

    def gather_as(self, other: "FlowTicks") -> None:
        """Takes what another one gathered."""
        self.gathered, self.checks.noted = [*other.gathered], {**other.checks.noted}

    def discard(self) -> None:
        """Forgets the events of a tick that is not over."""
        self.gathered, self.checks.noted = [], {}

    def commit(self, tick: int) -> None:
        """Ends the gathering of a tick."""
        gathered, special = self.gathered, self._special
        points: list[AtomRows] = []
        for _, (facts, begin, end, until), are_rows in gathered:
            if are_rows or begin or end or until is not None:
                special = True
            else:
                points += facts
        if not special:
            special = any(one in self._derived or one in self._held for one, _ in points)
        if special:
            self._take_told(tick)
        else:
            self._points, self._told = _by_predicate(points) if len(points) > 1 else points, NOTHING_TOLD
        self._number = sum(
            len(rows) for _, events, _ in gathered for groups in events[:3] for _, rows in groups
        )
        self.flow.facts += self._number
        self.is_committed = True
        if not self.may_go_back:
            self._forget_gathered()

    def _forget_gathered(self) -> None:
        """Forgets the input of a tick that was evaluated."""
        self.discard()
        self.is_committed = False

    def _take_told(self, tick: int) -> None:
        """Takes what is told, apart from facts of predicates of which there is nothing else."""
        held, derived = self._held, self._derived
        found = [
            one
            for _, events, are_rows in self.gathered
            for one in told_of(tick, events, held, are_rows=are_rows)
        ]
        others = {one for one, _, end in found if end != tick + 1 or one in derived or one in held}
        points, told = dict[Signature, list[Row]](), dict[Signature, list[tuple[Any, int]]]()
        for signature, row, end in found:
            if signature in others:
                told.setdefault(signature, []).append((row, end))
            else:
                points.setdefault(signature, []).append(row)
        if self._in_order and found:
            told[IN_ORDER] = [*atoms_told(found)]
        self._points, self._told = [AtomRows(*one) for one in points.items()], told

    def advance(self, tick: int) -> None:
        """The next tick has no input."""

    # --- ticks ----------------------------------------------------------------------------------------

    def are_plain(self, tick: int, facts: Sequence[AtomRows]) -> bool:
        """Whether `step_over` takes facts: they hold at their tick alone, and each predicate comes once."""
        plain = self._plain
        if self.may_go_back or self._in_order:
            return False
        for signature, _ in facts:
            if signature not in plain:
                if signature in self._derived or signature in self._held:
                    return False
                with suppress(EventError):  # the session says it of the whole record
                    self.check(tick, Events((AtomRows(signature, ()),)))
                    plain.add(signature)
                return False
        return True

    def step_over(self, tick: int, facts: Sequence[AtomRows]) -> Answer:
        """The answer at a tick whose input is facts that `are_plain`; nothing else is gathered."""
        flow = self.flow
        for _, rows in facts:
            flow.facts += len(rows)
        return self.answer(tick, flow.step(tick, facts, NOTHING_TOLD), has_failed=flow.has_failed)

    def step(self, tick: int) -> Answer:
        """The answer at a tick, the input of which was committed.

        Raises EvaluationError if it cannot be evaluated: then nothing has changed.
        """
        points, told, flow = self._points, self._told, self.flow
        self._points, self._told = (), NOTHING_TOLD
        if not self.may_go_back:
            return self.answer(tick, flow.step(tick, points, told), has_failed=flow.has_failed)
        confirmed = self._confirmed = self._confirmed or Confirmed(flow, self._least)
        confirmed.settle()
        was_anew, self._failing = flow.is_anew, None
        try:
            changes = self._within_limit(lambda: flow.step(tick, points, told))
        except EvaluationError as error:
            is_timed_out = isinstance(error, TickTimeoutError | UncomputableError)
            self._fail(confirmed, tick, points, told, is_timed_out=is_timed_out)
            raise
        if self._speculates and flow.has_failed:
            self._failing = flow.state() if self._explains else None
            self._fail(confirmed, tick, points, told, flow.solver)
            return self.nothing(tick)
        if was_anew:
            self._confirmed = None
        else:
            confirmed.add(Batch.of(tick, points, told))
        if self.is_committed:
            self._forget_gathered()
        return self.answer(tick, changes, has_failed=flow.has_failed)

    def _within_limit(self, step: Callable[[], RowChanges]) -> RowChanges:
        """What a tick gives that may not take longer than others."""
        if self._limit is None:
            return step()
        self._limit.begin()
        try:
            return step()
        finally:
            self._limit.end()

    def _fail(
        self,
        confirmed: Confirmed,
        tick: int,
        points: Collection[AtomRows],
        told: Mapping[Signature, Told],
        solver: Evaluator | None = None,
        *,
        is_timed_out: bool = False,
    ) -> None:
        """A tick is over at which nothing is derived; `solver` may go on behind it."""
        flow, facts = self.flow, self.flow.facts
        confirmed.go_back(solver)
        self._before = self.output.version
        self.output.fix({})
        flow.facts, self._confirmed = facts, None
        flow.fail(tick, points, told, is_timed_out=is_timed_out)
        if self.is_committed:
            self._forget_gathered()

    def nothing(self, tick: int, *, timed_out: bool = False, failure: str = "") -> Answer:
        """The answer at a tick without an answer stream, at which nothing is derived."""
        self._evaluation, self._streams = None, None
        self.flow.ticks, self.has_failed = self.flow.ticks + 1, True
        version, before, self._before = self.output.version, self._before, None
        assert before is not None
        return Answer(tick, False, version, before, timed_out=timed_out, failure=failure)

    def answer(self, tick: int, changes: RowChanges, *, has_failed: bool) -> Answer:
        """The answer at a tick whose changes are the next ones that the output takes.

        Args:
            tick: the tick.
            changes: the changes of the output, as if all ticks had an answer stream.
            has_failed: whether it has none.
        """
        output, flow = self.output, self.flow
        before, said = output.version, self._evaluation
        self._evaluation = None if has_failed else flow.evaluations.get(tick, said)
        flow.ticks += 1
        if has_failed or self.has_failed:
            if has_failed and not self.has_failed:
                output.fix({})
            flow.show(changes)
            if not has_failed:
                output.follow(lambda: flow.shown)
            self.has_failed = has_failed
        elif changes:
            flow.show(changes)
            output.change(changes)
        if self._evaluation is not said or output.version is not before:
            self._streams = self._all_streams()
        return self.answer_without_changes(tick, before)

    def answer_without_changes(self, tick: int, before: Version | None = None) -> Answer:
        """The answer at a tick at which nothing changes, or has changed since an output."""
        version, said = self.output.version, self._evaluation
        before, cost = version if before is None else before, None if said is None else said.cost
        return Answer(tick, not self.has_failed, version, before, self._streams, cost=cost)

    def last_answer_again(self, tick: int) -> Answer:
        """The answer at the tick of a state that it goes on from, which has an answer stream."""
        self._streams = self._all_streams()
        return self.answer_without_changes(tick)

    def _all_streams(self) -> Callable[[], Iterable[Rows]] | None:
        """What gives the output atoms of each answer stream, if there is more to say than the output."""
        said, version, hidden = self._evaluation, self.output.version, self.output.hidden
        shown = self.flow.certain
        if said is None or (len(said.models) == 1 and said.consequences is None):
            return None

        def streams() -> Iterable[Rows]:
            own = rows_of_keys(said.output)
            certain = {one: rows.difference(own.get(one, ())) for one, rows in version.rows().items()}
            for one, rows in () if shown is None else shown.items():
                certain.setdefault(one, set()).update(() if one in hidden else rows)
            for model in said.models:
                more = (one for one in rows_of_keys(model.shown).items() if one[0] not in hidden)
                yield sets_of((*certain.items(), *more))

        return streams

    # --- many ticks at once ---------------------------------------------------------------------------

    def batch(self, batch: Batch) -> tuple[Outcome, bool]:
        """The outcome of ticks, and whether one cannot be evaluated: then the outcome ends before it."""
        flow, now = self.flow, self.flow.now
        if not self.may_go_back:
            return flow.block(batch.points, batch.last, batch.lasting), False
        confirmed = self._confirmed = self._confirmed or Confirmed(flow, self._least)
        confirmed.settle()
        try:
            outcome = flow.block(batch.points, batch.last, batch.lasting)
        except EvaluationError:
            return confirmed.rewind_to_error(batch, now), True
        failed = next((tick for tick, has_failed in outcome.turns if has_failed), None)
        if self._speculates and failed is not None:
            return confirmed.rewind_before(batch, failed), True
        confirmed.add(batch)
        return outcome, False

    def last_answer(self, changes: Sequence[TickChanges]) -> Answer:
        """The answer at the last of ticks that all have an answer stream."""
        output, flow = self.output, self.flow
        before, some = output.version, [of_tick for _, of_tick in changes]
        flow.show(*some)
        flow.ticks += len(some)
        return Answer(changes[-1][0], True, output.change_all(some), before)

    def go_back(self, before: FlowState, batch: Batch) -> None:
        """Goes on after a part of a batch, whose answers were the last ones to be given.

        Args:
            before: the state before the batch.
            batch: the part.
        """
        flow, self._confirmed = self.flow, None
        shown, ticks = flow.shown, flow.ticks
        flow.restore(before)
        flow.block(batch.points, batch.last, batch.lasting)
        flow.shown, flow.ticks = shown, ticks

    def next_change(self, tick: int) -> int | None:
        """The first tick after one that was evaluated at which time alone may change something."""
        return self.flow.next_due

    def renew(self) -> None:
        """Goes on as from a state."""
        self.flow.renew()

    def recorded(self, _: Signature) -> Collection[Row]:
        """See Pipeline: none, as derived atoms enter the stream at once."""
        return ()

    @property
    def known(self) -> FlowState | None:
        """What was known at the last tick; None if it could not be computed."""
        return self._failing if self.flow.is_anew else self.flow.state()


def _by_predicate(atoms: Collection[AtomRows]) -> list[AtomRows]:
    """The same atoms, each predicate once."""
    found: dict[Signature, list[Row]] = {}
    for signature, rows in atoms:
        known = found.get(signature)
        if known is None:
            found[signature] = [*rows]
        else:
            known += rows
    return [AtomRows(*one) for one in found.items()]
