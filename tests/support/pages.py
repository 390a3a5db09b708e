"""The pages that people read: their text without code, their links and their anchors."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
"""The pages of the site."""

FILES = DOCS / "files"
"""Files that pages offer for download."""

BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#{1,6}) (.*)$", re.MULTILINE)
CODE = re.compile(r"(`+)(.+?)\1")
_PICTURE = re.compile(r"<!-- picture: .*?-->", re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def page_name(page: Path) -> str:
    """How tests name a page: by its path within the site."""
    return str(page.relative_to(DOCS if page.is_relative_to(DOCS) else ROOT))


def without_code(page: Path) -> str:
    """The text of a page without blocks of code and pictures."""
    return _PICTURE.sub("", BLOCK.sub("", page.read_text()))


def links(page: Path) -> list[str]:
    """The links of a page that do not lead to other hosts."""
    return [link for link in _LINK.findall(CODE.sub("", without_code(page))) if "://" not in link]


def anchors(page: Path) -> list[str]:
    """The anchors of a page's headings, as GitHub makes them: of equal ones the later bear numbers."""
    found: list[str] = []
    before: Counter[str] = Counter()
    for _, title in HEADING.findall(without_code(page)):
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found.append(f"{anchor}-{before[anchor]}" if before[anchor] else anchor)
        before[anchor] += 1
    return found
