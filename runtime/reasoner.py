"""The reasoner: a program on a stream, tick by tick."""

import json
import logging
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import copy
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any, Self, TypedDict, Unpack

from lars2asp.compiler import Overrides, compile_program
from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.events import EventError, Events
from lars2asp.externals.symbol_table import SymbolKeys, Symbols
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import NO_ANSWER, Answer, Output, check_every, is_given
from lars2asp.runtime.errors import EvaluationError, InputError, InUseError, SnapshotError, TickTimeoutError
from lars2asp.runtime.evaluators.background import background_atoms
from lars2asp.runtime.evaluators.choice import EvaluatorName, Needs, assign, assign_in_parts, needed
from lars2asp.runtime.evaluators.limit import TickLimit
from lars2asp.runtime.evaluators.pipeline import Pipeline
from lars2asp.runtime.evaluators.protocol import Consequences
from lars2asp.runtime.evaluators.solving import Request
from lars2asp.runtime.evaluators.statistics import Statistics
from lars2asp.runtime.memory import memory_in_use
from lars2asp.runtime.snapshot import packed, restoring, unpacked
from lars2asp.runtime.sources.atoms import Fact, to_atoms
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.order import GAP_HINT, Order, check_gap
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import UNKNOWN, OnReject, Origin, Record, Rejected, clipped, refuse
from lars2asp.runtime.sources.timeline import Timeline
from lars2asp.runtime.state_shape import check_reasoner
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.runtime.turns import InTurn, Turn
from lars2asp.runtime.user_functions import public_names, user_functions
from lars2asp.syntax.nodes import LARGEST_INTEGER, Semantics
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.source import Location, Source, shown_number

_log = logging.getLogger("lars2asp")


MANY_TICKS = 1_000_000
"""So many ticks evaluated in a gap are worth a warning: perhaps a time is wrong, or the tick too short.

A record is rejected for which more would have to be evaluated, unless it is said how large gaps may be.
"""

SAMPLE = 1000
"""So many evaluated ticks, after all that was told has left the windows, tell how many more there will be."""


class RunOptions(TypedDict, total=False):
    """How a plan is run.

    start: the first tick of the timeline; by default that of the first step.
    complete_windows: whether `always` needs windows that lie wholly on the timeline.
    models: how many answer streams each answer lists (0: all); 1 by default.
    consequences: `"brave"` or `"cautious"`: the answers' atoms are those that hold in some, in every answer
        stream (of the optimal ones where the program optimizes). One answer stream is followed all the same.
    context: an object with `@`-functions that the program calls; they go before those of its scripts.
    evaluator: which evaluator to use; `auto` by default.
    statistics: whether the time that components take is measured, for `Reasoner.statistics`.
    tick_timeout: in seconds, how long clingo may take for a tick. A tick that takes longer has no answer
        (`Answer.timed_out`), and the stream goes on. clingo then works in a thread of its own; what it
        grounds when time is over goes on there until the process ends (`Reasoner.is_stuck`).
    largest_gap: a record that comes more ticks than this after the last one is rejected; others never are for
        the gap before them. By default (None) a gap may be as large as it likes, but a record is rejected if
        more than a million ticks (MANY_TICKS) would have to be evaluated for it.
    tuning: thresholds that change no answer; for tests and experiments.
    """

    start: int | None
    complete_windows: bool
    models: int
    consequences: Consequences | str | None
    context: object
    evaluator: EvaluatorName | str
    statistics: bool
    tick_timeout: float | None
    largest_gap: int | None
    tuning: Tuning


class Options(RunOptions, total=False):
    """How a program is compiled and run.

    constants: values for `#const` names, in place of the program's own.
    semantics: `"recorded"` or `"strict"`, in place of the program's own choice.
    tick: the length of a tick such as `"1 sec"`, in place of the program's own.
    timezone: the zone of timestamps that name no offset, such as `"UTC"`, in place of the program's own.
    trusted: whether the program may do all that its author may: run scripts and include any file; True by
        default. A program that is not trusted has no scripts, includes only files that lie in the folders of
        the program files (none if it is given as text), and calls of the context only what has a name
        without a leading underscore.
    """

    constants: Mapping[str, str | int]
    semantics: Semantics | str | None
    tick: str | None
    timezone: str | None
    trusted: bool


Told = Record | tuple[int, Iterable[Fact]]
"""What a stream consists of: records, or pairs of a tick and the facts that hold at it."""


class Reasoner:
    """Runs a program on one stream.

    Time goes forward only, and each tick has one answer. Of the ticks that `step` or `run` pass over those
    are evaluated at which the answer, or what the stream holds, may change.

    A reasoner is for one thread at a time: it may be handed from thread to thread, and may serve another one
    while a `run` has given an answer and is not asked for the next. A thread that calls it while another one
    is in it gets an InUseError, and so do functions that its program calls. `now`, `start` and `counts` may
    be asked for at any time. An answer works out its atoms when they are first asked for, which is to be done
    before another thread goes on with the reasoner.

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
        self._wanted = Request(
            options.get("models", 1), Consequences(consequences) if consequences is not None else None
        )
        if not isinstance(self._wanted.models, int) or self._wanted.models < 0:
            raise ValueError("the number of models must be an integer, 0 for all")
        if self._wanted.consequences is not None and self._wanted.models != 1:
            raise ValueError("consequences are one set of atoms: leave out models")
        self._largest_gap = options.get("largest_gap")
        if self._largest_gap is not None and (
            not isinstance(self._largest_gap, int)
            or isinstance(self._largest_gap, bool)
            or self._largest_gap < 1
        ):
            raise ValueError("the largest gap is a number of ticks, 1 or more")
        self._tuning = options.get("tuning", DEFAULT)
        self._functions = user_functions(plan, options.get("context"))
        self._is_measured = options.get("statistics", False)
        seconds = options.get("tick_timeout")
        if seconds is not None and not 0 < seconds < inf:
            raise ValueError("tick_timeout is a number of seconds, more than 0")
        self._limit = None if seconds is None else TickLimit(seconds)
        self._is_trial = False
        """Whether it only tries what a reasoner would do."""
        self._background = background_atoms(plan)
        self._reported: set[tuple[Location, str]] = set()
        self._running: tuple[IntervalDatabase, Pipeline] | None = None
        self._now: int | None = None
        self._gathered: int | None = None
        """The tick for which something is told that is not over."""
        self._latest: int | None = None
        """The tick of the last record that was accepted."""
        self._evaluated: int | None = None
        """The last tick that was evaluated."""
        self._last: Answer | None = None
        self._given = NO_ANSWER
        """The last answer that `step` or `run` gave."""
        self._ticks = 0
        """How many ticks were evaluated."""
        self._turn = Turn()
        self.judges_gaps = True
        """Whether records may lie too far ahead; not so where ticks pass by the clock."""
        self._too_far: int | None = None
        """Records at this tick and later ones are rejected as too far ahead, until something is told."""

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
        trusted, offered = options.pop("trusted", True), public_names(options.get("context"))
        overrides = Overrides(
            {name: str(value) for name, value in options.pop("constants", {}).items()},
            options.pop("tick", None),
            Semantics(semantics) if semantics is not None else None,
            frozenset(n for n in offered if trusted or not n.startswith("_")),
            options.pop("timezone", None),
        )
        run_options: RunOptions = options
        return cls(compile_program(*sources, overrides=overrides, trusted=trusted), **run_options)

    @property
    def now(self) -> int | None:
        """The last tick that is over, None before the first."""
        return self._now

    @property
    def start(self) -> int | None:
        """The first tick of the timeline, None where the first record is to decide."""
        return self._start

    def start_at(self, tick: int) -> None:
        """The timeline is to start at a tick; to be called before anything is told. Raises InputError."""
        with self._turn:
            self._start = _checked_tick(tick)

    def step(
        self,
        tick: int,
        facts: Iterable[Fact] = (),
        *,
        begin: Iterable[Fact] = (),
        end: Iterable[Fact] = (),
        until: int | None = None,
    ) -> Answer:
        """Moves on to a later tick and gives the answer at it.

        Its changes are those since the answer that `step` or `run` gave before; of the first one since the
        empty one.

        Args:
            tick: later than the last one.
            facts: atoms that hold at the tick (to `until`, where given).
            begin: atoms that hold from the tick until told otherwise.
            end: atoms, begun before, that last held at the tick before.
            until: the last tick at which the facts hold.

        Raises:
            InputError: for what is no fact or does not fit what was told before, and for ticks that do not
                lie ahead or too far (see `largest_gap` of RunOptions); nothing was changed.
            EvaluationError: if clingo refuses the program, or a function of the user's fails; then the tick
                is over, what was told at it counts, and it has no answer.
            InUseError: while another thread is in the reasoner; nothing was changed.
        """
        last = None if until is None else _checked_tick(until)
        events = Events(to_atoms(facts), to_atoms(begin), to_atoms(end), last)
        with self.gathering():
            first = self._start or 0 if self._now is None else self._now + 1
            if _checked_tick(tick) < first:
                raise InputError(f"tick {tick} does not lie ahead: the next one is {first}")
            record = Record(tick, events)
            self._check(record)
            self._check_gap(tick)
            self.tell(record)
            return self._give(deque(self.finish(tick), maxlen=1).pop())

    def _give(self, answer: Answer) -> Answer:
        """An answer to be given; its changes are those since the one given before."""
        answer.count_from(self._given)
        self._given = answer
        return answer

    def run(
        self,
        source: Iterable[Told] | str | Path,
        *,
        until: int | None = None,
        every: int | None = 1,
        lateness: int = 0,
        on_reject: OnReject = refuse,
    ) -> Iterator[Answer]:
        """Runs on a stream in time order and gives the answer at every tick from its first to its last.

        A stream may come in pieces, each to a `run` of its own, and `step` may go on in between: the changes
        of an answer are those since the one that was given before, by whichever call; of the first one since
        the empty one.

        Args:
            source: pairs of tick and facts, records, or the path of a file, which is read as the program
                declares (`#tick`, `#timezone`, `#input`); `read_file` reads files in other ways.
            until: the last tick; what comes after it is not read. By default the last time of the stream.
            every: gives only the answers at ticks that it divides; None those that differ from the one given
                before, by whichever call (the first one from the empty one), and ticks without change cost
                nothing. Where several answer streams are asked for, these are compared.
            lateness: for how many ticks records wait for others that come late; those are sorted in.
            on_reject: takes records that are not valid, come later than that, or lie too far ahead (see
                `largest_gap` of RunOptions); by default the first one raises InputError.

        Raises:
            InputError: from `on_reject`, or if the source cannot be read.
            EvaluationError: if clingo refuses the program.
            ValueError: if `every` is not positive, or `lateness` negative.
            InUseError: for an answer that is asked for while another thread is in the reasoner; it may be
                asked for again.
        """
        return InTurn(self._run(source, until, every, lateness, on_reject), self._turn)

    def _run(
        self,
        source: Iterable[Told] | str | Path,
        until: int | None,
        every: int | None,
        lateness: int,
        on_reject: OnReject,
    ) -> Generator[Answer, None, None]:
        """The answers of `run`; each is to be asked for in turn."""
        check_every(every)
        if isinstance(source, str | Path):
            timeline = Timeline(self.plan.tick_length, zone=self.plan.zone)
            reading = Reading(timeline=timeline, declarations=self.plan.inputs)
            source = read_file(source, reading, on_reject)
        records = Order(lateness, on_reject, self._largest_gap).over(_records(source, on_reject))
        try:
            for answer in self._answers(records, until, every, on_reject):
                if every == 1 or is_given(answer, every, self._given, as_models=self.gives_models):
                    yield self._give(answer)
        finally:
            with suppress(InUseError), self._turn:  # dropped by another thread, it has nothing to forget
                self._forget()

    def _answers(
        self, records: Iterable[Record], until: int | None, every: int | None, on_reject: OnReject
    ) -> Iterator[Answer]:
        """The answers at the ticks that are evaluated, and at those that a number divides."""
        for record in records:
            if until is not None and record.tick > until:
                break
            told = self.accepted(record, on_reject)
            if told is not None:
                yield from self.finish(told.tick - 1, every)
                if self._now is not None and self._now >= told.tick:  # `step` went past it in between
                    self.accepted(record, on_reject)
                else:
                    self._latest = record.tick
                    self.tell(told)
        yield from self.finish(until, every)

    @property
    def largest_gap(self) -> int | None:
        """How many ticks after the last record one may come, None where nothing was said."""
        return self._largest_gap

    @property
    def output(self) -> Output:
        """What holds now; empty before the first tick."""
        return Output() if self._running is None else self._running[1].output

    @property
    def gives_models(self) -> bool:
        """Whether answers list answer streams, in place of the atoms of one."""
        return self._wanted.models != 1

    @property
    def is_certain(self) -> bool:
        """Whether there is one answer stream at most, whatever the stream is."""
        return all(component.is_certain for component in self.plan.components)

    @property
    def is_gathering(self) -> bool:
        """Whether something is told for a tick that is not over."""
        return self._gathered is not None

    @property
    def is_stuck(self) -> bool:
        """Whether clingo still grounds for a tick that has taken longer than `tick_timeout`.

        The process then ends without Python's own clean-up, which clingo would not survive: with status 0, or
        1 after an error.
        """
        return self._limit is not None and self._limit.is_stuck

    @property
    def is_measured(self) -> bool:
        """Whether the time that components take is measured."""
        return self._is_measured

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many ticks were evaluated, how many passed over, and how many atoms were told."""
        if self._running is None:
            return 0, 0, 0
        over = 0 if self._now is None else self._now + 1 - self._first
        return self._ticks, over - self._ticks, self._running[0].facts

    @property
    def statistics(self) -> Statistics:
        """What was done so far and what it cost; looks at all that the database holds.

        The time that components take is measured only by a reasoner that was made with `statistics=True`.

        Raises:
            InUseError: while another thread is in the reasoner; `counts` may be asked for at any time.
        """
        memory = memory_in_use()
        with self._turn:
            if self._running is None:
                return Statistics(*self.counts, 0, 0, memory, ())
            database, pipeline = self._running
            return Statistics(*self.counts, len(database), len(database.keys()), memory, pipeline.components)

    # --- record by record -----------------------------------------------------------------------------

    def accepted(self, record: Record, on_reject: OnReject) -> Record | None:
        """What a record tells of the timeline; None if it is rejected. It changes nothing."""
        is_first = self._now is None and self._start is not None
        told = clipped(record, self._start or 0) if is_first else record
        latest = self._latest if self._now is None else max(self._now + 1, self._latest or 0)
        try:
            if latest is not None and record.tick < latest:
                past = max(tick for tick in (self._now, self._latest) if tick is not None)
                raise InputError(f"the time goes backwards: tick {record.tick} after {past}")
            if record.events.until is not None and record.events.until < record.tick:
                self._check(record)
            self._check(told)
            self._check_gap(told.tick)
        except InputError as error:
            on_reject(Rejected(record.origin or UNKNOWN, str(error)))
            return None
        self._latest = record.tick
        return told

    def tell(self, record: Record) -> None:
        """Gathers a record that was accepted; the ticks before its own must be finished."""
        database, _ = self._begin(record.tick)
        database.gather(record.tick, record.events)
        self._gathered = record.tick
        self._too_far = None

    def finish(self, until: int | None, every: int | None = None) -> Iterator[Answer]:
        """The answers at the ticks up to one, which are over now, with what was told for them.

        Args:
            until: the tick; None for the latest time that was told.
            every: answers are given at the ticks that are evaluated, and at those that this number divides.
        """
        gathered, last = self._gathered, self._latest if until is None else until
        if last is None:
            return
        if gathered is not None and gathered <= last:
            yield from self._pass(gathered - 1, every)
            self._gathered = None
            database, _ = self._begin(gathered)
            database.commit(gathered)
            yield self._evaluate(gathered)
        if until is not None:
            yield from self._pass(until, every)

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Whatever ends it, an error or a caller who wants no more, what no tick was made of is forgotten.

        Other threads are kept out. Raises InUseError while another one is in the reasoner.
        """
        with self._turn:
            try:
                yield
            finally:
                self._forget()

    def _forget(self) -> None:
        """Forgets what no tick was made of."""
        self._gathered = self._latest = None
        if self._running is not None:
            self._running[0].discard()
        if self._now is None:
            self._running = None  # the timeline has not started yet

    # --- snapshots ------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """All that the answers to come depend on, when a tick is over.

        A reasoner for the same program with the same options takes it over with `resume`. What was told for
        a tick that is not over is not in it. The evaluators begin anew with the next tick, here as there, so
        that both find the same answer streams.
        """
        symbols = Symbols()
        with self._turn:
            state = self.state(symbols.number)
        return packed(state | {"symbols": symbols.table})

    def resume(self, snapshot: bytes) -> None:
        """Takes over a snapshot; to be called before anything is told.

        The evaluator may be another than the one that was used before. Answers are the same; where there are
        several answer streams, another one may be followed on.

        Raises:
            SnapshotError: if it is damaged, or of another program or other options; nothing was changed.
            ValueError: if the reasoner has been used.
        """
        state = unpacked(snapshot)
        check_reasoner(state)
        with self._turn:
            with restoring():
                key = SymbolKeys(state["symbols"]).key
            self.restore(state, key)

    def state(self, number: Callable[[int], int]) -> dict[str, Any]:
        """What a snapshot has, as JSON has it; atoms as their numbers, which are given by their keys."""
        state: dict[str, Any] = {
            "program": self._fingerprint,
            "now": self._now,
            "evaluated": self._evaluated,
            "ticks": self._ticks,
        }
        if self._running is not None and self._last is not None:
            database, pipeline = self._running
            state |= {
                "first": self._first,
                "is_whole": self._is_whole,
                "satisfiable": self._last.satisfiable,
                "given": None if self._given is NO_ANSWER else self._given.state(number),
                "database": database.state(number),
                "pipeline": pipeline.state(number),
            }
            pipeline.renew()
        return state

    def renew(self) -> None:
        """The evaluators begin anew with the next tick, as with a snapshot."""
        with self._turn:
            if self._running is not None:
                self._running[1].renew()

    def restore(self, state: Mapping[str, Any], key: Callable[[int], int]) -> None:
        """Takes over what a snapshot has; see `resume`."""
        if self._running is not None or self._now is not None:
            raise ValueError("only a reasoner that has not been used can resume")
        if state["program"] != self._fingerprint:
            raise SnapshotError("the snapshot is of another program, or of other options")
        assignments = self._assignments
        try:
            with restoring():
                self._restore(state, key)
        except BaseException:
            self._now = self._evaluated = self._last = self._running = None
            self._ticks, self._assignments = 0, assignments
            raise

    def _restore(self, state: Mapping[str, Any], key: Callable[[int], int]) -> None:
        self._now, self._evaluated = state["now"], state["evaluated"]
        self._ticks = state["ticks"]
        if state.get("database") is None:
            return
        was_whole, is_whole = state["is_whole"], self._is_whole
        if was_whole and self.plan.assumed:  # what is background data to components may have been told
            self._assignments, is_whole = assign(self.plan, EvaluatorName.ONESHOT), True
        elif is_whole and not was_whole:
            self._assignments = assign_in_parts(self.plan)
        divides = was_whole and not is_whole
        self._running = self._made(state["first"], state["database"], key, divides=divides)
        _, pipeline = self._running
        if divides:
            pipeline.go_on_from(state["pipeline"], key)
        else:
            pipeline.restore(state["pipeline"], key)
        version = pipeline.output.version
        timed_out = state["pipeline"]["is_timed_out"]
        self._last = Answer(state["evaluated"], state["satisfiable"], version, version, timed_out=timed_out)
        if state["given"] is not None:
            self._given = Answer.restored(state["given"], key, pipeline.output)

    @property
    def _fingerprint(self) -> str:
        """Tells programs and options apart."""
        plan = self.plan
        told = [plan.text, plan.facts, plan.part, *(str(script) for script in plan.scripts)]
        options = (self._start, self._complete_windows, self._wanted, plan.semantics)
        return sha256(repr((told, options)).encode()).hexdigest()

    def use(self, evaluator: EvaluatorName | str) -> None:
        """Uses another evaluator from the next tick on.

        Raises:
            ValueError: for an evaluator that does not exist, or for one that takes the whole program at once
                where components are evaluated, or the other way round.
            EvaluatorError: if it cannot serve the program.
        """
        assignments = assign(self.plan, EvaluatorName(evaluator))
        with self._turn:
            if self._running is not None:
                self._running[1].use(assignments)
            self._assignments = assignments

    # --- a tick ---------------------------------------------------------------------------------------

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

    def _check_gap(self, tick: int) -> None:
        """Raises InputError for a record that lies too far ahead of the last one."""
        now, last = self._now, self._latest
        if last is None or (now is not None and now > last):
            last = now
        if (last is not None and tick - last <= 1) or not self.judges_gaps:
            return
        if self._largest_gap is not None:
            check_gap(tick, last, self._largest_gap)
            return
        last = self._start if last is None else last
        if last is None or tick - last <= MANY_TICKS:
            return
        if self._too_far is None or tick < self._too_far:
            if not self._takes_too_long(tick):
                return
            self._too_far = tick
        raise InputError(
            f"tick {tick} lies {tick - last} ticks after {last}, and more than {MANY_TICKS} ticks in between "
            f"would have to be evaluated: {GAP_HINT}"
        )

    def _takes_too_long(self, until: int) -> bool:
        """Whether more than MANY_TICKS ticks before one would have to be evaluated if nothing is told.

        A copy of the reasoner tries it. When what was told, and what is known to lie ahead, has left the
        windows, as far as rules do not go round in circles, a sample of ticks says how many are left.
        """
        if self._gathered is None and self._now is not None:
            change = self.next_change()
            if change is None or change >= until:
                return False
        copied = self._copy()
        calm_from, sample_from, number, number_before = None, 0, 0, 0
        try:
            for answer in copied.finish(until - 1):
                if answer.timed_out:  # the reasoner itself meets that as well
                    return False
                number += 1
                if number >= MANY_TICKS:
                    return True
                database, _ = copied._begin(answer.tick)
                if calm_from is None:
                    reach = sum(ticks for ticks in self.plan.reach.values() if ticks is not None)
                    calm_from = max(answer.tick, database.last_alarm) + reach
                if answer.tick < calm_from:
                    sample_from, number_before = answer.tick, number
                elif number - number_before == SAMPLE:
                    left = (until - answer.tick) * SAMPLE // (answer.tick - sample_from)
                    return number + left > MANY_TICKS
        except EvaluationError:  # which the reasoner itself meets as well
            return False
        finally:
            if self._limit is not None and copied.is_stuck:
                self._limit.is_stuck = True
        return False

    def _copy(self) -> Self:
        """A reasoner that goes on from here by itself, what is gathered included."""
        copied = copy(self)
        copied._is_trial = True
        copied._limit = None if self._limit is None else self._limit.again()
        if self._running is None:
            return copied
        database, pipeline = self._running
        if self._last is None:
            copied._running = copied._made(self._first)
        else:
            state = json.loads(json.dumps([database.state(_same), pipeline.state(_same)]))
            copied._running = copied._made(self._first, state[0], _same)
            copied._running[1].restore(state[1], _same)
            version = copied._running[1].output.version
            copied._last = Answer(self._last.tick, self._last.satisfiable, version, version)
        copied._running[0].gather_as(database)
        return copied

    def _pass(self, until: int, every: int | None) -> Iterator[Answer]:
        """The answers at the ticks up to and with `until`, at which nothing is told.

        At those that are evaluated, and at those that `every` divides.
        """
        number = 0
        while self._now is None or self._now < until:
            tick = self.next_change()
            change = until + 1 if tick is None else min(tick, until + 1)
            before = self._evaluated
            yield from self._pass_over(change, every)
            if self._evaluated != before:  # `step` went on in between
                continue
            if tick is None or tick > until:
                return
            number += 1
            if number == MANY_TICKS:
                _log.warning("%d ticks without a record were evaluated up to tick %d", number, tick)
            database, _ = self._begin(tick)
            database.advance(tick)
            yield self._evaluate(tick)

    def _pass_over(self, change: int, every: int | None) -> Iterator[Answer]:
        """The answers at the ticks before one, nothing changing at them, that a number divides."""
        if self._now is None or self._last is None:
            return
        before = self._evaluated
        for tick in _multiples(every, self._now + 1, change) if every is not None else ():
            self._now = tick
            yield self._last.at(tick)
            if self._evaluated != before:
                return
        self._now = max(self._now, change - 1)

    def next_change(self) -> int | None:
        """The first tick that lies ahead and is to be evaluated even if nothing is told; None for none."""
        if self._now is None or self._evaluated is None:
            return self._start
        _, pipeline = self._begin(self._now)
        change = pipeline.next_change(self._evaluated)
        return None if change is None else max(change, self._now + 1)

    def _begin(self, tick: int) -> tuple[IntervalDatabase, Pipeline]:
        """Database and components; the timeline starts at the first tick that is asked for."""
        if self._running is None:
            self._running = self._made(tick if self._start is None else self._start)
        return self._running

    def _made(
        self,
        first: int,
        state: Mapping[str, Any] | None = None,
        key: Callable[[int], int] | None = None,
        *,
        divides: bool = False,
    ) -> tuple[IntervalDatabase, Pipeline]:
        """Database, with a state of its own where there is one, and components.

        The state may be that of the program as one, to be divided.
        """
        plan = self.plan
        database = self._database(first, needed(plan, self._assignments))
        if state is not None and key is not None:
            if divides:
                whole = self._database(first, needed(plan, assign(plan, EvaluatorName.ONESHOT)))
                whole.restore(state, key)
                database.divide(whole)
            else:
                database.restore(state, key)
        self._first = first
        self._assumed = [Lookup(LookupKind.INPUT, s) for s in plan.assumed if not self._is_whole]
        database.watch(self._assumed)
        return database, self._pipeline(database)

    def _database(self, first: int, needs: Needs) -> IntervalDatabase:
        return IntervalDatabase(
            first,
            needs.lookups,
            needs.reach,
            self._background,
            placed=needs.placed,
            recorded=needs.recorded,
            published=needs.published,
            complete_windows=self._complete_windows,
            keeps_input=bool(self.plan.assumed),
            sweep_after=self._tuning.sweep_after,
        )

    def _pipeline(self, database: IntervalDatabase) -> Pipeline:
        return Pipeline(
            self.plan,
            self._assignments,
            database,
            self._wanted,
            self._functions,
            self._on_message,
            is_measured=self._is_measured,
            limit=self._limit,
            tuning=self._tuning,
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
        whole = self._pipeline(database)
        whole.take_over(pipeline)
        self._running = database, whole

    def _evaluate(self, tick: int) -> Answer:
        database, _ = self._begin(tick)
        if any(database.changes(lookup, tick).began for lookup in self._assumed):
            self._take_whole(tick)
        _, pipeline = self._begin(tick)
        self._too_far = None
        before = pipeline.output.version
        self._turn.is_closed = True
        try:
            outcome = pipeline.step(tick)
        except EvaluationError as error:
            timed_out = isinstance(error, TickTimeoutError)
            self._now = self._evaluated = tick
            self._ticks += 1
            self._last = Answer(tick, False, pipeline.nothing(), before, timed_out=timed_out)
            if timed_out:
                if not self._is_trial:
                    _log.warning("tick %d has no answer: %s", tick, error)
                return self._last
            raise
        finally:
            self._turn.is_closed = False
        self._now = self._evaluated = tick
        self._ticks += 1
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


def _same(key: int) -> int:
    """In a state that stays here keys stand for themselves."""
    return key


def _multiples(number: int, first: int, end: int) -> range:
    """The multiples of a number from `first` on and before `end`."""
    return range(-(-first // number) * number, end, number)


def _checked_tick(tick: int) -> int:
    if not isinstance(tick, int) or isinstance(tick, bool):
        raise InputError(f"the tick {tick!r} is no integer")
    if not 0 <= tick <= LARGEST_INTEGER:
        raise InputError(f"tick {shown_number(tick)} is not between 0 and {LARGEST_INTEGER}")
    return tick
