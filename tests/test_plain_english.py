"""Messages, the help of commands and the Python reference stay free of the patterns that are hard to read."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIMITS = {
    r"\b[Bb]ehind\b|\b[Bb]esides?\b": 0.2,
    r"\bstands?\b|\bstood\b": 0.1,
    r"\bbut for\b|\banew\b|\bso is\b": 0.2,
    r"\b(?:of|by|from|to|in) (?:which|whom|what)\b": 0.8,
    r"\b[Ww]hat (?:is|are|was|has|it|they|comes|follows)\b": 0.5,
    r"\b(?:that|those) of\b": 0.8,
    r"\b(?:the|another|last|next|first) one\b": 0.6,
    r"\b(?:is|are|was|were) (?:said|told)\b": 0.2,
}
"""Patterns, and how often they may occur in 1,000 words."""

MESSAGES = ("lars2asp", "externals", "runtime")
PAGES = ("docs/reference/python/index.md", "docs/reference/command-line.md")
LOG_FORMS = "runtime/command_line/log_forms"
"""Its strings are patterns and declarations."""


def test_messages_are_plain() -> None:
    folders = (ROOT / name for name in MESSAGES)
    files = [
        one for folder in folders for one in folder.rglob("*.py") if not one.is_relative_to(ROOT / LOG_FORMS)
    ]
    assert _faults(" ".join(text for one in files for text in _messages(one))) == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_made_of_docstrings_and_help_are_plain(page: str) -> None:
    text = re.sub(r"```.*?```|`[^`]*`", " ", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    assert _faults(text) == []


def test_the_patterns_find_faults() -> None:
    assert len(
        _faults("What is not said stands behind that of the last one, but for those of which it is told.")
    ) == len(LIMITS)


def _faults(text: str) -> list[str]:
    """The patterns that occur too often, with their matches."""
    words = len(text.split())
    found = {pattern: [one.group() for one in re.finditer(pattern, text)] for pattern in LIMITS}
    return [
        f"{pattern}: {len(matches)} in {words} words: {matches[:5]}"
        for pattern, matches in found.items()
        if 1000 * len(matches) > LIMITS[pattern] * words
    ]


def _messages(file: Path) -> Iterator[str]:
    """The texts of three words or more in a module, except its docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    left_out = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    left_out |= {id(part) for one in ast.walk(tree) if isinstance(one, ast.JoinedStr) for part in one.values}
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(one.value) if isinstance(one, ast.Constant) else "X" for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if len(re.findall(r"[a-z]{2,}", text)) >= 3 and " " in text.strip():
            yield text
