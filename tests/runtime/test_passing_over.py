"""Ticks at which nothing can change are passed over, and no answer is another for that."""

import dataclasses
import os
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from lars2asp.compiler import Overrides, compile_program
from lars2asp.diagnostics import ProgramError
from lars2asp.parser import parse_text
from lars2asp.plan import Plan
from lars2asp.source import Source
from lars2asp.syntax import Semantics
from runtime.answer import Answer
from runtime.evaluators.choice import EvaluatorName, serving
from runtime.reasoner import Reasoner
from tests.oracle import Oracle, Pair, Told
from tests.runtime.test_oracle import record
from tests.strategies import (
    COUNTING,
    TUPLES,
    WINDOWS,
    Case,
    cases,
    choosing_programs,
    conditional_programs,
    placing_programs,
    programs,
    recursive_programs,
)

EXAMPLES = int(os.environ.get("LARS2ASP_EXAMPLES", "300"))

ALL_PROGRAMS = st.one_of(
    programs(),
    COUNTING,
    WINDOWS,
    TUPLES,
    placing_programs(),
    choosing_programs(),
    conditional_programs(),
    recursive_programs(),
)


class Restless(Reasoner):
    """Evaluates every tick."""

    def next_change(self) -> int | None:
        return self._start if self._now is None else self._now + 1


@st.composite
def sparse_cases(draw: DrawFn) -> Case:
    """Cases with gaps in the stream."""
    case = draw(cases(ALL_PROGRAMS))
    told: list[Told] = []
    more = 0
    last = case.records[0].tick
    for each in case.records:
        if each.tick > last:
            more += draw(st.sampled_from([0, 0, 3, 11, 30]))
        last = each.tick
        until = each.until
        if until is not None:
            until += more + draw(st.sampled_from([0, 0, 7, 40]))
        told.append(dataclasses.replace(each, tick=each.tick + more, until=until))
    return dataclasses.replace(
        case, records=tuple(told), last=case.last + more + draw(st.sampled_from([0, 5, 40]))
    )


def compiled(case: Case) -> Plan:
    """The plan of a case; programs with errors are passed over."""
    try:
        overrides = Overrides(semantics=Semantics(case.semantics))
        return compile_program(Source("random.lars", case.program), overrides=overrides)
    except ProgramError:
        assume(False)
        raise


def answers(reasoner: Reasoner, case: Case) -> Iterator[Answer]:
    return reasoner.run(map(record, case.records), until=case.last)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
@given(sparse_cases(), st.integers(0, 10))
def test_answers_are_those_of_every_tick(case: Case, number: int) -> None:
    """Up to the first tick with several answer streams, from which on there is a choice."""
    note(case.program)
    plan = compiled(case)
    names = serving(plan)
    name = names[number % len(names)]
    note(name)
    one, other = (
        maker(
            plan,
            start=case.start,
            complete_windows=case.complete_windows,
            models=0,
            evaluator=name if maker is Reasoner else EvaluatorName.ONESHOT,
        )
        for maker in (Reasoner, Restless)
    )
    number_of_ticks = 0
    for got, expected in zip(answers(one, case), answers(other, case), strict=True):
        assert got.tick == expected.tick
        models = {frozenset(map(str, model)) for model in got.models}
        assert models == {frozenset(map(str, model)) for model in expected.models}, f"at tick {got.tick}"
        number_of_ticks += 1
        if len(got.models) > 1 or len(expected.models) > 1:
            return
    assert number_of_ticks == case.last + 1 - (case.records[0].tick if case.start is None else case.start)


EVERY_KIND = """
a(X) :- p(X) in [10].                       b(X) :- p(X) always in [20].
c(X) :- p(X) in [5 step 7].                 d(X) :- q(X) in [every 6].
e(X) :- q(X) at T in [5], not p(X) at T in [7].
f(X) :- q(X) at least 2 in [30].            g(X) :- p(X) in {3,12}.
h(X) :- q(X) in [2 #].                      i(X) :- q(X) always in [2 # q/1].
j(X,N) :- q(X) count N in [8].              k(X) at T+25 :- q(X) at T in [3].
l(X) :- k(X) in [10].                       m(X) :- p(X) in [9], not q(X) in [4].
n(X) :- q(X) always in [every 5].           o(X) :- a(X) always in [12], not k(X) in {2}.
s(X) :- p(X) always in [3 step 4].          t(X) :- q(X) at _, not p(X), not d(X).
u(X,@now-T) :- q(X) at T in [6].            v(X) :- r, b(X).
w :- not v(2), q(_) in [2].                 y(X) :- y(X) in {1}, p(X).
y(X) :- q(X), p(X).                         #temp z(X) :- k(X) in [4], k(X) at most 2 in [4].
"""

TEN_EVENTS = (
    Told(0, (("p", (1,)),)),
    Told(60, (("q", (1,)),), begin=(("p", (2,)),)),
    Told(63, (("q", (1,)), ("q", (2,)))),
    Told(130, end=(("p", (2,)),)),
    Told(200, (("q", (3,)), ("r", ())), until=215),
    Told(204, (("p", (3,)),)),
    Told(280, begin=(("p", (3,)), ("r", ()))),
    Told(340, (("q", (1,)),)),
    Told(345, (("p", (4,)), ("q", (4,)))),
    Told(420, (("p", (1,)),), end=(("p", (3,)),)),
)
"""With gaps longer than all windows, so that longer ones make no difference but to the ticks."""

END = 470


def stretched(tick: int) -> int:
    """The same tick with about so much more time before it that the last one is tick 1,000,000,000.

    The time that comes in between is a multiple of all steps, and lies where nothing changes any more.
    """
    more = 420 * (10**9 // 420 // 7)
    return tick + more * sum(tick >= quiet for quiet in (55, 125, 195, 275, 335, 410))


@cache
def by_definition() -> list[tuple[int, frozenset[str]]]:
    """The ticks at which the answer changes, and the answer."""
    oracle = Oracle(parse_text(EVERY_KIND), TEN_EVENTS, start=0, is_strict=False, complete_windows=False)
    found, state, before = [], frozenset[Pair](), frozenset[str]()
    for tick in range(END):
        [stream] = oracle.answer_streams(tick, state)
        # no window looks back further at what is recorded
        state = frozenset((atom, at) for atom, at in stream.recorded if at > tick - 30)
        if stream.output != before:
            before = stream.output
            found.append((tick, before))
    return found


@pytest.mark.parametrize("evaluator", ["auto", "oneshot", "stamped"])
def test_ten_events_in_a_thousand_million_ticks(evaluator: str) -> None:
    """As by definition, where the same events lie closer together."""
    told = (
        dataclasses.replace(
            told, tick=stretched(told.tick), until=None if told.until is None else stretched(told.until)
        )
        for told in TEN_EVENTS
    )
    found = Reasoner.from_text(EVERY_KIND, evaluator=evaluator).run(
        map(record, told), until=stretched(END), every=None
    )
    assert [(answer.tick, frozenset(answer.atoms)) for answer in found] == [
        (stretched(tick), atoms) for tick, atoms in by_definition()
    ]


def test_given_are_the_ticks_that_a_number_divides() -> None:
    """The changes of an answer are those since the one given before."""
    reasoner = Reasoner.from_text("a(X) :- p(X) in [2].", start=0)
    found = [
        (answer.tick, answer.atoms, [*map(str, answer.added)], [*map(str, answer.removed)])
        for answer in reasoner.run([(3, ["p(1)"]), (9, ["p(2)"])], until=18, every=5)
    ]
    assert found == [
        (0, (), [], []),
        (5, ("a(1)",), ["a(1)"], []),
        (10, ("a(2)",), ["a(2)"], ["a(1)"]),
        (15, (), [], ["a(2)"]),
    ]
    assert reasoner.now == 18
    with pytest.raises(ValueError, match="1 or more"):
        next(reasoner.run([(20, [])], every=0))


def test_a_rule_that_speaks_of_the_tick_waits_for_what_it_needs() -> None:
    """It is evaluated at every tick only while it can fire."""
    reasoner = Reasoner.from_text("a(@now-T) :- b at T in [3]. b :- p. c at T+9 :- p at T in [1].")
    evaluated: list[int] = []
    evaluate = reasoner._evaluate

    def noted(tick: int) -> Answer:
        evaluated.append(tick)
        return evaluate(tick)

    reasoner._evaluate = noted  # type: ignore[method-assign]
    found = {a.tick: a.atoms for a in reasoner.run([(10, ["p"])], until=1_000_000, every=None)}
    assert found == {
        10: ("b", "a(0)"),
        11: ("a(1)",),
        12: ("a(2)",),
        13: ("a(3)",),
        14: (),
        19: ("c",),
        20: (),
    }
    assert set(found) <= set(evaluated) <= {*range(10, 22)}


def test_ticks_that_follow_each_other_leave_nothing_to_pass_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may change by time alone is not asked for then."""
    reasoner = Reasoner.from_text("a(X,T) :- p(X) at T in [3].")
    reasoner.step(0, ["p(1)"])
    monkeypatch.setattr(reasoner, "next_change", None)
    for tick in range(1, 5):
        reasoner.step(tick, ["p(2)"])
    assert reasoner.step(5).size == 3
