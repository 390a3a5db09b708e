"""Facts from outside: strings, tuples and clingo symbols become atoms."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from clingo import Function, Number, String, Symbol, SymbolType, parse_term

from lars2asp.externals.symbols import atom_key, number_key, symbol_of
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.text_files import is_utf8
from lars2asp.syntax.nodes import LARGEST_INTEGER, MOST_NESTED
from lars2asp.syntax.source import shown, shown_number

Fact = str | Symbol | tuple[Any, ...]
"""An atom as text (`"p(a,1)"`), as a clingo symbol, or as a tuple of name and arguments (`("p", "x", 1)`).

Symbols in it may have names that no program can write, such as `Function("New York")` or `Function("1")`:
they are kept as they are, also in snapshots. In text they look like others (`Function("1")` is
written as the number 1), so that strings are better. The name of the predicate must be one that a program can
write.
"""

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

_NAME, _INTEGER = "[a-z][A-Za-z0-9_]*", "(?:0|-?[1-9][0-9]{0,8})"
_PLAIN = re.compile(rf"({_NAME})(?:\(((?:{_NAME}|{_INTEGER})(?:,(?:{_NAME}|{_INTEGER}))*+)\))?")
"""A name, or a name and arguments that are names and integers: most atoms are of this kind."""

LONGEST_KEPT = 256
"""In characters: the atoms of longer texts are not kept, as thousands of them would fill the memory."""


class TooLongToKeepError(Exception):
    """Raised for a text where results are kept by texts; what is raised is not kept."""


_DECIMAL_HINT = "scale it to an integer (21.5 as 215)"


def to_atom(fact: Fact) -> Symbol:
    """The atom that a fact stands for.

    In a tuple, integers become numbers, strings become strings (not constants: write `"p(a)"` or use
    `clingo.Function("a")`), tuples become tuples, and symbols stay as they are.

    Raises:
        InputError: saying what is wrong and what to do.
    """
    if isinstance(fact, str):
        try:
            return _parsed(fact)
        except TooLongToKeepError:
            return _checked(_parse_term(fact, fact), fact)
    if isinstance(fact, Symbol):
        return _checked(fact)
    if isinstance(fact, tuple) and fact and isinstance(fact[0], str):
        name = to_atom(fact[0])
        if name.arguments:
            raise InputError(
                f"{shown(repr(fact))}: a tuple's first item is the name of a predicate, not an atom"
            )
        return Function(name.name, [_argument(argument) for argument in fact[1:]], name.positive)
    raise InputError(
        f"{shown(repr(fact))} is no fact: use text, a clingo symbol, or a tuple of name and arguments"
    )


def to_atoms(facts: Iterable[Fact]) -> tuple[Symbol, ...]:
    """The atoms that facts stand for; symbols are taken as they are, atoms or not.

    Raises InputError for the first of the others that is none.
    """
    if isinstance(facts, str):
        raise InputError(f"{shown(repr(facts))} is one fact, not a collection: put it in a list")
    given = tuple(facts)
    if set(map(type, given)) <= {Symbol}:
        return given  # type: ignore[return-value]
    return tuple(fact if isinstance(fact, Symbol) else to_atom(fact) for fact in given)


def _argument(value: Any) -> Symbol:
    if isinstance(value, Symbol):
        return value
    if isinstance(value, bool):
        raise InputError(f"{value} is neither integer nor text")
    if isinstance(value, int):
        if not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
            raise InputError(f"the number {shown_number(value)} has more than 32 bits")
        return Number(value)
    if isinstance(value, str):
        check_characters(value)
        return String(value)
    if isinstance(value, tuple):
        return Function("", [_argument(part) for part in value])
    if isinstance(value, float):
        raise InputError(f"{value} is a decimal where an integer is needed: {_DECIMAL_HINT}")
    raise InputError(f"{shown(repr(value))} is neither integer nor text nor tuple")


def check_characters(text: str) -> None:
    """Raises InputError for text that clingo cannot hold."""
    if "\0" in text:
        raise InputError(f"'{shown(text)}' contains a null character")
    if not is_utf8(text):
        raise InputError(f"'{shown(text)}' is not UTF-8 text")


def _checked(symbol: Symbol, text: str | None = None) -> Symbol:
    if symbol.type is not SymbolType.Function or not symbol.name:
        text = shown(str(symbol) if text is None else text)
        raise InputError(f"{text} is no atom: an atom is a name or name(argument,...)")
    return symbol


def parse_list(text: str) -> tuple[Symbol, ...]:
    """The atoms of a text such as `p(a,1), q`; none for a blank text. Raises InputError."""
    if not text.strip():
        return ()
    listed = _parse_term(f"({text},)", text)
    if listed.type is not SymbolType.Function or listed.name:
        raise InputError(f"'{shown(text)}' is no list of atoms")
    return tuple(map(_checked, listed.arguments))


@lru_cache(maxsize=65536)
def _parsed(text: str) -> Symbol:
    """The atom of a short text. Raises TooLongToKeepError for others."""
    if len(text) > LONGEST_KEPT:
        raise TooLongToKeepError
    plain = _PLAIN.fullmatch(text)
    if plain is not None:
        name, listed = plain.groups()
        arguments = listed.split(",") if listed else []
        if name != "not" and "not" not in arguments:
            return symbol_of(atom_key(name, list(map(_argument_key, arguments))))
    return _checked(_parse_term(text, text), text)


@lru_cache(maxsize=65536)
def _argument_key(text: str) -> int:
    """The key of a name or an integer."""
    return atom_key(text, ()) if text[0].isalpha() else number_key(int(text))


def _parse_term(term: str, text: str) -> Symbol:
    check_characters(text)
    bare = _STRING.sub(r'"\1', text)
    text = shown(text)
    if '"' in bare.replace('""', ""):
        raise InputError(
            f"{text}: a string is not closed, or has something behind \\ other than n, \\ and quotes"
        )
    if (decimal := _DECIMAL.search(bare)) is not None:
        raise InputError(
            f"{text}: {shown(decimal[0])} is a decimal where an integer is needed: {_DECIMAL_HINT}"
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
    try:
        return parse_term(term, logger=lambda code, message: None)
    except RuntimeError as error:
        raise InputError(f"'{text}' is no atom: an atom is a name or name(argument,...)") from error


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
