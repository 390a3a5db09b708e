"""The table of all figures of the papers.

Figures that draw systems, examples or programs are left out; figures with measurements are all there.
"""

from collections.abc import Mapping

from experiments.papers import distributed_figures, idlvsr_figures, laser_figures, streamrule_figures
from experiments.papers.claims import Claim
from experiments.reporting.results import Results

FIGURES = (
    *laser_figures.FIGURES,
    *distributed_figures.FIGURES,
    *streamrule_figures.FIGURES,
    *idlvsr_figures.FIGURES,
)

NOT_MEASURED = "not measured"


def paper_table(results: Mapping[str, Results]) -> str:
    """The table of figures in Markdown: a line for each claim."""
    lines = [
        "| paper, figure | what it shows | what it is drawn for | seen here | by |",
        "| --- |" + " --- |" * 4,
    ]
    for figure in FIGURES:
        first = f"{figure.paper}, {figure.number} | {figure.shows}"
        for claim in figure.claims:
            lines.append(f"| {first} | {claim.text} | {_seen(claim, results)} | {_by(claim)} |")
            first = " | "
    return "\n".join(lines)


def _by(claim: Claim) -> str:
    return f"`{claim.benchmark}`" if claim.benchmark else "-"


def _seen(claim: Claim, results: Mapping[str, Results]) -> str:
    if claim.holds is None and claim.says is None:
        return f"cannot be run: {claim.reason}"
    found = results.get(claim.benchmark)
    if found is None:
        return NOT_MEASURED
    try:
        if claim.says is not None:
            return claim.says(found.measured)
        holds = claim.holds is not None and claim.holds(found.measured)
    except KeyError:
        return NOT_MEASURED
    if holds:
        return "reproduced"
    return f"**refuted**: {claim.reason}" if claim.reason else "**refuted**"
