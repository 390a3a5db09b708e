"""Folders that are followed: files appear, grow, are renamed, cut, packed and removed."""

import gzip
import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from lars2asp import Answer, Reasoner
from lars2asp.runtime.feeds import followed_folder
from lars2asp.runtime.feeds.followed_folder import FolderFiles
from lars2asp.runtime.sources.records import Line
from tests.support.command_line import lines as json_lines
from tests.support.command_line import run
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, started, wait_for


class Logs:
    """A folder with logs that somebody writes, and that is followed.

    Attributes:
        folder: the folder.
        read_lines: the lines that were read.
    """

    def __init__(self, folder: Path, idle: float = 3600.0) -> None:
        self.folder = folder
        self.read_lines: list[Line] = []
        self._positions: dict[str, Any] = {}
        self._idle = idle
        self.files = self._begun()

    def _begun(self) -> FolderFiles:
        return FolderFiles(str(self.folder), 2**20, None, self._idle, self._positions)

    def write(self, name: str, *texts: str) -> None:
        with (self.folder / name).open("a") as file:
            file.write("".join(f"{text}\n" for text in texts))

    def read(self) -> list[str]:
        """The texts of the lines that are there."""
        found: list[Line] = []
        while some := [*self.files.lines()]:
            found += some
        self.read_lines += found
        self._positions |= {line.source: line.position for line in found}
        return [line.text for line in found if line.number and line.end is not None]

    def restart(self) -> None:
        """The run ends, and another one goes on behind the last lines."""
        self.files.close()
        self._positions = json.loads(json.dumps(self._positions))
        self.files = self._begun()

    def move(self, name: str, to: str) -> None:
        (self.folder / name).rename(self.folder / to)

    def close(self) -> None:
        self.files.close()


@pytest.fixture
def logs(tmp_path: Path) -> Iterator[Logs]:
    with closing(Logs(tmp_path)) as found:
        yield found


def test_files_grow_and_appear(logs: Logs) -> None:
    logs.write("a.log", "a1", "a2")
    logs.write("b.log", "b1")
    logs.write(".hidden", "x")
    assert logs.read() == ["a1", "a2", "b1"]
    logs.write("b.log", "b2")
    logs.write("c.log", "c1")
    assert sorted(logs.read()) == ["b2", "c1"]
    begins = [line.source for line in logs.read_lines if not line.number]
    assert [Path(one).name for one in begins] == ["a.log", "b.log", "c.log"]
    assert logs.read() == []


@pytest.mark.parametrize("restarts", [False, True])
def test_a_file_that_is_renamed_is_not_read_again(logs: Logs, restarts: bool) -> None:
    logs.write("a.log", "1", "2")
    assert logs.read() == ["1", "2"]
    logs.write("a.log", "3")
    logs.move("a.log", "elsewhere.txt")
    if restarts:
        logs.restart()
    assert logs.read() == ["3"]
    logs.write("elsewhere.txt", "4")
    assert logs.read() == ["4"]
    logs.restart()
    assert logs.read() == []


@pytest.mark.parametrize("restarts", [False, True])
def test_logs_rotate(logs: Logs, restarts: bool) -> None:
    """Each line is read once, however often logs rotate between two looks."""
    logs.write("auth.log.1", "0")
    logs.write("auth.log", "1")
    assert sorted(logs.read()) == ["0", "1"]
    written, found = 1, list[str]()
    for turns in (1, 2, 3):
        for _ in range(turns):
            for number in (4, 3, 2, 1):
                if (logs.folder / f"auth.log.{number}").exists():
                    logs.move(f"auth.log.{number}", f"auth.log.{number + 1}")
            written += 1
            logs.write("auth.log", str(written))
            logs.move("auth.log", "auth.log.1")
            written += 1
            logs.write("auth.log", str(written))
        if restarts:
            logs.restart()
        found += logs.read()
    assert sorted(found, key=int) == [str(number) for number in range(2, written + 1)]
    logs.restart()
    assert logs.read() == []


def test_a_new_file_without_text_does_not_end_the_old_one(logs: Logs) -> None:
    logs.write("a.log", "1")
    assert logs.read() == ["1"]
    logs.move("a.log", "a.log.1")
    (logs.folder / "a.log").touch()
    assert logs.read() == []
    logs.write("a.log.1", "2")
    assert logs.read() == ["2"]
    logs.write("a.log", "3")
    assert logs.read() == ["3"]
    assert [line.number for line in logs.read_lines if line.text] == [1, 2, 1]


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("is_seen", [False, True])
def test_a_log_that_is_copied_and_cut(logs: Logs, is_seen: bool, restarts: bool) -> None:
    logs.write("a.log", "1", "2")
    assert logs.read() == ["1", "2"]
    shutil.copy(logs.folder / "a.log", logs.folder / "a.log.1")
    if is_seen:
        assert logs.read() == []
    (logs.folder / "a.log").write_text("")
    if is_seen:
        assert logs.read() == []
    logs.write("a.log", "3")
    assert logs.read() == ["3"]
    if restarts:
        logs.restart()
    logs.write("a.log", "4")
    assert logs.read() == ["4"]


@pytest.mark.parametrize("restarts", [False, True])
def test_a_log_that_is_packed_is_not_read_again(logs: Logs, restarts: bool) -> None:
    logs.write("a.log", "1", "2")
    assert logs.read() == ["1", "2"]
    logs.write("a.log", "3")
    logs.move("a.log", "a.log.1")
    logs.write("a.log", "4")
    if restarts:
        logs.restart()
    assert logs.read() == ["3", "4"]
    with (logs.folder / "a.log.1").open("rb") as plain, gzip.open(logs.folder / "a.log.2.gz", "wb") as packed:
        packed.write(plain.read())
    (logs.folder / "a.log.1").unlink()
    if restarts:
        logs.restart()
    assert logs.read() == []


def test_a_file_that_has_the_inode_of_one_that_is_gone(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followed_folder, "MOST_OPEN", 0)
    for number in range(20):
        logs.write(f"{number}.log", f"{number}, a line of its own")
        assert logs.read() == [f"{number}, a line of its own"]
        (logs.folder / f"{number}.log").unlink()


def test_sensors_with_one_header_are_no_copies(logs: Logs) -> None:
    logs.write("sensor", "ts,x")
    assert logs.read() == ["ts,x"]
    logs.write("sensor.1", "ts,x", "1,2")
    assert logs.read() == ["ts,x", "1,2"]


def test_a_file_that_does_not_grow_no_longer_holds_the_clock(tmp_path: Path) -> None:
    with closing(Logs(tmp_path, idle=60)) as logs:
        logs.write("a.log", "1")
        logs.write("b.log", "2")
        os.utime(tmp_path / "a.log", (1, 1))
        logs.read()
        left_out = [line.source for line in logs.read_lines if line.end is None]
        assert [Path(one).name for one in left_out] == ["a.log"]


PROGRAM = "#input a(x) at ts. #input b(y) at ts. both(X,Y) :- a(X) in [1], b(Y) in [1]."


def test_files_are_merged_by_time_each_in_its_format(tmp_path: Path) -> None:
    """However they are written: what one file brings waits for the others."""
    (tmp_path / "a.csv").write_text("ts,x\n" + "".join(f"{tick},{tick}\n" for tick in range(0, 2000, 2)))
    told = (json.dumps({"ts": tick, "y": tick}) for tick in range(1, 2000, 2))
    (tmp_path / "b.jsonl").write_text("".join(f"{text}\n" for text in told))
    found: list[tuple[int, str]] = []
    asked = Event()

    def take(answer: Answer) -> None:
        found.extend((answer.tick, text) for text in answer.began.texts)
        if answer.tick >= 1990:
            asked.set()

    reasoner = Reasoner.from_text(PROGRAM)
    reasoner.follow(tmp_path, take, stop=asked, idle=timedelta(hours=1))
    expected = [(tick, max(tick - 1, tick - tick % 2), tick - 1 + tick % 2) for tick in range(1, 1991)]
    assert found == [(tick, f"both({x},{y})") for tick, x, y in expected]


def test_a_folder_is_followed_or_read_by_its_times(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "p.lars").write_text(PROGRAM)
    done = run(tmp_path, "run", "p.lars", "--input", "logs", "--clock", "wall", status=2)
    assert "logs: a folder is read by the times of its records, or with --follow" in done.stderr


def test_times_without_a_year_go_by_the_change_of_each_file(tmp_path: Path) -> None:
    program = """
    #tick 1 sec. #timezone "UTC". #input up(x) from "up {x} end" at "%b %d %H:%M:%S". seen(X) :- up(X).
    """
    for name, time in (("old.log", "Dec 31 23:59:59"), ("new.log", "Jan  1 00:00:01")):
        (tmp_path / name).write_text(f"{time} up {name} end\n")
    os.utime(tmp_path / "old.log", (1_735_700_000, 1_735_700_000))
    found: list[int] = []
    asked = Event()

    def take(answer: Answer) -> None:
        found.append(answer.tick)
        asked.set()

    Reasoner.from_text(program).follow(tmp_path, take, stop=asked)
    assert found == [1_735_689_599]


def test_a_run_that_is_killed_reads_each_line_once(tmp_path: Path) -> None:
    """Logs rotate while it runs, and while it does not."""
    folder, output = tmp_path / "logs", tmp_path / "out.jsonl"
    folder.mkdir()
    (tmp_path / "p.lars").write_text("#input r(k, int(v)) at ts. seen(K,V) :- r(K,V).")
    number = 0

    def write(name: str, *, times: int = 20) -> None:
        nonlocal number
        with (folder / name).open("a") as file:
            for _ in range(times):
                file.write(json.dumps({"ts": number, "k": name, "v": number}) + "\n")
                number += 1

    def rotate(name: str) -> None:
        for age in (3, 2, 1):
            if (old := folder / f"{name}.{age}").exists():
                old.rename(folder / f"{name}.{age + 1}")
        (folder / name).rename(folder / f"{name}.1")

    command = [
        *(*LARS2ASP, "run", str(tmp_path / "p.lars"), "--input", str(folder), "--follow", "--changes"),
        *("--output", str(output), "--checkpoint", str(tmp_path / "kept"), "--checkpoint-every", "7"),
        *("--lateness", "5", "--idle", "200 msec", "--rejects", str(tmp_path / "rejected")),
    ]
    write("x.log")
    for turn in range(4):
        with started(command) as process:
            write("y.log")
            wait_for(lambda: output.exists() and f",{number - 10})" in output.read_text(), process)
            rotate("x.log")
            write("x.log")
            wait_for(lambda: f",{number - 10})" in output.read_text(), process)
            process.send_signal(signal.SIGKILL if turn % 2 else signal.SIGTERM)
            process.wait(PATIENCE_SECONDS)
        write("x.log")
        rotate("x.log")
        write("x.log")
    with started([*command, "--until", str(number - 10)]) as process:
        write("y.log")
        assert process.wait(PATIENCE_SECONDS) == 0
    began = [atom for answer in json_lines(output.read_text()) for atom in answer["began"]]
    seen = [int(atom.rpartition(",")[2][:-1]) for atom in began]
    assert seen == [*range(seen[-1] + 1)]
    assert (tmp_path / "rejected").read_text() == ""
