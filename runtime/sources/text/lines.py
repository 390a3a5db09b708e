"""Input of one record a line."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import (
    OnReject,
    Origin,
    Record,
    Rejected,
    TruncatedRecord,
    of_one,
)
from lars2asp.runtime.sources.text.numbered_lines import FileLines, numbered, text_of
from lars2asp.runtime.sources.text.text_files import is_utf8

Read = Callable[[str, Origin], Sequence[Record | Rejected]]
"""Gives the records of a line, mostly one, and what of it is rejected by itself; or raises InputError."""


def read_records(
    lines: Iterable[str],
    name: str,
    read: Read,
    on_reject: OnReject,
    *,
    comment: str | None = None,
    takes_bytes: bool = False,
) -> Iterator[Sequence[Record]]:
    """The records that `read` makes of each line; those for which it raises InputError are rejected.

    Blank lines are passed over, and those that begin with the comment sign, if there is one. Bytes that are
    not UTF-8, and the byte 0, are read as `\\xff` and `\\x00` if `takes_bytes`. Of lines of a file those that
    are there without waiting come together, up to the next that is rejected.
    """
    if isinstance(lines, FileLines):
        while several := lines.several():
            first = lines.number - len(several) + 1
            records, rejected = list[Record](), list[Rejected]()
            for number, line in enumerate(map(text_of, several), start=first):
                origin = Origin(name, number, line.rstrip("\r\n"))
                found = line_records(
                    line, origin, read, rejected.append, comment=comment, takes_bytes=takes_bytes
                )
                if rejected:
                    yield records
                    for one in rejected:
                        on_reject(one)
                    records, rejected = [], []
                records += found
            yield records
        return
    lines = numbered(lines)
    for line in lines:
        origin = Origin(name, lines.number, line.rstrip("\r\n"))
        yield line_records(line, origin, read, on_reject, comment=comment, takes_bytes=takes_bytes)


def line_records(
    line: str,
    origin: Origin,
    read: Read,
    on_reject: OnReject,
    *,
    comment: str | None = None,
    takes_bytes: bool = False,
) -> Sequence[Record]:
    """The records of one line; none if it is rejected. See `read_records`."""
    if not line or (comment is not None and line.lstrip().startswith(comment)):
        return ()
    try:
        if isinstance(line, TruncatedRecord):
            raise InputError(line.reason)
        if line.isspace():
            return ()
        if not is_utf8(line):
            if not takes_bytes:
                raise InputError("the line is not UTF-8 text")
            line = line.encode(errors="surrogateescape").decode(errors="backslashreplace")
        if takes_bytes and "\0" in line:  # no string has it
            line = line.replace("\0", "\\x00")
        found = read(line, origin)
    except InputError as error:
        on_reject(Rejected(origin, str(error)))
        return ()
    for one in found:
        if isinstance(one, Rejected):
            on_reject(one)
    records = [one for one in found if isinstance(one, Record)]
    if len(records) > 1 and all(one.origin is origin for one in records):
        return of_one(records)
    return records


def single(read: Callable[[str, Origin], Record]) -> Read:
    """Reads lines with one record each."""
    return lambda line, origin: (read(line, origin),)
