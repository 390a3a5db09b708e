"""Forms of lines as rows of a table."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lars2asp.runtime.sources.survey.line_form import LineForm, LineKind

CONTINUED = (
    "lines that continue a record, such as a stack trace, are skipped: to add them to the message, "
    "write FILE?multiline=yes"
)

LEVEL = (
    r"(?i:TRACE|DEBUG|FINE|INFO|INFORMATION|LOG|NOTE|NOTICE|WARN|WARNING|ERROR|ERR|SEVERE|CRIT|CRITICAL|ALERT"
    r"|FATAL|EMERG|PANIC|SYSTEM)\b"
)
"""What programs call how bad it is."""

CLOCK = r"\d\d:\d\d:\d\d"
ISO_TIME = rf"\d{{4}}-\d\d-\d\d[T ]{CLOCK}"
ISO = rf"{ISO_TIME}(?:[.,]\d+)?(?: ?(?:Z|[+-]\d\d:?\d\d))?"


class Row(NamedTuple):
    """A form of one declaration.

    Attributes:
        name: what it is called.
        time: a regular expression of the time with which its lines begin; empty if other words begin them.
        like: what stands behind it, or on the whole line.
        columns: the arguments.
        pattern: which lines it fits.
        at: the time, as behind `at`.
        decimals: of its numbers.
        said: remarks.
        predicate: the name of its facts.
    """

    name: str
    time: str
    like: str
    columns: str
    pattern: str
    at: str = ""
    decimals: str = ""
    said: tuple[str, ...] = ()
    predicate: str = "logged"


def forms_of(rows: Iterable[Row]) -> Iterator[LineForm]:
    """The forms of a table. If their lines begin with times, others may continue them."""
    for row in rows:
        kind = LineKind(row.predicate, row.columns, row.pattern, row.at, row.decimals)
        said = (*row.said, *([CONTINUED] if row.time else []))
        yield LineForm(row.name, (kind,), like=f"^{row.time}{row.like}", begun=row.time, said=said)
