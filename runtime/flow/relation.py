"""A relation: what it has, the windows over it, and its trace."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.analysis.windows import Fixed, LastArrivals, Since
from lars2asp.externals.intervals import merged
from lars2asp.externals.operators import Batch, Operator, Readers
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.externals.traces.sources import EndingFacts, ForeknownFacts, Source
from lars2asp.externals.traces.trace import HeldRows, PointTrace, Trace, points_of, segments_of
from lars2asp.externals.windows.arrivals import Arrived, TupleWindow
from lars2asp.externals.windows.choice import (
    OF_THE_TICK,
    growing_operator,
    is_growing,
    operator_over_points,
    operator_over_runs,
    revised_operator,
)
from lars2asp.externals.windows.growing import Growing
from lars2asp.externals.windows.points import Chosen, LastArrival, LastPoints, Moment, Stamped
from lars2asp.externals.windows.revised import FADING, LATE, PASSING, Revised
from lars2asp.externals.windows.runs import HeldAt
from lars2asp.externals.windows.since import BegunKeys, BegunWindows, SinceWindow
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.runtime.flow.rules import Rules
from lars2asp.runtime.flow.solved import Solving
from lars2asp.runtime.flow.states import Begun, arrival_key
from lars2asp.syntax.nodes import Signature

_OF_POINTS = Chosen, Stamped
"""Operators that hand on points."""

Primed = dict[Rules | Solving, dict[int, Collection[Row]]]
"""By the components that read them, and the numbers of their inputs: the rows that lookups have."""


class Relation:
    """A predicate in the graph.

    Args:
        start: the first tick of the timeline.
        reach: how many ticks back windows look; None without end.
        source: what rows it has; None for those that rules derive, and for facts that hold at single ticks.
        always: the rows that always hold.
        is_points: whether it has only facts that hold at single ticks.
        complete: whether `always` needs windows that lie wholly on the timeline.
        told: what the input tells, if rules derive the predicate and the input has had rows of it.
        is_late: whether more may become known of ticks that are over.
        is_fading: whether later ticks forget some rows.

    Attributes:
        readers: who reads it, but for rows that later ticks forget.
        late: who reads rows of ticks that are over.
        fading: who reads the rows of the current tick, as later ticks may forget them.
        passing: who reads those of ticks that are over which later ticks forget.
        inlet: who takes what comes: the source, or its readers.
        arrivals: the operators of tuple windows, with their lookups.
        since: the operators of windows that begin with an atom.
        of_all: those of windows of the last arrivals of the whole input.
    """

    def __init__(
        self,
        start: int,
        reach: int | None,
        source: Source | None,
        always: Collection[Row],
        *,
        is_points: bool,
        complete: bool,
        told: EndingFacts | None = None,
        is_late: bool = False,
        is_fading: bool = False,
    ) -> None:
        self._is_late, self._is_fading = is_late, is_fading
        self._start, self._complete = start, complete
        self._always = always
        self.is_points = is_points
        self.source = source
        self._arriving = source if isinstance(source, EndingFacts) else told
        """The source whose facts arrive."""
        self.readers: Readers = [] if source is None else source.readers
        self.inlet: Readers = self.readers if source is None else [(source, 0)]
        self._points, self._runs = PointTrace(reach), Trace(reach)
        self.trace: PointTrace | Trace = self._points if is_points else self._runs
        self.arrivals: list[tuple[Lookup, TupleWindow | LastArrival | LastPoints]] = []
        self.of_all: list[TupleWindow] = []
        self.since: list[tuple[Since, BegunWindows]] = []
        self._windows: list[Operator] = []
        self._chosen: dict[Lookup, tuple[int, frozenset[Value]]] = {}
        self._choosing: dict[tuple[int, frozenset[Value]], Chosen] = {}
        self._known: dict[tuple[Lookup, frozenset[Signature]], Readers] = {}
        self.readers.append((self.trace, 0))
        self.late: Readers = [(self.trace, 1)] if is_late else []
        self.fading: Readers = []
        self.passing: Readers = []

    @property
    def operators(self) -> Iterable[Operator]:
        """Its operators."""
        first = [] if self.source is None else [self.source]
        return (*first, self.trace, *self._choosing.values(), *self._windows)

    def choose(self, lookup: Lookup, chosen: tuple[int, frozenset[Value]]) -> None:
        """Of the answer to a lookup only rows matter that have one of some values at a place."""
        if self.is_points and not isinstance(lookup.window, LastArrivals):
            self._chosen[lookup] = chosen

    def read(self, lookup: Lookup, own: frozenset[Signature] = frozenset()) -> Readers:
        """Who reads the answer to a lookup; more may be added.

        Args:
            lookup: the lookup.
            own: see `growing_operator`.
        """
        found = self._known.get((lookup, own))
        if found is None:
            found = self._known[lookup, own] = self._read(lookup, own)
        return found

    def read_points(self, lookup: Lookup, chosen: tuple[int, frozenset[Value]] | None) -> Readers:
        """Who reads facts of the current tick alone; with their ticks, if a lookup asks for these.

        Args:
            lookup: the lookup.
            chosen: the place at which only certain values matter, and these.
        """
        points = self._points_for(chosen)
        if lookup.kind is not LookupKind.AT:
            return points
        stamped = next((one for one, _ in points if isinstance(one, Stamped)), None)
        if stamped is None:
            stamped = Stamped()
            points.append((stamped, 0))
            self._windows.append(stamped)
        return stamped.readers

    def grows(self, lookup: Lookup) -> bool:
        """Whether the answer to a lookup changes with each tick at which a row holds on."""
        if not is_growing(lookup) or self._is_never(lookup):
            return False
        return not self.is_points or isinstance(lookup.window, Since)

    def _is_never(self, lookup: Lookup) -> bool:
        """Whether the answer has no rows: of those that rules derive, and that always hold, none arrives."""
        arrives = self.is_points or self._arriving is not None
        return isinstance(lookup.window, LastArrivals) and not arrives

    def read_growing(
        self, lookup: Lookup, bodies: Sequence[Sequence[int]], own: Collection[Signature] = ()
    ) -> Growing:
        """What has the answer to such a lookup at the ticks at which it is observed; see Growing."""
        if isinstance(lookup.window, LastArrivals):
            return self._tuple_window(lookup, lookup.window, bodies)
        if self._is_revised(lookup):
            return self._revised(lookup, bodies)
        window = growing_operator(lookup, self._start, bodies, own)
        self._runs_for(lookup).append((window, 0))
        self._add(lookup, window)
        return window

    def first_observer(self, lookup: Lookup) -> int:
        """The number of the first input of `read_growing` that observes it."""
        return PASSING + 1 if self._is_revised(lookup) else 3 if isinstance(lookup.window, Since) else 1

    def _is_revised(self, lookup: Lookup) -> bool:
        """Whether its window sees more, or less, of ticks that are over as time goes on."""
        window = lookup.window
        if window is None or isinstance(window, LastArrivals):
            return False
        return self._is_late or (self._is_fading and window.includes_now)

    def _revised(self, lookup: Lookup, bodies: Sequence[Sequence[int]]) -> Growing:
        window = revised_operator(lookup, self._start, bodies, complete=self._complete)
        self.readers.append((window, 0))
        self.late.append((window, LATE))
        self.fading.append((window, FADING))
        self.passing.append((window, PASSING))
        self._add(lookup, window)
        return window

    def _tuple_window(
        self, lookup: Lookup, window: LastArrivals, bodies: Sequence[Sequence[int]]
    ) -> TupleWindow:
        is_of_all = window.signature is None and not window.group
        source = self._arriving
        found = TupleWindow(
            lookup,
            window,
            bodies,
            self._start,
            complete=self._complete,
            are_points=source is None and not is_of_all,
        )
        if is_of_all:
            self.of_all.append(found)
        else:
            (self.readers if source is None else source.arrivals).append((found, 0))
        self._add(lookup, found)
        return found

    def _add(self, lookup: Lookup, window: Operator) -> None:
        self._windows.append(window)
        if isinstance(window, TupleWindow | LastArrival | LastPoints):
            self.arrivals.append((lookup, window))
        if isinstance(window, BegunWindows) and isinstance(lookup.window, Since):
            self.since.append((lookup.window, window))

    def read_keys(self, lookup: Lookup, window: Since, own: Collection[Signature]) -> Readers:
        """Who reads the keys of windows that its rows begin."""
        found = BegunKeys(lookup, window, [2] if window.signature in own else [])
        self._add(lookup, found)
        return found.readers

    def begins(self, window: BegunWindows) -> None:
        """Its rows begin windows: facts as they arrive, and others when they did not hold before."""
        self.readers.append((window, 2))
        if self._arriving is not None:
            self._arriving.beginnings.append((window, 1))

    def _points_for(self, chosen: tuple[int, frozenset[Value]] | None) -> Readers:
        """Who reads the facts that matter."""
        if chosen is None:
            return self.readers
        operator = self._choosing.get(chosen)
        if operator is None:
            operator = self._choosing[chosen] = Chosen(*chosen)
            self.readers.append((operator, 0))
        return operator.readers

    def _read(self, lookup: Lookup, own: Collection[Signature]) -> Readers:
        if lookup.kind in OF_THE_TICK:
            return self._runs_for(lookup)
        if self._is_never(lookup):
            return []
        if self._is_revised(lookup):
            return self._revised(lookup, [()]).readers
        window: Operator
        if isinstance(lookup.window, LastArrivals):
            of_all = lookup.window.signature is None and not lookup.window.group
            is_plain = self.is_points and not of_all and not lookup.window.alike
            if not is_plain or lookup.kind is LookupKind.ALWAYS:
                return self._tuple_window(lookup, lookup.window, [()]).readers
        if (
            self.is_points
            and lookup.asks is not LookupKind.ALWAYS
            and not isinstance(lookup.window, Since | Fixed)
        ):
            below = self._points_for(self._chosen.get(lookup))
            window = operator_over_points(lookup, self._start)
        else:
            below = self._runs_for(lookup)
            window = operator_over_runs(lookup, self._start, complete=self._complete, own=own)
        below.append((window, 0))
        self._add(lookup, window)
        return window.readers

    def _runs_for(self, lookup: Lookup) -> Readers:
        """Who reads the rows that matter to a lookup, as they begin and end."""
        return self._moment_of(self._points_for(self._chosen.get(lookup))) if self.is_points else self.readers

    def _moment_of(self, points: Readers) -> Readers:
        """Who reads facts as they begin and end."""
        moment = next((one for one, _ in points if isinstance(one, Moment)), None)
        if moment is None:
            moment = Moment()
            points.append((moment, 0))
            self._windows.append(moment)
        return moment.readers

    # --- states ---------------------------------------------------------------------------------------

    @property
    def arrived(self) -> dict[Lookup, Arrived]:
        """The arrivals that are in windows, by lookups about them."""
        found: dict[Lookup, Arrived] = {}
        for lookup, window in self.arrivals:
            if isinstance(window, TupleWindow):
                found[lookup] = window.arrived
            elif lookup.signature is not None:
                own, groups = lookup.signature, window.arrived.items()
                found[lookup] = {key: [(at, row, at + 1, own) for at, row in some] for key, some in groups}
        return found

    def held(self, now: int) -> HeldRows:
        """When rows held, as far back as windows look: up to a tick that is over, and on if that is known."""
        source = self.source
        if self.is_points:
            found = self._points.held(now)
        else:
            found = self._runs.held(
                now, lambda row: max(now + 1, 0 if source is None else source.end_of(row))
            )
        for window in self._windows:
            for row, runs in window.known(now) if isinstance(window, SinceWindow | HeldAt | Revised) else ():
                found[row] = merged([*found.get(row, ()), *runs])
        return found

    def prime(
        self,
        held: Mapping[Row, list[int]],
        arrived: Mapping[str, Arrived],
        begun: Begun,
        now: int,
    ) -> Primed:
        """Takes over when rows held up to a tick that is over; gives what lookups have then.

        But for those that are observed at some ticks alone: see prime_observed.
        """
        held = {**held, **{row: [self._start, FOR_EVER] for row in self._always}}
        primed: Primed = {}
        if self.source is not None:
            self.source.restore(held, now)
        if isinstance(self.source, ForeknownFacts):
            held = self.source.known(held, now)
        if self.is_points:
            self._points.restore(held, now)
        else:
            self._runs.restore(held, now)
        rows = [row for row, runs in held.items() if runs[-2] <= now < runs[-1]]
        batch: Batch = points_of(held, now) if self.is_points else segments_of(held, now)
        self._hand(self.readers, batch, rows, now, primed, are_points=self.is_points)
        keys = {window: arrival_key(lookup) for lookup, window in self.arrivals}
        windows = sorted(self._windows, key=lambda one: not isinstance(one, Moment | Stamped))
        for since, one in self.since:
            one.go_on(begun.get(since.signature, {}).get(str(since.key), {}))
        for window in (*self._choosing.values(), *windows):
            if isinstance(window, TupleWindow):
                window.go_on(arrived.get(keys[window], {}))
            if isinstance(window, LastArrival | LastPoints):
                window.inputs[0].clear()
                groups = arrived.get(keys[window], {}).items()
                rows = window.restore([(key, [one[:2] for one in some]) for key, some in groups])
                self._hand(window.readers, [], rows, now, primed)
                continue
            if isinstance(window, Growing):
                if window.is_free:
                    self._hand(window.readers, [], window.restore(now), now, primed)
                if isinstance(window, BegunWindows) and window.has_news(now):
                    for reader, _ in window.readers:
                        if isinstance(reader, Solving):
                            reader.has_news = True
                continue
            are_points = isinstance(window, _OF_POINTS)
            for readers, out in [*window.advance(now + 1)] or [(window.readers, [])]:
                rows = _last(out, now) if are_points else _net(out)
                self._hand(readers, out, rows, now, primed, are_points=are_points)
        return primed

    def prime_observed(self, window: Growing, now: int) -> Primed:
        """The same of another one, once it is known what observes it."""
        primed: Primed = {}
        self._hand(window.readers, [], window.restore(now), now, primed)
        return primed

    def _hand(
        self,
        readers: Readers,
        batch: Batch,
        rows: Collection[Row],
        now: int,
        primed: Primed,
        *,
        are_points: bool = False,
    ) -> None:
        """Hands on what came so far: to rules what holds."""
        for reader, place in readers:
            if isinstance(reader, Rules | Solving):
                primed.setdefault(reader, {})[place] = rows
            elif isinstance(reader, Growing) and place:
                if place >= reader.own:
                    reader.observed_by(place, len(rows), now, are_points=are_points)
            elif reader in self._windows or isinstance(reader, Chosen):
                reader.inputs[place] += batch


def _last(points: Batch, now: int) -> list[Row]:
    """The facts of a tick."""
    return points[-1][1] if points and points[-1][0] == now else []


def _net(batch: Batch) -> list[Row]:
    """The rows that hold behind segments."""
    found: dict[Row, None] = {}
    for _, ended, began in batch:
        for row in ended:
            del found[row]
        found.update(dict.fromkeys(began))
    return [*found]
