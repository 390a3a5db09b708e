"""The chart as a picture, drawn by matplotlib."""

import warnings
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from math import nan
from typing import TYPE_CHECKING, Any, BinaryIO

from matplotlib import dates, rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from lars2asp.analysis.tick_moments import EPOCH
from lars2asp.runtime.charts.lanes import ChartData
from lars2asp.runtime.charts.page import clock_of
from lars2asp.runtime.sinks.situations import shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lars2asp.runtime.sources.times.timeline import Timeline

MOST_LANES = 200
"""The number of lanes of a picture; each predicate has its share of them."""

WIDTH, LANE, ABOVE, BELOW, RIGHT = 11.0, 0.2, 0.3, 0.55, 0.3
"""The width of a picture, the height of a lane, and what is around the lanes, in inches."""

CHARACTER = 0.066
"""The width of a character of an atom, in inches, about."""

DOTS = 144
"""In an inch."""

LONGEST_LABEL = 40
"""The number of characters of an atom."""

COLOURS = ("#2a6fb0", "#c2571a", "#2b8a3e", "#8a4fb5", "#a8324a", "#1f8a8a", "#8a6d1f", "#5b6770")
"""Those of predicates, in turn."""

Extent = tuple[float, float]

_DATES: Any = dates
"""It has no types."""


def draw(data: ChartData, title: str, timeline: "Timeline | None", file: BinaryIO, form: str) -> None:
    """Writes a picture to a file."""
    rows = max(1, min(MOST_LANES, data.lanes) + len(data.inputs) + 1)
    height = ABOVE + BELOW + LANE * rows
    figure = Figure(figsize=(WIDTH, height), dpi=DOTS)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axis = _Axis(data, timeline)
    labels, left_out = _lanes(axes, data, axis)
    left = 0.15 + CHARACTER * max(map(len, labels), default=0)
    figure.subplots_adjust(left / WIDTH, BELOW / height, 1 - RIGHT / WIDTH, 1 - ABOVE / height)
    _decorated(axes, axis)
    words = f"{title}  " if title else ""
    words += f"{left_out} more lanes are not drawn" if left_out else ""
    axes.set_title(words.strip(), loc="left", fontsize=9, parse_math=False)
    with warnings.catch_warnings(), rc_context({"svg.hashsalt": "lars2asp"}):
        warnings.simplefilter("ignore")  # characters that the font has not, which are drawn as boxes
        metadata = {"Date": None} if form == "svg" else None
        figure.savefig(file, format=form, metadata=metadata)


class _Axis:
    """Ticks as places on the axis: days where they have times, else ticks since the first."""

    def __init__(self, data: ChartData, timeline: "Timeline | None") -> None:
        self.begin, self.end = data.begin, max(data.end, data.begin + 1)
        self.timeline = (
            None if timeline is None or clock_of(timeline, data.begin, data.end) is None else timeline
        )
        if self.timeline is not None:
            self._since = float(_DATES.date2num(EPOCH))
        self.first, self.last = self.place(self.begin), self.place(self.end)
        self.pixel = (self.last - self.first) / (WIDTH * DOTS)

    def place(self, tick: int) -> float:
        """Where a tick begins."""
        if self.timeline is None:
            return tick - self.begin
        return self._since + self.timeline.begin_of(tick) / 86_400e6

    def spans(self, bars: Sequence[int]) -> list[Extent]:
        """Begins and lengths on the axis; what has less than a pixel in between is one."""
        found: list[Extent] = []
        for begin, end in zip(*[map(self.place, bars)] * 2, strict=True):
            if found and begin - sum(found[-1]) < self.pixel:
                found[-1] = found[-1][0], end - found[-1][0]
            else:
                found.append((begin, max(end - begin, 2 * self.pixel)))
        return found


def _lanes(axes: "Axes", data: ChartData, axis: _Axis) -> tuple[list[str], int]:
    """Draws lanes from above to below; what they are called, and for how many there is no room."""
    labels: list[str] = []
    for gap in axis.spans(data.gaps):
        axes.axvspan(gap[0], sum(gap), color="#d64545", alpha=0.15, lw=0)
    for label, marks in _inputs(data, axis):
        low, high = len(labels) - 0.3, len(labels) + 0.3
        across = [x for mark in marks for x in (mark, mark, nan)]  # one line with breaks, which is soon drawn
        axes.plot(across, [low, high, nan] * len(marks), color="#5b6770", lw=0.6)
        labels.append(label)
    order = sorted(range(len(data.groups)), key=lambda number: len(data.groups[number].lanes))
    room = shares([len(data.groups[number].lanes) for number in order], MOST_LANES)
    shown = dict(zip(order, room, strict=True))
    for number, group in enumerate(data.groups):
        for lane in group.lanes[: shown[number]]:
            spans = axis.spans(lane.bars)
            place = len(labels)
            axes.broken_barh(spans, (place - 0.35, 0.7), color=COLOURS[number % len(COLOURS)], lw=0)
            labels.append(_cut(lane.text))
    axes.set_yticks([])
    for number, label in enumerate(labels):
        where = axes.get_yaxis_transform()
        axes.text(-0.005, number, label, transform=where, ha="right", va="center", size=7, parse_math=False)
    axes.set_ylim(max(len(labels), 1) - 0.5, -0.5)
    return labels, data.lanes - sum(shown.values())


def _inputs(data: ChartData, axis: _Axis) -> Iterator[tuple[str, list[float]]]:
    """The lanes of the input, with one mark for each pixel at most."""
    for lane in data.inputs:
        places = [axis.place(tick) for tick in lane.counts]
        kept = places[:1]
        for _, place in pairwise(places):
            if place - kept[-1] >= axis.pixel:
                kept.append(place)
        yield _cut(f"input {lane.name}"), kept


def _decorated(axes: "Axes", axis: _Axis) -> None:
    axes.set_xlim(axis.first, axis.last)
    if axis.timeline is None:
        axes.set_xlabel(f"ticks since {axis.begin}", fontsize=8)
        axes.ticklabel_format(axis="x", useOffset=False, style="plain")
    else:
        zone: Any = axis.timeline.zone or datetime.fromisoformat("1970-01-01T00:00Z").tzinfo
        locator = _DATES.AutoDateLocator(tz=zone)
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(_DATES.ConciseDateFormatter(locator, tz=zone))
        axes.set_xlabel(str(zone), fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    axes.grid(axis="x", color="#8884", lw=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_LABEL else f"{text[:LONGEST_LABEL]} ..."
