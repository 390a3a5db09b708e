"""How far a run is, on a terminal: what is shown, where it is, and what is left of it."""

import io
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from rich.console import Console

from lars2asp.runtime.runs.progress_bar import CLEARED, Progress, ProgressBar, file_names
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS
from tests.support.terminal import OnTerminal, on_terminal

SHOWS_CURSOR = "\x1b[?25h"

WAITING = """
import time
from pathlib import Path

def until_allowed(tick):
    while tick.number > 500 and not Path("allowed").exists():
        time.sleep(0.01)
    return tick
"""
STREAM = "".join(f'{{"time": {tick}, "facts": ["p({tick})"]}}\n' for tick in range(1000))


class Asked:
    """Progress that a test gives, and how often it was asked for."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self._asked = threading.Semaphore(0)

    def __call__(self) -> Progress:
        self._asked.release()
        return self.progress

    def wait(self) -> None:
        """Waits until what was there before is shown."""
        for _ in range(2):
            assert self._asked.acquire(timeout=PATIENCE_SECONDS)


def terminal(width: int = 100) -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=width, color_system=None, _environ={})


def written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_bar_where_it_is_known_how_much_there_is() -> None:
    asked, console = Asked(Progress(0.25, "tick 7", {"facts": 12})), terminal()
    with ProgressBar("x.jsonl", asked, console=console, after=0):
        asked.wait()
        for share in (0.5, 0.75):
            asked.progress = Progress(share, "tick 9", {"facts": 24})
            asked.wait()
    shown = written(console)
    assert "x.jsonl" in shown
    assert " 25% tick 7" in shown
    assert re.search(r" 75% tick 9  0:00:0\d left", shown)
    assert "facts/s" not in shown
    assert shown.endswith("\x1b[2K")  # nothing is left of it


def test_rates_where_it_is_not() -> None:
    asked, console = Asked(Progress(None, "tick 7", {"facts": 0, "ticks": 0})), terminal()
    with ProgressBar("tcp:9000", asked, console=console, after=0):
        asked.wait()
        asked.progress = Progress(None, "tick 9", {"facts": 5_000_000, "ticks": 3})
        asked.wait()
    shown = written(console)
    assert "tcp:9000 tick 7  - facts/s  - ticks/s" in shown
    assert "M facts/s" in shown or "k facts/s" in shown
    assert "%" not in shown


def test_a_share_that_is_not_known_for_a_moment_stays() -> None:
    asked, console = Asked(Progress(0.5)), terminal()
    with ProgressBar("folder", asked, console=console, after=0):
        asked.wait()
        asked.progress = Progress(None)
        asked.wait()
    assert "50%" in written(console)
    assert " 0%" not in written(console)


def test_what_is_over_soon_shows_nothing() -> None:
    asked, console = Asked(Progress(0.5)), terminal()
    with ProgressBar("x", asked, console=console, after=threading.TIMEOUT_MAX / 2):
        pass
    assert written(console) == ""


def test_messages_on_standard_error_stand_above_it() -> None:
    asked, console = Asked(Progress(0.5)), terminal()
    with ProgressBar("x", asked, console=console, after=0):
        asked.wait()
        sys.stderr.write("x.jsonl:3: error: no [bold]JSON[/bold]\n")
    assert "x.jsonl:3: error: no [bold]JSON[/bold]\n" in written(console)


def test_names_are_text() -> None:
    asked, console = Asked(Progress(0.5)), terminal()
    with ProgressBar("[red]\x1b[31mx", asked, console=console, after=0):
        asked.wait()
    assert "[red]\\x1b[31mx" in written(console)


def test_names_without_folders() -> None:
    assert file_names("/data/a.csv, b/c.csv") == "a.csv, c.csv"
    assert file_names("day/") == "day/"
    assert file_names("-") == "standard input"


# --- the command ----------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program that waits in the midst of its input until the file `allowed` is there."""
    (tmp_path / "p.lars").write_text("q(@until_allowed(X)) :- p(X) in [3].")
    (tmp_path / "f.py").write_text(WAITING)
    (tmp_path / "x.jsonl").write_text(STREAM)
    return tmp_path


def running(folder: Path, *more: str) -> list[str]:
    return [*LARS2ASP, "run", "p.lars", "--functions", "f.py", "--output", "out.jsonl", *more]


def test_a_run_shows_how_much_was_read(folder: Path) -> None:
    with on_terminal(running(folder, "--input", "x.jsonl"), cwd=folder) as run:
        run.until("tick 500")
        (folder / "allowed").touch()
        assert run.end() == 0
    assert "x.jsonl" in run.written
    assert SHOWS_CURSOR in run.written
    assert len((folder / "out.jsonl").read_text().splitlines()) > 500


@pytest.mark.parametrize("more", [("--quiet",), ()], ids=["quiet", "answers on the terminal"])
def test_where_nothing_is_shown(folder: Path, more: tuple[str, ...]) -> None:
    (folder / "allowed").touch()
    command = running(folder, "--input", "x.jsonl", *more)
    if not more:
        command[command.index("out.jsonl")] = "/dev/stderr"
    with on_terminal(command, cwd=folder) as run:
        assert run.end() == 0
    assert "\x1b" not in run.written
    assert not more or run.written == ""


def test_live_input_has_rates(folder: Path) -> None:
    with on_terminal(running(folder), cwd=folder, stdin=subprocess.PIPE) as run:
        assert run.process.stdin is not None
        run.process.stdin.write(STREAM[: STREAM.index('{"time": 400')].encode())
        run.process.stdin.flush()
        run.until(" facts/s")
        run.process.stdin.close()
        assert run.end() == 0
    assert "standard input" in run.written


def test_an_interrupted_run_leaves_a_clean_terminal(folder: Path) -> None:
    with on_terminal(running(folder), cwd=folder, stdin=subprocess.PIPE) as run:
        run.until(" facts/s")
        interrupt(run)
    assert run.written.replace("\r", "").rstrip("\n").endswith("interrupted")
    assert run.written.rindex(SHOWS_CURSOR) > run.written.rindex("\x1b[?25l")


def test_a_run_that_is_ended_at_once_leaves_a_clean_terminal(folder: Path) -> None:
    """The function never comes back, so that the run comes to no place where it can end."""
    with on_terminal(running(folder, "--input", "x.jsonl"), cwd=folder) as run:
        run.until("tick 500")
        interrupt(run)
    assert CLEARED.decode() in run.written
    assert run.written.rindex(SHOWS_CURSOR) > run.written.rindex("\x1b[?25l")


def test_why_shows_how_much_was_read(folder: Path) -> None:
    command = [*LARS2ASP, "why", "p.lars", "q(3)", "--functions", "f.py", "--input", "x.jsonl"]
    with on_terminal([*command, "--at", "700"], cwd=folder) as run:
        run.until("tick 500")
        (folder / "allowed").touch()
        assert run.end() == 0


def interrupt(run: OnTerminal) -> None:
    """Ctrl-C."""
    run.process.send_signal(signal.SIGINT)
    assert run.end() == 130
