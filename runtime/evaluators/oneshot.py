"""The evaluator `oneshot`: a fresh Control for each tick, window atoms answered by the database.

The prototype of Eiter, Ogris, Schekotihin (2019), section 5. It serves every program, and the other
evaluators are held to it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from clingo import Control, Function

from lars2asp.externals.grounding import NewAtoms
from lars2asp.externals.lookup_functions import KeptAnswer, LookupFunctions
from lars2asp.externals.terms.symbols import key_of_value, widened
from lars2asp.externals.views import NO_CHANGES
from lars2asp.planning.asp.recursion import uncertain_predicates
from lars2asp.planning.asp.wide_arithmetic import DIGITS
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.clingo.number_watch import LeftRangeError, NumberWatch, within_range
from lars2asp.runtime.evaluators.clingo.wide_functions import MoreDigitsError, WideFunctions
from lars2asp.runtime.evaluators.protocol import Evaluation, Model, Task
from lars2asp.runtime.evaluators.solving import Load, Solving
from lars2asp.syntax.nodes import Show, Signature


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
        self._answers = {one: KeptAnswer(one, is_ordered=task.is_ordered) for one in program.lookups}
        self._watched = list(zip(task.watch(program.lookups), self._answers.values(), strict=True))
        self.numbers = NumberWatch(program, task.largest_interval)
        self._is_new, self._goes_on = task.is_late, False
        self._last = task.last

    def go_on(self, task: Task) -> None:
        """Goes on with the answers of another database, which are the same; see `Evaluator`."""
        self._task = task.for_program_of(self._task)
        self._watched = list(zip(task.watch(self._answers), self._answers.values(), strict=True))
        self._is_new = self._goes_on = True

    def step(self, tick: int) -> Evaluation:
        """The answer streams at a tick. Raises EvaluationError."""
        is_new, goes_on, is_changed = self._is_new, self._goes_on, False
        self._is_new = self._goes_on = False
        for watched, answer in self._watched:
            changes = watched.changes(tick)
            is_changed = is_changed or (changes is not NO_CHANGES and not goes_on)
            if is_new:
                changes = answer.differences(self._task.database.answer(answer.lookup, tick))
            if changes is not NO_CHANGES:
                is_changed = is_changed or goes_on
                answer.change(changes)
                self.numbers.take(answer.lookup, changes.began)
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
        program = task.program
        self._is_weighed = is_weighed
        self._solving = Solving(task, program.origins, is_weighed=is_weighed)
        self._text = program.checked_text
        most = program.ranges.results
        functions = {name: within_range(function, most) for name, function in task.functions.items()}
        self._functions = LookupFunctions(program.functions, program.lookups, functions)
        self._wide: WideSolver | None = None

    def solve(self, tick: int, answers: Mapping[Lookup, KeptAnswer]) -> Evaluation:
        """The answer streams with these answers to lookups. Raises EvaluationError."""
        try:
            if self.numbers.is_narrow(tick, {one: answer.rows for one, answer in answers.items()}):
                return self._solve(tick, answers)
        except (OverflowError, LeftRangeError):
            pass
        return self.solve_wide(tick, answers)

    def solve_wide(self, tick: int, answers: Mapping[Lookup, KeptAnswer]) -> Evaluation:
        """The same by text in which numbers may have any size."""
        if self._wide is None:
            self._wide = WideSolver(self._task, is_weighed=self._is_weighed)
        evaluation = self._wide.solve(tick, answers)
        self.load = self._wide.load
        return evaluation

    def _solve(self, tick: int, answers: Mapping[Lookup, KeptAnswer]) -> Evaluation:
        """The same by clingo's numbers. Raises OverflowError and LeftRangeError."""
        program = self._task.program
        names = program.names
        self._functions.hand_out(answers)
        with self._solving.translated_errors():
            control = self._solving.control(names.part, [names.now], self._text)
            parts = [(names.part, [key_of_value(tick if program.depends_on_now else 0)])]
            self._solving.ground(control, parts, self._functions.functions)
            if program.checks and control.symbolic_atoms[Function(names.left)] is not None:
                raise LeftRangeError
            step = self._solving.solve(control, self._solving.reader(control))
            self.load = self._solving.load
            return _with_contradictions(step, self._task, control)


class WideSolver:
    """Evaluates ticks by text in which numbers may have any size, with one Control for each.

    Attributes:
        load: how much the last tick took, where that is looked at.
    """

    def __init__(self, task: Task, *, is_weighed: bool = False) -> None:
        self._task = task
        self._is_weighed = is_weighed
        self.load = Load()
        self._use(DIGITS)

    def _use(self, digits: int) -> None:
        """Uses text that divides sums into so many digits."""
        task, program = self._task, self._task.program
        uncertain = frozenset[Signature]() if task.request.raw else uncertain_predicates(program)
        self._text = wide = program.wide(digits, uncertain, task.largest_interval)
        self._solving = Solving(task, wide.origins, wide.quiet, is_weighed=self._is_weighed)
        self._computing = WideFunctions(wide, task.on_message, task.largest_interval)
        self._functions = LookupFunctions(
            program.functions, program.lookups, task.functions, self._computing.functions
        )

    def solve(self, tick: int, answers: Mapping[Lookup, KeptAnswer]) -> Evaluation:
        """The answer streams with these answers to lookups. Raises EvaluationError."""
        while True:
            try:
                return self._solve(tick, answers)
            except MoreDigitsError:
                self._use(2 * self._text.digits)

    def _solve(self, tick: int, answers: Mapping[Lookup, KeptAnswer]) -> Evaluation:
        names, solving = self._text.names, self._solving
        self._functions.hand_out(answers, is_wide=True)
        self._computing.begin()
        with solving.translated_errors():
            control = solving.control(names.part, [names.now], self._text.text)
            solving.ground(control, [(names.part, [key_of_value(widened(tick))])], self._functions.functions)
            step = solving.solve(control, solving.reader(control))
            self.load = solving.load
            return _with_contradictions(step, self._task, control)


def _with_contradictions(step: Evaluation, task: Task, control: Control) -> Evaluation:
    """The evaluation; of a component with one answer stream what grounding found, though clingo has none.

    What contradicts in it is for the last component.
    """
    if step.models or not task.request.raw:
        return step
    shows = (line.written for line in task.program.lines if isinstance(line.written, Show))
    readers = (NewAtoms(control, show.signature) for show in shows if show.signature is not None)
    return Evaluation((Model([key for reader in readers for key in reader.keys()]),))  # noqa: SIM118 - no dict
