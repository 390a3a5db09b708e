"""Tests of Python's collector, which is not to look through what was made for many rows."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from lars2asp.syntax.garbage import collector_paused, count_as_old


class Ring:
    """Refers to itself."""

    def __init__(self) -> None:
        self.next = self


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """The collector as it was, afterwards."""
    was_enabled, frozen = gc.isenabled(), gc.get_freeze_count()
    yield
    if not frozen:
        gc.unfreeze()
    (gc.enable if was_enabled else gc.disable)()


def test_what_counts_as_old_is_not_looked_through_with_what_is_young() -> None:
    gc.unfreeze()
    ring = weakref.ref(Ring())
    count_as_old()
    gc.collect(1)
    assert ring() is not None
    gc.collect()
    assert ring() is None


def test_what_others_have_frozen_stays_frozen() -> None:
    gc.freeze()
    count_as_old()
    assert gc.get_freeze_count()


@pytest.mark.parametrize("was_enabled", [True, False])
def test_a_collector_that_was_paused_before_stays_so(*, was_enabled: bool) -> None:
    (gc.enable if was_enabled else gc.disable)()
    with collector_paused():
        assert not gc.isenabled()
    assert gc.isenabled() is was_enabled
