"""Formulae whose instances hold [t,t]: boxes, tuple windows, and atoms of the input that no rule derives.

Whether they still hold at the next tick is open until then, so rules over them are evaluated anew at each
tick (Bazoobandi, Beck, Urbani 2017, section 3). What is recorded at each tick is little; instances are listed
only when a rule is looked at.

An arrival with number k is in the window of the last n arrivals while no more than k+n-1 have arrived: the
paper's annotation with consideration count k and horizon count k+n-1. Joins do not pass horizon counts on
to heads as in the paper: there may be several counts in a rule (of the input, of predicates), and of two
annotations one may reach further in time and the other in arrivals. A head over a tuple window holds [t,t].
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence

from experiments.native.conclusions import Batches, Instance
from experiments.native.formulae import FormulaInstances, KeptFormula, PredicateState
from experiments.native.native_program import (
    FOREVER,
    Formula,
    LastArrivalWindow,
    LastTickWindow,
    Operator,
    Predicate,
)

Runs = dict[Instance, int]
"""Atoms that hold now, with the tick since when they have held without a gap."""


class PassingFormula:
    """A formula whose instances are found anew at each tick."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.instances = FormulaInstances()
        self._found: list[Instance] = []
        self._found_at = -1
        self._prepared_at = -1

    def record(self, tick: int) -> None:
        """Takes note of what is needed to list instances, at each tick once the predicate is known."""

    def fresh(self, tick: int) -> Batches:
        """All instances, each of them new."""
        found = self.found(tick)
        return [(tick, found)] if found else []

    def found(self, tick: int) -> list[Instance]:
        """The instances that hold at a tick."""
        if self._found_at != tick:
            self._found = self._find(tick)
            self._found_at = tick
        return self._found

    def prepare(self, tick: int) -> None:
        """Makes the instances ready to be looked up."""
        if self._prepared_at != tick:
            self.instances.replace(self.found(tick), (tick, tick))
            self._prepared_at = tick

    def _find(self, tick: int) -> list[Instance]:
        raise NotImplementedError


class InputFormula(PassingFormula):
    """An atom of a predicate that no rule and no fact of the program has in its head."""

    def __init__(self, formula: Formula, state: PredicateState) -> None:
        super().__init__(formula)
        self._state = state

    def _find(self, tick: int) -> list[Instance]:
        return self._state.arrived


# --- boxes ----------------------------------------------------------------------------------------


class BoxFormula(PassingFormula):
    """A box over the last ticks.

    Attributes:
        state: of the predicate.
        size: of the window, in ticks besides now.
        runs: since when the atoms that hold now have done so, as far as the ticks of evaluation saw it.
        start: the first tick of the timeline.
        trusted_from: the tick from which `runs` are right; later than now where atoms were placed at earlier
            ticks after these had passed.
    """

    def __init__(self, formula: Formula, state: PredicateState) -> None:
        super().__init__(formula)
        assert isinstance(formula.window, LastTickWindow)
        self.state = state
        self.size = formula.window.size
        self.runs: Runs = {}
        self.start = -1
        self.trusted_from = 0

    def record(self, tick: int) -> None:
        """Takes note of what holds now."""
        if self.start < 0:
            self.start = tick

    def possible_from(self, tick: int, fits: Callable[[Instance], bool] | None) -> int:
        """The first tick after this one at which an instance (that fits) may hold, as far as known now.

        A run that began at s > start gives no box before s+n, and one that begins later gives none before.
        One that began with the timeline may give one at any tick: the window is clipped there.
        """
        if self.state.background or tick < self.trusted_from:
            return tick + 1
        begins: Iterable[int] = self.runs.values()
        if fits is not None:
            begins = (begin for one, begin in self.runs.items() if fits(one))
        earliest = min(begins, default=tick + 1)
        return tick + 1 if earliest <= self.start else max(earliest + self.size, tick + 1)


class InputBox(BoxFormula):
    """A box over a predicate that no rule derives: each atom's run is extended, or forgotten at a gap."""

    def record(self, tick: int) -> None:
        """Extends or begins the runs of what arrived."""
        super().record(tick)
        known = self.runs.get
        self.runs = {one: known(one, tick) for one in self.state.arrived}

    def _find(self, tick: int) -> list[Instance]:
        limit = max(self.start, tick - self.size)
        found = [one for one, begin in self.runs.items() if begin <= limit]
        return found + self.state.background if self.state.background else found


class CountingBox(BoxFormula):
    """A box over a predicate that rules derive: counts at how many ticks of the window each atom holds.

    The ticks are those of the entries of `a at T` over the same window, which come and go by annotation: what
    is placed late may close a gap, and what is concluded no longer opens one.
    """

    def __init__(self, formula: Formula, state: PredicateState, ticks: KeptFormula) -> None:
        super().__init__(formula, state)
        ticks.instances.is_needed = True
        self._ticks = ticks
        self._counts: Counter[Instance] = Counter()
        self._now: list[Instance] = []

    def record(self, tick: int) -> None:
        """Counts entries that came and went."""
        super().record(tick)
        counts = self._counts
        for one in self._ticks.removed:
            atom = one[:-1]
            if counts[atom] == 1:
                del counts[atom]
            else:
                counts[atom] -= 1
        self._now = []
        for one in self._ticks.added:
            atom = one[:-1]
            counts[atom] += 1
            if one[-1] == tick:
                self._now.append(atom)
            else:
                self.trusted_from = max(self.trusted_from, one[-1] + self.size + 1)
        known = self.runs.get
        self.runs = {one: known(one, tick) for one in self._now}

    @property
    def was_late(self) -> bool:
        """Whether something was placed at a tick that had passed."""
        return len(self._now) < len(self._ticks.added)

    def _find(self, tick: int) -> list[Instance]:
        needed, counts = min(self.size, tick - self.start) + 1, self._counts
        return [one for one in self._now if counts[one] == needed]


# --- tuple windows --------------------------------------------------------------------------------


class ArrivalLog:
    """The last arrivals, of the whole input or of a predicate, oldest first, with their ticks."""

    def __init__(self, window: LastArrivalWindow) -> None:
        self.start = -1
        self.last: deque[tuple[Instance, int]] = deque(maxlen=window.size)
        self._of = window.of

    def record(self, tick: int, arrived: Sequence[Instance]) -> None:
        """Takes what arrived at a tick, in order and each once."""
        if self.start < 0:
            self.start = tick
        of = self._of
        if of is not None:
            arrived = [one for one in arrived if one[0] == of.name and len(one) == of.arity + 1]
        self.last.extend((one, tick) for one in arrived[-(self.last.maxlen or 0) :])

    def span_begin(self) -> int:
        """The first tick that the window spans: of its oldest arrival, or the start while it is not full."""
        return self.last[0][1] if len(self.last) == self.last.maxlen else self.start


class TupleFormula(PassingFormula):
    """A diamond, `at` or box over a tuple window."""

    def __init__(self, formula: Formula, log: ArrivalLog) -> None:
        super().__init__(formula)
        self._log = log

    def _find(self, tick: int) -> list[Instance]:
        inside = dict.fromkeys(
            (one, when) for one, when in self._log.last if is_of(one, self.formula.predicate)
        )
        match self.formula.operator:
            case Operator.AT:
                return [(*one, when) for one, when in inside]
            case Operator.DIAMOND:
                return list(dict.fromkeys(one for one, _ in inside))
            case _:
                needed = tick - self._log.span_begin() + 1
                covered = Counter(one for one, _ in inside)
                return [one for one, number in covered.items() if number == needed]


def is_of(fact: Instance, predicate: Predicate) -> bool:
    """Whether a fact is of a predicate."""
    return len(fact) == predicate.arity + 1 and fact[0] == predicate.name


def box(formula: Formula, state: PredicateState, ticks: Callable[[Formula], KeptFormula]) -> BoxFormula:
    """A box over the last ticks; `ticks` gives the formula of `a at T` that counting needs."""
    assert isinstance(formula.window, LastTickWindow) and formula.window.size <= FOREVER
    if state.present is None:
        return InputBox(formula, state)
    return CountingBox(formula, state, ticks(Formula(formula.predicate, Operator.AT, formula.window)))
