"""Commands on times of today where ticks are shorter than a second and nothing says when tick 0 begins."""

import json
from pathlib import Path

import pytest

from tests.support.command_line import lines, run

PROGRAM = """
#tick 100 msec.
#lateness 1 sec.
#input r(x, time(ts)) at ts.
hot(X) :- r(X,_) in [500 msec], X > 3.
block(X) :- r(X,_) in [every 700 msec].
day(H) :- r(_,_), hour(H).
#calendar hour(H).
#timezone "UTC".
"""
ROWS = "ts,x\n2026-11-29T07:00:00.000Z,1\n2026-11-29T07:00:00.250Z,5\n2026-11-29T07:00:01.000Z,2\n"
SAID = "tick 0 is 2026-11-29T00:00:00+00:00"
ORIGIN = ("--origin", "2026-11-29T00:00:00Z")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "a.csv").write_text(ROWS)
    (tmp_path / "a.jsonl").write_text(
        "".join(f'{{"ts":"{ts}","x":{x}}}\n' for ts, _, x in (row.partition(",") for row in ROWS.split()[1:]))
    )
    return tmp_path


def test_files_standard_input_and_live_input_have_the_same_answers(folder: Path) -> None:
    done = run(folder, "run", "p.lars", "--input", "a.csv", "--times")
    found = lines(done.stdout)
    assert SAID in done.stderr and done.stderr.count("tick 0 is") == 1
    assert found[0] == {"time": 252_000, "at": "2026-11-29T07:00:00.000+00:00", "atoms": ["day(7)"]}
    for name, more in (("a.csv", ["--input", "-"]), ("a.jsonl", ["--input", "-", "--evaluator", "oneshot"])):
        done = run(folder, "run", "p.lars", "--times", *more, stdin=(folder / name).read_text())
        assert lines(done.stdout) == found and SAID in done.stderr
    (folder / "a.jsonl").write_text('{"ts":"2026-11-29T06:59:00Z","x":0}\n')
    both = ["--input", "a.jsonl", "--input", "-"]  # read as they come
    done = run(folder, "run", "p.lars", "--times", *both, stdin=ROWS)
    assert lines(done.stdout)[-len(found) + 1 :] == found[1:]


@pytest.mark.parametrize(
    "options", [["--input", "a.csv"], ["--input", "-"], ["--input", "-", "--input", "b.csv"]]
)
def test_a_clock_that_was_never_set_does_not_decide(folder: Path, options: list[str]) -> None:
    """But the times of a stream of 1970 are as they were."""
    head, *rows = ROWS.split()
    (folder / "b.csv").write_text(f"{head}\n")
    whole = lines(run(folder, "run", "p.lars", "--input", "a.csv").stdout)
    text = "\n".join([head, "1970-01-01T00:00:03Z,9", "2000-01-01T00:00:04Z,9", *rows, ""])
    (folder / "a.csv").write_text(text)
    done = run(folder, "run", "p.lars", *options, stdin=text, status=1)
    assert lines(done.stdout) == whole and SAID in done.stderr
    assert done.stderr.count("is of a clock that was never set") == 2
    text = "\n".join([head, "1970-01-01T23:59:59.9Z,9", "1970-01-02T00:00:00.2Z,8", ""])
    (folder / "a.csv").write_text(text)
    done = run(folder, "run", "p.lars", *options, stdin=text)
    assert lines(done.stdout)[0] == {"time": 863_999, "atoms": ["day(23)", "hot(9)"]}
    assert "tick 0" not in done.stderr


def test_integers_that_count_since_1970_and_another_zone(folder: Path) -> None:
    (folder / "n.jsonl").write_text('{"ts":1795935600000,"x":5}\n{"ts":1795935600400,"x":6}\n')
    done = run(
        folder, "run", "p.lars", "--input", "n.jsonl", "--time-unit", "msec", "--timezone", "Asia/Kolkata"
    )
    assert "tick 0 is 2026-11-29T00:00:00+05:30" in done.stderr
    assert lines(done.stdout)[0] == {"time": 450_000, "atoms": ["day(12)", "hot(5)"]}


@pytest.mark.parametrize("source", ["a.csv", "-"])
def test_the_last_tick_may_be_given_as_a_time(folder: Path, source: str) -> None:
    options = ("--input", source, "--until", "2026-11-29T07:00:00.6Z", "--emit", "1")
    done = run(folder, "run", "p.lars", *options, stdin=ROWS)
    assert [one["time"] for one in lines(done.stdout)] == [*range(252_000, 252_007)]


def test_a_run_that_goes_on_the_next_day_counts_on(folder: Path) -> None:
    options = (
        "run",
        "p.lars",
        "--input",
        "a.csv",
        "--output",
        "o.jsonl",
        "--checkpoint",
        "kept",
        "--checkpoint-every",
        "1",
    )
    (folder / "a.csv").write_text(f"{ROWS}2026-11-29T07:00:05Z,0\n2026-11-29T07:00:09Z,0\n")
    first = run(folder, *options)
    with (folder / "a.csv").open("a") as file:
        file.write("2026-11-30T00:00:00.3Z,9\n2026-11-30T00:00:03Z,1\n")
    again = run(folder, *options)
    assert "tick 0 is" in first.stderr and "tick 0 is" not in again.stderr
    whole = lines(run(folder, "run", "p.lars", "--input", "a.csv").stdout)
    assert lines((folder / "o.jsonl").read_text()) == whole
    assert {"time": 864_003, "atoms": ["day(0)", "hot(9)"]} in whole
    refused = run(folder, *options, *ORIGIN, status=2)
    assert "--origin or #origin was 1970-01-01T00:00:00+00:00, is 2026-11-29T00:00:00+00:00" in refused.stderr


def test_explanations_and_comparisons(folder: Path) -> None:
    asked = ("p.lars", "block(5)", "--input", "a.csv", "--at", "2026-11-29T07:00:00.8Z")
    done = run(folder, "why", *asked)
    assert "block(5) at 2026-11-29 07:00:00.800" in done.stdout and "a.csv:3" in done.stdout
    (folder / "w.json").write_text(run(folder, "why", *asked, "--output-format", "json").stdout)
    assert "it is an explanation" in run(folder, "check-why", "p.lars", "w.json", "--input", "a.csv").stdout
    claims = json.loads((folder / "w.json").read_text())
    assert json.dumps(claims).count("252008")
    done = run(
        folder,
        "run",
        "p.lars",
        "--compare",
        "p.lars",
        "--input",
        "a.csv",
        "--compare-from",
        "2026-11-29T07:00Z",
    )
    assert "the programs agree" in done.stderr
    assert "3 records can be read, 0 cannot" in run(folder, "check", "p.lars", "--input", "a.csv").stdout


def test_tests_of_rules(folder: Path) -> None:
    """What is expected comes before the input is read, and what comes first stands second."""
    (folder / "t.lars-test").write_text("""\
program:
  #tick 100 msec.
  hot(X) :- r(X) in [500 msec], X > 3.
  block(X) :- r(X) in [every 700 msec].
  #show hot/1.
given:
  2026-11-30T00:00:00.2Z: r(7)
given:
  2026-11-29T23:59:59.9Z: r(5)
expect from 2026-11-29T23:59:59.9Z to 2026-11-30T00:00:00.1Z: hot(5)
expect at 2026-11-30T00:00:00.2Z: hot(5), hot(7)
expect at 864002: hot(5), hot(7)
why hot(5) at 2026-11-30T00:00:00.1Z:
  23:59:59.900
""")
    assert "1 case passed, 0 failed" in run(folder, "test", "t.lars-test").stdout
