"""The graph of a plan as a page: one file with cards, style and script, which opens without network.

The library dagre, in `dagre/` as published, places the cards in the browser, for the width that there is.
"""

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from lars2asp.runtime.plan_drawing.stream_graph import MOST_TEXT, Arrow, Box, Card, CardKind, StreamGraph
from lars2asp.runtime.sinks.page_head import PAGE_HEAD
from lars2asp.syntax.source import shown
from lars2asp.syntax.summaries import counted, listed

_BUTTONS = """<span class="buttons"><button id="out" aria-label="zoom out">&minus;</button>
<button id="in" aria-label="zoom in">+</button><button id="all">all</button></span>"""

_TIP = (
    '<marker id="{}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0 8 4 0 8z"/></marker>'
)
_TIPS = f'<svg aria-hidden="true"><defs>{_TIP.format("now")}{_TIP.format("not")}</defs></svg>\n'

MOST_RULES_OF_CARD = 20
"""The number of rules that a card has; behind them it says how many there are besides."""

_NUMBERS = ("Time", "Share", "Ticks", "Grounding", "Solving")


def page_of(graph: StreamGraph, title: str) -> str:
    """The page; nothing of the program is HTML in it."""
    folder = files("lars2asp.runtime.plan_drawing")
    style, script, library, licence = (
        folder.joinpath(name).read_text("utf-8")
        for name in ("page.css", "plan.js", "dagre/dagre.min.js", "dagre/LICENSE")
    )
    library = library.partition("/*!")[0]  # behind it are the names of files that the page does not have
    name, many = escape(shown(title)), "" if graph.has_rules else ' class="many"'
    return (
        f"{PAGE_HEAD}<title>{name}</title>\n<style>\n{style}</style></head>\n<body>\n<header><h1>{name}</h1>"
        f'{_choice(graph)}{_BUTTONS}</header>\n<div id="view"><div id="plan"{many}>\n{_TIPS}'
        f"{''.join(_drawing(graph))}</div></div>\n{''.join(_table(graph))}"
        f"<script>\n/* dagre\n{licence}*/\n{library}</script>\n<script>\n{script}</script>\n</body></html>\n"
    )


def _choice(graph: StreamGraph) -> str:
    """What a card looks at and what looks at it can be seen alone."""
    names = enumerate(card.title for card in graph.cards)
    cards = "".join(f'<option value="{number}">{_safe(name)}</option>' for number, name in names)
    return f'<select aria-label="what is shown"><option value="">everything</option>{cards}</select>\n'


def _drawing(graph: StreamGraph) -> Iterator[str]:
    loops: dict[int, list[Arrow]] = {}
    for arrow in graph.arrows:
        if arrow.source == arrow.target:
            loops.setdefault(arrow.source, []).append(arrow)
    for number, card in enumerate(graph.cards):
        yield _card(card, graph, loops.get(number, []))
    for arrow in graph.arrows:
        if arrow.source != arrow.target:
            kind, ends = " not" * arrow.is_negative, f'data-from="{arrow.source}" data-to="{arrow.target}"'
            yield f'<div class="arrow{kind}" {ends}>{_safe(arrow.label)}</div>\n'


def _card(card: Card, graph: StreamGraph, loops: Sequence[Arrow]) -> str:
    """A card: name, what it looks at of itself, rules, component."""
    out = '<span class="out">output</span>' if card.is_shown else ""
    types = f' title="{_lines(card.types)}"' if card.types else ""
    parts = [f"<div{types}><b>{_safe(card.title)}</b>{out}</div>"]
    parts += (
        f'<div class="loop{" not" * loop.is_negative}">\u21bb {_safe(loop.label or "itself")}</div>'
        for loop in loops
    )
    rules = card.rules[:MOST_RULES_OF_CARD]
    parts += (f'<div class="rule"><i>{rule.line}</i><span>{_safe(rule.text)}</span></div>' for rule in rules)
    if more := len(card.rules) - len(rules):
        parts.append(f'<small class="rule">and {counted(more, "rule")} more</small>')
    if card.rules:
        parts.append(f'<small class="count">{counted(len(card.rules), "rule")}</small>')
    if card.remark:
        parts.append(f"<small>{card.remark}</small>")
    if card.box is not None:
        parts.append(_component(card.box, graph.boxes[card.box]))
    return f'<div class="card {card.kind}{" shown" * card.is_shown}" tabindex="0">{"".join(parts)}</div>\n'


def _component(number: int, box: Box) -> str:
    """What a card says of its component."""
    heat = cost = ""
    if box.cost is not None:
        heat = f'<span class="heat" style="width:{box.share:.0%}"></span>'
        cost = f", {box.share:.0%}"
    return f'{heat}<small title="{_safe(box.reason)}">component {number + 1}: {box.evaluator}{cost}</small>'


def _lines(text: str) -> str:
    """A text of several lines, as it is shown beside the pointer."""
    return "&#10;".join(map(_safe, text.splitlines()))


def _safe(text: str) -> str:
    return escape(shown(text, MOST_TEXT))


def _table(graph: StreamGraph) -> Iterator[str]:
    """The components: what evaluates them, why, and their costs."""
    is_measured = any(box.cost is not None for box in graph.boxes)
    numbers = "".join(f'<th class="number">{name}</th>' for name in _NUMBERS) if is_measured else ""
    yield f"<table><tr><th>Component</th><th>Evaluator</th>{numbers}<th>Why</th><th>Derives</th></tr>\n"
    for number, box in enumerate(graph.boxes):
        derives = [card.title for card in graph.cards if card.box == number and card.kind is CardKind.DERIVED]
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
