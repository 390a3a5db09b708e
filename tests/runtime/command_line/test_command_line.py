"""The command line as a process: formats, exit statuses, rejects, interruption."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from lars2asp.__main__ import main
from lars2asp.runtime.settings.table import of_command
from tests.support.command_line import lines, run
from tests.support.processes import LARS2ASP, completed, started, wait_for


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program that recalls for two ticks, and forbids q; a stream."""
    (tmp_path / "p.lars").write_text("a(X) :- p(X) in [1].\n:- q.\n")
    stream = ['{"time": 1, "facts": ["p(2)", "p(1)"]}', '{"time": 4, "facts": ["q"]}', '{"time": 5}']
    (tmp_path / "s.jsonl").write_text("\n".join(stream) + "\n")
    return tmp_path


def test_answers_that_change(folder: Path) -> None:
    done = run(folder, "run", "p.lars", "--input", "s.jsonl")
    assert done.stdout == dedent("""\
        {"time": 1, "atoms": ["a(1)", "a(2)"]}
        {"time": 3, "atoms": []}
        {"time": 4, "satisfiable": false, "atoms": []}
        {"time": 5, "atoms": []}
        """)
    assert done.stderr == ""


def test_answers_at_every_tick_and_at_some(folder: Path) -> None:
    every = run(
        folder, "run", "p.lars", "--input", "s.jsonl", "--emit", "every", "--until", "6", "--start", "0"
    )
    assert [line["time"] for line in lines(every.stdout)] == [0, 1, 2, 3, 4, 5, 6]
    some = run(folder, "run", "p.lars", "--input", "s.jsonl", "--emit", "2")
    assert (
        some.stdout
        == '{"time": 2, "atoms": ["a(1)", "a(2)"]}\n{"time": 4, "satisfiable": false, "atoms": []}\n'
    )


def test_answers_at_the_ends_of_windows(folder: Path) -> None:
    (folder / "w.lars").write_text("n(N) :- N = #count { X : p(X) in [every 2] }.\n")
    stream = '{"time": 0, "facts": ["p(1)"]}\n{"time": 3, "facts": ["p(2)"]}\n{"time": 8}\n'
    done = run(folder, "run", "w.lars", "--emit", "windows", "--changes", stdin=stream)
    assert done.stdout == dedent("""\
        {"time": 0, "began": ["n(0)"], "ended": []}
        {"time": 1, "began": ["n(1)"], "ended": ["n(0)"]}
        {"time": 3, "began": [], "ended": []}
        {"time": 5, "began": ["n(0)"], "ended": ["n(1)"]}
        {"time": 7, "began": [], "ended": []}
        """)


def test_changes(folder: Path) -> None:
    done = run(folder, "run", "p.lars", "--input", "-", "--changes", stdin=(folder / "s.jsonl").read_text())
    assert done.stdout == dedent("""\
        {"time": 1, "began": ["a(1)", "a(2)"], "ended": []}
        {"time": 3, "began": [], "ended": ["a(1)", "a(2)"]}
        {"time": 4, "satisfiable": false, "began": [], "ended": []}
        {"time": 5, "began": [], "ended": []}
        """)


def test_models(folder: Path) -> None:
    (folder / "m.lars").write_text("a :- p, not b. b :- p, not a. :- q.")
    stream = '{"time": 1, "facts": ["p"]}\n{"time": 2, "facts": ["q"]}\n{"time": 3}\n'
    done = run(folder, "run", "m.lars", "--models", "0", stdin=stream)
    found = [(line["time"], line.get("satisfiable"), sorted(line["models"])) for line in lines(done.stdout)]
    assert found == [(1, None, [["a"], ["b"]]), (2, False, []), (3, None, [[]])]


def test_other_formats_and_a_file_for_the_output(folder: Path) -> None:
    run(
        folder,
        "run",
        "p.lars",
        "--input-format",
        "facts",
        "--output",
        "out.jsonl",
        stdin="1: p(2), p(1).\n3:\n",
    )
    assert (
        folder / "out.jsonl"
    ).read_text() == '{"time": 1, "atoms": ["a(1)", "a(2)"]}\n{"time": 3, "atoms": []}\n'
    (folder / "t.csv").write_text("when;value\n60;2.5\n185;3,0\n240;\n")
    done = run(
        folder,
        *("run", "p.lars", "--input", "t.csv", "--declare", "p(value*10) at when", "--delimiter", ";"),
        *("--tick", "1 min", "--time-unit", "sec", "--emit", "every", "--rejects", "rejects.jsonl"),
        status=1,
    )
    assert [(line["time"], line["atoms"]) for line in lines(done.stdout)] == [
        (1, ["a(25)"]),
        (2, ["a(25)"]),
        (3, []),
        (4, []),
    ]
    [rejected] = lines((folder / "rejects.jsonl").read_text())
    assert rejected == {
        "source": "t.csv",
        "line": 3,
        "reason": "column value: '3,0' is not a number: to read it, write number(value, \",\")*10",
        "record": "185;3,0",
    }


def test_constants_and_semantics_from_outside(folder: Path) -> None:
    (folder / "c.lars").write_text("#const n = 0. b :- p. a :- b in [n].")
    options = ["run", "c.lars", "--input-format", "facts", "--emit", "every", "--until", "1"]
    recorded = run(folder, *options, "-c", "n=1", stdin="0: p")
    assert lines(recorded.stdout)[1]["atoms"] == ["a"]
    strict = run(folder, *options, "-c", "n=1", "--semantics", "strict", stdin="0: p")
    assert lines(strict.stdout)[1]["atoms"] == []


def test_a_constant_that_the_program_does_not_have_is_warned_of(folder: Path) -> None:
    for command in ("check", "compile"):
        done = run(folder, command, "p.lars", "-c", "m=1")
        assert done.stderr.startswith("-c m=1:1:1-14: warning: L505: the program has no constant m")


def test_bad_records_are_reported_and_the_run_goes_on(folder: Path) -> None:
    good, last = b'{"time": 1, "facts": ["p(1)"]}', b'{"time": 2}'
    bad = [b"{bad", b"\xff\xfe", b'{"time": 0}', b'{"time": 2, "facts": ["p(1.5)"]}']
    stream = b"\n".join([good, *bad, last])
    done = run(folder, "run", "p.lars", "--emit", "every", stdin=stream, status=1)
    assert [line["time"] for line in lines(done.stdout)] == [1, 2]
    assert "<stdin>:2: error: broken JSON" in done.stderr
    assert "<stdin>:3: error: the line is not UTF-8 text" in done.stderr
    assert "<stdin>:4: error: the time goes backwards: tick 0 after 1" in done.stderr
    assert "<stdin>:5: error: p(1.5): 1.5 is a decimal" in done.stderr
    assert done.stderr.endswith("4 records were rejected (1 of them late)\n")


def test_the_origin_is_in_the_time_zone(folder: Path) -> None:
    (folder / "t.csv").write_text("time,x\n2026-01-01 00:30,1\n")
    done = run(
        folder,
        *("run", "p.lars", "--input", "t.csv", "--declare", "p(x)", "--tick", "30 min"),
        *("--timezone", "Europe/Vienna", "--origin", "2026-01-01 00:00"),
    )
    assert lines(done.stdout) == [{"time": 1, "atoms": ["a(1)"]}]


def test_a_time_without_offset_needs_a_zone_that_is_declared(folder: Path) -> None:
    stream = "1970-01-01 02:00: p(1)\n1970-01-01 03:00Z: p(2)\n"
    (folder / "vienna.lars").write_text('#tick 1 hour. #timezone "Europe/Vienna". a(X) :- p(X).')
    command = ("run", "vienna.lars", "--input-format", "facts", "--emit", "every")
    assert [line["time"] for line in lines(run(folder, *command, stdin=stream).stdout)] == [1, 2, 3]
    done = run(folder, *command, "--timezone", "UTC", stdin=stream)
    assert [line["time"] for line in lines(done.stdout)] == [2, 3]
    done = run(folder, "run", "p.lars", *command[2:], "--tick", "1 hour", stdin=stream, status=1)
    assert [line["time"] for line in lines(done.stdout)] == [3]
    assert done.stderr.startswith(
        "<stdin>:1: error: the time 1970-01-01 02:00 lacks a time zone: write 1970-01-01T02:00:00Z "
        'for UTC, add --timezone Europe/Vienna, or write #timezone "Europe/Vienna".\n'
    )


def test_output_is_utf8_whatever_the_locale(folder: Path) -> None:
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    command = [*LARS2ASP, "run", "p.lars", "--input-format", "facts"]
    done = completed(command, cwd=folder, given='1: p("ä")', env=environment)
    assert done.stdout == '{"time": 1, "atoms": ["a(\\"ä\\")"]}\n'


def test_strict_input_stops(folder: Path) -> None:
    stream = '{"time": 1, "facts": ["p(1)"]}\n{"time": 2}\n{bad\n{"time": 3}\n'
    done = run(folder, "run", "p.lars", "--on-reject", "stop", stdin=stream, status=2)
    assert "<stdin>:3: error: broken JSON" in done.stderr
    assert lines(done.stdout)[0]["time"] == 1


def test_what_no_input_fits_is_counted(folder: Path) -> None:
    (folder / "kinds.lars").write_text(
        "#input order(o) at ts. overdue(O) :- order(O) in {3}, not order(O) in [2]."
    )
    stream = '{"ts": 1, "o": 7}\n{"ts": 2, "x": 1}\n{"ts": 9, "y": 1}\n'
    (folder / "kinds.jsonl").write_text(stream)
    run_kinds = ("run", "kinds.lars", "--input", "kinds.jsonl")
    done = run(folder, *run_kinds, "--stats", "--stats-json", "stats.json")
    assert done.stdout.startswith('{"time": 4, "atoms": ["overdue(7)"]}\n')
    first = "kinds.jsonl:2: passed over: no field 'o' for #input order; the fields of the record are ts, x\n"
    assert done.stderr.startswith(first)
    counts = "kinds.jsonl: 3 records: 1 gave facts, 2 passed over (no #input fits)\n"
    assert f"Records   : {counts}" in done.stderr
    assert run(folder, *run_kinds).stderr.endswith(counts)
    assert json.loads((folder / "stats.json").read_text())["records"]["unfit"] == 2
    refused = run(folder, *run_kinds, "--on-reject", "stop", status=2)
    assert "kinds.jsonl:2: error: no field 'o' for #input order" in refused.stderr
    check = ("check", "kinds.lars", "--input", "kinds.jsonl")
    said = (
        "kinds.jsonl: 1 record can be read, 0 cannot\nkinds.jsonl: 2 records passed over: no #input "
        "fits; times count; the first: kinds.jsonl:2: no field 'o' for #input order; the fields of "
        "the record are ts, x\n"
    )
    checked = run(folder, *check).stdout
    assert checked.startswith(said)
    assert checked.endswith(f"{counts}order/1 takes 1 of 3 records; 2 have no o\n")
    (folder / "kinds.jsonl").write_text(stream.replace("o", "p"))
    run(folder, *check, status=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run"], "Missing argument 'PROGRAM...'"),
        (["run", "none.lars"], "error: none.lars: cannot be read: No such file or directory"),
        (["run", "."], "is a directory"),
        (["run", "p.lars", "--input", "none.jsonl"], "error: none.jsonl: cannot read this file"),
        (["run", "p.lars", "--output", "none/out"], "error: none/out: cannot write this file"),
        (["run", "p.lars", "--emit", "often"], "must be change, every, windows or a positive number"),
        (["run", "p.lars", "--emit", "windows"], "needs a hopping or tumbling window, such as"),
        (
            ["run", "hops.lars", "--emit", "windows", "--output", "a.csv"],
            "--emit windows is for JSON lines, because tables contain changes: remove it",
        ),
        (["run", "p.lars", "--emit", "0"], "'0' must be change"),
        (["run", "p.lars", "-c", "n"], "is not name=value, such as"),
        (
            ["run", "p.lars", "--changes", "--models", "2"],
            "--changes needs one answer stream: remove --models",
        ),
        (["run", "p.lars", "--delta"], "--delta is now called --changes"),
        (["run", "p.lars", "--timeline=t.html"], "--timeline is now called --chart"),
        (
            ["run", "p.lars", "--py-script=f.py"],
            "--py-script of I-DLV-sr is called --functions FILE here",
        ),
        (
            ["run", "p.lars", "--t-unit", "min"],
            "--t-unit of I-DLV-sr is called --dialect idlvsr:t-unit=... here",
        ),
        (["run", "p.lars", "--checkpoint-every", "0.2"], "is not a duration: write 1000"),
        (["run", "p.lars", "--origin", "now"], "is not an ISO 8601 timestamp"),
        (
            ["run", "p.lars", "--origin", "2026-01-01"],
            "the origin 2026-01-01 00:00:00 has no UTC offset",
        ),
        (
            ["run", "p.lars", "--timezone", "Mars/Base"],
            "--timezone:1:11-22: error: L507: Mars/Base is not a time zone",
        ),
        (["run", "p.lars", "--declare", "p(x"], "--declare:1:"),
        (["run", "p.lars", "--evaluator", "guess"], "is not one of 'auto', 'oneshot'"),
        (
            ["run", "p.lars", "--input", "s.jsonl", "--output", "./s.jsonl"],
            "is already another file of this run: choose a new name",
        ),
        (
            ["run", "p.lars", "--input", "s.jsonl", "--output", "p.lars"],
            "is already another file of this run: choose a new name",
        ),
        (
            ["run", "p.lars", "--input", ".", "--output", "new.jsonl"],
            "is already another file of this run: choose a new name",
        ),
        (
            ["run", "p.lars", "--output", "o", "--rejects", "o"],
            "is already another file of this run: choose a new name",
        ),
        (
            ["run", "p.lars", "--input", "s.jsonl", "--output", "/dev/full"],
            "cannot write this file: No space",
        ),
        (
            ["run", "p.lars", "--input", "s", "--input-format", "facts", "--declare", "p(x)"],
            "--declare is for tables, JSON records, logs and triples",
        ),
        (["run", "p.lars", "--start", "5", "--until", "4"], "--start is after --until: swap them"),
        (["run", "p.lars", "--until", "99999999999999999999"], "is not in the range"),
        (["run", "p.lars", "--delimiter", "ab"], "must be one character"),
        (["run", "p.lars", "-c", "n=1. b(2)"], "give one value only"),
        (["frobnicate"], "No such command"),
        (["prepare-spark"], "prepare-spark was removed: you need not prepare anything, run lars2asp spark"),
        (["run", "p.lars", "s.csv"], "s.csv is a data file, not a program: write --input s.csv"),
        (["check", "p.lars", "S.JSONL.gz"], "S.JSONL.gz is a data file, not a program"),
        (
            ["check", "broken.lars"],
            "broken.lars:1:6-7: error: L002: the text ends in the middle of a statement",
        ),
        (["compile", "broken.lars"], "broken.lars:1:6-7: error"),
        (["run", "broken.lars"], "broken.lars:1:6-7: error"),
        (["check", "latin1.lars"], "error: latin1.lars: is not UTF-8 text"),
    ],
    ids=" ".join,
)
def test_what_cannot_run_exits_with_2(
    folder: Path,
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """In this process, for there are many."""
    monkeypatch.chdir(folder)
    (folder / "broken.lars").write_text("a :- b")
    (folder / "hops.lars").write_text("a :- b in [every 3].")
    (folder / "latin1.lars").write_bytes('a("é").'.encode("latin-1"))
    assert main(arguments) == 2
    told = capfd.readouterr().err
    assert message in told
    assert "Traceback" not in told


def test_check_says_when_all_is_well(folder: Path) -> None:
    done = run(folder, "check", "p.lars")
    assert (done.stdout, done.stderr) == ("", "p.lars: no problems found (2 rules, 0 inputs)\n")
    done = run(folder, "check", "p.lars", "--quiet")
    assert (done.stdout, done.stderr) == ("", "")
    (folder / "warned.lars").write_text("#input q(x).\na :- q(X).\n")
    assert "no problems" not in run(folder, "check", "warned.lars").stderr


def test_check_finds_what_scripts_import_in_vain_and_runs_nothing(folder: Path) -> None:
    script = "#script (python)\nimport not_there\nprint('it ran')\n#end.\n"
    (folder / "script.lars").write_text(f"a.\n{script}")
    (folder / "whole.lars").write_text('#include "script.lars".\n')
    done = run(folder, "check", "whole.lars", status=2)
    assert done.stderr.startswith("script.lars:3:1-17: error: L904: the script imports not_there")
    assert done.stdout == ""


def test_compile_shows_the_lines_that_rules_come_from(folder: Path) -> None:
    assert run(folder, "compile", "p.lars").stdout.startswith(
        dedent("""\
        % semantics: recorded
        % p/1 is looked at 1 tick back
        #program lars_tick(lars_now).

        % p.lars:1:1-21: a(X) :- p(X) in [1].
        a(X) :- lars_in_sliding_1_p(X).

        % p.lars:1:9-20: p(X) in [1]
        lars_in_sliding_1_p(X1) :- p(X1) = @lars_in("p",1,"sliding(1)",lars_now).

        % p.lars:2:1-6: :- q.
        :- q.
        """)
    )


def test_help_and_version(folder: Path) -> None:
    for arguments in (["--help"], ["run", "--help"], ["check", "-h"], ["compile", "--help"]):
        assert "Usage: lars2asp" in run(folder, *arguments).stdout
    assert "version" in run(folder, "--version").stdout


def test_an_interrupted_run_keeps_what_it_wrote(folder: Path) -> None:
    command = [*LARS2ASP, "run", "p.lars", "--output", "out.jsonl"]
    with started(command, cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b'{"time": 1, "facts": ["p(1)"]}\n{"time": 3}\n{"time": 4}\n')
        process.stdin.flush()
        out = folder / "out.jsonl"
        wait_for(lambda: out.exists() and out.read_text().count("\n") == 2, process)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in stderr
    assert [line["time"] for line in lines(out.read_text())] == [1, 3]


def test_a_run_in_the_background_of_a_shell(folder: Path) -> None:
    """Such a shell has it ignore SIGINT, which is for what runs in the foreground; SIGTERM ends it."""
    command = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *LARS2ASP, "run", "p.lars", "--emit", "every"]
    with started(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for tick in range(3):
            process.stdin.write(b'{"time": %d}\n{"time": %d}\n' % (2 * tick, 2 * tick + 1))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["time"] == max(2 * tick - 1, 0)
            if tick:
                assert json.loads(process.stdout.readline())["time"] == 2 * tick
            process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 143


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    stream = "".join(f'{{"time": {t}, "facts": ["p({t})"]}}\n' for t in range(3000))
    (folder / "long.jsonl").write_text(stream)
    command = f"{sys.executable} -m lars2asp run p.lars --input long.jsonl | head -n 1"
    done = completed(["bash", "-o", "pipefail", "-c", command], cwd=folder)
    assert done.stderr == ""


def test_functions_of_a_module(folder: Path) -> None:
    (folder / "f.py").write_text("from clingo import Number\ndef twice(x): return Number(2 * x.number)\n")
    (folder / "f.lars").write_text("a(@twice(X)) :- p(X).")
    done = run(folder, "run", "f.lars", "--functions", "f.py", "--input", "s.jsonl", "--until", "1")
    assert lines(done.stdout) == [{"time": 1, "atoms": ["a(2)", "a(4)"]}]
    assert "there is no function @twice" in run(folder, "check", "f.lars", status=2).stderr
    assert "no problems found" in run(folder, "check", "f.lars", "--functions", "f.py").stderr
    run(folder, "compile", "f.lars", "--functions", "missing.py", status=2)


@pytest.mark.parametrize("command", [["run"], ["check"], ["compile"], ["compile", "--split"]])
def test_programs_of_others(folder: Path, command: list[str]) -> None:
    """With --untrusted nothing of the program is run, and no file outside its folder is read."""
    (folder / "theirs").mkdir()
    theirs = folder / "theirs" / "p.lars"
    theirs.write_text("a.\n#script (python)\nopen('made', 'w')\n#end.\n#include \"../p.lars\".\n")
    done = run(folder, command[0], "theirs/p.lars", "--untrusted", *command[1:], status=2)
    assert "theirs/p.lars:2:1-8: error: L514: scripts are not allowed" in done.stderr
    assert "theirs/p.lars:5:1-22: error: L514: the file ../p.lars is outside" in done.stderr
    theirs.write_text("a. b :- a in [2].")
    said = run(folder, command[0], "theirs/p.lars", "--untrusted", *command[1:]).stderr
    assert said in ("", "theirs/p.lars: no problems found (1 rule, 0 inputs)\n")
    assert not (folder / "made").exists()


@pytest.mark.parametrize("command", ["run", "check", "compile"])
def test_modules_go_not_with_programs_of_others(folder: Path, command: str) -> None:
    (folder / "f.py").write_text("open('made', 'w')\n")
    done = run(folder, command, "p.lars", "--untrusted", "--functions", "f.py", status=2)
    assert "--functions runs Python code" in done.stderr
    assert not (folder / "made").exists()


@pytest.mark.parametrize("command", [["check"], ["compile"], ["compile", "--plan"], ["compile", "--split"]])
def test_what_only_looks_at_a_program_runs_none_of_its_scripts(folder: Path, command: list[str]) -> None:
    (folder / "s.lars").write_text("#script (python)\nopen('made', 'w')\n#end.\n")
    run(folder, command[0], "s.lars", *command[1:])
    assert not (folder / "made").exists()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("#show " * 150_000, 2),
        ("a " + "#script " * 100_000, 2),
        ("a(" + "1." * 100_000 + "1).", 2),
    ],
    ids=["#show", "#script", "decimals"],
)
def test_checking_a_long_program_takes_no_time_without_end(folder: Path, text: str, status: int) -> None:
    """With a time that grows with the square of the length, each of these would take minutes."""
    (folder / "long.lars").write_text(text)
    run(folder, "check", "long.lars", status=status)


def test_consequences(folder: Path) -> None:
    (folder / "c.lars").write_text("1 { a(X) : p(X) } 1 :- p(_). b :- a(_).")
    stream = ["--input", "s.jsonl", "--until", "1"]
    brave = run(folder, "run", "c.lars", "--consequences", "brave", *stream)
    assert lines(brave.stdout) == [{"time": 1, "atoms": ["b", "a(1)", "a(2)"]}]
    cautious = run(folder, "run", "c.lars", "--consequences", "cautious", *stream)
    assert lines(cautious.stdout) == [{"time": 1, "atoms": ["b"]}]
    run(folder, "run", "c.lars", "--consequences", "brave", "--models", "0", status=2)


def test_an_evaluator_that_cannot_serve(folder: Path) -> None:
    (folder / "now.lars").write_text("a(@now) :- p(_).")
    done = run(folder, "run", "now.lars", "--evaluator", "external", "--input", "s.jsonl", status=3)
    assert done.stderr.startswith("error: evaluator external cannot serve this program: ")
    run(folder, "run", "p.lars", "--evaluator", "external", "--input", "s.jsonl")
    run(folder, "run", "now.lars", "--evaluator", "auto", "--input", "s.jsonl")


def test_compile_shows_the_code_of_delta(tmp_path: Path) -> None:
    """Also of rules that call functions which a script declares pure, though the script is not run."""
    (tmp_path / "p.lars").write_text(
        "a(X,Z) :- p(X,Y) in [2], q(Y,Z). b(@f(X)) :- a(X,X). { c } :- b(1).\n"
        "#script (python)\nraise ValueError\nimport lars2asp\n@lars2asp.pure\ndef f(x): return x\n#end.\n"
    )
    shown = run(tmp_path, "compile", "--code", "p.lars").stdout
    by_component = shown.split("component")
    assert "def " not in by_component[0]
    assert "p/2 in sliding(2) begin to hold" in by_component[1]
    assert "a/2 now begin to hold" in by_component[2]
    assert "def " not in by_component[3]


def test_compile_shows_the_components(tmp_path: Path) -> None:
    program = tmp_path / "p.lars"
    program.write_text("a(X) :- p(X) in [2].\nb(X) :- a(X).\nb(X) :- b(Y), e(Y,X).\n{ c } :- b(1).\n")
    shown = run(tmp_path, "compile", "--plan", "p.lars")
    assert shown.stdout == dedent(
        """\
        semantics: recorded
        p/1 is looked at 2 ticks back
        large files and pipes: many ticks at once

        component 1
          derives a/1, in one answer stream
          evaluator: delta: no choice; without clingo
          reads p/1 in sliding(2)
          hands on a/1 for the current tick
          lines 1

        component 2
          derives b/1, in one answer stream
          evaluator: delta: no choice; without clingo
          reads a/1 now, e/2 now
          hands on b/1 for the current tick
          lines 2, 3

        component 3
          derives c/0, in several answer streams or none
          evaluator: external: delta cannot: it may have several answer streams, or none
          reads b/1 now
          lines 4
        """
    )
    forced = run(tmp_path, "compile", "--plan", "--evaluator", "delta", "p.lars", status=3)
    assert "evaluator delta cannot serve this program: it may have several answer streams" in forced.stderr


def test_what_a_run_costs(folder: Path) -> None:
    """On standard error for people, and in a file for programs."""
    done = run(folder, "run", "p.lars", "--input", "s.jsonl", "--stats", "--stats-json", "stats.json")
    found = json.loads((folder / "stats.json").read_text())
    assert [line.partition(" ")[0] for line in done.stderr.splitlines()[:4]] == [
        *("Time", "Ticks", "Facts", "Records"),
    ]
    assert f"{found['facts']} received" in done.stderr
    assert 0 < found["components"][0]["cost"]["steps"] <= found["ticks"]["evaluated"]  # where something came
    rules = [rule for component in found["components"] for rule in component["rules"]]
    assert rules
    assert all(f"{rule['place']}: {rule['text']}" in done.stderr for rule in rules)
    clash = run(folder, "run", "p.lars", "--input", "s.jsonl", "--stats-json", "s.jsonl", status=2)
    assert "is already another file of this run: choose a new name" in clash.stderr


def test_a_view_on_the_terminal(folder: Path) -> None:
    """Where there is no terminal what holds in the end is written once; a file has all answers."""
    done = run(folder, "run", "p.lars", "--input", "s.jsonl", "--view", "--output", "answers.jsonl")
    plain = run(folder, "run", "p.lars", "--input", "s.jsonl")
    assert (folder / "answers.jsonl").read_text() == plain.stdout
    assert "p.lars on s.jsonl" in done.stdout
    assert "situation" in done.stdout
    alone = run(folder, "run", "p.lars", "--input", "s.jsonl", "--view")
    assert '"time"' not in alone.stdout


def test_streams_that_are_closed(folder: Path) -> None:
    """Standard output need not be open where answers go to a file."""

    def shell(text: str) -> subprocess.CompletedProcess[str]:
        command = f"{' '.join(LARS2ASP)} run p.lars {text}"
        return completed(["bash", "-o", "pipefail", "-c", command], cwd=folder, status=None)

    done = shell("--input s.jsonl --output out.jsonl >&-")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(lines((folder / "out.jsonl").read_text())) == 4
    done = shell("--input s.jsonl >&-")
    assert (done.returncode, done.stderr) == (
        2,
        "error: -: standard output is closed; name a file with --output\n",
    )
    done = shell("--input - <&-")
    assert (done.returncode, done.stderr) == (2, "error: -: standard input is closed: name a file\n")
    done = shell("--input s.jsonl --view | head -c 0")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_function_that_fails_has_an_exit_status_of_its_own(folder: Path) -> None:
    (folder / "f.py").write_text("def half(x):\n    return 1 / 0\n\ndef name(x):\n    return {}\n")
    for name, said in (
        ("half", "failed: ZeroDivisionError"),
        ("name", "gave {}, which is of the type dict"),
    ):
        (folder / "p.lars").write_text(f"a(@{name}(X)) :- p(X).")
        done = run(folder, "run", "p.lars", "--input", "s.jsonl", "--functions", "f.py", status=4)
        assert re.search(rf"error: @{name}\([12]\) {re.escape(said)}", done.stderr)


def test_help_has_all_exit_statuses(folder: Path) -> None:
    text = run(folder, "--help").stdout
    for status in ("0", "1", "2", "3", "4", "130"):
        assert any(line.split()[:1] == [status] for line in text.splitlines())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--models", "x"], "'--models': 'x' is not a number from 0"),
        (["--models", "-1"], "'--models': '-1' is not a number from 0"),
        (["--evaluator", "x"], "'auto', 'oneshot', 'stamped', 'external', 'delta'"),
        (["--emit", "x"], "'x' must be change, every, windows or a positive number"),
        (
            ["--start", "x"],
            "--start takes the number of a tick or a timestamp, such as 2026-01-31T00:00:00Z: the",
        ),
        (
            ["--until", "x"],
            "--until takes the number of a tick or a timestamp, such as 2026-01-31T00:00:00Z: the",
        ),
        (["--input", "x://y"], "x://...: --input does not support such addresses: use host:, tcp:PORT,"),
        (
            ["--output", "x://y"],
            "x://...: --output does not support such addresses: use tcp:HOST:PORT, http://HOST/PATH",
        ),
        (
            ["--lateness", "x"],
            "--lateness: 'x' is not a duration: write 5 (ticks) or '30 sec' (msec, sec, min, hour",
        ),
        (
            ["--largest-gap", "x"],
            "--largest-gap: 'x' is not a duration: write 5 (ticks) or '30 sec' (msec, sec",
        ),
    ],
)
def test_values_of_options_that_are_none(folder: Path, arguments: list[str], said: str) -> None:
    """What is valid is said."""
    (folder / "p.lars").write_text("#tick 1 sec. a :- p.")
    assert said in run(folder, "run", "p.lars", "--input", "s.jsonl", *arguments, status=2).stderr


@pytest.mark.parametrize(
    ("arguments", "is_pipelined"),
    [
        (["--split", "p.lars"], False),
        (["p.lars", "--split"], False),
        (["--split=partitioned", "p.lars"], False),
        (["--split", "pipelined", "p.lars"], True),
        (["--split=pipelined", "p.lars"], True),
        (["p.lars", "--split", "--semantics", "recorded"], False),
    ],
)
def test_split_before_a_program(folder: Path, arguments: list[str], is_pipelined: bool) -> None:
    (folder / "p.lars").write_text("a(X) :- p(X,Y). b(Y) :- a(X), q(X,Y).")
    parts, _, levels = run(folder, "compile", *arguments).stdout.splitlines()[0].partition(" in ")
    assert (parts, levels) == (("2 parts", "2 levels") if is_pipelined else ("1 part", "1 level"))


def test_shells_complete_names_and_values(folder: Path) -> None:
    def completed_words(words: str, place: int) -> list[str]:
        environment = {"COMP_WORDS": words, "COMP_CWORD": str(place), "_LARS2ASP_COMPLETE": "bash_complete"}
        done = subprocess.run(
            LARS2ASP, capture_output=True, text=True, check=True, cwd=folder, env=os.environ | environment
        )
        return [line.partition(",")[2] for line in done.stdout.splitlines()]

    assert {"check", "compile", "run"} <= {*completed_words("lars2asp ", 1)}
    assert completed_words("lars2asp run --clin", 2) == ["--clingo"]
    assert completed_words("lars2asp run --semantics ", 3) == ["recorded", "strict"]


def test_the_help_of_run_shows_each_option_once_by_groups(folder: Path) -> None:
    text = run(folder, "run", "--help-all").stdout
    headings = [line for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    groups = dict.fromkeys(one.group for one in of_command("run"))
    assert headings == [*(f"{group}:" for group in groups), "Other options:"]
    for one in of_command("run"):
        assert len(re.findall(rf"^  (?:-\w, )?{one.shown}(?![-\w])", text, re.M)) == 1, one.name


def test_the_help_of_all_has_whole_sentences(folder: Path) -> None:
    assert "..." not in run(folder, "--help").stdout.partition("Commands:")[2]
