"""Broken and odd programs, and what is said about them, to the letter: tests/broken/*.lars and .txt."""

from pathlib import Path

import pytest

from lars2asp.compiler import check
from lars2asp.syntax.source import Source

PROGRAMS = sorted((Path(__file__).parents[1] / "broken").glob("*.lars"))


def said(path: Path) -> str:
    """All diagnostics of the program in a file, the file without its folder."""
    found = check(Source(path.name, path.read_text(encoding="utf-8")))
    return "".join(f"{diagnostic}\n" for diagnostic in found)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_what_is_said_about_a_broken_program(path: Path) -> None:
    assert said(path) == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_there_are_two_dozen_of_them() -> None:
    assert len(PROGRAMS) >= 24
