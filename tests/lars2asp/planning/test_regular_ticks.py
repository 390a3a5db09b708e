"""Comparisons that are true at every n-th tick become atoms that are known in advance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp import Reasoner
from lars2asp.compiler import checked_program, compile_program
from lars2asp.planning.regular_ticks import Regular, RegularTicks, with_regular_ticks
from lars2asp.runtime.errors import InputError
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source


@pytest.mark.parametrize(
    ("comparison", "literal"),
    [
        ("@now \\ 5 = 0", "every(5,0)"),
        ("0 = @now \\ 5", "every(5,0)"),
        ("@now \\ n = 2", "every(5,2)"),
        ("(@now+3) \\ 5 = 1", "every(5,3)"),
        ("(3+@now) \\ 5 = 1", "every(5,3)"),
        ("(@now-3) \\ 5 = 0", "every(5,3)"),
        ("@now \\ 5 != 0", "not every(5,0)"),
        ("not @now \\ 5 = 0", "not every(5,0)"),
        ("not @now \\ 5 != 0", "every(5,0)"),
        ("not not @now \\ 5 = 0", "every(5,0)"),
        ("@now \\ 1 min = 0", "every(60,0)"),
        ("(@now-3) \\ 5 = 1", None),
        ("@now \\ 1 = 0", None),
        ("@now \\ 0 = 0", None),
        ("@now \\ 5 = 5", None),
        ("@now \\ 5 < 2", None),
        ("@now \\ 5 = 0 = X", None),
        ("@now \\ X = 0", None),
        ("@now \\ 5 = X", None),
        ("(3-@now) \\ 5 = 0", None),
        ("(@now*2) \\ 5 = 0", None),
    ],
)
def test_which_comparisons(comparison: str, literal: str | None) -> None:
    text = f"#tick 1 sec. #const n = 5. a(X) :- p(X), {comparison}."
    program = checked_program(Source("t", text)).program
    found, predicates = with_regular_ticks(program, lambda length, rest: f"every({length},{rest})")
    if literal is None:
        assert found is program
        assert not predicates
    else:
        assert to_text(found).splitlines()[-1] == f"a(X) :- p(X), {literal}."
        assert [one.signature.name for one in predicates] == [literal.removeprefix("not ")]


@given(st.integers(2, 9), st.integers(0, 8), st.integers(0, 40), st.integers(-3, 40))
def test_when_it_is_so(length: int, remainder: int, first: int, last: int) -> None:
    """What is said of stretches and changes is what is said of ticks."""
    regular = RegularTicks(Signature("e", 0), Regular(length, remainder % length))
    holds = [bool(regular.rows(tick)) for tick in range(80)]
    assert holds == [tick % length == remainder % length for tick in range(80)]
    assert [*regular.between(first, last)] == [tick for tick in range(first, last + 1) if holds[tick]]
    change = regular.next_change(first)
    assert holds[first:change] == [holds[first]] * (change - first)
    assert holds[change] is not holds[first]


def test_it_costs_what_changes() -> None:
    """Of 100,000 ticks those of the facts, and the hundred at which the rule may fire, are evaluated."""
    reasoner = Reasoner.from_text("a(X) :- p(X) in [3000], @now \\ 1000 = 0. b(X) :- p(X), @now \\ 7 = 0.")
    assert list(reasoner.step(1, ["p(1)"]).holds.texts) == []
    found = {answer.tick: answer.holds.texts for answer in reasoner.run([], until=100_000)}
    assert {tick: texts for tick, texts in found.items() if texts} == dict.fromkeys(
        (1000, 2000, 3000), ("a(1)",)
    )
    assert reasoner.statistics.ticks <= 210


def test_rules_that_need_what_arrives_are_not_roused() -> None:
    reasoner = Reasoner.from_text("b(X) :- p(X), @now \\ 7 = 0.")
    reasoner.step(0, ["p(1)"])
    assert list(reasoner.step(70_000, ["p(2)"]).holds.texts) == ["b(2)"]
    assert reasoner.statistics.ticks <= 3


def test_a_state_goes_on_at_such_a_tick() -> None:
    program = "a(X) :- p(X) in [30], @now \\ 10 = 0."
    whole, second = Reasoner.from_text(program), Reasoner.from_text(program)
    whole.step(10, ["p(1)"])
    second.resume(whole.snapshot())
    for tick in (11, 19, 20, 21, 30, 41):
        assert second.step(tick).holds.texts == whole.step(tick).holds.texts


def test_the_input_does_not_tell_them() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X), @now \\ 10 = 0.")
    with pytest.raises(
        InputError, match="lars_every_10_0/0 is part of the calendar: the program computes its atoms"
    ):
        reasoner.step(0, ["lars_every_10_0"])


def test_programs_are_told_apart() -> None:
    """The state of one that fires at other ticks is not taken."""
    texts = ("a(X) :- p(X) in [9], @now \\ 10 = 0.", "a(X) :- p(X) in [9], @now \\ 10 = 1.")
    plans = [compile_program(Source("t", text)) for text in texts]
    assert plans[0].whole.program.text != plans[1].whole.program.text
