"""What came before that which a history keeps tick by tick, as far as later ticks look at it."""

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Self

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.held_facts import HeldBy
from lars2asp.analysis.predicates import offset_from_now, window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import Fixed, LastArrivals, Since, Unbounded
from lars2asp.externals.events import Events
from lars2asp.externals.terms.places import value_at
from lars2asp.externals.terms.terms import Row, Value, turns_of
from lars2asp.externals.views import RowChanges
from lars2asp.runtime.explanations.past.holding import Interval, Turns, came_meanwhile, replace_by
from lars2asp.syntax.nodes import AtTick, Program, Signature, StreamingAtom
from lars2asp.syntax.traversal import walk
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True, slots=True)
class Looks:
    """What a program looks at however long ago it was.

    Attributes:
        windows: the tuple windows, each with the predicate whose arrivals it counts; None for all.
        ticks: predicates at fixed ticks, and these.
        anywhere: predicates at any tick up to now: those of `at T` without a window.
        reach: how far back the ticks `@now-d` lie that are looked at in tuple windows.
    """

    windows: Mapping[tuple[LastArrivals, Signature | None], None] = field(default_factory=dict)
    ticks: Mapping[Signature, frozenset[int]] = field(default_factory=dict)
    anywhere: frozenset[Signature] = frozenset()
    reach: int = 0

    @classmethod
    def of(cls, program: Program) -> Self:
        """Those of a checked program."""
        constants = ProgramAnalysis(program).constants
        windows: dict[tuple[LastArrivals, Signature | None], None] = {}
        ticks: dict[Signature, frozenset[int]] = {}
        anywhere: set[Signature] = set()
        reach = 0
        for statement in program.but_plain_facts:
            for atom in walk(statement):
                if isinstance(atom, StreamingAtom):
                    signature = atom.atom.signature
                    match window_of(atom, constants):
                        case LastArrivals() as window:
                            windows[window, signature if window.group else window.signature] = None
                            if isinstance(atom, AtTick):
                                reach = max(reach, offset_from_now(atom.tick, constants) or 0)
                                tick = integer_value(atom.tick, constants)
                                if tick is not None:
                                    ticks[signature] = ticks.get(signature, frozenset()) | {tick}
                        case Fixed(tick):
                            ticks[signature] = ticks.get(signature, frozenset()) | {tick}
                        case Unbounded():
                            anywhere.add(signature)
                        case Since(begun):
                            anywhere |= {signature, begun}
        return cls(windows, ticks, frozenset(anywhere), reach)

    def is_at_ticks(self, signature: Signature) -> bool:
        """Whether a predicate is looked at outside of windows that pass."""
        return signature in self.ticks or signature in self.anywhere

    def counts(self, signature: Signature) -> bool:
        """Whether arrivals of a predicate are counted."""
        return any(counted in (None, signature) for _, counted in self.windows)

    def see(self, signature: Signature, first: int, last: int) -> bool:
        """Whether an atom that held from a tick to another one is looked at there."""
        return signature in self.anywhere or any(
            first <= tick <= last for tick in self.ticks.get(signature, ())
        )


class Older:
    """What held before the ticks that are kept, and holds still or is looked at however long ago it was.

    Args:
        looks: what is looked at.
        held_by: the predicates whose facts of the input are held.
        tables: those whose atoms are rows of tables, which do not arrive.

    Attributes:
        told: the intervals of the input, in the order of their arrival.
        derived: those of derived atoms, as far as they are looked at.
    """

    def __init__(
        self, looks: Looks, held_by: Mapping[Signature, HeldBy], tables: Container[Signature] = ()
    ) -> None:
        self._looks, self._tables = looks, tables
        self._held_by = held_by
        self._turns = {signature: Turns(by) for signature, by in held_by.items()}
        self.told: dict[Signature, list[Interval]] = {}
        self.derived: dict[Signature, list[Interval]] = {}
        self._count = 0

    def in_order(self) -> Iterator[tuple[Signature, Interval]]:
        """What was told, in the order of arrival."""
        return iter(sorted(_pairs(self.told), key=lambda pair: pair[1].order))

    def tell(self, tick: int, events: Events, record: str) -> None:
        """Takes the input of a tick."""
        for signature, rows in events.end:
            _end(self.told.get(signature, []), set(rows), tick)
        for signature, rows in turns_of(events.begin):
            is_open = {one.row for one in self.told.get(signature, ()) if one.last is None}
            for row in rows:
                if row not in is_open:
                    is_open.add(row)  # a record may begin it twice
                    self.add_told(signature, row, tick, None, record)
        for signature, rows in turns_of(events.facts):
            if signature in self._turns:
                for row in rows:
                    fact = self._turns[signature].fact(row, tick, events.until, record, 0)
                    self.add_told(signature, row, tick, fact.last, record)
            elif (
                events.until is not None
                or self._looks.counts(signature)
                or self._looks.is_at_ticks(signature)
            ):
                for row in rows:
                    self.add_told(
                        signature, row, tick, tick if events.until is None else events.until, record
                    )

    def add_told(self, signature: Signature, row: Row, first: int, last: int | None, record: str) -> None:
        """Adds an interval of the input that arrived after all others."""
        self._count += 1
        interval, told = Interval(row, first, last, record, self._count), self.told.setdefault(signature, [])
        if signature in self._turns:
            before = self._turns[signature].take(interval)
            if before is not None and before.last is not None and before.last < before.first:
                told.remove(before)
        told.append(interval)

    def answer(self, tick: int, changes: RowChanges) -> None:
        """Takes the changes of derived atoms by a tick."""
        for signature, (began, ended) in changes:
            if self._looks.is_at_ticks(signature):
                known = self.derived.setdefault(signature, [])
                _end(known, set(ended), tick)
                known += [Interval(row, tick, None, "", 0) for row in began]

    def forget_before(self, tick: int) -> None:
        """Forgets what no tick from one on looks at."""
        counted = self._counted()
        for signature, intervals in self.told.items():
            self.told[signature] = [
                one
                for one in intervals
                if self._is_seen(signature, one, tick) or (signature, one.row, one.first) in counted
            ]
        for signature, by in self._held_by.items():
            self._turns[signature] = Turns(by)
            for interval in self.told.get(signature, ()):
                self._turns[signature].take(interval)
        for signature, intervals in self.derived.items():
            self.derived[signature] = [one for one in intervals if self._is_seen(signature, one, tick)]

    def _is_seen(self, signature: Signature, interval: Interval, tick: int) -> bool:
        last = interval.last
        return last is None or last >= tick or self._looks.see(signature, interval.first, last)

    def _counted(self) -> Collection[tuple[Signature, Row, int]]:
        """The last arrivals of each tuple window, for each group."""
        found = set()
        for window, counted in self._looks.windows:
            numbers: Counter[tuple[Value, ...]] = Counter()
            pairs = self.in_order() if counted is None else _pairs({counted: self.told.get(counted, [])})
            for signature, interval in reversed([*arrivals_among(pairs)]):
                group = None if signature in self._tables else group_of(window, interval.row)
                if group is not None and numbers[group] < window.size:
                    numbers[group] += 1
                    found.add((signature, interval.row, interval.first))
        return found


def _pairs(intervals: Mapping[Signature, Iterable[Interval]]) -> Iterator[tuple[Signature, Interval]]:
    return ((signature, one) for signature, known in intervals.items() for one in known)


def _end(intervals: list[Interval], rows: Collection[Row], tick: int) -> None:
    """Atoms hold no more from a tick on."""
    ended = [one for one in intervals if one.last is None and one.row in rows] if rows else []
    for interval in ended:
        interval.last = tick - 1
        if interval.last < interval.first:  # it never held
            other = came_meanwhile(intervals, interval)
            replace_by(intervals, interval, other)
            if other is not None:
                other.order = interval.order


def arrivals_among(pairs: Iterable[tuple[Signature, Interval]]) -> Iterator[tuple[Signature, Interval]]:
    """The arrivals among intervals, in their order: each atom once at a tick, by the longest interval."""
    found: dict[tuple[Signature, Row, int], Interval] = {}
    for signature, interval in pairs:
        first, last = interval.first, interval.last
        if last is None or last >= first:
            key = signature, interval.row, first
            known = found.setdefault(key, interval)
            if known.last is not None and (last is None or last > known.last):
                found[key] = interval
    return ((signature, interval) for (signature, _, _), interval in found.items())


def group_of(window: LastArrivals, row: Row) -> tuple[Value, ...] | None:
    """The values of the group of an atom; None where it is in none."""
    values = tuple(row[place] for place in window.group)
    for number, place in window.alike:
        other = value_at(place, row)
        if other != values[number] or type(other) is not type(values[number]):
            return None
    return values
