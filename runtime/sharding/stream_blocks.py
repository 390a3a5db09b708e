"""A shard of a stream in blocks, as long as its batches bring many facts, and nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.externals.terms.table import ReadRows, WriteRows
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.externals.traces.trace import Points, Stretches
from lars2asp.externals.views import RowChanges
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.evaluators.flow_refusals import momentary
from lars2asp.runtime.flow.evaluator import FlowEvaluator, FlowState
from lars2asp.runtime.reasoning.blocks import FIRST_FACTS, facts_of_next
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.sharding.blocks import Block
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.runtime.sharding.shard_spec import ANOTHER_RUN
from lars2asp.runtime.sharding.whole_input import columns_of
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Signature

_MOST_SMALL = 8
"""After so many batches in turn that bring less than is kept, it goes on tick by tick."""


def in_turn(plan: Plan) -> str | None:
    """For what of a program the order counts in which the facts of a tick arrive; None for nothing."""
    if plan.held:
        return "#held"
    lookups = (one for component in plan.components for one in component.program.lookups)
    kinds = {LastArrivals: "a tuple window", Since: "a window that begins with an atom"}
    return next(
        (f"{kinds[type(one.window)]} over {one.signature}" for one in lookups if type(one.window) in kinds),
        None,
    )


def by_ticks(plan: Plan) -> str | None:
    """What of a program that can be had in blocks has shards of streams go tick by tick; None for nothing."""
    if plan.calendar:  # which changes very often between facts far apart
        return "#calendar"
    return in_turn(plan)


def are_worth_blocks(session: Session, facts: Sequence[Block], size: int) -> bool:
    """Whether facts, of so many bytes, are evaluated in blocks, where the program can be had so."""
    if session.execution.asks_for_flow:
        return True
    return all(block.sign == PacketSign.FACT for block in facts) and session.execution.is_worth_blocks(size)


class StreamBlocks:
    """The facts that wait for their ticks, and what is known of those before.

    Args:
        session: the session, which has not begun, and whose program and options allow blocks.
        tuning: thresholds.
    """

    def __init__(self, session: Session, tuning: Tuning) -> None:
        self._session = session
        self._tuning = tuning
        self._waiting: list[Block] = []
        self._size = 0
        """The bytes of the facts that came so far."""
        self._evaluator: FlowEvaluator | None = None
        self._momentary = momentary(session.plan)
        self._most = FIRST_FACTS
        self._small = 0
        """The number of batches in turn that brought little."""

    @property
    def has_begun(self) -> bool:
        """Whether ticks were evaluated in blocks."""
        return self._evaluator is not None

    @property
    def next_tick(self) -> int | None:
        """The first tick that has facts, or at which something may change; None for none."""
        ticks = [pc.min(block.columns.column(0)).as_py() for block in self._waiting]
        if self._evaluator is not None:
            ticks.append(self._evaluator.now + 1)
        return min(ticks, default=None)

    def add(self, block: Block) -> None:
        """Adds facts, to wait for their ticks."""
        self._waiting.append(block)
        self._size += block.columns.nbytes

    def takes(self, over: int) -> bool:
        """Whether the ticks up to one can be evaluated in blocks, and are to be."""
        due = self._due(over)
        evaluator = self._evaluator
        if evaluator is None:
            worth = self._waiting and are_worth_blocks(self._session, self._waiting, self._size)
            if not worth:
                return False
        elif not self._session.execution.asks_for_flow:
            number = sum(block.columns.num_rows for block in due)
            self._small = self._small + 1 if number < evaluator.size else 0
            if self._small > _MOST_SMALL:
                return False
        return self._can_be_had(due, over)

    def _can_be_had(self, due: Sequence[Block], over: int) -> bool:
        evaluator, session = self._evaluator, self._session
        derived = {one for component in session.plan.components for one in component.derives}
        for block in due:
            if block.signature in derived:
                return False
            if block.has_until:
                ticks, until = block.columns.column(0), block.columns.columns[-1]
                if self._momentary is None or block.signature in self._momentary:
                    return False
                if pc.any(pc.less(until, ticks)).as_py():
                    return False
        ticks = pa.chunked_array([block.columns.column(0) for block in due], pa.int64()).unique().sort()
        first = session.start if evaluator is None else evaluator.now + 1
        if first is None or (len(ticks) and ticks[0].as_py() < first):
            return False
        harmless = session.gaps.harmless
        return all(
            after - before <= harmless for before, after in pairwise([first, *ticks.to_pylist(), over])
        )

    def changes(self, over: int) -> Iterator[tuple[int, RowChanges]]:
        """The changes at the ticks up to one."""
        evaluator = self._evaluator
        due = self._due(over)
        self._waiting = [some for block in self._waiting if (some := _behind(block, over)) is not None]
        if evaluator is None:
            assert self._session.start is not None
            evaluator = self._evaluator = self._begun(self._session.start)
        points, lasting = _points_of(due), _stretches_of(due)
        told = [*(some.ticks for some in points.values()), *(some.ticks for some in lasting.values())]
        ticks = sorted(chain.from_iterable(told))
        while evaluator.now < over:
            last = ticks[self._most - 1] if len(ticks) > self._most else over
            rest = {signature: some.cut(last) for signature, some in points.items()}
            later = {signature: some.cut(last) for signature, some in lasting.items()}
            number = evaluator.facts
            found = evaluator.block(points, last, lasting).changes
            evaluator.ticks += len(found)
            for _, changes in found:
                evaluator.show(changes)
            yield from found
            points, lasting = rest, later
            number = evaluator.facts - number
            del ticks[:number]
            if number:
                self._most = facts_of_next(evaluator, number, self._most, self._tuning)

    def _begun(self, start: int) -> FlowEvaluator:
        ticks = self._session.begin_blocks(start)
        assert ticks is not None
        return ticks.flow

    @property
    def now(self) -> int | None:
        """The last tick that is over; None before the first."""
        return None if self._evaluator is None else self._evaluator.now

    @property
    def facts(self) -> int:
        """The number of facts at the ticks that are over."""
        return 0 if self._evaluator is None else self._evaluator.facts

    def leave(self) -> Sequence[Block]:
        """The session goes on tick by tick; gives the facts that wait."""
        if self._evaluator is not None:
            self._session.end_blocks()
        return self._waiting

    def _due(self, over: int) -> list[Block]:
        return [some for block in self._waiting if (some := _up_to(block, over)) is not None]

    # --- state ----------------------------------------------------------------------------------------

    def state(self, write: WriteRows) -> dict[str, Any]:
        """What is known of the ticks that are over, and the facts that wait, in a form that JSON has."""
        assert self._evaluator is not None
        waiting = [([*one.signature], write(one.rows), one.ticks, one.until) for one in self._waiting]
        program = self._session.execution.fingerprint(None)
        return {"program": program, "waiting": waiting, **self._evaluator.state().written(write)}

    def restore(self, state: Mapping[str, Any], read: ReadRows) -> None:
        """Takes such a state over; the start is known. Raises KeyError and the like for another one."""
        if state["program"] != self._session.execution.fingerprint(None):
            raise SnapshotError(ANOTHER_RUN)
        assert self._session.start is not None
        self._evaluator = self._begun(self._session.start)
        self._evaluator.restore(FlowState.read(self._session.start, state, read))
        for signature, rows, ticks, until in state["waiting"]:
            atoms = AtomRows(Signature(*signature), [*read(rows)])
            self.add(Block.of(PacketSign.FACT, atoms, ticks, until))


def _up_to(block: Block, last: int) -> Block | None:
    found = block.where(pc.less_equal(block.columns.column(0), pa.scalar(last, pa.int64())))
    return found if found.columns.num_rows else None


def _behind(block: Block, last: int) -> Block | None:
    found = block.where(pc.greater(block.columns.column(0), pa.scalar(last, pa.int64())))
    return found if found.columns.num_rows else None


def _points_of(blocks: Sequence[Block]) -> dict[Signature, Points]:
    columns = columns_of([block for block in blocks if not block.has_until])
    found: dict[Signature, Points] = {}
    for one in columns.facts:
        rows, ticks = one.at(columns.ticks)
        found[one.signature] = Points([*rows], [*ticks])
    return found


def _stretches_of(blocks: Sequence[Block]) -> dict[Signature, Stretches]:
    some = [
        (tick, until, block.signature, row)
        for block in blocks
        if block.until is not None
        for tick, until, row in zip(block.ticks, block.until, block.rows, strict=True)
    ]
    found: dict[Signature, Stretches] = {}
    for tick, until, signature, row in sorted(some, key=lambda one: one[0]):
        found.setdefault(signature, Stretches([], [], [])).add([row], tick, until + 1)
    return found
