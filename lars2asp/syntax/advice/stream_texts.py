"""Streams that stand where they are not read: lines of input in a program, and logs of other systems."""

import json
import re

_TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\s:;]*(?::[^\s:;]+)*|\d+"
_JSON = re.compile(r'\{\s*"[^"]*"\s*:')
_FACTS = re.compile(rf"(?:{_TIME})\s*:(?:\s|[a-z]|$)")
_LOG = re.compile(rf"(?P<time>{_TIME})\s+(?P<atoms>-?[_']*[a-z][^:]*?);(?P<change>[-+]?)\s*$")


def stream_advice(line: str) -> str | None:
    """What to do with a program that begins with this line; None where it may be one."""
    text = line.strip()
    if _JSON.match(text):
        return "give the file with --input FILE"
    if _FACTS.match(text):
        return "give the file with --input FILE --format facts"
    rewritten = rewritten_log(text)
    if rewritten is None:
        return None
    form = "" if rewritten.startswith("{") else " --format facts"
    return f"write its lines as {rewritten} and give the file with --input FILE{form}"


def rewritten_log(line: str) -> str | None:
    """A line of a log of I-DLV-sr or of Distributed LARS as it is read here; None for other lines."""
    found = _LOG.match(line.strip())
    if found is None:
        return None
    atoms = [atom.strip() for atom in found["atoms"].split(";")]
    if found["change"]:
        verb = "begin" if found["change"] == "+" else "end"
        return json.dumps({"time": found["time"], verb: atoms})
    return f"{found['time']}: {', '.join(atoms)}"
