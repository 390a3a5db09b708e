"""The cost of a component: the time that clingo takes for it, and all time.

Ticks are measured only with `statistics`, as a tick may cost little more than looking at the clock does.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from operator import add
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from lars2asp.syntax.summaries import counted
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from clingo import Control
    from clingo import Model as SolvedModel

    from lars2asp.runtime.evaluators.costs.rule_statistics import MeasuredRules, RuleStatistics
    from lars2asp.syntax.source import Location

A = TypeVar("A")


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


@dataclass(frozen=True, slots=True)
class Searches:
    """What clingo says of its searches for a component.

    Attributes:
        models: the number of models that it found, those included that turned out not to be optimal.
        choices: the number of choices that it made.
        conflicts: the number of conflicts that it ran into.
        restarts: the number of times that it began a search anew.
        threads: the number of threads; this and all that follows is the largest number of all searches.
        rules: the number of rules, once ground.
        atoms: the number of atoms.
        variables: the number of variables of the search.
        constraints: the number of constraints between these.
    """

    models: int = 0
    choices: int = 0
    conflicts: int = 0
    restarts: int = 0
    threads: int = 0
    rules: int = 0
    atoms: int = 0
    variables: int = 0
    constraints: int = 0

    def __add__(self, other: "Searches") -> "Searches":
        """Both together."""
        return Searches(*_together(astuple(self), astuple(other)))


def _together(these: Sequence[int], others: Sequence[int]) -> list[int]:
    """What Searches have of two: sums, and behind them the largest numbers."""
    sums = map(add, these[:_SUMS], others[:_SUMS])
    return [*sums, *map(max, these[_SUMS:], others[_SUMS:])]


EARLY = 16
"""Of the first ticks more are sampled: the next one after one of so many parts of those before."""

_SUMS = 4
"""The number of attributes that are added up."""

_PATHS = (
    (b"summary", b"models", b"enumerated"),
    *((b"solving", b"solvers", name) for name in (b"choices", b"conflicts", b"restarts")),
    (b"summary", b"concurrency"),
    *((b"problem", b"lp", name) for name in (b"rules", b"atoms")),
    *((b"problem", b"generator", name) for name in (b"vars", b"constraints")),
)
"""Where clingo has the attributes of Searches, in their order."""


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
        every: at one tick of so many the time of single rules is measured; more often in the beginning.

    Attributes:
        is_on: whether ticks are measured.
        steps: the number of ticks at which it was looked at.
        whole: runs while it is looked at, or its evaluator is made.
        groundings: the number of times that clingo grounded.
        grounding: runs while clingo reads text and grounds.
        solvings: the number of times that clingo solved.
        solving: runs while clingo solves.
        held: how many intervals windows hold for the rule at a place.
    """

    def __init__(self, *, is_on: bool = False, every: int = 1) -> None:
        self.is_on = is_on
        self.held: Callable[[Location], int] = lambda _: 0
        self._every = every
        self._followed: MeasuredRules | None = None
        self._rules_before: tuple[RuleStatistics, ...] = ()
        self._sampled = 0
        """The step that was sampled last."""
        self._book: Callable[[int | None], None] = lambda due: None
        """Adds what the function that measures ticks has counted by itself, as that takes less time.

        The next tick that is sampled comes after so many: 0: none does, None: the one that was to.
        """
        self._searched: list[int] = []
        """What Searches have of those up to now."""
        self.steps = self.groundings = self.solvings = 0
        self.whole, self.grounding, self.solving = Stopwatch(), Stopwatch(), Stopwatch()

    @property
    def cost(self) -> Cost | None:
        """The cost so far; None where ticks are not measured."""
        if not self.is_on:
            return None
        self._book(None)
        return Cost(
            *(self.steps, self.whole.seconds),
            *(self.groundings, self.grounding.seconds),
            *(self.solvings, self.solving.seconds),
        )

    @property
    def searches(self) -> Searches | None:
        """What clingo says of its searches; None where ticks are not measured, or it has not solved."""
        return Searches(*self._searched) if self._searched else None

    @property
    def rules(self) -> "tuple[RuleStatistics, ...]":
        """What the rules have done and cost that evaluators can tell apart."""
        if self._followed is None:
            return self._rules_before
        from lars2asp.runtime.evaluators.costs.rule_statistics import continued  # noqa: PLC0415 - few ask

        return continued(self._followed.statistics, self._rules_before)

    def follow(self, rules: "MeasuredRules | None") -> None:
        """The rules of the component are measured by an evaluator from here on; None: by no one."""
        self._rules_before = self.rules
        if rules is None:
            self._rules_before = tuple(replace(one, rows=0, held=0) for one in self._rules_before)
        self._followed = rules
        self._book(0 if rules is None else 1)
        self._sampled = self.steps

    def searched(self, control: "Control") -> None:
        """Takes what clingo says of a search that is over."""
        if not self.is_on:
            return
        from lars2asp.externals.grounding import statistics_of  # noqa: PLC0415 - it imports clingo

        found = statistics_of(control, _PATHS)
        self._searched = _together(self._searched, found) if self._searched else found

    def measured(self, step: Callable[[int], None]) -> Callable[[int], None]:
        """The evaluation of a tick, measured; the very function where ticks are not."""
        if not self.is_on:
            return step

        def measured(tick: int) -> None:
            self.steps += 1
            with self.whole:
                step(tick)

        return measured

    def sampled(self, step: Callable[[int, A], None]) -> Callable[[int, A], None]:
        """The same for a component whose evaluator may tell rules apart."""
        if not self.is_on:
            return step
        left = before = 0
        seconds, clock = 0.0, perf_counter

        def sampled(tick: int, argument: A) -> None:
            nonlocal left, seconds
            left -= 1
            if not left:
                self._sample(step, tick, argument)
                return
            began = clock()
            try:
                step(tick, argument)
            finally:
                seconds += clock() - began

        def book(due: int | None) -> None:
            nonlocal left, before, seconds
            self.steps += before - left
            self.whole.seconds += seconds
            seconds = 0.0
            before = left = left if due is None else due

        self._book = book
        return sampled

    def _sample(self, step: Callable[[int, A], None], tick: int, argument: A) -> None:
        """The evaluation of a tick at which single rules are measured: it stands for those before as well."""
        rules = self._followed
        assert rules is not None
        self._book(0)
        ticks, self._sampled = self.steps - self._sampled, self.steps
        self._book(min(self._every, 1 + self.steps // EARLY))
        with self.whole:
            rules.begin_sample()
            try:
                step(tick, argument)
            finally:
                rules.end_sample(ticks)


class MeteredSearch:
    """Gives models; measures the time to find them, and not the time of who takes them."""

    def __init__(self, meter: Meter, control: "Control") -> None:
        from lars2asp.externals.grounding import search  # noqa: PLC0415 - it imports clingo

        meter.solvings += 1
        self._meter, self._control = meter, control
        self._solving = meter.solving
        with self._solving:
            self._handle = search(control)

    def __enter__(self) -> "Iterator[SolvedModel]":
        return self._models(self._handle.__enter__())

    def __exit__(self, *error: Any) -> None:
        with self._solving:
            self._handle.__exit__(*error)
        if not error or error[0] is None:
            self._meter.searched(self._control)

    def _models(self, found: "Iterable[SolvedModel]") -> "Iterator[SolvedModel]":
        models = iter(found)
        while True:
            with self._solving:
                model = next(models, None)
            if model is None:
                return
            yield model
