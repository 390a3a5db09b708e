"""The page docs/compare/benchmarks.md, written from results."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from experiments.jobs.whole import Way
from experiments.kept_results import read_machines
from experiments.measuring.machine import Machine
from experiments.reporting import lateness, reach
from experiments.reporting.beside import EQUAL, NAMES, Beside, Costs, systems
from experiments.reporting.job_costs import JOBS, NEXMARK, failures, runs_of
from experiments.reporting.provenance import runs_text, short_text
from experiments.reporting.question_sections import conclusions, drawn_rows
from experiments.reporting.questions import QUESTIONS
from experiments.reporting.results import Results
from experiments.throughput.latency import read as read_latencies

PAGE = Path(__file__).parents[2] / "docs" / "compare" / "benchmarks.md"

_WINDOW = "laser-join"

_HEAD = """# Performance and benchmarks

These measurements help you guess the cost of a program before you write it. They compare lars2asp with a
plain Python loop, DuckDB, polars, bytewax, pathway, PyFlink and clingo.

In short:

- If you ask one question over a whole file, DuckDB and polars cost less. A hand-written loop costs least.
- If rules stay, or a stream goes on, lars2asp keeps them short and runs them unchanged.
- You can choose large windows: the size of a window hardly matters in lars2asp.

Measure your own program with [`--stats`](../how-to/measure-a-run.md)."""

_METHOD = """## Method

- Every system runs its own program for the job. We wrote all programs; an expert may write better ones.
- Before the timing, the answers of all systems are compared with each other, atom by atom.
- Systems take turns, run by run.
- CPU time is the time of all threads of a process. Axes are logarithmic."""

_DATA = """## Data

You find every number in the repository: `experiments/results/NAME.csv`, with the session in `NAME.json`.
`experiments/RESULTS.md` shows all results. It also lists the claims of five papers on stream reasoning, with
a verdict on each. You can measure again:

| command | file |
| --- | --- |
| `python -m experiments jobs whole` | `jobs.csv` |
| `python -m experiments jobs nexmark` | `nexmark.csv` |
| `python -m experiments throughput` | `throughput.csv` |
| `python -m experiments run laser-join` | `laser-join.csv` |
| `python -m experiments scale facts --full`, also `live`, `rules` and `keys` | `scale-facts.csv` and so on |
| `python -m experiments report` | this page |

## See also

- [Which tool when](index.md)
- [Flink, Siddhi and Esper](flink-siddhi-esper.md)
- [Other stream reasoners](from-stream-reasoners.md)"""


def page(results: Mapping[str, Results], folder: Path) -> str:
    """The text of the page.

    Args:
        results: the results of benchmarks, by their names.
        folder: the folder of all results.
    """
    parts = [
        _HEAD,
        *_jobs(folder),
        *_rates(folder),
        *_windows(results, folder),
        *_reach(folder),
        _METHOD,
        _DATA,
    ]
    return "\n\n".join(parts) + "\n"


def _measured(folder: Path, *names: str) -> str:
    machines: Sequence[Machine] = [one for name in names for one in read_machines(folder, name)]
    return "; ".join(dict.fromkeys(f"{one.cores} cores, {short_text(one)}, {one.date}" for one in machines))


def _jobs(folder: Path) -> Sequence[str]:
    found = JOBS.costs(folder)
    if not found:
        return []
    return [
        "## Ten jobs in seven systems",
        "Each process reads a file of 4,000 to 500,000 rows, and writes when each answer begins and ends. "
        "The jobs are alarms, counts, failed logins, missing heartbeats, joins, fraud rules, top sellers, "
        "sessions and links. A *plain loop* is a Python program by hand.",
        "![CPU seconds of ten jobs](../img/jobs.svg)",
        *failures(found),
        f"The table compares each system with lars2asp ({JOBS.command}; Nexmark: {NEXMARK.command}). It "
        "shows the median over the jobs, with the least and the greatest ratio:",
        _medians(found, NEXMARK.costs(folder)),
        "DuckDB, polars, pathway and PyFlink read the whole file at once here. On a stream that goes on, "
        "they start over or need another way in. The times include the start of each process, which counts "
        "for less if your files are large.",
        f"Measured by {JOBS.command}: {_measured(folder, JOBS.name)}. {runs_of(found)}",
    ]


def _medians(jobs: Costs, queries: Costs) -> str:
    lines = [
        "| system | CPU time / lars2asp's | lines of code / lars2asp's | less CPU time than lars2asp | "
        "Nexmark: CPU time / lars2asp's |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for way in systems(jobs):
        one, other = Beside.of(way, jobs), Beside.of(way, queries)
        if way is Way.CHANGES or not one.ratios:
            continue
        less = sum(ratio < 1 / EQUAL for ratio in one.ratios.values())
        there = _spread(other.ratios) if other.ratios else "-"
        cells = [_spread(one.ratios), _spread(one.lines)]
        lines.append(f"| {NAMES[way]} | {' | '.join(cells)} | in {less} of {one.number} jobs | {there} |")
    return "\n".join(lines)


def _spread(ratios: Mapping[str, float]) -> str:
    """The median, with the least and the greatest."""
    least, most = min(ratios.values()), max(ratios.values())
    return f"{_times(median(ratios.values()))} ({_times(least)} to {_times(most)})"


def _times(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"


def _rates(folder: Path) -> Sequence[str]:
    found = read_latencies(folder)
    if not found:
        return []
    return [
        "## Delay of answers on a live stream",
        "Orders and payments arrive by the clock, and the systems find pairs of the same item within 30 "
        "ticks. A tick takes 100 milliseconds. The rate grows until one answer in a hundred is more than a "
        "tick late.",
        "![Delay of answers at growing rates](../img/throughput.svg)",
        f"Result of {lateness.COMMAND}: {lateness.follows(found)} "
        "The sender and the reader share the machine with the "
        "system.",
        f"Measured: single runs, each rate once. {_measured(folder, lateness.NAME)}.",
    ]


def _windows(results: Mapping[str, Results], folder: Path) -> Sequence[str]:
    found = results.get(_WINDOW)
    if found is None:
        return []
    question = next(one for one in QUESTIONS if one.benchmark == _WINDOW)
    runs = [row.measurement.runs for row in drawn_rows(question, found) if row.measurement is not None]
    return [
        "## Size of the window",
        "The rule `q(A,C) :- p(A,B) in [n], p(B,C) in [n].` joins a window with itself. "
        "Each tick brings 800 new facts, so a window of 80 covers 64,800. We rewrote Laser and Ticker after "
        "their papers, and did not run the published systems.",
        "![Microseconds for a fact over the size of the window](../img/laser-join.svg)",
        f"Result of `python -m experiments run {_WINDOW}`: {' '.join(conclusions(question, found))}",
        f"Measured: {runs_text(runs).removesuffix(' runs')} runs. {_measured(folder, _WINDOW)}.",
    ]


def _reach(folder: Path) -> Sequence[str]:
    found = reach.runs(folder)
    if not found:
        return []
    return [
        "## Reach of one process",
        "A pipe feeds facts to `lars2asp run --changes`. In each load one number is large: facts in all, "
        "facts within a window, rules, or keys.",
        "![Time and memory by tenths of a run](../img/scale.svg)",
        f"The table shows the middle and the end of each run ({', '.join(map(reach.command, found))}):",
        reach.table(found),
        f"{reach.follows(found)}",
        f"Measured: single runs. {_measured(folder, *(f'scale-{name}' for name in found))}.",
    ]
