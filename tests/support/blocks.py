"""Programs and streams that may be evaluated in blocks of ticks."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, settings

from lars2asp.externals.traces.trace import Points, Stretches
from lars2asp.planning.plan import Plan
from lars2asp.runtime.flow.evaluator import NO_FACTS, FlowEvaluator, Outcome
from lars2asp.runtime.reasoning.session import Session
from lars2asp.syntax.nodes import Signature
from tests.oracle import Item
from tests.strategies import Case
from tests.strategies.streams import INPUTS
from tests.support.examples import number_of_examples

SERVED = (
    "core",
    "counting",
    "windows",
    "tuple windows",
    "windows since",
    "aggregates",
    "ranks",
    "conditional literals",
    "functions",
    "regular ticks",
    "held facts",
    "held facts far apart",
    "calendar",
    "memory",
    "heads at ticks",
    "recursion at one tick",
    "recursion through windows",
    "formulas in brackets",
    "failing ticks",
    "classical negation",
    "several answer streams",
    "choices beside rules",
)
"""Groups of which some programs can be evaluated in blocks."""


EXAMPLES = number_of_examples(15)

AT_RANDOM = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
"""How random programs of a group are tried."""


def tick_by_tick(plan: Plan) -> str:
    """The evaluator to which batches are held."""
    is_by_delta = all(one.delta_rules.refusal is None for one in plan.components)
    return "delta" if plan.batched is None and is_by_delta else "auto"


def without_flow(session: Session) -> Session:
    """A session that has not begun evaluates by components, to which `flow` is held.

    If ticks may have several answer streams, components may follow another one: `flow` takes single ticks
    then.
    """
    if session.execution.has_one_answer:
        session.execution.__dict__["_refusal"] = "others are held to it"
    return session


def plain(item: Item) -> Item:
    """A record of facts of predicates that no rule derives."""
    return Item(item.tick, tuple(one for one in item.facts if one[0] in INPUTS), item.until)


def again(case: Case, times: int) -> list[Item]:
    """The records of a case, and so many times in all, each time after those that came before."""
    length = max((item.tick for item in case.records), default=0) + 1
    return [
        replace(
            item,
            tick=item.tick + turn * length,
            until=None if item.until is None else item.until + turn * length,
        )
        for turn in range(times)
        for item in case.records
    ]


def ends_of_blocks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The last ticks of the blocks that are evaluated from here on."""
    ends: list[int] = []
    block = FlowEvaluator.block

    def noted(
        self: FlowEvaluator,
        points: Mapping[Signature, Points],
        last: int,
        lasting: Mapping[Signature, Stretches] = NO_FACTS,
    ) -> Outcome:
        ends.append(last)
        return block(self, points, last, lasting)

    monkeypatch.setattr(FlowEvaluator, "block", noted)
    return ends
