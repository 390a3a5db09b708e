"""How programs are split: groups, keys, levels, and the reasons why not."""

import pickle
from pathlib import Path

import pytest

from lars2asp.__main__ import main
from lars2asp.analysis.predicates import derived_predicates
from lars2asp.compiler import checked_program, compile_part
from lars2asp.splitting.parts import Part, Split
from lars2asp.splitting.split import split
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source

EXAMPLES = Path(__file__).parents[2] / "examples"


def found(program: str, *, by_key: bool = True, pipelined: bool = False) -> Split:
    checked = checked_program(Source("p.lars", program))
    return split(checked.program, checked.semantics, by_key=by_key, pipelined=pipelined)


def told(part: Part) -> str:
    """A part in a line: what it derives, by which keys, from what it is told and hears."""

    def names(signatures: object) -> str:
        assert isinstance(signatures, frozenset)
        return " ".join(
            f"{s.name}{'' if s not in part.keys else part.keys[s] + 1}" for s in sorted(signatures)
        )

    heads = frozenset(derived_predicates(part.program))
    reads = "everything" if part.reads_all else names(part.reads - heads)
    heard = f" and {names(part.listens)}" if part.listens else ""
    return f"{names(heads)} from {reads}{heard}"


def parts(program: str, *, pipelined: bool = False) -> list[str]:
    return [told(part) for part in found(program, pipelined=pipelined).parts]


def reasons(program: str) -> list[str]:
    return [str(remark) for remark in found(program).remarks if " meets " not in str(remark)]


# --- groups and keys ------------------------------------------------------------------------------


def test_the_flights_are_split_by_airport_and_by_aircraft() -> None:
    checked = checked_program(*read_sources([EXAMPLES / "flights" / "flights.lars"]))
    for pipelined in (False, True):
        flights = split(checked.program, checked.semantics, pipelined=pipelined)
        assert list(map(told, flights.parts)) == [
            "disrupted1 left_late1 recovering1 from airport1 left1",
            "stormy1 windy1 from wind1",
            "inherited2 from landed1 left3",
        ]
        assert flights.levels == 1
        assert [str(s) for s in flights.duplicated] == ["left/4"]


def test_what_shares_no_derived_predicate_is_apart_even_if_it_shares_input() -> None:
    program = "a(X) :- p(X,Y), q(Y). b(X) :- p(_,X), not q(X). c(X) :- a(X), s(X)."
    assert parts(program) == ["a1 c1 from p1 q s1", "b1 from p2 q1"]
    assert [str(s) for s in found(program).duplicated] == ["p/2", "q/1"]
    assert [sorted(part.outputs) for part in found(program, by_key=False).parts] == [
        [("a", 1, True), ("c", 1, True)],
        [("b", 1, True)],
    ]


def test_the_input_dependency_graph_is_remarked() -> None:
    """StreamRule's traffic program, with the predicates of Pham, Ali, Mileo 2019."""
    program = """
        very_slow_speed(X) :- average_speed(X,Y), Y < 20.
        many_cars(X)       :- car_number(X,Y), Y > 40.
        traffic_jam(X)     :- very_slow_speed(X), many_cars(X), not traffic_light(X).
        car_fire(X)        :- car_in_smoke(C,high), car_speed(C,0), car_location(C,X).
        give_notification(X) :- traffic_jam(X).
    """
    remarks = [str(remark) for remark in found(program).remarks]
    assert "p.lars:4: average_speed/2 meets car_number/2" in remarks
    assert "connected by that: average_speed/2, car_number/2, traffic_light/1" in remarks
    assert "connected by that: car_in_smoke/2, car_location/2, car_speed/2" in remarks
    assert parts(program) == [
        "give_notification1 many_cars1 traffic_jam1 very_slow_speed1"
        " from average_speed1 car_number1 traffic_light1",
        "car_fire1 from car_in_smoke car_location2 car_speed",
    ]


def test_a_chain_has_no_key() -> None:
    program = "q(A,C) :- p(A,B) in [80], p(B,C) in [80]."
    assert found(program).is_whole
    assert reasons(program) == [
        "p.lars:1: part 0: q/2 joins p/2 and p/2 on B, which is not an argument of the head"
    ]


def test_a_key_is_in_the_head_and_in_all_that_has_one() -> None:
    assert parts("q(X) :- p(X,Y), r(Y).") == ["q1 from p1 r"]
    assert parts("q(X,Y) :- p(X,Y), r(Y).") == ["q2 from p2 r1"]
    assert parts("q(X) :- p(X), not r(X) in [3], s(_,X) always in [2].") == ["q1 from p1 r1 s2"]
    assert parts("q(X) :- p(X), not r(_).") == ["q1 from p1 r"]
    assert parts("q(X) at @now+2 :- p(X). s(X) :- q(X) in [3].") == ["q1 s1 from p1"]
    assert parts("q(X,N) :- p(X), N = #count { Y : e(X,Y) in [3] }.") == ["q1 from e1 p1"]
    assert parts("q(N) :- N = #count { X : p(X) }.") == ["q from p"]
    assert parts("q(X) :- p(X); s(X) : r(X,_).") == ["q1 from p1 r1 s1"]
    assert parts("q(X) :- p(X), s(V) : r(X,V).") == ["q1 from p1 r1 s"]
    assert parts("q(X+1) :- p(X).") == ["q from p"]
    assert parts("q(f(X)) :- p(f(X)).") == ["q1 from p1"]
    assert parts("q(1) :- p(1), r(X).") == ["q1 from p1 r"]
    assert parts("q(1..3) :- p(1).") == ["q from p"]


def test_recursion_keeps_its_key() -> None:
    assert parts("q(X,Y) :- e(X,Y). q(X,Z) :- q(X,Y), e(Y,Z).") == ["q from e"]
    assert parts("on(X) :- begin(X). on(X) :- on(X) in {1}, not end(X).") == ["on1 from begin1 end1"]


def test_background_data_is_everywhere_and_makes_no_key() -> None:
    assert parts("q(X) :- k(X), p(Y). k(1). k(2).") == ["q from k p"]
    assert parts("q(X) :- k(X), p(X). k(1). k(2).") == ["q1 from k1 p1"]
    assert parts("#input k(a). q(X) :- k(X), p(Y). k(1).") == ["q1 from k1 p"]


def test_tuple_windows_have_a_key_by_their_group() -> None:
    assert parts("q(X) :- p(X) in [5 # by X].") == ["q1 from p1"]
    assert parts("q(X) :- p(X,Y) in [5 # by X,Y].") == ["q1 from p1"]
    assert parts("q(X) :- p(X,Y) in [5 # by Y], r(X).") == ["q1 from p r1"]
    assert parts("q(X) :- p(X,X) in [5 # by X].") == ["q1 from p1"]
    assert parts("q(X) :- p(Y,X,X) in [5 # by X], s(Y,X).") == ["q1 from p2 s2"]
    assert parts("q(X) :- p(f(X),X) in [5 # by X].") == ["q1 from p2"]
    assert parts("q(X) :- p(Y,X,X) in [5 # by X], p(Y,Z,X).") == ["q1 from p3"]
    assert parts("q(X) :- p(X) in [5 # p/1], r(X).") == ["q1 from p r1"]
    assert parts("q(X) :- p(X) in [5 #], r(X). s(X) :- r(X).") == ["s1 from r1", "q from everything"]
    assert (
        "p.lars:1: part 0: p/1 is in a group with a window of the last arrivals of the whole input"
        in reasons("q(X) :- p(X) in [5 #].")
    )


def test_a_group_without_key_is_cut_where_what_nothing_looks_at_has_one() -> None:
    program = """
        late(A,F) :- left(A,F).
        many(A)   :- #count { F : late(A,F) in [12] } > 3, left(A,_).
        again(F)  :- late(A,F), late(B,F) in [100], A != B.
        total(N)  :- N = #count { A,F : late(A,F) in [12] }.
    """
    assert parts(program) == [
        "late1 many1 from left1",
        "again1 late2 from left2",
        "late total from left",
    ]
    assert [sorted(s.name for s in part.outputs) for part in found(program).parts] == [
        ["late", "many"],
        ["again"],
        ["total"],
    ]


def test_what_is_shown_has_a_home() -> None:
    program = "#show p/1. #show q/1. #show z/2. #show n/0. q(X) :- p(X). r(X) :- p(X)."
    assert parts(program) == ["q1 from p1", " from z1", " from n"]
    assert "p.lars:1: nothing that is shown depends on this rule" in reasons(program)
    assert found("#show. q(X) :- p(X).").is_whole


# --- levels ---------------------------------------------------------------------------------------


def test_a_level_more_where_the_key_changes() -> None:
    program = "d(X,Y) :- e(X,Y) in [5], p(X). b(Y) :- d(_,Y) in [9], p(Y). c :- b(_)."
    assert parts(program, pipelined=True) == ["d1 from e1 p1", "b1 from p1 and d2", "c from  and b"]


def test_no_level_more_where_nothing_is_gained() -> None:
    program = "a(X) :- p(X). b(X) :- a(X) in [3]. c(X) :- b(X), not a(X). d(X) :- a(X) in [5]."
    assert parts(program, pipelined=True) == ["a1 b1 c1 d1 from p1"]
    without = found(program.replace("d(X)", "d(X,X)"), by_key=False, pipelined=True)
    assert [sorted(s.name for s in part.hands_on) for part in without.parts] == [["a"], [], []]
    assert [part.level for part in without.parts] == [0, 1, 1]


@pytest.mark.parametrize(
    "lower",
    [
        "#temp d(X,Y) :- e(X,Y), p(X). b(Y) :- d(_,Y) in [3].",
        "d(X,Y) at @now-1 :- e(X,Y), p(X). b(Y) :- d(_,Y) in [3].",
        "d(X,Y) :- e(X,Y), p(X). b(Y) :- d(_,Y) in [3 # d/2].",
        "d(X,Y) :- e(X,Y), p(X). b(Y) :- d(_,Y), p(_) in [3 #].",
        "d(X,Y) :- e(X,Y), p(X). b(Y) :- d(_,Y) in [3]. #semantics strict.",
    ],
)
def test_what_intervals_do_not_say_is_not_handed_on(lower: str) -> None:
    assert all(not part.listens for part in found(lower, pipelined=True).parts)


def test_what_is_handed_on_may_be_temporary_or_placed_if_it_is_looked_at_now() -> None:
    for head in ("#temp d(X,Y)", "d(X,Y) at @now+1"):
        assert parts(f"{head} :- e(X,Y), p(X). b(Y) :- d(_,Y), p(Y).", pipelined=True) == [
            "d1 from e1 p1",
            "b1 from p1 and d2",
        ]


# --- programs that stay whole ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("{ a(X) } :- p(X).", "the head leaves a choice"),
        ("a(X) ; b(X) :- p(X).", "the head leaves a choice"),
        ("a(X) :- p(X). :- a(1).", "a constraint leaves a tick without answer stream for all parts"),
        ("a(X) :- p(X). :~ a(X). [X]", "the program optimizes: answer streams are compared as wholes"),
        ("a(X) :- p(X). #show X : a(X).", "terms are shown that may come together from any part"),
        ("a(X) :- p(X), not b(X). b(X) :- p(X), not a(X).", "a/1 excludes b/1, which depends on it"),
        ("-a(X) :- p(X).", "-a/1 and a/1 exclude each other: a tick may have no answer stream"),
        ("a(X) :- p(X). #external b(X) : p(X).", "#external leaves atoms open"),
    ],
)
def test_programs_that_may_have_several_answer_streams_are_whole(program: str, why: str) -> None:
    for pipelined in (False, True):
        whole = found(program, pipelined=pipelined)
        assert whole.is_whole
        assert whole.parts[0].reads_all
        assert f"p.lars:1: {why}" in map(str, whole.remarks)


# --- parts ----------------------------------------------------------------------------------------


def test_a_part_shows_what_it_gives_and_hands_on() -> None:
    program = "d(X,Y) :- e(X,Y), p(X), k(X). b(Y) :- d(_,Y), p(Y). k(1). j(2). d(7,7). #show b/1."
    lower, upper = found(program, pipelined=True).parts
    texts = [[to_text(s) for s in part.program.statements] for part in (lower, upper)]
    assert texts == [
        ["d(X,Y) :- e(X,Y), p(X), k(X).", "k(1).", "d(7,7).", "#show d/2."],
        ["b(Y) :- d(_,Y), p(Y).", "#show b/1."],
    ]


def test_strict_programs_without_show_leave_out_what_only_the_input_tells() -> None:
    program = "#semantics strict. d(X) :- e(X). b(X) :- p(X)."
    assert ["#show" in "".join(map(to_text, part.program.statements)) for part in found(program).parts] == [
        False,
        False,
    ]


def test_a_split_can_be_sent() -> None:
    made = found("d(X,Y) :- e(X,Y), p(X). b(Y) :- d(_,Y), p(Y).", pipelined=True)
    sent = pickle.loads(pickle.dumps(made))
    checked = checked_program(Source("p.lars", ""))
    for one, other in zip(made.parts, sent.parts, strict=True):
        assert one == other
        plans = [compile_part(part, checked.semantics) for part in (one, other)]
        assert plans[0].whole.program.text == plans[1].whole.program.text


def test_the_search_for_keys_ends() -> None:
    rules = [f"h{i}(X,Y,Z) :- p{i}(X,Y,Z), p{i}(Y,X,Z), g(X,Y,Z,_)." for i in range(60)]
    joined = ", ".join(f"h{i}(A{i},B{i},C{i})" for i in range(60))
    assert found("\n".join([*rules, f"all(A0) :- {joined}."])).parts
    chain = [f"c{i + 1}(X) :- c{i}(X) in [3], q{i}(X)." for i in range(250)]
    assert parts("\n".join(chain), pipelined=True)[0].count("q") == 250


# --- the command ----------------------------------------------------------------------------------


def test_the_split_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.lars"
    program.write_text("d(X,Y) :- e(X,Y), p(X).\nb(Y) :- d(_,Y), p(Y), not r(_).\n")
    assert main(["compile", str(program), "--split=pipelined"]) == 0
    assert (
        capsys.readouterr().out.replace(f"{tmp_path}/", "")
        == """\
2 parts in 2 levels

part 0
  derives d/2 by its 1st argument
  rules: p.lars:1
  reads e/2 by its 1st argument, p/1 by its 1st argument
  gives d/2
  hands on d/2
  in buckets of keys

part 1
  level 1
  derives b/1 by its 1st argument
  rules: p.lars:2
  reads p/1 by its 1st argument, r/1 in every bucket
  listens to d/2 by its 2nd argument
  gives b/1
  in buckets of keys

read by several parts: p/1 by parts 0 and 1

p.lars:1: e/2 meets p/1
p.lars:2: e/2 meets r/1
p.lars:2: p/1 meets r/1
connected by that: e/2, p/1, r/1
p.lars:2: part 1: r/1 has no variable of the head b/1 as its 1st argument
"""
    )
    assert main(["compile", str(program), "--split"]) == 0
    assert "1 part in 1 level" in capsys.readouterr().out
