"""The components of a program at run time, evaluated one after the other, lowest first.

Each component that is certain hands what it derives to those above, as changes; the last one may have several
answer streams, or none, and then the tick has none.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from lars2asp.externals.database import Inbox, IntervalDatabase
from lars2asp.externals.terms.table import ReadRows, WriteRows, read_atoms, written_atoms
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.timer import earliest
from lars2asp.externals.views import Changes, Rows
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Component, Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import SnapshotError, TickTimeoutError, UncomputableError
from lars2asp.runtime.evaluators.choice import Assignment
from lars2asp.runtime.evaluators.costs.meter import Meter
from lars2asp.runtime.evaluators.costs.statistics import ComponentStatistics
from lars2asp.runtime.evaluators.delta.evaluator import DeltaEvaluator
from lars2asp.runtime.evaluators.delta.growth import Growth
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.plan_text import derived
from lars2asp.runtime.evaluators.protocol import Evaluation, Evaluator, Request, Task, rows_of_keys
from lars2asp.runtime.evaluators.relevance import Relevance
from lars2asp.runtime.evaluators.stages import ROLES, LastStage, Stage, change, stage_state
from lars2asp.runtime.output import OutputState, Version, sets_of
from lars2asp.syntax.argument_type import ANY
from lars2asp.syntax.nodes import Signature

if TYPE_CHECKING:
    from lars2asp.runtime.evaluators.costs.rule_statistics import RuleStatistics
    from lars2asp.runtime.evaluators.costs.window_costs import WindowCosts

_INPUT = -1
"""The level of input that is shown: it is looked at before all components."""


class Pipeline:
    """Evaluates a plan.

    Args:
        plan: the program.
        assignments: what evaluates its components, or the whole program as one.
        task: the whole program, the database, and the rest that evaluators need.
        is_measured: whether the time that components take is measured.
        begins: whether evaluators are made at once.
    """

    def __init__(
        self,
        plan: Plan,
        assignments: Sequence[Assignment],
        task: Task,
        *,
        is_measured: bool = False,
        begins: bool = True,
    ) -> None:
        self._limit = task.limit
        self._task = task
        self._plan = plan
        self._database = database = task.database
        self._assignments = tuple(assignments)
        components = [assignment.component for assignment in assignments]
        every = task.tuning.sampled_ticks
        self._meters = [Meter(is_on=is_measured, every=every) for _ in components]
        self._windows: WindowCosts | None = None
        """What windows hold for rules, where it is measured."""
        if is_measured:
            self._windows = windows = _window_costs(plan, database)
            for meter in self._meters:
                meter.held = windows.held
        self._stages: list[Stage] = []
        self._last: LastStage | None = None
        for level, (component, meter) in enumerate(zip(components, self._meters, strict=True)):
            if component.is_certain:
                self._stages.append(Stage(component, database, meter, level))
            else:
                self._last = LastStage(database, meter, level)
        self._inboxes = [stage.inbox for stage in self._stages]
        if self._last is not None:
            self._inboxes.append(self._last.inbox)
        self._components_before: tuple[ComponentStatistics, ...] = ()
        """The components of the pipeline that was taken over."""
        self._shows_terms = (components[-1] if components else plan.whole).program.shows_terms
        """Whether terms are shown that may be atoms of other components as well."""
        is_whole = components == [plan.whole]
        self._shown_input = [] if is_whole else [Lookup(LookupKind.NOW, s) for s in sorted(plan.shown_input)]
        self._inbox = database.agenda.inbox(_INPUT)
        watched = database.watch(self._shown_input, self._inbox)
        self._watched_input = dict(zip(watched, self._shown_input, strict=True))
        self._input: dict[Signature, set[Row]] = {}
        """The atoms of the output that no rule derives."""
        self._hidden = plan.explained.hidden if plan.explained else frozenset[Signature]()
        self.output = OutputState(self._held, self._hidden, plan.decimals)
        self._before = self.output.version
        """The output before the current tick."""
        self._changed: list[tuple[Signature, Changes]] = []
        """The changes by the current tick that the output does not have yet."""
        self._is_stale = False
        """Whether evaluators are to be made before the next tick."""
        self._is_timed_out = False
        """Whether the last tick took too long: it is not tried again while nothing changes."""
        self._streams_of: Evaluation | None = None
        """The evaluation of which there are answer streams to list, and what gives them."""
        self._streams: Callable[[], Iterable[Rows]] = tuple
        self._is_recorded = False
        """Whether the derived atoms of the tick evaluated last were recorded."""
        self._is_started = False
        """Whether evaluators were made."""
        self._adopted: Evaluator | None = None
        self._names = [assignment.evaluator for assignment in self._assignments]
        """What evaluates the components now."""
        if begins:
            self.begin()

    def begin(self) -> None:
        """Makes the evaluators, before the first tick; not needed where batches of ticks do without."""
        if not self._is_started:
            self._start(is_late=False)

    @property
    def evaluators(self) -> list[object]:
        """The evaluators, in the order of the components."""
        self.begin()
        own: list[object] = [stage.evaluator for stage in self._stages]
        return own if self._last is None else [*own, self._last.evaluator]

    @property
    def components(self) -> tuple[ComponentStatistics, ...]:
        """The components, their evaluators and their costs so far."""
        own = zip(self._assignments, self._names, self._meters, strict=True)
        return (
            *self._components_before,
            *(
                ComponentStatistics(
                    derived(self._plan, assignment.component),
                    name,
                    meter.cost,
                    meter.searches,
                    self._rules(assignment.component, name, meter),
                )
                for assignment, name, meter in own
            ),
        )

    def _rules(self, component: Component, name: EvaluatorName, meter: Meter) -> "tuple[RuleStatistics, ...]":
        """What the rules of a component have done and cost; none where that is not measured."""
        cost, rules = meter.cost, meter.rules
        if self._windows is None or cost is None or name is EvaluatorName.DELTA or rules:
            return rules
        return self._windows.together(component, cost.steps, cost.seconds)

    @property
    def derives(self) -> dict[Signature, Collection[Row]]:
        """What rules derive at the tick evaluated last, and which input is shown; see `pipeline_state`."""
        found: dict[Signature, Collection[Row]] = {**self._input}
        for stage in self._stages:
            found |= stage.derives
        return found

    def use(self, assignments: Sequence[Assignment]) -> None:
        """Evaluates the same components otherwise, from the next tick on. Raises ValueError for others."""
        if [one.component for one in assignments] != [one.component for one in self._assignments]:
            raise ValueError("oneshot takes the whole program at once: it cannot take turns with others")
        self._assignments = tuple(assignments)
        self.renew()

    def go_on_with(self, output: OutputState) -> None:
        """Goes on with the output of `flow`; to be called before a state is restored."""
        self.output = output
        output.follow(self._held)
        self._before = output.version

    def take_over(self, other: "Pipeline") -> None:
        """Goes on, from the next tick on, with the output of a pipeline that is not used any more."""
        self.begin()
        self.output = other.output
        self.output.fix(sets_of(other.output.now.items()))
        self._components_before = other.components
        self._is_stale = True

    def state(self, write: WriteRows) -> dict[str, Any]:
        """All that later ticks depend on when a tick is over, in a form that JSON has."""
        output = self.output
        return {
            "output": None if output.is_followed else written_atoms(output.now.items(), write),
            "input": written_atoms(self._input.items(), write),
            "stages": [stage.state(write) for stage in self._stages],
            "last": None if self._last is None else self._last.state(write),
            "is_timed_out": self._is_timed_out,
        }

    def restore(
        self,
        state: Mapping[str, Any],
        read: ReadRows,
        *,
        is_divided: bool = False,
        is_changed: bool = False,
    ) -> None:
        """Takes over a state, of the program as one only the output where it is divided now.

        The state of a changed program has other components. One may also say by itself which atoms were
        shown (`shown_before`).

        The database has a state of its own, which it must have taken over before.
        """
        self.begin()
        output = self.output
        fixed = None if state["output"] is None else sets_of(read_atoms(state["output"], read))
        if is_divided:
            whole = LastStage(self._database, Meter(), 0)
            whole.restore(state["last"], read)
            output.fix(sets_of(whole.shown.items()) if fixed is None else fixed)
        else:
            output.fix(fixed or {})
            self._input = sets_of(read_atoms(state["input"], read))
            if is_changed:
                self._restore_changed(state["stages"], read)
            else:
                for stage, kept in zip(self._stages, state["stages"], strict=True):
                    stage.restore(kept, read)
            if "shown" in state:
                self._restore_shown(sets_of(read_atoms(state["shown"], read)))
            if self._last is not None:
                self._last.restore(state["last"], read)
            if fixed is None:
                output.follow(self._held)
            self._is_timed_out = state["is_timed_out"]
        self.renew()
        self._database.prime()

    def _restore_changed(self, stages: Sequence[Mapping[str, Any]], read: ReadRows) -> None:
        """Takes over what the components of a changed program handed out, predicate by predicate."""
        handed_out: dict[str, dict[Signature, set[Row]]] = {role: {} for role in ROLES}
        for kept in stages:
            for role in ROLES:
                handed_out[role] |= sets_of(read_atoms(kept["handed_out"][role], read))
        for stage in self._stages:
            stage.restore_own(handed_out)
        self._restore_gone(handed_out)

    def _restore_shown(self, shown: dict[Signature, set[Row]]) -> None:
        """Takes over what was shown by the components of a changed program."""
        handed_out = {"shown": shown}
        for stage in self._stages:
            stage.forget_shown()
            stage.restore_own(handed_out)
        self._restore_gone(handed_out)

    def _restore_gone(self, handed_out: Mapping[str, dict[Signature, set[Row]]]) -> None:
        """Takes what the output has of predicates that are gone."""
        if handed_out["shown"]:
            if not self._stages:
                raise SnapshotError("without rules, the changed program cannot continue from the state")
            self._stages[0].restore_gone(handed_out)

    def renew(self) -> None:
        """Makes the evaluators anew before the next tick."""
        self._is_stale, self._adopted = True, None
        for stage in self._stages:
            stage.keep()

    @property
    def last_evaluation(self) -> Evaluation | None:
        """The answer streams of the last component, if it may have several; None if there is none."""
        return None if self._last is None else self._last.evaluation

    @property
    def solver(self) -> Evaluator | None:
        """The evaluator of that component; None if another one is to be made."""
        if self._last is None or self._is_stale:
            return self._adopted
        return self._last.evaluator

    def adopt(self, evaluator: Evaluator, evaluations: Mapping[int, Evaluation]) -> None:
        """The last component goes on with an evaluator that had the same answers to lookups up to now.

        It may have evaluated ticks to come.
        """
        assert self._last is not None
        self._adopted, self._last.known = evaluator, evaluations

    def _start(self, *, is_late: bool) -> None:
        """Makes the evaluators; `is_late` says whether the stream has gone on before."""
        self._is_started = True
        self._is_first = True
        """Whether evaluators are to look at everything."""
        self._at_each_tick: list[int] = []
        """The numbers of components that are evaluated whenever a tick is."""
        self._relevances: list[Relevance] = []
        self._growths: list[Growth] = []
        for inbox in self._inboxes:
            self._database.release(inbox)
        plan = self._plan
        self._names = [assignment.evaluator for assignment in self._assignments]
        stages = iter(self._stages)
        may_fail = bool(self._plan.assumed) or any(
            one.evaluator is not EvaluatorName.DELTA
            or one.component.delta_rules.functions
            or any(one.component.delta_rules.enumerating(plan.largest_interval))
            or self._limit is not None
            for one in self._assignments
        )
        for level, assignment in enumerate(self._assignments):
            if assignment.evaluator is not EvaluatorName.DELTA:
                self._relevances.append(Relevance(assignment.component.program, plan.lasting))
                if assignment.component.program.depends_on_now:
                    self._at_each_tick.append(level)
            if not assignment.component.is_certain:
                assert self._last is not None
                request, meter = self._task.request, self._last.meter
                adopted, self._adopted = self._adopted, None
                solver = self._solver(
                    assignment, request, meter, self._last.inbox, is_late=is_late, adopted=adopted
                )
                self._last.start(solver)
                continue
            stage = next(stages)
            if assignment.evaluator is EvaluatorName.DELTA:
                with stage.meter.whole:
                    task = replace(self._task, is_late=is_late, meter=stage.meter, inbox=stage.inbox)
                    evaluator = _delta_kind(stage.meter)(assignment.component, task)
                    if evaluator.growth.is_possible:
                        self._growths.append(evaluator.growth)
                    stage.start(evaluator, keeps=may_fail)
            else:
                request = Request(raw=True)
                stage.meter.follow(None)
                solver = self._solver(assignment, request, stage.meter, stage.inbox, is_late=is_late)
                stage.start(solver, keeps=True)
        self._recording = [stage for stage in self._stages if stage.records]

    def _solver(
        self,
        assignment: Assignment,
        request: Request,
        meter: Meter,
        inbox: Inbox,
        *,
        is_late: bool,
        adopted: Evaluator | None = None,
    ) -> Evaluator:
        component = assignment.component
        is_certain = component.is_certain or all(one.is_certain for one in self._plan.components)
        task = replace(
            self._task,
            program=component.program,
            request=request,
            is_late=is_late,
            last=None if component.is_certain or self._last is None else self._last.evaluation,
            is_ordered=not is_certain,
            meter=meter,
            inbox=inbox,
        )
        if adopted is not None:
            adopted.go_on(task)
            return adopted
        with meter.whole:
            return solver(assignment.evaluator, task, self._plan)

    @property
    def last_task(self) -> Task | None:
        """The task of the component that may have no answer stream, for the tick evaluated last.

        None where there is no such component, and where the tick took too long.
        """
        for assignment in () if self._is_timed_out else self._assignments:
            if not assignment.component.is_certain:
                return replace(self._task, program=assignment.component.program, meter=Meter())
        return None

    # --- a tick ---------------------------------------------------------------------------------------

    def step(self, tick: int) -> Answer:
        """The answer at a tick.

        Raises:
            EvaluationError: if clingo refuses the program; the tick has no answer then, and no atoms.
            TickTimeoutError: if it takes too long.
            UncomputableError: if something cannot be computed.
        """
        limit = self._limit
        if limit is not None:
            limit.begin()
        try:
            self._before = self.output.version
            if self._is_stale:
                self._start(is_late=True)
                self._flush()
            self._is_stale, self._is_timed_out = True, False
            answer = self._step(tick)
            self._is_stale, self._is_recorded = False, answer.satisfiable
            return answer
        except (TickTimeoutError, UncomputableError):
            self._is_timed_out, self._is_recorded = True, False
            raise
        finally:
            if limit is not None:
                limit.end()

    def next_change(self, tick: int) -> int | None:
        """The first tick after one that was evaluated at which the result may be another.

        For the case that no input comes before. None: at no tick.
        """
        if self._is_stale and not self._is_timed_out:
            return tick + 1
        database = self._database
        found = database.next_change(tick)
        if found != tick + 1:
            for growth in self._growths:
                change = growth.next_change(database, tick)
                if change is not None:
                    found = earliest([found, change])
            for relevance in self._relevances:
                change = relevance.next_change(database, tick, is_recorded=self._is_recorded)
                found = earliest([found, change])
        return found

    def recorded(self, signature: Signature) -> set[Row]:
        """The derived atoms of a predicate that were recorded at the last tick."""
        found = {row for stage in self._stages for row in stage.recorded.get(signature, ())}
        return found if self._last is None else found.union(self._last.recorded(signature))

    def nothing(self, tick: int, *, timed_out: bool = False, failure: str = "") -> Answer:
        """The answer at a tick without an answer stream."""
        version = self._fixed({})
        if self._last is not None:
            self._last.forget()
        return Answer(tick, False, version, self._before, timed_out=timed_out, failure=failure)

    def _step(self, tick: int) -> Answer:
        changed, last, evaluation = self._changed, self._last, None
        self._evaluate(tick)
        if last is not None:
            evaluation = last.result
            if not evaluation.models:
                return self.nothing(tick)
            changed += last.follow(evaluation)
            last.record(tick)
        for stage in self._recording:
            stage.record(tick)
        if evaluation is not None and evaluation.consequences is not None:
            found = rows_of_keys(evaluation.consequences)
            version = self._fixed(sets_of((*self._certain().items(), *found.items())))
        elif self._shows_terms:
            version = self._fixed(sets_of(self._held().items()))
        else:
            version = self._flush() if self._changed else self.output.version
            if not self.output.is_followed:
                version = self.output.follow(self._held)
        if evaluation is None:
            return Answer(tick, True, version, self._before)
        if self._task.request.models == 1 and evaluation.consequences is None:
            return Answer(tick, True, version, self._before, cost=evaluation.cost)
        if evaluation is not self._streams_of or version is not self._before:
            self._streams_of, self._streams = evaluation, self._all_streams(evaluation)
        return Answer(tick, True, version, self._before, self._streams, cost=evaluation.cost)

    def _all_streams(self, evaluation: Evaluation) -> Callable[[], Iterable[Rows]]:
        """What gives the output atoms of each answer stream."""
        models, certain = evaluation.models, self._given(self._certain())
        return lambda: [
            sets_of((*certain.items(), *self._given(rows_of_keys(model.shown)).items())) for model in models
        ]

    def _evaluate(self, tick: int) -> None:
        """Evaluates the components for which something changed, lowest first."""
        active, stages, changed = self._database.agenda.active, self._stages, self._changed
        if self._is_first:
            active[:] = range(_INPUT if self._shown_input else 0, len(self._assignments))
        else:
            for level in self._at_each_tick:
                heappush(active, level)
        before, again = _INPUT - 1, []
        while active:
            level = heappop(active)
            if level == before:  # by what it hands on itself, which it sees later
                again.append(level)
                continue
            before = level
            if level == _INPUT:
                self._look_at_input(tick)
            elif level < len(stages):
                stages[level].step(tick, changed)
            else:
                assert self._last is not None
                self._last.step(tick)
        self._is_first = False
        if again:
            active += [level for level in again if level >= 0 and self._inboxes[level].due]

    def _given(self, rows: Rows) -> dict[Signature, set[Row]]:
        """Atoms without those of hidden predicates."""
        return sets_of(one for one in rows.items() if one[0] not in self._hidden)

    def _look_at_input(self, tick: int) -> None:
        """Takes the changes of the atoms of the output that no rule derives."""
        due = self._inbox.taken()
        for watched in due if self.output.is_followed and not self._is_first else self._watched_input:
            lookup = self._watched_input[watched]
            changes, signature = watched.changes(tick), lookup.signature
            assert signature is not None
            if not self.output.is_followed:  # there may have been no answer at the tick before
                self._input[signature] = set(self._database.answer(lookup, tick))
            elif any(changes):
                change(self._input, signature, changes)
                self._changed.append((signature, changes))

    def _flush(self) -> Version:
        """The output with the changes that it does not have yet; for one that is followed."""
        changed, output = self._changed, self.output
        if changed:
            self._changed = []
            if output.is_followed:
                return output.change(changed)
        return output.version

    def _fixed(self, atoms: dict[Signature, set[Row]]) -> Version:
        """The output when it is these atoms."""
        self._flush()
        return self.output.fix(atoms)

    def _certain(self) -> dict[Signature, Collection[Row]]:
        """The output of all but the last component."""
        found: dict[Signature, Collection[Row]] = dict(self._input)
        for stage in self._stages:
            found.update(stage.shown)
        return found

    def _held(self) -> Rows:
        """The output of all components."""
        certain = self._certain()
        if self._last is None:
            return certain
        shown = self._last.shown
        if certain.keys().isdisjoint(shown):
            return certain | dict(shown)
        return sets_of((*certain.items(), *shown.items()))


def pipeline_state(
    plan: Plan,
    derives: Mapping[Signature, Collection[Row]],
    last: Evaluation | None,
    write: WriteRows,
    *,
    has_failed: bool,
) -> dict[str, Any]:
    """The state of a pipeline, made of derived atoms and shown input; the tick may have no answer stream."""
    certain = [component for component in plan.components if component.is_certain]
    shown = [(signature, derives.get(signature, ())) for signature in plan.shown_input]
    return {
        "output": [] if has_failed else None,
        "input": written_atoms(shown, write),
        "stages": [stage_state(component, derives, write) for component in certain],
        "last": None if last is None else last.state(write),
        "is_timed_out": False,
    }


def _delta_kind(meter: Meter) -> Callable[[Component, Task], DeltaEvaluator]:
    """The evaluator `delta`, as it is measured or not."""
    if not meter.is_on:
        return DeltaEvaluator
    from lars2asp.runtime.evaluators.delta.measured_evaluator import measured_delta

    return measured_delta


def _window_costs(plan: Plan, database: IntervalDatabase) -> "WindowCosts":
    """What windows hold for rules; runs that are not measured start sooner without."""
    from lars2asp.runtime.evaluators.costs.window_costs import WindowCosts

    return WindowCosts(plan, database.lookups, database.kept)


def solver(name: EvaluatorName, task: Task, plan: Plan) -> Evaluator:
    """An evaluator of clingo's, which says where numbers meet other values if arguments may have any."""
    from lars2asp.planning.asp.open_comparisons import open_comparisons

    def is_open(signature: Signature, place: int) -> bool:
        types = plan.types.get(signature)
        return types is None or types[place].type == ANY

    kind, comparisons = _solver_kind(name), open_comparisons(task.program, is_open)
    if not comparisons:
        return kind(task)
    from lars2asp.runtime.evaluators.comparing import ComparingEvaluator

    return ComparingEvaluator(task, kind, comparisons)


def _solver_kind(name: EvaluatorName) -> Callable[[Task], Evaluator]:
    """The evaluator of a name, one of clingo's; programs without them start sooner."""
    # ruff: noqa: PLC0415
    if name is EvaluatorName.ONESHOT:
        from lars2asp.runtime.evaluators.oneshot import OneShotEvaluator

        return OneShotEvaluator
    if name is EvaluatorName.STAMPED:
        from lars2asp.runtime.evaluators.stamped.stamped import StampedEvaluator

        return StampedEvaluator
    from lars2asp.runtime.evaluators.external import ExternalEvaluator

    return ExternalEvaluator
