"""The table of all figures of the papers.

Figures that draw systems, examples or programs are left out; figures with measurements are all there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from experiments.papers import distributed_figures, idlvsr_figures, laser_figures, streamrule_figures
from experiments.papers.claims import Claim, PaperFigure
from experiments.reporting.results import Results

FIGURES: Sequence[PaperFigure] = (
    *laser_figures.FIGURES,
    *distributed_figures.FIGURES,
    *streamrule_figures.FIGURES,
    *idlvsr_figures.FIGURES,
)


class Seen(StrEnum):
    """What became of a claim."""

    REPRODUCED = "reproduced"
    REFUTED = "refuted"
    BESIDE = "measured beside"
    CANNOT = "cannot be run"
    NOT = "not measured"


@dataclass(frozen=True)
class FoundClaim:
    """What became of a claim of a figure.

    Attributes:
        figure: the figure.
        claim: the claim.
        seen: what became of it.
        said: why, or what was measured; empty where there is nothing to be said.
    """

    figure: PaperFigure
    claim: Claim
    seen: Seen
    said: str = ""


def found_claims(results: Mapping[str, Results]) -> Sequence[FoundClaim]:
    """What became of all claims, in the order of the papers."""
    return [_found(figure, claim, results) for figure in FIGURES for claim in figure.claims]


def paper_table(results: Mapping[str, Results]) -> str:
    """The table of figures in Markdown: a line for each claim."""
    lines = [
        "| paper, figure | what it shows | what it is drawn for | seen here | by |",
        "| --- |" + " --- |" * 4,
    ]
    before: PaperFigure | None = None
    for found in found_claims(results):
        figure, claim = found.figure, found.claim
        first = " | " if figure is before else f"{figure.paper}, {figure.number} | {figure.shows}"
        by = f"`{claim.benchmark}`" if claim.benchmark else "-"
        lines.append(f"| {first} | {claim.text} | {_cell(found)} | {by} |")
        before = figure
    return "\n".join(lines)


def _cell(found: FoundClaim) -> str:
    if found.seen is Seen.BESIDE:
        return found.said
    seen = f"**{found.seen}**" if found.seen is Seen.REFUTED else str(found.seen)
    return f"{seen}: {found.said}" if found.said else seen


def _found(figure: PaperFigure, claim: Claim, results: Mapping[str, Results]) -> FoundClaim:
    if claim.holds is None and claim.says is None:
        return FoundClaim(figure, claim, Seen.CANNOT, claim.reason)
    found = results.get(claim.benchmark)
    if found is None:
        return FoundClaim(figure, claim, Seen.NOT)
    try:
        if claim.says is not None:
            return FoundClaim(figure, claim, Seen.BESIDE, claim.says(found.measured))
        holds = claim.holds is not None and claim.holds(found.measured)
    except KeyError:
        return FoundClaim(figure, claim, Seen.NOT)
    if holds:
        return FoundClaim(figure, claim, Seen.REPRODUCED)
    return FoundClaim(figure, claim, Seen.REFUTED, claim.reason)
