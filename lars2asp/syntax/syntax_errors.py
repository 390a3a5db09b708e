"""The message for a syntax error, in the words of the user's text."""

import re
from collections.abc import Callable
from pathlib import Path

from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.parse_tables import UnexpectedTextError
from lars2asp.syntax.source import Location, shown

_WORDS = {
    "_DOT": "'.'",
    "_IF": "':-'",
    "COMMA": "','",
    "SEMICOLON": "';'",
    "COLON": "':'",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "VBAR": "'|'",
    "SLASH": "'/'",
    "EQUAL": "'='",
    "_IN": "'in'",
    "_AT": "'at'",
    "NUMBER": "a number",
    "IDENTIFIER": "a name",
    "AGGREGATE": "an aggregate",
    "UNIT": "a time unit (msec, sec, min, hour, day)",
    "_HASH": "'#'",
    "_STEP": "'step'",
}
_DECIMAL = re.compile(r"[0-9]+\.[0-9]")
_DIRECTIVE = re.compile(r"#[A-Za-z_+]+")
_DIRECTIVE_TOKEN = re.compile(r"^_?[A-Z]+: /(#[a-z]+)", re.MULTILINE)
_TERM_TOKENS = {"NUMBER", "IDENTIFIER", "VARIABLE", "STRING", "LPAR"}
_OPERATORS = {
    *("DOTS", "POWER", "STAR", "SLASH", "BACKSLASH", "PLUS", "MINUS", "CARET", "QUESTION", "AMPERSAND"),
    *("LESS_EQUAL", "GREATER_EQUAL", "LESS", "GREATER", "UNEQUAL", "EQUAL", "AGGREGATE"),
}


def report_syntax_error(
    error: UnexpectedTextError, text: str, located: Callable[[int, int], Location], diagnostics: Diagnostics
) -> None:
    """Notes a syntax error of a statement's text; `located` gives the place of a span of it."""
    begin, found, expected = error.begin, error.found, error.expected
    if not found:
        diagnostics.error(
            located(max(0, len(text) - 1), len(text)),
            "the text ends within a statement",
            "behind its dot stands a weak constraint's [weight@priority, term]"
            if text.startswith(":~") and text.endswith(".")
            else "a statement ends with '.'",
        )
        return
    message, hint = f"unexpected {shown(found)}", ""
    is_first_of_its_line = text[:begin].rpartition("\n")[2].strip() == ""
    if is_first_of_its_line and "_DOT" in expected:
        hint = "is a '.' missing at the end of the line before?"
    elif _DECIMAL.match(text, begin - 1 if found == "." else begin):
        message, hint = (
            "decimals are no numbers here",
            "numbers are whole: take a smaller unit, or scale them",
        )
    elif found == '"':
        message, hint = "this string is never closed", 'close it with " on the same line'
    elif directive := _DIRECTIVE.match(text, begin):
        found = directive[0]
        message = f"unexpected {shown(found)}"
        is_in_body = ":-" in text[:begin] or ":~" in text[:begin]
        hint = (
            "aggregates are #count, #sum, #sum+, #min, #max"
            if is_in_body
            else f"directives are {', '.join(_directives())}"
        )
        if found in ("#count", "#sum", "#min", "#max"):
            hint = "an aggregate stands in a body or a head, with one term on either side"
        elif found == "#theory":
            hint = "theory atoms are not supported"
    elif found in ("in", "always", "[") and ":" not in text[:begin] and "_AT" in expected:
        hint = "a window cannot stand in a head: an atom holds now, or `at` a tick"
    elif text.startswith("#include"):
        hint = 'the file\'s name stands in quotes: #include "file.lars".'
    elif text.startswith("#timezone"):
        hint = 'the zone\'s name stands in quotes: #timezone "Europe/Vienna".'
    elif found == "&":
        hint = "theory atoms are not supported"
    elif tokens := _describe(expected):
        message += f", expected {tokens}"
    diagnostics.error(located(begin, begin + len(found)), message, hint)


def _describe(expected: frozenset[str]) -> str:
    if expected >= _TERM_TOKENS:
        return "a term" if "NOT" not in expected else "an atom or a literal"
    words = [_WORDS[token] for token in _WORDS if token in expected - _OPERATORS]
    return ", ".join(words[:-1]) + " or " + words[-1] if len(words) > 1 else "".join(words)


def _directives() -> list[str]:
    """All directives, in the order of their tokens in the grammar."""
    return _DIRECTIVE_TOKEN.findall(Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8"))
