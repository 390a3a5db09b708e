"""Programs with any input, and several answer streams or none, in batches, held to the definition."""

from collections.abc import Callable, Iterator
from functools import cache
from math import inf
from typing import Any

import pytest
from hypothesis import given, note, reject
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from lars2asp.compiler import read_program
from lars2asp.externals.terms.terms import GroundAtom
from lars2asp.externals.traces.told import told_of
from lars2asp.externals.traces.trace import Points, Stretches
from lars2asp.planning.plan import Plan
from lars2asp.runtime.evaluators.flow_refusals import in_order, refusal_of_flow
from lars2asp.runtime.flow.confirmed import Batch
from lars2asp.runtime.flow.evaluator import IN_ORDER
from lars2asp.runtime.reasoning.session import Session
from lars2asp.syntax.nodes import Semantics, Signature
from lars2asp.syntax.source import Source
from tests.oracle import Item, Oracle, Pair, TooManyError, UnstratifiedError
from tests.strategies import GROUPS, Case
from tests.strategies.constraints import with_choices, with_constraints
from tests.strategies.core import programs
from tests.strategies.heads import placing_programs, waiting_programs
from tests.strategies.streams import cases
from tests.support.blocks import AT_RANDOM
from tests.support.definition import MOST_STATES, record
from tests.support.evaluating import serving
from tests.support.plans import compiled

EVALUATORS = ("flow", "oneshot", "external", "stamped")

SERVED = (
    "several answer streams",
    "choices beside rules",
    "failing ticks",
    "classical negation",
    "aggregates",
    "recursion through windows",
    "windows since",
    "memory",
    "core",
    "heads at ticks",
)

OWN_WINDOWS = (
    "{ q(X) } :- p(X). :- p(X), not q(X). s(X) :- q(X) in {0,2}.",
    "{ c(X) } :- b(X). :- b(X), not c(X). s(X) :- p(X) in [since c(_)].",
    "{ c(X) } :- b(X). :- b(X), not c(X). s(X) :- p(X) count N in [since c(_)].",
    "{ c(X) } :- b(X). :- b(X), not c(X). s(X) :- c(X) at T in [after c(X)].",
    "{ b(X) } :- q(X). :- q(X), not b(X). s(X) :- p(X) in [since b(X)].",
    "{ b(X) } :- q(X). :- q(X), not b(X). s(X) :- p(X) always in [after b(_)].",
)
"""Programs whose choices have one answer stream, which windows of the same component look at."""


def outputs(
    plan: Plan,
    evaluator: str,
    items: list[Item],
    last: int,
    size: float,
    *,
    complete: bool,
    is_restored: bool,
) -> Iterator[tuple[int, frozenset[str] | None]]:
    """The output at each tick, in batches of so many ticks; None if there is no answer stream.

    Behind each batch the evaluator may go on from its own state.
    """
    session = Session(plan, evaluator=evaluator, complete_windows=complete)
    start = items[0].tick
    ticks = session.begin_blocks(start)
    if ticks is None:
        reject()  # flow refuses the program with this evaluator
    first = start
    given: frozenset[str] | None = frozenset()
    while first <= last:
        end = int(min(first + size - 1, last))
        outcome, _ = ticks.batch(batch_of(plan, [one for one in items if first <= one.tick <= end], end))
        now = first
        for tick, changes, has_failed in outcome.ticks(has_failed=ticks.has_failed):
            yield from ((between, given) for between in range(now, tick))
            answer = ticks.answer(tick, changes, has_failed=has_failed)
            given = frozenset(answer.holds.texts) if answer.satisfiable else None
            now = tick
        if first == ticks.flow.now + 1:  # the tick has no answer stream, as windows decide
            for item in (one for one in items if one.tick == first):
                ticks.gather(first, record(item).events)
            ticks.commit(first)
            answer = ticks.step(first)
            given = frozenset(answer.holds.texts) if answer.satisfiable else None
        first = ticks.flow.now + 1
        yield from ((between, given) for between in range(now, first))
        if is_restored:
            ticks.flow.restore(ticks.flow.state())


def batch_of(plan: Plan, items: list[Item], last: int) -> Batch:
    """What records tell, as a batch."""
    derived = {signature for one in plan.in_batches for signature in one.derives}
    told = [(item.tick, *one) for item in items for one in told_of(item.tick, record(item).events, plan.held)]
    points: dict[Signature, Points] = {}
    others: dict[Signature, Stretches] = {}
    for signature in dict.fromkeys(one for _, one, _, _ in told):
        own = [(row, tick, end) for tick, one, row, end in told if one == signature]
        rows, ticks, ends = map(list, zip(*own, strict=True))
        is_plain = signature not in derived and signature not in plan.held
        if is_plain and all(end == tick + 1 for _, tick, end in own):
            points[signature] = Points(rows, ticks)
        else:
            others[signature] = Stretches(rows, ticks, ends)
    if in_order(plan):
        others[IN_ORDER] = in_turns = Stretches([], [], [])
        for tick, signature, row, end in told:
            atom: Any = GroundAtom(signature, row)
            in_turns.add([atom], tick, end)
    return Batch(points, others, last)


@pytest.mark.parametrize("group", SERVED)
def test_random_programs(group: str) -> None:
    """At each tick the output is that of an answer stream; windows see what was recorded of those before."""

    @AT_RANDOM
    @given(GROUPS[group], st.sampled_from(EVALUATORS), st.sampled_from([1, 3, 7, inf]), st.booleans())
    def hold(case: Case, evaluator: str, size: float, is_restored: bool) -> None:
        note(case.program)
        held(case, evaluator, size, is_restored=is_restored)

    hold()


@pytest.mark.parametrize("program", OWN_WINDOWS)
def test_windows_over_what_a_choice_derives(program: str) -> None:
    """Also behind a state."""
    ticks = st.integers(0, 6)
    atoms = st.tuples(st.sampled_from("pqb"), st.tuples(st.integers(1, 2)))
    facts = st.dictionaries(ticks, st.lists(atoms, min_size=1, max_size=3), min_size=1, max_size=5)

    @AT_RANDOM
    @given(facts, st.sampled_from(["auto", *EVALUATORS]), st.sampled_from([1, 3, inf]), st.booleans())
    def hold(facts: Any, evaluator: str, size: float, is_restored: bool) -> None:
        items = tuple(Item(tick, tuple(some)) for tick, some in sorted(facts.items()))
        case = Case(program, items, None, 10, "recorded", complete_windows=False)
        held(case, evaluator, size, is_restored=is_restored)

    hold()


@pytest.mark.parametrize("beside", [with_constraints, with_choices])
def test_heads_at_ticks_beside_others(beside: Callable[[Any], SearchStrategy[Case]]) -> None:
    """So it is if they place atoms at ticks without an answer stream, and around them."""

    @AT_RANDOM
    @given(
        beside(cases(placing_programs() | waiting_programs() | programs())),
        st.sampled_from([1, 3, 7, inf]),
        st.booleans(),
    )
    def hold(case: Case, size: float, is_restored: bool) -> None:
        note(case.program)
        held(case, "flow", size, is_restored=is_restored)

    hold()


@pytest.mark.parametrize(
    ("program", "semantics"),
    [
        pytest.param(
            "c at @now+1 :- r. d(X) :- a(X) in [1].", "strict", id="no tick has what is placed ahead"
        ),
        pytest.param("a(x) at @now-1 :- r. d(X) :- a(X) in [0].", "recorded", id="input beside late rows"),
        pytest.param(
            "#temp a(X) :- p(X). a(1) :- q. d(X) :- a(X) in [2].", "recorded", id="input with #temp"
        ),
        pytest.param("a(X) :- p(X). d(X) :- a(X) in [2], not r.", "strict", id="input beside derived rows"),
    ],
)
@pytest.mark.parametrize("is_restored", [False, True])
def test_input_of_what_is_forgotten_or_placed(program: str, semantics: str, *, is_restored: bool) -> None:
    """It holds at its ticks, whatever else becomes known of them; facts that hold on make the graph anew."""
    items = (
        Item(0, (("p", (0,)),)),
        Item(1, (("a", (1,)), ("p", (2,)))),
        Item(2, (("r", ()), ("p", (2,))), 4),
        Item(5, (("q", ()), ("a", (3,)))),
        Item(6, (("r", ()),)),
    )
    case = Case(program, items, None, 9, semantics, complete_windows=False, by_ticks="")
    for size in (1, 3, inf):
        held(case, "flow", size, is_restored=is_restored)


def held(case: Case, evaluator: str, size: float, *, is_restored: bool) -> None:
    """Holds a case to the definition, unless `flow` refuses the program."""
    plan = compiled(case)
    is_refused = evaluator == "flow" and refusal_of_flow(plan, ()) is not None
    if is_refused or evaluator not in ("auto", "flow", *serving(plan)):
        reject()
    items = [*case.records]
    program = read_program(Source("random.lars", case.program))
    complete, start = case.complete_windows, items[0].tick
    is_strict = Semantics(case.semantics) is Semantics.STRICT
    oracle = Oracle(program, items, start=start, is_strict=is_strict, complete_windows=complete)
    by_definition = cache(oracle.answer_streams)
    try:
        found = outputs(plan, evaluator, items, case.last, size, complete=complete, is_restored=is_restored)
        states: set[frozenset[Pair]] = {frozenset()}
        for tick, output in found:
            streams = {state: by_definition(tick, state) for state in states}
            if output is None:
                states = {state for state, some in streams.items() if not some}
            else:
                some = (one for several in streams.values() for one in several)
                states = {one.recorded for one in some if one.output == output}
            assert states, f"at tick {tick}: {output}, not of {streams}"
            if len(states) > MOST_STATES:
                reject()
    except (TooManyError, UnstratifiedError):
        reject()
