"""Which rows a declaration takes, as the conditions behind its `where` say."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import repeat
from typing import Any

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.row_events import LONGEST_KNOWN, MOST_KNOWN, Wrong
from lars2asp.syntax.nodes import COMPARED, Condition

_NUMBER = r"-?(?=[0-9.]{1,15}(?:\n|\Z))[0-9]++(?:\.[0-9]++)?"
_PLAIN = re.compile(rf"{_NUMBER}(?:\n{_NUMBER})*+")
"""Numbers of 15 digits at most: floats keep them apart, and in their order."""

Outcome = bool | Wrong
"""Whether a condition holds; or why its cell is no number."""


class ConditionCells(dict[Any, Outcome]):
    """Whether cells meet a condition, by their texts, each judged once; None: the cell is missing.

    Args:
        condition: the condition.
        missing: the texts of missing cells.
        number_of: gives the number of a cell; None where that counts as missing. Raises InputError.

    Attributes:
        takes_fractions: whether a number with a fraction may stand for its text, however that is written.
    """

    def __init__(
        self,
        condition: Condition,
        missing: frozenset[str],
        number_of: Callable[[str], int | Decimal | None],
    ) -> None:
        self._condition = condition
        self._holds = COMPARED[condition.comparison]
        self._missing = missing
        self._number_of = number_of
        self._number = Decimal(condition.value) if condition.is_number else None
        column = condition.column
        is_plain = not (column.joined or column.signs) and column.conversion in ("", "int", "number", "any")
        self.takes_fractions = condition.is_number and is_plain and missing <= {""}
        is_read_so = column.conversion != "int" and column.scale is None and not any(column.marks)
        self._has_floats = self.takes_fractions and is_read_so and not column.is_rounded
        self._has_floats = self._has_floats and _PLAIN.fullmatch(condition.value) is not None
        """Whether floats are compared as the numbers are that they stand for."""

    def __missing__(self, text: str | float | None) -> Outcome:
        cell = repr(text) if isinstance(text, int | float) else text
        outcome = self._judged(cell)
        if len(self) >= MOST_KNOWN:
            self.clear()
        if cell is None or len(cell) <= LONGEST_KNOWN:
            self[text] = outcome
        return outcome

    def of(self, texts: Sequence[Any]) -> Sequence[Outcome]:
        """Whether many cells meet the condition."""
        if self._has_floats and self._number is not None:
            kinds = {*map(type, texts)}
            if kinds == {str}:
                together = "\n".join(texts)
                if _PLAIN.fullmatch(together) and together.count("\n") == len(texts) - 1:
                    return [*map(self._holds, map(float, texts), repeat(float(self._number)))]
            elif {int, float}.issuperset(kinds):
                return [*map(self._holds, texts, repeat(float(self._number)))]
        return [*map(self.__getitem__, texts)]

    def of_number(self, number: Any) -> Outcome:
        """Whether a number meets the condition; None: the cell is missing."""
        return self[None] if number is None else self._holds(number, self._number)

    def _judged(self, cell: str | None, *, is_otherwise: bool = False) -> Outcome:
        number: int | Decimal | None = None
        is_there = cell is not None and (is_otherwise or cell.strip() not in self._missing)
        if cell is not None and is_there and self._number is not None:
            try:
                number = self._number_of(cell)
            except InputError as error:
                return Wrong(f"where: {error}")
            is_there = number is not None
        if not is_there:
            otherwise = self._condition.column.otherwise
            return not (is_otherwise or otherwise is None) and self._judged(otherwise, is_otherwise=True)
        if self._number is None:
            return self._holds(cell, self._condition.value)
        return self._holds(number, self._number)


def all_of(outcomes: Sequence[Outcome]) -> Outcome:
    """Whether all conditions hold of a row; one that does not decides, whatever others are."""
    if False in outcomes:
        return False
    return next((one for one in outcomes if type(one) is Wrong), True)


def each_of_all(outcomes: Sequence[Sequence[Outcome]]) -> Sequence[Outcome]:
    """The same for many rows, given by conditions."""
    if len(outcomes) == 1:
        return outcomes[0]
    return [*map(all_of, zip(*outcomes, strict=True))]
