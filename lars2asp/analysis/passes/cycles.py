"""The pass that reports counts which depend on themselves."""

from lars2asp.analysis.dependencies import Dependency, DependencyKind, dependencies
from lars2asp.analysis.dependency_cycles import cycle_of, cycle_text, named, on_cycles
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import codes
from lars2asp.syntax.diagnostics import Diagnostics

_OPEN = {
    DependencyKind.COUNT: (
        "{0} depends on its own count: {1}",
        "count earlier ticks only, as in {1,2}, or use `at least`",
    ),
    DependencyKind.BEGINNING: (
        "this window begins at {0}, but {0} depends on the window: {1}",
        "use the previous tick: begun(X) :- b(X) in {1}. and then [since begun(X)]",
    ),
}
"""Ways to need a predicate that no predicate that depends on it may have, with messages and cures."""


def check_cycles(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Reports counts and beginnings of windows that depend on themselves; the cycle is spelled out."""
    derived = frozenset(analysis.derived)
    graph = on_cycles(edge for edge in dependencies(analysis) if edge.needed in derived)
    cycles: dict[Dependency, tuple[list[Dependency], int]] = {}  # with the place of the edge in it, one each
    for edge in (edge for edges in graph.values() for edge in edges):
        if edge.kind in _OPEN:
            if edge not in cycles:  # one that lies on a cycle that was found has that, if not the shortest
                cycle = cycle_of(graph, edge)
                for index, step in enumerate(cycle):
                    cycles.setdefault(step, (cycle, index))
            _report(edge, *cycles[edge], analysis, diagnostics)


def _report(
    count: Dependency,
    cycle: list[Dependency],
    begin: int,
    analysis: ProgramAnalysis,
    diagnostics: Diagnostics,
) -> None:
    message, hint = _OPEN[count.kind]
    steps = cycle_text(analysis, [*cycle[begin:], *cycle[:begin]])
    diagnostics.error(
        count.location, message.format(named(analysis, count.needed), steps), hint, code=codes.COUNT_CYCLE
    )
