"""The reasoner: a program on a stream, tick by tick."""

from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from html import escape
from itertools import chain, islice
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Never, Self, SupportsIndex, Unpack, cast, overload

from lars2asp.compiler import Overrides, compile_program
from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.externals.terms.text import atom_text
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer, is_given
from lars2asp.runtime.errors import InputError, InUseError
from lars2asp.runtime.evaluators.costs.statistics import Statistics
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.explanations.words.question import parsed_atom
from lars2asp.runtime.given_ticks import Every, GivenTicks, given_ticks
from lars2asp.runtime.reasoning.execution import ROW_BYTES
from lars2asp.runtime.reasoning.keyword_values import (
    check_live_sources,
    check_paths,
    check_source,
    check_text,
    check_values,
)
from lars2asp.runtime.reasoning.run_options import (
    Duration,
    Emit,
    LiveOptions,
    ReasonerOptions,
    RunOptions,
    StreamOptions,
    check_keywords,
    every_of,
    timedelta_of,
)
from lars2asp.runtime.reasoning.session import NO_EVENTS, Session
from lars2asp.runtime.reasoning.snapshot import packed, restoring, unpacked
from lars2asp.runtime.reasoning.state_shape import check_reasoner
from lars2asp.runtime.reasoning.turns import InTurn
from lars2asp.runtime.reasoning.user_functions import given_functions
from lars2asp.runtime.sources.account import Account, judging
from lars2asp.runtime.sources.arrow.arrow_streams import ArrowStream, is_frame
from lars2asp.runtime.sources.facts.atoms import Fact
from lars2asp.runtime.sources.facts.fact_reader import FactReader
from lars2asp.runtime.sources.facts.stream_items import StreamItem, Time, records_of
from lars2asp.runtime.sources.lateness import LatenessWords
from lars2asp.runtime.sources.records import OnReject, Record
from lars2asp.runtime.sources.reject_warnings import rejecting
from lars2asp.runtime.sources.reordering import Reordering, record_state, restored_record
from lars2asp.runtime.sources.times.late_origin import with_own_moments
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.garbage import collector_paused
from lars2asp.syntax.parser import read_sources, text_source
from lars2asp.syntax.source import Source, shown

if TYPE_CHECKING:
    from lars2asp.runtime.charts.chart import Chart
    from lars2asp.runtime.explanations.words.explanation import Explanation
    from lars2asp.runtime.plan_drawing.drawing import PlanDrawing
    from lars2asp.runtime.reasoning.blocks_in_turn import BlocksInTurn
    from lars2asp.runtime.revisions import Final, Revised
    from lars2asp.runtime.runs.follow import LiveSources
    from lars2asp.runtime.sinks.answer_frames import AnswerFrames, FrameKind
    from lars2asp.runtime.sources.reading import Reading
    from lars2asp.runtime.sources.record_numbers import RecordCount

_MANY = 1000
"""With so many facts of a tick no cycles are looked for until it is over (see `streamrule-journey`)."""

_NOTHING: tuple[Fact, ...] = ()

_NO_PLAN = cast(Plan, None)
"""For a call without a plan, which ends with a message of our own."""

_RENAMED = {
    "follow": "run_live",
    "follow_async": "run_live_async",
    "run_early": "run(..., revise=...)",
}
"""Earlier names of methods."""

RunSource = Iterable[StreamItem] | ArrowStream | str | Path
"""What a reasoner runs on: pairs of time and facts, records, a data frame, or the path of a file."""


class Reasoner:
    """Runs a program on one stream.

    Time goes forward only, and each tick has one answer. Of the ticks without input those are evaluated at
    which the answer, or what the stream holds, may change.

    A reasoner is for one thread at a time: it may be handed from thread to thread, and may serve another one
    while a `run` has given an answer and is not asked for the next. A thread that calls it while another one
    is in it gets an InUseError, and so do functions that its program calls. `now`, `start` and `counts` may
    be asked for at any time. An answer works out its atoms when they are first asked for, which is to be done
    before another thread goes on with the reasoner.

    What clingo remarks while it runs (arithmetic over things that are no numbers, say) goes to the logger
    `lars2asp`, once for each place in the program.

    These keywords say how the program is run:

    start: the first tick of the timeline, or a moment in it; by default the tick of the first step.
    complete_windows: whether `always`, `not` and `at most` need windows wholly on the timeline; True also
        where the program has `#complete_windows`.
    models: the number of answer streams that each answer lists (0: all); 1 by default.
    consequences: `"brave"` or `"cautious"`: the answers' atoms are those that hold in some, in every answer
        stream (of the optimal ones where the program optimizes). One answer stream is followed all the same.
    functions: an object with `@`-functions that the program calls; they go before those of its scripts.
    evaluator: the evaluator to use, such as `"delta"`; `"auto"` by default.
    clingo: options of clingo for its searches, as in `["--seed=5", "-t", "2"]`; docs/language.md says which
        are not taken.
    stats: whether the time that components take is measured, for `statistics`.
    tick_timeout: in seconds, how long a tick may take. A tick that takes longer has no answer
        (`Answer.timed_out`), and the stream goes on. clingo then works in a thread of its own; what it
        grounds when time is over goes on there until the process ends (`is_stuck`).
    largest_gap: a record of a file, a frame or a live source that lies longer than this, and the
        lateness, after the latest one waits until others confirm it; of pairs and records it is rejected. By
        default (None) it is what the program declares (`#largest_gap`), else an hour for times of files and
        frames. For others gaps have no limit, but a record is rejected if more than a million ticks
        would have to be evaluated for it.
    ahead: a record of a live source that is dated later than this after the clock of the machine waits until
        others confirm it; None for forecasts; ten minutes by default. It holds for addresses and files that
        are followed, if the first record lies within a day of the clock.
    largest_interval: the number of values that one interval `L..U` may have at a tick, 1,000,000 by default.
        A tick with a larger one has no answer, and the stream goes on. It is part of the state.
    explain_last: how far back answers can be explained (`why`); by default none can. Of a compiled
        program it must have been said to `compile_program` (`explained=True`) as well.
    explain_max_records: the number of records and evaluated ticks from which on less is kept than
        `explain_last` says, but never less than windows look back at; None (the default) for any number.

    A duration is a number of ticks, a text such as `"15 sec"`, or a `timedelta`.

    And, for `from_file` and `from_text`, these say how it is compiled:

    const: values for `#const` names, in place of the program's own: integers, floats where decimals are
        declared, or texts as programs have them, such as `{"limit": 20.5, "room": "hall"}`.
    semantics: `"recorded"` or `"strict"`, in place of the program's own choice.
    tick: the length of a tick such as `"1 sec"`, or a `timedelta`, in place of the program's own.
    timezone: the zone of timestamps that name no offset, such as `"UTC"`, in place of the program's own.
    origin: when tick 0 begins, a `datetime` or such as `"2026-01-01T00:00:00Z"`, in place of the program's
        own; where neither says it the Unix epoch, or for ticks shorter than a second midnight of the day of
        the first record.
    show: the predicates that answers have, such as `["alarm/1"]`, in place of those that the program shows;
        rules that they do not need are not evaluated.
    dialect: of a program of another system which one, such as `"idlvsr"` or with settings
        `"idlvsr:t-unit=min"`; `"lars2asp"` for none. By default it is found by a file's ending, or its first
        lines; a text is one of lars2asp.
    trusted: whether the program may do all that its author may: run scripts and include any file; True by
        default. A program that is not trusted has no scripts, includes only files that lie in the folders of
        the program files (none if it is given as text), and calls of the functions only what has a name
        without a leading underscore.

    Attributes:
        plan: the compiled program; once the first record has decided its origin, with that.
        session: takes records and evaluates ticks one by one; for runs, which know more of their stream.
    """

    def __init__(self, plan: Plan = _NO_PLAN, **options: Unpack[RunOptions]) -> None:
        """A reasoner for a compiled program; Reasoner says what the keywords are.

        Raises:
            TypeError: for what is not a plan, and for keywords that do not exist.
            ValueError: for an evaluator that does not exist, a negative start or number of models, and for
                options that clingo does not take.
            EvaluatorError: if the evaluator cannot serve the program.
            ProgramError: if the program calls an `@`-function that is not there.
            EvaluationError: if clingo refuses the background data, or a script fails.
        """
        if not isinstance(plan, Plan):
            raise TypeError(
                f"a reasoner is made of a plan, not of {type(plan).__name__}: take Reasoner.from_text for "
                "the text of a program, Reasoner.from_file for its path"
            )
        check_keywords(options, RunOptions.__annotations__, "Reasoner")
        plan = with_own_moments(plan)
        self._ahead = options.pop("ahead", "10 min")
        self.session = Session(plan, **options)
        self._facts = FactReader(plan.decimals, plan.required)
        self._timeline: Timeline | None = None
        """How times became ticks in the input that was read last, where it may have times."""

    @classmethod
    def from_file(cls, *paths: str | Path, **options: Unpack[ReasonerOptions]) -> Self:
        """A reasoner for the program in one or more files; Reasoner says what the keywords are.

        Raises:
            ProgramError: with all that is wrong with the program.
            Lars2aspError: if a file cannot be read.
        """
        check_paths(paths)
        return cls._of(lambda: read_sources(paths, options.get("dialect")), options)

    @classmethod
    def from_text(cls, text: str, **options: Unpack[ReasonerOptions]) -> Self:
        """A reasoner for a program given as text; Reasoner says what the keywords are.

        Raises ProgramError.
        """
        check_text(text)
        return cls._of(lambda: [text_source(text, options.get("dialect"))], options)

    @classmethod
    def _of(cls, sources: Callable[[], Iterable[Source]], options: ReasonerOptions) -> Self:
        """A reasoner for a program."""
        check_keywords(options, ReasonerOptions.__annotations__, "Reasoner")
        trusted = options.get("trusted", True)
        plan = compile_program(
            *sources(),
            overrides=Overrides.of(options, given_functions(options.get("functions"), trusted=trusted)),
            trusted=trusted,
            explained=options.get("explain_last") is not None,
        )
        of_run = {name: value for name, value in options.items() if name in RunOptions.__annotations__}
        return cls(plan, **cast(RunOptions, of_run))

    @property
    def plan(self) -> Plan:
        """See Reasoner."""
        return self.session.plan

    def __repr__(self) -> str:
        now = "before the first tick" if self.now is None else f"at tick {self.now}"
        return f"<Reasoner {now}: {self.plan!r}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Never:
            if name in _RENAMED:
                raise AttributeError(f"{name} is called {_RENAMED[name]} now")
            message = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(message, name=name, obj=self)

    def __reduce__(self) -> Never:
        raise TypeError(
            "a Reasoner cannot be pickled or copied: pickle reasoner.snapshot(), make another Reasoner of "
            "the same program and hand that to its resume()"
        )

    @property
    def now(self) -> int | None:
        """The last tick that is over, None before the first."""
        return self.session.now

    @property
    def start(self) -> int | None:
        """The first tick of the timeline, None where the first record is to decide."""
        return self.session.start

    def step(
        self,
        tick: Time,
        facts: Iterable[Fact] = _NOTHING,
        *,
        begin: Iterable[Fact] = _NOTHING,
        end: Iterable[Fact] = _NOTHING,
        until: Time | None = None,
    ) -> Answer:
        """Moves on to a later tick and gives the answer at it.

        Its changes are those since the answer that `step` or `run` gave before; of the first one since the
        empty one.

        Args:
            tick: later than the last one; or a moment (a `datetime`, a `Timestamp`), of which it is the tick.
            facts: atoms that hold at the tick (to `until`, where given).
            begin: atoms that hold from the tick until their end comes.
            end: atoms, begun before, that last held at the tick before.
            until: the last tick at which the facts hold.

        Raises:
            InputError: for what is not a fact or does not fit the input before, and for ticks that do not lie
                 ahead, or too far (see `largest_gap`); nothing was changed.
            EvaluationError: if clingo refuses the program, or a function of the user's fails (then it is a
                FunctionError); the tick is over, its input counts, and it has no answer.
            InUseError: while another thread is in the reasoner; nothing was changed.
        """
        now = self._tick(tick)  # before other times, as the first one may decide when tick 0 begins
        last = None if until is None else self._tick(until)
        if begin is not _NOTHING or end is not _NOTHING:
            events = Events(self._facts.rows(facts), self._facts.rows(begin), self._facts.rows(end), last)
        else:
            rows = () if type(facts) is list and not facts else self._facts.rows(facts)
            events = Events(rows, until=last) if rows or last is not None else NO_EVENTS
        if sum(len(one.rows) for one in events.facts) >= _MANY:
            with collector_paused():  # as while the facts are read
                return self.session.step(now, events)
        return self.session.step(now, events)

    def _tick(self, time: Time | str) -> int:
        """The tick of a time. Raises InputError."""
        return (
            self.session.timeline.asked_tick(time) if isinstance(time, str) else +self._tick_of_record(time)
        )

    def _tick_of_record(self, time: Time) -> int:
        """The tick of the time of a record. Raises InputError."""
        timeline = self.session.timeline
        if type(time) is not int and not isinstance(time, SupportsIndex):  # the former is seen at once
            self._timeline = timeline
        return timeline.tick_of_record(time)

    @overload
    def run(
        self,
        source: RunSource,
        *,
        emit: Emit = "change",
        revise: None = None,
        **options: Unpack[StreamOptions],
    ) -> Iterator[Answer]: ...

    @overload
    def run(
        self, source: RunSource, *, revise: Duration, **options: Unpack[StreamOptions]
    ) -> "Iterator[Answer | Revised | Final]": ...

    def run(
        self,
        source: RunSource,
        *,
        emit: Emit = "change",
        revise: Duration | None = None,
        **options: Unpack[StreamOptions],
    ) -> "Iterator[Answer] | Iterator[Answer | Revised | Final]":
        """Runs on a stream in time order and gives its answers: those that change, or as `emit` says.

        A stream may come in pieces, each to a `run` of its own, and `step` may go on in between: the changes
        of an answer are those since the one that was given before, by whichever call; of the first one since
        the empty one. A piece without records decides nothing: before the first record there is no tick,
        unless the reasoner has a start and `until` is given.

        Args:
            source: pairs of time and facts, records, a data frame (of pandas, polars, Arrow or DuckDB, or
                what else gives a stream of Arrow), or the path of a file. Times, frames and files are read as
                the program declares (`#tick`, `#timezone`, `#input`), or as `reading` says.
            emit: when an answer is given. "change", the default: if it differs from the one given before, by
                whichever call (the first one from the empty one); ticks without change cost nothing. "every":
                at every tick from the first of the stream to the last. A number: at ticks that it divides.
                "windows": at changes, and at each tick at which a hopping or tumbling window moves: the end
                of a window is an event. If several answer streams are asked for, these are compared.
            revise: wait for nothing: records that come late, up to this long, revise earlier answers. The run
                then gives each answer that differs from the one before as soon as a record of a later tick
                comes; after a late record the intervals at which something else holds (`Revised`); and up to
                which tick all is final (`Final`). In the end the answers that stand are those of the stream
                in order. The reasoner takes nothing else before or after it.
            until: the last tick, or a moment in it; what comes after it is not read. By default the last time
                of the stream.
            lateness: how long records wait for others that come late; those are sorted in. By default as the
                program declares (`#lateness`), or not at all.
            on_reject: what to do with a record that is not valid, comes later than that, or lies too far
                ahead (see `largest_gap`). "warn", the default: leave it out and count it (`statistics`); one
                warning of Python's for each input names the first reason. "stop": raise InputError. Or a
                function, which takes the record.
            reading: how a file or a data frame is read; by default as `Reasoner.reading` says.

        Raises:
            InputError: from `on_reject`, or if the source cannot be read.
            EvaluationError: if clingo refuses the program.
            ValueError: if `emit` is not positive, or "windows" where no window hops or tumbles; if
                `lateness` is negative, or a reading is given for pairs or records; with `revise` if the
                program may have several answer streams, or optimises; if the reasoner was used already, or
                lists more than one model.
            InUseError: for an answer that is asked for while another thread is in the reasoner; it may be
                asked for again.
        """
        check_keywords(options, ("emit", "revise", *StreamOptions.__annotations__), "run")
        check_values({"emit": emit, "revise": revise})
        check_source(source)
        until, reading = options.get("until"), options.get("reading")
        if revise is not None:
            if emit != "change" or options.get("lateness") is not None:
                raise ValueError("revise takes the place of lateness, and answers come when they change")
            return self._revising(source, revise, options)
        lateness = self._lateness(options)
        source = self._looked_at(source, lateness, reading, until)
        last = None if until is None else self._tick(until)
        on_reject, tell = rejecting(options.get("on_reject", "warn"))
        answers = self._run(source, last, every_of(emit), lateness, on_reject, reading, at_end=tell)
        return InTurn(answers, self.session.turn)

    def _lateness(self, options: StreamOptions) -> int | None:
        """The lateness of a stream in ticks; None if nothing says it."""
        given = options.get("lateness")
        return None if given is None else self.session.timeline.ticks_in(given)

    def _looked_at(
        self, source: RunSource, lateness: int | None, reading: "Reading | None", until: Time | str | None
    ) -> RunSource:
        """The source, once its first record has decided when tick 0 begins, where nothing else says it."""
        timeline = self.session.timeline
        late, lateness = timeline.late, self.plan.lateness or 0 if lateness is None else lateness
        if late is None or late.is_known:
            return source
        if isinstance(source, str | Path) or is_frame(source):
            from lars2asp.runtime.sources import first_time  # noqa: PLC0415 - not for all
            from lars2asp.runtime.sources.input_settings import with_settings  # noqa: PLC0415

            reading = reading or self.reading
            if isinstance(source, str | Path):
                name, settings = with_settings(str(source))
                own = replace(reading, own={name: settings})
                first_time.find_first_time(own, [name], lateness)
            else:
                first_time.find_first_row(reading, source, lateness)
            return source
        late.wait_for(lateness)
        if until is None or isinstance(until, SupportsIndex | str):
            return source
        items = iter(cast(Iterable[StreamItem], source))
        first = [*islice(items, 1)]
        with suppress(InputError, TypeError, IndexError):  # which is said of the record when it is read
            timeline.tick_of_record(cast(Any, first)[0][0])
        return chain(first, items)

    def _run(
        self,
        source: RunSource,
        until: int | None,
        every: Every,
        lateness: int | None,
        on_reject: OnReject,
        reading: "Reading | None",
        account: Account | None = None,
        at_end: Callable[[], None] = lambda: None,
    ) -> Generator[Answer, None, None]:
        """The answers of `run`; each is to be asked for in turn. An account has the records already."""
        session = self.session
        ticks = given_ticks(every, self.plan)
        lateness = self.plan.lateness or 0 if lateness is None else lateness
        counted = Account() if account is not None else session.accounts.of(_name_of(source))
        account = counted if account is None else account
        in_blocks = self._in_blocks(source, ticks, on_reject, account)
        if in_blocks is not None:
            on_reject = in_blocks.reject
        is_read = isinstance(source, str | Path) or is_frame(source)
        blocks: Iterator[Iterable[Record]] | None = None
        gaps = session.gaps
        if is_read:
            reading = reading or self.reading
            gap = gaps.largest if reading.largest_gap is None else reading.largest_gap
            reading = replace(reading, largest_gap=gap, lateness=lateness)
            session.gaps = gaps.left_to_inputs()
        if in_blocks is not None and is_read:
            blocks = self._record_blocks(source, on_reject, reading, counted)
        else:
            records, on_reject = self._records(source, on_reject, reading, counted)
        on_reject = judging(lambda _: account, on_reject)
        words = LatenessWords(self._timeline or session.timeline, is_in_python=True)
        session.words = words if is_read else None
        reordering = Reordering(lateness, on_reject, session.gaps.largest, words)
        if in_blocks is None:
            answers = session.answers(reordering.moving(records), until, ticks, on_reject)
        elif blocks is None:
            moving = reordering.moving(records)
            answers = in_blocks.answers(moving, until, reordering.each, reordering.taken)
        else:
            columns = reordering.moving_columns(blocks)
            answers = in_blocks.answers(columns, until, reordering.each, reordering.taken)
        try:
            for answer in answers:
                if every == 1 or is_given(answer, ticks, session.given, as_models=session.gives_models):
                    yield session.give(answer)
        finally:
            session.gaps = gaps
            with suppress(InUseError), session.turn:  # dropped by another thread, it has nothing to forget
                session.forget()
            at_end()

    def _in_blocks(
        self, source: RunSource, ticks: GivenTicks, on_reject: OnReject, account: Account
    ) -> "BlocksInTurn | None":
        """The beginning of a stream in blocks, where all of it is there and it is worth that."""
        session = self.session
        is_new = session.now is None and not session.early and not session.execution.has_begun
        size = _size_of(source)
        if size is None or not (is_new or session.now is not None):
            return None
        session.catch_up()  # what windows hold counts
        if not session.may_begin_blocks or not session.execution.is_worth_blocks(size):
            return None
        from lars2asp.runtime.reasoning.blocks_in_turn import BlocksInTurn  # noqa: PLC0415 - not for all

        return BlocksInTurn(session, ticks, on_reject, account)

    def _record_blocks(
        self, source: RunSource, on_reject: OnReject, reading: "Reading | None", account: Account
    ) -> Iterator[Iterable[Record]]:
        """The records of a file or a frame, some at a time."""
        from lars2asp.runtime.sources import clocked_input, files  # noqa: PLC0415 - not for all
        from lars2asp.runtime.sources.arrow import frames  # noqa: PLC0415

        reading = reading or self.reading
        self._timeline, self.session.doubt_of = reading.timeline, reading.doubt_of
        if isinstance(source, str | Path):
            return files.read_file_blocks(source, reading, on_reject, account)
        reading = clocked_input.with_clock(reading)
        clock = clocked_input.clock_of(reading, judging(lambda _: account, on_reject), has_usual=True)
        return clocked_input.judged(frames.read_frame_blocks(source, reading, on_reject, account), clock)

    def _records(
        self, source: RunSource, on_reject: OnReject, reading: "Reading | None", account: Account
    ) -> tuple[Iterator[Record], OnReject]:
        """The records of a source, and who takes those of them that are not valid."""
        is_path = isinstance(source, str | Path)
        if not is_path and not is_frame(source):
            if reading is not None:
                raise ValueError("a reading is for files and data frames, not for pairs and records")
            items = cast(Iterable[StreamItem], source)
            return records_of(items, on_reject, self._tick_of_record, self._facts, account), on_reject
        from lars2asp.runtime.sources import clocked_input, files  # noqa: PLC0415 - not for all
        from lars2asp.runtime.sources.arrow import frames  # noqa: PLC0415
        from lars2asp.runtime.sources.tables import written_rows  # noqa: PLC0415

        reading = reading or self.reading
        self._timeline, self.session.doubt_of = reading.timeline, reading.doubt_of
        if is_path:
            return files.read_file(cast(str | Path, source), reading, on_reject, account), on_reject
        has_row_each = self.session.history is not None  # explanations name each row
        reading = clocked_input.with_clock(reading)
        blocks = frames.read_frame_blocks(
            source, reading, on_reject, account, has_row_each=has_row_each, in_columns=False
        )
        on_reject = written_rows.row_by_row(on_reject)
        clock = clocked_input.clock_of(reading, judging(lambda _: account, on_reject), has_usual=True)
        return chain.from_iterable(clocked_input.judged(blocks, clock)), on_reject

    def _revising(
        self, source: RunSource, revise: Duration, options: StreamOptions
    ) -> "Iterator[Answer | Revised | Final]":
        """Runs on a whole stream and waits for nothing; see `run`."""
        from lars2asp.runtime.runs.early_run import why_not_early  # noqa: PLC0415 - not for all

        reason = why_not_early(self.plan)
        if reason is not None:
            raise ValueError(f"revise {reason}")
        if self.session.gives_models or self.session.now is not None or self.session.gathered is not None:
            raise ValueError("revise needs a new reasoner, which follows one answer stream")
        lateness, until = self.session.timeline.ticks_in(revise), options.get("until")
        if lateness < 0:
            raise ValueError("revise is a number of ticks, 0 or more")
        source = self._looked_at(source, lateness, options.get("reading"), until)
        last = None if until is None else self._tick(until)
        return InTurn(self._run_early(source, lateness, last, options), self.session.turn)

    def _run_early(
        self, source: RunSource, lateness: int, until: int | None, options: StreamOptions
    ) -> "Generator[Answer | Revised | Final, None, None]":
        from lars2asp.runtime.revisions import Final, Revised  # noqa: PLC0415 - not for all
        from lars2asp.runtime.runs.early_run import EarlyRun  # noqa: PLC0415

        said: deque[Answer | Revised | Final] = deque()
        decimals = self.plan.decimals
        account = self.session.accounts.of(_name_of(source))
        on_reject, tell = rejecting(options.get("on_reject", "warn"))
        records, on_reject = self._records(source, on_reject, options.get("reading"), account)
        run = EarlyRun(
            self.session,
            None,
            said.append,
            judging(lambda _: account, on_reject),
            lateness=lateness,
            words=LatenessWords(self._timeline or self.session.timeline, is_in_python=True),
            revise=lambda found: said.extend(
                Revised(None if one.atom is None else atom_text(*one.atom, decimals), *one[1:])
                for one in found
            ),
            finish=lambda tick: said.append(Final(tick)),
        )
        try:
            for _ in run.steps(records, until):
                while said:
                    yield said.popleft()
        finally:
            tell()

    def intervals(self, source: RunSource, **options: Unpack[StreamOptions]) -> "AnswerFrames":
        """Runs on a stream, and gives the intervals over which atoms hold as data frames.

            alarms = reasoner.intervals(df)["alarm/1"].to_pandas()

        Of atoms that hold before, intervals begin with the tick of the answer given last. Source and keywords
        are those of `run`.

        Raises ImportError where pyarrow is not installed; and, when rows are asked for, what `run` raises.
        """
        from lars2asp.runtime.sinks.answer_frames import FrameKind  # noqa: PLC0415 - few ask

        return self._frames(FrameKind.INTERVALS, source, options)

    def changes(self, source: RunSource, **options: Unpack[StreamOptions]) -> "AnswerFrames":
        """Runs on a stream, and gives the changes of its answers as data frames; see `intervals`.

        The changes of the first answer are those since the one given before, of a new reasoner since nothing.
        """
        from lars2asp.runtime.sinks.answer_frames import FrameKind  # noqa: PLC0415 - few ask

        return self._frames(FrameKind.CHANGES, source, options)

    def _frames(self, kind: "FrameKind", source: RunSource, options: StreamOptions) -> "AnswerFrames":
        from lars2asp.runtime.sinks.answer_frames import AnswerFrames  # noqa: PLC0415 - few ask

        run = partial(self.run, source, **options)
        return AnswerFrames(self.session, kind, run, timeline=lambda: self.timeline)

    def chart(self, source: RunSource, **options: Unpack[StreamOptions]) -> "Chart":
        """Runs on a stream to its end, and gives a chart of when each atom held. Keywords: see `run`.

        reasoner.chart("readings.csv").write("readings.html")
        """
        from lars2asp.runtime.charts.chart import Chart  # noqa: PLC0415 - few ask
        from lars2asp.runtime.charts.recorder import ChartRecorder  # noqa: PLC0415

        check_keywords(options, StreamOptions.__annotations__, "chart")
        check_source(source)
        lateness, reading, until = self._lateness(options), options.get("reading"), options.get("until")
        recorder = ChartRecorder(self.plan.decimals)
        recorder.begin_after(self.session.given)
        source = self._looked_at(source, lateness, reading, until)
        account = self.session.accounts.of(_name_of(source))
        on_reject, tell = rejecting(options.get("on_reject", "warn"))
        records, on_reject = self._records(source, on_reject, reading, account)
        told = recorder.over(records)
        last = None if until is None else self._tick(until)
        answers = self._run(told, last, None, lateness, on_reject, None, account, at_end=tell)
        for answer in InTurn(answers, self.session.turn):
            recorder.take(answer)
        return Chart(recorder.data(self.now), "", self.timeline)

    def run_live(
        self,
        source: "LiveSources",
        on_answer: Callable[[Answer], None],
        *,
        stop: Event | None = None,
        **options: Unpack[LiveOptions],
    ) -> None:
        """Runs on a live source and calls a function with each answer.

        It goes on until the source ends, or `stop` is set. The reasoner must not have been used yet; by the
        clock its timeline begins now, if it has no start. Lines are read in another thread; all else happens
        in the thread of the caller. What the function raises ends the run. An end that is asked for is that
        of an interruption: the ticks that are over were answered, and records of the tick that is not are
        forgotten.

        Args:
            source: an address such as `host:`, `tcp:9000`, `mqtt://broker/topic`, a file that grows, a folder
                in which files do and new ones appear, `-` for standard input, or a feed; a list of several,
                which are merged by time: each has its own watermark, and the least counts.
            on_answer: takes answers when they change, each with its changes since the one before.
            stop: ends the run when it is set, by another thread or a signal's handler.
            clock: what makes ticks pass: "data", the times of the records, or "wall", the machine's clock; or
                a clock of your own, which gives the times of arrival.
            reading: how lines are read; by default JSON lines, or CSV of a file that is named so, with the
                program's length of a tick, `#input` and decimals.
            lateness: how long late records are waited for; by default as the program declares, or not at
                all; by the clock one tick, where records have times of their own.
            idle_timeout: one of several sources that says nothing for so long, by the clock, is left out
                until it speaks again; None: all are waited for, but for files of a folder that have not grown
                for a minute.
            emit: when answers are given, as in `run`.
            until: the last tick, or a moment in it.
            on_reject: as in `run`; "warn" warns at once.
            serve: a port, or `HOST:PORT`, at which a live page of the run is served as long as it goes on; it
                explains as far back as the reasoner's `explain_last` says.
            serve_token: the token that the page asks browsers for; needed where others than this machine can
                reach it.

        Raises:
            InputError: if the source cannot be read, from `on_reject`, and if the page cannot be served.
            EvaluationError: if clingo refuses the program.
        """
        from lars2asp.runtime.runs.follow import follow  # noqa: PLC0415 - not for all

        check_keywords(options, LiveOptions.__annotations__, "run_live")
        check_values({"on_answer": on_answer, "stop": stop})
        check_live_sources(source if isinstance(source, list | tuple) else [source])
        timeline, until, lateness = self.session.timeline, options.get("until"), options.get("lateness")
        ticks = self.plan.lateness if lateness is None else timeline.ticks_in(lateness)
        if (late := timeline.late) is not None:
            late.wait_for(ticks or 0)
            if not late.is_known and not isinstance(until, SupportsIndex | None):
                raise InputError(
                    "until is a tick here: #origin would say when tick 0 begins before a record comes"
                )
        idle, clock = options.get("idle_timeout"), options.get("clock", "data")
        follow(
            self.session,
            source,
            on_answer,
            by_clock=clock == "wall",
            reading=options.get("reading") or self.reading,
            lateness=ticks,
            idle=None if idle is None else timedelta_of(idle),
            every=every_of(options.get("emit")),
            until=None if until is None else self._tick(until),
            on_reject=rejecting(options.get("on_reject", "warn"), is_live=True)[0],
            clock=None if isinstance(clock, str) else clock,
            stop=stop,
            serve=options.get("serve"),
            serve_token=options.get("serve_token"),
        )

    def run_live_async(
        self, source: "LiveSources", **options: Unpack[LiveOptions]
    ) -> AsyncGenerator[Answer, None]:
        """Runs on a live source, and gives its answers to who asks for them with `async for`.

            async for answer in reasoner.run_live_async("mqtt://broker/home/#"):
                print(answer.began.texts)

        The reasoner works in a thread of its own, and waits while an answer is looked at; meanwhile lines
        wait in a bounded queue. When the task is cancelled, or the generator closed (`aclose`), the run ends
        as by `stop` of `run_live`; thread and connections have ended when that comes back, which takes as
        long as the tick that is evaluated. Who leaves the loop before its end closes the generator:
        `contextlib.aclosing` does.

        Keywords and errors are those of `run_live`. `on_reject` is called in that thread.
        """
        from lars2asp.runtime.runs.follow_async import answers_of  # noqa: PLC0415 - asyncio is not for all

        check_keywords(options, LiveOptions.__annotations__, "run_live_async")
        return answers_of(lambda on_answer, stop: self.run_live(source, on_answer, stop=stop, **options))

    def why(
        self,
        atom: str,
        at: Time | str | None = None,
        *,
        depth: int | None = None,
        explanations: int = 1,
        timeline: Timeline | None = None,
        **others: Never,
    ) -> "Explanation":
        """Why an atom holds at a tick, or why not; see docs/explanations.md.

        Args:
            atom: the atom; one with variables stands for all that match it and hold.
            at: the tick, or a moment in it; by default the last one that is over; none more than
                `explain_last` before it.
            depth: the number of rules that stand upon one another in the explanation, at most.
            explanations: how many are given of each atom that holds, at most.
            timeline: how ticks are shown as times; by default that of the file which `run` has read last.

        Raises:
            InputError: for what is not an atom, and ticks that are not over or not kept.
            ValueError: if the reasoner was made without `explain_last`, or `explanations` is below 1.
            TickTimeoutError: if the explanation takes longer than `tick_timeout`, which it may take as well.
            InUseError: while another thread is in the reasoner.
        """
        check_keywords(others, ("at", "depth", "explanations", "timeline"), "why")
        check_values({"depth": depth})
        if not isinstance(atom, str):
            raise TypeError(f"why needs an atom as text, such as 'alarm(kitchen)', not {shown(repr(atom))}")
        with self.session.turn:
            return self.session.explained(
                parsed_atom(atom, self.session.plan.program),
                self.session.timeline.asked_tick(at) if isinstance(at, str) else at,
                depth,
                explanations,
                timeline or self._timeline,
            )

    @property
    def reading(self) -> "Reading":
        """How it reads files and data frames: as its program declares.

        `dataclasses.replace` makes another one, for `run`, `run_live` and what runs on the same.
        """
        from lars2asp.runtime.sources.input_settings import ahead_in  # noqa: PLC0415 - not for all
        from lars2asp.runtime.sources.reading import Reading, format_of_streams  # noqa: PLC0415

        return Reading(
            timeline=self.session.timeline,
            declarations=self.plan.inputs,
            decimals=self.plan.decimals,
            required=self.plan.required,
            lateness=self.plan.lateness or 0,
            ahead=ahead_in(self._ahead, self.session.timeline),
            otherwise=format_of_streams(self.plan.program),
            counted=self._counted,
        )

    @cached_property
    def _counted(self) -> "RecordCount":
        """The numbers that `record()` was in what it read."""
        from lars2asp.runtime.sources.record_numbers import RecordCount  # noqa: PLC0415 - not for all

        return RecordCount()

    @property
    def timeline(self) -> Timeline | None:
        """How times became ticks in what was read last; None where it had ticks alone."""
        return self._timeline

    why_not = why
    """The same question: which of the two an explanation says depends on what is so."""

    @property
    def is_stuck(self) -> bool:
        """Whether clingo still grounds for a tick that has taken longer than `tick_timeout`.

        The process then ends without Python's own clean-up, which clingo would not survive: with status 0, or
        1 after an error.
        """
        return self.session.execution.is_stuck

    @property
    def counts(self) -> tuple[int, int, int]:
        """The numbers of ticks evaluated, of ticks passed over, and of atoms of the input."""
        return self.session.counts

    @property
    def statistics(self) -> Statistics:
        """The work done so far and its cost; looks at all that the database holds.

        The time that components take is measured only by a reasoner that was made with `stats=True`.

        Raises:
            InUseError: while another thread is in the reasoner; `counts` may be asked for at any time.
        """
        return self.session.statistics

    def drawing(self) -> "PlanDrawing":
        """The program drawn: its predicates and rules, windows on the arrows, and the components.

        A reasoner that was made with `stats=True` has what components have cost so far.

            reasoner.drawing().write("plan.html")

        Raises:
            InUseError: while another thread is in the reasoner.
        """
        from lars2asp.runtime.plan_drawing.drawing import drawing_of  # noqa: PLC0415 - few ask

        components = self.statistics.components
        costs = {one.predicates: one.cost for one in components if one.cost is not None}
        return drawing_of(self.session.execution.plan, self.session.execution.assignments, costs)

    def snapshot(self) -> bytes:
        """All that the answers to come depend on, when a tick is over.

        A reasoner for the same program with the same options takes it over with `resume`. Records of a tick
        that is not over are not in it. The evaluators begin anew with the next tick, here as there, so that
        both find the same answer streams.
        """
        terms = TermTable()
        with self.session.turn:
            state = self.session.state(terms.write)
            early = [[tick, record_state(record, terms.write)] for tick, record in self.session.early]
        if early:
            state["early"] = early
        if self._counted.count:
            state["records"] = self._counted.count
        return packed(state | {"terms": terms.table})

    def resume(self, snapshot: bytes) -> None:
        """Takes over a snapshot; to be called before there is any input.

        The evaluator may be another than the one that was used before. Answers are the same; where there are
        several answer streams, another one may be followed on.

        Raises:
            SnapshotError: if it is damaged, or of another program or other options; nothing was changed.
            ValueError: if the reasoner has been used.
        """
        if not isinstance(snapshot, bytes):
            raise TypeError(f"resume needs the bytes of a snapshot, not {shown(repr(snapshot))}")
        state = unpacked(snapshot)
        check_reasoner(state)
        with self.session.turn:
            with restoring():
                read = TermReader(state["terms"]).read
            self.session.restore(state, read)
            self._counted.count = state.get("records", 0)
            early = state.get("early", ())
            self.session.restore_early((tick, restored_record(record, read)) for tick, record in early)

    def use(self, evaluator: EvaluatorName | str) -> None:
        """Uses another evaluator from the next tick on.

        Raises:
            ValueError: for an evaluator that does not exist, or for one that takes the whole program at once
                where components are evaluated, or the other way round.
            EvaluatorError: if it cannot serve the program.
        """
        self.session.use(evaluator)


def _name_of(source: RunSource) -> str:
    """What statistics call a source."""
    if isinstance(source, str | Path):
        return str(source)
    return "<frame>" if is_frame(source) else "<stream>"


def _size_of(source: RunSource) -> int | None:
    """In bytes, about; None where it is not known, or the source is not there as a whole."""
    if isinstance(source, str | Path):
        from lars2asp.runtime.sources import files  # noqa: PLC0415 - not for all

        return files.size_of(source)
    if isinstance(source, list | tuple):
        return len(source) * ROW_BYTES
    if is_frame(source):
        from lars2asp.runtime.sources.arrow import frames  # noqa: PLC0415 - not for all

        rows = frames.rows_in(source)
        return None if rows is None else rows * ROW_BYTES
    return None
