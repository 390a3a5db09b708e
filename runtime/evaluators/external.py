"""The evaluator `external`: one grounding, whose window atoms are switched from tick to tick.

Each answer that a lookup gave becomes a clingo external; a tick switches those that changed and solves. An
answer that is not known yet needs another grounding, over all that were seen lately (the overgrounding of
Calimeri et al. 2021, section 5, with whole groundings in place of incremental ones). Where background data
bounds the answers that matter (`planning.relevant_answers`), all of these are known beforehand. A tick
with answers not seen lately is evaluated as `oneshot` does, or as `stamped` where there is much background
data, as the next tick may have others. So are ticks while groundings do not pay: a grounding that saves less
than it costs doubles the wait for the next one.

A grounding over all that was seen may have any number of instances more than a tick needs, or none that
clingo can represent. It is made when its tick has an answer already; its instances are counted, and at the
number that is allowed (`kept_cost.Allowance`) it is left. What clingo says of it is said to nobody.
"""

from array import array
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial

from clingo import Control, Function

from lars2asp.externals.grounding import KeyFunction, KeyFunctions, NewAtoms, over_keys, switch
from lars2asp.externals.lookup_functions import KeptAnswer, answer_rows
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.asp.overground_text import binds_aggregates, overground_text
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.errors import EvaluationError, TickTimeoutError
from lars2asp.runtime.evaluators.choice import is_stamped_for_background
from lars2asp.runtime.evaluators.clingo.messages import OnMessage
from lars2asp.runtime.evaluators.clingo.number_watch import LeftRangeError, within_range
from lars2asp.runtime.evaluators.kept_cost import Allowance, Bounds, fresh_cost, grounding_cost, kept_cost
from lars2asp.runtime.evaluators.limit import TickLimit
from lars2asp.runtime.evaluators.oneshot import OneShotEvaluator, Recomputing
from lars2asp.runtime.evaluators.protocol import Evaluation, Task
from lars2asp.runtime.evaluators.solving import Load, ModelReader, SearchGivenUpError, Solving
from lars2asp.runtime.evaluators.stamped.stamped import StampedEvaluator
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Location

LONGEST_WAIT = 1024
"""The number of ticks to wait for a grounding at most while unknown answers keep coming."""

_MOST_CONFLICTS = 100
"""A search with a kept grounding may run into so many conflicts more than twice those of a tick by itself."""

_FEWER = 2
"""After a grounding with too many instances one over half as many answers is tried."""

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
        most = program.ranges.results
        self._functions = {name: over_keys(within_range(one, most)) for name, one in task.functions.items()}
        self._remarks = _Remarks(task.on_message)
        self._solving = Solving(
            replace(task, on_message=self._remarks.withhold), program.origins, is_weighed=True
        )
        has_background = is_stamped_for_background(program, is_certain=task.request.raw)
        kind = StampedEvaluator if has_background else OneShotEvaluator
        self._fallback: Recomputing = kind(replace(task, on_message=self._remarks.hand_on), is_weighed=True)
        self._need = Load()
        """The load of the last tick by itself, and the number of answers that held."""
        self._held_then = 0
        self._allowance = Allowance(task.tuning)
        self._refused = Bounds(0, 0)
        """The bounds that the last grounding went beyond that was left, and the number of its answers."""
        self._refused_known = 0
        self._is_bounded = not binds_aggregates(program)
        self._names = program.answer_predicates
        self._text = overground_text(program)
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
        self._is_new, self._goes_on = task.is_late, False

    def go_on(self, task: Task) -> None:
        """Goes on with the answers of another database, which are the same; see `Evaluator`."""
        self._task, self._database = task.for_program_of(self._task), task.database
        self._watched = list(zip(task.watch(self._answers), self._answers.values(), strict=True))
        self._is_new = self._goes_on = True

    def step(self, tick: int) -> Evaluation:
        """The answer streams at a tick. Raises EvaluationError."""
        is_new, goes_on = self._is_new, self._goes_on
        self._is_new = self._goes_on = self._is_fresh = is_changed = False
        for watched, answer in self._watched:
            changes = watched.changes(tick)
            is_changed = is_changed or (changes is not NO_CHANGES and not goes_on)
            if is_new:
                changes = answer.differences(self._database.answer(answer.lookup, tick))
            if changes is not NO_CHANGES:
                is_changed = is_changed or goes_on
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
        self._fallback.numbers.take(answer.lookup, changes.began)
        answer.seen.update(dict.fromkeys((*changes.ended, *changes.began), tick))
        if self._grounding is not None:
            answer.switched.update(dict.fromkeys(changes.ended, False))
            answer.switched.update(dict.fromkeys(changes.began, True))

    def _evaluate(self, tick: int) -> Evaluation:
        grounding = self._grounding
        is_narrow = self._fallback.numbers.is_narrow(
            tick, {one: answer.seen for one, answer in self._answers.items()}
        )
        if not is_narrow:  # of answers that were seen lately at least
            grounding = self._grounding = None
        if grounding is not None and grounding.knows(self._answers) and self._is_worth_switching(grounding):
            found = self._switched(grounding)
            if found is not None:
                return found
            self._grounding = None
            self._judge(is_paid=False)
            self._waited = 0
        self._waited += 1
        evaluation = self._fallback.solve(tick, self._answers)
        self._need, self._held_then = self._fallback.load, self._holding
        self._allowance.earn(fresh_cost(self._need))
        if self._waited >= self._wait and not self._is_fresh and self._is_bounded and is_narrow:
            self._ground_again(tick)
        return evaluation

    def _switched(self, grounding: "_KeptGrounding") -> Evaluation | None:
        """The answer streams by the kept grounding; None if it is of no use. Raises TickTimeoutError."""
        most = _MOST_CONFLICTS + 2 * self._need.conflicts
        try:
            with self._solving.translated_errors():
                grounding.switch(self._answers)
                evaluation = self._solving.solve(grounding.control, grounding.reader, most)
        except TickTimeoutError:
            raise
        except EvaluationError:
            return None  # it may be of answers that do not hold
        except SearchGivenUpError:
            evaluation = None
        fresh = fresh_cost(self._expected())
        saved = fresh - kept_cost(grounding.instances, self._solving.load)
        grounding.saved += saved
        self._allowance.serve(fresh, saved)
        return evaluation

    def _expected(self) -> Load:
        """The load of a tick by itself with as many answers as hold now; no more than the last one."""
        need, then = self._need, self._held_then
        if self._holding >= then:
            return need
        return need._replace(instances=need.instances * self._holding // then)

    def _is_worth_switching(self, grounding: "_KeptGrounding") -> bool:
        return (
            self._allowance.balance >= 0
            and not self._is_wasteful(grounding)
            and grounding.instances <= self._allowance.largest(self._expected().instances)
        )

    def _ground_again(self, tick: int) -> None:
        """Makes a grounding for ticks to come, if it may be made."""
        known = sum(len(answer.seen) for answer in self._answers.values())
        bounds, refused = self._allowance.bounds(self._need.instances, known), self._refused
        if bounds.instances <= 0 or bounds.matches < self._need.instances:
            return
        if _FEWER * known > self._refused_known and (
            bounds.instances < 2 * refused.instances or bounds.matches < 2 * refused.matches
        ):
            return
        before, self._grounding = self._grounding, None
        if before is not None:
            self._judge(is_paid=before.saved >= 0)
        self._waited = 0
        counter = _InstanceCounter(bounds, self._task.limit)
        try:
            grounding = self._ground(tick, counter)
        except TooManyInstancesError:
            self._refused, self._refused_known = counter.exceeded, known
        except (EvaluationError, OverflowError, LeftRangeError):  # not of this tick, which has its answer
            self._judge(is_paid=False)
        else:
            if self._remarks.is_silent:
                self._grounding = grounding
                grounding.saved = -grounding_cost(known, counter.matches)
            else:
                self._judge(is_paid=False)
        self._allowance.balance -= grounding_cost(known, counter.matches)

    def _judge(self, *, is_paid: bool) -> None:
        """Waits longer for the next grounding, or less long, by whether one has paid."""
        self._wait = max(1, self._wait // 2) if is_paid else min(LONGEST_WAIT, 2 * self._wait)

    def _is_wasteful(self, grounding: "_KeptGrounding") -> bool:
        """Whether far more answers are known than hold."""
        return grounding.size > self._spare and grounding.size > MOST_DEAD * self._holding

    def _ground(self, tick: int, counter: "_InstanceCounter") -> "_KeptGrounding":
        """A Control for all answers that were seen lately.

        Raises:
            TooManyInstancesError: if it has more instances than it may.
            EvaluationError: if clingo refuses the text, or a function of the user's fails.
        """
        self.groundings += 1
        self._remarks.is_silent = True
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
            names = self._program.names
            tallies = {names.instance: counter.instance, names.match: counter.match}
            functions = KeyFunctions({**self._functions, **answered}, tallies)
            self._solving.ground_counted(control, [("base", [])], functions)
            if self._program.checks and control.symbolic_atoms[Function(names.left)] is not None:
                raise LeftRangeError
            reader = self._solving.reader(control)
            return _KeptGrounding(
                control, reader, self._names, self._program.relevant_answers, counter.instances
            )


class TooManyInstancesError(Exception):
    """A grounding has more instances than it may."""


class _InstanceCounter:
    """Counts instances while clingo grounds, by the `@`-functions that it calls.

    Args:
        bounds: how many there may be.
        limit: how long clingo may take, if there is a limit.

    Attributes:
        instances: the number of instances up to now.
        matches: the number of atoms on the way to them.
    """

    def __init__(self, bounds: Bounds, limit: TickLimit | None) -> None:
        self._bounds = bounds
        self._limit = limit
        self.instances = self.matches = 0

    def instance(self) -> None:
        """Is called for an instance."""
        self.instances += 1
        if self.instances > self._bounds.instances:
            raise TooManyInstancesError
        self.match()

    def match(self) -> None:
        """Is called for an atom on the way to one."""
        self.matches += 1
        if self.matches > self._bounds.matches:
            raise TooManyInstancesError
        if self._limit is not None:
            self._limit.check()

    @property
    def exceeded(self) -> Bounds:
        """The bounds that there are more than, and 0 for the other one."""
        is_instances = self.instances > self._bounds.instances
        return Bounds(self._bounds.instances, 0) if is_instances else Bounds(0, self._bounds.matches)


class _Remarks:
    """What clingo says: of ticks by themselves it is handed on, of a kept grounding it is not.

    Attributes:
        is_silent: whether nothing was said of the grounding but what was handed on before.
    """

    def __init__(self, on_message: OnMessage) -> None:
        self._on_message = on_message
        self._handed_on: set[tuple[Location, str]] = set()
        self.is_silent = True

    def hand_on(self, place: Location, message: str) -> None:
        self._handed_on.add((place, message))
        self._on_message(place, message)

    def withhold(self, place: Location, message: str) -> None:
        if (place, message) not in self._handed_on:
            self.is_silent = False


class _KeptGrounding:
    """A Control with an external atom for each known answer.

    Attributes:
        control: the Control.
        reader: reads its models.
        saved: what it saved up to now, less what it cost.
        size: the number of known answers, but for those known beforehand.
        instances: the number of instances that were counted, and known answers.
    """

    def __init__(
        self,
        control: Control,
        reader: ModelReader,
        names: Mapping[Lookup, str],
        bounded: Collection[Lookup],
        instances: int,
    ) -> None:
        self.control = control
        self.reader = reader
        self.saved = 0
        self._bounded = bounded
        self._literals: dict[Lookup, dict[Row, int]] = {}
        for lookup, name in names.items():
            atoms = NewAtoms(control, Signature(name, 1)).literals(of_firsts=True)
            rows = answer_rows(lookup, [key for key, _ in atoms])
            self._literals[lookup] = {row: literal for row, (_, literal) in zip(rows, atoms, strict=True)}
        self.instances = instances + sum(map(len, self._literals.values()))
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
