"""Texts of any kind in the languages of Laser and Ticker: what is read can be printed, all else is told."""

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
PIECES = {
    name: [f"{before}{piece.replace('_', ' ')}" for piece in [*text.split(), "\n"] for before in ("", " ")]
    for name, text in (("laser", LASER), ("ticker", TICKER))
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
