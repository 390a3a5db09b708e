"""Numbers are exact and never wrap around, whatever evaluates them; what clingo cannot do exactly is said."""

import logging
from decimal import Decimal
from textwrap import dedent
from typing import Any

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.errors import EvaluatorError

EVALUATORS = ("oneshot", "stamped", "external", "delta")

Tick = list[Any]

WIDE = [
    ("a(X+1) :- p(X).", ["p(2147483647)", "p(4294967295)"], ["a(2147483648)", "a(4294967296)"]),
    ("a(X*Y) :- p(X), q(Y).", ["p(100000)", "q(100000)"], ["a(10000000000)"]),
    ("a(X**2) :- p(X).", ["p(100000)"], ["a(10000000000)"]),
    ("a(X) :- p(X), X**2 < 5.", ["p(65536)", "p(2)"], ["a(2)"]),
    ("a(X) :- p(X+1).", ["p(-2147483648)"], ["a(-2147483649)"]),
    ("a(X) :- p(2*X).", ["p(8589934592)", "p(8589934593)"], ["a(4294967296)"]),
    ("a(X,Y) :- p(X), p(Y), X < Y.", ["p(9999999999)", "p(-9999999999)", "p(1)", "p(x)", 'p("x")'], None),
    ("a(X&3, X?1, X^1, ~X) :- p(X).", ["p(4294967297)"], ["a(1,4294967297,4294967296,-4294967298)"]),
    (r"a(X/10, X\10) :- p(X).", ["p(-12345678901)"], ["a(-1234567890,-1)"]),
    ("a(S) :- S = #sum { X,Y : p(X,Y) }.", ["p(2147483647,1)", "p(1,2)"], ["a(2147483648)"]),
    ("a(S) :- S = #sum+ { X,Y : p(X,Y) }.", ["p(2147483647,1)", "p(1,2)", "p(-9,3)"], ["a(2147483648)"]),
    ("a :- #sum { X,Y : p(X,Y) } > 2147483647.", ["p(2147483647,1)", "p(1,2)"], ["a"]),
    ("a :- not #sum { X,Y : p(X,Y) } < 2147483648.", ["p(2147483647,1)", "p(1,2)"], ["a"]),
    ("a :- 5000000000 <= #sum { X : p(X) } < 5000000002.", ["p(5000000000)", "p(1)"], ["a"]),
    ("a(M,N) :- M = #max { X : p(X) }, N = #min { X : p(X) }.", ["p(-9999999999)", "p(9999999999)"], None),
    ("a :- #max { X : p(X) } > 4294967296.", ["p(4294967297)", "p(5)"], ["a"]),
    ("a(M) :- M = #max { X : p(X) }.", ["p(4294967297)", "p(hall)"], ["a(hall)"]),
    ("a(N) :- N = #count { X : p(X) }, q(Y), N < Y.", ["p(4294967297)", "p(5)", "q(9999999999)"], ["a(2)"]),
    ("a :- #count { X : p(X) } > 9999999999.", ["p(4294967297)"], []),
    ("a(X) :- p(Y), X = Y-4294967296..Y-4294967295.", ["p(4294967297)"], ["a(1)", "a(2)"]),
    ("a(X) :- p(X), X = 4294967296.", ["p(4294967296)", "p(0)"], ["a(4294967296)"]),
    ("a(X) :- 4294967296 <= X, X < 4294967298, p.", ["p"], ["a(4294967296)", "a(4294967297)"]),
    ("#const n = 2**40. a(n+X) :- p(X).", ["p(1)"], ["a(1099511627777)"]),
    ("#const n = 5000000000. f(n). a(X) :- f(X), p(_).", ["p(1)"], ["a(5000000000)"]),
    ("#const n = g(5000000000). f(n). a(X) :- f(g(X)), p(_).", ["p(1)"], ["a(5000000000)"]),
    ("f(g(h(5000000000),b)). a(X) :- f(g(h(X),_)), p(_).", ["p(1)"], ["a(5000000000)"]),
    ("f(g(2147483647)). a(X+Y) :- f(g(X)), p(Y).", ["p(1)"], ["a(2147483648)"]),
    ("big(2**40). big(4294967296). a(X) :- big(X), p(Y), X > Y.", ["p(4294967296)"], ["a(1099511627776)"]),
    ("a(f(X+1),(X,2)) :- p(f(X)).", ["p(f(4294967295))"], ["a(f(4294967296),(4294967295,2))"]),
    ("a(X) :- p(X), not q(X+1).", ["p(4294967295)", "p(1)", "q(4294967296)"], ["a(1)"]),
    ("a(X) :- p(X) in [1], X > 4294967295.", ["p(4294967296)", "p(0)"], ["a(4294967296)"]),
    ("a(X,N) :- p(X) count N in [3].", ["p(4294967296)"], None),
    ("a :- p(N), q at least N in [3].", ["p(4294967296)", "q"], []),
    ("d(1). d(2*X) :- d(X), p(Y), X < Y.", ["p(5000000000)"], None),
    ("a(X*65536*65536) :- p(X).", ["p(3)"], ["a(12884901888)"]),
    ("a(|X|, -X) :- p(X).", ["p(-4294967296)"], ["a(4294967296,4294967296)"]),
]
"""A program, the facts of a tick, and the answer; None: that of `delta`."""


def answers(program: str, facts: Tick, evaluator: str) -> list[str] | None:
    """The answer of a program at a tick; None where it is not served."""
    try:
        return [*Reasoner.from_text(program, evaluator=evaluator).step(0, facts).holds.texts]
    except EvaluatorError:
        return None


@pytest.mark.parametrize(("program", "facts", "expected"), WIDE)
def test_all_evaluators_compute_exactly(program: str, facts: Tick, expected: list[str] | None) -> None:
    found = {evaluator: answers(program, facts, evaluator) for evaluator in EVALUATORS}
    assert found["delta"] is not None
    assert [one for one in found.values() if one not in (None, found["delta"])] == []
    if expected is not None:
        assert found["delta"] == expected


SEVERAL = [
    ("1 { a(X+1) : p(X) } 1.", ["p(4294967295)"], ["a(4294967296)"]),
    ("a(X*X) ; b :- p(X). :- b.", ["p(4294967296)"], ["a(18446744073709551616)"]),
    ("{ a(X) : p(X) }. :- p(X), X > 4294967295, not a(X). :- a(X), X < 5.", ["p(4294967296)", "p(1)"], None),
    ("#show X*X : p(X). { b }. :- b.", ["p(4294967296)"], ["18446744073709551616"]),
    ("{ a(X) : p(X) } = 1. :~ a(X), X > 4294967296. [1]", ["p(4294967296)", "p(4294967297)"], None),
    ("{ a(X) : p(X) }. m :- #max { X : a(X) } > 4294967295. :- not m.", ["p(4294967296)"], None),
    ("#external e(X*X) : p(X). [true] a(X) :- e(X).", ["p(4294967296)"], None),
]


@pytest.mark.parametrize(("program", "facts", "expected"), SEVERAL)
def test_where_there_may_be_several_answers(program: str, facts: Tick, expected: list[str] | None) -> None:
    given = {evaluator: answers(program, facts, evaluator) for evaluator in EVALUATORS}
    found = given["oneshot"]
    assert found
    assert [one for one in given.values() if one not in (None, found)] == []
    assert expected is None or found == expected


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("{ a(X) : p(X) }. b :- #sum { X : a(X) } > 3.", ":1:18-45: error: the weights of this #sum may be"),
        ("#sum { X : a(X) : p(X) } > 3.", ":1:1-30: error: the weights of this #sum may be 4294967296"),
        ("{ a(X) : p(X) }. :~ a(X). [X]", "error: the weight X is 4294967296, but clingo has 32 bits"),
    ],
)
def test_what_clingo_cannot_do_exactly_is_no_answer(program: str, said: str) -> None:
    for evaluator in ("oneshot", "stamped", "external"):
        reasoner = Reasoner.from_text(program, evaluator=evaluator)
        answer = reasoner.step(0, ["p(4294967296)"])
        assert not answer.satisfiable
        assert said in answer.failure
        assert "4294967296" in answer.failure
        assert reasoner.step(1, ["p(7)"]).satisfiable


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_streams_that_leave_32_bits_and_come_back(evaluator: str) -> None:
    program = (
        "a(X*X) :- p(X). s(S) :- S = #sum { X : p(X) in [2] }. b(X+1) :- b(X), p(_), X < 5. b(0) :- p(_)."
    )
    reasoner = Reasoner.from_text(program, evaluator=evaluator)
    found = [
        [*reasoner.step(tick, [("p", number)]).holds.texts][:2]
        for tick, number in enumerate([3, 70000, -(2**63), 4, 5, 6, 2])
    ]
    assert [[one for one in texts if one[0] in "a"] for texts in found] == [
        [f"a({number**2})"] for number in (3, 70000, 2**63, 4, 5, 6, 2)
    ]


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_decimals_are_exact_however_many_digits_products_have(evaluator: str) -> None:
    """With five decimals the square has ten: of 45 it has more than 32 bits."""
    program = "#decimals y(5), c(5). near(Y) :- y(Y), c(C), (Y-C)*(Y-C) < 0.1. far(Y,Y*C/2.0) :- y(Y), c(C)."
    reasoner = Reasoner.from_text(program, evaluator=evaluator)
    found = [*reasoner.step(0, ["y(45)", "y(0.3)", "c(0.1)"]).holds.texts]
    assert found == ["near(0.30000)", "far(0.30000,0.015000000)", "far(45.00000,2.250000000)"]
    cents = Reasoner.from_text("#decimals paid(2). a(X+X) :- paid(X).", evaluator=evaluator)
    assert [*cents.step(0, ["paid(21474836.48)"]).holds.texts] == ["a(42949672.96)"]
    assert [*cents.step(1, [("paid", Decimal("1e20"))]).holds.texts] == ["a(200000000000000000000.00)"]


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_powers_without_end_are_undefined_and_said(evaluator: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    reasoner = Reasoner.from_text("a(X**Y) :- p(X,Y).", evaluator=evaluator)
    assert [*reasoner.step(0, ["p(3,2000000000)", "p(2,40)"]).holds.texts] == ["a(1099511627776)"]
    [record] = caplog.records
    assert record.getMessage() == "<text>:1:1-19: info: operation undefined:\n  (X**Y)"


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_users_functions_get_and_give_them(evaluator: str) -> None:
    program = """
    #script (python)
    from clingo import Function
    from lars2asp import pure

    @pure
    def twice(number):
        return Function(str(2 * int(str(number))), [])
    #end.
    a(@twice(X)+1) :- p(X).
    """
    reasoner = Reasoner.from_text(dedent(program), evaluator=evaluator)
    assert [*reasoner.step(0, ["p(4294967296)"]).holds.texts] == ["a(8589934593)"]


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_symbols_of_answers_bear_their_digits(evaluator: str) -> None:
    reasoner = Reasoner.from_text("a(X,-X) :- p(X).", evaluator=evaluator)
    [symbol] = reasoner.step(0, ["p(4294967296)"]).holds.symbols
    assert str(symbol) == "a(4294967296,-4294967296)"
    assert [*reasoner.step(1, ["p(1)"]).holds.texts] == ["a(1,-1)"]


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_snapshots_keep_them(evaluator: str) -> None:
    program = "a(X) :- p(X) in [5]. { b(X) : p(X) in [3] }. :- p(X) in [3], not b(X)."
    if evaluator == "delta":
        program = "a(X) :- p(X) in [5]."
    reasoner = Reasoner.from_text(program, evaluator=evaluator)
    before = reasoner.step(0, [("p", 10**30), ("p", -(2**40))])
    again = Reasoner.from_text(program, evaluator=evaluator)
    again.resume(reasoner.snapshot())
    assert [*again.step(1).holds.texts] == [*before.holds.texts] == [*reasoner.step(1).holds.texts]


@pytest.mark.parametrize("evaluator", ["oneshot", "stamped", "external"])
def test_whole_windows_beside_wide_facts(evaluator: str) -> None:
    """The fact by which windows are whole is in wide text, too."""
    program = "c :- r in [0], not c in [0]. k(2147483648)."
    reasoner = Reasoner.from_text(program, complete_windows=True, evaluator=evaluator)
    assert not reasoner.step(0, ["r"]).satisfiable


@pytest.mark.parametrize("evaluator", ["oneshot", "stamped", "external", "delta"])
@pytest.mark.parametrize(("guards", "holds"), [("7 != {} >= 7", True), ("7 > {} >= 0", False)])
def test_a_negated_sum_between_guards(evaluator: str, guards: str, holds: bool) -> None:
    sides = guards.format("#sum { V : a(V) }")
    reasoner = Reasoner.from_text(f"c :- not {sides}, b. k(X+1) :- b(X).", evaluator=evaluator)
    answer = reasoner.step(0, ["b", f"b({2**31})"])
    assert ("c" in answer.holds.texts) is holds
