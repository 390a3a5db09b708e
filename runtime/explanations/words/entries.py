"""The lines of an explanation, before they are drawn, and their lanes: where in a window an atom holds."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from enum import IntEnum
from itertools import accumulate

from lars2asp.runtime.explanations.past.holding import Run
from lars2asp.runtime.explanations.words.claims import Witness
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

MOST_CELLS = 24
"""The number of cells of a lane; a longer window is scaled down."""


class Cell(IntEnum):
    """At how many ticks of a cell the atom holds."""

    NONE = 0
    SOME = 1
    ALL = 2


@dataclass(frozen=True, slots=True)
class Lane:
    """A window, scaled down.

    Attributes:
        begin: the first tick, as text.
        end: the last tick.
        cells: its ticks, in parts that are as long as each other.
        ticks: the number of ticks.
        holding: the number of those at which the atom holds.
        is_of_arrivals: whether it is made of the ticks of arrivals only.
        of: the atom, where it has variables: the lane is then of all its instances together.
    """

    begin: str
    end: str
    cells: tuple[Cell, ...]
    ticks: int
    holding: int
    is_of_arrivals: bool
    of: str = ""

    @property
    def words(self) -> str:
        """What is said behind it."""
        whose = f"of any {self.of}" if self.of and self.holding else ""
        return " ".join(filter(None, ("by arrival" if self.is_of_arrivals else "", whose)))


def lane_of(witness: Witness, shown_tick: Callable[[int], str]) -> Lane | None:
    """The lane of a window; None for one without ticks. The cost is that of the runs, not of the ticks."""
    window = merged(witness.window)
    if not window:
        return None
    begins = [0, *accumulate(last - first + 1 for first, last in window)]
    ticks = begins[-1]
    number = min(ticks, MOST_CELLS)
    borders = [cell * ticks // number for cell in range(number + 1)]
    held = [0] * number
    for first, last in _places(window, begins, merged(witness.holds_at)):
        cell = bisect_right(borders, first) - 1
        while cell < number and borders[cell] <= last:
            held[cell] += min(last + 1, borders[cell + 1]) - max(first, borders[cell])
            cell += 1
    cells = tuple(
        Cell.NONE if not count else Cell.ALL if count == borders[cell + 1] - borders[cell] else Cell.SOME
        for cell, count in enumerate(held)
    )
    begin, end = shown_tick(window[0][0]), shown_tick(window[-1][1])
    return Lane(begin, end, cells, ticks, sum(held), witness.is_tuple_window, shown(witness.of))


def merged(runs: Sequence[Run]) -> list[Run]:
    """Runs in order, those that touch as one."""
    found: list[Run] = []
    for first, last in sorted(runs):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], last)
        elif first <= last:
            found.append((first, last))
    return found


def ticks_outside(runs: Sequence[Run], known: Sequence[Run]) -> int:
    """The number of ticks of the first runs that are in none of the second."""
    covered = merged(known)
    found = 0
    for first, last in merged(runs):
        found += last - first + 1
        for begin, end in covered:
            found -= max(0, min(last, end) - max(first, begin) + 1)
    return found


def _places(window: Sequence[Run], begins: Sequence[int], runs: Sequence[Run]) -> list[Run]:
    """Runs of ticks as runs of places in the window, counted from 0; what lies outside is left out."""
    found: list[Run] = []
    at = 0
    for first, last in runs:
        while at < len(window) and window[at][1] < first:
            at += 1
        place = at
        while place < len(window) and window[place][0] <= last:
            begin, end = window[place]
            offset = begins[place] - begin
            found.append((max(first, begin) + offset, min(last, end) + offset))
            place += 1
    return found


# --- lines ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Entry:
    """A line of an explanation; all texts are in one line each, with nothing that steers a terminal.

    Attributes:
        text: the atom, the literal or the rule; of a rule that has a label, the label.
        lead: words in front of it.
        where: file and line of a rule, between the words and the text.
        tail: words right behind the text.
        note: words in a column of their own.
        lane: where in its window the literal holds.
        holds: whether it is true.
        is_code: whether the text is in the language, and not in words.
        children: the lines below.
        explains: the numbers of the claims that are explained here.
        sees: the numbers of those that are explained elsewhere.
    """

    text: str
    lead: str = ""
    where: str = ""
    tail: str = ""
    note: str = ""
    lane: Lane | None = None
    holds: bool = True
    is_code: bool = True
    children: list["Entry"] = field(default_factory=list)
    explains: list[int] = field(default_factory=list)
    sees: list[int] = field(default_factory=list)

    def add_note(self, words: str) -> None:
        """Puts words behind the others of the note."""
        self.note = "; ".join(filter(None, (self.note, words)))

    def below(self, *entries: "Entry") -> None:
        """Puts lines below."""
        self.children += entries

    def all_entries(self) -> Iterator["Entry"]:
        """The line and those below it, as they are drawn from top to bottom."""
        waiting = [self]
        while waiting:
            entry = waiting.pop()
            yield entry
            waiting += reversed(entry.children)
