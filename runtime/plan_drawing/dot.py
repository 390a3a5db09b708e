"""The graph of a plan in the language of Graphviz, and the picture that Graphviz makes of it."""

import shutil
import subprocess
from collections.abc import Iterator
from textwrap import wrap

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.plan_drawing.stream_graph import MOST_TEXT, Arrow, Card, CardKind, StreamGraph
from lars2asp.syntax.source import shown

WIDEST = 44
"""The number of characters in a line of a card."""

_COLOURS = {
    CardKind.INPUT: ("#e3effb", "#2a6fb0"),
    CardKind.FACTS: ("#f0eee6", "#8a7a4a"),
    CardKind.DERIVED: ("#ffffff", "#8b98a3"),
    CardKind.STATEMENT: ("#fbeeee", "#b3261e"),
}
"""Within and around a card."""

_SHOWN = "#2b8a3e"


def dot_of(graph: StreamGraph) -> str:
    """The graph; components are clusters."""
    return "".join(f"{line}\n" for line in _dot(graph))


def svg_of(graph: StreamGraph) -> str:
    """The picture. Raises InputError where Graphviz is not installed, or fails."""
    program = shutil.which("dot")
    if program is None:
        raise InputError(
            "a picture is made by Graphviz, whose program dot is not found: install Graphviz, or ask for a "
            "page (html), which needs nothing"
        )
    done = subprocess.run([program, "-Tsvg"], input=dot_of(graph).encode(), capture_output=True, check=False)
    if done.returncode:
        raise InputError(
            f"Graphviz has made no picture: {shown(done.stderr.decode(errors='replace').strip())}"
        )
    return done.stdout.decode()


def _dot(graph: StreamGraph) -> Iterator[str]:
    yield "digraph plan {"
    yield "  rankdir=LR;"
    yield '  node [shape=box, style="rounded,filled", fontname="Courier", fontsize=11];'
    yield '  edge [fontname="Courier", fontsize=10];'
    for number, card in enumerate(graph.cards):
        if card.box is None:
            yield f"  {_card(number, card, graph)}"
    for box_number, box in enumerate(graph.boxes):
        said = [f"component {box_number + 1}: {box.evaluator}"]
        said.append(box.streams if box.cost is None else f"{box.share:.0%}  {box.cost}")
        yield f"  subgraph cluster_{box_number + 1} {{"
        yield f'    label={_quoted(said)}; fontname="Courier"; style="rounded,filled"; color="#d5dce2";'
        yield '    fillcolor="#f4f6f8";'
        for number, card in enumerate(graph.cards):
            if card.box == box_number:
                yield f"    {_card(number, card, graph)}"
        yield "  }"
    for arrow in graph.arrows:
        yield f"  {_arrow(arrow)}"
    yield "}"


def _card(number: int, card: Card, graph: StreamGraph) -> str:
    lines = [card.title]
    if graph.has_rules:
        lines += [f"{rule.line} {rule.text}" for rule in card.rules]
    lines += filter(None, [card.remark])
    fill, rim = _COLOURS[card.kind]
    width = 2 if card.is_shown else 1
    colours = f'fillcolor="{fill}", color="{_SHOWN if card.is_shown else rim}", penwidth={width}'
    return f"c{number} [label={_quoted(lines)}, {colours}];"


def _arrow(arrow: Arrow) -> str:
    said = [f"label={_quoted([arrow.label])}"] if arrow.label else []
    said += ['color="#b3261e"', 'fontcolor="#b3261e"', "style=dashed"] if arrow.is_negative else []
    how = f" [{', '.join(said)}]" if said else ""
    return f"c{arrow.source} -> c{arrow.target}{how};"


def _quoted(texts: list[str]) -> str:
    """A label of lines that stand at the left."""
    lines = [line for text in texts for line in wrap(shown(text, MOST_TEXT), WIDEST) or [""]]
    written = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    end = "\\l" if len(lines) > 1 else ""
    return f'"{end.join(written)}{end}"'
