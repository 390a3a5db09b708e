"""Tests of Python's collector, which is not to look through what was made for many rows.

What is frozen is so for a whole process: those tests have one of their own.
"""

import gc
import sys
from collections.abc import Iterator

import pytest

from lars2asp.syntax.garbage import collector_paused
from tests.support.processes import completed

BEGIN = """
import gc, weakref
from lars2asp.syntax.garbage import count_as_old

class Ring:
    def __init__(self):
        self.next = self

"""


def said(code: str) -> list[str]:
    """What a process says that runs some code."""
    return completed([sys.executable, "-c", BEGIN + code]).stdout.split()


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """The collector as it was, afterwards."""
    was_enabled = gc.isenabled()
    yield
    (gc.enable if was_enabled else gc.disable)()


def test_what_counts_as_old_is_not_looked_through_with_what_is_young() -> None:
    code = """
for _ in range(2):
    ring = weakref.ref(Ring())
    count_as_old()
    gc.collect(1)
    print(ring() is not None)
    gc.collect()
    print(ring() is None, gc.get_freeze_count())
"""
    assert said(code) == ["True", "True", "0"] * 2


def test_what_others_have_frozen_stays_frozen() -> None:
    """Python counts it once: that takes longer the more there is."""
    code = """
gc.freeze()
counted, count = [], gc.get_freeze_count
gc.get_freeze_count = lambda: counted.append(1) or count()
for _ in range(3):
    count_as_old()
print(count() > 0, len(counted))
"""
    assert said(code) == ["True", "1"]


@pytest.mark.parametrize("was_enabled", [True, False])
def test_a_collector_that_was_paused_before_stays_so(*, was_enabled: bool) -> None:
    (gc.enable if was_enabled else gc.disable)()
    with collector_paused():
        assert not gc.isenabled()
    assert gc.isenabled() is was_enabled
