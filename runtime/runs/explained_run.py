"""Runs that are made to explain answers: to a tick, and once more from places further and further back."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import field
from itertools import islice

from lars2asp.analysis.tick_moments import LARGEST_TICK
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoning.run_options import RunOptions
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.reasoning.snapshot import unpacked
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.progress_bar import Progress, ProgressBar, file_names
from lars2asp.runtime.runs.states.restart_points import RestartPoints
from lars2asp.runtime.runs.states.state_keeping import State, StateKeeper
from lars2asp.runtime.sources.lateness import LatenessWords
from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.recorded_input import RecordedInput
from lars2asp.runtime.sources.records import OnReject, Record, Rejected
from lars2asp.runtime.sources.text.text_files import STANDARD
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.values import dataclass

MOST_LATER = 1000
"""So many records after the last tick are read, at most."""


@dataclass(eq=False)
class ExplainedRun:
    """A run over a file, as `lars2asp run` makes it, to the tick at which an answer is to be explained.

    What is needed to explain answers is kept of the last ticks only. What lies further back is found by a
    replay: from a restart point of the run, with all kept from there on.

    Attributes:
        plan: the program, compiled to be explained.
        inputs: the names of the files.
        reading: how it is read.
        options: those of the session, but for those named here and `explain_last`.
        start: the first tick of the timeline; None for that of the first record.
        tuning: thresholds.
        until: the last tick; None for that of the last record.
        lateness: the number of ticks for which late records are waited for.
        shows_progress: whether a bar on the terminal shows how far the run is.
        hands_over: whether HandOver is raised, so that another process goes on, where clingo is still at work
            for a tick that took too long.
        others: the rest of the state that this process gets.
        first: the tick of the first record; None where there is none.
        last: that of the last record that was read; None where there is none.
        has_ended: whether there are no more records.
        later: the first records after the last tick; none of standard input, which may still be written.
    """

    plan: Plan
    inputs: Sequence[str]
    reading: Reading
    options: RunOptions
    start: int | None
    tuning: Tuning
    until: int | None
    lateness: int
    shows_progress: bool = False
    hands_over: bool = False
    others: Callable[[], State] = dict
    first: int | None = field(default=None, init=False)
    last: int | None = field(default=None, init=False)
    has_ended: bool = field(default=False, init=False)
    later: list[Record] = field(default_factory=list, init=False)
    _is_over: bool = field(default=False, init=False)
    _points: RestartPoints | None = field(default=None, init=False)

    def run(self, on_reject: OnReject, *, keeps_all: bool) -> Session:
        """The session at the tick.

        Args:
            on_reject: takes rejected records.
            keeps_all: whether all is kept from the beginning on; else as much as windows look back at.

        Raises what a run raises.
        """
        session = self._session(self.start, keeps_all=keeps_all)
        with open_inputs(self.inputs, self.reading, self._until_over(on_reject)) as source:
            keeper = self._keeper(session, source, keeps_all=keeps_all)
            if not keeps_all:
                keeper = self._points = RestartPoints(
                    others=keeper.others,
                    is_certain=session.is_certain,
                    tuning=self.tuning,
                    hands_over=self.hands_over,
                )
            with self._shown(source, session):
                self._over(self._made(session, source, on_reject, keeper), source)
        return session

    def resumed(self, state: State, on_reject: OnReject) -> Session:
        """The session at the tick, from the state that was handed over; as much is kept as before."""
        self.first, self.last = state["first"], state["last"]
        return self._from(state, on_reject, keeps_all=state["keeps_all"])

    def replays(self) -> Iterator[Session]:
        """The session at the tick once more, each time with more kept, at last with all."""
        for point in reversed(self._points.points if self._points is not None else ()):
            yield self._from(unpacked(point.state), _ignore, keeps_all=True)
        yield self.run(_ignore, keeps_all=True)

    def _from(self, state: State, on_reject: OnReject, *, keeps_all: bool) -> Session:
        """The session at the tick, by a replay from a state."""
        session = self._session(state["start"], keeps_all=keeps_all)
        with open_inputs(self.inputs, self.reading, self._until_over(on_reject)) as source:
            source.restore(state["source"])
            keeper = self._keeper(session, source, keeps_all=keeps_all)
            run = self._made(session, source, on_reject, keeper)
            run.restore(state)
            with self._shown(source, session):
                self._over(run, source)
        return session

    def _over(self, run: DataTimeRun, source: RecordedInput) -> None:
        """Runs to the tick, and reads a few records on."""
        self._is_over, self.later = False, []
        records = self._watched(source)
        run.over(records, self.until)
        self._is_over = True
        if self.until is not None and self.inputs != (STANDARD,):
            with suppress(InputError):
                deque(islice(records, max(MOST_LATER - len(self.later), 0)), maxlen=0)

    def _until_over(self, on_reject: OnReject) -> OnReject:
        """Takes rejected records up to the tick."""
        return lambda rejected: None if self._is_over else on_reject(rejected)

    def _keeper(self, session: Session, source: RecordedInput, *, keeps_all: bool) -> StateKeeper:
        def others() -> State:
            return {
                "start": session.start,
                "source": source.state(),
                "keeps_all": keeps_all,
                "first": self.first,
                "last": self.last,
                **self.others(),
            }

        return StateKeeper(hands_over=self.hands_over, others=others, tuning=self.tuning)

    def _session(self, start: int | None, *, keeps_all: bool) -> Session:
        kept = LARGEST_TICK if keeps_all else 0
        options: RunOptions = {**self.options, "start": start, "explain_last": kept, "tuning": self.tuning}
        session = Session(self.plan, **options)
        session.gaps = session.gaps.left_to_inputs()
        return session

    def _made(
        self, session: Session, source: RecordedInput, on_reject: OnReject, keeper: StateKeeper
    ) -> DataTimeRun:
        parts = session, None, _pass_by, on_reject, keeper
        words = LatenessWords(self.reading.timeline)
        return DataTimeRun(*parts, lateness=self.lateness, words=words, reached=source.reached)

    def _shown(self, source: RecordedInput, session: Session) -> AbstractContextManager[object]:
        """Shows how far the run is, if that is asked for."""
        if not self.shows_progress:
            return nullcontext()

        def progress() -> Progress:
            evaluated, passed_over, facts = session.counts
            place = "" if session.now is None else f"tick {session.now}"
            return Progress(source.share, place, {"facts": facts, "ticks": evaluated + passed_over})

        return ProgressBar(file_names(source.name), progress)

    def _watched(self, source: RecordedInput) -> Iterator[Record]:
        """The records, noting how far they have been read."""
        for record in source.records():
            self.first = record.tick if self.first is None else self.first
            if self.until is not None and record.tick > self.until and len(self.later) < MOST_LATER:
                self.later.append(record)
            if not self._is_over:
                self.last = record.tick
            yield record
        self.has_ended = self.has_ended or not self._is_over


def _ignore(_: Rejected) -> None:
    """Takes a record that was rejected by the run before."""


def _pass_by(_: Answer) -> None:
    """Takes an answer that nobody asked for."""
