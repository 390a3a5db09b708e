r"""The calendar and `@now \ k = r` in long gaps: flow looks at them when rules can use them."""

from math import inf

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from lars2asp import Reasoner
from lars2asp.compiler import compile_program
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.sources.records import Record
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Source
from tests.support.blocks import AT_RANDOM
from tests.support.every_tick import EveryTick, changes

LITERALS = (
    "p(X)",
    "q(X)",
    "p(X) in [3]",
    "q(X) always in [1]",
    "q(X) count 2 in [4]",
    "hour(X)",
    "hour(Y)",
    "not hour(1)",
    "hour(Y) in [2]",
    r"@now \ 3 = 0",
    r"(@now + 1) \ 5 != 2",
    "Y = @now",
    "q(X) at Y in [3]",
    "not p(X)",
    "N = #count { Y : q(Y), hour(Y) }",
    r"N = #count { Y : p(Y) in [2], @now \ 2 = 0 }",
    "d(X)",
    "d(X) in {1}",
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Rules, some bodies of which have other literals than those about what is known in advance."""
    rules = ["d(X) :- p(X), not q(X)."]
    for name in "abce"[: draw(st.integers(1, 4))]:
        body = draw(st.lists(st.sampled_from(LITERALS), min_size=1, max_size=4, unique=True))
        if "X" in "".join(one for one in body if one.startswith(("not", "N"))) or not body:
            body = ["p(X) in [5]", *body]
        rules.append(f"{name} :- {', '.join(dict.fromkeys(body))}.")
        if draw(st.booleans()) and any(one[0] in "pqhd" and "(X)" in one for one in body):
            rules.append(f"{name}(X) :- {', '.join(dict.fromkeys(body))}.")
    return '#tick 20 min. #timezone "UTC". #calendar hour(V).\n' + "\n".join(rules)


Steps = list[tuple[int, list[tuple[str, int]], int]]


def records(steps: Steps) -> list[Record]:
    """Facts, some of which hold for a while, after gaps."""
    tick, found = 0, []
    for gap, facts, more in steps:
        tick += gap
        rows = tuple(AtomRows(Signature(name, 1), [(value,)]) for name, value in facts)
        found.append(Record(tick, Events(rows, (), (), tick + more if more else None)))
    return found


@AT_RANDOM
@given(
    programs(),
    st.lists(
        st.tuples(
            st.sampled_from([1, 1, 2, 9, 50]),
            st.lists(st.tuples(st.sampled_from("pq"), st.integers(0, 2)), max_size=3),
            st.sampled_from([0, 0, 2, 7]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([0, 1, 3, 7, inf]),
)
def test_random_programs(program: str, steps: Steps, block: float) -> None:
    """In batches of some facts, or tick by tick (0), the answers are those of clingo at every tick."""
    note(program)
    plan, told = compile_program(Source("p.lars", program)), records(steps)
    tuning = Tuning(block_facts=int(min(block or 5, 10**9)), between_blocks=1)
    session = Session(plan, evaluator="flow", tuning=tuning)
    until = told[-1].tick + 30
    found = changes(session, told, until, in_blocks=bool(block))
    every = EveryTick(plan, evaluator=EvaluatorName.ONESHOT)
    assert found == changes(every, told, until, in_blocks=False)


@pytest.mark.parametrize(
    ("rule", "evaluated"),
    [
        (r"a(X) :- p(X), @now \ 60 = 0.", 4),
        ("a(X,H) :- p(X), not q(X), hour(H).", 4),
        ("d(X) :- p(X). a(X) :- d(X), not hour(3).", 4),
    ],
)
def test_a_gap_costs_what_rules_can_use_in_it(rule: str, evaluated: int) -> None:
    reasoner = Reasoner.from_text(f'#tick 1 min. #timezone "UTC". #calendar hour(V).\n{rule}')
    reasoner.step(0, [("p", 1)])
    reasoner.step(10**9, [("p", 1)])
    assert reasoner.session.execution.flow is not None
    assert reasoner.statistics.ticks <= evaluated


def test_many_changes_of_the_calendar_in_a_gap() -> None:
    """More than a batch holds: flow goes through them all."""
    program = '#tick 1 min. #timezone "UTC". #calendar hour(V).\na(H) :- hour(H) in [60], not hour(H).'
    reasoner = Reasoner.from_text(program, tuning=Tuning(block_facts=5))
    reasoner.step(0)
    assert reasoner.step(60_000).holds.texts == ("a(15)",)
    assert reasoner.session.execution.flow is not None
