"""Questions that are refused, and hints where something is written otherwise than it is meant."""

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.errors import InputError

# --- refused --------------------------------------------------------------------------------------------

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
    reasoner = Reasoner.from_text(text, explain_last=5)
    reasoner.step(0, facts)
    reasoner.why(atom)
    return reasoner


@pytest.mark.parametrize("atom", ["warm(hall)", "warm(X)"])
def test_terms_of_show_are_no_atoms(atom: str) -> None:
    with pytest.raises(
        InputError, match=r"warm\(R\) is not an atom: #show \(.*:1\) adds this term to the output\. Ask about"
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


# --- hints ----------------------------------------------------------------------------------------------

PROGRAM = """
    hot(R) :- reading(R, T), T > 25.
    alarm(R) :- hot(R) always in [2], floor(R, upper).
    floor("attic", upper). -door(R) :- closed(R). open(N) :- badge(N).
"""


@pytest.fixture(scope="module")
def reasoner() -> Reasoner:
    reasoner = Reasoner.from_text(PROGRAM, explain_last=5)
    reasoner.step(0, [("reading", "kitchen", 20), "smoke(cellar)", 'badge("7")'])
    return reasoner


@pytest.mark.parametrize(
    ("question", "hint"),
    [
        ("alrm(kitchen)", "alrm/1 is in neither the program nor the input: did you mean alarm(kitchen)?"),
        ("alarm", "alarm/0 is in neither the program nor the input: did you mean alarm(X)?"),
        ("reading(kitchen)", "reading/1 is in neither the program nor the input: did you mean reading(X,Y)?"),
        ("smokes(X)", "smokes/1 is in neither the program nor the input: did you mean smoke(X)?"),
        ("zzz", "zzz/0 is in neither the program nor the input"),
        ("-doors(hall)", "did you mean -door(hall)?"),
        (
            "hot(Kitchen)",
            'Kitchen is a variable because it begins with a capital letter: did you mean "kitchen"?',
        ),
        ("hot(Lobby)", 'a capital letter: for the value write "Lobby"'),
        ("hot(kitchn)", 'did you mean "kitchen" instead of kitchn?'),
        ("hot(\"'kitchen'\")", 'did you mean "kitchen" instead of "\'kitchen\'"?'),
        ("hot(atic)", 'did you mean "attic" instead of atic?'),
        ("open(7)", 'did you mean the text "7" instead of 7?'),
        ("closed(Cellar)", "did you mean cellar?"),
        ("hot(P-101)", 'P-101 is a difference: texts need double quotes, write hot("P-101")'),
        ("floor(kitchen,uper)", "did you mean upper instead of uper?"),
    ],
)
def test_a_hint(reasoner: Reasoner, question: str, hint: str) -> None:
    found = reasoner.why(question)
    assert hint in "; ".join(found.hints)
    assert str(found).splitlines()[-1] == f"hint: {found.hints[-1]}"
    assert found.to_dict()["hints"] == list(found.hints)
    assert "hint: " in found.to_html()


@pytest.mark.parametrize("question", ["hot(X)", "hot(kitchen)", "hot(zzz)", "smoke(X)", "reading(kitchen,T)"])
def test_no_hint(reasoner: Reasoner, question: str) -> None:
    assert reasoner.why(question).hints == ()
    assert "hints" not in reasoner.why(question).to_dict()


def test_conditions_may_leave_out_what_is_asked() -> None:
    text = '#input good(tag, value) at ts where quality = "Good", value > -999. #show good/2.'
    reasoner = Reasoner.from_text(text, explain_last=5)
    reasoner.step(1, ['good("a",5)'])
    [hint] = reasoner.why('good("a",7)', 1).hints
    assert hint.endswith('accepts only records with "quality" = "Good", "value" > -999')
