"""A program in, its encoding out."""

from textwrap import dedent

import pytest

from experiments.ticker.encoding import encode
from lars2asp.compiler import Overrides, checked_program
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source


def text_of(program: str, semantics: Semantics = Semantics.STRICT) -> str:
    """The encoding of a program."""
    source = Source("program.lars", program)
    return encode(checked_program(source, overrides=Overrides(semantics=semantics))).text


EXAMPLES = {
    "a plain atom": (
        "q(X) :- p(X).",
        """\
        q(X) :- p(X).
        p(X1) :- now(N), p_at(X1,N).
        p_at(X1,T) :- T = @ticks("p/1"), (X1,) = @atoms("p/1",T).
        """,
    ),
    "a diamond": (
        "q(X) :- p(X,Y) in [20].",
        """\
        q(X) :- w_in_20_p(X,Y).
        w_in_20_p(X1,X2) :- now(N), start(S), p_at(X1,X2,T), N-20 <= T, T <= N, S <= T.
        p_at(X1,X2,T) :- T = @ticks("p/2"), (X1,X2) = @atoms("p/2",T).
        """,
    ),
    "a box, negated": (
        "q :- not p(1) always in [2].",
        """\
        q :- not w_always_2_p(1).
        w_always_2_p(1) :- now(N), p_at(1,N), not spoil_always_2_p(1).
        spoil_always_2_p(1) :- now(N), start(S), p_at(1,N), T = N-2..N-1, S <= T, not p_at(1,T).
        p_at(X1,T) :- T = @ticks("p/1"), (X1,) = @atoms("p/1",T).
        """,
    ),
    "at, over a window and over all": (
        "q(T,U) :- p at T in [3], r at U, U < @now.",
        """\
        q(T,U) :- now(N0), w_at_3_p(T), r_at(U), U < N0.
        w_at_3_p(T) :- now(N), start(S), p_at(T), N-3 <= T, T <= N, S <= T.
        p_at(T) :- T = @ticks("p/0"), () = @atoms("p/0",T).
        r_at(T) :- T = @ticks("r/0"), () = @atoms("r/0",T).
        """,
    ),
    "tuple windows": (
        "q(X) :- p(X) in [5 #], not r(X) at 3 in [2 #].",
        """\
        q(X) :- w_in_last_5_p(X), not w_at_last_2_r(X,3).
        w_in_last_5_p(X1) :- cnt(C), p_counted(X1,T,D), C-5 < D.
        w_at_last_2_r(X1,T) :- cnt(C), r_counted(X1,T,D), C-2 < D.
        p_counted(X1,T,D) :- ((X1,),T,D) = @arrivals("p/1").
        r_counted(X1,T,D) :- ((X1,),T,D) = @arrivals("r/1").
        """,
    ),
    "a box over a tuple window": (
        "q(X) :- p(X) always in [5 #].",
        """\
        q(X) :- w_always_last_5_p(X).
        covers_last_5(T) :- cnt(C), 5 <= C, arrived(F,C-5+1), now(N), T = F..N.
        covers_last_5(T) :- cnt(C), C < 5, start(S), now(N), T = S..N.
        arrived(T,D) :- (T,D) = @arrival_ticks.
        w_always_last_5_p(X1) :- now(N), w_at_last_5_p(X1,N), not spoil_always_last_5_p(X1).
        spoil_always_last_5_p(X1) :- now(N), w_at_last_5_p(X1,N), covers_last_5(T), not w_at_last_5_p(X1,T).
        w_at_last_5_p(X1,T) :- cnt(C), p_counted(X1,T,D), C-5 < D.
        p_counted(X1,T,D) :- ((X1,),T,D) = @arrivals("p/1").
        """,
    ),
    "a window over what rules derive": (
        "q :- p. r :- q in [1].",
        """\
        q :- p.
        r :- w_in_1_q.
        w_in_1_q :- now(N), start(S), q_at(T), N-1 <= T, T <= N, S <= T.
        p :- now(N), p_at(N).
        q_at(N) :- now(N), q.
        p_at(T) :- T = @ticks("p/0"), () = @atoms("p/0",T).
        q_at(T) :- T = @ticks("q/0"), () = @atoms("q/0",T).
        """,
    ),
    "heads at ticks": (
        "q at T+1 :- p at T in [3]. q :- r. s(T) :- q at T.",
        """\
        q_at(T+1) :- w_at_3_p(T).
        q_at(N0) :- now(N0), r.
        s(T) :- w_at_q(T).
        w_at_3_p(T) :- now(N), start(S), p_at(T), N-3 <= T, T <= N, S <= T.
        w_at_q(T) :- now(N), start(S), q_at(T), S <= T, T <= N.
        q :- now(N), q_at(N).
        r :- now(N), r_at(N).
        p_at(T) :- T = @ticks("p/0"), () = @atoms("p/0",T).
        q_at(T) :- T = @ticks("q/0"), () = @atoms("q/0",T).
        r_at(T) :- T = @ticks("r/0"), () = @atoms("r/0",T).
        """,
    ),
    "background data, which windows and rules see": (
        "p(1). b(1). q(X) :- p(X) in [2], b(X).",
        """\
        p(1).
        b(1).
        q(X) :- w_in_2_p(X), b(X).
        p_always(1).
        p_at(X1,T) :- p_always(X1), now(N), start(S), T = N-2..N, S <= T.
        w_in_2_p(X1) :- now(N), start(S), p_at(X1,T), N-2 <= T, T <= N, S <= T.
        b(X1) :- now(N), b_at(X1,N).
        b_at(X1,T) :- T = @ticks("b/1"), (X1,) = @atoms("b/1",T).
        p_at(X1,T) :- T = @ticks("p/1"), (X1,) = @atoms("p/1",T).
        """,
    ),
    "a choice among atoms that the input may have": (
        "{ a(X) : p(X) in [1] } 1.",
        """\
        { a(X): w_in_1_p(X) } <= 1.
        w_in_1_p(X1) :- now(N), start(S), p_at(X1,T), N-1 <= T, T <= N, S <= T.
        a(X1) :- now(N), a_at(X1,N).
        a_at(X1,T) :- T = @ticks("a/1"), (X1,) = @atoms("a/1",T).
        p_at(X1,T) :- T = @ticks("p/1"), (X1,) = @atoms("p/1",T).
        """,
    ),
    "names that are taken": (
        "p_at(X) :- p(X) at N0 in [1], N0 < @now. now :- p_at(1).",
        """\
        p_at(X) :- _now(_N0), w_at_1_p(X,N0), N0 < _N0.
        now :- p_at(1).
        w_at_1_p(X1,T) :- _now(N), start(S), _p_at(X1,T), N-1 <= T, T <= N, S <= T.
        p_at(X1) :- _now(N), p_at_at(X1,N).
        _p_at(X1,T) :- T = @ticks("p/1"), (X1,) = @atoms("p/1",T).
        p_at_at(X1,T) :- T = @ticks("p_at/1"), (X1,) = @atoms("p_at/1",T).
        """,
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    program, expected = EXAMPLES[name]
    assert text_of(program) == dedent(expected)


def test_a_window_atom_is_defined_for_the_arguments_with_which_it_stands_there() -> None:
    defined = [
        line for line in text_of("q :- p(1,X) in [1], p(X,X) in [1].").splitlines() if "S <= T" in line
    ]
    assert defined == [
        "w_in_1_p(1,X2) :- now(N), start(S), p_at(1,X2,T), N-1 <= T, T <= N, S <= T.",
        "w_in_1_p(X1,X1) :- now(N), start(S), p_at(X1,X1,T), N-1 <= T, T <= N, S <= T.",
    ]
    defined = [
        line for line in text_of("q :- p(1,X) in [1], p(X,_) in [1].").splitlines() if "S <= T" in line
    ]
    assert defined == ["w_in_1_p(X1,X2) :- now(N), start(S), p_at(X1,X2,T), N-1 <= T, T <= N, S <= T."]


FOREIGN = {
    "q :- p in [4 step 2].": "hopping windows: [4 step 2]",
    "q :- p in [every 2].": "tumbling windows: [every 2]",
    "q :- p in {1,2}.": "windows of offsets: {1,2}",
    "q :- p in [2 # p/0].": "tuple windows of a predicate or by groups: [2 # p/0]",
    "q :- p(X) in [2 # by X].": "tuple windows of a predicate or by groups: [2 # by X]",
    "q :- p at least 2 in [4].": "`at least` and `at most`: p at least 2 in [4]",
    "q :- p at most 2 in [4].": "`at least` and `at most`: p at least 3 in [4]",
    "q(N) :- p count N in [4].": "`count`: p count N in [4]",
    "#external p. q :- p.": "`#external`: #external p. [false]",
}


@pytest.mark.parametrize("program", FOREIGN)
def test_what_ticker_has_not_is_refused(program: str) -> None:
    with pytest.raises(ProgramError) as error:
        text_of(program)
    assert [d.message for d in error.value.diagnostics] == [f"Ticker knows no {FOREIGN[program]}"]


def test_only_the_strict_semantics_is_known() -> None:
    with pytest.raises(ProgramError, match="Ticker knows the strict semantics alone"):
        text_of("q :- p.", Semantics.RECORDED)


@pytest.mark.parametrize(
    "program",
    [
        "a at @now-1 :- b. b :- a always in [1].",
        "a at @now-1 :- c in [2]. c :- b. b :- a always in [1].",
        "a at @now-1 :- a always in [1].",
        "{ a at @now-1 : b }. b :- a always in [1].",
    ],
)
def test_boxes_that_would_be_true_by_themselves_are_refused(program: str) -> None:
    with pytest.raises(ProgramError, match="a box that depends on itself"):
        text_of(program)


@pytest.mark.parametrize(
    "program",
    [
        "a at @now-1 :- b. c :- a always in [1].",
        "a at @now-1 :- not b. b :- a always in [1].",
        "a :- b. b :- a always in [1].",
    ],
)
def test_boxes_that_others_found_are_not(program: str) -> None:
    assert "spoil_always_1_a" in text_of(program)
