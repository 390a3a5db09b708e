"""Rows that rules derive and the input tells as well: one holds while either says so."""

from collections.abc import Iterable

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import Changes


class Support:
    """The number of sources of each row.

    Args:
        rows: those that have one source in the beginning.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.numbers: dict[Row, int] = dict.fromkeys(rows, 1)

    def changes(self, several: Iterable[Changes]) -> Changes:
        """What the changes of the sources come to."""
        numbers = self.numbers
        before: dict[Row, int] = {}
        for changes in several:
            for row in changes.ended:
                number = numbers[row]
                before.setdefault(row, number)
                numbers[row] = number - 1
            for row in changes.began:
                number = numbers.get(row, 0)
                before.setdefault(row, number)
                numbers[row] = number + 1
        began = [row for row, number in before.items() if not number and numbers[row]]
        ended = [row for row, number in before.items() if number and not numbers[row]]
        for row in before:
            if not numbers[row]:
                del numbers[row]
        return Changes(began, ended)
