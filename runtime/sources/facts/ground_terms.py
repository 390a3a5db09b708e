"""Ground terms written as clingo's `parse_term` takes them, arithmetic left out."""

import re
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from lars2asp.externals.terms.terms import (
    INFIMUM,
    SUPREMUM,
    GroundAtom,
    Term,
    Value,
    constant,
    function,
    tuple_term,
)
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.text.text_files import is_utf8
from lars2asp.syntax.nodes import (
    LARGEST_NUMBER,
    MOST_DIGITS,
    MOST_NESTED,
    MOST_PROPOSED,
    Decimals,
    Signature,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import shown
from lars2asp.syntax.string_escapes import ESCAPE, first_wrong_escape, unquoted
from lars2asp.syntax.values import dataclass

SCALE_HINT = "write an integer (215 tenths for 21.5)"
DECIMAL_HINT = f"declare its decimals (for example #decimals reading(_,1).), or {SCALE_HINT}"

LONGEST_SPLIT = 256
"""In characters: of longer texts the tokens are not all held at once."""

# Repeated groups are possessive (`*+`): otherwise each repetition is kept, 100 bytes or so for a character.
_STRING = re.compile(
    rf'"(?:[^"\\\n]++|{ESCAPE})*+("?)'
)  # as programs have it, or what stands behind an open quote
_WITH_LINE_END = re.compile(r'"[^"\n]*\n[^"]*"')
_LONG_NUMBER = re.compile(r"(?<![A-Za-z0-9_'])(?:0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+|[0-9]{10,})")
_DECIMAL = re.compile(r"(?<![A-Za-z0-9_'])[0-9]+\.[0-9]+")
_VARIABLE = re.compile(r"(?<![A-Za-z0-9_'])_*'*[A-Z][A-Za-z0-9_']*|(?<![A-Za-z0-9_'])_(?![A-Za-z0-9_'])")
_NOT_GROUND = re.compile(r"\.\.|;|@")
_ARITHMETIC = re.compile(r"[+*/\\^&?|~]|[A-Za-z0-9_')\"]\s*-")
_NESTING = re.compile(r"[()]|(?:-\s*)++")

_BLANK = "[ \\t\\r\\n]*+"
_TOKEN = re.compile(
    rf"""{_BLANK}(
        \({_BLANK}(?:,{_BLANK})?\)
        |,{_BLANK}\)
        |[_']*[a-z][A-Za-z0-9_']*(?:{_BLANK}\((?:{_BLANK}\))?)?
        |0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+|0|[1-9][0-9]*
        |"(?:[^"\\\n]++|{ESCAPE})*+"
        |\#inf(?:imum)?|\#sup(?:remum)?
        |.|\Z)
    """,
    re.VERBOSE | re.DOTALL,
)
"""An empty tuple, the end of a tuple behind a comma, a name with what opens a function or is an empty one, a
number, a string, the ends of the order, any sign; an empty token at the end of the text."""

_TOKEN_OR_DECIMAL = re.compile(
    _TOKEN.pattern.replace("|0x[0-9A-Fa-f]+|", r"|(?:0|[1-9][0-9]*)\.[0-9]++|0x[0-9A-Fa-f]+|"), _TOKEN.flags
)
"""The same, or a number with a point."""


@dataclass(frozen=True, slots=True)
class WrittenDecimal:
    """A number with a point, as an argument of an atom; which integer it is depends on the place."""

    text: str


class _NoTermError(ValueError):
    """Raised where no term can go on so."""


def parse_terms(text: str) -> list[Value | GroundAtom]:
    """The values of ground terms with commas between them, at least one; functions with arguments as atoms.

    Raises:
        InputError: saying what is wrong and what to do.
    """
    return _parsed(text, _TOKEN)


def parse_with_decimals(text: str) -> list[Any]:
    """The same where arguments of atoms may be WrittenDecimal as well. Raises InputError."""
    return _parsed(text, _TOKEN_OR_DECIMAL)


def _parsed(text: str, token: re.Pattern[str]) -> list[Any]:
    """See `parse_terms`.

    Raises:
        InputError: saying what is wrong and what to do.
    """
    check_characters(text)
    if text.count("(") + text.count("-") > MOST_NESTED:
        _check_ground(text, allows_decimals=token is _TOKEN_OR_DECIMAL)  # before a deep term is read
    try:
        return _read(text, token)
    except InputError:
        raise
    except ValueError as error:  # _NoTermError, or a number of thousands of digits
        _check_ground(text, allows_decimals=token is _TOKEN_OR_DECIMAL)
        raise no_atom(f"'{shown(text)}'") from error


def no_atom(text: str) -> InputError:
    """The error for a text, as it is shown, that stands for no atom."""
    return InputError(
        f"{text} is not an atom: write name or name(argument,...), beginning with a small letter"
    )


def is_refused(text: str) -> bool:
    """Whether clingo cannot hold a text."""
    return "\0" in text or not is_utf8(text)


def check_characters(text: str) -> None:
    """Raises InputError for text that clingo cannot hold."""
    if "\0" in text:
        raise InputError(f"'{shown(text)}' contains a null character: remove it")
    if not is_utf8(text):
        raise InputError(f"'{shown(text)}' is not UTF-8 text")


def _check_ground(text: str, *, allows_decimals: bool) -> None:
    """Raises InputError for what is not a ground term, where more can be said than that."""
    bare = _STRING.sub(r'"\1', text)
    written, text = text, shown(text)
    if '"' in bare.replace('""', ""):
        escape = first_wrong_escape(written)
        if escape is not None:
            raise InputError(f"{text}: {escape.message}: {escape.hint} (in JSON each \\ is \\\\)")
        if _WITH_LINE_END.search(bare):
            raise InputError(f"{text}: a string contains a line break: write \\n instead (in JSON \\\\n)")
        raise InputError(
            f"{text}: a string lacks a closing quote, or a \\ without n, \\ or a quote after it: write "
            "\\\\ for a backslash"
        )
    if not allows_decimals and (decimal := _DECIMAL.search(bare)) is not None:
        raise InputError(
            f"{text}: {shown(decimal[0])} is a decimal, but this argument is an integer: "
            f"{_decimal_hint(written)}"
        )
    for number in _LONG_NUMBER.finditer(bare):
        base = 0 if number[0][1].isalpha() else 10  # else zeros before a number are an error
        if len(number[0]) > MOST_DIGITS or int(number[0], base) > LARGEST_NUMBER:
            raise InputError(f"{text}: the number {shown(number[0])} is longer than {MOST_DIGITS} digits")
    if (sign := _ARITHMETIC.search(bare)) is not None:
        raise InputError(
            f"{text}: facts contain no arithmetic, but this one contains {shown(sign[0][-1])}: write "
            "the result, or put text in double quotes"
        )
    if not bare.isascii():
        other = next(character for character in bare if not character.isascii())
        raise InputError(f"{text}: {shown(other)} is allowed only in a string: put the text in double quotes")
    if _is_deep(bare):
        raise InputError(f"the atom is nested more than {MOST_NESTED} levels deep: make it flatter")
    if (variable := _VARIABLE.search(bare)) is not None:
        raise InputError(f"{text} contains the variable {shown(variable[0])}: write a value")
    if (sign := _NOT_GROUND.search(bare)) is not None:
        raise InputError(f"{text} is not a single fact: remove {sign[0]}, and write each fact by itself")


def _decimal_hint(text: str) -> str:
    """What to do about decimals in atoms."""
    try:
        found = _read(text, _TOKEN_OR_DECIMAL) if len(text) <= LONGEST_SPLIT else []
    except ValueError:
        return DECIMAL_HINT
    for atom in found:
        if isinstance(atom, GroundAtom) and declaration_for(atom):
            return decimal_hint_for(atom)
    return DECIMAL_HINT


def decimal_hint_for(atom: GroundAtom, decimals: Sequence[int] = ()) -> str:
    """What to do about the decimals of an atom, besides those that are declared."""
    declaration = declaration_for(atom, decimals)
    return f"declare it ({declaration}), or {SCALE_HINT}" if declaration else DECIMAL_HINT


def declaration_for(atom: GroundAtom, decimals: Sequence[int] = ()) -> str:
    """The declaration of as many decimals as an atom has at its places, besides those that are declared.

    Empty where it has none, or more than can be declared.
    """
    places: list[int | None] = [each or None for each in decimals] or [None] * len(atom.row)
    written: tuple[object, ...] = atom.row
    for place, value in enumerate(written):
        if isinstance(value, WrittenDecimal):
            places[place] = max(places[place] or 1, len(value.text.partition(".")[2].rstrip("0")))
    is_possible = any(places) and all(each is None or each <= MOST_PROPOSED for each in places)
    return to_text(Decimals(atom.signature.name, tuple(places))) if is_possible else ""


def _is_deep(bare: str) -> bool:
    """Whether a term is nested so deep that clingo could not take it."""
    depth = 0
    for found in _NESTING.finditer(bare):
        sign = found[0]
        depth += 1 if sign == "(" else -1 if sign == ")" else 0
        if depth > MOST_NESTED or len(sign) > MOST_NESTED:
            return True
    return False


def _read(text: str, pattern: re.Pattern[str]) -> list[Any]:
    """See `parse_terms`. Raises _NoTermError, or ValueError from Python."""
    if len(text) <= LONGEST_SPLIT:
        tokens: Iterable[str] = pattern.findall(text)
    else:
        tokens = map(itemgetter(1), pattern.finditer(text))
    values: list[Any] = []
    around: list[tuple[str, int, list[Any]]] = []
    """Of each function and tuple that is open: its name, the minus signs before it, and the values."""
    signs, is_complete = 0, False
    for token in tokens:
        if is_complete:
            if token == ",":
                is_complete = False
                continue
            if not token:
                break
            if token[0] not in "),":
                raise _NoTermError
            if not around or (around[-1][0] and len(token) > 1):
                raise _NoTermError
            name, signs, before = around.pop()
            if name and not around:
                value: Any = GroundAtom(Signature(name, len(values), signs % 2 == 0), tuple(values))
                signs = 0
            elif token == ")" and not name and len(values) == 1:
                value = values[0]
            elif pattern is _TOKEN_OR_DECIMAL and WrittenDecimal in map(type, values):
                raise InputError(
                    f"{shown(text)}: decimals are allowed only as arguments of the atom itself, not "
                    "inside them"
                )
            elif name:
                value = function(name, tuple(values))
            else:
                value = tuple_term(tuple(values))
            values = before
        elif token[-1:] == "(":
            around.append((token[:-1].rstrip(), signs, values))
            values, signs = [], 0
            continue
        elif token == "-":
            signs += 1
            continue
        else:
            value = _leaf(token)
        values.append(_signed(value, signs) if signs else value)
        signs, is_complete = 0, True
    if around or not is_complete:
        raise _NoTermError
    return values


def _leaf(token: str) -> Value | WrittenDecimal:
    """The value of a token that is a term by itself."""
    first = token[:1]
    if first.isdecimal():
        if "." in token:
            return WrittenDecimal(token)
        number = int(token, 0)
        if number <= LARGEST_NUMBER:
            return number
    elif "a" <= first <= "z" or (first in ("_", "'") and len(token) > 1):
        return constant(token if token[-1] != ")" else token.partition("(")[0].rstrip())
    elif first == '"' and len(token) > 1:
        return _held(unquoted(token)) if "\\u" in token else unquoted(token)
    elif first == "#" and len(token) > 1:
        return INFIMUM if token[1] == "i" else SUPREMUM
    elif first == "(":
        return tuple_term(())
    raise _NoTermError


def _signed(value: object, signs: int) -> Value | WrittenDecimal:
    """A value behind minus signs."""
    if isinstance(value, WrittenDecimal):
        return WrittenDecimal(f"-{value.text}") if signs % 2 else value
    if isinstance(value, int):
        return -value if signs % 2 else value
    if not isinstance(value, Term) or value is INFIMUM or value is SUPREMUM:
        raise _NoTermError
    return function(value.name, value.arguments, is_positive=value.is_positive is (signs % 2 == 0))


def _held(text: str) -> str:
    """A text with escapes. Raises InputError for characters that clingo cannot hold."""
    check_characters(text)
    return text
