"""Explanations as HTML: lines that unfold, without scripts, for notebooks and as a page of their own."""

from collections.abc import Callable
from html import escape
from itertools import groupby

from lars2asp.runtime.explanations.words.claims import Claim
from lars2asp.runtime.explanations.words.entries import Cell, Entry, Lane
from lars2asp.runtime.explanations.words.outline import outline
from lars2asp.syntax.source import shown

OPEN_LEVELS = 5
"""The number of levels of lines that are unfolded at first."""

CELL_WIDTH, LANE_HEIGHT = 6, 10
"""In pixels."""

# The two colours are legible on white and on black alike; all others are that of the text around, or fainter.
_STYLE = """
.lars-explanation{font:14px/1.6 system-ui,sans-serif;overflow-x:auto}
.lars-explanation ul{list-style:none;margin:0 0 0 .45em;padding:0 0 0 1.1em;border-left:1px solid #8886}
.lars-explanation li{margin:0;padding:0}
.lars-explanation summary{cursor:pointer}
.lars-explanation .line{padding-left:1.05em}
.lars-explanation code{font:13px/1.6 ui-monospace,Menlo,Consolas,monospace}
.lars-explanation code{background:none;color:inherit;padding:0;white-space:pre-wrap;overflow-wrap:anywhere}
.lars-explanation .where,.lars-explanation .note,.lars-explanation .tick{opacity:.75}
.lars-explanation .where{margin-right:.7em}
.lars-explanation .lane,.lars-explanation .note{margin-left:1em;white-space:nowrap}
.lars-explanation .note{white-space:normal}
.lars-explanation .fails{color:#dc4a12;font-weight:600}
.lars-explanation svg{vertical-align:-1px;margin:0 .4em;color:#2b8a3e}
.lars-explanation svg.fails{color:#dc4a12}
.lars-explanation .words{white-space:pre-wrap;overflow-wrap:anywhere}
"""

_OPACITIES = {Cell.NONE: ".15", Cell.SOME: ".5", Cell.ALL: "1"}


def html_of(
    claim: Claim, shown_tick: Callable[[int], str], depth: int | None = None, *, is_another: bool = False
) -> str:
    """An explanation as a fragment of HTML, with its style.

    Args:
        claim: what is explained.
        shown_tick: a tick as text.
        depth: the number of rules below one another that are drawn; None for 100.
        is_another: whether the same atom is explained before.
    """
    root = outline(claim, shown_tick, depth, is_another=is_another)
    parts = [f'<div class="lars-explanation"><style>{_STYLE}</style>']
    waiting: list[tuple[Entry, int] | str] = [(root, 0)]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            parts.append(here)
            continue
        entry, level = here
        if not entry.children:
            parts.append(f'<div class="line">{_line(entry)}</div>')
            continue
        is_open = " open" if level < OPEN_LEVELS else ""
        parts.append(f"<details{is_open}><summary>{_line(entry)}</summary><ul>")
        waiting.append("</ul></details>")
        for child in reversed(entry.children):
            waiting += ["</li>", (child, level + 1), "<li>"]
    return "".join([*parts, "</div>"])


def hint_of(hint: str) -> str:
    """A hint as a fragment of HTML."""
    return f'<p class="lars-explanation"><span class="words">hint: {escape(shown(hint, 1000))}</span></p>'


def in_page(found: str, claim: Claim, shown_tick: Callable[[int], str]) -> str:
    """A whole page with fragments of HTML; its title is the first claim."""
    title = escape(outline(claim, shown_tick, 0).text)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{title}</title>'
        "<style>:root{color-scheme:light dark}body{margin:1.5em}</style></head>\n"
        f"<body>{found}</body></html>\n"
    )


def _line(entry: Entry) -> str:
    parts = []
    if entry.lead:
        kind = "fails" if entry.lead.startswith("fails") else "words"
        parts.append(f'<span class="{kind}">{escape(entry.lead)}</span>')
    if entry.where:
        parts.append(f'<span class="where">{escape(entry.where)}</span>')
    text = escape(entry.text)
    parts.append(f"<code>{text}</code>" if entry.is_code else f'<span class="words">{text}</span>')
    if entry.tail:
        parts.append(escape(entry.tail))
    if entry.lane is not None:
        parts.append(_drawn(entry.lane, entry.holds))
    if entry.note:
        parts.append(f'<span class="note">{escape(entry.note)}</span>')
    return "".join(parts)


def _drawn(lane: Lane, holds: bool) -> str:
    """A lane as a bar between its ticks."""
    width = len(lane.cells) * CELL_WIDTH
    bars, at = [], 0
    for cell, group in groupby(lane.cells):
        length = sum(1 for _ in group) * CELL_WIDTH
        size = f'x="{at}" width="{length}" height="{LANE_HEIGHT}"'
        bars.append(f'<rect {size} fill="currentColor" fill-opacity="{_OPACITIES[cell]}"/>')
        at += length
    said = f"holds at {lane.holding} of {lane.ticks} {'arrivals' if lane.is_of_arrivals else 'ticks'}"
    end = f'<span class="tick">{escape(lane.end)}</span>' if lane.ticks > 1 else ""
    words = f" {escape(lane.words)}" if lane.words else ""
    kind = "holds" if holds else "fails"
    return (
        f'<span class="lane"><span class="tick">{escape(lane.begin)}</span>'
        f'<svg class="{kind}" width="{width}" height="{LANE_HEIGHT}" '
        f'role="img" aria-label="{said}"><title>{said}</title>{"".join(bars)}</svg>{end}{words}</span>'
    )
