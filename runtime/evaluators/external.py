"""The evaluator `external`: one grounding, whose window atoms are switched from tick to tick.

Each answer that a lookup gave becomes a clingo external; a tick switches those that changed and solves. An
answer that is not known yet needs another grounding, over all that were seen lately (the overgrounding of
Calimeri et al. 2021, section 5, with whole groundings in place of incremental ones). Where background data
bounds the answers that matter (`planning.relevant_answers`), all of these are known beforehand. A tick
with answers not seen lately is evaluated as `oneshot` does, or as `stamped` where there is much background
data, as the next tick may have others. So are ticks while groundings do not pay: a grounding that serves
fewer ticks than passed before it doubles the wait for the next one.
"""

from array import array
from collections.abc import Collection, Mapping
from functools import partial

from clingo import Control

from lars2asp.externals.grounding import KeyFunction, KeyFunctions, NewAtoms, over_keys, switch
from lars2asp.externals.lookup_functions import KeptAnswer, answer_rows
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.asp_program import with_answer_atoms
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.choice import is_worth_keeping
from lars2asp.runtime.evaluators.oneshot import OneShotEvaluator, Recomputing
from lars2asp.runtime.evaluators.protocol import Evaluation, Task
from lars2asp.runtime.evaluators.solving import ModelReader, Solving
from lars2asp.runtime.evaluators.stamped.stamped import StampedEvaluator
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.printer import to_text

LONGEST_WAIT = 1024
"""The number of ticks to wait for a grounding at most while unknown answers keep coming."""

MOST_DEAD = 4
"""A grounding is made again if it knows more than this number of times as many answers as hold."""


class _SeenAnswer(KeptAnswer):
    """The answer to a lookup, and those before it.

    Attributes:
        seen: the rows that were seen lately, and the tick at which each was last.
        switched: those that changed since the grounding was last switched, and whether they hold.
    """

    __slots__ = ("seen", "switched")

    def __init__(self, lookup: Lookup, *, is_ordered: bool) -> None:
        super().__init__(lookup, is_ordered=is_ordered)
        self.seen: dict[Row, int] = {}
        self.switched: dict[Row, bool] = {}


class ExternalEvaluator:
    """Evaluates a program for which `refusal` is None, with one Control for many ticks.

    Attributes:
        groundings: the number of groundings for many ticks that were made.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._program = program = task.program
        self._database = task.database
        self._functions = {name: over_keys(function) for name, function in task.functions.items()}
        self._solving = Solving(task, program.origins)
        self._fallback: Recomputing = (
            StampedEvaluator(task) if is_worth_keeping(program) else OneShotEvaluator(task)
        )
        self._names = program.answer_predicates
        self._text = self._overground_text()
        self._memory = task.tuning.external_memory + program.longest_reach
        self._spare = task.tuning.external_spare
        self._answers = {one: _SeenAnswer(one, is_ordered=task.is_ordered) for one in program.lookups}
        self._watched = list(zip(task.watch(program.lookups), self._answers.values(), strict=True))
        self._holding = 0
        self._grounding: _KeptGrounding | None = None
        self.groundings = 0
        self._wait = 1
        self._waited = 0
        self._last = task.last
        self._is_fresh = False
        """Whether this tick has answers that were not seen lately."""
        self._is_new = task.is_late

    def step(self, tick: int) -> Evaluation:
        """The answer streams at a tick. Raises EvaluationError."""
        is_new, self._is_new = self._is_new, False
        self._is_fresh = is_changed = False
        for watched, answer in self._watched:
            changes = watched.changes(tick)
            if changes is not NO_CHANGES:
                is_changed = True
            if is_new:
                self._take(answer, Changes(self._database.answer(answer.lookup, tick)), tick)
            elif changes is not NO_CHANGES:
                self._take(answer, changes, tick)
        if self._last is not None and not is_changed:
            return self._last
        self._last = None  # nothing is known should solving fail
        self._holding = sum(len(answer.rows) for answer in self._answers.values())
        seen = sum(len(answer.seen) for answer in self._answers.values())
        if seen > self._spare + MOST_DEAD * self._holding:
            for answer in self._answers.values():
                answer.seen = dict.fromkeys(answer.rows, tick)
            self._grounding = None
        self._last = self._evaluate(tick)
        return self._last

    @property
    def size(self) -> int:
        """The number of answers that are remembered."""
        return sum(len(answer.seen) + len(answer.switched) for answer in self._answers.values())

    def _take(self, answer: _SeenAnswer, changes: Changes, tick: int) -> None:
        """Takes the changes of an answer."""
        if answer.lookup not in self._program.relevant_answers and not all(
            map(answer.seen.__contains__, changes.began)
        ):
            self._is_fresh = True
        answer.change(changes)
        answer.seen.update(dict.fromkeys((*changes.ended, *changes.began), tick))
        if self._grounding is not None:
            answer.switched.update(dict.fromkeys(changes.ended, False))
            answer.switched.update(dict.fromkeys(changes.began, True))

    def _evaluate(self, tick: int) -> Evaluation:
        grounding = self._grounding
        if grounding is not None and grounding.knows(self._answers) and not self._is_wasteful(grounding):
            grounding.served += 1
        else:
            self._waited += 1
            if self._waited < self._wait or self._is_fresh:
                return self._fallback.solve(tick, self._answers)
            if grounding is not None:
                paid = grounding.served >= self._wait
                self._wait = max(1, self._wait // 2) if paid else min(LONGEST_WAIT, 2 * self._wait)
            self._waited = 0
            grounding = self._grounding = self._ground(tick)
        with self._solving.translated_errors():
            grounding.switch(self._answers)
            return self._solving.solve(grounding.control, grounding.reader)

    def _is_wasteful(self, grounding: "_KeptGrounding") -> bool:
        """Whether far more answers are known than hold."""
        return grounding.size > self._spare and grounding.size > MOST_DEAD * self._holding

    def _overground_text(self) -> str:
        """The program's text with external atoms for lookups, and below it their declarations."""
        lines = [
            line.text if line.statement is None else to_text(with_answer_atoms(line.statement, self._names))
            for line in self._program.lines
        ]
        declared = []
        for lookup, name in self._names.items():
            relevant = self._program.relevant_answers.get(lookup)
            if relevant is None:
                declared.append(f"#external {name}(X) : X = @{name}.")
            else:
                declared += (f"#external {name}({pattern}) : {condition}." for pattern, condition in relevant)
        return "\n".join([*lines, *declared]) + "\n"

    def _ground(self, tick: int) -> "_KeptGrounding":
        """A Control for all answers that were seen lately."""
        self.groundings += 1
        for answer in self._answers.values():
            answer.seen = {
                row: last
                for row, last in answer.seen.items()
                if row in answer.rows or last >= tick - self._memory
            }
            answer.switched = dict.fromkeys(answer.rows, True)
        known = {lookup: self._task.keys(lookup, answer.seen) for lookup, answer in self._answers.items()}
        with self._solving.translated_errors():
            control = self._solving.control("base", [], self._text)
            answered: dict[str, KeyFunction] = {
                name: partial(array, "Q", known[lookup]) for lookup, name in self._names.items()
            }
            functions = KeyFunctions({**self._functions, **answered})
            self._solving.ground(control, [("base", [])], functions)
            reader = self._solving.reader(control)
            return _KeptGrounding(control, reader, self._names, self._program.relevant_answers)


class _KeptGrounding:
    """A Control with an external atom for each known answer.

    Attributes:
        control: the Control.
        reader: reads its models.
        served: the number of ticks that it served.
        size: the number of known answers, but for those known beforehand.
    """

    def __init__(
        self, control: Control, reader: ModelReader, names: Mapping[Lookup, str], bounded: Collection[Lookup]
    ) -> None:
        self.control = control
        self.reader = reader
        self.served = 0
        self._bounded = bounded
        self._literals: dict[Lookup, dict[Row, int]] = {}
        for lookup, name in names.items():
            atoms = NewAtoms(control, Signature(name, 1)).literals(of_firsts=True)
            rows = answer_rows(lookup, [key for key, _ in atoms])
            self._literals[lookup] = {row: literal for row, (_, literal) in zip(rows, atoms, strict=True)}
        self.size = sum(len(literals) for lookup, literals in self._literals.items() if lookup not in bounded)

    def knows(self, answers: Mapping[Lookup, _SeenAnswer]) -> bool:
        """Whether every answer that began to hold has its atom; the others had theirs before."""
        return all(
            row in self._literals[lookup]
            for lookup, of in answers.items()
            if lookup not in self._bounded  # others do not matter there
            for row, holds in of.switched.items()
            if holds
        )

    def switch(self, answers: Mapping[Lookup, _SeenAnswer]) -> None:
        """Makes the atoms of the answers that hold true and all others false."""
        for lookup, of in answers.items():
            literals = self._literals[lookup]
            # an answer without an atom does not matter, or it came and went meanwhile
            changed = [(literals[row], holds) for row, holds in of.switched.items() if row in literals]
            switch(self.control, changed)
            of.switched.clear()
