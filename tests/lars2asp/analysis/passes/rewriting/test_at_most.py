"""`at most` is written as a negated `at least`: text in, text out."""

import pytest

from lars2asp.analysis.passes.rewriting.at_most import write_at_most
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.printer import to_text
from tests.support.programs import analysed


@pytest.mark.parametrize(
    ("rule", "written"),
    [
        ("a :- b at most 2 in [5].", ["a :- not b at least 3 in [5]."]),
        ("a :- not b at most 2 in [5].", ["a :- not not b at least 3 in [5]."]),
        ("a(K) :- b at most K in [5], k(K).", ["a(K) :- not b at least K+1 in [5], K >= 0, k(K)."]),
        (
            "a(K) :- not b at most K in [5], k(K).",
            ["a(K) :- not not b at least K+1 in [5], K >= 0, k(K).", "a(K) :- K < 0, k(K)."],
        ),
        (
            "a :- 1 { c(X) : not b at most X in [5], k(X) }.",
            ["a :- 1 <= { c(X): not not b at least X+1 in [5], X >= 0, k(X); c(X): X < 0, k(X) }."],
        ),
        ("a :- b at least 2 in [5].", ["a :- b at least 2 in [5]."]),
        ("a :- not #false, b at most 2 in [5].", ["a :- not #false, not b at least 3 in [5]."]),
        (":- not not #true, b at most 2 in [5].", [":- not not #true, not b at least 3 in [5]."]),
        ("a :- not #true, b at most 2 in [5].", ["a :- not #true, not b at least 3 in [5]."]),
        (
            "a(K) :- #false, b at most K in [5], k(K).",
            ["a(K) :- #false, not b at least K+1 in [5], K >= 0, k(K)."],
        ),
        ("a :- b : not #true, c at most 2 in [5].", ["a :- b: not #true, not c at least 3 in [5]."]),
        ("a : not #true, b at most 2 in [5].", ["a: not #true, not b at least 3 in [5]."]),
        (
            "a :- #count { 1 : not #false, b at most 2 in [5] } = 1.",
            ["a :- #count { 1: not #false, not b at least 3 in [5] } = 1."],
        ),
        ("a :- not #false : b at most 2 in [5].", ["a :- not #false: not b at least 3 in [5]."]),
        ("{ a : not #false, b at most 2 in [5] }.", ["{ a: not #false, not b at least 3 in [5] }."]),
    ],
)
def test_at_most_is_written_out(rule: str, written: list[str]) -> None:
    program = write_at_most(analysed(rule), Diagnostics())
    assert [to_text(statement) for statement in program.statements] == written
