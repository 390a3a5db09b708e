"""Rules that look back at what they derived before: from tick to tick, by the code of `delta`.

    open(U,B,E,N) :- not click(U), open(U,B,E,N) in {1}, visiting(U).

All else is known for the whole block. So the code takes what begins and ends of that at each tick, and of
what it derived some ticks before. Ticks without a change are passed over.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from heapq import heappop, heappush

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.analysis.windows import Lagged, Offsets
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import Changes
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Component
from lars2asp.planning.rows.delta_rules import DeltaRules
from lars2asp.runtime.evaluators.blocks.block_code import Answers, OnMessage
from lars2asp.runtime.evaluators.blocks.held_rows import HeldRows, pairs
from lars2asp.runtime.evaluators.delta.code.row_code import RowCode
from lars2asp.syntax.nodes import Signature

_Rows = tuple[list[Row], list[Row]]
"""Those that begin, and those that end."""


def span_back(lookup: Lookup) -> tuple[int, int] | None:
    """How many ticks back the window of a lookup begins and ends; None where it has not these alone."""
    if lookup.kind is not LookupKind.IN:
        return None
    match lookup.window:
        case Lagged(nearest, furthest):
            span = nearest, furthest
        case Offsets() as window if len(window.stretches) == 1:
            [span] = window.stretches
        case _:
            return None
    return span if span[0] > 0 else None


def looks_back(component: Component) -> bool:
    """Whether rules of a component look through windows at what it derives."""
    return any(
        one.window is not None and one.signature in component.derives for one in component.delta_rules.lookups
    )


class SteppedCode:
    """The rules of a component.

    Args:
        rules: the rules.
        own: the predicates that they derive.
        on_message: takes messages about undefined operations, each once.
        largest_interval: the number of values that one interval may have.

    Attributes:
        text: the code.
    """

    def __init__(
        self,
        rules: DeltaRules,
        own: Collection[Signature],
        on_message: OnMessage,
        largest_interval: int = LARGEST_INTERVAL,
    ) -> None:
        self._code = RowCode(rules.rules, {}, on_message, largest_interval=largest_interval)
        self.text = self._code.text
        derived = frozenset(own)
        self._spans = {
            lookup: span
            for lookup in self._code.begin
            if lookup.signature in derived and lookup.window is not None and (span := span_back(lookup))
        }
        """How many ticks lookups look back at what the rules derive."""
        self._is_new = True
        self._taken: dict[Lookup, set[Row]] = {lookup: set() for lookup in self._code.begin}
        """The answers that the code has; of other lookups than these between blocks alone."""
        self._derives: dict[Signature, set[Row]] = {one.derives: set() for one in rules.rules}
        """What the rules derive by them."""

    def derived(self, answers: Answers, low: int, end: int) -> dict[Signature, HeldRows]:
        """What the rules derive from a tick on and before another, as `BlockCode` gives it."""
        schedule = _Schedule(low, end)
        last: dict[Lookup, set[Row]] = {}
        for lookup, before in self._taken.items():
            if lookup in self._spans:
                schedule.begin_back(lookup, answers.rows(lookup), before)
            else:
                last[lookup] = schedule.add(lookup, answers.rows(lookup), before)
        found: dict[Signature, HeldRows] = {}
        for tick in schedule:
            changes = self._step(schedule.changes(tick))
            if tick == low:
                for signature, rows in self._derives.items():
                    found[signature] = {row: [low] for row in rows}
                    self._look_back(schedule, signature, low, rows, ())
                continue
            for signature, (began, ended) in changes.items():
                held = found[signature]
                for row in began:
                    held.setdefault(row, []).append(tick)
                for row in ended:
                    held[row].append(tick)
                self._look_back(schedule, signature, tick, began, ended)
        for signature, rows in self._derives.items():
            held = found[signature]
            for row in rows:
                held[row].append(end)
        self._taken.update(last)
        return found

    def _step(self, changed: list[tuple[Lookup, Changes]]) -> Mapping[Signature, Changes]:
        """Takes the changes of a tick, and gives those of what is derived."""
        code = self._code
        if self._is_new:
            self._is_new = False
            code.start()
        code.take(changed)
        found: dict[Signature, Changes] = {}
        code.add_changes(found)
        for signature, changes in found.items():
            rows = self._derives[signature]
            rows.update(changes.began)
            rows.difference_update(changes.ended)
        return found

    def _look_back(
        self,
        schedule: "_Schedule",
        signature: Signature,
        tick: int,
        began: Collection[Row],
        ended: Collection[Row],
    ) -> None:
        """What begins and ends at a tick does so in windows some ticks later."""
        for lookup, (nearest, furthest) in self._spans.items():
            if lookup.signature == signature:
                schedule.put(lookup, tick + nearest, began, 1)
                schedule.put(lookup, tick + furthest, ended, -1)


class _Schedule:
    """What begins and ends in the answers to lookups in a block; more comes for ticks ahead."""

    def __init__(self, low: int, end: int) -> None:
        self._low, self._end = low, end
        self._ticks = [low]
        self._changes: dict[int, dict[Lookup, _Rows]] = {low: {}}
        self._more: dict[int, dict[Lookup, dict[Row, int]]] = {}
        """How much more often rows are in windows that look back, from a tick on."""
        self._back: dict[Lookup, tuple[dict[Row, int], set[Row]]] = {}
        """How often they are, and the rows that are."""

    def __iter__(self) -> Iterator[int]:
        """The first tick, and all at which something may change."""
        while self._ticks:
            yield heappop(self._ticks)

    def add(self, lookup: Lookup, held: HeldRows, before: set[Row]) -> set[Row]:
        """Adds when rows are in an answer, and which ones were before; gives those that are at the end."""
        began: defaultdict[int, list[Row]] = defaultdict(list)
        ended: defaultdict[int, list[Row]] = defaultdict(list)
        for row, runs in held.items():
            if len(runs) == 2:
                first, after = runs
                began[first].append(row)
                ended[after].append(row)
            else:
                for first, after in pairs(runs):
                    began[first].append(row)
                    ended[after].append(row)
        low, end, here = self._low, self._end, set[Row]()
        ticks = sorted(began.keys() | ended.keys())
        for tick in ticks:
            if tick > low:
                break
            here.difference_update(ended.get(tick, ()))
            here.update(began.get(tick, ()))
        self._at(low)[lookup] = [*(here - before)], [*(before - here)]
        for tick in ticks[bisect_right(ticks, low) : bisect_left(ticks, end)]:
            some, others = began.get(tick, []), ended.get(tick, [])
            self._at(tick)[lookup] = some, others
            here.difference_update(others)
            here.update(some)
        return here

    def begin_back(self, lookup: Lookup, held: HeldRows, before: set[Row]) -> None:
        """Adds, of a lookup that looks back, when rows are in the answer by what held before the block.

        Those that were in it before the block are kept up to date.
        """
        self._back[lookup] = {}, before
        self.put(lookup, self._low, before, 0)
        for row, runs in held.items():
            for begin, end in pairs(runs):
                if end > self._low:
                    self.put(lookup, max(begin, self._low), (row,), 1)
                    self.put(lookup, end, (row,), -1)

    def put(self, lookup: Lookup, tick: int, rows: Collection[Row], number: int) -> None:
        """From a tick on rows are in the window of a lookup that looks back so many times more."""
        if tick >= self._end or not rows:
            return
        self._at(tick)
        more = self._more.setdefault(tick, {}).setdefault(lookup, {})
        if not more:
            more.update(dict.fromkeys(rows, number))
            return
        for row in rows:
            more[row] = more.get(row, 0) + number

    def _at(self, tick: int) -> dict[Lookup, _Rows]:
        found = self._changes.get(tick)
        if found is None:
            found = self._changes[tick] = {}
            heappush(self._ticks, tick)
        return found

    def changes(self, tick: int) -> list[tuple[Lookup, Changes]]:
        """What changes at a tick."""
        found = [(lookup, Changes(*some)) for lookup, some in self._changes.pop(tick).items()]
        for lookup, more in self._more.pop(tick, {}).items():
            numbers, known = self._back[lookup]
            began, ended = [], []
            for row, number in more.items():
                numbers[row] = now = numbers.get(row, 0) + number
                if not now:
                    del numbers[row]
                    if row in known:
                        ended.append(row)
                elif row not in known:
                    began.append(row)
            known.update(began)
            known.difference_update(ended)
            found.append((lookup, Changes(began, ended)))
        return found
