"""The sections of RESULTS.md on jobs in other systems, from the files that `jobs` writes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from experiments.jobs import costs
from experiments.jobs.nexmark import measure as nexmark
from experiments.jobs.nexmark.queries import NONE, QUERIES
from experiments.jobs.ten import TEN
from experiments.jobs.whole import CANNOT, LONG, TAKEN, Way
from experiments.kept_results import read_machines
from experiments.reporting import rule_systems
from experiments.reporting.beside import NAMES, Costs, by_job, conclusions, systems
from experiments.reporting.figures import LETTERS, SIZE, digest, link_of
from experiments.reporting.provenance import machine_text, runs_text

_MARKERS: Mapping[Way, str] = {
    Way.CHANGES: "o",
    Way.BYTEWAX: "^",
    Way.PATHWAY: "v",
    Way.DUCKDB: "D",
    Way.POLARS: "s",
    Way.FLINK: "P",
    Way.LOOP: "x",
}
_COLOURS = {way: "black" if way is Way.LOOP else f"C{number}" for number, way in enumerate(_MARKERS)}


@dataclass(frozen=True)
class Comparison:
    """A section.

    Attributes:
        title: the question.
        name: of its files: results, and the figure.
        part: of the command `jobs`.
        unit: what is counted.
        asked: the measurement.
        what: each job in a few words.
        taken: how other systems find the answers.
        cannot: by systems, the jobs that they cannot express, and why.
        notes: makes further paragraphs from the folder of results.
        not_shown: the limits of the answer.
    """

    title: str
    name: str
    part: str
    unit: str
    asked: str
    what: Mapping[str, str]
    taken: Mapping[Way, str]
    cannot: Mapping[Way, Mapping[str, str]]
    notes: Callable[[Path], Sequence[str]]
    not_shown: str

    @property
    def command(self) -> str:
        """The command that measures it."""
        return f"`python -m experiments jobs {self.part}`"

    def costs(self, folder: Path) -> Costs:
        """The costs; nothing if there is no file."""
        return by_job(costs.read(folder, self.name))

    def section(self, folder: Path) -> Sequence[str]:
        """The paragraphs; none without a file."""
        found = self.costs(folder)
        if not found:
            return []
        follows, *beside = conclusions(found, self.unit)
        machines = "; ".join(map(machine_text, read_machines(folder, self.name)))
        return [
            f"## {self.title}",
            f"**Question.** {self.asked} {self.command} measures these, with {_rows(found)}:",
            "\n".join(f"- **{job}**: {self.what[job]}" for job in found),
            f"![{self.title}]({link_of(self.name)})",
            f"**Result** ({self.command}; `experiments/results/{self.name}.csv`, also with wall time and "
            f"memory). {_seen(found)} The table shows CPU seconds of whole processes, and in brackets the "
            "lines that a user writes. Its last line is the start alone.",
            table(found, self.cannot),
            *failures(found),
            f"**Conclusion** (all numbers: {self.command}). {follows}",
            "\n".join(f"- {one}" for one in beside),
            "**Ways to the answers, and their limits:**",
            "\n".join(self._ways(found)),
            *self.notes(folder),
            f"**Limits.** {self.not_shown}",
            f"**Measured.** {runs_of(found)} {self.command} on: {machines}.",
        ]

    def _ways(self, found: Costs) -> Sequence[str]:
        """How other systems find the answers, and the jobs that they cannot express."""
        lines = []
        for way in systems(found):
            cannot = "; ".join(f"{job}: it {why}" for job, why in self.cannot.get(way, {}).items())
            if way in self.taken:
                lines.append(
                    f"- **{NAMES[way]}** {self.taken[way]}."
                    + (f" It cannot express {cannot}." if cannot else "")
                )
        return lines

    def digest(self, folder: Path) -> str:
        """The digest of the points, which the figure bears."""
        return digest(_points(self.costs(folder)))

    def draw(self, folder: Path, figures: Path) -> Path:
        """Draws CPU seconds by jobs, a marker for each system; gives the path of the SVG."""
        found = self.costs(folder)
        path = figures / f"{self.name}.svg"
        with rc_context({"svg.hashsalt": self.name, **LETTERS}):
            figure = Figure(figsize=SIZE, layout="constrained")
            FigureCanvasAgg(figure)
            axes = figure.add_subplot()
            jobs = [*found]
            for system, points in _points(found).items():
                way = Way(system)
                axes.plot(
                    [jobs.index(job) for job, _ in points],
                    [seconds for _, seconds in points],
                    _MARKERS[way],
                    color=_COLOURS[way],
                    markersize=7 if way is Way.CHANGES else 5,
                    label=NAMES[way],
                )
            axes.set_yscale("log")
            axes.yaxis.set_major_formatter(lambda value, _: f"{value:,g}")
            axes.set_xticks(range(len(jobs)), jobs, rotation=60 if len(jobs) < 12 else 90)
            axes.set_ylabel("CPU seconds, start included")
            axes.grid(visible=True, which="major", alpha=0.3)
            figure.legend(fontsize=9.5, loc="outside lower center", ncols=3, frameon=False)
            said = {"Date": None, "Title": self.title, "Description": self.digest(folder)}
            figure.savefig(path, metadata=said)
        return path


def _points(found: Costs) -> Mapping[str, Sequence[tuple[str, float]]]:
    """By systems: jobs that were done in time, and their CPU seconds."""
    return {
        way.value: [
            (job, own[way].cost.whole or 0.0)
            for job, own in found.items()
            if way in own and own[way].cost.whole is not None
        ]
        for way in systems(found)
    }


def _seen(found: Costs) -> str:
    """The least and the greatest cost of the product."""
    own = [one[Way.CHANGES] for one in found.values() if Way.CHANGES in one]
    wholes = [one.cost.whole for one in own if one.cost.whole is not None]
    if not wholes:
        return ""
    lines = [one.lines for one in own]
    return (
        f"lars2asp takes {min(wholes):.2f} to {max(wholes):.2f} s of CPU, "
        f"with programs of {min(lines)} to {max(lines)} lines."
    )


def _rows(found: Costs) -> str:
    """The numbers of rows of the streams."""
    rows = [next(iter(own.values())).rows for own in found.values()]
    least, most = min(rows), max(rows)
    return f"{most:,} rows each" if least == most else f"{least:,} to {most:,} rows"


def table(found: Costs, cannot: Mapping[Way, Mapping[str, str]]) -> str:
    """CPU seconds, and lines, by jobs and systems."""
    ways = systems(found)
    lines = [
        f"| CPU seconds (lines) | {' | '.join(NAMES[way] for way in ways)} |",
        "| --- |" + " ---: |" * len(ways),
    ]
    for job, own in found.items():
        cells = ["cannot" if job in cannot.get(way, {}) else _cell(own.get(way)) for way in ways]
        lines.append(f"| {job} | {' | '.join(cells)} |")
    starts = [median(own[way].cost.start for own in found.values() if way in own) for way in ways]
    lines.append(f"| *start alone* | {' | '.join(f'{one:.2f}' for one in starts)} |")
    return "\n".join(lines)


def _cell(one: costs.JobCost | None) -> str:
    if one is None:
        return "-"
    if one.cost.failed:
        return f"failed ({one.lines})"
    whole = "too long" if one.cost.whole is None else f"{one.cost.whole:.2f}"
    return f"{whole} ({one.lines})"


def failures(found: Costs) -> Sequence[str]:
    """A paragraph on systems that failed, with their reasons."""
    failed = [
        f"- {NAMES[way]} failed in {job}: {one.cost.failed}"
        for job, own in found.items()
        for way, one in own.items()
        if one.cost.failed
    ]
    return ["\n".join(failed)] if failed else []


def runs_of(found: Costs) -> str:
    """The number of runs, as far as the file notes it."""
    runs = [one.cost.runs for own in found.values() for one in own.values() if one.cost.whole is not None]
    if 0 in runs:
        return (
            "The file does not note the number of runs. The command makes three, and one if a run takes more "
            f"than {LONG} s of CPU time."
        )
    text = runs_text(runs)
    return f"{text[0].upper()}{text[1:]}; a system that takes more than {LONG} s of CPU time runs once."


_MEASURED = """A process reads a file, and writes for each answer the times when it begins and ends. Before
the timing the answers are compared with a plain loop's, which shows the cost without a language."""

_NOT_SHOWN = """A stream that goes on is another matter: a system that takes a whole file at once would start
over, or needs another way in (pathway and PyFlink offer one). With larger streams the start counts less, and
several processors count: CPU time is that of all threads. We wrote the programs for other systems; an expert
may write better ones."""


def _one_line(text: str) -> str:
    return " ".join(text.split())


JOBS = Comparison(
    "What do ten jobs cost in other systems?",
    "jobs",
    "whole",
    "jobs",
    _one_line(f"""Ten typical jobs run in lars2asp and in other systems, each with its own program.
{_MEASURED}"""),
    {name: job.what for name, job in TEN.items()},
    TAKEN,
    CANNOT,
    rule_systems.paragraphs,
    _one_line(_NOT_SHOWN),
)

NEXMARK = Comparison(
    "What do the queries of Nexmark cost in other systems?",
    "nexmark",
    "nexmark",
    "queries",
    _one_line(f"""Nexmark is a benchmark of stream systems, with the persons, auctions and bids of an auction
house and {len(QUERIES) + len(NONE)} queries. {len(QUERIES)} of them are programs here, over a stream of our
own generator. {_MEASURED}"""),
    {name: query.what.removeprefix("Nexmark, ") for name, query in QUERIES.items()},
    nexmark.TAKEN,
    {},
    lambda _: [
        f"**Left out.** {len(NONE)} queries are no programs here:",
        "\n".join(f"- **{name}** {why}." for name, why in NONE.items()),
    ],
    _one_line(f"""We did not run Nexmark's own generator. Answers that grow for ever there end here: q4 and
q15 to q17 cover a minute. {_NOT_SHOWN}"""),
)
