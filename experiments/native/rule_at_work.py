"""A rule at work: which of its ways in are taken at a tick."""

from collections import Counter
from collections.abc import Set

from experiments.native.book import Book
from experiments.native.formulae import KeptFormula
from experiments.native.native_program import NativeRule, Predicate
from experiments.native.passing import PassingFormula
from experiments.native.rule_code import JoinFunction, JoinPlan, compiled, is_of_the_tick

FORMULAE, RULES, DISABLED = "formula evaluations", "rule evaluations", "disabled rules"
"""The names of counts, summed over ticks: formulae in the bodies of rules that are looked at (one alone if it
has no instance to begin with); rules that are looked at; rules that are disabled."""
ANNOTATIONS = "new annotations"
"""Heads that were derived anew, or for longer than was known."""


class RuleAtWork:
    """A rule with its compiled joins.

    Looked at at a tick if one of its formulae has a new annotation: always, if one holds [t,t].

    Args:
        rule: what it says.
        stratum: the predicates of its stratum.
        book: the formulae of the program.
        is_semi_naive: whether instances that were all there at earlier ticks are not joined again.

    Attributes:
        rule: what it says.
        is_enabled: whether it is looked at at all for now.
    """

    def __init__(
        self, rule: NativeRule, stratum: Set[Predicate], book: Book, *, is_semi_naive: bool = True
    ) -> None:
        self.rule = rule
        self.is_enabled = True
        self._positive = [book.formula(one.formula) for one in rule.positive]
        self._passing = [
            one
            for one in (book.formula(body.formula) for body in rule.formulae)
            if isinstance(one, PassingFormula)
        ]
        holds_now = is_of_the_tick(rule)
        head = book.state(rule.predicate)
        inner = [
            position
            for position, one in enumerate(rule.positive)
            if one.formula.predicate in stratum and isinstance(self._positive[position], KeptFormula)
        ]

        def join(
            driver: int | None,
            *,
            is_over_all: bool = False,
            excludes_new: bool = False,
            now: bool = holds_now,
        ) -> JoinFunction:
            return compiled(rule, JoinPlan(driver, is_over_all, now, excludes_new), head, book)

        drivers = range(len(self._positive))
        first_passing = next((i for i in drivers if isinstance(self._positive[i], PassingFormula)), None)
        self._alone: JoinFunction | None = None
        self._by_passing: tuple[PassingFormula, JoinFunction] | None = None
        self._by_all: list[tuple[KeptFormula, JoinFunction]] = []
        self._by_new: list[tuple[KeptFormula, JoinFunction]] = []
        if not self._positive:
            self._alone = join(None)
        elif first_passing is not None:
            driver = self._positive[first_passing]
            assert isinstance(driver, PassingFormula)
            self._by_passing = driver, join(first_passing)
        elif holds_now or not is_semi_naive:
            self._by_all = [(self._kept(i), join(i, is_over_all=True)) for i in drivers]
        else:
            self._by_new = [(self._kept(i), join(i, excludes_new=not inner)) for i in drivers]
        self._again = [(self._kept(i), join(i, is_over_all=not is_semi_naive)) for i in inner]

    def _kept(self, position: int) -> KeptFormula:
        found = self._positive[position]
        assert isinstance(found, KeptFormula)
        return found

    def evaluate(self, tick: int, start: int, counts: Counter[str]) -> None:
        """Derives what follows at a tick, from what its formulae know so far."""
        if self._by_new:
            looked_at = False
            for formula, join in self._by_new:
                if formula.fresh:
                    looked_at = True
                    join(tick, start, formula.fresh)
            if looked_at:
                counts[RULES] += 1
                counts[FORMULAE] += len(self._by_new)
            return
        counts[RULES] += 1
        if self._by_passing is not None:
            driver, join = self._by_passing
            fresh = driver.fresh(tick)
            if fresh:
                self._prepare(tick)
                join(tick, start, fresh)
            counts[FORMULAE] += len(self.rule.formulae) if fresh else 1
            return
        if self._by_all:
            smallest, join = min(self._by_all, key=lambda item: len(item[0].instances.entries))
            if smallest.instances.entries:
                self._prepare(tick)
                join(tick, start, [])
                counts[FORMULAE] += len(self.rule.formulae)
            else:
                counts[FORMULAE] += 1
            return
        assert self._alone is not None
        self._prepare(tick)
        self._alone(tick, start, [])
        counts[FORMULAE] += len(self.rule.formulae)

    def evaluate_again(self, tick: int, start: int, counts: Counter[str]) -> None:
        """Derives what follows from what the last round of recursion derived."""
        for formula, join in self._again:
            if formula.fresh:
                self._prepare(tick)
                join(tick, start, formula.fresh)
                counts[RULES] += 1
                counts[FORMULAE] += len(self.rule.formulae)

    def _prepare(self, tick: int) -> None:
        for one in self._passing:
            if one.instances.is_needed:
                one.prepare(tick)
