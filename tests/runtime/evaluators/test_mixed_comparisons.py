"""A number that is compared with another value is told once for each comparison; the answer is clingo's."""

import logging

import pytest

from lars2asp import Reasoner

PROGRAM = "hot(R) :- reading(R,T), limit(R,L), T > L. limit(k,25). "


@pytest.fixture(params=["delta", "oneshot", "stamped", "external"])
def evaluator(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def told(caplog: pytest.LogCaptureFixture, evaluator: str, program: str, *facts: str) -> list[str]:
    caplog.clear()
    reasoner = Reasoner.from_text(program, evaluator=evaluator)
    with caplog.at_level(logging.WARNING, logger="lars2asp"):
        for tick, fact in enumerate(facts):
            reasoner.step(tick, fact.split())
    return caplog.messages


def test_the_first_one_is_told(caplog: pytest.LogCaptureFixture, evaluator: str) -> None:
    [message] = told(caplog, evaluator, PROGRAM, "reading(k,3)", 'reading(k,"off")', "reading(k,broken)")
    assert message.startswith("<text>:1:1-43: info: T > L compares the number 25 with")
    assert '"off", which is above all numbers' in message


def test_values_of_one_kind_and_the_ends_of_the_order_are_not(
    caplog: pytest.LogCaptureFixture, evaluator: str
) -> None:
    program = '#types p(any), q(any). a :- p(X), q(Y), X < Y. b :- p(X), X < #sup. q("b"). q(c).'
    assert not told(caplog, evaluator, program, 'p("a")', "p(b)", "p(f(1))")


def test_a_name_that_is_written_is_meant(caplog: pytest.LogCaptureFixture, evaluator: str) -> None:
    assert not told(caplog, evaluator, "#types p(any). a(X) :- p(X), X < x.", "p(1)", "p(a)")


def test_values_that_come_from_other_rules_and_conditions(
    caplog: pytest.LogCaptureFixture, evaluator: str
) -> None:
    """A predicate that rules derive, a window, an aggregate's element and a negated comparison."""
    program = """#types p(any), q(any).
        d(X) :- p(X) in [2].
        a(N) :- N = #count { X : d(X), q(Y), not X < Y }, d(_)."""
    assert not told(caplog, evaluator, program, "p(1) q(0)", "q(2)", "p(3)")
    [message] = told(caplog, evaluator, program, "p(1)", 'q("a")', "p(2)", 'p("x") q(5)')
    assert ' Y compares the number 1 with "a"' in message


def test_values_that_never_meet_are_not_told(caplog: pytest.LogCaptureFixture, evaluator: str) -> None:
    """One room tells numbers and another one texts; each has a limit of its kind, and answers stay."""
    program = """#types reading(any,any), limit(any,any). limit(a,3). limit(b,"m").
        hot(R) :- reading(R,T), limit(R,L), T > L."""
    assert not told(caplog, evaluator, program, "reading(a,5)", 'reading(b,"z")', "reading(a,2)")


def test_values_of_a_rule_that_cannot_fire_are_not_told_before_it_can(
    caplog: pytest.LogCaptureFixture, evaluator: str
) -> None:
    program = """#types reading(any,any), state(any,any).
        hot(R) :- reading(R,T) in [5], T > 25, state(R,"on") in [5]."""
    assert not told(caplog, evaluator, program, 'reading(k,"off")', "reading(k,30)", 'state(k,"off")')
    [message] = told(caplog, evaluator, program, 'reading(k,"off")', "reading(k,30)", 'state(k,"on")')
    assert message.startswith("<text>:2:") and '"off", which is above all numbers' in message
