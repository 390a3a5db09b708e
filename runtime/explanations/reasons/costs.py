"""What answer streams cost by weak constraints: the one that is followed, and the best other one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lars2asp.analysis.arithmetic.decimal_numbers import decimal_text
from lars2asp.externals.terms.symbols import atom_symbol
from lars2asp.runtime.evaluators.protocol import Request, Task
from lars2asp.runtime.explanations.reasons.one_tick import Grounded
from lars2asp.runtime.explanations.reasons.search import Search
from lars2asp.runtime.explanations.words.claims import Weighed
from lars2asp.runtime.explanations.words.instances import ClaimedAtom, Numbers
from lars2asp.syntax.nodes import WeakConstraint

Levels = Mapping[int, int]
"""Costs by priority."""


class BestOthers:
    """The best answer streams of a tick in which an atom holds, or does not.

    Args:
        task: the component that has several answer streams; the database is at the tick.
        tick: the tick.
    """

    def __init__(self, task: Task, tick: int) -> None:
        self._task = replace(task, request=Request())
        self._tick = tick
        self._grounded: Grounded | None = None
        self._known: dict[tuple[ClaimedAtom, bool], Levels | None] = {}

    def cost(self, atom: ClaimedAtom, *, holds: bool) -> Levels | None:
        """What the best one costs; None if there is none. Raises EvaluationError and TickTimeoutError."""
        key = atom, holds
        if key not in self._known:
            self._known[key] = self._cost(atom, holds=holds)
        return self._known[key]

    def _cost(self, atom: ClaimedAtom, *, holds: bool) -> Levels | None:
        if self._grounded is None:
            lines = [(line.written, line.origin) for line in self._task.program.lines]
            self._grounded = Grounded(self._task, self._tick, lines)
            options: Any = self._grounded.control.configuration.solve
            options.opt_mode = self._task.clingo.with_bounds("opt")
        control, symbol = self._grounded.control, atom_symbol(atom.signature, atom.row or ())

        def solve() -> Levels | None:
            best: Levels | None = None
            with control.solve(assumptions=[(symbol, holds)], yield_=True) as models:
                for model in models:  # each better than the one before
                    best = dict(zip(model.priority, model.cost, strict=True))
                    if not best:
                        break  # nothing is weighed
            return best

        return self._grounded.limited(solve)


class Costs:
    """Weighs what was chosen.

    Args:
        constraints: the weak constraints.
        search: finds their instances.
        others: the best other answer streams at some ticks.
        numbers: what integers stand for.
    """

    def __init__(
        self,
        constraints: Sequence[WeakConstraint],
        search: Search,
        others: Mapping[int, BestOthers],
        numbers: Numbers,
    ) -> None:
        self._constraints = constraints
        self._search = search
        self._others = others
        self._numbers = numbers
        self._known: dict[int, Levels] = {}

    def weighed(self, atom: ClaimedAtom, tick: int, at: int, *, holds: bool) -> Weighed | None:
        """What the answer stream costs in which an atom was chosen, or not; None where nothing is optimised.

        Args:
            atom: the atom.
            tick: its tick.
            at: the tick of evaluation.
            holds: whether it was chosen.
        """
        if not self._constraints:
            return None
        if at not in self._known:
            self._known[at] = self._cost(at)
        own = self._known[at]
        if tick != at or at not in self._others:
            return Weighed(self._sorted(own, own))
        other = self._others[at].cost(atom, holds=not holds)
        levels = [*own, *(other or ())]
        others = None if other is None else self._sorted(other, levels)
        return Weighed(self._sorted(own, levels), others, is_compared=True)

    def _cost(self, at: int) -> Levels:
        """What the answer stream that was followed costs."""
        found: dict[int, int] = {}
        for weight, level, *_ in dict.fromkeys(self._tuples(at)):
            if type(weight) is int and type(level) is int:
                found[level] = found.get(level, 0) + weight
        return found

    def _tuples(self, at: int) -> Iterator[tuple[object, ...]]:
        for one in self._constraints:
            terms = (one.weight, one.priority, *one.terms)
            for binding in self._search.instances(one.body, {}, at):
                yield from self._search.terms.rows(terms, binding, at)

    def _sorted(self, costs: Levels, levels: Iterable[int]) -> tuple[tuple[int, int | str], ...]:
        """The costs at some levels, the highest first."""
        return tuple((one, self._written(costs.get(one, 0), one)) for one in sorted({*levels}, reverse=True))

    def _written(self, cost: int, level: int) -> int | str:
        decimals = self._numbers.of_costs(self._constraints, level)
        return decimal_text(cost, decimals) if decimals and isinstance(decimals, int) else cost
