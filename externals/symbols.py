"""Conversions of clingo's symbols, each done once for a while."""

from functools import lru_cache

from clingo import Function, Number, Symbol

from lars2asp.syntax import Signature


@lru_cache(maxsize=65536)
def signature_of(atom: Symbol) -> Signature:
    """The predicate of an atom."""
    return Signature(atom.name, len(atom.arguments), atom.positive)


@lru_cache(maxsize=65536)
def with_tick(arguments: Symbol, tick: int) -> Symbol:
    """A tuple with a tick as one more member."""
    return Function("", [*arguments.arguments, Number(tick)])


@lru_cache(maxsize=65536)
def as_atom_of(signature: Signature, symbol: Symbol) -> Symbol:
    """The atom of a predicate with the arguments of another atom."""
    return Function(signature.name, symbol.arguments, signature.is_positive)


def without_tick(signature: Signature, symbol: Symbol) -> Symbol:
    """The atom of a predicate with the arguments of another atom but for the last, a tick."""
    return Function(signature.name, symbol.arguments[:-1], signature.is_positive)
