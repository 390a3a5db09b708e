"""Says once where clingo compares a number with another value, in comparisons of values of any kind.

Clingo compares without telling. While the values that come to a comparison are all numbers, or none are, the
program is evaluated as it is. From the tick on at which both are there it is evaluated by text that calls
back with what meets, until that was told.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from clingo import Symbol

from lars2asp.externals.terms.symbols import value_of_symbol
from lars2asp.planning.asp.open_comparisons import OpenComparison, looking
from lars2asp.runtime.evaluators.oneshot import OneShotEvaluator
from lars2asp.runtime.evaluators.protocol import Evaluation, Evaluator, Task
from lars2asp.runtime.evaluators.reports import Mixed
from lars2asp.syntax.printer import to_text


class ComparingEvaluator:
    """Evaluates a program that has open comparisons with an evaluator of clingo's.

    Args:
        task: the program, and all that its evaluator needs.
        make: makes the evaluator.
        comparisons: the open comparisons of the program.
    """

    def __init__(
        self, task: Task, make: Callable[[Task], Evaluator], comparisons: Sequence[OpenComparison]
    ) -> None:
        self._task, self._make = task, make
        self._last = task.last
        self._is_new = task.is_late
        self._name = task.program.names.function("compared")
        self._kinds = {one: {*one.kinds} for one in comparisons}
        """The kinds that came to comparisons about which nothing was told."""
        self._looked_at: list[OpenComparison] = []
        """Those to which both came."""
        lookups = dict.fromkeys(lookup for one in comparisons for lookup, _ in one.places)
        self._reports: list[Mixed] = []
        self._watched = dict(zip(lookups, task.watch(lookups), strict=True))
        self.evaluator = make(task)

    def go_on(self, task: Task) -> None:
        """Goes on with the answers of another database, which are the same; see `Evaluator`."""
        self._task = task.for_program_of(self._task)
        self._watched = dict(zip(self._watched, task.watch(self._watched), strict=True))
        self._is_new = True
        self.evaluator.go_on(task)

    def step(self, tick: int) -> Evaluation:
        """The answer streams at a tick. Raises EvaluationError."""
        if self._kinds:
            self._look(tick)
        self._is_new = False
        last, self._last = self._last, None
        if self._is_outdated():
            self._use(replace(self._task, is_late=True, last=last))
        self._last = self.evaluator.step(tick)
        return self._last

    def _look(self, tick: int) -> None:
        """Looks at what comes to comparisons."""
        began = {
            lookup: self._task.database.answer(lookup, tick) if self._is_new else watched.changes(tick).began
            for lookup, watched in self._watched.items()
        }
        for one, kinds in self._kinds.items():
            for lookup, place in one.places:
                kinds.update(type(row[place]) is int for row in began[lookup])

    def _is_outdated(self) -> bool:
        """Whether other comparisons are to be looked at than those that are; these are taken note of."""
        told = [one for one, report in zip(self._looked_at, self._reports, strict=True) if report.is_told]
        new = [one for one, kinds in self._kinds.items() if len(kinds) > 1]
        for one in new:
            del self._kinds[one]
        if told or new:
            self._looked_at = [one for one in (*self._looked_at, *new) if one not in told]
        return bool(told or new)

    def _use(self, task: Task) -> None:
        """Goes on with an evaluator that looks at these comparisons."""
        self._reports = [
            Mixed(task.on_message, one.origin, f"{to_text(one.left)} {one.comparison} {to_text(one.right)}")
            for one in self._looked_at
        ]
        if not self._looked_at:
            self.evaluator = self._make(task)
            return
        program = looking(task.program, self._looked_at, self._name)
        functions = {**task.functions, self._name: self._compared}
        # a grounding that is kept for many ticks would have values meet that are never there together
        self.evaluator = OneShotEvaluator(replace(task, program=program, functions=functions))

    def _compared(self, number: Symbol, left: Symbol, right: Symbol) -> Symbol:
        self._reports[number.number].look(value_of_symbol(left), value_of_symbol(right))
        return left
