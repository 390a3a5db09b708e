"""The base of evaluators that compute the answer streams of a tick from the answers to all lookups."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clingo import Symbol

from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.lookup_functions import LookupFunctions
from lars2asp.externals.symbols import symbol_of
from lars2asp.externals.views import NO_CHANGES
from lars2asp.planning.asp_program import AspProgram
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.limit import TickLimit
from lars2asp.runtime.evaluators.messages import OnMessage
from lars2asp.runtime.evaluators.meter import Meter
from lars2asp.runtime.evaluators.protocol import Evaluation
from lars2asp.runtime.evaluators.solving import Request
from lars2asp.runtime.tuning import DEFAULT, Tuning


@dataclass(frozen=True)
class Task:
    """A plan to evaluate, and all that its evaluator needs.

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
        meter: measures clingo's time, if it is measured.
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
    meter: Meter | None = None
    limit: TickLimit | None = None
    tuning: Tuning = DEFAULT

    def symbols(self, keys: Iterable[int]) -> list[Symbol]:
        """The answer to a lookup, given by keys."""
        found = list(map(symbol_of, keys))
        return sorted(found) if self.is_ordered else found


class Recomputing(ABC):
    """Evaluates each tick at which something changed from scratch.

    Where no lookup's answer changed since the tick before, and the program does not depend on the tick
    itself, the answer streams stay as they are and nothing is solved.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        program = task.program
        self._functions = LookupFunctions(program.functions, program.lookups, task.functions)
        self._last = task.last
        task.database.watch(program.lookups)

    def step(self, tick: int) -> Evaluation:
        """The answer streams at a tick. Raises EvaluationError."""
        database, program = self._task.database, self._task.program
        changed = [database.changes(lookup, tick) is not NO_CHANGES for lookup in program.lookups]
        if self._last is not None and not program.depends_on_now and not any(changed):
            return self._last
        self._last = None  # nothing is known should solving fail
        answers = {lookup: self._task.symbols(database.answer(lookup, tick)) for lookup in program.lookups}
        self._last = self.solve(tick, answers)
        return self._last

    @abstractmethod
    def solve(self, tick: int, answers: Mapping[Lookup, Sequence[Symbol]]) -> Evaluation:
        """The answer streams with these answers to lookups. Raises EvaluationError."""
