"""The section of the page on how far one process goes, from the files that `scale` writes."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from experiments.kept_results import read_machines
from experiments.reporting.report import machine_text

NAME = "scale"
TITLE = "How far does one process go?"
FLAT = 1.1
"""What grows by no more than a tenth from the fifth tenth to the last one is flat."""

LOADS = {
    "facts": "facts in all",
    "live": "facts within a window",
    "rules": "rules",
    "keys": "keys, the last value of each",
}
"""By the names of files: of what there are so many."""

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


def section(folder: Path) -> Sequence[str]:
    """The paragraphs; none where nothing was measured."""
    found = runs(folder)
    if not found:
        return []
    commands = ", ".join(f"`python -m experiments scale {name} --full`" for name in found)
    lines = [
        f"| by {commands}: | size | microseconds a fact, fifth tenth | last | MiB, fifth tenth | last |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    growing = []
    for name, run in found.items():
        middle, last = run[len(run) // 2 - 1], run[-1]
        cells = [f"{run[0]['size']:,.0f}", f"{middle['us a fact']:.2f}", f"{last['us a fact']:.2f}"]
        cells += [f"{middle['MiB']:.0f}", f"{last['MiB']:.0f}"]
        lines.append(f"| {LOADS[name]} | {' | '.join(cells)} |")
        growing += [
            f"with many *{LOADS[name]}* {what} grows by {100 * (last[key] / middle[key] - 1):.0f} % "
            f"in the second half (`python -m experiments scale {name} --full`)"
            for what, key in (("time", "us a fact"), ("memory", "MiB"))
            if last[key] > FLAT * middle[key]
        ]
    follows = "What a fact costs, and the memory of the process, are flat in the second half of a run" + (
        f", but for this: {'; '.join(growing)}." if growing else "."
    )
    machines = [one for name in found for one in read_machines(folder, f"scale-{name}")]
    measured = "; ".join(dict.fromkeys(map(machine_text, machines)))
    return [
        f"## {TITLE}",
        "**Asked.** Facts are fed to `lars2asp run --changes` through a pipe, 100 at a tick: so many in all, "
        "of 1,000 sensors; so many within one window, which is filled, and then twice as many come; rules "
        "with a predicate each; keys, each with a window of its last value. CPU time and memory are read in "
        "each tenth of a run. Before that answers on a small stream are held to those of a plain loop.",
        f"![{TITLE}](figures/{NAME}.svg)",
        "**Seen.** The first tenths have the start of the process, and windows that are filled.",
        "\n".join(lines),
        f"**What follows.** {follows}",
        "**Not shown.** Wall time. The loads are not to be compared with each other: where there are many "
        "rules a tick touches nearly a hundred of them, with one fact each, and with the others it touches "
        "one.",
        f"Measured by {commands} on: {measured}.",
    ]


def draw(folder: Path, found: Mapping[str, Run]) -> Path:
    """Draws time and memory by tenths; gives the path of the SVG."""
    path = folder / f"{NAME}.svg"
    with rc_context({"svg.hashsalt": NAME, "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(7.6, 3.4), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(TITLE)
        for number, (key, label) in enumerate((("us a fact", "microseconds a fact"), ("MiB", "MiB"))):
            axes = figure.add_subplot(1, 2, number + 1)
            for run_name, run in found.items():
                label_of_run = f"{run[0]['size']:,.0f} {LOADS[run_name]}"
                axes.plot([row["tenth"] for row in run], [row[key] for row in run], "o-", label=label_of_run)
            axes.set_xlabel("tenth of the run")
            axes.set_ylabel(label)
            axes.set_ylim(bottom=0)
            axes.grid(visible=True, which="major", alpha=0.3)
        axes.legend(fontsize=7)
        figure.savefig(path, metadata={"Date": None, "Title": TITLE})
    return path
