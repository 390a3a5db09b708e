"""Engines in turns: answers are compared first, then each run has a process of its own."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from experiments.benchmark import Benchmark, EngineName, Measurement, Setting
from experiments.measuring.worker import EngineRun

SLOW = 8.0
"""Seconds after which an engine is not run again."""

TIMEOUT = 600.0
"""Seconds after which a run is given up."""


class DifferentError(Exception):
    """Two engines give different answers."""


@dataclass(frozen=True)
class Effort:
    """How much is measured.

    Attributes:
        is_quick: whether settings are few and short ones.
        repeats: how often each engine is run on each setting.
        seconds: in each run no tick is timed any more when those before took so long.
        check_seconds: how many seconds an engine takes for the ticks whose answers are compared.
    """

    is_quick: bool = False
    repeats: int = 3
    seconds: float = 3.0
    check_seconds: float = 2.0


QUICK = Effort(is_quick=True, repeats=1, seconds=1.0, check_seconds=1.5)


@dataclass(frozen=True)
class EngineResult:
    """The result of one engine on one setting.

    Attributes:
        setting: the setting.
        engine: the engine.
        measurement: what was measured; None where the engine was not run.
        checked: for how many ticks its answers were compared with those of `auto`.
        remark: why it was not run.
        seconds: how long all runs took together.
    """

    setting: Setting
    engine: EngineName
    measurement: Measurement | None
    checked: int = 0
    remark: str = ""
    seconds: float = 0.0


def run_apart(
    benchmark: Benchmark,
    setting: Setting,
    name: EngineName,
    is_quick: bool,
    seconds: float,
    *,
    is_check: bool,
) -> EngineRun:
    """A run in a process of its own."""
    command = [sys.executable, "-m", "experiments.measuring.worker", benchmark.name, setting.name, name]
    command += ["--seconds", str(seconds)]
    if is_quick:
        command.append("--quick")
    if is_check:
        command += ["--ticks", str(setting.warm_up + setting.ticks)]
    try:
        done = subprocess.run(command, capture_output=True, check=False, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return EngineRun(refused=f"it took more than {TIMEOUT:.0f} s")
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return EngineRun(**json.loads(done.stdout))


def measured(
    benchmark: Benchmark,
    setting: Setting,
    effort: Effort,
    say: Callable[[str], None],
    run: Callable[..., EngineRun] = run_apart,
) -> list[EngineResult]:
    """Measures all engines of a benchmark on one of its settings.

    Args:
        benchmark: the benchmark.
        setting: one of its settings.
        effort: how much is measured.
        say: is called with the progress.
        run: makes a run, with the arguments of `run_apart`.

    Raises:
        DifferentError: if answers differ.
    """
    remarks = dict(setting.without)
    engines = [name for name in benchmark.engines if name not in remarks]
    if setting.by_hand is None and EngineName.BY_HAND in engines:
        engines.remove(EngineName.BY_HAND)
    digests: dict[EngineName, list[str]] = {}
    took = dict.fromkeys(engines, 0.0)
    if setting.period is None:
        for name in engines:
            say(f"{setting.name}: answers of {name}")
            began = time.perf_counter()
            checked = run(benchmark, setting, name, effort.is_quick, effort.check_seconds, is_check=True)
            took[name] += time.perf_counter() - began
            if checked.refused:
                remarks[name] = checked.refused
            else:
                digests[name] = checked.digests
        engines = list(digests)
    ticks = _agree(setting, digests)
    runs: dict[EngineName, list[EngineRun]] = {name: [] for name in engines}
    slow: set[EngineName] = set()
    for turn in range(repeats(setting, effort)):
        for name in [*engines[turn % len(engines) :], *engines[: turn % len(engines)]]:
            if name in slow:
                continue
            say(f"{setting.name}: {name}, run {turn + 1}")
            began = time.perf_counter()
            found = run(benchmark, setting, name, effort.is_quick, effort.seconds, is_check=False)
            took[name] += (seconds := time.perf_counter() - began)
            if seconds > SLOW:
                slow.add(name)
            if found.refused:
                remarks[name] = found.refused
            else:
                runs[name].append(found)
    _agree(setting, {name: found[0].digests for name, found in runs.items() if found})
    return [
        EngineResult(setting, name, summary(runs[name]), ticks.get(name, 0), seconds=took[name])
        if runs.get(name)
        else EngineResult(setting, name, None, 0, remarks[name], took.get(name, 0.0))
        for name in benchmark.engines
        if runs.get(name) or name in remarks
    ]


def repeats(setting: Setting, effort: Effort) -> int:
    """How often each engine is run on a setting, timed: by the clock once, for that has many ticks."""
    return 1 if setting.period is not None else effort.repeats


def number_of_runs(benchmark: Benchmark, setting: Setting, effort: Effort) -> int:
    """How many runs there are of all engines on a setting at most, those to compare answers included."""
    engines = set(benchmark.engines) - dict(setting.without).keys()
    if setting.by_hand is None:
        engines.discard(EngineName.BY_HAND)
    return len(engines) * (repeats(setting, effort) + (setting.period is None))


def summary(runs: Sequence[EngineRun]) -> Measurement:
    """The summary of repeated runs."""
    averages = [fmean(run.times) for run in runs]
    return Measurement(
        time=median(averages),
        low=min(averages),
        high=max(averages),
        middle=median(time for run in runs for time in run.times),
        cpu=median(run.cpu for run in runs),
        peak_mib=max(run.peak_mib for run in runs),
        runs=len(runs),
        ticks=len(runs[0].times),
        counts=runs[0].counts,
    )


def _agree(setting: Setting, digests: Mapping[EngineName, Sequence[str]]) -> dict[EngineName, int]:
    """For how many ticks each engine was compared with the first. Raises DifferentError if answers differ."""
    if not setting.is_certain or not digests:
        return {}
    (first, expected), *others = digests.items()
    for name, found in others:
        for tick, (one, other) in enumerate(zip(expected, found, strict=False)):
            if one != other:
                raise DifferentError(f"{setting.name}: {name} differs from {first} at tick {tick}")
    return {name: min(len(expected), len(found)) for name, found in digests.items()}
