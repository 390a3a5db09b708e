"""The parts of a program side by side or one behind the other, in processes.

A hub in this process addresses the input, hands on what parts derive to those above them, and puts
the changes of the output together; reasoners are in workers.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from experiments.engine import AnswerChanges, Fact
from experiments.engines.product import product_fact
from experiments.engines.stages import stages
from experiments.engines.workers import (
    NO_STATES,
    ShardOrder,
    ShardResult,
    WorkerError,
    Workers,
)
from lars2asp.compiler import CheckedProgram
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.sharding.blocks import Block, read, written
from lars2asp.runtime.sharding.layout import Layout, Routes
from lars2asp.runtime.sharding.packets import OUTPUT, PacketSign
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sharding.shard_spec import ShardSettings, ShardSpec
from lars2asp.runtime.sources.facts.atoms import to_rows
from lars2asp.splitting.parts import Split
from lars2asp.splitting.split import split


@dataclass
class _Flight:
    """A tick on its way through the levels.

    Attributes:
        tick: which one.
        packets: the packets that shards are still to get, by number.
        began: what begins to be output.
        ended: what is not any more.
    """

    tick: int
    packets: dict[int, list[bytes]]
    began: list[AtomRows] = field(default_factory=list)
    ended: list[AtomRows] = field(default_factory=list)


class _Hub:
    """Has ticks evaluated by the shards of a layout, level by level."""

    def __init__(
        self, layout: Layout, places: Sequence[int], settings: ShardSettings, make_workers: type[Workers]
    ) -> None:
        shards = layout.shards
        self.layout = layout
        self.counts = {"messages": 0, "packets": 0, "bytes": 0, "longest": 0}
        self._levels = [[shard.number for shard in layout.at_level(n)] for n in range(layout.split.levels)]
        self._level_of = [shard.part.level for shard in shards]
        self._router = Router(Routes(shards, of_input=True))
        self._due: list[int | None] = [None] * len(shards)
        self._has_begun = False
        above = [layout.routes_above(level) for level in range(layout.split.levels)]
        specs = [ShardSpec(shard, settings, above[shard.part.level]) for shard in shards]
        self.workers = make_workers(specs, places, settings)

    def flight(self, tick: int, facts: Sequence[AtomRows]) -> _Flight:
        """Addresses the facts of a tick."""
        self._router.add_atoms(tick, PacketSign.FACT, facts)
        packets = {one.target: [one.data] for one in self._router.packets() if one.target != OUTPUT}
        if not self._has_begun:
            self._has_begun = True
            start = written([Block.at(tick, PacketSign.START)])
            for shard in range(len(self._due)):
                packets.setdefault(shard, []).append(start)
        return _Flight(tick, packets)

    def evaluate(self, flights: Mapping[int, _Flight]) -> None:
        """Has each tick evaluated by the shards of one level, given by its number, all side by side."""
        orders = []
        for level, flight in flights.items():
            for shard in self._levels[level]:
                packets, due = flight.packets.pop(shard, ()), self._due[shard]
                if packets or (due is not None and due <= flight.tick):
                    orders.append(ShardOrder(shard, flight.tick, packets))
                    self.counts["packets"] += len(packets)
                    self.counts["bytes"] += sum(map(len, packets))
        results, messages, longest = self.workers.run(orders)
        self.counts["messages"] += messages
        self.counts["longest"] += longest
        for result in results:
            self._take(result, flights[self._level_of[result.shard]])

    def _take(self, result: ShardResult, flight: _Flight) -> None:
        self._due[result.shard] = result.due
        for target, packet in result.packets:
            if target != OUTPUT:
                flight.packets.setdefault(target, []).append(packet)
                continue
            for block in read(packet):
                if block.sign == PacketSign.REJECTED:
                    raise WorkerError(str(block.rows[0][0]))
                changes = flight.began if block.sign == PacketSign.BEGAN else flight.ended
                changes.append(AtomRows(block.signature, block.rows))


class ProcessEngine:
    """The common base of both engines. Facts and atoms of answers are rows of predicates.

    Attributes:
        lag: how many ticks the changes that `step` gives are behind.
    """

    def __init__(self, hub: _Hub, lag: int = 0) -> None:
        self._hub = hub
        self.lag = lag

    @property
    def layout(self) -> Layout:
        """The shards."""
        return self._hub.layout

    @property
    def processes(self) -> Sequence[int]:
        """The process numbers of the workers."""
        return self._hub.workers.processes

    @property
    def counts(self) -> Mapping[str, int]:
        """Messages to workers, packets in them, the length of these, and the longest way through the workers.

        That is the CPU time, in microseconds, of the busiest worker while all others wait for it, summed up:
        what workers would take at least if there were a processor for each of them.
        """
        return dict(self._hub.counts)

    def facts(self, facts: Sequence[Fact]) -> Sequence[AtomRows]:
        """Facts as rows."""
        return to_rows(map(product_fact, facts))

    def texts(self, atoms: Collection[AtomRows]) -> Sequence[str]:
        """The atoms as text."""
        return [text for signature, rows in atoms for text in atom_texts(signature, rows)]

    def close(self) -> None:
        """Ends the workers."""
        self._hub.workers.close()


class SplitEngine(ProcessEngine):
    """Parts of a program in processes, the facts of each tick split among them, their answers put together.

    As StreamRule has it (Pham, Ali, Mileo 2019): parts by the dependencies of the input; where atoms have
    keys, copies for the buckets of them.

    Args:
        program: a checked program.
        workers: how many processes there are at most; as many as this machine has processors if not given.
        in_levels: whether parts may listen to others, which makes more and smaller ones; else each looks at
            the input alone, as there.
        parts: the parts; those of the product if not given.
        make_workers: what has the reasoners.
    """

    def __init__(
        self,
        program: CheckedProgram,
        workers: int | None = None,
        *,
        in_levels: bool = False,
        parts: Split | None = None,
        make_workers: type[Workers] = Workers,
    ) -> None:
        most = workers or os.cpu_count() or 1
        parts = parts or split(program.program, program.semantics, pipelined=in_levels)
        layout = Layout.for_partitions(parts, most)
        places = layout.places(min(most, len(layout.shards)))
        super().__init__(
            _Hub(layout, places, ShardSettings(program.semantics, tuning=NO_STATES), make_workers)
        )

    def step(self, tick: int, facts: Sequence[AtomRows]) -> AnswerChanges:
        """Moves on to a tick. Raises WorkerError if a worker fails."""
        flight = self._hub.flight(tick, facts)
        for level in range(self.layout.split.levels):
            self._hub.evaluate({level: flight})
        return AnswerChanges(flight.began, flight.ended)


class PipelinedEngine(ProcessEngine):
    """Parts of a program one behind the other, each level at work on the tick after that of the level above.

    Eiter, Ogris, Schekotihin (2019).

    Args:
        program: a checked program.
        workers: how many processes there are at most; as many as this machine has processors if not given.
        commits: whether a program that may have several answer streams is cut into stages, each of which
            commits itself before the next (see `stages`); otherwise it is one part.
        evaluator: the evaluator of each part.
        make_workers: what has the reasoners.

    Raises:
        StagesError: if it is to be cut into stages and cannot be.
    """

    def __init__(
        self,
        program: CheckedProgram,
        workers: int | None = None,
        *,
        commits: bool = False,
        evaluator: EvaluatorName = EvaluatorName.AUTO,
        make_workers: type[Workers] = Workers,
    ) -> None:
        most = workers or os.cpu_count() or 1
        layout = Layout(parts := _pipeline(program, commits=commits), (1,) * len(parts.parts))
        count = min(most, len(layout.shards))
        # levels work at the same time, so that they must not all begin with the first process
        places = [
            (place + shard.part.level) % count
            for place, shard in zip(layout.places(count), layout.shards, strict=True)
        ]
        settings = ShardSettings(program.semantics, evaluator=evaluator, tuning=NO_STATES)
        super().__init__(
            _Hub(layout, places, settings, make_workers),
            layout.split.levels - 1,
        )
        self._flights: list[_Flight | None] = [None] * self.lag
        """The ticks on their way, the latest first."""

    def step(self, tick: int, facts: Sequence[AtomRows]) -> AnswerChanges:
        """Moves on to a tick, with the changes of the tick `lag` before; none as long as there is none.

        Raises WorkerError if a worker fails.
        """
        done = self.put(tick, facts)
        return AnswerChanges((), ()) if done is None else done[1]

    def put(self, tick: int, facts: Sequence[AtomRows]) -> tuple[int, AnswerChanges] | None:
        """Moves on to a tick; gives the tick that is over with that, and its changes.

        Raises WorkerError if a worker fails.
        """
        return self._advance(self._hub.flight(tick, facts))

    @property
    def is_under_way(self) -> bool:
        """Whether ticks are on their way that are not over."""
        return any(flight is not None for flight in self._flights)

    def advance(self) -> tuple[int, AnswerChanges] | None:
        """Has the ticks that are on their way go on by a level, as `put` does, without a new one."""
        return self._advance(None)

    def drain(self) -> Iterator[tuple[int, AnswerChanges]]:
        """The ticks that are still on their way, and their changes, once there are no more."""
        while self.is_under_way:
            done = self.advance()
            if done is not None:
                yield done

    def _advance(self, flight: _Flight | None) -> tuple[int, AnswerChanges] | None:
        """Each tick on its way goes on by a level; the one that was at the last of them is done."""
        flights = [flight, *self._flights]
        self._hub.evaluate({level: one for level, one in enumerate(flights) if one is not None})
        *self._flights, done = flights
        return None if done is None else (done.tick, AnswerChanges(done.began, done.ended))


def _pipeline(program: CheckedProgram, *, commits: bool) -> Split:
    parts = split(program.program, program.semantics, by_key=False, pipelined=True)
    return stages(program.program) if parts.is_whole and commits else parts
