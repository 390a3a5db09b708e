"""The windows of streaming atoms: at which ticks they look, and what they see there.

Beck, Dao-Tran and Eiter (2018), definitions 4 and 5; for tuple windows over intervals Bazoobandi, Beck and
Urbani (2017), definition 4. `[since b]` has the ticks from the last one at which b began or arrived, for the
values that b shares with the atom before the window.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any, NamedTuple, assert_never
from zoneinfo import ZoneInfo

from lars2asp.analysis.windows import resolved_number
from lars2asp.definition.given import Told
from lars2asp.definition.matching import match_all
from lars2asp.definition.terms import Bindings, Row
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.traversal import variable_names


class Seen(NamedTuple):
    """The ticks of a window at which an atom holds, and those at which `always` asks for it."""

    ticks: Sequence[int]
    span: Sequence[int]

    @property
    def is_always(self) -> bool:
        """Whether the atom holds always; not over no tick."""
        return bool(self.span) and set(self.span) <= set(self.ticks)


class Look(NamedTuple):
    """The ticks at which a streaming atom looks, and what it sees of each atom.

    `is_whole` is false for a window that is not whole where whole ones are demanded.
    """

    ticks: Sequence[int]
    rows: Mapping[Row, Seen]
    is_whole: bool = True


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_UNITS = {
    "msec": timedelta(milliseconds=1),
    "sec": timedelta(seconds=1),
    "min": timedelta(minutes=1),
    "hour": timedelta(hours=1),
}
_NOW = nodes.SlidingWindow(nodes.Duration(nodes.Number(0)))


def parts_of(atom: Any) -> tuple[nodes.Atom, nodes.Window | None]:
    """The atom of a streaming atom and its window; of another atom itself and the current tick."""
    return (atom, _NOW) if isinstance(atom, nodes.Atom) else (atom.atom, atom.window)


class NaiveWindows:
    """What streaming atoms see.

    Args:
        start: the first tick of the timeline.
        told: the input by predicate, and all of it under None, in order of arrival.
        holding: gives what holds of a predicate at a tick, seen from the evaluation at another one.
        complete_windows: whether windows are to lie wholly on the timeline.
    """

    def __init__(
        self,
        start: int,
        told: Mapping[Signature | None, Sequence[Told]],
        holding: Callable[[Signature, int, int], set[Row]],
        *,
        complete_windows: bool,
    ) -> None:
        self._start, self._told, self._holding = start, told, holding
        self._is_complete = complete_windows

    def _ticks(self, window: nodes.Window | None, now: int) -> range | list[int]:
        """The ticks of a window, those before the start as well; without a window the whole timeline."""
        match window:
            case None | nodes.TupleWindow() | nodes.SinceWindow():
                return range(self._start, now + 1)
            case nodes.SlidingWindow(duration):
                return range(now - resolved_number(duration.size), now + 1)
            case nodes.LaggedWindow(nearest, furthest):
                return range(now - resolved_number(furthest.size), now - resolved_number(nearest.size) + 1)
            case nodes.HoppingWindow(furthest, step, nearest, base):
                last = _last_multiple(now, step, base)
                ticks = range(last - resolved_number(furthest.size), last - _number(nearest) + 1)
                return ticks if last >= self._start else []
            case nodes.TumblingWindow(duration, base):
                end = _last_multiple(now + 1, duration, base)
                if duration.clock is not None:
                    return range(_last_multiple(end - 1, duration, base), end)
                return range(end - resolved_number(duration.size), end)
            case nodes.OffsetWindow(offsets):
                return sorted({now - ago for one in offsets for ago in _offsets(one)})
            case _:
                assert_never(window)

    def groups(
        self, atom: nodes.Atom, window: nodes.TupleWindow, now: int, known: Bindings
    ) -> list[list[Told]]:
        """The arrivals that are in a tuple window, for each group that fits what is known."""
        names = {variable.name for variable in window.group}
        pattern = tuple(_only(term, names) for term in atom.arguments)
        found: dict[Any, list[Told]] = {}
        for one in self._told.get(atom.signature if names else window.signature, ()):
            matched = match_all(pattern, one.row, known) if names else known
            if one.tick <= now and matched is not None:
                found.setdefault(tuple(matched.get(name) for name in sorted(names)), []).append(one)
        return [told[-resolved_number(window.size) :] for told in found.values()]

    def look(self, atom: nodes.Atom, window: nodes.Window | None, now: int) -> Look:
        """What the atom of a streaming atom does in a window."""
        if isinstance(window, nodes.TupleWindow):
            return self._arrived(atom, window, now)
        if isinstance(window, nodes.SinceWindow):
            return self._begun(atom, window, now)
        return self._seen(atom, window, now)

    def _seen(self, atom: nodes.Atom, window: nodes.Window | None, now: int) -> Look:
        every_tick = self._ticks(window, now)
        ticks: Any = [tick for tick in every_tick if tick >= self._start]
        rows: dict[Row, list[int]] = {}
        for tick in ticks:
            for found in self._holding(atom.signature, tick, now):
                rows.setdefault(found, []).append(tick)
        is_whole = 0 < len(ticks) == len(every_tick) or not self._is_complete
        seen = {found: Seen(at, ticks if is_whole else ()) for found, at in rows.items()}
        return Look(ticks, seen, is_whole)

    def _begun(self, atom: nodes.Atom, window: nodes.SinceWindow, now: int) -> Look:
        names, ticks = variable_names(window.atom), range(self._start, now + 1)
        pattern = tuple(_only(term, names) for term in atom.arguments)
        begins = [*self._begins(window.atom.signature, now)]
        rows: dict[Row, Seen] = {}
        for found in {one for tick in ticks for one in self._holding(atom.signature, tick, now)}:
            known = match_all(pattern, found, {})
            if known is None:
                continue
            fitting = [s for s, one in begins if match_all(window.atom.arguments, one, known) is not None]
            if fitting:
                span = range(max(fitting) + window.is_after, now + 1)
                at = [tick for tick in span if found in self._holding(atom.signature, tick, now)]
                if at:
                    rows[found] = Seen(at, span)
        return Look(ticks, rows, not self._is_complete)

    def ticks_since(self, window: nodes.SinceWindow, now: int, known: Bindings) -> range:
        """The ticks of the window for the values that are known; none where one of b's is not."""
        fitting = [
            tick
            for tick, one in self._begins(window.atom.signature, now)
            if match_all(window.atom.arguments, one, known) is not None
        ]
        is_known = variable_names(window.atom) <= known.keys()
        return range(max(fitting) + window.is_after, now + 1) if fitting and is_known else range(0)

    def _begins(self, signature: Signature, now: int) -> Iterator[tuple[int, Row]]:
        """The atoms of a predicate and the ticks at which they began to hold, or arrived."""
        arrived = {(one.tick, one.row) for one in self._told.get(signature, ())}
        for tick in range(self._start, now + 1):
            before = self._holding(signature, tick - 1, now) if tick > self._start else ()
            for found in self._holding(signature, tick, now):
                if found not in before or (tick, found) in arrived:
                    yield tick, found

    def _arrived(self, atom: nodes.Atom, window: nodes.TupleWindow, now: int) -> Look:
        ticks, rows = range(self._start, now + 1), dict[Row, Seen]()
        for told in self.groups(atom, window, now, {}):
            is_full = len(told) == resolved_number(window.size)
            span = range(told[0].tick if is_full else self._start, now + 1)
            inside = [one for one in told if one.signature == atom.signature]
            for found in {one.row for one in inside}:
                at = [tick for tick in ticks if any(one.row == found and one.covers(tick) for one in inside)]
                rows[found] = Seen(at, span if is_full or not self._is_complete else ())
        return Look(ticks, rows)


def _number(duration: nodes.Duration | None) -> int:
    return 0 if duration is None else resolved_number(duration.size)


def _offsets(offset: nodes.Term | nodes.OffsetRange) -> range:
    """The ticks of an offset: of `1..3` all three."""
    if isinstance(offset, nodes.OffsetRange):
        return range(resolved_number(offset.nearest), resolved_number(offset.furthest) + 1)
    return range(ago := resolved_number(offset), ago + 1)


def _last_multiple(tick: int, step: nodes.Duration, base: nodes.Duration | None) -> int:
    """The last tick up to one that lies a multiple of `step` from `base`; by a clock, that begins a block."""
    if step.clock is not None:
        return _last_begin(tick, step, step.clock, _number(base))
    return tick - (tick - _number(base)) % resolved_number(step.size)


def _last_begin(tick: int, step: nodes.Duration, clock: nodes.Clock, base: int) -> int:
    """The last tick up to one at which a block of the clock begins, `base` ticks by the clock after midnight.

    Dates, or for blocks below a day ticks, are gone through backwards. A begin that clocks pass over as they
    are put forward is the moment after that. Ticks that are days by the clock lie as far apart as it shows.
    """
    if step.unit in _UNITS:
        block, shift = resolved_number(step.size) * _UNITS[step.unit], base * clock.tick_length * _MICROSECOND
        while not _begins_part(tick, block, shift, clock):
            tick -= 1
        return tick
    zone, begin = ZoneInfo(clock.zone), _EPOCH + timedelta(microseconds=clock.begin)
    length = timedelta(microseconds=clock.tick_length)
    if clock.counts_days:
        zone, begin = ZoneInfo("UTC"), begin.astimezone(zone).replace(tzinfo=UTC)
    day = (begin + tick * length).astimezone(zone).date() - base * length + timedelta(days=2)
    while True:
        day -= timedelta(days=1)
        if _begins_block(day, resolved_number(step.size), step.unit):
            shown = datetime(day.year, day.month, day.day) + base * length
            first = -((begin - _first_moment(shown, zone)) // length)
            if first <= tick:
                return first


def _first_moment(shown: datetime, zone: ZoneInfo) -> datetime:
    """The first moment at which the clock shows a time; the one after a skip that leaves it out."""
    moment, second = shown.replace(tzinfo=zone).astimezone(UTC), timedelta(seconds=1)
    if moment.astimezone(zone).replace(tzinfo=None) == shown:
        return moment
    moment = moment.replace(microsecond=0)
    while (moment - second).astimezone(zone).replace(tzinfo=None) >= shown:
        moment -= second
    return moment


@cache
def _begins_part(tick: int, block: timedelta, shift: timedelta, clock: nodes.Clock) -> bool:
    """Whether a block below a day begins at a tick.

    Blocks are counted from midnight by the clock. A block begins when the clock shows its begin, or has
    passed over it; blocks of more than an hour only when it shows it for the first time.
    """
    zone, length = ZoneInfo(clock.zone), clock.tick_length * _MICROSECOND
    moment = _EPOCH + timedelta(microseconds=clock.begin) + tick * length
    now, before = (one.astimezone(zone).replace(tzinfo=None) for one in (moment, moment - length))
    if moment.astimezone(zone).fold and block > timedelta(hours=1):
        return False
    last = now - (now - datetime(1970, 1, 1) - shift) % block
    return last > before or last == now


def _begins_block(day: date, number: int, unit: str) -> bool:
    """Whether a date begins a block of so many units; they are counted from 1970."""
    match unit:
        case "day":
            return (day - date(1970, 1, 1)).days % number == 0
        case "week":
            return day.isoweekday() == 1 and (day - date(1969, 12, 29)).days // 7 % number == 0
        case "month":
            return day.day == 1 and (12 * (day.year - 1970) + day.month - 1) % number == 0
        case _:
            return day.day == day.month == 1 and (day.year - 1970) % number == 0


def _only(term: nodes.Term, names: set[str]) -> nodes.Term:
    """A term as a pattern for some of its variables, which matches whatever stands elsewhere in it."""
    match term:
        case nodes.Variable(name) if name in names:
            return term
        case nodes.Function(name, arguments, False):
            inner = tuple(_only(one, names) for one in arguments)
            return nodes.Function(name, inner) if variable_names(*inner) else nodes.Variable("_")
        case nodes.Tuple(arguments):
            inner = tuple(_only(one, names) for one in arguments)
            return nodes.Tuple(inner) if variable_names(*inner) else nodes.Variable("_")
    return nodes.Variable("_")
