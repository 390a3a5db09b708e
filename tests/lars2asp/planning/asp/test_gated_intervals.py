"""Intervals that are enumerated when the rest of a body is true: statement in, lines out."""

import pytest

from lars2asp import compile_program
from lars2asp.syntax.source import Source


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        (
            "a(X) :- p(N), q, X = 1..N.",
            [
                "lars_gate_0(0,N) :- p(N), q.",
                "a(X) :- lars_gate_0(LARS_1,N), X = @lars_range(0,1,N,LARS_1).",
            ],
        ),
        ("a(X) :- p(N), q, X = 1..9.", ["a(X) :- p(N), q, X = @lars_range(0,1,9)."]),
        (
            "{ a(X) : p(N), X = 1..N } :- q.",
            [
                "lars_gate_0(0) :- q.",
                "lars_gate_1(0,N) :- q, p(N).",
                "{ a(X): p(N), lars_gate_1(LARS_2,N), X = @lars_range(0,1,N,LARS_2) } "
                ":- lars_gate_0(LARS_1).",
            ],
        ),
        (
            "a(X) :- p(X), q(N), X = 1..N.",
            [
                "lars_gate_0(0,X) :- p(X), q(N), @lars_within(0,1,X,N) = 1.",
                "a(X) :- lars_gate_0(LARS_1,X).",
            ],
        ),
    ],
)
def test_what_is_written(statement: str, lines: list[str]) -> None:
    text = compile_program(Source("x.lars", statement)).whole.program.wide().text
    assert [one for one in text.splitlines() if "@lars_told" not in one and "#show" not in one] == lines
