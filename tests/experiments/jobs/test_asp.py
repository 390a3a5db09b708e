"""Clingo at one tick of a job, telingo over a trace: the atoms of the plain loop."""

import sys

import pytest

from experiments.jobs import asp
from experiments.jobs.part import Settings
from experiments.jobs.whole import has_module

SMALL = Settings(scale=0.01, runs=1)


@pytest.mark.parametrize("name", asp.AT_A_TICK)
def test_clingo_finds_what_holds_at_a_tick(name: str) -> None:
    rows = [*asp.at_a_tick(name, SMALL)]
    assert [row[3] for row in rows] == ["clingo", "lars2asp, changes"]


@pytest.mark.skipif(not has_module(sys.executable, "telingo"), reason="telingo is not installed")
@pytest.mark.parametrize("name", asp.TRACES)
def test_telingo_finds_what_holds_at_every_tick(name: str) -> None:
    rows = [*asp.over_a_trace(name, SMALL)]
    assert [row[3] for row in rows] == ["telingo", "lars2asp, changes"]


def test_what_is_not_installed_is_named() -> None:
    *_, last = asp.tables(SMALL)
    if not has_module(sys.executable, "telingo"):
        assert last.title == "telingo: not installed: skipped"
