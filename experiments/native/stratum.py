"""One stratum of a program at a tick: its rules to a fixpoint, then the formulae over its predicates."""

from collections import Counter
from collections.abc import Iterable, Sequence, Set

from experiments.native.book import Book
from experiments.native.conclusions import Batches
from experiments.native.formulae import PredicateState
from experiments.native.native_program import FOREVER, LastTickWindow, NativeRule, Operator, Predicate
from experiments.native.passing import BoxFormula, CountingBox
from experiments.native.rule_at_work import DISABLED, RuleAtWork


class Attention:
    """Decides which rules are looked at: all of them. Its methods are called as evaluation goes on."""

    def begin(self, tick: int) -> None:
        """A tick begins; what has run out of its horizon is gone, nothing has arrived yet."""

    def arrived(self, state: PredicateState) -> None:
        """The input has atoms of a predicate."""

    def looked_at(self, rule: RuleAtWork, tick: int) -> None:
        """A rule has been evaluated at a tick."""

    def placed_late(self, box: BoxFormula) -> None:
        """Something was placed at a tick in the past, where a gap in a box's window may close."""


class Stratum:
    """Predicates that depend on each other (or all that no rule derives), with rules and formulae."""

    def __init__(
        self,
        predicates: Set[Predicate],
        rules: Iterable[NativeRule],
        book: Book,
        *,
        is_semi_naive: bool = True,
    ) -> None:
        self.rules = [
            RuleAtWork(rule, predicates, book, is_semi_naive=is_semi_naive)
            for rule in rules
            if rule.predicate in predicates
        ]
        self._book = book
        self._predicates = predicates
        states = [book.state(predicate) for predicate in sorted(predicates)]
        self._derived = [state for state in states if state.present is not None]
        self._is_recursive = any(
            one.formula.predicate in predicates and isinstance(one.formula.window, LastTickWindow)
            for each in self.rules
            for one in each.rule.formulae
        )
        kept = book.kept(predicates)
        self._inner = [one for one in kept if self._is_recursive and one.formula.operator is Operator.NOW]
        self._outer = [one for one in kept if one not in self._inner]
        self._passing = book.passing(predicates)

    def evaluate(
        self, tick: int, start: int, attention: Attention, counts: Counter[str], *, is_first: bool
    ) -> None:
        """Derives what holds of the predicates at a tick, and passes it to the formulae over them."""
        for state in self._derived:
            _open(state, tick, is_first=is_first)
        if self._inner:
            for formula in self._inner:
                formula.begin(tick, is_first=is_first)
            self._pass_on(tick)
        enabled = []
        for rule in self.rules:
            if rule.is_enabled:
                enabled.append(rule)
                rule.evaluate(tick, start, counts)
                attention.looked_at(rule, tick)
            else:
                counts[DISABLED] += 1
        if self._inner:
            self._recur(tick, start, enabled, counts)
        for state in self._derived:
            _settle(state, tick)
        for formula in self._outer:
            formula.update(tick, is_first=is_first)
        for passing in self._passing:
            passing.record(tick)
            if isinstance(passing, CountingBox) and passing.was_late:
                attention.placed_late(passing)

    def _recur(self, tick: int, start: int, rules: Sequence[RuleAtWork], counts: Counter[str]) -> None:
        """Rounds of rules over what the round before derived, until there is nothing new."""
        is_new = True
        rounds: list[Batches] = [[] for _ in self._inner]
        while is_new:
            for formula, earlier in zip(self._inner, rounds, strict=True):
                earlier.extend(formula.fresh)
                formula.fresh = []
            is_new = self._pass_on(tick)
            for rule in rules if is_new else ():
                rule.evaluate_again(tick, start, counts)
        for formula, earlier in zip(self._inner, rounds, strict=True):
            formula.fresh = earlier

    def _pass_on(self, tick: int) -> bool:
        """Passes what is new to the formulae that the rules themselves look at; whether there was any."""
        new: dict[Predicate, Batches] = {state.predicate: _settle(state, tick) for state in self._derived}
        for formula in self._inner:
            formula.extend(tick, new[formula.formula.predicate])
        return any(new.values())


def _open(state: PredicateState, tick: int, *, is_first: bool) -> None:
    """Adds background data at the first tick, and what was placed at this tick by earlier ones."""
    assert state.present is not None
    if is_first:
        state.present.add(state.background, FOREVER)
    for placed, horizon in state.waiting.pop(tick, ()):
        assert state.placed is not None
        state.placed.add([placed], min(horizon, tick + state.reach))


def _settle(state: PredicateState, tick: int) -> Batches:
    """The new atoms that hold now, those that are placed at this tick included."""
    assert state.present is not None
    if state.placed is not None:
        for _, instances in state.placed.advance():
            state.present.add([one[:-1] for one in instances if one[-1] == tick], tick)
    return state.present.advance()
