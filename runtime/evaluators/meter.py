"""The cost of a component: the time that clingo takes for it, and all time.

Nothing is measured without `statistics`; with it, Controls are those of this module.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from operator import add
from time import perf_counter
from typing import Any

from clingo import Control, MessageCode, Symbol
from clingo import Model as SolvedModel

from lars2asp.externals.grounding import search


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a component; times are in seconds.

    Attributes:
        steps: the number of ticks at which it was looked at.
        seconds: the time that these took, and making its evaluator.
        groundings: the number of times that clingo grounded for it.
        grounding: the time of that, with reading the text and the `@`-functions that are called.
        solvings: the number of times that clingo solved for it.
        solving: the time of that.
    """

    steps: int = 0
    seconds: float = 0.0
    groundings: int = 0
    grounding: float = 0.0
    solvings: int = 0
    solving: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        """The cost of both."""
        return Cost(*map(add, astuple(self), astuple(other)))


class Stopwatch:
    """Adds up the time that is spent within; not to be entered within itself."""

    __slots__ = ("_began", "seconds")

    def __init__(self) -> None:
        self.seconds = self._began = 0.0

    def __enter__(self) -> None:
        self._began = perf_counter()

    def __exit__(self, *error: object) -> None:
        self.seconds += perf_counter() - self._began


class Meter:
    """Measures the cost of a component.

    Attributes:
        steps: the number of ticks at which it was looked at.
        whole: runs while it is looked at, or its evaluator is made.
        groundings: the number of times that clingo grounded.
        grounding: runs while clingo reads text and grounds.
        solvings: the number of times that clingo solved.
        solving: runs while clingo solves.
    """

    def __init__(self) -> None:
        self.steps = self.groundings = self.solvings = 0
        self.whole, self.grounding, self.solving = Stopwatch(), Stopwatch(), Stopwatch()

    @property
    def cost(self) -> Cost:
        """The cost so far."""
        return Cost(
            *(self.steps, self.whole.seconds),
            *(self.groundings, self.grounding.seconds),
            *(self.solvings, self.solving.seconds),
        )


class MeteredControl(Control):
    """A Control whose time is measured."""

    def __init__(
        self, meter: Meter, arguments: Sequence[str], logger: Callable[[MessageCode, str], None], limit: int
    ) -> None:
        self._meter = meter
        with meter.grounding:
            super().__init__(arguments, logger, limit)

    def add(self, *arguments: Any, **named: Any) -> None:
        """Reads text."""
        with self._meter.grounding:
            super().add(*arguments, **named)

    def ground(
        self, parts: Sequence[tuple[str, Sequence[Symbol]]] = (("base", ()),), context: Any = None
    ) -> None:
        """Grounds parts of the text."""
        self._meter.groundings += 1
        with self._meter.grounding:
            super().ground(parts, context)


class MeteredSearch:
    """Gives models; measures the time to find them, and not the time of who takes them."""

    def __init__(self, meter: Meter, control: Control) -> None:
        meter.solvings += 1
        self._solving = meter.solving
        with self._solving:
            self._handle = search(control)

    def __enter__(self) -> Iterator[SolvedModel]:
        return self._models(self._handle.__enter__())

    def __exit__(self, *error: Any) -> None:
        with self._solving:
            self._handle.__exit__(*error)

    def _models(self, found: Iterable[SolvedModel]) -> Iterator[SolvedModel]:
        models = iter(found)
        while True:
            with self._solving:
                model = next(models, None)
            if model is None:
                return
            yield model
