"""The join as a dataflow of bytewax, from standard input to standard output."""

import os
import select
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

import bytewax.operators as op
import orjson
from bytewax.dataflow import Dataflow
from bytewax.inputs import DynamicSource, StatelessSourcePartition
from bytewax.outputs import DynamicSink, StatelessSinkPartition
from bytewax.testing import run_main

from experiments.jobs.peers.bytewax_logics import Join


class Reading(StatelessSourcePartition[bytes]):
    """The lines that are there."""

    def __init__(self) -> None:
        self._kept = b""
        self._is_over = False

    def next_batch(self) -> list[bytes]:
        """These."""
        if self._is_over:
            raise StopIteration
        if not select.select([0], [], [], 0)[0]:
            return []
        piece = os.read(0, 2**18)
        self._is_over = not piece
        *found, self._kept = (self._kept + piece).split(b"\n")
        return found

    def next_awake(self) -> datetime:
        """In a millisecond."""
        return datetime.now(UTC) + timedelta(milliseconds=1)


class Input(DynamicSource[bytes]):
    """Standard input."""

    def build(self, step_id: str, worker_index: int, worker_count: int) -> Reading:
        """Reads it."""
        return Reading()


class Writing(StatelessSinkPartition[bytes]):
    """Lines, as they come."""

    def write_batch(self, items: list[bytes]) -> None:
        """Writes them."""
        sys.stdout.buffer.write(b"".join(items))
        sys.stdout.buffer.flush()


class Output(DynamicSink[bytes]):
    """Standard output."""

    def build(self, step_id: str, worker_index: int, worker_count: int) -> Writing:
        """Writes to it."""
        return Writing()


def read(line: bytes) -> tuple[str, tuple[int, bool, int]] | None:
    """An event by its item; none where a line says that a tick begins."""
    record = orjson.loads(line)
    if "item" not in record:
        return None
    is_order = "order" in record
    number = record["order" if is_order else "payment"]
    return str(record["item"]), (record["time"], is_order, number)


def line_of(found: tuple[str, tuple[int, int | None, str]]) -> bytes:
    """An answer with its interval."""
    begin, end, pair = found[1]
    return f"{begin},{end},match({pair})\n".encode()


def flow() -> Dataflow:
    """The dataflow."""
    made = Dataflow("join")
    events: Any = op.filter_map("read", op.input("lines", made, Input()), read)
    found = op.stateful_batch("windows", events, lambda _: Join())
    op.output("write", op.map("line", found, line_of), Output())
    return made


if __name__ == "__main__":
    run_main(flow())
