"""Single ticks by `flow`, held to the same ticks by `delta`, whatever is done with the session in between."""

from collections.abc import Callable

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from lars2asp import Reasoner
from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import same_rows
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import EvaluatorError, InputError
from lars2asp.runtime.reasoning.flow_ticks import FlowTicks
from lars2asp.runtime.reasoning.session import Session
from lars2asp.syntax.nodes import Semantics
from tests.strategies import GROUPS, Case
from tests.support.blocks import AT_RANDOM, SERVED, again, plain, tick_by_tick, without_flow
from tests.support.definition import record
from tests.support.plans import compiled

Do = Callable[[Session, str], Session]


def _made(session: Session, evaluator: str) -> Session:
    """Another one for the same."""
    complete = session.execution.complete_windows
    other = Session(session.plan, evaluator=evaluator, complete_windows=complete)
    return other if evaluator == "flow" else without_flow(other)


def nothing(session: Session, evaluator: str) -> Session:
    """Nothing is done in between."""
    return session


def resumed(session: Session, evaluator: str) -> Session:
    """Another session goes on from the state."""
    other = _made(session, evaluator)
    if session.now is not None:
        other.restore(session.state(same_rows), same_rows)
    return other


def by_delta(session: Session, evaluator: str) -> Session:
    """Another evaluator goes on."""
    session.use(tick_by_tick(session.plan))
    return session


def to_and_fro(session: Session, evaluator: str) -> Session:
    """Another one does, for a tick."""
    session.use(tick_by_tick(session.plan))
    if session.now is not None:
        session.step(session.now + 1, Events())
    session.use(evaluator)
    return session


def back(session: Session, evaluator: str) -> Session:
    """What comes next is forgotten again."""
    if session.now is not None:
        unused = _made(session, evaluator).execution
        known = session.remembered()
        session.step(session.now + 2, Events())
        session.step(session.now + 3, Events())
        session.go_back(unused, known)
    return session


def copied(session: Session, evaluator: str) -> Session:
    """Another one goes on by itself before."""
    if session.now is not None:
        other = session._copy()
        for _ in other.finish(session.now + 7):
            pass
    return session


def answers(
    plan: Plan, items: list[tuple[int, Events]], evaluator: str, at: int, do: Do, *, complete: bool
) -> list[object]:
    """The results of a session that steps; before step number `at`, something is done with it."""
    session = Session(plan, evaluator=evaluator, complete_windows=complete)
    if evaluator != "flow":
        without_flow(session)
    seen: list[object] = []
    for number, (tick, events) in enumerate(items):
        if number == at:
            session = do(session, evaluator)
        if session.now is not None and tick <= session.now:
            continue
        try:
            answer = session.step(tick, events)
        except InputError as error:
            seen.append(str(error))
        else:
            told = answer.holds.texts, answer.began.texts, answer.ended.texts
            seen.append((answer.tick, answer.satisfiable, *told))
    state = session.state(same_rows)
    return [*seen, session.counts[2], "first" in state]


@pytest.mark.parametrize("group", SERVED)
def test_random_programs(group: str) -> None:
    """Answers, changes and messages about wrong input are the same."""

    @AT_RANDOM
    @given(
        GROUPS[group],
        st.integers(0, 99),
        st.sampled_from([1, 1, 2, 5, 100]),
        st.integers(0, 12),
        st.sampled_from([nothing, resumed, by_delta, to_and_fro, back, copied]),
    )
    def hold(case: Case, plain_ones: int, apart: int, at: int, do: Do) -> None:
        note(case.program)
        plan = compiled(case, Semantics.RECORDED)
        items, tick = list[tuple[int, Events]](), -1
        for number, item in enumerate(again(case, 2)):
            tick, events, _ = record(plain(item) if number < plain_ones else item)
            last = items[-1][0] if items else -1
            items.append((max(tick, last + 1 + number % apart), events))
        complete = case.complete_windows
        try:
            found = answers(plan, items, "flow", at, do, complete=complete)
        except EvaluatorError:
            return
        assert found == answers(plan, items, tick_by_tick(plan), at, do, complete=complete)

    hold()


def test_steps_are_evaluated_by_flow() -> None:
    """Facts, stretches, held facts, gaps and snapshots change nothing about that."""
    program = "#held at(P, R) by P. a(X) :- p(X) in [3]. b(R) :- at(_, R) in [2]. c(X) :- q(X) always in [2]."
    reasoner = Reasoner.from_text(program)
    reasoner.step(3, [("p", 1), ("at", "ann", "hall")])
    assert reasoner.step(5, [("q", 1)], until=9).holds.texts == ("a(1)", 'b("hall")')
    assert reasoner.step(7).ended.texts == ("a(1)",)
    other = Reasoner.from_text(program)
    other.resume(reasoner.snapshot())
    for each in (reasoner, other):
        assert isinstance(each.session.execution.database, FlowTicks)
        assert each.step(8, [("at", "ann", "attic")]).began.texts == ('b("attic")',)
        assert each.step(20).holds.texts == ('b("attic")',)


def test_intervals_and_input_beside_rules() -> None:
    """What begins, and what the input tells of predicates that rules derive."""
    reasoner = Reasoner.from_text("a(X) :- p(X) in [3]. b(X) :- a(X), q(X).")
    reasoner.step(1, [("p", 1)])
    assert reasoner.step(2, begin=["q(1)"]).began.texts == ("b(1)",)
    assert reasoner.step(4, ["a(2)"]).holds.texts == ("a(1)", "a(2)", "b(1)")
    assert reasoner.step(9, end=["q(1)"]).holds.texts == ()
    assert isinstance(reasoner.session.execution.database, FlowTicks)


@pytest.mark.parametrize("evaluator", ["stamped", "external"])
def test_a_plain_fact_that_a_rule_derives_as_well_stays_when_another_evaluator_goes_on(
    evaluator: str,
) -> None:
    reasoner = Reasoner.from_text("c :- e. c.")
    reasoner.step(0, [])
    reasoner.use(evaluator)
    assert reasoner.step(1, []).holds.texts == ("c",)
