"""The code of rules over rows derives what their meaning says, whatever answers begin and end."""

import random
import traceback
from collections.abc import Sequence
from dataclasses import replace

import pytest
from clingo import Function, Symbol

from lars2asp.externals.terms.terms import Row, Value, constant, function, tuple_term
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.rows.row_rules import LookupPart
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Signature
from tests.support.row_rule_oracle import derived
from tests.support.row_rules import Delta, lookup, lookups_of, row_rules

VALUES: list[Value] = [
    *(0, 1, 2, 3, -1, "s"),
    constant("a"),
    function("f", (1,)),
    function("f", (constant("a"), 2)),
    tuple_term((1, 2)),
    function("f", (1,), is_positive=False),
]

JOINS = [
    "q(X,Y) :- p(X,Y).",
    "q(Y,X) :- p(X,Y).",
    "q(X) :- p(X,_).",
    "q(X) :- p(X,X).",
    "q :- p(_,_). s(3,X) :- p(2,X).",
    "q(X,Z) :- p(X,Y), p(Y,Z).",
    "q(X,Z) :- p(X,Y), p(Y,Z), not p(X,Z).",
    "q(X,Y,Z) :- p(X,Y), p(Y,Z), not p(Z,X), p(Z,Z).",
    "q(X) :- p(X,Y), not r(X). q(Y) :- r(Y), not p(_,Y).",
    "q(X) :- r(X), not p(X,_), not p(_,X).",
    "q(X) :- r(X), not not p(X,_).",
    "q(X) :- r(X), not p(X,X), not not p(X,1).",
    "q(1). q(2). q(X) :- r(X).",
    'q(a). s(f(1),"x").',
    "q(X) :- r(X), p(Y,_). q(X) :- p(X,X). s(X) :- r(X), p(Y,_).",
    "q(X,Z) :- p(X,Y), p(Y,Z). s(Z,X) :- p(X,Y), p(Y,Z). t(X,Y) :- p(X,A), p(A,Y).",
    "q(X,Y) :- r(X), Y = X. s(X) :- p(X,Y), Y = 2. t(X) :- p(X,Y), f(X) = Y.",
    "q(X) :- r(X), g. s :- not g. t :- g, not r(1). u(X) :- p(X,Y), h, not g.",
    "q(X) :- p(X,Y), r(Y), g. s(X,Y) :- g, h, p(X,Y).",
    "q(X,Y,Z,W) :- p(X,Y), p(Y,Z), p(Z,W), p(W,X), X < Y.",
    "q(X',X_) :- p(X',X_), r(X_). s(True) :- r(True), not p(True,True).",
]
COMPUTED = [
    "q(X+1) :- r(X). q(X) :- r(X), X > 1.",
    "q(X+Y) :- p(X,Y), X < Y.",
    "q(X,Y) :- p(X,Y), p(Z,W), (X,Y) < (Z,W). s(X) :- p(X,Y), r(Z), (X,Y) >= (Z,1), (X,a) != (Y,a).",
    "q(X,Y) :- p(X,Y), r(Z), (X+1,Y) > (Z,2). s(X) :- r(X), p(Y,Z), (X,(Y,1)) <= (Y,(Z,X)).",
    "q(X) :- r(X), (X,) > (a,). s(X,Y) :- p(X,Y), (X,1) = (Y,1), not (X,Y) < (1,2).",
    "q(X,N) :- r(X), N = #count { Y : p(Y,Z), (Y,Z) > (X,1) }.",
    "q(X*Y-2) :- p(X,Y), X <= Y. s(X/Y) :- p(X,Y).",
    "q(X) :- p(X,X+1).",
    "q(X,Y) :- r(X), r(X+1), p(X,Y).",
    "q(X,Y) :- r(X), r(2*X+1), p(X,Y).",
    "q(X) :- r(X), not r(X+1).",
    "q(X) :- r(-X). s(-X) :- r(X). t(X) :- p(X,-X). u(X) :- p(1-X,_).",
    "q(X) :- r(X), X = 1..2. s(X,Y) :- r(X), Y = X..3. t(Y) :- r(X), Y = 1..X.",
    "q(X) :- r(X), not p(X,Y), Y = 1..2.",
    "q(|X|,~X) :- r(X). s(X**2, X\\2, X&1, X?4, X^3) :- r(X).",
    'q(X,Y) :- p(X,Y), X != Y, X >= a, Y <= "s".',
    "q(X,Y) :- X = 1..3, Y = 0..X, not p(X,Y).",
    "q(X) :- p(X,Y), Y+1 = X. s(X) :- p(X,Y), X = 2*Y. t(X,Z) :- p(X,Y), Z = X+Y, r(Z).",
    "q(X) :- X+X = 2, not r(X). s(X) :- p(X,Y), X+X-Y = Y.",
    "q(X+1,Y) :- p(X,Y), r(Y). s(Y) :- p(X,Y), |X| < 2, X != -1.",
]
STRUCTURES = [
    "q(X) :- r(f(X)). s(X) :- r((X,_)). t(X) :- r(f(X,Y)), not r(Y).",
    "q(f(X,Y)) :- p(X,Y). s((X,Y)) :- p(f(X),Y).",
    "q(X) :- r(X), not r(f(X)).",
    "t(X) :- p(X,Y), f(A,B) = Y, A = X.",
    "t(X,A,B) :- p(X,Y), f(A,B) = Y.",
    "q(X) :- p(X,f(_)), not p(f(X),_).",
    "q(X,Y) :- p(X,Y), f(X,2) = f(a,Y). s(X) :- r(X), (X,1) != (1,X).",
    "q(Y) :- r(X), Y = f(X), p(Y,_). s(X) :- r(-f(X)). t(f(X+1)) :- r(X), not r(-f(X)).",
]

AGGREGATES = [
    "q(X) :- r(X), #count { Y : p(X,Y) } >= 2.",
    "q(X) :- r(X), #count { Y : p(X,Y) } < 2.",
    "q(X,N) :- r(X), N = #count { Y : p(X,Y) }.",
    "q(N) :- N = #count { X,Y : p(X,Y) }.",
    "q(N) :- N = #sum { X,Y : p(X,Y) }.",
    "q(N) :- N = #sum+ { X,Y : p(X,Y) }.",
    "q(N) :- N = #min { X,Y : p(X,Y) }.",
    "q(N) :- N = #max { X,Y : p(X,Y) }.",
    "q(X,N) :- r(X), N = #max { Y : p(X,Y) ; Y : r(Y), Y != X }.",
    "q(X,N) :- r(X), N = #sum { Y : p(X,Y) ; Y : p(Y,X) }.",
    "q(X,N) :- r(X), N = #count { Y : p(X,Y) ; Y : p(Y,X) }.",
    "q(X,N) :- r(X), N = #count { Y : p(Y,_), Y < X }.",
    "q(X,N) :- r(X), N = #sum { Y : p(Y,_), Y < X ; 2,a : r(_) }.",
    "q(X) :- r(X), not #count { Y : p(X,Y) } = 1.",
    "q(X) :- r(X), not not #count { Y : p(X,Y) } = 1.",
    "q(X) :- r(X), 1 <= #count { Y : p(X,Y) } <= 2.",
    "q(X) :- r(X), not 1 <= #count { Y : p(X,Y) } <= 2.",
    "q(X) :- p(X,K), #count { Z : r(Z) } >= K.",
    "q(X) :- p(X,K), not #count { Z : r(Z) } >= K.",
    "q(X) :- p(X,K), not 1 <= #count { Z : r(Z) } <= K.",
    "q(X) :- p(X,K), #sum { Z : r(Z) } = K.",
    "q(X) :- r(X), N = #count { Y : p(X,Y) }, #sum { Z : r(Z), Z <= N } >= 1.",
    "q(X,M) :- r(X), N = #count { Y : p(X,Y) }, M = #sum { Z : r(Z), Z <= N }.",
    "q(X,N,M) :- r(X), N = #count { Y : p(X,Y) }, M = #count { Z : p(Z,X) }.",
    "q(N,M) :- N = #count { Y : p(Y,_) }, M = #count { Z : p(Z,_) }.",
    "q(N) :- N = #count { Y : p(Y,_) }. s :- #count { Y : p(Y,_) } > 3."
    " t(X) :- r(X), #count { Y : p(Y,_) } < 3.",
    "q(X) :- #count { Y : p(X,Y), not r(Y) } >= 1, r(X).",
    "q(X) :- r(X), #count { Y : p(X,Y), not p(Y,_) } = 0.",
    "q(N) :- N = #count { X : r(X), not r(X+1) }.",
    "q(N) :- N = #sum { X*2,Y : p(X,Y), X < Y }.",
    "q(X) :- r(X), #min { Y : p(X,Y) } <= 1. s(X) :- r(X), #max { Y : p(X,Y) } >= a.",
    "q(N) :- N = #count { 1 : not r(1) }. s :- #count { 1 : not r(1); 2 : not r(2) } >= 2, r(0).",
    "q(X) :- r(X), g, #count { 1 : not r(1); 2 : h } >= 2.",
    "q(X) :- #count { Y : p(X,Y) } = 2, p(X,_)."
    " s(A) :- r(A), #count { F : p(A,F) } = 2, #count { F : p(F,A) } = 2.",
    "q(X) :- p(X,Y), #count { A : p(X,A) } = 1, #count { A : p(Y,A) } = 1.",
    "q(X,Y) :- p(X,Y), N = #count { A : p(X,A) }, N = #count { A : p(Y,A) }.",
    "q(S) :- S = #sum { W,X : p(X,W), r(X) }, g.",
    "q(N) :- N = #count { A : r(A), A = B, p(B,_) }.",
    "q(X,N) :- r(X), X = A, N = #count { B : p(A,B), B = C, C = C }.",
    "q(N+1) :- N = #count { X : r(X) }. s(f(N)) :- N = #max { X : r(X) }.",
    "q(X) :- X = 1..3, #count { Y : r(Y), Y > X } = 1.",
    "q(X,Y) :- r(X), p(X,Y), Y = #sum { Z : r(Z) }.",
    "q(N) :- r(X), f(N) = #max { f(Y) : p(X,Y) }.",
    "q(N) :- N = #min { B : p(B,B) }, #count { B : r(B) ; N : p(2,N) } < 2.",
    "q(N) :- N = #min { B : r(B) }, #count { B : r(B) ; N : p(2,N) } < 2.",
    "q(N) :- N = #min { B : r(B) }, #sum { B : r(B), N = N ; N : p(2,N) } < 2.",
    "q(X) :- r(X), #count { B,-B : p(B,B), not r(B), X != B ; C : p(C,X) } > 0, g, g.",
]


def check(
    text: str,
    seed: int,
    values: Sequence[Value] = VALUES,
    ticks: int = 40,
) -> Delta:
    """Holds the evaluator to the naive interpreter, over random answers."""
    rules, choose = row_rules(text), random.Random(seed)
    delta = Delta(rules, tuning=Tuning(deferred_least=choose.choice([0, 3, 1000])))
    answers: dict[Lookup, set[Row]] = {one: set() for one in lookups_of(rules)}
    names = {rule.derives for rule in rules}
    for _ in range(ticks):
        change(answers, values, choose)
        told = {
            name: {random_row(name, values, choose) for _ in range(choose.randint(1, 2))}
            for name in names
            if choose.random() < 0.03
        }
        as_input = {Lookup(LookupKind.INPUT, name): rows for name, rows in told.items()}
        expected = derived(rules, answers)
        found = delta.step({**answers, **as_input})
        for name in names:
            holds = expected.get(name, set()) | told.get(name, set())
            assert found.get(name, set()) == holds
            assert set(delta.evaluator.held(name)) == holds
    return delta


def change(answers: dict[Lookup, set[Row]], values: Sequence[Value], choose: random.Random) -> None:
    """A few rows begin and end; at times all of an answer do."""
    for one, rows in answers.items():
        assert one.signature is not None
        if choose.random() < 0.1:
            rows.clear()
        rows.difference_update([row for row in sorted(rows, key=repr) if choose.random() < 0.25])
        rows.update(random_row(one.signature, values, choose) for _ in range(choose.randrange(4)))


def random_row(signature: Signature, values: Sequence[Value], choose: random.Random) -> Row:
    return tuple(choose.choice(values) for _ in range(signature.arity))


@pytest.mark.parametrize("text", [*JOINS, *COMPUTED, *STRUCTURES, *AGGREGATES])
def test_what_is_derived_is_what_the_rules_mean(text: str) -> None:
    for seed in range(3):
        check(text, seed)


def test_rows_of_a_renaming_are_handed_on_and_not_kept() -> None:
    delta = Delta(row_rules("q(X,Y) :- p(X,Y)."))
    rows: set[Row] = {(1, 2), (2, 3)}
    assert delta.step({lookup("p", 2): rows}) == {Signature("q", 2): rows}
    assert delta.evaluator.size == 0
    assert delta.evaluator.code.startswith("# q/2: the rows of p/2 now as they are\n")


def test_equal_bodies_are_joined_once_and_their_rows_are_one_list() -> None:
    rules = row_rules("q(X,Z) :- p(X,Y), p(Y,Z). s(A,C) :- p(A,B), p(B,C).")
    delta = Delta(rules)
    delta.database.answers = {lookup("p", 2): {(1, 2), (2, 3)}}
    (_, one), (_, other) = delta.evaluator.step(0)
    assert list(one.began) == [(1, 3)]
    assert one.began is other.began


def test_what_is_undefined_is_reported_once() -> None:
    delta = Delta(row_rules("q(X+1) :- p(X).\nr(Y) :- p(X), Y = X..3."))
    delta.step({lookup("p", 1): {("a",), ("b",), (2,)}})
    delta.step({lookup("p", 1): {("c",)}})
    assert [(location.line, text) for location, text in delta.messages] == [
        (1, "operation undefined:\n  (X+1)"),
        (2, "interval undefined:\n  X..3"),
    ]


@pytest.mark.parametrize("number", [13, 15])
def test_bodies_are_joined_in_parts_where_they_have_many_members(number: int) -> None:
    chain = ", ".join(f"p(X{place},X{place + 1})" for place in range(number))
    text = f"q(X0,X{number}) :- {chain}, X2 < X{number}, not r(X1)."
    delta = check(text, seed=1, values=(1, 2), ticks=20)
    assert "a part of a join" in delta.evaluator.code
    assert delta.most > 0


def test_user_functions_are_called_with_symbols_and_their_values_are_remembered() -> None:
    calls: list[str] = []

    def several(value: Symbol) -> list[Symbol]:
        calls.append(str(value))
        return [value, Function("f", [value]), value]

    delta = Delta(row_rules("q(X,Y) :- p(X), Y = @several(X)."), {"several": several})
    rows: set[Row] = {(1,), (constant("a"),)}
    assert delta.step({lookup("p", 1): rows}) == {
        Signature("q", 2): {(value, one) for (value,) in rows for one in (value, function("f", (value,)))}
    }
    assert delta.step({lookup("p", 1): {(1,), (2,)}})[Signature("q", 2)] == {
        *((1, 1), (1, function("f", (1,)))),
        *((2, 2), (2, function("f", (2,)))),
    }
    assert sorted(calls) == ["1", "2", "a"]


def test_tracebacks_show_the_lines_of_the_code() -> None:
    def failing(value: Symbol) -> Symbol:
        raise ZeroDivisionError(str(value))

    delta = Delta(row_rules("q(X,Y) :- p(X), Y = @failing(X)."), {"failing": failing})
    with pytest.raises(ZeroDivisionError) as raised:
        delta.step({lookup("p", 1): {(1,)}})
    text = "".join(traceback.format_exception(raised.value))
    assert "in call_failing(v0)" in text


@pytest.mark.parametrize("text", [JOINS[8], COMPUTED[0], AGGREGATES[2], AGGREGATES[20]])
def test_an_evaluator_may_be_taken_up_while_the_stream_goes_on(text: str) -> None:
    rules, choose = row_rules(text), random.Random(3)
    answers: dict[Lookup, set[Row]] = {one: set() for one in lookups_of(rules)}
    for _ in range(5):
        change(answers, VALUES, choose)
        delta = Delta(rules, is_late=True)
        for _ in range(3):
            expected = derived(rules, answers)
            found = delta.step(answers)
            assert all(found.get(name, set()) == rows for name, rows in expected.items())
            change(answers, VALUES, choose)


def test_integers_need_no_test_where_they_are_known() -> None:
    """Ticks, counts and sums are."""
    rules = row_rules("q(T+1) :- p(X,T), T < 5.")
    [one, *others] = rules[0].body
    assert isinstance(one, LookupPart)
    at = replace(one, lookup=Lookup(LookupKind.AT, Signature("p", 1)))
    code = Delta([replace(rules[0], body=(at, *others))]).evaluator.code
    assert "type(" not in code
    assert (
        "type("
        not in Delta(row_rules("q(N-1) :- N = #sum { X : p(X) }, N > 3.")).evaluator.code.split("visit")[1]
    )


def test_nothing_is_recorded_while_no_rule_can_fire() -> None:
    """And what was is forgotten when too much changes."""
    delta = Delta(row_rules("q(X,Z) :- p(X,Y), p(Y,Z), g."), tuning=Tuning(deferred_least=50))
    pairs, guard = lookup("p", 2), lookup("g", 0)
    rows: set[Row] = {(number, number + 1) for number in range(20)}
    assert delta.step({pairs: rows, guard: {()}}) == {Signature("q", 2): {(n, n + 2) for n in range(19)}}
    recorded = delta.evaluator.size
    assert delta.step({pairs: rows}) == {Signature("q", 2): set()}
    for shift in range(20, 200, 20):
        delta.step({pairs: {(shift + number, shift + number + 1) for number in range(20)}})
        assert delta.evaluator.size < recorded + 50 + 20
    assert delta.evaluator.size == 0
    assert delta.step({pairs: rows, guard: {()}}) == {Signature("q", 2): {(n, n + 2) for n in range(19)}}
    assert delta.evaluator.size == recorded
