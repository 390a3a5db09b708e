"""Programs and streams of other systems at the command line and from Python."""

import sys
from pathlib import Path

import pytest

from lars2asp import Reasoner
from tests.support.command_line import lines, run
from tests.support.processes import completed

PROGRAM = """\
high(R) :- temp(R,T) in [2 sec], &warm(T;).
sum(Z) :- temp(_,X), temp(_,Y) in {1}, &add(X,Y;Z).
pair(A,B) :- temp(_,X), &both(X;A,B).
up(T) :- temp(_,X), &below(X;T).
#show high/1
#show sum/1
#show pair/2
#show up/1
"""

FUNCTIONS = """\
def warm(t):
    assert isinstance(t, int)
    return t > 20

def add(a, b):
    return a + b

def both(a):
    return str(a), a + 0.5

def below(a):
    return [n for n in range(2) if n < a]
"""

LOG = """\
2026-01-31T10:00:00 temp(hall,21); @end;
2026-01-31T10:00:01 temp(hall,1)
2026-01-31T10:00:04
"""

FIRST = 1769853600


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rooms.idlvsr").write_text(PROGRAM)
    (tmp_path / "functions.py").write_text(FUNCTIONS)
    (tmp_path / "rooms.log").write_text(LOG)
    return tmp_path


EXPECTED = [
    {"time": FIRST, "atoms": ["high(hall)", 'pair("21","21.5")', "up(0)", "up(1)"]},
    {"time": FIRST + 1, "atoms": ["high(hall)", 'pair("1","1.5")', "sum(22)", "up(0)"]},
    {"time": FIRST + 2, "atoms": ["high(hall)"]},
    {"time": FIRST + 3, "atoms": []},
]


def answers(text: str) -> list[dict[str, object]]:
    return [one | {"atoms": sorted(one["atoms"])} for one in lines(text)]


def test_a_program_with_its_log_and_its_functions(folder: Path) -> None:
    done = run(folder, "run", "rooms.idlvsr", "--functions", "functions.py", "--input", "rooms.log")
    assert answers(done.stdout) == EXPECTED
    assert "rooms.idlvsr:1:1-44: info: L016: lars2asp reads this file as a program of I-DLV-sr" in done.stderr


def test_the_dialect_is_said(folder: Path) -> None:
    (folder / "rooms.lars").write_text(PROGRAM)
    given = ["--dialect", "idlvsr", "--functions", "functions.py", "--input", "rooms.log"]
    done = run(folder, "run", "rooms.lars", *given)
    assert answers(done.stdout) == EXPECTED
    assert "info" not in done.stderr
    assert "there is no" not in done.stderr


def test_a_stream_may_be_written_as_any_other(folder: Path) -> None:
    """By the ending of its name, or --input-format; standard input has none."""
    given = ["run", "rooms.idlvsr", "--dialect", "idlvsr", "--functions", "functions.py"]
    (folder / "rooms.jsonl").write_text('{"time": 3, "facts": ["temp(hall,21)"]}\n')
    assert lines(run(folder, *given, "--input", "rooms.jsonl").stdout)[0]["time"] == 3
    facts = run(folder, *given, "--input-format", "facts", "--input", "-", stdin="3: temp(hall,21)\n")
    assert lines(facts.stdout)[0]["time"] == 3
    assert answers(run(folder, *given, "--input", "-", stdin=LOG).stdout) == EXPECTED


def test_the_program_in_our_spelling_gives_the_same(folder: Path) -> None:
    """Its functions say what they take."""
    (folder / "p.idlvsr").write_text(
        "#trigger_frequency(2 sec) a(X) :- b(X) in [1 hrs].\n"
        "c(X,@now) :- b(X) at most X in [2], @now.hour = 10.\n#show a/1\n#show c/2\n"
    )
    (folder / "p.log").write_text("2026-01-31T10:00:00 b(1); b(2);\n2026-01-31T10:00:01 b(2);\n")
    theirs = run(folder, "run", "p.idlvsr", "--input", "p.log", "--emit", "every")
    printed = run(folder, "compile", "p.idlvsr", "--target", "lars2asp")
    (folder / "p.lars").write_text(printed.stdout)
    ours = run(folder, "run", "p.lars", "--input-format", "idlvsr", "--input", "p.log", "--emit", "every")
    assert ours.stdout == theirs.stdout
    assert "info" in printed.stderr
    assert "info" not in ours.stderr


def test_functions_of_a_printed_program_say_what_they_take(folder: Path) -> None:
    printed = run(folder, "compile", "rooms.idlvsr", "--dialect", "idlvsr", "--target", "lars2asp")
    assert printed.stderr.count("info:") == 1
    assert "in lars2asp, @warm receives values of the annotated types" in printed.stderr
    (folder / "rooms.lars").write_text(printed.stdout)
    (folder / "annotated.py").write_text(
        "def warm(t: int) -> int:\n    return t > 20\n\n"
        "def add(a: int, b: int):\n    return a + b\n\n"
        "def both(a: int):\n    return [(str(a), str(a + 0.5))]\n\n"
        "def below(a: int):\n    return [n for n in range(2) if n < a]\n"
    )
    given = ["--functions", "annotated.py", "--input-format", "idlvsr", "--input", "rooms.log"]
    assert answers(run(folder, "run", "rooms.lars", *given).stdout) == EXPECTED


def test_mistakes_are_said_in_the_original(folder: Path) -> None:
    (folder / "p.idlvsr").write_text("a :- b.\nc(X) :- not d(X), &f(X;).\n")
    done = run(folder, "check", "p.idlvsr", status=2)
    assert "p.idlvsr:2:19-25: error: L901: there is no function @f" in done.stderr
    assert "  | c(X) :- not d(X), &f(X;)." in done.stderr
    done = run(folder, "compile", "p.idlvsr", "--dialect", "basic", status=2)
    assert "--dialect basic: dialects are idlvsr" in done.stderr


def test_the_other_commands_take_it(folder: Path) -> None:
    (folder / "p.lars").write_text("a :- b in [2 hrs].\n")
    (folder / "p.log").write_text("2026-01-31T10:00:00 b;\n")
    given = ["--dialect", "idlvsr", "--input", "p.log"]
    why = run(folder, "why", "p.lars", "a", "--at", "2026-01-31T10:00:00", *given)
    assert "b" in why.stdout
    assert run(folder, "check", "p.lars", *given).stdout
    (folder / "p.lars-test").write_text(
        "program p.lars\nwith --dialect idlvsr\n\ncase b\ngiven:\n  5 b;\n  6\nexpect from 5 to 6: a\n"
    )
    run(folder, "test", "p.lars-test")


def test_from_python(folder: Path) -> None:
    reasoner = Reasoner.from_text("a :- b in [2 hrs].", dialect="idlvsr")
    assert [one.holds.texts for one in reasoner.run([(3, ["b"])], until=3)] == [("a",)]
    (folder / "q.idlvsr").write_text("a :- b.")
    (folder / "q.log").write_text("2026-01-31T10:00:00 b;\n")
    found = Reasoner.from_file(folder / "q.idlvsr")
    assert [str(one.severity) for one in found.plan.warnings] == ["info"]
    assert [one.holds.texts for one in found.run(folder / "q.log")] == [("a",)]


def test_nothing_of_dialects_is_imported_in_an_ordinary_run(folder: Path) -> None:
    (folder / "p.lars").write_text("a :- b.")
    code = (
        "import sys\nfrom lars2asp.runtime.command_line.main import run\n"
        "run(['run', 'p.lars', '--input', '-'])\n"
        "print(sorted(name for name in sys.modules if 'dialects' in name or name.startswith('lark')))"
    )
    done = completed([sys.executable, "-c", code], cwd=folder, given='{"time": 1, "facts": ["b"]}\n')
    assert done.stdout.splitlines()[-1] == "[]"
