"""What an evaluator is to the reasoner."""

from dataclasses import dataclass
from typing import Protocol

from clingo import Symbol


@dataclass(frozen=True, slots=True)
class Model:
    """One answer stream at a tick.

    Attributes:
        shown: the atoms of the output, in clingo's order of symbols.
        recorded: the derived atoms that later ticks look at.
    """

    shown: tuple[Symbol, ...]
    recorded: tuple[Symbol, ...]


class Evaluator(Protocol):
    """Computes answer streams tick by tick; ticks ascend and none is left out."""

    def step(self, tick: int) -> tuple[Model, ...]:
        """The answer streams at a tick whose events are committed; the first is the one to follow.

        Raises:
            EvaluationError: if clingo refuses the program.
        """
        ...
