"""What `lars2asp run` does: a run with its files, its checkpoints, and the processes that it takes."""

import gc
import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from lars2asp.runtime.connectors.addresses import feed_of
from lars2asp.runtime.connectors.clock import MachineClock
from lars2asp.runtime.errors import InputError, SnapshotError
from lars2asp.runtime.reasoning.memory import collect_for_rows
from lars2asp.runtime.reasoning.snapshot import restoring
from lars2asp.runtime.runs.command.live_input import judge_posts, live_notice
from lars2asp.runtime.runs.command.outputs import Outputs, open_outputs
from lars2asp.runtime.runs.command.run_end import RunEnd
from lars2asp.runtime.runs.command.run_settings import BY_THE_CLOCK, RunSettings, changes, is_of_program
from lars2asp.runtime.runs.command.segment import Segment
from lars2asp.runtime.runs.processes.relay import ReportErrors, relay
from lars2asp.runtime.runs.processes.stop import Stop
from lars2asp.runtime.runs.progress_bar import CLEARED
from lars2asp.runtime.runs.states.state_keeping import HandOver, State
from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.recorded_input import RecordedInput
from lars2asp.runtime.sources.records import refuse
from lars2asp.runtime.sources.rejects import Rejects, open_rejects
from lars2asp.runtime.sources.text.folder_files import folder_of
from lars2asp.runtime.sources.text.text_files import (
    STANDARD,
    CheckpointedSize,
    check_readable,
    flush_standard_streams,
    not_written,
    open_output,
)
from lars2asp.syntax.source import visible

if TYPE_CHECKING:
    from lars2asp.runtime.connectors.feed import Feed
    from lars2asp.runtime.connectors.inbox import ArrivedLine
    from lars2asp.runtime.live_page.page_settings import LivePageSettings
    from lars2asp.runtime.live_page.serving import Serving
    from lars2asp.runtime.runs.processes.delivery import Delivered
    from lars2asp.runtime.runs.processes.feed_process import FeedProcess
    from lars2asp.runtime.runs.states.checkpoints import Checkpoints

# What live sources and checkpoints need is imported where they are used: most runs start sooner without.
# ruff: noqa: PLC0415

_log = logging.getLogger("lars2asp")

Finish = Callable[[Rejects, Callable[[Sequence[str]], RunEnd]], int]
"""Gives the exit status of a run that is over, which says what there is to say for the files of a program."""

SHOW_CURSOR = b"\x1b[?25h"


class CommandRun:
    """A run of the command line.

    Args:
        settings: its settings.
        finish: returns the exit status when the run is over, and prints what there is to say.
        report: see `relay`.
    """

    def __init__(self, settings: RunSettings, finish: Finish, report: ReportErrors) -> None:
        self._settings = settings
        self._finish = finish
        self._report = report
        self._clock = MachineClock()
        self._stop = Stop(self._write_out)
        self._name = settings.input
        """The source, as messages name it."""
        self._buffered: Outputs | None = None
        self._segment: Segment | None = None

    def run(self) -> int:
        """Runs, and returns the exit status.

        No file is changed before options, program, checkpoint, files and input are checked.

        Raises:
            InputError: if a file or a source cannot be used, or a record is not valid and that ends the run.
            EvaluationError: if clingo refuses the program.
            SnapshotError: if checkpoints are damaged, or of another run.
            KeyboardInterrupt, Terminated: if the process is asked to end.
        """
        settings = self._settings
        with self._stop.watched(), ExitStack() as stack, ExitStack() as self._listener:
            if settings.tables is not None:
                stack.enter_context(self._stop.taking_reloads())
            feed = self._feed()
            self._checkpoints: Checkpoints | None = None
            state = None
            if settings.checkpoint is None:
                self._find_origin(None)
                settings = self._settings
            else:
                from lars2asp.runtime.runs.states.checkpoints import open_checkpoints

                self._checkpoints = stack.enter_context(open_checkpoints(settings.checkpoint))
                state = self._loaded(self._checkpoints)
                self._explain_if_it_can(state)
                settings = self._settings
            self._costs = None
            if settings.statistics_file is not None:
                self._costs = stack.enter_context(open_output(settings.statistics_file))
            self._chart_file = None
            if settings.chart_file is not None:
                self._chart_file = stack.enter_context(open_output(settings.chart_file))
            sizes = None if state is None else state.get("output")
            to = settings.output, settings.emission, sizes, settings.checkpoint
            self._page = None
            if settings.page is not None:
                self._page = stack.enter_context(self._serving(settings.page))
            delivered = None if self._checkpoints is None else _delivered(self._checkpoints, state)
            self._outputs = stack.enter_context(
                open_outputs(*to, self._stop.waiting, delivered, settings.posting)
            )
            if (delivery := self._outputs.delivery) is not None:
                self._stop.look_beside(delivery.answers, delivery.look)
            kept = self._checkpointed(state, "rejects")
            self._rejects = stack.enter_context(
                open_rejects(settings.rejects, settings.stops_at, kept, settings.checkpoint)
            )
            self._buffered = self._outputs
            self._source: FeedProcess | RecordedInput
            if feed is None:
                self._source = stack.enter_context(
                    open_inputs(settings.inputs, settings.reading, self._rejects, self._stop.wait_for)
                )
            else:
                self._go_on_from(state)
                self._source = stack.enter_context(feed)
                self._listener.close()  # the process that reads has it
            self._has_begun = False
            if settings.can_be_stuck:
                self._made_segment(state)  # its errors are raised before a file is changed
                self._begin()
            self._say_what_is_waited_for()
            if not gc.isenabled():  # the process is that of the command
                collect_for_rows()
                gc.enable()
            return relay(self._run_segment, state, self._report, self._stop, is_apart=settings.can_be_stuck)

    def _find_origin(self, state: State | None) -> None:
        """Says when tick 0 begins, as a state has it, or by the first record of files. Raises InputError."""
        settings, late = self._settings, self._settings.reading.timeline.late
        if late is None or settings.find_origin is None:
            return
        reasoner = {} if state is None else state["reasoner"]
        if "origin" in reasoner or "first" in reasoner:
            late.begin_at(reasoner.get("origin", 0))  # earlier versions counted from 1970
        else:
            settings.find_origin()
            if settings.is_by_clock:
                late.begin_with(self._clock.microseconds())
        start, until = settings.asked()
        self._settings = replace(settings, start=start, until=until)

    def _explain_if_it_can(self, state: State | None) -> None:
        """Without explanations the page of a run that goes on from where none could be given."""
        settings = self._settings
        if (
            settings.page is None
            or not settings.page.explains
            or state is None
            or state["reasoner"]["now"] is None
        ):
            return
        if "history" not in state["reasoner"]:
            _log.warning("the run was begun without a page, so that this one explains nothing")
            page, session = replace(settings.page, explains=False), partial(settings.session, explains=False)
            self._settings = replace(settings, page=page, session=session)

    def _serving(self, page: "LivePageSettings") -> "Serving":
        """The process that serves the page. Raises InputError."""
        from lars2asp.runtime.live_page.serving import Serving

        settings = self._settings
        title = f"{settings.title} on {'standard input' if self._name == STANDARD else self._name}"
        serving = Serving(page.address, page.page_of(title, settings.reading.timeline))
        sys.stderr.write(f"the page is at {serving.url}\n")
        return serving

    def _say_what_is_waited_for(self) -> None:
        """Says what live input needs; for files nothing."""
        is_terminal = self._settings.input == STANDARD and sys.stdin is not None and sys.stdin.isatty()
        if is_terminal or not isinstance(self._source, RecordedInput):
            notice = live_notice(self._settings, self._name, is_terminal=is_terminal)
            if notice is not None:
                sys.stderr.write(f"{visible(notice)}\n")

    def _write_out(self) -> None:
        """Writes the rest of the buffers, where the process ends at once."""
        if self._settings.view is not None and sys.stdout is not None and sys.stdout.isatty():
            os.write(sys.stdout.fileno(), SHOW_CURSOR)
        if self._segment is not None and self._segment.shows_progress:
            os.write(sys.stderr.fileno(), CLEARED)
        if self._buffered is not None:
            with suppress(Exception):
                self._buffered.flush()

    def _feed(self) -> "FeedProcess | None":
        """The process that reads the input, if it is live or kept in a journal. Raises InputError."""
        settings = self._settings
        readings = [settings.live_reading_of(name) for name in settings.inputs]
        are_lines = all(one.unnamed.is_live for one in readings)
        is_to_be_kept = settings.checkpoint is not None and not settings.can_be_read_again and are_lines
        if not settings.is_live and not is_to_be_kept:
            return None
        settings.live_reader(settings.reading, refuse)  # for formats that are not read live
        for number, name in enumerate(settings.inputs):
            may_be_gone = settings.checkpoint is not None and number in settings.followed
            if name != STANDARD and feed_of(name) is None and not may_be_gone:
                check_readable(folder_of(name))
        from lars2asp.runtime.connectors.feed import KeepingFeed, ListeningFeed
        from lars2asp.runtime.connectors.merged_feed import MergedFeed
        from lars2asp.runtime.runs.follow import feed_at
        from lars2asp.runtime.runs.processes.feed_process import FeedProcess

        feeds = [
            feed_at(
                name,
                is_followed=settings.follows(name),
                largest_record=reading.largest_record,
                encoding=reading.dialect.encoding,
                idle=idle,
            )
            for name, reading, idle in zip(settings.inputs, readings, settings.idles, strict=True)
        ]
        is_noted = settings.checkpoint is not None and (
            not settings.can_be_read_again or bool(settings.positioned)
        )
        note = self._note if is_noted else None
        for number, one in enumerate(feeds):
            judge_posts(one, settings, number)
            if isinstance(one, KeepingFeed):
                one.waits_until_kept = note is not None
        feed: Feed = feeds[0] if len(feeds) == 1 else MergedFeed(feeds)
        rereads = settings.rereads
        by_position = () if settings.is_by_clock else settings.positioned  # arrivals are kept by the clock
        process = FeedProcess(
            feed,
            self._clock,
            rereads=rereads,
            positioned=by_position,
            paused=[number for number, one in enumerate(readings) if one.is_multiline],
            note=note,
            has_come=self._stop.has_come,
        )
        self._feeds = feeds
        for one in feeds:
            if isinstance(one, ListeningFeed):
                one.open()
                self._listener.callback(one.close)
        self._name = ", ".join(one.name for one in feeds)  # with ports
        return process

    def _go_on_from(self, state: State | None) -> None:
        """Says where feeds are to be read on that have positions."""
        from lars2asp.runtime.connectors.feed import PositionedFeed

        source = {} if state is None else state["source"]
        last = source.get("last", [])
        lasts = dict(last) if isinstance(last, list) else {0: last}  # a number in earlier versions
        for number, one in enumerate(self._feeds):
            positions = {name: at for of, name, at in source.get("positions", []) if of == number}
            if number in self._settings.followed and not positions and number in lasts:
                positions = {one.name: (None, lasts[number])}  # these had no positions of files
            if isinstance(one, PositionedFeed) and positions:
                one.go_on(positions)

    def _note(self, lines: "Sequence[ArrivedLine]") -> None:
        """Keeps lines that cannot be read again. Raises SnapshotError."""
        if self._checkpoints is not None:
            self._checkpoints.note(lines)

    def _loaded(self, checkpoints: "Checkpoints") -> State | None:
        """The state to go on from. Raises SnapshotError if it is of another run."""
        settings = self._settings
        state = checkpoints.load()
        self._find_origin(state)
        settings = self._settings
        if state is None:
            return None
        self._check_options(state, checkpoints)
        state["is_loaded"] = True
        with self._from_checkpoint(), restoring():
            source = state["source"]
            if "arrived" in source:
                from lars2asp.runtime.runs.processes.feed_process import with_noted

                state["source"], words = with_noted(source, checkpoints.noted())
                if not settings.can_be_read_again:
                    _log.warning("%s", words)
            elif not settings.can_be_read_again:
                _log.warning(
                    "%s: continues with new input; input after the last checkpoint is missing, as a "
                    "table that cannot be read again has no journal",
                    settings.input,
                )
                source |= {"line": 0, "number": 0}
        return state

    def _check_options(self, state: State, checkpoints: "Checkpoints") -> None:
        """Raises SnapshotError for options with which a run cannot go on from a state."""
        settings, folder = self._settings, checkpoints.folder
        refused = f"cannot resume from the checkpoint in {folder}: "
        anew = f"or remove the folder {folder} to start over"
        kept, fixed = state["options"], settings.fixed
        changed = changes(kept, fixed)
        others = [name for name in fixed if not is_of_program(name)]
        is_changed_program = bool(changed) and not changes(
            *({n: one[n] for n in others if n in one} for one in (kept, fixed))
        )
        has_begun = state["reasoner"]["now"] is not None
        if is_changed_program and settings.takes_over and (state.get("program") is not None or not has_begun):
            state["takes_over"] = True
            state["reasoner"].pop("history", None)  # it is explained by the rules of then
        elif changed:
            way = "Use the same options as before, "
            if is_changed_program and not settings.takes_over:
                way += "or add --changed-program to keep the content of windows, "
            elif is_changed_program and has_begun:
                way = f"The checkpoint is of an earlier version: {way[0].lower()}{way[1:]}"
            tick = "--tick or #tick"
            if fixed[tick].endswith(BY_THE_CLOCK) and not kept.get(tick, BY_THE_CLOCK).endswith(BY_THE_CLOCK):
                way = f"To keep ticks of 24 hours write #tick 24 hour. and add --changed-program. {way}"
            raise SnapshotError(f"{refused}{'; '.join(changed)}. {way}{anew}")
        now = state["reasoner"]["now"]
        if settings.until is not None and now is not None and now > settings.until:
            reason = f"--until {settings.until} is before tick {now} of the checkpoint"
            raise SnapshotError(f"{refused}{reason}. Give a later tick, {anew}")

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
                f"{checkpoints.file}: {error}; remove the folder {checkpoints.folder} to start over"
            ) from error

    def _checkpointed(self, state: State | None, name: str) -> CheckpointedSize | None:
        """The part of a file that the checkpoint needs."""
        size = None if state is None else state.get(name)
        return None if size is None else CheckpointedSize(size, str(self._settings.checkpoint))

    def _made_segment(self, state: State | None) -> Segment:
        """The segment from a state on. Raises what `run` raises before a file is changed."""
        source = self._source
        with self._from_checkpoint():
            costs = None if self._costs is None else self._costs.stream
            chart = None if self._chart_file is None else self._chart_file.stream
            sinks = self._outputs, self._rejects, costs, chart, self._checkpoints
            page = None if self._page is None else self._page.connection
            segment = Segment(self._settings, self._clock, self._stop, source, *sinks, page, state)
            if isinstance(source, RecordedInput):
                source.open()
        return segment

    def _run_segment(self, state: State | None) -> int:
        """Runs the segment from a state on; see `relay`."""
        segment = self._segment = self._made_segment(state)
        if not self._has_begun:
            self._begin()
        with suppress(BrokenPipeError):  # the reader of the output has gone
            try:
                segment.run()
            except HandOver:
                with suppress(OSError, InputError):
                    _quiet_standard_output()
                raise
            except BaseException:
                with suppress(OSError, InputError):  # the first error is the one to report
                    self._rejects.sum_up()
                    _quiet_standard_output()
                raise
            _quiet_standard_output()
        return self._finish(self._rejects, segment.end)

    def _begin(self) -> None:
        """Cuts files to what is kept of them, once everything is checked. Raises InputError."""
        self._has_begun = True
        if self._costs is not None:
            self._costs.begin()
        if self._chart_file is not None:
            self._chart_file.begin()
        self._outputs.begin()
        self._rejects.begin()


def _delivered(checkpoints: "Checkpoints", state: State | None) -> "Delivered":
    """How far answers that are sent to others were delivered. Raises SnapshotError."""
    from lars2asp.runtime.runs.processes.delivery import Delivered

    if state is None:
        return Delivered(note=checkpoints.note_delivered)
    kept = state.get("delivered") or {"number": 0, "waiting": []}  # of an earlier version
    known = dict(kept.get("known", ())) | checkpoints.delivered()
    return Delivered(kept["number"], kept["waiting"], known, checkpoints.note_delivered)


def _quiet_standard_output() -> None:
    """Flushes it, or drops what nobody reads any more, so that Python does not complain at its end."""
    try:
        flush_standard_streams()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise not_written(sys.stdout, error) from error
