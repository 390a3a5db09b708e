"""Rules that stay together: groups, and levels of groups."""

import pytest

from tests.support.splits import described_parts, split_of


def test_what_shares_no_derived_predicate_is_apart_even_if_it_shares_input() -> None:
    program = "a(X) :- p(X,Y), q(Y). b(X) :- p(_,X), not q(X). c(X) :- a(X), s(X)."
    assert described_parts(program) == ["a1 c1 from p1 q s1", "b1 from p2 q1"]
    assert [str(s) for s in split_of(program).duplicated] == ["p/2", "q/1"]
    assert [sorted(part.outputs) for part in split_of(program, by_key=False).parts] == [
        [("a", 1, True), ("c", 1, True)],
        [("b", 1, True)],
    ]


def test_a_group_without_key_is_cut_where_what_nothing_looks_at_has_one() -> None:
    program = """
        late(A,F) :- left(A,F).
        many(A)   :- #count { F : late(A,F) in [12] } > 3, left(A,_).
        again(F)  :- late(A,F), late(B,F) in [100], A != B.
        total(N)  :- N = #count { A,F : late(A,F) in [12] }.
    """
    assert described_parts(program) == [
        "late1 many1 from left1",
        "again1 late2 from left2",
        "late total from left",
    ]
    assert [sorted(s.name for s in part.outputs) for part in split_of(program).parts] == [
        ["late", "many"],
        ["again"],
        ["total"],
    ]


def test_groups_with_the_same_keys_over_the_same_input_are_one_part() -> None:
    program = "a(X) :- p(X,Y), q(X). b(X,N) :- p(X,_), N = #count { Y : p(X,Y) in [5] }."
    assert described_parts(program) == ["a1 b1 from p1 q1"]
    assert described_parts("a(X,Y) :- p(X,Y). b(Y) :- p(_,Y), q(Y).") == ["a2 b1 from p2 q1"]
    assert described_parts("a(X) :- p(X), r(_). b(X) :- q(X), r(_).") == ["a1 b1 from p1 q1 r"]
    apart = "a(X) :- p(X,Y), q(X). b(Y) :- p(_,Y), q(Y)."
    assert described_parts(apart) == ["a1 from p1 q1", "b1 from p2 q1"]
    assert described_parts("a(X) :- p(X), k(X). b(X) :- q(X), k(X). k(1).") == [
        "a1 from k1 p1",
        "b1 from k1 q1",
    ]
    assert len(split_of(program, by_key=False).parts) == 2
    side_by_side = "d(X,Y) :- e(X,Y), p(X). a(Y) :- d(_,Y), q(Y). b(Y) :- d(_,Y), p(Y)."
    assert described_parts(side_by_side, pipelined=True) == ["d1 from e1 p1", "a1 b1 from p1 q1 and d2"]


def test_a_level_more_where_the_key_changes() -> None:
    program = "d(X,Y) :- e(X,Y) in [5], p(X). b(Y) :- d(_,Y) in [9], p(Y). c :- b(_)."
    assert described_parts(program, pipelined=True) == ["d1 from e1 p1", "b1 from p1 and d2", "c from  and b"]


def test_no_level_more_where_nothing_is_gained() -> None:
    program = "a(X) :- p(X). b(X) :- a(X) in [3]. c(X) :- b(X), not a(X). d(X) :- a(X) in [5]."
    assert described_parts(program, pipelined=True) == ["a1 b1 c1 d1 from p1"]
    without = split_of(program.replace("d(X)", "d(X,X)"), by_key=False, pipelined=True)
    assert [sorted(s.name for s in part.hands_on) for part in without.parts] == [["a"], [], []]
    assert [part.level for part in without.parts] == [0, 1, 1]


def test_what_is_told_the_whole_input_listens_to_nothing() -> None:
    program = "b(Y) :- p(Y) in [2 #]. c :- a(X), p(X,1), b(_). #temp a(Y) :- p(Y)."
    parts = split_of(program, pipelined=True).parts
    found = [(part.reads_all, bool(part.listens)) for part in parts]
    assert found == [(False, False), (True, False), (False, True)]


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
    assert all(not part.listens for part in split_of(lower, pipelined=True).parts)


def test_what_is_handed_on_may_be_temporary_or_placed_if_it_is_looked_at_now() -> None:
    for head in ("#temp d(X,Y)", "d(X,Y) at @now+1"):
        assert described_parts(f"{head} :- e(X,Y), p(X). b(Y) :- d(_,Y), p(Y).", pipelined=True) == [
            "d1 from e1 p1",
            "b1 from p1 and d2",
        ]
