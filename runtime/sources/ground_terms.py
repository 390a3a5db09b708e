"""Ground terms written as clingo's `parse_term` takes them, arithmetic left out."""

import re

from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Row, Term, Value, function, tuple_term
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.text_files import is_utf8
from lars2asp.syntax.nodes import LARGEST_INTEGER, MOST_NESTED
from lars2asp.syntax.source import shown

DECIMAL_HINT = "scale it to an integer (21.5 as 215)"

# Repeated groups are possessive (`*+`): otherwise each repetition is kept, 100 bytes or so for a character.
_STRING = re.compile(
    r'"(?:[^"\\\n]++|\\["n\\])*+("?)'
)  # as clingo reads it, or what stands behind an open quote
_LONG_NUMBER = re.compile(r"(?<![A-Za-z0-9_'])[0-9]{10,}")
_DECIMAL = re.compile(r"(?<![A-Za-z0-9_'])[0-9]+\.[0-9]+")
_VARIABLE = re.compile(r"(?<![A-Za-z0-9_'])_*'*[A-Z][A-Za-z0-9_']*|(?<![A-Za-z0-9_'])_(?![A-Za-z0-9_'])")
_NOT_GROUND = re.compile(r"\.\.|;|@")
_ARITHMETIC = re.compile(r"[+*/\\^&?|~]|[A-Za-z0-9_')\"]\s*-")
_OTHER_BASE = re.compile(r"(?<![A-Za-z0-9_'])0(?:x[0-9A-Fa-f]+|o[0-7]+|b[01]+)")
_NESTING = re.compile(r"[()]|(?:-\s*)++")

_TOKEN = re.compile(
    r"""[ \t\r\n]*+(?:
        (?P<sign>[(),-])
        |(?P<number>0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+|0|[1-9][0-9]*)
        |(?P<name>[_']*[a-z][A-Za-z0-9_']*)
        |"(?P<string>(?:[^"\\\n]++|\\["n\\])*+)"
        |(?P<least>\#inf(?:imum)?)
        |(?P<largest>\#sup(?:remum)?)
        |(?P<end>\Z)
    )""",
    re.VERBOSE,
)
_ESCAPED = re.compile(r"\\(.)")


class _NoTermError(ValueError):
    """Raised where no term can go on so."""


def parse_terms(text: str) -> list[Value]:
    """The values of ground terms with commas between them, at least one.

    Raises:
        InputError: saying what is wrong and what to do.
    """
    check_characters(text)
    _check_ground(text, _STRING.sub(r'"\1', text))
    try:
        return _Reader(text).all()
    except _NoTermError as error:
        raise no_atom(f"'{shown(text)}'") from error


def no_atom(text: str) -> InputError:
    """The error for a text, as it is shown, that stands for no atom."""
    return InputError(f"{text} is no atom: an atom is a name or name(argument,...)")


def is_refused(text: str) -> bool:
    """Whether clingo cannot hold a text."""
    return "\0" in text or not is_utf8(text)


def check_characters(text: str) -> None:
    """Raises InputError for text that clingo cannot hold."""
    if "\0" in text:
        raise InputError(f"'{shown(text)}' contains a null character")
    if not is_utf8(text):
        raise InputError(f"'{shown(text)}' is not UTF-8 text")


def _check_ground(text: str, bare: str) -> None:
    """Raises InputError for what is not ground; `bare` is the text with strings left out."""
    text = shown(text)
    if '"' in bare.replace('""', ""):
        raise InputError(
            f"{text}: a string is not closed, or has something behind \\ other than n, \\ and quotes"
        )
    if (decimal := _DECIMAL.search(bare)) is not None:
        raise InputError(
            f"{text}: {shown(decimal[0])} is a decimal where an integer is needed: {DECIMAL_HINT}"
        )
    for number in _LONG_NUMBER.findall(bare):
        if len(number) > 10 or int(number) > LARGEST_INTEGER:
            raise InputError(f"{text}: the number {shown(number)} has more than 32 bits")
    for number in _OTHER_BASE.findall(bare):
        if int(number, 0) > LARGEST_INTEGER:
            raise InputError(f"{text}: the number {shown(number)} has more than 32 bits")
    if (sign := _ARITHMETIC.search(bare)) is not None:
        raise InputError(f"{text}: {shown(sign[0])} cannot stand in a fact, which is no place for arithmetic")
    if not bare.isascii():
        other = next(character for character in bare if not character.isascii())
        raise InputError(f"{text}: {shown(other)} can stand only in a string")
    if _is_deep(bare):
        raise InputError(f"the atom is nested more than {MOST_NESTED} levels deep")
    if (variable := _VARIABLE.search(bare)) is not None:
        raise InputError(f"{text} is not ground: {shown(variable[0])} is a variable")
    if (sign := _NOT_GROUND.search(bare)) is not None:
        raise InputError(f"{text} is no single ground atom: {sign[0]} cannot stand in a fact")


def _is_deep(bare: str) -> bool:
    """Whether a term is nested so deep that clingo could not take it; quick where it clearly is not."""
    if bare.count("(") + bare.count("-") <= MOST_NESTED:
        return False
    depth = 0
    for found in _NESTING.finditer(bare):
        sign = found[0]
        depth += 1 if sign == "(" else -1 if sign == ")" else 0
        if depth > MOST_NESTED or len(sign) > MOST_NESTED:
            return True
    return False


class _Reader:
    """Reads terms; each method raises _NoTermError.

    Attributes:
        kind: that of the next token: a group of `_TOKEN`, or the sign itself.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._token = self.kind = ""
        self._take()

    def all(self) -> list[Value]:
        """All terms of the text."""
        values, has_comma = self._terms()
        if has_comma or self.kind != "end":
            raise _NoTermError
        return values

    def _terms(self) -> tuple[list[Value], bool]:
        """Terms with commas between them, at least one, and whether a comma stands behind the last."""
        values = [self._term()]
        while self.kind == ",":
            self._take()
            if self.kind == ")":
                return values, True
            values.append(self._term())
        return values, False

    def _term(self) -> Value:
        signs = 0
        while self.kind == "-":
            self._take()
            signs += 1
        value = self._unsigned()
        return _negated(value, signs) if signs else value

    def _unsigned(self) -> Value:
        kind, token = self.kind, self._token
        self._take()
        match kind:
            case "number":
                return int(token, 0)
            case "string":
                return _ESCAPED.sub(_unescaped, token) if "\\" in token else token
            case "name":
                return function(token, self._arguments() if self.kind == "(" else ())
            case "(":
                return self._tuple()
            case "least":
                return INFIMUM
            case "largest":
                return SUPREMUM
        raise _NoTermError

    def _arguments(self) -> Row:
        """What stands in the parentheses of a function."""
        self._take()
        values, has_comma = ([], False) if self.kind == ")" else self._terms()
        if has_comma:
            raise _NoTermError
        self._take(")")
        return tuple(values)

    def _tuple(self) -> Value:
        """What stands in parentheses, of which the first was taken: a single term is itself."""
        values, is_tuple = list[Value](), True
        if self.kind == ",":  # (,) is the empty tuple
            self._take()
        elif self.kind != ")":
            values, is_tuple = self._terms()
        self._take(")")
        return tuple_term(tuple(values)) if is_tuple or len(values) > 1 else values[0]

    def _take(self, kind: str | None = None) -> None:
        """Goes on behind the next token, which is of a kind."""
        found = _TOKEN.match(self._text, self._place)
        if found is None or (kind is not None and self.kind != kind):
            raise _NoTermError
        self._place, self._token = found.end(), found[found.lastindex or 0]
        self.kind = self._token if found.lastgroup == "sign" else found.lastgroup or ""


def _negated(value: Value, signs: int) -> Value:
    """A value behind minus signs."""
    if isinstance(value, int):
        return -value if signs % 2 else value
    if not isinstance(value, Term) or value is INFIMUM or value is SUPREMUM:
        raise _NoTermError
    return function(value.name, value.arguments, is_positive=value.is_positive is (signs % 2 == 0))


def _unescaped(found: re.Match[str]) -> str:
    return "\n" if found[1] == "n" else found[1]
