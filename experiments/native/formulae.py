"""Annotated formulae: their instances with consideration and horizon times.

An instance annotated [c,h] was last considered at tick c and holds from c to h (Bazoobandi, Beck, Urbani
2017, section 3). Here are the formulae whose instances are known to hold for some time; those that hold [t,t]
and are found anew at each tick are in experiments.native.passing.

In the paper a window over a derived atom looks at what was concluded at earlier ticks. Here it does not: what
a rule derives holds at the tick of evaluation, and at other ticks only where heads with `at` place it. So an
annotation [c,h] of a derived `a` passes to the diamond over it as it is, while that of `a at T` is cut off at
T+n, as that of an input fact of tick T is [T,T+n].
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from experiments.native.conclusions import Batches, Conclusions, Instance
from experiments.native.native_program import FOREVER, Formula, LastTickWindow, Operator, Predicate

Annotation = tuple[int, int]
"""Consideration and horizon time; one object for all instances that got it together."""

Index = dict[Any, tuple[Instance, ...] | dict[Instance, None]]
"""Instances by key."""

MANY = 8
"""More instances of one key than these are kept in a dictionary."""

Key = Callable[[Instance], Any]
_LAST = itemgetter(-1)


@dataclass
class PredicateState:
    """The state of a predicate at a tick.

    Attributes:
        predicate: name and arity.
        background: the program's facts of it.
        present: what rules derive to hold now, None where no rule has it in its head.
        placed: what rules place at ticks, with the tick as last part; None where none does.
        is_asserted: whether some rule derives it without a tick.
        arrived: the atoms of the input at this tick.
        waiting: what was placed at ticks to come, with horizons.
        reach: how far back windows look for it.
    """

    predicate: Predicate
    background: list[Instance]
    present: Conclusions | None = None
    placed: Conclusions | None = None
    is_asserted: bool = False
    arrived: list[Instance] = field(default_factory=list)
    waiting: defaultdict[int, list[tuple[Instance, int]]] = field(default_factory=lambda: defaultdict(list))
    reach: int = 0


class FormulaInstances:
    """Instances by what they are and by the values at some positions; joins read both dictionaries.

    An index has a tuple of instances for a key, or a dictionary of them once they are many: most keys have
    few, and tuples take little room.
    """

    def __init__(self) -> None:
        self.entries: dict[Instance, Annotation] = {}
        self.is_needed = False
        self._indexes: dict[tuple[int, ...], tuple[Key, Index]] = {}

    def index(self, positions: tuple[int, ...]) -> Index:
        """The index on positions (those of the tuples: arguments count from 1), made at the first call."""
        if positions not in self._indexes:
            self._indexes[positions] = itemgetter(*positions), {}
        return self._indexes[positions][1]

    def add_to_indexes(self, instances: Iterable[Instance]) -> None:
        """Adds entries to the indexes."""
        for key, index in self._indexes.values():
            for one in instances:
                value = key(one)
                known = index.get(value)
                if known is None:
                    index[value] = (one,)
                elif isinstance(known, dict):
                    known[one] = None
                elif len(known) < MANY:
                    index[value] = (*known, one)
                else:
                    index[value] = dict.fromkeys((*known, one))

    def remove(self, instances: Iterable[Instance]) -> None:
        """Removes entries, from the indexes too."""
        entries = self.entries
        for one in instances:
            del entries[one]
        for key, index in self._indexes.values():
            for one in instances:
                value = key(one)
                known = index[value]
                if len(known) == 1:
                    del index[value]
                elif isinstance(known, dict):
                    del known[one]
                else:
                    index[value] = tuple(other for other in known if other != one)

    def replace(self, instances: Iterable[Instance], annotation: Annotation) -> None:
        """Takes instances in place of all that are there."""
        self.entries.clear()
        self.entries.update(dict.fromkeys(instances, annotation))
        for _, index in self._indexes.values():
            index.clear()
        self.add_to_indexes(self.entries)


class KeptFormula:
    """An atom, a diamond or an `at` over the last ticks, with annotations [c,h].

    Entries are kept only where some join looks them up; otherwise what is new passes to the rules at once.

    Attributes:
        fresh: the instances whose annotation is new at this tick, by horizon.
        instances: all that hold, where they are kept.
        added, removed: the entries that came and went at this tick, where they are kept.
    """

    def __init__(self, formula: Formula, state: PredicateState) -> None:
        assert isinstance(formula.window, LastTickWindow)
        self.formula = formula
        self.state = state
        self.instances = FormulaInstances()
        self.fresh: Batches = []
        self.added: list[Instance] = []
        self.removed: list[Instance] = []
        self._size = formula.window.size
        self._leaving: dict[int, list[list[Instance]]] = {}

    def expire(self, tick: int) -> None:
        """Removes what held until the tick before."""
        last = tick - 1
        self.fresh = []
        self.added = []
        entries = self.instances.entries
        self.removed = [
            one
            for instances in self._leaving.pop(last, ())
            for one in instances
            if one in entries and entries[one][1] == last
        ]
        if self.removed:
            self.instances.remove(self.removed)

    def update(self, tick: int, *, is_first: bool) -> None:
        """Takes what is new of the predicate at a tick, once all of it is known."""
        self.extend(tick, self._of_input(tick, is_first=is_first))
        state = self.state
        if state.present is not None:
            if self.formula.operator is Operator.AT:
                if state.is_asserted:
                    self.extend(tick, [(tick, [(*one, tick) for one in state.present.holding(tick)])])
            else:
                self.extend(tick, state.present.batches)
        if state.placed is not None and self.formula.operator is not Operator.NOW:
            self.extend(tick, self._of_placed(state.placed.batches, tick))

    def begin(self, tick: int, *, is_first: bool) -> None:
        """Takes the input of a predicate whose rules need it, before they are evaluated."""
        self.extend(tick, self._of_input(tick, is_first=is_first))

    def extend(self, tick: int, batches: Batches) -> None:
        """Adds instances that hold from now to their horizons."""
        for horizon, instances in batches:
            if not instances:
                continue
            if not self.instances.is_needed:
                self.fresh.append((horizon, instances))
                continue
            entries = self.instances.entries
            annotation = tick, horizon
            added, extended = [], []
            for one in instances:
                known = entries.get(one)
                if known is None:
                    entries[one] = annotation
                    added.append(one)
                elif known[1] < horizon:
                    entries[one] = annotation
                    extended.append(one)
            fresh = added + extended if extended else added
            if fresh:
                self.fresh.append((horizon, fresh))
                self.instances.add_to_indexes(added)
                self.added += added
                if horizon < FOREVER:
                    self._leaving.setdefault(horizon, []).append(fresh)

    def _of_input(self, tick: int, *, is_first: bool) -> Batches:
        arrived, background = self.state.arrived, self.state.background
        horizon = min(tick + self._size, FOREVER)
        if self.formula.operator is Operator.AT:
            return [(horizon, [(*one, tick) for facts in (arrived, background) for one in facts])]
        batches = [(horizon, arrived)]
        if is_first and background:
            batches.append((FOREVER, background))
        return batches

    def _of_placed(self, batches: Batches, tick: int) -> Batches:
        """Instances placed at ticks, for as long as these are in the window."""
        is_at, size = self.formula.operator is Operator.AT, self._size
        cut: dict[int, list[Instance]] = {}
        for horizon, instances in batches:
            if min(map(_LAST, instances)) + size >= horizon:
                cut.setdefault(horizon, []).extend(instances)
                continue
            for one in instances:
                last = min(horizon, one[-1] + size)
                if last >= tick:
                    cut.setdefault(last, []).append(one)
        if is_at:
            return list(cut.items())
        return [(last, list({one[:-1]: None for one in instances})) for last, instances in cut.items()]
