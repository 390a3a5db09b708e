"""Results as tables, and experiments/RESULTS.md."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from experiments.benchmark import LONG_WINDOW, Benchmark, EngineName, Expectation, Measured, Measurement
from experiments.papers.claims import Seen
from experiments.reporting.paper_table import found_claims, paper_table
from experiments.reporting.provenance import machine_text, measured_text, stale, stale_text
from experiments.reporting.question_sections import question_sections
from experiments.reporting.results import Profiles, ResultRow, Results


def table(benchmark: Benchmark, results: Results) -> Table:
    """Times of all engines, a line for each setting, for the terminal."""
    engines = _engines([results])
    found = Table(title=f"{benchmark.title} ({benchmark.source}): microseconds for a {benchmark.per}")
    found.add_column("setting")
    for engine in engines:
        found.add_column(engine, justify="right")
    for setting, rows in results.by_setting().items():
        found.add_row(setting, *[_cell(rows.get(engine)) for engine in engines])
    return found


def markdown(
    benchmarks: Mapping[str, Benchmark],
    results: Mapping[str, Results],
    profiles: Profiles,
    folder: Path,
    more: Sequence[str] = (),
) -> str:
    """The text of RESULTS.md.

    Args:
        benchmarks: by names.
        results: the results of benchmarks, by their names.
        profiles: where the time of `auto` goes.
        folder: the folder of results.
        more: the paragraphs on measurements that are no benchmarks.
    """
    parts = [_HEAD, _runs(results), *_machines(results), *question_sections(results), *more]
    parts += ["## The figures of the papers", _OF_PAPERS, verdicts(results), paper_table(results)]
    parts += ["## All settings", _LEGEND, _all_settings(benchmarks, results)]
    found_behind = behind(results)
    if found_behind:
        parts.append(
            f"In these settings, with windows of {LONG_WINDOW} ticks or more, another engine is faster than "
            "`auto`. Its slowest run is faster than the fastest run of `auto`:"
        )
        parts.append("\n".join(map(_comparison, found_behind)))
        parts += _profiles(found_behind, profiles)
    else:
        parts.append(f"No engine is faster than `auto` with windows of {LONG_WINDOW} ticks or more.")
    for name, found in results.items():
        parts += _section(benchmarks[name], found, folder)
    return "\n\n".join(parts) + "\n"


_HEAD = """# Results of measurements

`python -m experiments report` writes this file and its figures from the CSV files in `experiments/results`.
`python -m experiments run` measures the benchmarks, and other commands measure the rest; each section names
its command. `make bench` runs the benchmarks and writes the report.

**Engines.** `auto` is lars2asp with its own choice of evaluators. `oneshot`, `stamped`, `external` and
`delta` are single evaluators: the first three call clingo. We rewrote Laser, Laser2 and Ticker's encoding
after their papers: `laser`, `laser2` and `ticker` are these, not the published systems. `by hand` is the
program as a Python loop, a bound for systems without a language.

**Method.** Each run of an engine has a process of its own. Engines take turns, and each turn begins with
another engine. Before the timing all engines run on the same stream, and their answers are compared tick by
tick. The answers of timed runs are compared again. The first ticks of a run fill the window and are not
timed. A time is the average over the ticks of a run. The clock runs while an engine steps from tick to tick:
facts are tuples already, and the engine returns the atoms that began and ended. No time includes reading and
writing text.

Axes are logarithmic, and lower is better. Charts never join points of two sessions: a session is one machine
with one kernel and one revision of the program."""

_LEGEND = """Times are microseconds for a fact or a tick, as column "for a" says. A number in brackets is the
time divided by that of `auto`. `-`: the engine cannot evaluate the program, or was left out; the CSV file
gives the reason. The CSV files also have the number of runs, the least and the greatest time, CPU time and
memory."""


_OF_PAPERS = """The table lists each figure with measurements in the five papers, and the claims that the
paper's text makes about it. The texts that we have are without page numbers, so the table names sections.
Measurements use the engines of this project, on other machines. Times are microseconds for a fact or a tick.

- *reproduced*: our measurements have the claimed shape. The threshold is in brackets.
- *refuted*: they do not.
- *does not carry over*: they do not, because our rewriting or our machine lacks the cause.
- *not measured*: we did not run the systems that the claim compares. Numbers of similar systems follow."""

_LIMIT = """If a native engine is ahead, it derives little from each fact, so handling facts counts most. A
native engine takes tuples as they are. lars2asp checks every value, because facts come from outside. It also
keeps facts in the interval database, which serves all windows and events. If many results depend on a fact,
`auto` is ahead. No native engine evaluates choices or recursion through windows.

If another evaluator of lars2asp is ahead, hardly anything changes from tick to tick: `auto` asks each part of
the program for its changes, `stamped` asks once for all parts."""


def _runs(results: Mapping[str, Results]) -> str:
    """The number of rows by the number of runs."""
    runs = Counter(
        row.measurement.runs
        for found in results.values()
        for row in found.rows
        if row.measurement is not None
    )
    if not runs:
        return "**Runs.** Nothing is measured yet."
    texts = [
        f"{number:,} are single runs" if of == 1 else f"{number:,} are medians of {of} runs"
        for of, number in sorted(runs.items(), reverse=True)
    ]
    return (
        f"**Runs.** The benchmarks have {runs.total():,} measured rows: {' and '.join(texts)}. An engine "
        "that takes 8 s for a run is not run again, and runs by the clock are single ones."
    )


def verdicts(results: Mapping[str, Results]) -> str:
    """The numbers of claims by verdicts."""
    found = Counter(one.seen for one in found_claims(results))
    lines = ["| verdict | claims |", "| --- | ---: |"]
    return "\n".join([*lines, *(f"| {seen} | {found[seen]} |" for seen in Seen if found[seen])])


def _machines(results: Mapping[str, Results]) -> Iterable[str]:
    """The sessions, with the benchmarks that were measured in them."""
    by_machine: dict[str, list[str]] = {}
    for name, found in results.items():
        for text in dict.fromkeys(map(machine_text, found.machines)):
            by_machine.setdefault(text, []).append(name)
    yield "**Sessions.** Numbers of two sessions cannot be compared as those of one session can."
    yield "\n".join(f"- {text}: {', '.join(names)}" for text, names in by_machine.items())


def _all_settings(benchmarks: Mapping[str, Benchmark], results: Mapping[str, Results]) -> str:
    engines = _engines(results.values())
    lines = [
        "| benchmark | setting | for a | window | " + " | ".join(engines) + " |",
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
    """The settings with long windows in which an engine is faster than `auto`; programs by hand do not count.

    Its slowest run is faster than the fastest run of `auto`.
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
    yield "`auto` spends its time there as follows, in microseconds (samples of another run):"
    yield "\n".join(lines)
    yield _LIMIT


def _section(benchmark: Benchmark, results: Results, folder: Path) -> Iterable[str]:
    """The paragraphs of a benchmark."""
    yield f"## {benchmark.name}: {benchmark.title}"
    yield f"Source: {benchmark.source}. {benchmark.paper}".strip()
    yield f"![{benchmark.title}]({folder.name}/{benchmark.name}.svg)"
    yield " ".join(_seen(results))
    other = stale(benchmark.name, results.rows)
    if other is not None:
        yield f"Note: {stale_text(other)}. They are measured again later."
    if benchmark.why:
        yield benchmark.why
    if benchmark.expected:
        yield "\n".join(
            f"- {expected.text}: {_verdict(expected, results.measured)}" for expected in benchmark.expected
        )
    if any(row.measurement is not None for row in results.rows):
        yield f"**Measured.** {measured_text([row for row in results.rows if row.measurement is not None])}"


def _seen(results: Results) -> Iterable[str]:
    """The times of the engines in relation to `auto`, over all settings."""
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
            yield f"`{engine}` takes {min(ratios):.3g} to {max(ratios):.3g} times the time of `auto`."


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
