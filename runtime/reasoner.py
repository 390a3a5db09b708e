"""The reasoner: a program on a stream, tick by tick."""

import logging
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TypedDict, Unpack

from externals.database import IntervalDatabase
from externals.events import EventError, Events
from lars2asp.compiler import Overrides, compile_program
from lars2asp.lookups import Lookup, LookupKind
from lars2asp.parser import read_sources
from lars2asp.plan import Plan
from lars2asp.source import Location, Source
from lars2asp.syntax import LARGEST_INTEGER, Semantics
from runtime.answer import Answer
from runtime.background import background_atoms
from runtime.errors import EvaluationError, InputError
from runtime.evaluators.choice import EvaluatorName, Needs, assign, needed
from runtime.evaluators.protocol import Consequences
from runtime.evaluators.solving import Wanted
from runtime.facts import Fact, to_atoms
from runtime.pipeline import Pipeline
from runtime.records import UNKNOWN, OnReject, Origin, Record, Rejected, clipped, refuse
from runtime.sources.files import Reading, read_file
from runtime.timeline import Timeline
from runtime.user_functions import public_names, user_functions

_log = logging.getLogger("lars2asp")


MANY_TICKS = 1_000_000
"""A gap so long is worth a warning: perhaps a time is wrong, or the tick too short."""


class RunOptions(TypedDict, total=False):
    """How a plan is run.

    start: the first tick of the timeline; by default that of the first step.
    complete_windows: whether `always` needs windows that lie wholly on the timeline.
    models: how many answer streams each answer lists (0: all); 1 by default.
    consequences: `"brave"` or `"cautious"`: the answers' atoms are those that hold in some, in every answer
        stream (of the optimal ones where the program optimizes). One answer stream is followed all the same.
    context: an object with `@`-functions that the program calls; they go before those of its scripts.
    evaluator: which evaluator to use; `auto` by default.
    """

    start: int | None
    complete_windows: bool
    models: int
    consequences: Consequences | str | None
    context: object
    evaluator: EvaluatorName | str


class Options(RunOptions, total=False):
    """How a program is compiled and run.

    constants: values for `#const` names, in place of the program's own.
    semantics: `"recorded"` or `"strict"`, in place of the program's own choice.
    tick: the length of a tick such as `"1 sec"`, in place of the program's own.
    """

    constants: Mapping[str, str | int]
    semantics: Semantics | str | None
    tick: str | None


Told = Record | tuple[int, Iterable[Fact]]
"""What a stream consists of: records, or pairs of a tick and the facts that hold at it."""


class Reasoner:
    """Runs a program on one stream.

    Time goes forward only, and each tick is evaluated once. Ticks that `step` or `run` pass over are
    evaluated too, since what is derived at them may count later.

    What clingo remarks while it runs (arithmetic over things that are no numbers, say) goes to the logger
    `lars2asp`, once for each place in the program.
    """

    def __init__(self, plan: Plan, **options: Unpack[RunOptions]) -> None:
        """A reasoner for a compiled program; see RunOptions.

        Raises:
            TypeError: for options that do not exist.
            ValueError: for an evaluator that does not exist, a negative start or number of models.
            EvaluatorError: if the evaluator cannot serve the program.
            ProgramError: if the program calls an `@`-function that is not there.
            EvaluationError: if clingo refuses the background data, or a script fails.
        """
        unknown = options.keys() - RunOptions.__annotations__.keys()
        if unknown:
            raise TypeError(f"unknown options: {', '.join(sorted(unknown))}")
        self._assignments = assign(plan, EvaluatorName(options.get("evaluator", EvaluatorName.AUTO)))
        self.plan = plan
        self._start = options.get("start")
        if self._start is not None:
            try:
                _checked_tick(self._start)
            except InputError as error:
                raise ValueError(f"the start must be a tick: {error}") from error
        self._complete_windows = options.get("complete_windows", False)
        consequences = options.get("consequences")
        self._wanted = Wanted(
            options.get("models", 1), Consequences(consequences) if consequences is not None else None
        )
        if not isinstance(self._wanted.models, int) or self._wanted.models < 0:
            raise ValueError("the number of models must be an integer, 0 for all")
        if self._wanted.consequences is not None and self._wanted.models != 1:
            raise ValueError("consequences are one set of atoms: leave out models")
        self._functions = user_functions(plan, options.get("context"))
        self._background = background_atoms(plan)
        self._reported: set[tuple[Location, str]] = set()
        self._running: tuple[IntervalDatabase, Pipeline] | None = None
        self._now: int | None = None
        self._last: Answer | None = None

    @classmethod
    def from_file(cls, *paths: str | Path, **options: Unpack[Options]) -> Self:
        """A reasoner for the program in one or more files; see Options.

        Raises:
            ProgramError: with all that is wrong with the program.
            Lars2aspError: if a file cannot be read.
        """
        return cls._compiled(read_sources(paths), options)

    @classmethod
    def from_text(cls, text: str, **options: Unpack[Options]) -> Self:
        """A reasoner for a program given as text; see Options. Raises ProgramError."""
        return cls._compiled((Source("<text>", text),), options)

    @classmethod
    def _compiled(cls, sources: tuple[Source, ...], options: Options) -> Self:
        semantics = options.pop("semantics", None)
        overrides = Overrides(
            {name: str(value) for name, value in options.pop("constants", {}).items()},
            options.pop("tick", None),
            Semantics(semantics) if semantics is not None else None,
            public_names(options.get("context")),
        )
        run_options: RunOptions = options
        return cls(compile_program(*sources, overrides=overrides), **run_options)

    @property
    def now(self) -> int | None:
        """The last tick that was evaluated, None before the first."""
        return self._now

    def step(
        self,
        tick: int,
        facts: Iterable[Fact] = (),
        *,
        begin: Iterable[Fact] = (),
        end: Iterable[Fact] = (),
        until: int | None = None,
    ) -> Answer:
        """Moves on to a later tick and gives the answer at it; its changes are those since the answer before.

        Args:
            tick: later than the last one.
            facts: atoms that hold at the tick (to `until`, where given).
            begin: atoms that hold from the tick until told otherwise.
            end: atoms, begun before, that last held at the tick before.
            until: the last tick at which the facts hold.

        Raises:
            InputError: for what is no fact or does not fit what was told before, and for ticks that do not
                lie ahead; nothing was changed.
            EvaluationError: if clingo refuses the program, or a function of the user's fails; then the tick
                is over, what was told at it counts, and it has no answer.
        """
        last = None if until is None else _checked_tick(until)
        events = Events(to_atoms(facts), to_atoms(begin), to_atoms(end), last)
        first = self._start or 0 if self._now is None else self._now + 1
        if _checked_tick(tick) < first:
            raise InputError(f"tick {tick} does not lie ahead: the next one is {first}")
        before = self._last
        with self._gathering():
            record = Record(tick, events)
            self._check(record)
            self._tell(record)
            answer = deque(self._finish(tick), maxlen=1).pop()
        return answer if before is None else answer.after(before)

    def run(
        self, source: Iterable[Told] | str | Path, *, until: int | None = None, on_reject: OnReject = refuse
    ) -> Iterator[Answer]:
        """Runs on a stream in time order and gives the answer at every tick from its first to its last.

        Args:
            source: pairs of tick and facts, records, or the path of a file, which is read as the program
                declares (`#tick`, `#input`); `read_file` reads files in other ways.
            until: the last tick; what comes after it is not read. By default the last time of the stream.
            on_reject: takes records that are not valid; by default the first one raises InputError.

        Raises:
            InputError: from `on_reject`, or if the source cannot be read.
            EvaluationError: if clingo refuses the program.
        """
        if isinstance(source, str | Path):
            reading = Reading(timeline=Timeline(self.plan.tick_length), declarations=self.plan.inputs)
            source = read_file(source, reading, on_reject)
        start = self._start if self._now is None else None
        gathered: int | None = None
        latest = over = self._now
        with self._gathering():
            for record in _records(source, on_reject):
                if until is not None and record.tick > until:
                    break
                told = record if start is None else clipped(record, start)
                try:
                    if latest is not None and (record.tick < latest or record.tick == over):
                        raise InputError(f"the time goes backwards: tick {record.tick} after {latest}")
                    if record.events.until is not None and record.events.until < record.tick:
                        self._check(record)
                    self._check(told)
                except InputError as error:
                    on_reject(Rejected(record.origin or UNKNOWN, str(error)))
                    continue
                if gathered is not None and told.tick > gathered:
                    yield from self._finish(gathered)
                self._tell(told)
                gathered, latest = told.tick, record.tick
            last = latest if until is None else until
            if gathered is not None and last is not None and last >= gathered:
                yield from self._finish(gathered)
        if until is not None:
            yield from self._pass(until)

    def use(self, evaluator: EvaluatorName | str) -> None:
        """Uses another evaluator from the next tick on.

        Raises:
            ValueError: for an evaluator that does not exist, or for one that takes the whole program at once
                where components are evaluated, or the other way round.
            EvaluatorError: if it cannot serve the program.
        """
        assignments = assign(self.plan, EvaluatorName(evaluator))
        if self._running is not None:
            self._running[1].use(assignments)
        self._assignments = assignments

    # --- a tick ---------------------------------------------------------------------------------------

    @contextmanager
    def _gathering(self) -> Iterator[None]:
        """Whatever ends it, an error or a caller who wants no more, what no tick was made of is forgotten."""
        try:
            yield
        finally:
            if self._running is not None:
                self._running[0].discard()
            if self._now is None:
                self._running = None  # the timeline has not started yet

    def _check(self, record: Record) -> None:
        """Raises InputError for a record that does not fit what was told before."""
        if self._running is not None:
            database, _ = self._running
        else:  # the timeline may not start at a record that is not taken
            database = IntervalDatabase(record.tick, (), {})
        try:
            database.check(record.tick, record.events)
        except EventError as error:
            raise InputError(str(error)) from error

    def _tell(self, record: Record) -> None:
        """Gathers a record that was checked."""
        database, _ = self._begin(record.tick)
        database.tell(record.tick, record.events)

    def _finish(self, tick: int) -> Iterator[Answer]:
        """The answers up to the tick that was gathered."""
        yield from self._pass(tick - 1)
        database, _ = self._begin(tick)
        database.commit(tick)
        yield self._evaluate(tick)

    def _pass(self, until: int) -> Iterator[Answer]:
        """The answers at the ticks up to and with `until`, at which nothing is told."""
        if self._now is None and self._start is None:
            return
        first = (self._start or 0) if self._now is None else self._now + 1
        if until - first > MANY_TICKS:
            _log.warning("%d ticks without a record follow, and each is evaluated", until - first + 1)
        database, _ = self._begin(first)
        for tick in range(first, until + 1):
            database.advance(tick)
            yield self._evaluate(tick)

    def _begin(self, tick: int) -> tuple[IntervalDatabase, Pipeline]:
        """Database and components; the timeline starts at the first tick that is asked for."""
        if self._running is None:
            plan = self.plan
            first = tick if self._start is None else self._start
            database = self._database(first, needed(plan, self._assignments))
            self._first = first
            self._assumed = [Lookup(LookupKind.TOLD, s) for s in plan.assumed if not self._is_whole]
            database.watch(self._assumed)
            self._running = (
                database,
                Pipeline(plan, self._assignments, database, self._wanted, self._functions, self._on_message),
            )
        return self._running

    def _database(self, first: int, needs: Needs) -> IntervalDatabase:
        return IntervalDatabase(
            first,
            needs.lookups,
            self.plan.reach,
            self._background,
            placed=needs.placed,
            recorded=needs.recorded,
            published=needs.published,
            complete_windows=self._complete_windows,
            keeps_input=bool(self.plan.assumed),
        )

    @property
    def _is_whole(self) -> bool:
        """Whether the program is evaluated as one."""
        return [assignment.component.plan for assignment in self._assignments] == [self.plan]

    def _take_whole(self, tick: int) -> None:
        """The input tells what components take to be background data: from here on the program is one."""
        before, pipeline = self._begin(tick)
        self._assignments = assign(self.plan, EvaluatorName.ONESHOT)
        self._assumed = []
        database = self._database(self._first, needed(self.plan, self._assignments))
        database.adopt(before, with_derived=self.plan.semantics is Semantics.RECORDED)
        whole = Pipeline(
            self.plan, self._assignments, database, self._wanted, self._functions, self._on_message
        )
        whole.take_over(pipeline)
        self._running = database, whole

    def _evaluate(self, tick: int) -> Answer:
        database, _ = self._begin(tick)
        if any(database.changes(lookup, tick).began for lookup in self._assumed):
            self._take_whole(tick)
        _, pipeline = self._begin(tick)
        before = pipeline.output.version
        try:
            outcome = pipeline.step(tick)
        except EvaluationError:
            self._now = tick
            self._last = Answer(tick, False, pipeline.nothing(), before)
            raise
        self._now = tick
        self._last = Answer(tick, outcome.satisfiable, outcome.version, before, outcome.models)
        return self._last

    def _on_message(self, location: Location, message: str) -> None:
        if (location, message) not in self._reported:
            self._reported.add((location, message))
            _log.warning("%s: info: %s", location, message)


def _records(source: Iterable[Told], on_reject: OnReject) -> Iterator[Record]:
    for number, told in enumerate(source, start=1):
        if isinstance(told, Record):
            yield told
            continue
        origin = Origin("<stream>", number, repr(told))
        try:
            if not (isinstance(told, tuple) and len(told) == 2):
                raise InputError(f"{told!r} is neither a record nor a pair of a tick and facts")
            yield Record(_checked_tick(told[0]), Events(to_atoms(told[1])), origin)
        except InputError as error:
            on_reject(Rejected(origin, str(error)))


def _checked_tick(tick: int) -> int:
    if not isinstance(tick, int) or isinstance(tick, bool):
        raise InputError(f"the tick {tick!r} is no integer")
    if not 0 <= tick <= LARGEST_INTEGER:
        raise InputError(f"tick {tick} is not between 0 and {LARGEST_INTEGER}")
    return tick
