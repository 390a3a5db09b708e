"""A graph that is measured: what components and rules of it have done, and in what time."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

from lars2asp.externals.operators import Handed, Readers
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import RowChanges
from lars2asp.planning.plan import Component
from lars2asp.runtime.evaluators.costs.meter import Meter
from lars2asp.runtime.evaluators.costs.rule_statistics import RuleStatistics, named
from lars2asp.runtime.evaluators.delta.code.measured_code import MeasuredBatchCode
from lars2asp.runtime.evaluators.delta.code.row_code import ground_row
from lars2asp.runtime.evaluators.delta.evaluator import renamed
from lars2asp.runtime.flow.rules import Rules
from lars2asp.runtime.flow.solved import Solver
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import NOWHERE, Location

_SHARE = 16
"""Single rules are measured in one part in so many of the time that their component takes."""


class MeteredRules(Rules):
    """The rules of a component, which count, and take the time of single rules in some batches.

    Args:
        component: the component.
        meter: measures it.
        arguments: as for Rules, but for the first.
    """

    _kind = MeasuredBatchCode
    _code: MeasuredBatchCode

    def __init__(self, component: Component, meter: Meter, *arguments: Any) -> None:
        rules = component.delta_rules
        with meter.whole:
            super().__init__(rules, *arguments)
        located = {one.location: one.derives for one in rules.rules if ground_row(one) is None}
        located.pop(NOWHERE, None)
        self._rules = dict(zip(located.items(), named([*located]), strict=True))
        self._meter, self._sampled, self._renamed_by = meter, 0.0, renamed(rules)
        self._evaluations, self._made = Counter[Signature](), Counter[Signature]()
        """How often rules that only rename atoms were given changes, and how many, by what they derive."""
        meter.follow(self)

    def advance(self, frontier: int) -> Handed:
        """Goes from tick to tick at which a lookup changes."""
        began = perf_counter()
        meter = self._meter
        meter.steps += len({segment[0] for batch in self.inputs for segment in batch})
        for place, batch in enumerate(self.inputs[: len(self._names)]):
            for signature in self._names[place] if batch else ():
                self._evaluations[signature] += sum(bool(ended) + bool(came) for _, ended, came in batch)
                self._made[signature] += sum(len(ended) + len(came) for _, ended, came in batch)
        is_sampled = self._sampled * _SHARE <= meter.whole.seconds
        if is_sampled:
            self.begin_sample()
        try:
            return super().advance(frontier)
        finally:
            if is_sampled:
                self.end_sample(1)
            seconds = perf_counter() - began
            meter.whole.seconds += seconds
            self._sampled += seconds if is_sampled else 0.0

    def begin_sample(self) -> None:
        """The time of rules is taken from here on."""
        self._code.begin_sample()

    def end_sample(self, ticks: int) -> None:
        """It is not any more; what was found counts so often."""
        self._code.end_sample(ticks)

    def prime(self, held: Mapping[int, Collection[Row]], now: int) -> dict[Signature, Collection[Row]]:
        """Goes on from a tick that is over, which does not count."""
        found = super().prime(held, now)
        self._code.forget_counts()
        return found

    def renaming(self) -> Iterable[tuple[int, Readers]]:
        """None: who reads what is derived reads it from these rules."""
        return ()

    @property
    def statistics(self) -> tuple[RuleStatistics, ...]:
        """What the rules have done and cost, but for facts."""
        return tuple(self._counted(*key, name) for key, name in self._rules.items())

    def _counted(self, location: Location, derives: Signature, name: RuleStatistics) -> RuleStatistics:
        """What the rule at a place has done and cost."""
        held = self._meter.held(location)
        if derives in self._renamed_by:
            done, made = self._evaluations[derives], self._made[derives]
            return replace(name, evaluations=done, changes=made, held=held)
        found = self._code.counted(location, name)
        scale = self._meter.whole.seconds / self._sampled if self._sampled else 0.0
        return replace(found, held=held, seconds=found.seconds * scale)


class MeteredSolver(Solver):
    """The evaluator of a component, with its time.

    Args:
        meter: measures it.
        arguments: as for Solver.
        options: as for Solver.
    """

    def __init__(self, meter: Meter, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._meter = meter

    def step(self, tick: int) -> RowChanges:
        """The changes of the output by a tick at which an answer has changed. Raises EvaluationError."""
        self._meter.steps += 1
        with self._meter.whole:
            return super().step(tick)
