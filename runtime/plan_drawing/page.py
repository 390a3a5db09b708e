"""The graph of a plan as a page: one file with picture, style and script, which opens without network."""

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from lars2asp.runtime.plan_drawing.stream_graph import StreamGraph
from lars2asp.runtime.plan_drawing.svg import svg_of
from lars2asp.runtime.sinks.page_head import PAGE_HEAD
from lars2asp.syntax.source import shown
from lars2asp.syntax.summaries import listed

_BUTTONS = """<span class="hint">Point at a card, or click on it, to see what it looks at.</span>
<span class="buttons"><button id="out" aria-label="zoom out">&minus;</button>
<button id="in" aria-label="zoom in">+</button><button id="all">all</button></span>
"""

_NUMBERS = ("Time", "Share", "Ticks", "Grounding", "Solving")


def page_of(graph: StreamGraph, title: str) -> str:
    """The page; nothing of the program is HTML in it."""
    folder = files("lars2asp.runtime.plan_drawing")
    style, script = (folder.joinpath(name).read_text("utf-8") for name in ("page.css", "plan.js"))
    name = escape(shown(title))
    return (
        f"{PAGE_HEAD}<title>{name}</title>\n<style>\n{style}</style></head>\n<body>\n"
        f"<header><h1>{name}</h1>{_BUTTONS}</header>\n"
        f'<div id="view">{svg_of(graph)}</div>\n{"".join(_table(graph))}'
        f"<script>\n{script}</script>\n</body></html>\n"
    )


def _table(graph: StreamGraph) -> Iterator[str]:
    """The components: what evaluates them, why, and their costs."""
    is_measured = any(box.cost is not None for box in graph.boxes)
    numbers = "".join(f'<th class="number">{name}</th>' for name in _NUMBERS) if is_measured else ""
    yield f"<table><tr><th>Component</th><th>Evaluator</th>{numbers}<th>Why</th><th>Derives</th></tr>\n"
    for number, box in enumerate(graph.boxes):
        derives = [card.title for card in graph.cards if card.box == number and card.kind == "derived"]
        cells = [str(number + 1), box.evaluator]
        yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}"
        if is_measured:
            cost = box.cost
            measured = (
                [""] * len(_NUMBERS)
                if cost is None
                else [
                    *(f"{cost.seconds:.3f} s", f"{box.share:.0%}", str(cost.steps)),
                    *(f"{cost.grounding:.3f} s", f"{cost.solving:.3f} s"),
                ]
            )
            yield "".join(f'<td class="number">{cell}</td>' for cell in measured)
        told = (box.reason, listed(derives, len(derives)))
        yield f"{''.join(f'<td>{escape(cell)}</td>' for cell in told)}</tr>\n"
    yield "</table>\n"
