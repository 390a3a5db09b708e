"""The site changes a page before it is rendered: install lines, and the changelog."""

import re
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support.pages import DOCS, PAGES, ROOT

sys.path.insert(0, str(DOCS / "_site"))

hooks = import_module("hooks")
CHANGES = (ROOT / "CHANGES.md").read_text()
INSTALLING = [page for page in PAGES if "<!-- if " in page.read_text()]


def prepared(page: Path, *, published: bool = False) -> str:
    place = SimpleNamespace(file=SimpleNamespace(src_uri=str(page.relative_to(DOCS))))
    config = SimpleNamespace(extra={"published": published}, docs_dir=str(DOCS))
    return str(hooks.on_page_markdown(page.read_text(), page=place, config=config))


@pytest.mark.parametrize("page", INSTALLING, ids=lambda page: page.stem)
def test_one_setting_switches_the_install_lines(page: Path) -> None:
    here, there = prepared(page), prepared(page, published=True)
    assert "\npip install ." in here or "pip install '.[" in here
    assert "pip install lars2asp" not in here and "pip install 'lars2asp" not in here
    assert "\npip install ." not in there and "pip install '.[" not in there
    assert "pip install lars2asp" in there or "pip install 'lars2asp[" in there
    for text in (here, there):
        assert "<!-- if" not in text and "<!-- end" not in text


def test_the_landing_page_and_the_install_page_are_among_them() -> None:
    assert {page.name for page in INSTALLING} >= {"index.md", "install.md"}


def test_the_changelog_is_that_of_the_repository() -> None:
    shown = prepared(DOCS / "changelog.md")
    assert shown.startswith("# Changelog\n") and shown.count("\n# ") == 0
    headings = re.findall(r"^#.*$", CHANGES, re.MULTILINE)[1:]
    if "## [Unreleased]\n\n## " in CHANGES:
        headings.remove("## [Unreleased]")
    assert re.findall(r"^#.*$", shown, re.MULTILINE)[1:] == [re.sub(r"[][]", "", one) for one in headings]
    linked = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", shown)
    assert len(linked) > 20
    assert all((DOCS / link) in PAGES for link in linked)
