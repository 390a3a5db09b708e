"""The evaluator `oneshot`: a fresh Control for each tick, window atoms answered by the database.

The prototype of Eiter, Ogris, Schekotihin (2019), section 5. It serves every program and is what the other
evaluators are held to.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clingo import Number, Symbol

from externals.database import IntervalDatabase
from externals.functions import LookupFunctions
from externals.symbols import symbol_of
from externals.views import NO_CHANGES
from lars2asp.lookups import Lookup
from lars2asp.plan import Plan
from runtime.evaluators.messages import OnMessage
from runtime.evaluators.protocol import Step
from runtime.evaluators.solving import Solving, Wanted


class OneShot:
    """Evaluates a plan with one Control for each tick.

    Where no lookup's answer changed since the tick before, and the plan does not depend on the tick itself,
    the answer streams stay as they are and nothing is solved.

    Args:
        plan: the program.
        database: holds the stream; its tick must be committed before `step`.
        wanted: what to find.
        functions: the user's `@`-functions.
        on_message: takes clingo's messages, each once for a place.
        now: the current tick, where the stream has gone on before.
    """

    def __init__(
        self,
        plan: Plan,
        database: IntervalDatabase,
        wanted: Wanted,
        functions: Mapping[str, Callable[..., Any]],
        on_message: OnMessage,
        now: int | None = None,
    ) -> None:
        self._plan = plan
        self._database = database
        self._solving = Solving(plan, wanted, on_message, plan.origins)
        self._functions = LookupFunctions(plan.functions, plan.lookups, functions)
        self._last: Step | None = None
        database.watch(plan.lookups, now)

    def step(self, tick: int) -> Step:
        """The answer streams at a tick. Raises EvaluationError."""
        database, lookups = self._database, self._plan.lookups
        changed = [database.changes(lookup, tick) is not NO_CHANGES for lookup in lookups]
        if self._last is not None and not self._plan.depends_on_now and not any(changed):
            return self._last
        self._last = None  # nothing is known should solving fail
        self._last = self.solve(
            tick, {lookup: list(map(symbol_of, database.answer(lookup, tick))) for lookup in lookups}
        )
        return self._last

    def solve(self, tick: int, answers: Mapping[Lookup, Sequence[Symbol]]) -> Step:
        """The answer streams where lookups are answered so. Raises EvaluationError."""
        plan = self._plan
        self._functions.hand_out(answers)
        with self._solving.told():
            control = self._solving.control(plan.part, [plan.parameter], plan.text)
            control.ground([(plan.part, [Number(tick)])], self._functions.context)
            return self._solving.solve(control)
