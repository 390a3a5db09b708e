"""The components of a program at run time, evaluated one after the other, lowest first.

Each component that is certain hands what it derives to those above, as changes; the last one may have several
answer streams, or none, and then the tick has none.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from clingo import Symbol, SymbolType

from externals.database import IntervalDatabase
from externals.symbols import Classifier, as_atom_of, key_of, without_tick
from externals.views import NO_CHANGES, Changes
from lars2asp.lookups import Lookup, LookupKind
from lars2asp.plan import Component, Plan, Role
from lars2asp.syntax import Signature
from runtime.answer import Output, Version
from runtime.evaluators.choice import Assignment, EvaluatorName
from runtime.evaluators.delta import Delta
from runtime.evaluators.external import External
from runtime.evaluators.messages import OnMessage
from runtime.evaluators.oneshot import OneShot
from runtime.evaluators.protocol import Evaluator, Step
from runtime.evaluators.solving import Wanted

Functions = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class Outcome:
    """What comes of a tick.

    Attributes:
        satisfiable: whether there is an answer stream.
        version: the output.
        models: gives the output atoms of each answer stream, where more than the one followed was asked for.
    """

    satisfiable: bool
    version: Version
    models: Callable[[], Iterable[Iterable[Symbol]]] | None = None


class Pipeline:
    """Evaluates a plan.

    Args:
        plan: the program.
        assignments: what evaluates its components, or the whole program as one.
        database: holds the stream; its tick must be committed before `step`.
        wanted: what to find.
        functions: the user's `@`-functions.
        on_message: takes clingo's messages, each once for a place.
    """

    def __init__(
        self,
        plan: Plan,
        assignments: Sequence[Assignment],
        database: IntervalDatabase,
        wanted: Wanted,
        functions: Functions,
        on_message: OnMessage,
    ) -> None:
        self.output = Output()
        self._database = database
        self._wanted = wanted
        self._functions = functions
        self._on_message = on_message
        self._assignments = tuple(assignments)
        components = [assignment.component for assignment in assignments]
        self._stages = [_Stage(component, database) for component in components if component.is_certain]
        self._last: Evaluator | None = None
        self._last_plan: Plan = components[-1].plan if components else plan
        self._last_step: Step | None = None
        is_whole = self._last_plan is plan
        self._shown_input = [] if is_whole else [Lookup(LookupKind.NOW, s) for s in sorted(plan.shown_input)]
        database.watch(self._shown_input)
        self._chosen: dict[int, Symbol] = {}
        self._is_followed = True
        """Whether the output is that of the answer stream followed: no consequences, nor nothing."""
        self._is_stale = False
        """Whether evaluators are to be made before the next tick."""
        self._start(None)

    @property
    def evaluators(self) -> list[object]:
        """The evaluators, in the order of the components."""
        own: list[object] = [stage.evaluator for stage in self._stages]
        return own if self._last is None else [*own, self._last]

    def use(self, assignments: Sequence[Assignment]) -> None:
        """Evaluates the same components otherwise, from the next tick on. Raises ValueError for others."""
        if [one.component for one in assignments] != [one.component for one in self._assignments]:
            raise ValueError("oneshot takes the whole program at once: it cannot take turns with others")
        self._assignments = tuple(assignments)
        self._is_stale = True

    def _start(self, now: int | None) -> None:
        """Makes the evaluators; `now` is the current tick, where the stream has gone on before."""
        stages = iter(self._stages)
        for assignment in self._assignments:
            if assignment.component.is_certain:
                next(stages).start(self._certain_evaluator(assignment, now))
            else:
                self._last = self._solver(assignment, self._wanted, now)
                self._last_step = None

    def _certain_evaluator(self, assignment: Assignment, now: int | None) -> "CertainEvaluator":
        if assignment.evaluator is EvaluatorName.DELTA:
            return Delta(assignment.component, self._database, self._on_message, now)
        return _Solved(self._solver(assignment, Wanted(raw=True), now))

    def _solver(self, assignment: Assignment, wanted: Wanted, now: int | None) -> Evaluator:
        kind = External if assignment.evaluator is EvaluatorName.EXTERNAL else OneShot
        plan = assignment.component.plan
        return kind(plan, self._database, wanted, self._functions, self._on_message, now)

    # --- a tick ---------------------------------------------------------------------------------------

    def step(self, tick: int) -> Outcome:
        """What comes of a tick.

        Raises:
            EvaluationError: if clingo refuses the program; the tick has no answer then, and no atoms.
        """
        if self._is_stale:
            self._start(tick)
        self._is_stale = True
        outcome = self._step(tick)
        self._is_stale = False
        return outcome

    def nothing(self) -> Version:
        """The output of a tick without an answer stream."""
        self._is_followed = False
        return self.output.replace(())

    def _step(self, tick: int) -> Outcome:
        added: list[Symbol] = []
        removed: list[Symbol] = []
        for lookup in self._shown_input:
            changes = self._database.changes(lookup, tick)
            added += changes.began
            removed += changes.ended
        for stage in self._stages:
            stage.step(tick, added, removed)
        step = None
        if self._last is not None:
            step = self._last.step(tick)
            if not step.models:
                self._last_step, self._chosen = None, {}
                return Outcome(False, self.nothing())
            self._choose(step, added, removed)
        self._record(tick, step)
        if step is not None and step.consequences is not None:
            self._is_followed = False
            version = self.output.replace([*self._certain(tick), *step.consequences])
        elif self._is_followed and not self._last_plan.shows_terms:
            version = self.output.change(added, removed)
        else:  # terms that are shown may be atoms of other components as well
            self._is_followed = True
            version = self.output.replace([*self._certain(tick), *self._chosen.values()])
        if step is None or (self._wanted.models == 1 and step.consequences is None):
            return Outcome(True, version)
        models, certain = step.models, list(self._certain(tick))
        return Outcome(True, version, lambda: [{*certain, *model.shown} for model in models])

    def _choose(self, step: Step, added: list[Symbol], removed: list[Symbol]) -> None:
        """Follows an answer stream of the last component."""
        if step is self._last_step:
            return
        self._last_step = step
        shown, before = step.models[0].shown, self._chosen
        self._chosen = here = dict(zip(map(key_of, shown), shown, strict=True))
        added += [atom for key, atom in here.items() if key not in before]
        removed += [atom for key, atom in before.items() if key not in here]

    def _record(self, tick: int, step: Step | None) -> None:
        """Puts what was derived into the stream, now that the tick has an answer stream."""
        for stage in self._stages:
            stage.record(tick)
        if step is not None:
            self._database.record(tick, step.models[0].recorded)
            for placed_at, atom in step.models[0].placed:
                self._database.place(tick, placed_at, atom)

    def _certain(self, tick: int) -> Iterator[Symbol]:
        """What is output of all but the last component."""
        for lookup in self._shown_input:
            yield from self._database.answer(lookup, tick)
        for stage in self._stages:
            yield from stage.shown.values()


class CertainEvaluator(Protocol):
    """Computes what a component that is certain derives; ticks ascend and none is left out."""

    def step(self, tick: int) -> Changes:
        """The atoms that are derived more and less than at the tick before, at first all.

        Raises:
            EvaluationError: if clingo refuses the program.
        """
        ...


class _Solved:
    """Makes changes of the one answer stream that an evaluator finds."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._last: Step | None = None
        self._atoms: dict[int, Symbol] = {}

    def step(self, tick: int) -> Changes:
        """What changed by a tick."""
        step = self.evaluator.step(tick)
        if step is self._last:
            return NO_CHANGES
        self._last = step
        shown, before = step.models[0].shown, self._atoms
        self._atoms = here = dict(zip(map(key_of, shown), shown, strict=True))
        return Changes(
            [atom for key, atom in here.items() if key not in before],
            [atom for key, atom in before.items() if key not in here],
        )


_Atoms = dict[int, Symbol]


class _Stage:
    """A component that is certain, and what it has handed out.

    Attributes:
        shown: its part of the output.
    """

    def __init__(self, component: Component, database: IntervalDatabase) -> None:
        self._component = component
        self._database = database
        self.shown: _Atoms = {}
        self._published: _Atoms = {}
        self._recorded: _Atoms = {}
        self._placed: _Atoms = {}
        self._unplaced: _Atoms = {}

    @property
    def evaluator(self) -> object:
        """What evaluates it."""
        return self._evaluator.evaluator if isinstance(self._evaluator, _Solved) else self._evaluator

    def start(self, evaluator: CertainEvaluator) -> None:
        """From now on this evaluates it."""
        is_text = isinstance(evaluator, _Solved)
        self._evaluator = evaluator
        self._is_new = True
        self._sorting = _Sorting(self._component.roles if is_text else self._component.instance_roles)

    def step(self, tick: int, added: list[Symbol], removed: list[Symbol]) -> None:
        """Evaluates a tick and hands the changes on; what is output goes into the lists."""
        changes = self._evaluator.step(tick)
        if self._is_new:
            self._is_new = False
            began, ended = self._sorting(changes.began), _Sorted()
            for atoms, more, less in (
                (self.shown, began.shown, ended.shown),
                (self._published, began.published, ended.published),
                (self._recorded, began.recorded, ended.recorded),
                (self._placed, began.placed, ended.placed),
            ):
                _as_changes(atoms, more, less)
        elif changes is NO_CHANGES:
            return
        else:
            began, ended = self._sorting(changes.began), self._sorting(changes.ended)
        _apply(self.shown, began.shown, ended.shown)
        added += began.shown
        removed += ended.shown
        if began.published or ended.published:
            _apply(self._published, began.published, ended.published)
            self._database.publish(tick, began.published, ended.published)
        _apply(self._recorded, began.recorded, ended.recorded)
        _apply(self._placed, began.placed, ended.placed)
        for symbol in ended.placed:
            self._unplaced.pop(key_of(symbol), None)
        self._unplaced.update(zip(map(key_of, began.placed), began.placed, strict=True))

    def record(self, tick: int) -> None:
        """Puts what is derived into the stream, but for what has entered it at once."""
        if self._recorded:
            self._database.record(tick, self._recorded.values())
        for symbol in self._unplaced.values():
            placed_at = symbol.arguments[-1]
            placed = self._sorting.role_of(symbol).placed
            if placed_at.type is SymbolType.Number and placed is not None:
                self._database.place(tick, placed_at.number, without_tick(placed, symbol))
        self._unplaced.clear()


def _as_changes(before: _Atoms, now: list[Symbol], ended: list[Symbol]) -> None:
    """Makes of all that there is now what is new in it; what is no more goes into the other list."""
    here = dict(zip(map(key_of, now), now, strict=True))
    now[:] = [atom for key, atom in here.items() if key not in before]
    ended += [atom for key, atom in before.items() if key not in here]


def _apply(atoms: _Atoms, began: list[Symbol], ended: list[Symbol]) -> None:
    for atom in ended:
        del atoms[key_of(atom)]
    atoms.update(zip(map(key_of, began), began, strict=True))


class _Sorted:
    """Atoms by what becomes of them; those that are placed as clingo has them, others as they are named."""

    __slots__ = ("placed", "published", "recorded", "shown")

    def __init__(self) -> None:
        self.shown: list[Symbol] = []
        self.published: list[Symbol] = []
        self.recorded: list[Symbol] = []
        self.placed: list[Symbol] = []


class _Sorting:
    """Sorts the atoms of a component by what becomes of them."""

    def __init__(self, roles: Mapping[Signature, Role]) -> None:
        self._classify = Classifier(lambda signature: (signature, roles[signature]))
        kinds = {
            (bool(role.shown), bool(role.published), bool(role.recorded))
            if role.placed is None and {role.shown, role.published, role.recorded} <= {signature, None}
            else None
            for signature, role in roles.items()
        }
        self._common = kinds.pop() if len(kinds) == 1 else None
        """What becomes of each, as it is named: whether it is shown, published and recorded."""

    def role_of(self, symbol: Symbol) -> Role:
        """What becomes of an atom."""
        [(_, role)] = self._classify([key_of(symbol)])
        return role

    def __call__(self, symbols: Sequence[Symbol]) -> _Sorted:
        """The atoms, sorted."""
        found = _Sorted()
        if self._common is not None:
            for becomes, is_so in zip(
                (found.shown, found.published, found.recorded), self._common, strict=True
            ):
                if is_so:
                    becomes += symbols
            return found
        for symbol, (signature, role) in zip(symbols, self._classify(map(key_of, symbols)), strict=True):
            for name, becomes in (
                (role.shown, found.shown),
                (role.published, found.published),
                (role.recorded, found.recorded),
            ):
                if name is not None:
                    becomes.append(symbol if name == signature else as_atom_of(name, symbol))
            if role.placed is not None:
                found.placed.append(symbol)
        return found
