"""Hints of syntax errors."""

import pytest

from tests.support.programs import said


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
