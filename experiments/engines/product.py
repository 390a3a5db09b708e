"""The product's own evaluators as engines."""

from collections.abc import Mapping, Sequence

from clingo import Function, Number, Symbol

from experiments.engine import AnswerChanges, Argument, Fact
from lars2asp import Reasoner
from lars2asp.planning.plan import Plan
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName


class ProductEngine:
    """A reasoner with one of the product's evaluators; its atoms are clingo's symbols.

    Raises EvaluatorError if the evaluator cannot serve the program.
    """

    def __init__(self, plan: Plan, evaluator: EvaluatorName) -> None:
        self._reasoner = Reasoner(plan, evaluator=evaluator)

    lag = 0

    @property
    def counts(self) -> Mapping[str, int]:
        """Nothing."""
        return {}

    def facts(self, facts: Sequence[Fact]) -> Sequence[Symbol]:
        """Facts as symbols."""
        return [symbol(fact) for fact in facts]

    def step(self, tick: int, facts: Sequence[Symbol]) -> AnswerChanges:
        """Moves on to a tick."""
        return AnswerChanges(*self._reasoner.step(tick, facts).changes)

    def text(self, atom: Symbol) -> str:
        """An atom as clingo writes it."""
        return str(atom)


def symbol(fact: Fact) -> Symbol:
    """A fact as a symbol."""
    name, *arguments = fact
    return Function(name, list(map(argument, arguments)))


def argument(value: Argument) -> Symbol:
    """An argument of a fact as a symbol."""
    return Number(value) if isinstance(value, int) else Function(value)
