"""The base of evaluators that compute the answer streams of a tick from the answers to all lookups."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from lars2asp.externals.lookup_functions import KeptAnswer, LookupFunctions
from lars2asp.externals.views import NO_CHANGES, Changes
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
        self._answers = {one: KeptAnswer(one, is_ordered=task.is_ordered) for one in program.lookups}
        self._watched = task.database.watch(program.lookups)
        self._is_new = task.is_late
        self._last = task.last

    def step(self, tick: int) -> Evaluation:
        """The answer streams at a tick. Raises EvaluationError."""
        is_changed = False
        for watched, (lookup, answer) in zip(self._watched, self._answers.items(), strict=True):
            changes = watched.changes(tick)
            is_changed |= changes is not NO_CHANGES
            answer.change(Changes(self._task.database.answer(lookup, tick)) if self._is_new else changes)
        self._is_new = False
        if self._last is not None and not self._task.program.depends_on_now and not is_changed:
            return self._last
        self._last = None  # nothing is known should solving fail
        self._last = self.solve(tick, self._answers)
        return self._last

    @abstractmethod
    def solve(self, tick: int, answers: Mapping[Lookup, KeptAnswer]) -> Evaluation:
        """The answer streams with these answers to lookups. Raises EvaluationError."""
