"""The parser that Lark makes of `grammar.lark`, from tables that are kept beside it.

To make the tables takes ten times as long as to load them. Who changes the grammar writes them anew, by
`python -m lars2asp.syntax.grammar`; until then, and with another version of Lark, each start makes them.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from lark import Lark, __version__

GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("grammar.tables")
"""A line with the fingerprint of what they are made of; then what `Lark.save` writes."""


@cache
def grammar_parser() -> Lark:
    """The parser of a statement."""
    with TABLES.open("rb") as file:
        if file.readline() == fingerprint():
            return Lark.load(file)
    return made_parser()


def made_parser() -> Lark:
    """The parser, made without tables."""
    return Lark.open(
        str(GRAMMAR), parser="lalr", lexer="contextual", propagate_positions=True, maybe_placeholders=True
    )


def fingerprint() -> bytes:
    """A line that tells grammars, and versions of Lark, apart."""
    return b"%s of Lark %s\n" % (sha256(GRAMMAR.read_bytes()).hexdigest().encode(), __version__.encode())


def write_tables() -> None:
    """Makes the tables, and keeps them."""
    with TABLES.open("wb") as file:
        file.write(fingerprint())
        made_parser().save(file)


if __name__ == "__main__":
    write_tables()
