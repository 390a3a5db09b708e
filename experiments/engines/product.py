"""The product's own evaluators as engines."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from experiments.engine import AnswerChanges, Fact
from lars2asp import Reasoner, constant
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.externals.terms.text import atom_texts
from lars2asp.planning.plan import Plan
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName


class ProductEngine:
    """A reasoner with one of the product's evaluators.

    Facts are tuples of a name and arguments; changes come as rows of each predicate.

    Raises EvaluatorError if the evaluator cannot serve the program.
    """

    def __init__(self, plan: Plan, evaluator: EvaluatorName) -> None:
        self._reasoner = Reasoner(plan, evaluator=evaluator)

    lag = 0

    @property
    def counts(self) -> Mapping[str, int]:
        """Nothing."""
        return {}

    def facts(self, facts: Sequence[Fact]) -> Sequence[tuple[Any, ...]]:
        """Facts as the product takes them."""
        return [*map(product_fact, facts)]

    def step(self, tick: int, facts: Sequence[tuple[Any, ...]]) -> AnswerChanges:
        """Moves on to a tick."""
        changes = self._reasoner.step(tick, facts).row_changes
        return AnswerChanges(
            [AtomRows(signature, began) for signature, (began, _) in changes],
            [AtomRows(signature, ended) for signature, (_, ended) in changes],
        )

    def texts(self, atoms: Collection[AtomRows]) -> Sequence[str]:
        """Atoms as clingo writes them."""
        return [text for signature, rows in atoms for text in atom_texts(signature, rows)]


def product_fact(fact: Fact) -> tuple[Any, ...]:
    """A fact as the product takes it: names of constants are strings in `fact`, which would stay strings."""
    name, *arguments = fact
    return (name, *[constant(one) if isinstance(one, str) else one for one in arguments])
