"""A look at lines of text: whether they are a log of a kind that is known, and its rows."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from lars2asp.analysis.line_patterns import LinePattern

_WEB = '^{ip:word} {:word} {user:text} [{time:text}] "{request:quoted}" {status:int} {size:word}'
_PROGRAM = "({program:word}[{pid:int}]: |{program:word}: )"

KNOWN_PATTERNS = (
    rf'{_WEB} "{{:quoted}}" "{{:quoted}}"$',
    rf"{_WEB}$",
    "^<{:int}>1 {time:word} {host:word} {app:word} ",
    f"^{{host:word}} {_PROGRAM}",
    f"^{{time:word}} {{host:word}} {_PROGRAM}",
)
"""Of nginx and Apache, with browsers and without; syslog by RFC 5424, by RFC 3164, and with ISO 8601."""

FIRST_LINES = 200
"""The number of lines by which a pattern is chosen."""

_TIME = "time"
_DATE = re.compile(r"(?:<[0-9]+>)?(\S+\s+\S+\s+\S+)\s+")
"""The words of a time that stands where a pattern without a place for it begins."""


class LogRows(NamedTuple):
    """Lines as a table.

    Attributes:
        pattern: which of them it reads.
        header: the places of the pattern, and the time where it has no place for it.
        rows: what stands there, of lines that it fits.
    """

    pattern: str
    header: Sequence[str]
    rows: Iterator[Sequence[str]]


def log_rows(lines: Iterable[str]) -> LogRows | None:
    """Lines as rows of the pattern that fits most of the first ones; None where none fits nine of ten."""
    rest = iter(lines)
    first = [line.rstrip("\r\n") for line in islice(rest, FIRST_LINES)]
    filled = [line for line in first if line.strip()]
    fitting = {
        text: sum(_cells(LinePattern(text), line) is not None for line in filled) for text in KNOWN_PATTERNS
    }
    text = max(fitting, key=lambda one: fitting[one])
    if not filled or filled[0].lstrip("\ufeff ")[:1] in ("{", "[") or 10 * fitting[text] < 9 * len(filled):
        return None
    pattern = LinePattern(text)
    header = pattern.names if _TIME in pattern.names else (*pattern.names, _TIME)
    rows = (cells for line in chain(first, rest) if (cells := _cells(pattern, line)) is not None)
    return LogRows(text, header, rows)


def _cells(pattern: LinePattern, line: str) -> Sequence[str] | None:
    """What places have in a line, and the time if it has no place; None if the pattern does not fit."""
    line = line.rstrip("\r\n")
    if _TIME in pattern.names:
        found, more = pattern.cells(line), list[str]()
    elif (date := _DATE.match(line)) is not None:
        found, more = pattern.cells(line, date.end()), [" ".join(date[1].split())]
    else:
        return None
    return None if found is None else [*("" if cell is None else cell for cell in found), *more]
