"""What an evaluator can be taken back to: a state, and the batches since."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping

from lars2asp.externals.terms.terms import AtomRows
from lars2asp.externals.traces.trace import Points, Stretches
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.evaluators.protocol import Evaluator
from lars2asp.runtime.flow.evaluator import FlowEvaluator, Outcome, Told
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True, slots=True)
class Batch:
    """The input of a batch.

    Attributes:
        points: the facts of single ticks.
        lasting: those that hold for a while.
        last: the last tick.
    """

    points: Mapping[Signature, Points]
    lasting: Mapping[Signature, Stretches]
    last: int

    def up_to(self, last: int) -> "Batch":
        """The part up to a tick."""
        points, lasting = {}, {}
        for signature, some in self.points.items():
            end = bisect_left(some.ticks, last + 1)
            points[signature] = Points(some.rows[:end], some.ticks[:end], some.may_repeat)
        for signature, each in self.lasting.items():
            end = bisect_left(each.ticks, last + 1)
            lasting[signature] = Stretches(each.rows[:end], each.ticks[:end], each.ends[:end])
        return Batch(points, lasting, last)

    @staticmethod
    def of(tick: int, points: Iterable[AtomRows], told: Mapping[Signature, Told]) -> "Batch":
        """The input of a tick."""
        return Batch(
            {signature: Points([*rows], [tick] * len(rows)) for signature, rows in points},
            {
                signature: Stretches([row for row, _ in some], [tick] * len(some), [end for _, end in some])
                for signature, some in told.items()
            },
            tick,
        )

    @property
    def facts(self) -> int:
        """The number of facts."""
        return sum(len(one.rows) for some in (self.points, self.lasting) for one in some.values())


class Confirmed:
    """A state of an evaluator, and the batches since, from which every later tick can be had again.

    It takes the state anew when more facts and batches came since than are kept: that is O(1) for each.

    Args:
        evaluator: the evaluator.
        least: it takes no other state before so many facts and batches.
    """

    def __init__(self, evaluator: FlowEvaluator, least: int) -> None:
        self._evaluator, self._least = evaluator, least
        self._state = evaluator.state()
        self._batches: list[Batch] = []
        self._facts, self._all_facts = 0, evaluator.facts

    def add(self, batch: Batch) -> None:
        """The evaluator is behind a batch."""
        self._batches.append(batch)
        self._facts += 1 + batch.facts  # a batch without facts is kept as well
        self._all_facts = self._evaluator.facts

    def settle(self) -> None:
        """The answers of all batches so far were given: only then is it known what is shown."""
        if self._facts > max(self._least, 2 * self._evaluator.size):
            self._state, self._batches, self._facts = self._evaluator.state(), [], 0
            self._evaluator.confirm()

    def rewind(self, batch: Batch, solver: Evaluator | None = None) -> Outcome:
        """Takes the evaluator back, and forward over another batch. Raises EvaluationError."""
        self.go_back(solver)
        return self._evaluator.block(batch.points, batch.last, batch.lasting)

    def go_back(self, solver: Evaluator | None = None) -> None:
        """Takes the evaluator to the end of the last batch; it was in the middle of another one.

        `solver` goes on in it, if it can.
        """
        evaluator, ticks = self._evaluator, self._evaluator.ticks
        evaluator.restore(self._state, None, solver)
        for one in self._batches:
            for _, changes in evaluator.block(one.points, one.last, one.lasting).changes:
                evaluator.show(changes)
        evaluator.ticks, evaluator.facts = ticks, self._all_facts

    def rewind_before(self, batch: Batch, tick: int) -> Outcome:
        """Takes the evaluator back to the end of the tick before one of a batch that has no answer stream.

        clingo went no further.
        """
        return self._rewound(batch.up_to(tick - 1), self._evaluator.solver)

    def rewind_to_error(self, batch: Batch, now: int) -> Outcome:
        """Takes the evaluator to the last tick of a batch before one at which evaluation fails.

        Args:
            batch: the batch.
            now: the tick before it.
        """
        good, bad = now, batch.last
        while bad - good > 1:
            middle = (good + bad) // 2
            try:
                self.rewind(batch.up_to(middle))
            except EvaluationError:
                bad = middle
            else:
                good = middle
        return self._rewound(batch.up_to(good))

    def _rewound(self, batch: Batch, solver: Evaluator | None = None) -> Outcome:
        """The outcome of a part of a batch, behind which the evaluator goes on."""
        outcome = self.rewind(batch, solver)
        self.add(batch)
        return outcome
