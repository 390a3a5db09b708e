"""Laser: annotations, and what they spare."""

import pytest

from experiments.native import Laser, UnsupportedError
from experiments.native.rule_at_work import RULES
from tests.experiments.native.running import answers, checked, fact


def laser(program: str) -> Laser:
    return Laser(checked(program))


# --- annotations ----------------------------------------------------------------------------------


def test_a_diamond_holds_from_the_fact_to_the_size_of_the_window() -> None:
    engine = laser("q(X) :- p(X) in [3].")
    # tick   0 1 2 3 4 5 6
    # p(1)   x   x
    # q(1)   =========== -
    engine.step(0, [fact("p(1)")])
    assert engine.horizon(fact("q(1)")) == 3
    engine.step(1, [])
    engine.step(2, [fact("p(1)")])
    assert engine.horizon(fact("q(1)")) == 5
    for tick in (3, 4, 5):
        assert engine.step(tick, []) == ([], [])
    assert engine.step(6, []) == ([], [fact("q(1)")])
    assert engine.horizon(fact("q(1)")) is None


def test_a_head_has_the_least_horizon_of_its_body() -> None:
    engine = laser("q(X,Z) :- p(X,Y) in [5], r(Y,Z) in [2]. s(X) :- q(X,_).")
    engine.step(0, [fact("p(1,2)")])  # [0,5]
    engine.step(1, [fact("r(2,3)")])  # [1,3]
    assert engine.horizon(fact("q(1,3)")) == engine.horizon(fact("s(1)")) == 3
    engine.step(2, [fact("r(2,3)")])  # [2,4]
    assert engine.horizon(fact("q(1,3)")) == engine.horizon(fact("s(1)")) == 4
    engine.step(3, [])
    engine.step(4, [fact("r(2,3)")])  # [4,6], but p(1,2) leaves at 6
    assert engine.horizon(fact("q(1,3)")) == engine.horizon(fact("s(1)")) == 5


def test_without_semi_naive_evaluation_a_rule_joins_at_each_tick() -> None:
    """The answers and the horizons are the same; all that holds is joined, whether it is new or not."""
    program = "q(X,Z) :- p(X,Y) in [3], p(Y,Z) in [3]. s(X) :- q(X,_)."
    engines = laser(program), Laser(checked(program), is_semi_naive=False)
    for engine in engines:
        assert answers(engine, 5, {0: "p(1,2) p(2,3)"}) == ["q(1,3) s(1)"] * 4 + ["", ""]
    assert [engine.counts[RULES] for engine in engines] == [
        2,
        12,
    ]  # two rules, at the first of six ticks or at all


def test_what_is_read_from_a_tick_leaves_with_it() -> None:
    engine = laser("hot(T) :- temp(V) at T in [2], V >= 100.")
    stream = {0: "temp(100)", 1: "temp(99)", 2: "temp(x)"}  # constants are greater than numbers
    assert answers(engine, 4, stream) == ["hot(0)", "hot(0)", "hot(0) hot(2)", "hot(2)", "hot(2)"]


def test_boxes_and_negation_hold_for_the_tick_alone() -> None:
    engine = laser("a :- p always in [3]. b :- p in [3], not r.")
    engine.step(0, [fact("p")])
    assert engine.horizon(fact("a")) == engine.horizon(fact("b")) == 0


def test_arithmetic_rounds_towards_zero_and_needs_integers() -> None:
    engine = laser("half(X/2,X\\2) :- p(X). next(Y) :- p(X), Y = X+1, Y/X > 0. same(X) :- p(X-1), r(X).")
    stream = {0: "p(-3) p(x) p(0) r(1) r(x)"}
    assert answers(engine, 0, stream) == ["half(-1,-1) half(0,0) same(1)"]


def test_background_data_holds_always() -> None:
    engine = laser("q(X) :- p(X) in [1], k(X). a :- k(X) always in [5], k(1) at T in [2]. k(1..2).")
    assert answers(engine, 2, {1: "p(2) p(3)"}) == ["a", "a q(2)", "a q(2)"]
    assert engine.horizon(fact("q(2)")) == 2


def test_rules_are_looked_at_where_something_is_new() -> None:
    engine = laser("q(X,Z) :- p(X,Y) in [5], p(Y,Z) in [5]. s(X) :- q(X,_) in [2].")
    answers(engine, 9, {0: "p(1,2)", 3: "p(2,3)", 4: "p(8,9)"})
    # the first rule at 0, 3 and 4; the second at 3, when there is q(1,3)
    assert engine.counts["rule evaluations"] == 4
    assert engine.counts["new annotations"] == 2


# --- boxes ----------------------------------------------------------------------------------------


def test_a_box_begins_anew_after_a_gap() -> None:
    engine = laser("a(X) :- p(X) always in [2].")
    # tick   0 1 2 3 4 5 6 7
    # p(1)   x x x   x x x
    # p(2)       x x x x
    stream = {0: "p(1)", 1: "p(1)", 2: "p(1) p(2)", 3: "p(2)", 4: "p(1) p(2)", 5: "p(1) p(2)", 6: "p(1)"}
    # the window is clipped at the start, so that a(1) holds from the first tick
    assert answers(engine, 7, stream) == ["a(1)", "a(1)", "a(1)", "", "a(2)", "a(2)", "a(1)", ""]


def test_an_atom_placed_late_closes_a_gap() -> None:
    engine = laser("p(1) at T :- e at T in [9], go. a(X) :- p(X) always in [2]. p(1) :- r.")
    # tick   0 1 2 3 4 5
    # r      x   x x
    # e        x
    # go           x
    stream = {0: "r", 1: "e", 2: "r", 3: "r go"}
    assert answers(engine, 4, stream) == ["a(1) p(1)", "", "p(1)", "p(1)", ""]
    stream = {0: "p(1)", 1: "e", 2: "p(1)", 3: "p(1) go"}
    # at 3 the rule places p(1) at 1, and the input has it at 2 and 3
    assert answers(laser("p(1) at T :- e at T in [9], go. a(X) :- p(X) always in [2]."), 4, stream) == [
        "a(1)",
        "",
        "",
        "a(1)",
        "",
    ]


# --- tuple windows --------------------------------------------------------------------------------


def test_an_arrival_leaves_a_tuple_window_when_enough_have_come_after_it() -> None:
    engine = laser("q(X) :- p(X) in [3 #]. s(X) :- p(X) in [1 # p/1].")
    # count  1, 2           3      4
    stream = {0: "p(1) r(1)", 5: "r(2)", 7: "p(2)"}
    # p(1) has consideration count 1 and horizon count 3 in the window of three
    assert answers(engine, 8, stream) == ["q(1) s(1)"] * 7 + ["q(2) s(2)"] * 2


def test_a_box_over_a_tuple_window_spans_from_its_oldest_arrival() -> None:
    engine = laser("a :- p always in [2 #].")
    # tick   0 1 2 3 4 5
    # p      x x   x x
    stream = dict.fromkeys([0, 1, 3, 4], "p")
    assert answers(engine, 5, stream) == ["a", "a", "", "", "a", ""]


def test_a_tuple_window_that_is_not_full_spans_from_the_start() -> None:
    program = "a :- p always in [4 #]."
    assert answers(laser(program), 2, {0: "p", 1: "p", 2: "p"}) == ["a", "a", "a"]
    assert answers(laser(program), 2, {1: "p", 2: "p"}) == ["", "", ""]


def test_duplicates_at_a_tick_are_one_arrival() -> None:
    engine = laser("q(X) :- p(X) in [2 #].")
    assert answers(engine, 0, {0: "p(1) p(2) p(2)"}) == ["q(1) q(2)"]


# --- heads at ticks, and windows over what is derived -----------------------------------------------


def test_windows_do_not_see_what_earlier_ticks_concluded() -> None:
    engine = laser("a :- p. b :- a in [3]. c :- a always in [1]. d at T :- p at T in [3]. e :- d in [3].")
    assert answers(engine, 2, {0: "p", 1: "p"}) == ["a b c d e", "a b d e", "e"]


def test_what_is_placed_ahead_waits_for_its_tick() -> None:
    engine = laser("a at T+2 :- p at T in [2]. b at T+3 :- p at T in [2]. c :- a in [9].")
    # b would be placed at 3, when p is no longer in the window
    assert answers(engine, 4, {0: "p"}) == ["", "", "a c", "", ""]


def test_recursion_is_followed_to_the_end() -> None:
    engine = laser("r(X,Y) :- e(X,Y) in [2]. r(X,Z) :- r(X,Y), r(Y,Z).")
    engine.step(0, [fact("e(1,2)"), fact("e(3,4)")])
    began, _ = engine.step(1, [fact("e(2,3)")])
    assert sorted(began) == [fact(f"r({pair})") for pair in ("1,3", "1,4", "2,3", "2,4")]
    assert engine.horizon(fact("r(2,3)")) == 3
    assert engine.horizon(fact("r(1,4)")) == 2


# --- the fragment ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "construct"),
    [
        ("{ a } :- p.", "heads that are no atom"),
        ("a ; b :- p.", "heads that are no atom"),
        (":- p.", "constraints"),
        ("a(N) :- N = #count { X : p(X) }.", "Aggregate in bodies"),
        ("a :- p at least 2 in [3].", "AtLeast in bodies"),
        ("a :- p in [3 step 2].", "windows of the kind HoppingWindow"),
        ("a :- p in {1,2}.", "windows of the kind OffsetWindow"),
        ("a(X) :- p(X) in [2 # by X].", "grouped tuple windows"),
        ("a :- not not p.", "double negation"),
        ("a :- p(X) : q(X).", "conditional literals"),
        ("a :- -p.", "classical negation"),
        ("#temp a :- p.", "#temp"),
        ("a :- p(f(1)).", "terms of the kind Function"),
        ("#script (python)\ndef f(x):\n    return x\n#end.\na(@f(1)) :- p.", "#script statements"),
        ("a :- not b. b :- not a.", "recursion through negation"),
        ("a :- p. a :- a in [3].", "recursion through windows"),
        ("a(X) :- p(X+1).", "variables bound by arithmetic alone"),
        ("a :- p. #show a/0.", "#show statements"),
    ],
)
def test_what_lies_outside_is_named(program: str, construct: str) -> None:
    with pytest.raises(UnsupportedError, match=f"^test.lars:.*native evaluators do not serve .*{construct}"):
        laser(program)
