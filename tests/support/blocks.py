"""Programs and streams that may be evaluated in blocks of ticks."""

from dataclasses import replace

from tests.oracle import Item
from tests.strategies import Case
from tests.strategies.streams import INPUTS

SERVED = ("core", "counting", "windows", "tuple windows", "aggregates", "conditional literals", "functions")
"""Groups of which some programs can be evaluated in blocks."""


def plain(item: Item) -> Item:
    """A record of facts of predicates that no rule derives."""
    return Item(item.tick, tuple(one for one in item.facts if one[0] in INPUTS), item.until)


def again(case: Case, times: int) -> list[Item]:
    """The records of a case, and so many times in all, each time after those that came before."""
    length = max((item.tick for item in case.records), default=0) + 1
    return [
        replace(
            item,
            tick=item.tick + turn * length,
            until=None if item.until is None else item.until + turn * length,
        )
        for turn in range(times)
        for item in case.records
    ]
