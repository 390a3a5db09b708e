"""Runs over files whose clocks are wrong: what becomes of the records, and what is said of them."""

import json
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas
import pytest

from lars2asp.compiler import compile_program
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.records import Rejected
from lars2asp.syntax.source import Source
from tests.support.command_line import lines, run, run_watched

PROGRAM = '#tick 1 sec. #timezone "UTC". #input a(x) at ts. #input b(y) at ts. s(X) :- a(X). t(Y) :- b(Y).'
DAY = "2026-02-01T"


def written(folder: Path, name: str, times: list[str], column: str = "x") -> Path:
    records = ({"ts": time, column: number} for number, time in enumerate(times))
    path = folder / name
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def found(text: str, name: str = "s") -> list[int]:
    """The arguments of what began, in order."""
    began = [atom for answer in lines(text) for atom in answer["began"]]
    return [int(atom[2:-1]) for atom in began if atom.startswith(f"{name}(")]


def answers(folder: Path, times: list[str], *options: str, status: int = 0) -> tuple[list[int], str]:
    written(folder, "a.jsonl", times)
    (folder / "p.lars").write_text(PROGRAM)
    done = run(folder, "run", "p.lars", "--input", "a.jsonl", "--changes", *options, status=status)
    return found(done.stdout), done.stderr


AHEAD = [f"{DAY}00:00:01", f"{DAY}12:00:00", *(f"{DAY}00:00:0{second}" for second in range(2, 6))]


@pytest.mark.parametrize("options", [(), ("--lateness", "3"), ("--evaluator", "flow")])
def test_a_clock_that_is_ahead_is_rejected(tmp_path: Path, options: tuple[str, ...]) -> None:
    given, said = answers(tmp_path, AHEAD, *options, status=1)
    assert given == [0, 2, 3, 4, 5]
    assert "a.jsonl:2: error: tick 1769947200" in said
    assert "its clock is ahead" in said
    assert "--largest-gap" in said


def test_it_is_rejected_beside_early_answers(tmp_path: Path) -> None:
    answers(tmp_path, AHEAD, status=1)
    done = run(tmp_path, "run", "p.lars", "--input", "a.jsonl", "--revise", "5 sec", status=1)
    assert '"s(1)"' not in done.stdout
    assert '"s(5)"' in done.stdout
    assert "its clock is ahead" in done.stderr


def test_a_pause_heals(tmp_path: Path) -> None:
    times = [f"{DAY}00:00:01", *(f"2026-02-02T00:00:0{second}" for second in range(1, 7))]
    assert answers(tmp_path, times) == ([*range(7)], "")
    (tmp_path / "p.lars").write_text(f"#largest_gap 5 min. {PROGRAM}")
    done = run(tmp_path, "run", "p.lars", "--input", "a.jsonl", "--changes")
    assert found(done.stdout) == [*range(7)]


def test_a_wrong_first_record_and_clocks_that_were_never_set(tmp_path: Path) -> None:
    right = [f"{DAY}00:00:0{second}" for second in range(1, 6)]
    given, said = answers(tmp_path, ["2031-01-01T00:00:00", *right], status=1)
    assert (given, "its clock is ahead" in said) == ([1, 2, 3, 4, 5], True)
    for year in (1970, 1980, 2000):
        given, said = answers(tmp_path, [f"{year}-01-01T00:00:03Z", *right], status=1)
        assert (given, "was never set" in said) == ([1, 2, 3, 4, 5], True)
    given, said = answers(tmp_path, [*right[:2], "1970-01-01T00:00:03Z", *right[2:]], status=1)
    assert (given, "was never set" in said) == ([0, 1, 3, 4, 5], True)
    assert answers(tmp_path, ["1970-01-01T00:00:03Z", "1970-01-01T00:00:05Z"]) == ([0, 1], "")


def test_a_clock_that_was_never_set_takes_no_record_of_standard_input_along(tmp_path: Path) -> None:
    """A rule over `@now` would be asked at all ticks since 1970."""
    times = ["1970-01-01T00:00:03Z", *(f"{DAY}00:00:0{second}" for second in range(1, 6))]
    text = written(tmp_path, "a.jsonl", times).read_text()
    (tmp_path / "p.lars").write_text(f"{PROGRAM} u(@now) :- not a(_) in [2].")
    done = run(tmp_path, "run", "p.lars", "--input", "-", "--changes", stdin=text, status=1)
    assert found(done.stdout) == [1, 2, 3, 4, 5]
    assert (
        "<stdin>:1: error: tick 3 (1970-01-01T00:00:03+00:00) is of a clock that was never set" in done.stderr
    )


def test_each_of_several_inputs_has_its_clock(tmp_path: Path) -> None:
    written(tmp_path, "a.jsonl", AHEAD)
    written(
        tmp_path, "b.jsonl", [f"{DAY}0{hour}:{minute}0:00" for hour in range(7) for minute in range(6)], "y"
    )
    (tmp_path / "p.lars").write_text(PROGRAM)
    inputs = ["--input", "a.jsonl", "--input", "b.jsonl"]
    done = run(tmp_path, "run", "p.lars", *inputs, "--changes", status=1)
    assert found(done.stdout) == [0, 2, 3, 4, 5]
    assert found(done.stdout, "t") == [*range(42)]
    inputs[1] = "a.jsonl?largest-gap=1 day"
    done = run(tmp_path, "run", "p.lars", *inputs, "--changes", "--lateness", "13 hour")
    assert sorted(found(done.stdout)) == [0, 1, 2, 3, 4, 5]


def of_two_files(folder: Path) -> list[str]:
    """A folder with two files, each a wrong clock, and the answers that a run over it is to have."""
    (folder / "in").mkdir()
    (folder / "p.lars").write_text(PROGRAM)
    day = "2026-02-02T"
    written(folder / "in", "a.jsonl", [*AHEAD, *(f"{day}00:00:0{second}" for second in range(6))])
    times = ["2031-01-01T00:00:00", *(f"{DAY}00:00:0{second}" for second in range(2, 8)), f"{day}12:00:00"]
    written(folder / "in", "b.jsonl", [*times, f"{day}00:00:02", f"{day}00:00:03"], "y")
    names = "s0 s2 t1 s3 t2 s4 t3 s5 t4 t5 t6 s6 s7 s8 t8 s9 t9 s10 s11"
    return [f"{name[0]}({name[1:]})" for name in names.split()]


def began(text: str) -> list[str]:
    return [atom for answer in lines(text) for atom in answer["began"]]


def test_each_file_of_a_folder_has_its_clock(tmp_path: Path) -> None:
    """With one clock for all, `b` would be opened in 2031, and its other records would be late."""
    expected = of_two_files(tmp_path)
    done = run(tmp_path, "run", "p.lars", "--input", "in", "--changes", status=1)
    assert began(done.stdout) == expected
    assert "in: 22 records: 19 gave facts, 3 rejected" in done.stderr
    assert done.stderr.count("its clock is ahead") == 3
    for reader in ("flow", "delta"):
        again = run(tmp_path, "run", "p.lars", "--input", "in", "--changes", "--evaluator", reader, status=1)
        assert (again.stdout, again.stderr) == (done.stdout, done.stderr)


def test_a_run_over_a_folder_that_is_interrupted_has_the_records_that_wait(tmp_path: Path) -> None:
    expected = of_two_files(tmp_path)
    for stopped in range(1, 22):
        state = tmp_path / f"state-{stopped}"
        arguments = ["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "in"), "--changes"]
        arguments += ["--checkpoint", str(state), "--output", f"{state}.jsonl"]

        def stop(number: int, at: int = stopped) -> None:
            if number == at:
                os.kill(os.getpid(), signal.SIGINT)

        with suppress(KeyboardInterrupt):
            run_watched(arguments[1:], stop)
        done = run(tmp_path, *arguments, status=1)
        assert began(Path(f"{state}.jsonl").read_text()) == expected
        assert "22 records: 19 gave facts, 3 rejected" in done.stderr


def test_numbers_of_ticks_have_no_usual_gap(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "a.jsonl").write_text("".join(f'{{"ts": {t}, "x": {t}}}\n' for t in (1, 90_000, 900_000)))
    done = run(tmp_path, "run", "p.lars", "--input", "a.jsonl", "--changes")
    assert found(done.stdout) == [1, 90_000, 900_000]


def test_a_run_that_is_interrupted_has_the_records_that_wait(tmp_path: Path) -> None:
    times = [
        *AHEAD,
        "2026-02-02T00:00:00",
        "2026-02-02T00:00:01",
        "2026-02-02T00:00:02",
        "2026-02-02T00:00:03",
    ]
    expected = answers(tmp_path, times, status=1)[0]
    assert expected == [0, 2, 3, 4, 5, 6, 7, 8, 9]
    for stopped in range(1, len(times) + 1):
        folder = tmp_path / f"state-{stopped}"
        arguments = ["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "a.jsonl"), "--changes"]
        arguments += ["--checkpoint", str(folder), "--output", f"{folder}.jsonl"]

        def stop(number: int, at: int = stopped) -> None:
            if number == at:
                os.kill(os.getpid(), signal.SIGINT)

        with suppress(KeyboardInterrupt):
            run_watched(arguments[1:], stop)
        run(tmp_path, *arguments, status=1)
        assert found(Path(f"{folder}.jsonl").read_text()) == expected


def test_frames_and_files_in_python(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"ts": pandas.to_datetime(AHEAD), "x": range(6), "y": [None] * 6})
    path = written(tmp_path, "a.jsonl", AHEAD)
    plan = compile_program(Source("p.lars", PROGRAM.replace("#input b(y) at ts.", "")))
    sources: list[Any] = [frame, path]
    for source in sources:
        rejected: list[Rejected] = []
        told = [one.holds.texts for one in Reasoner(plan).run(source, on_reject=rejected.append)]
        assert [*map(str, told)].count("('s(1)',)") == 0
        assert len(rejected) == 1
        assert "its clock is ahead" in rejected[0].reason
        accepted = Reasoner(plan, largest_gap=86_400).run(source, lateness=90_000, on_reject=rejected.append)
        assert any("s(1)" in one.holds.texts for one in accepted)
        assert len(rejected) == 1
