"""Clingo at one tick of a job, telingo and MeTeoR over a trace: the atoms of the plain loop."""

import sys
from collections.abc import Mapping

import pytest

from experiments.jobs import asp
from experiments.jobs.part import Settings
from experiments.jobs.whole import has_module

SMALL = Settings(scale=0.01, runs=1)


@pytest.mark.parametrize("name", asp.AT_A_TICK)
def test_clingo_finds_what_holds_at_a_tick(name: str) -> None:
    rows = [*asp.at_a_tick(name, SMALL)]
    assert [row[3] for row in rows] == ["clingo", "lars2asp, changes"]


@pytest.mark.parametrize(
    ("peer", "module", "traces"),
    [
        (asp.TELINGO, "telingo", asp.TRACES),
        (asp.METEOR, "meteor_reasoner", dict.fromkeys(asp.MATERIALIZED, 300)),
    ],
)
def test_others_find_what_holds_at_every_tick(peer: asp.Peer, module: str, traces: Mapping[str, int]) -> None:
    if not has_module(sys.executable, module):
        pytest.skip(f"{module} is not installed")
    for name, number in traces.items():
        rows = [*asp.over_a_trace(peer, name, number, SMALL)]
        assert [row[3] for row in rows] == [peer.name, "lars2asp, changes"]


def test_what_is_not_installed_is_named() -> None:
    *_, telingo, meteor = asp.tables(SMALL)
    for table, name, module in ((telingo, "telingo", "telingo"), (meteor, "MeTeoR", "meteor_reasoner")):
        if not has_module(sys.executable, module):
            assert table.title == f"{name}: not installed: skipped"
