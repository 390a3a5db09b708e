"""Tables on the command line: late rows, options with times, and tables that come through a pipe."""

import gzip
import os
import subprocess
import threading
from pathlib import Path

import pytest

from lars2asp.__main__ import main
from tests.support.command_line import lines, run
from tests.support.processes import LARS2ASP, started

DECLARED = """
    #tick 1 min. #timezone "Europe/Vienna".
    #input reading(raum, number(temp, ",")) at zeit "%d.%m.%Y %H:%M".
    #decimals reading(_,1).
    hot(R) :- reading(R,T), T > 25.5.
    warm(R) :- hot(R) in [1 min].
    #show warm/1.
"""
TABLE = """zeit;raum;temp
01.02.2026 14:05;Küche;26,1
01.02.2026 14:08;Bad;27,0
01.02.2026 14:06;Küche;25,6
01.02.2026 14:11;Bad;20,0
01.02.2026 14:09;Bad;25,9
"""


def outcome(
    folder: Path, capsys: pytest.CaptureFixture[str], program: str, *options: str, status: int = 0
) -> list[tuple[str, list[str]]]:
    """The times of a run with the table, and its answers."""
    (folder / "p.lars").write_text(program, encoding="utf-8")
    (folder / "t.csv").write_text(TABLE, encoding="utf-8")
    command = ["run", str(folder / "p.lars"), "--input", str(folder / "t.csv"), "--times", *options]
    assert main(command) == status
    return [(line["at"][11:16], line["atoms"]) for line in lines(capsys.readouterr().out)]


def test_declared_lateness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows come 2 minutes late at most. An option goes before the declaration."""
    in_order = [
        ("14:05", ['warm("Küche")']),
        ("14:08", ['warm("Bad")']),
        ("14:11", []),
    ]
    assert outcome(tmp_path, capsys, DECLARED + "#lateness 2 min.") == in_order
    assert outcome(tmp_path, capsys, DECLARED + "#lateness 2.") == in_order
    late = [("14:05", ['warm("Küche")']), ("14:07", []), ("14:08", ['warm("Bad")']), ("14:10", [])]
    assert outcome(tmp_path, capsys, DECLARED, status=1) == late
    few = outcome(tmp_path, capsys, DECLARED + "#lateness 2 min.", "--lateness", "1 min", status=1)
    assert few == late


@pytest.mark.parametrize(
    ("start", "until"),
    [
        ("01.02.2026 14:06", "01.02.2026 14:09"),  # as #input declares them
        ("2026-02-01T14:06", "2026-02-01 14:09:59"),
        ("2026-02-01T13:06Z", "2026-02-01T08:09-05:00"),
        ("29499186", "29499189"),
    ],
)
def test_start_and_until_are_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], start: str, until: str
) -> None:
    program = DECLARED + "#lateness 2 min."
    options = ["--start", start, "--until", until, "--emit", "every"]
    assert outcome(tmp_path, capsys, program, *options) == [
        *(("14:06", ['warm("Küche")']), ("14:07", ['warm("Küche")'])),
        *(("14:08", ['warm("Bad")']), ("14:09", ['warm("Bad")'])),
    ]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (
            ["--start", "2026-02-01 14:06", "--until", "2026-02-01 14:05"],
            "--start is after --until: swap them",
        ),
        (["--start", "soon"], "the time 'soon' is not a timestamp such as 2026-01-31T14:05:00Z"),
        (["--until", "01.02.2026"], 'to read it, write --time-format "%d.%m.%Y"'),
    ],
)
def test_times_of_options_that_are_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], reason: str
) -> None:
    (tmp_path / "p.lars").write_text(DECLARED, encoding="utf-8")
    assert main(["run", str(tmp_path / "p.lars"), *options]) == 2
    assert reason in capsys.readouterr().err


MIXED = "at\tsum\n1769868300000\t9,90\n2026-01-31T14:06:00Z\tn/a\n1769868420000\t1.234,50\n"
SHOP = """
    #tick 1 min.
    #input sale(number(sum, ",", ".")) at "at".
    #decimals sale(2).
    dear :- sale(S), S > 1000.0.
    #show dear/0.
"""


def test_a_program_is_checked_with_the_options_of_its_run(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(SHOP)
    (tmp_path / "shop.txt").write_text(MIXED)
    options = ["p.lars", "--input", "shop.txt", "--input-format", "csv", "--time-unit", "msec"]
    refused = run(tmp_path, "check", *options, status=1)
    assert refused.stdout == "shop.txt: 2 records can be read, 1 cannot\n"
    assert (
        "column sum: 'n/a' is not a number; to read such cells as empty, add --missing n/a" in refused.stderr
    )
    taken = run(tmp_path, "check", *options, "--missing", "n/a")
    said = ["3 records can be read, 0 cannot", "3 records: 2 gave facts, 1 passed over (no #input fits)"]
    told = "".join(f"shop.txt: {line}\n" for line in said)
    assert taken.stdout == f"{told}sale/1 takes 2 of 3 records; 1 has no sum\n"
    answers = lines(run(tmp_path, "run", *options, "--missing", "n/a").stdout)
    assert answers == [{"time": 29497807, "atoms": ["dear"]}]


def test_what_is_known_of_a_table_goes_into_its_proposal(tmp_path: Path) -> None:
    (tmp_path / "shop.txt").write_text(MIXED.replace("\t", "~"))
    options = ["--input-format", "csv", "--delimiter", "~", "--missing", "n/a"]
    said = run(tmp_path, "check", "--input", "shop.txt", *options, status=1).stdout
    assert '#input reading(number(sum, ",", ".")) at "at".' in said
    assert "% sum: numbers with 1 decimal, 9.90 to 1234.50, such as 9,90, empty in 1 row" in said
    refused = run(tmp_path, "check", "--input", "shop.txt", "--time-unit", "msec", status=2)
    assert "--time-unit needs a program that reads the input" in refused.stderr


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_seconds_that_are_read_as_ticks_are_doubted(tmp_path: Path, form: str) -> None:
    """Else windows of minutes would be ones of as many seconds, and nobody would know."""
    (tmp_path / "p.lars").write_text("#tick 1 min. #input p(x) at ts. a(X) :- p(X) in [10 min]. #show a/1.")
    text = '{"ts": 1769868300, "x": 1}\n' if form == "jsonl" else "ts,x\n1769868300,1\n"
    (tmp_path / f"t.{form}").write_text(text)
    doubt = (
        "the first time is read as tick 1769868300 (5335-02-04T05:00:00+00:00); if it counts seconds since"
    )
    for command in ("run", "check"):
        assert doubt in run(tmp_path, command, "p.lars", "--input", f"t.{form}").stderr
        assert run(tmp_path, command, "p.lars", "--input", f"t.{form}", "--time-unit", "sec").stderr == ""


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_a_table_through_a_pipe(tmp_path: Path, encoding: str) -> None:
    """Its form is found out from what has come; a cell of two lines stays as it is."""
    (tmp_path / "p.lars").write_text("#input seen(text(ort), n) at t. a(O,N) :- seen(O,N).", encoding="utf-8")
    table = 't;ort;n\r\n1;Küche;5\r\n2;"Bad;\r\noben";6\r\n'
    done = run(tmp_path, "run", "p.lars", "--input-format", "csv", stdin=table.encode(encoding))
    atoms = [atom for line in lines(done.stdout) for atom in line["atoms"]]
    assert [atom for atom in atoms if atom.startswith("a(")] == ['a("Küche",5)', 'a("Bad;\r\\noben",6)']


def test_answers_come_while_the_pipe_is_open(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("#input p(x). a(X) :- p(X). #show a/1.")
    command = [*LARS2ASP, "run", "p.lars", "--input-format", "csv"]
    with started(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"time;x\n0;0\n")
        for tick in range(3):  # a tick is over when the next one begins
            process.stdin.write(b"%d;%d\n" % (tick + 1, tick + 1))
            process.stdin.flush()
            assert lines(process.stdout.readline().decode())[0]["atoms"] == [f"a({tick})"]
        process.stdin.close()
        assert process.wait() == 0


def test_a_packed_table_through_a_named_pipe(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("#input p(x). a(X) :- p(X). #show a/1.")
    os.mkfifo(tmp_path / "t.csv.gz")
    packed = gzip.compress(b"time;x\n1;5\n2;6\n")
    threading.Thread(target=(tmp_path / "t.csv.gz").write_bytes, args=[packed]).start()
    done = run(tmp_path, "run", "p.lars", "--input", "t.csv.gz")
    assert [line["atoms"] for line in lines(done.stdout)] == [["a(5)"], ["a(6)"]]
