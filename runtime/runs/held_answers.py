"""What held when in a run, by ticks: for tests of rules, and to compare runs."""

from collections.abc import Iterable, Iterator
from dataclasses import field

from lars2asp.externals.terms.terms import GroundAtom
from lars2asp.externals.views import Rows
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.sinks.columns import OpenIntervals
from lars2asp.syntax.values import dataclass

Ticks = tuple[int, int]
"""The ticks from a first to a last one."""

Model = frozenset[GroundAtom]


@dataclass
class HeldAnswers:
    """The answers of a run: those that differ from the one before are taken, and then it is closed.

    Attributes:
        first: the first tick.
        last: the last tick.
        intervals: when each atom of the output held, in order.
        gaps: the ticks without an answer stream.
        models: where several answer streams are asked for: those from each tick at which they changed.
    """

    first: int = 0
    last: int = 0
    intervals: dict[GroundAtom, list[Ticks]] = field(default_factory=dict)
    gaps: list[Ticks] = field(default_factory=list)
    models: list[tuple[int, frozenset[Model]]] = field(default_factory=list)
    with_models: bool = False
    _begun: OpenIntervals = field(default_factory=OpenIntervals)
    _gap: int | None = None
    _is_first: bool = True

    def take(self, answer: Answer) -> None:
        """Takes an answer, the changes of which are those since the one taken before."""
        for signature, row, begin, end in self._begun.take(answer, is_first=self._is_first):
            self.intervals.setdefault(GroundAtom(signature, row), []).append((begin, (end or 0) - 1))
        self._is_first = False
        if self._gap is not None and answer.satisfiable:
            self.gaps.append((self._gap, answer.tick - 1))
            self._gap = None
        elif not answer.satisfiable and self._gap is None:
            self._gap = answer.tick
        if self.with_models:
            self.models.append((answer.tick, frozenset(_model(one.rows) for one in answer.models)))

    def close(self, first: int, last: int) -> None:
        """The run went from a first tick to a last one."""
        self.first, self.last = first, last
        for signature, row, begin, _ in self._begun.rest():
            self.intervals.setdefault(GroundAtom(signature, row), []).append((begin, last))
        if self._gap is not None:
            self.gaps.append((self._gap, last))

    def during(self, ticks: Ticks) -> Iterator[tuple[GroundAtom, list[Ticks]]]:
        """The atoms that held at some of these ticks, and at which."""
        for atom, intervals in self.intervals.items():
            found = within(intervals, ticks)
            if found:
                yield atom, found

    def models_during(self, ticks: Ticks) -> Iterator[tuple[Ticks, frozenset[Model]]]:
        """The answer streams at these ticks, as long as they are the same."""
        known = [(self.first, frozenset({frozenset[GroundAtom]()})), *self.models]
        for (begin, models), following in zip(known, [*known[1:], None], strict=True):
            end = self.last if following is None else following[0] - 1
            for found in within([(begin, end)], ticks):
                yield found, models


def within(intervals: Iterable[Ticks], ticks: Ticks) -> list[Ticks]:
    """The parts of intervals that lie within others."""
    parts = ((max(begin, ticks[0]), min(end, ticks[1])) for begin, end in intervals)
    return [(begin, end) for begin, end in parts if begin <= end]


def without(ticks: Ticks, intervals: Iterable[Ticks]) -> list[Ticks]:
    """What intervals, in order, leave of ticks."""
    found, at = [], ticks[0]
    for begin, end in within(intervals, ticks):
        if at < begin:
            found.append((at, begin - 1))
        at = max(at, end + 1)
    return [*found, *([(at, ticks[1])] if at <= ticks[1] else [])]


def _model(rows: Rows) -> Model:
    return frozenset(GroundAtom(signature, row) for signature, found in rows.items() for row in found)
