"""The program of one tick, grounded once more for what an explanation asks clingo."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from clingo import Function

from lars2asp.externals.grounding import KeyFunction
from lars2asp.externals.lookup_functions import KeptAnswer, LookupFunctions
from lars2asp.externals.terms.symbols import key_of_value
from lars2asp.externals.views import Changes
from lars2asp.planning.asp.asp_program import head_predicates, wide_text
from lars2asp.runtime.evaluators.clingo.number_watch import LeftRangeError, NumberWatch
from lars2asp.runtime.evaluators.clingo.wide_functions import WideFunctions
from lars2asp.runtime.evaluators.protocol import Task
from lars2asp.runtime.evaluators.solving import Solving
from lars2asp.syntax.nodes import Statement
from lars2asp.syntax.printer import to_text
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

    def __init__(self, task: Task, tick: int, lines: Sequence[tuple[Statement, Location]]) -> None:
        self._task, self._tick = task, tick
        self._limit = task.limit
        program, numbers = task.program, NumberWatch(task.program, task.largest_interval)
        self._answers = {one: KeptAnswer(one, is_ordered=True) for one in program.lookups}
        for lookup, answer in self._answers.items():
            changes = Changes(task.database.answer(lookup, tick))
            answer.change(changes)
            numbers.take(lookup, changes.began)
        try:
            is_narrow = numbers.is_narrow(tick, {one: answer.rows for one, answer in self._answers.items()})
            if not is_narrow:
                raise LeftRangeError
            checks = [(line.text, line.origin) for line in program.checks]
            self._ground([*((to_text(one), origin) for one, origin in lines), *checks])
            if checks and self.control.symbolic_atoms[Function(program.names.left)] is not None:
                raise LeftRangeError
        except (OverflowError, LeftRangeError):
            derived = frozenset(chain.from_iterable(head_predicates(statement) for statement, _ in lines))
            wide = wide_text(lines, program.constants, program.values, program.names, uncertain=derived)
            functions = WideFunctions(wide, task.on_message, task.largest_interval).functions
            written = [*zip(wide.text.splitlines(), wide.origins, strict=True)]
            self._ground(written, functions, wide.quiet)

    def _ground(
        self,
        lines: Sequence[tuple[str, Location]],
        wide: Mapping[str, KeyFunction] | None = None,
        quiet: Collection[int] = (),
    ) -> None:
        """Grounds text, in which numbers may have any size if there are functions for that."""
        task, program = self._task, self._task.program
        self._solving = solving = Solving(task, [origin for _, origin in lines], quiet)
        functions = LookupFunctions(program.functions, program.lookups, task.functions, wide or {})
        functions.hand_out(self._answers, is_wide=wide is not None)
        with solving.translated_errors():
            text = "".join(f"{line}\n" for line, _ in lines)
            self.control = control = solving.control(program.names.part, [program.names.now], text)
            solving.ground(control, [(program.names.part, [key_of_value(self._tick)])], functions.functions)

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
