"""What a live page shows: lanes with the intervals of the last ticks, marks of input, how far the run is."""

from collections import deque
from collections.abc import Sequence
from dataclasses import field
from enum import IntEnum
from typing import Any, NamedTuple

from lars2asp.runtime.charts.lanes import LONGEST_TEXT
from lars2asp.runtime.live_page.messages import (
    Answered,
    Counted,
    InputCounts,
    Mark,
    Message,
    Over,
    Refused,
    Whole,
)
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

MOST_INTERVALS = 100_000
"""The number of intervals that are kept, besides those that have not ended."""

MOST_INPUTS = 1000
"""The number of predicates of the input that have marks."""

MOST_MARKS = 10_000
"""The number of ticks of input that are kept of a predicate."""

MOST_NEWS = 50_000
"""The number of pieces of news that are kept for browsers; who is further behind gets all anew."""

MOST_REFUSED = 100
"""The number of rejected records that are kept."""

MOST_RATES = 600
"""The number of rates that are kept, about one a second."""


class Kind(IntEnum):
    """What a piece of news is about, and what follows it."""

    CHANGE = 0
    """The number of a lane, the tick at which its atom begins or ends, its text, and whether it begins."""
    LANE = 1
    """A new lane: its number, that of its predicate, and the text."""
    PREDICATE = 2
    """A new predicate with lanes: its name."""
    INPUT = 3
    """A new predicate of the input: its name."""
    MARK = 4
    """The number of an input, a tick, and how many facts came."""
    GAP = 5
    """The tick since which there is no answer stream, or is one again."""
    MISSED = 6
    """The first tick, and that behind the last one, of which nothing is known."""


PageNews = tuple[Any, ...]
"""A kind and what follows it."""


@dataclass(slots=True, eq=False)
class PageLane:
    """When an atom held.

    Attributes:
        number: the number of the lane.
        atom: the atom as text.
        group: the number of its predicate.
        text: the same without characters that steer the order of text, cut off where it is very long.
        begins: the ticks at which it began to hold.
        ends: the first ticks at which it did not hold any more; none for the last begin as long as it holds.
        begun_earlier: whether the first interval began before it was told.
    """

    number: int
    atom: str
    group: int
    text: str
    begins: deque[int] = field(default_factory=deque)
    ends: deque[int] = field(default_factory=deque)
    begun_earlier: bool = False

    @property
    def holds(self) -> bool:
        """Whether the atom holds now."""
        return len(self.begins) > len(self.ends)


@dataclass(slots=True, eq=False)
class InputMarks:
    """When input of a predicate came, and how much."""

    name: str
    ticks: deque[int] = field(default_factory=deque)
    counts: deque[int] = field(default_factory=deque)


class Rate(NamedTuple):
    """How much came and changed a second, up to a time in milliseconds since the Unix epoch."""

    at: int
    facts: float
    ticks: float
    changes: float
    lag: float | None


class Board:
    """Takes what a run tells, and keeps what its page shows.

    Args:
        kept: for how many ticks lanes are kept.

    Attributes:
        first: the first tick that is shown.
        tick: the last tick of which something is known; None before the first one.
        satisfiable: whether the last answer had an answer stream.
        at: when the last answer came, in milliseconds since the Unix epoch; 0 before the first one.
        predicates: those that have lanes.
        inputs: those of the input.
        gaps: the begin and end of each time without answer stream, the last one open if there is none now.
        missed: the begin and end of each time that was not told.
        refused: the last records that were rejected.
        refusals: how many were.
        counted: how far the run is.
        counts: how often that was told.
        changes: the number of atoms that began or ended to hold.
        rates: how much came and changed a second.
        is_over: whether the run is over.
    """

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self.first = 0
        self.tick: int | None = None
        self.satisfiable = True
        self.at = 0
        self.lanes: dict[str, PageLane] = {}
        self._lanes_made = 0
        self.predicates: dict[str, int] = {}
        self.inputs: dict[str, InputMarks] = {}
        self._numbers: dict[str, int] = {}
        self._ended: deque[tuple[int, PageLane]] = deque()
        self.gaps: deque[int] = deque()
        self.missed: deque[tuple[int, int]] = deque()
        self.refused: deque[Refused] = deque(maxlen=MOST_REFUSED)
        self.refusals = 0
        self.counted: Counted | None = None
        self.counts = 0
        self.changes = 0
        self.rates: deque[Rate] = deque(maxlen=MOST_RATES)
        self._counted_at = 0.0
        self._changes_then = 0
        self.is_over = False
        self._news: list[PageNews] = []
        self._first_news = 0

    # --- what is told ---------------------------------------------------------------------------------

    def take(self, message: Message, now: float) -> None:
        """Takes what is told; `now` is in seconds since the Unix epoch."""
        match message:
            case Answered():
                self._answered(message)
            case Whole():
                self._whole(message)
            case InputCounts(tick, counts):
                self._move(tick)
                for predicate, number in counts:
                    self._mark(predicate, tick, number)
            case Counted():
                self._count(message, now)
            case Refused():
                self.refused.append(message)
                self.refusals += 1
            case Over():
                self.is_over = True
            case _:
                pass

    def _answered(self, answer: Answered) -> None:
        tick = answer.tick
        self._move(tick)
        self.at = round(answer.at * 1000)
        for predicate, began, ended in answer.changes:
            for atom in ended:
                self._end(atom, tick)
            for atom in began:
                self._begin(predicate, atom, tick)
        self._answers(answer.satisfiable, tick)
        self._forget()

    def _whole(self, whole: Whole) -> None:
        """Ends and begins what differs; when is not known."""
        tick, lost = whole.tick, whole.lost_since
        self._move(tick)
        self.at = round(whole.at * 1000)
        holds = {atom: predicate for predicate, atoms in whole.atoms for atom in atoms}
        for atom in [atom for atom, lane in self.lanes.items() if lane.holds and atom not in holds]:
            self._end(atom, tick)
        for atom, predicate in holds.items():
            lane = self.lanes.get(atom)
            if lane is None or not lane.holds:
                self._begin(predicate, atom, tick, is_earlier=True)
        if lost is not None and lost < tick:
            self.missed.append((lost, tick))
            self._tell(Kind.MISSED, lost, tick)
        self._answers(whole.satisfiable, tick)
        self._forget()

    def _move(self, tick: int) -> None:
        if self.tick is None:
            self.first = tick
        self.tick = tick if self.tick is None else max(self.tick, tick)

    def _begin(self, predicate: str, atom: str, tick: int, *, is_earlier: bool = False) -> None:
        lane = self.lanes.get(atom) or self._made(predicate, atom)
        if lane.holds:
            return
        if is_earlier and not lane.begins:
            lane.begun_earlier = True
        lane.begins.append(tick)
        self.changes += 1
        self._tell(Kind.CHANGE, lane.number, tick, lane.text, True)

    def _end(self, atom: str, tick: int) -> None:
        lane = self.lanes.get(atom)
        if lane is None or not lane.holds:
            return
        lane.ends.append(tick)
        self._ended.append((tick, lane))
        self.changes += 1
        self._tell(Kind.CHANGE, lane.number, tick, lane.text, False)

    def _made(self, predicate: str, atom: str) -> PageLane:
        group = self.predicates.get(predicate)
        if group is None:
            group = self.predicates[predicate] = len(self.predicates)
            self._tell(Kind.PREDICATE, predicate)
        text = shown(atom, LONGEST_TEXT)
        lane = self.lanes[atom] = PageLane(self._lanes_made, atom, group, text)
        self._lanes_made += 1
        self._tell(Kind.LANE, lane.number, group, text)
        return lane

    def _mark(self, predicate: str, tick: int, number: int) -> None:
        marks = self.inputs.get(predicate)
        if marks is None:
            if len(self.inputs) >= MOST_INPUTS:
                return
            marks = self.inputs[predicate] = InputMarks(predicate)
            self._numbers[predicate] = len(self._numbers)
            self._tell(Kind.INPUT, predicate)
        if marks.ticks and marks.ticks[-1] == tick:
            marks.counts[-1] += number
        else:
            marks.ticks.append(tick)
            marks.counts.append(number)
        if len(marks.ticks) > MOST_MARKS:
            marks.ticks.popleft()
            marks.counts.popleft()
        self._tell(Kind.MARK, self._numbers[predicate], tick, number)

    def _answers(self, satisfiable: bool, tick: int) -> None:
        if satisfiable != self.satisfiable:
            self.satisfiable = satisfiable
            self.gaps.append(tick)
            self._tell(Kind.GAP, tick)

    def _count(self, counted: Counted, now: float) -> None:
        before, seconds = self.counted, now - self._counted_at
        if before is not None and seconds > 0:
            self.rates.append(
                Rate(
                    round(now * 1000),
                    round((counted.counters.facts - before.counters.facts) / seconds, 1),
                    round((counted.counters.ticks - before.counters.ticks) / seconds, 1),
                    round((self.changes - self._changes_then) / seconds, 1),
                    counted.counters.lag_seconds,
                )
            )
        self.counted, self._counted_at, self._changes_then = counted, now, self.changes
        self.counts += 1
        if counted.counters.tick is not None:
            self._move(counted.counters.tick)
            self._forget()

    # --- what is forgotten ----------------------------------------------------------------------------

    def _forget(self) -> None:
        """Forgets what lies before the first tick that is shown, which moves on."""
        if self.tick is None:
            return
        self.first = max(self.first, self.tick - self._kept)
        ended = self._ended
        while ended and (ended[0][0] <= self.first or len(ended) > MOST_INTERVALS):
            end, lane = ended.popleft()
            self.first = max(self.first, end)
            lane.begins.popleft()
            lane.ends.popleft()
            lane.begun_earlier = False
            if not lane.begins:
                del self.lanes[lane.atom]
        for marks in self.inputs.values():
            while marks.ticks and marks.ticks[0] < self.first:
                marks.ticks.popleft()
                marks.counts.popleft()
        while len(self.gaps) > 1 and self.gaps[1] <= self.first:
            self.gaps.popleft()
            self.gaps.popleft()
        while self.missed and self.missed[0][1] <= self.first:
            self.missed.popleft()

    # --- news -----------------------------------------------------------------------------------------

    def _tell(self, *news: Any) -> None:
        self._news.append(news)
        if len(self._news) > 2 * MOST_NEWS:
            del self._news[:MOST_NEWS]
            self._first_news += MOST_NEWS

    @property
    def news(self) -> int:
        """The number of pieces of news so far."""
        return self._first_news + len(self._news)

    def since(self, number: int) -> Sequence[PageNews] | None:
        """The news behind the first `number` ones; None if they are not all kept."""
        if number < self._first_news:
            return None
        return self._news[number - self._first_news :]

    # --- what is asked --------------------------------------------------------------------------------

    def lane(self, number: int) -> PageLane | None:
        """The lane of a number."""
        return next((lane for lane in self.lanes.values() if lane.number == number), None)

    def marked(self, mark: Mark) -> tuple[str, int] | None:
        """Where something that an explanation rests on lies: on a lane or an input, by its number."""
        if mark.input is not None:
            number = self._numbers.get(mark.input)
            return None if number is None else ("input", number)
        lane = self.lanes.get(mark.atom)
        return None if lane is None else ("lane", lane.number)
