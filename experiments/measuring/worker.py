"""One run of one engine on one setting, in a process of its own that says as JSON what came of it.

    python -m experiments.measuring.worker BENCHMARK SETTING ENGINE [--quick] [--seconds S] [--ticks N]

is what the runner starts.
"""

import gc
import json
import sys
import time
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path

import click
import psutil

from experiments.benchmark import EngineName, Per, Setting
from experiments.benchmarks import BENCHMARKS
from experiments.engine import AnswerChanges, Engine, RefusedError
from experiments.engines.registry import making
from experiments.measuring.by_the_clock import run_by_the_clock

LEAST = 3
"""The number of ticks that are timed at least, however long they take."""


@dataclass
class EngineRun:
    """The result of a run.

    Attributes:
        refused: why the engine cannot evaluate the program; empty if it can.
        setup: seconds until the engine was ready for the first tick.
        times: for each tick that was timed microseconds, for each fact of it where facts count.
        cpu: CPU time of all processes over these ticks, in microseconds, likewise.
        peak_mib: the most memory that the processes had, in MiB.
        counts: what the engine counted over these ticks, for each.
        digests: of the answers at all ticks, from the first on.
    """

    refused: str = ""
    setup: float = 0.0
    times: list[float] = field(default_factory=list)
    cpu: float = 0.0
    peak_mib: float = 0.0
    counts: dict[str, float] = field(default_factory=dict)
    digests: list[str] = field(default_factory=list)


class Digest:
    """Tells answers apart by a sum over hashes of their atoms, so that it costs what changes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._sum = 0
        self._size = 0

    def after(self, changes: AnswerChanges) -> str:
        """The digest of the answer after changes."""
        for atoms, sign in ((changes.began, 1), (changes.ended, -1)):
            texts = self._engine.texts(atoms)
            self._size += sign * len(texts)
            for text in texts:
                self._sum += sign * int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
        return f"{self._size}:{self._sum % 2**64:x}"


def run(setting: Setting, name: EngineName, per: Per, seconds: float, most: int | None) -> EngineRun:
    """Runs an engine.

    Args:
        setting: program and stream.
        name: the engine.
        per: what times are divided by.
        seconds: no tick is timed any more when those before took so long, but at least a few are.
        most: how many ticks are run; None for all of the setting, of which the first ones are not timed.
    """
    found = EngineRun()
    began = time.perf_counter()
    try:
        with making(setting, name) as engine:
            found.setup = time.perf_counter() - began
            if setting.period is None:
                _run(engine, setting, per, seconds, most, found)
            else:
                _run_by_the_clock(engine, setting, found)
    except RefusedError as error:
        found.refused = str(error)
    return found


def _run(
    engine: Engine, setting: Setting, per: Per, seconds: float, most: int | None, found: EngineRun
) -> None:
    warm_up = setting.warm_up if most is None else 0
    last = setting.warm_up + setting.ticks if most is None else most
    digest = Digest(engine)
    spent, own_cpu, number_timed = 0.0, 0.0, 0
    before: dict[str, int] = {}
    workers_before = 0.0
    for tick, facts in zip(range(last), setting.stream(), strict=False):
        if tick == warm_up:
            gc.collect()
            before, workers_before = dict(engine.counts), _cpu_of_workers()
        own_facts = engine.facts(facts)
        cpu_began, began = time.process_time(), time.perf_counter()
        changes = engine.step(tick, own_facts)
        took, cpu = time.perf_counter() - began, time.process_time() - cpu_began
        if setting.is_certain and tick >= engine.lag:
            found.digests.append(digest.after(changes))
        if tick >= warm_up:
            number = max(1, len(facts)) if per is Per.FACT else 1
            found.times.append(took * 1e6 / number)
            number_timed += number
            own_cpu += cpu
            spent += took
            if spent > seconds and len(found.times) >= LEAST:
                break
    ticks = max(1, len(found.times))
    found.cpu = (own_cpu + _cpu_of_workers() - workers_before) * 1e6 / max(1, number_timed)
    found.counts = {what: (count - before.get(what, 0)) / ticks for what, count in engine.counts.items()}
    found.peak_mib = sum(map(_peak_mib, [psutil.Process(), *_workers()]))


def _run_by_the_clock(engine: Engine, setting: Setting, found: EngineRun) -> None:
    cpu_before = time.process_time() + _cpu_of_workers()
    run = run_by_the_clock(engine, setting)
    ticks = setting.warm_up + setting.ticks
    found.cpu = (time.process_time() + _cpu_of_workers() - cpu_before) * 1e6 / ticks
    found.times = [run.latencies[tick] * 1e6 for tick in range(setting.warm_up, ticks)]
    found.counts = run.counts(setting)
    found.peak_mib = sum(map(_peak_mib, [psutil.Process(), *_workers()]))


def _workers() -> list[psutil.Process]:
    """The processes that this one has made."""
    return psutil.Process().children(recursive=True)


def _cpu_of_workers() -> float:
    """Their CPU time, in seconds; they work during steps only."""
    return sum(sum(worker.cpu_times()[:2]) for worker in _workers())


def _peak_mib(process: psutil.Process) -> float:
    """The most memory that a process had, in MiB.

    What `getrusage` says can be that of the process by which it was made.
    """
    status = Path(f"/proc/{process.pid}/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return float(process.memory_info().rss) / 2**20


@click.command()
@click.argument("benchmark")
@click.argument("setting")
@click.argument("engine", type=click.Choice([name.value for name in EngineName]))
@click.option("--quick", is_flag=True)
@click.option("--seconds", type=float, required=True)
@click.option("--ticks", type=int)
def main(benchmark: str, setting: str, engine: str, quick: bool, seconds: float, ticks: int | None) -> None:
    """Prints what came of a run."""
    work = BENCHMARKS[benchmark]
    [chosen] = [one for one in work.settings(quick) if one.name == setting]
    json.dump(asdict(run(chosen, EngineName(engine), work.per, seconds, ticks)), sys.stdout)


if __name__ == "__main__":
    main()
