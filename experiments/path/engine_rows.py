"""The rows of RESULTS.md with windows of 20 ticks and more: `auto` against Laser and Laser2."""

from collections.abc import Sequence
from functools import partial

from experiments.benchmark import LONG_WINDOW, Benchmark, EngineName, Setting
from experiments.benchmarks import BENCHMARKS
from experiments.measuring.runner import Effort
from experiments.measuring.worker import run
from experiments.path.group import Figures, Found, Group, Line

NATIVE = (EngineName.LASER, EngineName.LASER2)

MOST = {
    ("laser-diamond", "n=80, 800 facts"): 0.5,
    ("laser-box", "n=80, 800 facts"): 0.25,
    ("laser-join", "n=80, 800 facts"): 1.5,
    ("laser-rules", "100 rules"): 80.0,
    ("laser-cooling-windows", "n=80, 200 facts"): 1.7,
}
"""What `auto` is to take at most, in microseconds."""

US = "us"


def groups() -> Sequence[Group]:
    """A group for each setting."""
    return [
        _group(benchmark, setting)
        for benchmark in BENCHMARKS.values()
        if not set(NATIVE).isdisjoint(benchmark.engines)
        for setting in benchmark.settings(False)
        if setting.window >= LONG_WINDOW and not set(NATIVE) <= setting.without.keys()
    ]


def _group(benchmark: Benchmark, setting: Setting) -> Group:
    engines = [
        name
        for name in (EngineName.AUTO, *NATIVE)
        if name in benchmark.engines and name not in setting.without
    ]
    measures = {name.value: partial(_measure, benchmark, setting, name) for name in engines}
    return Group(f"{benchmark.name}, {setting.name}", measures, partial(_lines, benchmark, setting))


def _measure(benchmark: Benchmark, setting: Setting, name: EngineName, scale: float) -> Figures:
    """CPU time a fact or a tick; nothing for an engine that cannot serve the program."""
    found = run(setting, name, benchmark.per, Effort().seconds * scale, None)
    return {} if found.refused else {US: found.cpu}


def _lines(benchmark: Benchmark, setting: Setting, found: Found) -> Sequence[Line]:
    auto, unit = found[EngineName.AUTO][US], f"us a {benchmark.per}"
    native = {name: figures[US] for name, figures in found.items() if name in NATIVE and figures}
    what = f"{benchmark.name}, {setting.name}"
    lines = []
    if native:
        beside = ", ".join(f"{name} {time:.3g}" for name, time in native.items())
        lines.append(Line(what, auto, unit, min(native.values()), beside))
    most = MOST.get((benchmark.name, setting.name))
    if most is not None:
        lines.append(Line(f"{what}: absolute", auto, unit, most))
    return lines
