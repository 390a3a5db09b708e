"""The base of evaluators that compute the answer streams of a tick from the answers to all lookups."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping

from lars2asp.externals.grounding import KeyFunctions
from lars2asp.externals.lookup_functions import LookupFunctions
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.protocol import Evaluation, Task


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
        answers = {lookup: database.answer(lookup, tick) for lookup in program.lookups}
        self._last = self.solve(tick, answers)
        return self._last

    def answering(self, answers: Mapping[Lookup, Collection[Row]]) -> KeyFunctions:
        """The `@`-functions to ground with, where lookups are answered so."""
        self._functions.hand_out({lookup: self._task.keys(lookup, rows) for lookup, rows in answers.items()})
        return self._functions.functions

    @abstractmethod
    def solve(self, tick: int, answers: Mapping[Lookup, Collection[Row]]) -> Evaluation:
        """The answer streams with these answers to lookups. Raises EvaluationError."""
