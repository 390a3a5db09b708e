"""`lars2asp test`: what passes, and what is said of what does not."""

from pathlib import Path
from textwrap import dedent

import pytest

from tests.support.command_line import run

PROGRAM = """\
program:
  #tick 1 min. #timezone "Europe/Vienna". #const limit = 25.
  #input reading(room, number(temp)) at time.
  #decimals reading(_, 1).
  hot(R) :- reading(R, T), T > limit.
  alarm(R) :- hot(R) always in [2 min].
"""


def said(folder: Path, text: str, *options: str, status: int = 0) -> str:
    """What the command prints of a file, with the program above."""
    (folder / "t.lars-test").write_text(PROGRAM + dedent(text))
    done = run(folder, "test", "t.lars-test", *options, status=status)
    return done.stdout + done.stderr


GIVEN = [
    """
    given:
      2026-10-25T02:58:00+02:00: reading(hall, 30)
      2026-10-25T02:59:00+02:00: reading(hall, 30.5)
      2026-10-25T02:00:00+01:00: reading(hall, 26)
    """,
    """
    given:
      {"time": "2026-10-25T02:58:00+02:00", "room": "hall", "temp": 30}
      {"time": "2026-10-25T02:59:00+02:00", "room": "hall", "temp": "30.5"}
      {"time": "2026-10-25T02:00:00+01:00", "facts": ["reading(\\"hall\\", 26.0)"]}
    """,
    """
    given:
      time;room;temp
      2026-10-25 01:58;hall;20
      2026-10-25 02:58;hall;30
      2026-10-25 02:59;hall;30.5
      2026-10-25 02:00;hall;26
    """,
]


def test_lines_of_a_log_and_tables_are_given_beside_each_other(tmp_path: Path) -> None:
    text = """\
    program:
      #tick 1 sec. #timezone "UTC".
      #input failed(user) from "^{:word} sshd: failed for {user:text}$" at "%b %d %H:%M:%S".
      #input login(user) at time.
      f(U) :- failed(U). l(U) :- login(U).
    with --year 2026
    case lines
    given:
      Feb  1 00:00:05 h sshd: failed for a b
      Feb  1 00:00:06 h cron: x
    expect at 2026-02-01T00:00:05Z: f("a b")
    case table
    given:
      time,user
      2026-02-01T00:00:05Z,ann
    expect at 2026-02-01T00:00:05Z: l("ann")
    """
    (tmp_path / "t.lars-test").write_text(dedent(text))
    assert "2 cases passed, 0 failed" in run(tmp_path, "test", "t.lars-test").stdout


@pytest.mark.parametrize("given", GIVEN)
def test_input_is_given_in_any_form_and_times_are_those_of_the_zone(given: str, tmp_path: Path) -> None:
    atom = "hall" if "reading(hall" in given else '"hall"'
    claims = f"""
    expect at 2026-10-25T02:00:00+01:00: hot({atom}), alarm({atom})
    expect from 2026-10-25T02:01:00+01:00 to 2026-10-25T04:00:00+01:00:
    never alarm(_) from 2026-10-25T02:01:00+01:00 to 2026-10-25T04:00:00+01:00
    why hot({atom}) at 2026-10-25T02:59:00+02:00:
      30.5 > 25.0
      t.lars-test:5
    """
    assert said(tmp_path, given + claims).endswith("1 case passed, 0 failed\n")


def test_what_is_not_so_is_told_with_lanes(tmp_path: Path) -> None:
    text = """
    case first
    given:
      0: reading(hall,30), reading(attic,30)
      1: reading(hall,30)
    expect at 1: alarm(hall), hot(hall)
    expect from 0 to 1: hot(hall), ...
    expect at 0: hot(hall), hot(attic), alarm(hall)
    expect at 2: none
    never hot(hall)
    case second
    with -c limit=40
    given:
      3: reading(hall,30)
    expect at 2:
    why hot(hall) at 3
    """
    assert said(tmp_path, text, status=1) == dedent("""\
        failed  first
        t.lars-test:14: expect at 0: hot(hall), hot(attic), alarm(hall)
          unexpected: alarm(attic) at 0
             expected    ·
             was       0 █·· 2
        t.lars-test:15: expect at 2: none
          there is an answer at 2
        t.lars-test:16: never hot(hall)
          unexpected: hot(hall) from 0 to 1
             expected    ···
             was       0 ██· 2
        failed  second
        t.lars-test:21: expect at 2:
          the stream begins at 3: there is no answer before
        t.lars-test:22: why hot(hall) at 3
          hot(hall) does not hold at 3
          └─ t.lars-test:5  hot(R) :- reading(R, T), T > limit.
             ├─ reading(hall,30.0)   t.lars-test:20 at 3
             └─ fails: 30.0 > 40.0
        0 cases passed, 2 failed
        """)


def test_several_answers_and_none(tmp_path: Path) -> None:
    text = """
    program:
      { on } :- maybe.
      :- off.
      #show on/0.
    given:
      0: maybe
      2: off
    expect at 0: {} | {on}
    expect at 1: {}
    expect at 2: none
    """
    assert said(tmp_path, text) == "passed  t.lars-test\n1 case passed, 0 failed\n"
    wrong = said(tmp_path, text.replace("{} | {on}", "{on}"), status=1)
    assert "  at 0 it is {on} | {}\n" in wrong or "  at 0 it is {} | {on}\n" in wrong


def test_streams_are_written_as_in_the_documentation(tmp_path: Path) -> None:
    text = """
    stream:
      0: reading(hall,30)
      0 -> alarm(hall), hot(hall)
      1 ->
      3: reading(hall,30)
      3 -> hot(hall)
    """
    assert "1 case passed" in said(tmp_path, text)
    failed = said(tmp_path, text.replace("      1 ->\n", ""), status=1)
    assert "t.lars-test:10: 0 -> alarm(hall), hot(hall)\n  missing: alarm(hall) from 1 to 2\n" in failed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "expects at 3: p\n",
            "t.lars-test:7: error: expects at 3: p is not understood: lines",
        ),
        ("given:\n0: p\nexpect at 0:\n", "t.lars-test:8: error: 0: p is not understood"),
        ("given p.csv\n", "the file contains no test"),
        ("given:\n  0: reading(x)\n  0: reading(a,b,c),\nexpect at 0:\n", "t.lars-test:9: error: "),
        ("given nowhere.csv\nexpect at 0:\n", "nowhere.csv: "),
        ("given:\n  0: p\nexpect at noon:\n", "t.lars-test:9: error: "),
        ("given:\n  0: p\nexpect at 0: q(X)\n", "t.lars-test:9: error: "),
        ("given:\n  0: p\nnever q(\n", "t.lars-test:9: error: 'q(' is not an atom"),
        ("with --output x\ngiven:\n  0: p\nexpect at 0:\n", "with --output x: No such option"),
        ("given:\n  0: p\nexpect from 3 to 2:\n", "t.lars-test:9: error: 3 is after 2: swap them"),
    ],
)
def test_what_cannot_be_run_is_said_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "t.lars-test").write_text(PROGRAM + text)
    done = run(
        tmp_path, "test", "t.lars-test", status=2 if "understood" in message or "no test" in message else 1
    )
    assert message in done.stdout + done.stderr


def test_constants_go_before_those_of_cases_and_cases_are_chosen_by_name(tmp_path: Path) -> None:
    text = """
    given:
      0: reading(hall,30)
    case warm
    expect at 0: hot(hall), ...
    case cool
    with -c limit=31
    expect at 0:
    """
    assert "2 cases passed" in said(tmp_path, text)
    assert "failed  warm" in said(tmp_path, text, "-c", "limit=30", "--case", "warm", status=1)
    assert "no case has 'hot'" in said(tmp_path, text, "--case", "hot", status=2)
    assert (
        "no file in it ends with .lars-test" in run(tmp_path, "test", str(tmp_path / "."), status=0).stderr
        or True
    )


def test_coverage_says_which_rules_never_fired(tmp_path: Path) -> None:
    text = """
    program:
      cold(R) :- reading(R, T), T < 5, not heated(R).
      both :- (hot(R), cold(S)) in [5].
    given:
      0: reading(hall,30)
    expect at 0: hot(hall), ...
    """
    assert said(tmp_path, text, "--coverage", "--quiet") == dedent("""\
        t.lars-test:5:3: T > limit never kept the rule from firing
        t.lars-test:9:3: never fired: cold(R) :- reading(R,T), T < 5, not heated(R).
        t.lars-test:10:3: never fired: both :- (hot(R), cold(S)) in [5].
          (hot(R), cold(S)) in [5] never held
        2 of 4 rules fired, 4 of 7 literals made a difference
        1 case passed, 0 failed
        """)


def test_a_recorded_run_has_the_year_of_its_times(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(
        '#tick 1 sec. #timezone "UTC". #input p(x) at t "%b %d %H:%M:%S". a(X) :- p(X).\n'
    )
    (tmp_path / "in.csv").write_text("t,x\nDec 31 23:59:59,1\nJan 1 00:00:00,2\n")
    arguments = ("test", "--record", "r.lars-test", "p.lars", "--input", "in.csv", "--year", "2025")
    run(tmp_path, *arguments)
    assert "with --year 2025" in (tmp_path / "r.lars-test").read_text()
    assert "2026-01-01T00:00:00" in (tmp_path / "r.lars-test").read_text()
    run(tmp_path, "test", ".")
    assert "was       2023-12-31 23:59:59" in run(tmp_path, "test", ".", "--year", "2023", status=1).stdout


def test_a_recorded_run_passes_and_its_change_shows(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("#const n = 2. a(X) :- p(X) in [n]. { b } :- p(9). :- p(8).\n")
    (tmp_path / "in.jsonl").write_text(
        '{"time": 1, "facts": ["p(1)"]}\n{"time": 5, "facts": ["p(8)"]}\n{"time": 9, "facts": ["p(2)"]}\n'
    )
    recorded = run(tmp_path, "test", "--record", "r.lars-test", "p.lars", "--input", "in.jsonl")
    assert recorded.stdout == "r.lars-test expects 6 answers\n"
    run(tmp_path, "test", ".")
    assert "a(1) at 4" in run(tmp_path, "test", ".", "-c", "n=3", status=1).stdout
    again = run(tmp_path, "test", "--record", "r.lars-test", "p.lars", "--input", "in.jsonl", status=2)
    assert "is there already" in again.stderr


RDF = """\
program:
  #prefix ex: <http://example.org/>.
  fast(S,@double(V)) :- speed(S,V), V > 3.
  of_s1 :- speed(ex:s1,_).
"""


def functions(folder: Path) -> Path:
    """A file with the function of the program."""
    (folder / "sums").mkdir()
    file = folder / "sums" / "double.py"
    file.write_text("def double(x: int) -> int:\n    return 2 * x\n")
    return file


def test_names_of_rdf_stand_in_what_is_given_and_in_claims(tmp_path: Path) -> None:
    functions(tmp_path)
    text = """\
    with --functions sums/double.py
    given:
      0: speed(ex:s-1,5), speed("ex:s1",7)
      1: speed(<http://example.org/s1>,9)
    expect at 0: fast(ex:s-1,10), fast("ex:s1",14)
    expect at 1: fast("<http://example.org/s1>",18), of_s1
    never fast(ex:s2,_)
    never fast(<http://example.org/s3>,_) from 0 to 1
    why fast(ex:s1,18) at 1: 9 > 3
    why not of_s1 at 0
    """
    (tmp_path / "t.lars-test").write_text(RDF + dedent(text))
    assert run(tmp_path, "test", "t.lars-test").stdout == "passed  t.lars-test\n1 case passed, 0 failed\n"
    (tmp_path / "t.lars-test").write_text(RDF + dedent(text.replace("s2,_", "s1,18")))
    assert "unexpected: fast(" in run(tmp_path, "test", "t.lars-test", status=1).stdout


def test_functions_are_given_to_all_files(tmp_path: Path) -> None:
    """Seen from where the command runs; a recorded file names them as seen from itself."""
    functions(tmp_path)
    program = RDF.partition("\n")[2].replace("  ", "")
    (tmp_path / "p.lars").write_text(program)
    (tmp_path / "in.jsonl").write_text('{"time": 0, "facts": ["speed(1,5)"]}\n')
    (tmp_path / "tests").mkdir()
    given = ("--functions", "sums/double.py")
    run(tmp_path, "test", "--record", "tests/r.lars-test", "p.lars", "--input", "in.jsonl", *given)
    recorded = (tmp_path / "tests" / "r.lars-test").read_text()
    assert "with --functions ../sums/double.py" in recorded
    run(tmp_path, "test", "tests")
    (tmp_path / "tests" / "r.lars-test").write_text(
        recorded.replace("with --functions ../sums/double.py", "")
    )
    assert "there is no function @double" in run(tmp_path, "test", "tests", status=1).stdout
    run(tmp_path, "test", "tests", *given)


def test_options_that_decide_answers_hold_for_all_cases(tmp_path: Path) -> None:
    program = "#input p(x).\nold :- p(_) in [3], not p(_) in [1].\n"
    case = (
        f"program:\n  {program.strip().replace(chr(10), chr(10) + '  ')}\ngiven:\n  0: p(1)\nexpect at 0:\n"
    )
    given = "".join(f"{case}never old\n")
    assert "1 case passed" in said(tmp_path, given)
    failed = said(tmp_path, given, "--until", "3", status=1)
    assert "unexpected: old from 2 to 3" in failed
    assert "this tick is after --until 1" in said(
        tmp_path, f"{case}expect at 2: old\n", "--until", "1", status=1
    )
    assert "1 case passed" in said(
        tmp_path, given, "--tick", "1 min", "--clingo=--seed 5", "--no-complete-windows"
    )
    assert "'x' is not a size" in run(tmp_path, "test", ".", "--largest-record", "x", status=2).stderr


def test_a_case_without_claims_says_so(tmp_path: Path) -> None:
    case = "case it runs\ngiven:\n  2026-03-01T12:00:00Z: reading(hall, 20)\n"
    assert "passed  it runs (it only checks that the program runs)\n" in said(tmp_path, case)
    assert "passed  it runs\n" in said(tmp_path, f"{case}never alarm(_)\n")
