"""Warnings about what is odd."""

from lars2asp.analysis.passes.unknown_predicates import MOST_GUESSED
from lars2asp.compiler import check
from lars2asp.syntax.source import Source


def test_names_like_those_not_known_are_looked_for_a_few_times() -> None:
    """In a long program, to compare each name with each other takes a time without end."""
    text = "#input zz(a).\n" + "".join(f"known{i}(1).\na :- knwn{i}(1).\n" for i in range(2 * MOST_GUESSED))
    found = check(Source("t", text))
    assert [d.hint.startswith("is known") for d in found] == [True] * MOST_GUESSED + [False] * MOST_GUESSED
