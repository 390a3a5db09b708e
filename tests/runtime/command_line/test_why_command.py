"""`lars2asp why` and `why-not`."""

import json
import os
from pathlib import Path
from textwrap import dedent

import pytest

from tests.runtime.explanations.changes import nodes_with
from tests.support.command_line import run
from tests.support.processes import LARS2ASP, completed

PROGRAM = """\
#tick 1 min.
#timezone "Europe/Vienna".
#input reading(room, temperature*10) at timestamp.

hot(R)   :- reading(R, T), T > 250.
alarm(R) :- hot(R) always in [2 min].
"""
TABLE = """\
timestamp,room,temperature
2026-01-01 00:00:00,kitchen,24.1
2026-01-01 00:01:00,kitchen,26.5
2026-01-01 00:02:00,kitchen,27.0
2026-01-01 00:02:00,hall,19.5
2026-01-01 00:03:00,kitchen,26.8
2026-01-01 00:04:00,kitchen,22.0
"""
OPTIONS = ("rooms.lars", "--input", "readings.csv", "--origin", "2026-01-01T00:00")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rooms.lars").write_text(PROGRAM)
    (tmp_path / "readings.csv").write_text(TABLE)
    return tmp_path


@pytest.mark.parametrize("at", ["3", "2026-01-01 00:03", "2026-01-01T00:03:59+01:00"])
def test_why(folder: Path, at: str) -> None:
    done = run(folder, "why", *OPTIONS, "--at", at, "alarm(kitchen)")
    assert done.stdout == dedent("""\
        alarm("kitchen") at 2026-01-01 00:03
        └─ rooms.lars:6  alarm(R) :- hot(R) always in [2 min].
           └─ hot("kitchen") always in [2 min]   00:01 ███ 00:03
              └─ rooms.lars:5  hot(R) :- reading(R, T), T > 250.
                 ├─ 00:01  reading("kitchen",265), 265 > 250   readings.csv:3
                 ├─ 00:02  reading("kitchen",270), 270 > 250   readings.csv:4
                 └─ 00:03  reading("kitchen",268), 268 > 250   readings.csv:6
        """)
    assert done.stderr == ""


def test_a_window_that_reaches_back_before_the_stream(folder: Path) -> None:
    """`always` is true of the part that exists, and the explanation says so."""
    (folder / "early.csv").write_text(TABLE.replace("24.1", "26.1"))
    options = ("rooms.lars", "--input", "early.csv", "alarm(kitchen)", "--at")
    clipped = "the window reaches back before the stream begins (00:00)"
    done = run(folder, "why", *options, "2026-01-01 00:01")
    assert f'hot("kitchen") always in [2 min]   00:00 ██ 00:01  {clipped}\n' in done.stdout
    assert "reaches back" not in run(folder, "why", *options, "2026-01-01 00:02").stdout


def test_lines_are_cut_at_the_columns_of_a_terminal_alone(folder: Path) -> None:
    (folder / "long.lars").write_text(f'{PROGRAM}big :- hot(R), R != "{"x" * 120}".\n')
    question = ("why", "long.lars", *OPTIONS[1:], "big", "--at", "2026-01-01 00:03")
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    for columns, is_cut in ((None, False), ("100", True), ("200", False)):
        variables = environment if columns is None else {**environment, "COLUMNS": columns}
        done = completed([*LARS2ASP, *question], cwd=folder, env=variables)
        assert done.stdout.startswith("big at"), done.stderr
        assert (" ...\n" in done.stdout) is is_cut


def test_why_not_at_the_last_tick(folder: Path) -> None:
    done = run(folder, "why-not", *OPTIONS, "alarm(X)")
    assert done.stdout == dedent("""\
        no alarm(X) holds at 2026-01-01 00:04
        └─ rooms.lars:6  alarm(R) :- hot(R) always in [2 min].
           └─ fails: hot(R) always in [2 min]   00:02 ██· 00:04 of any hot(R)
              └─ rooms.lars:5  hot(R) :- reading(R, T), T > 250.
                 ├─ reading("kitchen",220)   readings.csv:7 at 00:04
                 └─ fails: 220 > 250
        """)


def test_json_html_and_depth(folder: Path) -> None:
    found = json.loads(
        run(folder, "why", *OPTIONS, "--at", "3", "--output-format", "json", "alarm(kitchen)").stdout
    )
    assert found["tick"] == 3
    assert [claim["atom"] for claim in found["explains"]] == ['alarm("kitchen")']
    assert "followed" not in found
    page = run(folder, "why", *OPTIONS, "--at", "3", "--output-format", "html", "alarm(kitchen)").stdout
    assert page.startswith("<!DOCTYPE html>")
    shallow = run(folder, "why", *OPTIONS, "--at", "3", "--depth", "1", "alarm(kitchen)").stdout
    assert len(shallow.splitlines()) == 3


def test_several_explanations(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("a :- p. a :- q. a :- r.\n")
    (tmp_path / "p.facts").write_text("0: p\n0: q\n0: r\n")
    asked = ("why", "p.lars", "--input", "p.facts", "--input-format", "facts", "a")
    done = run(tmp_path, *asked, "--explanations", "2")
    assert done.stdout == dedent("""\
        a at 0
        └─ p.lars:1  a :- p.
           └─ p   p.facts:1 at 0

        a at 0, another explanation
        └─ p.lars:1  a :- q.
           └─ q   p.facts:2 at 0
        """)
    for number, found in (("1", 1), ("3", 3), ("9", 3)):
        told = json.loads(run(tmp_path, *asked, "--explanations", number, "--output-format", "json").stdout)
        assert [claim["atom"] for claim in told["explains"]] == ["a"] * found
        (tmp_path / "told.json").write_text(json.dumps(told))
        run(tmp_path, "check-why", "p.lars", "told.json", "--input", "p.facts", "--input-format", "facts")
    for number in ("0", "x"):
        assert "--explanations" in run(tmp_path, *asked, "--explanations", number, status=2).stderr


def test_ticks_before_and_behind_the_input(folder: Path) -> None:
    done = run(folder, "why", *OPTIONS[:3], "--at", "3", "alarm(X)", status=2)
    assert "readings.csv is at tick 29453700 (2026-01-01T00:00:00+01:00), after tick 3 (1970" in done.stderr
    assert "set --origin, the time of tick 0" in done.stderr
    done = run(folder, "why", *OPTIONS, "--at", "9", "alarm(X)")
    assert done.stderr == "readings.csv ends at tick 4 (2026-01-01T00:04:00+01:00)\n"
    assert run(folder, "why", *OPTIONS, "--at", "2", "alarm(X)").stderr == ""


def test_until_says_which_tick_is_the_last(folder: Path) -> None:
    until = run(folder, "why", *OPTIONS, "--until", "2", "alarm(X)").stdout
    assert until == run(folder, "why", *OPTIONS, "--at", "2", "alarm(X)").stdout
    later = run(folder, "why-not", *OPTIONS, "--until", "2026-01-01 00:09", "alarm(X)")
    assert later.stdout.startswith("no alarm(X) holds at 2026-01-01 00:09\n")
    early = run(folder, "why", *OPTIONS, "--until", "1", "--at", "2", "alarm(X)", status=2).stderr
    assert "--at 2 is after --until 1" in early
    (folder / "why.json").write_text(
        run(folder, "why", *OPTIONS, "--at", "2", "--output-format", "json", "alarm(X)").stdout
    )
    check = ("check-why", OPTIONS[0], "why.json", *OPTIONS[1:])
    assert "is about tick 2, after --until 1" in run(folder, *check, "--until", "1", status=2).stderr
    assert run(folder, *check, "--until", "3").stdout == "it is an explanation\n"


def test_what_lies_far_back_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "lamp.lars").write_text("on :- switch. on :- on at @now-1, not off.\n")
    (tmp_path / "lamp.facts").write_text("0: switch\n20: p\n")
    asked = ("why", "lamp.lars", "--input", "lamp.facts", "--input-format", "facts", "on")
    done = run(tmp_path, *asked)
    assert "no longer kept" not in done.stdout
    assert "on at @now-1   since 0, lamp.facts:1\n" in done.stdout
    assert "switch   lamp.facts:1 at 0\n" in done.stdout


DOOR = """\
open(D) :- opened(D).
open(D) :- open(D) in {1}, not closed(D).
"""


def test_what_a_rule_remembers_is_named_once(tmp_path: Path) -> None:
    """One line has the span, from the tick at which it began or ended; the checker accepts it."""
    (tmp_path / "door.lars").write_text(DOOR)
    (tmp_path / "door.facts").write_text("0: opened(a)\n400: closed(a), opened(b)\n900: q\n")
    options = ("door.lars", "--input", "door.facts")
    assert run(tmp_path, "why", *options, "open(a)", "--at", "399").stdout == dedent("""\
        open(a) at 399
        └─ door.lars:2  open(D) :- open(D) in {1}, not closed(D).
           ├─ open(a) in {1}   since 0, door.facts:1
           │  └─ door.lars:1  open(D) :- opened(D).
           │     └─ opened(a)   door.facts:1 at 0
           └─ not closed(a)    no record of closed(a)
        """)
    assert run(tmp_path, "why-not", *options, "open(a)").stdout == dedent("""\
        open(a) does not hold at 900
        ├─ door.lars:1  open(D) :- opened(D).
        │  └─ fails: opened(a)   last record at 0, door.facts:1
        └─ door.lars:2  open(D) :- open(D) in {1}, not closed(D).
           └─ fails: open(a) in {1}   not since 400
              └─ door.lars:2  open(D) :- open(D) in {1}, not closed(D).
                 └─ fails: not closed(a)   door.facts:2 at 400
        """)
    never = run(tmp_path, "why-not", *options, "open(c)").stdout
    assert "fails: open(c) in {1}   it never held: the stream begins at 0\n" in never
    for question in (("open(a)", "--at", "399"), ("open(a)",), ("open(b)",), ("open(c)",)):
        found = run(tmp_path, "why", *options, *question, "--output-format", "json").stdout
        (tmp_path / "why.json").write_text(found)
        checked = ("check-why", "door.lars", "why.json", "--input", "door.facts")
        assert run(tmp_path, *checked).stdout == "it is an explanation\n"
        memory = json.loads(found)
        claim = next(one for one in nodes_with("because", memory["explains"]) if one["because"] == "memory")
        claim["since"]["tick"] += 1
        (tmp_path / "why.json").write_text(json.dumps(memory))
        assert run(tmp_path, *checked, status=1).stdout != "it is an explanation\n"


def test_a_rule_that_remembers_again_after_a_gap(tmp_path: Path) -> None:
    """At the first tick the same rule derives the atom, from an earlier tick than one step before."""
    (tmp_path / "gap.lars").write_text("x :- p. x :- x in [2], not q.\n")
    (tmp_path / "gap.facts").write_text("0: p\n1: q\n5: r\n")
    options = ("gap.lars", "--input", "gap.facts")
    found = run(tmp_path, "why", *options, "x", "--output-format", "json").stdout
    assert json.loads(found)["explains"][0]["body"][0]["claims"][0]["since"]["tick"] == 2
    (tmp_path / "why.json").write_text(found)
    assert run(tmp_path, "check-why", "gap.lars", "why.json", *options[1:]).stdout == "it is an explanation\n"


def test_standard_input_and_bad_records(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("a :- p.\n")
    done = run(
        tmp_path,
        "why",
        "p.lars",
        "a",
        status=1,
        stdin='{"time": 0, "facts": ["p"]}\n{"time": 1, "facts": 3}\n',
    )
    assert done.stdout.splitlines()[0] == "a at 0"
    assert "<stdin>:2: error" in done.stderr or ":2: error" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--at", "noon", "alarm(X)"), "noon"),
        (("--at", "00:03", "alarm(X)"), "such as 2026-01-01T00:03"),
        (("not alarm(X)",), "ask about alarm(X);"),
        (("alarm(X) at 3",), "ask about alarm(X), and give the tick separately"),
        (("alarm(",), "is not an atom such as alarm(kitchen)"),
        (
            ("alarm(007)",),
            'is not an atom such as alarm(kitchen) or alarm(X): put text into quotes, as in "007"',
        ),
        (("--depth", "0", "alarm(X)"), "--depth"),
    ],
)
def test_what_is_refused(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run(folder, "why", *OPTIONS, *arguments, status=2)
    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("programs", "example"),
    [
        (("rooms.lars",), "rooms.lars 'alarm(R)'"),
        (("rooms.lars", "more.lars"), "rooms.lars more.lars 'count(R,_)'"),
        (("facts.lars",), "facts.lars 'alarm(X)'"),
        (("none.lars",), "none.lars 'alarm(X)'"),
    ],
)
def test_programs_without_an_atom(folder: Path, programs: tuple[str, ...], example: str) -> None:
    """It is said that the atom is missing, with one that the program derives."""
    (folder / "more.lars").write_text("count(R,N+1) :- number(R,N). room(hall).\n")
    (folder / "facts.lars").write_text("room(hall).\n")
    done = run(folder, "why", *programs, status=2)
    assert "Write it after the programs, as in" in done.stderr
    assert f"lars2asp why {example}" in done.stderr
    assert "Missing argument" in run(folder, "why", status=2).stderr


FACTS = ("--input", "far.facts", "--input-format", "facts")


@pytest.fixture
def far(tmp_path: Path) -> Path:
    """A folder with a stream whose first records are long gone in the end."""
    (tmp_path / "far.lars").write_text(
        "seen(X) :- ping(X) in [2].\nlast(R,V) :- v(R,V) in [1 # by R].\nlit :- on in [1].\n"
    )
    (tmp_path / "near.lars").write_text("seen(X) :- ping(X) in [2].\n")
    ticks = "".join(f"{tick}: v(a,{tick})\n" for tick in range(1, 400))
    (tmp_path / "far.facts").write_text(f"0: ping(z), v(q,1)\n{ticks}")
    return tmp_path


def test_what_was_told_last_long_ago_is_looked_up(far: Path) -> None:
    for program in ("near.lars", "far.lars"):
        done = run(far, "why", program, *FACTS, "seen(z)")
        assert done.stdout.endswith("397 ··· 399  last record at 0, far.facts:1\n")
        done = run(far, "why", program, *FACTS, "seen(y)")
        assert done.stdout.endswith("397 ··· 399  no record of ping(y)\n")
    done = run(
        far, "why", "near.lars", "--input-format", "facts", "seen(z)", stdin=(far / "far.facts").read_text()
    )
    assert done.stdout.endswith("last record at 0, <stdin>:1\n")


def test_arrivals_of_tuple_windows_are_known_however_old(far: Path) -> None:
    done = run(far, "why", "far.lars", *FACTS, "last(q,2)")
    fails = "fails: v(q,2) in [1 # by q]   0 · by arrival\n      └─ v(q,1)   far.facts:1 at 0\n"
    assert done.stdout.endswith(fails)
    done = run(far, "why", "far.lars", *FACTS, "last(b,2)")
    assert done.stdout.endswith("nothing has arrived in the window\n")


def test_an_explanation_is_checked(far: Path) -> None:
    def checked(*arguments: str, status: int = 0) -> tuple[str, str]:
        done = run(far, "check-why", *arguments, "--input-format", "facts", status=status)
        return done.stdout, done.stderr

    for question in ("seen(z)", "seen(y)", "last(q,2)", "last(q,X)"):
        told = run(far, "why", "far.lars", *FACTS, "--output-format", "json", question).stdout
        (far / "told.json").write_text(told)
        stdout, stderr = checked("far.lars", "told.json", "--input", "far.facts")
        assert (stdout, stderr) == ("it is an explanation\n", "")
    (far / "far.lars").write_text("seen(X) :- ping(X) in [3].\nlast(R,V) :- v(R,V) in [1 # by R], 0 < 1.\n")
    (far / "other.facts").write_text("0: v(q,1)\n399: q\n")
    stdout, stderr = checked("far.lars", "told.json", "--input", "other.facts", status=1)
    assert "far.lars was another text when it was written" in stderr
    assert "it is of the input far.facts, and this is other.facts" in stderr
    assert "far.lars:2 `last(R,V) :- v(R,V) in [1 # by R].`, but the program has there" in stdout


def test_program_and_stream_under_other_paths(far: Path) -> None:
    """What lies in another folder is the same; a program under another name, if its text is the same."""
    told = run(far, "why", "far.lars", *FACTS, "--output-format", "json", "seen(z)").stdout
    (far / "told.json").write_text(told)
    (far / "below").mkdir()
    (far / "copy.lars").write_text((far / "far.lars").read_text())
    for program in ("../far.lars", str(far / "far.lars"), "../copy.lars"):
        done = run(
            far / "below",
            "check-why",
            program,
            "../told.json",
            "--input",
            "../far.facts",
            "--input-format",
            "facts",
        )
        assert (done.stdout, done.stderr) == ("it is an explanation\n", "")
    (far / "copy.lars").write_text("seen(X) :- ping(X) in [4].\n")
    done = run(far, "check-why", "copy.lars", "told.json", *FACTS, status=1)
    assert "it is of the program far.lars, and this is copy.lars" in done.stderr


@pytest.mark.parametrize(
    "change", [{"last_record": "far.facts:2"}, {"last_atom": "ping(y)"}, {"last_told": 1}]
)
def test_what_was_told_last_is_checked(far: Path, change: dict[str, object]) -> None:
    told = json.loads(run(far, "why", "near.lars", *FACTS, "--output-format", "json", "ping(z)").stdout)
    assert told["explains"][0]["last_record"] == "far.facts:1"
    told["explains"][0] |= change
    (far / "told.json").write_text(json.dumps(told))
    done = run(
        far,
        "check-why",
        "near.lars",
        "told.json",
        "--input",
        "far.facts",
        "--input-format",
        "facts",
        status=1,
    )
    assert done.stdout.startswith("claim 1: ")


def test_arguments_in_another_order(folder: Path) -> None:
    done = run(folder, "check-why", "a.json", "rooms.lars", "--input", "readings.csv", status=2)
    assert "check-why PROGRAM... FILE" in done.stderr
    done = run(folder, "why", "alarm(X)", "rooms.lars", "--input", "readings.csv", status=2)
    assert "write the atom after the programs" in done.stderr


ENDLESS = "n(0) :- go.\nn(X+1) :- n(X).\nc(X) :- p(X).\nd(X) :- c(X) in [3].\n"


@pytest.mark.parametrize("given", ["file", "standard input"])
def test_ticks_that_take_too_long(tmp_path: Path, given: str) -> None:
    """They have no answer, as in a run; each is left behind with its process, and the stream goes on."""
    (tmp_path / "p.lars").write_text(ENDLESS)
    lines = '{"time": 0, "facts": ["p(0)"]}\n{broken\n'
    lines += '{"time": 1, "facts": ["go"]}\n{"time": 2, "facts": ["go"]}\n'
    lines += '{"time": 3, "facts": ["p(3)"]}\n{"time": 9, "facts": ["q"]}\n'
    (tmp_path / "s.jsonl").write_text(lines)
    source = ["--input", "s.jsonl"] if given == "file" else ["--input", "-"]
    options = [*LARS2ASP, "why", "p.lars", *source, "--tick-timeout", "1", "--quiet"]
    name = "s.jsonl" if given == "file" else "<stdin>"
    done = completed([*options, "d(X)", "--at", "3"], given=lines, status=1, cwd=tmp_path)
    assert done.stdout.startswith("d(0) at 3\n")
    assert f"0  p(0)   {name}:1" in done.stdout
    assert [line for line in done.stderr.splitlines() if "no answer:" in line] == [
        "tick 1 has no answer: clingo takes longer than 1 s",
        "tick 2 has no answer: clingo takes longer than 1 s",
    ]
    if given == "standard input":  # the same question to the same answers
        return
    done = completed([*options, "n(5)", "--at", "2"], given=lines, status=1, cwd=tmp_path)
    assert done.stdout == "n(5) does not hold at 2   this tick has no answer\n"


def test_an_explanation_takes_no_longer_than_a_tick(folder: Path) -> None:
    done = run(folder, "why", *OPTIONS, "--tick-timeout", "0.000001", "alarm(kitchen)", status=2)
    assert done.stderr.splitlines()[-1] == "error: the explanation takes longer than 1e-06 s"


@pytest.mark.parametrize(
    ("atom", "words"),
    [
        (
            "-d(1)",
            "Write -- in front of an atom that begins with -, as in lars2asp why rooms.lars -- '-d(1)'",
        ),
        (
            "-c(1)",
            "Write -- in front of an atom that begins with -, as in lars2asp why rooms.lars -- '-c(1)'",
        ),
        (
            "-h(X)",
            "Write -- in front of an atom that begins with -, as in lars2asp why rooms.lars -- '-h(X)'",
        ),
        (
            "-d",
            "Write -- in front of an atom that begins with -, as in",
        ),
    ],
)
def test_an_atom_that_looks_like_an_option(folder: Path, atom: str, words: str) -> None:
    done = run(folder, "why", "rooms.lars", atom, status=2)
    assert words in " ".join(done.stderr.split())
    (folder / "rooms.lars").write_text("-d(1) :- p.\n-d :- p.\n")
    (folder / "s").write_text('{"time": 0, "facts": ["p"]}\n')
    done = run(folder, "why", "rooms.lars", "--input", "s", "--", "-d(1)")
    assert done.stdout.startswith("-d(1) at 0\n")


@pytest.mark.parametrize("name", ["ex:s1", "<http://ex.org/s1>", '"<http://ex.org/s1>"'])
def test_names_of_rdf_are_written_as_in_the_program(tmp_path: Path, name: str) -> None:
    (tmp_path / "names.lars").write_text("#prefix ex: <http://ex.org/>.\n")
    (tmp_path / "p.lars").write_text(
        '#include "names.lars".\nfast(S,<http://ex.org/city>) :- speed(S,V), V > 45.\n'
    )
    told = '{"time": 0, "facts": ["speed(\\"<http://ex.org/s1>\\",48)"]}\n'
    (tmp_path / "speeds.jsonl").write_text(told)
    given = ("p.lars", "--input", "speeds.jsonl", "--at", "0")
    found = run(tmp_path, "why", *given, f"fast({name},X)").stdout
    assert found.startswith('fast("<http://ex.org/s1>","<http://ex.org/city>") at 0\n')
    assert 'speed("<http://ex.org/s1>",48)' in found
    absent = run(tmp_path, "why-not", *given, f"fast({name},<http://ex.org/land>)").stdout
    assert absent.startswith(
        'fast("<http://ex.org/s1>","<http://ex.org/land>") does not hold at 0   no rule and no record of it'
    )
    unknown = run(tmp_path, "why", *given, "fast(ey:s1,X)", status=2).stderr
    assert "'fast(ey:s1,X)' is not an atom such as " in unknown


TAKEN = """\
#input reading(room, temp) at t where quality = "Good", temp < 35.
#input level(room, number(level) or missing) at t.
"""
ROWS = "t,room,temp,quality,level\n1,hall,20,Good,5 m\n2,hall,30,Bad,?\n3,hall,,Good,\n4,attic,40,Bad,7 m\n"
ONLY = "#input (p.lars:1) accepts only records with"


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("atom", "at", "row", "said"),
    [
        (
            "reading(hall,30)",
            2,
            2,
            f'would be reading("hall",30), but {ONLY} "quality" = "Good", and here it is Bad',
        ),
        ("reading(hall,X)", 3, 3, f'would fit, but {ONLY} "temp" < 35, and here it is empty'),
        ('reading("attic",X)', 1, 4, f'but {ONLY} "quality" = "Good", "temp" < 35, and here it is Bad, 40'),
        ("level(hall,X)", 2, 2, "fits #input (p.lars:2), but level is missing (?)"),
        ("level(hall,9)", 4, 3, "fits #input (p.lars:2), but level is empty"),
        ("level(cellar,X)", 4, 0, ""),
        ("level(attic,7)", 3, 0, ""),
    ],
)
def test_records_that_almost_tell_an_atom_are_named(
    tmp_path: Path, form: str, atom: str, at: int, row: int, said: str
) -> None:
    (tmp_path / "p.lars").write_text(TAKEN)
    header, *rows = [line.split(",") for line in ROWS.splitlines()]
    objects = [dict(zip(header, one, strict=True)) for one in rows]
    lines = [json.dumps({**one, "t": int(one["t"])}) for one in objects]
    (tmp_path / "r.jsonl").write_text("\n".join(lines))
    (tmp_path / "r.csv").write_text(ROWS)
    done = run(tmp_path, "why-not", "p.lars", "--input", f"r.{form}", "--at", str(at), atom)
    hints = [one for one in done.stdout.splitlines() if f"hint: r.{form}" in one]
    assert len(hints) == bool(said)
    for hint in hints:
        assert hint.startswith(f"hint: r.{form}:{row + (form == 'csv')} at {row} ")
        assert hint.endswith(said)


@pytest.mark.parametrize(
    "window", ["[0]", "[1 # by R]", "[1 #]", "[2 # reading/2]", "[since opened]", "[1..2]"]
)
@pytest.mark.parametrize("rows", ["", "1,hall,20\n"])
def test_a_record_with_an_empty_cell_is_named(tmp_path: Path, window: str, rows: str) -> None:
    """Whether a record before it gave a fact or not, and whatever the window sees."""
    (tmp_path / "p.lars").write_text(
        '#input reading(room, temp) at t. opened :- reading("door",_).\n'
        f"warm(R) :- reading(R,30) in {window}."
    )
    (tmp_path / "r.csv").write_text(f"t,room,temp\n{rows}5,hall,\n")
    done = run(tmp_path, "why-not", "p.lars", "--input", "r.csv", "--at", "5", "warm(hall)")
    hint = f"hint: r.csv:{3 if rows else 2} at 5 fits #input (p.lars:1), but temp is empty"
    assert hint in done.stdout.splitlines()


@pytest.mark.parametrize(
    ("at", "atom", "said"),
    [
        ("00:01", "hot(hall)", 'reading("hall",T) at 00:01; the next is at 00:02 (readings.csv:5)'),
        (
            "00:02",
            "reading(kitchen,268)",
            'reading("kitchen",268) at 00:02; the next is at 00:03 (readings.csv:6)',
        ),
        ("00:02", "hot(hall)", ""),  # it has a record
        ("00:03", "hot(hall)", ""),  # there are no more
        ("00:01", "cool(kitchen)", ""),  # it needs no record
    ],
)
def test_the_next_record_is_named(folder: Path, at: str, atom: str, said: str) -> None:
    cool = 'cool(R) :- reading(R, _), not busy(R). busy(R) :- reading(R, _), not reading("hall", _).'
    (folder / "rooms.lars").write_text(PROGRAM + cool)
    found = run(folder, "why-not", *OPTIONS, "--at", f"2026-01-01 {at}", atom).stdout
    hints = [line for line in found.splitlines() if line.startswith("hint: no record of")]
    assert hints == ([f"hint: no record of {said}"] if said else [])


def test_records_after_the_tick_are_not_judged(folder: Path) -> None:
    (folder / "readings.csv").write_text(f"{TABLE}2026-01-01 00:05:00,kitchen,warm\n")
    done = run(folder, "why-not", *OPTIONS, "--at", "2026-01-01 00:03", "hot(hall)")
    assert done.stderr == ""


def test_all_records_are_rejected(folder: Path) -> None:
    (folder / "readings.csv").write_text("timestamp,room,temperature\n2026-01-01,a,warm\n2026-01-02,a,hot\n")
    said = "all records were rejected; the first is readings.csv:2: column temperature: "
    done = run(folder, "why-not", *OPTIONS, "hot(a)", status=2)
    assert f"error: there is no tick to ask about, because {said}" in done.stderr
    done = run(folder, "why-not", *OPTIONS, "--at", "3", "hot(a)", status=1)
    assert f"\nhint: {said}" in done.stdout


@pytest.mark.parametrize(
    ("held", "atom", "at", "is_named"),
    [
        ("", "level(hall,X)", 2, True),
        ("", "level(hall,X)", 4, False),
        ("#held level(R,_) by R for 1.", "level(hall,7)", 2, True),
        ("#held level(R,_) by R for 1.", "level(hall,7)", 4, False),
    ],
)
def test_a_record_is_not_named_if_a_later_one_took_its_place(
    tmp_path: Path, held: str, atom: str, at: int, is_named: bool
) -> None:
    (tmp_path / "p.lars").write_text(f"#input level(room, number(level) or missing) at t.\n{held}\n")
    (tmp_path / "r.csv").write_text("t,room,level\n1,hall,5\n2,hall,?\n3,hall,6\n5,attic,7\n")
    said = run(tmp_path, "why-not", "p.lars", "--input", "r.csv", "--at", str(at), atom).stdout
    assert ("r.csv:3 at 2 fits" in said) is is_named
