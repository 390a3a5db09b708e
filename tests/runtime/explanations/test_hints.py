"""Hints for questions in which something is written otherwise than it is meant."""

import pytest

from lars2asp import Reasoner

PROGRAM = """
    hot(R) :- reading(R, T), T > 25.
    alarm(R) :- hot(R) always in [2], floor(R, upper).
    floor("attic", upper). -door(R) :- closed(R). open(N) :- badge(N).
"""


@pytest.fixture(scope="module")
def reasoner() -> Reasoner:
    reasoner = Reasoner.from_text(PROGRAM, explain_from=5)
    reasoner.step(0, [("reading", "kitchen", 20), "smoke(cellar)", 'badge("7")'])
    return reasoner


@pytest.mark.parametrize(
    ("question", "hint"),
    [
        ("alrm(kitchen)", "has alrm/1: did you mean alarm(kitchen)?"),
        ("alarm", "has alarm/0: did you mean alarm(X)?"),
        ("reading(kitchen)", "has reading/1: did you mean reading(X,Y)?"),
        ("smokes(X)", "has smokes/1: did you mean smoke(X)?"),
        ("zzz", "neither the program nor the input has zzz/0"),
        ("-doors(hall)", "did you mean -door(hall)?"),
        (
            "hot(Kitchen)",
            'Kitchen is a variable, as it begins with a capital letter: did you mean "kitchen"?',
        ),
        ("hot(Lobby)", 'a capital letter: for the value write "Lobby"'),
        ("hot(kitchn)", 'did you mean "kitchen" in place of kitchn?'),
        ("hot(\"'kitchen'\")", 'did you mean "kitchen" in place of "\'kitchen\'"?'),
        ("hot(atic)", 'did you mean "attic" in place of atic?'),
        ("open(7)", 'did you mean "7", which is text, in place of 7?'),
        ("closed(Cellar)", "did you mean cellar?"),
        ("floor(kitchen,uper)", "did you mean upper in place of uper?"),
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
