"""What objects show of themselves in a shell and in a notebook: bounded, and escaped."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice

from lars2asp.syntax.source import shown

MOST_LISTED = 20
"""The number of items that are listed."""


def listed(items: Iterable[object], count: int) -> str:
    """The first items of so many, and how many more there are."""
    found = [shown(str(item)) for item in islice(items, MOST_LISTED)]
    rest = [f"... and {count - len(found)} more"] if count > len(found) else []
    return ", ".join([*found, *rest])


def html_table(heading: str, rows: Iterable[Sequence[object]], count: int) -> str:
    """A heading and the first rows of so many as HTML."""
    found = [[shown(str(cell)) for cell in row] for row in islice(rows, MOST_LISTED)]
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in found)
    rest = f"<p>... and {count - len(found)} more</p>" if count > len(found) else ""
    table = f"<table>{body}</table>" if found else ""
    return f"<div><p><b>{escape(shown(heading))}</b></p>{table}{rest}</div>"


def counted(number: int, noun: str) -> str:
    """A number of things."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
