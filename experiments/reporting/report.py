"""Results as tables, and RESULTS.md."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from experiments.benchmark import LONG_WINDOW, Benchmark, EngineName, Expectation, Measured, Measurement
from experiments.measuring.machine import Machine
from experiments.reporting.paper_table import paper_table
from experiments.reporting.results import Profiles, ResultRow, Results


def table(benchmark: Benchmark, results: Results) -> Table:
    """Times of all engines, a line for each setting, for the terminal."""
    engines = _engines([results])
    found = Table(title=f"{benchmark.title} ({benchmark.source}): microseconds a {benchmark.per}")
    found.add_column("setting")
    for engine in engines:
        found.add_column(engine, justify="right")
    for setting, rows in results.by_setting().items():
        found.add_row(setting, *[_cell(rows.get(engine)) for engine in engines])
    return found


def markdown(
    benchmarks: Mapping[str, Benchmark], results: Mapping[str, Results], profiles: Profiles, folder: Path
) -> str:
    """The text of RESULTS.md."""
    parts = [_HEAD, *_machines(results), "## All settings", _LEGEND]
    parts.append(_all_settings(benchmarks, results))
    found_behind = behind(results)
    if found_behind:
        parts.append(
            f"Where windows have {LONG_WINDOW} ticks or more, `auto` is behind another engine (whose slowest"
            " run is faster than the fastest one of `auto`) in these settings:"
        )
        parts.append("\n".join(map(_comparison, found_behind)))
        parts += _profiles(found_behind, profiles)
    else:
        parts.append(f"No engine is faster than `auto` where windows have {LONG_WINDOW} ticks or more.")
    parts += ["## The figures of the papers", _OF_PAPERS, paper_table(results)]
    for name, found in results.items():
        parts += _section(benchmarks[name], found, folder)
    return "\n\n".join(parts) + "\n"


_HEAD = """# Results

This file is written by `python -m experiments report` from the CSV files in `experiments/results`, which
`python -m experiments run` has measured; `python -m experiments figures` has drawn the figures: `make bench`
does all of this.

**Method.** Each run of an engine on a setting has a process of its own; engines take turns, and each turn
begins with another one. Before anything is timed all engines run on the same stream and their answers are
compared tick by tick; answers of the timed runs are compared again afterwards. The first ticks of a run warm
up and are not timed: they fill the window. A time is the median over runs of what a fact (or a tick) took on
average. What is timed is a call of `step`: facts are handed over in the engine's own form of atoms (tuples of
a name and arguments for the product and for native engines), and what began and what ended to hold comes back
in it (by the product as rows of each predicate); reading and writing text is in it for no engine. An engine
that takes long for a run (8 s and more) may have been run once only; the CSV files have the number of runs,
CPU time and memory."""

_LEGEND = """Microseconds for each fact, or for each tick where it says so; in brackets how many times
longer than `auto`. `laser` and `laser2` are our own, over tuples; the published ones are not run. `by
hand` is the program as a Python loop over dictionaries: what could be reached without a language. `-`: the
engine cannot evaluate the program, or was left out (the CSV file says why)."""


_OF_PAPERS = """Each figure of the five papers that has measurements, by what it is drawn for. `laser`,
`laser2` and `ticker` are engines of this project after the papers, not the published systems. *Reproduced*
means that the shape is seen in the measurements below, at the settings named there; *refuted* that it is
not."""

_LIMIT = """Where a native engine is ahead, little is derived from each fact, so that handling it is what
counts. A native engine takes tuples as they are given. The product looks at every value of them, since facts
come from outside, which is a third to a half of its time there and more with several predicates; and it keeps
them in the interval database, which serves all windows and events, where Laser keeps what its formulae need;
components hand atoms on to one another through it. Where many results hang on a fact (boxes that hold, rules
side by side) `auto` is ahead, and what counts, chooses or is recursive through windows is evaluated by no
native engine.

Where another evaluator of the product is ahead, hardly anything changes: `auto` asks each part of the program
what did, `stamped` asks once for all of it."""


def machine_text(machine: Machine) -> str:
    """A machine, and versions, in a line."""
    return (
        f"{machine.processor}, {machine.cores} cores, {machine.memory_gib:g} GiB, {machine.system}; "
        f"{machine.versions}; measured on {machine.date}, revision {machine.commit}"
    )


def _machines(results: Mapping[str, Results]) -> Iterable[str]:
    """On what it was measured: once for all benchmarks that share it."""
    by_machine: dict[str, list[str]] = {}
    for name, found in results.items():
        for text in dict.fromkeys(map(machine_text, found.machines)):
            by_machine.setdefault(text, []).append(name)
    yield "**Machine.** " + "; ".join(
        text if len(by_machine) == 1 else f"{text} ({', '.join(names)})" for text, names in by_machine.items()
    )


def _all_settings(benchmarks: Mapping[str, Benchmark], results: Mapping[str, Results]) -> str:
    engines = _engines(results.values())
    lines = [
        "| benchmark | setting | a | window | " + " | ".join(engines) + " |",
        "| --- | --- | --- | ---: |" + " ---: |" * len(engines),
    ]
    for name, found in results.items():
        for setting, rows in found.by_setting().items():
            auto = rows.get(EngineName.AUTO)
            window = next(iter(rows.values())).window
            cells = [_ratio_cell(rows.get(engine), auto) for engine in engines]
            lines.append(f"| {name} | {setting} | {benchmarks[name].per} | {window} | {' | '.join(cells)} |")
    return "\n".join(lines)


@dataclass(frozen=True)
class Behind:
    """A setting with a long window in which `auto` is not the fastest engine.

    Attributes:
        benchmark: the name of the benchmark.
        setting: the name of the setting.
        engine: the fastest engine.
        time: what it takes, in microseconds.
        auto: what `auto` takes.
    """

    benchmark: str
    setting: str
    engine: EngineName
    time: float
    auto: float


def behind(results: Mapping[str, Results]) -> list[Behind]:
    """The settings with long windows in which an engine is faster than `auto`; bounds are none.

    Its slowest run is faster than the fastest one of `auto`.
    """
    found = []
    for name, here in results.items():
        for setting, rows in here.by_setting().items():
            row = rows.get(EngineName.AUTO)
            if row is None or row.measurement is None or row.window < LONG_WINDOW:
                continue
            auto = row.measurement
            faster = {
                engine: other.measurement.time
                for engine, other in rows.items()
                if other.measurement is not None
                and other.measurement.high < auto.low
                and engine is not EngineName.BY_HAND
            }
            if faster:
                fastest = min(faster, key=faster.__getitem__)
                found.append(Behind(name, setting, fastest, faster[fastest], auto.time))
    return found


def _comparison(one: Behind) -> str:
    return (
        f"- {one.benchmark}, {one.setting}: `{one.engine}` takes {one.time:.3g} us, `auto` {one.auto:.3g} us "
        f"({one.auto / one.time:.2g} times as long)"
    )


def _profiles(settings: Sequence[Behind], profiles: Profiles) -> Iterable[str]:
    """Where the time of `auto` goes in such settings."""
    known = {(one.benchmark, one.setting): profiles.get((one.benchmark, one.setting)) for one in settings}
    columns = dict.fromkeys(what for found in known.values() if found for what in found)
    if not columns:
        return
    lines = [
        f"| benchmark | setting | {' | '.join(columns)} |",
        "| --- | --- |" + " ---: |" * len(columns),
    ]
    for (benchmark, setting), found in known.items():
        if found:
            cells = [f"{found.get(what, 0.0):.2g}" for what in columns]
            lines.append(f"| {benchmark} | {setting} | {' | '.join(cells)} |")
    yield "Where the time of `auto` goes there (samples of a run apart, microseconds):"
    yield "\n".join(lines)
    yield _LIMIT


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
            for _, rows in results.by_setting().items()
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


def _cell(row: ResultRow | None) -> str:
    if row is None or row.measurement is None:
        return "-"
    one = row.measurement
    spread = f" ({one.low:.3g} to {one.high:.3g})" if one.runs > 1 else ""
    return f"{one.time:.3g}{spread}"


def _ratio_cell(row: ResultRow | None, auto: ResultRow | None) -> str:
    measurement: Measurement | None = None if row is None else row.measurement
    if row is None or measurement is None:
        return "-"
    if row.engine is EngineName.AUTO or auto is None or auto.measurement is None:
        return f"{measurement.time:.3g}"
    return f"{measurement.time:.3g} ({measurement.time / auto.measurement.time:.2g})"
