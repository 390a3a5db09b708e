"""Names of RDF in programs: `ex:speed`, once `#prefix ex: <http://example.org/>.` is said.

Elsewhere `p:q` says that p holds under the condition q. So a colon is one of a name only behind a prefix that
was declared, with a letter, a digit or `_` on both sides; blanks around it make it a condition again.
"""

import re
from collections.abc import Mapping

from lars2asp.syntax.patterns import pattern
from lars2asp.syntax.string_escapes import clingo_string, with_characters

COLON = "\x1e"
"""Stands for the colon of a name in the text that is parsed: no program has this character."""

IRI_TEXT = r'<(?:[A-Za-z][A-Za-z0-9+.\-]*://|urn:|tag:|mailto:|did:)(?:[^\x00-\x20<>"{}|^`\\]|\\u\{[0-9A-Fa-f]+\})*+>'
"""IRIs in the text of a program, of which nothing is a comment, or a dot that ends a statement."""

_PREFIXED = rf'"(?:[^"\\\n]++|\\.)*+"|{IRI_TEXT}|(?<![A-Za-z0-9_\'@])([A-Za-z][A-Za-z0-9_]*):'
"""A string, an IRI, or what is in front of a name."""

_NAMED = pattern(rf"{_PREFIXED}(?=[A-Za-z0-9_])")

_WHOLE_NAME = pattern(rf"{_PREFIXED}([A-Za-z0-9_]++(?:-+[A-Za-z0-9_]+)*+)")


def with_names(text: str, prefixes: Mapping[str, str]) -> str:
    """The text of a statement with other colons in names of RDF; as long as it was."""

    def marked(found: re.Match[str]) -> str:
        prefix = found[1]
        return f"{prefix}{COLON}" if prefix in prefixes else found[0]

    return _NAMED.sub(marked, text) if prefixes else text


def iri_of(name: str, prefixes: Mapping[str, str]) -> str:
    """The IRI, in brackets, that a marked name or an IRI stands for."""
    prefix, colon, local = name.partition(COLON)
    return f"<{prefixes[prefix]}{local}>" if colon else with_characters(str(name))  # a token is no value


def with_iris(text: str, prefixes: Mapping[str, str]) -> str:
    """The text of ground atoms with IRIs as texts in place of names of RDF, as answers have them."""

    def told(found: re.Match[str]) -> str:
        if found[1] is not None:
            return f'"<{prefixes[found[1]]}{found[2]}>"' if found[1] in prefixes else found[0]
        return clingo_string(with_characters(found[0])) if found[0].startswith("<") else found[0]

    return _WHOLE_NAME.sub(told, text)


def as_written(text: str) -> str:
    """A text as the program has it."""
    return text.replace(COLON, ":")
