"""A number that is compared with another value is told once for each comparison; the answer is clingo's."""

import logging

import pytest

from lars2asp import Reasoner

PROGRAM = "hot(R) :- reading(R,T), limit(R,L), T > L. limit(k,25). "


def told(caplog: pytest.LogCaptureFixture, program: str, *facts: str) -> list[str]:
    caplog.clear()
    reasoner = Reasoner.from_text(program, evaluator="delta")
    with caplog.at_level(logging.WARNING, logger="lars2asp"):
        for tick, fact in enumerate(facts):
            reasoner.step(tick, [fact])
    return caplog.messages


def test_the_first_one_is_told(caplog: pytest.LogCaptureFixture) -> None:
    [message] = told(caplog, PROGRAM, "reading(k,3)", 'reading(k,"off")', "reading(k,broken)")
    assert message.startswith("<text>:1:1-43: info: T > L compares the number 25 with")
    assert '"off", which is above all numbers' in message


def test_values_of_one_kind_and_the_ends_of_the_order_are_not(caplog: pytest.LogCaptureFixture) -> None:
    program = '#types p(any), q(any). a :- p(X), q(Y), X < Y. b :- p(X), X < #sup. q("b"). q(c).'
    assert not told(caplog, program, 'p("a")', "p(b)", "p(f(1))")


def test_a_name_that_is_written_is_meant(caplog: pytest.LogCaptureFixture) -> None:
    assert not told(caplog, "#types p(any). a(X) :- p(X), X < x.", "p(1)", "p(a)")
