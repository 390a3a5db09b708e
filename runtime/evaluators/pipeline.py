"""The components of a program at run time, evaluated one after the other, lowest first.

Each component that is certain hands what it derives to those above, as changes; the last one may have several
answer streams, or none, and then the tick has none.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from clingo import SymbolType

from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.symbols import Classifier, as_atom_of, key_of, symbol_of, without_tick
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.asp_program import AspProgram
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Component, Destinations, Plan
from lars2asp.runtime.answer import OutputState, Version
from lars2asp.runtime.errors import TickTimeoutError
from lars2asp.runtime.evaluators.choice import Assignment
from lars2asp.runtime.evaluators.delta.evaluator import DeltaEvaluator
from lars2asp.runtime.evaluators.delta.novelty import Novelty
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.external import ExternalEvaluator
from lars2asp.runtime.evaluators.meter import Meter
from lars2asp.runtime.evaluators.oneshot import OneShotEvaluator
from lars2asp.runtime.evaluators.plan_text import derived
from lars2asp.runtime.evaluators.protocol import Evaluation, Evaluator, Request, Task
from lars2asp.runtime.evaluators.stamped.relevance import Relevance
from lars2asp.runtime.evaluators.stamped.stamped import StampedEvaluator
from lars2asp.runtime.evaluators.statistics import ComponentStatistics
from lars2asp.syntax.nodes import Signature

_SOLVERS: Mapping[EvaluatorName, type[OneShotEvaluator | ExternalEvaluator | StampedEvaluator]] = {
    EvaluatorName.ONESHOT: OneShotEvaluator,
    EvaluatorName.STAMPED: StampedEvaluator,
    EvaluatorName.EXTERNAL: ExternalEvaluator,
}

_NAMES: Mapping[type[object], EvaluatorName] = {
    DeltaEvaluator: EvaluatorName.DELTA,
    **{made: name for name, made in _SOLVERS.items()},
}


@dataclass(frozen=True)
class TickResult:
    """The result of a tick.

    Attributes:
        satisfiable: whether there is an answer stream.
        version: the output.
        models: gives the keys of the output atoms of each answer stream, where more than the one followed
            was requested.
    """

    satisfiable: bool
    version: Version
    models: Callable[[], Iterable[Iterable[int]]] | None = None


class Pipeline:
    """Evaluates a plan.

    Args:
        plan: the program.
        assignments: what evaluates its components, or the whole program as one.
        task: the whole program, the database, and the rest that evaluators need.
        is_measured: whether the time that components take is measured.
    """

    def __init__(
        self,
        plan: Plan,
        assignments: Sequence[Assignment],
        task: Task,
        *,
        is_measured: bool = False,
    ) -> None:
        self.output = OutputState()
        self._limit = task.limit
        self._task = task
        self._plan = plan
        self._database = database = task.database
        self._assignments = tuple(assignments)
        components = [assignment.component for assignment in assignments]
        self._meters = [Meter(is_on=is_measured) for _ in components]
        self._stages = [
            _Stage(component, database, meter)
            for component, meter in zip(components, self._meters, strict=True)
            if component.is_certain
        ]
        self._last: Evaluator | None = None
        self._components_before: tuple[ComponentStatistics, ...] = ()
        """The components of the pipeline that was taken over."""
        self._last_program: AspProgram = (components[-1] if components else plan.whole).program
        self._last_step: Evaluation | None = None
        is_whole = components == [plan.whole]
        self._shown_input = [] if is_whole else [Lookup(LookupKind.NOW, s) for s in sorted(plan.shown_input)]
        database.watch(self._shown_input)
        self._chosen: set[int] = set()
        self._is_followed = True
        """Whether the output is that of the answer stream followed, and not empty or consequences."""
        self._is_stale = False
        """Whether evaluators are to be made before the next tick."""
        self._is_timed_out = False
        """Whether the last tick took too long: it is not tried again while nothing changes."""
        lasting = {kept for derived, kept in plan.whole.program.recorded.items() if derived == kept}
        self._relevances = [Relevance(component.program, lasting) for component in components]
        self._is_recorded = False
        """Whether the derived atoms of the tick evaluated last were recorded."""
        self._start(is_late=False)

    @property
    def evaluators(self) -> list[object]:
        """The evaluators, in the order of the components."""
        own: list[object] = [stage.evaluator for stage in self._stages]
        return own if self._last is None else [*own, self._last]

    @property
    def components(self) -> tuple[ComponentStatistics, ...]:
        """The components, their evaluators and their costs so far."""
        own = zip(self._assignments, self.evaluators, self._meters, strict=True)
        return (
            *self._components_before,
            *(
                ComponentStatistics(
                    derived(self._plan, assignment.component), _NAMES[type(evaluator)], meter.cost
                )
                for assignment, evaluator, meter in own
            ),
        )

    def use(self, assignments: Sequence[Assignment]) -> None:
        """Evaluates the same components otherwise, from the next tick on. Raises ValueError for others."""
        if [one.component for one in assignments] != [one.component for one in self._assignments]:
            raise ValueError("oneshot takes the whole program at once: it cannot take turns with others")
        self._assignments = tuple(assignments)
        self._is_stale = True

    def take_over(self, other: "Pipeline") -> None:
        """Goes on, from the next tick on, with the output of a pipeline that is not used any more."""
        self.output = other.output
        self._components_before = other.components
        self._is_followed = False
        self._is_stale = True

    def state(self, number: Callable[[int], int]) -> dict[str, Any]:
        """All that later ticks depend on when a tick is over, as JSON has it; atoms as their numbers."""
        step = self._last_step
        return {
            "output": [*map(number, self.output.now)],
            "is_followed": self._is_followed,
            "stages": [stage.state(number) for stage in self._stages],
            "chosen": [*map(number, self._chosen)],
            "step": step and step.state(number),
            "is_timed_out": self._is_timed_out,
        }

    def restore(
        self, state: Mapping[str, Any], key: Callable[[int], int], *, is_divided: bool = False
    ) -> None:
        """Takes over a state, of the program as one only the output where it is divided now.

        The database has a state of its own.
        """
        self.output.replace(map(key, state["output"]))
        self._is_followed = state["is_followed"] and not is_divided
        if not is_divided:
            for stage, kept in zip(self._stages, state["stages"], strict=True):
                stage.restore(kept, key)
            self._chosen = set(map(key, state["chosen"]))
            self._last_step = state["step"] and Evaluation.restored(state["step"], key)
            self._is_timed_out = state["is_timed_out"]
        self.renew()
        self._database.prime()

    def renew(self) -> None:
        """Makes the evaluators anew before the next tick."""
        self._is_stale = True

    def _start(self, *, is_late: bool) -> None:
        """Makes the evaluators; `is_late` says whether the stream has gone on before."""
        stages = iter(self._stages)
        self._novelties: dict[_Stage, tuple[Assignment, Novelty]] = {}
        for assignment, meter in zip(self._assignments, self._meters, strict=True):
            if assignment.component.is_certain:
                stage = next(stages)
                self._start_stage(stage, assignment, is_late=is_late)
                if assignment.when_fast is not None:
                    lookups, tuning = assignment.component.delta_rules.lookups_by_clingo, self._task.tuning
                    novelty = Novelty(lookups, self._database, tuning, is_late=is_late)
                    self._novelties[stage] = (assignment, novelty)
            else:
                self._last = self._solver(assignment, self._task.request, meter, is_late=is_late)
                self._evaluate_last = meter.measured(self._last.step)

    def _correct(self, stage: "_Stage", tick: int) -> None:
        """Changes a component's evaluator from this tick on if the novelty of its lookups has changed.

        To be called when the components below are evaluated.
        """
        if stage not in self._novelties:
            return
        assignment, novelty = self._novelties[stage]
        was_high = novelty.is_high
        novelty.step(tick)
        if novelty.is_high is not was_high:
            if novelty.is_high and assignment.when_fast is not None:
                assignment = replace(assignment, evaluator=assignment.when_fast)
            self._start_stage(stage, assignment, is_late=True)

    def _start_stage(self, stage: "_Stage", assignment: Assignment, *, is_late: bool) -> None:
        if assignment.evaluator is not EvaluatorName.DELTA:
            stage.start(self._solver(assignment, Request(raw=True), stage.meter, is_late=is_late))
            return
        with stage.meter.whole:
            task = replace(self._task, is_late=is_late, meter=stage.meter)
            stage.start(DeltaEvaluator(assignment.component, task))

    def _solver(self, assignment: Assignment, request: Request, meter: Meter, *, is_late: bool) -> Evaluator:
        component = assignment.component
        is_certain = component.is_certain or all(one.is_certain for one in self._plan.components)
        task = replace(
            self._task,
            program=component.program,
            request=request,
            is_late=is_late,
            last=None if component.is_certain else self._last_step,
            is_ordered=not is_certain,
            meter=meter,
        )
        with meter.whole:
            return _SOLVERS[assignment.evaluator](task)

    # --- a tick ---------------------------------------------------------------------------------------

    def step(self, tick: int) -> TickResult:
        """Evaluates a tick.

        Raises:
            EvaluationError: if clingo refuses the program; the tick has no answer then, and no atoms.
            TickTimeoutError: if it takes too long.
        """
        if self._limit is not None:
            self._limit.begin()
        try:
            if self._is_stale:
                self._start(is_late=True)
            self._is_stale, self._is_timed_out = True, False
            result = self._step(tick)
        except TickTimeoutError:
            self._is_stale = self._is_timed_out = True
            self._is_recorded = False
            raise
        finally:
            if self._limit is not None:
                self._limit.end()
        self._is_stale = False
        self._is_recorded = result.satisfiable
        return result

    def next_change(self, tick: int) -> int | None:
        """The first tick after one that was evaluated at which the result may be another.

        For the case that no input comes before. None: at no tick.
        """
        if self._is_stale and not self._is_timed_out:
            return tick + 1
        found = [
            relevance.next_change(self._database, tick, is_recorded=self._is_recorded)
            for relevance in self._relevances
        ]
        found.append(self._database.next_change(tick))
        return min((change for change in found if change is not None), default=None)

    def nothing(self) -> Version:
        """The output of a tick without an answer stream."""
        self._is_followed = False
        self._last_step, self._chosen = None, set()
        return self.output.replace(())

    def _step(self, tick: int) -> TickResult:
        added: list[int] = []
        removed: list[int] = []
        for lookup in self._shown_input:
            changes = self._database.changes(lookup, tick)
            added += changes.began
            removed += changes.ended
        for stage in self._stages:
            self._correct(stage, tick)
            stage.step(tick, added, removed)
        step = None
        if self._last is not None:
            step = self._evaluate_last(tick)
            if not step.models:
                return TickResult(False, self.nothing())
            self._choose(step, added, removed)
        self._record(tick, step)
        if step is not None and step.consequences is not None:
            self._is_followed = False
            version = self.output.replace([*self._certain(tick), *map(key_of, step.consequences)])
        elif self._is_followed and not self._last_program.shows_terms:
            version = self.output.change(Changes(added, removed))
        else:  # terms that are shown may be atoms of other components as well
            self._is_followed = True
            version = self.output.replace([*self._certain(tick), *self._chosen])
        if step is None or (self._task.request.models == 1 and step.consequences is None):
            return TickResult(True, version)
        models, certain = step.models, list(self._certain(tick))
        return TickResult(True, version, lambda: [{*certain, *map(key_of, model.shown)} for model in models])

    def _choose(self, step: Evaluation, added: list[int], removed: list[int]) -> None:
        """Follows an answer stream of the last component."""
        if step is self._last_step:
            return
        self._last_step = step
        before = self._chosen
        self._chosen = here = set(map(key_of, step.models[0].shown))
        added += here - before
        removed += before - here

    def _record(self, tick: int, step: Evaluation | None) -> None:
        """Puts the derived atoms into the stream, as the tick has an answer stream."""
        for stage in self._stages:
            stage.record(tick)
        if step is not None:
            self._database.record(tick, list(map(key_of, step.models[0].recorded)))
            for placed_at, atom in step.models[0].placed:
                self._database.place(tick, placed_at, atom)

    def _certain(self, tick: int) -> Iterator[int]:
        """The output of all but the last component."""
        for lookup in self._shown_input:
            yield from self._database.answer(lookup, tick)
        for stage in self._stages:
            yield from stage.shown


class _ModelChanges:
    """Computes the changes of the one answer stream that an evaluator finds."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._last: Evaluation | None = None
        self._atoms: set[int] = set()

    def step(self, tick: int) -> Changes:
        """The changes by a tick."""
        step = self.evaluator.step(tick)
        if step is self._last:
            return NO_CHANGES
        self._last, before = step, self._atoms
        self._atoms = here = set(map(key_of, step.models[0].shown))
        return Changes(list(here - before), list(before - here))


class _Stage:
    """A component that is certain, and the keys of the atoms that it has handed out.

    Attributes:
        evaluator: its evaluator.
        meter: measures its cost.
        step: evaluates a tick and hands the changes on; those of the output go into two lists, of the keys
            of atoms that began and of those that ended.
    """

    def __init__(self, component: Component, database: IntervalDatabase, meter: Meter) -> None:
        self.meter = meter
        self.step = meter.measured(self._step)
        self._component = component
        self._database = database
        self._handed_out = _AtomsByRole()
        self._unplaced: set[int] = set()

    @property
    def shown(self) -> set[int]:
        """Its part of the output."""
        return self._handed_out.shown

    def state(self, number: Callable[[int], int]) -> dict[str, Any]:
        """The atoms handed out, as JSON has it; atoms as their numbers."""
        handed_out = {
            name: [*map(number, getattr(self._handed_out, name))] for name in _AtomsByRole.__slots__
        }
        return {"handed_out": handed_out, "unplaced": [*map(number, self._unplaced)]}

    def restore(self, state: Mapping[str, Any], key: Callable[[int], int]) -> None:
        """Takes over a state."""
        for name, numbers in state["handed_out"].items():
            setattr(self._handed_out, name, set(map(key, numbers)))
        self._unplaced = set(map(key, state["unplaced"]))

    def start(self, evaluator: Evaluator | DeltaEvaluator) -> None:
        """Takes an evaluator for the ticks to come."""
        self.evaluator = evaluator
        self._is_new = True
        component = self._component
        if isinstance(evaluator, DeltaEvaluator):
            self._changes, roles = evaluator.step, component.delta_destinations
        else:
            self._changes, roles = _ModelChanges(evaluator).step, component.destinations
        self._sort = _AtomSorter(roles)

    def _step(self, tick: int, added: list[int], removed: list[int]) -> None:
        changes = self._changes(tick)
        before = self._handed_out
        if self._is_new:  # these are no changes, but all atoms
            self._is_new = False
            here = self._sort(changes.began)
            began, ended = here.without(before), before.without(here)
        elif changes is NO_CHANGES:
            return
        elif self._sort.common is not None:
            self._hand_out_alike(tick, changes, self._sort.common, added, removed)
            return
        else:
            began, ended = self._sort(changes.began), self._sort(changes.ended)
        before.change(began, ended)
        added += began.shown
        removed += ended.shown
        if began.published or ended.published:
            self._database.publish(tick, list(began.published), list(ended.published))
        self._unplaced -= ended.placed
        self._unplaced |= began.placed

    def _hand_out_alike(
        self, tick: int, changes: Changes, common: "_CommonRole", added: list[int], removed: list[int]
    ) -> None:
        """Hands changes on where all atoms have the same role; they stay in their order."""
        for name, is_so in zip(_CommonRole._fields, common, strict=True):
            if is_so:
                atoms: set[int] = getattr(self._handed_out, name)
                atoms.difference_update(changes.ended)
                atoms.update(changes.began)
        if common.shown:
            added += changes.began
            removed += changes.ended
        if common.published:
            self._database.publish(tick, changes.began, changes.ended)

    def record(self, tick: int) -> None:
        """Puts the derived atoms into the stream, but for those that have entered it at once."""
        if self._handed_out.recorded:
            self._database.record(tick, list(self._handed_out.recorded))
        for key in self._unplaced:
            symbol = symbol_of(key)
            placed_at, placed = symbol.arguments[-1], self._sort.role_of(key).placed
            if placed_at.type is SymbolType.Number and placed is not None:
                self._database.place(tick, placed_at.number, without_tick(placed, symbol))
        self._unplaced.clear()


class _AtomsByRole:
    """Atoms by their roles; those that are placed as clingo has them, others under their role's predicate."""

    __slots__ = ("placed", "published", "recorded", "shown")

    def __init__(self) -> None:
        self.shown: set[int] = set()
        self.published: set[int] = set()
        self.recorded: set[int] = set()
        self.placed: set[int] = set()

    def without(self, others: "_AtomsByRole") -> "_AtomsByRole":
        """Those that are not among others."""
        found = _AtomsByRole()
        for name in self.__slots__:
            setattr(found, name, getattr(self, name) - getattr(others, name))
        return found

    def change(self, began: "_AtomsByRole", ended: "_AtomsByRole") -> None:
        """Takes out the atoms that ended and puts in those that began."""
        for name in self.__slots__:
            atoms: set[int] = getattr(self, name)
            atoms -= getattr(ended, name)
            atoms |= getattr(began, name)


class _CommonRole(NamedTuple):
    """The role that all atoms of a component have, under their own predicates."""

    shown: bool
    published: bool
    recorded: bool


class _AtomSorter:
    """Sorts the atoms of a component by their roles.

    Attributes:
        common: the role of all atoms, if it is the same, and none is renamed or placed.
    """

    def __init__(self, roles: Mapping[Signature, Destinations]) -> None:
        self._classify = Classifier(lambda signature: (signature, roles[signature]))
        kinds = {
            _CommonRole(bool(role.shown), bool(role.published), bool(role.recorded))
            if role.placed is None and {role.shown, role.published, role.recorded} <= {signature, None}
            else None
            for signature, role in roles.items()
        }
        self.common = kinds.pop() if len(kinds) == 1 else None

    def role_of(self, key: int) -> Destinations:
        """The role of an atom."""
        [(_, role)] = self._classify([key])
        return role

    def __call__(self, keys: Sequence[int]) -> _AtomsByRole:
        """The atoms, sorted."""
        found = _AtomsByRole()
        if self.common is not None:
            for kept, is_so in zip(_CommonRole._fields, self.common, strict=True):
                setattr(found, kept, set(keys) if is_so else set())
            return found
        for key, (signature, role) in zip(keys, self._classify(keys), strict=True):
            for name, becomes in (
                (role.shown, found.shown),
                (role.published, found.published),
                (role.recorded, found.recorded),
            ):
                if name is not None:
                    becomes.add(key if name == signature else key_of(as_atom_of(name, symbol_of(key))))
            if role.placed is not None:
                found.placed.add(key)
        return found
