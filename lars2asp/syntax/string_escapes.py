r"""Escapes in strings: `\n`, `\"` and `\\` alone, as clingo has them."""

import re
from typing import NamedTuple

_STRING = re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+("?)')
_ESCAPE = re.compile(r"\\(.)")


class WrongEscape(NamedTuple):
    """An escape that is none: its place in a text, what is wrong, and what to write."""

    at: int
    message: str
    hint: str


def wrong_escape(text: str, begin: int = 0) -> WrongEscape | None:
    """The first escape that is none in the string that begins there.

    None where the string is not closed on its line, or all escapes in it are right.
    """
    string = _STRING.match(text, begin)
    if string is None or not string[1]:
        return None
    escapes = [*_ESCAPE.finditer(text, *string.span())]
    for escape in escapes:
        sign = escape[1]
        if sign not in 'n"\\':
            own = ", or a tabulator itself" if sign == "t" else ""
            others = r"; \n in it is a line break" if any(other[1] == "n" for other in escapes) else ""
            hint = rf"write \\{sign} for a backslash and {sign}{own}{others}"
            return WrongEscape(escape.start(), f"{escape[0]} is not an escape in a string", hint)
    return None


def first_wrong_escape(text: str) -> WrongEscape | None:
    """The same of the first string of a text that has one."""
    found = (wrong_escape(text, string.start()) for string in _STRING.finditer(text))
    return next((one for one in found if one is not None), None)
