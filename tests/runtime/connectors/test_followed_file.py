"""Files that are followed by their names, while logs rotate."""

import gzip
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lars2asp.runtime.connectors.followed_file import FollowedFeed, FollowedFile
from lars2asp.runtime.sources.records import Line
from tests.support.command_line import lines as json_lines
from tests.support.feeds import running, texts
from tests.support.processes import LARS2ASP, started, wait_for


class Log:
    """A log that somebody writes, and that is followed.

    Attributes:
        file: the log.
        lines: those that were read.
    """

    def __init__(self, folder: Path, encoding: str | None = None) -> None:
        self.file = folder / "auth.log"
        self.file.touch()
        self._encoding = encoding
        self.lines: list[Line] = []
        self.followed = self._begun(None)

    def _begun(self, known: Any) -> FollowedFile:
        return FollowedFile(str(self.file), 2**20, self._encoding, known)

    def write(self, *texts: str, to: str = "auth.log", end: str = "\n") -> None:
        with (self.file.parent / to).open("a", encoding=self._encoding or "utf-8", newline="") as file:
            file.write("\n".join(texts) + end)

    def read(self) -> list[str]:
        """The texts of the lines that are there."""
        found = []
        while (some := self.followed.next()) is not None:
            found += some
        self.lines += found
        return [line.text for line in found if line.number]

    def restart(self) -> None:
        """The run ends, and another one goes on behind the last line."""
        self.followed.close()
        self.followed = self._begun(json.loads(json.dumps(self.lines[-1].position)))

    def close(self) -> None:
        self.followed.close()

    def create(self) -> None:
        self.file.touch()

    def rotate(self) -> None:
        """Renames the log, and those before it."""
        for number in (2, 1):
            if (old := self.file.with_name(f"auth.log.{number}")).exists():
                old.rename(self.file.with_name(f"auth.log.{number + 1}"))
        self.file.rename(self.file.with_name("auth.log.1"))


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    with closing(Log(tmp_path)) as found:
        yield found


def test_rename_and_create_loses_nothing(log: Log) -> None:
    log.write("1", "2")
    assert log.read() == ["1", "2"]
    log.rotate()
    log.write("3", to="auth.log.1")
    assert log.read() == ["3"]
    log.file.touch()
    assert log.read() == []
    log.write("4", to="auth.log.1")  # whoever writes has not opened the new one yet
    assert log.read() == ["4"]
    log.write("5", to="auth.log.1", end="")
    log.write("6", "7")
    assert log.read() == ["5", "6", "7"]
    assert [line.number for line in log.lines] == [0, 1, 2, 3, 4, 5, 0, 1, 2]
    assert {line.source for line in log.lines} == {str(log.file)}


def test_several_rotations_between_two_looks_lose_nothing(log: Log) -> None:
    log.write("1")
    assert log.read() == ["1"]
    for number in range(2, 5):
        log.write(f"{number}")
        os.utime(log.file, ns=(number, number * 10**9))
        log.rotate()
        log.file.touch()
    log.write("5")
    assert log.read() == ["2", "3", "4", "5"]


def test_a_file_between_is_read_before_the_newest_one_has_text(log: Log) -> None:
    log.write("1")
    assert log.read() == ["1"]
    for number in range(2, 4):
        os.utime(log.file, ns=(number, number * 10**9))
        log.rotate()
        log.write(*(["2"] if number == 2 else []), end="\n" if number == 2 else "")
    assert log.file.stat().st_size == 0
    assert log.read() == ["2"]


def test_copy_and_truncate_goes_on_and_says_what_may_be_missing(
    log: Log, caplog: pytest.LogCaptureFixture
) -> None:
    log.write("1", "2")
    assert log.read() == ["1", "2"]
    shutil.copy(log.file, log.file.with_name("auth.log.1"))
    os.truncate(log.file, 0)
    assert log.read() == []
    log.write("3")
    assert log.read() == ["3"]
    assert "auth.log: the file was cut, or written anew" in caplog.text
    assert "after byte 4 before that may be missing" in caplog.text


def test_a_file_that_is_cut_and_grows_at_once_is_read_from_its_beginning(log: Log) -> None:
    log.write("1", "2")
    assert log.read() == ["1", "2"]
    os.truncate(log.file, 0)
    log.write(*map(str, range(3, 20)))  # it is longer than it was
    assert log.read() == [*map(str, range(3, 20))]


def test_a_line_is_whole_before_it_counts(log: Log) -> None:
    log.write("1", "2", end="")
    assert log.read() == ["1"]
    log.write("3")
    assert log.read() == ["23"]


RESTARTS: dict[str, tuple[Callable[[Log], None], ...]] = {
    "nothing": (),
    "renamed": (Log.rotate,),
    "renamed and created": (Log.rotate, Log.create),
    "renamed twice": (Log.rotate, Log.create, Log.rotate),
}


@pytest.mark.parametrize("way", RESTARTS)
@pytest.mark.parametrize("read", [0, 1, 2, 3])
def test_a_restart_behind_a_rotation_finishes_the_old_file(log: Log, way: str, read: int) -> None:
    log.write("1", "2", "3")
    assert log.read() == ["1", "2", "3"]
    log.write("4", "5", end="")
    del log.lines[read + 1 :]
    for step in RESTARTS[way]:
        step(log)
    log.restart()
    log.write("6", "7")
    assert log.read() == [*"12345"[read:], "6", "7"] if way != "nothing" else [*"1234"[read:], "56", "7"]


def test_a_restart_behind_several_rotations_reads_what_came_between(log: Log) -> None:
    log.write("1", "2")
    assert log.read() == ["1", "2"]
    log.lines.pop()
    for number in (3, 4):
        os.utime(log.file, ns=(number, number * 10**9))
        log.rotate()
        log.write(f"{number}")
    log.restart()
    assert log.read() == ["2", "3", "4"]


def test_a_restart_finds_a_file_that_was_packed_meanwhile(log: Log) -> None:
    log.write("1", "2", "3")
    assert log.read() == ["1", "2", "3"]
    del log.lines[2:]
    packed = log.file.with_name("auth.log.1.gz")
    packed.write_bytes(gzip.compress(log.file.read_bytes()))
    log.file.unlink()
    log.write("4")
    os.utime(packed, (1, 1))
    log.restart()
    assert log.read() == ["2", "3", "4"]


def test_a_restart_behind_copy_and_truncate_finishes_the_copy(log: Log) -> None:
    log.write("1", "2", "3")
    assert log.read() == ["1", "2", "3"]
    del log.lines[2:]
    shutil.copy(log.file, log.file.with_name("auth.log.1"))
    os.truncate(log.file, 0)
    log.write("4")
    log.restart()
    assert log.read() == ["2", "3", "4"]


def test_a_restart_reads_the_copy_of_a_file_that_was_empty(log: Log) -> None:
    """Nothing of the file was read: that a copy came after that is all that is known of it."""
    old = log.file.with_name("auth.log.2")
    old.write_text("older\n")
    os.utime(old, (0, 0))
    assert log.read() == []
    log.write("a", "b")
    shutil.copy(log.file, log.file.with_name("auth.log.1"))
    log.file.write_text("c\n")
    log.restart()
    assert log.read() == ["a", "b", "c"]


def test_a_restart_behind_copy_and_truncate_reads_the_file_that_was_renamed_later(log: Log) -> None:
    log.write("1", "2")
    assert log.read() == ["1", "2"]
    shutil.copy(log.file, log.file.with_name("auth.log.1"))
    os.truncate(log.file, 0)
    for number in (2, 3):
        log.write(f"{number + 1}")
        log.file.rename(log.file.with_name(f"auth.log.{number}"))
        log.create()
    log.write("5")
    log.restart()
    assert log.read() == ["3", "4", "5"]


def test_a_restart_without_the_old_file_says_how_many_bytes_are_missing(
    log: Log, caplog: pytest.LogCaptureFixture
) -> None:
    log.write("1", "2")
    assert log.read() == ["1", "2"]
    log.write("3", "4")
    log.read()
    del log.lines[4:]
    log.file.unlink()
    log.write("5")
    log.restart()
    assert log.read() == ["5"]
    assert (
        "the file that was read up to line 3 is gone: at least 4 bytes after byte 4 are missing"
        in caplog.text
    )


def test_a_restart_of_a_file_with_an_inode_of_another_reads_it_from_its_beginning(log: Log) -> None:
    log.write("1", "2")
    assert log.read() == ["1", "2"]
    log.file.write_text("3\n4\n5\n")  # the same inode
    log.restart()
    assert log.read() == ["3", "4", "5"]


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1", "utf-8-sig"])
def test_other_encodings_go_on_by_their_lines(tmp_path: Path, encoding: str) -> None:
    with closing(Log(tmp_path, encoding)) as log:
        log.file.write_bytes("ä\nö\nü\n".encode(encoding))
        assert log.read() == ["ä", "ö", "ü"]
        del log.lines[2:]
        log.restart()
        assert log.read() == ["ö", "ü"]


def test_long_files_go_on_at_the_piece_that_a_line_is_in(log: Log) -> None:
    log.write(*(f"{number:>99}" for number in range(5000)))
    log.read()
    del log.lines[4001:]
    place, number = log.lines[-1].position
    assert number == 4000
    assert 300_000 < place.offset == 100 * place.line <= 400_000
    log.restart()
    assert log.read()[0].strip() == "4000"


def test_a_checkpoint_of_an_earlier_version_has_the_number_of_lines(log: Log) -> None:
    log.write("1", "2", "3")
    feed = FollowedFeed(str(log.file))
    feed.go_on({str(log.file): (None, 2)})
    with running(feed) as run:
        assert texts(run.wait_for_lines(1)) == ["3"]


def test_a_run_goes_on_behind_rotations(tmp_path: Path) -> None:
    """A run that is killed, and whose log is renamed, created and cut, alerts to each line once."""
    (tmp_path / "p.lars").write_text(
        '#tick 1 sec. #input failed(n) from "failed {n:int} end". a(N) :- failed(N).'
    )
    log, out = Log(tmp_path), tmp_path / "out.jsonl"
    command = [
        *LARS2ASP,
        "run",
        "p.lars",
        "--input",
        "auth.log",
        "--follow",
        "--changes",
        "--checkpoint",
        "state",
    ]
    command += ["--output", "out.jsonl", "--checkpoint-every", "1"]

    def say(*numbers: int, to: str = "auth.log") -> None:
        log.write(*(f"2026-02-01T00:00:{one:02}Z failed {one} end" for one in numbers), to=to)

    def alerts() -> list[str]:
        return [atom for one in json_lines(out.read_text()) for atom in one["began"]] if out.exists() else []

    def run_until(last: int, then: signal.Signals) -> None:
        with started(command, cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
            wait_for(lambda: f"a({last})" in alerts(), process)
            process.send_signal(then)
            process.wait()

    say(1, 2, 3)
    run_until(2, signal.SIGKILL)
    say(4)
    log.rotate()
    say(5, to="auth.log.1")
    say(6, 7)
    run_until(6, signal.SIGTERM)
    shutil.copy(log.file, log.file.with_name("auth.log.0"))
    os.truncate(log.file, 0)
    say(8, 9, 10)
    run_until(9, signal.SIGKILL)
    assert alerts() == [f"a({number})" for number in range(1, 10)]
