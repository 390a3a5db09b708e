"""For MkDocs: changes a page before it is rendered.

- The words after the language of a code block become its title: a file name, or options.
- `extra: published:` of mkdocs.yml chooses among `<!-- if published -->` ... `<!-- end -->` and the same with
  `repository`.
- `<!-- changes -->` becomes the text of CHANGES.md.
- A block `stream` gets a picture, if it can be drawn. A block `windows` becomes a picture, and so does
  `<!-- sliding window -->` and `<!-- picture: UNIT` with the lines of a stream up to `-->`.
- `![text](img/name.png)` also shows name-dark.png in the dark theme and name-narrow.png on narrow pages, if
  these files exist.
"""

import re
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from pictures import NotDrawnError, sliding_picture, stream_picture, window_picture

_BLOCK = re.compile(
    r"^```(?P<kind>[\w-]+)(?: (?P<info>[^\n]+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_CHOICE = re.compile(r"<!-- if (\w+) -->\n(.*?)<!-- end -->\n", re.DOTALL)
_PICTURE = re.compile(r"<!-- picture: ([^\n]+)\n(.*?)-->", re.DOTALL)
_IMAGE = re.compile(r"!\[([^\]]*)\]\(((?:[\w./-]+/)?[\w-]+)(\.svg|\.png)\)")
_TICK = re.compile(r"^#tick\s+(?:1 )?([^.]+)\.", re.MULTILINE)
_UNITS = {"sec": "seconds", "min": "minutes", "hour": "hours", "day": "days"}
LANGUAGES = {"stream": "text", "check": "text", "why": "text"}
"""Kinds of blocks that are shown as another language."""


def on_config(config: Any) -> Any:
    """Every page names the version that it describes; MkDocs calls this first."""
    config.copyright = f"lars2asp {version('lars2asp')}"
    return config


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """The text of a page; MkDocs calls this before it is rendered."""
    chosen = "published" if config.extra.get("published") else "repository"
    markdown = _CHOICE.sub(lambda part: part[2] if part[1] == chosen else "", markdown)
    if "<!-- changes -->" in markdown:
        markdown = markdown.replace("<!-- changes -->", changes(Path(config.docs_dir)))
    markdown = _PICTURE.sub(lambda found: stream_picture(found[2], found[1].strip()), markdown)
    markdown = markdown.replace("<!-- sliding window -->", sliding_picture())
    folder = (Path(config.docs_dir) / page.file.src_uri).parent
    unit = "ticks"
    parts, end = [], 0
    for block in _BLOCK.finditer(markdown):
        parts.append(_with_variants(markdown[end : block.start()], folder))
        parts.append(_block(block, unit))
        end = block.end()
        if block["kind"] == "lars":
            unit = _unit_of(block["text"])
    return "".join([*parts, _with_variants(markdown[end:], folder)])


def changes(docs: Path) -> str:
    """CHANGES.md without its title and an empty section; links lead from the folder of the pages."""
    text = (docs.parent / "CHANGES.md").read_text(encoding="utf-8").partition("\n\n")[2]
    text = text.replace("## [Unreleased]\n\n## ", "## ").replace("](docs/", "](")
    return re.sub(r"^## \[(.*?)\]", r"## \1", text, flags=re.MULTILINE)


def _block(block: re.Match[str], unit: str) -> str:
    kind, info, text = block["kind"], block["info"] or "", block["text"]
    if kind == "windows":
        given = dict(part.split("=") for part in info.split())
        rows = [tuple(re.split(r" {2,}", line.strip(), maxsplit=1)) for line in text.splitlines()]
        at = [int(tick) for tick in given.get("events", "").split(",") if tick]
        begin = int(given["begin"]) if "begin" in given else None
        return window_picture([(row[0], row[1]) for row in rows], at, begin)
    title = f' title="{info}"' if info else ""
    shown = f"```{LANGUAGES.get(kind, kind)}{title}\n{text}```"
    if kind != "stream":
        return shown
    try:
        return f"{stream_picture(text, unit)}\n\n{shown}"
    except NotDrawnError:
        return shown


def _unit_of(program: str) -> str:
    found = _TICK.search(program)
    return "ticks" if found is None else _UNITS.get(found[1], f"ticks of {found[1]}")


def _with_variants(text: str, folder: Path) -> str:
    def variants(found: re.Match[str]) -> str:
        caption, name, ending = found.groups()
        widths = [("", "")]
        if (folder / f"{name}-narrow{ending}").exists():
            widths = [("", ".wide"), ("-narrow", ".narrow")]
        themes = [("", "")]
        if (folder / f"{name}-dark{ending}").exists():
            themes = [("", "#only-light"), ("-dark", "#only-dark")]
        return "".join(
            f"![{caption}]({name}{width}{theme}{ending}{only}){f'{{ {kind} }}' if kind else ''}"
            for width, kind in widths
            for theme, only in themes
        )

    return _IMAGE.sub(variants, text)
