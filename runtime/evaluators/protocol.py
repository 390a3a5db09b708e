"""The protocol of evaluators, and what they take and give."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, Self

from clingo import Symbol

from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.symbol_table import numbers_of, symbols_of
from lars2asp.externals.symbols import key_of, symbol_of
from lars2asp.planning.asp_program import AspProgram
from lars2asp.runtime.evaluators.limit import TickLimit
from lars2asp.runtime.evaluators.messages import Messages, OnMessage
from lars2asp.runtime.evaluators.meter import Meter
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.syntax.source import Location


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
        models = [
            [
                numbers_of(model.shown, number),
                numbers_of(model.recorded, number),
                [[tick, number(key_of(atom))] for tick, atom in model.placed],
            ]
            for model in self.models
        ]
        found = self.consequences
        return {"models": models, "consequences": None if found is None else numbers_of(found, number)}

    @classmethod
    def restored(cls, state: Mapping[str, Any], key: Callable[[int], int]) -> Self:
        """The evaluation that a state is of."""
        models = tuple(
            Model(
                symbols_of(shown, key),
                symbols_of(recorded, key),
                tuple((tick, symbol_of(key(atom))) for tick, atom in placed),
            )
            for shown, recorded, placed in state["models"]
        )
        consequences = state["consequences"]
        return cls(models, None if consequences is None else symbols_of(consequences, key))


@dataclass(frozen=True)
class Request:
    """The answer streams that an evaluator is to find.

    Attributes:
        models: the number of answer streams (0: all), of optimal ones where the program optimizes.
        consequences: the kind of consequences to find besides, if any.
        raw: whether models are just the atoms that the text shows, in no order: of components that have
            one answer stream.
    """

    models: int = 1
    consequences: Consequences | None = None
    raw: bool = False

    def __repr__(self) -> str:
        """The text that snapshots' fingerprints are made of; it stays whatever the class is called."""
        return f"Wanted(models={self.models}, consequences={self.consequences!r}, raw={self.raw})"


@dataclass(frozen=True)
class Task:
    """A program to evaluate, and all that its evaluator needs.

    Attributes:
        program: the program.
        database: holds the stream; its tick must be committed before `step`.
        request: the answer streams to find.
        functions: the user's `@`-functions.
        on_message: takes clingo's messages, each once for a place.
        is_late: whether the stream has gone on before.
        last: the answer streams at the tick before, which stay while nothing changes.
        is_ordered: whether lookups are answered in the order of symbols, so that the answer stream which is
            found first does not depend on the history of the database.
        meter: measures the cost of the component.
        limit: how long clingo may take for a tick, if there is a limit.
        tuning: the thresholds.
    """

    program: AspProgram
    database: IntervalDatabase
    request: Request
    functions: Mapping[str, Callable[..., Any]]
    on_message: OnMessage
    is_late: bool = False
    last: Evaluation | None = None
    is_ordered: bool = False
    meter: Meter = field(default_factory=Meter)
    limit: TickLimit | None = None
    tuning: Tuning = DEFAULT

    def messages(self, origins: Sequence[Location]) -> Messages:
        """Hands on clingo's messages about a text whose lines come from these places in the user's text."""
        return Messages(origins, self.on_message, self.meter, self.limit)

    def symbols(self, keys: Iterable[int]) -> list[Symbol]:
        """The answer to a lookup, given by keys."""
        found = list(map(symbol_of, keys))
        return sorted(found) if self.is_ordered else found


class Evaluator(Protocol):
    """Computes answer streams tick by tick, in time order; ticks at which nothing changes may be left out."""

    def step(self, tick: int) -> Evaluation:
        """The answer streams at a tick whose events are committed.

        Raises:
            EvaluationError: if clingo refuses the program.
        """
        ...
