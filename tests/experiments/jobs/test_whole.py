"""The five jobs as whole processes: answers are those of the plain loops."""

import sys
from pathlib import Path

import pytest

from experiments.jobs import whole
from experiments.jobs.answers import Form, canonical, read
from experiments.jobs.five import JOBS
from experiments.jobs.part import Settings
from experiments.jobs.processes import cpu_seconds
from experiments.jobs.whole import PEERS, DifferentAnswersError, Way, Work, compare, is_installed

ROWS = {"alarm": 3000, "counts": 8000, "logins": 1500, "heartbeats": 8000, "join": 800}
WAYS = [way for way in Way if way not in PEERS or is_installed(way, sys.executable)]


@pytest.mark.parametrize("name", JOBS)
def test_all_that_do_a_job_give_the_same_answers(name: str, tmp_path: Path) -> None:
    work = Work.made(name, JOBS[name], tmp_path, ROWS[name])
    for way in WAYS:
        assert work.run(way)
    compare(work, WAYS)


def test_a_job_is_measured() -> None:
    [table] = whole.tables(Settings(scale=0.001, runs=1, only="join"))
    assert [row[0] for row in table.rows] == WAYS
    assert all(float(row[1]) > 0 and float(row[2]) > 0 for row in table.rows)
    assert [row[5] for row in table.rows if row[0] == Way.LOOP] == ["1.00"]


def test_another_answer_is_found(tmp_path: Path) -> None:
    work = Work.made("join", JOBS["join"], tmp_path, 800)
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
