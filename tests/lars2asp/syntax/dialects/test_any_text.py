"""Texts of any kind in the languages of others: what is read can be printed, all else is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.parser import parse, text_source
from lars2asp.syntax.printer import to_text
from tests.support.programs import parse_text

LASER = """h p(X) 'a_b' q(X,1) :- and not( box( diamond( @(T, @(3, ) ( time_win(2,0,1, tuple_win(3,
COMP(<,X,2) MATH(+,Y,X,1) or , ' # " ]"""
TICKER = """h p(X) q(X,1) :- , not at T @3 in always [5] [3#] [t_2] leq(X,2) incr(X,Y) X=Y%2 X<Y
. // /* */ % %* *% 2.5 import_a.b_as_c [c_4] +"""
IDLVSR = """h p(X) q(X,1) :- , not #temp #trigger_frequency(5_min) @now @now.hour @now.age &f(X;Y) &f(X;) & ;
at_most_X_in [2] {1,3_hrs} [3_sec] always_in count_X_in #show_a/1 at #tick_1_min. % .
@now>"2026-01-31" #count{X:p(X)}=Y"""
DSR = """h p(X') q(X,1) :- , not at_T in always not_in [5_s] [3_h] [2_#] [ ] . //
/* */ % ^ X%2=1 2^X<9 #show_a/1 -p"""
PIECES = {
    name: [f"{before}{piece.replace('_', ' ')}" for piece in [*text.split(), "\n"] for before in ("", " ")]
    for name, text in (
        *(("laser", LASER), ("ticker", TICKER)),
        *(("idlvsr", IDLVSR), ("dsr", DSR)),
    )
}


@pytest.mark.parametrize("name", PIECES)
@given(data=st.data())
def test_what_is_read_can_be_printed_and_all_else_is_told(name: str, data: st.DataObject) -> None:
    pieces = st.sampled_from(PIECES[name]) | st.text(max_size=3)
    text = "".join(data.draw(st.lists(pieces, max_size=14)))
    diagnostics = Diagnostics()
    program = parse(text_source(text, name), diagnostics=diagnostics)
    for one in diagnostics.found:
        assert 0 <= one.location.begin <= one.location.end <= len(text)
        assert str(one)
    if not diagnostics.has_errors:
        assert parse_text("".join(f"{to_text(one)}\n" for one in program.statements)) == program
