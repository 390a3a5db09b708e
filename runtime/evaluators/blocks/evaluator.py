"""The evaluator `blocks`: what begins and ends in a block of ticks, by the intervals at which rows hold."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lars2asp.analysis.windows import LastArrivals
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.externals.views import Changes, RowChanges
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Plan
from lars2asp.runtime.evaluators.blocks.block_code import BlockCode, OnMessage, Projection
from lars2asp.runtime.evaluators.blocks.held_rows import HeldRows, add, add_points, forget, pairs, values_at
from lars2asp.runtime.evaluators.blocks.swept_groups import Groups
from lars2asp.runtime.evaluators.blocks.windowed_rows import Arrived, answers, last_arrivals, sums_over_ticks
from lars2asp.syntax.nodes import Signature


@dataclass(frozen=True)
class Points:
    """Facts of one predicate, in the order in which they came: the ticks ascend."""

    rows: list[Row]
    ticks: list[int]

    def cut(self, last: int) -> "Points":
        """Cuts off, and gives, those behind a tick."""
        end = bisect_right(self.ticks, last)
        rest = Points(self.rows[end:], self.ticks[end:])
        del self.rows[end:], self.ticks[end:]
        return rest


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
        self.facts = self.ticks = self.made = 0
        self.merged: dict[Signature, int] = {}
        self.shown: dict[Signature, set[Row]] = {}
        self.start, self.complete = start, complete
        self._components = [(one, BlockCode(one.delta_rules, on_message)) for one in plan.components]
        self._reach = reach
        self._read = frozenset(one.signature for one in lookups if one.signature is not None)
        self.derived = frozenset(signature for one in plan.components for signature in one.derives)
        """The predicates that rules derive."""
        self._shown_input = plan.shown_input
        self._background: dict[Signature, set[Row]] = {}
        for signature, rows in background:
            self._background.setdefault(signature, set()).update(rows)
        self.held: dict[Signature, HeldRows] = {}
        """When rows held, as far back as windows look; of the input also after `now`, if they always hold."""
        self.derives: dict[Signature, set[Row]] = {}
        """What rules derive at the last tick that is over, by predicates."""
        self.arrived: dict[Lookup, Arrived] = {
            one: {} for one in lookups if isinstance(one.window, LastArrivals)
        }
        """The last arrivals that are in windows, by lookups about them."""

    @property
    def size(self) -> int:
        """The number of rows that are kept for later blocks, and of those that hold now."""
        kept = sum(map(len, (*self.held.values(), *self.derives.values())))
        return kept + sum(len(some) for groups in self.arrived.values() for some in groups.values())

    def block(self, points: Mapping[Signature, Points], last: int) -> list[tuple[int, RowChanges]]:
        """The changes of the output by the ticks up to one, which have these facts: in the order of ticks.

        Args:
            points: the facts, of ticks that are not over, of predicates that no rule derives.
            last: the last tick of the block.
        """
        low, end = self.now + 1, last + 1
        for signature, some in points.items():
            self.facts += len(some.rows)
            if signature in self._read:
                self._take(signature, some)
        for signature, rows in self._background.items():
            if signature in self._read:
                self.held.setdefault(signature, {}).update((row, [self.start, end]) for row in rows)
        found = _Answers(self, end)
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
                    add(self.held.setdefault(destinations.published, {}), held)
        for signature in self._shown_input:
            held = _since(self.held.get(signature, {}), low)
            before = self.derives.setdefault(signature, set())
            changes.add(signature, before, held)
            self.derives[signature] = {row for row, runs in held.items() if runs[-1] == end}
        for signature, held in self.held.items():
            reach = self._reach.get(signature, 0)
            if reach is not None:
                forget(held, end - reach)
        for lookup, arrived in self.arrived.items():
            assert isinstance(lookup.window, LastArrivals)
            for known in arrived.values():
                del known[: -lookup.window.size]
        self.now = last
        return changes.in_order()

    def _take(self, signature: Signature, some: Points) -> None:
        equal = add_points(self.held.setdefault(signature, {}), some.rows, some.ticks)
        if equal:
            self.merged[signature] = self.merged.get(signature, 0) + equal
        for lookup, arrived in self.arrived.items():
            if lookup.signature == signature:
                self._arrive(lookup, arrived, some, has_equal=bool(equal))

    @staticmethod
    def _arrive(lookup: Lookup, arrived: Arrived, some: Points, *, has_equal: bool) -> None:
        """Rows arrive: of those of a tick that are equal the first one."""
        assert isinstance(lookup.window, LastArrivals)
        group = lookup.window.group
        came: Iterable[tuple[int, Row]] = zip(some.ticks, some.rows, strict=True)
        rows: Sequence[Row] = some.rows
        if has_equal:
            came = dict.fromkeys(came)
            rows = [row for _, row in came]
        for key, one in zip(values_at(rows, group), came, strict=False):
            found = arrived.get(key)
            if found is None:
                arrived[key] = [one]
            else:
                found.append(one)


class _Answers:
    """The answers to lookups in a block."""

    def __init__(self, evaluator: BlockEvaluator, end: int) -> None:
        self._evaluator = evaluator
        self._end = end
        self._known: dict[Lookup, HeldRows] = {}

    def rows(self, lookup: Lookup, project: Projection | None = None) -> HeldRows:
        """When rows are in an answer."""
        found = self._known.get(lookup) if project is None else None
        if found is None:
            found = self._found(lookup, project)
            if project is None:
                self._known[lookup] = found
        return found

    def sums(
        self, lookup: Lookup, project: Projection | None, size: int, *, has_weights: bool
    ) -> Groups | None:
        """How many rows and ticks are in an answer, or the sums of values, by the first values of rows."""
        held = self._held(lookup, project)
        return sums_over_ticks(lookup, held, self._evaluator.start, size, has_weights=has_weights)

    def _found(self, lookup: Lookup, project: Projection | None) -> HeldRows:
        evaluator = self._evaluator
        if isinstance(lookup.window, LastArrivals):
            return last_arrivals(evaluator.arrived[lookup], lookup.window.size, self._end)
        held = self._held(lookup, project)
        return answers(lookup, held, evaluator.start, complete=evaluator.complete)

    def _held(self, lookup: Lookup, project: Projection | None) -> HeldRows:
        assert lookup.signature is not None
        held = self._evaluator.held.get(lookup.signature, {})
        if lookup.kind is LookupKind.INPUT and lookup.signature in self._evaluator.derived:
            held = {}
        return held if project is None else project(held)


def _since(held: HeldRows, low: int) -> HeldRows:
    """What holds from a tick on."""
    found: HeldRows = {}
    for row, runs in held.items():
        if runs[-1] > low:
            found[row] = [tick for begin, end in pairs(runs) if end > low for tick in (max(begin, low), end)]
    return found


class _ChangesByTick:
    """What begins and ends at the ticks of a block, by ticks and predicates."""

    def __init__(self, low: int, end: int) -> None:
        self._low, self._end = low, end
        self._found: dict[int, dict[Signature, Changes]] = {}

    def add(self, signature: Signature, before: Collection[Row], held: Mapping[Row, Sequence[int]]) -> None:
        """Adds those of a predicate: rows that held before the block, and when rows hold in it."""
        low, end = self._low, self._end
        began: defaultdict[int, list[Row]] = defaultdict(list)
        ended: defaultdict[int, list[Row]] = defaultdict(list)
        for row, runs in held.items():
            if runs[0] > low or row not in before:
                began[runs[0]].append(row)
            if runs[-1] < end:
                ended[runs[-1]].append(row)
            if len(runs) > 2:
                for begin in runs[2::2]:
                    began[begin].append(row)
                for stop in runs[1:-1:2]:
                    ended[stop].append(row)
        over = [row for row in before if row not in held or held[row][0] > low]
        if over:
            ended[low].extend(over)
        for tick in began.keys() | ended.keys():
            changes = Changes(began.get(tick, ()), ended.get(tick, ()))
            self._found.setdefault(tick, {})[signature] = changes

    def in_order(self) -> list[tuple[int, RowChanges]]:
        """All of them."""
        return [(tick, list(changes.items())) for tick, changes in sorted(self._found.items())]
