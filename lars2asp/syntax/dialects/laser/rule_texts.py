"""Cuts a text into rules of Laser, which have no dots.

Laser has its rules as strings of Python. A file has one a line, or such a list of strings as it stands there.
"""

import re
from collections.abc import Iterator

from lars2asp.syntax.parsing.statement_texts import StatementText

_FRAME = re.compile(r"\s*(?:(?:[A-Za-z_]\w*\s*=\s*)?\[|\],?)\s*")
"""What stands around a list of rules."""

_COMMENT = re.compile(r"\s*[#%].*\s*")
_STRING = re.compile(r'\s*"(?P<rule>[^"\n]*)"\s*,?\s*(?:#.*)?\s*')
_END = re.compile(r"(?:(?<![^\s()',])(?:and|not)|:-|,|\()\s*\Z")
_BEGIN = re.compile(r"\s*(?:and(?![^\s'(),])|:-|\)|,)")
_QUOTED = re.compile(r"'[^'\n]*'")


def rule_texts(text: str) -> Iterator[StatementText]:
    """The rules of a text; one goes on in the next line where a formula or a bracket is not closed."""
    rule: StatementText | None = None
    begin = 0
    for line in text.splitlines(keepends=True):
        string = _STRING.fullmatch(line)
        is_frame = _FRAME.fullmatch(line) is not None
        plain = " " * len(line) if _COMMENT.fullmatch(line) else line
        is_new = string is not None or is_frame or (bool(plain.strip()) and not _goes_on(rule, plain))
        if is_new and rule is not None:
            yield _ended(rule)
        if is_new:
            rule = None if string is not None or is_frame else StatementText(plain, begin)
            if string is not None and string["rule"].strip():
                yield _ended(StatementText(string["rule"], begin + string.start("rule")))
        elif rule is not None:
            rule = StatementText(rule.text + plain, rule.begin)
        begin += len(line)
    if rule is not None:
        yield _ended(rule)


def _goes_on(rule: StatementText | None, line: str) -> bool:
    """Whether a rule goes on in a line."""
    if rule is None:
        return False
    plain = _QUOTED.sub("", rule.text)
    is_open = plain.count("(") > plain.count(")") and ":-" not in _QUOTED.sub("", line)
    return is_open or _END.search(plain) is not None or _BEGIN.match(line) is not None


def _ended(rule: StatementText) -> StatementText:
    """A rule without blanks around it, and without the dot that a rule has elsewhere."""
    begin = len(rule.text) - len(rule.text.lstrip())
    text = rule.text.strip()
    return StatementText(text.removesuffix(".").rstrip(), rule.begin + begin)
