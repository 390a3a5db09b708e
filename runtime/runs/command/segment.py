"""A segment of a run: the part that one process does."""

import json
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import InitVar
from functools import partial
from itertools import chain
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, TextIO, TypeVar

from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import GroundAtom
from lars2asp.externals.terms.text import atom_text
from lars2asp.externals.views import TickChanges
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.connectors.clock import Clock
from lars2asp.runtime.errors import InputError, Terminated
from lars2asp.runtime.explanations.words.question import parsed_atom
from lars2asp.runtime.merged_facts import miscounted
from lars2asp.runtime.reasoning.snapshot import restoring
from lars2asp.runtime.revisions import Revision
from lars2asp.runtime.runs.command.outputs import Outputs
from lars2asp.runtime.runs.command.run_end import RunEnd
from lars2asp.runtime.runs.command.run_settings import RunSettings
from lars2asp.runtime.runs.command.run_statistics import RunCosts, RunStatistics
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.processes.memory_limit import memory_limited
from lars2asp.runtime.runs.processes.stop import Stop
from lars2asp.runtime.runs.progress_bar import Progress, ProgressBar, file_names, is_to_be_shown
from lars2asp.runtime.runs.states.state_keeping import (
    SPARING,
    CheckpointInterval,
    HandOver,
    State,
    StateKeeper,
)
from lars2asp.runtime.sinks.columns import answer_tables
from lars2asp.runtime.sinks.emission import Sink
from lars2asp.runtime.sinks.json_lines import JsonLines
from lars2asp.runtime.sources.lateness import LatenessWords
from lars2asp.runtime.sources.live_reader import LiveReader, LiveReaders
from lars2asp.runtime.sources.recorded_input import RecordedInput
from lars2asp.runtime.sources.records import Line
from lars2asp.runtime.sources.rejects import Rejects
from lars2asp.runtime.sources.text.text_files import STANDARD, blaming
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.source import visible
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from socket import socket

    from lars2asp.runtime.charts.recorder import ChartRecorder
    from lars2asp.runtime.live_page.telling import Telling
    from lars2asp.runtime.reasoning.session import Session
    from lars2asp.runtime.runs.live_inputs import LiveInputs
    from lars2asp.runtime.runs.processes.feed_process import FeedProcess
    from lars2asp.runtime.runs.states.checkpoints import Checkpoints
    from lars2asp.runtime.runs.table_rows import TableRows
    from lars2asp.runtime.runs.wall_time import WallTimeRun
    from lars2asp.runtime.sinks.counters import Counters, InputTime
    from lars2asp.runtime.sinks.terminal_view import TerminalView

# What live runs, views and bars need is imported where they are used: most runs start sooner without.
# ruff: noqa: PLC0415

_log = logging.getLogger("lars2asp")

T = TypeVar("T")


def _to_all(takers: Sequence[Callable[[int, Events], None]], tick: int, events: Events) -> None:
    for take in takers:
        take(tick, events)


@dataclass(eq=False)
class Segment:
    """The part of a run that one process does; see `relay`.

    Attributes:
        settings: the settings of the run.
        clock: the clock.
        stop: ends the run when a signal asks for it.
        source: the input.
        outputs: take the answers.
        rejects: takes the rejected records.
        costs: takes the costs of the run as JSON.
        chart_file: takes the chart of the run.
        checkpoints: keeps the state.
        page: the connection to the process that serves the page.
        state: the state to go on from.
    """

    settings: RunSettings
    clock: Clock
    stop: Stop
    source: "FeedProcess | RecordedInput"
    outputs: Outputs
    rejects: Rejects
    costs: TextIO | None
    chart_file: TextIO | None
    checkpoints: "Checkpoints | None"
    page: "socket | None"
    state: InitVar[State | None]

    def __post_init__(self, state: State | None) -> None:
        settings, checkpoints = self.settings, self.checkpoints
        self._session = settings.session(settings.start if state is None else state["start"])
        self._session.doubt_of = settings.reading.doubt_of
        self._session.gaps = self._session.gaps.left_to_inputs()
        self._until = settings.until
        self._run_costs = RunCosts(self._session)
        self._sink = self._made_sink()
        self._view = None if settings.view is None else self._made_view(settings.view)
        self._recorder = None if self.chart_file is None else self._made_recorder()
        self._telling = None if self.page is None else self._made_telling(self.page)
        is_free = self._view is None and not self.outputs.isatty()
        self.shows_progress = is_free and is_to_be_shown(settings.inputs, is_quiet=settings.is_quiet)
        """Whether a bar shows how far the run is: not beside answers on the terminal."""
        if checkpoints is not None:
            checkpoints.leave()  # the segments before this one may have come further
        self._is_kept_at_once = state is None or (self._live is not None and state.get("is_loaded", False))
        """Whether a checkpoint is written at once: of the beginning, or of what the journal had."""
        keeper = StateKeeper(
            checkpoints, self._interval, hands_over=True, others=self._state, tuning=settings.tuning
        )
        self._reader: LiveReader | LiveReaders | None = None
        """Reads the lines of a live source."""
        self._inputs: LiveInputs | None = None
        """Several live sources in data time."""
        self._run = self._made_run(keeper)
        accounts = self._session.accounts
        if isinstance(self.source, RecordedInput):
            accounts.add(self.source.accounts)
        elif self._reader is not None:
            accounts.add(zip(settings.names, self._reader.accounts, strict=True))
        self._has_answered = state is not None and state.get("has_answered", True)
        """Whether an atom held at some tick."""
        self._goes_on = state is not None and state.get("is_loaded", False)
        """Whether the page has not been told what holds."""
        if state is not None:
            warmed = self._warmed(state)
            with restoring():
                self._restore(state, warmed)

    def run(self) -> None:
        """Runs, and reports the costs. Raises HandOver, and what `CommandRun.run` raises.

        Where a page is served it stays, after the end of the run, until the process is asked to end.
        """
        if self._telling is None:
            self._run_to_the_end()
            return
        from lars2asp.runtime.runs.paged_run import PagedRun, telling_page

        subject = PagedRun(self._run, self._counters, self.settings.reading.timeline)
        wakes = current_thread() is main_thread()
        with telling_page(self._telling, subject, self.stop, wakes=wakes):
            if self._goes_on:
                self._telling.whole()
            self._run_to_the_end()
            self._telling.over()
            self.outputs.finish()
            telling = self._telling
            if not telling.is_gone:
                sys.stderr.write("the run is over; the page is served until Ctrl-C\n")
                self.stop.until_asked(lambda: telling.is_gone)

    def _run_to_the_end(self) -> None:
        try:
            with self._memory_limited(), self.stop.deferred():
                self._go()
                self._close()
        except HandOver as handed_over:
            if self._recorder is not None:
                handed_over.state["chart"] = self._recorder.whole_state()
            raise
        except BaseException as error:
            if self.stop.asked is not None and isinstance(error, KeyboardInterrupt | Terminated):
                with self.stop.deferred():
                    self._keep()
                    self._leave()
            with suppress(OSError, InputError):  # the first error is the one to report
                self._close()
            with suppress(OSError, InputError):
                self._report_costs()
            with suppress(OSError, InputError):
                self._write_chart()
            raise
        self._report_costs()
        self._write_chart()
        session = self._session
        for said in miscounted(session.plan.program, session.merged):
            sys.stderr.write(f"{visible(said)}\n")

    def _memory_limited(self) -> AbstractContextManager[None]:
        """Within, the run is asked to end where it has more memory than it may."""
        hint = "the same command resumes from the checkpoint"
        if self.checkpoints is None:
            hint = "to resume after an interruption, run with --checkpoint"
        return memory_limited(self.settings.memory_limit, hint)

    def _made_run(self, keeper: StateKeeper) -> "DataTimeRun | WallTimeRun":
        settings = self.settings
        judged = self._session.accounts.judging(self.rejects)
        parts = self._session, settings.every, self._write, judged, keeper, self.stop
        words = LatenessWords(settings.reading.timeline)
        lateness = settings.lateness
        takers = [one.told for one in (self._recorder, self._telling) if one is not None]
        on_input = takers[0] if len(takers) == 1 else partial(_to_all, takers) if takers else None
        if not settings.is_by_clock:
            inputs, reached = None, None
            if isinstance(self.source, RecordedInput):
                reached = self.source.reached
            else:
                self._reader = settings.live_reader(settings.reading, self.rejects, self.source.arrival)
                if isinstance(self._reader, LiveReaders):
                    self._inputs = self._made_inputs(self._reader)
                    inputs = self._inputs.watermarks()
            if settings.is_early and isinstance(self._sink, JsonLines):  # rows are of what is final
                from lars2asp.runtime.runs.early_run import EarlyRun

                return EarlyRun(
                    *parts,
                    lateness=lateness,
                    words=words,
                    inputs=inputs,
                    reached=reached,
                    revise=partial(self._revise, self._sink),
                    finish=self._sink.finish,
                    drains=settings.drains,
                    tuning=settings.tuning,
                )
            return DataTimeRun(
                *parts,
                lateness=lateness,
                words=words,
                on_input=on_input,
                inputs=inputs,
                reached=reached,
                tables=self._made_tables(),
                in_blocks=self._write_all if self._may_be_in_blocks else None,
                changes=self._taker_of_changes,
                drains=settings.drains,
            )
        from lars2asp.runtime.runs.wall_time import WallTimeRun

        run = WallTimeRun(
            *parts,
            reading=settings.reading,
            clock=self.clock,
            lateness=lateness,
            words=words,
            on_input=on_input,
            tables=self._made_tables(),
            reader_of=partial(settings.live_reader, on_reject=self.rejects),
        )
        self._reader = run.reader
        return run

    def _made_tables(self) -> "TableRows | None":
        """The rows of tables, as their files have them now. Raises Lars2aspError."""
        tables = self.settings.tables
        return None if tables is None else tables(self.stop.takes_reload)

    def _made_inputs(self, reader: LiveReaders) -> "LiveInputs":
        from lars2asp.runtime.runs.live_inputs import LiveInputs

        settings = self.settings
        parts = settings.of_connections, settings.followed
        return LiveInputs(settings.names, reader, self.clock, settings.idles, *parts, settings.latenesses)

    @property
    def _live(self) -> "FeedProcess | None":
        """The source, if it is live."""
        return None if isinstance(self.source, RecordedInput) else self.source

    @property
    def _may_be_in_blocks(self) -> bool:
        """Whether nobody looks at single ticks as they are evaluated."""
        is_watched = self._view is not None or self._recorder is not None or self._telling is not None
        has_rows = self.settings.tables is not None
        if is_watched or self.settings.can_be_stuck or has_rows:
            return False
        return self._session.execution.has_flow

    @property
    def _taker_of_changes(self) -> Callable[[Sequence[TickChanges]], None] | None:
        """Writes what changes at ticks of blocks, where that is all that is written of them."""
        sink, decimals = self._sink, self._session.plan.decimals
        if not isinstance(sink, JsonLines) or not sink.takes_changes:
            return None

        def write(changes: Sequence[TickChanges]) -> None:
            self._has_answered = True
            sink.write_changes(changes, decimals)

        return write

    @property
    def _interval(self) -> CheckpointInterval:
        """The distance of checkpoints.

        It is one in ticks where a program may have several answer streams: which of them is followed depends
        on where checkpoints are, and the same input is to have the same answers.
        """
        if self.settings.checkpoint_interval is not None:
            return self.settings.checkpoint_interval
        return SPARING if self._session.is_certain else CheckpointInterval()

    def _keep(self) -> None:
        """Keeps the state where the run is asked to end."""
        if self.checkpoints is None:
            return
        source = self.source
        try:
            if not isinstance(source, RecordedInput):
                source.drain()
            if self._run.is_wholly_kept and (not isinstance(source, RecordedInput) or source.is_at_record):
                self._run.save()
        except (Lars2aspError, OSError) as error:  # the run ends as it was asked to
            _log.warning("the run could not be kept where it ended: %s", error)

    def _leave(self) -> None:
        """Evaluates the records that wait, or says how many are lost, if no checkpoint keeps them."""
        source = self.source if isinstance(self.source, RecordedInput) else self._reader
        unread = 0
        if self.checkpoints is None and self._live is not None:
            self._live.drain()
            if self._reader is not None and self.settings.drains:
                self._read(self._reader, self._live.left())
            unread = self._live.waiting
        if self.checkpoints is None and source is not None:
            for record in source.waiting():
                self._run.records.add(record.tick, record)
        undone = self._run.undone + unread
        if self.checkpoints is not None or not undone:
            return
        if self.settings.drains:
            self.stop.met()
            self._run.drain(self._until)
            return
        records = "1 record that waits is" if undone == 1 else f"{undone} records that wait are"
        sys.stderr.write(
            f"{records} not evaluated: --drain evaluates what waits before the run ends, --checkpoint keeps "
            "it\n"
        )

    def _read(self, reader: LiveReader | LiveReaders, lines: Iterable[Line]) -> None:
        """The records of the last lines of a live source wait to be evaluated."""
        try:
            for record in chain.from_iterable(map(reader.records, lines)):
                self._run.records.add(record.tick, record)
        except InputError as error:  # the run ends as it was asked to
            _log.warning("some lines were not read: %s", error)

    def _go(self) -> None:
        source = self.source
        self.stop.check()
        if self._is_kept_at_once and self.checkpoints is not None:
            self._run.save()
        with ExitStack() as stack:
            if self._view is not None:
                stack.enter_context(self._view)
            if self.shows_progress:
                stack.enter_context(ProgressBar(file_names(source.name), self._progress))
            if not isinstance(self._run, DataTimeRun):
                assert not isinstance(source, RecordedInput)
                self._run.over(source, self._until)
            elif isinstance(source, RecordedInput):
                self._over_records(self._run, source)
            elif self._until is not None and self._session.now == self._until:
                pass  # the checkpoint is of then: no record is waited for
            elif self._inputs is not None:
                self._gather(self._run, source)
                self._run.over_inputs(*self._from_first(self._inputs.over(source)))
            else:
                assert isinstance(self._reader, LiveReader)
                self._gather(self._run, source)
                self._run.over_batches(*self._from_first(self._reader.over(source.lines())))
        self.stop.check()

    @staticmethod
    def _gather(run: DataTimeRun, source: "FeedProcess") -> None:
        """What has come of a live source is evaluated at once, before more is waited for."""
        source.on_wait, source.is_gathering = run.answer, lambda: run.is_gathering

    def _over_records(self, run: DataTimeRun, source: RecordedInput) -> None:
        size = source.size
        left = None if size is None else size - source.bytes_read
        if left is not None and not self._session.execution.is_worth_blocks(left):
            run.in_blocks = None
        if run.in_blocks is not None:
            if self.settings.output == STANDARD:  # messages stand among answers
                self.rejects.before = run.answer
            if left is None:  # others wait for what comes of a pipe
                self.stop.before_waiting = run.answer
            run.over_blocks(*self._from_first(source.blocks()))
        else:
            run.over(*self._from_first(source.records()))

    def _from_first(self, items: Iterable[T]) -> tuple[Iterable[T], int | None]:
        """The input, and the last tick, which may not be known before a record decides when tick 0 begins."""
        settings, late = self.settings, self.settings.reading.timeline.late
        if late is not None and not late.is_known and settings.is_until_time:
            rest, begun = iter(items), list[T]()
            for item in rest:
                begun.append(item)
                if late.is_known:
                    break
            _, self._until = settings.asked()
            items = chain(begun, rest)
        return items, self._until

    @property
    def _is_written(self) -> bool:
        """Whether answers are written; a view on the terminal takes the place of lines on it."""
        return self._view is None or self.settings.output != STANDARD

    def _close(self) -> None:
        """Writes what only the end of the run decides."""
        if self._is_written:
            self._sink.close()

    def _write_all(self, answers: Iterable[Answer]) -> None:
        """Writes answers at which nothing else looks."""
        self._sink.write_all(map(self._noted, answers))

    def _revise(self, sink: JsonLines, revisions: Sequence[Revision]) -> None:
        """Writes revisions; an atom that holds in one of them has held."""
        self._has_answered = self._has_answered or any(
            one.atom is not None and one.holds for one in revisions
        )
        sink.revise(revisions, self._session.plan.decimals)

    def _noted(self, answer: Answer) -> Answer:
        """An answer, once it is known whether an atom holds in it."""
        if not self._has_answered:
            self._has_answered = len(answer.holds) > 0 or any(map(len, answer.models))
        return answer

    def _write(self, answer: Answer) -> None:
        self._noted(answer)
        if self._is_written:
            self._sink.write(answer)
        if self._view is not None:
            self._view.write(answer)
        if self._recorder is not None:
            self._recorder.take(answer)
        if self._telling is not None:
            self._telling.take(answer)

    def _state(self) -> State:
        """The state of source and sinks."""
        return {
            **self._reader_state(),
            "start": self._session.start,
            "options": self.settings.fixed,
            "program": self._session.execution.shape if self._session.execution.has_begun else None,
            "source": self.source.state(),
            "output": self.outputs.sizes(),
            "delivered": self.outputs.delivered(),
            "rejects": self.rejects.size,
            **self.rejects.state(),
            "is_first": self._sink.is_first,
            "has_answered": self._has_answered,
            "sink": self._sink.state(),
            "account": self._run_costs.state(),
            "chart": None if self._recorder is None else self._recorder.state(),
            "view": None if self._view is None else self._view.state(),
        }

    def _reader_state(self) -> State:
        """What later lines of live input are read by."""
        reader = self._reader
        if isinstance(reader, LiveReaders):
            return {"readers": reader.states()}
        if reader is None:
            return {}
        parts = {"reader": reader.state(), "counted": reader.counted, "orders": reader.orders()}
        parts |= {"read": reader.account.state(), "clocks": reader.clocks()}
        return {name: part for name, part in parts.items() if part}

    def _warmed(self, state: State) -> "Session | None":
        """What a changed program holds by a history, if there is one. Raises InputError."""
        has_begun = "first" in state["reasoner"]
        if not (state.get("takes_over") and has_begun and self.settings.history):
            return None
        from lars2asp.runtime.runs.command.warm_up import WarmUp

        return WarmUp(self.settings, state, self.stop).session()

    def _restore(self, state: State, warmed: "Session | None") -> None:
        self._run.restore(state, warmed)
        self.source.restore(state["source"])
        if isinstance(self._reader, LiveReaders):
            self._reader.restore(state["readers"])
        elif self._reader is not None:
            kept = state.get("orders", {}), state.get("read", ()), state.get("clocks", {})
            self._reader.restore(state.get("reader", {}), state.get("counted", 0), *kept)
        self.rejects.restore(state)
        if "has_answered" not in state:  # of a version that counted all inputs together
            late, total = state["waiting"]["late"], self._session.accounts.first
            total.late, total.rejected, total.passed_over = (
                late,
                self.rejects.count - late,
                self.rejects.unfit,
            )
        self._sink.is_first = state["is_first"]
        if state.get("sink") is not None:
            self._sink.restore(state["sink"])
        self._run_costs.restore(state["account"])
        if self._view is not None and state["view"] is not None:
            self._view.restore(state["view"])
        if self._recorder is not None and state.get("chart") is not None:
            self._recorder.restore(state["chart"], state["reasoner"]["now"])

    def _made_sink(self) -> Sink:
        body = self.settings.posting.body
        if body is None:
            return self.outputs.sink()
        from lars2asp.runtime.sinks.post_bodies import BodyTemplate, PostBodies

        assert isinstance(body, BodyTemplate)
        return PostBodies(self.outputs.streams[0], body, self._why)

    def _why(self, atom: GroundAtom, tick: int) -> str:
        """Why an atom holds at a tick that has just been evaluated, or why not."""
        asked = parsed_atom(atom_text(*atom, self._session.plan.decimals))
        return str(self._session.explained(asked, tick, None, 1, self.settings.reading.timeline))

    def _made_view(self, program: str) -> "TerminalView":
        from lars2asp.runtime.sinks.terminal_view import Terminal, TerminalView

        streams, timeline = self._session.gives_models, self.settings.reading.timeline
        source = self.source.name
        decimals = self._session.plan.decimals
        return TerminalView(
            Terminal(), program, source, self._counters, timeline, counts_streams=streams, decimals=decimals
        )

    def _made_recorder(self) -> "ChartRecorder":
        from lars2asp.runtime.charts.recorder import ChartRecorder

        return ChartRecorder(self._session.plan.decimals)

    def _made_telling(self, connection: "socket") -> "Telling":
        from lars2asp.runtime.live_page.telling import Telling

        late = self.settings.reading.timeline.late
        telling = Telling(connection, self._session.plan.decimals, moments=late)
        self.rejects.also = telling.refused
        return telling

    def _write_chart(self) -> None:
        """Writes the chart of what was answered. Raises InputError."""
        settings, file = self.settings, self.chart_file
        if self._recorder is None or file is None or settings.chart_file is None:
            return
        from lars2asp.runtime.charts.chart import Chart, chart_format_of

        data = self._recorder.data(self._session.now)
        chart = Chart(data, settings.title, settings.reading.timeline)
        with blaming(file):
            chart.write_to(file.buffer, chart_format_of(settings.chart_file))
            file.flush()

    def _counters(self) -> "Counters":
        """How far the run is; called by another thread."""
        from lars2asp.runtime.sinks.counters import Counters

        evaluated, passed_over, facts = self._session.counts
        run, live, total = self._run, self._live, self._session.accounts.total
        return Counters(
            tick=run.tick,
            facts=facts,
            ticks=evaluated + passed_over,
            rejected=self.rejects.count - total.late,
            late=total.late,
            unfit=total.passed_over,
            lag_seconds=None if live is None else live.lag,
            waiting=len(run.records) + (0 if live is None else live.waiting),
            merged=sum(self._session.merged.values()),
            share=self._share,
            inputs=self._input_times,
            accounts=self._session.accounts.by_name,
        )

    @property
    def _input_times(self) -> "tuple[InputTime, ...]":
        """Of several live inputs how far each has come."""
        watermarks = getattr(self._run.records, "inputs", None)
        return () if self._inputs is None or watermarks is None else self._inputs.times(watermarks)

    @property
    def _share(self) -> float | None:
        """The part of the input that was read, where its size is known."""
        return self.source.share if isinstance(self.source, RecordedInput) else None

    def _progress(self) -> Progress:
        """How far the run is; called by another thread."""
        evaluated, passed_over, facts = self._session.counts
        tick = self._run.tick
        place = "" if tick is None else f"tick {tick}"
        merged = sum(self._session.merged.values())
        if merged:
            place += f", {merged} equal facts"
        if unfit := self._session.accounts.total.passed_over:
            place += f", {unfit} records that no #input fits"
        return Progress(self._share, place, {"facts": facts, "ticks": evaluated + passed_over})

    def _count_given(self) -> None:
        """The accounts of recorded inputs have all records that were given."""
        if isinstance(self.source, RecordedInput):
            self.source.count_given()

    def end(self, programs: Sequence[str]) -> RunEnd:
        """What is said of the run when it is over, given the files of its program."""
        self._count_given()
        settings = self.settings
        shown = () if self._has_answered else tuple(answer_tables(self._session.plan))
        return RunEnd(
            self._session.accounts.by_name,
            isinstance(self.source, RecordedInput),
            shown,
            settings.inputs,
            programs,
            has_told=settings.statistics,
            is_quiet=settings.is_quiet,
        )

    def _report_costs(self) -> None:
        """Prints and writes the costs of the run, as far as the settings say so."""
        settings, live = self.settings, self._live
        if not settings.statistics and self.costs is None:
            return
        lag = None if live is None else live.most_lag
        self._count_given()
        cost, total = self._run_costs, self._session.accounts.total
        times = cost.statistics, cost.seconds, self.rejects.count, total.late, lag, self._input_times
        found = RunStatistics(*times, unfit=total.passed_over)
        if settings.statistics:
            sys.stderr.write(found.text)
        if self.costs is not None:
            with blaming(self.costs):
                self.costs.write(json.dumps(found.json, indent=2) + "\n")
                self.costs.flush()
