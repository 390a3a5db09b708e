"""When the atoms of one predicate hold: a canonical interval stream, kept in two forms.

The latest run of each atom stands in a dictionary. It alone decides sliding diamonds and boxes, which are
asked at every tick (`experiments/window_queries.py` has the figures). Runs before it go to an interval
tree, for the windows that look at single ticks of the past; where no window does, they are dropped.

Besides, the runs that begin and end at each tick are listed, as far back as windows look: from these lists
follows what changes in a window by a tick, whatever else is in it (externals.views).
"""

from collections.abc import Iterator, Sequence

from clingo import Symbol
from intervaltree import IntervalTree

from externals.intervals import OPEN_END, Interval, canonical
from externals.symbols import key_of

SWEEP_AFTER = 256
"""Sweeping runs before the latest waits until so many, and as many as the sweep before left, have come."""

NEVER = -(2**62)
"""Earlier than every tick."""


class Run:
    """The ticks of one interval at which an atom holds.

    Attributes:
        atom: the atom.
        history: the history of its predicate.
        begin: the first tick.
        end: the last tick as far as is known; OPEN_END while it is open in one way or the other.
        told_end: the last tick that facts tell of themselves, which an end event does not take back.
        is_open: whether it was begun and not ended by events.
        is_derived: whether rules derive it until told otherwise.
        before: the last tick of the atom's run before, NEVER without one that is known.
        is_latest: whether the atom has no later run.
    """

    __slots__ = (
        "atom",
        "before",
        "begin",
        "end",
        "history",
        "is_derived",
        "is_latest",
        "is_open",
        "told_end",
    )

    def __init__(self, atom: Symbol, history: "History", begin: int, before: int) -> None:
        self.atom = atom
        self.history = history
        self.begin = begin
        self.end = self.told_end = begin - 1
        self.before = before
        self.is_open = self.is_derived = False
        self.is_latest = True

    @property
    def is_background(self) -> bool:
        """Whether it is of an atom of the background data."""
        return self.told_end == OPEN_END

    def told(self, until: int) -> None:
        """It holds until a tick at least."""
        if until > self.told_end:
            self.told_end = until
            if until > self.end:
                self.end = until
                if until != OPEN_END:
                    self.history.ends_at(self, until)

    def settle(self, last: int) -> None:
        """What makes it open has changed; without anything it holds to `last` or to what facts told."""
        end = OPEN_END if self.is_open or self.is_derived else max(self.told_end, last)
        if end != self.end:
            self.end = end
            if end != OPEN_END:
                self.history.ends_at(self, end)


class History:
    """The runs of one predicate's atoms.

    Args:
        reach: how many ticks back the predicate is looked at; older runs are forgotten. None: without end.
        keeps_earlier: whether runs before the latest of an atom are asked for.
        pinned: ticks that are looked at however long ago they were.
        known: takes the latest run of each atom as well, by the key of the atom.
    """

    def __init__(
        self,
        reach: int | None,
        *,
        keeps_earlier: bool,
        pinned: frozenset[int] = frozenset(),
        known: dict[int, Run] | None = None,
    ) -> None:
        self._reach = reach
        self._keeps_earlier = keeps_earlier
        self._pinned = pinned
        self.runs: dict[int, Run] = {}
        """The latest run of each atom, by the key of the atom."""
        self.holding: dict[int, Run] = {}
        """The runs that hold at the current tick."""
        self.is_alone = True
        """Whether no other history is told the same atoms."""
        self._known = {} if known is None else known
        self._begun: dict[int, list[Run]] = {}
        self._ending: dict[int, list[Run]] = {}
        self._remembered = 0
        self._earlier = IntervalTree()
        self._sweep_at = SWEEP_AFTER
        self._now = NEVER

    def __len__(self) -> int:
        """The number of runs that are kept."""
        return len(self.runs) + len(self._earlier)

    # --- telling --------------------------------------------------------------------------------------

    def is_open(self, atom: Symbol) -> bool:
        """Whether the atom was begun and not ended."""
        run = self.runs.get(key_of(atom))
        return run is not None and run.is_open

    def run_at(self, atom: Symbol, tick: int) -> Run:
        """The atom's run that holds at a tick, or that the tick adds to; a new one where there is none."""
        key = key_of(atom)
        run = self.runs.get(key)
        if run is None:
            before = NEVER
        elif run.end >= tick - 1:
            self.holding[key] = run
            return run
        else:
            before = run.end
            run.is_latest = False
            if self._keeps_earlier:
                self._earlier.addi(run.begin, run.end + 1, run.atom)
            atom = run.atom
        run = self.runs[key] = self.holding[key] = self._known[key] = Run(atom, self, tick, before)
        begun = self._begun.get(tick)
        if begun is None:
            self._begun[tick] = [run]
        else:
            begun.append(run)
        return run

    def ends_at(self, run: Run, tick: int) -> None:
        """Notes that a run ends at a tick, as far as is known now."""
        ending = self._ending.get(tick)
        if ending is None:
            self._ending[tick] = [run]
        else:
            ending.append(run)
        if tick < self._now:
            self.holding.pop(key_of(run.atom), None)

    def tell(self, atom: Symbol, tick: int, until: int | None, is_open: bool) -> None:
        """What the events of a tick come to for an atom.

        Args:
            atom: the atom.
            tick: the current tick; no call goes back behind an earlier one.
            until: the last tick, not before the current one, that facts tell it holds at; None for no fact.
            is_open: whether it is begun and not ended after the tick's events.
        """
        run = self.runs.get(key_of(atom))
        if not (is_open or until is not None or (run is not None and run.is_open)):
            return
        run = self.run_at(atom, tick)
        run.is_open = is_open
        if until is not None:
            run.told(until)
        run.settle(tick - 1)

    def keep(self, atom: Symbol, tick: int) -> None:
        """The atom is background data: it holds from this tick, the start, for ever."""
        self.run_at(atom, tick).told(OPEN_END)

    def derive(self, atom: Symbol, tick: int) -> None:
        """Rules derive the atom from this tick, the current one, until told otherwise."""
        run = self.run_at(atom, tick)
        run.is_derived = True
        run.settle(tick)

    def underive(self, atom: Symbol, tick: int) -> None:
        """Rules derived the atom until the tick before this one, the current one."""
        run = self.runs[key_of(atom)]
        run.is_derived = False
        run.settle(tick - 1)

    def place(self, atom: Symbol, tick: int) -> None:
        """The atom holds at a past tick as well; only for histories that keep earlier runs."""
        if self._reach is not None and tick < self._now - self._reach and tick not in self._pinned:
            return
        key = key_of(atom)
        run = self.runs.get(key)
        if run is None:
            run = self.runs[key] = self._known[key] = Run(atom, self, tick, NEVER)
            run.told(tick)
        elif tick > run.end + 1:
            self._earlier.addi(run.begin, run.end + 1, run.atom)
            run.is_latest = False
            run = self.runs[key] = self._known[key] = Run(run.atom, self, tick, run.end)
            run.told(tick)
        elif tick > run.end:
            run.told(tick)
        elif tick < run.begin:
            begin = end = tick
            for near in self._earlier.overlap(tick - 1, tick + 2):
                if near.data == run.atom:
                    begin, end = min(begin, near.begin), max(end, near.end - 1)
                    self._earlier.remove(near)
            if end == run.begin - 1:
                run.begin = begin
            else:
                self._earlier.addi(begin, end + 1, run.atom)

    def remember(self, ticks: int) -> None:
        """From now on `begun` and `ended` know what was so many ticks ago."""
        if ticks > self._remembered:
            self._remembered = ticks
            self._begun.clear()
            for run in self.runs.values():
                if run.begin >= self._now - ticks:
                    self._begun.setdefault(run.begin, []).append(run)

    def advance(self, now: int) -> None:
        """Makes a tick the current one, at which nothing more is told, and drops what no window can reach.

        Costs what ended and what is dropped. Ticks may be passed over.
        """
        last, self._now = self._now, now
        gone = now - 2 - max(self._remembered, self._reach or 0)
        if now - last == 1:
            self._end(now - 1)
            self._begun.pop(now - 1 - self._remembered, None)
            self._drop(gone)
        else:
            for tick in sorted(tick for tick in self._ending if last - 1 <= tick < now):
                self._end(tick)
            for tick in [tick for tick in self._begun if tick < now - self._remembered]:
                del self._begun[tick]
            for tick in [tick for tick in self._ending if tick <= gone]:
                self._drop(tick)
        if self._reach is None or len(self._earlier) < self._sweep_at:
            return
        horizon = now - self._reach
        self._earlier = IntervalTree(
            run for run in self._earlier if run.end > horizon or self._has_pinned(run.begin, run.end - 1)
        )
        self._sweep_at = 2 * len(self._earlier) + SWEEP_AFTER

    def _end(self, tick: int) -> None:
        """What was to end at a tick that is past has ended, if nothing was told since."""
        ending = self._ending.get(tick)
        if ending:
            self._ending[tick] = ended = [run for run in ending if run.end == tick]
            for run in ended:
                self.holding.pop(key_of(run.atom), None)

    def _drop(self, tick: int) -> None:
        """Forgets runs that ended at a tick."""
        runs = self._ending.pop(tick, None)
        if not runs or self._reach is None:
            return
        for run in runs:
            if run.is_latest and run.end == tick and not self._has_pinned(run.begin, tick):
                self.runs.pop(key_of(run.atom), None)
                self._known.pop(key_of(run.atom), None)

    def _has_pinned(self, begin: int, end: int) -> bool:
        return any(begin <= tick <= end for tick in self._pinned)

    # --- what changed ---------------------------------------------------------------------------------

    def begun(self, tick: int) -> Sequence[Run]:
        """The runs that began at a tick; what was placed later is not among them."""
        return self._begun.get(tick, ())

    def ended(self, tick: int) -> list[Run]:
        """The runs that ended at a tick, which is past, each once."""
        runs = self._ending.get(tick)
        if not runs:
            return []
        return list(dict.fromkeys(run for run in runs if run.end == tick))

    # --- asking ---------------------------------------------------------------------------------------

    def now(self, *, with_background: bool) -> list[Symbol]:
        """The atoms that hold at the current tick."""
        return [run.atom for run in self.holding.values() if with_background or not run.is_background]

    def since(self, first: int) -> list[Symbol]:
        """The atoms that hold at some tick from `first` to now."""
        return [run.atom for run in self.runs.values() if run.end >= first]

    def between(self, first: int, last: int) -> list[Symbol]:
        """The atoms that hold at some tick from `first` to `last`, each once or more."""
        return [atom for atom, _ in self.spans(first, last)]

    def throughout(self, first: int, last: int) -> list[Symbol]:
        """The atoms that hold at every tick from `first` to `last`."""
        found = [run.atom for run in self.runs.values() if run.begin <= first and run.end >= last]
        if self._earlier:
            found += [run.data for run in self._earlier.at(last) if run.begin <= first]
        return found

    def counts(self, first: int, last: int) -> dict[Symbol, int]:
        """At how many ticks from `first` to `last` atoms hold; 1 or more each."""
        counts: dict[Symbol, int] = {}
        for atom, interval in self.spans(first, last):
            counts[atom] = counts.get(atom, 0) + interval.end - interval.begin + 1
        return counts

    def spans(self, first: int, last: int) -> Iterator[tuple[Symbol, Interval]]:
        """The atoms and intervals that have a tick in `first` ... `last`, cut to these."""
        for run in self.runs.values():
            if run.begin <= last and run.end >= first:
                yield run.atom, Interval(max(run.begin, first), min(run.end, last))
        for earlier in self._earlier.overlap(first, last + 1):
            yield earlier.data, Interval(max(earlier.begin, first), min(earlier.end - 1, last))

    def intervals(self, atom: Symbol) -> tuple[Interval, ...]:
        """The canonical intervals of an atom, as far as they are kept."""
        run = self.runs.get(key_of(atom))
        if run is None:
            return ()
        earlier = (Interval(i.begin, i.end - 1) for i in self._earlier if i.data == run.atom)
        return canonical([*earlier, Interval(run.begin, run.end)])
