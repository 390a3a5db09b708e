"""A column of ticks of which the order of records is to tell the year, or date."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import overload


class PartialTicks(Sequence[int]):
    """Stands for the ticks of times without a year, or date, in a column.

    Args:
        texts: the times.
        lacks: what they have not, `year` or `date`.
        column: the columns in which they were written.
        are_fine: whether the order of the records of a tick matters.
        tick_of: what stands for the tick of one of them.
        on: the ticks and moments of texts in the year of a day, or on the day; None if one has to be read by
            itself.
    """

    def __init__(
        self,
        texts: Sequence[str],
        lacks: str,
        column: str,
        tick_of: Callable[[str], int],
        on: Callable[[Sequence[str], date], tuple[Sequence[int], Sequence[int]] | None],
        *,
        are_fine: bool,
    ) -> None:
        self._texts = texts
        self.lacks = lacks
        self.column = column
        self.are_fine = are_fine
        self._tick_of = tick_of
        self._on = on

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> "PartialTicks": ...

    def __getitem__(self, place: int | slice) -> "int | PartialTicks":
        if isinstance(place, slice):
            how = self.lacks, self.column, self._tick_of, self._on
            return PartialTicks(self._texts[place], *how, are_fine=self.are_fine)
        return self._tick_of(self._texts[place])

    def on(self, day: date) -> tuple[Sequence[int], Sequence[int]] | None:
        """Their ticks and moments in the year of a day, or on it; None if one has to be read by itself."""
        return self._on(self._texts, day)
