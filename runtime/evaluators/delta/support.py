"""The support of atoms that several rules or instances derive: an atom holds while one of them derives it."""

from collections.abc import Iterable

from lars2asp.externals.views import Changes


class Support:
    """The number of derivations of each atom; atoms are given by their keys."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._changed: dict[int, bool] = {}
        """The atoms that changed since the last call of `changes`, and whether they were derived before."""

    def __len__(self) -> int:
        """The number of atoms with a derivation."""
        return len(self._numbers)

    def add(self, atoms: Iterable[int]) -> None:
        """Adds a derivation of each atom."""
        numbers, changed = self._numbers, self._changed
        for atom in atoms:
            number = numbers.get(atom, 0)
            if not number:
                changed.setdefault(atom, False)
            numbers[atom] = number + 1

    def withdraw(self, atoms: Iterable[int]) -> None:
        """Withdraws a derivation of each atom."""
        numbers, changed = self._numbers, self._changed
        for atom in atoms:
            number = numbers[atom]
            if number == 1:
                del numbers[atom]
                changed.setdefault(atom, True)
            else:
                numbers[atom] = number - 1

    def take_over(self, atoms: Iterable[int]) -> None:
        """Takes over atoms that have one derivation already."""
        self._numbers.update(dict.fromkeys(atoms, 1))

    def changes(self) -> Changes:
        """The changes of the derived atoms since the last call."""
        changed, self._changed = self._changed, {}
        return Changes(
            [atom for atom, held in changed.items() if not held and atom in self._numbers],
            [atom for atom, held in changed.items() if held and atom not in self._numbers],
        )
