"""The program of one tick, grounded once more for what an explanation asks clingo."""

from collections.abc import Sequence

from clingo import Control

from lars2asp.externals.lookup_functions import KeptAnswer, LookupFunctions
from lars2asp.externals.terms.symbols import key_of_value
from lars2asp.externals.views import Changes
from lars2asp.runtime.evaluators.protocol import Task
from lars2asp.runtime.evaluators.solving import Solving
from lars2asp.syntax.source import Location


def grounded(task: Task, tick: int, lines: Sequence[tuple[str, Location]]) -> Control:
    """A Control that has grounded statements with the stream of a tick.

    Args:
        task: the component; its database is at the tick.
        tick: the tick.
        lines: the statements, and where they come from.

    Raises EvaluationError.
    """
    program = task.program
    solving = Solving(task, [origin for _, origin in lines])
    functions = LookupFunctions(program.functions, program.lookups, task.functions)
    answers = {one: KeptAnswer(one, is_ordered=True) for one in program.lookups}
    for lookup, answer in answers.items():
        answer.change(Changes(task.database.answer(lookup, tick)))
    functions.hand_out(answers)
    with solving.translated_errors():
        text = "".join(f"{line}\n" for line, _ in lines)
        control = solving.control(program.names.part, [program.names.now], text)
        solving.ground(control, [(program.names.part, [key_of_value(tick)])], functions.functions)
    return control
