"""A plan as a picture, in the forms that it is written in."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.evaluators.choice import Assignment
from lars2asp.runtime.evaluators.costs.meter import Cost
from lars2asp.runtime.evaluators.plan_text import NO_COSTS, derived
from lars2asp.runtime.plan_drawing.dot import dot_of, svg_of
from lars2asp.runtime.plan_drawing.drawing_format import DrawingFormat
from lars2asp.runtime.plan_drawing.page import page_of
from lars2asp.runtime.plan_drawing.stream_graph import StreamGraph, stream_graph
from lars2asp.runtime.sinks.page_head import framed_page
from lars2asp.syntax.summaries import counted


class PlanDrawing:
    """A drawing of a program: predicates, rules, windows on the arrows, and components.

    A notebook shows it. `Reasoner.drawing` makes one.

    Attributes:
        title: The heading.
    """

    def __init__(self, graph: StreamGraph, title: str) -> None:
        self._graph = graph
        self.title = title

    def to_text(self, form: DrawingFormat) -> str:
        """Returns the drawing as a page, as text for Graphviz, or as SVG.

        Raises:
            InputError: For SVG, if Graphviz is missing.
        """
        match form:
            case DrawingFormat.SVG:
                return svg_of(self._graph)
            case DrawingFormat.HTML:
                return page_of(self._graph, self.title)
            case DrawingFormat.DOT:
                return dot_of(self._graph)

    def write(self, path: str | Path) -> None:
        """Writes the drawing to a file: a page (`.html`), a graph for Graphviz (`.dot`) or a picture
        (`.svg`).

        Raises:
            InputError: For another ending, for a picture without Graphviz, or if lars2asp cannot write the
                file.
        """
        ending = Path(path).suffix.lower().removeprefix(".")
        if ending not in [*DrawingFormat]:
            raise InputError(f"{path}: a drawing is a .svg, a .html or a .dot file")
        try:
            Path(path).write_text(self.to_text(DrawingFormat(ending)), "utf-8")
        except OSError as error:
            raise InputError(f"{path}: cannot write this file: {error.strerror}") from error

    def __repr__(self) -> str:
        graph = self._graph
        predicates = counted(len(graph.cards), "card")
        return f"<PlanDrawing: {predicates}, {counted(len(graph.arrows), 'arrow')}>"

    def _repr_html_(self) -> str:
        return framed_page(page_of(self._graph, self.title), self.title)


def drawing_of(
    plan: Plan, assignments: Sequence[Assignment], costs: Mapping[str, Cost] = NO_COSTS, title: str = "plan"
) -> PlanDrawing:
    """Returns the drawing of a plan.

    Args:
        plan: The plan.
        assignments: Its components with their evaluators.
        costs: The costs of components in a run, by their predicates.
        title: The heading.
    """
    measured = [costs.get(derived(plan, one.component)) for one in assignments]
    return PlanDrawing(stream_graph(plan, assignments, measured), title)
