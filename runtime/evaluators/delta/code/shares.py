"""What several rules derive, told apart by rules: which one made an atom begin, and by which it ended.

An atom that several rules derive counts for the first of them by which it begins, and for the last of them by
which it ends. So the numbers of all rules of a predicate together are those of its atoms. Each rule has lists
of its own for the instances that begin to fire and cease. Rows that depend on each other have the number of
the rule beside their stamp.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from typing import NamedTuple

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.runtime.evaluators.delta.code.expressions import Scope
from lars2asp.runtime.evaluators.delta.code.heads import PERHAPS, DerivedRows
from lars2asp.runtime.evaluators.delta.code.recursion import Recursive
from lars2asp.syntax.source import Location


class _Share(NamedTuple):
    """What one rule derives: instances that begin to fire, and those that cease.

    Attributes:
        number: its number; 0 for what is of no rule that counts.
        more: the rows of these that begin.
        less: the rows of those that cease.
    """

    number: int
    more: list[Row]
    less: list[Row]


class SharedDerived(DerivedRows):
    """Rows that several rules derive, or rules and facts."""

    def __init__(self, number: int, scope: Scope) -> None:
        super().__init__(number, scope, is_counted=True, is_net=False)
        self._scope = scope
        self._parts: dict[Location, DerivedRows] = {}
        self._shares = [_Share(0, self._more, self._less)]
        self._made = [0]

    def share(self, location: Location) -> DerivedRows:
        """What the rule at a place derives."""
        found = self._parts.get(location)
        if found is None:
            number = len(self._shares)
            found = self._parts[location] = self.apart(self._scope, f"_{number}")
            self._shares.append(_Share(number, found._more, found._less))
            self._made.append(0)
        return found

    def made(self, location: Location) -> int:
        """How many rows have begun and ended by the rule at a place."""
        return self._made[[*self._parts].index(location) + 1]

    def forget_counts(self) -> None:
        """No rows have begun or ended."""
        self._made[:] = [0] * len(self._made)

    @property
    def waiting(self) -> tuple[Sequence[Row], Sequence[Row]]:
        """Nothing that stays the same tells it."""
        return PERHAPS

    def changes(self) -> Changes:
        """The changes since the last call."""
        begins = [share for share in self._shares if share[1]]
        ends = [share for share in self._shares if share[2]]
        if not begins and not ends:
            return NO_CHANGES
        began: list[Row] = []
        ended: list[Row] = []
        more = less = 0
        if begins:
            own = [row for share in begins for row in share[1]] if len(begins) > 1 else begins[0][1][:]
            more, began = len(own), self.counted.add(own)
        if ends:
            own = [row for share in ends for row in share[2]] if len(ends) > 1 else ends[0][2][:]
            less, ended = len(own), self.counted.remove(own)
        if began and ended:
            both = set(began).intersection(ended)
            if both:
                began = [row for row in began if row not in both]
                ended = [row for row in ended if row not in both]
        made = self._made
        if began:
            left = None if len(began) == more else set(began)
            for number, rows, _ in begins:
                made[number] += len(rows) if left is None else _taken_out(rows, left)
        if ended:
            left = None if len(ended) == less else set(ended)
            for number, _, rows in reversed(ends):
                made[number] += len(rows) if left is None else _taken_out(rows, left)
        for share in begins:
            share[1].clear()
        for share in ends:
            share[2].clear()
        return Changes(began, ended) if began or ended else NO_CHANGES


def _taken_out(rows: list[Row], left: set[Row]) -> int:
    """How many rows are taken out of those that are left."""
    before = len(left)
    left.difference_update(rows)
    return before - len(left)


class SharedRecursive(Recursive):
    """Rows that rules derive from themselves; behind the other numbers of a row stands that of a rule."""

    def __init__(self, number: int, scope: Scope, stamps: Iterator[int]) -> None:
        super().__init__(number, scope, stamps)
        self._parts: dict[Location, Recursive] = {}
        self._made = [0]
        self._beginners: list[int] = []
        """Since the last call of `changes`: by which rules rows began, in order."""
        self._enders: list[int] = []
        self._tell_apart(0)

    def _tell_apart(self, rule: int) -> None:
        self._new_entry, self._at_end = f"[NEVER, 1, 0, {rule}]", f"entry[3] = {rule}"

    def share(self, location: Location) -> Recursive:
        """What the rule at a place derives."""
        found = self._parts.get(location)
        if found is None:
            found = self._parts[location] = copy(self)
            found._tell_apart(len(self._made))
            self._made.append(0)
        return found

    def made(self, location: Location) -> int:
        """How many rows have begun and ended by the rule at a place."""
        return self._made[[*self._parts].index(location) + 1]

    def forget_counts(self) -> None:
        """No rows have begun or ended."""
        self._made[:] = [0] * len(self._made)

    def add(self, rows: Sequence[Row]) -> None:
        """One derivation for each row; to be called once, before all else."""
        super().add(rows)
        for row in rows:
            self._entries[row].append(0)

    def _unfounded(self) -> list[Row]:
        rows = super()._unfounded()
        self._enders += [self._entries[row][3] for row in rows]
        return rows

    def _stamped(self) -> list[Row]:
        rows = super()._stamped()
        self._beginners += [self._entries[row][3] for row in rows]
        return rows

    def changes(self) -> Changes:
        """The changes since the last call."""
        began, ended = self._began, self._ended
        if not began and not ended:
            return NO_CHANGES
        found, made = super().changes(), self._made
        for rows, rules, lasting in (
            (began, self._beginners, found.began),
            (ended, self._enders, found.ended),
        ):
            if len(rows) == len(lasting):
                for rule in rules:
                    made[rule] += 1
            else:
                left = set(lasting)
                for row, rule in zip(rows, rules, strict=True):
                    made[rule] += row in left
            rules.clear()
        return found
