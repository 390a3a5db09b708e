"""Messages and pages stay free of the patterns that are hard to read, address the reader, and stay short."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.pages import DOCS, PAGES, ROOT, page_name

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
GENERATED = ("command-line.md", "messages.md", "directives.md", "python/index.md")
"""Pages of the reference that are made of docstrings and tables."""
WRITTEN = [page for page in PAGES if page not in {DOCS / "reference" / name for name in GENERATED}]
ADDRESSED = ("get-started", "concepts", "how-to", "trades", "help")
"""The folders whose pages speak to the reader."""
LEAST_ADDRESSED = 10
"""How often you or your must occur on them in 1,000 words."""
MOST_WORDS, MOST_WORDS_OF_SEMANTICS, MOST_WORDS_TOGETHER = 1_500, 1_800, 55_000
LOG_FORMS = "runtime/command_line/log_forms"
"""Its strings are patterns and declarations."""


def test_messages_are_plain() -> None:
    folders = (ROOT / name for name in MESSAGES)
    files = [
        one for folder in folders for one in folder.rglob("*.py") if not one.is_relative_to(ROOT / LOG_FORMS)
    ]
    assert _faults(" ".join(text for one in files for text in _messages(one))) == []


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=page_name)
def test_pages_are_plain(page: Path) -> None:
    assert _faults(_prose(page)) == []


def test_pages_address_the_reader() -> None:
    pages = [page for page in PAGES if page_name(page).split("/")[0] in ADDRESSED]
    text = " ".join(map(_prose, pages))
    assert len(pages) > 40
    assert 1000 * len(re.findall(r"\b[Yy]ou(?:rs?)?\b", text)) >= LEAST_ADDRESSED * len(text.split())


def test_written_pages_are_short() -> None:
    words = {page_name(page): len(page.read_text(encoding="utf-8").split()) for page in WRITTEN}
    changes, semantics = words.pop("changelog.md"), words.pop("concepts/semantics.md")
    assert changes and semantics <= MOST_WORDS_OF_SEMANTICS
    assert [name for name, count in words.items() if count > MOST_WORDS] == []
    assert sum(words.values()) + semantics <= MOST_WORDS_TOGETHER


def test_the_patterns_find_faults() -> None:
    assert len(
        _faults("What is not said stands behind that of the last one, but for those of which it is told.")
    ) == len(LIMITS)


def _prose(page: Path) -> str:
    """The text of a page without code, pictures, headings, tables and addresses of links."""
    text = re.sub(r"(?ms)^```.*?^```|<!--.*?-->", " ", page.read_text(encoding="utf-8"))
    return re.sub(r"(?m)`[^`]*`|\]\([^)]*\)|^[|#].*$", " ", text)


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
