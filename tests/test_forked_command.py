"""A process of the command line that tests fork does what one that they start does."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.forked_command import can_be_forked, kill_group, run_forked
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, completed

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
    started = subprocess.run(command, check=False, cwd=folder, input=RECORDS.encode(), capture_output=True)
    forked = run_forked(arguments, RECORDS.encode(), PATIENCE_SECONDS, folder)
    assert forked == (started.returncode, started.stdout, started.stderr)
    assert started.stdout or started.stderr


def test_one_that_hangs_is_killed(tmp_path: Path) -> None:
    (tmp_path / "functions.py").write_text("import time\n\ndef wait(x):\n    time.sleep(3600)\n")
    (tmp_path / "p.lars").write_text("a(@wait(X)) :- b(X).\n")
    command = ["run", "p.lars", "--functions", "functions.py"]
    status, _, _ = run_forked(command, b'{"time": 1, "facts": ["b(1)"]}\n', 1.0, tmp_path)
    assert status == -signal.SIGKILL


def test_what_an_interpreter_reads_when_it_starts_is_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not can_be_forked({"env": {}})
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
