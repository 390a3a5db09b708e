"""A rule with a box and a diamond, and a chain of rules above it, written by hand."""

from collections import deque
from collections.abc import Sequence

from experiments.by_hand.program import ByHand
from experiments.engine import AnswerChanges, Fact


class Guarded(ByHand):
    """`q1(A,B) :- p(A) always in [n], r(A,B) in [n].` and `qi(A,B) :- qj(A,B), r(A,B) in [n].`, i = j + 1.

    No r(a,b) may come twice within the window.
    """

    def __init__(self, n: int, rules: int) -> None:
        self._n = n
        self._heads = [f"q{i + 1}" for i in range(rules)]
        self._since: dict[int, int] = {}
        self._pairs: dict[int, set[int]] = {}
        self._leaving: deque[list[Fact]] = deque()
        self._open: set[int] = set()
        """The a whose box holds."""

    def step(self, tick: int, facts: Sequence[Fact]) -> AnswerChanges:
        """Moves on to a tick; the first is 0."""
        first, pairs, opened = max(0, tick - self._n), self._pairs, self._open
        since: dict[int, int] = {}
        new: list[Fact] = []
        for fact in facts:
            if fact[0] == "p":
                since[fact[1]] = self._since.get(fact[1], tick)
            else:
                new.append(fact)
        self._since = since
        holding = {a for a, began in since.items() if began <= first}
        began: list[tuple[int, int]] = []
        ended: list[tuple[int, int]] = []
        for a in opened - holding:
            ended += [(a, b) for b in pairs.get(a, ())]
        self._leaving.append(new)
        if len(self._leaving) > self._n + 1:
            for _, a, b in self._leaving.popleft():
                pairs[a].discard(b)
                if a in opened and a in holding:
                    ended.append((a, b))
        for _, a, b in new:
            pairs.setdefault(a, set()).add(b)
            if a in opened and a in holding:
                began.append((a, b))
        for a in holding - opened:
            began += [(a, b) for b in pairs.get(a, ())]
        self._open = holding
        heads = self._heads
        return AnswerChanges(
            [(head, a, b) for a, b in began for head in heads],
            [(head, a, b) for a, b in ended for head in heads],
        )
