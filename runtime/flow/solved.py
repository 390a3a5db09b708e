"""A component that clingo evaluates, as an operator over the changes of its lookups."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import lcm
from typing import Any, Protocol

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.operators import Batch, Handed, Operator, Readers, begin_with
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes, RowChanges, Rows, TickChanges
from lars2asp.externals.windows.about_windows import AboutWindow
from lars2asp.planning.asp.asp_program import AspProgram
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Component
from lars2asp.runtime.evaluators.passing_time import PassingTime
from lars2asp.runtime.evaluators.protocol import Evaluation, Evaluator, Model, recorded_by
from lars2asp.runtime.evaluators.stages import KeyChanges
from lars2asp.syntax.nodes import Signature


class _Followed:
    """The answer to a lookup, and its changes by the current tick."""

    __slots__ = ("now", "rows")

    def __init__(self) -> None:
        self.rows: dict[Row, None] = {}
        self.now = NO_CHANGES

    def changes(self, tick: int) -> Changes:
        """The changes by the current tick."""
        return self.now


class Answers:
    """The answers to the lookups of a component; it stands in for the database."""

    def __init__(self, lookups: Iterable[Lookup]) -> None:
        self._answers = {lookup: _Followed() for lookup in lookups}

    def watch(self, lookups: Iterable[Lookup], *_: Any) -> list[_Followed]:
        """What follows lookups."""
        return [self._answers[lookup] for lookup in lookups]

    def has_rows(self, lookup: Lookup) -> bool:
        """Whether the answer to a lookup has rows."""
        return bool(self._answers[lookup].rows)

    def answer(self, lookup: Lookup, now: int) -> Sequence[Row]:
        """The answer to a lookup at the current tick."""
        return [*self._answers[lookup].rows]


class MakesSolver(Protocol):
    """Makes an evaluator."""

    def __call__(
        self, component: Component, answers: Answers, last: Evaluation | None, before: Evaluator | None
    ) -> Evaluator:
        """Makes it.

        Args:
            component: what it evaluates.
            answers: what its lookups have.
            last: the answer streams at the tick before.
            before: the evaluator of the ticks before, which goes on then.
        """
        ...


class Solver:
    """The evaluator of a component. It is made again where it goes on from a state.

    Args:
        program: the program of the component.
        make: makes the evaluator, with the answers, the last evaluation, and the evaluator before.
        known: by ticks evaluations that are known, as the ticks were evaluated before; others are added.
        last: the evaluation that it goes on from; None where there is none, or no answer stream.
        has_failed: whether there is no answer stream.
        evaluator: the evaluator of the ticks before; None if another one is to be made.

    Attributes:
        answers: what the lookups have.
        depends_on_now: whether each tick may have another evaluation.
        evaluation: the last evaluation; None if it has no answer stream.
        evaluator: the evaluator, as soon as it was needed.
        has_news: whether answers differ from those of the last tick, though nobody says so.
    """

    def __init__(
        self,
        program: AspProgram,
        make: Callable[[Answers, Evaluation | None, Evaluator | None], Evaluator],
        known: dict[int, Evaluation],
        last: Evaluation | None,
        *,
        has_failed: bool,
        evaluator: Evaluator | None,
    ) -> None:
        self.lookups = program.lookups
        self.answers = Answers(program.lookups)
        self.depends_on_now = program.depends_on_now
        self._program = program
        self._passing_time: PassingTime | None = None
        self._make, self._known = make, known
        self.evaluation = last
        self.has_failed = has_failed
        self.evaluator, self._is_made = evaluator, False
        self.has_news = False
        self._changes = KeyChanges()
        if last is not None:
            self._changes.to(last.output)

    def follow(self, atoms: Rows) -> None:
        """It goes on from a tick at which these atoms were found, by an evaluation that is not known."""
        self._changes.follow(atoms)

    def due_after(self, tick: int, moves: Mapping[Lookup, int]) -> int:
        """The next tick at which it may find something else, though no rows change; FOR_EVER for none.

        Args:
            tick: the last tick.
            moves: when the answers to lookups about windows alone may be others.
        """
        if not moves and not self.depends_on_now:
            return FOR_EVER
        if self._passing_time is None:
            self._passing_time = PassingTime(self._program)
        return self._passing_time.next_change(self.answers.has_rows, moves, tick)

    def step(self, tick: int) -> RowChanges:
        """The changes of the output by a tick at which an answer has changed. Raises EvaluationError."""
        found = self._known.get(tick)
        if found is None:
            if self.evaluator is None or not self._is_made or self.has_news:
                last, before = (None, None) if self.has_news else (self.evaluation, self.evaluator)
                self.evaluator = self._make(self.answers, last, before)
                self._is_made, self.has_news = True, False
            found = self._known[tick] = self.evaluator.step(tick)
        if found is self.evaluation:
            return ()
        self.has_failed = not found.models
        self.evaluation = None if self.has_failed else found
        return self._changes.to(found.output)


class Solving(Operator):
    """A component that clingo evaluates.

    Args:
        solver: its evaluator.
        start: the first tick of the timeline.
        background: the rows that always hold; its program has them, so that they do not count as input.

    Attributes:
        has_news: whether its answers at the next tick differ from those that it saw at that of a state.
    """

    def __init__(self, solver: Solver, start: int, background: Mapping[Signature, Collection[Row]]) -> None:
        super().__init__(len(solver.lookups))
        self._ignored = {
            place: frozenset(background[lookup.signature])
            for place, lookup in enumerate(solver.lookups)
            if lookup.kind is LookupKind.INPUT
            and lookup.signature is not None
            and lookup.signature in background
        }
        self.solver = solver
        self._followed = solver.answers.watch(solver.lookups)
        self._first: Mapping[int, Collection[Row]] = {}
        """What lookups have when it begins, by the numbers of inputs."""
        self._windows: dict[int, AboutWindow] = {}
        """The windows that lookups are about, by the numbers of inputs."""
        self._calm_from = start
        """The first tick from which on it found the same, while no rows changed."""
        self.has_news = False
        self.due = self._evaluates_at = start

    def evaluate_at(self, tick: int) -> None:
        """The next tick is evaluated, though no answer may change."""
        self.due = self._evaluates_at = tick

    def look_at(self, place: int, window: AboutWindow) -> None:
        """A lookup is about a window alone: it has no operator."""
        self._windows[place] = window

    def steps(self, frontier: int) -> Iterator[tuple[int, RowChanges]]:
        """Evaluates the ticks at which a lookup changes, or time alone: gives the ticks, and what changes."""
        changed: dict[int, list[tuple[_Followed, Changes]]] = {}
        if self._first:
            begin_with(self._first, self.inputs, self.due)
            self._first = {}
        for place, (followed, batch) in enumerate(zip(self._followed, self.inputs, strict=True)):
            for tick, ended, began in batch:
                one = Changes(began, ended)
                if place in self._ignored:
                    one = Changes(self._counting(place, began), self._counting(place, ended))
                if any(one):
                    changed.setdefault(tick, []).append((followed, one))
            batch.clear()
        solver, ticks = self.solver, sorted(changed, reverse=True)
        while (tick := min(self.due, ticks[-1] if ticks else FOR_EVER)) < frontier:
            if ticks and ticks[-1] == tick:
                ticks.pop()
            some = changed.get(tick, [])
            moved = self._moved(tick)
            if not (some or moved or solver.depends_on_now or tick == self._evaluates_at):
                self.due = self._due_after(tick)
                continue
            for followed, one in (*some, *moved):
                for row in one.ended:
                    del followed.rows[row]
                followed.rows.update(dict.fromkeys(one.began))
                followed.now = one
            before, had_failed = solver.evaluation, solver.has_failed
            changes = solver.step(tick)
            for followed, _ in (*some, *moved):
                followed.now = NO_CHANGES
            if some or had_failed is not solver.has_failed or not _are_same(before, solver.evaluation):
                self._calm_from = tick
            self.due = self._due_after(tick)
            yield tick, changes

    def _moved(self, tick: int) -> list[tuple[_Followed, Changes]]:
        """What changes of the answers about windows alone."""
        found = []
        for place, window in self._windows.items():
            followed, rows = self._followed[place], window.answer(tick)
            if followed.rows.keys() != {*rows}:
                began = [row for row in rows if row not in followed.rows]
                found.append((followed, Changes(began, [row for row in followed.rows if row not in rows])))
        return found

    def _due_after(self, tick: int) -> int:
        """The next tick at which time alone may change something.

        Windows that leap repeat their answers. If a whole period has changed nothing, none of them does.
        """
        leaping = [window for window in self._windows.values() if window.period]
        period = lcm(*(window.period for window in leaping))
        first = max((window.repeats_from for window in leaping), default=0)
        is_calm = not self.solver.depends_on_now and max(self._calm_from, first) + period <= tick
        moves = {
            self.lookups[place]: window.next_after(tick)
            for place, window in self._windows.items()
            if not (is_calm and window.period)
        }
        return self.solver.due_after(tick, moves)

    def _counting(self, place: int, rows: Iterable[Row]) -> list[Row]:
        """The rows that are not ignored."""
        ignored = self._ignored[place]
        return [row for row in rows if row not in ignored]

    @property
    def lookups(self) -> Sequence[Lookup]:
        """The lookups, by the numbers of the inputs."""
        return self.solver.lookups

    @property
    def momentary(self) -> Sequence[Lookup]:
        """See Rules: none."""
        return ()

    def begin(self, held: Mapping[int, Collection[Row]], tick: int) -> None:
        """Derives from a tick on; before it lookups have these rows, and nothing is derived."""
        self._first = held
        self.evaluate_at(tick)

    def prime(self, held: Mapping[int, Collection[Row]], now: int) -> Rows:
        """Goes on from a tick that is over, at which lookups have these rows; it follows what was derived."""
        for place, rows in held.items():
            counting = self._counting(place, rows) if place in self._ignored else rows
            self._followed[place].rows = dict.fromkeys(counting)
        for place, window in self._windows.items():
            self._followed[place].rows = dict.fromkeys(window.answer(now))
        self._calm_from = now
        self.due = self._due_after(now)
        self.solver.has_news, self.has_news = self.has_news, False
        if self.solver.has_news:
            self.evaluate_at(now + 1)
        return {}


class SolvedRules(Solving):
    """Rules of which each tick has one answer stream, as clingo evaluates them.

    Attributes:
        readers_of: who reads what is derived, by predicates.
    """

    def __init__(self, solver: Solver, start: int, background: Mapping[Signature, Collection[Row]]) -> None:
        super().__init__(solver, start, background)
        self.readers_of: dict[Signature, Readers] = {}

    @property
    def outputs(self) -> list[Readers]:
        """The readers of each predicate."""
        return [*self.readers_of.values()]

    def advance(self, frontier: int) -> Handed:
        """Hands on what clingo derives."""
        found: dict[Signature, Batch] = {}
        for tick, changes in self.steps(frontier):
            for signature, (began, ended) in changes:
                found.setdefault(signature, []).append((tick, ended, began))
        return [(self.readers_of[signature], batch) for signature, batch in found.items()]


class Solved(Solving):
    """The answer streams of a component, of which the first is followed. It hands on which ticks have none.

    Args:
        solver: its evaluator.
        start: the first tick of the timeline.
        background: the rows that always hold; its program has them, so that they do not count as input.
        stops: whether it stops at the first tick without an answer stream, behind which all is taken back.
            Evaluations of later ticks would decide which answer streams are found then.

    Attributes:
        batch: what changes of the output.
        made: the number of atoms of the output that were found.
        recorded: what is recorded at the last tick, by predicates.
        recorded_by: who reads what is recorded of the answer stream that is followed, by predicates.
    """

    def __init__(
        self, solver: Solver, start: int, background: Mapping[Signature, Collection[Row]], *, stops: bool
    ) -> None:
        super().__init__(solver, start, background)
        self._stops, self._is_stopped = stops, False
        self.batch: list[TickChanges] = []
        self.made = 0
        self.recorded_by: dict[Signature, Readers] = {}
        self.recorded: dict[Signature, set[Row]] = recorded_by(solver.evaluation)

    @property
    def outputs(self) -> list[Readers]:
        """The readers of ticks without an answer stream, and of what is recorded."""
        return [self.readers, *self.recorded_by.values()]

    def advance(self, frontier: int) -> Handed:
        """Notes what changes of the output."""
        out: Batch = []
        if self._is_stopped:
            self.inputs, self.due = [[] for _ in self.inputs], FOR_EVER
            return ()
        solver, recorded = self.solver, dict[Signature, Batch]()
        had_failed, found = solver.has_failed, solver.evaluation
        for tick, changes in self.steps(frontier):
            before, found = found, solver.evaluation
            if found is not before:
                self._record(tick, recorded_by(found), recorded)
            if solver.has_failed is not had_failed:
                had_failed = solver.has_failed
                out.append((tick, (), [()]) if had_failed else (tick, [()], ()))
            if changes or (found is not before and any(one and one.says_more for one in (found, before))):
                self.batch.append((tick, changes))
            if changes and solver.evaluation is not None:
                self.made += len(solver.evaluation.models[0].shown)
            if had_failed and self._stops:
                self._is_stopped, self.due = True, FOR_EVER
                break
        return [(self.readers, out), *((self.recorded_by[one], batch) for one, batch in recorded.items())]

    def _record(self, tick: int, here: dict[Signature, set[Row]], recorded: dict[Signature, Batch]) -> None:
        """What is recorded at a tick takes the place of what was at the tick before."""
        before, self.recorded = self.recorded, here
        for signature in self.recorded_by:
            old, new = before.get(signature, set()), here.get(signature, set())
            if old != new:
                recorded.setdefault(signature, []).append((tick, [*(old - new)], [*(new - old)]))


def _are_same(one: Evaluation | None, other: Evaluation | None) -> bool:
    """Whether two evaluations have the same answer streams, in the same order."""
    if one is other:
        return True
    if one is None or other is None or (one.cost, len(one.models)) != (other.cost, len(other.models)):
        return False
    return {*one.output} == {*other.output} and all(
        {*model.shown} == {*second.shown} and _rows(model) == _rows(second)
        for model, second in zip(one.models, other.models, strict=True)
    )


def _rows(model: Model) -> list[dict[Signature, set[Row]]]:
    """What an answer stream records, and what it places."""
    return [{one: {*rows} for one, rows in some} for some in (model.recorded, model.placed)]
