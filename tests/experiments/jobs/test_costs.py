"""What is kept of whole processes: the file that `whole` and `nexmark` write."""

import json
import sys
from pathlib import Path

import pytest

from experiments.jobs import whole
from experiments.jobs.costs import HEADING, Cost, JobCost, machine_with, read, write
from experiments.jobs.nexmark import measure
from experiments.jobs.nexmark.queries import QUERIES
from experiments.jobs.part import Settings
from experiments.jobs.whole import PACKAGES, PEERS, Way
from experiments.measuring.machine import Machine

FOUND = [
    JobCost("alarm", Way.CHANGES, 9000, Cost(0.5, 0.25, 0.75, 20 * 2**20, 3), 3),
    JobCost("alarm", Way.POLARS, 9000, Cost(None, 0.5), 12),
    JobCost("alarm", Way.FLINK, 9000, Cost(None, 0.5, failed="no Java"), 12),
]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write(tmp_path / "new", "jobs", FOUND, Machine.here())
    assert [*read(tmp_path / "new", "jobs")] == FOUND
    heading, *rows = (tmp_path / "new" / "jobs.csv").read_text().splitlines()
    assert heading.split(",", 3)[:3] == [*HEADING[:3]]
    assert rows[1] == "alarm,polars,9000,,0.50,,,12,,"
    [machine] = json.loads((tmp_path / "new" / "jobs.json").read_text())
    assert machine["processor"]


def test_a_file_without_numbers_of_runs_is_read(tmp_path: Path) -> None:
    write(tmp_path, "jobs", FOUND, Machine.here())
    path = tmp_path / "jobs.csv"
    path.write_text("\n".join(line.rsplit(",", 2)[0] for line in path.read_text().splitlines()))
    assert [one.cost.runs for one in read(tmp_path, "jobs")] == [0, 0, 0]


def test_without_a_file_there_is_nothing(tmp_path: Path) -> None:
    assert not read(tmp_path, "jobs")


def test_the_machine_has_versions_of_other_systems() -> None:
    assert {*PACKAGES} == PEERS
    assert "duckdb " in machine_with(sys.executable, [*PACKAGES.values()]).versions


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Costs without processes; the folder of what is kept."""
    for module in (whole, measure):
        monkeypatch.setattr(module, "FOLDER", tmp_path)
        monkeypatch.setattr(
            module, "measured", lambda name, job, rows, ways, *_: dict.fromkeys(ways, Cost(1.0, 0.5))
        )
    return tmp_path


def are_there(monkeypatch: pytest.MonkeyPatch, *missing: Way) -> None:
    for module in (whole, measure):
        monkeypatch.setattr(module, "is_installed", lambda way, _: way not in missing)


def test_all_in_full_size_is_kept(measured: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    are_there(monkeypatch)
    assert [*whole.tables(Settings())]
    found = read(measured, "jobs")
    ways = [one.system for one in found if one.job == "closure"]
    assert ways == [way for way in Way if "closure" not in whole.CANNOT.get(way, {})]
    assert all(one.lines > 0 for one in found)
    assert [*measure.tables(Settings())]
    kept = read(measured, "nexmark")
    assert {one.job for one in kept} == {*QUERIES}
    assert {one.system for one in kept} == {Way.CHANGES, Way.LOOP, *measure.PEERS}


@pytest.mark.parametrize("settings", [Settings(scale=0.5), Settings(only="q1"), Settings(only="join")])
def test_a_part_is_not_kept(settings: Settings, measured: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    are_there(monkeypatch)
    assert [*whole.tables(settings), *measure.tables(settings)]
    assert not [*measured.iterdir()]


def test_nothing_is_kept_where_a_system_is_missing(measured: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    are_there(monkeypatch, Way.PATHWAY)
    assert [*whole.tables(Settings()), *measure.tables(Settings())]
    assert not [*measured.iterdir()]
