"""Explanations as HTML."""

import re
from collections.abc import Callable
from html.parser import HTMLParser

from lars2asp.runtime.explanations.words.claims import Claim
from lars2asp.runtime.explanations.words.html import html_of, in_page
from tests.runtime.explanations.trees import NOON, Trees, plain, rule_of, window

VOID = {"meta", "rect"}


class Reader(HTMLParser):
    """The elements and the text of a page; they are closed in the order in which they were opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["title"]):
            self.words.append(data)


def page(claim: Claim, shown_tick: Callable[[int], str]) -> str:
    """The page of a claim."""
    return in_page(html_of(claim, shown_tick), claim, shown_tick)


def test_lines_unfold() -> None:
    page = Reader(html_of(Trees().alarm(), NOON))
    assert page.elements.count("details") == 4
    assert page.elements.count("li") == 7
    text = "".join(page.words)
    assert text.startswith("alarm(kitchen) at 2026-01-01 12:07 UTCrooms.lars:6alarm(R) :- hot(R)")
    assert "12:06  reading(kitchen,270), 270 > 250a.csv:5" in text
    assert text.endswith("no record of opened(kitchen)")


def test_a_lane_is_a_bar_that_says_at_how_many_ticks_the_atom_holds() -> None:
    trees = Trees()
    body = window("p in [9]", trees.told("p", 2, "a:1"), over=(0, 9), holding=[(2, 3)])
    html = html_of(trees.rule("a", 9, rule_of("a :- p in [9]."), body), str)
    assert 'aria-label="holds at 2 of 10 ticks"' in html
    assert re.findall(r'<rect x="(\d+)" width="(\d+)"[^>]*fill-opacity="([^"]+)"', html) == [
        ("0", "12", ".15"),
        ("12", "12", "1"),
        ("24", "36", ".15"),
    ]


def test_strings_with_markup_are_text() -> None:
    trees = Trees()
    evil = 'said("</code><script>alert(1)</script><img src=x onerror=y>&amp;")'
    claim = trees.claim("a", 7, trees.told(evil, 7, "<b>.csv:1").reason, label="<i>")
    for body in (
        html_of(trees.rule("x", 7, rule_of("x :- <y>."), plain(trees.told(evil, 7, "<b>.csv:1"))), str),
        html_of(claim, lambda tick: f"<{tick}>"),
        page(trees.told(evil, 7, "<b>.csv:1"), str),
    ):
        read = Reader(body)
        assert not {"script", "img", "b", "i", "y"} & set(read.elements)
        assert "<b>.csv:1" in "".join(read.words)
    assert evil in "".join(Reader(page(trees.told(evil, 7, "a"), str)).words)
    assert "<title>said(&quot;&lt;/code&gt;" in page(trees.told(evil, 7, "a"), str)


def test_a_page_is_whole_and_needs_nothing_else() -> None:
    found = page(Trees().alarm(), NOON)
    assert found.startswith("<!DOCTYPE html>")
    assert Reader(found).elements[:2] == ["html", "head"]
    assert not re.search(r"https?:|url\(|<script|<link|@import", found)


def test_depth_and_a_thousand_rules() -> None:
    trees = Trees()
    claim = trees.told("p(0)", 7, "a.csv:1")
    for number in range(1, 1001):
        claim = trees.rule(f"p({number})", 7, rule_of("p(X+1) :- p(X)."), plain(claim))
    assert Reader(html_of(claim, str, 2)).elements.count("details") == 4
    assert Reader(html_of(claim, str)).elements.count("details") == 120
    assert Reader(html_of(claim, str, 1000)).elements.count("details") == 2000
