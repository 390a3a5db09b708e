"""What each construct is translated to: program in, ASP out."""

from textwrap import dedent

import pytest

from lars2asp.compiler import Overrides, compile_program
from lars2asp.syntax.nodes import Semantics, Signature
from lars2asp.syntax.source import Source


def translated(text: str, semantics: Semantics | None = None) -> str:
    """The rules that a program becomes, without those for input and output."""
    plan = compile_program(Source("x.lars", text), overrides=Overrides(semantics=semantics))
    lines = [line.text for line in plan.whole.program.lines]
    return "".join(f"{line}\n" for line in lines if "lars_told(" not in line and "#show" not in line)


@pytest.mark.parametrize(
    ("program", "asp"),
    [
        (
            "a(X) :- p(X), not r.",
            """\
            a(X) :- p(X), not r.
            """,
        ),
        (
            "a(X) :- p(X,1) in [5].",
            """\
            a(X) :- lars_in_sliding_5_p(X,1).
            lars_in_sliding_5_p(X1,X2) :- p(X1,X2) = @lars_in("p",2,"sliding(5)",lars_now).
            """,
        ),
        (
            "a(X) :- q(X) in [5]. q(X) :- p(X).",
            """\
            a(X) :- lars_in_sliding_5_q(X).
            lars_in_sliding_5_q(X1) :- q(X1) = @lars_in("q",1,"sliding(5)",lars_now).
            lars_in_sliding_5_q(X1) :- q(X1).
            q(X) :- p(X).
            """,
        ),
        (
            "a :- q in {1,3}. q :- p.",
            """\
            a :- lars_in_offsets_1_3_q.
            lars_in_offsets_1_3_q :- q = @lars_in("q",0,"offsets(1,3)",lars_now).
            q :- p.
            """,
        ),
        (
            "a(X) :- p(X) always in [2].",
            """\
            a(X) :- lars_always_sliding_2_p(X).
            lars_always_sliding_2_p(X1) :- p(X1) = @lars_always("p",1,"sliding(2)",lars_now).
            """,
        ),
        (
            "a(X) :- q(X) always in [2]. q(X) :- p(X).",
            """\
            a(X) :- lars_always_sliding_2_q(X).
            lars_always_sliding_2_q(X1) :- q(X1), q(X1) = @lars_always_before("q",1,"sliding(2)",lars_now).
            lars_always_sliding_2_q(X1) :- q(X1), () = @lars_nothing_before("sliding(2)",lars_now).
            q(X) :- p(X).
            """,
        ),
        (
            "a(T) :- p at T in [2], not p at T-1 in [2].",
            """\
            a(T) :- lars_at_sliding_2_p(T), not lars_at_sliding_2_p(T-1).
            lars_at_sliding_2_p(T) :- (p,T) = @lars_at("p",0,"sliding(2)",lars_now).
            """,
        ),
        (
            "a(T) :- q(1) at T. q(X) :- p(X).",
            """\
            a(T) :- lars_at_unbounded_q(1,T).
            lars_at_unbounded_q(X1,T) :- (q(X1),T) = @lars_at("q",1,"unbounded",lars_now).
            lars_at_unbounded_q(X1,lars_now) :- q(X1).
            q(X) :- p(X).
            """,
        ),
        (
            "a :- q at 37, p at @now-2, T = @now. q :- p.",
            """\
            a :- lars_in_fixed_37_q, lars_in_offsets_2_p, T = lars_now.
            lars_in_fixed_37_q :- q = @lars_in("q",0,"fixed(37)",lars_now).
            lars_in_fixed_37_q :- q, 37 = lars_now.
            lars_in_offsets_2_p :- p = @lars_in("p",0,"offsets(2)",lars_now).
            q :- p.
            """,
        ),
        (
            "a(N) :- N = #count { X,T : -p(X) at T in [3] }.",
            """\
            a(N) :- N = #count { X,T: lars_at_sliding_3_not_p(X,T) }.
            lars_at_sliding_3_not_p(X1,T) :- (-p(X1),T) = @lars_at("-p",1,"sliding(3)",lars_now).
            """,
        ),
        (
            "a :- lars_x, p in [1].",
            """\
            a :- lars_x, _lars_in_sliding_1_p.
            _lars_in_sliding_1_p :- p = @_lars_in("p",0,"sliding(1)",_lars_now).
            """,
        ),
    ],
)
def test_translation(program: str, asp: str) -> None:
    assert translated(program) == dedent(asp)


def test_a_streaming_atom_is_defined_once() -> None:
    assert translated("a :- p(1) in [2]. b :- p(2) in [2], not p(X) in [2], p(X).").count("@lars_in(") == 1


def test_strict_semantics_shows_what_rules_derive() -> None:
    plan = compile_program(Source("x.lars", "a(X) :- p(X)."), overrides=Overrides(semantics=Semantics.STRICT))
    assert plan.whole.program.text == dedent("""\
        lars_derived_a(X) :- p(X).
        a(X1) :- lars_derived_a(X1).
        a(X1) :- a(X1) = @lars_told("a",1,lars_now).
        p(X1) :- p(X1) = @lars_told("p",1,lars_now).
        #show.
        #show lars_derived_a/1.
        """)
    assert plan.whole.program.shown_as == {"lars_derived_a": Signature("a", 1)}


def test_what_the_plan_knows() -> None:
    plan = compile_program(
        Source(
            "x.lars",
            "q(X) :- p(X) in [5], p(X) in {9}, q(X) at T.\n"
            "r :- q(X) always in [2], not s at 4. s. s :- r in [1].",
        )
    )
    assert {str(signature): reach for signature, reach in plan.reach.items()} == {
        "p/1": 9,
        "q/1": None,
        "s/0": 0,
        "r/0": 1,
    }
    assert plan.whole.program.recorded == {
        s: s for s in [Signature("q", 1), Signature("s", 0), Signature("r", 0)]
    }
    assert plan.whole.program.facts == "s.\n"
    assert plan.whole.program.depends_on_now


def test_origins_point_into_the_user_s_text() -> None:
    plan = compile_program(Source("x.lars", "a :- p in [1].\nb :- a."))
    origins = {line.text: str(line.origin) for line in plan.whole.program.lines}
    assert origins["b :- a."] == "x.lars:2:1-8"
    assert origins['lars_in_sliding_1_p :- p = @lars_in("p",0,"sliding(1)",lars_now).'] == "x.lars:1:6-14"
