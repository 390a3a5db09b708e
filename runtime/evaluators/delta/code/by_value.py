"""What takes rows that have a certain value: of hundreds of rules, each with a constant, few are touched."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from lars2asp.externals.terms.ground_terms import ground_value
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.runtime.evaluators.delta.rules.bodies import Shape

TakeRows = Callable[[Sequence[Row]], None]


class ByValue:
    """Hands rows to the functions that take those with their value at a place.

    Args:
        place: the place.
        functions: the functions, by values.
    """

    def __init__(self, place: int, functions: Mapping[Value, Sequence[TakeRows]]) -> None:
        self._place = place
        self._functions = functions

    def __call__(self, rows: Sequence[Row]) -> None:
        place, functions = self._place, self._functions
        if len(rows) == 1:
            for function in functions.get(rows[0][place], ()):
                function(rows)
            return
        found: dict[Value, list[Row]] = {}
        for row in rows:
            value = row[place]
            if value in functions:
                found.setdefault(value, []).append(row)
        for value, some in found.items():
            for function in functions[value]:
                function(some)

    def with_others(self, others: Mapping[TakeRows, TakeRows]) -> "ByValue":
        """The same with others in place of the functions."""
        return ByValue(
            self._place, {value: [others[one] for one in some] for value, some in self._functions.items()}
        )


def by_value(functions: Iterable[tuple[Hashable, TakeRows]]) -> list[TakeRows]:
    """What takes the answers to a lookup: functions for answers of a shape, those of constants together."""
    found, values = [*functions], dict[int, dict[Value, list[TakeRows]]]()
    for shape, function in found:
        for place, value in _constants(shape):
            values.setdefault(place, {}).setdefault(value, []).append(function)
    place, most = max(values.items(), key=lambda one: len(one[1]), default=(0, {}))
    if len(most) < 2:
        return [function for _, function in found]
    others = [one for shape, one in found if place not in dict(_constants(shape))]
    return [ByValue(place, most), *others]


def common_values(shapes: Sequence[Hashable], arity: int) -> tuple[int, frozenset[Value]] | None:
    """A place below an arity at which all shapes have constants, and these; None if there is none."""
    constants = [dict(_constants(shape)) for shape in shapes]
    places = [place for place in constants[0] if place < arity and all(place in one for one in constants)]
    if not places:
        return None
    values = {place: frozenset(one[place] for one in constants) for place in places}
    place = min(places, key=lambda one: len(values[one]))
    return place, values[place]


def _constants(shape: Hashable) -> Iterable[tuple[int, Value]]:
    """The places of a shape at which a constant stands."""
    if isinstance(shape, Shape):
        for place, term in enumerate(shape.terms):
            value = ground_value(term)
            if value is not None:
                yield place, value
