"""The public chart of a run."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from lars2asp.runtime.charts.lanes import ChartData
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import check_installed
from lars2asp.syntax.source import shown

if TYPE_CHECKING:
    from lars2asp.runtime.sources.times.timeline import Timeline

# Imports the writers of pages and pictures on use: matplotlib takes a second.
# ruff: noqa: PLC0415


class ChartFormat(StrEnum):
    """The format of a chart; the value is the ending of the file."""

    HTML = "html"
    SVG = "svg"
    PNG = "png"


def chart_format_of(path: str | Path) -> ChartFormat:
    """Returns the format of a file, by its ending. Raises InputError for others."""
    ending = Path(path).suffix.lower().removeprefix(".")
    try:
        return ChartFormat(ending)
    except ValueError as error:
        raise InputError(
            f"{shown(str(path))}: a chart is written as .html (a page), .svg or .png: let the name end so"
        ) from error


def check_chart_file(path: str | Path) -> None:
    """Raises InputError for a file with another ending, or if matplotlib is missing."""
    if chart_format_of(path) is not ChartFormat.HTML:
        check_installed(("matplotlib",), "charts", shown(str(path)))


class Chart:
    """A chart of a run: a lane for each atom, a bar for each interval over which it held.

    A notebook shows it. `Reasoner.chart` makes one.

    Args:
        data: The content.
        title: The heading.
        timeline: How to show ticks as times; None for ticks.
    """

    def __init__(self, data: ChartData, title: str, timeline: "Timeline | None" = None) -> None:
        self._data = data
        self._title = shown(title)
        self._timeline = None if timeline is None or timeline.tick_length is None else timeline

    @property
    def lanes(self) -> int:
        """The number of atoms."""
        return self._data.lanes

    @property
    def intervals(self) -> int:
        """The number of intervals in all lanes."""
        return self._data.intervals

    def __repr__(self) -> str:
        data = self._data
        return f"<Chart: {self.intervals} intervals of {self.lanes} atoms, ticks {data.begin} to {data.end}>"

    def _repr_html_(self) -> str:
        from lars2asp.runtime.charts.page import framed

        return framed(self._data, self._title, self._timeline)

    def to_html(self) -> str:
        """Returns the chart as a page that needs no other file."""
        from lars2asp.runtime.charts.page import page_of

        return page_of(self._data, self._title, self._timeline)

    def write(self, path: str | Path) -> None:
        """Writes the chart to a file: a page (`.html`) or, with matplotlib, a picture (`.svg`, `.png`).

        Raises:
            InputError: For another ending, if matplotlib is missing, or if lars2asp cannot write the file.
        """
        check_chart_file(path)
        try:
            with Path(path).open("wb") as file:
                self.write_to(file, chart_format_of(path))
        except OSError as error:
            raise InputError(f"{path}: cannot write this file: {error.strerror}") from error

    def write_to(self, file: BinaryIO, form: ChartFormat) -> None:
        """Writes the chart to an open file. Raises OSError."""
        if form is ChartFormat.HTML:
            file.write(self.to_html().encode())
            return
        from lars2asp.runtime.charts.picture import draw

        draw(self._data, self._title, self._timeline, file, form.value)
