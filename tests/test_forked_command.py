"""A process of the command line that tests fork does what one that they start does."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.forked_command import ForkedProcess, can_be_forked, kill_group
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, completed, started

PROGRAM = "hot(R) :- reading(R, T), T > 250.\n"
RECORDS = '{"time": 1, "facts": ["reading(hall, 251)"]}\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "functions.py").write_text("def warm(room):\n    raise SystemExit(77)\n")
    (tmp_path / "f.lars").write_text("hot(@warm(R)) :- reading(R, T).\n")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "p.lars", "--emit", "every"],
        ["run", "p.lars", "--input", "missing.jsonl"],
        ["run", "f.lars", "--functions", "functions.py"],
        ["why", "p.lars", "--input", "-", "hot(X)"],
        ["check", "p.lars", "f.lars"],
        ["compile", "--plan", "p.lars"],
        ["run", "--no-such-option"],
        ["--version"],
        [],
    ],
    ids=" ".join,
)
def test_it_does_what_a_process_of_its_own_does(folder: Path, arguments: list[str]) -> None:
    command = [*LARS2ASP, *arguments]
    own = subprocess.run(command, check=False, cwd=folder, input=RECORDS.encode(), capture_output=True)
    forked = completed(command, given=RECORDS, status=own.returncode, cwd=folder)
    assert (forked.stdout, forked.stderr) == (own.stdout.decode(), own.stderr.decode())
    assert own.stdout or own.stderr


def test_several_at_once(tmp_path: Path) -> None:
    """They end in any order: by themselves, by a signal, and with their context."""
    (tmp_path / "p.lars").write_text("a(X) :- b(X).\n")
    pipes = {"cwd": tmp_path, "stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with (
        started([*LARS2ASP, "run", "p.lars"], **pipes) as left,
        started([*LARS2ASP, "run", "p.lars"], **pipes) as asked,
        started([*LARS2ASP, "run", "p.lars"], **pipes) as done,
    ):
        assert all(isinstance(one, ForkedProcess) for one in (left, asked, done))
        output, _ = done.communicate(b'{"time": 1, "facts": ["b(1)"]}\n')
        assert (done.poll(), json.loads(output)) == (0, {"time": 1, "atoms": ["a(1)"]})
        for one in (left, asked):
            assert one.stdin is not None and one.stdout is not None
            one.stdin.write(b'{"time": 1, "facts": ["b(1)"]}\n{"time": 2}\n')
            one.stdin.flush()
            one.stdout.readline()
            assert one.poll() is None
            with pytest.raises(subprocess.TimeoutExpired):
                one.wait(0.01)
        asked.send_signal(signal.SIGTERM)
        assert asked.wait(PATIENCE_SECONDS) == 128 + signal.SIGTERM
        assert left.poll() is None
    assert left.returncode == -signal.SIGKILL


def test_what_an_interpreter_reads_when_it_starts_is_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert can_be_forked({"env": {**os.environ, "PATH": ""}, "stdin": subprocess.DEVNULL})
    assert not can_be_forked({"env": {**os.environ, "PYTHONWARNINGS": "error"}})
    assert not can_be_forked({"pass_fds": [1]})
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    assert not can_be_forked({"cwd": "/"})
    assert completed([*LARS2ASP, "--version"]).stdout.startswith("lars2asp")


def test_what_is_left_of_a_group_is_killed() -> None:
    """And nothing of another one that has been given the number of a process which is over."""
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as other:
        kill_group(other.pid, is_over=True)
        assert other.poll() is None
        kill_group(other.pid)
        assert other.wait(PATIENCE_SECONDS) == -signal.SIGKILL
    leaves = "import subprocess; subprocess.Popen(['sleep', '600'])"
    with subprocess.Popen(
        [sys.executable, "-c", leaves], start_new_session=True, stdout=subprocess.PIPE
    ) as gone:
        gone.wait(PATIENCE_SECONDS)
        kill_group(gone.pid, is_over=True)
        assert gone.stdout is not None and not gone.stdout.read()  # the one that is left held it open
