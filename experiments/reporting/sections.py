"""The sections of RESULTS.md on other measurements than benchmarks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.reporting import lateness, reach
from experiments.reporting.job_costs import JOBS, NEXMARK


@dataclass(frozen=True)
class Section:
    """A section with a figure.

    Attributes:
        name: the stem of the figure.
        paragraphs: makes the paragraphs from a folder of results; none without files.
        draw: draws the figure of a folder of results into another; gives its path.
    """

    name: str
    paragraphs: Callable[[Path], Sequence[str]]
    draw: Callable[[Path, Path], Path]


SECTIONS = (
    Section(JOBS.name, JOBS.section, JOBS.draw),
    Section(NEXMARK.name, NEXMARK.section, NEXMARK.draw),
    Section(lateness.NAME, lateness.section, lateness.draw),
    Section(reach.NAME, reach.section, lambda folder, figures: reach.draw(figures, reach.runs(folder))),
)


def measured(folder: Path) -> Sequence[Section]:
    """The sections with results."""
    return [section for section in SECTIONS if section.paragraphs(folder)]


def paragraphs(folder: Path) -> Sequence[str]:
    """The text of these sections."""
    return [one for section in SECTIONS for one in section.paragraphs(folder)]
