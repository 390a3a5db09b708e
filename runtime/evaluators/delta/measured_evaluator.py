"""The evaluator `delta` where statistics are wanted: it says what each rule has done and cost."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lars2asp.externals.views import Changes
from lars2asp.planning.plan import Component
from lars2asp.planning.rows.row_rules import RowRule
from lars2asp.runtime.evaluators.costs.rule_statistics import RuleStatistics, named
from lars2asp.runtime.evaluators.delta.code.measured_code import MeasuredRowCode
from lars2asp.runtime.evaluators.delta.code.row_code import ground_row
from lars2asp.runtime.evaluators.delta.evaluator import DeltaEvaluator, renamed
from lars2asp.runtime.evaluators.protocol import Task
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import NOWHERE, Location


def measured_delta(component: Component, task: Task) -> "MeasuredDeltaEvaluator":
    """An evaluator that counts, which the meter of the task follows."""
    is_of_code = not renamed(component.delta_rules)
    return (MeasuredDeltaEvaluator if is_of_code else _RenamingEvaluator)(component, task)


class MeasuredDeltaEvaluator(DeltaEvaluator):
    """Evaluates a component that has rules for it, and counts; see `measured_delta`."""

    _row_code: MeasuredRowCode

    def __init__(self, component: Component, task: Task) -> None:
        super().__init__(component, task)
        rules = [one for one in component.delta_rules.rules if one.location is not NOWHERE]
        locations = {one.location: one.derives for one in rules if ground_row(one) is None}
        self._rules = dict(zip(locations.items(), named([*locations]), strict=True))
        self._held = task.meter.held
        task.meter.follow(self)

    def _new_code(self, rules: Sequence[RowRule], *arguments: Any, **options: Any) -> MeasuredRowCode:
        return MeasuredRowCode(rules, *arguments, **options)

    def begin_sample(self) -> None:
        """The time of rules is taken from here on."""
        self._row_code.begin_sample()

    def end_sample(self, ticks: int) -> None:
        """It is not any more; what was found stands for so many ticks."""
        self._row_code.end_sample(ticks)

    @property
    def statistics(self) -> tuple[RuleStatistics, ...]:
        """What the rules have done and cost, but for facts."""
        held = self._held
        return tuple(
            replace(self._counted(location, derives, name), held=held(location))
            for (location, derives), name in self._rules.items()
        )

    def _counted(self, location: Location, derives: Signature, name: RuleStatistics) -> RuleStatistics:
        """What the rule at a place has done and cost."""
        return self._row_code.counted(location, name)


class _RenamingEvaluator(MeasuredDeltaEvaluator):
    """The same where some rules only rename atoms."""

    def __init__(self, component: Component, task: Task) -> None:
        self._evaluations = Counter[Signature]()
        """How often such rules were given changes, and how many these were, by what they derive."""
        self._changes = Counter[Signature]()
        super().__init__(component, task)

    def step(self, tick: int) -> Sequence[tuple[Signature, Changes]]:
        """The changes of the atoms that the component derives: for each predicate one entry."""
        found = super().step(tick)
        if found:
            self._count([one for one in found if one[0] not in self._support] if self._support else found)
        return found

    def _add_input(self, told: dict[Signature, Changes], found: dict[Signature, Changes]) -> None:
        self._count([(one, found[one]) for one in {*told, *self._support} if one in found])
        super()._add_input(told, found)

    def _count(self, found: Sequence[tuple[Signature, Changes]]) -> None:
        for signature, (began, ended) in found:
            if signature in self._renamed and (began or ended):
                self._evaluations[signature] += bool(began) + bool(ended)
                self._changes[signature] += len(began) + len(ended)

    def _counted(self, location: Location, derives: Signature, name: RuleStatistics) -> RuleStatistics:
        if derives not in self._renamed:
            return super()._counted(location, derives, name)
        return replace(name, evaluations=self._evaluations[derives], changes=self._changes[derives])
