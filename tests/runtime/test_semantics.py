"""Semantics, a capability of all modules: what programs mean, with program, stream and answers together."""

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from lars2asp.__main__ import main
from lars2asp.compiler import Overrides, compile_program
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.records import Record
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.support.evaluating import serving
from tests.support.records import events


def answers(program: str, stream: dict[int, list[str]], last: int, **options: object) -> list[str]:
    """The output at each tick from the first of the stream to the last, atoms joined by blanks."""
    reasoner = Reasoner.from_text(dedent(program), **options)  # type: ignore[arg-type]
    found = reasoner.run(stream.items(), until=last, emit="every")
    return [" ".join(answer.holds.texts) if answer.satisfiable else "none" for answer in found]


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
    assert answers("#show p/1.", stream, 0) == ["p(1)"]
    assert answers("b. #show p/1. #show b/0.", stream, 0) == ["b p(1)"]


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
    assert answers(program, stream, 3, const={"n": 3, "who": "eve"}) == ["a(eve)"] * 4


# --- counting -------------------------------------------------------------------------------------


#   tick      0    1    2    3    4    5
#   p         x    x         x
def test_counting_ticks_of_a_window() -> None:
    stream: dict[int, list[str]] = {0: ["p"], 1: ["p"], 3: ["p"]}
    assert answers("a :- p at least 2 in [2].", stream, 5) == ["", "a", "a", "a", "", ""]
    assert answers("a :- p at most 1 in [2].", stream, 5) == ["a", "", "", "", "a", "a"]
    assert answers("a(N) :- p count N in [2].", stream, 5) == ["a(1)", "a(2)", "a(2)", "a(2)", "a(1)", "a(1)"]
    assert answers("a :- p count 2 in {0,1}.", stream, 5) == ["", "a", "", "", "", ""]
    asked = {0: ["p"], 1: ["p"], 2: ["k(2)", "k(3)"]}
    assert answers("a(K) :- k(K), p at least K in [2].", asked, 3) == ["", "", "a(2)", ""]


def test_numbers_below_the_smallest_are_false() -> None:
    told = ["p", "k(-1)", "k(0)", "k(1)"]
    assert answers("a(K) :- k(K), p at least K in [2].", {0: told}, 0) == ["a(1)"]
    assert answers("a(K) :- k(K), p at most K in [2].", {0: told}, 0) == ["a(1)"]
    assert answers("a(K) :- k(K), not p at most K in [2].", {0: told}, 0) == ["a(-1) a(0)"]
    assert answers("a(K) :- k(K), not not p at most K in [2].", {0: told}, 0) == ["a(1)"]
    assert answers("a :- p at most K in [2] : k(K), K > -1; k(_).", {0: told}, 0) == [""]
    assert answers("a(N) :- N = #sum { K : k(K), p at most K in [2] }.", {0: told}, 0) == ["a(1)"]


def test_counting_what_rules_derive() -> None:
    program = "b :- p. a(N) :- b count N in [2]. #show a/1."
    stream: dict[int, list[str]] = {0: ["p"], 1: ["p"], 3: ["p"]}
    assert answers(program, stream, 4) == ["a(1)", "a(2)", "a(2)", "a(2)", "a(1)"]
    assert answers(program, stream, 4, semantics="strict") == ["a(1)", "a(1)", "", "a(1)", ""]


# --- windows --------------------------------------------------------------------------------------


#   tick      0    1    2    3    4    5    6    7
#   p              x
#   [1 step 3]  at 0..2 the ticks 0; at 3..5 the ticks 2, 3; at 6, 7 the ticks 5, 6
def test_hopping_windows_move_at_multiples_of_the_step() -> None:
    stream: dict[int, list[str]] = {0: [], 1: ["p"]}
    assert answers("a :- p in [1 step 3].", stream, 7) == ["", "", "", "", "", "", "", ""]
    assert answers("a :- p in [2 step 3].", stream, 7) == ["", "", "", "a", "a", "a", "", ""]
    assert answers("a :- p in [2 step 3].", {1: ["p"]}, 3) == [
        "",
        "",
        "a",
    ]  # before 3, nothing on the timeline


#   tick      0    1    2    3    4    5    6    7
#   p              x
#   [every 3]   the block 0..2 at 2, 3, 4; the block 3..5 at 5, 6, 7
def test_tumbling_windows_are_the_last_complete_block() -> None:
    stream: dict[int, list[str]] = {0: [], 1: ["p"]}
    assert answers("a :- p in [every 3].", stream, 7) == ["", "", "a", "a", "a", "", "", ""]
    assert answers("a(T) :- p at T in [every 2].", stream, 4) == ["", "a(1)", "a(1)", "", ""]
    assert answers("a :- p always in [every 2].", {1: ["p"]}, 4) == ["a", "a", "", ""]
    assert answers("a :- p always in [every 2].", {1: ["p"]}, 4, complete_windows=True) == ["", "", "", ""]


def test_derived_atoms_in_hopping_and_tumbling_windows() -> None:
    stream: dict[int, list[str]] = {0: ["p"], 1: [], 2: ["p"], 3: ["p"]}
    program = "b :- p. a(in) :- b in [every 2]. a(always) :- b always in [every 2]. #show a/1."
    assert answers(program, stream, 4) == ["", "a(in)", "a(in)", "a(always) a(in)", "a(always) a(in)"]
    program = "b :- p. a(N) :- b count N in [1 step 2]. #show a/1."
    assert answers(program, stream, 5) == ["a(1)", "a(1)", "a(1)", "a(1)", "a(1)", "a(1)"]


#   tick      0    1    2    3    4
#   arrivals  p    q    p    -    q,p
def test_tuple_windows_hold_arrivals_in_order() -> None:
    stream = {0: ["p"], 1: ["q"], 2: ["p"], 4: ["q", "p"]}
    assert answers("a :- q in [2 #].", stream, 4) == ["", "a", "a", "a", "a"]
    assert answers("a :- q in [1 #].", stream, 4) == ["", "a", "", "", ""]
    assert answers("a(T) :- p at T in [2 #].", stream, 4) == ["a(0)", "a(0)", "a(2)", "a(2)", "a(4)"]
    assert answers("a(N) :- p count N in [2 # p/0].", stream, 4) == ["a(1)", "a(1)", "a(2)", "a(2)", "a(2)"]
    assert answers("a :- p always in [3 #].", {0: ["p"], 1: ["p"]}, 2) == ["a", "a", ""]
    assert answers("a :- p always in [1 #].", {0: ["p"], 1: ["p"]}, 2) == ["a", "a", ""]


def test_tuple_windows_for_each_value_apart() -> None:
    stream = {0: ["t(a,1)"], 1: ["t(b,5)"], 2: ["t(b,6)"], 3: ["t(a,2)"]}
    program = "v(R,V) :- t(R,V) in [1 # by R]."
    assert answers(program, stream, 3) == ["v(a,1)", "v(a,1) v(b,5)", "v(a,1) v(b,6)", "v(a,2) v(b,6)"]


IN_SEVERAL_PLACES = (
    # program, the arguments of q at ticks 0, 1, ...; where the answer changes
    ("a(X) :- q(X,X) in [1 # by X].", ["b,b", "a,b", "b,a"], {0: "a(b)"}),
    ("a(X) :- q(X,X) in [1 # by X].", ["b,b", "a,a", "b,b"], {0: "a(b)", 1: "a(a) a(b)"}),
    ("a(X) :- q(X,X) at T in [2 # by X].", ["b,b", "a,b", "c,b", "b,b"], {0: "a(b)"}),
    ("a(X,T) :- q(X,X) at T in [2 # by X].", ["b,b", "b,a", "b,b", "b,b"],
     {0: "a(b,0)", 2: "a(b,0) a(b,2)", 3: "a(b,2) a(b,3)"}),
    ("a(Y) :- q(X,Y,X) in [2 # by X].", ["b,1,b", "b,2,c", "c,3,b", "b,4,b", "b,5,b"],
     {0: "a(1)", 3: "a(1) a(4)", 4: "a(4) a(5)"}),
    ("a(X,Y) :- q(X,Y,X,Y) in [1 # by X,Y].", ["b,1,b,1", "b,1,b,2", "b,2,b,1", "c,1,b,1"], {0: "a(b,1)"}),
    ("a(X) :- q(f(X),X) in [1 # by X].", ["f(b),b", "f(c),b", "g(b),b", "b,b", "f(b,b),b", "f(b),c"],
     {0: "a(b)"}),
    ("a(X) :- q(X,(1,h(X))) in [1 # by X].", ["b,(1,h(b))", "b,(1,h(c))", "b,(1,2)", "b,(2,h(b))"],
     {0: "a(b)", 3: ""}),
    # arithmetic is no place, and other terms than the variable make no group
    ("a(X) :- q(X,X+1) in [1 # by X].", ["1,2", "1,3", "2,3"], {0: "a(1)", 1: "", 2: "a(2)"}),
    ("a(X) :- q(b,X) in [1 # by X].", ["b,1", "b,2", "c,1"], {0: "a(1)", 1: "a(1) a(2)", 2: "a(2)"}),
    ("a(X) :- k(X), q(X,X) in [1 # by X]. k(b).", ["b,b", "c,c", "c,b"], {0: "a(b)"}),
    ("a(X) :- k(X), not q(X,X) in [1 # by X]. k(b). k(c).", ["b,b", "b,c", "c,b"], {0: "a(c)"}),
    ("a(X) :- k(X), q(X,X) always in [1 # by X]. k(b).", ["b,b", "b,c"], {0: "a(b)", 1: ""}),
    ("a(X) :- q(X,X) count 1 in [2 # by X].", ["b,b", "b,c", "c,b", "b,b"], {0: "a(b)", 3: ""}),
    ("a(N) :- N = #count { X : q(X,X) in [1 # by X] }.", ["b,b", "a,b", "c,c"], {0: "a(1)", 2: "a(2)"}),
)  # fmt: skip


@pytest.mark.parametrize(("program", "told", "expected"), IN_SEVERAL_PLACES)
def test_a_group_is_of_all_places_where_its_variable_stands(
    program: str, told: list[str], expected: Mapping[int, str]
) -> None:
    plan = compile_program(Source("groups.lars", f"{program} #show a/1. #show a/2."))
    for name in serving(plan):
        reasoner = Reasoner(plan, evaluator=name)
        records = ((tick, [f"q({arguments})"]) for tick, arguments in enumerate(told))
        found = {answer.tick: " ".join(answer.holds.texts) for answer in reasoner.run(records, emit=None)}
        assert found == expected, name


def test_within_a_record_what_begins_arrives_before_facts(tmp_path: Path) -> None:
    """From Python, JSON lines, and through the buffer for late records."""
    program = "a(X) :- p(X) in [2 #]."
    assert Reasoner.from_text(program).step(0, ["p(1)", "p(2)"], begin=["p(3)"]).holds.texts == (
        "a(1)",
        "a(2)",
    )
    (tmp_path / "in.jsonl").write_text('{"time": 0, "facts": ["p(1)", "p(2)"], "begin": ["p(3)"]}\n')
    (tmp_path / "a.lars").write_text(program)
    for options in ([], ["--lateness", "3"]):
        files = [f"{tmp_path}/a.lars", "--input", f"{tmp_path}/in.jsonl", "--output", f"{tmp_path}/out"]
        assert main(["run", *files, *options]) == 0
        assert (tmp_path / "out").read_text() == '{"time": 0, "atoms": ["a(1)", "a(2)"]}\n', options


def test_an_interval_is_one_arrival_and_covers_its_ticks() -> None:
    reasoner = Reasoner.from_text("a(T) :- p at T in [2 #]. b :- p always in [1 # p/0].")
    assert reasoner.step(0, begin=["p"]).holds.texts == ("b", "a(0)")
    assert reasoner.step(2, ["q"]).holds.texts == ("b", "a(0)", "a(1)", "a(2)")
    assert reasoner.step(3, end=["p"]).holds.texts == ("a(0)", "a(1)", "a(2)")
    assert reasoner.step(4, ["r"]).holds.texts == ()


# --- heads ----------------------------------------------------------------------------------------


#   tick      0    1    2    3    4
#   p              x                   d at 2 by the future log; e at 0 as seen at 1 and later
def test_heads_at_other_ticks() -> None:
    stream: dict[int, list[str]] = {0: [], 1: ["p"]}
    assert answers("d at @now+1 :- p.", stream, 3) == ["", "", "d", ""]
    assert answers("e at @now-1 :- p. f(T) :- e at T.", stream, 2) == ["", "f(0)", "f(0)"]
    assert answers("e at @now-1 :- p. f(T) :- e at T.", stream, 2, semantics="strict") == ["", "f(0)", ""]
    assert answers("d at @now+1 :- p.", stream, 3, semantics="strict") == ["", "", "", ""]
    assert answers("e at -1 :- p. f(T) :- e at T.", stream, 2) == ["", "", ""]
    assert answers("#temp e at @now-1 :- p. f(T) :- e at T.", stream, 2) == ["", "f(0)", ""]
    assert answers("p at T+2 :- q at T in [0]. a :- p always in [1].", {0: ["q"], 1: ["q"]}, 3) == [
        "",
        "",
        "p",
        "a p",
    ]


def test_the_past_that_heads_make_joins_the_intervals_that_there_are() -> None:
    program = "p at @now-2 :- fill. a(N) :- p count N in [4]. b :- p always in [4]. #show a/1. #show b/0."
    stream = {0: ["p"], 1: ["p"], 2: [], 3: ["p"], 4: ["fill", "p"]}
    assert answers(program, stream, 5) == ["b a(1)", "b a(2)", "a(2)", "a(3)", "b a(5)", "a(4)"]


def test_temporary_atoms_are_gone_at_the_next_tick() -> None:
    """Calimeri et al. 2021, section 3: a later window sees the input's c alone."""
    program = "#temp c(X) :- b(X). d(X) :- c(X) in [1]. #show d/1."
    stream: dict[int, list[str]] = {0: ["b(5)"], 1: ["c(7)"], 2: []}
    assert answers(program, stream, 3) == ["d(5)", "d(7)", "d(7)", ""]
    both = "#temp c :- b. c :- a. d :- c in {1}. #show d/0."
    assert answers(both, {0: ["b"], 1: ["a"], 2: ["a", "b"]}, 4) == ["", "", "d", "d", ""]


def test_choices_at_ticks_choose_nothing_that_holds_already() -> None:
    reasoner = Reasoner.from_text("{ p at T } :- q at T in [2]. #show p/0.", models=0)
    assert len(reasoner.step(0, ["q", "p"]).models) == 1
    reasoner = Reasoner.from_text("a at @now ; b at @now :- q.", models=0)
    assert len(reasoner.step(0, ["q"]).models) == 2
    assert len(reasoner.step(1, ["q", "a"]).models) == 1


# --- several answer streams -----------------------------------------------------------------------


def test_an_optimal_answer_stream_is_followed() -> None:
    program = "1 { a(1..3) } 1. #minimize { X : a(X) }. b(X) :- a(X) in {1}."
    assert answers(program, {0: []}, 1) == ["a(1)", "a(1) b(1)"]
    reasoner = Reasoner.from_text("1 { a(1..3) } 1. :~ a(3). [1]", models=0)
    assert {model.texts[0] for model in reasoner.step(0).models} == {"a(1)", "a(2)"}


def test_consequences_over_all_answer_streams() -> None:
    program = "1 { a ; b } 1. c :- a. c :- b."
    assert answers(program, {0: []}, 1, consequences="brave") == ["a b c", "a b c"]
    assert answers(program, {0: []}, 1, consequences="cautious") == ["c", "c"]
    assert answers(f"{program} :- c.", {0: []}, 0, consequences="cautious") == ["none"]
    optimal = "1 { a(1..3) } 1. :~ a(3). [1] b :- a(1). b :- a(2)."
    assert answers(optimal, {0: []}, 0, consequences="cautious") == ["b"]
    assert answers(optimal, {0: []}, 0, consequences="brave") == ["b a(1) a(2)"]


@pytest.mark.parametrize("evaluator", ["oneshot", "external"])
def test_nothing_is_solved_while_nothing_changes(evaluator: str) -> None:
    """So the chosen answer stays."""
    program = "1 { a(1..100) } 1 :- p in [50]."
    reasoner = Reasoner.from_text(program, evaluator=evaluator, stats=True)
    first = reasoner.step(0, ["p"])
    before = solvings(reasoner)  # another one, where p in the input of its own tick is looked at, at tick 1
    assert all(reasoner.step(tick).holds.symbols == first.holds.symbols for tick in range(1, 50))
    assert solvings(reasoner) - before <= 1
    assert before > 0


def solvings(reasoner: Reasoner) -> int:
    """How often clingo has solved."""
    costs = [component.cost for component in reasoner.statistics.components]
    return sum(cost.solvings for cost in costs if cost is not None)


def test_strict_output_of_choices_is_what_rules_derive() -> None:
    program = "{ a(X) : e(X) } :- p. b ; c :- p, q."
    reasoner = Reasoner.from_text(program, semantics="strict", models=0)
    assert [model.texts for model in reasoner.step(0, ["a(1)", "b"]).models] == [()]
    found = {" ".join(model.texts) for model in reasoner.step(1, ["p", "q", "e(1)", "a(1)"]).models}
    assert found == {"b a(1)", "c a(1)"}


def test_a_tick_at_which_nothing_is_weighed_follows_the_first_answer_stream() -> None:
    """Not the last of four million."""
    program = "{ a(1..22) }. #minimize { 1,X : p(X) }. #minimize { X : a(X), p(X) }."
    assert Reasoner.from_text(program).step(0, ["q"]).satisfiable
    assert answers("{ a }. #heuristic a. [1,true] #minimize { 1 : p }.", {0: ["q"]}, 0) == ["a"]


def test_contradictions_of_the_past_are_settled() -> None:
    """An atom and its contrary exclude each other at the current tick alone."""
    program = "{ p at @now-1 } :- z. { -p at @now-1 } :- y. k :- q. #show k/0."
    assert answers(program, {0: ["p", "-p"], 1: ["q"], 2: ["q"]}, 2) == ["none", "k", "k"]


def test_windows_see_externals_at_the_current_tick() -> None:
    program = "#external o. [true] a :- o. b :- o in [0]. c(T) :- o at T in [1]. d :- not o in [3]."
    assert answers(program, {0: ["q"], 1: ["q"]}, 1) == ["a b c(0)", "a b c(1)"]
    assert (
        answers("#external e. [true] e :- q. a :- e.", {0: ["q"], 1: [], 2: []}, 2) == ["a e"] + ["a e"] * 2
    )


def test_what_is_begun_and_ended_at_a_tick_has_not_arrived() -> None:
    reasoner = Reasoner.from_text("a(X) :- p(X) in [1 #].")
    one, other = ["p(1)"], ["p(2)"]
    told = [events(begin=one), events(other), events(end=one), events(one)]
    [answer] = reasoner.run([Record(0, each) for each in told], emit="every")
    assert answer.holds.texts == ("a(1)",)


def test_choices_at_known_ticks_remember_no_more_than_these() -> None:
    reasoner = Reasoner.from_text("{ p(X) at @now-1 } :- q(X). :- q(X), not p(X) at @now-1.")
    for tick in range(600):
        assert reasoner.step(tick, [f"q({tick})"]).satisfiable is (tick > 0)
    assert reasoner.statistics.intervals < 600


# --- the anonymous variable under classical negation ------------------------------------------------------

PROJECTED = (
    "a(X) :- q(X), not P(X,_).",
    "a(X) :- q(X), not not P(X,_).",
    "a :- not P(1,_). b :- not P(_,_). c :- not P(_,2).",
    "a(X) :- q(X), not P(X,(_,1)). b(X) :- q(X), not P(X,f(_)).",
    "a(X) :- q(X), not q(Y) : not P(X,_), q(Y), X != Y.",
    "a(X) :- q(X), not P(Y,_) : q(Y), Y < X.",
    "a(N) :- N = #count { X : q(X), not P(X,_) }.",
    "a(X) :- q(X), not P((X;1),_).",
    "a(X) :- q(X), not P(X;2,_). P(0,0) :- q(1). #show a/1.",
    "{ a(X) : q(X), not P(X,_) } = 1 :- q(1). #maximize { X,a : a(X) }.",
    "a :- q(1). :- q(X), not P(X,_), not q(3).",
    "{ a }. :~ a, q(X), not P(X,_). [X,X] :~ not a. [2]",
    "a(X) :- b(X). #external b(X) : q(X), not P(X,_). [true]",
    "a :- 1 { not P(X,_) : q(X) } 1.",
    "not P(X,_) :- q(X), q(3).",
    "P(X,1) :- q(X), not P(X,_) in {1}. a(X) :- q(X), not P(X,_). #show a/1.",
    "#temp P(X,1) :- q(X), X > 1. a(X) :- q(X), not P(X,_), not b(X). b(X) :- q(X), not a(X), X > 2.",
    "P(X,1) :- q(X), not b(X). b(X) :- q(X), not P(X,_), X > 1. #maximize { 1,X : b(X) }. #show b/1.",
    "#show a(X) : q(X), not P(X,_).",
)


@pytest.mark.parametrize("program", PROJECTED)
@pytest.mark.parametrize("semantics", list(Semantics))
def test_any_value_is_meant_under_classical_negation_as_well(program: str, semantics: Semantics) -> None:
    """As where another predicate stands for -p."""
    told = ("q(1) P(1,2)", "q(1) q(2) P(2,(3,1))", "q(1) q(2) q(3) P(2,f(1)) P(3,2)", "q(2)", "P(1,1)", "")
    overrides = Overrides(semantics=semantics)
    plans = [
        compile_program(Source("p.lars", program.replace("P(", name)), overrides=overrides)
        for name in ("n(", "-p(")
    ]
    assert serving(plans[1])
    expected = None
    for plan, name in zip(plans, ("n(", "-p("), strict=True):
        for evaluator in serving(plan):
            reasoner = Reasoner(plan, evaluator=evaluator, models=0)
            stream = ((tick, atoms.replace("P(", name).split()) for tick, atoms in enumerate(told))
            found = [
                {tuple(sorted(atom.replace("-p(", "n(") for atom in model.texts)) for model in answer.models}
                for answer in reasoner.run(stream, emit="every")
            ]
            expected = found if expected is None else expected
            assert found == expected, (name, evaluator)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        # told 0: p -p q, 1: p q, 2: -p, 3: p r
        ("a :- q, p.", ["a", "a", "", ""]),
        ("a :- q. p :- r. #show a/0.", ["a", "a", "", ""]),
        ("a :- q in [2 # -p/0].", ["", "", "", ""]),
        ("a :- -p.", ["none", "", "a", ""]),
        ("a :- -p in [1].", ["none", "a", "a", "a"]),
        ("a :- q, not -p.", ["none", "a", "", ""]),
        ("a :- -p in {1}, p.", ["none", "a", "", "a"]),
        ("a :- q. -p :- r. #show a/0.", ["none", "a", "", "none"]),
        ("a :- q. #temp -p :- r. #show a/0.", ["none", "a", "", "none"]),
        ("a :- q. -p at @now-1 :- r. #show a/0.", ["none", "a", "", ""]),
        ("a :- q. -p.", ["none", "none", "", "none"]),
        ("a :- q, -p in [2]. -p. p :- r. #show a/0.", ["none", "none", "", "none"]),
        ("a :- q. p. #defined -p/0.", ["none", "a", "none", ""]),
        ("a :- q. #defined -p/0.", ["none", "a", "", ""]),
        ("a :- q. #show a/0. #show -p/0.", ["none", "a", "-p", ""]),
    ],
)
@pytest.mark.parametrize("semantics", list(Semantics))
def test_contraries_exclude_each_other_where_the_program_has_the_negative_one(
    program: str, expected: list[str], semantics: Semantics
) -> None:
    told = ("p -p q", "p q", "-p", "p r")
    plan = compile_program(Source("p.lars", program), overrides=Overrides(semantics=semantics))
    for name in serving(plan):
        stream = ((tick, atoms.split()) for tick, atoms in enumerate(told))
        found = Reasoner(plan, evaluator=name).run(stream, emit="every")
        assert [" ".join(each.holds.texts) if each.satisfiable else "none" for each in found] == expected, (
            name
        )
