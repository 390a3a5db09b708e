"""Rules that build new terms without end, and those that only look so."""

import pytest

from lars2asp.analysis.passes.growth import check_growth
from lars2asp.syntax.diagnostics import Diagnostics
from tests.support.programs import analysed


def warnings(text: str) -> list[str]:
    diagnostics = Diagnostics()
    check_growth(analysed(text), diagnostics)
    return [found.message for found in diagnostics.found]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a(X+1) :- a(X).", "counts on"),
        ("a(Y) :- a(X), Y = X-2.", "counts on"),
        ("a(f(X)) :- a(X) in [3].", "larger terms"),
        ("a(X) :- b(X). b(X+1) :- a(X), c.", "counts on"),
    ],
)
def test_growth_without_end(text: str, what: str) -> None:
    [message] = warnings(text)
    assert what in message


@pytest.mark.parametrize(
    "text",
    [
        "a(X+1) :- a(X), X < 9.",
        "a(X+1) :- a(X), n(X).",
        "a(X+1) :- a(X) in {1}.",
        "a(X+1) at @now+1 :- a(X).",
        "a(X) :- b(X+1). b(X) :- a(X).",
        "a(X+1) :- b(X). b(X-1) :- a(X).",
    ],
)
def test_growth_with_an_end(text: str) -> None:
    assert warnings(text) == []
