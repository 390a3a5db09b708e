"""Streams that stand where they are not read: lines of input in a program, and logs of other systems."""

import re

_TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\s:;]*(?::[^\s:;]+)*|\d+"
_JSON = re.compile(r'\{\s*"[^"]*"\s*:')
_FACTS = re.compile(rf"(?:{_TIME})\s*:(?:\s|[a-z]|$)")
_LOG = re.compile(rf"(?:{_TIME})\s+-?[_']*[a-z][^:]*?;(?P<sign>[-+]?)\s*$")


def stream_advice(line: str) -> str | None:
    """What to do with a program that begins with this line; None where it may be one."""
    text = line.strip()
    if _JSON.match(text):
        return "pass the file as --input FILE"
    form = "facts" if _FACTS.match(text) else log_format(text)
    return None if form is None else f"pass the file as --input FILE --input-format {form}"


def log_format(line: str) -> str | None:
    """The format of a line of a log of I-DLV-sr or of Distributed-SR; None for other lines."""
    found = _LOG.match(line.strip())
    return None if found is None else "dsr" if found["sign"] else "idlvsr"
