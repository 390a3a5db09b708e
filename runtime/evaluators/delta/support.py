"""What is derived by several things: it is there as long as one of them derives it."""

from collections.abc import Iterable

from lars2asp.externals.views import Changes


class Support:
    """How many things derive each atom; atoms are given by their keys."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._changed: dict[int, bool] = {}
        """The atoms that came or went since the last time, and whether they were derived before."""

    def add(self, atoms: Iterable[int]) -> None:
        """One more thing derives each of these."""
        numbers, changed = self._numbers, self._changed
        for atom in atoms:
            number = numbers.get(atom, 0)
            if not number:
                changed.setdefault(atom, False)
            numbers[atom] = number + 1

    def withdraw(self, atoms: Iterable[int]) -> None:
        """One thing less derives each of these."""
        numbers, changed = self._numbers, self._changed
        for atom in atoms:
            number = numbers[atom]
            if number == 1:
                del numbers[atom]
                changed.setdefault(atom, True)
            else:
                numbers[atom] = number - 1

    def take_over(self, atoms: Iterable[int]) -> None:
        """These were derived by one thing all the time."""
        self._numbers.update(dict.fromkeys(atoms, 1))

    def changes(self) -> Changes:
        """What is derived more and less than the last time."""
        changed, self._changed = self._changed, {}
        return Changes(
            [atom for atom, held in changed.items() if not held and atom in self._numbers],
            [atom for atom, held in changed.items() if held and atom not in self._numbers],
        )
