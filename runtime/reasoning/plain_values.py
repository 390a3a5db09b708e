"""Functions of Python that take and give plain values, whatever they annotate, as I-DLV-sr calls them.

A number comes as an int, a text and a name as a str, anything else as its text. A list is several results, a
tuple one with several values; what is no int becomes a text, and what is a bool 1 or 0.
"""

from collections.abc import Callable
from functools import wraps
from numbers import Integral
from operator import index
from typing import Any


def over_plain_values(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function over clingo's symbols."""
    from lars2asp.externals.terms.symbols import value_of_symbol  # noqa: PLC0415 - few programs need it
    from lars2asp.externals.terms.terms import Term  # noqa: PLC0415
    from lars2asp.externals.terms.text import text_of  # noqa: PLC0415

    def plain(symbol: Any) -> Any:
        value = value_of_symbol(symbol)
        return text_of(value) if isinstance(value, Term) else value

    @wraps(function, assigned=("__name__", "__doc__"), updated=())
    def called(*arguments: Any) -> Any:
        result = function(*map(plain, arguments))
        return [_result(one) for one in result] if isinstance(result, list) else [_result(result)]

    del called.__wrapped__  # its annotations are not those of this one
    return called


def _result(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return tuple(map(_result, value))
    if value is None or isinstance(value, str):
        return value
    return index(value) if isinstance(value, Integral) else str(value)
