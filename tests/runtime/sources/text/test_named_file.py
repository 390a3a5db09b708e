"""Files that a run writes: they are its own, and opened again by their names if somebody removes them."""

import signal
from pathlib import Path

import pytest

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.text.named_file import NamedFile
from lars2asp.runtime.sources.text.text_files import begin_again_with, open_output, size_of
from tests.support.command_line import run
from tests.support.processes import LARS2ASP, started, wait_for


def test_a_second_run_does_not_write_into_the_file_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("q(X) :- p(X).\n")
    (tmp_path / "in.jsonl").write_text('{"time": 1, "facts": ["p(1)"]}\n')
    for option in ("--output", "--rejects"):
        command = [*LARS2ASP, "run", "p.lars", "--input", "-", option, "shared", "--emit", "every"]
        with started(command, cwd=tmp_path, stdin=-1, stdout=-3) as first:
            wait_for((tmp_path / "shared").exists, first)
            assert first.stdin is not None
            first.stdin.write(b'{"time": 1, "facts": ["p(1)"]}\n{"time": 2, "facts": [1]}\n{"time": 3}\n')
            first.stdin.flush()
            second = run(tmp_path, "run", "p.lars", "--input", "in.jsonl", option, "shared", status=2)
            assert "shared: another run is writing to this file" in second.stderr
        (tmp_path / "shared").unlink()


def test_a_file_that_is_removed_is_opened_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "out\x1b.csv"
    with open_output(str(path)) as output:
        output.begin()
        output.stream.write("time,x\n1,a\n")
        output.stream.flush()
        begin_again_with(output.stream, "time,x\n")
        path.unlink()
        output.stream.write("2,b\n")
        output.stream.flush()
        output.stream.write("3,c\n")
        output.stream.flush()
        assert path.read_text() == "time,x\n2,b\n3,c\n"
        path.unlink()
        path.write_text("as others have it\n")
        output.stream.write("4,d\n")
        output.stream.flush()
        with pytest.raises(InputError, match="another run"), open_output(str(path)):
            pass
    assert path.read_text() == "as others have it\n4,d\n"
    said = capsys.readouterr().err
    assert said.count("the file was removed: it is opened again") == 2 and "\x1b" not in said


def test_a_file_that_a_checkpoint_counts_on_is_not_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    for ask in ("write", "size"):
        with (
            pytest.raises(InputError, match=r"the file was removed .* remove the folder kept to start over"),
            open_output(str(path), None, "kept") as output,
        ):
            output.begin()
            output.stream.write("1\n")
            assert size_of(output.stream) == 2
            path.unlink()
            if ask == "write":
                output.stream.write("2\n")
                output.stream.flush()
            else:
                size_of(output.stream)
        assert not path.exists()


def test_a_folder_that_is_gone_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    with (
        pytest.raises(InputError, match=r"out\.jsonl: cannot write this file: No such file or directory"),
        open_output(str(folder / "out.jsonl")) as output,
    ):
        output.begin()
        (folder / "out.jsonl").unlink()
        folder.rmdir()
        output.stream.write("1\n")


def test_what_is_no_file_is_neither_locked_nor_watched(tmp_path: Path) -> None:
    with open_output("/dev/null") as one, open_output("/dev/null") as other:
        for output in (one, other):
            output.begin()
            output.stream.write("1\n")
            assert isinstance(output.stream.buffer.raw, NamedFile)  # type: ignore[attr-defined]


@pytest.mark.parametrize("checkpoint", [False, True])
def test_a_run_whose_output_is_removed(tmp_path: Path, checkpoint: bool) -> None:
    (tmp_path / "p.lars").write_text("q(X) :- p(X).\n")
    command = [*LARS2ASP, "run", "p.lars", "--input", "-", "--output", "out.csv", "--output-format", "csv"]
    command += ["--checkpoint", "kept"] if checkpoint else []
    out = tmp_path / "out.csv"
    with started([*command, "--follow"], cwd=tmp_path, stdin=-1, stderr=-1) as process:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write(b'{"time": 1, "facts": ["p(1)"]}\n{"time": 2}\n')
        process.stdin.flush()
        wait_for(lambda: out.exists() and "1,began,1" in out.read_text(), process)
        out.unlink()
        process.stdin.write(b'{"time": 5, "facts": ["p(2)"]}\n{"time": 6}\n')
        process.stdin.flush()
        if not checkpoint:
            wait_for(lambda: out.exists() and "5,began,2" in out.read_text(), process)
            process.send_signal(signal.SIGTERM)
        said = process.stderr.read().decode()
        status = process.wait()
    assert "Traceback" not in said
    if checkpoint:
        assert status == 2 and "out.csv: the file was removed during the run" in said
        assert not out.exists()
    else:
        assert status == 143 and "out.csv: the file was removed: it is opened again" in said
        assert out.read_text().startswith("time,change,X\n") and "1,began,1" not in out.read_text()
