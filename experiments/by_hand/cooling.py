"""The rules of the cooling system, written by hand."""

from collections import deque
from collections.abc import Sequence

from experiments.by_hand.program import ByHand
from experiments.engine import AnswerChanges, Fact


class Cooling(ByHand):
    """The program of `experiments.benchmarks.cooling`."""

    def __init__(self, n: int, degree: int) -> None:
        self._n = n
        self._degree = degree
        self._now: set[Fact] = set()
        self._moments: deque[tuple[int, list[Fact]]] = deque()
        """Readings that were very hot or very cold, by their tick."""
        self._since: dict[str, int] = {}
        """Since when there was a reading of a kind at every tick."""

    def step(self, tick: int, facts: Sequence[Fact]) -> AnswerChanges:
        """Moves on to a tick; the first is 0, and none is left out."""
        one, steam, very_hot = self._degree, 100 * self._degree, 150 * self._degree
        now: set[Fact] = set()
        kinds: set[str] = set()
        moments: set[Fact] = set()
        for _, value in facts:
            if value >= steam:
                now.add(("steam", value))
                kinds.add("isSteam")
                if value >= very_hot:
                    moments.add(("veryHot", tick))
            elif value >= one:
                now.add(("liquid", value))
                kinds.add("isLiquid")
                if value == one:
                    moments.add(("veryCold", tick))
        self._since = {kind: self._since.get(kind, tick) for kind in kinds}
        first = max(0, tick - self._n)
        now.update((kind,) for kind in kinds)
        full = {kind for kind, since in self._since.items() if since <= first}
        now.update((name,) for name, kind in (("alarm", "isSteam"), ("normal", "isLiquid")) if kind in full)
        if not full:
            now.add(("freeze",))
        self._moments.append((tick, list(moments)))
        left = self._moments.popleft()[1] if self._moments[0][0] < first else []
        began, ended = [*(now - self._now), *moments], [*(self._now - now), *left]
        self._now = now
        return AnswerChanges(began, ended)
