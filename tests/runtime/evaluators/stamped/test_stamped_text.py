"""Text for one Control that is kept: program in, stamped program out."""

from textwrap import dedent

from lars2asp import Source, compile_program
from lars2asp.runtime.evaluators.stamped.stamped_text import StampedText, stamped_text
from lars2asp.syntax.nodes import Signature


def stamped(program: str, *with_input: Signature, is_certain: bool = False) -> StampedText:
    plan = compile_program(Source("x", program))
    return stamped_text(plan.whole.program, with_input, is_certain=is_certain)


def test_what_bears_a_stamp() -> None:
    text = stamped("link(1,2). { q(Y) } :- p(X) in [1], link(X,Y). #show q/1.").text
    assert "lars_stamped_q_1(q(Y),lars_stamp)" in text
    assert "link(X,Y), lars_guard(lars_stamp)." in text
    assert text.index("link(1,2).") < text.index("#program lars_tick(lars_now,lars_stamp).")


def test_certain_rules_bear_no_guard() -> None:
    text = stamped("link(1,2). b(2). r(Y) :- p(X), link(X,Y), not b(Y). a :- s.", is_certain=True)
    assert text.text == dedent("""\
        link(1,2).
        b(2).
        #program lars_tick(lars_now,lars_stamp).
        lars_stamped_r_1(r(Y),lars_stamp) :- lars_stamped_p_1(p(X),lars_stamp), link(X,Y), not b(Y).
        lars_stamped_a_0(0,lars_stamp) :- lars_stamped_s_0(0,lars_stamp).
        lars_stamped_r_1(r(X1),lars_stamp) :- r(X1) = @lars_told("r",1,lars_now).
        lars_stamped_p_1(p(X1),lars_stamp) :- p(X1) = @lars_told("p",1,lars_now).
        lars_stamped_a_0(0,lars_stamp) :- a = @lars_told("a",0,lars_now).
        lars_stamped_s_0(0,lars_stamp) :- s = @lars_told("s",0,lars_now).
        """)
    assert text.background == {Signature("link", 2), Signature("b", 1)}
    assert text.guard == ""


def test_background_data_that_is_input_as_well_bears_stamps() -> None:
    link = Signature("link", 2)
    text = stamped("link(1,2). r(Y) :- p(X), link(X,Y).", link, is_certain=True)
    assert text.background == frozenset()
    assert "lars_stamped_link_2(link(X1,X2),lars_stamp) :- link(X1,X2)." in text.text
    assert 'lars_stamped_link_2(link(X1,X2),lars_stamp) :- link(X1,X2) = @lars_told("link"' in text.text


def test_contraries_exclude_each_other_at_each_tick() -> None:
    text = stamped("{ q(X) } :- p(X). -q(X) :- s(X).").text
    pair = "lars_stamped_q_1(q(X1),lars_stamp), lars_stamped_not_q_1(-q(X1),lars_stamp)"
    assert f":- {pair}, lars_guard(lars_stamp)." in text
