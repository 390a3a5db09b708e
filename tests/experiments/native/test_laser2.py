"""Laser2: rules that are not looked at, and when they are again."""

from experiments.engine import Engine
from experiments.native import Laser, Laser2
from tests.experiments.native.running import checked, step


def looks(engine: Engine, last: int, stream: dict[int, str]) -> tuple[list[str], list[int]]:
    """The answers tick by tick, and how many rules were disabled at each."""
    found, disabled, answer = [], [], set[str]()
    for tick in range(last + 1):
        before = engine.counts["disabled rules"]
        answer = step(engine, answer, tick, stream.get(tick, "").split())
        found.append(" ".join(sorted(answer)))
        disabled.append(engine.counts["disabled rules"] - before)
    return found, disabled


def laser2(program: str, threshold: int = 1) -> Laser2:
    return Laser2(checked(program), threshold)


def test_a_gap_disables_a_rule_until_it_has_left_the_window() -> None:
    engine = laser2("a :- p always in [3].")
    # tick   0 1 2 3 4 5 6 7 8 9
    # p      x x   x x x x x   x
    # looked x x x       x x x
    stream = dict.fromkeys([0, 1, 3, 4, 5, 6, 7, 9], "p")
    assert looks(engine, 9, stream) == (
        ["a", "a", "", "", "", "", "a", "a", "", ""],
        [0, 0, 0, 1, 1, 1, 0, 0, 0, 1],
    )
    assert engine.counts["rule evaluations"] == 6


def test_the_window_is_clipped_at_the_start() -> None:
    """A run that began with the timeline may give a box at any tick: the rule stays enabled."""
    engine = laser2("a :- p always in [3], q.")
    stream = {0: "p", 1: "p", 2: "p q", 3: "p q"}
    assert looks(engine, 3, stream) == (["", "", "a", "a"], [0, 0, 0, 0])


def test_the_longest_run_of_any_atom_decides() -> None:
    engine = laser2("a(X) :- p(X) always in [3].")
    # tick   0 1 2 3 4 5 6
    # p(1)     x x
    # p(2)       x x x x x
    stream = {1: "p(1)", 2: "p(1) p(2)", 3: "p(2)", 4: "p(2)", 5: "p(2)", 6: "p(2)"}
    # at 0 there is no atom, so none before 4; at 4 p(2) has held since 2, so none before 5
    assert looks(engine, 6, stream) == (["", "", "", "", "", "a(2)", "a(2)"], [0, 1, 1, 1, 0, 0, 0])


def test_only_atoms_that_fit_count() -> None:
    engine = laser2("a :- p(1) always in [3].")
    stream = dict.fromkeys(range(6), "p(2)")
    assert looks(engine, 5, stream)[1] == [0, 1, 1, 1, 0, 1]


def test_what_needs_disabled_rules_is_disabled_with_them() -> None:
    program = """
        a :- p always in [3].
        b :- r always in [5].
        c :- a.  c :- b.
        d(X) :- c, s(X) in [9].
    """
    engine = laser2(program)
    stream = {0: "s(1)"} | dict.fromkeys(range(1, 9), "p")
    # at 0 neither p nor r holds: `a` is out of the question before 4, `b` before 6; what needs `c` waits for
    # the first of both
    answers, disabled = looks(engine, 8, stream)
    assert answers == ["", "", "", "", *["a c d(1)"] * 5]
    assert disabled == [0, 5, 5, 5, 2, 2, 0, 2, 2]
    assert looks(Laser(checked(program)), 8, stream) == (answers, [0] * 9)


def test_the_input_may_tell_what_rules_cannot_derive() -> None:
    engine = laser2("a :- p always in [5]. b :- a. c :- b.")
    answers, disabled = looks(engine, 5, {2: "a", 3: "b"})
    assert answers == ["", "", "b c", "c", "", ""]
    assert disabled == [0, 3, 1, 2, 3, 3]


def test_what_still_holds_keeps_rules_awake() -> None:
    engine = laser2("a :- p always in [5]. b :- a in [3]. c(T) :- b at T in [1].")
    # the input has `a` at 1, so that b holds until 4 though both rules before it are disabled at 2
    answers, disabled = looks(engine, 6, {1: "a"})
    assert answers == ["", "b c(1)", "b c(2)", "b c(3)", "b c(4)", "", ""]
    assert disabled == [0, 1, 2, 2, 2, 2, 0]


def test_what_is_still_in_a_window_keeps_rules_awake() -> None:
    engine = laser2("a :- p always in [9]. b(X) :- a in [5], s(X).")
    answers, disabled = looks(engine, 8, {1: "a", 3: "s(1)", 8: "s(2)"})
    assert answers == ["", "", "", "b(1)", "", "", "", "", ""]
    assert disabled == [0, 1, 1, 1, 1, 1, 1, 2, 2]


def test_what_waits_for_its_tick_keeps_rules_awake() -> None:
    engine = laser2("a :- p always in [9]. b at T+2 :- a at T in [9]. c(X) :- b, s(X) in [9].")
    answers, disabled = looks(engine, 5, {0: "s(1)", 1: "a"})
    assert answers == ["", "", "", "b c(1)", "", ""]
    assert disabled == [0, 1, 2, 2, 2, 3]


def test_a_gap_that_is_closed_late_wakes_a_rule() -> None:
    program = "p at T :- e at T in [9], go. a :- p always in [3]."
    stream = {0: "e", 1: "e", 2: "p", 3: "p", 4: "p go", 5: "p"}
    answers, disabled = looks(laser2(program), 5, stream)
    assert answers == looks(Laser(checked(program)), 5, stream)[0]
    assert answers[4] == "a"
    assert disabled == [0, 1, 1, 1, 0, 0]


def test_small_windows_take_no_part() -> None:
    program = "a :- p always in [3]. b :- p always in [4]."
    assert looks(laser2(program, threshold=4), 5, {})[1] == [0, 1, 1, 1, 1, 0]
    assert looks(laser2(program, threshold=5), 5, {})[1] == [0] * 6
