"""Solving with a Control: the answer streams of what it grounded."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from clingo import Control
from clingo import Model as SolvedModel

from lars2asp.externals.grounding import (
    GroundPart,
    KeyFunctions,
    NewAtoms,
    shown_keys,
    statistics_of,
    true_keys,
)
from lars2asp.externals.terms.symbols import argument_rows, atoms_as, keys_by_predicate
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.evaluators.clingo.clingo_options import NO_OPTIONS, ON_SHOWN
from lars2asp.runtime.evaluators.protocol import AnswerCost, Evaluation, Model, Task
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Location


class ModelReader(NamedTuple):
    """Reads solved models.

    Attributes:
        shown: gives the keys of the atoms and terms that are output.
        kept: the atoms that are recorded or placed, by their predicates: keys and literals, 0 for facts.
    """

    shown: Callable[[SolvedModel], Sequence[int]]
    kept: Mapping[Signature, Sequence[tuple[int, int]]]


class Load(NamedTuple):
    """How much a Control had to do for a tick.

    Attributes:
        instances: the number of ground rules.
        conflicts: the number of conflicts of the search.
        models: the number of models that were found.
        complexity: how much there is to the constraints of the search, as clingo says.
    """

    instances: int = 0
    conflicts: int = 0
    models: int = 0
    complexity: int = 0


class SearchGivenUpError(Exception):
    """A search ran into more conflicts than it may."""


_LOAD_PATHS = (
    (b"problem", b"lp", b"rules"),
    (b"solving", b"solvers", b"conflicts"),
    (b"summary", b"models", b"enumerated"),
    (b"problem", b"generator", b"complexity"),
)


class Solving:
    """Makes Controls for text that was made of a program, one statement a line, and solves with them.

    Args:
        task: the program, and the answer streams to find.
        origins: for each line of the text the place in the user's text that it comes from.
        quiet: the numbers of lines of which nothing is said that is undefined.
        is_weighed: whether the load of each search is looked at.

    Attributes:
        load: that of the last search, where it is looked at.
    """

    def __init__(
        self,
        task: Task,
        origins: Sequence[Location],
        quiet: Collection[int] = (),
        *,
        is_weighed: bool = False,
    ) -> None:
        self._program = program = task.program
        self._request = request = task.request
        self._messages = task.messages(origins, quiet)
        self.translated_errors = self._messages.translated_errors
        self._options = options = task.clingo
        self._optimizes = program.optimizes and options.optimizes
        self._is_search_for_one = (  # a sequence of ever better ones
            self._optimizes and request.models == 1 and options.opt_mode != "optN"
        )
        self._models_to_find = 0 if self._is_search_for_one else request.models
        self._opt_mode = options.with_bounds("opt" if self._is_search_for_one else "optN")
        self._arguments = [*options.arguments, f"--models={self._models_to_find}"]
        if self._optimizes and not options.opt_mode:
            self._arguments.append(f"--opt-mode={self._opt_mode}")
        if program.guides_solver and not options.has_heuristic:
            self._arguments.append("--heuristic=Domain")
        self._cost: AnswerCost | None = None
        """What the answer stream cost that was found last."""
        self._is_weighed = is_weighed
        self.load = Load()

    def control(self, part: str, parameters: Sequence[str], text: str) -> Control:
        """A Control with a text in one program part."""
        control = self._messages.control(text, part, parameters, self._arguments)
        if self._options.project != NO_OPTIONS.project:
            solve: Any = control.configuration.solve
            solve.project = self._options.projection(self._program)
        return control

    def ground(self, control: Control, parts: Sequence[GroundPart], functions: KeyFunctions) -> None:
        """Grounds parts of the text of a Control. Raises TickTimeoutError."""
        self._messages.ground(lambda: functions.ground(control, parts))

    def ground_counted(self, control: Control, parts: Sequence[GroundPart], functions: KeyFunctions) -> None:
        """The same for text that functions end by an error if it takes too long."""
        self._messages.ground(lambda: functions.ground(control, parts), is_limited=False)

    def reader(self, control: Control) -> ModelReader:
        """Reads the models of all that a Control has grounded."""
        kept = () if self._request.raw else (*self._program.recorded, *self._program.placed)
        return ModelReader(shown_keys, {one: NewAtoms(control, one).literals() for one in kept})

    def solve(self, control: Control, reading: ModelReader, most_conflicts: int | None = None) -> Evaluation:
        """The answer streams of the ground program, and the consequences if requested.

        Raises:
            TickTimeoutError: if it takes too long.
            SearchGivenUpError: if a search runs into more conflicts than it may.
        """
        if most_conflicts is not None:
            solve: Any = control.configuration.solve
            solve.solve_limit = str(most_conflicts)
        return self._messages.limited(
            lambda: self._solve(control, reading, most_conflicts), control.interrupt
        )

    def _solve(self, control: Control, reading: ModelReader, most_conflicts: int | None) -> Evaluation:
        self._cost = None
        models = self._models(control, reading)
        self._weigh(control, most_conflicts)
        has_more = models and self._request.consequences
        consequences = self._consequences(control, reading) if has_more else None
        if has_more:
            self._weigh(control, most_conflicts)
        return Evaluation(models, consequences, self._cost)

    def _weigh(self, control: Control, most_conflicts: int | None) -> None:
        """Looks at the load of a search that is over."""
        if self._is_weighed:
            self.load = Load(*statistics_of(control, _LOAD_PATHS))
            if most_conflicts is not None and self.load.conflicts >= most_conflicts:
                raise SearchGivenUpError

    def _models(self, control: Control, reading: ModelReader) -> tuple[Model, ...]:
        models: list[Model] = []
        priorities, costs = list[int](), list[int]()
        with self._messages.search(control) as found_models:
            for model in found_models:
                if self._optimizes:
                    costs = model.cost
                    if self._is_search_for_one:
                        models.clear()  # of a sequence, ever better, the last is optimal
                    elif not _is_optimal(model, costs):
                        continue
                    priorities = priorities or model.priority  # all models have the same
                models.append(self._model(model, reading, is_followed=not models))
                if self._is_search_for_one and not costs:
                    break  # nothing is weighed at this tick, so that any answer stream is optimal
        if models and self._optimizes:
            self._cost = self._cost_of(priorities, costs)
        return tuple(models)

    def _consequences(self, control: Control, reading: ModelReader) -> Sequence[int]:
        solve: Any = control.configuration.solve
        solve.enum_mode, solve.models = str(self._request.consequences), 0
        projected, solve.project = solve.project, ON_SHOWN  # else of `#project` alone, if the program has it
        if self._optimizes:
            solve.opt_mode = self._options.with_bounds("optN")
        found: Sequence[int] = ()
        with self._messages.search(control) as found_models:
            for model in found_models:  # each nearer to the consequences than the one before
                if not self._optimizes or _is_optimal(model, model.cost):
                    found = self._shown(reading.shown(model))
        solve.enum_mode, solve.models, solve.project = (
            self._options.enum_mode,
            self._models_to_find,
            projected,
        )
        if self._optimizes:
            solve.opt_mode = self._opt_mode
        return found

    def _cost_of(self, priorities: Sequence[int], costs: Sequence[int]) -> AnswerCost:
        """What an answer stream costs, of what clingo says of a model.

        clingo names the priorities of what was ground, which depends on the evaluator; here are those that
        the program names, and of others those at which there is a cost.
        """
        if tuple(priorities) == self._program.priorities:  # as nearly always
            return tuple(zip(priorities, costs, strict=True))
        found = dict.fromkeys(self._program.priorities, 0)
        for priority, cost in zip(priorities, costs, strict=True):
            if cost or priority in found:
                found[priority] = cost
        return tuple(sorted(found.items(), reverse=True))

    def _shown(self, keys: Sequence[int]) -> Sequence[int]:
        """The keys of shown atoms, under the predicates that they stand for, each once."""
        if not self._program.shown_as:
            return keys
        found: set[int] = set()
        for signature, some in keys_by_predicate(keys).items():
            shown_as = self._program.shown_as.get(signature.name)
            found.update(some if shown_as is None else atoms_as(shown_as, some))
        return list(found)

    def _model(self, model: SolvedModel, reading: ModelReader, *, is_followed: bool) -> Model:
        shown, program = reading.shown(model), self._program
        if self._request.raw:
            return Model(shown)
        if not is_followed:
            return Model(self._shown(shown))
        rows = {one: argument_rows(true_keys(model, atoms)) for one, atoms in reading.kept.items()}
        recorded = [AtomRows(target, rows[one]) for one, target in program.recorded.items()]
        placed = [
            AtomRows(target, [row for row in rows[one] if type(row[-1]) is int])
            for one, target in program.placed.items()
        ]
        return Model(self._shown(shown), recorded, placed)


def _is_optimal(model: SolvedModel, costs: Sequence[int]) -> bool:
    """Whether no model is better; without anything weighed in the ground program none is."""
    return model.optimality_proven or not costs
