"""The cost of a component: the time that clingo takes for it, and all time.

Ticks are measured only with `statistics`, as a tick may cost little more than looking at the clock does.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass
from operator import add
from time import perf_counter
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from lars2asp.syntax.summaries import counted

if TYPE_CHECKING:
    from clingo import Control
    from clingo import Model as SolvedModel

P = ParamSpec("P")
T = TypeVar("T")


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

    def __str__(self) -> str:
        """In words, as in `0.613 s at 23972 ticks`."""
        return f"{self.seconds:.3f} s at {counted(self.steps, 'tick')}"


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

    Args:
        is_on: whether ticks are measured, and there is a cost.

    Attributes:
        steps: the number of ticks at which it was looked at.
        whole: runs while it is looked at, or its evaluator is made.
        groundings: the number of times that clingo grounded.
        grounding: runs while clingo reads text and grounds.
        solvings: the number of times that clingo solved.
        solving: runs while clingo solves.
    """

    def __init__(self, *, is_on: bool = False) -> None:
        self._is_on = is_on
        self.steps = self.groundings = self.solvings = 0
        self.whole, self.grounding, self.solving = Stopwatch(), Stopwatch(), Stopwatch()

    @property
    def cost(self) -> Cost | None:
        """The cost so far; None where ticks are not measured."""
        if not self._is_on:
            return None
        return Cost(
            *(self.steps, self.whole.seconds),
            *(self.groundings, self.grounding.seconds),
            *(self.solvings, self.solving.seconds),
        )

    def measured(self, step: Callable[P, T]) -> Callable[P, T]:
        """The evaluation of a tick, measured; the very function where ticks are not."""
        if not self._is_on:
            return step

        def measured(*arguments: P.args, **named: P.kwargs) -> T:
            self.steps += 1
            with self.whole:
                return step(*arguments, **named)

        return measured


class MeteredSearch:
    """Gives models; measures the time to find them, and not the time of who takes them."""

    def __init__(self, meter: Meter, control: "Control") -> None:
        from lars2asp.externals.grounding import search  # noqa: PLC0415 - it imports clingo

        meter.solvings += 1
        self._solving = meter.solving
        with self._solving:
            self._handle = search(control)

    def __enter__(self) -> "Iterator[SolvedModel]":
        return self._models(self._handle.__enter__())

    def __exit__(self, *error: Any) -> None:
        with self._solving:
            self._handle.__exit__(*error)

    def _models(self, found: "Iterable[SolvedModel]") -> "Iterator[SolvedModel]":
        models = iter(found)
        while True:
            with self._solving:
                model = next(models, None)
            if model is None:
                return
            yield model
