r"""Strings as programs, tests and facts write them.

`\n`, `\"` and `\\` are clingo's escapes. `\u{HEX}` is the character with this number: our own texts have it
for each character that is not printable. Text for clingo has the characters themselves.
"""

import re
from typing import NamedTuple

ESCAPE = r'\\(?:["n\\]|u\{0*(?:10[0-9A-Fa-f]{4}|[0-9A-Fa-f]{1,5})\})'
"""An escape, as a pattern; `STRING` of grammar.lark has it as well."""

_STRING = re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+("?)')
_WHOLE_STRING = re.compile(rf'"(?:[^"\\\n]++|{ESCAPE})*+"')
_BLANKS = re.compile(r'("(?:[^"\\\n]++|\\.)*+")|[ \t\r\n\f]+')
_ESCAPED = re.compile(r"\\(?:u\{([0-9A-Fa-f]+)\}|(.))")
_ANY_ESCAPE = re.compile(rf"{ESCAPE}|\\(.)")
_CHARACTER = re.compile(rf"(?={ESCAPE})\\u\{{[^}}]*\}}")
_NOT_HELD = re.compile("[\0\ud800-\udfff]")


def escaped(text: str) -> str:
    r"""A text as a line of our own texts has it: `\u{HEX}` for all characters that are not printable."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else rf"\u{{{ord(one):x}}}" for one in text)


def quoted(text: str) -> str:
    """The string of a text as our own texts have it."""
    return escaped(clingo_string(text))


def clingo_string(text: str) -> str:
    r"""The string of a text as clingo has it; what clingo cannot hold is `\u{HEX}`."""
    written = text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    if not written.isprintable():
        written = _NOT_HELD.sub(lambda found: escaped(found[0]), written)
    return f'"{written}"'


def is_held(text: str) -> bool:
    """Whether clingo can hold a text: one without null characters and halves of surrogate pairs."""
    return text.isprintable() or _NOT_HELD.search(text) is None


def with_escapes(text: str) -> str:
    r"""A text of the language without scripts, with `\u{HEX}` for what is not printable in its strings."""
    return text if text.isprintable() else _WHOLE_STRING.sub(lambda found: escaped(found[0]), text)


def on_one_line(text: str) -> str:
    """A piece of a program without comments on one line; its strings stay as they are."""
    return _BLANKS.sub(lambda found: found[1] or " ", text).strip()


def unquoted(string: str) -> str:
    """The text for which a string stands that has no wrong escape."""
    return unescaped(string[1:-1])


def unescaped(text: str) -> str:
    """A text with the characters for which its escapes stand."""
    return _ESCAPED.sub(_character, text) if "\\" in text else text


def _character(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else "\n" if found[2] == "n" else found[2]


def with_characters(text: str) -> str:
    r"""A text with the characters for which `\u{HEX}` stands; other backslashes are themselves."""
    return _CHARACTER.sub(lambda found: unescaped(found[0]), text) if r"\u{" in text else text


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
    escapes = [*_ANY_ESCAPE.finditer(text, *string.span())]
    for escape in escapes:
        sign = escape[1]
        if sign == "u":
            hint = r"write \u{HEX}, as \u{9} for a tabulator, up to \u{10ffff}; or \\u for a backslash and u"
            return WrongEscape(escape.start(), r"\u needs the number of a character in braces", hint)
        if sign is not None:
            own = r", or \u{9} for a tabulator" if sign == "t" else ""
            others = r"; \n in it is a line break" if any(other[0] == r"\n" for other in escapes) else ""
            hint = rf"write \\{sign} for a backslash and {sign}{own}{others}"
            return WrongEscape(escape.start(), f"{escape[0]} is not an escape in a string", hint)
    return None


def first_wrong_escape(text: str) -> WrongEscape | None:
    """The same of the first string of a text that has one."""
    found = (wrong_escape(text, string.start()) for string in _STRING.finditer(text))
    return next((one for one in found if one is not None), None)
