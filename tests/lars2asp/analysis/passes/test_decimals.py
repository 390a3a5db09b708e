"""Numbers with a point are written as integers: text in, text out; and what places have."""

import pytest

from lars2asp.analysis.number_forms import NumberForm
from lars2asp.analysis.passes.decimals import write_decimals
from lars2asp.compiler import Overrides, check, compile_program
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Decimals, Signature, Statement
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from tests.support.programs import analysed

DECLARED = "#decimals r(_,1), p(2), l(_,1)."


def rewritten(text: str) -> list[str]:
    """The statements but for declarations of decimals, in a program without mistakes and warnings."""
    diagnostics = Diagnostics()
    program = write_decimals(analysed(f"{DECLARED}\n{text}\n:- r(_,_), p(_), l(_,_)."), diagnostics)
    assert not diagnostics.found
    assert program is not None
    *statements, _ = (one for one in program.statements if not isinstance(one, Decimals))
    return [to_text(statement) for statement in statements]


def decimals(text: str) -> dict[str, tuple[NumberForm, ...]]:
    """What the plan says of predicates; those without decimals are left out, and classical negation."""
    found = compile_program(Source("x.lars", text)).decimals
    return {one.name: places for one, places in found.items() if one.is_positive}


@pytest.mark.parametrize(
    ("rule", "written"),
    [
        ("l(hall,25.5).", "l(hall,255)."),
        ("l(hall,-0.5).", "l(hall,-5)."),
        ("a(R) :- r(R,T), T > 25.5.", "a(R) :- r(R,T), T > 255."),
        ("a(R) :- r(R,T), T > 25.50.", "a(R) :- r(R,T), T > 255."),
        ("a(R) :- r(R,T), 20.0 <= T < 25.5.", "a(R) :- r(R,T), 200 <= T < 255."),
        ("a(R) :- r(R,T), T+0.5 > 25.5.", "a(R) :- r(R,T), T+5 > 255."),
        ("a(R) :- r(R,T), |T-25.5| < 0.5.", "a(R) :- r(R,T), |T-255| < 5."),
        ("a(R) :- r(R,25.5).", "a(R) :- r(R,255)."),
        ("a(R) :- r(R,20.0..20.3).", "a(R) :- r(R,200..203)."),
        ("a(R) :- r(R,T), T*2 > 50.5.", "a(R) :- r(R,T), T*2 > 505."),
        ("a(R) :- r(R,T), T*1.25 > 50.505.", "a(R) :- r(R,T), T*125 > 50505."),
        ("a(R) :- r(R,T), T/2.5 > 50.", "a(R) :- r(R,T), T/25 > 50."),
        ("a(R) :- r(R,T), p(S), T*1.0 > S.", "a(R) :- r(R,T), p(S), T*10 > S."),
        ("a(R) :- r(R,T), X = T, X > 25.5.", "a(R) :- r(R,T), X = T, X > 255."),
        ("a(R) :- r(R,T), Y > 1.5, Y = X+1.0, X = T.", "a(R) :- r(R,T), Y > 15, Y = X+10, X = T."),
        ("a(R) :- r(R,T) always in [5], T > 25.5.", "a(R) :- r(R,T) always in [5], T > 255."),
        ("a(R) :- r(R,T) at S, T > 25.5, S > 5.", "a(R) :- r(R,T) at S, T > 255, S > 5."),
        ("a(R) :- r(R,_), not r(R,25.5).", "a(R) :- r(R,_), not r(R,255)."),
        ("a :- #sum { T,R: r(R,T) } > 25.5.", "a :- #sum { T,R: r(R,T) } > 255."),
        ("a :- S = #max { T: r(_,T) }, S > 25.5.", "a :- S = #max { T: r(_,T) }, S > 255."),
        ("a :- #sum { 0.5,R: r(R,_); T: r(_,T) } > 0.9.", "a :- #sum { 5,R: r(R,_); T: r(_,T) } > 9."),
        ("a :- r(R,_): r(R,T), T > 1.5.", "a :- r(R,_): r(R,T), T > 15."),
        ("{ l(R,0.5): r(R,T), T > 1.5 }.", "{ l(R,5): r(R,T), T > 15 }."),
        (":~ r(R,T). [T-1.5@1,R]", ":~ r(R,T). [T-15@1,R]"),
        ("#external l(a,0.5).", "#external l(a,5). [false]"),
        ("#show T-0.5: r(_,T).", "#show T-5 : r(_,T)."),
    ],
)
def test_numbers_are_written_with_the_decimals_of_what_they_stand_with(rule: str, written: str) -> None:
    assert rewritten(rule) == [written]


@pytest.mark.parametrize(
    ("rules", "places"),
    [
        ("a(T) :- r(_,T).", {"a": (1,)}),
        ("a(T+1.5,R) :- r(R,T).", {"a": (1, 0)}),
        ("a(T*S) :- r(_,T), p(S).", {"a": (3,)}),
        ("a(S/T) :- r(_,T), p(S).", {"a": (1,)}),
        ("a(S) :- S = #sum { T,R: r(R,T) }.", {"a": (1,)}),
        ("a(S/N) :- S = #sum { T,R: r(R,T) }, N = #count { R: r(R,_) }.", {"a": (1,)}),
        ("a(N) :- N = #count { R: r(R,_) }.", {}),
        ("a(N) :- r(_,T) count N in [5].", {}),
        ("a(X) :- b(X). b(T) :- r(_,T). c(X) :- a(X).", {"a": (1,), "b": (1,), "c": (1,)}),
        ("a(X+Y) :- a(X), r(_,Y). a(Y) :- r(_,Y).", {"a": (1,)}),
        ("a(T) at @now+1 :- r(_,T).", {"a": (1,)}),
        ("-a(T) :- r(_,T). b(T) :- -a(T).", {"a": (1,), "b": (1,)}),
        ("{ a(T): r(_,T) }. b(X) :- a(X).", {"a": (1,), "b": (1,)}),
        ("a(A) :- x(X), y(Y), A = X*Y. x(T) :- r(_,T). y(T) :- r(_,T).", {"a": (2,), "x": (1,), "y": (1,)}),
    ],
)
def test_places_that_rules_derive_have_the_decimals_of_heads(
    rules: str, places: dict[str, tuple[int, ...]]
) -> None:
    found = decimals(f"{DECLARED} {rules} :- r(_,_), p(_), l(_,_).")
    assert found == {"r": (0, 1), "p": (2,), "l": (0, 1)} | places


@pytest.mark.parametrize(
    ("text", "written", "said"),
    [
        ("a(R) :- r(R,T), T > 25.", "a(R) :- r(R,T), T > 250.", "25 means 25.0 here"),
        ("a(R) :- r(R,T), T > -3.", "a(R) :- r(R,T), T > -30.", "-3 means -3.0 here"),
        ("a(R) :- r(R,T), T+1 > 25.5.", "a(R) :- r(R,T), T+10 > 255.", "1 means 1.0 here"),
        ("a(R) :- r(R,T), T > 5*5.", "a(R) :- r(R,T), T > 250.", "5*5 means 25.0 here"),
        ("a(R) :- r(R,25).", "a(R) :- r(R,250).", "25 means 25.0 here"),
        ("a :- #sum { T,R: r(R,T) } > 25.", "a :- #sum { T,R: r(R,T) } > 250.", "25 means 25.0 here"),
        ("a(R) :- r(R,T), p(S), T*10.0 > S+1.", "a(R) :- r(R,T), p(S), T*100 > S+100.", "1 means 1.00 here"),
        ("l(hall,25).", "l(hall,250).", "25 means 25.0 here"),
        ("l(hall,-25).", "l(hall,-250).", "-25 means -25.0 here"),
        ("#const c = 25. l(hall,c).", "l(hall,250).", "c means 25.0 here"),
    ],
)
def test_integers_are_the_numbers_that_they_say(text: str, written: str, said: str) -> None:
    diagnostics = Diagnostics()
    program = write_decimals(analysed(f"{DECLARED}\n{text}\n:- r(_,_), p(_), l(_,_)."), diagnostics)
    assert program is not None
    assert written in map(to_text, program.statements)
    assert [one.message.partition(" (")[0] for one in diagnostics.found] == [said]


def test_zero_is_zero() -> None:
    assert rewritten("a(R) :- r(R,T), T > 0.") == ["a(R) :- r(R,T), T > 0."]


def test_a_declaration_goes_before_what_heads_have() -> None:
    assert decimals("#decimals r(1), a(1). a(X) :- b(X). b(1.0*T/1.0) :- r(T).") == {
        "r": (1,),
        "a": (1,),
        "b": (1,),
    }


def test_constants_are_read_where_they_are_used() -> None:
    text = "#const c = 25.5. #decimals r(1), p(2). a :- r(T), T > c. a :- p(T), T > -c."
    assert [to_text(one) for one in analysed_program(text)] == [
        "a :- r(T), T > 255.",
        "a :- p(T), T > -2550.",
    ]


def test_a_constant_from_outside_has_decimals_too() -> None:
    text = Source("x.lars", "#const c = 1. #decimals r(1). a :- r(T), T > c.")
    plan = compile_program(text, overrides=Overrides({"c": "25.5"}))
    assert "T > 255" in plan.whole.program.text


def analysed_program(text: str) -> list[Statement]:
    program = write_decimals(analysed(text), Diagnostics())
    assert program is not None
    return [one for one in program.statements if not isinstance(one, Decimals)]


def test_recursion_in_which_decimals_grow_is_reported() -> None:
    found = check(Source("x.lars", "#decimals q(1). a(1) :- q(_). a(X*Y) :- a(X), q(Y)."))
    assert any("but this place needs" in one.message for one in found)


def test_what_is_written_is_not_rewritten_again() -> None:
    text = "#decimals r(_,1). a(T) :- r(_,T), T > 0."
    once = write_decimals(analysed(text), Diagnostics())
    assert once is not None
    again = write_decimals(analysed("\n".join(map(to_text, once.statements))), Diagnostics())
    assert again == once


def test_a_program_without_decimals_is_left_alone() -> None:
    assert write_decimals(analysed("a(T) :- r(_,T), T > 25."), Diagnostics()) is None
    assert decimals("a(T) :- r(_,T), T > 25.") == {}


def test_a_statement_may_end_with_a_number_before_one_that_begins_with_one() -> None:
    assert [to_text(one) for one in analysed("1 {a; b} 1.1 {c; d}2.").program.statements] == [
        "1 <= { a; b } <= 1.",
        "1 <= { c; d } <= 2.",
    ]


def test_classical_negation_has_the_same_decimals() -> None:
    found = compile_program(Source("x.lars", "#decimals r(1). a :- -r(0.5).")).decimals
    assert found == {Signature("r", 1): (1,), Signature("r", 1, False): (1,)}
