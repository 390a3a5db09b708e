"""What is undefined within a tick alone, while changes are taken one after the other, is not said."""

import logging

import pytest

from lars2asp import Reasoner

MEAN = (
    "m(R,S/N) :- r(R,_), S = #sum { X,T : r(R,X) at T in [2] }, N = #count { X,T : r(R,X) at T in [2] }. "
    "high(R) :- r(R,_), S = #sum { X,T : r(R,X) at T in [2] }, N = #count { X,T : r(R,X) at T in [2] }, "
    "S/N > 4, not no(R)."
)
ALL = "m(S/N) :- S = #sum { X,T : r(_,X) at T in [2] }, N = #count { X,T : r(_,X) at T in [2] }."
STREAM = [(0, ["r(k,4)", "no(k)"]), (1, ["r(k,6)"]), (2, ["r(k,7)"]), (7, ["r(k,1)"]), (9, ["r(j,1)"])]


@pytest.mark.parametrize("evaluator", ["delta", "oneshot"])
@pytest.mark.parametrize(("program", "number"), [(MEAN, 0), (ALL, 1)])
def test_a_mean_of_nothing_is_said_where_it_stays(
    program: str, number: int, evaluator: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        answers = [*Reasoner.from_text(program, evaluator=evaluator).run(STREAM, until=14, emit="every")]
    assert ("m(k,5)" if program is MEAN else "m(5)") in answers[1].holds.texts
    said = [one.getMessage() for one in caplog.records if "operation undefined" in one.getMessage()]
    assert len(said) == number


@pytest.mark.parametrize("evaluator", ["delta", "flow"])
def test_only_weights_below_zero_are_ignored(evaluator: str, caplog: pytest.LogCaptureFixture) -> None:
    """A weight of zero adds nothing, and is not told, as clingo does not tell it."""
    program = "d(X,N) :- r(X,_), N = #sum+ { V : r(X,V) in [7] }. e(N) :- N = #sum+ { V : r(_,V) }."
    reasoner = Reasoner.from_text(program, evaluator=evaluator)
    stream = [(0, ["r(a,0)"]), (1, ["r(a,-3)"]), (3, ["r(a,4)", "r(b,0)"])]
    found = [answer.holds.texts for answer in reasoner.run(stream, emit="every")]
    said = {one.getMessage().partition("ignored:")[2].strip() for one in caplog.records}
    of_clingo = Reasoner.from_text(program, evaluator="oneshot")
    assert found == [one.holds.texts for one in of_clingo.run(stream, emit="every")]
    assert said == {"-3"}
