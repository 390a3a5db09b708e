"""Solving with a Control: the answer streams of what it grounded."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from clingo import Control
from clingo import Model as SolvedModel

from lars2asp.externals.grounding import GroundPart, KeyFunctions, NewAtoms, shown_keys, true_keys
from lars2asp.externals.terms.symbols import argument_rows, atoms_as, keys_by_predicate
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.evaluators.protocol import Evaluation, Model, Task
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


class Solving:
    """Makes Controls for text that was made of a program, one statement a line, and solves with them.

    Args:
        task: the program, and the answer streams to find.
        origins: for each line of the text the place in the user's text that it comes from.
    """

    def __init__(self, task: Task, origins: Sequence[Location]) -> None:
        self._program = program = task.program
        self._request = request = task.request
        self._messages = task.messages(origins)
        self.translated_errors = self._messages.translated_errors
        is_search_for_one = program.optimizes and request.models == 1  # a sequence of ever better ones
        self._models_to_find = 0 if is_search_for_one else request.models
        self._opt_mode = "opt" if is_search_for_one else "optN"
        self._arguments = [f"--models={self._models_to_find}"]
        if program.optimizes:
            self._arguments.append(f"--opt-mode={self._opt_mode}")
        if program.guides_solver:
            self._arguments.append("--heuristic=Domain")

    def control(self, part: str, parameters: Sequence[str], text: str) -> Control:
        """A Control with a text in one program part."""
        return self._messages.control(text, part, parameters, self._arguments)

    def ground(self, control: Control, parts: Sequence[GroundPart], functions: KeyFunctions) -> None:
        """Grounds parts of the text of a Control."""
        self._messages.ground(lambda: functions.ground(control, parts))

    def reader(self, control: Control) -> ModelReader:
        """Reads the models of all that a Control has grounded."""
        kept = () if self._request.raw else (*self._program.recorded, *self._program.placed)
        return ModelReader(shown_keys, {one: NewAtoms(control, one).literals() for one in kept})

    def solve(self, control: Control, reading: ModelReader) -> Evaluation:
        """The answer streams of the ground program, and the consequences if requested."""
        return self._messages.limited(lambda: self._solve(control, reading), control.interrupt)

    def _solve(self, control: Control, reading: ModelReader) -> Evaluation:
        models = self._models(control, reading)
        has_more = models and self._request.consequences
        return Evaluation(models, self._consequences(control, reading) if has_more else None)

    def _models(self, control: Control, reading: ModelReader) -> tuple[Model, ...]:
        models: list[Model] = []
        with self._messages.search(control) as found_models:
            for model in found_models:
                if self._program.optimizes:
                    if self._request.models == 1:
                        models.clear()  # of a sequence, ever better, the last is optimal
                    elif not _is_optimal(model):
                        continue
                models.append(self._model(model, reading, is_followed=not models))
                if self._program.optimizes and self._request.models == 1 and not model.cost:
                    break  # nothing is weighed at this tick, so that any answer stream is optimal
        return tuple(models)

    def _consequences(self, control: Control, reading: ModelReader) -> Sequence[int]:
        solve: Any = control.configuration.solve
        solve.enum_mode, solve.models = str(self._request.consequences), 0
        if self._program.optimizes:
            solve.opt_mode = "optN"
        found: Sequence[int] = ()
        with self._messages.search(control) as found_models:
            for model in found_models:  # each nearer to the consequences than the one before
                if not self._program.optimizes or _is_optimal(model):
                    found = self._shown(reading.shown(model))
        solve.enum_mode, solve.models = "auto", self._models_to_find
        if self._program.optimizes:
            solve.opt_mode = self._opt_mode
        return found

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


def _is_optimal(model: SolvedModel) -> bool:
    """Whether no model is better; without anything weighed in the ground program none is."""
    return model.optimality_proven or not model.cost
