"""For the site: the words behind the language of a code block (a file name, options) become its title."""

import re
from typing import Any

_FENCE = re.compile(r"^(```\w+) (.+)$", re.MULTILINE)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The text of a page; MkDocs calls this before it is rendered."""
    return _FENCE.sub(r'\1 title="\2"', markdown)
