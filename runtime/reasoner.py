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

from lars2asp.analysis.argument_types.required import typed_inputs
from lars2asp.analysis.tick_moments import LARGEST_TICK
from lars2asp.compiler import Overrides, compile_program
from lars2asp.externals.events import Events, events_of
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
    seconds_of,
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
from lars2asp.runtime.sources.given_declarations import added_sources, declared_inputs
from lars2asp.runtime.sources.lateness import LatenessWords
from lars2asp.runtime.sources.records import OnReject, Record, as_needed_by
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
"""The input of a run: pairs of time and facts, records, a data frame, or the path of a file."""


class Reasoner:
    """Runs a program on one stream.

    Time goes forward only, and each tick has one answer. lars2asp skips ticks without input if neither the
    answer nor the stream can change there.

    Only one thread at a time may use a reasoner; lars2asp raises an InUseError for a second thread. You can
    pass a reasoner from thread to thread, also between two answers of `run`. `now`, `start` and `counts` are
    always available. Read the atoms of an answer before another thread uses the reasoner.

    clingo's remarks, such as arithmetic over text, go to the logger `lars2asp`, once for each place in the
    program.

    >>> reasoner = Reasoner.from_text("alarm(R) :- hot(R) always in [1].")
    >>> reasoner.step(0, ["hot(hall)"]).holds.texts
    ('alarm(hall)',)

    A duration is a number of ticks, a text such as `"15 sec"`, or a `timedelta`.

    Keywords:
        start: The first tick of the timeline, or a moment in it. [default: the tick of the first step]
        complete_windows: If True, `always`, `not` and `at most` need windows that lie wholly on the timeline,
            also in programs without `#complete_windows`. [default: False]
        models: The number of answer streams that each answer lists; 0 for all. [default: 1]
        consequences: `"brave"` for the atoms of some answer stream, `"cautious"` for the atoms of every
            answer stream. An optimising program counts its optimal answer streams. The run still follows one.
        functions: An object whose methods the program calls as `@f(X)`. They override functions of scripts.
        evaluator: The evaluator, such as `"delta"`. [default: "auto"]
        clingo: Options for clingo's searches, such as `["--seed=5", "-t", "2"]`.
        stats: If True, `statistics` includes the time of each component. [default: False]
        tick_timeout: The longest time for a tick: seconds, or a duration such as "2 sec". A tick that takes
            longer is left without an answer (`Answer.timed_out`), and the stream continues. clingo may still
            ground that tick in a thread of its own until the process ends (`is_stuck`).
        largest_gap: A record further ahead than this waits until other records confirm it; lars2asp rejects
            pairs and records of your own. [default: `#largest_gap`, otherwise 1 hour for files and frames
            with times]
        ahead: A record of a live source that is dated later than this after the machine's clock waits until
            other records confirm it; None for forecasts. [default: 10 min]
        largest_interval: The number of values that one interval `L..U` may have at a tick. A tick with a
            larger interval has no answer. A snapshot includes the limit. [default: 1,000,000]
        explain_last: How far back `why` can explain answers. A compiled program also needs
            `compile_program(explained=True)`. [default: None, no explanations]
        explain_max_records: Keep less than `explain_last` above this number of records and ticks, but always
            the reach of the windows. [default: None, any number]

    Keywords of from_file and from_text:
        const: Values for `#const` names: integers, floats, or texts as in programs, such as
            `{"limit": 20.5, "room": "hall"}`. A float needs declared decimals.
        semantics: `"recorded"` or `"strict"`; overrides `#semantics`.
        tick: The length of a tick, such as `"1 sec"`, or a `timedelta`; overrides `#tick`.
        timezone: The zone of timestamps without an offset, such as `"UTC"`; overrides `#timezone`.
        origin: When tick 0 begins, a `datetime` or a text such as `"2026-01-01T00:00:00Z"`. [default: 1970,
            or midnight before the first record for ticks shorter than a second]
        show: The predicates in answers, such as `["alarm/1"]`; overrides `#show`. lars2asp skips rules that
            they do not need.
        dialect: The language of a program for another system, such as `"idlvsr"`, with settings as in
            `"idlvsr:t-unit=min"`; `"lars2asp"` for none. [default: the ending or the first lines of the file]
        declare: Declarations from outside, such as `["reading(room, temp*10) at time"]`. Those of input
            replace every `#input` of the program; `#decimals`, `#types`, `#held`, `#table` and `#calendar`
            join those of the program.
        trusted: False for the program of a stranger: lars2asp then refuses scripts, files outside the folders
            of the program, and functions with a leading underscore. [default: True]

    Attributes:
        plan: The compiled program.
        session: The internal part that evaluates ticks.
    """

    def __init__(self, plan: Plan = _NO_PLAN, **options: Unpack[RunOptions]) -> None:
        """Makes a reasoner for a compiled program.

        Raises:
            TypeError: For a value that is not a plan, for unknown keywords, and for keywords of a wrong type.
            ValueError: For keywords with a wrong value, such as an unknown evaluator or a negative start.
            EvaluatorError: If the evaluator cannot run the program.
            ProgramError: If the program calls an `@`-function that does not exist.
            EvaluationError: If clingo refuses the background data, or a script fails.
        """
        if not isinstance(plan, Plan):
            raise TypeError(
                f"Reasoner(...) needs a plan, not {type(plan).__name__}: use Reasoner.from_text for "
                "the text of a program, Reasoner.from_file for its path"
            )
        check_keywords(options, RunOptions.__annotations__, "Reasoner")
        plan = with_own_moments(plan)
        self._ahead = options.pop("ahead", "10 min")
        self.session = Session(plan, **options)
        self._inputs = plan.inputs
        self._facts = FactReader(plan.decimals, plan.required)
        self._timeline: Timeline | None = None
        """How times became ticks in the last input, if it can contain times."""

    @classmethod
    def from_file(cls, *paths: str | Path, **options: Unpack[ReasonerOptions]) -> Self:
        """Makes a reasoner for the program in one or more files; see Reasoner for the keywords.

        Args:
            paths: The files; together they are one program.

        Raises:
            ProgramError: Lists every mistake in the program.
            Lars2aspError: If lars2asp cannot read a file.
            TypeError: For unknown keywords and for values that are not paths.
            ValueError: For the text of a program in place of a path.
        """
        check_paths(paths)
        return cls._of(lambda: read_sources(paths, options.get("dialect")), options)

    @classmethod
    def from_text(cls, text: str, **options: Unpack[ReasonerOptions]) -> Self:
        """Makes a reasoner for a program given as text; see Reasoner for the keywords.

        Args:
            text: The program.

        Raises:
            ProgramError: Lists every mistake in the program.
            TypeError: For unknown keywords and for a program that is not text.
            ValueError: For the name of a file in place of a text.
        """
        check_text(text)
        return cls._of(lambda: [text_source(text, options.get("dialect"))], options)

    @classmethod
    def _of(cls, sources: Callable[[], Iterable[Source]], options: ReasonerOptions) -> Self:
        """A reasoner for a program."""
        check_keywords(options, ReasonerOptions.__annotations__, "Reasoner")
        trusted, declared = options.get("trusted", True), options.get("declare") or ()
        plan = compile_program(
            *sources(),
            *added_sources(declared),
            overrides=Overrides.of(options, given_functions(options.get("functions"), trusted=trusted)),
            trusted=trusted,
            explained=options.get("explain_last") is not None,
        )
        of_run = {name: value for name, value in options.items() if name in RunOptions.__annotations__}
        made = cls(plan, **cast(RunOptions, of_run))
        made._inputs = typed_inputs(declared_inputs(declared), plan.required) or plan.inputs
        return made

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
            "a Reasoner cannot be pickled or copied: pickle reasoner.snapshot(), and pass it to "
            "resume() of another Reasoner of the same program"
        )

    @property
    def now(self) -> int | None:
        """The last finished tick; None before the first tick."""
        return self.session.now

    @property
    def start(self) -> int | None:
        """The first tick of the timeline; None until the first record decides it."""
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
        """Moves to a later tick and returns its answer.

        The changes of the answer are relative to the previous answer of `step` or `run`. The first answer is
        compared with no atoms at all.

        >>> reasoner = Reasoner.from_text("seen(X) :- ping(X) in [2].")
        >>> reasoner.step(5, [("ping", "web"), "ping(db)"]).began.texts
        ('seen(db)', 'seen("web")')
        >>> reasoner.step(9).ended.texts
        ('seen(db)', 'seen("web")')

        Args:
            tick: A tick later than the last, or a moment in it, such as a `datetime`.
            facts: Atoms that hold at the tick, or until `until` if you give that.
            begin: Atoms that hold from this tick until you end them.
            end: Atoms, begun earlier, that held for the last time at the tick before.
            until: The last tick at which the facts hold.

        Raises:
            InputError: For a wrong fact, and for a tick that is not later than the last, or too far ahead
                (`largest_gap`). The reasoner stays unchanged.
            EvaluationError: If clingo refuses the program. The tick is over and has no answer, but its input
                counts.
            FunctionError: If a function of yours fails.
            InUseError: If another thread is using the reasoner, which stays unchanged.
        """
        is_number = type(tick) is int and 0 <= tick <= LARGEST_TICK  # as nearly all are
        now = cast(int, tick) if is_number else self._tick(tick)  # first: it may decide when tick 0 begins
        last = None if until is None else self._tick(until)
        if begin is not _NOTHING or end is not _NOTHING:
            events = Events(self._facts.rows(facts), self._facts.rows(begin), self._facts.rows(end), last)
        else:
            rows = () if type(facts) is list and not facts else self._facts.rows(facts)
            events = events_of((rows, (), (), last)) if rows or last is not None else NO_EVENTS
        for one in events.facts:
            if len(one.rows) >= _MANY:
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
        """Runs on a stream in time order and yields its answers.

        A stream may come in several pieces, one `run` for each, with `step` in between. The changes of an
        answer are relative to the previous answer of any call. lars2asp reads iterators lazily.

        >>> reasoner = Reasoner.from_text("seen(X) :- ping(X) in [2].")
        >>> for answer in reasoner.run([(1, ["ping(web)"]), (5, [])]):
        ...     print(answer.tick, answer.holds.texts)
        1 ('seen(web)',)
        4 ()

        Args:
            source: Pairs of a time and facts, Records, a data frame of pandas, polars, Arrow or DuckDB, or
                the path of a file. lars2asp reads times, frames and files as the program declares (`#tick`,
                `#timezone`, `#input`), or as `reading` says.
            emit: When to yield an answer. "change": if it differs from the previous answer. "every": at each
                tick from the first to the last. "windows": also whenever a hopping or tumbling window moves.
                A number: at its multiples. [default: "change"]
            revise: Do not wait for late records. A record that is late by up to this duration revises earlier
                answers: the run then also yields `Revised` and `Final`. It needs a new reasoner.
            until: The last tick, or a moment in it; the run reads no later record. [default: the last time]
            lateness: How long to wait for late records, which are then sorted. [default: `#lateness`, or 0]
            on_reject: What to do with a wrong or late record. "warn": skip and count it (`statistics`); one
                Python warning for each input names the first reason. "stop": raise InputError. Or a function
                that takes the Rejected. [default: "warn"]
            reading: How to read a file or a data frame. [default: `Reasoner.reading`]

        Raises:
            InputError: If lars2asp cannot read the source, and for bad records with `on_reject="stop"`.
            EvaluationError: If clingo refuses the program.
            TypeError: For unknown keywords, and for sources and keywords of a wrong type.
            ValueError: For keywords with a wrong value, and for `revise` with a program or a reasoner that
                cannot revise answers.
            InUseError: If another thread is using the reasoner; you can ask for the answer again.
        """
        check_keywords(options, ("emit", "revise", *StreamOptions.__annotations__), "run")
        check_values({"emit": emit, "revise": revise})
        check_source(source)
        until, reading = options.get("until"), options.get("reading")
        if revise is not None:
            if emit != "change" or options.get("lateness") is not None:
                raise ValueError("revise replaces lateness and emit: remove them")
            return self._revising(source, revise, options)
        lateness = self._lateness(options)
        source = self._looked_at(source, lateness, reading, until)
        last = None if until is None else self._tick(until)
        on_reject, tell = _rejecting(source, options)
        answers = self._run(source, last, every_of(emit), lateness, on_reject, reading, at_end=tell)
        return InTurn(answers, self.session.turn)

    def _lateness(self, options: StreamOptions) -> int | None:
        """The lateness of a stream in ticks; None if nothing says it."""
        given = options.get("lateness")
        return None if given is None else self.session.timeline.ticks_in(given)

    def _looked_at(
        self, source: RunSource, lateness: int | None, reading: "Reading | None", until: Time | str | None
    ) -> RunSource:
        """The source, after its first record has decided when tick 0 begins, if nobody declared that."""
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
        """The answers of `run`; each is to be asked for in turn. The account has counted the records
        already."""
        session = self.session
        ticks = given_ticks(every, self.plan)
        lateness = self.plan.lateness or 0 if lateness is None else lateness
        counted = Account() if account is not None else session.accounts.of(_name_of(source))
        account = counted if account is None else account
        in_blocks = self._in_blocks(source, ticks, on_reject, account)
        if in_blocks is not None:
            on_reject = as_needed_by(on_reject, in_blocks.reject)
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
        """The beginning of a stream in blocks, if the stream is complete and long enough."""
        session = self.session
        is_new = session.now is None and not session.early and not session.execution.has_begun
        size = _size_of(source)
        if size is None or not (is_new or session.now is not None):
            return None
        session.catch_up()  # what windows hold counts
        execution = session.execution
        if not session.may_begin_blocks or not execution.is_worth_blocks(size):
            return None
        if not execution.has_one_answer:  # others use the session in between
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
        """The records of a source, and the function that takes rejected ones."""
        is_path = isinstance(source, str | Path)
        if not is_path and not is_frame(source):
            if reading is not None:
                raise ValueError(
                    "reading= is for files and data frames, not for pairs and records: remove it"
                )
            items = cast(Iterable[StreamItem], source)
            return records_of(items, on_reject, self._tick_of_record, self._facts, account), on_reject
        from lars2asp.runtime.sources import clocked_input, files  # noqa: PLC0415 - not for all
        from lars2asp.runtime.sources.arrow import frames  # noqa: PLC0415
        from lars2asp.runtime.sources.tables import written_rows  # noqa: PLC0415

        reading = reading or self.reading
        self._timeline, self.session.doubt_of = reading.timeline, reading.doubt_of
        if is_path:
            return files.records_of_file(cast(str | Path, source), reading, on_reject, account), on_reject
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
            raise ValueError("revise needs a reasoner that was not used before, with one answer stream")
        lateness, until = self.session.timeline.ticks_in(revise), options.get("until")
        if lateness < 0:
            raise ValueError("revise must be a number of ticks, 0 or more")
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
        on_reject, tell = _rejecting(source, options)
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
        """Runs on a stream; returns the intervals over which atoms hold, as a data frame for each predicate.

        >>> reasoner = Reasoner.from_text("seen(X) :- ping(X) in [2].")
        >>> frame = reasoner.intervals([(1, ["ping(web)"]), (5, [])])["seen/1"]
        >>> frame.to_arrow().to_pylist()
        [{'begin': 1, 'end': 4, 'X': 'web'}]

        An atom that already holds begins at the tick of the previous answer.

        Args:
            source: See `run`, as for the keywords.

        Raises:
            ImportError: If pyarrow is not installed. When you read rows, the errors of `run` are possible.
        """
        from lars2asp.runtime.sinks.answer_frames import FrameKind  # noqa: PLC0415 - few ask

        return self._frames(FrameKind.INTERVALS, source, options)

    def changes(self, source: RunSource, **options: Unpack[StreamOptions]) -> "AnswerFrames":
        """Runs on a stream; returns the changes of its answers, as a data frame for each predicate.

        Args:
            source: See `run`, as for the keywords and errors.
        """
        from lars2asp.runtime.sinks.answer_frames import FrameKind  # noqa: PLC0415 - few ask

        return self._frames(FrameKind.CHANGES, source, options)

    def _frames(self, kind: "FrameKind", source: RunSource, options: StreamOptions) -> "AnswerFrames":
        from lars2asp.runtime.sinks.answer_frames import AnswerFrames  # noqa: PLC0415 - few ask

        run = partial(self.run, source, **options)
        return AnswerFrames(self.session, kind, run, timeline=lambda: self.timeline)

    def chart(self, source: RunSource, **options: Unpack[StreamOptions]) -> "Chart":
        """Runs on a stream to its end and returns a chart of when each atom held.

            reasoner.chart("readings.csv").write("readings.html")

        Args:
            source: See `run`, as for the keywords and errors.
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
        on_reject, tell = _rejecting(source, options)
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

        The run continues until the source ends or `stop` is set. It needs a new reasoner. Another thread
        reads the source; the rest happens in your thread. An error in your function ends the run. Records of
        an unfinished tick are dropped at the end.

        Args:
            source: An address such as `tcp:9000` or `mqtt://broker/topic`, a growing file, a folder of such
                files, `-` for standard input, or a Feed. A list of several sources is merged by time.
            on_answer: A function that takes an Answer, which differs from the previous one.
            stop: A `threading.Event`; set it, in a thread or a signal handler, to end the run.
            clock: What moves time. "data": the times of the records. "wall": the machine's clock. Or a Clock
                of your own. [default: "data"]
            reading: How to read lines. [default: CSV for files named so, otherwise JSON lines]
            lateness: How long to wait for late records. [default: `#lateness`, or 0]
            idle_timeout: If there are several sources, do not wait for a source that is silent for this long,
                such as "1 min". [default: None, wait for all]
            emit: When to call the function; see `run`.
            until: The last tick, or a moment in it.
            on_reject: See `run`; "warn" warns at once.
            serve: A port, or `HOST:PORT`, for a live page of the run.
            serve_token: The token for the page; you need it if other machines can reach the page.

        Raises:
            InputError: If lars2asp cannot read the source or serve the page, and from `on_reject`.
            EvaluationError: If clingo refuses the program.
            TypeError: For unknown keywords, and for sources and keywords of a wrong type.
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
                    "until must be a tick number here: for a time add #origin "
                    '"2026-01-31T00:00:00Z". to the program'
                )
        idle = seconds_of("idle_timeout", options.get("idle_timeout"))
        clock = options.get("clock", "data")
        follow(
            self.session,
            source,
            on_answer,
            by_clock=clock == "wall",
            reading=options.get("reading") or self.reading,
            lateness=ticks,
            idle=None if idle is None else round(idle * 1e6),
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
        """Runs on a live source and yields its answers for `async for`.

            async for answer in reasoner.run_live_async("mqtt://broker/home/#"):
                print(answer.began.texts)

        The reasoner works in a thread of its own, and waits while you use an answer. Lines wait in a bounded
        queue. If you cancel the task or close the generator, the run ends after the current tick. Use
        `contextlib.aclosing` if you leave the loop early.

        Args:
            source: See `run_live`, as for the keywords and errors. The thread calls `on_reject`.
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
        """Explains why an atom holds at a tick, or why it does not.

        >>> reasoner = Reasoner.from_text("alarm :- hot.", explain_last=10)
        >>> answer = reasoner.step(0, ["hot"])
        >>> print(reasoner.why("alarm"))
        alarm at 0
        └─ <text>:1  alarm :- hot.
           └─ hot   step(0)

        Args:
            atom: The atom as text; with variables it means all atoms that match and hold.
            at: The tick, or a moment in it; at most `explain_last` back. [default: the last finished tick]
            depth: The maximum depth of rules. [default: None, all]
            explanations: The number of explanations for each atom. [default: 1]
            timeline: How to show ticks as times. [default: that of the last file]

        Raises:
            InputError: For a text that is not an atom, and for a tick that is not over or not kept.
            ValueError: If the reasoner has no `explain_last`, or `explanations` is below 1.
            TickTimeoutError: If the explanation takes longer than `tick_timeout`.
            InUseError: If another thread is using the reasoner.
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
        """How the reasoner reads files and data frames: as its program declares.

        Use `dataclasses.replace` to change it, for the keyword `reading` of `run` and `run_live`.
        """
        from lars2asp.runtime.sources.input_settings import ahead_in  # noqa: PLC0415 - not for all
        from lars2asp.runtime.sources.reading import Reading, format_of_streams  # noqa: PLC0415

        return Reading(
            timeline=self.session.timeline,
            declarations=self._inputs,
            decimals=self.plan.decimals,
            required=self.plan.required,
            lateness=self.plan.lateness or 0,
            ahead=ahead_in(self._ahead, self.session.timeline),
            otherwise=format_of_streams(self.plan.program),
            counted=self._counted,
        )

    @cached_property
    def _counted(self) -> "RecordCount":
        """The number of `record()` so far."""
        from lars2asp.runtime.sources.record_numbers import RecordCount  # noqa: PLC0415 - not for all

        return RecordCount()

    @property
    def timeline(self) -> Timeline | None:
        """How times became ticks in the last input; None if it contained ticks only."""
        return self._timeline

    why_not = why
    """The same as `why`: the explanation says whether the atom holds."""

    @property
    def is_stuck(self) -> bool:
        """Whether clingo still grounds a tick that took longer than `tick_timeout`.

        The process then ends without Python's own clean-up: with status 0, or 1 after an error.
        """
        return self.session.execution.is_stuck

    @property
    def counts(self) -> tuple[int, int, int]:
        """The numbers of evaluated ticks, of skipped ticks, and of input atoms."""
        return self.session.counts

    @property
    def statistics(self) -> Statistics:
        """The work done so far and its cost.

        The times of components need `stats=True`.

        Raises:
            InUseError: If another thread is using the reasoner; `counts` is always available.
        """
        return self.session.statistics

    def drawing(self) -> "PlanDrawing":
        """Returns a drawing of the program: predicates, rules, windows and components.

        With `stats=True` it shows the cost of each component.

            reasoner.drawing().write("plan.html")

        Raises:
            InUseError: If another thread is using the reasoner.
        """
        from lars2asp.runtime.plan_drawing.drawing import drawing_of  # noqa: PLC0415 - few ask

        components = self.statistics.components
        costs = {one.predicates: one.cost for one in components if one.cost is not None}
        return drawing_of(self.session.execution.plan, self.session.execution.assignments, costs)

    def snapshot(self) -> bytes:
        """Returns the state that later answers depend on, at the end of a tick.

        A new reasoner for the same program and options continues from it with `resume`. Records of an
        unfinished tick are not included. Both reasoners find the same answer streams.

        >>> first = Reasoner.from_text("seen(X) :- ping(X) in [2].")
        >>> answer = first.step(1, ["ping(web)"])
        >>> second = Reasoner.from_text("seen(X) :- ping(X) in [2].")
        >>> second.resume(first.snapshot())
        >>> second.step(2).holds.texts
        ('seen(web)',)
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
        """Continues from a snapshot; call it before the first input.

        The evaluator may differ. If a program has several answer streams, another evaluator may follow a
        different stream.

        Args:
            snapshot: The bytes that `snapshot` returned.

        Raises:
            SnapshotError: If the snapshot is damaged, or from another program or other options. The reasoner
                stays unchanged.
            ValueError: If the reasoner was used already.
            TypeError: For a value that is not bytes.
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
        """Switches to another evaluator from the next tick on.

        Args:
            evaluator: Its name.

        Raises:
            ValueError: For an unknown evaluator, and for a change between `oneshot` and evaluators of
                components.
            EvaluatorError: If the evaluator cannot run the program.
        """
        self.session.use(evaluator)


def _rejecting(source: RunSource, options: StreamOptions) -> tuple[OnReject, Callable[[], None]]:
    """The function for invalid records, and the function to call after a run."""
    choice = options.get("on_reject", "warn")
    if isinstance(source, str | Path):
        from lars2asp.runtime.sources.input_settings import choice_of_file  # noqa: PLC0415 - not for all

        choice = choice_of_file(str(source), choice)
    return rejecting(choice)


def _name_of(source: RunSource) -> str:
    """The name of a source in statistics."""
    if isinstance(source, str | Path):
        return str(source)
    return "<frame>" if is_frame(source) else "<stream>"


def _size_of(source: RunSource) -> int | None:
    """In bytes, about; None if it is unknown, or if the source is not complete."""
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
