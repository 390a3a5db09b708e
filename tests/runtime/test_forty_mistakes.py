"""Mistakes of newcomers at the command line: each message alone says what to repair."""

import re
import socket
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.command_line import run

ROOMS = """\
#tick 1 sec.
#timezone "Europe/Vienna".
#decimals reading(_, 1).
#input reading(room, temperature) at time.
hot(Room) :- reading(Room, T), T > 25.5.
alarm(Room) :- hot(Room) at least 3 in [1 min].
calm(Room) :- reading(Room, _) in [5 min], not hot(Room) in [5 min].
#show alarm/1.
"""
READINGS = """\
time,room,temperature
2026-05-01T10:00:00,kitchen,24.5
2026-05-01T10:00:10,kitchen,26.1
2026-05-01T10:00:20,kitchen,26.4
2026-05-01T10:00:30,kitchen,27.0
2026-05-01T10:00:40,hall,21.5
"""
TEST = """\
program rooms.lars

case three hot readings
given:
  0: reading(kitchen, 26.1)
  1: reading(kitchen, 26.2)
  2: reading(kitchen, 26.3)
expect at 2: alarm(kitchen)
"""
DOORS = """\
#tick 1 min.
#input door(name, state) at time.
#held door(Name, State) by Name.
open_long(Name) :- door(Name, "open") always in [10 min].
"""
LOGINS = """\
#tick 1 sec.
#input login(user) at time.
many(User) :- login(User) at least 3 in [1 min].
"""
FILES = {
    "rooms.lars": ROOMS,
    "readings.csv": READINGS,
    "rooms.lars-test": TEST,
    "doors.lars": DOORS,
    "logins.lars": LOGINS,
    "logins.csv": "time,user\n" + "2026-05-01T10:00:00Z,eve\n" * 3,
}
CHECK = "check rooms.lars"
RUN = "run rooms.lars --input readings.csv"
TESTS = "test rooms.lars-test"


class Mistake(NamedTuple):
    """A mistake, and what the command says of it.

    Attributes:
        name: the mistake.
        file: the file with the mistake; empty if it is in the command.
        before: a text of that file.
        after: the text in its place.
        command: the arguments of `lars2asp`.
        status: its exit status.
        words: texts of the message.
    """

    name: str
    file: str
    before: str
    after: str
    command: str
    status: int
    words: tuple[str, ...]


def program(name: str, before: str, after: str, *words: str, status: int = 2) -> Mistake:
    """A mistake in the program, which `check` reports."""
    return Mistake(name, "rooms.lars", before, after, CHECK, status, words)


def data(name: str, before: str, after: str, *words: str, status: int = 1) -> Mistake:
    """A mistake in the table, which `run` reports."""
    return Mistake(name, "readings.csv", before, after, RUN, status, words)


def typed(name: str, command: str, *words: str, status: int = 2) -> Mistake:
    """A mistake in the command."""
    return Mistake(name, "", "", "", command, status, words)


def case(name: str, before: str, after: str, *words: str, status: int = 2) -> Mistake:
    """A mistake in a test of rules."""
    return Mistake(name, "rooms.lars-test", before, after, TESTS, status, words)


WITHOUT_ZONE = '#timezone "Europe/Vienna".\n'
NOT_HOT = "reading(Room, _) in [5 min], not hot(Room) in [5 min]"
WHY = "why rooms.lars alarm(kitchen) --input readings.csv --at"
MISTAKES = (
    program("misspelt directive", "#decimals", "#decimal", "rooms.lars:3:1-9", "did you mean #decimals?"),
    program(
        "wrong unit", "1 min", "1 minuts", "minuts is not a unit", "units are tick, msec, sec, min, hour"
    ),
    program("unsafe variable", "hot(Room) :-", "hot(Rom) :-", "unsafe variable Rom", "use Rom in an atom of"),
    program("missing full stop", "25.5.", "25.5", "rooms.lars:6", "is a '.' missing at the end of the line"),
    program("&& for a comma", ", T >", " && T >", "separate literals by commas", "write reading(Room, T), T"),
    program("=> for >=", "T > 25.5", "T => 25.5", "=> is not a comparison", "write T >= 25.5"),
    program(
        "arrow",
        ":- reading(Room, T)",
        "<- reading(Room, T)",
        "write hot(Room) :- reading(Room, T), T > 25.5.",
    ),
    program("text for number", "25.5", '"25.5"', 'T is a number and "25.5" is text', "is never true"),
    program("single quotes", "T > 25.5", "T > 25.5, Room = 'hall'", 'write "hall", in double quotes'),
    program(
        "capital constant",
        "T > 25.5",
        "T > 25.5, Room = Kitchen",
        "Kitchen is used only once",
        'for the text Kitchen, write "Kitchen"',
        status=0,
    ),
    program("number of arguments", "reading(Room, T)", "reading(Room)", "reading/1, only reading/2"),
    program("#show without arity", "alarm/1", "alarm", "write #show alarm/1.", status=0),
    program("#show of an atom", "alarm/1", "alarm(Room)", "rooms.lars:8", "write #show alarm/1."),
    program("window without brackets", "[1 min]", "1 min", "write in [1 min]"),
    program(
        "last 10 minutes", "at least 3 in [1 min]", "in the last 10 minutes", "write hot(Room) in [10 min]"
    ),
    program(
        "three times in the last 10 minutes",
        "3 in [1 min]",
        "3 times in the last 10 minutes",
        "write hot(Room) at least 3 in [10 min]",
    ),
    program("more than", "at least 3", "more than 3", "write hot(Room) at least 4 in [1 min]"),
    program("exactly", "at least 3", "exactly 3", "write hot(Room) count 3 in [1 min]"),
    program("at least 0", "at least 3", "at least 0", "write not hot(Room) in [1 min]"),
    program("decimals missing", "#decimals reading(_, 1).\n", "", "declare it: #decimals reading(_,1)."),
    program(
        "`not` alone", NOT_HOT, "not hot(Room) in [5 min]", "use Room in an atom of the body without `not`"
    ),
    program("self-denial", NOT_HOT, "reading(Room, _), not calm(Room)", "requires its own absence", status=0),
    program(
        "self-denial in a window",
        NOT_HOT,
        "reading(Room, _), not calm(Room) in [5 min]",
        "write not calm(Room) in [1 tick .. 5 min]",
        status=0,
    ),
    program("missing tick", "#tick 1 sec.\n", "", "add for example #tick 1 sec. to the program"),
    program("tick without unit", "1 sec.", "1.", "write for example #tick 1 sec."),
    program("zone", "/Vienna", "/Viena", "is not a time zone", 'such as "Europe/Vienna"'),
    program(
        "aggregate without identity",
        ":- " + NOT_HOT,
        ":- Room = #sum { T : reading(_, T) in [5 min] }",
        "equal values of T count once",
        "add a term that distinguishes them: #sum {",
        status=0,
    ),
    Mistake(
        "#held by a column", "doors.lars", "by Name", "by name", "check doors.lars", 2, ("write by Name",)
    ),
    Mistake("#held by another", "doors.lars", "by Name", "by Door", "check doors.lars", 2, ("Name, State",)),
    Mistake(
        "missing column",
        "rooms.lars",
        "temperature",
        "temp",
        f"{CHECK} --input readings.csv",
        2,
        ("no column 'temp' for #input reading", "'time', 'room', 'temperature'"),
    ),
    Mistake(
        "missing zone", "rooms.lars", WITHOUT_ZONE, "", RUN, 1, ("lacks a time zone", 'or write #timezone "')
    ),
    Mistake(
        "no #input",
        "rooms.lars",
        "#input reading(room, temperature) at time.\n",
        "",
        RUN,
        2,
        ("add to it, for example", "#input reading(room, temperature) at time."),
    ),
    data("wrong type", "26.4", "n/a", "readings.csv:4", "'n/a' is not a number", "add --missing n/a"),
    data("header only", READINGS.partition("\n")[2], "", "readings.csv contains no record", status=0),
    data("no header", "time,room,temperature\n", "", "read with no header", "no column 'room'", status=2),
    data("empty file", READINGS, "", "its first line must contain the names of the columns", status=2),
    data("time format", "2026-05-01T", "01.05.2026 ", 'write #input ... at time "%d.%m.%Y %H:%M:%S"'),
    data(
        "order",
        "10:00:40",
        "09:59:40",
        "readings.csv:6",
        "the time goes backwards",
        "add --lateness '50 sec'",
    ),
    Mistake(
        "milliseconds",
        "readings.csv",
        READINGS,
        "time,room,temperature\n1777629600000,kitchen,26.1\n",
        RUN,
        1,
        ("are read with --time-unit msec",),
    ),
    typed("wrong delimiter", f"{RUN} --delimiter ;", "is the delimiter wrong? try --delimiter ','"),
    typed("wrong encoding", f"{RUN} --encoding utf9", "'utf9' is not an encoding such as utf-8, latin-1"),
    typed(
        "shared ticks",
        "run logins.lars --input logins.csv",
        "logins.lars:3:15-48",
        "counts ticks: 2 facts of login/1 repeated another fact",
        "add record() to the columns of #input",
        status=0,
    ),
    typed("--at after the end", f"{WHY} 2026-05-01T12:00:30", "readings.csv ends at", "10:00:40", status=0),
    typed("--at before the start", f"{WHY} 30", "ask about a later tick or time with --at"),
    typed(
        "misspelt atom",
        "why rooms.lars alarm(kichen) --input readings.csv",
        'did you mean "kitchen"',
        status=0,
    ),
    typed(
        "no input",
        "why rooms.lars alarm(kitchen) --at 2026-05-01T10:00:30",
        "standard input contains no record: name the input with --input FILE",
        status=0,
    ),
    typed("option of another command", f"{CHECK} --output x", "remove it, or use lars2asp run"),
    typed("misspelt option", f"{RUN} --untill 9", "No such option '--untill'", "'--until'"),
    typed(
        "value of an option", f"{RUN} --emit all", "'all' must be change, every, windows or a positive number"
    ),
    typed(
        "data for program", "run readings.csv", "is a data file, not a program: write --input readings.csv"
    ),
    typed("program for data", "run rooms.lars --input rooms.lars", "is a program, not data: remove --input"),
    typed(
        "missing file",
        "run rooms.lars --input reading.csv",
        "reading.csv: cannot read this file: No such file",
    ),
    typed("empty folder", "run rooms.lars --input empty", "this folder is empty: add files"),
    typed("folder without tests", "test empty", "no file in it ends with .lars-test"),
    typed("setting of an address", f"{RUN}?formt=csv", "no setting 'formt': use follow, format"),
    typed(
        "kind of address",
        "run rooms.lars --input kafak://here/x",
        "use host:, tcp:PORT",
        "kafka://HOST/TOPIC",
    ),
    typed(
        "no broker",
        "run rooms.lars --input mqtt://127.0.0.1:1/x",
        "Connection refused; is the broker running",
    ),
    typed("output folder", f"{RUN} --output out/answers.jsonl", "create the folder out first"),
    typed("tables in a folder", f"{RUN} --output-format csv --output out/of/", "create the folder out first"),
    typed(
        "workbook", f"{RUN} --output answers.xlsx", "cannot write workbooks: name a file that ends with .csv"
    ),
    typed("output over input", f"{RUN} --output readings.csv", "choose a new name"),
    case("no colon", "given:", "given", "rooms.lars-test:4", "write given:"),
    case("misspelt statement", "expect", "expects", "rooms.lars-test:8", "as in expect at 3: alarm(kitchen)"),
    case("other program", "program rooms.lars", "program room.lars", "room.lars: cannot be read", status=1),
    case(
        "given fact",
        "reading(kitchen, 26.3)",
        "readings(kitchen, 26)",
        "the program does not contain readings/2, which is given: did you mean reading/2?",
        status=1,
    ),
    typed("program for test", "test rooms.lars", "name a file that ends with .lars-test"),
)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.name)
def test_the_message_alone_says_what_to_repair(mistake: Mistake, tmp_path: Path) -> None:
    written = dict(FILES)
    if mistake.file:
        assert mistake.before in FILES[mistake.file]
        written[mistake.file] = FILES[mistake.file].replace(mistake.before, mistake.after)
    for name, text in written.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "empty").mkdir()
    done = run(tmp_path, *mistake.command.split(), status=mistake.status)
    said = done.stdout + done.stderr
    assert [one for one in mistake.words if one not in said] == [], said
    assert all(code in run(tmp_path, "help", code).stdout for code in set(re.findall(r"\bL\d{3}\b", said)))


def test_without_mistakes_nothing_is_said(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    assert "no problems found" in run(tmp_path, *CHECK.split()).stderr
    done = run(tmp_path, *RUN.split())
    assert done.stdout == '{"time": 1777622430, "atoms": ["alarm(\\"kitchen\\")"]}\n'
    assert done.stderr == ""
    assert "1 case passed, 0 failed" in run(tmp_path, *TESTS.split()).stdout


def test_a_port_in_use(tmp_path: Path) -> None:
    (tmp_path / "rooms.lars").write_text(ROOMS)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        serving = f"{RUN} --serve 127.0.0.1:{port}".split()
        (tmp_path / "readings.csv").write_text(READINGS)
        assert "the port is in use: choose another port" in run(tmp_path, *serving, status=2).stderr
        listening = f"run rooms.lars --input tcp:{port}".split()
        assert "choose another port" in run(tmp_path, *listening, status=2).stderr


def test_a_checkpoint_with_other_options(tmp_path: Path) -> None:
    (tmp_path / "rooms.lars").write_text(ROOMS)
    (tmp_path / "readings.csv").write_text(READINGS)
    kept = f"{RUN} --checkpoint state --output answers.jsonl".split()
    run(tmp_path, *kept)
    said = run(tmp_path, *kept, "--emit", "every", status=2).stderr
    assert "cannot resume from the checkpoint in state: --emit was change, is every" in said
    assert "Use the same options as before, or remove the folder state" in said
    (tmp_path / "rooms.lars").write_text(ROOMS.replace("25.5", "25.6"))
    assert "add --changed-program" in run(tmp_path, *kept, status=2).stderr
