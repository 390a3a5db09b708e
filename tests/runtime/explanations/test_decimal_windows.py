"""Explanations of programs with decimals over windows of arrivals, which name variables and predicates."""

import pytest

from tests.support.explaining import explained

STREAM = {
    0: ['reading("bath",215)', 'reading("hall",-5)'],
    1: ['reading("bath",200)'],
    2: ['reading("hall",190)'],
}
DECLARED = "#decimals reading(_,1).\n"


@pytest.mark.parametrize(
    "literal",
    [
        "reading(R,T) in [3 # by R]",
        "reading(R,T) in [2 # reading/2]",
        "reading(R,T) in [2 # by R, T]",
        "reading(R,T) at U in [3 # by R]",
        "reading(R,T) count C in [3 # by R]",
        "reading(R,T) at least 1 in [3 # by R]",
        "reading(R,T) always in [3 # by R]",
        "reading(R,T), reading(R,T) at most 1 in [2 # by R]",
        "reading(R,T), not reading(R,21.5) in [2 # by R]",
        "reading(R,T), C = #count { U : reading(R,U) in [2 # by R] }",
        "reading(R,T), S = #sum { U : reading(R,U) in [3 # reading/2] }, S > 20.0",
        "reading(R,T), 1 { reading(R,U) in [3 # by R] : reading(R,U) }",
        "reading(R,T), reading(R,U) in [2 # by R] : reading(R,U)",
    ],
)
def test_windows_of_arrivals(literal: str) -> None:
    """Why an atom holds, and why not, at each tick; numbers have their points."""
    for tick in STREAM:
        for atom in ("warm(R,T)", 'warm("bath",21.5)', 'warm("attic",3.5)'):
            text, _ = explained(f"{DECLARED}warm(R,T) :- {literal}.", STREAM, atom, tick)
            assert "215" not in text


def test_what_is_written() -> None:
    """The window as it is written, with the value of its group."""
    text, found = explained(
        f"{DECLARED}warm(R,T) :- reading(R,T) in [3 # by R].", STREAM, 'warm("bath",20.0)', 2
    )
    (literal,) = found["explains"][0]["body"]
    assert literal["literal"] == 'reading("bath",20.0) in [3 # by "bath"]'
    text, _ = explained(f"{DECLARED}warm(T) :- reading(_,T) [2 # reading/2].", STREAM, "warm(-0.5)", 2)
    assert "reading(_,-0.5) in [2 # reading/2]" in text
