"""A stretch of a stream in blocks of many ticks, before its session goes on with single ticks."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from operator import lt
from typing import Any, Protocol

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.events import EventError, Events
from lars2asp.externals.terms.terms import GroundAtom
from lars2asp.externals.traces.told import told_of
from lars2asp.externals.traces.trace import Points, Stretches
from lars2asp.externals.views import TickChanges
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.evaluators.flow_refusals import grows, in_order
from lars2asp.runtime.flow.confirmed import Batch
from lars2asp.runtime.flow.evaluator import IN_ORDER, FlowEvaluator
from lars2asp.runtime.flow.states import FlowState
from lars2asp.runtime.given_ticks import GivenTicks, next_given
from lars2asp.runtime.reasoning.flow_ticks import FlowTicks, ForeknownTicks, may_go_back
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.sources.fine_ticks import NO_MOMENT, FineTick
from lars2asp.runtime.sources.pushback import Pushback
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import UNKNOWN, OnReject, Record, Rejected, by_moment, misshapen
from lars2asp.runtime.sources.reordering import Watermark
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Signature

FIRST_FACTS = 500
"""The number of facts of the first block, at most: what comes of a fact is not known yet."""

_GROWTH = 4
"""So many times as many facts as one block the next one has at most."""

Item = Record | Watermark | RecordColumns
Items = Iterable[Item]


class TakesChanges(Protocol):
    """Takes the answers of a block as changes from tick to tick, if it needs nothing else of them."""

    def takes_changes(self, before: Answer) -> bool:
        """Whether it takes those behind an answer."""
        ...

    def take_changes(self, changes: Sequence[TickChanges], last: Answer) -> None:
        """Takes them.

        Args:
            changes: what changes at each of the ticks.
            last: the answer at the last of them; what it says of changes is about all of them.
        """
        ...


class Blocks:
    """The ticks of a session that begins or goes on.

    Args:
        session: the session, which may begin blocks.
        every: at which ticks answers are given besides those at which they change.
        on_reject: takes records that are not valid.
        is_to_stop: whether the session is to go on behind a tick, which is over; None if none is known to be.
        each: gives of columns each record.
        taken: is told how many records of columns need not be given again, where they wait.
        is_in_turn: whether somebody may go on from the middle of a block.
        is_due: whether the answers at the ticks that are over are to be given before more records are taken.
        to: takes all answers of a block behind the first one, where they are given as they change; None where
            each is asked for.

    Attributes:
        rest: the records that are left for the session behind those that are open.
        is_over: whether all ticks were in blocks, and nothing is left for the session.
        is_left: whether the session went on by itself from the middle of a block.
        is_back: whether the session went on by itself because `flow` could not evaluate a tick.
        is_within: whether blocks have begun, and the session has not gone on after them yet.
        records: the records of the last block, and those that were open behind it, if somebody may go on from
            the middle of it.
    """

    def __init__(
        self,
        session: Session,
        every: GivenTicks,
        on_reject: OnReject,
        is_to_stop: Callable[[int | None], bool],
        each: Callable[[Items], Iterator[Record | Watermark]],
        taken: Callable[[int], None] = lambda _: None,
        *,
        is_in_turn: bool = False,
        is_due: Callable[[], bool] = lambda: False,
        to: TakesChanges | None = None,
    ) -> None:
        self._session = session
        self._every = every
        self._on_reject = on_reject
        self._is_to_stop = is_to_stop
        self._each = each
        self._taken = taken
        self._tuning = tuning = session.execution.tuning
        self._most = min(tuning.block_facts, FIRST_FACTS)
        """The number of facts from which on a block is evaluated."""
        plan = session.execution.flow_plan
        components = plan.in_batches
        optimizes = any(one.program.optimizes for one in components if not (one.is_certain or one.fails))
        self._derived = frozenset(signature for one in components for signature in one.derives)
        self._ticks: FlowTicks
        self._evaluator: FlowEvaluator | None = None
        self._points: dict[Signature, Points] = {}
        """The facts of a block so far, by predicates of which there is nothing else."""
        self._in_order = in_order(plan)
        self._lasting: dict[Signature, Stretches] = {}
        """What else is told, by other predicates."""
        if self._in_order:
            self._lasting[IN_ORDER] = Stretches([], [], [])
        self._foreknown_ticks = ForeknownTicks(plan)
        self._others = {*self._derived, *plan.held, *(one.signature for one in plan.foreknown)}
        self._others |= {signature for signature, _ in session.execution.background}
        """The predicates that may have rows which hold for a while."""
        self._grows = grows(plan, self._others)
        self._held = plan.held
        """The predicates whose facts are held, which are given as facts that hold for a while."""
        self._number = 0
        """The number of facts of a block so far, and of ticks at which rows change without facts."""
        self._at: int | None = None
        """The tick of the last record."""
        self._passed: Watermark | None = None
        """The last watermark."""
        self._open: list[Sequence[Record]] = []
        self._moment = NO_MOMENT
        """The latest time of these."""
        self._is_disordered = False
        """Whether some of them came behind one of a later time."""
        self._is_in_turn, self._is_due = is_in_turn, is_due
        self._to = None if is_in_turn or every is not None or session.output.hidden or optimizes else to
        self.rest = Pushback[Item](())
        self.is_over = self.is_left = self.is_back = self.is_within = False
        self._may_go_back = may_go_back(plan)
        """Whether some ticks may have to be evaluated otherwise."""
        self._before: FlowState | None = None
        """The state before the last block, if somebody may go on from the middle of it."""
        self._batch = Batch({}, {}, 0)
        """The facts of that block."""
        self.records: list[Sequence[Record]] = []
        self._rejected: list[Rejected] = []
        """The record that is rejected, until that is told."""
        self._since: list[Sequence[Record]] = []
        """The records since the last block; those that are open among them."""

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
        stream, points, near = Pushback.of(items), self._points, self._near
        lasting, held, has_foreknown = self._lasting, self._held, self._has_foreknown
        while (item := next(stream, None)) is not None:
            if self._is_due():
                yield self.so_far()
                if self._is_done:
                    yield self._handed_over([item], stream)
                    return
            if isinstance(item, Watermark):
                if until is not None and item.tick >= until:
                    if self._at is None:
                        yield self._handed_over([item], stream)
                        return
                    break
                self._passed = item
                continue
            if isinstance(item, RecordColumns):
                if self._is_to_stop(None if self._at is None else self._at - 1):
                    yield self._handed_over([item], stream)
                    return
                whole, item = item, item[: self._room]
                if self._takes_columns(item, until):
                    if len(item) < len(whole):
                        stream.give_back([whole[len(item) :]])
                    self._taken(len(item))
                    self._add_columns(item)
                    if self._number >= self._most:
                        yield self._block(item.ticks[-1] - 1)
                        if self._is_done:
                            yield self._handed_over((), stream)
                            return
                else:
                    stream.give_back(self._each([whole]))
                continue
            tick, events, _ = item
            at, moment = self._at, NO_MOMENT
            if type(tick) is FineTick:
                moment, tick = tick.moment, +tick
            try:
                facts, begin, end, holds_until = events
                is_known = not (begin or end) and holds_until is None
                if at is None or not at <= tick <= at + near or (until is not None and tick > until):
                    is_known = False
                for signature, _ in facts:
                    if signature not in points and signature not in lasting:
                        is_known = False
            except (TypeError, ValueError):  # what is no Events is rejected
                is_known = False
            if not is_known:
                takes = self._takes(item, until)
                if takes is None:
                    if self._at is None and self._session.now is not None:  # answers before it come first
                        self._rejected.clear()
                        yield self._handed_over([item], stream)
                        return
                    if self._is_in_turn:  # who goes on before it is told may have another reason to reject it
                        yield self.so_far()
                        if self._is_done:
                            yield self._handed_over([item], stream)
                            return
                    self._reject_open()
                    continue
                if not takes:
                    yield self._handed_over([item], stream)
                    return
                near, has_foreknown = self._near, self._has_foreknown
            if tick != at:
                if at is not None:
                    if self._is_to_stop(tick - 1):
                        yield self._handed_over([item], stream)
                        return
                    if has_foreknown:
                        self._number += self._foreknown(at, tick, self._most)
                self._order()
                if self._number >= self._most:
                    yield self._block(tick - 1)
                self._close()
                self._at = tick
                if self._is_done:
                    yield self._handed_over([item], stream)
                    return
            if moment < self._moment:
                self._is_disordered = True
            else:
                self._moment = moment
            self._open.append([item])
            if self._keeps_records:
                self._since.append([item])
            if self._in_order or begin or end or holds_until is not None:
                if moment != NO_MOMENT and (begin or end):  # which ends are valid depends on the order
                    self._is_disordered = True
                else:
                    self._ticks.checks.note(events)
                self._add_told(tick, events)
                continue
            for signature, rows in facts:
                number = len(rows)
                self._number += number
                found = points.get(signature)
                if found is None:
                    holds_until = held[signature].last(tick) if signature in held else tick
                    lasting[signature].add(rows, tick, min(holds_until + 1, FOR_EVER))
                    continue
                ticks = found.ticks
                if ticks and ticks[-1] == tick:
                    found.may_repeat = True
                if number == 1:
                    found.rows.append(rows[0])
                    ticks.append(tick)
                else:
                    if len(set(rows)) < number:
                        found.may_repeat = True
                    found.rows.extend(rows)
                    ticks.extend([tick] * number)
        if self._is_due():
            yield self.so_far()
        if self._evaluator is None or self._at is None or self._is_done:
            yield self._handed_over((), ())
            return
        last = until
        if last is None:
            last = self._at if self._passed is None else max(self._at, self._passed.tick)
        ends_here = last - self._at <= self._near
        self._order()
        yield self._block(last if ends_here else self._at)
        if self.is_back:
            yield self._handed_over((), ())
            return
        self._open.clear()
        if self.is_left:
            return
        if ends_here:
            self._session.end_blocks()
            self.is_over = True
        else:
            yield self._handed_over((), ())

    def so_far(self) -> Iterator[Answer]:
        """The answers at the ticks that are over, as a block; to be asked for between two records."""
        at, passed = self._at, self._passed
        if self._evaluator is None or at is None:
            return
        last = at - 1
        if passed is not None and passed.tick >= at:
            last = min(passed.tick, at + self._near)
            self._close()
        yield from self._block(last)

    @property
    def reached(self) -> FlowEvaluator | None:
        """The evaluator after the last block; None before the first."""
        evaluator = self._evaluator
        return None if evaluator is None or evaluator.now < evaluator.start else evaluator

    def leave(self, now: int) -> list[Record]:
        """The session goes on by itself from a tick of the last block; gives the records behind it."""
        self.is_left = True
        evaluator = self.reached
        assert evaluator is not None
        if now < evaluator.now:
            assert self._before is not None
            self._ticks.go_back(self._before, self._batch.up_to(now))
        self._session.end_blocks()
        last = self._batch.last
        of_block = (one for one in chain.from_iterable(self.records) if now < one.tick <= last)
        return [*of_block, *(one for one in chain.from_iterable(self._since) if one.tick > max(now, last))]

    @property
    def _is_done(self) -> bool:
        """Whether the session went on by itself."""
        return self.is_left or self.is_back

    @property
    def _keeps_records(self) -> bool:
        """Whether records of a block are needed when it was evaluated."""
        return self._is_in_turn or self._may_go_back

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
        if self._in_order or (until is not None and last > until):
            return False
        if at is None:
            takes = columns.is_near(first, harmless) and bool(self._takes(columns[0], until))
            self._rejected.clear()  # else it is looked at again by itself
        else:
            takes = at <= first and columns.is_near(at, harmless)
        return takes and self._foreknown(first if at is None else at, last, self._most) <= self._most

    def _add_columns(self, columns: RecordColumns) -> None:
        ticks, moments, at = columns.ticks, columns.moments, self._at
        last = ticks[-1]
        if moments is not None and ticks[0] == at:
            self._is_disordered = self._is_disordered or moments[0] < self._moment
            if self._is_disordered and last != at:
                behind = bisect_right(ticks, at)
                self._add_columns(columns[:behind])
                columns = columns[behind:]
                ticks, moments = columns.ticks, columns.moments
        first = bisect_left(ticks, last)
        if first or last != at:
            self._close()
        if moments is not None:
            self._moment = max(self._moment, moments[-1])
        has_repeats = ticks[0] == self._at or not all(map(lt, ticks, ticks[1:]))
        self._open.append(columns[first:])
        if self._keeps_records:
            self._since.append(columns)
        self._number += self._foreknown(ticks[0] if self._at is None else self._at, last, self._most)
        self._at = last
        for one in columns.facts:
            rows, their_ticks = one.at(ticks)
            self._number += len(rows)
            if one.signature in self._held or one.signature in self._derived:
                self._let_last(one.signature)
            stretches = self._lasting.get(one.signature)
            if stretches is not None:
                by = self._held.get(one.signature)
                lasts = their_ticks if by is None else map(by.last, their_ticks)
                stretches.rows.extend(rows)
                stretches.ticks.extend(their_ticks)
                stretches.ends.extend([min(last + 1, FOR_EVER) for last in lasts])
                continue
            found = self._points.setdefault(one.signature, Points([], [], may_repeat=False))
            found.may_repeat = found.may_repeat or has_repeats or one.are_several
            found.rows.extend(rows)
            found.ticks.extend(their_ticks)

    def _add_told(self, tick: int, events: Events) -> None:
        """Adds what events of a tick tell, in the order in which they arrive."""
        points, lasting = self._points, self._lasting
        for signature, row, end in told_of(tick, events, self._held):
            self._number += 1
            if signature in points:
                points[signature].rows.append(row)
                points[signature].ticks.append(tick)
                points[signature].may_repeat = True
            else:
                lasting[signature].add((row,), tick, end)
            if self._in_order:
                atom: Any = GroundAtom(signature, row)
                lasting[IN_ORDER].add((atom,), tick, end)

    def _let_last(self, signature: Signature) -> None:
        """From here on more may be told of a predicate than facts of single ticks."""
        if signature in self._lasting:
            return
        found = self._points.pop(signature, Points([], []))
        self._lasting[signature] = Stretches(found.rows, found.ticks, [tick + 1 for tick in found.ticks])
        self._others.add(signature)
        self._grows = grows(self._session.execution.flow_plan, self._others)

    def _close(self) -> None:
        """The tick that is open is over."""
        if self.is_back:
            return
        self._order()
        self._open.clear()
        self._moment = NO_MOMENT

    def _order(self) -> None:
        """What was told of the tick that is open is in the order of times."""
        if self._is_disordered and self._at is not None:
            for points in self._points.values():
                points.cut(self._at - 1)
            for stretches in self._lasting.values():
                stretches.cut(self._at - 1)
            checks = self._ticks.checks
            for record in by_moment(chain.from_iterable(self._open)):
                try:
                    if record.events.end:
                        checks.check(self._at, record.events)
                except EventError as error:
                    self._on_reject(Rejected(record.origin or UNKNOWN, str(error)))
                    self._since = [[one for one in some if one is not record] for some in self._since]
                else:
                    checks.note(record.events)
                    self._add_told(self._at, record.events)
        self._is_disordered = False

    def _takes(self, record: Record, until: int | None) -> bool | None:
        """Whether a record can be of a block, else it is for the session; None for one that is rejected."""
        session, (tick, events, _) = self._session, record
        at, tick = self._at, +tick
        if misshapen(events) is not None:
            if at is not None:
                session.reach(at)
            session.accept(record, self._rejected.append)
            return None
        if until is not None and tick > until:
            return False
        before = session.now if at is None else at
        if before is not None and tick - before > session.gaps.harmless:
            return False
        most = self._tuning.block_facts  # more changes at once, known without records, would fill the memory
        if before is not None and self._foreknown(before, tick, most) > most:
            return False
        if at is not None:
            session.reach(at)
        if session.accept(record, self._rejected.append) is None:
            return None
        if self._evaluator is None:
            self._evaluator = self._begun(tick)
            if self._evaluator is None:
                return False
        for signature, _ in (*events.begin, *events.end):
            self._let_last(signature)
        for signature, _ in events.facts:
            if events.until is not None or signature in self._held or signature in self._derived:
                self._let_last(signature)
            elif signature not in self._lasting:
                self._points.setdefault(signature, Points([], [], may_repeat=False))
        return True

    @property
    def _has_foreknown(self) -> bool:
        """Whether rows may change at ticks without facts."""
        return self._grows or bool(self._foreknown_ticks)

    @property
    def _near(self) -> int:
        """How far a record may lie ahead, and a block go on: more changes would fill the memory."""
        harmless = self._session.gaps.harmless
        return min(harmless, self._tuning.block_facts) if self._has_foreknown else harmless

    def _foreknown(self, before: int, last: int, most: int) -> int:
        """The number of ticks after one up to another at which rows may change without facts.

        It counts foreknown ticks no further than `most` + 1.
        """
        return (last - before if self._grows else 0) + self._foreknown_ticks.number(before, last, most)

    def _reject_open(self) -> None:
        """Hands on the record that was rejected last."""
        rejected, self._rejected = self._rejected, []
        for one in rejected:
            self._on_reject(one)

    def _begun(self, tick: int) -> FlowEvaluator | None:
        """The evaluator of the blocks, from the tick of a record on; None if there can be none."""
        ticks = self._session.begin_blocks(tick)
        if ticks is None:
            return None
        self._ticks, self.is_within = ticks, True
        return ticks.flow

    def _block(self, last: int) -> Iterator[Answer]:
        evaluator = self._evaluator
        assert evaluator is not None
        if last <= evaluator.now or self._is_done or evaluator.is_broken:
            return
        if self._keeps_records:
            assert self._at is not None
            self._before = evaluator.state() if self._is_in_turn else None
            self.records = self._since
            self._since = [*self._open] if self._at > last else []
        rest = {signature: some.cut(last) for signature, some in self._points.items()}
        lasting = {signature: some.cut(last) for signature, some in self._lasting.items()}
        batch = Batch({**self._points}, {**self._lasting}, last)
        if self._is_in_turn:
            self._batch = batch
        ticks = self._ticks
        now, facts = evaluator.now, evaluator.facts
        outcome, is_back = ticks.batch(batch)
        last = evaluator.now
        to = None if outcome.turns or ticks.has_failed else self._to
        for tick, changes, has_failed in outcome.ticks(has_failed=ticks.has_failed):
            yield from self._between(now, tick)
            if self.is_left:
                return
            answer = ticks.answer(tick, changes, has_failed=has_failed)
            yield answer
            now = tick
            if to is not None:
                rest_of = outcome.changes[1:]
                if rest_of and to.takes_changes(answer):
                    to.take_changes(rest_of, ticks.last_answer(rest_of))
                    break
                to = None
        yield from self._between(now, last + 1)
        if self.is_left:
            return
        if is_back:
            self._go_back(evaluator)
            return
        self._points.update(rest)
        self._lasting.update(lasting)
        ticks.checks.noted = {}
        for record in self.open:
            if type(record.tick) is not FineTick:
                ticks.checks.note(record.events)
        self._number = sum(len(some.rows) for some in rest.values())
        self._number += sum(len(some.rows) for some in lasting.values())
        facts = evaluator.facts - facts + evaluator.foreknown
        self._most = facts_of_next(evaluator, facts, self._most, self._tuning, has_states=self._is_in_turn)

    def _go_back(self, evaluator: FlowEvaluator) -> None:
        """The session goes on behind the last tick that could be evaluated, with the records behind it."""
        over, records = evaluator.now, [*chain.from_iterable(self.records)]
        self._session.ahead = None
        self._session.end_blocks()
        self._open = [[record for record in records if record.tick > over]]
        self.is_back, self.is_within = True, False

    def _between(self, now: int, end: int) -> Iterator[Answer]:
        """The answers that are given at ticks between two at which they change."""
        if self._every is None:
            return
        tick = next_given(self._every, now)
        while tick < end and not self.is_left:
            yield self._ticks.answer_without_changes(tick)
            tick = next_given(self._every, tick)

    def _handed_over(self, more: Sequence[Item], rest: Items) -> Iterator[Answer]:
        """The session goes on with the tick that is not over, once what came before it is evaluated."""
        evaluator, at = self._evaluator, self._at
        if evaluator is not None and at is not None and not (self._is_done or evaluator.is_broken):
            if self._open:
                yield from self._block(at - 1)
            if not self._is_done:
                self._session.end_blocks()
                self.is_within = False
        passed = self._passed
        if passed is not None and (at is None or passed.tick >= at):  # the tick that is open is over
            more = [passed, *more]
        self.rest = Pushback.of(rest)
        self.rest.give_back(more)


def facts_of_next(
    evaluator: FlowEvaluator, facts: int, most: int, tuning: Tuning, *, has_states: bool = False
) -> int:
    """The number of facts of the next block, by the rows that the last one made.

    If the state before each block is kept, the block has more: a state takes longer, the more rows are kept.
    """
    kept = 2 * evaluator.size if has_states else 0
    rows = max(tuning.block_rows, kept)
    by_rows = facts * rows // evaluator.made if evaluator.made else rows
    return max(1, min(_GROWTH * most, max(tuning.block_facts, kept), by_rows))
