"""The common base of programs written by hand: atoms are tuples, and nothing is counted."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence

from experiments.engine import AnswerChanges, Fact, text_of


class ByHand(ABC):
    """A program written by hand, as an engine."""

    lag = 0

    @property
    def counts(self) -> Mapping[str, int]:
        """Nothing."""
        return {}

    def facts(self, facts: Sequence[Fact]) -> Sequence[Fact]:
        """The facts as they are."""
        return facts

    @abstractmethod
    def step(self, tick: int, facts: Sequence[Fact]) -> AnswerChanges:
        """Moves on to a tick."""

    def texts(self, atoms: Collection[Fact]) -> Sequence[str]:
        """Atoms as clingo writes them."""
        return [*map(text_of, atoms)]
