"""What explanations say, of small programs."""

import pytest

from lars2asp import Reasoner


def why(program: str, stream: list[tuple[int, list[str]]], atom: str, complete_windows: bool = False) -> str:
    """The explanation at the last tick, which begins in a line of its own."""
    reasoner = Reasoner.from_text(program, explain_last=100, complete_windows=complete_windows)
    for tick, facts in stream:
        reasoner.step(tick, facts)
    return f"\n{reasoner.why(atom)}\n"


def test_each_of_several_trees_is_whole_and_they_are_in_order() -> None:
    assert (
        why("a(1..2) :- p.", [(0, ["p"])], "a(X)")
        == """
a(1) at 0
└─ <text>:1  a(1..2) :- p.
   └─ p   step(0)

a(2) at 0
└─ <text>:1  a(1..2) :- p.
   └─ p   step(0)
"""
    )


def test_a_window_by_values_that_are_known_shows_their_arrivals() -> None:
    program = "last(R,V) :- reading(R,V) in [1 # by R]."
    stream = [(0, ["reading(hall,20)"]), (1, ["reading(hall,21)"])]
    assert (
        why(program, stream, "last(hall,20)")
        == """
last(hall,20) does not hold at 1
└─ <text>:1  last(R,V) :- reading(R,V) in [1 # by R].
   └─ fails: reading(hall,20) in [1 # by hall]   1 · by arrival
      └─ reading(hall,21)   step(1)
"""
    )


def test_what_is_told_at_other_ticks_of_a_window_is_not_denied() -> None:
    program = "a :- not p at least 2 in [2]."
    assert (
        why(program, [(0, ["q"]), (1, ["p"])], "a")
        == """
a at 1
└─ <text>:1  a :- not p at least 2 in [2].
   └─ not p at least 2 in [2]   0 ·█ 1  the window reaches back before the stream begins (0); \
no record of p up to 0
"""
    )
    assert (
        why(program, [(0, ["p"]), (2, ["q"]), (3, ["p"])], "a")
        == """
a at 3
└─ <text>:1  a :- not p at least 2 in [2].
   └─ not p at least 2 in [2]   1 ··█ 3  no record at 2, the last at 0, step(0)
"""
    )


def test_a_window_that_is_not_whole_is_named() -> None:
    assert (
        why("a :- p always in [2].", [(0, ["p"]), (1, ["p"])], "a", complete_windows=True)
        == """
a does not hold at 1
└─ <text>:1  a :- p always in [2].
   └─ fails: p always in [2]   0 ██ 1  the window is not complete yet
"""
    )


def test_a_tick_outside_of_the_window_is_named() -> None:
    assert (
        why("a :- p at 0 in [1].", [(0, ["p"]), (2, ["p"])], "a")
        == """
a does not hold at 2
└─ <text>:1  a :- p at 0 in [1].
   └─ fails: p at 0 in [1]   1 ·█ 2  this tick is outside the window
"""
    )


_CALLS = """#script (python)
from clingo import Number

def twice(number):
    return Number(number.number * 2)
#end.
a :- p(X), @twice(X) > 5.
b :- p(X), X+1 > @now+3."""


def test_a_comparison_has_the_values_of_its_sides() -> None:
    assert (
        why(_CALLS, [(0, ["p(4)"])], "a")
        == """
a at 0
└─ <text>:7  a :- p(X), @twice(X) > 5.
   ├─ p(4)          step(0)
   └─ @twice(4) > 5   value 8
""".replace("p(4)          step", "p(4)            step")
    )
    assert why(_CALLS, [(0, ["p(2)"])], "a").endswith("fails: @twice(2) > 5   value 4\n")
    assert why(_CALLS, [(1, ["p(2)"])], "b").endswith("fails: 2+1 > @now+3   value 3, 4\n")


def test_a_rule_that_fails_is_not_said_in_words() -> None:
    assert (
        why('%!trace_rule {"% is too hot", R}.\nhot(R) :- reading(R,T), T > 25.', [(0, ["p"])], "hot(hall)")
        == """
hot(hall) does not hold at 0
└─ <text>:2  hot(R) :- reading(R,T), T > 25.
   └─ fails: reading(hall,T)   no record of it
"""
    )


def test_a_literal_with_variables_of_its_own_is_shown_as_the_atom_that_makes_it_true() -> None:
    assert (
        why("a :- p(_).\nb :- a always in [1].", [(0, ["p(1)"])], "a")
        == """
a at 0
└─ <text>:1  a :- p(_).
   └─ p(1)   step(0)
"""
    )
    assert (
        why("a :- p(_).\nb :- a always in [1].", [(0, ["p(1)"]), (1, ["p(2)"])], "b")
        == """
b at 1
└─ <text>:2  b :- a always in [1].
   └─ a always in [1]   0 ██ 1
      └─ <text>:1  a :- p(_).
         ├─ 0  p(1)   step(0)
         └─ 1  p(2)   step(1)
"""
    )


@pytest.mark.parametrize("literal", ["r at T in [1 # r/0]", "not r at T in [1 # r/0]", "r at T in [1]"])
def test_a_tick_that_is_not_in_the_window(literal: str) -> None:
    """The tick is that of a variable, and what held at it is not kept."""
    reasoner = Reasoner.from_text(f"a(T) :- k(T), {literal}. k(0).", explain_last=1)
    for tick, facts in enumerate([["r"], *[["q"]] * 40, ["r"], ["q"]]):
        reasoner.step(tick, facts)
    words = ("no arrival at this tick", "this tick is outside the window")
    assert any(one in reasoner.why("a(0)").to_text() for one in words)


@pytest.mark.parametrize(
    ("literal", "said"),
    [
        ("p(_) at least 2 in [3]", "no single atom is at so many"),
        ("p(_) count 2 in [3]", "no single atom is at exactly so many"),
        ("p(1) at least 2 in [3]", "  at 1 tick"),
        ("p(1) count 2 in [3]", "  at 1 tick"),
        ("p(3) at least 1 in [3]", ""),
    ],
)
def test_a_count_that_fails_has_its_number(literal: str, said: str) -> None:
    """`_` stands for one value: the ticks of others do not add up."""
    reasoner = Reasoner.from_text(f"a :- {literal}.", explain_last=9)
    for tick, facts in enumerate((["p(1)"], ["p(2)"])):
        reasoner.step(tick, facts)
    text = reasoner.why("a").to_text()
    words = ("no single atom is at so many", "no single atom is at exactly so many", "  at 1 tick")
    assert [one for one in words if one in text] == ([said] if said else [])


def test_what_never_held_has_no_windows_before_the_start() -> None:
    reasoner = Reasoner.from_text(
        "x(D) :- x(D) in {1}, not stop. x(D) :- ajar(D) in {1}, bell.", explain_last=99
    )
    for tick, facts in ((0, ["q"]), (9, ["ajar(a)"]), (10, ["q"])):
        reasoner.step(tick, facts)
    text = reasoner.why("x(a)").to_text()
    assert "it never held: the stream begins at 0" in text
    assert "the window contains no ticks yet" not in text
