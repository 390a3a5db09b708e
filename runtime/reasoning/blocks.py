"""The beginning of a stream in blocks of many ticks, before a session goes on tick by tick."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from lars2asp.externals.views import RowChanges
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.evaluators.blocks.evaluator import BlockEvaluator
from lars2asp.runtime.evaluators.blocks.points import Points
from lars2asp.runtime.evaluators.stages import change
from lars2asp.runtime.given_ticks import GivenTicks, next_given
from lars2asp.runtime.output import OutputState
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import OnReject, Record
from lars2asp.runtime.sources.reordering import Watermark
from lars2asp.syntax.nodes import Signature

_FIRST = 500
"""The number of facts of the first block, at most: what comes of a fact is not known yet."""

_GROWTH = 4
"""So many times as many facts as one block the next one has at most."""

Items = Iterable[Record | Watermark | RecordColumns]


class Blocks:
    """The ticks of a session that has not begun, in blocks, as long as its records are plain facts.

    Args:
        session: the session, for whose program there is no refusal.
        every: at which ticks answers are given besides those at which they change.
        on_reject: takes records that are not valid.
        is_to_stop: whether the session is to go on as soon as it can.
        each: gives of columns each record.
        taken: is told how many records of columns need not be given again, where they wait.

    Attributes:
        rest: the records that are left for the session behind those that are open.
        is_over: whether all ticks were in blocks, and nothing is left for the session.
    """

    def __init__(
        self,
        session: Session,
        every: GivenTicks,
        on_reject: OnReject,
        is_to_stop: Callable[[], bool],
        each: Callable[[Items], Iterator[Record | Watermark]],
        taken: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._session = session
        self._every = every
        self._on_reject = on_reject
        self._is_to_stop = is_to_stop
        self._each = each
        self._taken = taken
        self._tuning = tuning = session.execution.tuning
        self._most = min(tuning.block_facts, _FIRST)
        """The number of facts from which on a block is evaluated."""
        components = session.execution.plan.components
        self._derived = frozenset(signature for one in components for signature in one.derives)
        self._evaluator: BlockEvaluator | None = None
        self._points: dict[Signature, Points] = {}
        """The facts of a block so far, by predicates that no rule derives."""
        self._number = 0
        """Of these."""
        self._has_much = False
        """Whether so much follows from facts that tick by tick is quicker."""
        self._at: int | None = None
        """The tick of the last record."""
        self._passed: Watermark | None = None
        """The last watermark."""
        self._open: list[Sequence[Record]] = []
        self.rest: Items = ()
        self.is_over = False

    def over(self, items: Items, until: int | None) -> Iterator[Iterator[Answer]]:
        """The answers at the ticks of each block; the session goes on behind them with the rest.

        Args:
            items: the records.
            until: the last tick that is asked for.
        """
        try:
            yield from self._blocks(items, until)
        except GeneratorExit:
            raise
        except BaseException:  # what came before the record is answered, and what was over by then
            yield self.so_far()
            yield self._handed_over((), ())
            raise

    def _blocks(self, items: Items, until: int | None) -> Iterator[Iterator[Answer]]:
        stream, points, harmless = iter(items), self._points, self._session.gaps.harmless
        while (item := next(stream, None)) is not None:
            if isinstance(item, Watermark):
                if until is not None and item.tick >= until:
                    if self._at is None:
                        yield self._handed_over([item], stream)
                        return
                    break
                self._passed = item
                continue
            if isinstance(item, RecordColumns):
                if self._is_to_stop():
                    yield self._handed_over([item], stream)
                    return
                whole, item = item, item[: self._room]
                if self._takes_columns(item, until):
                    if len(item) < len(whole):
                        stream = chain([whole[len(item) :]], stream)
                    self._taken(len(item))
                    self._add_columns(item)
                    if self._number >= self._most:
                        yield self._block(item.ticks[-1] - 1)
                        if self._has_much:
                            yield self._handed_over((), stream)
                            return
                else:
                    stream = chain(self._each([whole]), stream)
                continue
            tick, events, _ = item
            facts, at = events.facts, self._at
            is_plain = not (events.begin or events.end) and events.until is None
            is_near = at is not None and at <= tick <= at + harmless and (until is None or tick <= until)
            if not (is_plain and is_near and all(signature in points for signature, _ in facts)):
                takes = self._takes(item, until)
                if takes is None:
                    continue
                if not takes:
                    yield self._handed_over([item], stream)
                    return
            if tick != at:
                if at is not None and (self._has_much or self._is_to_stop()):
                    yield self._handed_over([item], stream)
                    return
                if self._number >= self._most:
                    yield self._block(tick - 1)
                self._at = tick
                self._open.clear()
                if self._has_much:
                    yield self._handed_over([item], stream)
                    return
            self._open.append([item])
            for signature, rows in facts:
                found, number = points[signature], len(rows)
                self._number += number
                if number == 1:
                    found.rows.append(rows[0])
                    found.ticks.append(tick)
                else:
                    found.rows.extend(rows)
                    found.ticks.extend([tick] * number)
        if self._evaluator is None or self._at is None:
            yield self._handed_over((), ())
            return
        last = self._at if until is None else until
        self.is_over = last - self._at <= self._session.gaps.harmless
        yield self._block(last if self.is_over else self._at)
        self._open.clear()
        if self.is_over:
            self._session.end_with(self._evaluator)
        else:
            yield self._handed_over((), ())

    def so_far(self) -> Iterator[Answer]:
        """The answers at the ticks that are over, as a block; to be asked for between two records."""
        at, passed = self._at, self._passed
        if self._evaluator is None or at is None:
            return
        last = at - 1
        if passed is not None and passed.tick >= at:
            last = min(passed.tick, at + self._session.gaps.harmless)
            self._open.clear()
        yield from self._block(last)

    @property
    def open(self) -> Iterable[Record]:
        """The records of the tick that is not over; they are for the session behind the last block."""
        return chain.from_iterable(self._open)

    @property
    def _room(self) -> int:
        """The number of records that are taken at once: what comes of them may be too much."""
        return max(self._most - self._number, self._most // 4, 1)

    def _takes_columns(self, columns: RecordColumns, until: int | None) -> bool:
        """Whether all records of columns can be of blocks; else each is looked at by itself."""
        first, last, at = columns.ticks[0], columns.ticks[-1], self._at
        harmless = self._session.gaps.harmless
        if until is not None and last > until:
            return False
        if any(one.signature in self._derived for one in columns.facts):
            return False
        if at is None:
            return columns.is_near(first, harmless) and bool(self._takes(columns[0], until))
        return at <= first and columns.is_near(at, harmless)

    def _add_columns(self, columns: RecordColumns) -> None:
        ticks = columns.ticks
        last = ticks[-1]
        first = bisect_left(ticks, last)
        if first or last != self._at:
            self._open.clear()
        self._open.append(columns[first:])
        self._at = last
        for one in columns.facts:
            rows, their_ticks = one.at(ticks)
            found = self._points.setdefault(one.signature, Points([], []))
            found.rows.extend(rows)
            found.ticks.extend(their_ticks)
            self._number += len(rows)

    def _takes(self, record: Record, until: int | None) -> bool | None:
        """Whether a record can be of a block, else it is for the session; None for one that is rejected."""
        session, (tick, events, _) = self._session, record
        at = self._at
        if (until is not None and tick > until) or events.begin or events.end or events.until is not None:
            return False
        if any(signature in self._derived for signature, _ in events.facts):
            return False
        if at is not None:
            if tick - at > session.gaps.harmless:
                return False
            session.reach(at)
        if session.accept(record, self._on_reject) is None:
            return None
        if self._evaluator is None:
            self._evaluator = self._begun(tick)
        for signature, _ in events.facts:
            self._points.setdefault(signature, Points([], []))
        return True

    def _begun(self, tick: int) -> BlockEvaluator:
        evaluator = self._session.begin_blocks(tick)
        output = self._session.execution.output
        output.follow(lambda: evaluator.shown)
        return evaluator

    def _block(self, last: int) -> Iterator[Answer]:
        evaluator = self._evaluator
        assert evaluator is not None
        if last <= evaluator.now:
            return
        rest = {signature: some.cut(last) for signature, some in self._points.items()}
        output, now, facts = self._session.execution.output, evaluator.now, evaluator.facts
        for tick, changes in evaluator.block(self._points, last):
            yield from self._between(output, now, tick)
            yield self._changed(evaluator, output, tick, changes)
            now = tick
        yield from self._between(output, now, last + 1)
        self._points.update(rest)
        self._number = sum(len(some.rows) for some in rest.values())
        facts = evaluator.facts - facts
        self._most = self._most_of_next(evaluator, facts)
        self._has_much = evaluator.made > self._tuning.block_consequences * facts

    def _most_of_next(self, evaluator: BlockEvaluator, facts: int) -> int:
        """The number of facts of the next block, by what came of so many.

        It has not many more rows than are kept anyway, be they facts or derived.
        """
        tuning, kept = self._tuning, 2 * evaluator.size
        rows = max(tuning.block_rows, kept)
        return max(
            1,
            min(
                _GROWTH * self._most,
                max(tuning.block_facts, kept),
                facts * rows // evaluator.made if evaluator.made else rows,
            ),
        )

    def _changed(
        self, evaluator: BlockEvaluator, output: OutputState, tick: int, changes: RowChanges
    ) -> Answer:
        for signature, one in changes:
            change(evaluator.shown, signature, one)
        before = output.version
        evaluator.ticks += 1
        return Answer(tick, True, output.change(changes), before)

    def _between(self, output: OutputState, now: int, end: int) -> Iterator[Answer]:
        """The answers that are given at ticks between two at which they change."""
        if self._every is None:
            return
        tick = next_given(self._every, now)
        while tick < end:
            yield Answer(tick, True, output.version, output.version)
            tick = next_given(self._every, tick)

    def _handed_over(self, more: Items, rest: Items) -> Iterator[Answer]:
        """The session goes on with the tick that is not over, once what came before it is evaluated."""
        evaluator, at = self._evaluator, self._at
        if evaluator is not None and at is not None:
            if self._open:
                yield from self._block(at - 1)
            self._session.take_up(evaluator)
        passed = self._passed
        if passed is not None and at is not None and passed.tick >= at:  # the tick that is open is over
            more = chain([passed], more)
        self.rest = chain(more, rest)


def begins_in_blocks(session: Session) -> bool:
    """Whether a session that has not begun may begin in blocks."""
    return session.history is None and session.start is None and session.execution.has_blocks
