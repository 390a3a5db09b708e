"""A run that was interrupted goes on from its checkpoint as if nothing had been."""

import json
import random
import resource
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from lars2asp import Reasoner
from lars2asp.__main__ import main
from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.reasoning.snapshot import FORMAT
from lars2asp.runtime.runs.command.run_settings import changes
from lars2asp.runtime.runs.states.checkpoints import KEPT, open_checkpoints
from lars2asp.runtime.settings.table import of_command
from tests.runtime.runs.test_early_run import Reader
from tests.support.command_line import run_watched
from tests.support.interrupted_stream import PROGRAM, lines
from tests.support.processes import LARS2ASP, PATIENCE_SECONDS, started, wait_for


class Killed(BaseException):
    """Ends a run."""


class Files:
    """The files of a run over the stream of the experiment."""

    def __init__(self, folder: Path, name: str, *, table: str = "") -> None:
        self.folder = folder
        self.name = name
        (folder / "program.lars").write_text(
            PROGRAM if not table else "hot(R) :- temp(R,V) in [3], V > 80. #input temp(room, value) at time."
        )
        self.input = folder / (table or "input.jsonl")

    def arguments(self, *more: str) -> list[str]:
        return [
            *("run", str(self.folder / "program.lars"), "--input", str(self.input)),
            *("--output", str(self.folder / f"{self.name}.out"), "--checkpoint-every", "40"),
            *("--rejects", str(self.folder / f"{self.name}.rejects")),
            *(() if "--revise" in more else ("--lateness", "4")),
            *("--checkpoint", str(self.folder / self.name), *more),
        ]

    def written(self) -> list[bytes]:
        return [(self.folder / f"{self.name}.{suffix}").read_bytes() for suffix in ("out", "rejects")]


def interrupted(files: Files, least: int, *more: str) -> int:
    """Runs to the end, but for interruptions after some records; how many there were."""
    choose, interruptions = random.Random(least), 0
    while True:
        last = choose.randint(least, 2 * least)

        def end(number: int, last: int = last) -> None:
            if number == last:
                raise Killed

        try:
            run_watched(files.arguments(*more)[1:], end)
        except Killed:
            interruptions += 1
        else:
            return interruptions


@pytest.mark.parametrize(
    "more", [(), ("--changes", "--evaluator", "oneshot"), ("--emit", "7"), ("--models", "0")]
)
def test_the_output_is_that_of_a_run_without_interruption(tmp_path: Path, more: tuple[str, ...]) -> None:
    whole, parts = Files(tmp_path, "whole"), Files(tmp_path, "parts")
    whole.input.write_text("".join(f"{line}\n" for line in lines(550, seed=len(more))))
    assert main(whole.arguments(*more)) == 1
    assert interrupted(parts, 25, *more) > 2
    assert parts.written() == whole.written()
    assert all(whole.written())


@pytest.mark.parametrize("more", [(), ("--intervals", "--times", "--tick", "1 sec")])
def test_answers_in_tables_are_those_of_a_run_without_interruption(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    """A table has as many rows as the checkpoint counts on; intervals that are open then end later."""
    whole, parts = Files(tmp_path, "whole"), Files(tmp_path, "parts")
    whole.input.write_text("".join(f"{line}\n" for line in lines(500, seed=5)))
    tables = [
        (*more, "--output-format", "csv", "--output", f"{tmp_path / name}/") for name in ("tables", "others")
    ]
    assert main(whole.arguments(*tables[0])) == 1
    assert interrupted(parts, 25, *tables[1]) > 1
    found, others = (
        {path.name: path.read_text() for path in (tmp_path / name).iterdir()} for name in ("tables", "others")
    )
    assert found == others
    assert len(found["hot.csv"].splitlines()) > 20
    assert found["hot.csv"].splitlines()[0].startswith("begin,end,begin_at,end_at" if more else "time,change")


def test_tables_go_on_at_their_rows(tmp_path: Path) -> None:
    choose = random.Random(3)
    whole, parts = (Files(tmp_path, name, table="input.csv") for name in ("whole", "parts"))
    rows = "".join(
        f'{i // 3},"{choose.choice(["a", "b,c", "d"])}",{choose.randint(60, 99)}\n'
        if choose.random() < 0.95
        else f'{i // 3},"two\nlines"' + choose.choice([",90\n", "\n"])
        for i in range(1200)
    )
    whole.input.write_text('\ntime,"room",value\n' + rows)
    assert main(whole.arguments()) == 1
    assert interrupted(parts, 150) > 3
    assert parts.written() == whole.written()


@pytest.mark.parametrize("name", ["input.parquet", "input.feather"])
def test_files_of_typed_columns_go_on_at_their_rows(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run ends where its output may grow no further, and goes on from a checkpoint before that."""
    choose = random.Random(3)
    whole, parts = (Files(tmp_path, each, table=name) for each in ("whole", "parts"))
    times: list[int | None] = [max(0, i // 3 - choose.choice([0] * 20 + [2, 9])) for i in range(3000)]
    times[::97] = [None] * len(times[::97])  # these rows are rejected, as are some that come late
    columns = {
        "time": times,
        "room": [choose.choice(["a", "b,c", None]) for _ in times],
        "value": [choose.randint(60, 99) for _ in times],
    }
    _write(whole.input, pa.table(columns))
    more = ("--emit", "every")
    assert main(whole.arguments(*more)) == 1
    size = len(whole.written()[0])
    for most in (size // 3, 2 * size // 3):
        done = subprocess.run(
            [
                sys.executable,
                "-B",
                "-m",
                "lars2asp",
                *parts.arguments(*more),
            ],
            check=False,
            capture_output=True,
            text=True,
            preexec_fn=partial(resource.setrlimit, resource.RLIMIT_FSIZE, (most, most)),
        )
        assert "parts.out: cannot write this file: File too large" in done.stderr
        assert [*(tmp_path / parts.name).glob("*.checkpoint")]
    assert main(parts.arguments(*more)) == 1
    assert parts.written() == whole.written()
    assert all(whole.written())
    _write(parts.input, pa.table(columns).slice(0, 100))
    assert main(parts.arguments(*more)) == 2
    assert (
        "the file is now shorter than the part that was already read: put the old file back, or remove "
        "the checkpoint folder to start over"
    ) in capsys.readouterr().err


def _write(path: Path, table: pa.Table) -> None:
    if path.suffix == ".parquet":
        parquet.write_table(table, path, row_group_size=70)
    else:
        feather.write_feather(table, str(path), chunksize=70)


HELD_IN_THE_END = (
    "import signal, sys; from tests.support.command_line import run_watched\n"
    "sys.exit(run_watched(sys.argv[2:], lambda number: number == 1200 and signal.pause()))"
)
"""A run that does not come to its end before it is killed, however late that is."""


def test_a_killed_process_goes_on(tmp_path: Path) -> None:
    """The real thing; `python -m experiments kills` does it 200 times."""
    whole, parts = Files(tmp_path, "whole"), Files(tmp_path, "parts")
    whole.input.write_text("".join(f"{line}\n" for line in lines(1500, seed=1)))
    assert main(whole.arguments()) == 1
    command = [sys.executable, "-c", HELD_IN_THE_END, *parts.arguments()]
    with started(command, stderr=subprocess.PIPE) as process:
        wait_for(lambda: len([*(tmp_path / "parts").glob("*.checkpoint")]) >= KEPT, process)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert parts.written() != whole.written()
    assert main(parts.arguments()) == 1
    assert parts.written() == whole.written()


def test_a_damaged_checkpoint_falls_back_to_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    whole, parts = Files(tmp_path, "whole"), Files(tmp_path, "parts")
    whole.input.write_text("".join(f"{line}\n" for line in lines(600, seed=2)))
    main(whole.arguments())
    main(parts.arguments())
    *_, last = kept = sorted((tmp_path / "parts").glob("*.checkpoint"))
    assert len(kept) == KEPT
    last.write_bytes(last.read_bytes()[:-10])
    assert main(parts.arguments()) == 1
    assert parts.written() == whole.written()
    assert "damaged" in caplog.text
    assert str(last) in caplog.text
    for file in (tmp_path / "parts").glob("*.checkpoint"):
        file.write_bytes(b"?")
    assert main(parts.arguments()) == 2


def test_one_run_at_a_time_and_of_one_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = Files(tmp_path, "one")
    files.input.write_text("".join(f"{line}\n" for line in lines(300, seed=2)))
    with open_checkpoints(str(tmp_path / "one")):
        assert main(files.arguments()) == 2
    assert (
        "another run is using these checkpoints: stop it, or name another --checkpoint folder"
        in capsys.readouterr().err
    )
    main(files.arguments())
    other = tmp_path / "other.jsonl"
    other.write_text(files.input.read_text())
    files.input = other
    assert main(files.arguments()) == 2
    assert f"--input was {tmp_path / 'input.jsonl'}, is {other}" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(SnapshotError, match="cannot write checkpoints here"),
        open_checkpoints(str(tmp_path / "file")),
    ):
        pass


def test_a_file_that_grows_is_read_on(tmp_path: Path) -> None:
    """No line is lost, and none counts twice, when a run is killed that follows a file."""
    (tmp_path / "program.lars").write_text("a(X) :- p(X) in [5]. b(N) :- p(N), not p(N) in {1,2,3}.")
    told = [f'{{"time": {i}, "facts": ["p({i % 7})", "p({i})"]}}\n' for i in range(400)]
    arguments = [
        *("run", str(tmp_path / "program.lars"), "--input", str(tmp_path / "grows.jsonl")),
        *("--until", "398", "--checkpoint-every", "20"),
    ]
    (tmp_path / "grows.jsonl").write_text("".join(told))
    assert main([*arguments, "--output", str(tmp_path / "whole.out")]) == 0
    (tmp_path / "grows.jsonl").write_text("".join(told[:150]))
    output = tmp_path / "parts.out"
    parts = [*arguments, "--follow", "--output", str(output), "--checkpoint", str(tmp_path / "kept")]
    with started([*LARS2ASP, *parts]) as process:
        wait_for(lambda: output.exists() and b'"time": 148' in output.read_bytes(), process)
        with (tmp_path / "grows.jsonl").open("a") as file:
            file.write("".join(told[150:]))
        process.send_signal(signal.SIGKILL)
    assert main(parts) == 0
    assert output.read_bytes() == (tmp_path / "whole.out").read_bytes()


def test_standard_input_goes_on_with_what_comes(tmp_path: Path) -> None:
    """Its lines are numbered anew, and count all the same."""
    (tmp_path / "program.lars").write_text("a(X) :- p(X).")
    output = tmp_path / "out.jsonl"
    command = [
        *(*LARS2ASP, "run", str(tmp_path / "program.lars"), "--follow", "--changes"),
        *("--output", str(output), "--checkpoint", str(tmp_path / "kept"), "--checkpoint-every", "2"),
    ]
    for first in (0, 10):
        with started(command, stdin=subprocess.PIPE) as process:
            assert process.stdin is not None
            told = (f'{{"time": {i}, "facts": ["p({i})"]}}\n' for i in range(first, first + 10))
            process.stdin.write("".join(told).encode())
            process.stdin.flush()
            last = f"a({first + 8})"
            wait_for(lambda: output.exists() and last in output.read_text(), process)  # noqa: B023
            process.send_signal(signal.SIGKILL)


def test_what_is_over_in_the_checkpoint_is_not_waited_for(tmp_path: Path) -> None:
    """A live run that is started again has nothing left to do up to a tick to which it has come."""
    (tmp_path / "program.lars").write_text("a(X) :- p(X).")
    told = "".join(f'{{"time": {i}, "facts": ["p({i})"]}}\n' for i in range(10))
    (tmp_path / "grows.jsonl").write_text(told)
    output = tmp_path / "out.jsonl"
    command = [
        *(*LARS2ASP, "run", str(tmp_path / "program.lars"), "--input", str(tmp_path / "grows.jsonl")),
        *("--follow", "--output", str(output), "--checkpoint", str(tmp_path / "kept")),
    ]
    with started(command) as process:
        wait_for(lambda: output.exists() and "a(8)" in output.read_text(), process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 128 + signal.SIGTERM
    answers = output.read_text()
    with started([*command, "--until", "8"]) as process:
        assert process.wait(PATIENCE_SECONDS) == 0
    assert output.read_text() == answers


def test_a_file_that_grows_after_its_end(tmp_path: Path) -> None:
    """Records are waited for, although a run came to the end of the file before them."""
    (tmp_path / "program.lars").write_text("a(X) :- p(X).")
    (tmp_path / "in.jsonl").write_text('{"time": 1}\n{"time": 5, "facts": ["p(5)"]}\n{"time": 8}\n')
    arguments = [
        *("run", str(tmp_path / "program.lars"), "--input", str(tmp_path / "in.jsonl"), "--lateness", "5"),
        *("--checkpoint-every", "1", "--output", str(tmp_path / "out.jsonl")),
    ]
    kept = ["--checkpoint", str(tmp_path / "kept")]
    assert main([*arguments, *kept]) == 0
    with (tmp_path / "in.jsonl").open("a") as file:
        file.write('{"time": 7, "facts": ["p(7)"]}\n{"time": 20}\n')
    assert main([*arguments, *kept]) == 0
    parts = (tmp_path / "out.jsonl").read_text()
    assert main(arguments) == 0
    assert parts == (tmp_path / "out.jsonl").read_text()
    assert "a(7)" in parts


def test_a_folder_in_which_files_are_missing_or_new(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "program.lars").write_text("a(X) :- p(X) in [3].")
    folder = tmp_path / "input"
    folder.mkdir()
    for number, name in enumerate(("b", "c")):
        told = (f'{{"time": {10 * number + i}, "facts": ["p({i})"]}}\n' for i in range(10))
        (folder / f"{name}.jsonl").write_text("".join(told))
    arguments = [
        *("run", str(tmp_path / "program.lars"), "--input", str(folder), "--checkpoint-every", "3"),
        *("--output", str(tmp_path / "out"), "--checkpoint", str(tmp_path / "kept")),
    ]
    assert main(arguments) == 0
    (folder / "a.jsonl").write_text('{"time": 0, "facts": ["p(100)"]}\n')
    assert main(arguments) == 1
    assert "a.jsonl:1: error:" in capsys.readouterr().err  # it is read, and late
    with (folder / "b.jsonl").open("a") as grown:
        grown.write('{"time": 30, "facts": ["p(30)"]}\n')
    assert main(arguments) == 1
    assert "a(30)" in (tmp_path / "out").read_text()
    (folder / "c.jsonl").write_text("\n")
    assert main(arguments) == 2
    assert "shorter than the part that was already read" in capsys.readouterr().err
    (folder / "c.jsonl").unlink()  # nothing of it is left to be read
    assert main(arguments) == 1


# --- options that change between two parts of a run -------------------------------------------------

MAY_CHANGE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "oneshot": (("--evaluator", "oneshot"), ()),
    "from oneshot": ((), ("--evaluator", "oneshot")),
    "stamped": (("--evaluator", "stamped"), ("--evaluator", "oneshot")),
    "fewer checkpoints": (("--checkpoint-every", "40"), ("--checkpoint-every", "3")),
    "statistics": (("--stats",), ()),
    "no statistics": ((), ("--stats",)),
    "a file of statistics": (("--stats-json", "stats.json"), ()),
    "the form that the name tells": (("--input-format", "jsonl"), ()),
    "the same file by another name": (("--output", "./answers.jsonl"), ()),
    "not strict any more": (
        (),
        (
            "--on-reject",
            "stop",
        ),
    ),
    "no view any more": ((), ("--view",)),
    "a view": (("--view",), ()),
    "no progress": (("--quiet",), ()),
    "a limit for ticks": (("--tick-timeout", "300"), ()),
    "a limit of memory": (("--memory-limit", "8 GB"), ()),
    "no scripts any more": (("--untrusted",), ()),
    "the language is said": (("--dialect", "lars2asp"), ()),
}


@pytest.mark.parametrize("name", MAY_CHANGE)
def test_options_that_may_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The answers are those of one run."""
    monkeypatch.chdir(tmp_path)
    now, before = MAY_CHANGE[name]
    told = [f'{{"time": {i}, "facts": ["p({"abcd"[i * i % 4]})"]}}\n' for i in range(60)]
    Path("program.lars").write_text(
        "a(X) :- p(X) in [3]. b(X) :- a(X), not p(X) in [1]. {d} :- a(z)."
        "c(X,Y) :- b(X), a(Y) at least 2 in [4]."
    )
    arguments = ["run", "program.lars", "--input", "input.jsonl"]
    kept = [*arguments, "--output", "answers.jsonl", "--checkpoint", "state", "--checkpoint-every", "10"]
    Path("input.jsonl").write_text("".join(told[:35]))
    assert main([*kept, *before]) == 0
    Path("input.jsonl").write_text("".join(told))
    assert main([*kept, *now]) == 0
    assert main([*arguments, "--output", "whole.jsonl"]) == 0
    assert Path("answers.jsonl").read_text() == Path("whole.jsonl").read_text()


@pytest.mark.parametrize(("before", "now"), [("5", "0"), ("0", "5"), ("5", "2"), ("2", "5"), ("0", "0")])
def test_the_lateness_may_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, now: str
) -> None:
    """What waits is kept: no record that was accepted is rejected for it, and none is told twice."""
    monkeypatch.chdir(tmp_path)
    Path("program.lars").write_text("a(X) :- p(X).")
    first = [(0, "a"), (5, "b"), (9, "c"), (12, "d"), (10, "e"), (11, "f"), (15, "k")]
    later = [(16, "g"), (20, "h"), (20, "i"), (30, "j")]
    if before == "0":
        first.sort()

    def write(records: list[tuple[int, str]]) -> None:
        told = (f'{{"time": {tick}, "facts": ["p({name})"]}}\n' for tick, name in records)
        Path("input.jsonl").write_text("".join(told))

    arguments = [
        *("run", "program.lars", "--input", "input.jsonl", "--output", "answers.jsonl"),
        *("--rejects", "rejects.jsonl", "--checkpoint", "state", "--checkpoint-every", "1"),
    ]
    write(first)
    assert main([*arguments, "--lateness", before]) == 0
    write(first + later)
    assert main([*arguments, "--lateness", now]) == 0
    answers = [json.loads(line) for line in Path("answers.jsonl").read_text().splitlines()]
    found = [(answer["time"], atom) for answer in answers for atom in answer["atoms"]]
    assert sorted(found) == sorted((tick, f"a({name})") for tick, name in first + later)
    assert [tick for tick, _ in found] == sorted(tick for tick, _ in found)
    assert not Path("rejects.jsonl").read_text()


def test_the_last_tick_may_become_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.lars").write_text("a(X) :- p(X) in [3].")
    told = (f'{{"time": {3 * i}, "facts": ["p({i % 5})"]}}\n' for i in range(30))
    Path("input.jsonl").write_text("".join(told))
    arguments = ["run", "program.lars", "--input", "input.jsonl", "--emit", "every"]
    kept = [*arguments, "--output", "answers.jsonl", "--checkpoint", "state", "--checkpoint-every", "4"]
    for until in (["--until", "31"], ["--until", "58"], ["--until", "95"]):
        assert main([*kept, *until]) == 0
        assert main([*arguments, *until, "--output", "whole.jsonl"]) == 0
        assert Path("answers.jsonl").read_text() == Path("whole.jsonl").read_text()


TABLES = ["--output-format", "csv", "--output", "other/"]

MUST_STAY: list[tuple[list[str], str]] = [
    (["--follow"], "--follow was not given, is given"),
    (["--chart", "chart.html"], "--chart was not given, is given"),
    (["--clock", "wall"], "--clock was data, is wall"),
    (["--tick", "2 sec"], "--tick or #tick was 1 sec, is 2 sec"),
    (["--largest-interval", "9"], "--largest-interval was not given, is 9"),
    (["--semantics", "strict"], "--semantics or #semantics was recorded, is strict"),
    (["--time-unit", "sec"], "--time-unit was tick, is sec"),
    (
        ["--origin", "2000-01-01T00:00:00Z"],
        "--origin or #origin was 1970-01-01T00:00:00+00:00, is 2000-01-01T00:00:00+00:00",
    ),
    (["--timezone", "UTC"], "--timezone or #timezone was not given, is UTC"),
    (["--input-format", "facts"], "--input-format was jsonl, is facts"),
    (["--delimiter", ";"], "--delimiter was ',', is ';'"),
    (["--encoding", "latin-1"], "--encoding was not given, is iso8859-1"),
    (["--time-format", "%d.%m.%Y"], "--time-format was not given, is %d.%m.%Y"),
    (["--missing", "NA"], "--missing was not given, is 'NA'"),
    (["--emit", "every"], "--emit was change, is every"),
    (["--emit", "7"], "--emit was change, is 7"),
    (["--largest-record", "1 kB"], "--largest-record was 16777216 bytes, is 1000 bytes"),
    (["--largest-gap", "5"], "--largest-gap or #largest_gap was not given, is 5"),
    (["--changes"], "--changes was not given, is given"),
    (TABLES, "--output-format was not given, is csv"),
    (["--intervals", *TABLES], "--intervals was not given, is given"),
    (["--times"], "--times was not given, is given"),
    (["--start", "1"], "--start was 0, is 1"),
    (["--complete-windows"], "--complete-windows or #complete_windows was not given, is given"),
    (["--models", "0"], "--models was 1, is 0"),
    (["--clingo", "--seed=3 -t 2"], "--clingo was not given, is '--seed=3' '-t' '2'"),
    (["--consequences", "brave"], "--consequences was not given, is brave"),
    (["-c", "n=5"], "-c was not given, is n=5"),
    (
        ["--show", "busy/2"],
        "the program changed. Use the same options as before, or add --changed-program to keep",
    ),
    (["--output", "other.jsonl"], "is other.jsonl"),
    (["--rejects", "other.jsonl"], "is other.jsonl"),
    (["--input", "other.jsonl"], ", other.jsonl"),
    (["--functions", "functions.py"], "the files of --functions changed"),
    (["--emit", "7", "--changes"], "--emit was change, is 7; --changes was not given, is given"),
]


@pytest.mark.parametrize(("more", "message"), MUST_STAY, ids=[" ".join(more) for more, _ in MUST_STAY])
def test_options_that_must_stay(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    files = Files(tmp_path, "one")
    files.input.write_text("".join(f"{line}\n" for line in lines(90, seed=2)))
    (tmp_path / "other.jsonl").write_text("")
    (tmp_path / "functions.py").write_text("")
    assert main(files.arguments("--start", "0", "--tick", "1 sec")) == 1
    written = files.written()
    capsys.readouterr()
    assert main(files.arguments("--start", "0", "--tick", "1 sec", *more)) == 2
    refusal = capsys.readouterr().err
    assert f"cannot resume from the checkpoint in {tmp_path / 'one'}: " in refusal
    assert message in refusal
    assert "or remove the folder" in refusal
    assert files.written() == written


@pytest.mark.parametrize("changed", [[], ["--changed-program"]])
def test_the_largest_gap_of_the_program_must_stay_as_that_of_the_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: list[str]
) -> None:
    program = tmp_path / "p.lars"
    (tmp_path / "in.jsonl").write_text('{"time": 3, "facts": ["p"]}\n')
    files = ["--input", str(tmp_path / "in.jsonl"), "--output", str(tmp_path / "out.jsonl")]
    arguments = ["run", str(program), *files, "--checkpoint", str(tmp_path / "state")]
    program.write_text("#tick 1 min. #largest_gap 1 hour. a :- p.")
    assert main(arguments) == 0
    for before in ("#largest_gap 60 min.", "#largest_gap 60."):
        program.write_text(f"#tick 1 min. {before} a :- p.")
        assert main(arguments) == 0
    program.write_text("#tick 1 min. a :- p.")
    assert main([*arguments, "--largest-gap", "1 hour"]) == 0
    for after, said in (("#largest_gap 2 hour.", "2 hour"), ("", "not given")):
        capsys.readouterr()
        program.write_text(f"#tick 1 min. {after} a :- p.")
        assert main([*arguments, *changed]) == 2
        assert f"--largest-gap or #largest_gap was 1 hour, is {said}" in capsys.readouterr().err


def test_options_of_a_checkpoint_may_have_other_names() -> None:
    """As the version wrote them that called them so."""
    whole = {"--complete-windows or #complete_windows": "given"}
    assert changes({"--complete-windows": "given"}, whole) == []
    now = {"--chart": "given", "--changes": "given", "--emit": "change"}
    assert changes({"--timeline": "given", "--delta": "given", "--emit": "change"}, now) == []
    was = "--chart was not given, is given", "--changes was not given, is given"
    assert changes({"--timeline": "not given", "--delta": "not given", "--emit": "change"}, now) == [*was]


def test_a_changed_program_is_told_wholly(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Constants with decimals, what was placed ahead; and before the first tick nothing is in its way."""
    program, stream, old, new = (tmp_path / name for name in ("p.lars", "in.facts", "old", "new"))
    text = (
        "#decimals p(1). #const n = {n}. #const m = 3.\na(X) :- p(X), X > n.\nq(X) at @now+{ahead} :- p(X).\n"
    )
    arguments = [
        "run",
        str(program),
        "--input",
        str(stream),
        "--input-format",
        "facts",
        "--checkpoint-every",
        "7",
    ]
    for kept, ticks in ((old, 20), (new, 1)):
        program.write_text(text.format(n=2.5, ahead=5))
        stream.write_text("".join(f"{tick}: p(2.7)\n" for tick in range(ticks)))
        assert main([*arguments, "--checkpoint", str(kept)]) == 0
        program.write_text(text.format(n=2.8, ahead=4))
        stream.write_text("".join(f"{tick}: p(2.7)\n" for tick in range(40)))
        caplog.clear()
        assert main([*arguments, "--checkpoint", str(kept), "--changed-program"]) == 0
        said = [one.getMessage() for one in caplog.records if "the program changed: " in one.getMessage()]
        assert [one.removeprefix("the program changed: ").partition(" at ticks")[0] for one in said] == (
            [
                "changed: q(X) at @now+4 :- p(X).",
                "changed by a constant: a(X) :- p(X), X > n.",
                "what the rules before placed of q/1",
            ]
            if kept is old
            else []
        )


def test_a_changed_program_goes_on_with_what_was_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """From then on its answers are those that it had over the whole stream, in spite of late records."""
    text = "#const n = {n}. often(X) :- p(X) at least n in [9]. p9 :- p(9), not q in [4]. {more}"
    program, stream, kept = (tmp_path / name for name in ("p.lars", "in.facts", "kept"))
    records = [f"{tick - (tick % 3 == 2)}: p({tick % 2}), p({tick % 5})" for tick in range(60)]
    arguments = [
        "run",
        str(program),
        "--input",
        str(stream),
        "--input-format",
        "facts",
        "--lateness",
        "2",
        "--emit",
    ]
    arguments += ["every", "--output"]
    more = ["--checkpoint", str(kept), "--checkpoint-every", "7"]
    changed = text.format(n=3, more="rare(X) :- p(X), not often(X).  % new\n#show rare/1. #show often/1.")

    def run(text: str, number: int, *more: str, status: int = 0) -> list[str]:
        program.write_text(text)
        stream.write_text("".join(f"{one}\n" for one in records[:number]))
        out = tmp_path / ("out" if more else "whole")
        assert main([*arguments, str(out), *more]) == status
        return out.read_text().splitlines()

    run(text.format(n=2, more=""), 40, *more)
    assert run(changed, 60, *more, status=2) is not None
    assert "or add --changed-program to keep the content of windows" in capsys.readouterr().err
    found = run(changed, 60, *more, "--changed-program")
    assert "the program changed: changed: #const n = 3." in caplog.text
    assert "the program changed: added: rare(X) :- p(X), not often(X)." in caplog.text
    whole = run(changed, 60)
    assert found[36:] == whole[36:] and found != whole
    caplog.clear()
    records.append("70: p(1)")
    assert run(changed, 61, *more, "--changed-program")[36:] == run(changed, 61)[36:]
    assert "the program changed" not in caplog.text


def test_declarations_must_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = Files(tmp_path, "one", table="input.csv")
    files.input.write_text("time,room,value\n" + "".join(f"{i},a,{90 - i % 20}\n" for i in range(120)))
    assert main(files.arguments()) == 0
    assert main(files.arguments("--declare", "temp(room, value*10) at time")) == 2
    assert "--declare or #input changed" in capsys.readouterr().err


def test_every_option_may_change_or_must_stay() -> None:
    """And the docs say which."""
    settings = of_command("run")
    names = {one.shown for one in settings}
    must_stay = {more[0] for more, _ in MUST_STAY}
    may_change = {name for now, before in MAY_CHANGE.values() for name in (*now, *before) if name[0] == "-"}
    may_change |= {
        "--lateness",
        "--idle-timeout",
        "--ahead",
        "--until",
        "--serve",
        "--serve-token-file",
        "--on-reject",
        "--explain-last",
    }
    may_change |= {
        "--changed-program",
        "--history",
        "--log-format",
        "--output-header",
        "--output-secret-file",
    }
    may_change |= {"--output-secret-file", "--retry-for", "--dead-letters", "--compare-const"}
    kept = {one.option for one in settings if one.is_state}
    assert kept & may_change <= {"--output", "--input-format"}  # other words for the same
    assert must_stay - {"-c"} <= kept
    declared = {
        "--declare",
        "--year",
        "--checkpoint",
        "--drain",
        "--revise",
        "--const",
        "--config",
        "--output-body",
    }
    declared |= {"--compare", "--compare-const", "--compare-why", "--compare-from", "--compare-to"}
    assert names - must_stay - may_change - declared == set()
    text = (Path(__file__).parents[4] / "docs" / "how-to" / "restart-and-change-a-program.md").read_text()
    section = text.partition("## Options that may change")[2].partition("\n## ")[0]
    unsaid = {"--changed-program", "--history", "--compare-const"}
    assert {name for name in may_change - kept - unsaid if f"{name}`" not in section} == set()


def test_checkpoints_of_the_version_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are refused with what to do, and no file is changed."""
    shutil.copytree(Path(__file__).parent / "kept", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    arguments = ["run", "program.lars", "--input", "input.jsonl", "--lateness", "3"]
    kept = ["--output", "answers.jsonl", "--rejects", "rejects.jsonl", "--checkpoint", "state"]
    assert main([*arguments, *kept]) == 2
    told = capsys.readouterr().err
    assert "state/000000000004.checkpoint: the snapshot is in the format lars2asp-snapshot-2" in told
    assert "but this version of lars2asp reads" in told
    assert before.items() <= {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}.items()


def test_a_checkpoint_from_before_answers_had_costs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run goes on; lines that are written from now on have them."""
    shutil.copytree(Path(__file__).parent / "kept_before_costs", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    before = Path("answers.jsonl").read_text().splitlines()
    arguments = ["run", "program.lars", "--input", "input.jsonl", "--emit", "every", "--stats"]
    kept = ["--output", "answers.jsonl", "--checkpoint", "state", "--checkpoint-every", "2"]
    assert main([*arguments, *kept]) == 0
    assert main([*arguments, "--output", "whole.jsonl"]) == 0
    answers, whole = (Path(name).read_text().splitlines() for name in ("answers.jsonl", "whole.jsonl"))
    assert [line.partition(', "cost"')[0] for line in whole[:4]] == [line.rstrip("}") for line in before[:4]]
    assert answers == [*before[:4], *whole[4:]]


def test_a_checkpoint_of_another_format_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    files = Files(tmp_path, "one")
    files.input.write_text("".join(f"{line}\n" for line in lines(200, seed=2)))
    main(files.arguments())
    last = max((tmp_path / "one").glob("*.checkpoint"))
    last.write_bytes(last.read_bytes().replace(FORMAT.encode(), b"lars2asp-snapshot-1"))
    assert main(files.arguments()) == 2
    refusal = capsys.readouterr().err
    assert f"{last}: the snapshot is in the format lars2asp-snapshot-1" in refusal
    assert "or remove the folder" in refusal


def test_a_checkpoint_of_days_of_24_hours_is_refused_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As `#tick 1 day.` was read before it was a day of the zone."""
    program, stream, kept = (tmp_path / name for name in ("p.lars", "in.jsonl", "kept"))
    text = '#tick 1 day. #timezone "Europe/Vienna". a(X) :- p(X) in [2 day].'
    arguments = ["run", str(program), "--input", str(stream), "--output", str(tmp_path / "out")]
    arguments += ["--checkpoint", str(kept), "--checkpoint-every", "1"]

    def run(days: int, *more: str) -> int:
        rows = (f'{{"time": "2026-03-{day:02}T00:30", "facts": ["p({day})"]}}\n' for day in range(1, days))
        stream.write_text("".join(rows))
        return main([*arguments, *more])

    program.write_text(text)
    with monkeypatch.context() as patch:
        for module in ("planning.translation", "analysis.declared_time"):
            patch.setattr(f"lars2asp.{module}.counts_days", lambda _: False)
        assert run(9) == 0
        snapshot = Reasoner.from_text(text)
        snapshot.step(5, ["p(1)"])
        taken = snapshot.snapshot()
    assert run(12) == 2
    said = capsys.readouterr().err
    assert "--tick or #tick was 86400 sec, is 1 day by the clock of the zone" in said
    assert "To keep ticks of 24 hours write #tick 24 hour. and add --changed-program." in said
    with pytest.raises(
        SnapshotError,
        match="the snapshot is of an earlier version, where #tick 1 day",
    ):
        Reasoner.from_text(text).resume(taken)
    program.write_text(text.replace("1 day", "24 hour"))
    assert run(12, "--changed-program") == 0


def test_days_by_the_clock_go_on_from_checkpoints(tmp_path: Path) -> None:
    """Over both changes of clocks, as a run without interruption."""
    program, stream = tmp_path / "p.lars", tmp_path / "in.jsonl"
    program.write_text('#tick 1 day. #timezone "Europe/Vienna". a(X) :- p(X) in [2 day]. #show a/1.')
    times = pd.date_range("2026-03-01", "2026-11-20", freq="11h", tz="Europe/Vienna")
    rows = [f'{{"time": "{time.isoformat()}", "facts": ["p({n % 7})"]}}\n' for n, time in enumerate(times)]
    arguments = ["run", str(program), "--input", str(stream), "--lateness", "1 day", "--times", "--output"]
    for number in (60, 61, 100, 501, len(rows)):
        stream.write_text("".join(rows[:number]))
        kept = ["--checkpoint", str(tmp_path / "kept"), "--checkpoint-every", "3"]
        status = main([*arguments, str(tmp_path / "parts"), *kept, "--emit", "every"])
        assert status == 0
    assert main([*arguments, str(tmp_path / "whole"), "--emit", "every"]) == 0
    whole, parts = ((tmp_path / name).read_text().splitlines() for name in ("whole", "parts"))
    assert {line.split(", ", 1)[0] for line in whole} == {line.split(", ", 1)[0] for line in parts}
    assert sorted(whole) == sorted(parts)
    days = [json.loads(line)["at"] for line in whole]
    assert all(day[11:19] == "00:00:00" for day in days)
    assert {day[19:] for day in days} == {"+01:00", "+02:00"}


def test_answers_that_are_revised_go_on_from_checkpoints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What stands at each tick in the end is what a run has that waits, in whichever part it was revised."""
    waits, early = Files(tmp_path, "waits"), Files(tmp_path, "early")
    rules = [rule for rule in PROGRAM.splitlines() if "guard(R,G)" not in rule]
    (tmp_path / "program.lars").write_text("\n".join(rules))
    waits.input.write_text("".join(f"{line}\n" for line in lines(700, seed=5)))
    assert main(waits.arguments("--emit", "every")) == 1
    assert interrupted(early, 25, "--revise", "4") > 2
    assert (tmp_path / "early.rejects").read_bytes()
    reader = Reader()
    said = [json.loads(line) for line in (tmp_path / "early.out").read_text().splitlines()]
    assert any("revised" in line for line in said)
    for line in said:
        reader.read(line)
    for line in map(json.loads, (tmp_path / "waits.out").read_text().splitlines()):
        assert reader.at(line["time"]) == (line.get("satisfiable", True), frozenset(line["atoms"]))
    assert reader.final == line["time"]
    for more in ([], ["--revise", "3"]):
        assert main(early.arguments(*more)) == 2
        assert "--revise was 4, is " in capsys.readouterr().err
