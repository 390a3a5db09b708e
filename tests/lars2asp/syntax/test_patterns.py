"""Regular expressions that are compiled late."""

import re

from lars2asp.syntax.patterns import pattern


def test_patterns_find_what_regular_expressions_find() -> None:
    late = pattern(r"(?P<scheme>[a-z]+)://", re.IGNORECASE)
    for _ in range(2):
        found = late.match("TCP://x")
        assert found and found["scheme"] == "TCP"
        assert late.fullmatch("tcp://x") is None
        assert late.sub("", "a://b://") == ""
    assert late.pattern == r"(?P<scheme>[a-z]+)://"
    assert next(map(late.search, ["", "u://"])) is None


def test_patterns_are_compiled_when_they_are_used() -> None:
    late = pattern("(")
    try:
        late.match("")
    except re.error:
        return
    raise AssertionError("it was not compiled")
