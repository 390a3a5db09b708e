"""What an evaluator can be taken back to."""

from typing import cast

from lars2asp.runtime.flow.confirmed import Batch, Confirmed
from lars2asp.runtime.flow.evaluator import FlowEvaluator


class _Evaluator:
    """Keeps nothing, and counts how often its state is taken."""

    facts = size = states = 0

    def state(self) -> None:
        """A state."""
        self.states += 1

    def confirm(self) -> None:
        """Nobody goes back behind it."""


def test_batches_without_facts_do_not_pile_up() -> None:
    """Time alone makes them, however long a stream goes on."""
    evaluator = _Evaluator()
    confirmed = Confirmed(cast(FlowEvaluator, evaluator), 10)
    for tick in range(1000):
        confirmed.settle()
        confirmed.add(Batch({}, {}, tick))
    assert 50 < evaluator.states < 200
