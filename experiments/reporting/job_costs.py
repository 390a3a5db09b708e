"""The sections of the page on jobs in other systems, from the files that `jobs` writes."""

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
from experiments.jobs.whole import CANNOT, TAKEN, Way
from experiments.kept_results import read_machines
from experiments.reporting import rule_systems
from experiments.reporting.beside import NAMES, Costs, by_job, conclusions, systems
from experiments.reporting.figures import digest
from experiments.reporting.report import machine_text

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
        asked: what was done.
        what: by jobs, each in a few words.
        taken: how other systems come to the answers.
        cannot: by systems: the jobs that they cannot say, and why.
        notes: of the folder of results: what else is to be said.
        not_shown: what the answer does not show.
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
        """What measures it."""
        return f"`python -m experiments jobs {self.part}`"

    def costs(self, folder: Path) -> Costs:
        """What was measured; nothing if there is no file."""
        return by_job(costs.read(folder, self.name))

    def section(self, folder: Path) -> Sequence[str]:
        """The paragraphs; none where nothing was measured."""
        found = self.costs(folder)
        if not found:
            return []
        follows, *beside = conclusions(found, self.unit)
        machines = "; ".join(map(machine_text, read_machines(folder, self.name)))
        return [
            f"## {self.title}",
            f"**Asked.** {self.asked} {self.command} has these, with {_rows(found)}:",
            "\n".join(f"- **{job}**: {self.what[job]}" for job in found),
            f"![{self.title}](figures/{self.name}.svg)",
            f"**Seen** ({self.command}; `experiments/results/{self.name}.csv`, which has wall time and "
            f"memory as well). {_seen(found)} Below are CPU seconds of whole processes, and in brackets the "
            "lines that a user writes; in the last line what the start alone takes.",
            table(found, self.cannot),
            f"**What follows** (all figures: {self.command}). {follows}",
            "\n".join(f"- {one}" for one in beside),
            "**How they come to the answers, and what they cannot say:**",
            "\n".join(self._ways(found)),
            *self.notes(folder),
            f"**Not shown.** {self.not_shown}",
            f"Measured by {self.command} on: {machines}.",
        ]

    def _ways(self, found: Costs) -> Sequence[str]:
        """How other systems come to answers, and what they cannot say."""
        lines = []
        for way in systems(found):
            cannot = "; ".join(f"{job}: it {why}" for job, why in self.cannot.get(way, {}).items())
            if way in self.taken:
                lines.append(
                    f"- **{NAMES[way]}** {self.taken[way]}." + (f" It cannot say {cannot}." if cannot else "")
                )
        return lines

    def digest(self, folder: Path) -> str:
        """That of what is drawn, which the figure bears."""
        return digest(_points(self.costs(folder)))

    def draw(self, folder: Path, figures: Path) -> Path:
        """Draws CPU seconds by jobs, a marker for each system; gives the path of the SVG."""
        found = self.costs(folder)
        path = figures / f"{self.name}.svg"
        with rc_context({"svg.hashsalt": self.name, "svg.fonttype": "none", "font.size": 9}):
            figure = Figure(figsize=(7.6, 3.8), layout="constrained")
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
            axes.set_xticks(range(len(jobs)), jobs, rotation=30)
            axes.set_ylabel("CPU seconds, start included")
            axes.set_title(self.title, loc="left")
            axes.grid(visible=True, which="major", alpha=0.3)
            axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
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
    """From what to what the product takes."""
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
    """How many rows the streams have."""
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
    whole = "too long" if one.cost.whole is None else f"{one.cost.whole:.2f}"
    return f"{whole} ({one.lines})"


_MEASURED = """A process reads a file and writes when each answer begins and ends to hold. Before anything is
timed the answers are compared, and all are those of the plain loop, which is what could be reached without a
language. Medians of runs that take turns; of what takes long a single run."""

_NOT_SHOWN = """Streams that go on, on which a system that takes a whole file at once would begin anew, or be
fed otherwise (pathway and PyFlink can be). Larger streams, where what a start takes counts for less, and
several processors count: CPU time is that of all threads. The programs for other systems are ours; who knows
a system better may write better ones."""


def _one_line(text: str) -> str:
    return " ".join(text.split())


JOBS = Comparison(
    "What would other systems take for ten jobs?",
    "jobs",
    "whole",
    "jobs",
    _one_line(f"""Ten jobs as people have them, in lars2asp and in systems that they would take instead, each
with a program of its own. {_MEASURED}"""),
    {name: job.what for name, job in TEN.items()},
    TAKEN,
    CANNOT,
    rule_systems.paragraphs,
    _one_line(_NOT_SHOWN),
)

NEXMARK = Comparison(
    "What would other systems take for the queries of Nexmark?",
    "nexmark",
    "nexmark",
    "queries",
    _one_line(f"""Nexmark is a benchmark of stream systems: persons, auctions and bids of an auction house,
and {len(QUERIES) + len(NONE)} queries. {len(QUERIES)} of them are programs here, over a stream that is made
here. {_MEASURED}"""),
    {name: query.what.removeprefix("Nexmark, ") for name, query in QUERIES.items()},
    nexmark.TAKEN,
    {},
    lambda _: [
        f"**What is no program here.** {len(NONE)} queries are left out:",
        "\n".join(f"- **{name}** {why}." for name, why in NONE.items()),
    ],
    _one_line(f"""Nexmark's own generator was not run. Answers that grow for ever there have an end here: q4
is of a minute, and q15 to q17 are of a minute, not of a day. {_NOT_SHOWN}"""),
)
