"""The curves of latency over rates."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


def draw(folder: Path, found: Sequence[tuple[str, int, float, float]], tick: float) -> Path:
    """Draws them; the path of the SVG.

    Args:
        folder: where it is written.
        found: systems, events in a second, the median and the 99th percentile of milliseconds.
        tick: seconds.
    """
    path = folder / "throughput.svg"
    with rc_context({"svg.hashsalt": "throughput", "svg.fonttype": "none"}):
        figure = Figure(figsize=(7.6, 4.2), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        for number, system in enumerate(dict.fromkeys(name for name, *_ in found)):
            own = [one[1:] for one in found if one[0] == system]
            medians = [(rate, middle) for rate, middle, _ in own if isfinite(middle)]
            highs = [(rate, high) for rate, _, high in own if isfinite(high)]
            for points, style, label in ((medians, "--", None), (highs, "-", system)):
                xs, ys = [rate for rate, _ in points], [late for _, late in points]
                axes.plot(xs, ys, style, marker="o", markersize=3, color=f"C{number}", label=label)
        axes.axhline(1000 * tick, color="grey", linewidth=0.8)
        axes.set(xscale="log", yscale="log")
        axes.set_xlabel("events a second")
        axes.set_ylabel("milliseconds from when a tick is due to its answer")
        axes.set_title("99th percentile (solid) and median (dashed); the grey line is a tick")
        axes.grid(visible=True, which="major", alpha=0.3)
        axes.legend(fontsize=8)
        figure.savefig(path, metadata={"Date": None})
    return path
