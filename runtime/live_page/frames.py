"""What browsers are sent: all that a page shows once, and then what has changed."""

from collections.abc import Collection
from typing import Any, NamedTuple

import orjson

from lars2asp.runtime.charts.page import clock_of
from lars2asp.runtime.live_page.board import Board, Kind, PageLane
from lars2asp.runtime.live_page.messages import PageOf

CLOCK_MICROSECONDS = 400 * 86_400_000_000
"""How far ahead offsets from UTC are told."""


class Position(NamedTuple):
    """How far a browser is."""

    news: int
    counts: int
    refusals: int
    clocks: int


class Frames:
    """Makes the frames of a board, as JSON."""

    def __init__(self, board: Board, page: PageOf) -> None:
        self._board = board
        self._page = page
        self._clock: dict[str, Any] | None = None
        self._clock_ends = -1
        """The tick up to which the clock is known."""
        self._clocks = 0

    @property
    def position(self) -> Position:
        """That of a browser which has all."""
        self._look_at_the_clock()
        board = self._board
        return Position(board.news, board.counts, board.refusals, self._clocks)

    def whole(self) -> bytes:
        """All that the page shows, at the position."""
        board = self._board
        self._look_at_the_clock()
        found = {
            **self._now(),
            "title": self._page.title,
            "explains": self._page.explains,
            "kept": self._page.kept,
            "clock": self._clock,
            "predicates": [*board.predicates],
            "inputs": [[one.name, [*one.ticks], [*one.counts]] for one in board.inputs.values()],
            "lanes": [*map(_lane, board.lanes.values())],
            "gaps": [*board.gaps],
            "missed": [*map(list, board.missed)],
            "rates": [*map(list, board.rates)],
            "refused": [*map(list, board.refused)],
            "counted": None if board.counted is None else board.counted.to_dict(),
        }
        return orjson.dumps(found)

    def since(self, position: Position) -> bytes | None:
        """What has changed since a position; None where that is not kept any more."""
        board = self._board
        news = board.since(position.news)
        if news is None:
            return None
        self._look_at_the_clock()
        found = {**self._now(), "news": [one[:3] if one[0] is Kind.CHANGE else one for one in news]}
        if position.counts != board.counts:
            found["counted"] = None if board.counted is None else board.counted.to_dict()
            found["rates"] = _last(board.rates, board.counts - position.counts)
        if position.refusals != board.refusals:
            found["refused"] = _last(board.refused, board.refusals - position.refusals)
        if position.clocks != self._clocks:
            found["clock"] = self._clock
        return orjson.dumps(found)

    def _now(self) -> dict[str, Any]:
        board = self._board
        return {
            "first": board.first,
            "tick": board.tick,
            "satisfiable": board.satisfiable,
            "at": board.at,
            "over": board.is_over,
        }

    def _look_at_the_clock(self) -> None:
        """Works out offsets from UTC anew where the run has come further than they are known."""
        timeline, tick = self._page.timeline, self._board.tick
        if tick is None or timeline.tick_length is None or tick <= self._clock_ends:
            return
        first = self._board.first
        last = tick + CLOCK_MICROSECONDS // timeline.tick_length
        found = clock_of(timeline, first, last) or clock_of(timeline, first, tick)
        if found is not None:
            found["begin"] -= first * found["tick"]  # that of tick 0
        self._clock, self._clock_ends = found, last
        self._clocks += 1


def _lane(lane: PageLane) -> list[Any]:
    return [lane.number, lane.group, lane.text, lane.begun_earlier, [*lane.begins], [*lane.ends]]


def _last(found: Collection[tuple[Any, ...]], number: int) -> list[list[Any]]:
    return [list(one) for one in [*found][max(0, len(found) - number) :]]
