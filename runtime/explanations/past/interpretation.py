"""What holds at which tick, seen from which tick, and which instances of literals are true by it.

`seen_at` is the tick of evaluation from which the stream is looked at: rules may place atoms at ticks
before it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lars2asp.analysis.predicates import window_of
from lars2asp.analysis.windows import LastArrivals, Since, TickWindow
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.runtime.explanations.past.beginnings import begun, first_tick, key_of
from lars2asp.runtime.explanations.past.history import History
from lars2asp.runtime.explanations.past.holding import NOTHING_HELD, Holding, Interval, Run
from lars2asp.runtime.explanations.past.older import group_of
from lars2asp.runtime.explanations.past.terms import Binding, Terms
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Signature, StreamingAtom

NOTHING_KNOWN: Mapping[int, Value] = MappingProxyType({})
"""No argument of an atom is known."""


class Placement(NamedTuple):
    """An atom that a head `a at T` placed at a tick.

    Attributes:
        signature: its predicate.
        row: its arguments.
        tick: the tick.
        at: the tick of evaluation at which it was.
        is_kept: whether later ones see it.
    """

    signature: Signature
    row: Row
    tick: int
    at: int
    is_kept: bool


class Interpretation:
    """What holds when.

    Args:
        history: what was told and answered.
        background: the facts of the program.
        terms: what terms stand for.
        is_strict: whether only the input is in the stream, not what rules derived at earlier ticks.
        complete_windows: whether `always`, `not` and `at most` need windows wholly on the timeline.
        passing: predicates with rules of which atoms are not kept (`#temp`).
        placing: the predicates of heads `a at T`.
        derivable: the predicates that rules may derive.
        is_kept: whether later ticks see an atom that was derived at a tick.
        placed: gives what heads place at a tick of evaluation.
        check: is called again and again; may raise where an explanation takes too long.
    """

    def __init__(
        self,
        history: History,
        background: Mapping[Signature, Mapping[Row, object]],
        terms: Terms,
        constants: Mapping[str, int],
        *,
        is_strict: bool,
        complete_windows: bool,
        passing: frozenset[Signature],
        placing: frozenset[Signature],
        derivable: frozenset[Signature],
        is_kept: Callable[[Signature, Row, int], bool],
        placed: Callable[[int], Sequence[Placement]],
        check: Callable[[], None],
    ) -> None:
        self.history = history
        self.background = background
        self.terms = terms
        self._constants = constants
        self.is_strict = is_strict
        self._complete_windows = complete_windows
        self._passing = passing
        self.placing = placing
        self._derivable = derivable
        self._is_kept = is_kept
        self._placed = placed
        self._check = check
        self._begun: dict[tuple[Since, int], Mapping[Row, int]] = {}

    @property
    def start(self) -> int:
        """The first tick of the timeline."""
        return self.history.start or 0

    # --- atoms ----------------------------------------------------------------------------------------

    def holds(self, signature: Signature, row: Row, tick: int, seen_at: int) -> bool:
        """Whether an atom holds at a tick, up to the one from which it is looked at."""
        return bool(self.runs(signature, row, [(tick, tick)], seen_at))

    def told(self, signature: Signature, row: Row, tick: int) -> Interval | None:
        """The interval of the input by which an atom holds at a tick."""
        for interval in self.history.input(signature).of(row):
            if interval.covers(tick):
                return interval
        return None

    def is_steady(self, signature: Signature) -> bool:
        """Whether what holds of a predicate at a tick is decided at that tick, and lasts."""
        return signature not in self.placing and signature not in self._passing

    def viewpoint(self, signature: Signature, row: Row | None, tick: int, seen_at: int) -> int:
        """The tick of evaluation at which it is decided that an atom holds at a tick, or does not.

        Args:
            signature: the predicate.
            row: the arguments; None for an atom that does not hold.
            tick: the tick.
            seen_at: the tick of evaluation from which it is looked at.
        """
        if self.is_strict:
            return seen_at
        if tick >= seen_at or signature not in self._derivable:
            return tick
        if self.is_steady(signature):
            return tick
        if row is not None and signature in self._passing and not self._is_given(signature, row, tick):
            return seen_at  # a `#temp` rule may derive at the tick itself what another one lets last
        return tick if row is not None and self.holds(signature, row, tick, tick) else seen_at

    def _is_given(self, signature: Signature, row: Row, tick: int) -> bool:
        """Whether the input or a fact tells an atom."""
        return row in self.background.get(signature, ()) or self.told(signature, row, tick) is not None

    def placements(self, signature: Signature, first: int, last: int, seen_at: int) -> Iterator[Placement]:
        """The atoms of a predicate that heads placed in a range of ticks before the tick of evaluation.

        Those that waited for a tick without answer stream are among them: they hold, but are in no answer.
        """
        if signature not in self.placing:
            return
        ahead = any(not self.history.has_answer(tick) for tick in range(first, last + 1))
        earliest = self.history.kept_from if ahead else max(first, self.history.kept_from)
        for at in [seen_at] if self.is_strict else range(seen_at, earliest - 1, -1):
            if not self.history.has_answer(at):
                continue
            for one in self._placed(at):
                if (
                    (one.is_kept or at == seen_at)
                    and one.signature == signature
                    and first <= one.tick <= last
                ):
                    yield one
        if not self.is_strict:
            for at, tick, row in self.history.placed_long_ago(signature):
                if at <= seen_at and first <= tick <= last:
                    yield Placement(signature, row, tick, at, True)

    def rows(
        self, signature: Signature, runs: Iterable[Run], seen_at: int, place: int = -1, value: object = None
    ) -> Iterator[Row]:
        """The atoms of a predicate that may hold at a tick of some runs, each once; latest first.

        Args:
            signature: the predicate.
            runs: runs of ticks.
            seen_at: the tick of evaluation.
            place: an argument whose value is known, -1 for none.
            value: its value.
        """
        seen: set[Row] = set()
        ranges = [run for run in runs if run[0] <= run[1]]
        if ranges:
            for row in self.background.get(signature, ()):
                if row not in seen:
                    seen.add(row)
                    yield row
        for first, last in reversed(ranges):
            for held in (self._derived(signature), self.history.input(signature)):
                for interval in held.within(first, last, place, value):
                    if interval.row not in seen:
                        seen.add(interval.row)
                        yield interval.row
            for one in self.placements(signature, first, last, seen_at):
                if one.row not in seen:
                    seen.add(one.row)
                    yield one.row

    def may_hold(self, signature: Signature, row: Row, tick: int) -> bool:
        """Whether an atom is one of those that `rows` gives at a tick, seen from the same one."""
        if row in self.background.get(signature, ()):
            return True
        told = (self._derived(signature), self.history.input(signature))
        if any(interval.covers(tick) for held in told for interval in held.of(row)):
            return True
        return any(one.row == row for one in self.placements(signature, tick, tick, tick))

    def runs(self, signature: Signature, row: Row, within: Sequence[Run], seen_at: int) -> list[Run]:
        """The runs of ticks at which an atom holds, cut to some runs of ticks."""
        self._check()
        if row in self.background.get(signature, ()):
            return [run for run in within if run[0] <= run[1]]
        found: list[Run] = []
        for interval in self.history.input(signature).of(row):
            found.append((interval.first, seen_at if interval.last is None else interval.last))
        for interval in self._derived(signature).of(row):
            first, last = interval.first, seen_at if interval.last is None else interval.last
            if self.is_strict:
                first, last = max(first, seen_at), min(last, seen_at)
            if signature in self._passing:
                ticks = range(max(first, min(run[0] for run in within)), min(last, seen_at) + 1)
                found += [(t, t) for t in ticks if t == seen_at or self._is_kept(signature, row, t)]
            else:
                found.append((first, last))
        if signature in self.placing and within:
            earliest, latest = min(run[0] for run in within), max(run[1] for run in within)
            found += [
                (one.tick, one.tick)
                for one in self.placements(signature, earliest, latest, seen_at)
                if one.row == row
            ]
        return cut(joined(found), within)

    def _derived(self, signature: Signature) -> Holding:
        """When the atoms of a predicate were derived: terms of `#show` are in the output beside them."""
        return self.history.derived(signature) if signature in self._derivable else NOTHING_HELD

    # --- windows --------------------------------------------------------------------------------------

    def window(self, streaming: StreamingAtom) -> TickWindow:
        """The window of a streaming atom."""
        return window_of(streaming, self._constants)

    def ticks(self, window: TickWindow, now: int, known: Mapping[int, Value] = NOTHING_KNOWN) -> list[Run]:
        """The ticks of a window as runs; of a tuple window the whole timeline.

        Args:
            window: the window.
            now: the tick of evaluation.
            known: of an atom in a window `[since b]` the arguments that are known, by their positions.
                Where one of those that it shares with b is not, there is no such window, but several.
        """
        if isinstance(window, Since):
            first = first_tick(window, self._begins(window, now), known)
            return [(first, now)] if first is not None and first <= now else []
        return [(self.start, now)] if isinstance(window, LastArrivals) else [*window.runs(now, self.start)]

    def _begins(self, window: Since, now: int) -> Mapping[Row, int]:
        """When the windows `[since b]` with each key last began, as seen from a tick."""
        if (window, now) not in self._begun:
            found: dict[Row, int] = {}
            timeline, signature = [(self.start, now)], window.signature
            told = None if self.history.is_of_calendar(signature) else self.history.input(signature)
            for row in self.rows(signature, timeline, now):
                key = key_of(window, row)
                if key is not None:
                    runs, arrivals = self.runs(signature, row, timeline, now), told.of(row) if told else ()
                    found[key] = max([found.get(key, -1), *begun(joined(runs), arrivals, now)])
            self._begun[window, now] = {key: tick for key, tick in found.items() if tick >= 0}
        return self._begun[window, now]

    def box_ticks(self, window: TickWindow, now: int, signature: Signature, row: Row) -> list[Run]:
        """The ticks at which `always` needs an atom; none where it is not true whatever holds."""
        if isinstance(window, LastArrivals):
            inside = self.inside(window, signature, row, now)
            if len(inside) == window.size:
                return [(inside[0][1].first, now)]
            return [] if self._complete_windows else [(self.start, now)]
        if isinstance(window, Since):
            return self._ticks_of(window, now, row)
        if self._complete_windows and not window.is_whole(now, self.start):
            return []
        return self.ticks(window, now)

    def _ticks_of(self, window: TickWindow, now: int, row: Row) -> list[Run]:
        """The ticks of a window that has an atom before it."""
        places = window.positions if isinstance(window, Since) else ()
        return self.ticks(window, now, {place: row[place] for place in places})

    def is_whole(self, window: TickWindow, now: int, known: Mapping[int, Value]) -> bool:
        """Whether a window lies wholly on the timeline; True where nothing demands it, and over arrivals."""
        if not self._complete_windows or isinstance(window, LastArrivals):
            return True
        if isinstance(window, Since):
            return first_tick(window, self._begins(window, now), known) is not None
        return window.is_whole(now, self.start) and bool(self.ticks(window, now))

    def holds_at(self, window: TickWindow, signature: Signature, row: Row, now: int) -> list[Run]:
        """The ticks of a window at which an atom holds, as runs."""
        if not isinstance(window, LastArrivals):
            return self.runs(signature, row, self._ticks_of(window, now, row), now)
        found = [
            (interval.first, now if interval.last is None else min(interval.last, now))
            for one, interval in self.inside(window, signature, row, now)
            if one == signature and interval.row == row
        ]
        return cut(joined(found), [(self.start, now)])

    def rows_in(
        self, window: TickWindow, signature: Signature, now: int, place: int = -1, value: object = None
    ) -> Iterator[Row]:
        """The atoms of a predicate that may hold in a window, each once."""
        if isinstance(window, Since):
            yield from self.rows(signature, [(self.start, now)], now, place, value)
        elif not isinstance(window, LastArrivals):
            yield from self.rows(signature, self.ticks(window, now), now, place, value)
        elif window.group:
            seen = set()
            for interval in self.history.input(signature).within(self.start, now, place, value):
                if interval.row not in seen:
                    seen.add(interval.row)
                    yield interval.row
        else:
            inside = self.inside(window, signature, (), now)
            yield from dict.fromkeys(i.row for one, i in reversed(inside) if one == signature)

    def groups(self, window: LastArrivals, signature: Signature, now: int) -> dict[Row, Row]:
        """The groups of a tuple window that have arrivals, each by one of its atoms."""
        found: dict[Row, Row] = {}
        for _, interval in self.history.arrivals(signature):
            values = group_of(window, interval.row) if interval.first <= now else None
            if values is not None:
                found[values] = interval.row
        return found

    def inside(
        self, window: LastArrivals, signature: Signature, row: Row, now: int
    ) -> list[tuple[Signature, Interval]]:
        """The arrivals in a tuple window, oldest first; one with groups is that of an atom."""
        if window.group:
            values = tuple(row[place] for place in window.group)
            chosen = [
                pair
                for pair in self.history.arrivals(signature)
                if pair[1].first <= now and group_of(window, pair[1].row) == values
            ]
            return chosen[-window.size :] if group_of(window, row) == values else []
        found = [pair for pair in self.history.arrivals(window.signature) if pair[1].first <= now]
        return found[-window.size :]


def joined(runs: Iterable[Run]) -> list[Run]:
    """Runs in order, those that touch made one."""
    found: list[Run] = []
    for first, last in sorted(run for run in runs if run[0] <= run[1]):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], last)
        else:
            found.append((first, last))
    return found


def cut(runs: Sequence[Run], within: Sequence[Run]) -> list[Run]:
    """The parts of runs that lie in other runs."""
    return [
        (max(first, begin), min(last, end))
        for begin, end in within
        for first, last in runs
        if max(first, begin) <= min(last, end)
    ]


def number_of_ticks(runs: Iterable[Run]) -> int:
    """The number of ticks in runs."""
    return sum(last - first + 1 for first, last in runs)


def shared(
    terms: Terms, atom: nodes.Atom, window: TickWindow, binding: Binding, now: int
) -> Mapping[int, Value]:
    """The arguments that an atom shares with b of its window `[since b]` and whose values are known."""
    if not isinstance(window, Since):
        return NOTHING_KNOWN
    found = {place: terms.value(atom.arguments[place], binding, now) for place in window.positions}
    return {place: value for place, value in found.items() if value is not None}


def known_argument(terms: Terms, atom: nodes.Atom, binding: Binding, now: int) -> tuple[int, Value | None]:
    """An argument of an atom whose value is known, and the value; -1 if there is none."""
    for place, argument in enumerate(atom.arguments):
        if not isinstance(argument, nodes.BinaryOperation) and terms.is_bound(argument, binding):
            values = list(terms.values(argument, binding, now))
            if len(values) == 1:
                return place, values[0]
    return -1, None
