"""Explanations as text: a tree in box characters.

alarm(kitchen) at 2026-01-01 12:07
└─ rooms.lars:6  alarm(R) :- hot(R) always in [2 min], not opened(R) in [30 sec].
   ├─ hot(kitchen) always in [2 min]    12:05 ███ 12:07
   │  └─ rooms.lars:5  hot(R) :- reading(R, T), T > 250.
   │     ├─ 12:05  reading(kitchen,265), 265 > 250   readings.csv:3
   │     ├─ 12:06  reading(kitchen,270), 270 > 250   readings.csv:5
   │     └─ 12:07  reading(kitchen,268), 268 > 250   readings.csv:7
   └─ not opened(kitchen) in [30 sec]   no record says opened(kitchen)
"""

from collections.abc import Callable, Sequence

from rich.cells import cell_len, set_cell_size

from lars2asp.runtime.explanations.words.claims import Claim
from lars2asp.runtime.explanations.words.entries import Cell, Entry, Lane
from lars2asp.runtime.explanations.words.outline import MORE, outline

WIDTH = 100
"""The columns of a line, about."""

DEPTH, MOST_LINES = 12, 100
"""The rules below one another, and the lines, from which on no rules are drawn if no depth is asked for."""

LEAST_TEXT = 40
"""The columns that an atom, a literal or a rule has at least, wherever it stands."""

WIDEST_COLUMN = 60
"""A text that is wider does not move the notes of the lines beside it."""

GAP = "   "

CHARACTERS = {Cell.NONE: "·", Cell.SOME: "▒", Cell.ALL: "█"}
"""The cells of lanes."""


def text_of(
    claim: Claim,
    shown_tick: Callable[[int], str],
    depth: int | None = None,
    *,
    width: int = WIDTH,
    is_another: bool = False,
) -> str:
    """An explanation as text.

    Args:
        claim: what is explained.
        shown_tick: a tick as text.
        depth: the number of rules below one another that are drawn; None for 12, and for about 100 lines.
        width: the columns of a line; what does not fit is cut off, but for notes and the first line.
        is_another: whether the same atom is explained before.
    """
    limits = (DEPTH, MOST_LINES) if depth is None else (depth, None)
    root = outline(claim, shown_tick, *limits, is_another=is_another)
    lines = [_line(root, "", 0, len(root.text) + width)]
    waiting = _below(root, "", width)
    while waiting:
        entry, branch, inner, column = waiting.pop()
        lines.append(_line(entry, branch, column, width))
        waiting += _below(entry, inner, width)
    return "\n".join(lines)


_Waiting = tuple[Entry, str, str, int]
"""A line, what stands in front of it and of those below it, and the width of the column of its text."""


def _below(parent: Entry, front: str, width: int) -> list[_Waiting]:
    """The lines below another one, the last first."""
    children = parent.children
    inner = width - len(front) - 3
    wide = [cell_len(_words(child, inner)) for child in children if _beside(child)]
    column = max((size for size in wide if size <= WIDEST_COLUMN), default=0)
    found = [(child, f"{front}├─ ", f"{front}│  ", column) for child in children[:-1]]
    found += [(child, f"{front}└─ ", f"{front}   ", column) for child in children[-1:]]
    return found[::-1]


def _line(entry: Entry, front: str, column: int, width: int) -> str:
    words, beside = _words(entry, width - len(front)), _beside(entry)
    if not beside:
        return front + words
    return f"{front}{words}{' ' * (column - cell_len(words))}{GAP}{beside}"


def _words(entry: Entry, width: int) -> str:
    """The part of a line up to its lane and note."""
    lead = entry.lead + (f"{entry.where}  " if entry.where else "")
    beside = _beside(entry)
    others = cell_len(lead) + cell_len(entry.tail) + (min(cell_len(beside), LEAST_TEXT) + 3 if beside else 0)
    return f"{lead}{_cut(entry.text, max(width - others, LEAST_TEXT))}{entry.tail}"


def _beside(entry: Entry) -> str:
    """Lane and note."""
    lane = "" if entry.lane is None else lane_text(entry.lane)
    return "  ".join(filter(None, (lane, entry.note)))


def lane_text(lane: Lane) -> str:
    """A lane in characters, its ticks at both ends."""
    cells = "".join(map(CHARACTERS.__getitem__, lane.cells))
    drawn = f"{lane.begin} {cells} {lane.end}" if lane.ticks > 1 else f"{lane.begin} {cells}"
    return f"{drawn} {lane.words}" if lane.words else drawn


def _cut(text: str, width: int) -> str:
    """A text in a width, cut off at a blank if there is one near the end."""
    if cell_len(text) <= width:
        return text
    kept = set_cell_size(text, width - len(MORE) - 1)
    words: Sequence[str] = kept.rsplit(" ", 1)
    if len(words[0]) >= len(kept) * 2 // 3:
        kept = words[0]
    return f"{kept.rstrip(' ,')} {MORE}"
