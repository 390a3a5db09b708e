"""The evaluator `stamped`: one Control for many ticks, whose atoms bear the number of their tick.

A tick grounds one more part of the program (see `stamped_text`), background data only the first.
Where there is one answer stream, grounding alone finds it, and clingo's new atoms are read. Elsewhere rules
rest on an external, which is released when the tick is over. The Control is made again when it has more atoms
of past ticks than of background data (and `Tuning.stamped_spare`), so that the cost is spread over as much
work; and after `Tuning.stamped_most_ticks`, as clingo keeps for ever each atom with each number.

Pairs cost more than atoms. Where there is much background data and a tick has more atoms yet, ticks are
evaluated as `oneshot` does for a while, which is longer each time.
"""

from collections.abc import Mapping

from clingo import Control, Function, Number

from lars2asp.externals.grounding import KeyFunctions, NewAtoms, true_keys
from lars2asp.externals.lookup_functions import KeptAnswer, LookupFunctions
from lars2asp.externals.terms.symbols import atom_keys, key_of_value
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.runtime.evaluators.choice import is_worth_keeping
from lars2asp.runtime.evaluators.clingo.number_watch import LeftRangeError, within_range
from lars2asp.runtime.evaluators.oneshot import OneShotEvaluator, Recomputing
from lars2asp.runtime.evaluators.protocol import Evaluation, Model, Task
from lars2asp.runtime.evaluators.solving import Load, ModelReader, Solving
from lars2asp.runtime.evaluators.stamped.stamped_text import StampedText, stamped_text
from lars2asp.syntax.nodes import Signature

LONGEST_WAIT = 1024
"""The number of ticks that are evaluated by themselves at most before a Control is kept again."""


class StampedEvaluator(Recomputing):
    """Evaluates a program that has no externals of its own that are true or free."""

    def __init__(self, task: Task, *, is_weighed: bool = False) -> None:
        super().__init__(task)
        most = task.program.ranges.results
        functions = {name: within_range(function, most) for name, function in task.functions.items()}
        self._functions = LookupFunctions(task.program.functions, task.program.lookups, functions)
        self._is_weighed = is_weighed
        self._by_itself = OneShotEvaluator(task, is_weighed=is_weighed)
        self._has_much_background = is_worth_keeping(task.program)
        self._wait = 1
        self._left = 0
        """The number of ticks that are still to be evaluated without a Control that is kept."""
        self.load = Load()
        self._with_input: frozenset[Signature] = frozenset()
        """The predicates of background data of which the input had atoms."""
        self._use_text()

    def _use_text(self) -> None:
        """Makes the text that is ground from the next tick on."""
        task = self._task
        self._text = stamped_text(
            task.program,
            self._with_input,
            is_certain=task.request.raw,
            is_shown=task.clingo.is_on_shown(task.program),
        )
        self._solving = Solving(task, self._text.origins, is_weighed=self._is_weighed)
        self._control: _StampedControl | None = None

    def solve(self, tick: int, answers: Mapping[Lookup, KeptAnswer]) -> Evaluation:
        """The answer streams where lookups are answered so. Raises EvaluationError."""
        by_itself = self._by_itself
        is_narrow = self.numbers.is_narrow(tick, {one: answer.rows for one, answer in answers.items()})
        if self._left or not is_narrow:
            self._left = max(0, self._left - 1)
            step = by_itself.solve(tick, answers) if is_narrow else by_itself.solve_wide(tick, answers)
            self.load = by_itself.load
            return step
        try:
            return self._solve(tick, answers)
        except (OverflowError, LeftRangeError):
            self._control = None
            step = by_itself.solve_wide(tick, answers)
            self.load = by_itself.load
            return step

    def _solve(self, tick: int, answers: Mapping[Lookup, KeptAnswer]) -> Evaluation:
        """The same by clingo's numbers. Raises OverflowError and LeftRangeError."""
        new = {
            lookup.signature
            for lookup, answer in answers.items()
            if answer.rows and lookup.kind is LookupKind.INPUT and lookup.signature in self._text.background
        }
        if new:
            self._with_input |= {signature for signature in new if signature is not None}
            self._use_text()
        self._functions.hand_out(answers)
        with self._solving.translated_errors():
            control, self._control = self._control, None  # it is of no use should anything fail
            if control is None or control.is_full:
                control = _StampedControl(self._task, self._text, self._solving, self._functions.functions)
            if control.is_contradictory:
                self._left = LONGEST_WAIT
                return self.solve(tick, answers)
            step = control.step(tick)
            self._control = control
            size = control.size + control.new  # by itself a tick would have background data, too
            self.load = self._solving.load._replace(instances=size)
            if self._has_much_background and control.new > control.size:
                self._wait = min(LONGEST_WAIT, 2 * self._wait)
                self._left, self._control = self._wait, None
            else:
                self._wait = max(1, self._wait // 2)
            return step


class _StampedControl:
    """A Control that is kept, with readers of its atoms."""

    def __init__(self, task: Task, text: StampedText, solving: Solving, functions: KeyFunctions) -> None:
        program = task.program
        self._depends_on_now = program.depends_on_now
        self._tuning = task.tuning
        self._text = text
        self._solving = solving
        self._functions = functions
        self._control = solving.control("base", [], text.text)
        self._control.enable_cleanup = False  # readers go on where they were
        solving.ground(self._control, [("base", [])], functions)
        self.size = len(self._control.symbolic_atoms)
        """The number of atoms of background data."""
        left = text.stamped.get(Signature(program.names.left, 0))
        self._left = None if left is None else NewAtoms(self._control, Signature(left, 2))
        self._ticks = 0
        self._atoms = self.size
        self.new = 0
        """The number of atoms that the last tick added."""
        self._shown = (*text.shown, *((None,) if text.terms else ()))
        self._kept = () if task.request.raw else (*program.recorded, *program.placed)
        self._readers: dict[Signature | None, _StampedReader] = {
            signature: _StampedReader(self._control, signature, text)
            for signature in dict.fromkeys((*self._shown, *self._kept))
        }

    @property
    def is_contradictory(self) -> bool:
        """Whether facts of the program exclude each other, so that clingo grounds no more."""
        return self._control.is_conflicting

    @property
    def is_full(self) -> bool:
        """Whether it is to be made again."""
        tuning, past = self._tuning, len(self._control.symbolic_atoms) - self.size
        return past > tuning.stamped_spare + self.size or self._ticks >= tuning.stamped_most_ticks

    def step(self, tick: int) -> Evaluation:
        """The answer streams at a tick."""
        stamp = self._ticks
        self._ticks += 1
        guard = Function(self._text.guard, [Number(stamp)]) if self._text.guard else None
        now = tick if self._depends_on_now else 0
        arguments = [key_of_value(now), key_of_value(stamp)]
        self._solving.ground(self._control, [(self._text.part, arguments)], self._functions)
        before, self._atoms = self._atoms, len(self._control.symbolic_atoms)
        self.new = self._atoms - before
        if self._left is not None and self._left.keys():
            raise LeftRangeError
        atoms = {signature: reader.read() for signature, reader in self._readers.items()}
        shown = [atom for signature, some in atoms.items() if signature in self._shown for atom in some]
        if guard is None and not any(literal for _, literal in shown):
            return Evaluation((Model(list(dict.fromkeys(key for key, _ in shown))),))
        if guard is not None:
            self._control.assign_external(guard, True)
        reader = ModelReader(
            lambda model: list(dict.fromkeys(true_keys(model, shown))),
            {signature: atoms[signature] for signature in self._kept},
        )
        step = self._solving.solve(self._control, reader)
        if guard is not None:
            self._control.release_external(guard)
        return step


class _StampedReader:
    """Reads the new atoms of a predicate, or the new terms that are output, without their stamps."""

    def __init__(self, control: Control, signature: Signature | None, text: StampedText) -> None:
        name = text.terms if signature is None else text.stamped[signature]
        self._atoms = NewAtoms(control, Signature(name, 2))
        self._one: int | None = None
        if signature is not None and not signature.arity:
            [self._one] = atom_keys(signature, [()])

    def read(self) -> list[tuple[int, int]]:
        """The keys of the atoms since the last time, and their literals; 0 for facts."""
        found = self._atoms.literals(of_firsts=True)
        if self._one is not None:
            return [(self._one, literal) for _, literal in found]
        return found
