"""Statistics of a reasoner."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lars2asp.runtime.evaluators.costs.meter import Cost, Searches
from lars2asp.runtime.evaluators.costs.rule_statistics import RuleStatistics, costliest
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.sources.account import Account
from lars2asp.syntax.summaries import counted, html_table


@dataclass(frozen=True)
class ComponentStatistics:
    """Statistics of a component.

    Attributes:
        predicates: Its derived predicates, as text.
        evaluator: Its current evaluator.
        cost: Its cost so far; None without `stats=True`.
        searches: clingo's searches so far; None without `stats=True` or without a search.
        rules: The work and cost of its rules, except facts; empty without `stats=True`.
    """

    predicates: str
    evaluator: EvaluatorName
    cost: Cost | None
    searches: Searches | None = None
    rules: tuple[RuleStatistics, ...] = ()


@dataclass(frozen=True)
class Statistics:
    """The work of a reasoner so far, including the work before a snapshot.

    Attributes:
        ticks: The number of evaluated ticks.
        passed_over: The number of skipped ticks, because nothing could change.
        facts: The number of input atoms that held, began or ended.
        intervals: The number of intervals in the database now.
        atoms: The number of atoms with such intervals.
        memory: The main memory of the process, in bytes.
        components: The components of the program, lowest first; none before the first tick.
        merged: The number of equal facts at one tick, which count once, by predicate.
        inputs: An Account for each input, by name.
    """

    ticks: int
    passed_over: int
    facts: int
    intervals: int
    atoms: int
    memory: int
    components: tuple[ComponentStatistics, ...]
    merged: Mapping[str, int] = field(default_factory=dict)
    inputs: Mapping[str, Account] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Statistics: {self._summary}>"

    @property
    def _summary(self) -> str:
        ticks = f"{counted(self.ticks, 'tick')} evaluated, {self.passed_over} passed over"
        held = f"{counted(self.facts, 'fact')}, {counted(self.intervals, 'interval')}"
        return f"{ticks}, {held}, {counted(len(self.components), 'component')}"

    def _repr_html_(self) -> str:
        components = (
            [one.evaluator, "" if one.cost is None else f"{one.cost.seconds:.3f} s", one.predicates]
            for one in self.components
        )
        found = html_table(self._summary, components, len(self.components))
        rules = costliest(rule for one in self.components for rule in one.rules)
        if not rules:
            return found
        rows = (
            [one.evaluations, one.changes, one.rows, one.held, f"{one.seconds:.3f} s", one.place, one.text]
            for one in rules
        )
        heading = "Rules: evaluations, changes, rows, held by windows, sampled time"
        return found + html_table(heading, rows, len(rules))
