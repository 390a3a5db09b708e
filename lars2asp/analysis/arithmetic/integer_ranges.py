"""The integers that comparisons alone bind variables to, for those who look for instances of bodies.

`1 <= X, X <= 3` binds X to 1, 2 and 3, and `X = -X` binds it to 0, as clingo has it. Which variables of a
literal need that depends on those that have values when it is looked at.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from lars2asp.analysis.arithmetic.linear_bounds import (
    Linear,
    Range,
    bounded,
    inequalities,
    key_of,
    names_between,
)
from lars2asp.syntax import nodes
from lars2asp.syntax.traversal import every, rewrite, variable_names
from lars2asp.syntax.values import dataclass

_INVENTED = "@any"


@dataclass(frozen=True)
class Enumerated:
    """Variables of a literal that take the integers that comparisons leave them.

    Attributes:
        names: the variables.
        known: what the comparisons beside the literal say.
        limits: the bounds by that alone.
    """

    names: tuple[str, ...]
    known: Sequence[Linear]
    limits: Mapping[str, Range]

    def extended(self, binding: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The bindings with integers for those of the variables that have no values."""
        name = next((one for one in self.names if one not in binding), None)
        if name is None:
            yield {**binding}
            return
        for number in self._range(name, binding):
            yield from self.extended({**binding, name: number})

    def _range(self, name: str, binding: Mapping[str, Any]) -> range:
        """The integers that a variable may be: by what others are only where nothing else bounds it."""
        low, high = self.limits.get(name, (None, None))
        if low is None or high is None:
            low, high = bounded(self.known, _as_limits(binding))[1].get(name, (None, None))
        return range(0) if low is None or high is None else range(low, high + 1)


def enumerated(
    literal: nodes.Node,
    among: Iterable[nodes.Node],
    bound: set[str],
    constants: Mapping[str, int],
    is_ready: Callable[[set[str]], bool],
) -> Enumerated | None:
    """The variables of a literal to enumerate so that it can be looked at; None if that is no way.

    Args:
        literal: the literal.
        among: the literals of its body or condition, all of which are to be true.
        bound: the variables that have values.
        constants: the values of integer constants.
        is_ready: whether the literal can be looked at once some variables have values.
    """
    literals = (one for one in among if isinstance(one, nodes.Literal))
    known = [found for one in literals for found in inequalities(one, constants)]
    possible, limits = bounded(known)  # all, where comparisons exclude each other
    names: list[str] = []
    for name in sorted(variable_names(literal) & (possible | names_between(known, bound)) - bound):
        names.append(name)
        if is_ready(bound.union(names)):
            return Enumerated(tuple(names), known, limits)
    return None


def has_any(comparison: nodes.Comparison) -> bool:
    """Whether a comparison that is more than an equation has `_`: it binds no other variables."""
    signs = [guard.comparison for guard in comparison.guards]
    return signs not in (["="], ["!="]) and any(one.is_anonymous for one in every(nodes.Variable, comparison))


def without_any(
    comparison: nodes.Comparison, binding: Mapping[str, Any], constants: Mapping[str, int]
) -> Iterator[nodes.Comparison]:
    """A comparison that is more than an equation, with what stands for one value in place of each `_`.

    The integers that it leaves to `_` (`1 <= _ <= 3`), else variables (`X = _ < Y`), see `without_invented`.
    """
    if not has_any(comparison):
        yield comparison
        return
    keys = [key_of(one) for one in every(nodes.Variable, comparison) if one.is_anonymous]
    known = inequalities(nodes.Literal(comparison), constants)
    limits = bounded(known, _as_limits(binding))[1]
    between = [(low, high) for low, high in (limits.get(key, (None, None)) for key in keys)]
    ranges = [range(low, high + 1) for low, high in between if low is not None and high is not None]
    if len(ranges) < len(keys):
        yield _with_terms(comparison, {key: nodes.Variable(f"{_INVENTED}{key}") for key in keys})
        return
    for numbers in product(*ranges):
        yield _with_terms(comparison, dict(zip(keys, map(_number, numbers), strict=True)))


def _with_terms(comparison: nodes.Comparison, terms: Mapping[str, nodes.Term]) -> nodes.Comparison:
    def changed(one: nodes.Node) -> nodes.Node:
        return terms[key_of(one)] if isinstance(one, nodes.Variable) and one.is_anonymous else one

    return rewrite(comparison, changed)


def without_invented(binding: Mapping[str, Any]) -> dict[str, Any]:
    """The values of all variables but those that stand in place of `_`."""
    return {name: value for name, value in binding.items() if not name.startswith(_INVENTED)}


def _as_limits(binding: Mapping[str, Any]) -> dict[str, Range]:
    return {name: (value, value) for name, value in binding.items() if type(value) is int}


def _number(value: int) -> nodes.Term:
    return nodes.Number(value) if value >= 0 else nodes.UnaryOperation("-", nodes.Number(-value))
