"""Terms of RDF as values of the language, and values as terms of RDF.

Terms are written as canonical N-Triples have them. An IRI `<http://a/b>` and a blank node `_:b` are strings
with just this text. A literal is the string of its text, or the number that its datatype says; one with a
language or another datatype, and a text that would be taken for one of these, is the string of the whole
literal, `"Graz"@de` with its quotes. So no two terms are one value, but for numbers that are equal.
"""

import re
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from lars2asp.syntax.terms import MOST_DIGITS

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
GENERATED_AT = "<http://www.w3.org/ns/prov#generatedAtTime>"
"""The time of a triple, where a program names none."""

_IRI = re.compile(r'<[A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x20<>"{}|^`\\]*>')
_BLANK = re.compile(r"_:[A-Za-z0-9_](?:[A-Za-z0-9_.\-]*[A-Za-z0-9_\-])?")
_LITERAL = re.compile(
    r'"((?:[^"\\\n\r]|\\[tbnrf"\'\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*+)"'
    r'(?:@([A-Za-z]+(?:-[A-Za-z0-9]+)*(?:--(?:ltr|rtl))?)|\^\^<([A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x20<>"{}|^`\\]*)>)?'
)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_SHORT = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_TO_ESCAPE = re.compile(r'[\x00-\x1f"\\\x7f]')
_ESCAPED = {"\t": "\\t", "\b": "\\b", "\n": "\\n", "\r": "\\r", "\f": "\\f", '"': '\\"', "\\": "\\\\"}
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

_INTEGERS = frozenset(
    f"{XSD}{name}"
    for name in (
        *("integer", "long", "int", "short", "byte"),
        *("nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
        *("unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte"),
    )
)
NUMERIC = _INTEGERS | {f"{XSD}decimal", f"{XSD}double", f"{XSD}float"}
"""The datatypes whose literals are numbers."""


class Literal(NamedTuple):
    """A literal.

    Attributes:
        text: its text.
        language: that of the text, in small letters; else empty.
        datatype: the IRI of its datatype, without brackets; empty for `xsd:string`, and with a language.
    """

    text: str
    language: str = ""
    datatype: str = ""

    @property
    def number(self) -> str | None:
        """The number that it is, without exponent and needless zeros; None where it is none."""
        return number_of(self.text) if self.datatype in NUMERIC else None

    def __str__(self) -> str:
        written = f'"{escaped(self.text)}"'
        if self.language:
            return f"{written}@{self.language}"
        return f"{written}^^<{self.datatype}>" if self.datatype else written


def number_of(text: str) -> str | None:
    """A number of XML Schema without exponent and needless zeros; None where a text is none."""
    if not _NUMBER.fullmatch(text):
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:  # an exponent of more digits than decimals have
        return None
    if not number:
        return "0"
    if abs(number.adjusted()) > MOST_DIGITS or len(text) > MOST_DIGITS:
        return None
    written = f"{number:f}"
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    return written


def literal_of(term: str) -> Literal | None:
    """The literal that is written so; None where none is."""
    found = _LITERAL.fullmatch(term)
    if found is None:
        return None
    text, language, datatype = found.groups()
    if "\\" in text:
        text = _ESCAPE.sub(_unescaped, text)
    return Literal(text, (language or "").lower(), "" if datatype == f"{XSD}string" else datatype or "")


def is_node(text: str) -> bool:
    """Whether a string is an IRI or a blank node."""
    return is_iri(text) or (text[:2] == "_:" and _BLANK.fullmatch(text) is not None)


def is_iri(text: str) -> bool:
    """Whether a string is an IRI."""
    return text[:1] == "<" and _IRI.fullmatch(text) is not None


def string_of(literal: Literal) -> str:
    """The string that a literal is that is no number."""
    if literal.language or literal.datatype or literal.text.startswith(("<", "_:", '"')):
        return str(literal)
    return literal.text


def term_of(text: str) -> str:
    """The term that a string is."""
    if is_node(text) or (text[:1] == '"' and _LITERAL.fullmatch(text)):
        return text
    return str(Literal(text))


def escaped(text: str) -> str:
    """A text as it stands in the quotes of a literal."""
    return _TO_ESCAPE.sub(lambda found: _ESCAPED.get(found[0]) or f"\\u{ord(found[0]):04X}", text)


def _unescaped(found: re.Match[str]) -> str:
    short, long, sign = found.groups()
    return _SHORT.get(sign, sign) if sign else chr(int(short or long, 16))
