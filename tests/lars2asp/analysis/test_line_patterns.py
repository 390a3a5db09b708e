"""Patterns of lines of text, with places."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.analysis.line_patterns import LinePattern, LinePatternError


@pytest.mark.parametrize(
    ("pattern", "line", "expected"),
    [
        ("for (invalid user )?{u} from {ip} port", "x for  root from 1.2 port 3", {"u": "root", "ip": "1.2"}),
        (
            "for (invalid user )?{u} from {ip} port",
            "for invalid user a b from 1 port",
            {"u": "a b", "ip": "1"},
        ),
        ("for {u} from", "for from", None),
        ("{a} - {b}", "one two - three four", {"a": "one two", "b": "three"}),
        ("{a}( p {c})? q", "z p y q", {"a": "z", "c": "y"}),
        ("{a}( p {c})? q", "z q", {"a": "z", "c": ""}),
        ("(user {u}|uid {n}) in", "the uid 7 in", {"u": "", "n": "7"}),
        ("(user {u}|uid {u}) in", "the uid 7 in", {"u": "7"}),
        ('[{t}] "{r}" {} {n}', '[a b] "GET /" 200 17', {"t": "a b", "r": "GET /", "n": "17"}),
        ("a\\(b\\{ {x}\\|", "a(b{ 1|2", {"x": "1"}),
        ("a.b{x}", "aXb1 a.b2", {"x": "2"}),
    ],
)
def test_what_stands_at_places(pattern: str, line: str, expected: dict[str, str] | None) -> None:
    found = LinePattern(pattern)
    cells = found.cells(line)
    assert (None if cells is None else dict(zip(found.names, cells, strict=True))) == expected


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(a|b {x}", "it has a ( without its )"),
        ("a {x})", "it has a ) without its ("),
        ("{a}{b}", "two places have no text between them that would end the first"),
        ("{a}(x)?{b}", "two places have no text between them that would end the first"),
        ("{", "{ begins a place, such as {user}; \\{ stands for itself"),
        ("words alone", "it has no place, such as {user}"),
        ("{a} \\", "\\ stands before the sign that it makes stand for itself"),
        ("{a}|{b}", "| stands in ( ) alone"),
    ],
)
def test_what_is_no_pattern(pattern: str, reason: str) -> None:
    with pytest.raises(LinePatternError) as caught:
        _ = LinePattern(pattern).names
    assert str(caught.value) == reason


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b ", "x", ": "]), min_size=2, max_size=4), st.text("abx: ", max_size=14)
)
def test_places_are_the_shortest_texts_between_others(texts: list[str], line: str) -> None:
    """As non-greedy parts of a regular expression take them, where blanks are written as they stand."""
    pattern = "".join(f"{text}{{p{number}}}" for number, text in enumerate(texts)) + "x"
    parts = "".join(rf"{_plain(text)}(.+?)" for text in texts)
    found = re.search(f"{parts}x", line)
    cells = LinePattern(pattern).cells(line)
    if cells is not None:
        assert found is not None
    if found is not None and cells is not None and "  " not in line and not any(t[-1] == " " for t in texts):
        assert [*cells] == [*found.groups()]


def _plain(text: str) -> str:
    return re.sub(r"\s+", r"\\s+", re.escape(text).replace("\\ ", " "))


def test_no_line_takes_long() -> None:
    """Each of these would take for ever if places gave back what they have taken."""
    line = "a" * 2000
    many = "".join(f"a{{p{number}}}" for number in range(12)) + "b"
    assert LinePattern(many).cells(line) is None
    assert LinePattern("(a|aa)?(a|aa)?{x} {y} {z}!").cells(f"{line} " * 2) is None
