"""The protocol of evaluators, and what they give."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, Self

from clingo import Symbol

from lars2asp.externals.symbols import key_of, symbol_of


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
    """Consequences over all answer streams: the atoms in some, or those in every one."""

    BRAVE = "brave"
    CAUTIOUS = "cautious"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of a tick.

    Attributes:
        models: the answer streams, as many as were requested; the first is the one to follow.
        consequences: the brave or cautious consequences, if requested and there is an answer.
    """

    models: tuple[Model, ...] = ()
    consequences: tuple[Symbol, ...] | None = None

    def state(self, number: Callable[[int], int]) -> dict[str, Any]:
        """The same as JSON has it, symbols as their numbers, which are given by their keys."""

        def numbers(symbols: Iterable[Symbol]) -> list[int]:
            return [number(key_of(symbol)) for symbol in symbols]

        return {
            "models": [
                [
                    numbers(model.shown),
                    numbers(model.recorded),
                    [[tick, number(key_of(atom))] for tick, atom in model.placed],
                ]
                for model in self.models
            ],
            "consequences": None if self.consequences is None else numbers(self.consequences),
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any], key: Callable[[int], int]) -> Self:
        """The evaluation that a state is of."""

        def symbols(numbers: Iterable[int]) -> tuple[Symbol, ...]:
            return tuple(symbol_of(key(number)) for number in numbers)

        models = tuple(
            Model(symbols(shown), symbols(recorded), tuple((t, symbol_of(key(atom))) for t, atom in placed))
            for shown, recorded, placed in state["models"]
        )
        consequences = state["consequences"]
        return cls(models, None if consequences is None else symbols(consequences))


class Evaluator(Protocol):
    """Computes answer streams tick by tick, in time order; ticks at which nothing changes may be left out."""

    def step(self, tick: int) -> Evaluation:
        """The answer streams at a tick whose events are committed.

        Raises:
            EvaluationError: if clingo refuses the program.
        """
        ...
