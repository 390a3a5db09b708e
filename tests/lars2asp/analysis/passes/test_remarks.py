"""Warnings about what is odd."""

from lars2asp.analysis.passes.unknown_predicates import MOST_GUESSED
from lars2asp.compiler import check
from lars2asp.syntax.diagnostics import Severity
from lars2asp.syntax.source import Source


def test_names_like_those_not_known_are_looked_for_a_few_times() -> None:
    """In a long program, to compare each name with each other takes a time without end."""
    text = "#input zz(a).\n" + "".join(f"known{i}(1).\na :- knwn{i}(1).\n" for i in range(2 * MOST_GUESSED))
    found = check(Source("t", text))
    assert [d.hint.startswith("is known") for d in found] == [True] * MOST_GUESSED + [False] * MOST_GUESSED


def test_windows_that_are_shorter_at_the_start_are_told_to_who_asks() -> None:
    def infos(text: str) -> list[str]:
        found = check(Source("t", text), informs=True)
        assert not [one for one in found if one.severity is not Severity.INFO]
        return [str(one.location) for one in found]

    boxes = "a :- p always in [0]. b :- p always in [2]. c :- p always in [3 #]."
    assert infos(boxes) == ["t:1:28-43"]
    assert infos(f"{boxes} #complete_windows.") == []
    assert infos("a :- p in [2], not p in [3].") == []
    assert check(Source("t", boxes)) == ()
