"""Facts that are held, in blocks: each until the next one with its key comes, or until its last tick."""

from collections.abc import Collection, Mapping
from copy import copy
from itertools import pairwise

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.externals.terms.terms import Row
from lars2asp.runtime.evaluators.blocks.held_rows import HeldRows, lengthen, values_at
from lars2asp.runtime.evaluators.blocks.points import Stretches


class CurrentRows:
    """The current facts of a predicate (#held), by their keys.

    Args:
        by: how its facts are held.
    """

    def __init__(self, by: HeldBy) -> None:
        self._by = by
        self._current: dict[Row, tuple[Row, int]] = {}
        """By keys: the fact, and the tick after its last one if no other comes."""

    def take(self, some: Stretches, held: HeldRows, always: Collection[Row]) -> int:
        """Takes facts; gives how many were equal to the one before with their key, at the same tick.

        Args:
            some: the facts, with the ticks after their last ones if no others come.
            held: when rows hold; what comes is added, and what was current ends.
            always: the rows that hold always, which need not be added.
        """
        if not some.rows:
            return 0
        self._forget(some.ticks[0])
        current, merged = self._current, 0
        keys = values_at(some.rows, self._by.key)
        facts = [*zip(keys, some.rows, some.ticks, some.ends, strict=False)]
        last_of_tick = {(fact[0], fact[2]): fact for fact in facts}
        if len(last_of_tick) < len(facts):
            merged = _number_merged(facts)
            facts = [*last_of_tick.values()]
            facts.sort(key=_tick)
        for key, row, tick, end in facts:
            before = current.get(key)
            current[key] = row, end
            if before is not None and before[0] != row:
                runs = held.get(before[0])
                if runs is not None and runs[-1] > tick and before[0] not in always:
                    runs[-1] = tick
            if row not in always:
                lengthen(held, row, tick, end)
        return merged

    def rows_behind(self, now: int) -> Mapping[Row, int]:
        """The facts that hold at the tick after one, and their last ticks if no others come."""
        self._forget(now + 1)
        return {row: end - 1 for row, end in self._current.values()}

    def _forget(self, tick: int) -> None:
        """Forgets the facts that do not hold at a tick if others have not come."""
        self._current = {key: one for key, one in self._current.items() if one[1] > tick}

    def go_on(self, rows: Mapping[Row, int]) -> None:
        """Takes over such facts, before any other comes."""
        self._current = {self._by.key_of(row): (row, last + 1) for row, last in rows.items()}

    def copied(self) -> "CurrentRows":
        """The same, which goes on by itself."""
        found = copy(self)
        found._current = {**self._current}
        return found


_Fact = tuple[Row, Row, int, int]
"""Key, row, tick and the tick after the last one."""


def _number_merged(facts: Collection[_Fact]) -> int:
    by_key: dict[tuple[Row, int], list[Row]] = {}
    for key, row, tick, _ in facts:
        by_key.setdefault((key, tick), []).append(row)
    return sum(one == other for rows in by_key.values() for one, other in pairwise(rows))


def _tick(fact: _Fact) -> int:
    return fact[2]
