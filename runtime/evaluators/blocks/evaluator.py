"""The evaluator `blocks`: what begins and ends in a block of ticks, by the intervals at which rows hold."""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from copy import copy
from itertools import chain
from types import MappingProxyType
from typing import Any

from lars2asp.analysis.calendar_atoms import CalendarPredicate
from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.analysis.windows import LastArrivals
from lars2asp.externals.database.database import StreamSoFar
from lars2asp.externals.terms.table import ReadRows, WriteRows
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.externals.views import Changes, TickChanges, changes_of
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Component, Plan
from lars2asp.runtime.evaluators.blocks.block_code import BlockCode, OnMessage, Projection
from lars2asp.runtime.evaluators.blocks.current_rows import CurrentRows
from lars2asp.runtime.evaluators.blocks.held_rows import (
    NOTHING,
    HeldRows,
    RowsOnce,
    add,
    forget,
    lengthen,
    merged,
    pairs,
    sections,
    settle,
    values_at,
)
from lars2asp.runtime.evaluators.blocks.points import Points, RowTicks, Stretches, points_in
from lars2asp.runtime.evaluators.blocks.stepped_code import SteppedCode, looks_back
from lars2asp.runtime.evaluators.blocks.swept_groups import Groups
from lars2asp.runtime.evaluators.blocks.windowed_rows import (
    Arrived,
    answers,
    answers_of_points,
    answers_once,
    last_arrivals,
    span_of_each,
    sums_over_ticks,
    ticks_of,
)
from lars2asp.syntax.nodes import Signature

NO_FACTS: Mapping[Signature, Stretches] = MappingProxyType({})
"""Stands for no facts that hold for a while."""


class BlockEvaluator:
    """Evaluates a program that `refusal_of_blocks` has no objection to, block by block.

    Args:
        plan: the program.
        lookups: all lookups of its rules.
        reach: how many ticks back predicates are looked at (None: without end).
        start: the first tick of the timeline.
        background: the rows that hold always.
        complete: whether boxes need windows that lie wholly on the timeline.
        on_message: takes messages about undefined operations.

    Attributes:
        now: the last tick that is over.
        facts: the number of facts so far.
        ticks: the number of ticks at which the output changed, as far as these were taken.
        made: the number of rows that rules derived in the last block.
        foreknown: how many began to hold in it without facts, as the calendar or a comparison has it.
        merged: by predicates that are looked at, the facts that were equal to another of their tick.
        shown: the output at that tick.
    """

    def __init__(
        self,
        plan: Plan,
        lookups: Collection[Lookup],
        reach: Mapping[Signature, int | None],
        start: int,
        background: Iterable[AtomRows],
        *,
        complete: bool,
        on_message: OnMessage,
    ) -> None:
        self.now = start - 1
        self.facts = self.ticks = self.made = self.foreknown = 0
        self.merged: dict[Signature, int] = {}
        self.shown: dict[Signature, set[Row]] = {}
        self.start, self.complete = start, complete
        self._components = [(one, code_of(plan, one, on_message)) for one in plan.components]
        self._reach = reach
        self._read = frozenset(one.signature for one in lookups if one.signature is not None)
        self.derived = frozenset(signature for one in plan.components for signature in one.derives)
        """The predicates that rules derive."""
        self._shown_input = plan.shown_input
        self._regular = [one for one in plan.regular if one.signature in self._read]
        self._calendar = [one for one in plan.calendar if one.signature in self._read]
        self._background: dict[Signature, set[Row]] = {}
        for signature, rows in background:
            self._background.setdefault(signature, set()).update(rows)
        self._held: dict[Signature, HeldRows] = {}
        """When rows that are derived, or always hold, held, as far back as windows look."""
        self._points: dict[Signature, Points] = {}
        """The facts, as far back."""
        self._are_once: dict[Signature, bool] = {}
        """Whether no two of these have the same row, as far as that was asked for since facts came."""
        self._repeated: set[Signature] = set()
        """The predicates of which some had; it is not asked again."""
        self.derives: dict[Signature, set[Row]] = {}
        """What rules derive at the last tick that is over, by predicates."""
        self.arrived: dict[Lookup, Arrived] = {
            one: {} for one in lookups if isinstance(one.window, LastArrivals)
        }
        """The last arrivals that are in windows, by lookups about them."""
        self._current = {one: CurrentRows(by) for one, by in plan.held.items()}
        """The current facts of predicates whose facts are held."""

    def go_on(
        self,
        last: int,
        stream: StreamSoFar,
        derives: Mapping[Signature, Collection[Row]],
        shown: Mapping[Signature, Collection[Row]],
    ) -> None:
        """Takes over a stream up to a tick, before the first block.

        Args:
            last: the tick.
            stream: the stream.
            derives: what rules derive at it, and which input is shown.
            shown: the output.
        """
        self.now, self.facts, self.merged = last, stream.facts, {**stream.merged}
        self.derives = {signature: {*rows} for signature, rows in derives.items()}
        self.shown = {signature: {*rows} for signature, rows in shown.items()}
        self.arrived = {lookup: {**groups} for lookup, groups in stream.arrived.items()}
        for signature, current in stream.current.items():
            self._current[signature].go_on(current)
        apart = {*self.derived, *self._current, *(one.signature for one in self._calendar)}
        for signature, held in stream.held.items():
            if signature in apart:
                settle(held)
                self._held[signature] = held
                continue
            points, lasting = points_in(held)
            if points.rows:
                self._points[signature] = points
            if lasting:
                self._held[signature] = lasting
        for calendar in self._calendar:  # nobody may have asked since what holds changed
            self._know(calendar, last, last)

    def copied(self) -> "BlockEvaluator":
        """What is known now, for `Session.take_up` when this one has gone on."""
        found = copy(self)
        found._held = {
            signature: {row: [*runs] for row, runs in held.items()} for signature, held in self._held.items()
        }
        found._points = {
            signature: Points([*some.rows], [*some.ticks]) for signature, some in self._points.items()
        }
        found.arrived = {
            lookup: {key: [*some] for key, some in groups.items()} for lookup, groups in self.arrived.items()
        }
        found.merged, found.derives = {**self.merged}, {**self.derives}
        found._are_once, found._repeated = {**self._are_once}, {*self._repeated}
        found._current = {signature: one.copied() for signature, one in self._current.items()}
        return found

    @property
    def current(self) -> Mapping[Signature, Mapping[Row, int]]:
        """By predicates whose facts are held those that hold at the next tick, and until when at most."""
        return {signature: one.rows_behind(self.now) for signature, one in self._current.items()}

    def state(self, write: WriteRows) -> dict[str, Any]:
        """What is known now, in a form that JSON has; but for windows over arrivals and #held."""
        if self.arrived or self._current:
            raise ValueError("blocks cannot save windows over arrivals, nor facts declared with #held")
        held = [([*one], write(some), [*some.values()]) for one, some in self._held.items()]
        points = [([*one], write(some.rows), some.ticks) for one, some in self._points.items()]
        derives = [([*one], write(some)) for one, some in self.derives.items()]
        return {
            "now": self.now,
            "facts": self.facts,
            "ticks": self.ticks,
            "merged": [([*one], number) for one, number in self.merged.items()],
            "held": held,
            "points": points,
            "derives": derives,
        }

    def restore(self, state: Mapping[str, Any], read: ReadRows) -> None:
        """Takes over what was known then, before the first block."""
        self.now, self.facts, self.ticks = state["now"], state["facts"], state["ticks"]
        self.merged = {Signature(*one): number for one, number in state["merged"]}
        self._held = {
            Signature(*one): dict(zip(read(rows), runs, strict=True)) for one, rows, runs in state["held"]
        }
        self._points = {Signature(*one): Points([*read(rows)], ticks) for one, rows, ticks in state["points"]}
        self.derives = {Signature(*one): {*read(rows)} for one, rows in state["derives"]}

    @property
    def held(self) -> Mapping[Signature, HeldRows]:
        """When rows held, as far back as windows look; of the input also after `now`, if they always hold."""
        return {signature: self.when_held(signature) for signature in {**self._held, **self._points}}

    def when_held(self, signature: Signature) -> HeldRows:
        """The same of one predicate."""
        some, others = self._points.get(signature), self._held.get(signature, {})
        if some is None:
            return others
        found = some.held()
        for row, runs in others.items():
            found[row] = merged([*found.get(row, ()), *runs])
        return found

    @property
    def size(self) -> int:
        """The number of rows that are kept for later blocks, and of those that hold now."""
        kept = sum(map(len, (*self._held.values(), *self.derives.values())))
        kept += sum(len(some.rows) for some in self._points.values())
        return kept + sum(len(some) for groups in self.arrived.values() for some in groups.values())

    def block(
        self, points: Mapping[Signature, Points], last: int, lasting: Mapping[Signature, Stretches] = NO_FACTS
    ) -> list[TickChanges]:
        """The changes of the output by the ticks up to one, which have these facts: in the order of ticks.

        Args:
            points: the facts, of ticks that are not over, of predicates that no rule derives.
            last: the last tick of the block.
            lasting: such facts that hold for a while; all of predicates whose facts are held are among them,
                as if no others came.
        """
        low, end = self.now + 1, last + 1
        passing = {
            signature: self._tell(signature, some)
            for signature, some in lasting.items()
            if signature not in self._current
        }
        for signature, current in self._current.items():
            if (some_held := lasting.get(signature)) is not None:
                self._hold(signature, current, some_held)
        for signature in {**points, **passing}:
            some = points.get(signature) or Points([], [])
            self.facts += len(some.rows)
            if signature in self._read:
                of_told = passing.get(signature, ())
                self._take(signature, some.with_more(of_told) if of_told else some, {*of_told})
        self.foreknown = 0
        for regular in self._regular:
            ticks = [*regular.between(low, last)]
            self.foreknown += len(ticks)
            self._take(regular.signature, Points([()] * len(ticks), ticks, may_repeat=False), ())
        for calendar in self._calendar:
            self.foreknown += self._know(calendar, low, last)
        for signature, rows in self._background.items():
            if signature in self._read:
                self._held.setdefault(signature, {}).update((row, [self.start, end]) for row in rows)
        found = _Answers(self, low, end)
        changes = _ChangesByTick(low, end)
        self.made = 0
        for component, code in self._components:
            for signature, held in code.derived(found, low, end).items():
                destinations = component.delta_destinations[signature]
                before = self.derives.setdefault(signature, set())
                self.made += len(held)
                if destinations.shown is not None:
                    changes.add(destinations.shown, before, held)
                self.derives[signature] = {row for row, runs in held.items() if runs[-1] == end}
                if destinations.published is not None:
                    found.derive(destinations.published, held)
                for one in dict.fromkeys((destinations.published, destinations.recorded)):
                    if one is not None:
                        add(self._held.setdefault(one, {}), held)
                        found.forget(one)
        for signature in self._shown_input:
            held = _within(self.when_held(signature), low, end)
            before = self.derives.setdefault(signature, set())
            changes.add(signature, before, held)
            self.derives[signature] = {row for row, runs in held.items() if runs[-1] == end}
        for signature, held in self._held.items():
            reach = self._reach.get(signature, 0)
            if reach is not None:
                forget(held, end - reach)
        self._held = {signature: held for signature, held in self._held.items() if held}
        for signature, some in self._points.items():
            reach = self._reach.get(signature, 0)
            if reach is not None:
                some.forget(last - reach)
        for lookup, arrived in self.arrived.items():
            assert isinstance(lookup.window, LastArrivals)
            for known in arrived.values():
                del known[: -lookup.window.size]
        self.now = last
        return changes.in_order()

    def shown_behind(self) -> dict[Signature, set[Row]]:
        """The output at the last tick that is over."""
        found: dict[Signature, set[Row]] = {}
        for component, _ in self._components:
            for signature, destinations in component.delta_destinations.items():
                if destinations.shown is not None:
                    found.setdefault(destinations.shown, set()).update(self.derives.get(signature, ()))
        for signature in self._shown_input:
            found[signature] = {*self.derives.get(signature, ())}
        return found

    def _tell(self, signature: Signature, some: Stretches) -> Sequence[tuple[int, Row]]:
        """Takes facts that hold for a while; gives those that turn out to hold at their tick alone."""
        self.facts += len(some.rows)
        told: dict[tuple[int, Row], int] = {}
        for tick, row, end in zip(some.ticks, some.rows, some.ends, strict=True):
            told[tick, row] = max(end, told.get((tick, row), end))
        if signature not in self._read:
            return ()
        self._merge(signature, len(some.rows) - len(told))
        passing, held, always = [], self._held.setdefault(signature, {}), self._background.get(signature, ())
        for (tick, row), end_by_these in told.items():
            if row in always:
                continue
            runs, end = held.get(row), end_by_these
            if runs is not None and runs[-1] > tick:
                end = max(end, runs[-1])
            if end <= tick + 1:
                passing.append((tick, row))
            elif runs is None:
                held[row] = [tick, end]
            elif runs[-1] >= tick:
                runs[-1] = end
            else:
                runs += (tick, end)
        return passing

    def _hold(self, signature: Signature, current: CurrentRows, some: Stretches) -> None:
        """Takes facts that are held until others with their keys come."""
        self.facts += len(some.rows)
        held = self._held.setdefault(signature, {}) if signature in self._read else {}
        always = self._background.get(signature, ())
        self._merge(signature, current.take(some, held, always))

    def _know(self, calendar: CalendarPredicate, first: int, last: int) -> int:
        """Takes what holds at ticks of a range by the calendar; gives the number of its intervals."""
        held, number = self._held.setdefault(calendar.signature, {}), 0
        for row, begin, until in calendar.intervals(first, last):
            number += 1
            lengthen(held, row, begin, FOR_EVER if until is None else until + 1)
        return number

    def _merge(self, signature: Signature, number: int) -> None:
        """So many facts were equal to another one of their tick."""
        if number:
            self.merged[signature] = self.merged.get(signature, 0) + number

    def _take(self, signature: Signature, some: Points, passing: Collection[tuple[int, Row]]) -> None:
        """Takes facts, among which are those that were told for a while and hold at their tick alone."""
        came, known = some, self._points.setdefault(signature, Points([], []))
        self._are_once.pop(signature, None)
        if some.may_repeat and not self._is_each_once(signature, known.rows, some.rows):
            some = some.distinct()
            if len(some.rows) < len(came.rows):
                self._merge(signature, self._number_equal(signature, came, passing))
        known.add(some)
        for lookup, arrived in self.arrived.items():
            if lookup.signature == signature:
                _arrive(lookup, arrived, some)

    def _number_equal(self, signature: Signature, some: Points, passing: Collection[tuple[int, Row]]) -> int:
        """How many facts are equal to another one of their tick, of those that do not hold on anyway."""
        held = self._held.get(signature, {})
        numbers = Counter(zip(some.ticks, some.rows, strict=True))
        return sum(
            number - 1
            for (tick, row), number in numbers.items()
            if number > 1 and ((tick, row) in passing or not sections(held.get(row, NOTHING), tick, tick + 1))
        )

    def points_of(self, signature: Signature) -> Points | None:
        """The facts of a predicate; None where it also has rows that do not hold at single ticks."""
        return None if signature in self._held else self._points.get(signature)

    def points_once(self, signature: Signature) -> Points | None:
        """The same where each row holds at one tick; else None."""
        some = self.points_of(signature)
        return some if some is not None and self._is_each_once(signature, some.rows) else None

    def _is_each_once(self, signature: Signature, *rows: Collection[Row]) -> bool:
        """Whether no two of the facts of a predicate that are there, or are taken now, have the same row."""
        found = self._are_once.get(signature)
        if found is None:
            found = signature not in self._repeated and len({*chain(*rows)}) == sum(map(len, rows))
            self._are_once[signature] = found
            if not found:
                self._repeated.add(signature)
        return found

    def is_derived_alone(self, signature: Signature) -> bool:
        """Whether all rows of a predicate are derived, so that none was there before it was first derived."""
        return signature not in self._background and signature not in self._points


def code_of(plan: Plan, component: Component, on_message: OnMessage) -> BlockCode | SteppedCode:
    """The code of a component of a plan."""
    rules, most = component.delta_rules, plan.largest_interval
    if looks_back(component):
        return SteppedCode(rules, component.derives, on_message, most)
    return BlockCode(rules, on_message, most)


def _arrive(lookup: Lookup, arrived: Arrived, some: Points) -> None:
    """Rows arrive."""
    assert isinstance(lookup.window, LastArrivals)
    keys = values_at(some.rows, lookup.window.group)
    for key, one in zip(keys, zip(some.ticks, some.rows, strict=True), strict=False):
        found = arrived.get(key)
        if found is None:
            arrived[key] = [one]
        else:
            found.append(one)


class _Answers:
    """The answers to lookups in a block."""

    def __init__(self, evaluator: BlockEvaluator, low: int, end: int) -> None:
        self._evaluator = evaluator
        self._low, self._end = low, end
        self._known: dict[Lookup, HeldRows] = {}
        self._derived: dict[Signature, HeldRows] = {}
        """What rules have derived in the block."""
        self._ticks: dict[Hashable, RowTicks] = {}
        """By predicates, the keys of projections, and what tells apart which of their rows these are of."""

    def derive(self, signature: Signature, held: HeldRows) -> None:
        """Rules have derived rows of a predicate, all of those in the block."""
        self._derived[signature] = held

    def forget(self, signature: Signature) -> None:
        """The answers to lookups that look back at a predicate are no longer those before the block."""
        for lookup in [one for one in self._known if one.signature == signature]:
            del self._known[lookup]

    def rows(self, lookup: Lookup, project: Projection | None = None) -> HeldRows:
        """When rows are in an answer; without a window only what is in the block is there."""
        found = self._known.get(lookup) if project is None else None
        if found is None:
            found = self._found(lookup, project)
            if project is None:
                self._known[lookup] = found
        return found

    def sums(
        self, lookup: Lookup, project: Projection | None, size: int, *, has_weights: bool, least: int
    ) -> Groups | None:
        """How many rows and ticks are in an answer, or the sums of values, by the first values of rows."""
        ticks = self._at_ticks(lookup, project)
        if ticks is None:
            key = lookup.signature, None if project is None else project.key, lookup.kind
            ticks = self._ticks.get(key)
            if ticks is None:
                ticks = self._ticks[key] = ticks_of(self._held(lookup, project))
        start = self._evaluator.start
        return sums_over_ticks(lookup, ticks, start, size, has_weights=has_weights, least=least)

    def _found(self, lookup: Lookup, project: Projection | None) -> HeldRows:
        evaluator = self._evaluator
        if isinstance(lookup.window, LastArrivals):
            arrived, with_ticks = evaluator.arrived[lookup], lookup.kind is LookupKind.AT
            return last_arrivals(arrived, lookup.window.size, self._end, with_ticks=with_ticks)
        if project is None and (once := self.once(lookup)) is not None:
            return once.by_row()
        ticks = self._at_ticks(lookup, project)
        if ticks is not None:
            return answers_of_points(lookup, ticks, evaluator.start, complete=evaluator.complete)
        held = self._held(lookup, project)
        return answers(lookup, held, evaluator.start, complete=evaluator.complete)

    def once(self, lookup: Lookup) -> RowsOnce | None:
        """The same where each row of the predicate holds at one tick, by which it is there; else None."""
        if lookup.signature is None:
            return None
        span = span_of_each(lookup, self._evaluator.start)
        points = None if span is None else self._evaluator.points_once(lookup.signature)
        if span is None or points is None:
            return None
        return answers_once(points.since(self._low) if lookup.window is None else points, span)

    def _at_ticks(self, lookup: Lookup, project: Projection | None) -> RowTicks | None:
        """The ticks of the facts that a lookup looks at; None where other rows are there as well."""
        assert lookup.signature is not None
        points = self._evaluator.points_of(lookup.signature)
        if points is None:
            return None
        is_now = lookup.window is None
        key = lookup.signature, None if project is None else project.key, is_now
        found = self._ticks.get(key)
        if found is None:
            some = points.since(self._low) if is_now else points
            found = self._ticks[key] = some.by_row() if project is None else project.of_points(some)
        return found

    def _held(self, lookup: Lookup, project: Projection | None) -> HeldRows:
        signature = lookup.signature
        assert signature is not None
        held: HeldRows
        if lookup.kind is LookupKind.INPUT and signature in self._evaluator.derived:
            held = {}
        elif lookup.window is not None:
            held = self._evaluator.when_held(signature)
        elif self._evaluator.is_derived_alone(signature) and signature in self._derived:
            held = self._derived[signature]
        else:
            held = _within(self._evaluator.when_held(signature), self._low, self._end)
        return held if project is None else project.of_held(held)


def _within(held: HeldRows, low: int, end: int) -> HeldRows:
    """What holds from a tick on and before another."""
    found: HeldRows = {}
    for row, runs in held.items():
        if low <= runs[0] and runs[-1] <= end:
            found[row] = runs
        elif some := [tick for part in sections(runs, low, end) for tick in part]:
            found[row] = some
    return found


class _ChangesByTick:
    """What begins and ends at the ticks of a block, by ticks and predicates."""

    def __init__(self, low: int, end: int) -> None:
        self._low, self._end = low, end
        self._found: dict[int, list[tuple[Signature, Changes]]] = {}

    def add(self, signature: Signature, before: Collection[Row], held: Mapping[Row, Sequence[int]]) -> None:
        """Adds those of a predicate: rows that held before the block, and when rows hold in it."""
        low, end = self._low, self._end
        began: defaultdict[int, list[Row]] = defaultdict(list)
        ended: defaultdict[int, list[Row]] = defaultdict(list)
        for row, runs in held.items():
            if len(runs) == 2:
                first, last = runs
            else:
                first, *between, last = runs
                for stop, begin in pairs(between):
                    ended[stop].append(row)
                    began[begin].append(row)
            if first > low or row not in before:
                began[first].append(row)
            if last < end:
                ended[last].append(row)
        over = [row for row in before if row not in held or held[row][0] > low]
        if over:
            ended[low].extend(over)
        found = self._found
        for tick in began.keys() | ended.keys():
            change = signature, changes_of((began.get(tick, ()), ended.get(tick, ())))
            others = found.get(tick)
            if others is None:
                found[tick] = [change]
            else:
                others.append(change)

    def in_order(self) -> list[TickChanges]:
        """All of them."""
        return sorted(self._found.items())
