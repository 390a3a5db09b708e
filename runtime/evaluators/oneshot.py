"""The evaluator `oneshot`: a fresh Control for each tick, window atoms answered by the database.

The prototype of Eiter, Ogris, Schekotihin (2019), section 5. It serves every program and is what the other
evaluators are held to.
"""

from collections.abc import Mapping, Sequence

from clingo import Number, Symbol

from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.protocol import Evaluation
from lars2asp.runtime.evaluators.recomputing import Recomputing, Task
from lars2asp.runtime.evaluators.solving import Solving


class OneShotEvaluator(Recomputing):
    """Evaluates a plan with one Control for each tick."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        plan = task.plan
        self._solving = Solving(plan, task.request, task.on_message, plan.origins, task.meter, task.limit)

    def solve(self, tick: int, answers: Mapping[Lookup, Sequence[Symbol]]) -> Evaluation:
        """The answer streams where lookups are answered so. Raises EvaluationError."""
        plan = self._task.plan
        self._functions.hand_out(answers)
        with self._solving.translated_errors():
            control = self._solving.control(plan.part, [plan.parameter], plan.text)
            self._solving.ground(control, [(plan.part, [Number(tick)])], self._functions.context)
            return self._solving.solve(control)
