"""The evaluator `oneshot`: a fresh Control for each tick, window atoms answered by the database.

The prototype of Eiter, Ogris, Schekotihin (2019), section 5. It serves every program, and the other
evaluators are held to it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from lars2asp.externals.lookup_functions import KeptAnswer, LookupFunctions
from lars2asp.externals.terms.symbols import key_of_value
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.protocol import Evaluation, Task
from lars2asp.runtime.evaluators.solving import Load, Solving


class Recomputing(ABC):
    """Evaluates each tick at which something changed from scratch.

    Where no lookup's answer changed since the tick before, and the program does not depend on the tick
    itself, the answer streams stay as they are and nothing is solved.

    Attributes:
        load: how much the last tick took that was solved, where that is looked at.
    """

    load = Load()

    def __init__(self, task: Task) -> None:
        self._task = task
        program = task.program
        self._functions = LookupFunctions(program.functions, program.lookups, task.functions)
        self._answers = {one: KeptAnswer(one, is_ordered=task.is_ordered) for one in program.lookups}
        self._watched = list(zip(task.watch(program.lookups), self._answers.values(), strict=True))
        self._is_new = task.is_late
        self._last = task.last

    def step(self, tick: int) -> Evaluation:
        """The answer streams at a tick. Raises EvaluationError."""
        is_new, self._is_new, is_changed = self._is_new, False, False
        for watched, answer in self._watched:
            changes = watched.changes(tick)
            if changes is not NO_CHANGES:
                is_changed = True
            if is_new:
                answer.change(Changes(self._task.database.answer(answer.lookup, tick)))
            elif changes is not NO_CHANGES:
                answer.change(changes)
        if self._last is not None and not self._task.program.depends_on_now and not is_changed:
            return self._last
        self._last = None  # nothing is known should solving fail
        self._last = self.solve(tick, self._answers)
        return self._last

    @abstractmethod
    def solve(self, tick: int, answers: Mapping[Lookup, KeptAnswer]) -> Evaluation:
        """The answer streams with these answers to lookups. Raises EvaluationError."""


class OneShotEvaluator(Recomputing):
    """Evaluates a program with one Control for each tick."""

    def __init__(self, task: Task, *, is_weighed: bool = False) -> None:
        super().__init__(task)
        self._solving = Solving(task, task.program.origins, is_weighed=is_weighed)
        self._text = task.program.text

    def solve(self, tick: int, answers: Mapping[Lookup, KeptAnswer]) -> Evaluation:
        """The answer streams with these answers to lookups. Raises EvaluationError."""
        names = self._task.program.names
        self._functions.hand_out(answers)
        with self._solving.translated_errors():
            control = self._solving.control(names.part, [names.now], self._text)
            parts = [(names.part, [key_of_value(tick)])]
            self._solving.ground(control, parts, self._functions.functions)
            step = self._solving.solve(control, self._solving.reader(control))
            self.load = self._solving.load
            return step
