"""The @-functions that clingo calls while it grounds a tick."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from lars2asp.externals.grounding import KeyFunction, KeyFunctions, over_keys
from lars2asp.externals.terms.order import in_order
from lars2asp.externals.terms.symbols import (
    argument_rows,
    atom_keys,
    key_of_value,
    pair_keys,
    pair_rows,
    tuple_keys,
    widened,
)
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup, LookupKind

_OF_PAIRS = frozenset((LookupKind.AT, LookupKind.COUNT, LookupKind.COUNT_BEFORE, LookupKind.SCHEDULED))


def answer_keys(lookup: Lookup, rows: Sequence[Row]) -> list[int]:
    """The keys of an answer to a lookup as generated text has it: of atoms, pairs or tuples."""
    if lookup.signature is None:
        return tuple_keys(rows)
    return (pair_keys if lookup.kind in _OF_PAIRS else atom_keys)(lookup.signature, rows)


def answer_rows(lookup: Lookup, keys: Sequence[int]) -> list[Row]:
    """The rows of an answer to a lookup, given as generated text has it."""
    return (pair_rows if lookup.kind in _OF_PAIRS else argument_rows)(keys)


class KeptAnswer:
    """The answer to a lookup, which follows its changes; a row becomes a key once, when keys are asked for.

    Args:
        lookup: the lookup.
        is_ordered: whether keys are given in clingo's order.

    Attributes:
        lookup: the lookup.
        rows: the rows, and their keys, 0 for those that have none yet.
    """

    __slots__ = ("_is_ordered", "lookup", "rows")

    def __init__(self, lookup: Lookup, *, is_ordered: bool) -> None:
        self.lookup = lookup
        self._is_ordered = is_ordered
        self.rows: dict[Row, int] = {}

    def change(self, changes: Changes) -> None:
        """Takes the changes by a tick."""
        for row in changes.ended:
            self.rows.pop(row, None)
        self.rows.update(dict.fromkeys(changes.began, 0))

    def differences(self, rows: Iterable[Row]) -> Changes:
        """What would make it these rows."""
        here = dict.fromkeys(rows)
        began = [row for row in here if row not in self.rows]
        ended = [row for row in self.rows if row not in here]
        return Changes(began, ended) if began or ended else NO_CHANGES

    def keys(self) -> "array[int]":
        """The answer as clingo takes it."""
        rows = self.rows
        missing = [row for row, key in rows.items() if not key]
        rows.update(zip(missing, answer_keys(self.lookup, missing), strict=True))
        return array("Q", map(rows.__getitem__, in_order(rows)) if self._is_ordered else rows.values())

    def wide_keys(self) -> "array[int]":
        """The same where numbers may be larger than clingo's; see `widened`."""
        rows = in_order(self.rows) if self._is_ordered else self.rows
        return array("Q", answer_keys(self.lookup, [tuple(map(widened, row)) for row in rows]))


class LookupFunctions:
    """The `@`-functions of one tick: hand out answers that the database gave before.

    Clingo promises neither order nor number of calls, so nothing is computed in a call. The predicate, the
    window and the tick are the arguments of a call, as the generated text has them.

    Args:
        functions: the names by which lookups are called.
        lookups: what will be called.
        others: the user's functions by name.
        more: others over keys.

    Attributes:
        functions: all of them, to ground with.
    """

    def __init__(
        self,
        functions: Mapping[LookupKind, str],
        lookups: Sequence[Lookup],
        others: Mapping[str, Callable[..., Any]],
        more: Mapping[str, KeyFunction] = MappingProxyType({}),
    ) -> None:
        self._calls: dict[Lookup, tuple[LookupKind | int, ...]] = {
            lookup: (lookup.kind, *_arguments(lookup)) for lookup in lookups
        }
        self._answers: dict[tuple[LookupKind | int, ...], array[int]] = {}
        calls: dict[str, KeyFunction] = {name: partial(self._call, kind) for kind, name in functions.items()}
        by_keys = {name: over_keys(one) for name, one in others.items()}
        self.functions = KeyFunctions({**by_keys, **calls, **more})

    def hand_out(self, answers: Mapping[Lookup, KeptAnswer], *, is_wide: bool = False) -> None:
        """Sets the answers of the tick to be grounded.

        Args:
            answers: the answers.
            is_wide: whether numbers may be larger than clingo's. Raises OverflowError if not, and one is.
        """
        self._answers = {
            self._calls[lookup]: answer.wide_keys() if is_wide else answer.keys()
            for lookup, answer in answers.items()
        }

    def _call(self, kind: LookupKind, *arguments: int) -> "array[int]":
        return self._answers[(kind, *arguments[:-1])]  # the last argument is the tick


def _arguments(lookup: Lookup) -> list[int]:
    """The keys of the arguments of a call, but for the tick."""
    arguments: list[int | str] = []
    if lookup.signature is not None:
        name = ("" if lookup.signature.is_positive else "-") + lookup.signature.name
        arguments += [name, lookup.signature.arity]
    if lookup.window is not None:
        arguments.append(str(lookup.window))
    if lookup.least is not None:
        arguments.append(lookup.least)
    return list(map(key_of_value, arguments))
