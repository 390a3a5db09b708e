"""The systems, and whether they find the same pairs."""

import os
import random
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from experiments.jobs.whole import has_module
from experiments.throughput.events import PROGRAM, WINDOW, lines

_PAIRS = re.compile(r"match\((\d+),(\d+)\)")
_FOLDER = "experiments.throughput"
OWN = "lars2asp"
"""The name of the product among systems."""


@dataclass(frozen=True)
class StreamSystem:
    """A system that joins from standard input to standard output.

    Attributes:
        name: its name.
        command: begins it.
    """

    name: str
    command: Sequence[str]


class DifferentPairsError(Exception):
    """A system finds other pairs than a plain loop."""


def systems(folder: Path, peers: str) -> Sequence[StreamSystem]:
    """Those that are there.

    Args:
        folder: takes the program of the product.
        peers: an interpreter that has other systems.
    """
    program = folder / "join.lars"
    program.write_text(PROGRAM)
    own = [sys.executable, "-m", "lars2asp", "run", str(program), "--input", "-", "--changes"]
    found = [StreamSystem(OWN, own)]
    modules = {"bytewax": "bytewax_flow", "pathway": "pathway_table"}
    found += [
        StreamSystem(name, [peers, "-m", f"{_FOLDER}.{module}"])
        for name, module in modules.items()
        if has_module(peers, name)
    ]
    return [*found, StreamSystem("Ticker's encoding", [sys.executable, "-m", f"{_FOLDER}.ticker_stream"])]


def environment() -> Mapping[str, str]:
    """That of a process: it keeps the byte code of modules, as installed ones have it."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def compare(system: StreamSystem, ticks: int = 2 * WINDOW, number: int = 20) -> int:
    """Holds the pairs of a system to those of a plain loop; how many there are.

    Raises:
        DifferentPairsError: if it has others.
    """
    choose = random.Random(13)
    stream = b"".join(lines(tick, number, choose) for tick in range(ticks))
    done = subprocess.run(system.command, input=stream, capture_output=True, check=False, env=environment())
    if done.returncode:
        raise DifferentPairsError(f"{system.name} ended with {done.returncode}: {done.stderr.decode()}")
    found = {(int(one), int(other)) for one, other in _PAIRS.findall(done.stdout.decode())}
    expected = _joined(stream)
    if found != expected:
        differing = sorted(found ^ expected)
        raise DifferentPairsError(f"{system.name} differs in {len(differing)} pairs: {differing[:3]}")
    return len(expected)


def _joined(stream: bytes) -> set[tuple[int, int]]:
    events = [record for line in stream.splitlines() if "item" in (record := orjson.loads(line))]
    orders = [one for one in events if "order" in one]
    return {
        (order["order"], payment["payment"])
        for payment in events
        if "payment" in payment
        for order in orders
        if order["item"] == payment["item"] and abs(order["time"] - payment["time"]) <= WINDOW
    }
