"""The `@`-functions of text in which numbers may have any size; see lars2asp.planning.asp.wide_arithmetic."""

from array import array
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any, NoReturn

from lars2asp.analysis.arithmetic.intervals import CURE, too_many
from lars2asp.externals.grounding import KeyFunction
from lars2asp.externals.terms.arithmetic import negated, operation
from lars2asp.externals.terms.order import compare
from lars2asp.externals.terms.symbols import key_of_value, value_of, widened
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Term, Value, function
from lars2asp.planning.asp.asp_program import WideText
from lars2asp.planning.asp.wide_arithmetic import DIGIT_BITS
from lars2asp.runtime.errors import UncomputableError
from lars2asp.runtime.evaluators.clingo.messages import OnMessage
from lars2asp.syntax.nodes import LARGEST_INTEGER, SMALLEST_INTEGER
from lars2asp.syntax.source import shown_number, visible

_NOTHING = array("Q")
_MOST_SUMMED = LARGEST_INTEGER >> DIGIT_BITS


class MoreDigitsError(Exception):
    """A number has more digits than the text divides sums into."""


class WideFunctions:
    """The functions of one text.

    Args:
        wide: the text.
        on_message: takes what is undefined, once for each operation.
        largest_interval: the number of values that one interval may have.
    """

    def __init__(self, wide: WideText, on_message: OnMessage, largest_interval: int) -> None:
        self._operations = wide.operations
        self._on_message = on_message
        self._largest_interval = largest_interval
        self._said: set[int] = set()
        self._undefined = function(wide.names.function("undefined"), ())
        self._weights: dict[tuple[int, ...], tuple[set[tuple[int, ...]], list[int]]] = {}
        self._sizes: dict[int, dict[int, int]] = {}
        """By statements how many values their intervals had last, each within those before it."""
        functions: dict[str, Callable[..., Value | Sequence[Value] | None]] = {
            "computed": self._computed,
            "tried": self._tried,
            "undefined": lambda *values: int(self._undefined in values),
            "range": self._range,
            "within": self._within,
            "solved": _solved,
            "number": _number,
            "holds": _holds,
            "either": lambda *values: values,
            "bound": _bound,
            "ordered": _ordered,
            "decoded": _decoded,
            "digit": _digit,
            "total": self._total,
            "narrow": self._narrow,
        }
        self.functions: dict[str, KeyFunction] = {
            wide.names.function(name): partial(_over_values, one) for name, one in functions.items()
        }
        self.functions[wide.names.function("weight")] = self._weight

    def begin(self) -> None:
        """Begins a tick."""
        self._weights.clear()
        self._sizes.clear()

    def _computed(self, number: int, *operands: Value) -> Value | None:
        made = self._operations[number]
        operator = made.operator
        found: Value | None = None
        if len(operands) == 2:
            found = operation(operator, *operands)
        elif operator == "-":
            found = negated(operands[0])
        elif type(operands[0]) is int:
            found = abs(operands[0]) if operator == "|" else ~operands[0]
        if found is None and made.text:
            self._tell(number, "operation")
        return found

    def _tried(self, number: int, *operands: Value) -> Value:
        """The same; a name of its own for what is undefined."""
        found = None if self._undefined in operands else self._computed(number, *operands)
        return self._undefined if found is None else found

    def _within(self, number: int, low: Value, value: Value, high: Value) -> int | None:
        if type(low) is not int or type(high) is not int:
            self._tell(number, "interval")
            return None
        return int(type(value) is int and low <= value <= high)

    def _range(self, number: int, low: Value, high: Value, *more: Value) -> Sequence[Value] | None:
        """The numbers of an interval; `more` has the values of the variables that limit them."""
        if type(low) is not int or type(high) is not int:
            self._tell(number, "interval")
            return None
        made, bounds = self._operations[number], (low, high)
        for limit in made.limits:
            low, high = limit.narrowed(low, high, dict(zip(made.variables, more, strict=False)))
        most = self._largest_interval if made.text else LARGEST_INTEGER
        if high - low >= most:
            text = made.text or f"{shown_number(low)}..{shown_number(high)}"
            said = too_many(visible(text), shown_number(high - low + 1), most)
            ends = f", for {shown_number(low)}..{shown_number(high)}"
            raise UncomputableError(f"{said}{ends}: {CURE}", made.origin, bounds)
        if made.text:
            sizes = self._sizes.setdefault(made.statement, {})
            while number in sizes:  # those within it begin anew
                sizes.popitem()
            sizes[number] = max(high - low + 1, 1)
            together = prod(sizes.values())
            if together > most:
                text, number_said = visible(made.text), shown_number(together)
                said = (
                    f"the interval {text} and others of its rule have {number_said} values, more than {most}"
                )
                raise UncomputableError(f"{said}: {CURE}", made.origin, bounds)
        return range(low, high + 1)

    def _tell(self, number: int, what: str) -> None:
        made = self._operations[number]
        if made.text and number not in self._said:
            self._said.add(number)
            self._on_message(made.origin, f"{what} undefined:\n  {visible(made.text)}")

    def _fail(self, number: int, what: str) -> NoReturn:
        raise UncomputableError(what, self._operations[number].origin)

    def _narrow(self, number: int, value: Value) -> Value:
        if type(value) is int and not SMALLEST_INTEGER < value <= LARGEST_INTEGER:
            made = self._operations[number]
            self._fail(
                number,
                f"{made.operator} {made.text} is {shown_number(value)}, but clingo has 32 bits for it",
            )
        return value

    def _weight(self, number: int, group: int, weight: int, *more: int) -> "array[int]":
        """The weight of a tuple; the weights of one aggregate must stay within 32 bits together."""
        value = value_of(weight)
        if type(value) is not int:
            return array("Q", (weight,))
        place: int = value_of(number)  # type: ignore[assignment]
        tuples, total = self._weights.setdefault((number, group), (set(), [0]))
        if (weight, *more) not in tuples:
            tuples.add((weight, *more))
            total[0] += abs(value)
            if total[0] > LARGEST_INTEGER:
                self._fail(
                    place,
                    f"{self._operations[place].text} may be {shown_number(total[0])} together, but clingo "
                    "has 32 bits for them where it searches for answer streams",
                )
        return array("Q", (weight,))

    def _total(self, number: int, count: int, *digits: int) -> Value:
        if count > _MOST_SUMMED:
            self._fail(number, f"{self._operations[number].text} has more than {_MOST_SUMMED} numbers")
        return sum(digit << (place * DIGIT_BITS) for place, digit in enumerate(digits))


def _over_values(function: Callable[..., Any], *keys: int) -> "array[int]":
    found = function(*map(value_of, keys))
    if found is None:
        return _NOTHING
    values = [found] if isinstance(found, int | str | Term) else found
    return array("Q", [key_of_value(widened(one)) for one in values])


def _number(text: str) -> int:
    return int(text)


def _solved(factor: int, constant: int, value: Value) -> Value | None:
    if type(value) is not int:
        return None
    found, rest = divmod(value - constant, factor)
    return None if rest else found


def _holds(one: Value, *more: Any) -> int:
    for sign, other in zip(more[::2], more[1::2], strict=True):
        if not compare(sign, one, other):
            return 0
        one = other
    return 1


def _bound(value: Value) -> Value:
    if type(value) is int and not SMALLEST_INTEGER <= value <= LARGEST_INTEGER:
        return SUPREMUM if value > 0 else INFIMUM
    return value


def _ordered(value: Value) -> Value:
    """A term for a value; clingo's order of such terms is that of the values."""
    if value is INFIMUM or value is SUPREMUM:
        return value
    if type(value) is int:
        size = abs(value)
        bits = size.bit_length()
        parts = tuple((size >> shift) & 0x3FFFFFFF for shift in range(30 * (-(-bits // 30) - 1), -1, -30))
        sign = 1 if value >= 0 else -1
        return _pair(0, (sign * len(parts), *(sign * part for part in parts)))
    if not isinstance(value, Term) or not value.arguments:
        return _pair(1, (value,))
    inner = tuple(map(_ordered, value.arguments))
    return _pair(1, (function(value.name, inner, is_positive=value.is_positive),))


def _pair(kind: int, values: tuple[Value, ...]) -> Term:
    found: Value = function("", ())
    for one in reversed(values):
        found = function("", (one, found))
    return function("", (kind, found))


def _decoded(value: Value) -> Value:
    """The value that such a term stands for."""
    if not isinstance(value, Term) or value is INFIMUM or value is SUPREMUM:
        return value
    kind, rest = value.arguments
    values: list[Any] = []
    while isinstance(rest, Term) and rest.arguments:
        one, rest = rest.arguments
        values.append(one)
    if kind == 0:
        length, *parts = values
        size = 0
        for part in parts:
            size = (size << 30) | abs(part)
        return -size if length < 0 else size
    [found] = values
    if isinstance(found, Term) and found.arguments:
        inner = tuple(map(_decoded, found.arguments))
        return function(found.name, inner, is_positive=found.is_positive)
    return found  # type: ignore[no-any-return]


def _digit(digits: int, digit: int, sign: str, weight: Value) -> int | None:
    """A digit of a weight, with its sign; 1 in place of the digit -1, so that tuples are counted."""
    if type(weight) is not int or (sign and weight <= 0):
        return None
    if digit < 0:
        return 1
    size = abs(weight)
    if size.bit_length() > digits * DIGIT_BITS:
        raise MoreDigitsError
    part = (size >> (digit * DIGIT_BITS)) & ((1 << DIGIT_BITS) - 1)
    return part if weight >= 0 else -part
