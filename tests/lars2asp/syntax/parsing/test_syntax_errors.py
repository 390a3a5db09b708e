"""Hints of syntax errors."""

from pathlib import Path

import pytest

from lars2asp.compiler import check
from lars2asp.syntax.advice.other_spellings import SPELLINGS
from lars2asp.syntax.diagnostics import Severity
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.source import Source
from tests.support.programs import said

BROKEN = Path(__file__).parents[3] / "broken"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("#frob { 1 : a }.", "directives are #const, #show"),
        ("#tick 1 sec\n#const n = 1.", "is a '.' missing at the end of the line before?"),
    ],
)
def test_hints(text: str, hint: str) -> None:
    assert f"hint: {hint}" in said(text)
    assert said(text).count("error:") == 1


def test_places_are_right_in_included_files_and_in_several(tmp_path: Path) -> None:
    (tmp_path / "rooms.lars").write_text("% rooms\nroom(hall).\nhot(R) :- temp(R,T), T => 30.\n")
    (tmp_path / "main.lars").write_text('#include "rooms.lars".\n\nalarm :- always hot in [5].\n')
    (tmp_path / "more.lars").write_text("// more\ncold :- !alarm.\n")
    sources = read_sources([tmp_path / "main.lars", tmp_path / "more.lars"])
    found = [str(one).removeprefix(f"{tmp_path}/").splitlines()[0] for one in check(*sources)]
    assert found == [
        "rooms.lars:3:24-26: error: L006: => is not a comparison",
        "main.lars:3:10-27: error: L202: write `always` after the atom",
        "more.lars:1:1-3: error: L005: // does not start a comment",
        "more.lars:2:9-10: error: L007: write negation as `not`",
    ]


def test_a_hint_is_found_far_from_the_beginning_of_a_long_statement() -> None:
    body = ", ".join(f"p{i}(X)" for i in range(2000))
    [found] = check(Source("x.lars", f"a(X) :-\n{body},\nX => 3."))
    assert (found.location.line, found.hint) == (3, "write X >= 3")


@pytest.mark.parametrize(
    "text",
    [
        "a :- p, X = 3 / 2, X > 0.",
        'a("# // /* %", X) :- p(X), X != "//".',
        "a :- p in [5\n# p/0].",
        "a(X) :- X <-3, p(X).",
        "n <- 3 :- p(3).",
        "1 { a; b } 2.",
        "a(X) :- p(X), X = 7 \\ 2. % a comment, with a % sign",
        "#const n = 5. a :- p in [n sec]. #tick 1 sec.",
        "in(X) :- at(X), always(X), since(X), and(X), last(X).",
    ],
)
def test_what_is_valid_is_read_as_before(text: str) -> None:
    assert not [one for one in check(Source("x.lars", text)) if one.severity is Severity.ERROR]


def test_every_pattern_of_other_spellings_is_met_by_a_broken_program() -> None:
    """The programs in tests/broken show what each entry of the table says."""
    said_of_all = "".join(path.read_text() for path in BROKEN.glob("*.txt"))
    messages = {spelling.message.replace("{mark}", "") for spelling in SPELLINGS}
    assert not [message for message in messages if message.strip() not in said_of_all]
