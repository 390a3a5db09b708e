"""One run from source to sinks, with its files, its checkpoints, and the processes it takes."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field

from runtime.checkpoints import Checkpoints, open_checkpoints
from runtime.clock import MachineClock
from runtime.data_time import DataTimeRun
from runtime.feed_process import FeedProcess
from runtime.feeds.addresses import feed_of
from runtime.feeds.feed import Feed
from runtime.follow import feed_at
from runtime.keeping import EVERY, Keeper, State
from runtime.progress import progress
from runtime.reasoner import Reasoner
from runtime.records import Record
from runtime.rejects import Rejects, open_rejects
from runtime.relay import relay
from runtime.sinks import Emission, JsonLines
from runtime.sources.files import Input
from runtime.sources.reading import Reading
from runtime.text_files import STANDARD, open_output, size_of
from runtime.wall_time import WallTimeRun


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
        checkpoint_every: how many ticks they are apart.
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
    checkpoint_every: int = EVERY


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

    def run(self) -> int:
        """Runs, and gives the exit status.

        Raises:
            InputError: if a file or a source cannot be used, or a record is not valid and that ends the run.
            EvaluationError: if clingo refuses the program.
            SnapshotError: if checkpoints are damaged, or of another run.
        """
        settings = self._settings
        feed = self._feed()
        with ExitStack() as stack:
            process = None
            if feed is not None:
                process = stack.enter_context(FeedProcess(feed, self._clock, rereads=settings.is_followed))
            self._checkpoints, state = None, None
            if settings.checkpoint is not None:
                self._checkpoints = stack.enter_context(open_checkpoints(settings.checkpoint))
                state = self._loaded(self._checkpoints)
            before = state or {}
            self._output = stack.enter_context(open_output(settings.output, before.get("output")))
            self._rejects = stack.enter_context(
                open_rejects(settings.rejects, settings.is_strict, before.get("rejects"))
            )
            self._source: FeedProcess | Input
            if process is not None:
                self._source = process
            else:
                self._source = stack.enter_context(Input(settings.input, settings.reading, self._rejects))
            return relay(self._leg, state, self._report)

    def _loaded(self, checkpoints: Checkpoints) -> State | None:
        state = checkpoints.load()
        if state is not None and self._settings.input == STANDARD and "file" in state["source"]:
            # what was read of it before cannot be known: the run goes on with what comes
            state["source"] |= {"line": 0, "number": 0}
        return state

    def _leg(self, state: State | None) -> int:
        """Runs on from a state; see `relay`."""
        with suppress(BrokenPipeError):  # whoever read the output may have gone
            try:
                self._run_on(state)
            finally:  # a process of its own closes nothing when it ends
                self._rejects.flush()
                _quiet_standard_output()
        return self._finish(self._rejects)

    def _run_on(self, state: State | None) -> None:
        settings, source, rejects = self._settings, self._source, self._rejects
        reasoner = settings.reasoner(settings.start if state is None else state["start"])
        sink = JsonLines(self._output, settings.emission)

        def others() -> State:
            return {
                "start": reasoner.start,
                "source": source.state(),
                "output": size_of(self._output),
                "rejects": rejects.size,
                "rejected": rejects.count,
                "is_first": sink.is_first,
            }

        keeper = Keeper(self._checkpoints, settings.checkpoint_every, hands_over=True, others=others)
        run: DataTimeRun | WallTimeRun
        parts = reasoner, settings.every, sink.write, rejects, keeper
        if settings.is_by_clock:
            run = WallTimeRun(*parts, reading=settings.reading, clock=self._clock, lateness=settings.lateness)
        else:
            run = DataTimeRun(*parts, lateness=settings.lateness)
        if state is not None:
            run.restore(state)
            source.restore(state["source"])
            rejects.count, sink.is_first = state["rejected"], state["is_first"]
        if isinstance(run, WallTimeRun):
            assert isinstance(source, FeedProcess)
            run.over(source, settings.until)
        elif isinstance(source, FeedProcess):
            run.over(self._records(source), settings.until)
        else:
            is_shown = sys.stderr.isatty() and not self._output.isatty()
            with progress(source, is_shown) as show:
                run.over(show(source.records()), settings.until)

    def _records(self, source: FeedProcess) -> Iterator[Record]:
        for line in source.lines():
            record = self._settings.reading.record(line, self._rejects)
            if record is not None:
                yield record

    def _feed(self) -> Feed | None:
        """The live source, if the input is one. Raises InputError."""
        settings = self._settings
        if feed_of(settings.input) is None and not settings.is_followed and not settings.is_by_clock:
            return None
        return feed_at(settings.input, is_followed=settings.is_followed)


def _quiet_standard_output() -> None:
    """Drops what nobody reads any more, so that Python does not complain about it at its end."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
