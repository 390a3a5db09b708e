"""Results as tables, and RESULTS.md."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rich.table import Table

from experiments.benchmark import Benchmark, EngineName, Expectation, Measured, Measurement
from experiments.benchmarks import BENCHMARKS
from experiments.results import Result, Results

LONG_WINDOW = 20
"""From windows of so many ticks on `auto` is meant to be ahead of every other engine."""


def table(benchmark: Benchmark, results: Results) -> Table:
    """Times of all engines, a line for each setting, for the terminal."""
    engines = _engines([results])
    found = Table(title=f"{benchmark.title} ({benchmark.source}): microseconds a {benchmark.per}")
    found.add_column("setting")
    for engine in engines:
        found.add_column(engine, justify="right")
    for setting, rows in _by_setting(results.rows):
        found.add_row(setting, *[_cell(rows.get(engine)) for engine in engines])
    return found


def markdown(results: Mapping[str, Results], folder: Path) -> str:
    """The text of RESULTS.md."""
    parts = [_HEAD, *_machines(results), "## All settings", _LEGEND]
    parts.append(_all_settings(results))
    behind = list(_behind(results))
    if behind:
        parts.append(
            f"`auto` is behind another engine in these settings with windows of {LONG_WINDOW} ticks or more:"
        )
        parts.append("\n".join(behind))
    else:
        parts.append(f"`auto` is ahead in every setting with windows of {LONG_WINDOW} ticks or more.")
    for name, found in results.items():
        parts += _section(BENCHMARKS[name], found, folder)
    return "\n\n".join(parts) + "\n"


_HEAD = """# Results

This file is written by `python -m experiments report` from the CSV files in `experiments/results`, which
`python -m experiments run` has measured (`make bench`); `python -m experiments figures` has drawn the figures
(`make figures`).

**Method.** Each run of an engine on a setting has a process of its own; engines take turns, and each turn
begins with another one. Before anything is timed all engines run on the same stream and their answers are
compared tick by tick; answers of the timed runs are compared again afterwards. The first ticks of a run warm
up and are not timed: they fill the window. A time is the median over runs of what a fact (or a tick) took on
average. What is timed is a call of `step`: facts are handed over in the engine's own form of atoms (clingo's
symbols, or tuples for native engines), and what began and what ended to hold comes back in it; reading and
writing text is in it for no engine. An engine that takes more than 20 s for a run is run twice only."""

_LEGEND = """Microseconds for each fact, or for each tick where it says so; in brackets how many times longer
than `auto`. `by hand` is the program as a Python loop over dictionaries: what could be reached without a
language. `-`: the engine cannot evaluate the program, or was left out (the CSV file says why)."""


def _machines(results: Mapping[str, Results]) -> Iterable[str]:
    """On what it was measured: once for all benchmarks that share it."""
    by_machine: dict[str, list[str]] = {}
    for name, found in results.items():
        machine = found.machine
        text = (
            f"{machine.processor}, {machine.cores} cores, {machine.memory_gib:g} GiB, {machine.system}; "
            f"{machine.versions}; measured on {machine.date}, revision {machine.commit}"
        )
        by_machine.setdefault(text, []).append(name)
    yield "**Machine.** " + "; ".join(
        text if len(by_machine) == 1 else f"{text} ({', '.join(names)})" for text, names in by_machine.items()
    )


def _all_settings(results: Mapping[str, Results]) -> str:
    engines = _engines(results.values())
    lines = [
        "| benchmark | setting | a | window | " + " | ".join(engines) + " |",
        "| --- | --- | --- | ---: |" + " ---: |" * len(engines),
    ]
    for name, found in results.items():
        for setting, rows in _by_setting(found.rows):
            auto = rows.get(EngineName.AUTO)
            window = next(iter(rows.values())).window
            cells = [_ratio_cell(rows.get(engine), auto) for engine in engines]
            lines.append(f"| {name} | {setting} | {BENCHMARKS[name].per} | {window} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _behind(results: Mapping[str, Results]) -> Iterable[str]:
    """The settings with long windows in which an engine is faster than `auto`."""
    for name, found in results.items():
        for setting, rows in _by_setting(found.rows):
            row = rows.get(EngineName.AUTO)
            if row is None or row.measurement is None or row.window < LONG_WINDOW:
                continue
            auto = row.measurement.time
            for engine, other in rows.items():
                if other.measurement is None or engine is EngineName.BY_HAND:
                    continue
                time = other.measurement.time
                if time < auto:
                    yield (
                        f"- {name}, {setting}: `{engine}` takes {time:.3g} us, `auto` {auto:.3g} us "
                        f"({auto / time:.2f} times as long)"
                    )


def _section(benchmark: Benchmark, results: Results, folder: Path) -> Iterable[str]:
    """The paragraph of a benchmark."""
    yield f"## {benchmark.name}: {benchmark.title}"
    yield f"From {benchmark.source}. {benchmark.paper}".strip()
    yield f"![{benchmark.title}]({folder.name}/{benchmark.name}.svg)"
    yield f"Seen here: {' '.join(_seen(results))}"
    if benchmark.why:
        yield benchmark.why
    if benchmark.expected:
        yield "\n".join(
            f"- {expected.text}: {_verdict(expected, results.measured)}" for expected in benchmark.expected
        )


def _seen(results: Results) -> Iterable[str]:
    """How the engines compare with `auto`, over all settings."""
    times = [
        row.measurement.time
        for row in results.rows
        if row.measurement is not None and row.engine is EngineName.AUTO
    ]
    if times:
        yield f"`auto` takes {min(times):.3g} to {max(times):.3g} us."
    for engine in _engines([results]):
        ratios = [
            row.measurement.time / auto.measurement.time
            for _, rows in _by_setting(results.rows)
            if (row := rows.get(engine)) is not None
            and (auto := rows.get(EngineName.AUTO)) is not None
            and row.measurement is not None
            and auto.measurement is not None
        ]
        if ratios and engine is not EngineName.AUTO:
            yield f"`{engine}` takes {min(ratios):.3g} to {max(ratios):.3g} times as long as `auto`."


def _verdict(expected: Expectation, found: Measured) -> str:
    try:
        return "yes" if expected.holds(found) else "**no**"
    except KeyError:
        return "not measured"


def _engines(results: Iterable[Results]) -> list[EngineName]:
    """The engines that were measured, in their order."""
    present = {row.engine for found in results for row in found.rows if row.measurement is not None}
    return [engine for engine in EngineName if engine in present]


def _by_setting(rows: Sequence[Result]) -> Iterable[tuple[str, dict[EngineName, Result]]]:
    found: dict[str, dict[EngineName, Result]] = {}
    for row in rows:
        found.setdefault(row.setting, {})[row.engine] = row
    return found.items()


def _cell(row: Result | None) -> str:
    if row is None or row.measurement is None:
        return "-"
    one = row.measurement
    spread = f" ({one.low:.3g} to {one.high:.3g})" if one.runs > 1 else ""
    return f"{one.time:.3g}{spread}"


def _ratio_cell(row: Result | None, auto: Result | None) -> str:
    measurement: Measurement | None = None if row is None else row.measurement
    if row is None or measurement is None:
        return "-"
    if row.engine is EngineName.AUTO or auto is None or auto.measurement is None:
        return f"{measurement.time:.3g}"
    return f"{measurement.time:.3g} ({measurement.time / auto.measurement.time:.2g})"
