"""Shards of a stream in blocks give what one reasoner gives, with states in between, and by ticks then."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp.compiler import compile_part
from lars2asp.externals.terms.table import TermTable
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.flow_refusals import refusal_of_flow
from lars2asp.runtime.reasoning.execution import Execution
from lars2asp.runtime.reasoning.snapshot import packed, unpacked
from lars2asp.runtime.sharding.shard import ShardState
from lars2asp.runtime.tuning import Tuning
from lars2asp.splitting.parts import Split
from lars2asp.splitting.split import split, whole
from tests.runtime.sharding.test_shard import Carried
from tests.runtime.sharding.test_sharded_answers import EXAMPLES, checked, hold
from tests.strategies import GROUPS, Case
from tests.support.blocks import SERVED, again, ends_of_blocks, plain


@pytest.mark.parametrize("group", sorted(SERVED))
@settings(max_examples=max(1, EXAMPLES // 2), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.randoms(use_true_random=False))
def test_in_blocks_and_tick_by_tick(group: str, data: st.DataObject, random: Random) -> None:
    """Cut anywhere, with states read again and batches done twice; intervals may end the blocks."""
    case: Case = data.draw(GROUPS[group])
    program = checked(case)
    pipelined = data.draw(st.booleans())
    parts = split(program.program, program.semantics, pipelined=pipelined)
    if data.draw(st.booleans()):
        parts = Split((whole(program.program),))
    assume(not any(part.failed for part in parts.parts))
    plans = [compile_part(part, program.semantics) for part in parts.parts]
    assume(any(refusal_of_flow(plan, ()) is None for plan in plans))
    records = again(replace(case, records=tuple(map(plain, case.records))), data.draw(st.integers(1, 4)))
    if data.draw(st.booleans()):  # as they are, at the end
        first = max((item.tick for item in records), default=-1) + 1
        records += [
            replace(item, tick=item.tick + first, until=None if item.until is None else item.until + first)
            for item in case.records
        ]
    assume(records)
    last = max(item.tick for item in records) + data.draw(st.integers(0, 8))
    case = replace(case, records=tuple(records), last=last)
    note(case.program)
    tuning = Tuning(
        shard_journal=data.draw(st.sampled_from([3, 2000])),
        block_facts=data.draw(st.sampled_from([1, 7, 30_000])),
    )
    hold(case, parts, program, data.draw(st.sampled_from([1, 2, 8])), tuning, random)


def facts(first: int, last: int) -> str:
    """A packet of facts at each tick, the first of which is the start."""
    return "\n".join([f"{first} s ", *(f"{tick} f p({tick % 7})" for tick in range(first, last))])


Batch = tuple[str, int | None, int | None]
"""A packet, up to which tick input comes too late, and up to which tick time has come."""


def told(batches: list[Batch], evaluator: EvaluatorName) -> list[str]:
    """The output of a shard that breaks down behind each batch."""
    shard = Carried("a(X) :- p(X) in [3].", tuning=Tuning(shard_journal=3), evaluator=evaluator)
    found: list[str] = []
    for batch in batches:
        found += shard.take(*batch)
        shard.break_down()
    return found


def test_blocks_go_on_from_their_state(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = ends_of_blocks(monkeypatch)
    batches: list[Batch] = [(facts(0, 20), None, None), (facts(20, 40), 19, 19), (facts(40, 60), 39, 39)]
    batches.append(("", 39, 70))
    by_ticks = told(batches, EvaluatorName.DELTA)
    assert ends == []
    assert told(batches, EvaluatorName.AUTO) == by_ticks
    assert [end for end in ends if end > 39] == [70]


def test_what_begins_and_ends_is_taken_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = ends_of_blocks(monkeypatch)
    batches: list[Batch] = [(facts(0, 20), None, None), (facts(20, 40), 19, 19), ("50 b p(9)", 39, 39)]
    batches += [("60 e p(9)\n61 f p(1)", 39, 55), ("", 55, 80)]
    by_ticks = told(batches, EvaluatorName.DELTA)
    assert told(batches, EvaluatorName.AUTO) == by_ticks
    assert max(ends) == 80


def test_a_state_of_blocks_of_0_3_0_is_read() -> None:
    """It has that of the engine, and the facts that wait in their columns."""
    shard, other = (Carried("a(X) :- p(X) in [3].", tuning=Tuning(shard_journal=3)) for _ in range(2))
    for one in (shard, other):
        one.take(facts(0, 9), None, 8)
    state, table = unpacked(shard.state.base), TermTable()
    del state["reasoner"]
    state["blocks"] = {
        "program": Execution(shard.plan, {}).fingerprint(None),
        "waiting": [[["p", 1], table.write([(5,), (4,)]), [10, 9], None]],
        "now": 8,
        "facts": 9,
        "ticks": 9,
        "merged": [],
        "held": [[["p", 1], table.write([(0,)]), [[7, 8]]]],
        "points": [[["p", 1], table.write([(5,), (6,), (1,)]), [5, 6, 8]]],
        "derives": [[["a", 1], table.write([(5,), (6,), (0,), (1,)])]],
    }
    state["terms"] = table.table
    shard.state = ShardState(packed(state), [])
    shard.break_down()
    other.take("10 f p(5)\n9 f p(4)", 8, 8)
    assert shard.take("12 f p(1)", 8, 20) == other.take("12 f p(1)", 8, 20)
