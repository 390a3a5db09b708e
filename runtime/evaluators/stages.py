"""Components at run time: what they derive goes to the output and into the stream."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from lars2asp.externals.database import Inbox, IntervalDatabase
from lars2asp.externals.terms.table import ReadRows, WriteRows, read_atoms, written_atoms
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import Changes, RowChanges, Rows
from lars2asp.planning.plan import Component
from lars2asp.runtime.evaluators.costs.meter import Meter
from lars2asp.runtime.evaluators.delta.evaluator import DeltaEvaluator
from lars2asp.runtime.evaluators.protocol import Evaluation, Evaluator, keys_of_rows, rows_of_keys
from lars2asp.runtime.output import differences, sets_of
from lars2asp.syntax.nodes import Signature

ROLES = ("shown", "published", "recorded", "placed")
"""What the atoms of a component are for; see Destinations."""


class KeyChanges:
    """The changes of atoms that clingo's evaluators give by their keys.

    Attributes:
        keys: the last ones.
    """

    def __init__(self) -> None:
        self.keys: set[int] = set()

    def follow(self, atoms: Rows) -> None:
        """Goes on from these atoms."""
        self.keys = {*keys_of_rows(atoms.items())}

    def to(self, keys: Iterable[int]) -> RowChanges:
        """The changes to these atoms, by rows."""
        before = self.keys
        self.keys = here = set(keys)
        began, ended = rows_of_keys(here - before), rows_of_keys(before - here)
        return [
            (signature, Changes(began.get(signature, ()), ended.get(signature, ())))
            for signature in dict.fromkeys((*began, *ended))
        ]


class _ModelChanges:
    """The changes of the one answer stream that an evaluator finds, who looks at all lookups."""

    def __init__(self, evaluator: Evaluator, inbox: Inbox) -> None:
        self._evaluator = evaluator
        self._inbox = inbox
        self._last: Evaluation | None = None
        self._changes = KeyChanges()

    def step(self, tick: int) -> RowChanges:
        """The changes by a tick."""
        step = self._evaluator.step(tick)
        self._inbox.taken()
        if step is self._last:
            return ()
        self._last = step
        return self._changes.to(step.models[0].shown)


class Stage:
    """A component that is certain, and the atoms that it has handed out.

    Attributes:
        evaluator: its evaluator.
        meter: measures its cost.
        inbox: where the lookups lie that it is to look at.
        step: evaluates a tick and hands the changes on; those of the output are added to a list.
        records: whether it puts atoms into the stream when a tick is over.
    """

    evaluator: Evaluator | DeltaEvaluator
    records: bool

    def __init__(self, component: Component, database: IntervalDatabase, meter: Meter, level: int) -> None:
        self.meter = meter
        self.inbox = database.agenda.inbox(level)
        self.step = meter.sampled(self._step)
        self._component = component
        self._database = database
        self._handed_out: dict[str, dict[Signature, set[Row]]] | None = {role: {} for role in ROLES}
        """The atoms by their roles; None as long as they are those that the evaluator holds."""
        self._unplaced: dict[Signature, set[Row]] = {}
        self._unrecorded: list[tuple[Signature, Changes]] = []
        """The changes of what is to be recorded at the tick; followed where that lasts."""
        self._lasts = False
        """Whether what is recorded holds on in the stream until it is said to end."""

    @property
    def shown(self) -> Rows:
        """Its part of the output."""
        return self._in_role("shown")

    @property
    def derives(self) -> dict[Signature, Collection[Row]]:
        """What its rules derive, as far as it is handed out; see `stage_state`."""
        found: dict[Signature, Collection[Row]] = {}
        for signature, destinations in self._component.delta_destinations.items():
            for role in ROLES:
                target = getattr(destinations, role)
                if target is not None:
                    found[signature] = self._in_role(role).get(target, ())
        return found

    @property
    def recorded(self) -> Rows:
        """What is in the stream by it, for later ticks."""
        return self._in_role("recorded")

    def state(self, write: WriteRows) -> dict[str, Any]:
        """The atoms handed out, as a state has them."""
        handed_out = {role: written_atoms(self._in_role(role).items(), write) for role in ROLES}
        return {"handed_out": handed_out, "unplaced": written_atoms(self._unplaced.items(), write)}

    def restore(self, state: Mapping[str, Any], read: ReadRows) -> None:
        """Takes over a state."""
        handed_out = state["handed_out"]
        self._handed_out = {role: sets_of(read_atoms(handed_out[role], read)) for role in ROLES}
        self._unplaced = sets_of(read_atoms(state["unplaced"], read))

    def restore_own(self, handed_out: Mapping[str, dict[Signature, set[Row]]]) -> None:
        """Takes what it handed out, by roles, out of what the components of a changed program did."""
        for destinations in (
            *self._component.destinations.values(),
            *self._component.delta_destinations.values(),
        ):
            for role, rows in handed_out.items():
                target = getattr(destinations, role)
                if target in rows:
                    assert self._handed_out is not None
                    self._handed_out[role][target] = rows.pop(target)

    def forget_shown(self) -> None:
        """Forgets what it gave to the output."""
        assert self._handed_out is not None
        self._handed_out["shown"] = {}

    def restore_gone(self, handed_out: Mapping[str, dict[Signature, set[Row]]]) -> None:
        """Takes what the output has of predicates that are gone; it ends with the next tick."""
        assert self._handed_out is not None
        self._handed_out["shown"] |= handed_out["shown"]

    def keep(self) -> None:
        """Keeps the atoms handed out by itself; the evaluator may be gone after the last tick."""
        if self._lasts:
            self._database.let_pass(self._in_role("recorded"))
            self._lasts = False
        if self._handed_out is None:
            self._handed_out = {role: sets_of(self._in_role(role).items()) for role in ROLES}

    def start(self, evaluator: Evaluator | DeltaEvaluator, *, keeps: bool) -> None:
        """Takes an evaluator for the ticks to come.

        Args:
            evaluator: the evaluator.
            keeps: whether the stage keeps the atoms that it has handed out by itself. Else all components
                are evaluated by `delta`, and no tick can fail, so that evaluators hold them.
        """
        if self._handed_out is None:
            raise RuntimeError("the reasoner was interrupted within a tick: it cannot go on")
        self._keeps = keeps
        self.evaluator = evaluator
        self._is_new = True
        component = self._component
        if isinstance(evaluator, DeltaEvaluator):
            destinations = component.delta_destinations
            self._changes: Callable[[int], RowChanges] = evaluator.step
        else:
            destinations = component.destinations
            self._changes = _ModelChanges(evaluator, self.inbox).step
        self._targets = {
            signature: [
                (role, target) for role in ROLES if (target := getattr(destination, role)) is not None
            ]
            for signature, destination in destinations.items()
        }
        self.records = any(one.recorded or one.placed for one in destinations.values())

    def record(self, tick: int) -> None:
        """Puts the derived atoms into the stream, but for those that have entered it at once."""
        if self._lasts:
            for signature, changes in self._unrecorded:
                self._database.record_changes(tick, signature, changes)
            self._unrecorded.clear()
        else:
            recorded = self._in_role("recorded")
            for signature, rows in recorded.items():
                self._database.record(tick, signature, rows)
            self._lasts = not self._keeps and self._database.let_last(recorded)
        for signature, rows in self._unplaced.items():
            for row in rows:
                if type(row[-1]) is int:
                    self._database.place(tick, row[-1], signature, row[:-1])
        self._unplaced.clear()

    def _step(self, tick: int, shown: list[tuple[Signature, Changes]]) -> None:
        changes = self._changes(tick)
        if self._is_new:
            self._hand_out_anew(tick, changes, shown)
            return
        for signature, one in changes:
            for role, target in self._targets[signature]:
                self._hand_out(tick, role, target, one, shown)

    def _hand_out_anew(self, tick: int, changes: RowChanges, shown: list[tuple[Signature, Changes]]) -> None:
        """Hands on what is not as before, as a new evaluator gives all atoms, and not changes."""
        before = self._handed_out
        assert before is not None
        here: dict[str, dict[Signature, Collection[Row]]] = {role: {} for role in ROLES}
        for signature, (began, _) in changes:
            for role, target in self._targets[signature]:
                here[role][target] = began
        for role in ROLES:
            for target, one in differences(before[role], here[role]):
                self._hand_out(tick, role, target, one, shown)
        self._is_new = False
        if not self._keeps:
            self._handed_out = None

    def _hand_out(
        self,
        tick: int,
        role: str,
        target: Signature,
        changes: Changes,
        shown: list[tuple[Signature, Changes]],
    ) -> None:
        if self._handed_out is not None:
            change(self._handed_out[role], target, changes)
        if role == "shown":
            shown.append((target, changes))
        elif role == "published":
            self._database.publish(tick, target, changes.began, changes.ended)
        elif role == "recorded" and self._lasts:
            self._unrecorded.append((target, changes))
        elif role == "placed":
            change(self._unplaced, target, changes)

    def _in_role(self, role: str) -> Mapping[Signature, Collection[Row]]:
        """The atoms handed out in a role."""
        if self._handed_out is not None:
            return self._handed_out[role]
        assert isinstance(self.evaluator, DeltaEvaluator)
        return {
            target: self.evaluator.held(signature)
            for signature, targets in self._targets.items()
            for known, target in targets
            if known == role
        }


def stage_state(
    component: Component, derives: Mapping[Signature, Collection[Row]], write: WriteRows
) -> dict[str, Any]:
    """The state of a stage of a component of `delta`, made of its derived atoms."""
    handed_out = {
        role: written_atoms(
            [
                (target, derives.get(signature, ()))
                for signature, destinations in component.delta_destinations.items()
                if (target := getattr(destinations, role)) is not None
            ],
            write,
        )
        for role in ROLES
    }
    return {"handed_out": handed_out, "unplaced": []}


class LastStage:
    """The last component, if it is not certain, and the answer stream of it that is followed.

    Attributes:
        evaluator: its evaluator.
        meter: measures its cost.
        inbox: where the lookups lie that it is to look at.
        result: the answer streams that were found last.
        evaluation: the same, of the last tick; None where there was no answer stream.
        known: the answer streams that its evaluator has found already, by ticks.
    """

    result: Evaluation

    def __init__(self, database: IntervalDatabase, meter: Meter, level: int) -> None:
        self.meter = meter
        self.inbox = database.agenda.inbox(level)
        self.forget()
        self._database = database
        self.known: Mapping[int, Evaluation] = {}

    @property
    def shown(self) -> Rows:
        """Its part of the output."""
        return rows_of_keys(self._changes.keys)

    def recorded(self, signature: Signature) -> Iterator[Row]:
        """What is in the stream by it, for later ticks."""
        models = () if self.evaluation is None else self.evaluation.models[:1]
        return (row for model in models for one, rows in model.recorded if one == signature for row in rows)

    def state(self, write: WriteRows) -> dict[str, Any] | None:
        """The last evaluation, as a state has it."""
        return None if self.evaluation is None else self.evaluation.state(write)

    def restore(self, state: Mapping[str, Any] | None, read: ReadRows) -> None:
        """Takes over a state."""
        if state is not None:
            self.follow(Evaluation.restored(state, read))

    def start(self, evaluator: Evaluator) -> None:
        """Takes an evaluator for the ticks to come."""
        self.evaluator = evaluator
        self.step = self.meter.measured(self._step)

    def _step(self, tick: int) -> None:
        """Finds the answer streams at a tick."""
        self.inbox.taken()
        known = self.known.get(tick)
        self.result = self.evaluator.step(tick) if known is None else known

    def forget(self) -> None:
        """There is no answer stream."""
        self.evaluation: Evaluation | None = None
        self._changes = KeyChanges()

    def follow(self, evaluation: Evaluation) -> RowChanges:
        """The changes of the output by an evaluation that has an answer stream."""
        if evaluation is self.evaluation:
            return ()
        self.evaluation, model = evaluation, evaluation.models[0]
        return self._changes.to(model.shown)

    def record(self, tick: int) -> None:
        """Puts the derived atoms into the stream."""
        assert self.evaluation is not None
        model = self.evaluation.models[0]
        for signature, rows in model.recorded:
            self._database.record(tick, signature, rows)
        for signature, rows in model.placed:
            for row in rows:
                assert type(row[-1]) is int
                self._database.place(tick, row[-1], signature, row[:-1])


def change(rows: dict[Signature, set[Row]], signature: Signature, changes: Changes) -> None:
    """Takes out the atoms that ended and puts in those that began."""
    found = rows.setdefault(signature, set())
    found.difference_update(changes.ended)
    found.update(changes.began)
