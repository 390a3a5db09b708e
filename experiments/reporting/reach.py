"""The section of RESULTS.md on the reach of one process, from the files that `scale` writes."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from experiments.kept_results import read_machines
from experiments.reporting.figures import LETTERS, SIZE, link_of
from experiments.reporting.provenance import machine_text

NAME = "scale"
TITLE = "How far does one process go?"
FLAT = 1.1
"""Growth of at most a tenth, from the fifth tenth of a run to the last, counts as flat."""

LOADS = {
    "facts": "facts in all",
    "live": "facts within a window",
    "rules": "rules",
    "keys": "keys, with their last values",
}
"""By the names of files: the load that is large."""

Run = Sequence[Mapping[str, float]]
"""By columns, for each tenth of a run."""


def runs(folder: Path) -> Mapping[str, Run]:
    """The runs that there are files of."""
    found = {}
    for name in LOADS:
        path = folder / f"scale-{name}.csv"
        if path.exists():
            with path.open(newline="") as rows:
                found[name] = [{key: float(one) for key, one in row.items()} for row in csv.DictReader(rows)]
    return found


def command(name: str) -> str:
    """The command that measures a load."""
    return f"`python -m experiments scale {name} --full`"


def section(folder: Path) -> Sequence[str]:
    """The paragraphs; none without files."""
    found = runs(folder)
    if not found:
        return []
    commands = ", ".join(map(command, found))
    machines = [one for name in found for one in read_machines(folder, f"scale-{name}")]
    measured = "; ".join(dict.fromkeys(map(machine_text, machines)))
    return [
        f"## {TITLE}",
        "**Question.** A pipe feeds facts to `lars2asp run --changes`, 100 at a tick. Four loads are large: "
        "facts in all, of 1,000 sensors; facts within one window; rules with a predicate each; keys, each "
        "with a window of its last value. CPU time and memory are read in each tenth of a run. Before the "
        "timing the answers on a small stream are compared with a plain loop's.",
        f"![{TITLE}]({link_of(NAME)})",
        f"**Result** ({commands}). The first tenths include the start of the process and fill the windows.",
        table(found),
        f"**Conclusion** ({commands}). {follows(found)}",
        "**Limits.** Wall time is not measured. The loads cannot be compared with each other: with many "
        "rules a tick touches nearly a hundred rules, with one fact each. With the other loads it touches "
        "one rule.",
        f"**Measured.** Single runs. {commands} on: {measured}.",
    ]


def follows(found: Mapping[str, Run]) -> str:
    """Whether time and memory are flat."""
    growing = []
    for name, run in found.items():
        middle, last = run[len(run) // 2 - 1], run[-1]
        growing += [
            f"with many *{LOADS[name]}* the {what} grows by {100 * (last[key] / middle[key] - 1):.0f} % "
            f"in the second half (`python -m experiments scale {name} --full`)"
            for what, key in (("time", "us a fact"), ("memory", "MiB"))
            if last[key] > FLAT * middle[key]
        ]
    return "The cost of a fact and the memory of the process are flat in the second half of a run" + (
        f", with an exception: {'; '.join(growing)}." if growing else "."
    )


def table(found: Mapping[str, Run]) -> str:
    """Time and memory in the middle and at the end of the runs."""
    lines = [
        "| load | size | microseconds for a fact, fifth tenth | last tenth | MiB, fifth tenth | last tenth |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, run in found.items():
        middle, last = run[len(run) // 2 - 1], run[-1]
        cells = [f"{run[0]['size']:,.0f}", f"{middle['us a fact']:.2f}", f"{last['us a fact']:.2f}"]
        cells += [f"{middle['MiB']:.0f}", f"{last['MiB']:.0f}"]
        lines.append(f"| {LOADS[name]} | {' | '.join(cells)} |")
    return "\n".join(lines)


def draw(folder: Path, found: Mapping[str, Run]) -> Path:
    """Draws time and memory by tenths; gives the path of the SVG."""
    path = folder / f"{NAME}.svg"
    with rc_context({"svg.hashsalt": NAME, **LETTERS}):
        figure = Figure(figsize=SIZE, layout="constrained")
        FigureCanvasAgg(figure)
        for number, (key, label) in enumerate((("us a fact", "microseconds for a fact"), ("MiB", "MiB"))):
            axes = figure.add_subplot(1, 2, number + 1)
            for run_name, run in found.items():
                label_of_run = f"{run[0]['size']:,.0f} {LOADS[run_name]}"
                axes.plot([row["tenth"] for row in run], [row[key] for row in run], "o-", label=label_of_run)
            axes.set_xlabel("tenth of the run")
            axes.set_ylabel(label)
            axes.set_ylim(bottom=0)
            axes.grid(visible=True, which="major", alpha=0.3)
        figure.legend(
            *axes.get_legend_handles_labels(), fontsize=9.5, loc="outside lower center", frameon=False
        )
        figure.savefig(path, metadata={"Date": None, "Title": TITLE})
    return path
