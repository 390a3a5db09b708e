"""Tables in runs of the command: read again on SIGHUP, and as checkpoints are gone on from."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from lars2asp.__main__ import main
from tests.support.command_line import lines
from tests.support.processes import LARS2ASP, started

PROGRAM = '#table blocked(card) from "blocked.csv".\nalarm(C) :- paid(C), blocked(C).\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a program and its table."""
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "blocked.csv").write_text("card\n17\n")
    return tmp_path


@pytest.fixture(autouse=True)
def _signals_are_taken() -> Iterator[None]:
    """Also by processes of tests that nohup runs."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def paid(tick: int, card: int) -> str:
    return json.dumps({"time": tick, "facts": [f"paid({card})"]}) + "\n"


def test_sighup_reads_tables_again(folder: Path) -> None:
    """From a tick on that begins when the signal has come, which the system may take its time for."""
    command = [*LARS2ASP, "run", "p.lars", "--emit", "every"]
    with (
        (folder / "said").open("wb") as said,
        started(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None

        def answer_to(text: str) -> list[str]:
            process.stdin.write(text.encode())  # type: ignore[union-attr]
            process.stdin.flush()  # type: ignore[union-attr]
            [line] = lines(process.stdout.readline().decode())  # type: ignore[union-attr]
            return [f"{line['time']}", *line["atoms"]]

        assert answer_to(paid(0, 17) + paid(1, 18)) == ["0", "alarm(17)"]  # a tick is over with the next one
        (folder / "blocked.csv").write_text("card\n18\n")
        os.kill(process.pid, signal.SIGHUP)
        assert answer_to(paid(2, 18)) == ["1"]
        ticks = count(3)
        for tick in ticks:
            answer = answer_to(paid(tick, 18))
            if answer != [f"{tick - 1}"]:
                break
        assert answer == [f"{tick - 1}", "alarm(18)"]
        (folder / "blocked.csv").write_text("cart\n17\n")
        os.kill(process.pid, signal.SIGHUP)
        for tick in ticks:
            assert answer_to(paid(tick, 18)) == [f"{tick - 1}", "alarm(18)"]
            if "keeps the rows" in (folder / "said").read_text():
                break
        process.stdin.close()
        assert process.wait() == 0
    told = (folder / "said").read_text().splitlines()
    assert told == [
        "blocked.csv: read again: 1 rows began, 1 ended",
        "blocked.csv: it keeps the rows that it had: blocked.csv: no column 'card'; the columns are 'cart'",
    ]


def test_sighup_is_passed_on_to_the_process_that_runs(folder: Path) -> None:
    """With --tick-timeout it is another one."""
    command = [*LARS2ASP, "run", "p.lars", "--emit", "every", "--tick-timeout", "60"]
    with started(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((paid(0, 17) + paid(1, 18)).encode())
        process.stdin.flush()
        assert lines(process.stdout.readline().decode())[0]["atoms"] == ["alarm(17)"]
        (folder / "blocked.csv").write_text("card\n18\n")
        os.kill(process.pid, signal.SIGHUP)
        for number in count(2):
            process.stdin.write(paid(number, 18).encode())
            process.stdin.flush()
            if lines(process.stdout.readline().decode())[0]["atoms"] == ["alarm(18)"]:
                break
        process.stdin.close()
        assert process.wait() == 0


def test_sighup_ends_runs_that_read_no_table(folder: Path) -> None:
    (folder / "p.lars").write_text("alarm(C) :- paid(C).")
    command = [*LARS2ASP, "run", "p.lars", "--emit", "every"]
    with started(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((paid(0, 17) + paid(1, 18)).encode())
        process.stdin.flush()
        process.stdout.readline()
        os.kill(process.pid, signal.SIGHUP)
        assert process.wait() == -signal.SIGHUP


def interrupted(folder: Path, *options: str) -> list[str]:
    """A command that was run up to tick 5, before the table changed."""
    (folder / "in.jsonl").write_text("".join(paid(n, card) for n in range(12) for card in (17, 18)))
    command = ["run", "p.lars", "--input", "in.jsonl", "--output", "out.jsonl", *options]
    command += ["--checkpoint", "kept", "--checkpoint-every", "1"]
    assert main([*command, "--until", "5"]) == 0
    (folder / "blocked.csv").write_text("card\n18\n")
    return command


def test_a_followed_run_goes_on_with_the_rows_that_the_file_has(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    command = interrupted(folder, "--follow", "--emit", "every")
    assert main([*command, "--until", "9"]) == 0
    atoms = [one["atoms"] for one in lines((folder / "out.jsonl").read_text())]
    before = atoms.index(["alarm(18)"])
    assert 0 < before <= 6  # behind the last checkpoint
    assert atoms == [["alarm(17)"]] * before + [["alarm(18)"]] * (10 - before)


def test_a_run_over_recorded_data_is_refused_and_the_table_named(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its answers would be neither those of the table before nor those of the table now."""
    monkeypatch.chdir(folder)
    command = interrupted(folder)
    capsys.readouterr()
    assert main([*command, "--until", "9"]) == 2
    said = capsys.readouterr().err
    assert "the table blocked.csv of #table blocked changed. Use the same options as before, or" in said
    assert "or add --changed-program to keep the content of windows" in said
    assert "the program changed" not in said
    assert main([*command, "--until", "9", "--changed-program"]) == 0
    assert "the program changed: other facts of the program hold from here on" in caplog.messages
    (folder / "p.lars").write_text(f"{PROGRAM}other :- alarm(_).\n")
    assert main([*command, "--until", "10"]) == 2
    assert "the program changed" in capsys.readouterr().err


def test_a_history_is_evaluated_with_the_rows_of_the_checkpoint(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    command = interrupted(folder, "--follow", "--emit", "every")
    (folder / "p.lars").write_text(f"{PROGRAM}was(C) :- blocked(C) in [50].\n")
    assert main([*command, "--until", "9", "--changed-program", "--history", "in.jsonl"]) == 0
    assert lines((folder / "out.jsonl").read_text())[-1]["atoms"] == ["alarm(18)", "was(17)", "was(18)"]
