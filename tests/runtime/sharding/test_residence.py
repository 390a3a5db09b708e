"""Reasoners that stay from batch to batch, and the memory of their process."""

import pytest

from lars2asp.runtime.reasoning import memory
from lars2asp.runtime.reasoning.memory import MemoryGrowth
from lars2asp.runtime.sharding.residence import Residence, ShardCall
from lars2asp.runtime.sharding.shard import BatchResult, ShardReasoner, ShardState


class Greedy(ShardReasoner):
    """Takes memory when it is made, and at each call."""

    makes_symbols = True
    start = None
    is_in_blocks = False

    def __init__(self, taken: list[int], made: int, each: int) -> None:
        self._taken_memory, self._each = taken, each
        taken[0] += made

    def take(self, *_: object) -> BatchResult:
        self._taken_memory[0] += self._each
        return BatchResult([], None, b"", 0, 0)

    def next_tick(self) -> None:
        return None


@pytest.mark.parametrize(("each", "grown_at"), [(0, None), (20, 8)])
def test_only_what_comes_after_reasoners_were_made_is_growth(
    monkeypatch: pytest.MonkeyPatch, each: int, grown_at: int | None
) -> None:
    taken = [0]
    monkeypatch.setattr(memory, "memory_in_use", lambda: taken[0])

    def reasoner_of(number: int, state: ShardState | None) -> Greedy:
        return Greedy(taken, 100, each)

    residence = Residence(reasoner_of, MemoryGrowth(100))
    names: dict[int, str] = {}
    for call in range(12):
        shard = call % 3
        assert residence.take(ShardCall(shard, names.get(shard), f"{call}", [], 0)) is not None
        names[shard] = f"{call}"
        if residence.has_grown:
            assert call == grown_at
            return
    assert grown_at is None
