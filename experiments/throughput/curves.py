"""The curves of latency over rates."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from experiments.throughput.latency import NAME, Latency, by_system


def draw(folder: Path, found: Sequence[Latency], title: str = "", description: str = "") -> Path:
    """Draws them; the path of the SVG.

    Args:
        folder: where it is written.
        found: the latencies.
        title: the title that the file bears.
        description: the description that it bears.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{NAME}.svg"
    with rc_context({"svg.hashsalt": NAME, "svg.fonttype": "none", "font.size": 10}):
        figure = Figure(figsize=(4.6, 4.4), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        for number, (system, own) in enumerate(by_system(found).items()):
            medians = [(one.rate, one.median) for one in own if isfinite(one.median)]
            highs = [(one.rate, one.high) for one in own if isfinite(one.high)]
            for points, style, label in ((medians, "--", None), (highs, "-", system)):
                xs, ys = [rate for rate, _ in points], [late for _, late in points]
                axes.plot(xs, ys, style, marker="o", markersize=3, color=f"C{number}", label=label)
        for tick in sorted({one.tick for one in found}):
            axes.axhline(tick, color="grey", linewidth=0.8)
        axes.set(xscale="log", yscale="log")
        rates = sorted({one.rate for one in found})
        axes.set_xticks(rates, [f"{rate:,}" for rate in rates], rotation=60)
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,g}")
        axes.set_xlabel("events a second")
        axes.set_ylabel("milliseconds to the answer of a tick")
        axes.set_title("99th percentile (solid), median (dashed)\nthe grey line is a tick", fontsize=9.5)
        axes.grid(visible=True, which="major", alpha=0.3)
        figure.legend(fontsize=9.5, loc="outside lower center", ncols=2, frameon=False)
        figure.savefig(path, metadata={"Date": None, "Title": title, "Description": description})
    return path
