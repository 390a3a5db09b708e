"""A program in evaluation: by `flow`, or by a pipeline of its components over an interval database."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any, Self, cast

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.analysis.windows import LastArrivals
from lars2asp.externals.database import Inbox, IntervalDatabase
from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import ReadRows, WriteRows, same_rows, written_atoms
from lars2asp.externals.terms.terms import Row
from lars2asp.planning.arrivals import arrivals
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Component, Plan
from lars2asp.planning.translation import demanding_whole_windows, identity_of, translate
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.evaluators.choice import (
    OF_CLINGO,
    Assignment,
    Needs,
    assign,
    assign_in_parts,
    chosen,
    in_flow,
    needed,
)
from lars2asp.runtime.evaluators.clingo.background import background_atoms
from lars2asp.runtime.evaluators.clingo.clingo_options import NO_OPTIONS, ClingoOptions
from lars2asp.runtime.evaluators.costs.meter import Meter
from lars2asp.runtime.evaluators.costs.statistics import ComponentStatistics
from lars2asp.runtime.evaluators.delta.user_calls import values_of
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.flow_refusals import (
    left_by_auto,
    refusal_of_batches,
    refusal_of_flow,
    speculates,
)
from lars2asp.runtime.evaluators.limit import TickLimit
from lars2asp.runtime.evaluators.pipeline import Pipeline, pipeline_state, solver
from lars2asp.runtime.evaluators.plan_text import derived
from lars2asp.runtime.evaluators.protocol import Consequences, Evaluation, Evaluator, Request, Task
from lars2asp.runtime.evaluators.stages import ROLES
from lars2asp.runtime.fingerprints import fingerprint
from lars2asp.runtime.flow.earlier_states import state_of_streams
from lars2asp.runtime.flow.evaluator import FlowEvaluator
from lars2asp.runtime.flow.solved import Answers
from lars2asp.runtime.flow.states import FlowState, arrival_key
from lars2asp.runtime.output import OutputState, sets_of
from lars2asp.runtime.reasoning.changed_program import (
    EVALUATED_AS_ONE,
    Shape,
    check_kept,
    kept_streams,
    output_before,
    shape_of,
)
from lars2asp.runtime.reasoning.flow_ticks import FlowTicks
from lars2asp.runtime.reasoning.run_options import RunOptions, seconds_of
from lars2asp.runtime.reasoning.user_functions import pure_names, user_functions
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.syntax.garbage import collector_paused
from lars2asp.syntax.nodes import Semantics, Signature
from lars2asp.syntax.source import Location

_log = logging.getLogger("lars2asp")

ROW_BYTES = 80
"""The bytes of a record or a row, about, if it were written."""

_OTHER_CODE = 40
"""To begin with blocks takes as long as the code of so many rules."""


class Execution:
    """A program in evaluation. What clingo remarks goes to the log, once for each place in the program.

    Args:
        plan: the program.
        options: how it is run. Raises what Reasoner raises for them.

    Attributes:
        plan: the program; with all rules where a state is taken over in which all were evaluated.
        has_begun: whether the timeline has, without which there is none of the following three.
        complete_windows: whether `always`, `not` and `at most` need windows wholly on the timeline.
        tick_timeout: how long clingo may take for a tick, in seconds, if there is a limit.
        first: the first tick.
        database: takes the input of ticks, and knows what holds when.
        pipeline: evaluates ticks: the components one by one, or `flow`, which then is the database as well.
    """

    first: int
    database: IntervalDatabase | FlowTicks
    pipeline: Pipeline | FlowTicks

    def __init__(self, plan: Plan, options: RunOptions) -> None:
        self._evaluator = EvaluatorName(options.get("evaluator", EvaluatorName.AUTO))
        self._in_flow_for: tuple[Plan, bool, EvaluatorName | None] | None = None
        """What `flow_plan` follows from."""
        self._demands_whole = bool(options.get("complete_windows"))
        self._most = options.get("largest_interval")
        if self._most is not None and self._most < 1:
            raise ValueError("largest_interval must be a number of values, 1 or more")
        self._functions = user_functions(plan, options.get("functions"))
        self._pure = pure_names(self._functions)
        self.take(plan)
        consequences = options.get("consequences")
        self._request = Request(
            options.get("models", 1), Consequences(consequences) if consequences is not None else None
        )
        if not isinstance(self._request.models, int) or self._request.models < 0:
            raise ValueError("the number of models must be an integer, 0 for all")
        if self._request.consequences is not None and self._request.models != 1:
            raise ValueError("consequences are one set of atoms: remove models")
        self._clingo = _clingo_options(options.get("clingo", ()), self._request.models)
        self._tuning = options.get("tuning", DEFAULT)
        self._explains = options.get("explain_last") is not None
        self._is_measured = options.get("stats", False)
        self.tick_timeout = seconds = seconds_of("tick_timeout", options.get("tick_timeout"))
        self._limit = None if seconds is None else TickLimit(seconds)
        self._reported: set[tuple[Location, str]] = set()
        self.has_begun = False
        self.on_placed: Callable[[int, int, Signature, Row], None] | None = None
        """Is told what rules place at ticks."""
        self._assumed: list[Lookup] = []
        """Predicates that the plan takes for background data, while components rely on that."""
        self._inbox = Inbox()
        """Where these lie that have atoms."""

    def take(self, plan: Plan) -> None:
        """It is to be evaluated as a plan of the program says; to be called before the timeline begins."""
        if self._demands_whole and not plan.complete_windows:
            plan = demanding_whole_windows(plan)
        if self._most is not None:
            plan = replace(plan, largest_interval=self._most)
        self.plan = plan
        for known in ("_identity", "_meters"):
            self.__dict__.pop(known, None)
        self.complete_windows = plan.complete_windows
        self.background = background_atoms(plan.facts, plan.wide_facts)
        self._assign(assign(plan, self._evaluator, self._pure))

    def _assign(self, assignments: tuple[Assignment, ...]) -> None:
        """Evaluators serve the components; what they need is known before the first tick."""
        self._assignments, self._needs = assignments, needed(self.plan, assignments)
        name = self._evaluator if self._evaluator in OF_CLINGO else None
        if self._in_flow_for != (self.plan, self.is_whole, name):
            self._in_flow_for = self.plan, self.is_whole, name
            for known in ("flow_plan", "_refusal"):
                self.__dict__.pop(known, None)

    @cached_property
    def flow_plan(self) -> Plan:
        """The program as `flow` evaluates it."""
        return in_flow(self.plan, self._evaluator, is_whole=self.is_whole)

    @cached_property
    def _refusal(self) -> str | None:
        """Why `flow` cannot serve the program."""
        return refusal_of_flow(self.flow_plan, self._pure)

    @cached_property
    def _identity(self) -> list[str]:
        return identity_of(self.plan)

    @property
    def tuning(self) -> Tuning:
        """The thresholds."""
        return self._tuning

    @property
    def is_stuck(self) -> bool:
        """Whether clingo still grounds for a tick that has taken too long."""
        return self._limit is not None and self._limit.is_stuck

    @property
    def assignments(self) -> tuple[Assignment, ...]:
        """The components with their evaluators."""
        return self._assignments

    @property
    def makes_symbols(self) -> bool:
        """Whether clingo's symbols are made: by an evaluator other than `delta`, or for users' functions."""
        evaluators = {assignment.evaluator for assignment in self._assignments}
        return bool(self._functions) or evaluators != {EvaluatorName.DELTA}

    @property
    def functions_of_values(self) -> dict[str, Callable[..., Row]]:
        """The user's `@`-functions, over values."""
        return {name: values_of(function) for name, function in self._functions.items()}

    @property
    def output(self) -> OutputState:
        """The atoms of the output that hold now; none before the first tick."""
        return self.pipeline.output if self.has_begun else OutputState()

    @property
    def lookups(self) -> tuple[Lookup, ...]:
        """The lookups that the database answers."""
        return self._needs.lookups

    @property
    def is_whole(self) -> bool:
        """Whether the program is evaluated as one."""
        return [assignment.component for assignment in self._assignments] == [self.plan.whole]

    def fingerprint(self, start: int | None, *, counts_days: bool | None = None) -> str:
        """Tells programs and options apart; as if ticks were days by the clock, or not, if that is given."""
        plan = self.plan
        options = (start, self.complete_windows, self._request, plan.semantics, *self._clingo.arguments)
        days = plan.counts_days if counts_days is None else counts_days
        most = plan.largest_interval
        more = [f"intervals of {most} values"] if most != LARGEST_INTERVAL else []
        return fingerprint((self._identity, options, *(["days by the clock"] if days else []), *more))

    @collector_paused()
    def begin(
        self,
        first: int,
        state: Mapping[str, Any] | None = None,
        read: ReadRows = same_rows,
        *,
        divides: bool = False,
        before: Shape | None = None,
    ) -> None:
        """The timeline begins at a tick: makes the database, with a state if there is one, and the pipeline.

        The state may be that of the program as one, to be divided, or of the program before it was changed.
        """
        self.first, self.has_begun = first, True
        if state is None and self.has_flow:
            self._take_flow(self._evaluator_of_flow())
        else:
            self._begin_components(state, read, divides=divides, before=before)

    def _begin_components(
        self,
        state: Mapping[str, Any] | None = None,
        read: ReadRows = same_rows,
        *,
        divides: bool = False,
        before: Shape | None = None,
    ) -> None:
        """The same with the components each by itself."""
        plan, first = self.plan, self.first
        database = self._database(first, self._needs)
        if state is not None:
            if divides:
                whole = self._database(first, needed(plan, assign(plan, EvaluatorName.ONESHOT)))
                whole.restore(state, read)
                whole.prime()
                database.adopt(whole, is_over=True)
            else:
                known = None
                if before is not None:
                    known = kept_streams(before, shape_of(plan, self._needs, database.rooms), database.rooms)
                database.restore(state, read, known)
        self._watch_assumed(database)
        self.database, self.pipeline = database, self._pipeline(database)

    def _watch_assumed(self, database: IntervalDatabase) -> None:
        """It is to be known if the input has what components take for background data."""
        self._assumed = [Lookup(LookupKind.INPUT, s) for s in self.plan.assumed if not self.is_whole]
        self._inbox = Inbox()
        database.watch(self._assumed, self._inbox)

    def prepare(self, tick: int) -> Pipeline | FlowTicks:
        """The components for a tick, the input of which the database has.

        From where the input has what components take for background data the program is one.
        """
        if self._assumed and any(watched.changes(tick).began for watched in self._inbox.taken()):
            self._take_whole()
        return self.pipeline

    def step(self, tick: int) -> Answer:
        """The answer at a tick, the input of which was committed. Raises what Pipeline.step raises."""
        return self.prepare(tick).step(tick)

    def answers(self, tick: int) -> Mapping[Lookup, Collection[Row]]:
        """What lookups have at the tick that was evaluated last."""
        if isinstance(self.database, FlowTicks):
            return self.database.flow.answers()
        database = self.database
        return {lookup: database.answer(lookup, tick) for lookup in self.lookups}

    def last_task(self) -> Task | None:
        """The task of the component that may have no answer stream, for the tick evaluated last.

        None where there is no such component, and where the tick took too long.
        """
        if isinstance(self.pipeline, Pipeline):
            return self.pipeline.last_task
        state = self.pipeline.known
        several = (*self.flow_plan.in_batches, *self.plan.components)
        component = next((one for one in several if not one.is_certain), None)
        if component is None or state is None:
            return None
        rules = (one for one in self.flow_plan.in_batches if one.is_certain and not one.fails)
        parts = *rules, component
        evaluator = self._evaluator_of_flow(state, plan=replace(self.plan, batched=lambda: parts))
        return self._task(component, evaluator.answers_of(component), state.last)

    def use(self, evaluator: EvaluatorName | str) -> None:
        """Uses another evaluator from the next tick on; see `Reasoner.use`."""
        name = EvaluatorName(evaluator)
        assignments = assign(self.plan, name, self._pure)
        before, self._evaluator = self._evaluator, name
        if self.has_begun:
            self._evaluator = before
            if EvaluatorName.ONESHOT in (before, name) and before is not name:
                raise ValueError("oneshot takes the whole program at once: it cannot take turns with others")
            ticks, flow_plan, self._evaluator = self.pipeline, self.flow_plan, name
            if isinstance(ticks, FlowTicks):
                self._assign(assignments)
                if not self.has_flow:
                    self.leave_flow()
                elif self.flow_plan is flow_plan:
                    ticks.renew()
                else:
                    state = ticks.state()
                    known = None
                    if state.now >= self.first:
                        known = replace(state.changed(state.now, self.plan.forgotten), last=state.last)
                    others = self._take_flow(self._evaluator_of_flow(known))
                    others.go_on_with(ticks.output)
                    others.gather_as(ticks)
            if isinstance(self.pipeline, Pipeline):
                self.pipeline.use(assignments)
        self._assign(assignments)

    @property
    def shape(self) -> dict[str, Any]:
        """What a program that is changed meanwhile is held against; the timeline has begun."""
        return shape_of(self.plan, self._needs, self._database(self.first, self._needs).rooms)

    @property
    def has_flow(self) -> bool:
        """Whether `flow` evaluates the program as a whole: with `auto` if it is not left to components."""
        if self.refusal is not None or self._evaluator is EvaluatorName.DELTA:
            return False
        return self._evaluator is not EvaluatorName.AUTO or left_by_auto(self.plan) is None

    @property
    def refusal(self) -> str | None:
        """Why `flow` cannot serve the program, with what is asked for."""
        if self._refusal is None and self.on_placed is not None and self.flow_plan.revises:
            return "answers are explained, and rules place atoms at ticks, or later ticks forget atoms"
        return self._refusal

    @property
    def has_one_answer(self) -> bool:
        """Whether no tick may have several answer streams."""
        return all(one.is_certain for one in self.flow_plan.in_batches)

    @property
    def takes_batches(self) -> bool:
        """Whether `flow` may evaluate many ticks at once."""
        return self.has_flow and refusal_of_batches(self.flow_plan, self._pure) is None

    @property
    def asks_for_flow(self) -> bool:
        """Whether `flow` is asked for, however little input there is."""
        return self._evaluator is EvaluatorName.FLOW

    def is_worth_blocks(self, size: int | None) -> bool:
        """Whether `flow` is asked for, or input of so many bytes pays for the code of blocks.

        What windows hold takes another form for them: the input must not be less than that. None: its size
        is not known, as it still comes.
        """
        if size is None or self.asks_for_flow:
            return self.asks_for_flow
        rules = sum(len(one.delta_rules.rules) for one in self.flow_plan.in_batches)
        held = len(self.database) if self.has_begun else 0
        return size >= max(self._tuning.block_bytes * (rules + _OTHER_CODE), ROW_BYTES * held)

    @property
    def components(self) -> tuple[ComponentStatistics, ...]:
        """The components, their evaluators and their costs so far."""
        if isinstance(self.pipeline, Pipeline):
            return self.pipeline.components
        if self._is_measured:
            return self._measured(self.pipeline.flow)
        return tuple(
            ComponentStatistics(derived(self.plan, one.component), one.evaluator, None)
            for one in self._assignments
        )

    @cached_property
    def _meters(self) -> Mapping[Component, Meter]:
        """What measures the components of batches."""
        every = self._tuning.sampled_ticks
        parts = self.flow_plan.in_batches if self._is_measured else ()
        return {one: Meter(is_on=True, every=every) for one in parts}

    def _measured(self, flow: FlowEvaluator) -> tuple[ComponentStatistics, ...]:
        """The components of batches, with their costs."""
        from lars2asp.runtime.evaluators.costs.window_costs import WindowCosts  # noqa: PLC0415 - few ask

        windows, found = WindowCosts(self.plan, flow.lookups, flow.kept_in), []
        for component, meter in self._meters.items():
            cost, evaluator = meter.cost, self._solver_name(component)
            meter.held = windows.held
            rules = meter.rules
            if cost is not None and evaluator is not EvaluatorName.DELTA:
                rules = windows.together(component, cost.steps, cost.seconds)
            name = derived(self.plan, component)
            found.append(ComponentStatistics(name, evaluator, cost, meter.searches, rules))
        return tuple(found)

    # --- the engine `flow` ----------------------------------------------------------------------------

    @property
    def flow(self) -> FlowEvaluator | None:
        """The evaluator of `flow`, while it evaluates the program."""
        return self.database.flow if isinstance(self.database, FlowTicks) else None

    def _evaluator_of_flow(
        self, state: FlowState | None = None, solver: Evaluator | None = None, plan: Plan | None = None
    ) -> FlowEvaluator:
        """Makes an evaluator of `flow`, from the first tick on or from a state; `solver` goes on in it."""
        return FlowEvaluator(
            self.flow_plan if plan is None else plan,
            self._needs.reach,
            self.first,
            self.background,
            complete=self.complete_windows,
            on_message=self._on_message,
            functions={name: values_of(self._functions[name]) for name in self._pure},
            make_solver=self._solver,
            solver=solver,
            state=state,
            meters=self._meters,
            limit=self._limit,
        )

    def _take_flow(self, evaluator: FlowEvaluator) -> FlowTicks:
        least, explains = self._tuning.block_facts, self._explains
        ticks = FlowTicks(self.flow_plan, evaluator, least, self._limit, explains=explains)
        self.database = self.pipeline = ticks
        return ticks

    def gather_rows(self, tick: int, events: Events) -> None:
        """Gathers rows of tables."""
        if isinstance(self.database, FlowTicks):
            self.database.gather(tick, events, are_rows=True)
        else:
            self.database.gather_rows(events)

    def leave_flow(self) -> None:
        """The components are evaluated from the next tick on, in place of `flow`."""
        ticks = self.database
        assert isinstance(ticks, FlowTicks)
        flow = ticks.state()
        self.database = database = self._database(self.first, self._needs)
        self.pipeline = pipeline = self._pipeline(database, begins=False)
        pipeline.go_on_with(ticks.output)
        if flow.now >= self.first:
            known, state = self.states_of_components(flow)
            database.restore(known, same_rows)
            pipeline.restore(state, same_rows)
            if ticks.flow.solver is not None:
                self._adopt(ticks.flow.solver, ticks.flow.evaluations)
        self._watch_assumed(database)
        pipeline.begin()
        for tick, events, are_rows in ticks.gathered:
            if are_rows:
                database.gather_rows(events)
            else:
                database.gather(tick, events)

    def go_to_flow(self, last: int, *, has_failed: bool) -> bool:
        """Evaluates by `flow` behind a tick, at which nothing has changed since the one evaluated last.

        Gives whether it does: it cannot take over every stream.

        Args:
            last: the tick.
            has_failed: whether it has no answer stream.
        """
        if isinstance(self.database, FlowTicks):
            return True
        if not self.has_flow or (has_failed and speculates(self.flow_plan)):
            return False
        certain = {one for part in self.flow_plan.in_batches if part.is_certain for one in part.derives}
        for part in (self.plan.whole,) if self.is_whole else self.plan.components:
            if not (part.is_certain or certain.isdisjoint(part.derives)):
                return False  # its derived atoms are not known
        assert isinstance(self.pipeline, Pipeline)
        database, output = self.database, self.pipeline.output
        by_rules = {signature for one in self.plan.components for signature in one.derives}
        stream = database.so_far(last, by_rules)
        if stream is None:
            return False
        state = FlowState.of(self.first, last, stream, self.pipeline.derives, has_failed=has_failed)
        state.last = self.pipeline.last_evaluation
        if not self._can_take(state):
            return False
        solver = self.pipeline.solver if self._has_last_of_batches else None
        ticks = self._take_flow(self._evaluator_of_flow(state, solver))
        ticks.go_on_with(output)
        return True

    def states_of_components(
        self, flow: FlowState, *, is_changed: bool = False
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The states of a database and of a pipeline that go on from one of `flow`; rows are as they are.

        That may be one of the program before it was changed.
        """
        plan, database = self.plan, self._database(flow.start, self._needs)
        if self.is_whole:
            plan = self.flow_plan
        arrived = {
            one: flow.arrived[key]
            for one in database.lookups
            if isinstance(one.window, LastArrivals) and (key := arrival_key(one)) in flow.arrived
        }
        future: dict[int, dict[Signature, Collection[Row]]] = {}
        for signature, placing in plan.placings.items():
            for tick, rows in flow.future.get(signature, {}).items():
                future.setdefault(tick, {})[placing.signature] = rows
        known = database.state_of(
            flow.held,
            arrived,
            flow.current,
            flow.derives,
            flow.begun,
            flow.now,
            flow.facts,
            flow.merged,
            flow.open,
            {
                one: {row: (end, not flow.has_failed) for row, (end, _) in some.items()}
                for one, some in flow.told.items()
            },
            future,
        )
        pipeline = pipeline_state(plan, flow.derives, flow.last, same_rows, has_failed=flow.has_failed)
        if self._request.consequences is not None:
            pipeline["output"] = written_atoms(flow.everything().items(), same_rows)
        if is_changed:
            shown = [*sets_of(flow.shown(but=plan.shown_input).items()).items()]
            handed_out = dict.fromkeys(ROLES, ()) | {"shown": written_atoms(shown, same_rows)}
            pipeline["stages"].append({"handed_out": handed_out})
        return known, pipeline

    # --- states ---------------------------------------------------------------------------------------

    def state(self, write: WriteRows) -> dict[str, Any]:
        """What is evaluated and known when a tick is over, for `restore`."""
        known = {"first": self.first, "is_whole": self.is_whole}
        if isinstance(self.database, FlowTicks):
            return {**known, "flow": self.database.state().written(write, self.background)}
        assert isinstance(self.pipeline, Pipeline)
        return {**known, "database": self.database.state(write), "pipeline": self.pipeline.state(write)}

    def restore(self, state: Mapping[str, Any], read: ReadRows, before: Shape | None = None) -> None:
        """Takes over the state of a session; the timeline has not begun.

        The state may be of the program before it was changed, when it had another shape. Raises SnapshotError
        where that cannot be taken over.

        Where rules are left out that were evaluated before, they are from here on as well.
        """
        if self.plan.left_out and not state.get("leaves_out", False):
            self.plan = translate(self.plan.program, self.plan.semantics, with_all=True)
            self._assignments = assign(self.plan, self._evaluator, self._pure)
        was_whole, is_whole = state["is_whole"], self.is_whole
        if before is not None and (was_whole or is_whole):
            raise SnapshotError(EVALUATED_AS_ONE)
        if was_whole and self.plan.assumed and not self.has_flow:  # components rely on the input
            self._assignments, is_whole = assign(self.plan, EvaluatorName.ONESHOT), True
        elif is_whole and not was_whole:
            self._assignments = assign_in_parts(self.plan, self._pure)
        self._assign(self._assignments)
        is_changed, divides = before is not None, was_whole and not is_whole
        flow = self._flow_state(state, read, is_changed=is_changed)
        if flow is None:
            pipeline = state["pipeline"]
            self.begin(state["first"], state["database"], read, divides=divides, before=before)
        else:
            self.first, self.has_begun = flow.start, True
            if before is not None:
                check_kept(before, self.shape)
            if is_changed or divides:
                flow = flow.changed(state["now"], self.plan.forgotten)
            if self.has_flow:
                self._take_flow(self._evaluator_of_flow(flow))
                return
            known, pipeline = self.states_of_components(flow, is_changed=is_changed)
            self._begin_components(known)
            read = same_rows
        assert isinstance(self.pipeline, Pipeline)
        self.pipeline.restore(pipeline, read, is_divided=divides, is_changed=is_changed)

    def _flow_state(self, state: Mapping[str, Any], read: ReadRows, *, is_changed: bool) -> FlowState | None:
        """A state as one of `flow`; None for one of components that has none."""
        if "flow" in state:
            return FlowState.read(state["first"], state["flow"], read)
        if not self.has_flow:
            return None
        lookups = self._needs.lookups
        if state["is_whole"]:
            lookups = needed(self.plan, assign(self.plan, EvaluatorName.ONESHOT)).lookups
        found = state_of_streams(self.plan, lookups, state, read)
        if is_changed and found is not None:
            found.output = output_before(state, read)
        return found if found is not None and self._can_take(found) else None

    def _can_take(self, state: FlowState) -> bool:
        """Whether `flow` can go on from a state: it says which rows are of rules."""
        if self.plan.revises:
            return False  # rules of components derive other predicates
        by_rules = {signature for one in self.plan.components for signature in one.derives}
        for signature, held in state.held.items():
            if signature in by_rules:
                on = {row for row, runs in held.items() if runs[-1] > state.now}
                known = {*state.derives.get(signature, ()), *state.recorded.get(signature, ())}
                is_own = state.output is not None or on <= known
                if state.current.get(signature) or not is_own:
                    return False
        return True

    def copied(self, *, has_evaluated: bool) -> Self:
        """Another one that goes on from here by itself, with what is gathered.

        Args:
            has_evaluated: whether a tick was evaluated.
        """
        other = copy(self)
        if not self.has_begun:
            return other
        database = self.database
        if isinstance(database, FlowTicks):
            state = database.state() if has_evaluated else None
            copied = other._take_flow(other._evaluator_of_flow(state))
            copied.gather_as(database)
            return other
        assert isinstance(self.pipeline, Pipeline)
        other._begin_components(database.state(same_rows) if has_evaluated else None)
        assert isinstance(other.database, IntervalDatabase) and isinstance(other.pipeline, Pipeline)
        if has_evaluated:
            other.pipeline.restore(self.pipeline.state(same_rows), same_rows)
        other.database.gather_as(database.gathering)
        return other

    def _database(self, first: int, needs: Needs) -> IntervalDatabase:
        return IntervalDatabase(
            first,
            needs.lookups,
            needs.reach,
            self.background,
            placed=needs.placed,
            recorded=needs.recorded,
            published=needs.published,
            complete_windows=self.complete_windows,
            keeps_input=bool(self.plan.assumed),
            sweep_after=self._tuning.sweep_after,
            on_placed=self.on_placed,
            held=self.plan.held,
            foreknown=self.plan.foreknown,
            tables=frozenset(one.signature for one in self.plan.tables),
        )

    def _pipeline(self, database: IntervalDatabase, *, begins: bool = True) -> Pipeline:
        components = [one.component for one in self._assignments] or [self.plan.whole]
        lasting = [signature for signature, _ in self.background]
        lasting += [one.signature for one in self.plan.foreknown]
        lasting += [one.signature for one in self.plan.tables]
        task = Task(
            components[0].program,  # each evaluator gets one with that of its component
            database,
            self._request,
            self._functions,
            self._on_message,
            arrivals(self.plan.components, lasting),
            clingo=self._clingo,
            limit=self._limit,
            tuning=self._tuning,
            largest_interval=self.plan.largest_interval,
        )
        return Pipeline(self.plan, self._assignments, task, is_measured=self._is_measured, begins=begins)

    def _adopt(self, evaluator: Evaluator, evaluations: Mapping[int, Evaluation]) -> None:
        """The last component goes on with its evaluator of batches, and the answer streams it has found."""
        if self._has_last_of_batches:
            assert isinstance(self.pipeline, Pipeline)
            self.pipeline.adopt(evaluator, evaluations)

    @property
    def _has_last_of_batches(self) -> bool:
        """Whether the last component is evaluated in batches as it is tick by tick; there may be none."""
        if not (self._assignments and self.flow_plan.in_batches):
            return False
        own, other = self._assignments[-1], self.flow_plan.in_batches[-1]
        is_same = own.evaluator is self._solver_name(other)
        return is_same and own.component.program.lookups == other.program.lookups

    def _solver_name(self, component: Component) -> EvaluatorName:
        """The evaluator of clingo's for a component."""
        asked = self._evaluator
        return asked if asked in OF_CLINGO else chosen(component, self._pure).evaluator

    def _solver(
        self, component: Component, answers: Answers, last: Evaluation | None, before: Evaluator | None
    ) -> Evaluator:
        """What evaluates a component of batches; see `MakesSolver`."""
        task = self._task(component, answers, last)
        if before is None:
            return solver(self._solver_name(component), task, self.plan)
        before.go_on(task)
        return before

    def _task(self, component: Component, answers: Answers, last: Evaluation | None) -> Task:
        """What the evaluator of a component of batches needs."""
        return Task(
            component.program,
            cast(IntervalDatabase, answers),
            Request(raw=True) if component.is_certain else self._request,
            self._functions,
            self._on_message,
            {},
            is_late=True,
            last=last,
            is_ordered=not (component.is_certain or all(one.is_certain for one in self.plan.components)),
            clingo=self._clingo,
            limit=self._limit,
            meter=self._meters.get(component) or Meter(),
            tuning=self._tuning,
            largest_interval=self.plan.largest_interval,
        )

    def _take_whole(self) -> None:
        self._assign(assign(self.plan, EvaluatorName.ONESHOT))
        self._assumed = []
        database = self._database(self.first, self._needs)
        assert isinstance(self.database, IntervalDatabase)
        database.adopt(self.database, with_derived=self.plan.semantics is Semantics.RECORDED)
        whole = self._pipeline(database)
        assert isinstance(self.pipeline, Pipeline)
        whole.take_over(self.pipeline)
        self.database, self.pipeline = database, whole

    def _on_message(self, location: Location, message: str) -> None:
        if (location, message) not in self._reported:
            self._reported.add((location, message))
            _log.warning("%s: info: %s", location, message)


def _clingo_options(arguments: Sequence[str], models: int) -> ClingoOptions:
    """The options of clingo. Raises ClingoOptionError."""
    if not arguments:
        return NO_OPTIONS
    from lars2asp.runtime.evaluators.clingo.clingo_arguments import clingo_options  # noqa: PLC0415 - few ask

    return clingo_options(arguments, models=models)
