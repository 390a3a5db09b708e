"""Two programs over one recorded stream, and in what their answers differ."""

from collections.abc import Collection, Iterator, Sequence
from time import perf_counter

from lars2asp.analysis.tick_moments import LARGEST_TICK
from lars2asp.externals.terms.terms import GroundAtom
from lars2asp.externals.terms.text import atom_text
from lars2asp.planning.plan import Plan
from lars2asp.runtime.explanations.words.question import parsed_atom
from lars2asp.runtime.reasoning.run_options import RunOptions
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.command.run_statistics import RunStatistics
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.runs.held_answers import HeldAnswers, Ticks, within, without
from lars2asp.runtime.runs.states.state_keeping import StateKeeper
from lars2asp.runtime.sources.lateness import LatenessWords
from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import OnReject, Record
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class Difference:
    """An atom held by one of two programs, and not by the other.

    Attributes:
        atom: the atom as text; None where that program has no answer at all, and the other one has.
        ticks: the first and the last tick at which it was so.
        by: the number of the program, 0 or 1.
    """

    atom: str | None
    ticks: Ticks
    by: int


class ComparedRun:
    """A run of one of the programs.

    Args:
        plan: the program; compiled to be explained if it is to say why.
        reading: how it reads the input.
        options: those of the session.
        lateness: the ticks for which late records are waited for.
    """

    def __init__(self, plan: Plan, reading: Reading, options: RunOptions, lateness: int) -> None:
        self._plan = plan
        self._reading = reading
        self._lateness = lateness
        kept = None if plan.explained is None else LARGEST_TICK
        whole: RunOptions = {**options, "explain_last": kept}
        self._session = Session(plan, **whole)
        self._session.gaps = self._session.gaps.left_to_inputs()
        self._first: int | None = None
        self.held = HeldAnswers()
        self._seconds = 0.0

    def over(self, inputs: Sequence[str], until: int | None, on_reject: OnReject) -> None:
        """Runs over inputs to a tick, or to their end. Raises what a run raises."""
        began = perf_counter()
        words = LatenessWords(self._reading.timeline)
        parts = self._session, None, self.held.take, on_reject, StateKeeper()
        with open_inputs(inputs, self._reading, on_reject) as source:
            run = DataTimeRun(*parts, lateness=self._lateness, words=words, reached=source.reached)
            run.over(self._watched(source.records()), until)
        first = self._first if self._session.start is None else self._session.start
        self.held.close(first or 0, self._session.now or 0)
        self._seconds = perf_counter() - began

    def costs(self, rejected: int) -> RunStatistics:
        """What the run has cost, with so many records that were rejected; made with `stats`."""
        return RunStatistics(self._session.statistics, self._seconds, rejected)

    def _watched(self, records: Iterator[Record]) -> Iterator[Record]:
        for record in records:
            if self._first is None or record.tick < self._first:
                self._first = record.tick
            yield record

    def text_of(self, atom: GroundAtom) -> str:
        """An atom as the program writes it."""
        return atom_text(*atom, self._plan.decimals)

    def why(self, atom: str, tick: int) -> str:
        """Why an atom holds at a tick, or why not, as text."""
        return str(self._session.explained(parsed_atom(atom), tick, None, 1, self._reading.timeline))


def differences(runs: Sequence[ComparedRun], ticks: Ticks, only: Collection[str] = ()) -> list[Difference]:
    """What the answers of two runs that are over differ in, in the order of time.

    `only` has the predicates that count, such as `alarm/1`, if not all do.
    """
    found: list[Difference] = []
    for by, (run, other) in enumerate(((runs[0], runs[1]), (runs[1], runs[0]))):
        held, theirs = run.held, other.held
        for gap in within(held.gaps, ticks):
            found += (Difference(None, one, by) for one in without(gap, theirs.gaps))
        intervals = {other.text_of(atom): known for atom, known in theirs.intervals.items()}
        for atom, _ in held.during(ticks):
            if only and str(atom.signature) not in only:
                continue
            text = run.text_of(atom)
            for interval in within(held.intervals[atom], ticks):
                found += (Difference(text, one, by) for one in without(interval, intervals.get(text, ())))
    return sorted(found, key=lambda one: (one.ticks[0], one.atom or ""))
