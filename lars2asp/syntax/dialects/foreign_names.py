"""Names and values that are any text, as Laser and Ticker have them, as our names and terms.

Streams and rules have the same names and values: what is written of them here depends on the text alone.
"""

import re

from lars2asp.syntax import nodes
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE, Location

_NAME = re.compile(r"_*[a-z][A-Za-z0-9_]*")
_VARIABLE = re.compile(r"_*[A-Z][A-Za-z0-9_]*")
_INTEGER = re.compile(r"(-?)(0|[1-9][0-9]*)")
_OTHER = re.compile(r"[^A-Za-z0-9_]")
_RESERVED = "not"


def predicate_name(name: str) -> str:
    """A name of any text, which has no quote ', as a name of ours; two names never become one.

    Characters that names do not have are their numbers between quotes: `p*2` is `p'x2a'2`.
    """
    return _written(name, "x") if _NAME.fullmatch(name) is None or name == _RESERVED else name


def variable_name(name: str) -> str:
    """The same for a variable."""
    return _written(name, "X") if _VARIABLE.fullmatch(name) is None else name


def _written(name: str, mark: str) -> str:
    first, others = name[0], name[1:]
    is_letter = first.isascii() and first.isalpha() and first.islower() == (mark == "x")
    begin = first if is_letter and name != _RESERVED else _number_of(first, mark)
    return begin + _OTHER.sub(lambda found: _number_of(found[0], mark), others)


def _number_of(character: str, mark: str) -> str:
    return f"'{mark}{ord(character):x}'"


def value(text: str, at: Location = NOWHERE) -> nodes.Term:
    """A value: a number or a constant where the text is one of ours, else a string."""
    number = _INTEGER.fullmatch(text)
    if number is not None and len(text) <= nodes.MOST_DIGITS:
        natural = nodes.Number(int(number[2]), location=at)
        return nodes.UnaryOperation("-", natural, location=at) if number[1] and number[2] != "0" else natural
    if _NAME.fullmatch(text) is not None and text != _RESERVED:
        return nodes.Function(text, location=at)
    return nodes.String(text, location=at)


def written_atom(name: str, values: list[str]) -> str:
    """The text of an atom of a stream in our language."""
    arguments = ",".join(to_text(value(one)) for one in values)
    return f"{predicate_name(name)}({arguments})" if values else predicate_name(name)
