"""Latency at a rate, and its file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.kept_results import read_rows, write_rows
from experiments.measuring.machine import Machine

NAME = "throughput"
"""That of the files."""

_HEADING = (
    *("system", "tick, ms", "events a second", "ticks"),
    *("median, ms", "99th percentile, ms", "lost"),
)


@dataclass(frozen=True)
class Latency:
    """What was measured at a rate.

    Attributes:
        system: the name of the system.
        tick: milliseconds of a tick.
        rate: events in a second.
        ticks: how many ticks counted.
        median: milliseconds from when a tick is due to its answer; infinite where there is none in the end.
        high: the 99th percentile of these.
        lost: ticks without an answer in the end.
    """

    system: str
    tick: float
    rate: int
    ticks: int
    median: float
    high: float
    lost: int

    @property
    def is_sustained(self) -> bool:
        """Whether answers come within a tick, but for one in a hundred."""
        return self.high <= self.tick


def by_system(found: Sequence[Latency]) -> Mapping[str, Sequence[Latency]]:
    """What was measured of each system, at growing rates."""
    systems: dict[str, list[Latency]] = {}
    for one in found:
        systems.setdefault(one.system, []).append(one)
    return systems


def sustained(found: Sequence[Latency]) -> Mapping[str, int]:
    """By systems: the highest rate that each sustains; 0 if none."""
    return {
        system: max((one.rate for one in own if one.is_sustained), default=0)
        for system, own in by_system(found).items()
    }


def write(folder: Path, found: Sequence[Latency], machine: Machine) -> None:
    """Writes what was measured, and on what."""
    rows = (
        (
            *(one.system, f"{one.tick:g}", one.rate, one.ticks),
            *(f"{one.median:.2f}", f"{one.high:.2f}", one.lost),
        )
        for one in found
    )
    write_rows(folder, NAME, _HEADING, rows, machine)


def read(folder: Path) -> Sequence[Latency]:
    """Reads what was measured; nothing if there is no file."""
    return [
        Latency(system, float(tick), int(rate), int(ticks), float(middle), float(high), int(lost))
        for system, tick, rate, ticks, middle, high, lost in (row.values() for row in read_rows(folder, NAME))
    ]
