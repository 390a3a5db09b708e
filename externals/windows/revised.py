"""Windows over relations of which more becomes known later: heads place rows at ticks that are over.

Rules may also derive rows that later ticks forget. So a window sees, at each tick, what is known then.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lars2asp.analysis.window_edges import FOR_EVER, Edges, SlidingEdges
from lars2asp.analysis.windows import Fixed
from lars2asp.externals.intervals import Runs, merged
from lars2asp.externals.operators import Batch, net
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.windows.row_by_row import RowByRow
from lars2asp.planning.lookups import Lookup, LookupKind

LATE, FADING, PASSING = 1, 2, 3
"""The inputs beside the rows that stay known."""


class Revised(RowByRow):
    """A streaming atom over what is known at a tick of a relation. O(runs of the row) for a row with news.

    Heads `a at T` with T <= now make a hold at T from now on (Beck, Dao-Tran, Eiter 2018, section 3); `#temp`
    does so for the current tick alone (Calimeri et al. 2021).

    The first input has the rows that stay known, as they begin and end. The others have rows that held at a
    tick before, which is their last value; rows that are known for the current tick alone, as these begin
    and end; and such rows that hold at a tick before.

    Args:
        lookup: the lookup.
        edges: those of its window, or of each stretch of its offsets.
        bodies: see Growing.
        start: the first tick of the timeline.
        complete: whether `always` needs windows that lie wholly on it.
    """

    def __init__(
        self,
        lookup: Lookup,
        edges: Sequence[Edges],
        bodies: Sequence[Sequence[int]],
        start: int,
        *,
        complete: bool,
    ) -> None:
        super().__init__(lookup, bodies, own=4)
        self.edges = edges
        self._slides = all(type(one) is SlidingEdges for one in edges)
        self._changes_at = [at for one in edges for at in (one.when_last(start), one.when_first(start))]
        wholes = [one.when_whole or 0 for one in edges] if complete else [0]
        self._whole = max(wholes)
        self._changes_at.append(self._whole)
        self._keeps = isinstance(lookup.window, Fixed)
        self._runs: dict[Row, Runs] = {}
        self._of_the_tick: set[Row] = set()
        self._placed: dict[Row, list[int]] = {}
        self._numbers_told: dict[Row, int] = {}
        self._ticks_told: dict[Row, set[int]] = {}

    # --- what happens ---------------------------------------------------------------------------------

    def _beginning(self) -> tuple[dict[int, list[Any]], set[int]]:
        """By ticks, what comes by the inputs beside the first one; and these ticks."""
        found: dict[int, list[Any]] = {}
        for place in (LATE, FADING, PASSING):
            for tick, ended, began in self.inputs[place]:
                found.setdefault(tick, []).append((place, ended, began))
            self.inputs[place].clear()
        return found, {*found}

    def take(self, tick: int, ended: Sequence[Row], began: Sequence[Row]) -> None:
        """Rows begin and end."""
        for row in ended:
            self._runs[row][-1] = tick
            self._forget_later(row, tick)
        for row in began:
            runs = self._runs.setdefault(row, [])
            if runs and runs[-1] == tick:
                runs[-1] = FOR_EVER
            else:
                runs += (tick, FOR_EVER)
        self._touched |= dict.fromkeys((*ended, *began))

    def begin(self, tick: int, rows: Iterable[Any]) -> None:
        """Rows become known, and others are known no more."""
        for place, ended, began in rows:
            if place == FADING:
                self._of_the_tick.difference_update(ended)
                self._of_the_tick.update(began)
                self._touched |= dict.fromkeys((*ended, *began))
                continue
            for *values, at in ended:
                self._placed[tuple(values)].remove(at)
            for *values, at in began:
                row = tuple(values)
                if place == PASSING:
                    self._placed.setdefault(row, []).append(at)
                else:
                    self._runs[row] = merged([*self._runs.get(row, ()), at, at + 1])
                    self._forget_later(row, at + 1)
            self._touched |= dict.fromkeys(tuple(pair[:-1]) for pair in (*ended, *began))

    def _forget_later(self, row: Row, end: int) -> None:
        """A run is to be forgotten when it has left all windows."""
        self._look_again(row, max(one.when_first(end - 1) for one in self.edges))

    def _forget(self, row: Row, tick: int) -> None:
        """Forgets runs that have left all windows."""
        runs = self._runs.get(row)
        if runs is None:
            return
        first = min(one.at(tick)[0] for one in self.edges)
        gone = next((place for place in range(0, len(runs), 2) if runs[place + 1] > first), len(runs))
        del runs[:gone]
        if not runs:
            del self._runs[row]

    # --- the answer -----------------------------------------------------------------------------------

    def _known(self, row: Row) -> Runs:
        """When a row held, as far as that is known, but for what is known for the current tick alone."""
        runs, placed = self._runs.get(row, []), self._placed.get(row)
        if placed:
            return merged([*runs, *(at for one in placed for at in (one, one + 1))])
        if placed is not None:
            del self._placed[row]
        return runs

    def look(self, tick: int, out: Batch) -> None:
        """Works out the rows with news, those that grow, and those for which it is time."""
        less: list[Row] = []
        more: list[Row] = []
        for row in self._taken(tick):
            self._forget(row, tick)
            runs = self._known(row)
            if self._kind is LookupKind.AT:
                self._list(row, runs, tick, less, more)
            else:
                number = self._answer(row, runs, tick)
                self._tell(row, self._numbers_told.get(row, 0), number, less, more)
                if number:
                    self._numbers_told[row] = number
                else:
                    self._numbers_told.pop(row, None)
            self._expect(row, runs, tick)
        net(tick, less, more, out)

    def _at(self, row: Row, runs: Runs, tick: int) -> Runs:
        """The runs at a tick."""
        return merged([*runs, tick, tick + 1]) if row in self._of_the_tick else runs

    def _ends(self, tick: int) -> list[tuple[int, int]]:
        return [one.at(tick) for one in self.edges]

    def _answer(self, row: Row, runs: Runs, tick: int) -> int:
        """The number of ticks, if it is asked for; else whether there are enough: 1 or 0."""
        ends = self._ends(tick)
        number = _overlap(self._at(row, runs, tick), ends)
        if self._kind is LookupKind.COUNT:
            return number
        if self._kind is LookupKind.ALWAYS:
            return int(0 < number == _overlap([0, FOR_EVER], ends) and tick >= self._whole)
        return int(number >= self._least)

    def _list(self, row: Row, runs: Runs, tick: int, less: list[Row], more: list[Row]) -> None:
        """The ticks of the window at which a row is known to hold."""
        told, known, ends = self._ticks_told.get(row, set()), self._at(row, runs, tick), self._ends(tick)
        here = {
            tick
            for begin, end in zip(known[::2], known[1::2], strict=True)
            for first, last in ends
            for tick in range(max(begin, first), min(end, last + 1))
        }
        less += [(*row, tick) for tick in told - here]
        more += [(*row, tick) for tick in here - told]
        if here:
            self._ticks_told[row] = here
        else:
            self._ticks_told.pop(row, None)

    def _expect(self, row: Row, runs: Runs, tick: int) -> None:
        """Notes when the answer about a row may be another one if nothing comes."""
        kind, fades, ends = self._kind, row in self._of_the_tick, self._ends(tick)
        pairs = [*zip(runs[::2], runs[1::2], strict=True)]
        if kind is LookupKind.AT or not self._slides:
            inside = kind not in (LookupKind.IN, LookupKind.ALWAYS) and any(
                begin <= last + 1 < end or begin <= first < end
                for begin, end in pairs
                for first, last in ends
            )
            grows = fades or inside
        elif kind is LookupKind.COUNT or (kind is LookupKind.ALWAYS and fades):
            grows = self._answer(row, runs, tick) != self._answer(row, runs, tick + 1)
        else:
            grows = False
        self._grow(row, grows=grows)
        changes = [*self._changes_at]
        for one in self.edges:
            changes += [at for tick in runs for at in (one.when_last(tick), one.when_first(tick - 1))]
        if fades and grows and any(last == tick for _, last in ends):
            changes.append(tick + 1)  # the window may stand still, and the current tick leaves it
        change = min((at for at in changes if at > tick), default=FOR_EVER)
        if kind is LookupKind.LEAST and self._slides:
            change = self._crossing(row, runs, tick, change)
        self._look_again(row, change)

    def _crossing(self, row: Row, runs: Runs, tick: int, change: int) -> int:
        """The first tick up to a change at which there are enough ticks, or are no more.

        The number is linear in between: it crosses K once or never. O(log n) for n ticks.
        """
        before = self._answer(row, runs, tick)
        low, high = tick, tick + self._least if change == FOR_EVER else change - 1
        if self._answer(row, runs, high) == before:
            return change
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._answer(row, runs, middle) == before else (low, middle)
        return high

    def next_after(self, tick: int) -> int:
        """The next move of the window if a row grows; otherwise the first tick at which a row is due."""
        due = self._ticks[0] if self._ticks else FOR_EVER
        return min(due, *(one.next_move(tick) for one in self.edges)) if self._growing else due

    def pass_over(self, tick: int, out: Batch) -> None:
        """Forgets what has left all windows."""
        for row in self._due(tick):
            self._forget(row, tick)
            if row in self._runs or row in self._numbers_told or row in self._ticks_told:
                self._touched[row] = None
            elif row not in self._of_the_tick and row not in self._placed:
                self._touched.pop(row, None)

    # --- states ---------------------------------------------------------------------------------------

    def restore(self, now: int) -> Sequence[Row]:
        """See Growing; it takes what came by all inputs."""
        news = self._beginning()[0]
        for segment in self.inputs[0]:
            self._take(segment)
        self.inputs[0].clear()
        for tick in sorted(news):
            self.begin(tick, news[tick])
        return super().restore(now)

    def known(self, now: int) -> Iterator[tuple[Row, list[int]]]:
        """The rows with their runs up to a tick that is over; none if traces reach as far back."""
        if not self._keeps:
            return
        for row, runs in self._runs.items():
            yield row, [*runs[:-1], min(runs[-1], now + 1)]


def _overlap(runs: Runs, ends: Sequence[tuple[int, int]]) -> int:
    """The number of ticks of windows that lie in runs."""
    return sum(
        max(min(end, last + 1) - max(begin, first), 0)
        for begin, end in zip(runs[::2], runs[1::2], strict=True)
        for first, last in ends
    )
