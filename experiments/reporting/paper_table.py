"""The table of all figures of the papers.

Figures that draw systems, examples or programs are left out; all figures with measurements are there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from experiments.papers import distributed_figures, idlvsr_figures, laser_figures, streamrule_figures
from experiments.papers.claims import Claim, PaperFigure, Seen
from experiments.reporting.provenance import LookedAt, runs_text, sessions, short_text, stale, stale_text
from experiments.reporting.results import ResultRow, Results

FIGURES: Sequence[PaperFigure] = (
    *laser_figures.FIGURES,
    *distributed_figures.FIGURES,
    *streamrule_figures.FIGURES,
    *idlvsr_figures.FIGURES,
)


@dataclass(frozen=True)
class FoundClaim:
    """The verdict on a claim of a figure.

    Attributes:
        figure: the figure.
        claim: the claim.
        seen: the verdict.
        said: the numbers and the reason.
        rows: the measured rows that the numbers are from.
    """

    figure: PaperFigure
    claim: Claim
    seen: Seen
    said: str
    rows: Sequence[ResultRow] = ()

    @property
    def evidence(self) -> str:
        """The file, the runs and the sessions of the rows; empty without rows."""
        if not self.rows:
            return ""
        runs = [row.measurement.runs for row in self.rows if row.measurement is not None]
        notes = [f"`{self.claim.benchmark}`: {runs_text(runs)}"]
        found = sessions(self.rows)
        if len(found) > 1:
            notes.append(f"{len(found)} sessions ({'; '.join(map(short_text, found))})")
        other = stale(self.claim.benchmark, self.rows)
        if other is not None:
            notes.append(stale_text(other))
        return ", ".join(notes)


def found_claims(results: Mapping[str, Results]) -> Sequence[FoundClaim]:
    """The verdicts on all claims, in the order of the papers."""
    return [_found(figure, claim, results) for figure in FIGURES for claim in figure.claims]


def paper_table(results: Mapping[str, Results]) -> str:
    """The table of figures in Markdown: a line for each claim."""
    lines = [
        "| paper, figure, place | the paper's claim | verdict | measured here |",
        "| --- | --- | --- | --- |",
    ]
    before: PaperFigure | None = None
    for found in found_claims(results):
        figure, claim = found.figure, found.claim
        first = "" if figure is before else f"{figure.paper}, {_number(figure.number)}; {figure.place}"
        seen = str(found.seen) if found.seen is Seen.REPRODUCED else f"**{found.seen}**"
        evidence = f" ({found.evidence})" if found.evidence else ""
        lines.append(f"| {first} | {claim.text} | {seen} | {found.said}{evidence} |")
        before = figure
    return "\n".join(lines)


def _number(number: str) -> str:
    return f"figure {number}" if number[0].isdigit() or number.startswith("B ") else number


def _found(figure: PaperFigure, claim: Claim, results: Mapping[str, Results]) -> FoundClaim:
    found = results.get(claim.benchmark)
    if claim.shape is None:
        return FoundClaim(figure, claim, Seen.NOT, claim.reason)
    looked_at = LookedAt(found if found is not None else Results([]))
    try:
        holds = claim.shape.holds is not None and claim.shape.holds(looked_at)
        says = claim.shape.says(looked_at)
    except KeyError:
        return _unmeasured(figure, claim)
    rows = [*looked_at.rows.values()]
    if claim.checked is not None and stale(claim.benchmark, rows) is not None:
        return _unmeasured(figure, claim)
    if claim.shape.holds is None:
        return FoundClaim(figure, claim, Seen.NOT, f"{claim.reason}: {says}", rows)
    if holds:
        return FoundClaim(figure, claim, Seen.REPRODUCED, _joined(says, claim.note), rows)
    return FoundClaim(figure, claim, claim.otherwise, _joined(says, claim.reason, claim.note), rows)


def _unmeasured(figure: PaperFigure, claim: Claim) -> FoundClaim:
    """The verdict on a claim without measurements: that of a check apart, if there was one."""
    seen, evidence = claim.checked or (Seen.NOT, "no file has it")
    return FoundClaim(figure, claim, seen, _joined(evidence, claim.reason))


def _joined(*texts: str) -> str:
    return "; ".join(text for text in texts if text)
