"""Processes that have the reasoners of shards, and get their orders over pipes."""

import signal
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import NamedTuple

from lars2asp.compiler import compile_part
from lars2asp.runtime.sharding.shard import ShardReasoner
from lars2asp.runtime.sharding.shard_spec import ShardSettings, ShardSpec
from lars2asp.runtime.tuning import Tuning

NO_STATES = Tuning(shard_journal=sys.maxsize, work_between_states=sys.maxsize)
"""States are for whoever goes on after a crash: nobody does here, so that none are made."""

PATIENCE = 5.0
"""Seconds after which a worker that was asked to end is killed."""


class WorkerError(Exception):
    """A worker failed, or is gone."""


class ShardOrder(NamedTuple):
    """An order to a shard: packets to take, and a tick to go on to.

    Attributes:
        shard: its number.
        tick: the tick that it goes on to.
        packets: the data of the packets that it takes before.
    """

    shard: int
    tick: int
    packets: Sequence[bytes]


class ShardResult(NamedTuple):
    """The result of an order.

    Attributes:
        shard: the number of the shard.
        packets: targets and data.
        due: the first later tick at which it has something to do without any input; None for none.
    """

    shard: int
    packets: Sequence[tuple[int, bytes]]
    due: int | None


class Round(NamedTuple):
    """The results of orders that were done side by side.

    Attributes:
        results: of all of them.
        messages: how many processes had some.
        longest: CPU time of the process that had most to do, in microseconds.
    """

    results: Sequence[ShardResult]
    messages: int
    longest: int


class Workers:
    """Processes, each with some of the shards; they end with this one, or when they are closed.

    They are spawned: a process that is forked has the pipes of those before it as well, so that none of them
    would see that this one is gone.

    Args:
        specs: of all shards, by number.
        places: for each shard its process.
        settings: how reasoners run.
    """

    def __init__(self, specs: Sequence[ShardSpec], places: Sequence[int], settings: ShardSettings) -> None:
        self._places = places
        context = get_context("spawn")
        self._processes = []
        self._pipes: list[Connection] = []
        for place in range(max(places) + 1):
            mine, its = context.Pipe()
            own = [spec for spec, here in zip(specs, places, strict=True) if here == place]
            process = context.Process(target=_work, args=(its, own, settings), daemon=True)
            process.start()
            its.close()
            self._processes.append(process)
            self._pipes.append(mine)
        for pipe in self._pipes:
            _received(pipe)

    @property
    def processes(self) -> Sequence[int]:
        """Their process numbers."""
        return [process.pid for process in self._processes if process.pid is not None]

    def run(self, orders: Iterable[ShardOrder]) -> Round:
        """Has orders done side by side, and waits for all.

        Raises WorkerError if a worker fails.
        """
        by_place: dict[int, list[ShardOrder]] = {}
        for order in orders:
            by_place.setdefault(self._places[order.shard], []).append(order)
        try:
            for place, here in by_place.items():
                self._pipes[place].send(here)
        except OSError as error:
            raise WorkerError("a worker is gone") from error
        results: list[ShardResult] = []
        longest = 0
        for place in by_place:
            found, spent = _received(self._pipes[place])
            results += found
            longest = max(longest, spent)
        return Round(results, len(by_place), longest)

    def close(self) -> None:
        """Ends the processes."""
        for pipe in self._pipes:
            with suppress(OSError):
                pipe.send(None)
            pipe.close()
        for process in self._processes:
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()
        self._pipes.clear()
        self._processes.clear()


def _received(pipe: Connection) -> tuple[list[ShardResult], int]:
    """Results, and the CPU time that they took in microseconds."""
    try:
        received: tuple[list[ShardResult], int] | str = pipe.recv()
    except (EOFError, OSError) as error:
        raise WorkerError("a worker is gone") from error
    if isinstance(received, str):
        raise WorkerError(received)
    return received


def _work(pipe: Connection, specs: Sequence[ShardSpec], settings: ShardSettings) -> None:
    """Runs a worker, until its pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        reasoners = {
            spec.shard.number: ShardReasoner(spec, compile_part(spec.shard.part, settings.semantics))
            for spec in specs
        }
        pipe.send(([], 0))
        while (orders := pipe.recv()) is not None:
            begin = time.process_time_ns()
            results = [done(reasoners[order.shard], order) for order in orders]
            pipe.send((results, (time.process_time_ns() - begin) // 1000))
    except (EOFError, OSError):
        return
    except Exception as error:
        with suppress(OSError):
            pipe.send(f"{type(error).__name__}: {error}")


def done(reasoner: ShardReasoner, order: ShardOrder) -> ShardResult:
    """Has a reasoner do what it is to do."""
    taken = reasoner.take(order.packets, None, order.tick)
    packets = [(packet.target, packet.data) for packet in taken.packets]
    return ShardResult(order.shard, packets, reasoner.next_tick())
