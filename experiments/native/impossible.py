"""Laser2: rules that cannot fire are not looked at until they can.

After Bazoobandi, Bal, van Harmelen and Urbani, "Handling Impossible Derivations during Stream Reasoning"
(ESWC 2020). A box over a window of n ticks that found a gap at tick g is false until g+n: the rule is
disabled until g+n+1. With variables, g is the tick before the longest run of any atom that fits. A
predicate that only disabled rules derive has no atoms either, and rules that need one are disabled until
the first of those is enabled again, and so on. Small windows take no part, since knowing costs more
there than looking.

Two things wake a rule before its time: the input has an atom of a predicate whose rules are disabled, or a
head with `at` closes a gap in the past. What still holds, or waits for the tick at which it was placed, keeps
the rules that need it awake.

Facts are recorded all the while: a box extends the runs of what arrives, a join's indexes take it in. What is
saved is listing instances and joining them.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence

from experiments.native.book import AnyFormula, Book
from experiments.native.conclusions import Instance
from experiments.native.formulae import KeptFormula, PredicateState
from experiments.native.laser import Laser
from experiments.native.native_program import BodyFormula, Predicate
from experiments.native.passing import BoxFormula
from experiments.native.rule_at_work import RuleAtWork
from experiments.native.strata import depends
from experiments.native.stratum import Attention
from experiments.native.terms import Known
from lars2asp.syntax.nodes import Program

THRESHOLD = 10
"""The size of the smallest window that takes part, where nothing else is said."""

Fits = Callable[[Instance], bool]


class Laser2(Laser):
    """Laser with the knowledge of when rules cannot fire.

    Args:
        program: a checked program of the fragment.
        threshold: the size of the smallest window whose boxes disable rules.

    Raises:
        UnsupportedError: if the program lies outside of the fragment.
    """

    def __init__(self, program: Program, threshold: int = THRESHOLD) -> None:
        self._threshold = threshold
        super().__init__(program)

    def _strategy(self, rules: Sequence[RuleAtWork], book: Book) -> Attention:
        return Impossible(rules, book, self._threshold)


class Impossible(Attention):
    """Knows for which rules there is nothing to find, and until when."""

    def __init__(self, rules: Sequence[RuleAtWork], book: Book, threshold: int) -> None:
        self._until: dict[RuleAtWork, int] = {}
        self._due: defaultdict[int, list[RuleAtWork]] = defaultdict(list)
        self._boxes: dict[RuleAtWork, list[tuple[BoxFormula, Fits | None]]] = {}
        self._over: defaultdict[BoxFormula, list[RuleAtWork]] = defaultdict(list)
        self._predicates: dict[Predicate, _Derived] = {}
        self._of_head: dict[RuleAtWork, _Derived] = {}
        for rule in rules:
            predicate = rule.rule.predicate
            derived = self._predicates.setdefault(predicate, _Derived(book.state(predicate)))
            derived.rules.append(rule)
            self._of_head[rule] = derived
        for rule in rules:
            for one in rule.rule.positive:
                formula = book.formula(one.formula)
                needed = self._predicates.get(one.formula.predicate)
                if needed is not None and depends(one):
                    needed.users.append((rule, formula))
                if isinstance(formula, BoxFormula) and formula.size >= threshold:
                    self._boxes.setdefault(rule, []).append((formula, _fitting(one)))
                    self._over[formula].append(rule)

    def begin(self, tick: int) -> None:
        """Enables the rules whose time has come, then disables those that need what cannot be."""
        for rule in self._due.pop(tick, ()):
            if self._until.get(rule) == tick:
                self._enable(rule)
        if self._until:
            for derived in self._predicates.values():
                self._cascade(derived, tick)

    def arrived(self, state: PredicateState) -> None:
        """Enables what was disabled for want of atoms that the input has now."""
        derived = self._predicates.get(state.predicate) if self._until else None
        if derived is not None:
            self._wake_users(derived)

    def looked_at(self, rule: RuleAtWork, tick: int) -> None:
        """Disables a rule if one of its boxes cannot hold for a while."""
        boxes = self._boxes.get(rule)
        if boxes is not None:
            first = max(box.possible_from(tick, fits) for box, fits in boxes)
            if first > tick + 1:
                self._disable(rule, first)

    def placed_late(self, box: BoxFormula) -> None:
        """Enables the rules over a box that may hold sooner than was known."""
        for rule in self._over.get(box, ()):
            self._wake(rule)

    def _cascade(self, derived: "_Derived", tick: int) -> None:
        """Disables the rules that need atoms of a predicate as long as none can be derived."""
        first = min((self._until.get(rule, 0) for rule in derived.rules), default=0)
        if first <= tick or not derived.is_quiet():
            return
        for rule, formula in derived.users:
            if self._until.get(rule, 0) < first and not _holds(formula):
                self._disable(rule, first)
                derived.asleep.add(rule)

    def _disable(self, rule: RuleAtWork, until: int) -> None:
        rule.is_enabled = False
        self._until[rule] = until
        self._due[until].append(rule)

    def _enable(self, rule: RuleAtWork) -> None:
        rule.is_enabled = True
        del self._until[rule]

    def _wake(self, rule: RuleAtWork) -> None:
        if rule in self._until:
            self._enable(rule)
            self._wake_users(self._of_head[rule])

    def _wake_users(self, derived: "_Derived") -> None:
        asleep, derived.asleep = derived.asleep, set()
        for rule in asleep:
            self._wake(rule)


class _Derived:
    """A predicate that rules derive.

    Attributes:
        rules: those that derive it.
        users: those that need an instance of a formula over it.
        asleep: those of them that were disabled for want of it.
    """

    def __init__(self, state: PredicateState) -> None:
        self.rules: list[RuleAtWork] = []
        self.users: list[tuple[RuleAtWork, AnyFormula]] = []
        self.asleep: set[RuleAtWork] = set()
        self._state = state

    def is_quiet(self) -> bool:
        """Whether no atom holds, and none can but by a rule that fires or by the input.

        A disabled rule may have derived something before that holds still, or that waits for its tick.
        """
        state = self._state
        return not (state.background or state.waiting or (state.present and state.present.horizons))


def _holds(formula: AnyFormula) -> bool:
    """Whether instances are left. Where none are kept only new ones count, and boxes need one of now."""
    return isinstance(formula, KeptFormula) and bool(formula.instances.entries)


def _fitting(one: BodyFormula) -> Fits | None:
    """A test for the constants of a formula in a body; None where it has none."""
    constants = [(i, term.value) for i, term in enumerate(one.terms, start=1) if isinstance(term, Known)]
    if not constants:
        return None
    return lambda instance: all(instance[i] == value for i, value in constants)
