"""Measured figures in pages: times, rates, ratios and memory, and the commands that give them.

What counts as one is what is written as measurements are: a number with the symbol of a unit (`2.4 us`,
`0.3 s`, `383 MiB`, `20 %`), a rate (`400,000 rows a second`), a ratio of time, memory or speed (`1.4 times as
fast`, `a third of the time`), or what a table says of its numbers (`microseconds a row`).
Durations that programs say are code (`5 min`) or words (ten minutes), and do not count.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support.pages import BLOCK

_NUMBER = r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?"
_SYMBOL = r"(?:ns|us|µs|ms|s|%|per cent|[KMG]i?B)(?!\w)"
_COUNTED = r"(?:facts|rows|records|lines|events|changes|messages|ticks|keys)"
_PART = r"(?:half|(?:an?|one|two|three) (?:third|quarter|fifth|tenth|twentieth|hundredth)s?)"
_TIMES = rf"(?:{_NUMBER} ?(?:times|x)(?!\w)|twice|(?:two|three|four|five|ten) times)"
_COST = r"(?:time|memory|CPU(?: time)?|speed|size)"
FIGURE = re.compile(
    rf"{_NUMBER} ?{_SYMBOL}"
    rf"|{_NUMBER} {_COUNTED} (?:take )?(?:an?|{_NUMBER}) (?:second|minute|hour)|{_COUNTED}/s\b"
    rf"|{_NUMBER} bytes (?:an?|for each) |{_TIMES} what "
    r"|(?:[Mm]icro|[Mm]illi|CPU )seconds (?:an? |of CPU|for each )"
    rf"|{_TIMES} (?:(?:the |its )?{_COST}\b|as (?:fast|long|much)\b|faster|slower|longer)"
    rf"|{_PART} (?:of )?(?:the |its |all (?:of )?the )?{_COST}\b|{_PART} (?:faster|slower|longer)"
)
COMMAND = re.compile(
    r"`(?:\.venv/bin/)?(?:python -m )?experiments (?P<name>[a-z-]+)[^`]*`"
    r"|`make (?P<target>[a-z-]+)[^`]*`|`python -m (?P<module>examples[\w.]*)[^`]*`|`[^`]*pip install [^`]*`"
)
_CODE = re.compile(r"`[^`]+`")


class Figure(NamedTuple):
    """A measured figure.

    Attributes:
        text: the number with its unit.
        line: where it stands.
        block: the paragraph, item or table that it stands in.
    """

    text: str
    line: int
    block: str


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """Headings, paragraphs, items of lists and tables of a page, with their lines; not its blocks of code."""
    blank = BLOCK.sub(lambda code: "\n" * code[0].count("\n"), text)
    lines: list[str] = []
    first = 1
    for number, line in enumerate([*blank.splitlines(), ""], start=1):
        begins = line.startswith("#") or _is_item(line)
        if (begins or not line.strip()) and lines:
            yield first, "\n".join(lines)
            lines = []
        if line.strip():
            if not lines:
                first = number
            lines.append(line)


def figures_without_command(text: str) -> list[Figure]:
    """The measured figures of a page of which nothing near says what command gives them.

    Near is the block itself; for an item the paragraph above its list; for others the blocks before and
    after, since a table and what is said of it are two.
    """
    found = []
    all_blocks = [*blocks(text)]
    texts = [block for _, block in all_blocks]
    for place, (line, block) in enumerate(all_blocks):
        if any(COMMAND.search(" ".join(other.split())) for other in _near(place, texts)):
            continue
        plain = _CODE.sub("`code`", " ".join(block.split()))
        found += [Figure(match[0], line, block) for match in FIGURE.finditer(plain)]
    return found


def _near(place: int, all_blocks: Sequence[str]) -> list[str]:
    block = all_blocks[place]
    if _is_item(block):
        above = [other for other in all_blocks[:place] if not _is_item(other)][-1:]
        return [block, *(other for other in above if not other.startswith("#"))]
    beside = all_blocks[max(0, place - 1) : place + 2]
    return [
        other for other in beside if not other.startswith("#") and (not _is_item(other) or other == block)
    ]


def _is_item(block: str) -> bool:
    return re.match(r"(?:-|\d\.) ", block) is not None


def commands(text: str) -> Sequence[re.Match[str]]:
    """The commands that a page names."""
    return [*COMMAND.finditer(" ".join(text.split()))]


def read(page: Path) -> str:
    """The text of a page."""
    return page.read_text(encoding="utf-8")
