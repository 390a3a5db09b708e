"""Facts that are held, on examples that were worked out by hand."""

from math import inf

import pytest

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.definition.given import Told
from lars2asp.definition.held import as_held
from lars2asp.syntax.nodes import Signature

READING = Signature("reading", 2)
OTHER = Signature("other", 1)

Fact = tuple[int, int, int] | tuple[int, int, int, int]
"""A tick, the two arguments, perhaps a last tick."""


def lasts(by: HeldBy, *facts: Fact) -> list[tuple[int, int, int, float]]:
    """What arrives: its tick, its arguments, and its last tick."""
    told = [Told(one[0], one[3] if len(one) == 4 else inf, READING, one[1:3]) for one in facts]
    return [(told[n].tick, *facts[n][1:3], last) for n, last in as_held(told, {READING: by})]


BY_ROOM = HeldBy((0,), 5)


#   tick      0    1    2    3    4    5    6    7    8    9
#   room 1    20 ------>  21 ---------------------->
#   room 2         30 ------------------------>
def test_a_fact_holds_until_the_next_one_of_its_key_or_as_long_as_is_said() -> None:
    assert lasts(BY_ROOM, (0, 1, 20), (1, 2, 30), (2, 1, 21)) == [
        (0, 1, 20, 1),
        (1, 2, 30, 6),
        (2, 1, 21, 7),
    ]


#   tick      0    1    2    3    4    5    6    7    8    9   ...  20
#   room 1    20 -------------->20 ---------------------->          20
def test_an_equal_one_prolongs() -> None:
    """Each is an arrival of its own; where the next one comes late there is a gap."""
    assert lasts(BY_ROOM, (0, 1, 20), (3, 1, 20), (20, 1, 20)) == [
        (0, 1, 20, 2),
        (3, 1, 20, 8),
        (20, 1, 20, 25),
    ]


def test_of_several_of_a_tick_the_last_one_arrives() -> None:
    """One that is told again counts where it was told last."""
    found = lasts(BY_ROOM, (0, 1, 20), (0, 1, 21), (0, 2, 30), (0, 1, 20), (1, 1, 22))
    assert found == [(0, 2, 30, 5), (0, 1, 20, 0), (1, 1, 22, 6)]


KEYS = [((), [1, 2, inf]), ((0, 1), [inf, inf, inf]), ((1,), [2, inf, inf])]


@pytest.mark.parametrize(("key", "ends"), KEYS)
def test_keys(key: tuple[int, ...], ends: list[float]) -> None:
    """Without any the predicate has one fact at a time."""
    found = lasts(HeldBy(key, None), (0, 1, 20), (2, 2, 21), (3, 3, 20))
    assert [last for *_, last in found] == ends


def test_what_a_record_says_goes_before_what_is_declared() -> None:
    """It ends with the next one all the same."""
    found = lasts(BY_ROOM, (0, 1, 20, 2), (4, 1, 20, 30), (10, 1, 21, 10))
    assert [last for *_, last in found] == [2, 9, 10]


def test_other_predicates_hold_as_they_are_told() -> None:
    told = [Told(0, 0, OTHER, (1,)), Told(1, 4, OTHER, (1,))]
    assert [*as_held(told, {READING: BY_ROOM})] == [(0, 0), (1, 4)]
