"""Windows that begin with an atom: `[since b]` and `[after b]`."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.analysis.windows import Since
from lars2asp.externals.operators import Batch, net
from lars2asp.externals.terms.places import picking
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.windows.beginnings import Beginnings
from lars2asp.externals.windows.row_by_row import RowByRow
from lars2asp.planning.lookups import Lookup, LookupKind


class _Spell:
    """When a row holds, as far as its window may have it.

    Attributes:
        opened: the tick from which on it holds; FOR_EVER if it does not.
        runs: of runs in the window that are over, in turns: the first tick and the one behind the last.
        number: the number of ticks of these.
        begin: the first tick of the window, when the ticks of the row were looked at last.
        told: the last tick up to which these were handed on then.
    """

    __slots__ = ("begin", "number", "opened", "runs", "told")

    def __init__(self) -> None:
        self.opened = FOR_EVER
        self.runs: list[int] = []
        self.number, self.begin, self.told = 0, 0, -1


class BegunWindows(RowByRow):
    """What is asked of windows that begin with an atom, by the values that it shares with others: their keys.

    The second and the third input have the beginnings: points, or segments of which what begins counts. The
    third has those that its reader derives, if it is late.

    Args:
        lookup: the lookup.
        window: the kind of windows.
        bodies: see Growing; one that observes always, if the answer does not grow.
        late: see Growing.
    """

    def __init__(
        self, lookup: Lookup, window: Since, bodies: Sequence[Sequence[int]], late: Collection[int]
    ) -> None:
        super().__init__(lookup, bodies, own=3, late=late)
        self._after = int(window.is_after)
        self._beginnings = Beginnings(window)
        self._firsts: dict[Row, int] = {}
        """By keys the first tick of the window."""

    @property
    def begun(self) -> dict[Row, int]:
        """By keys when windows last began."""
        return {key: first - self._after for key, first in self._firsts.items()}

    def go_on(self, begun: Mapping[Row, int]) -> None:
        """Takes over when windows began, before `restore`."""
        self._firsts = {key: tick + self._after for key, tick in begun.items()}
        self.inputs[1], self.inputs[2] = [], []

    def has_news(self, now: int) -> bool:
        """Whether windows began at a tick that is over, and readers hear of it at the next one."""
        return 2 in self.late and now in self.begun.values()


class BegunKeys(BegunWindows):
    """The keys of windows that have the current tick, or that alone. O(1) a beginning.

    Args:
        lookup: the lookup: HAS_NOW or NOTHING_BEFORE.
        window: the kind of windows.
        late: see Growing.
    """

    def __init__(self, lookup: Lookup, window: Since, late: Collection[int]) -> None:
        super().__init__(lookup, window, [()], late)
        self._is_alone = lookup.kind is LookupKind.NOTHING_BEFORE
        self._told: dict[Row, None] = {}

    def begin(self, tick: int, rows: Iterable[Row]) -> None:
        """Atoms begin windows anew."""
        for key in self._beginnings.keys(rows):
            self._firsts[key] = tick + self._after
            self._touched[key] = None

    def go_on(self, begun: Mapping[Row, int]) -> None:
        """Takes over when windows began, before `restore`."""
        super().go_on(begun)
        self._touched |= dict.fromkeys(begun)

    def look(self, tick: int, out: Batch) -> None:
        """Works out the keys that were touched, or for which it is time."""
        less, more = [], []
        for key in self._taken(tick):
            first = self._firsts[key]
            has_it = first == tick if self._is_alone else first <= tick
            if has_it and key not in self._told:
                self._told[key] = None
                more.append(key)
            elif not has_it and key in self._told:
                del self._told[key]
                less.append(key)
            if first > tick or (has_it and self._is_alone):
                self._look_again(key, max(first, tick + 1))
        if less or more:
            out.append((tick, less, more))


class SinceWindow(BegunWindows):
    """`a in [since b]` and others: the ticks from the last one on at which an atom b began or arrived.

    The window of Beck, Dao-Tran, Eiter 2018, definition 4, from there on; `[after b]` begins a tick later.
    There is one for all values that a and b share. O(1) a run, and for each row at the begin of its window.

    Args:
        lookup: the lookup.
        window: its window.
        bodies: see BegunWindows.
        late: see Growing.
        lag: whether the current tick counts as none of the window.
    """

    def __init__(
        self,
        lookup: Lookup,
        window: Since,
        bodies: Sequence[Sequence[int]],
        late: Collection[int] = (),
        *,
        lag: bool = False,
    ) -> None:
        super().__init__(lookup, window, bodies, late)
        self._lag = int(lag)
        self._key = picking(window.positions)
        self._rows: dict[Row, dict[Row, _Spell]] = {}
        """By keys the rows that hold in the window, or hold on."""
        self._anew: dict[Row, None] = {}
        """The rows of windows that began anew."""
        self._told: dict[Row, int] = {}
        """The rows of the answer, with their numbers."""

    # --- what happens ---------------------------------------------------------------------------------

    def take(self, tick: int, ended: Sequence[Row], began: Sequence[Row]) -> None:
        """Rows begin and end."""
        for row in ended:
            key = self._key(row)
            spell, first = self._rows[key][row], self._firsts.get(key, FOR_EVER)
            if first < FOR_EVER and self._kind is LookupKind.AT:
                first = spell.begin
            begin, spell.opened = max(spell.opened, first), FOR_EVER
            if begin < tick:
                spell.runs += (begin, tick)
                spell.number += tick - begin
                if self._kind is LookupKind.IN:
                    del spell.runs[:-2]
            self._touched[row] = None
            if first == FOR_EVER:
                self._drop(key, row, spell, tick)
        for row in began:
            spells = self._rows.setdefault(self._key(row), {})
            if row not in spells:
                spells[row] = _Spell()
            spells[row].opened = tick
            self._touched[row] = None

    def begin(self, tick: int, rows: Iterable[Row]) -> None:
        """Atoms begin windows anew."""
        for key in self._beginnings.keys(rows):
            self._firsts[key] = tick + self._after
            spells = self._rows.get(key, {})
            self._anew |= dict.fromkeys(spells)
            if self._kind is not LookupKind.AT:
                for spell in spells.values():
                    spell.number = 0
                    spell.runs.clear()

    # --- the answer -----------------------------------------------------------------------------------

    def look(self, tick: int, out: Batch) -> None:
        """Works out the rows that were touched, that grow, or for which it is time."""
        self._touched |= self._anew
        self._anew = {}
        self._work_out(self._taken(tick), tick, out, lists=True)

    def pass_over(self, tick: int, out: Batch) -> None:
        """Takes back what windows had that began anew."""
        anew, self._anew = self._anew, {}
        self._work_out(anew, tick, out, lists=False)
        if self._kind is LookupKind.AT:
            self._touched |= anew

    def _work_out(self, rows: Iterable[Row], tick: int, out: Batch, *, lists: bool) -> None:
        less: list[Row] = []
        more: list[Row] = []
        for row in rows:
            key = self._key(row)
            spell = self._rows.get(key, {}).get(row)
            if spell is None:
                continue
            first = self._firsts.get(key, FOR_EVER)
            if self._kind is not LookupKind.AT:
                self._count(row, self._number(row, spell, first, tick), less, more)
            elif first < FOR_EVER:
                _take_back(row, spell, first, less)
                if lists:
                    _list(row, spell, tick - self._lag, more)
            self._grow(row, grows=self._grows and spell.opened < FOR_EVER and first < FOR_EVER)
            self._drop(key, row, spell, tick)
        net(tick, less, more, out)

    def _drop(self, key: Row, row: Row, spell: _Spell, tick: int) -> None:
        """Forgets a row that is not in its window any more."""
        if spell.opened < FOR_EVER:
            return
        if not spell.runs or (self._kind is LookupKind.ALWAYS and not (self._lag and spell.runs[-1] >= tick)):
            del self._rows[key][row]
            self._touched.pop(row, None)
            if not self._rows[key]:
                del self._rows[key]

    def _number(self, row: Row, spell: _Spell, first: int, tick: int) -> int:
        """The number of ticks, if it is asked for; else whether there are enough: 1 or 0."""
        begin, lag = max(spell.opened, first), self._lag
        number = spell.number + max(tick - begin + 1 - lag, 0)
        if self._kind is LookupKind.COUNT:
            return number
        if self._kind is LookupKind.ALWAYS:
            if lag and spell.runs and spell.runs[-1] == tick:  # it held at the tick before
                self._look_again(row, tick + 1)
                return int(spell.runs[-2] <= first)
            enough_at = first + lag if spell.opened <= first else FOR_EVER
        elif number >= self._least:
            return 1
        else:
            enough_at = begin + self._least - spell.number - 1 + lag
        if tick < enough_at:
            self._look_again(row, enough_at)
        return int(enough_at <= tick)

    def _count(self, row: Row, number: int, less: list[Row], more: list[Row]) -> None:
        self._tell(row, self._told.get(row, 0), number, less, more)
        if number:
            self._told[row] = number
        else:
            self._told.pop(row, None)

    # --- states ---------------------------------------------------------------------------------------

    def known(self, now: int) -> Iterator[tuple[Row, list[int]]]:
        """The rows in windows, with their runs there up to a tick that is over."""
        for key, spells in self._rows.items():
            first = self._firsts.get(key, FOR_EVER)
            for row, spell in spells.items():
                begin = max(spell.opened, first)
                runs = [*spell.runs, begin, now + 1] if begin <= now else spell.runs
                if runs:
                    yield row, runs


def _take_back(row: Row, spell: _Spell, first: int, less: list[Row]) -> None:
    """The ticks before the first one of the window are in the answer no more."""
    if first == spell.begin:
        return
    runs, told = spell.runs, spell.told + 1
    done = 0
    for place in range(0, len(runs), 2):
        begin, end = runs[place : place + 2]
        if begin >= first:
            break
        less += [(*row, tick) for tick in range(begin, min(end, first, told))]
        if end > first:
            runs[place] = first
            break
        done = place + 2
    del runs[:done]
    less += [(*row, tick) for tick in range(max(spell.opened, spell.begin), min(first, told))]
    spell.begin, spell.told = first, max(spell.told, first - 1)


def _list(row: Row, spell: _Spell, tick: int, more: list[Row]) -> None:
    """The ticks of the window that were not handed on yet."""
    runs, fresh = spell.runs, spell.told + 1
    for place in range(len(runs) - 2, -1, -2):
        begin, end = runs[place : place + 2]
        if end <= fresh:
            break
        more += [(*row, at) for at in range(max(begin, fresh), end)]
    more += [(*row, at) for at in range(max(spell.opened, fresh), tick + 1)]
    spell.told = max(spell.told, tick)
