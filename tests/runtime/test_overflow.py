"""Arithmetic that leaves 32 bits while a program runs: evaluators agree, and `delta` says which term did."""

import logging

import pytest

from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner

PROGRAM = """\
product(X*Y) :- p(X,Y).
power(X**3) :- p(X,_).
more(X+2) :- p(X,_).
less(-X-3) :- p(X,_).
sum(S) :- S = #sum { X,Y : p(X,Y) in [1] }.
above(X) :- sum(S), p(X,_), S > X.
large :- #sum { X,Y : p(X,Y) in [1] } > 2147483646.
over :- #sum { X,Y : p(X,Y) in [1] } > 2147483647.
last :- #sum { X,Y : p(X,Y) in [1] } = 2147483647.
more_than(X) :- p(X,_), #sum { V,Y : p(V,Y) in [1] } > X.
first(X) :- p(X,_), #sum { V,Y : p(V,Y) in [1] } <= X.
"""
RECORDS = [
    (1, ["p(100000,100000)"]),
    (2, ["p(2147483647,1)", "p(2147483647,2)"]),
    (3, ["p(1,1)"]),
    (4, ["p(-2147483647,5)"]),
]


def answers(evaluator: EvaluatorName) -> list[tuple[str, ...]]:
    reasoner = Reasoner.from_text(PROGRAM, evaluator=evaluator)
    return [answer.holds.texts for answer in reasoner.run(RECORDS, every=1)]


@pytest.mark.parametrize("evaluator", ["stamped", "external", "delta"])
def test_evaluators_wrap_around_alike(evaluator: str) -> None:
    assert answers(EvaluatorName(evaluator)) == answers(EvaluatorName.ONESHOT)


def test_sums_wrap_around_as_terms_and_end_at_the_largest_integer_where_they_are_compared() -> None:
    found = answers(EvaluatorName.DELTA)[1]
    assert {"sum(99998)", "large", "last"} <= {*found}
    assert "over" not in found


def messages(program: str, facts: list[str], caplog: pytest.LogCaptureFixture) -> list[str]:
    """What is said while `delta` evaluates a program on facts of two ticks."""
    caplog.set_level(logging.WARNING)
    reasoner = Reasoner.from_text(program, evaluator=EvaluatorName.DELTA)
    for tick in (1, 2):
        reasoner.step(tick, facts)
    return [record.getMessage() for record in caplog.records]


@pytest.mark.parametrize(
    ("rule", "fact", "message"),
    [
        ("a(X*Y) :- p(X,Y).", "p(100000,100000)", "X*Y is 10000000000"),
        ("a(X+1) :- p(X).", "p(2147483647)", "X+1 is 2147483648"),
        ("q(X-1) :- p(X). a(|X|) :- q(X).", "p(-2147483647)", "|X| is 2147483648"),
        ("q(X-1) :- p(X). a(0-X) :- q(X).", "p(-2147483647)", "0-X is 2147483648"),
        ("a(X) :- p(X), X**2 > 5.", "p(100000)", "X**2 is 10000000000"),
        ("a(S) :- S = #sum { X,Y : p(X,Y) }.", "p(2147483647,1), p(1,2)", "this #sum is 2147483648"),
    ],
)
def test_the_term_is_named_with_its_rule_once(
    rule: str, fact: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    [found] = messages(f"% one rule\n{rule}", fact.split(", "), caplog)
    assert found.startswith("<text>:2:")
    assert f"info: {message}, which has more than 32 bits: it wraps around to " in found


def test_of_a_power_without_end_the_digits_are_not_worked_out(caplog: pytest.LogCaptureFixture) -> None:
    [found] = messages("a(X**Y) :- p(X,Y).", ["p(3,2000000000)"], caplog)
    assert "X**Y has more than 32 bits: it wraps around to" in found


def test_what_stays_within_32_bits_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    facts = ["p(46340,46341)", "p(2,31)", "p(0,100)", "p(-1,7)"]
    assert not messages("a(X*Y) :- p(X,Y). b(X**2) :- p(X,_), X < 3. c(-X) :- p(X,_).", facts, caplog)
