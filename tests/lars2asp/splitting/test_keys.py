"""Keys of predicates, and the reasons why there are none."""

from tests.support.splits import described_parts, reasons, split_of


def test_a_chain_has_no_key() -> None:
    program = "q(A,C) :- p(A,B) in [80], p(B,C) in [80]."
    assert split_of(program).is_whole
    assert reasons(program) == [
        "p.lars:1: part 0: q/2 joins p/2 and p/2 on B, which is not an argument of the head"
    ]


def test_a_key_is_in_the_head_and_in_all_that_has_one() -> None:
    assert described_parts("q(X) :- p(X,Y), r(Y).") == ["q1 from p1 r"]
    assert described_parts("q(X,Y) :- p(X,Y), r(Y).") == ["q2 from p2 r1"]
    assert described_parts("q(X) :- p(X), not r(X) in [3], s(_,X) always in [2].") == ["q1 from p1 r1 s2"]
    assert described_parts("q(X) :- p(X), not r(_).") == ["q1 from p1 r"]
    assert described_parts("q(X) at @now+2 :- p(X). s(X) :- q(X) in [3].") == ["q1 s1 from p1"]
    assert described_parts("q(X,N) :- p(X), N = #count { Y : e(X,Y) in [3] }.") == ["q1 from e1 p1"]
    assert described_parts("q(N) :- N = #count { X : p(X) }.") == ["q from p"]
    assert described_parts("q(X) :- p(X); s(X) : r(X,_).") == ["q1 from p1 r1 s1"]
    assert described_parts("q(X) :- p(X), s(V) : r(X,V).") == ["q1 from p1 r1 s"]
    assert described_parts("q(X+1) :- p(X).") == ["q from p"]
    assert described_parts("q(f(X)) :- p(f(X)).") == ["q1 from p1"]
    assert described_parts("q(1) :- p(1), r(X).") == ["q1 from p1 r"]
    assert described_parts("q(1..3) :- p(1).") == ["q from p"]


def test_recursion_keeps_its_key() -> None:
    assert described_parts("q(X,Y) :- e(X,Y). q(X,Z) :- q(X,Y), e(Y,Z).") == ["q from e"]
    assert described_parts("on(X) :- begin(X). on(X) :- on(X) in {1}, not end(X).") == [
        "on1 from begin1 end1"
    ]


def test_background_data_is_everywhere_and_makes_no_key() -> None:
    assert described_parts("q(X) :- k(X), p(Y). k(1). k(2).") == ["q from k p"]
    assert described_parts("q(X) :- k(X), p(X). k(1). k(2).") == ["q1 from k1 p1"]
    assert described_parts("#input k(a). q(X) :- k(X), p(Y). k(1).") == ["q1 from k1 p"]


def test_tuple_windows_have_a_key_by_their_group() -> None:
    assert described_parts("q(X) :- p(X) in [5 # by X].") == ["q1 from p1"]
    assert described_parts("q(X) :- p(X,Y) in [5 # by X,Y].") == ["q1 from p1"]
    assert described_parts("q(X) :- p(X,Y) in [5 # by Y], r(X).") == ["q1 from p r1"]
    assert described_parts("q(X) :- p(X,X) in [5 # by X].") == ["q1 from p1"]
    assert described_parts("q(X) :- p(Y,X,X) in [5 # by X], s(Y,X).") == ["q1 from p2 s2"]
    assert described_parts("q(X) :- p(f(X),X) in [5 # by X].") == ["q1 from p2"]
    assert described_parts("q(X) :- p(Y,X,X) in [5 # by X], p(Y,Z,X).") == ["q1 from p3"]
    assert described_parts("q(X) :- p(X) in [5 # p/1], r(X).") == ["q1 from p r1"]
    assert described_parts("q(X) :- p(X) in [5 #], r(X). s(X) :- r(X).") == [
        "s1 from r1",
        "q from everything",
    ]
    assert (
        "p.lars:1: part 0: p/1 is in a group with a window of the last arrivals of the whole input"
        in reasons("q(X) :- p(X) in [5 #].")
    )


def test_the_search_for_keys_ends() -> None:
    rules = [f"h{i}(X,Y,Z) :- p{i}(X,Y,Z), p{i}(Y,X,Z), g(X,Y,Z,_)." for i in range(60)]
    joined = ", ".join(f"h{i}(A{i},B{i},C{i})" for i in range(60))
    assert split_of("\n".join([*rules, f"all(A0) :- {joined}."])).parts
    chain = [f"c{i + 1}(X) :- c{i}(X) in [3], q{i}(X)." for i in range(250)]
    assert described_parts("\n".join(chain), pipelined=True)[0].count("q") == 250


TABLE = "region(s1,n). region(s2,n). region(s2,-1). #input reading(constant(s),t)."


def test_keys_lead_through_tables() -> None:
    """`reading/2` by what the second argument of `region/2` is where the first is its own first."""
    bad = "bad(R) :- reading(S,T), region(S,R)."
    assert described_parts(f"{bad} {TABLE}") == ["bad1 from reading1>region12 region2"]
    assert described_parts(f"bad(S,R) :- reading(S,T), region(S,R). {TABLE}") == [
        "bad1 from reading1 region1"
    ]
    assert described_parts(f"b(C) :- reading(S,T), region(S,R), land(R,C). land(n,x). {TABLE}") == [
        "b1 from land2 reading1>region12>land12 region"
    ]
    hot = "hot(S) :- reading(S,T), T > 3. worse(S) :- hot(S) in [5], not off(S)."
    assert described_parts(f"{hot} bad(R) :- hot(S), region(S,R). {TABLE}") == [
        "bad1 hot1>region12 worse1>region12 from off1>region12 reading1>region12 region2"
    ]
    count = "n(R,N) :- region(_,R), N = #count { S : reading(S,_) in [5], region(S,R) }."
    assert described_parts(f"{count} {TABLE}") == ["n1 from reading1>region12 region2"]
    assert described_parts(f"a(R) :- q(R); p(S) : reading(S,_), region(S,R). {TABLE}") == [
        "a1 from p1>region12 q1 reading1>region12 region2"
    ]


def test_keys_without_tables_come_first() -> None:
    program = f"a(S) :- reading(S,_), q(S). b(R) :- reading(S,_), region(S,R). {TABLE}"
    assert described_parts(program) == ["a1 from q1 reading1", "b1 from reading1>region12 region2"]


def test_keys_lead_only_through_what_is_known_and_needed() -> None:
    bad = "bad(R) :- reading(S,T), region(S,R)."
    why = "p.lars:1: part 0: bad/1 joins reading/2 and region/2 on S, which is not an argument of the head"
    not_needed = "bad(R) :- reading(S,T), not region(S,R), q(R)."
    assert described_parts(f"{not_needed} {TABLE}")[0].startswith("bad1 from q1 reading region")
    declared = f"{bad} #input region(s,r). {TABLE}"
    assert f"{why} (region/2 is not a table: it is declared with #input)" in reasons(declared)
    built = f"{bad} region(1..3,n)."
    assert f"{why} (region/2 is not a table: not all of its facts are written out)" in reasons(built)
    derived = f"{bad} region(S,R) :- near(S,R). {TABLE}"
    assert f"{why} (region/2 is not a table: rules derive it)" in reasons(derived)
    windowed = f"bad(R) :- reading(S,T), region(S,R) in [3]. {TABLE}"
    assert why in reasons(windowed)
