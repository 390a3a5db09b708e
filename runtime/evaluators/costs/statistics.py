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
        predicates: the predicates that it derives, as text.
        evaluator: its evaluator now.
        cost: its cost since the reasoner was made; None where that is not measured.
        searches: what clingo says of its searches since then; None where that is not measured, or it has not
            solved.
        rules: what its rules have done and cost, but for facts; none where that is not measured.
    """

    predicates: str
    evaluator: EvaluatorName
    cost: Cost | None
    searches: Searches | None = None
    rules: tuple[RuleStatistics, ...] = ()


@dataclass(frozen=True)
class Statistics:
    """Statistics of a reasoner so far, those before the snapshot that it went on from included.

    Attributes:
        ticks: the number of ticks that were evaluated.
        passed_over: the number of other ticks that are over: nothing could change at them.
        facts: the number of input atoms: those that held, began or ended.
        intervals: the number of intervals that the database has now, those of background data included.
        atoms: the number of atoms that these are of.
        memory: the bytes of main memory that the process has.
        components: the program's components, lowest first; before the first tick none. Where the input made
            the whole program take over, it comes after them.
        merged: by predicates, as text, the number of facts that were equal to another one of their tick, so
            that they count once; only of predicates that windows or rules look at.
        inputs: for each input, by name, how many records gave facts, and what became of the others.
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
