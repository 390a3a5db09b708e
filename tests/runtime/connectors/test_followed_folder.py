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
from lars2asp.runtime.connectors import followed_folder
from lars2asp.runtime.connectors.followed_folder import FolderFiles
from lars2asp.runtime.sources.records import Line, Rejected
from tests.support.command_line import lines as json_lines
from tests.support.command_line import run
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, started, wait_for


class Logs:
    """A folder with logs that somebody writes, and that is followed.

    Attributes:
        folder: the folder.
        read_lines: the lines that were read.
    """

    def __init__(self, folder: Path, idle: float = 3600.0, pattern: str = "") -> None:
        self.folder = folder
        self._path = str(folder / pattern)
        self.read_lines: list[Line] = []
        self._positions: dict[str, Any] = {}
        self._idle = idle
        self.files = self._begun()

    def _begun(self) -> FolderFiles:
        return FolderFiles(self._path, 2**20, None, self._idle, self._positions)

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
    reasoner.run_live(tmp_path, take, stop=asked, idle_timeout=timedelta(hours=1))
    expected = [(tick, max(tick - 1, tick - tick % 2), tick - 1 + tick % 2) for tick in range(1, 1991)]
    assert found == [(tick, f"both({x},{y})") for tick, x, y in expected]


def test_a_folder_is_followed_or_read_by_its_times(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "p.lars").write_text(PROGRAM)
    done = run(tmp_path, "run", "p.lars", "--input", "logs", "--clock", "wall", status=2)
    assert "logs: --clock wall cannot read a folder: remove it, or add --follow" in done.stderr


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

    Reasoner.from_text(program).run_live(tmp_path, take, stop=asked)
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
        *("--lateness", "5", "--idle-timeout", "200 msec", "--rejects", str(tmp_path / "rejected")),
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


@pytest.mark.parametrize("pattern", ["*.log", "logs*/*.log", "**/*.log", "**/logs-*/*", "**"])
def test_a_pattern_follows_the_files_that_fit(tmp_path: Path, pattern: str) -> None:
    for folder in ("logs-a", "other", ".hidden", "logs-a/deep"):
        (tmp_path / folder).mkdir()
    for name in ("a.log", "logs-a/b.log", "other/c.log", "other/c.txt", ".hidden/d.log", "logs-a/deep/e.log"):
        (tmp_path / name).write_text(f"{name}\n")
    expected = {
        "*.log": ["a.log"],
        "logs*/*.log": ["logs-a/b.log"],
        "**/*.log": ["a.log", "logs-a/b.log", "logs-a/deep/e.log", "other/c.log"],
        "**/logs-*/*": ["logs-a/b.log"],
        "**": ["a.log", "logs-a/b.log", "logs-a/deep/e.log", "other/c.log", "other/c.txt"],
    }[pattern]
    with closing(Logs(tmp_path, pattern=pattern)) as logs:
        assert sorted(logs.read()) == expected
        assert logs.read() == []
        (tmp_path / "logs-new").mkdir()
        (tmp_path / "new.log").write_text("new.log\n")
        (tmp_path / "logs-new" / "f.log").write_text("logs-new/f.log\n")
        fitting = {"*.log": ["new.log"], "logs*/*.log": ["logs-new/f.log"], "**/logs-*/*": ["logs-new/f.log"]}
        assert sorted(logs.read()) == fitting.get(pattern, ["logs-new/f.log", "new.log"])


@pytest.mark.parametrize("restarts", [False, True])
def test_logs_of_a_pattern_rotate_to_names_that_it_does_not_fit(tmp_path: Path, restarts: bool) -> None:
    with closing(Logs(tmp_path, pattern="*.log")) as logs:
        logs.write("auth.log.1", "what was there before is not read")
        os.utime(tmp_path / "auth.log.1", (1e9, 1e9))
        logs.write("auth.log", "1")
        assert logs.read() == ["1"]
        written, found = 1, list[str]()
        for turns in (1, 2, 3):
            for _ in range(turns):
                for number in (6, 5, 4, 3, 2, 1):
                    if (tmp_path / f"auth.log.{number}").exists():
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


@pytest.mark.parametrize("is_seen", [False, True])
def test_a_log_of_a_pattern_is_copied_and_cut(tmp_path: Path, is_seen: bool) -> None:
    with closing(Logs(tmp_path, pattern="*.log")) as logs:
        logs.write("a.log", "1", "2")
        assert logs.read() == ["1", "2"]
        logs.write("a.log", "3")
        shutil.copy(tmp_path / "a.log", tmp_path / "a.log.1")
        if is_seen:
            assert logs.read() == ["3"]
        (tmp_path / "a.log").write_text("")
        logs.write("a.log", "4")
        assert sorted(logs.read()) == (["4"] if is_seen else ["3", "4"])


def test_a_pattern_is_read_with_and_without_follow(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("#input q(x).\np(X) :- q(X).\n")
    (tmp_path / "logs" / "deep").mkdir(parents=True)
    for name, text in {"a.csv": "1,2", "b.csv": "3,4", "deep/c.csv": "2,5", "d.txt": "2,9"}.items():
        (tmp_path / "logs" / name).write_text(f"time,x\n{text}\n")
    found = json_lines(run(tmp_path, "run", "p.lars", "--input", "logs/**/*.csv").stdout)
    assert [(one["time"], one["atoms"]) for one in found] == [(1, ["p(2)"]), (2, ["p(5)"]), (3, ["p(4)"])]
    done = run(tmp_path, "run", "p.lars", "--input", "logs/*.tsv", status=2)
    assert "logs/*.tsv: no file matches this pattern" in done.stderr
    done = run(tmp_path, "run", "p.lars", "--input", "none/*.tsv", status=2)
    assert "cannot read this file: No such file or directory" in done.stderr
    done = run(tmp_path, "run", "p.lars", "--input", "logs/*.csv", "--output", "logs/x.csv", status=2)
    assert "another file of this run" in done.stderr
    (tmp_path / "a*.csv").write_text("time,x\n7,7\n")  # a file of this very name goes first
    [last] = json_lines(run(tmp_path, "run", "p.lars", "--input", "a*.csv").stdout)
    assert last["atoms"] == ["p(7)"]


@pytest.mark.parametrize("source", ["sales", "sales/year=*/**"])
def test_folders_whose_names_are_columns_are_followed(tmp_path: Path, source: str) -> None:
    """A file of a folder appears later; a cell that cannot be read rejects the lines of its files alone."""
    program = "#input sold(int(year), site, amount) at ts. sum(Y,S,A) :- sold(Y,S,A)."

    def write(folder: str, name: str, text: str) -> None:
        (tmp_path / "sales" / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "sales" / folder / name).write_text(text)

    write("year=2025/site=north", "a", "amount,ts\n1,1\n2,5\n")
    write("year=2026/site=s%2Fw", "a.jsonl", '{"amount": 3, "ts": 3}\n{"amount": 5, "ts": 9}\n')
    write("year=never/site=x", "a.csv", "amount,ts\n4,4\n")
    found: list[tuple[int, str]] = []
    asked = Event()

    def take(answer: Answer) -> None:
        found.extend((answer.tick, text) for text in answer.began.texts)
        if answer.tick == 1:
            write("year=2027/site=new", "b.csv", "amount,ts\n7,7\n8,20\n9,40\n")
        if answer.tick >= 20:
            asked.set()

    rejected: list[Rejected] = []
    reasoner = Reasoner.from_text(program)
    idle = timedelta(seconds=0.4)
    reasoner.run_live(tmp_path / source, take, stop=asked, idle_timeout=idle, on_reject=rejected.append)
    assert found[0] == (1, 'sum(2025,"north",1)')
    assert {(3, 'sum(2026,"s/w",3)'), (20, 'sum(2027,"new",8)')} <= {*found}
    assert any("year" in one.reason and "never" in one.reason for one in rejected)


def test_a_run_over_folders_with_columns_goes_on(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("#input r(k, int(v)) at ts. seen(K,V) :- r(K,V).\n")
    folder, output = tmp_path / "logs" / "k=a%20b", tmp_path / "out.jsonl"
    folder.mkdir(parents=True)
    (folder / "x.csv").write_text("ts,v\n" + "".join(f"{number},{number}\n" for number in range(20)))
    command = [
        *(*LARS2ASP, "run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "logs" / "*" / "*.csv")),
        *("--output", str(output), "--checkpoint", str(tmp_path / "kept"), "--checkpoint-every", "7"),
        *("--follow", "--changes"),
    ]
    with started(command) as process:
        wait_for(lambda: output.exists() and ",18)" in output.read_text(), process)
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE_SECONDS)
    with (folder / "x.csv").open("a") as file:
        file.write("".join(f"{number},{number}\n" for number in range(20, 40)))
    with started([*command, "--until", "38"]) as process:
        assert process.wait(PATIENCE_SECONDS) == 0
    began = [atom for answer in json_lines(output.read_text()) for atom in answer["began"]]
    assert began == [f'seen("a b",{number})' for number in range(39)]
