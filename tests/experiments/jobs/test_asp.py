"""Clingo at one tick of a job, telingo and MeTeoR over a trace: the atoms of the plain loop."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.jobs import asp
from experiments.jobs.part import Settings
from experiments.jobs.tick_costs import TickCost, read
from experiments.jobs.whole import has_module

SMALL = Settings(scale=0.01, runs=1)


@pytest.mark.parametrize("name", asp.AT_A_TICK)
def test_clingo_finds_what_holds_at_a_tick(name: str) -> None:
    rows = [*asp.at_a_tick(name, SMALL)]
    assert [row.system for row in rows] == ["clingo", "lars2asp, changes"]


@pytest.mark.parametrize(
    ("peer", "module", "traces"),
    [
        (asp.TELINGO, "telingo", asp.TRACES[asp.TELINGO]),
        (asp.METEOR, "meteor_reasoner", dict.fromkeys(asp.TRACES[asp.METEOR], 300)),
    ],
)
def test_others_find_what_holds_at_every_tick(peer: asp.Peer, module: str, traces: Mapping[str, int]) -> None:
    if not has_module(sys.executable, module):
        pytest.skip(f"{module} is not installed")
    for name, number in traces.items():
        rows = [*asp.over_a_trace(peer, name, number, SMALL)]
        assert [row.system for row in rows] == [peer.name, "lars2asp, changes"]


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asp, "at_a_tick", lambda *_: iter(()))
    monkeypatch.setattr(asp, "has_module", lambda *_: False)
    *_, telingo, meteor = asp.tables(SMALL)
    for table, name in ((telingo, "telingo"), (meteor, "MeTeoR")):
        assert table.title == f"{name}: not installed: skipped"


def test_all_in_full_size_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def one(job: str, system: str) -> Iterator[TickCost]:
        yield TickCost(job, 100, 10, system, 1.0, 0.5, 2**20, 3)

    monkeypatch.setattr(asp, "FOLDER", tmp_path)
    monkeypatch.setattr(asp, "at_a_tick", lambda name, _: one(name, "clingo"))
    monkeypatch.setattr(asp, "over_a_trace", lambda peer, name, *_: one(name, peer.name))
    monkeypatch.setattr(asp, "has_module", lambda _, module: module != "telingo")
    assert [*asp.tables(Settings())]
    assert not [*tmp_path.iterdir()]  # telingo is missing
    monkeypatch.setattr(asp, "has_module", lambda *_: True)
    assert [*asp.tables(SMALL)]
    assert not [*tmp_path.iterdir()]
    assert [*asp.tables(Settings())]
    found = read(tmp_path)
    assert {(cost.system, cost.job) for cost in found} == {
        *(("clingo", name) for name in asp.AT_A_TICK),
        *((peer.name, name) for peer, traces in asp.TRACES.items() for name in traces),
    }


def test_a_system_that_fails_does_not_end_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def one(job: str, system: str) -> Iterator[TickCost]:
        if system == "telingo" and job == "join":
            raise asp.FailedPeerError("line 1\nout of | memory")
        yield TickCost(job, 100, 10, system, 1.0, 0.5, 2**20, 3)

    monkeypatch.setattr(asp, "FOLDER", tmp_path)
    monkeypatch.setattr(asp, "at_a_tick", lambda name, _: one(name, "clingo"))
    monkeypatch.setattr(asp, "over_a_trace", lambda peer, name, *_: one(name, peer.name))
    monkeypatch.setattr(asp, "has_module", lambda *_: True)
    _, telingo, meteor, failed = asp.tables(Settings())
    assert [row[0] for row in telingo.rows] == [*asp.TRACES[asp.TELINGO]]
    assert len(meteor.rows) == len(asp.TRACES[asp.METEOR])
    assert failed.title == "Nothing is kept, because systems failed"
    assert [row[:4] for row in failed.rows] == [["join", "", "", "telingo failed: out of \\| memory"]]
    assert not [*tmp_path.iterdir()]


def test_a_process_of_a_system_that_fails_is_named() -> None:
    with pytest.raises(asp.FailedPeerError, match="ended with 1"):
        asp.at_a_tick("join", replace(SMALL, peers="/bin/false")).__next__()
