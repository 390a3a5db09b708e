"""One rule over one window or two, written by hand."""

from collections import deque
from collections.abc import Sequence

from experiments.by_hand.program import ByHand
from experiments.engine import AnswerChanges, Fact


class DiamondByHand(ByHand):
    """`q(A,B) :- p(A,B) in [n].`"""

    def __init__(self, n: int) -> None:
        self._n = n
        self._last: dict[Fact, int] = {}
        self._arrivals: deque[tuple[int, Sequence[Fact]]] = deque()

    def step(self, tick: int, facts: Sequence[Fact]) -> AnswerChanges:
        """Moves on to a tick."""
        last, began, ended = self._last, [], []
        for fact in facts:
            if fact not in last:
                began.append(("q", fact[1], fact[2]))
            last[fact] = tick
        self._arrivals.append((tick, facts))
        while self._arrivals[0][0] < tick - self._n:
            then, gone = self._arrivals.popleft()
            for fact in gone:
                if last[fact] == then:
                    del last[fact]
                    ended.append(("q", fact[1], fact[2]))
        return AnswerChanges(began, ended)


class BoxByHand(ByHand):
    """`q(X) :- p(X) always in [n].`, X being any number of arguments."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._since: dict[Fact, int] = {}
        self._full: set[Fact] = set()

    def step(self, tick: int, facts: Sequence[Fact]) -> AnswerChanges:
        """Moves on to a tick; the first is 0."""
        before, self._since = self._since, {}
        full = set()
        first = max(0, tick - self._n)
        for fact in facts:
            since = self._since[fact] = before.get(fact, tick)
            if since <= first:
                full.add(("q", *fact[1:]))
        began, ended = full - self._full, self._full - full
        self._full = full
        return AnswerChanges(began, ended)


class JoinByHand(ByHand):
    """`q(A,C) :- p(A,B) in [n], p(B,C) in [n].`, for some heads in place of q."""

    def __init__(self, n: int, heads: Sequence[str] = ("q",)) -> None:
        self._n = n
        self._heads = heads
        self._by_first: dict[int, dict[int, int]] = {}
        """Arguments of `p` by the first, with the last tick at which the fact is in the window."""
        self._by_second: dict[int, dict[int, int]] = {}
        self._leaving: deque[Sequence[Fact]] = deque()
        self._until: dict[tuple[int, int], int] = {}
        """The pairs of the answer, with the last tick at which they are known to be in it."""
        self._ending: dict[int, list[tuple[int, int]]] = {}

    def step(self, tick: int, facts: Sequence[Fact]) -> AnswerChanges:
        """Moves on to a tick; the first is 0, and none is left out."""
        by_first, by_second, until, ending = self._by_first, self._by_second, self._until, self._ending
        heads = self._heads
        self._leaving.append(facts)
        if len(self._leaving) > self._n + 1:
            self._forget(self._leaving.popleft(), tick - 1)
        end = tick + self._n
        for _, a, b in facts:
            by_first.setdefault(a, {})[b] = end
            by_second.setdefault(b, {})[a] = end
        began: list[Fact] = []
        for _, a, b in facts:
            found = [(a, c, last) for c, last in by_first.get(b, {}).items()]
            found += [(o, b, last) for o, last in by_second.get(a, {}).items()]
            for one, other, last in found:
                known = until.get((one, other))
                if known is None:
                    began += [(head, one, other) for head in heads]
                if known is None or last > known:
                    until[one, other] = last
                    ending.setdefault(last, []).append((one, other))
        ended: list[Fact] = []
        for pair in ending.pop(tick - 1, ()):
            if until[pair] == tick - 1:
                del until[pair]
                ended += [(head, *pair) for head in heads]
        return AnswerChanges(began, ended)

    def _forget(self, facts: Sequence[Fact], end: int) -> None:
        """Forgets those of the facts that leave the window after a tick."""
        for _, a, b in facts:
            if self._by_first[a][b] == end:
                del self._by_first[a][b], self._by_second[b][a]
                if not self._by_first[a]:
                    del self._by_first[a]
                if not self._by_second[b]:
                    del self._by_second[b]
