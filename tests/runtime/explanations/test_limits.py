"""Questions that are refused, with a reason."""

import pytest

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner

SHOWING = """\
#show warm(R) : temp(R,C) in [1], C > 25.
#show p(X) : q(X).
r(X) :- p(X).
"""
CHOOSING = """\
#semantics strict.
{ g(X) at @now-1 : k(X) } = 1 :- p in [2].
k(1..2).
h(X) :- g(X) in [2].
{ now at @now } :- p.
free :- now.
other :- p.
"""


def asked(text: str, facts: list[str], atom: str) -> Reasoner:
    reasoner = Reasoner.from_text(text, explain_from=5)
    reasoner.step(0, facts)
    reasoner.why(atom)
    return reasoner


@pytest.mark.parametrize("atom", ["warm(hall)", "warm(X)"])
def test_terms_of_show_are_no_atoms(atom: str) -> None:
    with pytest.raises(
        InputError, match=r"warm\(R\) is no atom but a term that #show adds .*:1\): ask about"
    ):
        asked(SHOWING, ["temp(hall,27)"], atom)


def test_an_atom_that_is_like_a_term_of_show() -> None:
    """That p(1) is in the output as a term does not make the atom hold."""
    reasoner = asked(SHOWING, ["q(1)"], "p(1)")
    assert not reasoner.why("p(1)").holds
    assert "fails: p(1)" in str(reasoner.why("r(1)"))
    assert asked(SHOWING, ["warm(attic)"], "warm(attic)").why("warm(attic)").holds


@pytest.mark.parametrize("atom", ["g(1)", "h(X)"])
def test_choices_at_other_ticks_are_not_kept_by_strict_semantics(atom: str) -> None:
    with pytest.raises(InputError, match=r"rests on a choice at other ticks .*:2\), which strict"):
        asked(CHOOSING, ["p"], atom)


@pytest.mark.parametrize("atom", ["free", "other", "now", "k(1)", "p"])
def test_what_does_not_rest_on_such_is_explained(atom: str) -> None:
    asked(CHOOSING, ["p"], atom)
