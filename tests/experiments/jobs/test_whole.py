"""The ten jobs as whole processes: answers are those of the plain loops."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.failures import FailedProcessError
from experiments.jobs import whole
from experiments.jobs.answers import Form, canonical, read
from experiments.jobs.part import Settings
from experiments.jobs.processes import cpu_seconds, used_by
from experiments.jobs.ten import TEN
from experiments.jobs.whole import (
    CANNOT,
    OF_JOBS,
    PEERS,
    DifferentAnswersError,
    Texts,
    Way,
    Work,
    compare,
    is_installed,
    measured,
)

ROWS = {
    "alarm": 3000,
    "counts": 8000,
    "logins": 1500,
    "heartbeats": 8000,
    "join": 800,
    "fraud": 600,
    "absence": 12_000,
    "topten": 1000,
    "sessions": 1500,
    "closure": 150,
}
WAYS = [way for way in Way if way not in PEERS or is_installed(way, sys.executable)]


@pytest.mark.usefixtures("works_here")
@pytest.mark.parametrize("name", TEN)
def test_all_that_do_a_job_give_the_same_answers(name: str, tmp_path: Path) -> None:
    work = Work.made(name, TEN[name], tmp_path, ROWS[name])
    ways = [way for way in WAYS if name not in CANNOT.get(way, {})]
    for way in ways:
        assert work.run(way)
    compare(work, ways)


def test_a_job_is_measured() -> None:
    """And what a system cannot say stands in its row."""
    [table] = whole.tables(Settings(scale=0.001, runs=1, only="closure"))
    assert [row[0].partition(":")[0] for row in table.rows] == [*Way]
    assert all(len(row) == len(table.headings) for row in table.rows)
    measured = {row[0]: dict(zip(table.headings, row, strict=True)) for row in table.rows if row[1]}
    assert {*measured} == {way for way in WAYS if "closure" not in CANNOT.get(way, {})}
    for cells in measured.values():
        assert all(
            float(cells[name]) > 0 for name in ("whole", "start-up", "wall, s", "memory, MiB", "lines")
        )
    assert measured[Way.LOOP]["without / loop"] == "1.00"
    [polars] = [row[0] for row in table.rows if row[0].startswith(Way.POLARS)]
    assert "has no recursion" in polars


def made_peer(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> Texts:
    """The texts of all systems; a module of this code is in the place of PyFlink."""
    (folder / "made_peer.py").write_text(f'"""A peer."""\n{code}\nQUERIES = {{\n    "join": 1,\n}}\n')
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), str(Path.cwd())]))
    return replace(OF_JOBS, modules={**OF_JOBS.modules, Way.FLINK: ("made_peer", "QUERIES")})


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("raise SystemExit('no Java | here')", "no Java \\| here"),
        (
            "import sys, pathlib; pathlib.Path(sys.argv[3]).write_text('first,last,atom\\n1,2,a\\n')",
            "differs from",
        ),
        ("", "No such file"),
    ],
)
def test_another_system_that_fails_ends_for_itself_alone(
    code: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = made_peer(tmp_path, monkeypatch, code)
    ways = [Way.CHANGES, Way.FLINK, Way.LOOP]
    found = measured("join", TEN["join"], 800, ways, Settings(runs=2), texts)
    assert [found[way].runs for way in ways] == [2, 0, 2]
    assert found[Way.FLINK].whole is None
    assert reason in found[Way.FLINK].failed
    [cells] = [
        row for row in whole.table_of("join", TEN["join"], 800, found, ways).rows if row[0] == Way.FLINK
    ]
    assert cells[1] == f"failed: {found[Way.FLINK].failed}"


def test_a_loop_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = made_peer(tmp_path, monkeypatch, "raise SystemExit('gone')")
    own = replace(texts, modules={**texts.modules, Way.LOOP: texts.modules[Way.FLINK]})
    with pytest.raises(FailedProcessError, match="gone"):
        measured("join", TEN["join"], 800, [Way.LOOP], Settings(runs=1), own)


def test_another_answer_is_found(tmp_path: Path) -> None:
    work = Work.made("join", TEN["join"], tmp_path, 800)
    work.run(Way.LOOP)
    (tmp_path / "join.changes").write_text('{"time": 1, "began": ["match(1,2)"], "ended": []}')
    with pytest.raises(DifferentAnswersError, match="lars2asp, changes differs from the plain loop"):
        compare(work, [Way.CHANGES])


def test_forms_of_answers_are_read_as_intervals(tmp_path: Path) -> None:
    path = tmp_path / "answers"
    expected = {"a": ((1, 4), (7, 9)), "b": ((2, 3),)}
    texts = {
        Form.CHANGES: """{"time": 1, "began": ["a"], "ended": []}
{"time": 2, "began": ["b"], "ended": []}
{"time": 4, "began": [], "ended": ["b"]}
{"time": 5, "began": [], "ended": ["a"]}
{"time": 7, "began": ["a"], "ended": []}
""",
        Form.ATOMS: """{"time": 1, "atoms": ["a"]}
{"time": 2, "atoms": ["a", "b"]}
{"time": 4, "atoms": ["a"]}
{"time": 5, "atoms": []}
{"time": 7, "atoms": ["a"]}
""",
        Form.INTERVALS: "first,last,atom,more\n1,2,a,0\n3,4,a,0\n2,3,b,0\n7,,a,0\n12,13,c,0\n",
    }
    for form, text in texts.items():
        path.write_text(text)
        assert read(path, form, 9) == expected


def test_intervals_that_overlap_or_touch_are_one() -> None:
    assert canonical([("a", 4, 6), ("a", 1, 3), ("a", 5, 9), ("a", 11, 12)], 11) == {"a": ((1, 9), (11, 11))}


def test_what_takes_too_long_is_ended() -> None:
    assert cpu_seconds([sys.executable, "-c", "while True: pass"], 1) is None
    assert cpu_seconds([sys.executable, "-c", ""], 10)
    with pytest.raises(RuntimeError, match="ended with 3"):
        cpu_seconds([sys.executable, "-c", "raise SystemExit(3)"], 10)


def test_memory_is_that_of_the_process_and_not_of_the_one_that_began_it() -> None:
    held = bytearray(200 * 2**20)
    small, large = (
        used_by([sys.executable, "-c", f"held = b'1' * {size} * 2**20"]) for size in (1, len(held) >> 20)
    )
    assert small is not None
    assert large is not None
    assert small.memory < 100 * 2**20 < large.memory
