"""A run that is refused changes no file, and what goes wrong with a file names that file."""

import os
import resource
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.__main__ import main
from lars2asp.runtime.reasoning.snapshot import packed, unpacked
from lars2asp.runtime.runs.states.checkpoints import open_checkpoints
from tests.support.changed_states import changed
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(15)

PROGRAM = """hot(R) :- temp(R,V) in [3], V > 25.
many(N) :- hot(R), N = #count { S : hot(S) }.
warm(R) :- hot(R). warm(R) :- warm(R) in [0], many(_).
"""


class Run:
    """A run that has been interrupted: its files, and how it was started."""

    def __init__(self, folder: Path, *more: str, records: int = 40) -> None:
        self.folder = folder
        self.more = more
        self.program = folder / "program.lars"
        self.input = folder / "input.jsonl"
        self.output = folder / "answers.jsonl"
        self.rejects = folder / "rejects.jsonl"
        self.stats = folder / "stats.json"
        self.state = folder / "state"
        folder.mkdir(exist_ok=True)
        self.program.write_text(PROGRAM)
        self.input.write_text("".join(map(line, range(records))))

    def arguments(self, *more: str) -> list[str]:
        """The last of several values of an option counts."""
        return [
            *("run", str(self.program), "--input", str(self.input), "--output", str(self.output)),
            *("--rejects", str(self.rejects), "--stats-json", str(self.stats)),
            *("--checkpoint", str(self.state), "--checkpoint-every", "5", *self.more, *more),
        ]

    def files(self) -> dict[str, bytes]:
        """What is in all files, but for the lock of the checkpoints."""
        found = (path for path in self.folder.rglob("*") if path.is_file() and path.name != "lock")
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in found}

    def last_checkpoint(self) -> Path:
        return max(self.state.glob("*.checkpoint"))


def line(number: int) -> str:
    told = f'"temp({"abc"[number % 3]},{20 + number * 7 % 13})"' if number % 10 else '"X("'
    return f'{{"time": {number}, "facts": [{told}]}}\n'


def forged(run: Run, change: Callable[[dict[str, object]], object]) -> None:
    """Changes the checkpoints, with checksums that are right."""
    for file in run.state.glob("*.checkpoint"):
        state = unpacked(file.read_bytes())
        change(state)
        file.write_bytes(packed(state))


def in_its_place(file: Path) -> None:
    """A folder stands where a file was."""
    file.unlink()
    file.mkdir()


REFUSALS: dict[str, tuple[Callable[[Run], object], list[str], str]] = {
    "program": (lambda run: run.program.write_text(PROGRAM + "more(a)."), [], "the program changed"),
    "broken program": (lambda run: run.program.write_text("a :- ."), [], "error"),
    "emit": (lambda _: None, ["--emit", "every"], "--emit was change, is every"),
    "changes": (lambda _: None, ["--changes"], "--changes was not given, is given"),
    "constants": (lambda _: None, ["-c", "n=5"], "-c was not given, is n=5"),
    "models": (lambda _: None, ["--models", "2"], "--models was 1, is 2"),
    "until": (lambda _: None, ["--until", "3"], "of the checkpoint"),
    "evaluator": (lambda _: None, ["--evaluator", "delta"], "cannot serve"),
    "shorter input": (lambda run: run.input.write_text("\n"), [], "shorter than the part that was"),
    "no input": (lambda run: run.input.unlink(), [], "cannot read this file"),
    "shorter output": (
        lambda run: run.output.write_text("{}\n"),
        [],
        "answers.jsonl: the file has 3 bytes, but the checkpoint in",
    ),
    "no output": (lambda run: run.output.unlink(), [], "answers.jsonl: this file does not exist, but the"),
    "no rejects": (lambda run: run.rejects.unlink(), [], "rejects.jsonl: this file does not exist, but the"),
    "forged state": (
        lambda run: forged(run, lambda state: state.pop("reasoner")),
        [],
        "no checkpoint is complete: remove the folder to start over",
    ),
    "forged atoms": (
        lambda run: forged(run, lambda state: state.update(terms=[["f", 1, 7]] * 99)),
        [],
        "the content of the snapshot is inconsistent",
    ),
    "no place for statistics": (
        lambda run: in_its_place(run.stats),
        [],
        "stats.json: cannot write this file",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_run_that_is_refused_changes_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    run = Run(tmp_path)
    assert main(run.arguments()) == 1
    change, more, message = REFUSALS[name]
    change(run)
    before = run.files()
    assert main(run.arguments(*more)) in (2, 3)
    assert message in capsys.readouterr().err
    assert run.files() == before


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--input", "none.jsonl"], "none.jsonl: cannot read this file"),
        (["--input", "none.jsonl", "--follow"], "none.jsonl: cannot read this file"),
        (["--input", "table.csv"], "table.csv"),
        (["--input", "folder"], "this folder is empty: add files, or name another folder"),
        (["--evaluator", "delta"], "cannot serve"),
        (["--functions", "none.py"], "none.py"),
        (["--rejects", "none/rejects.jsonl"], "none/rejects.jsonl: cannot write this file"),
        (["--stats-json", "none/stats.json"], "none/stats.json: cannot write this file"),
        (["--clock", "wall", "--origin", "2999-01-01T00:00:00Z", "--tick", "1 sec"], "now is tick"),
    ],
)
def test_without_checkpoints_neither(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    run = Run(tmp_path)
    run.output.write_text("what was there\n")
    (tmp_path / "table.csv").write_text("time,room\n1,a\n")
    (tmp_path / "folder").mkdir()
    before = run.files()
    arguments = [
        *("run", str(run.program), "--output", str(run.output)),
        *(() if "--input" in more else ("--input", str(run.input))),
        *("--rejects", str(run.rejects), "--declare", "temp(room, value) at time"),
    ]
    if more[1] != "table.csv":
        arguments = arguments[:-2]
    assert main([*arguments, *more]) in (2, 3)
    assert message in capsys.readouterr().err
    assert run.files() == before


def test_a_port_that_is_taken_changes_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(tmp_path)
    run.output.write_text("what was there\n")
    before = run.files()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["run", str(run.program), "--input", f"tcp:{port}", "--output", str(run.output)]) == 2
    assert "choose another port, or an address of this machine" in capsys.readouterr().err
    assert run.files() == before


def test_a_module_of_functions_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Run(tmp_path)
    module = tmp_path / "functions.py"
    module.write_text("")
    assert main(run.arguments("--functions", str(module), "--output", str(module))) == 2
    assert "another file of this run" in capsys.readouterr().err
    assert not module.read_text()


# --- disks that are full --------------------------------------------------------------------------

FULL = Path("/dev/full")

needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")


@needs_full
@pytest.mark.parametrize("option", ["--output", "--rejects", "--stats-json"])
def test_a_full_disk_is_that_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    run = Run(tmp_path)
    assert main(run.arguments(option, "/dev/full")) == 2
    message = capsys.readouterr().err
    assert "error: /dev/full: cannot write this file: No space left on device" in message
    assert "Traceback" not in message


@needs_full
def test_standard_output_that_is_full(tmp_path: Path) -> None:
    run = Run(tmp_path)
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "lars2asp", *run.arguments("--output", "-")],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert "error: standard output: cannot write this file: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("every", "name"),
    [
        ("5", "cannot write the checkpoint"),
        ("5000", "answers.jsonl: cannot write this file: File too large"),
    ],
)
def test_a_file_that_may_not_grow(tmp_path: Path, every: str, name: str) -> None:
    """The checkpoint is the larger file where it comes often, else the output."""
    run, limit = Run(tmp_path, "--checkpoint-every", every, records=150), 2400
    done = subprocess.run(
        [sys.executable, "-B", "-m", "lars2asp", *run.arguments()],  # compiled files would be cut off
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert done.returncode == 2
    [message] = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert name in message
    assert "File too large" in message
    assert "Traceback" not in done.stderr
    assert not [*run.state.glob(".*.part")]
    assert main(run.arguments()) == 1
    whole = Run(tmp_path / "whole", "--checkpoint-every", every, records=150)
    assert main(whole.arguments()) == 1
    assert run.output.read_bytes() == whole.output.read_bytes()


def test_an_old_checkpoint_that_cannot_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Run(tmp_path)
    unlink = Path.unlink

    def refused(path: Path, missing_ok: bool = False) -> None:
        if path.suffix == ".checkpoint":
            raise PermissionError(1, "Operation not permitted")
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refused)
    assert main(run.arguments()) == 2
    message = capsys.readouterr().err
    assert "000000000001.checkpoint: cannot remove the old checkpoint: Operation not" in message


# --- other things in the folder -------------------------------------------------------------------


def test_files_with_other_names_are_left_alone(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.state.mkdir()
    for name in ("²³.checkpoint", "x.checkpoint", "1.checkpoint", ".000000000009.checkpoint.part"):
        (run.state / name).write_text("?")
    assert main(run.arguments()) == 1
    output = run.output.read_bytes()
    assert main(run.arguments()) == 1
    assert run.output.read_bytes() == output
    assert (run.state / "²³.checkpoint").read_text() == "?"


def test_links_are_not_followed_out_of_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    run = Run(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("what was there\n")
    run.state.mkdir()
    (run.state / "lock").symlink_to(elsewhere)
    assert main(run.arguments()) == 2
    assert f"{run.state / 'lock'}: this is a symbolic link" in capsys.readouterr().err
    (run.state / "lock").unlink()
    for number in range(20):
        (run.state / f".{number:012d}.checkpoint.part").symlink_to(elsewhere)
    assert main(run.arguments()) == 1
    assert elsewhere.read_text() == "what was there\n"
    output = run.output.read_bytes()
    last = run.last_checkpoint()
    last.rename(tmp_path / "moved")
    last.symlink_to(tmp_path / "moved")
    assert main(run.arguments()) == 1
    assert f"{last}: cannot be used: it is a symbolic link" in caplog.text
    assert run.output.read_bytes() == output


def test_a_pipe_in_place_of_a_checkpoint_is_not_waited_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    os.mkfifo(tmp_path / "000000000001.checkpoint")
    with open_checkpoints(str(tmp_path)) as checkpoints, pytest.raises(Exception, match="no checkpoint is"):
        checkpoints.load()
    assert "it is not a file" in caplog.text


def test_a_checkpoint_that_was_changed_is_refused_or_taken(tmp_path: Path) -> None:
    """Although its checksum is right. A run that is refused changes no file."""
    run = Run(tmp_path)
    assert main(run.arguments()) == 1
    for file in sorted(run.state.glob("*.checkpoint"))[:-1]:
        file.unlink()
    before, state = run.files(), run.last_checkpoint().read_bytes()

    @settings(max_examples=EXAMPLES, deadline=None)
    @given(st.data())
    def hold(draw: st.DataObject) -> None:
        for name, content in before.items():
            (tmp_path / name).write_bytes(content)
        for file in set(run.state.glob("*.checkpoint")) - {tmp_path / name for name in before}:
            file.unlink()
        file = run.last_checkpoint()
        file.write_bytes(packed(changed(draw, unpacked(state))))
        forged = run.files()
        if main(run.arguments()) == 2:
            assert run.files() == forged

    hold()
