"""Atoms of one predicate as text in one line, column by column, from which the very same rows come back.

A block is JSON: the name of the predicate, whether it is positive, a letter for each column, and the columns:

    ["p",1,"isc",[1,2],["x","y"],["a","b"]]     p(1,"x",a), p(2,"y",b)
    ["p",1,""]                                  p
    ["p",1,"t",TABLE,[[0],[2]]]                 p/1 with other terms, by their numbers in a table of terms

The letters say that a column has integers (i), strings (s) or names of constants (c). Where a column has
values of several kinds, or other terms, all rows go by a table.
"""

from collections.abc import Sequence
from typing import Any

import orjson

from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.externals.terms.terms import CONSTANTS, AtomRows, Row, Term, Value
from lars2asp.syntax.nodes import Signature

_BY_TABLE = "t"


def block_of(atoms: AtomRows) -> str:
    """The block of some atoms, one at least."""
    (name, _, is_positive), rows = atoms
    kinds, columns = "", list[Sequence[Any]]()
    for column in zip(*rows, strict=True):
        kind, values = _encoded(column)
        kinds += kind
        columns.append(values)
    if _BY_TABLE in kinds:
        table = TermTable()
        numbers = table.write(rows)
        kinds, columns = _BY_TABLE, [table.table, numbers]
    return orjson.dumps([name, int(is_positive), kinds, *columns]).decode()


def atoms_of(block: str) -> AtomRows:
    """The atoms of a block."""
    name, is_positive, kinds, *columns = orjson.loads(block)
    rows: list[Row]
    if kinds == _BY_TABLE:
        table, numbers = columns
        rows = TermReader(table).read(numbers)
    elif kinds:
        constant = CONSTANTS.__getitem__
        values = (
            map(constant, column) if kind == "c" else column
            for kind, column in zip(kinds, columns, strict=True)
        )
        rows = list(zip(*values, strict=True))
    else:
        rows = [()]
    return AtomRows(Signature(name, len(rows[0]), bool(is_positive)), rows)


def _encoded(column: Sequence[Value]) -> tuple[str, Sequence[Any]]:
    """The letter of a column, and its values."""
    kinds = set(map(type, column))
    if kinds == {int}:
        return "i", column
    if kinds == {str}:
        return "s", column
    if kinds == {Term}:
        names = [_name(term) for term in column if isinstance(term, Term)]
        if all(names):
            return "c", names
    return _BY_TABLE, ()


def _name(term: Term) -> str:
    """The name of a constant; empty for other terms."""
    return "" if term.arguments or not term.is_positive or term.name[:1] == "#" else term.name
