"""Python's values as arguments and results of `@`-functions.

What a function annotates it gets as Python has it; all else are clingo's symbols. It may give values of
Python as well as clingo's symbols.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from itertools import repeat
from math import isfinite
from numbers import Integral
from operator import index
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

from lars2asp.analysis.argument_types.kinds import (
    NAME,
    NUMBER,
    OPEN,
    TEMPORAL,
    TERM,
    TEXT,
    Kinds,
    kind_words,
)
from lars2asp.analysis.arithmetic.decimal_numbers import counted, decimal_text
from lars2asp.analysis.call_decimals import CallDecimals
from lars2asp.analysis.tick_moments import MICROSECOND
from lars2asp.externals.terms.terms import Term, Value, constant, tuple_term
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoning.annotated_functions import function_type
from lars2asp.runtime.sources.facts.ground_terms import check_characters
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import LARGEST_NUMBER, MOST_DIGITS
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from clingo import Symbol

Digits = int | None
"""The decimals of a number; None where nothing says them."""

_TRUE, _FALSE = "true", "false"
_LENGTH = "the program declares no tick length: add for example #tick 1 sec."


class UnfitValueError(Exception):
    """A value that is not what it should be; the text says so of it."""


@dataclass(frozen=True)
class FunctionValues:
    """What a function gets and gives.

    Attributes:
        readers: what makes the arguments of symbols, by their places; that of the last one is for more.
        digits: the decimals that its calls give results; several where they differ.
        timeline: how times are ticks.
        gives: the kinds of its results, as it is annotated.
    """

    readers: Sequence[Callable[["Symbol"], Any]]
    digits: frozenset[Digits]
    timeline: Timeline
    gives: Kinds = OPEN

    @classmethod
    def of(cls, function: Callable[..., Any], calls: CallDecimals, timeline: Timeline) -> "FunctionValues":
        """Those of a function, as it annotates its parameters, and by where its calls stand."""
        kinds, annotated = [*_annotated(function)], function_type(function)
        readers = [
            _reader(kind, frozenset(calls.arguments.get(place, {None})), timeline)
            for place, kind in enumerate(kinds)
        ]
        return cls(
            readers if any(one is not _as_it_is for one in readers) else (),
            frozenset(calls.result) or frozenset([None]),
            timeline,
            OPEN if annotated is None else annotated.gives,
        )

    def arguments(self, symbols: Sequence["Symbol"]) -> Sequence[Any]:
        """The arguments for symbols. Raises UnfitValueError."""
        if not self.readers:
            return symbols
        found = []
        last = repeat(self.readers[-1]) if len(symbols) > len(self.readers) else ()
        for place, (reader, symbol) in enumerate(zip(_and_then(self.readers, last), symbols, strict=False)):
            try:
                found.append(reader(symbol))
            except UnfitValueError as error:
                raise UnfitValueError(f"argument {place + 1} ({symbol}) {error}") from error
        return found

    def symbols(self, result: Any) -> Iterator["Symbol"]:
        """The symbols for what it gives: None for none, several for a list or a tuple.

        Raises UnfitValueError.
        """
        from clingo import Symbol  # noqa: PLC0415 - programs without functions start sooner

        from lars2asp.externals.terms.symbols import symbol_of  # noqa: PLC0415

        for one in result if isinstance(result, list | tuple) else [result]:
            if isinstance(one, Symbol):
                self._check(one)
                yield one
            elif one is not None:
                is_flag = isinstance(one, bool) and self.gives == NUMBER
                found = symbol_of(self._value(int(one) if is_flag else one))
                self._check(found)
                yield found

    def _check(self, symbol: "Symbol") -> None:
        """Raises UnfitValueError for what is not as it is annotated."""
        if self.gives & OPEN:
            return
        from lars2asp.externals.terms.symbols import value_of_symbol  # noqa: PLC0415

        value = value_of_symbol(symbol)
        kind = NUMBER if isinstance(value, int) else TEXT if isinstance(value, str) else TERM
        if isinstance(value, Term) and not value.arguments and value.name:
            kind = NAME
        if not kind & (self.gives | (NUMBER if self.gives & TEMPORAL else 0)):
            raise UnfitValueError(
                f"is {kind_words(kind)}, but the annotation promises {kind_words(self.gives)}"
            )

    def _value(self, value: Any) -> Value:
        """What a value of Python is in a program."""
        kind = type(value).__name__
        match value:
            case bool():
                return constant(_TRUE if value else _FALSE)
            case Integral():
                return self._within(index(value) * 10 ** (self._known(kind) or 0))
            case float() | Decimal():
                return self._within(self._scaled(value))
            case str():
                try:
                    check_characters(value)
                except InputError as error:
                    raise UnfitValueError(f"is text that a program cannot contain: {error}") from error
                return value
            case timedelta():
                ticks, rest = divmod(value // MICROSECOND, self._tick_length())
                if rest:
                    raise UnfitValueError("is not a number of whole ticks")
                return self._within(ticks)
            case date():
                try:
                    return self.timeline.tick_of(value)
                except InputError as error:
                    raise UnfitValueError(f"is not a tick: {error}") from error
            case tuple():
                inner = FunctionValues((), frozenset([None]), self.timeline)
                return tuple_term(tuple(map(inner._value_within, value)))
        raise UnfitValueError(
            f"is of the type {kind}: functions give bool, int, float, Decimal, str, None, datetime, "
            "timedelta, lists and tuples of these, and clingo's symbols"
        )

    def _value_within(self, value: Any) -> Value:
        """A value within a tuple, which may be a symbol."""
        from clingo import Symbol  # noqa: PLC0415

        from lars2asp.externals.terms.symbols import value_of_symbol  # noqa: PLC0415

        if value is None:
            raise UnfitValueError("contains None inside a tuple: None means no value")
        return value_of_symbol(value) if isinstance(value, Symbol) else self._value(value)

    def _scaled(self, value: float | Decimal) -> int:
        """The integer for a number. A float is rounded to the decimals that are known."""
        kind = type(value).__name__
        digits = self._known(kind)
        if not isfinite(value):
            raise UnfitValueError("is not a number")
        if digits is None:
            raise UnfitValueError(
                f"is a {kind}, and nothing says its decimals where the function is called: declare them with "
                "#decimals for the atom, or give an int"
            )
        exact = Decimal(repr(value) if isinstance(value, float) else value).scaleb(digits)
        rounded = exact.to_integral_value()
        if rounded != exact and not (digits and isinstance(value, float)):
            said = (
                f"has more than {counted(digits)}"
                if digits
                else "is not a whole number, but this place needs one"
            )
            raise UnfitValueError(f"{said}: round it, or declare more decimals")
        return int(rounded)

    def _known(self, kind: str) -> Digits:
        """The decimals of results. Raises UnfitValueError where calls differ."""
        if len(self.digits) > 1 and self.digits - {None, 0}:
            found = " and ".join(sorted(counted(one or 0) for one in self.digits))
            raise UnfitValueError(
                f"is a {kind}, and calls of the function stand where numbers have {found}: take a function "
                "of its own for each"
            )
        return None if self.digits == {None} else max(one or 0 for one in self.digits)

    def _within(self, number: int) -> int:
        if abs(number) > LARGEST_NUMBER:
            raise UnfitValueError(f"is longer than {MOST_DIGITS} digits")
        return number

    def _tick_length(self) -> int:
        if self.timeline.tick_length is None:
            raise UnfitValueError(f"is a duration, but {_LENGTH}")
        return self.timeline.tick_length


# --- arguments ------------------------------------------------------------------------------------


def _annotated(function: Callable[..., Any]) -> Iterator[Any]:
    """What a function says of its parameters, by their places; None where it says nothing."""
    try:
        parameters = inspect.signature(function).parameters.values()
        plain = getattr(function, "__wrapped__", function)
        hints = get_type_hints(plain if hasattr(plain, "__annotations__") else type(plain).__call__)
    except Exception:  # names that are not there, functions of C: nothing is known
        return
    for one in parameters:
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD, one.VAR_POSITIONAL):
            yield hints.get(one.name)


def _as_it_is(symbol: "Symbol") -> Any:
    return symbol


def _reader(kind: Any, digits: frozenset[Digits], timeline: Timeline) -> Callable[["Symbol"], Any]:
    """What makes a value of such a kind of a symbol; others are handed on as they are."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    plain = [get_origin(one) or one for one in kinds if one is not NoneType]
    if not plain or not all(one in _READERS for one in plain):
        return _as_it_is
    several = digits - {None, 0}
    known = None if len(digits) > 1 and several else next(iter(digits)) or 0
    return partial(_read, tuple(plain), known, timeline)


def _read(kinds: tuple[type, ...], digits: Digits, timeline: Timeline, symbol: "Symbol") -> Any:
    """The value of the first of some kinds that a symbol has. Raises UnfitValueError."""
    from lars2asp.externals.terms.symbols import value_of_symbol  # noqa: PLC0415

    value, said = value_of_symbol(symbol), ""
    for kind in kinds:
        try:
            return _READERS[kind](value, digits, timeline)
        except UnfitValueError as error:
            said = said or str(error)
    raise UnfitValueError(said)


def _number(value: Value, digits: Digits, what: str) -> Decimal:
    """A number, with its decimals."""
    if not isinstance(value, int):
        raise UnfitValueError(f"is not {what}, as the annotation promises")
    if digits is None:
        raise UnfitValueError("has other decimals in other calls: take a function of its own for each")
    return Decimal(decimal_text(value, digits))


def _bool(value: Value, _: Digits, __: Timeline) -> bool:
    text = value.name if isinstance(value, Term) and not value.arguments else value
    found = {_TRUE: True, _FALSE: False, 1: True, 0: False}.get(text) if isinstance(text, int | str) else None
    if found is None:
        raise UnfitValueError("is not a bool (true, false, 1, 0), as the annotation promises")
    return found


def _int(value: Value, digits: Digits, _: Timeline) -> int:
    if not digits and isinstance(value, int) and digits is not None:
        return value
    number = _number(value, digits, "an int")
    if number != int(number):
        raise UnfitValueError(f"is {number}, but the annotation promises int: write float")
    return int(number)


def _float(value: Value, digits: Digits, _: Timeline) -> float:
    return float(_number(value, digits, "a number"))


def _decimal(value: Value, digits: Digits, _: Timeline) -> Decimal:
    return _number(value, digits, "a number")


def _str(value: Value, _: Digits, __: Timeline) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Term) and not value.arguments and value.name and value.is_positive:
        return value.name
    raise UnfitValueError("is no text and no name, as the annotation promises")


def _datetime(value: Value, _: Digits, timeline: Timeline) -> datetime:
    if not isinstance(value, int):
        raise UnfitValueError("is not a tick, as the annotation promises")
    if timeline.tick_length is None:
        raise UnfitValueError(f"cannot be a datetime, as the annotation promises: {_LENGTH}")
    try:
        return timeline.moment(value).astimezone(timeline.zone or UTC)
    except OverflowError as error:
        raise UnfitValueError("is after the year 9999") from error


def _timedelta(value: Value, _: Digits, timeline: Timeline) -> timedelta:
    if not isinstance(value, int):
        raise UnfitValueError("is not a number of ticks, as the annotation promises")
    if timeline.tick_length is None:
        raise UnfitValueError(f"cannot be a duration, as the annotation promises: {_LENGTH}")
    return timedelta(microseconds=value * timeline.tick_length)


def _tuple(value: Value, _: Digits, __: Timeline) -> tuple[Any, ...]:
    if not isinstance(value, Term) or value.name or not value.is_positive:
        raise UnfitValueError("is not a tuple, as the annotation promises")
    return tuple(map(_inner, value.arguments))


def _inner(value: Value) -> Any:
    """What stands within a tuple: numbers and texts, tuples, and symbols of others."""
    from lars2asp.externals.terms.symbols import symbol_of  # noqa: PLC0415

    if not isinstance(value, Term):
        return value
    return symbol_of(value) if value.name else tuple(map(_inner, value.arguments))


def _list(value: Value, digits: Digits, timeline: Timeline) -> list[Any]:
    return [*_tuple(value, digits, timeline)]


_READERS: dict[Any, Callable[[Value, Digits, Timeline], Any]] = {
    **{bool: _bool, int: _int, float: _float, Decimal: _decimal, str: _str},
    **{datetime: _datetime, timedelta: _timedelta, tuple: _tuple, list: _list},
}


def _and_then(first: Iterable[Any], more: Iterable[Any]) -> Iterator[Any]:
    yield from first
    yield from more
