"""The graph of a plan as SVG, light and dark."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import pairwise
from textwrap import wrap
from unicodedata import east_asian_width

from lars2asp.runtime.plan_drawing.card_columns import Link, Size
from lars2asp.runtime.plan_drawing.layered_layout import Layout, Rectangle, Route, layered
from lars2asp.runtime.plan_drawing.stream_graph import Arrow, Box, Card, StreamGraph
from lars2asp.syntax.source import shown
from lars2asp.syntax.summaries import counted

SIGN = 7.3
"""The width of a character of names, in pixels."""

SMALL_SIGN = 6.7
"""That of a character of rules and labels."""

LINE = 15.0
"""The height of a line."""

WIDEST = 40
"""The number of characters in a line of a card."""

LONGEST_LABEL = 30
MOST_LINES = 4
"""Of a rule."""

MOST_TEXT = 2000
"""The number of characters of a text that stands beside the pointer."""

_MARGIN = 10.0
_OUT = "output"


@dataclass(frozen=True)
class _Text:
    """A line of a card."""

    text: str
    kind: str

    @property
    def width(self) -> float:
        return _cells(self.text) * (SIGN if self.kind == "name" else SMALL_SIGN)


def svg_of(graph: StreamGraph) -> str:
    """The picture."""
    loops: list[list[Arrow]] = [[] for _ in graph.cards]
    arriving = [0] * len(graph.cards)
    for arrow in graph.arrows:
        if arrow.source == arrow.target:
            loops[arrow.source].append(arrow)
        else:
            arriving[arrow.target] += 1
    cards = [[*_lines(card, graph, own)] for card, own in zip(graph.cards, loops, strict=True)]
    sizes = [
        Size(_width(card, lines), max(len(lines) * LINE + 12, (count + 1) * LINE), card.box)
        for card, lines, count in zip(graph.cards, cards, arriving, strict=True)
    ]
    links = [Link(arrow.source, arrow.target, _label_width(arrow)) for arrow in graph.arrows]
    layout = layered(sizes, links, len(graph.boxes))
    return "".join(_svg(graph, layout, cards))


def style() -> str:
    """The style of the picture."""
    return files("lars2asp.runtime.plan_drawing").joinpath("plan.css").read_text("utf-8")


def _svg(graph: StreamGraph, layout: Layout, cards: Sequence[Sequence[_Text]]) -> Iterator[str]:
    width, height = max(layout.width, 240.0), max(layout.height, 60.0)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plan" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="plan">\n<style>{style()}</style>\n'
    )
    for number, (box, place) in enumerate(zip(graph.boxes, layout.boxes, strict=True), start=1):
        if place is not None:
            yield from _box(number, box, place)
    for arrow, route in zip(graph.arrows, layout.routes, strict=True):
        if route is not None:
            yield _arrow(arrow, route, is_inside=graph.cards[arrow.target].box is not None)
    for number, (card, place, lines) in enumerate(zip(graph.cards, layout.cards, cards, strict=True)):
        yield from _card(number, card, place, lines)
    yield "</svg>\n"


def _box(number: int, box: Box, place: Rectangle) -> Iterator[str]:
    x, y = place.x + _MARGIN, place.y + 19
    most = int((place.width - 2 * _MARGIN) / SIGN)
    told = f"component {number}: {box.evaluator}\n{box.reason}\n{box.streams}"
    yield f'<g class="box"><title>{escape(shown_lines(told))}</title>{_rectangle(place, 8)}'
    yield _written(x, y, "name", _clipped(f"component {number}: {box.evaluator}", most))
    said = box.streams
    if box.cost is not None:
        said = f"{box.share:.0%}  {box.cost}"
        bar = Rectangle(place.x, place.y, place.width * box.share, 4)
        yield f'<rect class="heat" {_measures(bar)}/>'
    yield _written(x, y + LINE, "cost", _clipped(said, most))
    yield "</g>\n"


def _card(number: int, card: Card, place: Rectangle, lines: Sequence[_Text]) -> Iterator[str]:
    kinds = f"card {card.kind}{' shown' if card.is_shown else ''}"
    texts = [card.title, *(f"{rule.line}: {rule.text}" for rule in card.rules)]
    yield f'<g class="{kinds}" data-card="{number}">'
    yield f"<title>{escape(shown_lines(chr(10).join(texts)))}</title>{_rectangle(place, 6)}"
    y = place.y + (place.height - len(lines) * LINE) / 2 + LINE - 4
    for line in lines:
        yield _written(place.x + _MARGIN, y, line.kind, line.text)
        y += LINE
    if card.is_shown:
        first = place.y + (place.height - len(lines) * LINE) / 2 + LINE - 4
        x = place.x + place.width - _MARGIN
        yield f'<text class="out" x="{x:.1f}" y="{first:.1f}" text-anchor="end">{_OUT}</text>'
    yield "</g>\n"


def _arrow(arrow: Arrow, route: Route, *, is_inside: bool) -> str:
    kinds = f"arrow{' negative' if arrow.is_negative else ''}"
    begin = route.points[0]
    path = [f"M{begin[0]:.1f} {begin[2]:.1f}"]
    for one, (x, end, y) in pairwise(route.points):
        middle = (one[1] + x) / 2
        path.append(f"C{middle:.1f} {one[2]:.1f} {middle:.1f} {y:.1f} {x:.1f} {y:.1f}")
        if end != x:
            path.append(f"H{end:.1f}")
    _, x, y = route.points[-1]
    back = 8 if route.is_back else -8
    tip = f"M{x:.1f} {y:.1f}l{back} -4v8z"
    label = ""
    if arrow.label:
        at, anchor = (x + 10, "start") if route.is_back else (x - 10, "end")
        label = (
            f'<text class="{"inside" if is_inside else "outside"}" x="{at:.1f}" y="{y - 4:.1f}" '
            f'text-anchor="{anchor}">{escape(_clipped(arrow.label, LONGEST_LABEL))}</text>'
        )
    told = f"<title>{escape(shown(arrow.label, MOST_TEXT))}</title>" if arrow.label else ""
    return (
        f'<g class="{kinds}" data-from="{arrow.source}" data-to="{arrow.target}">{told}'
        f'<path d="{"".join(path)}"/><path class="tip" d="{tip}"/>{label}</g>\n'
    )


def _lines(card: Card, graph: StreamGraph, loops: Sequence[Arrow]) -> Iterator[_Text]:
    """The lines of a card: name, what it looks at of itself, rules."""
    yield _Text(_clipped(card.title, WIDEST), "name")
    for loop in loops:
        yield _Text(
            _clipped(f"\u21bb {loop.label or 'itself'}", WIDEST), "rule not" if loop.is_negative else "rule"
        )
    if graph.has_rules:
        for rule in card.rules:
            before = f"{rule.line} "
            lines = wrap(shown(rule.text, MOST_TEXT), WIDEST - len(before)) or [""]
            if len(lines) > MOST_LINES:
                lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1]} ..."]
            for number, line in enumerate(lines):
                yield _Text(f"{before if not number else ' ' * len(before)}{line}", "rule")
    elif card.rules:
        yield _Text(counted(len(card.rules), "rule"), "faint")
    if card.remark:
        yield _Text(card.remark, "faint")


def _width(card: Card, lines: Sequence[_Text]) -> float:
    name, *others = lines
    first = name.width + ((len(_OUT) + 2) * SMALL_SIGN if card.is_shown else 0)
    return max([first, *(line.width for line in others)]) + 2 * _MARGIN


def _label_width(arrow: Arrow) -> float:
    label = _clipped(arrow.label, LONGEST_LABEL)
    return _cells(label) * SMALL_SIGN + 18 if label else 10.0


def _rectangle(place: Rectangle, radius: int) -> str:
    return f'<rect {_measures(place)} rx="{radius}"/>'


def _measures(place: Rectangle) -> str:
    return f'x="{place.x:.1f}" y="{place.y:.1f}" width="{place.width:.1f}" height="{place.height:.1f}"'


def _written(x: float, y: float, kind: str, text: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _clipped(text: str, most: int) -> str:
    """A text of one line, cut off where it is long."""
    plain = shown(text, MOST_TEXT)
    return plain if len(plain) <= most else f"{plain[: max(most - 3, 1)]}..."


def shown_lines(text: str) -> str:
    """Lines in which nothing steers the order of text."""
    return "\n".join(shown(line, MOST_TEXT) for line in text.splitlines())


def _cells(text: str) -> int:
    """The width of a text in characters, of which some are twice as wide."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
