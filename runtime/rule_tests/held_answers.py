"""What held when in a run, as tests of rules ask for it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lars2asp.externals.terms.terms import GroundAtom
from lars2asp.externals.views import Rows
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.sinks.columns import OpenIntervals

Ticks = tuple[int, int]
"""The ticks from a first to a last one."""

Model = frozenset[GroundAtom]


@dataclass
class HeldAnswers:
    """The answers of a run that is over.

    Attributes:
        first: the first tick.
        last: the last tick.
        intervals: when each atom of the output held, in order.
        gaps: the ticks without an answer stream.
        models: where several answer streams are asked for: those from each tick at which they changed.
    """

    first: int
    last: int
    intervals: dict[GroundAtom, list[Ticks]] = field(default_factory=dict)
    gaps: list[Ticks] = field(default_factory=list)
    models: list[tuple[int, frozenset[Model]]] = field(default_factory=list)

    @classmethod
    def of(cls, answers: Iterable[Answer], first: int, last: int, *, with_models: bool) -> "HeldAnswers":
        """Those of answers that differ from the one before; they are run through."""
        held, begun, gap = cls(first, last), OpenIntervals(), None
        is_first = True
        for answer in answers:
            for signature, row, begin, end in begun.take(answer, is_first=is_first):
                held.intervals.setdefault(GroundAtom(signature, row), []).append((begin, (end or 0) - 1))
            is_first = False
            if gap is not None and answer.satisfiable:
                held.gaps.append((gap, answer.tick - 1))
                gap = None
            elif not answer.satisfiable and gap is None:
                gap = answer.tick
            if with_models:
                models = frozenset(_model(one.rows) for one in answer.models)
                held.models.append((answer.tick, models))
        for signature, row, begin, _ in begun.rest():
            held.intervals.setdefault(GroundAtom(signature, row), []).append((begin, last))
        if gap is not None:
            held.gaps.append((gap, last))
        return held

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
