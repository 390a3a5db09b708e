"""Systems with rules: clingo at one tick of a job alone, telingo and MeTeoR over a short trace of it."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from experiments.failures import FailedProcessError, reason_of
from experiments.jobs.answers import Form, Intervals, read
from experiments.jobs.costs import machine_with
from experiments.jobs.part import Settings, Table
from experiments.jobs.peers.clingo_ticks import facts
from experiments.jobs.processes import used_by
from experiments.jobs.program_lines import lines_of_entry, lines_of_text
from experiments.jobs.ten import TEN
from experiments.jobs.tick_costs import TickCost, write
from experiments.jobs.whole import LEAST, Way, Work, compare, has_module
from experiments.kept_results import FOLDER

AT_A_TICK = {
    "logins": 20_000,
    "join": 20_000,
    "absence": 20_000,
    "topten": 10_000,
    "sessions": 10_000,
    "closure": 500,
}
"""Rows of the streams."""

PEERS = Path(__file__).parent / "peers"

CANNOT = {
    "clingo": "knows no time: the user cuts windows, and each tick starts over",
    "telingo": "needs counters for a window of ticks, every tick, and a known end; absence over 180 ticks of "
    "2,000 hosts would take 360,000 counters",
    "MeTeoR": "lacks `not`, aggregates and windows over arrivals, and takes a whole stream at once; eight of "
    "the ten jobs need one of these",
}


class FailedPeerError(Exception):
    """Another system failed, or gave other answers than the plain loop."""


class Peer(NamedTuple):
    """Another system, the module that runs it, and the one that it is."""

    name: str
    module: str
    package: str


TELINGO = Peer("telingo", "telingo_traces", "telingo")
METEOR = Peer("MeTeoR", "meteor_rules", "meteor_reasoner")
PACKAGES = ("clingo", "telingo", "meteor-reasoner")

TRACES: Mapping[Peer, Mapping[str, int]] = {
    TELINGO: {"logins": 600, "join": 600, "sessions": 400, "closure": 120},
    METEOR: {"join": 20_000, "closure": 500},
}
"""Rows of the streams of those that take a trace."""


def tables(settings: Settings) -> Iterator[Table]:
    """Three tables, and what each cannot say."""
    headings = [
        "job",
        "rows",
        "ticks",
        "system",
        "whole, s",
        "start-up, s",
        "ms a tick",
        "memory, MiB",
        "lines",
    ]
    machine = machine_with(settings.peers, PACKAGES)  # before, as files may change meanwhile
    kept: list[TickCost] = []
    failed: list[Sequence[str]] = []

    def rows_of(system: str, name: str, costs: Callable[[], Iterator[TickCost]]) -> Iterator[Sequence[str]]:
        """The rows of a job, or the reason why the system failed."""
        try:
            found = [*costs()]
        except FailedPeerError as error:
            failed.append([name, "", "", f"{system} failed: {reason_of(error)}", *[""] * 5])
            yield failed[-1]
        else:
            kept.extend(replace(one, runs=settings.runs) for one in found)
            yield from (one.cells for one in found)

    if has_module(settings.peers, "clingo"):
        yield Table(
            f"clingo at one tick alone; it {CANNOT['clingo']}; CPU",
            headings,
            [
                cells
                for name in AT_A_TICK
                for cells in rows_of("clingo", name, partial(at_a_tick, name, settings))
            ],
        )
    for peer, traces in TRACES.items():
        if not has_module(settings.peers, peer.package):
            yield Table(f"{peer.name}: not installed: skipped", headings, [])
            continue
        yield Table(
            f"{peer.name} over a trace; it {CANNOT[peer.name]}; CPU",
            headings,
            [
                cells
                for name, rows in traces.items()
                for cells in rows_of(
                    peer.name,
                    name,
                    partial(over_a_trace, peer, name, length_of(peer, name, rows, settings), settings),
                )
            ],
        )
    is_whole = {"clingo", *(peer.name for peer in TRACES)} <= {one.system for one in kept}
    if settings.is_all and is_whole and not failed:
        write(FOLDER, kept, machine)
    elif failed:
        yield Table("Nothing is kept, because systems failed", headings, failed)


def length_of(peer: Peer, name: str, rows: int, settings: Settings) -> int:
    """How many rows a trace has: what is short as it is remains so."""
    return rows if peer is TELINGO else settings.some(rows, LEAST.get(name, 2000))


def at_a_tick(name: str, settings: Settings) -> Iterator[TickCost]:
    """A row for clingo at the tick of most atoms, and one for the product over all ticks.

    Raises:
        FailedPeerError: if clingo fails, or finds other atoms at that tick than the plain loop.
    """
    rows = settings.some(AT_A_TICK[name], LEAST.get(name, 2000))
    with tempfile.TemporaryDirectory() as folder:
        work, first = _work(name, rows, Path(folder), settings)
        expected = work.answers(Way.LOOP)
        tick = max(
            {begin for found in expected.values() for begin, _ in found}, key=lambda at: _held(expected, at)
        )
        target = Path(folder) / "atoms"
        module = "experiments.jobs.peers.clingo_ticks"
        command = [settings.peers, "-m", module, name, str(work.source), str(target)]
        at_tick = [[*command, str(tick)] for _ in range(settings.runs)]
        whole = _medians(at_tick)
        if {*target.read_text().splitlines()} != {atom for atom in expected if _holds(expected, atom, tick)}:
            raise FailedPeerError(f"{name}: clingo differs from the plain loop at {tick}")
        start = _medians(
            [[*command, str(first - 1)] for _ in range(settings.runs)]
        )  # reads, and has no facts
        lines = lines_of_entry(PEERS / "clingo_ticks.py", "PROGRAMS", name)
        yield _cost(name, rows, 1, "clingo", whole, start, lines)
        yield _of_product(name, rows, work, first, settings)


def over_a_trace(peer: Peer, name: str, rows: int, settings: Settings) -> Iterator[TickCost]:
    """A row for another system and one for the product, over the same ticks.

    Raises:
        FailedPeerError: if the system fails, or finds other atoms than the plain loop.
    """
    with tempfile.TemporaryDirectory() as folder:
        work, first = _work(name, rows, Path(folder), settings)
        empty = Work.made(name, TEN[name], Path(folder) / "empty", 1)
        target = Path(folder) / "intervals"
        commands = [
            [settings.peers, "-m", f"experiments.jobs.peers.{peer.module}", name, str(source), str(target)]
            for source in (empty.source, work.source)
        ]
        start, whole = (_medians([command] * settings.runs) for command in commands)
        if read(target, Form.INTERVALS, work.last) != work.answers(Way.LOOP):
            raise FailedPeerError(f"{name}: {peer.name} differs from the plain loop")
        lines = lines_of_entry(PEERS / f"{peer.module}.py", "PROGRAMS", name)
        yield _cost(name, rows, work.last - first + 1, peer.name, whole, start, lines)
        yield _of_product(name, rows, work, first, settings)


def _work(name: str, rows: int, folder: Path, settings: Settings) -> tuple[Work, int]:
    """A job, done by the product and the plain loop, and its first tick."""
    settings.say(f"{name}: {rows} rows")
    work = Work.made(name, TEN[name], folder, rows)
    for way in (Way.LOOP, Way.CHANGES):
        work.run(way)
    compare(work, [Way.CHANGES])
    return work, next(facts(name, work.source))[0]


def _of_product(name: str, rows: int, work: Work, first: int, settings: Settings) -> TickCost:
    empty = Work.made(name, TEN[name], work.folder / "none", 1)
    whole = _of_way(work, settings.runs)
    start = _of_way(empty, settings.runs)
    lines = lines_of_text(TEN[name].program)
    return _cost(name, rows, work.last - first + 1, Way.CHANGES.value, whole, start, lines)


def _of_way(work: Work, runs: int) -> tuple[float, float]:
    found = [used for _ in range(runs) if (used := work.run(Way.CHANGES)) is not None]
    return median(one.cpu for one in found), max(one.memory for one in found)


def _medians(commands: Sequence[Sequence[str]]) -> tuple[float, float]:
    """The CPU seconds, and the bytes of memory, of another system. Raises FailedPeerError if it fails."""
    try:
        found = [used for command in commands if (used := used_by(command)) is not None]
    except FailedProcessError as error:
        raise FailedPeerError(str(error)) from None
    return median(one.cpu for one in found), max(one.memory for one in found)


def _cost(
    name: str,
    rows: int,
    ticks: int,
    system: str,
    whole: tuple[float, float],
    start: tuple[float, float],
    lines: int,
) -> TickCost:
    return TickCost(name, rows, ticks, system, whole[0], start[0], whole[1], lines)


def _holds(intervals: Intervals, atom: str, tick: int) -> bool:
    return any(begin <= tick <= end for begin, end in intervals[atom])


def _held(intervals: Intervals, tick: int) -> int:
    return sum(_holds(intervals, atom, tick) for atom in intervals)
