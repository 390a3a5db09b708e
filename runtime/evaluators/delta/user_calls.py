"""User functions in the code of rules: they take clingo's symbols, the code has values."""

from collections.abc import Callable
from typing import Any

from lars2asp.externals.terms.terms import Row, Value

MOST_CALLS = 65536
"""The number of calls of a function whose values are remembered."""


def values_of(function: Callable[..., Any]) -> Callable[..., Row]:
    """The function from values to its values, each once; it is pure, so that calls are remembered."""
    from lars2asp.externals.terms.symbols import symbol_of, value_of_symbol  # noqa: PLC0415 - clingo's

    known: dict[Row, Row] = {}

    def call(*arguments: Value) -> Row:
        found = known.get(arguments)
        if found is None:
            result = function(*map(symbol_of, arguments))
            symbols = result if isinstance(result, list | tuple) else [result]
            if len(known) >= MOST_CALLS:
                known.clear()
            found = known[arguments] = tuple(dict.fromkeys(map(value_of_symbol, symbols)))
        return found

    return call
