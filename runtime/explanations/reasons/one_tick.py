"""The program of one tick, grounded once more for what an explanation asks clingo."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from lars2asp.externals.lookup_functions import KeptAnswer, LookupFunctions
from lars2asp.externals.terms.symbols import key_of_value
from lars2asp.externals.views import Changes
from lars2asp.runtime.evaluators.protocol import Task
from lars2asp.runtime.evaluators.solving import Solving
from lars2asp.syntax.source import Location

T = TypeVar("T")


class Grounded:
    """A Control that has grounded statements with the stream of a tick, under the limit of the task.

    Args:
        task: the component; its database is at the tick.
        tick: the tick.
        lines: the statements, and where they come from.

    Raises EvaluationError, and TickTimeoutError where it takes longer than the limit.

    Attributes:
        control: the Control.
    """

    def __init__(self, task: Task, tick: int, lines: Sequence[tuple[str, Location]]) -> None:
        program = task.program
        self._limit = task.limit
        self._solving = solving = Solving(task, [origin for _, origin in lines])
        functions = LookupFunctions(program.functions, program.lookups, task.functions)
        answers = {one: KeptAnswer(one, is_ordered=True) for one in program.lookups}
        for lookup, answer in answers.items():
            answer.change(Changes(task.database.answer(lookup, tick)))
        functions.hand_out(answers)
        with solving.translated_errors():
            text = "".join(f"{line}\n" for line, _ in lines)
            self.control = control = solving.control(program.names.part, [program.names.now], text)
            solving.ground(control, [(program.names.part, [key_of_value(tick)])], functions.functions)

    def core(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        """Those of some literals that cannot all be true; None where they can."""
        found: list[Sequence[int]] = []

        def solve() -> bool:
            result = self.control.solve(assumptions=assumptions, on_core=found.append)
            return bool(result.unsatisfiable)

        is_unsatisfiable = self.limited(solve)
        return frozenset(literal for core in found for literal in core) if is_unsatisfiable else None

    def limited(self, work: Callable[[], T]) -> T:
        """The result of a search with the Control, under the limit."""
        with self._solving.translated_errors():
            return work() if self._limit is None else self._limit.run(work, self.control.interrupt)
