"""The cost of turning rows into clingo's symbols and back.

Atoms of two arguments go to clingo as keys and come back as rows, many at a time: `atom_keys` and
`rows_of_atoms` of `lars2asp.externals.terms.symbols`. Beside that stands what the package clingo takes for
the same, with an object for each symbol. It takes a few seconds:

    python -m experiments clingo-door
"""

import random
from collections.abc import Callable, Sequence
from time import perf_counter

import click
from clingo import Function, Number, String, Symbol, SymbolType
from rich.console import Console
from rich.table import Table

from lars2asp.externals.terms.symbols import atom_keys, rows_of_atoms
from lars2asp.externals.terms.terms import Row, Term, Value, constant
from lars2asp.syntax.nodes import Signature

PREDICATE = Signature("p", 2)
ATOMS, ROUNDS = 800, 30
"""The number of atoms at a time, and how often."""

_choose = random.Random(1)


def fresh_number() -> Value:
    """A number that hardly comes twice."""
    return _choose.randrange(2**31)


def known_constant() -> Value:
    """One of a thousand constants."""
    return constant(f"c{_choose.randrange(1000)}")


def fresh_string() -> Value:
    """A string that hardly comes twice."""
    return str(_choose.randrange(2**31))


KINDS: dict[str, tuple[Callable[[], Value], Callable[[], Value]]] = {
    "fresh numbers": (fresh_number, fresh_number),
    "known constants": (known_constant, known_constant),
    "a known constant and a fresh number": (known_constant, fresh_number),
    "a fresh string and a fresh number": (fresh_string, fresh_number),
}


def to_symbols(rows: Sequence[Row]) -> list[Symbol]:
    """Atoms as the package clingo makes them."""
    return [Function(PREDICATE.name, list(map(_symbol, row))) for row in rows]


def _symbol(value: Value) -> Symbol:
    if isinstance(value, Term):
        return Function(value.name)
    return Number(value) if isinstance(value, int) else String(value)


def to_rows(symbols: Sequence[Symbol]) -> list[Row]:
    """The arguments of atoms as the package clingo gives them."""
    return [tuple(map(_value, symbol.arguments)) for symbol in symbols]


def _value(symbol: Symbol) -> Value:
    if symbol.type is SymbolType.Function:
        return constant(symbol.name)
    return symbol.number if symbol.type is SymbolType.Number else symbol.string


def microseconds(kind: str, there: Callable[[list[Row]], object], back: Callable[..., object]) -> list[float]:
    """The time for an atom there and back: the least of all rounds, each with atoms of its own."""
    first, second = KINDS[kind]
    times: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        rows: list[Row] = [(first(), second()) for _ in range(ATOMS)]
        began = perf_counter()
        made = there(rows)
        between = perf_counter()
        found = back(made)
        times.append((between - began, perf_counter() - between))
        if found not in (rows, {PREDICATE: rows}):
            raise AssertionError(f"{kind}: other rows came back")
    return [min(some) / ATOMS * 1e6 for some in zip(*times, strict=True)]


@click.command()
def main() -> None:
    """Print the microseconds for an atom with two arguments."""
    table = Table(title=f"microseconds for an atom, {ATOMS} at a time (least of {ROUNDS})")
    for heading in ("arguments", "there", "back", "there (package)", "back (package)"):
        table.add_column(heading, justify="left" if heading == "arguments" else "right")
    for kind in KINDS:
        own = microseconds(kind, lambda rows: atom_keys(PREDICATE, rows), rows_of_atoms)
        package = microseconds(kind, to_symbols, to_rows)
        table.add_row(kind, *(f"{time:.2f}" for time in (*own, *package)))
    Console().print(table)
