"""Pages that need no other file: how they begin, and how they stand in a notebook.

They may run their own script and style, and load nothing.
"""

from html import escape

FRAME_HEIGHT = 480
"""That of a page in a notebook, in pixels."""

PAGE_HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
"""


def framed_page(page: str, title: str) -> str:
    """A page within a notebook."""
    return (
        f'<iframe sandbox="allow-scripts" style="width:100%;height:{FRAME_HEIGHT}px;border:0" '
        f'title="{escape(title)}" srcdoc="{escape(page)}"></iframe>'
    )
