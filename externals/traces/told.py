"""What records tell of atoms: that they hold, begin and end, and how long."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import GroundAtom, Row, turns_of
from lars2asp.syntax.nodes import Signature

BEGINS, ENDS, ROW_BEGINS, ROW_ENDS = range(FOR_EVER + 1, FOR_EVER + 5)
"""Stand in place of ends of facts: an atom begins, to hold on until it ends; so does a row of a table."""


def told_of(
    tick: int, events: Events, held: Mapping[Signature, HeldBy], *, are_rows: bool = False
) -> Iterator[tuple[Signature, Row, int]]:
    """What events tell, in their order: atoms, and the ticks behind the last ones, or what stands for them.

    Args:
        tick: the tick of the events.
        events: the events.
        held: the predicates whose facts are held.
        are_rows: whether they are rows of tables.
    """
    ends, begins = (ROW_ENDS, ROW_BEGINS) if are_rows else (ENDS, BEGINS)
    for groups, end in ((events.end, ends), (events.begin, begins)):
        for signature, rows in turns_of(groups):
            for row in rows:
                yield signature, row, end
    for signature, rows in turns_of(events.facts):
        last = tick if events.until is None else events.until
        if events.until is None and signature in held:
            last = held[signature].last(tick)
        for row in rows:
            yield signature, row, min(last + 1, FOR_EVER)


class Arrived(NamedTuple):
    """What a tick tells of the rows of a predicate.

    Attributes:
        until: by rows with facts, the tick behind the last one of these.
        touched: the rows that begin or end.
        came: the rows that arrive, in their order, with the ticks behind the last ones; FOR_EVER for those
            that hold on until they end.
        gone: the arrivals before that are not open any more: rows, and the ticks behind the last ones.
    """

    until: Mapping[Any, int]
    touched: Collection[Any]
    came: list[tuple[Any, int]]
    gone: list[tuple[Any, int]]


class Open:
    """Which rows were begun and have not ended. O(1) a fact.

    Attributes:
        rows: these; with the tick behind the last one of facts with which they arrived, 0 without.
        merged: the number of facts that were equal to another one of their tick.
    """

    def __init__(self) -> None:
        self.rows: dict[Any, int] = {}
        self.merged = 0

    def take(self, tick: int, told: Iterable[tuple[Any, int]]) -> Arrived:
        """Takes what is told at a tick. A row arrives once at it; not if it ends there without a fact."""
        opened, until, arriving = self.rows, dict[Any, int](), dict[Any, None]()
        begun: dict[Any, None] = {}
        touched: dict[Any, None] = {}
        gone: list[tuple[Any, int]] = []
        for row, end in told:
            if end <= FOR_EVER:
                if row in until:
                    self.merged += 1
                    until[row] = max(until[row], end)
                else:
                    until[row] = end
                    arriving[row] = None
                continue
            touched[row] = None
            if end in (BEGINS, ROW_BEGINS):
                if row not in opened:
                    opened[row], begun[row] = 0, None
                    if end == BEGINS:
                        arriving[row] = None
            elif row in begun:
                del begun[row], opened[row]
                if row not in until:
                    arriving.pop(row, None)
            elif row in opened:
                gone.append((row, max(opened.pop(row), tick)))
        for row in begun:
            opened[row] = until.get(row, 0)
        came = [(row, FOR_EVER if row in begun else until[row]) for row in arriving]
        return Arrived(until, touched, came, gone)


def atoms_told(told: Iterable[tuple[Signature, Row, int]]) -> Iterator[tuple[GroundAtom, int]]:
    """The same of all predicates together, as atoms."""
    return ((GroundAtom(signature, row), end) for signature, row, end in told)
