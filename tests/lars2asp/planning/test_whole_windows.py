"""What programs demand that have whole windows, beside what `always` does."""

import pytest

from lars2asp import Reasoner
from lars2asp.compiler import checked_program
from lars2asp.planning.whole_windows import with_whole_windows
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source


@pytest.mark.parametrize(
    ("text", "demanded"),
    [
        ("a :- not p in [2].", "a :- not p in [2], w always in [2]."),
        ("a :- not p at least 2 in {1,3}.", "a :- not p at least 2 in {1,3}, w always in {1,3}."),
        ("a :- p at most 1 in [2].", "a :- not p at least 2 in [2], w always in [2]."),
        ("a :- not p at most 1 in [2].", None),
        ("a :- not not p in [2], q in [3], not p always in [2], not p in [3 #].", None),
        (
            "a :- not p in [2], not q in [2].",
            "a :- not p in [2], w always in [2], not q in [2], w always in [2].",
        ),
        ("a :- not p(X) in [2] : q(X).", "a :- not p(X) in [2] : q(X); w always in [2] : q(X)."),
        (
            "a :- #count { X : q(X), not p(X) in [2] } > 1.",
            "a :- #count { X : q(X), not p(X) in [2], w always in [2] } > 1.",
        ),
    ],
)
def test_what_is_demanded(text: str, demanded: str | None) -> None:
    program = checked_program(Source("t", text)).program
    found = with_whole_windows(program, "w")
    if demanded is None:
        assert found is program
    else:
        expected = checked_program(Source("t", f"{demanded} w.")).program
        assert to_text(found) == to_text(expected)


def test_literals_are_false_while_their_windows_are_not_whole() -> None:
    """Whoever demands it: the program, or an option, for a plan as well."""
    program = "a :- not p in [2]. b :- p at most 1 in [2]. c :- not p at most 1 in [2]. d :- not p in [1 #]."
    stream: list[tuple[int, list[str]]] = [(0, ["p"]), (1, ["p"]), (6, [])]
    expected = [(), ("c",), ("c",), ("b",), ("a", "b"), ("a", "b"), ("a", "b")]
    for reasoner in (
        Reasoner.from_text(f"{program} #complete_windows."),
        Reasoner.from_text(program, complete_windows=True),
        Reasoner(Reasoner.from_text(program).plan, complete_windows=True),
    ):
        found = [answer.holds.texts for answer in reasoner.run(stream, emit="every")]
        assert found == expected
