"""The message for a syntax error, in the words of the user's text."""

import re
from collections.abc import Callable

from lars2asp.syntax import codes, directives, nodes
from lars2asp.syntax.advice.foreign_units import is_unit, meant, milliseconds
from lars2asp.syntax.advice.input_advice import input_advice
from lars2asp.syntax.advice.spelling_advice import FirstMistake, advice_on
from lars2asp.syntax.diagnostics import Diagnostics, Edit
from lars2asp.syntax.parsing.parse_tables import UnexpectedTextError
from lars2asp.syntax.parsing.prefixed_names import as_written
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Location, shown
from lars2asp.syntax.string_escapes import wrong_escape

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
    "UNIT": "a time unit (tick, msec, sec, min, hour, day)",
    "LONG_UNIT": "a week, month or year",
    "_HASH": "'#'",
    "_STEP": "'step'",
}
_DECIMAL = re.compile(r"[0-9]+\.[0-9]")
_QUOTE_WITHIN = re.compile(r'"(?:[^"\\\n]|\\.)*\\"')
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*+"')
_UNDECLARED = re.compile(r"([A-Za-z]\w*):\w")
_NUMBER_BEFORE = re.compile(r"[0-9]+\s*$")
_DIRECTIVE = re.compile(r"#[A-Za-z_+]+")
_TICK = re.compile(r"^[^%\n]*#tick\s+(?P<number>[0-9]+)\s*(?P<unit>[A-Za-z]+)\s*\.", re.MULTILINE)
_HEAD_END = re.compile(r":[-~]")
_TERM_TOKENS = {"NUMBER", "IDENTIFIER", "VARIABLE", "STRING", "LPAR"}
_OPERATORS = {
    *("DOTS", "POWER", "STAR", "SLASH", "BACKSLASH", "PLUS", "MINUS", "CARET", "QUESTION", "AMPERSAND"),
    *("LESS_EQUAL", "GREATER_EQUAL", "LESS", "GREATER", "UNEQUAL", "EQUAL", "AGGREGATE"),
}


def report_syntax_error(
    error: UnexpectedTextError,
    text: str,
    located: Callable[[int, int], Location],
    diagnostics: Diagnostics,
    first_mistake: FirstMistake | None,
) -> None:
    """Notes a syntax error of a statement's text; `located` gives the place of a span of it.

    Without `first_mistake`, in the languages of others, nothing is proposed that only lars2asp would read.
    """
    begin, found, expected = error.begin, as_written(error.found), error.expected
    if found == '"' and (escape := wrong_escape(text, begin)) is not None:
        diagnostics.error(
            located(escape.at, escape.at + 2), escape.message, escape.hint, code=codes.WRONG_ESCAPE
        )
        return
    is_input = text.startswith(("#input", "#table")) and first_mistake is not None
    if is_input and (about := input_advice(text, begin, found)) is not None:
        diagnostics.error(
            located(begin, begin + len(found)), about.message, about.hint, code=codes.COLUMN_SYNTAX
        )
        return
    advice = None
    if first_mistake is not None:
        written = _with_comments(located(0, len(text)))
        advice = advice_on(written, begin, first_mistake, _tick(located(0, 0)))
    if advice is not None:
        change = advice.change
        edit = None if change is None else Edit(located(change.begin, change.end), change.text)
        diagnostics.error(
            located(advice.begin, advice.end), advice.message, advice.hint, edit=edit, code=advice.code
        )
        return
    if not found:
        diagnostics.error(
            located(max(0, len(text) - 1), len(text)),
            "the text ends in the middle of a statement",
            "after the dot of a weak constraint write [weight@priority, term]"
            if text.startswith(":~") and text.endswith(".")
            else "end the statement with '.'",
            edit=None if text.endswith(".") else Edit(located(len(text), len(text)), "."),
            code=codes.MISSING_DOT,
        )
        return
    if found in (":-", ":~") and (rule := _rule_begin(text, begin)):
        line = located(rule, rule).line - 1
        diagnostics.error(
            located(rule, begin + len(found)),
            "a new rule begins inside another one",
            f"is a '.' missing at the end of line {line}?",
            edit=_dot_before(rule, text, located),
            code=codes.MISSING_DOT,
        )
        return
    message, hint, edit = f"unexpected {shown(found)}", "", None
    code = codes.UNEXPECTED_TEXT
    is_first_of_its_line = text[:begin].rpartition("\n")[2].strip() == ""
    if is_first_of_its_line and "_DOT" in expected:
        hint, code = "is a '.' missing at the end of the line before?", codes.MISSING_DOT
        edit = _dot_before(begin, text, located)
    elif _DECIMAL.match(text, begin - 1 if found == "." else begin):
        message, code = "decimals are not numbers here", codes.NOT_A_WHOLE_NUMBER
        hint = "use whole numbers: choose a smaller unit, or multiply by 10"
    elif found == '"' and (string := _STRING.match(text, begin)) is not None:
        message, hint = f"unexpected {shown(string[0])}", "this language has no text in quotes"
    elif found == '"':
        message, hint = "this string is never closed", 'close it with " on the same line'
        code = codes.NEVER_CLOSED
        if _QUOTE_WITHIN.match(text, begin):
            hint += r"; \" is a quote within it, and \\ a backslash at its end"
    elif other := _DIRECTIVE.match(text, begin):
        found = other[0]
        message = f"unexpected {shown(found)}"
        is_in_body = ":-" in text[:begin] or ":~" in text[:begin]
        hint = (
            "aggregates are #count, #sum, #sum+, #min, #max"
            if is_in_body
            else f"directives are {', '.join(directives.DIRECTIVES)}"
        )
        code = codes.UNEXPECTED_TEXT if is_in_body else codes.UNKNOWN_DIRECTIVE
        if not is_in_body and (near := directives.meant(found)) is not None:
            hint, edit = f"did you mean {near}?", Edit(located(begin, begin + len(found)), near)
        if found in ("#count", "#sum", "#min", "#max"):
            hint = "use an aggregate in a body or a head, with one term on each side"
            code = codes.UNEXPECTED_TEXT
        elif found == "#theory":
            hint, code = "lars2asp does not support theory atoms", codes.UNSUPPORTED_SYNTAX
    elif found in ("in", "always", "[") and ":" not in text[:begin] and "_AT" in expected:
        hint = "a head cannot have a window: an atom holds now, or `at` a tick"
        code = codes.WINDOW_IN_HEAD
    elif (
        found == ":" and (prefix := _PREFIX.search(text, 0, begin)) and text[begin + 1 : begin + 2].isalnum()
    ):
        hint = f"declare the prefix: #prefix {prefix[0]}: <http://example.org/>."
        code = codes.PREFIX
    elif text.startswith("#input") and (name := _UNDECLARED.match(text, begin)):
        hint = f"declare the prefix: #prefix {name[1]}: <http://example.org/>."
        code = codes.PREFIX
    elif found == "rounded" and text.startswith(("#input", "#table")):
        hint = "write rounded directly after number(...): number(temp) rounded or 0"
        code = codes.CONVERSION
    elif (directive := directives.directive_of(text)) is not None and directive.hint:
        hint, code = directive.hint, codes.DIRECTIVE_SYNTAX
    elif found == "&":
        hint, code = "lars2asp does not support theory atoms", codes.UNSUPPORTED_SYNTAX
    elif "UNIT" in expected and is_unit(found) and (number := _NUMBER_BEFORE.search(text, 0, begin)):
        message, hint = f"{found} is not a unit of time", f"write {meant(number[0].strip(), found)}"
        code = codes.UNKNOWN_UNIT
    elif tokens := _describe(expected):
        message += f", expected {tokens}"
        if directive is not None and directive.name != "#temp":
            code = codes.COLUMN_SYNTAX if "columns" in directive.parts else codes.DIRECTIVE_SYNTAX
    diagnostics.error(located(begin, begin + len(found)), message, hint, edit=edit, code=code)


def _dot_before(at: int, text: str, located: Callable[[int, int], Location]) -> Edit:
    """A dot behind what stands before a line."""
    end = len(text[:at].rstrip())
    return Edit(located(end, end), ".")


def atom_hint(term: nodes.Term) -> str:
    """What to write where a term stands in an atom's place."""
    match term:
        case nodes.Variable(name) if name.lower() in ("true", "false"):
            return f"write #{name.lower()}"
        case nodes.Variable(name) if not term.is_anonymous:
            small = _CAPITAL.sub(lambda found: found[0].lower(), name, count=1)
            return f"{name} is a variable: write the predicate with a small first letter, as {small}"
        case nodes.UnaryOperation("~", nodes.Function() as atom):
            return f"write not {to_text(atom)}"
        case nodes.Number() if (decimal := _decimal_with_comma(term.location)) is not None:
            return f"decimals have a point: write {decimal}"
        case _:
            return "write an atom as name or name(term,...,term)"


def _decimal_with_comma(fraction: Location) -> str | None:
    """The number that `25,0` is to be, by the place of what stands behind the comma; None for others."""
    source, begin, end = fraction
    whole = _WHOLE.search(source.text, max(0, begin - _LONGEST_WHOLE), begin)
    return None if whole is None else f"{whole[1]}.{source.text[begin:end]}"


def member_hint(variable: nodes.Variable, window: nodes.OffsetWindow) -> str:
    """What to write for `X in {1,2}`."""
    values = ";".join(map(to_text, window.offsets))
    return f"write {variable.name} = {f'({values})' if len(window.offsets) > 1 else values}"


_PREFIX = re.compile(r"(?<![A-Za-z0-9_'@])[A-Za-z][A-Za-z0-9_]*\Z")
_CAPITAL = re.compile("[A-Z]")
_WHOLE = re.compile(r"\b([0-9]+),\Z")
_LONGEST_WHOLE = 12
_ARROW = re.compile(r"\A(?:#temp\s+)?-?[_']*[a-z][\w']*(?:\([^<]*\))?\s*(<-)\s*(?=[A-Za-z_@#{(])")


def report_arrow(text: str, located: Callable[[int, int], Location], diagnostics: Diagnostics) -> None:
    """Notes `a <- b.`, which says that a is less than -b."""
    arrow = _ARROW.match(text)
    if arrow is not None and ":-" not in text:
        begin, end = arrow.span(1)
        meant = " ".join(f"{text[:begin]}:-{text[end:]}".split())
        diagnostics.error(
            located(begin, end),
            "<- is not an arrow: it compares with a negative term",
            f"write {meant}",
            edit=Edit(located(begin, end), ":-"),
            code=codes.MISPLACED_HEAD,
        )


def _tick(place: Location) -> int | None:
    """The length of a tick that the source of a statement gives, in milliseconds."""
    found = _TICK.search(place.source.text)
    return None if found is None else milliseconds(found["number"], found["unit"]) or None


def _with_comments(place: Location) -> str:
    """The text of a statement with its comments, blank in what is parsed, to the end of its line."""
    text = place.source.text
    end = text.find("\n", place.end)
    return text[place.begin : end if end >= 0 else len(text)]


def _rule_begin(text: str, second: int) -> int | None:
    """The offset of the line with which a second rule begins in a statement; None where none does."""
    begin = text.rfind("\n", 0, second) + 1
    is_another = _HEAD_END.search(text, 0, begin) is not None or _HEAD_END.search(text, begin, second) is None
    if not begin or not is_another:
        return None
    line = text[begin:second]
    return begin + len(line) - len(line.lstrip()) if line.strip() else None


def _describe(expected: frozenset[str]) -> str:
    if expected >= _TERM_TOKENS:
        return "a term" if "NOT" not in expected else "an atom or a literal"
    words = [_WORDS[token] for token in _WORDS if token in expected - _OPERATORS]
    return ", ".join(words[:-1]) + " or " + words[-1] if len(words) > 1 else "".join(words)
