"""When the atoms of one predicate hold: a canonical interval stream, kept in two forms.

The latest run of each atom stands in a dictionary. It alone decides sliding diamonds and boxes, which are
asked at every tick (`experiments/window_queries.py` has the figures). Runs before it go to an interval
tree, for the windows that look at single ticks of the past; where no window does, they are dropped.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from clingo import Function, Symbol
from intervaltree import IntervalTree

from externals.intervals import OPEN_END, Interval, canonical

SWEEP_AFTER = 256
"""Sweeping waits until so many entries, and as many as were left by the sweep before, have come."""


@dataclass(slots=True)
class Run:
    """The ticks of one interval at which an atom holds.

    `end` is OPEN_END for a run that was begun and not ended; `told_end` is then the last tick that facts
    tell of themselves, which an end event does not take back.
    """

    arguments: Symbol
    begin: int
    end: int
    told_end: int


class History:
    """The runs of one predicate's atoms.

    Args:
        reach: how many ticks back the predicate is looked at; older runs are forgotten. None: without end.
        keeps_earlier: whether runs before the latest of an atom are asked for.
        pinned: ticks that are looked at however long ago they were.
    """

    def __init__(
        self, reach: int | None, *, keeps_earlier: bool, pinned: frozenset[int] = frozenset()
    ) -> None:
        self._reach = reach
        self._keeps_earlier = keeps_earlier
        self._pinned = pinned
        self._latest: dict[Symbol, Run] = {}
        self._holding: dict[Symbol, Run] = {}
        self._earlier = IntervalTree()
        self._sweep_at = SWEEP_AFTER

    def __len__(self) -> int:
        """The number of runs that are kept."""
        return len(self._latest) + len(self._earlier)

    # --- telling --------------------------------------------------------------------------------------

    def is_open(self, atom: Symbol) -> bool:
        """Whether the atom was begun and not ended."""
        run = self._latest.get(atom)
        return run is not None and run.end == OPEN_END

    def tell(self, atom: Symbol, tick: int, until: int | None, is_open: bool) -> None:
        """What the events of a tick come to for an atom.

        Args:
            atom: the atom.
            tick: the current tick; no call goes back behind an earlier one.
            until: the last tick, not before the current one, that facts tell it holds at; None for no fact.
            is_open: whether it is begun and not ended after the tick's events.
        """
        run = self._latest.get(atom)
        was_open = run is not None and run.end == OPEN_END
        if not (is_open or was_open or until is not None):
            return
        told_end = tick - 1 if until is None else until
        if run is not None and run.end >= tick - 1:
            run.told_end = max(run.told_end, told_end)
        else:
            if run is not None and self._keeps_earlier:
                self._earlier.addi(run.begin, run.end + 1, run.arguments)
            arguments = run.arguments if run is not None else Function("", atom.arguments)
            run = self._latest[atom] = Run(arguments, tick, tick, told_end)
        run.end = OPEN_END if is_open else run.told_end
        self._holding[atom] = run

    def place(self, atom: Symbol, tick: int) -> None:
        """The atom holds at a past tick as well; only for histories that keep earlier runs."""
        run = self._latest.get(atom)
        if run is None:
            self._latest[atom] = Run(Function("", atom.arguments), tick, tick, tick)
        elif tick > run.end + 1:
            self._earlier.addi(run.begin, run.end + 1, run.arguments)
            self._latest[atom] = Run(run.arguments, tick, tick, tick)
        elif tick > run.end:
            run.end = run.told_end = tick
        elif tick < run.begin:
            begin = end = tick
            for near in self._earlier.overlap(tick - 1, tick + 2):
                if near.data == run.arguments:
                    begin, end = min(begin, near.begin), max(end, near.end - 1)
                    self._earlier.remove(near)
            if end == run.begin - 1:
                run.begin = begin
            else:
                self._earlier.addi(begin, end + 1, run.arguments)

    def advance(self, now: int) -> None:
        """Makes a tick the current one and drops runs that no window can reach any more.

        Costs what holds now and held at the tick before; dropping costs a constant per run ever told.
        """
        if self._holding:
            self._holding = {atom: run for atom, run in self._holding.items() if run.end >= now}
        if self._reach is None or len(self) < self._sweep_at:
            return
        horizon = now - self._reach
        self._latest = {
            atom: run
            for atom, run in self._latest.items()
            if run.end >= horizon or self._has_pinned(run.begin, run.end)
        }
        self._earlier = IntervalTree(
            run for run in self._earlier if run.end > horizon or self._has_pinned(run.begin, run.end - 1)
        )
        self._sweep_at = 2 * len(self) + SWEEP_AFTER

    def _has_pinned(self, begin: int, end: int) -> bool:
        return any(begin <= tick <= end for tick in self._pinned)

    # --- asking ---------------------------------------------------------------------------------------

    def now(self) -> list[Symbol]:
        """The arguments of the atoms that hold at the current tick."""
        return [run.arguments for run in self._holding.values()]

    def since(self, first: int) -> list[Symbol]:
        """The arguments of the atoms that hold at some tick from `first` to now."""
        return [run.arguments for run in self._latest.values() if run.end >= first]

    def between(self, first: int, last: int) -> list[Symbol]:
        """The arguments of the atoms that hold at some tick from `first` to `last`, each once or more."""
        return [arguments for arguments, _ in self.runs(first, last)]

    def throughout(self, first: int, last: int) -> list[Symbol]:
        """The arguments of the atoms that hold at every tick from `first` to `last`."""
        found = [run.arguments for run in self._latest.values() if run.begin <= first and run.end >= last]
        if self._earlier:
            found += [run.data for run in self._earlier.at(last) if run.begin <= first]
        return found

    def counts(self, first: int, last: int) -> dict[Symbol, int]:
        """At how many ticks from `first` to `last` atoms hold, by their arguments; 1 or more each."""
        counts: dict[Symbol, int] = {}
        for arguments, interval in self.runs(first, last):
            counts[arguments] = counts.get(arguments, 0) + interval.end - interval.begin + 1
        return counts

    def runs(self, first: int, last: int) -> Iterator[tuple[Symbol, Interval]]:
        """Arguments and interval of the runs that have a tick in `first` ... `last`, cut to these."""
        for run in self._latest.values():
            if run.begin <= last and run.end >= first:
                yield run.arguments, Interval(max(run.begin, first), min(run.end, last))
        for earlier in self._earlier.overlap(first, last + 1):
            yield earlier.data, Interval(max(earlier.begin, first), min(earlier.end - 1, last))

    def intervals(self, atom: Symbol) -> tuple[Interval, ...]:
        """The canonical intervals of an atom, as far as they are kept."""
        run = self._latest.get(atom)
        if run is None:
            return ()
        earlier = (Interval(i.begin, i.end - 1) for i in self._earlier if i.data == run.arguments)
        return canonical([*earlier, Interval(run.begin, run.end)])
