"""What an evaluator is to the reasoner."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from clingo import Symbol


@dataclass(frozen=True, slots=True)
class Model:
    """One answer stream at a tick.

    Attributes:
        shown: the atoms of the output, each once.
        recorded: the derived atoms that later ticks look at.
        placed: ticks, and the atoms that heads `a at T` place at them.
    """

    shown: tuple[Symbol, ...]
    recorded: tuple[Symbol, ...] = ()
    placed: tuple[tuple[int, Symbol], ...] = ()


class Consequences(StrEnum):
    """Which atoms are asked for over all answer streams: those in some, those in every one."""

    BRAVE = "brave"
    CAUTIOUS = "cautious"


@dataclass(frozen=True, slots=True)
class Step:
    """What an evaluator finds at a tick.

    Attributes:
        models: the answer streams, as many as were asked for; the first is the one to follow.
        consequences: the brave or cautious consequences, where they were asked for and there is an answer.
    """

    models: tuple[Model, ...] = ()
    consequences: tuple[Symbol, ...] | None = None


class Evaluator(Protocol):
    """Computes answer streams tick by tick; ticks ascend and none is left out."""

    def step(self, tick: int) -> Step:
        """The answer streams at a tick whose events are committed.

        Raises:
            EvaluationError: if clingo refuses the program.
        """
        ...
