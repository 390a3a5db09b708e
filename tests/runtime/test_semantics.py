"""What programs mean, drawn as timelines: program, stream and answers stand together."""

from textwrap import dedent

import pytest

from runtime.reasoner import Reasoner


def answers(program: str, stream: dict[int, list[str]], last: int, **options: object) -> list[str]:
    """The output at each tick from the first of the stream to the last, atoms joined by blanks."""
    reasoner = Reasoner.from_text(dedent(program), **options)  # type: ignore[arg-type]
    found = reasoner.run(stream.items(), until=last)
    return [" ".join(answer.atoms) if answer.satisfiable else "none" for answer in found]


#   tick      0    1    2    3    4    5
#   p              x         x
def test_windows_over_input() -> None:
    stream: dict[int, list[str]] = {0: [], 1: ["p"], 3: ["p"]}
    assert answers("a :- p in [1].", stream, 5) == ["", "a", "a", "a", "a", ""]
    assert answers("a :- p in {2}.", stream, 5) == ["", "", "", "a", "", "a"]
    assert answers("a :- p always in {0,2}.", stream, 5) == ["", "a", "", "a", "", ""]
    assert answers("a :- not p in [1].", stream, 5) == ["a", "", "", "", "", "a"]
    assert answers("a(T) :- p at T in [2].", stream, 5) == ["", "a(1)", "a(1)", "a(1) a(3)", "a(3)", "a(3)"]
    assert answers("a(@now-T) :- p at T.", stream, 3) == ["", "a(0)", "a(1)", "a(0) a(2)"]
    assert answers("a :- p at 1.", stream, 5) == ["", "a", "a", "a", "a", "a"]


#   tick      0    1    2    3
#   p         x    x    x
def test_boxes_are_clipped_at_the_start_unless_whole_windows_are_demanded() -> None:
    stream = {0: ["p"], 1: ["p"], 2: ["p"]}
    assert answers("a :- p always in [1].", stream, 3) == ["a", "a", "a", ""]
    assert answers("a :- p always in [1].", stream, 3, complete_windows=True) == ["", "a", "a", ""]


#   tick      0    1    2    3    4
#   b              x
#   c              x                   derived at tick 1 alone
#   d              x    x              recorded: the window at tick 2 still sees c
def test_the_two_readings_of_windows_over_derived_atoms() -> None:
    program = "c :- b. d :- c in [1]."
    stream: dict[int, list[str]] = {0: [], 1: ["b"]}
    assert answers(program, stream, 3) == ["", "c d", "d", ""]
    assert answers(program, stream, 3, semantics="strict") == ["", "c d", "", ""]
    assert answers("#semantics strict." + program, stream, 3) == ["", "c d", "", ""]


def test_recursion_through_windows_counts_ticks() -> None:
    """What is derived at a tick is looked at by the next: a keeps itself alive."""
    program = "a :- p. a :- a in {1}, not stop."
    assert answers(program, {0: ["p"], 3: ["stop"]}, 5) == ["a", "a", "a", "", "", ""]


def test_negation_over_the_past_alone_is_no_cycle() -> None:
    assert answers("a :- b, not a in {1}. #show a/0.", {t: ["b"] for t in range(5)}, 4) == [
        "a",
        "",
        "a",
        "",
        "a",
    ]


def test_facts_of_the_program_hold_always() -> None:
    assert answers("p(1). a(X) :- p(X) always in [2]. b(T) :- p(1) at T in [1].", {3: []}, 5) == [
        "a(1) b(3)",
        "a(1) b(3) b(4)",
        "a(1) b(4) b(5)",
    ]


def test_a_tick_without_answer_records_nothing_and_the_stream_goes_on() -> None:
    program = ":- q. c :- p. d :- c in [2]."
    assert answers(program, {0: ["p"], 1: ["p", "q"], 2: []}, 4) == ["c d", "none", "d", "", ""]


def test_output_is_what_heads_rules_or_what_is_shown() -> None:
    stream = {0: ["p(1)", "a(2)", "z"]}
    assert answers("a(X) :- p(X). a(3). p(4).", stream, 0) == ["a(1) a(2) a(3) a(4)"]
    assert answers("a(X) :- p(X). #show p/1. #show z/0.", stream, 0) == ["z p(1)"]
    assert answers("a(X) :- p(X). #show.", stream, 0) == [""]


def test_strict_output_leaves_out_what_is_told_alone() -> None:
    """As Laser and Ticker report it; facts of the program and `#show` are not touched."""
    stream = {0: ["p(1)", "a(1)", "a(2)"]}
    assert answers("a(X) :- p(X). a(3).", stream, 0, semantics="strict") == ["a(1) a(3)"]
    assert answers("a(X) :- p(X). #show a/1.", stream, 0, semantics="strict") == ["a(1) a(2)"]


def test_at_ticks_that_depend_on_others() -> None:
    assert answers("a(X) :- p(X) at T, q at T+1.", {0: ["p(1)"], 1: ["q", "p(2)"], 2: ["p(3)"]}, 2) == [
        "",
        "a(1)",
        "a(1)",
    ]


def test_anonymous_variables() -> None:
    """One value throughout a positive streaming atom, projected under `not`."""
    stream = {0: ["p(1)"], 1: ["p(2)"]}
    assert answers("a :- p(_) always in [1].", stream, 1) == ["a", ""]
    assert answers("a :- not p(_) in [0]. b :- not p(2) in [0].", stream, 2) == ["b", "", "a b"]


def test_classical_negation() -> None:
    assert answers("a :- -p(X) in [1], not p(X).", {0: ["-p(1)"], 1: ["p(1)"], 2: []}, 2) == ["a", "", ""]
    assert answers("-a :- p.", {0: ["p", "a"]}, 0) == ["none"]


def test_aggregates_over_windows() -> None:
    program = "n(N) :- N = #count { T : p at T in [3] }. s(S) :- S = #sum { V,T : v(V) at T in [3] }."
    assert answers(program, {0: ["p", "v(2)"], 1: ["p"], 3: ["v(2)", "v(5)"]}, 4) == [
        "n(1) s(2)",
        "n(2) s(2)",
        "n(2) s(2)",
        "n(2) s(9)",
        "n(1) s(7)",
    ]


def test_the_chosen_answer_stays_while_nothing_changes() -> None:
    chosen = answers("a :- not b, p in [3]. b :- not a, p in [3].", {0: ["p"]}, 3)
    assert len(set(chosen)) == 1


@pytest.mark.parametrize(
    "name",
    [
        "unbounded",
        "sliding",
        "lars_derived_b",
        "lars_now",
        "lars_in",
        "lars_tick",
        "X1",
        "lars_in_sliding_1_p",
    ],
)
def test_generated_names_do_not_meet_the_user_s(name: str) -> None:
    constant = name if name[0].islower() else "x1"
    program = f"{constant}(7). a(X,@now) :- {constant}(X), p in [1]. b({constant}) :- a(7,T)."
    assert answers(program, {4: ["p"]}, 4) == [f"b({constant}) a(7,4)"]


def test_constants_do_not_change_predicates_of_the_output() -> None:
    program = "#const q = 5. #const a = 1. q :- p. -a :- p."
    for semantics in ("strict", "recorded"):
        assert answers(program, {0: ["p"]}, 0, semantics=semantics) == ["q -a"]


def test_ticks_that_never_come() -> None:
    assert answers("a :- q at -1. b :- q at 2**30. c :- q at 1. q :- p.", {0: ["p"], 1: ["p"]}, 2) == [
        "q",
        "c q",
        "c",
    ]


def test_constants() -> None:
    program = "#const n = 2. #const who = bob. a(who) :- p(n) in [n]."
    stream = {0: ["p(2)", "p(3)"], 3: []}
    assert answers(program, stream, 3) == ["a(bob)", "a(bob)", "a(bob)", ""]
    assert answers(program, stream, 3, constants={"n": 3, "who": "eve"}) == ["a(eve)"] * 4
