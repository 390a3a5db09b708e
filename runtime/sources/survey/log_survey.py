"""A look at lines of text: whether they are a log of a kind that is known, and its rows."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from lars2asp.analysis.line_patterns import LinePattern

KNOWN_PATTERNS = (
    r'{ip} {} {user} [{time}] "{request}" {status} {size}',
    "<{}>1 {time} {host} {app} ",
    "{} {} {} {host} {program}([{pid}])?: ",
    "{time} {host} {program}([{pid}])?: ",
)
"""Of nginx and Apache, syslog by RFC 5424 and by RFC 3164, and that with timestamps of ISO 8601."""

FIRST_LINES = 200
"""The number of lines by which a pattern is chosen."""

_TIME = "time"
_DATE_WORDS = 3


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
        text: sum(LinePattern(text).cells(line) is not None for line in filled) for text in KNOWN_PATTERNS
    }
    text = max(fitting, key=lambda one: fitting[one])
    if not filled or filled[0].lstrip("\ufeff ")[:1] in ("{", "[") or 10 * fitting[text] < 9 * len(filled):
        return None
    pattern = LinePattern(text)
    finds_time = _TIME not in pattern.names
    header = (*pattern.names, _TIME) if finds_time else pattern.names

    def rows() -> Iterator[Sequence[str]]:
        for line in chain(first, rest):
            cells = pattern.cells(line.rstrip("\r\n"))
            if cells is not None:
                yield [*cells, " ".join(line.split()[:_DATE_WORDS])] if finds_time else cells

    return LogRows(text, header, rows())
