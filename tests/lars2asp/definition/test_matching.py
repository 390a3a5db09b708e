"""Matching of terms with values."""

import pytest

from lars2asp.definition.matching import match
from lars2asp.definition.terms import Bindings, Value, read_atom, read_row


@pytest.mark.parametrize(
    ("term", "wanted", "found"),
    [
        ("X", "f(1)", {"X": "f(1)"}),
        ("f(X,X)", "f(1,2)", None),
        ("f(X,_)", "f(1,2)", {"X": "1"}),
        ("-X", "-a", {"X": "a"}),
        ("-(X,1)", "-(2,1)", {"X": "2"}),
        ("2*X+1", "7", {"X": "3"}),
        ("2*X+1", "8", None),
        ("2*X+1", "a", None),
        ("3-X", "5", {"X": "-2"}),
        ("c*X", "4", {"X": "2"}),
        ("(X-1)*-2", "6", {"X": "-2"}),
        ("0*X", "0", {}),
        ("X*65536*65536", "0", {"X": "0"}),
        ("X*65536*65536", "4294967296", {"X": "1"}),
        ("@now-X", "3", {}),
        ("X+X", "4", {}),
        ("X/2", "4", {}),
    ],
)
def test_what_is_bound(term: str, wanted: str, found: dict[str, str] | None) -> None:
    """Of arithmetic `a*X+b` alone, where a and b are constants; other arithmetic passes while it is open."""
    (pattern,) = read_atom(f"p({term})").arguments
    known: Bindings = {"@now": 4, "c": 2}
    bound = match(pattern, read_value(wanted), known)
    expected = None if found is None else {name: read_value(text) for name, text in found.items()}
    assert (bound and {name: value for name, value in bound.items() if name not in known}) == expected


def read_value(text: str) -> Value:
    """The value that a text says."""
    (value,) = read_row(f"v({text})")
    return value
