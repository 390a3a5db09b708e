"""What claims are about, as values: what they show, and their texts."""

import pytest

from lars2asp import Reasoner
from lars2asp.analysis.decimals import PlaceDecimals
from lars2asp.externals.terms.terms import function
from lars2asp.runtime.explanations.words.instances import ClaimedAtom, ClaimedTuple, Instance, Numbers
from lars2asp.syntax.nodes import Literal, Signature
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Source
from tests.runtime.explanations.trees import atom, instance


def literal(text: str) -> Literal:
    """The first literal of the body of a text's last rule."""
    [*_, rule] = parse(Source("p.lars", text)).rules()
    assert isinstance(rule.body[0], Literal)
    return rule.body[0]


@pytest.mark.parametrize(
    ("text", "shown", "said"),
    [
        ("p(1)", "p(1)", True),
        ("not p(1)", "p(1)", False),
        ("p(1) always in [3]", "p(1)", False),
        ("p(f(r))", "p(f(r))", True),
    ],
)
def test_an_atom_stands_in_a_literal(text: str, shown: str, said: bool) -> None:
    assert instance(text).shows(atom(shown))
    assert instance(text).says(atom(shown)) is said


@pytest.mark.parametrize(
    ("text", "other"), [("up(1)", "p(1)"), ("p(room)", "r"), ("p(1+1)", "p(2)"), ('p("q always in")', "q")]
)
def test_what_is_only_a_part_of_the_text_is_no_atom_in_it(text: str, other: str) -> None:
    assert not instance(text).shows(atom(other))


def test_a_tuple_shows_an_atom_that_is_a_term_in_it() -> None:
    row = (1, function("f", (function("p", (2,)),)))
    assert ClaimedTuple(row).shows(atom("p(2)"))
    assert not ClaimedTuple(row).says(atom("p(2)"))
    assert ClaimedTuple((function("r", ()),)).says(atom("r"))
    assert not ClaimedTuple((function("room", ()),)).shows(atom("r"))


def test_values_of_an_element_are_told_from_the_atom_that_it_rests_on() -> None:
    """The atom `r` is not a part of the tuple `room`, though its name is a part of that name."""
    reasoner = Reasoner.from_text("a(N) :- N = #count { room : r }.", explain_last=5)
    reasoner.step(0, ["r"])
    assert str(reasoner.why("a(1)")).splitlines()[-1] == "      └─ room: r   step(0)"


def test_windows_by_strings_have_decimals_too() -> None:
    """Nothing is parsed: the grammar has no `[1 # by "bath"]`, which is what the instance says."""
    text = "#decimals p(_,1).\nq(Y) :- p(X,Y) in [1 # by X]."
    numbers = Numbers(PlaceDecimals(parse(Source("p.lars", text)))).within((literal(text),))
    one = Instance(literal(text), {"X": "bath", "Y": -35}, numbers)
    assert str(one) == 'p("bath",-3.5) in [1 # by "bath"]'
    assert str(numbers.atom(Signature("p", 2), ("bath", -35))) == 'p("bath",-3.5)'


def test_a_pattern_has_values_where_they_are_known() -> None:
    found = atom("p(f(X,1+1),2,_)")
    assert str(found) == "p(f(X,2),2,_)"
    assert (found.has_variables, found.row) == (True, None)
    assert found == atom("p(f(X,2),1+1,_)")
    assert found != ClaimedAtom(found.signature, (1, 2, 3))
