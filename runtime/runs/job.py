"""One run from source to sinks, with its files, its checkpoints, and the processes it takes."""

import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TextIO

from rich.console import Console

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.command_line.fixed_options import NOT_GIVEN, changes, of_reading
from lars2asp.runtime.errors import InputError, SnapshotError
from lars2asp.runtime.feeds.addresses import feed_of
from lars2asp.runtime.feeds.clock import Clock, MachineClock
from lars2asp.runtime.feeds.feed_process import FeedProcess, with_noted
from lars2asp.runtime.feeds.inbox import Arrived
from lars2asp.runtime.feeds.tcp import TcpFeed
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.runs.checkpoints import Checkpoints, open_checkpoints
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.follow import feed_at
from lars2asp.runtime.runs.keeping import EVERY_SECONDS, HandOver, Keeper, Pace, State
from lars2asp.runtime.runs.processes import Stop, Terminated
from lars2asp.runtime.runs.progress import progress
from lars2asp.runtime.runs.relay import relay
from lars2asp.runtime.runs.run_statistics import Account, RunStatistics
from lars2asp.runtime.runs.wall_time import WallTimeRun
from lars2asp.runtime.sinks.json_lines import Emission, JsonLines
from lars2asp.runtime.sinks.terminal_view import Counters, TerminalView
from lars2asp.runtime.snapshot import restoring
from lars2asp.runtime.sources.files import Input
from lars2asp.runtime.sources.reading import TABLE_IS_LIVE, Format, Reading, format_of
from lars2asp.runtime.sources.records import Record
from lars2asp.runtime.sources.rejects import Rejects, open_rejects
from lars2asp.runtime.sources.text_files import (
    STANDARD,
    CountedOn,
    blaming,
    check_readable,
    flush_standard_streams,
    not_written,
    open_output,
    size_of,
)
from lars2asp.syntax.diagnostics import Lars2aspError

_log = logging.getLogger("lars2asp")

SHOW_CURSOR = b"\x1b[?25h"


@dataclass(frozen=True)
class Settings:
    """What is run.

    Attributes:
        reasoner: makes a reasoner with a start.
        input: a file, a folder, `-` for standard input, or the address of a feed.
        reading: how the input is read.
        output: the file where answers go, `-` for standard output.
        emission: how they are written.
        every: answers are written at ticks that this number divides; None: when they change.
        rejects: the file for records that are not valid; None: standard error.
        is_strict: whether the first of these ends the run.
        is_followed: whether the file is read on behind its end.
        is_by_clock: whether ticks pass by the machine's clock.
        start: the first tick; None: that of the input, or now.
        until: the last tick; None: that of the input, or none.
        lateness: for how many ticks late records are waited for.
        checkpoint: the folder of the checkpoints, if they are kept.
        pace: how far they are apart; None: as is usual.
        view: the name of the program, if what holds is shown on the terminal; then answers go to no other
            place but a file.
        statistics: whether it is said on standard error in the end what the run has cost; the reasoner then
            measures that.
        statistics_file: where that is written as JSON.
        can_be_stuck: whether ticks can take too long, after which another process is to go on.
        program_options: what the program is and how it is run, by the names of options; see `fixed`.
    """

    reasoner: Callable[[int | None], Reasoner]
    input: str = STANDARD
    reading: Reading = field(default_factory=Reading)
    output: str = STANDARD
    emission: Emission = field(default_factory=Emission)
    every: int | None = None
    rejects: str | None = None
    is_strict: bool = False
    is_followed: bool = False
    is_by_clock: bool = False
    start: int | None = None
    until: int | None = None
    lateness: int = 0
    checkpoint: str | None = None
    pace: Pace | None = None
    view: str | None = None
    statistics: bool = False
    statistics_file: str | None = None
    can_be_stuck: bool = False
    program_options: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def fixed(self) -> dict[str, str]:
        """The options with which alone a run goes on from its checkpoints, as text; no passwords."""
        feed = feed_of(self.input)
        return {
            **self.program_options,
            "--input": self.input if feed is None else feed.name,
            **of_reading(self.reading, self.input),
            "--clock": "wall" if self.is_by_clock else "data",
            "--follow": "given" if self.is_followed else NOT_GIVEN,
            "--output": self.output,
            "--rejects": NOT_GIVEN if self.rejects is None else self.rejects,
            "--emit": {None: "change", 1: "every"}.get(self.every, str(self.every)),
            "--delta": "given" if self.emission.delta else NOT_GIVEN,
            "--start": NOT_GIVEN if self.start is None else str(self.start),
        }


class Job:
    """A run.

    Args:
        settings: what is run.
        finish: gives the exit status when the run is over, and says what was rejected.
        report: makes an exit status, with a message, of what a function raises; see `relay`.
    """

    def __init__(
        self,
        settings: Settings,
        finish: Callable[[Rejects], int],
        report: Callable[[Callable[[], int]], int],
    ) -> None:
        self._settings = settings
        self._finish = finish
        self._report = report
        self._clock = MachineClock()
        self._stop = Stop(self._write_out)
        self._buffered: list[TextIO | Rejects] = []

    def run(self) -> int:
        """Runs, and gives the exit status.

        No file is changed before all that can be is checked: options, program, checkpoint, files, input.

        Raises:
            InputError: if a file or a source cannot be used, or a record is not valid and that ends the run.
            EvaluationError: if clingo refuses the program.
            SnapshotError: if checkpoints are damaged, or of another run.
            KeyboardInterrupt, Terminated: if the process is asked to end.
        """
        settings = self._settings
        with self._stop.watched(), ExitStack() as stack, ExitStack() as self._listener:
            feed = self._feed()
            self._checkpoints, state = None, None
            if settings.checkpoint is not None:
                self._checkpoints = stack.enter_context(open_checkpoints(settings.checkpoint))
                state = self._loaded(self._checkpoints)
            self._costs = None
            if settings.statistics_file is not None:
                self._costs = stack.enter_context(open_output(settings.statistics_file))
            self._output = stack.enter_context(
                open_output(settings.output, self._counted_on(state, "output"))
            )
            rejects_kept = self._counted_on(state, "rejects")
            self._rejects = stack.enter_context(
                open_rejects(settings.rejects, settings.is_strict, rejects_kept)
            )
            self._buffered = [self._rejects, self._output.stream]
            self._source: FeedProcess | Input
            if feed is None:
                self._source = stack.enter_context(
                    Input(settings.input, settings.reading, self._rejects, self._stop.wait_for)
                )
            else:
                self._source = stack.enter_context(feed)
                self._listener.close()  # the process that reads has it
            self._has_begun = False
            is_apart = settings.can_be_stuck
            if is_apart:
                self._made_leg(state)  # so that what is wrong is known before a file is changed
                self._begin()
            return relay(self._run_leg, state, self._report, self._stop, is_apart=is_apart)

    def _write_out(self) -> None:
        """Writes what is still in buffers, where the process ends at once."""
        if self._settings.view is not None and sys.stdout is not None and sys.stdout.isatty():
            os.write(sys.stdout.fileno(), SHOW_CURSOR)
        for written in self._buffered:
            with suppress(Exception):
                written.flush()

    def _feed(self) -> FeedProcess | None:
        """What is read in a process of its own, if the input is: live sources, and what is kept in a journal.

        Raises InputError where it cannot be read.
        """
        settings = self._settings
        address = settings.input
        is_table = (settings.reading.format or format_of(address)) is Format.CSV
        is_address = address == STANDARD or feed_of(address) is not None
        is_live = feed_of(address) is not None or settings.is_followed or settings.is_by_clock
        can_be_read_again = not is_address and (Path(address).is_file() or Path(address).is_dir())
        if not is_live and (settings.checkpoint is None or can_be_read_again or is_table):
            return None
        if is_table:
            raise InputError(TABLE_IS_LIVE)
        if not is_address:
            check_readable(address)
        feed = feed_at(
            address, is_followed=settings.is_followed, largest_record=settings.reading.largest_record
        )
        note = None if settings.checkpoint is None or can_be_read_again else self._note
        process = FeedProcess(
            feed, self._clock, rereads=can_be_read_again, note=note, waiting=self._stop.waiting
        )
        if isinstance(feed, TcpFeed):
            feed.open()
            self._listener.callback(feed.close)
        return process

    def _note(self, lines: Sequence[Arrived]) -> None:
        """Keeps lines that cannot be had again. Raises SnapshotError."""
        if self._checkpoints is not None:
            self._checkpoints.note(lines)

    def _loaded(self, checkpoints: Checkpoints) -> State | None:
        """The state to go on from. Raises SnapshotError if it is of another run."""
        settings = self._settings
        state = checkpoints.load()
        if state is None:
            return None
        self._check_options(state, checkpoints)
        state["is_loaded"] = True
        with self._from_checkpoint(), restoring():
            source = state["source"]
            can_be_read_again = Path(settings.input).is_file() or Path(settings.input).is_dir()
            if "arrived" in source:
                state["source"], words = with_noted(source, checkpoints.noted())
                if not can_be_read_again:
                    _log.warning("%s", words)
            elif not can_be_read_again:
                _log.warning(
                    "%s: goes on with what comes now; what came after the last checkpoint is missing, as a "
                    "table that cannot be read again has no journal",
                    settings.input,
                )
                source |= {"line": 0, "number": 0}
        return state

    def _check_options(self, state: State, checkpoints: Checkpoints) -> None:
        """Raises SnapshotError for options with which a run cannot go on from a state."""
        settings, folder = self._settings, checkpoints.folder
        changed = changes(state["options"], settings.fixed)
        if changed:
            raise SnapshotError(
                f"the run cannot go on from the checkpoint in {folder}: {'; '.join(changed)}. Start it as it "
                f"was begun, or remove the folder {folder} to begin anew"
            )
        now = state["reasoner"]["now"]
        if settings.until is not None and now is not None and now > settings.until:
            raise SnapshotError(
                f"the run cannot go on from the checkpoint in {folder}: --until {settings.until} lies before "
                f"tick {now}, to which it has come. Give a later one, or remove the folder {folder} to begin "
                "anew"
            )

    @contextmanager
    def _from_checkpoint(self) -> Iterator[None]:
        """A SnapshotError within the context names the checkpoint, and what to do."""
        try:
            yield
        except SnapshotError as error:
            checkpoints = self._checkpoints
            if checkpoints is None:
                raise
            raise SnapshotError(
                f"{checkpoints.file}: {error}; remove the folder {checkpoints.folder} to begin anew"
            ) from error

    def _counted_on(self, state: State | None, name: str) -> CountedOn | None:
        """What the checkpoint counts on of a file."""
        size = None if state is None else state.get(name)
        return None if size is None else CountedOn(size, str(self._settings.checkpoint))

    def _made_leg(self, state: State | None) -> "Leg":
        """What runs on from a state. Raises what `run` raises before a file is changed."""
        source = self._source
        with self._from_checkpoint():
            leg = Leg(
                self._settings,
                self._clock,
                self._stop,
                source,
                self._output.stream,
                self._rejects,
                None if self._costs is None else self._costs.stream,
                self._checkpoints,
                state,
            )
            if isinstance(source, Input):
                source.open()
        return leg

    def _run_leg(self, state: State | None) -> int:
        """Runs on from a state; see `relay`."""
        leg = self._made_leg(state)
        if not self._has_begun:
            self._begin()
        with suppress(BrokenPipeError):  # whoever read the output may have gone
            try:
                leg.run()
            except BaseException:
                with suppress(OSError, InputError):  # what went wrong first is what counts
                    self._flush()
                raise
            self._flush()
        return self._finish(self._rejects)

    def _flush(self) -> None:
        """Sees to it that all is written; a process of its own closes nothing when it ends."""
        try:
            self._rejects.flush()
        finally:
            _quiet_standard_output()

    def _begin(self) -> None:
        """All is known to be right: files are cut to what is kept of them. Raises InputError."""
        self._has_begun = True
        if self._costs is not None:
            self._costs.begin()
        self._output.begin()
        self._rejects.begin()


class Leg:
    """A part of a run that one process does; see `relay`.

    Args:
        settings: what is run.
        clock: the time.
        stop: says when the run is asked to end.
        source: where records or lines come from.
        output: where answers go.
        rejects: where records go that are not valid.
        costs: where it is written what the run has cost.
        checkpoints: where the state is kept.
        state: from which it goes on.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        stop: Stop,
        source: FeedProcess | Input,
        output: TextIO,
        rejects: Rejects,
        costs: TextIO | None,
        checkpoints: Checkpoints | None,
        state: State | None,
    ) -> None:
        self._settings = settings
        self._source = source
        self._output = output
        self._rejects = rejects
        self._costs = costs
        self._reasoner = settings.reasoner(settings.start if state is None else state["start"])
        self._account = Account(self._reasoner)
        self._sink = JsonLines(output, settings.emission)
        self._view = None if settings.view is None else self._made_view(settings.view)
        self._stop = stop
        self._checkpoints = checkpoints
        if checkpoints is not None:
            checkpoints.leave()  # the legs before this one may have come further
        is_live = isinstance(source, FeedProcess)
        self._is_kept_at_once = state is None or (is_live and state.get("is_loaded", False))
        """Whether a checkpoint is to have what the journal has, or where the run begins."""
        keeper = Keeper(checkpoints, self._pace, hands_over=True, others=self._state)
        parts = self._reasoner, settings.every, self._write, rejects, keeper, stop
        self._run: DataTimeRun | WallTimeRun
        if settings.is_by_clock:
            self._run = WallTimeRun(*parts, reading=settings.reading, clock=clock, lateness=settings.lateness)
        else:
            self._run = DataTimeRun(*parts, lateness=settings.lateness)
        if state is not None:
            with restoring():
                self._restore(state)

    def run(self) -> None:
        """Runs, and says what it has cost. Raises HandOver, and what `Job.run` raises."""
        try:
            with self._stop.deferred():
                self._go()
        except HandOver:
            raise
        except BaseException as error:
            if self._stop.asked is not None and isinstance(error, KeyboardInterrupt | Terminated):
                with self._stop.deferred():
                    self._keep()
            with suppress(OSError, InputError):  # what went wrong first is what counts
                self._tell_cost()
            raise
        self._tell_cost()

    @property
    def _pace(self) -> Pace:
        """How far checkpoints are apart.

        Those of live runs are so in time as well, but where the answer streams that are followed depend on
        where they are: the same input is to have the same answers then too.
        """
        if self._settings.pace is not None:
            return self._settings.pace
        is_live = isinstance(self._source, FeedProcess) and self._reasoner.is_certain
        return Pace(seconds=EVERY_SECONDS if is_live else None)

    def _keep(self) -> None:
        """Keeps the state where the run is asked to end."""
        if self._checkpoints is None:
            return
        source = self._source
        try:
            if isinstance(source, FeedProcess):
                source.drain()
            if self._run.is_wholly_kept and (isinstance(source, FeedProcess) or source.is_at_record):
                self._run.save()
        except (Lars2aspError, OSError) as error:  # the run ends as it was asked to
            _log.warning("the run could not be kept where it ended: %s", error)

    def _go(self) -> None:
        settings, source = self._settings, self._source
        self._stop.check()
        if self._is_kept_at_once and self._checkpoints is not None:
            self._run.save()
        with ExitStack() as stack:
            if self._view is not None:
                stack.enter_context(self._view)
            if isinstance(self._run, WallTimeRun):
                assert isinstance(source, FeedProcess)
                self._run.over(source, settings.until)
            elif isinstance(source, FeedProcess):
                self._run.over(self._records(source), settings.until)
            else:
                is_shown = self._view is None and sys.stderr.isatty() and not self._output.isatty()
                show = stack.enter_context(progress(source, is_shown))
                self._run.over(show(source.records()), settings.until)

    def _write(self, answer: Answer) -> None:
        if self._view is None or self._settings.output != STANDARD:
            self._sink.write(answer)
        if self._view is not None:
            self._view.write(answer)

    def _records(self, source: FeedProcess) -> Iterator[Record]:
        for line in source.lines():
            record = self._settings.reading.record(line, self._rejects)
            if record is not None:
                yield record

    def _state(self) -> State:
        """What belongs to the state of the run besides that of the reasoner and what waits for it."""
        return {
            "start": self._reasoner.start,
            "options": self._settings.fixed,
            "source": self._source.state(),
            "output": size_of(self._output),
            "rejects": self._rejects.size,
            "rejected": self._rejects.count,
            "is_first": self._sink.is_first,
            "account": self._account.state(),
            "view": None if self._view is None else self._view.state(),
        }

    def _restore(self, state: State) -> None:
        self._run.restore(state)
        self._source.restore(state["source"])
        self._rejects.count, self._sink.is_first = state["rejected"], state["is_first"]
        self._account.restore(state["account"])
        if self._view is not None and state["view"] is not None:
            self._view.restore(state["view"])

    def _made_view(self, program: str) -> TerminalView:
        return TerminalView(
            _Terminal(),
            program,
            self._source.name,
            self._counters,
            self._settings.reading.timeline,
            counts_streams=self._reasoner.gives_models,
        )

    def _counters(self) -> Counters:
        """How far the run is; asked for by another thread."""
        evaluated, passed_over, facts = self._reasoner.counts
        run, source = self._run, self._source
        live = source if isinstance(source, FeedProcess) else None
        return Counters(
            tick=run.tick,
            facts=facts,
            ticks=evaluated + passed_over,
            rejected=self._rejects.count - run.late,
            late=run.late,
            lag_seconds=None if live is None else live.lag,
            waiting=run.waiting + (0 if live is None else live.waiting),
        )

    def _tell_cost(self) -> None:
        """Says what the run has cost, where that is asked for."""
        settings, source = self._settings, self._source
        if not settings.statistics and self._costs is None:
            return
        lag = source.most_lag if isinstance(source, FeedProcess) else None
        found = RunStatistics(
            self._account.statistics, self._account.seconds, self._rejects.count, self._run.late, lag
        )
        if settings.statistics:
            sys.stderr.write(found.text)
        if self._costs is not None:
            with blaming(self._costs):
                self._costs.write(json.dumps(found.json, indent=2) + "\n")
                self._costs.flush()


class _Terminal(Console):
    """Standard output; whoever reads it may go."""

    def on_broken_pipe(self) -> None:
        """As elsewhere, in place of an end of the process."""
        raise BrokenPipeError


def _quiet_standard_output() -> None:
    """Drops what nobody reads any more, so that Python does not complain about it at its end."""
    try:
        flush_standard_streams()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise not_written(sys.stdout, error) from error
