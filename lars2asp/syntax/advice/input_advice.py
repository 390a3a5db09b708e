"""What to write for a part of `#input` or `#table` that is in a wrong place, or has another name."""

import re
from typing import NamedTuple

from lars2asp.syntax.source import shown

_ORDER = ("from", "at", "each", "records", "where")
_PART = re.compile(
    r'"(?:[^"\\\n]|\\.)*+"|[()]|(?<![A-Za-z0-9_])(?:from|at|each|records|where)(?![A-Za-z0-9_])'
)
_LAST_WORD = re.compile(r"([a-z]+)\s*\Z")
_OTHER_WORDS = ("if", "when", "with", "filter")
_LONGEST = 150


class InputAdvice(NamedTuple):
    """A message, and what to write."""

    message: str
    hint: str


def input_advice(text: str, begin: int, found: str) -> InputAdvice | None:
    """Advice on a statement that cannot be read from an offset on; None if there is none.

    Args:
        text: the statement.
        begin: where the text begins that cannot be read.
        found: that text.
    """
    last = _LAST_WORD.search(text, 0, begin)
    words = (found, "" if last is None else last[1])
    parts = _parts(text[:begin])
    if "default" in words:
        return InputAdvice("`default` is called `or`", "write the default after its column: p(temp or 0)")
    if found == "or" and "where" in parts:
        return InputAdvice("`where` needs all its conditions", "write one declaration for each alternative")
    if words[1] == "where" and "where" not in parts:
        hint = "write `where` at the end, after the time: p(temp) at time where temp > 3"
        return InputAdvice("`where` is inside the columns", hint)
    if found in _OTHER_WORDS:
        return InputAdvice(
            f"unexpected {found}", "write conditions after `where`, at the end: where temp > 3"
        )
    if found == "where" and "where" in parts:
        return InputAdvice(
            "`where` is there twice", "put a comma between conditions: where temp > 3, temp < 9"
        )
    if found in _ORDER and parts:
        ordered = _in_order(text)
        return InputAdvice(
            f"`{found}` is after `{parts[-1]}`", ordered and f"write {shown(ordered, _LONGEST)}"
        )
    return None


def _parts(text: str) -> list[str]:
    """The words in a text that begin its parts."""
    return [word for word, _ in _cut(text)[1:]]


def _in_order(text: str) -> str:
    """The statement with its parts in their order; empty if one is there twice."""
    (_, head), *parts = _cut(text.strip().removesuffix("."))
    words = [word for word, _ in parts]
    if len(set(words)) < len(words):
        return ""
    ordered = sorted(parts, key=lambda part: _ORDER.index(part[0]))
    return " ".join([head.strip(), *(f"{word} {' '.join(rest.split())}" for word, rest in ordered)]) + "."


def _cut(text: str) -> list[tuple[str, str]]:
    """The parts of a statement, each with the word that begins it; the first has none."""
    found, depth, word, begin = list[tuple[str, str]](), 0, "", 0
    for match in _PART.finditer(text):
        if match[0] in ("(", ")"):
            depth += 1 if match[0] == "(" else -1
        elif depth == 0 and match[0] in _ORDER:
            found.append((word, text[begin : match.start()]))
            word, begin = match[0], match.end()
    return [*found, (word, text[begin:])]
