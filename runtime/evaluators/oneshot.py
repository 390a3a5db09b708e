"""The evaluator `oneshot`: a fresh Control for each tick, window atoms answered by the database.

The prototype of Eiter, Ogris, Schekotihin (2019), section 5. It serves every program, and the other
evaluators are held to it.
"""

from collections.abc import Mapping

from lars2asp.externals.lookup_functions import KeptAnswer
from lars2asp.externals.terms.symbols import key_of_value
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.protocol import Evaluation, Task
from lars2asp.runtime.evaluators.recomputing import Recomputing
from lars2asp.runtime.evaluators.solving import Solving


class OneShotEvaluator(Recomputing):
    """Evaluates a program with one Control for each tick."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._solving = Solving(task, task.program.origins)
        self._text = task.program.text

    def solve(self, tick: int, answers: Mapping[Lookup, KeptAnswer]) -> Evaluation:
        """The answer streams with these answers to lookups. Raises EvaluationError."""
        names = self._task.program.names
        self._functions.hand_out(answers)
        with self._solving.translated_errors():
            control = self._solving.control(names.part, [names.now], self._text)
            parts = [(names.part, [key_of_value(tick)])]
            self._solving.ground(control, parts, self._functions.functions)
            return self._solving.solve(control, self._solving.reader(control))
