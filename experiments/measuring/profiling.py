"""Where the time of an engine goes: samples of what runs, in a process of its own.

python -m experiments.measuring.profiling BENCHMARK SETTING ENGINE
"""

import gc
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import FrameType

import click

from experiments.benchmark import Benchmark, EngineName, Per, Setting
from experiments.benchmarks import BENCHMARKS
from experiments.engines.registry import making

INTERVAL = 0.001
"""Seconds of CPU time from sample to sample."""

LEAST = 0.5
"""Seconds of CPU time of which samples are taken at least, in as many runs as that needs."""

ROOT = Path(__file__).parent.parent.parent

PLACES = (
    ("lars2asp/externals/grounding.py", "grounding by clingo"),
    ("clingo/control.py", "grounding by clingo"),
    ("clingo/solving.py", "solving by clingo, and models"),
    ("clingo/", "symbols through clingo's C interface"),
    ("lars2asp/externals/terms/symbols.py", "rows to clingo's symbols and back"),
    ("lars2asp/externals/", "interval database"),
    ("lars2asp/runtime/evaluators/pipeline.py", "pipeline, answers, timeline"),
    ("lars2asp/runtime/evaluators/", "the evaluator's own work"),
    ("lars2asp/runtime/sources/", "tuples to rows"),
    ("lars2asp/runtime/", "pipeline, answers, timeline"),
)
"""Names for what runs, by the beginning of the file's path; the first that fits."""


def where(frame: FrameType | None) -> str:
    """The name of what a sample shows: the innermost function of the project or of clingo's package."""
    while frame is not None:
        file = Path(frame.f_code.co_filename)
        path = str(file.relative_to(ROOT)) if file.is_relative_to(ROOT) else ""
        if file.parent.name == "clingo":
            path = f"clingo/{file.name}"
        for beginning, what in PLACES:
            if path.startswith(beginning):
                return what
        frame = frame.f_back
    return "what measures"


def profile(setting: Setting, name: EngineName, per: Per) -> dict[str, float]:
    """Microseconds for each fact or tick, by what they go to, after the warm-up."""
    samples: Counter[str] = Counter()
    signal.signal(signal.SIGPROF, lambda _, frame: samples.update([where(frame)]))
    number, spent = 0, 0.0
    while spent < LEAST:
        with making(setting, name) as engine:
            own_facts = [
                engine.facts(facts)
                for facts, _ in zip(setting.stream(), range(setting.warm_up + setting.ticks), strict=False)
            ]
            gc.collect()
            gc.freeze()  # these facts are nothing that the garbage collector is to walk through
            for tick in range(setting.warm_up):
                engine.step(tick, own_facts[tick])
            began = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
            for tick in range(setting.warm_up, len(own_facts)):
                engine.step(tick, own_facts[tick])
                number += max(1, len(own_facts[tick])) if per is Per.FACT else 1
            signal.setitimer(signal.ITIMER_PROF, 0)
            spent += time.process_time() - began
    return {what: count / samples.total() * spent * 1e6 / number for what, count in samples.most_common()}


def profiled(benchmark: Benchmark, setting: str, name: EngineName) -> dict[str, float]:
    """The same from a process of its own."""
    command = [sys.executable, "-m", "experiments.measuring.profiling", benchmark.name, setting, name]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


@click.command()
@click.argument("benchmark")
@click.argument("setting")
@click.argument("engine", type=click.Choice([name.value for name in EngineName]))
def main(benchmark: str, setting: str, engine: str) -> None:
    """Prints where the time goes, as JSON."""
    work = BENCHMARKS[benchmark]
    [chosen] = [one for one in work.settings(False) if one.name == setting]
    json.dump(profile(chosen, EngineName(engine), work.per), sys.stdout, indent=2)


if __name__ == "__main__":
    main()
