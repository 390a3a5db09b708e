"""Intervals of facts that have more values than they may have."""

from lars2asp.analysis.arithmetic.intervals import CURE, intervals, size_of, too_many
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import shown_number


def check_intervals(analysis: ProgramAnalysis, most: int, diagnostics: Diagnostics) -> None:
    """Reports them: such facts are there at each tick, and before the first one."""
    for rule in analysis.program.but_plain_facts:
        if isinstance(rule, nodes.Rule) and not rule.body and rule.head is not None:
            for one in intervals(rule.head):
                size = size_of(one, analysis.constants)
                if size is not None and size > most:
                    said = too_many(to_text(one), shown_number(size), most)
                    diagnostics.error(one.location, said, CURE, code=codes.LARGE_INTERVAL)
