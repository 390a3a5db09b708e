"""Figures of results, as SVG and PNG."""

import json
from hashlib import blake2b
from itertools import cycle
from pathlib import Path
from typing import Any, Literal

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.benchmark import Benchmark, EngineName
from experiments.measuring.machine import Machine
from experiments.reporting.results import ResultRow, Results

_BESIDE = {
    EngineName.LASER_NAIVE: "gold",
    EngineName.COPIED: "lime",
    EngineName.BY_HAND: "black",
    EngineName.PIPELINED_CLINGO: "saddlebrown",
}
COLOURS = {
    **{engine: f"C{i}" for i, engine in enumerate(one for one in EngineName if one not in _BESIDE)},
    **_BESIDE,
}
_DASHES: tuple[Literal["-", "--", ":", "-."], ...] = ("-", "--", ":", "-.")


SIZE = (4.6, 4.4)
"""The inches of a figure, so narrow that its letters can be read on a phone."""

LETTERS: dict[Any, Any] = {"svg.fonttype": "none", "font.size": 10}
"""The settings of all figures that pages show."""

ON_THE_SITE = ("laser-join", "jobs", "throughput", "scale")
"""The names of figures that the site shows; the others are only in experiments/figures."""

_ROOT = Path(__file__).parents[2]
SITE_FOLDER = _ROOT / "docs" / "img"
OTHER_FOLDER = _ROOT / "experiments" / "figures"


def folder_of(name: str) -> Path:
    """The folder of the figure of this name."""
    return SITE_FOLDER if name in ON_THE_SITE else OTHER_FOLDER


def link_of(name: str) -> str:
    """The link to a figure from experiments/RESULTS.md."""
    return f"../docs/img/{name}.svg" if name in ON_THE_SITE else f"figures/{name}.svg"


def legend_below(axes: Axes, columns: int = 2) -> None:
    """Puts the legend below the axes."""
    axes.legend(fontsize=9.5, loc="upper center", bbox_to_anchor=(0.45, -0.22), ncols=columns, frameon=False)


def digest(drawn: object) -> str:
    """A digest of the points that a figure draws. The figure bears it, so a test finds older figures."""
    return blake2b(json.dumps(drawn).encode(), digest_size=8).hexdigest()


def draw(benchmark: Benchmark, results: Results, folder: Path) -> Path:
    """Draws the figure of a benchmark; gives the path of the SVG."""
    panels = 2 if benchmark.count else 1
    is_clocked = benchmark.is_by_the_clock
    path = folder / f"{benchmark.name}.svg"
    with rc_context(
        {"svg.hashsalt": benchmark.name, "svg.fonttype": "none"}
    ):  # the same results make the same file
        figure = Figure(figsize=(7.6 * panels, 4.2), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(f"{benchmark.title} ({benchmark.source})")
        axes = [figure.add_subplot(1, panels, number + 1) for number in range(panels)]
        _curves(axes[0], benchmark, results, None)
        axes[0].set_ylabel(
            "microseconds to the answer" if is_clocked else f"microseconds for a {benchmark.per}"
        )
        if benchmark.count:
            _curves(axes[1], benchmark, results, benchmark.count)
            axes[1].set_ylabel(benchmark.count if is_clocked else f"{benchmark.count} in a tick")
        figure.savefig(path, metadata={"Date": None})
        figure.savefig(path.with_suffix(".png"), dpi=120)
    return path


def _curves(axes: Axes, benchmark: Benchmark, results: Results, count: str | None) -> None:
    """One curve for each engine, series and session. With a count only engines that have it are drawn."""
    curves: dict[tuple[EngineName, str, Machine], list[ResultRow]] = {}
    for row in results.rows:
        if row.measurement is not None and (count is None or count in row.measurement.counts):
            curves.setdefault((row.engine, row.series, row.machine), []).append(row)
    series = sorted({name for _, name, _ in curves}, key=[row.series for row in results.rows].index)
    for (engine, name, _), rows in curves.items():
        points = sorted((row.x, row.measurement) for row in rows if row.measurement is not None)
        values = [one.time if count is None else one.counts[count] for _, one in points]
        style = _DASHES[series.index(name) % len(_DASHES)]
        xs = [x for x, _ in points]
        axes.plot(xs, values, style, marker="o", markersize=3, color=COLOURS[engine])
        if count is None:
            low, high = [one.low for _, one in points], [one.high for _, one in points]
            axes.fill_between(xs, low, high, color=COLOURS[engine], alpha=0.15)
    axes.set_xlabel(benchmark.x_label)
    axes.set_yscale("log" if count is None else "symlog")
    axes.grid(visible=True, which="major", alpha=0.3)
    engines = [Line2D([], [], color=COLOURS[one], label=one) for one in dict.fromkeys(e for e, *_ in curves)]
    styles = zip(series, cycle(_DASHES), strict=False)
    names = [Line2D([], [], color="grey", linestyle=style, marker="o", label=one) for one, style in styles]
    keys = [*engines, *names] if len(series) > 1 else engines
    axes.legend(handles=keys, fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
