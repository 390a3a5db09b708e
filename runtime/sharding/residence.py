"""Reasoners of shards that stay from batch to batch, under the names of the states that they are in."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from lars2asp.runtime.reasoning.memory import MemoryGrowth, memory_in_use
from lars2asp.runtime.sharding.shard import BatchResult, ShardReasoner, ShardState

ReasonerOf = Callable[[int, ShardState | None], ShardReasoner]
"""Makes the reasoner of a shard, given by the carrier's number of it, from a state, or without one."""


class ShardCall(NamedTuple):
    """Packets for a shard.

    Attributes:
        number: which shard.
        before: the name of the state that the reasoner must be in; None before the first.
        after: the name of the state that it will be in.
        packets: the data of the packets.
        over: the ticks up to this one are over, and input for them comes too late; None for none.
        state: the state, where the reasoner is to be made from it.
    """

    number: int
    before: str | None
    after: str
    packets: Sequence[bytes]
    over: int | None
    state: ShardState | None = None


class Measures(NamedTuple):
    """What a call took.

    Attributes:
        facts: the number of atoms that were taken.
        late: the number of those that came too late.
        seconds: the processor time.
        rebuilds: 1 if the reasoner was made from its state, else 0.
        memory: in bytes, of the process that keeps the reasoner, others among them.
        blocks: 1 if the reasoner evaluates blocks of ticks, 0 if it goes tick by tick, or has none yet.
    """

    facts: int
    late: int
    seconds: float
    rebuilds: int
    memory: int
    blocks: int


class ShardReply(NamedTuple):
    """What comes of a call.

    Attributes:
        result: packets and what is to be kept.
        next_tick: the first tick that has atoms or a change once it is over; None for none.
        start: the first tick of the timeline as far as it is known.
        measures: what it took.
    """

    result: BatchResult
    next_tick: int | None
    start: int | None
    measures: Measures


class Residence:
    """Keeps reasoners.

    A batch that fails is done again, so that a reasoner is used only if it is in the very state that the
    carrier has kept, and otherwise made anew from that.

    Args:
        reasoner_of: makes reasoners.
        growth: looks after the memory of this process.

    Attributes:
        has_grown: whether clingo's symbols, which are never freed, have made the process grow too much.
    """

    def __init__(self, reasoner_of: ReasonerOf, growth: MemoryGrowth) -> None:
        self._reasoner_of = reasoner_of
        self._growth = growth
        self._kept: dict[int, tuple[str, ShardReasoner]] = {}
        self.has_grown = False

    def take(self, call: ShardCall) -> ShardReply | None:
        """Has a shard take packets; None where its state is wanted. Raises as ShardReasoner does."""
        name, reasoner = self._kept.pop(call.number, (None, None))
        if name != call.before or reasoner is None:
            if call.before is not None and call.state is None:
                return None
            reasoner = None
        begin = time.process_time()
        is_rebuilt = reasoner is None and call.state is not None
        if reasoner is None:
            reasoner = self._reasoner_of(call.number, call.state)
            self._growth.begin_anew()
        result = reasoner.take(call.packets, call.over, call.over)
        self._kept[call.number] = call.after, reasoner
        self.has_grown = reasoner.makes_symbols and self._growth.is_too_much()
        seconds = time.process_time() - begin
        took = result.facts, result.late, seconds, int(is_rebuilt), memory_in_use()
        measures = Measures(*took, blocks=int(reasoner.is_in_blocks))
        return ShardReply(result, reasoner.next_tick(), reasoner.start, measures)
