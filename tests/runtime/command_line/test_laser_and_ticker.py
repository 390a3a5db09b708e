"""Programs and streams of Laser and Ticker at the command line."""

from pathlib import Path

import pytest

from tests.support.command_line import lines, run

LASER = """\
rules = [
    "warm(R) :- time_win(2, 0, 1, diamond(temp(R,C))) and COMP(>=, C, 20)",
    "@(T, seen(R)) :- time_win(1,0,1, @(T, temp(R,C)))",
    "cold :- not(warm(hall))",
]
"""
STREAM = """\
stream = {
    0: ["temp(hall, 21)", ""],
    1: ["temp(attic,12)"],
    2: ["temp(hall)(2)"],
    3: [],
}
"""
TICKER = """\
/* cars */
third at T :- rec(C) at T [3 #], not rec(C) [2 #]. // the third
often :- third [t 2].
"""


def test_laser_reads_its_own_streams(tmp_path: Path) -> None:
    (tmp_path / "rooms.txt").write_text(LASER)
    (tmp_path / "rooms.stream").write_text(STREAM)
    given = ["--dialect", "laser", "--input", "rooms.stream", "--emit", "every", "--until", "4"]
    done = run(tmp_path, "run", "rooms.txt", *given, status=1)
    assert lines(done.stdout) == [
        {"time": 0, "atoms": ["seen(hall)", "warm(hall)"]},
        {"time": 1, "atoms": ["seen(attic)", "warm(hall)"]},
        {"time": 2, "atoms": ["warm(hall)"]},
        {"time": 3, "atoms": ["cold"]},
        {"time": 4, "atoms": ["cold"]},
    ]
    assert "rooms.stream:4: error: temp(hall)(2) is not an atom" in done.stderr


def test_ticker_reads_lines_that_name_their_tick(tmp_path: Path) -> None:
    (tmp_path / "cars.lars").write_text(TICKER)
    (tmp_path / "cars.txt").write_text("@0: rec(1); rec(2)\nrec(9)\n@1: rec(3)\n@5:\n")
    given = ["--dialect", "ticker", "--input", "cars.txt", "--emit", "every"]
    done = run(tmp_path, "run", "cars.lars", *given, status=1)
    found = {one["time"]: one["atoms"] for one in lines(done.stdout)}
    assert found == {0: [], 1: ["often"], 2: ["often"], 3: [], 4: [], 5: []}
    assert "cars.txt:2: error: the line has no time" in done.stderr


def test_ticker_reads_lines_by_the_clock(tmp_path: Path) -> None:
    (tmp_path / "cars.ticker").write_text("h(C) :- rec(C) [1 h].\n")
    given = ["--input", "-", "--clock", "wall", "--emit", "every"]
    done = run(tmp_path, "run", "cars.ticker", *given, stdin="rec(1); rec(2)\nrec(X)\nrec(3)\n", status=1)
    assert lines(done.stdout)[-1]["atoms"] == ["h(1)", "h(2)", "h(3)"]
    assert "<stdin>:2: error: rec(X) contains the variable X: write values only" in done.stderr


@pytest.mark.parametrize(("text", "dialect"), [(TICKER, "ticker"), (LASER, "laser")])
def test_a_file_that_is_read_as_ours_gets_a_hint(tmp_path: Path, text: str, dialect: str) -> None:
    (tmp_path / "p.lars").write_text(text)
    assert f"--dialect {dialect}" in run(tmp_path, "check", "p.lars", status=2).stderr


def test_tests_of_rules_tell_streams_in_any_form(tmp_path: Path) -> None:
    (tmp_path / "p.ticker").write_text("a(C) :- b(C) [2].\n")
    (tmp_path / "p.laser").write_text("a(C) :- time_win(2,0,1,diamond(b(C)))\n")
    case = "program {}\n\ncase b\ngiven:\n{}expect at 6: a(1), a(2)\n"
    plain = "  5: b(1)\n  6: b(2)\n"
    for name, own in (
        ("p.ticker", "  @5: b(1)\n  @6: c; b(2)\n"),
        ("p.laser", '  5: ["b(1)"],\n  6: ["c", "b(2)"]\n'),
    ):
        for given in (own, plain, '  {"time": 5, "facts": ["b(1)"]}\n  {"time": 6, "facts": ["b(2)"]}\n'):
            (tmp_path / "p.lars-test").write_text(case.format(name, given))
            assert "1 case passed" in run(tmp_path, "test", "p.lars-test").stdout


def test_declarations_stand_in_a_file_of_ours(tmp_path: Path) -> None:
    (tmp_path / "rooms.laser").write_text("hot(R) :- time_win(1,0,1,diamond(temp(R,C))) and COMP(>,C,30)\n")
    (tmp_path / "input.lars").write_text("#input temp(room, celsius).\n#show hot/1.\n")
    (tmp_path / "rooms.csv").write_text("time,room,celsius\n0,hall,31\n3,attic,12\n")
    given = ["rooms.laser", "input.lars", "--input", "rooms.csv", "--emit", "every"]
    found = [one["atoms"] for one in lines(run(tmp_path, "run", *given).stdout)]
    assert found == [['hot("hall")'], ['hot("hall")'], [], []]


@pytest.mark.parametrize(
    ("name", "text"),
    [("p.laser", "h(X) :- time_win(2,0,1,diamond(p(X,Y)))\n"), ("p.ticker", "h(X) :- p(X,Y) [2].\n")],
)
def test_a_variable_that_stands_once_is_as_it_must_be(tmp_path: Path, name: str, text: str) -> None:
    """These languages have no `_`."""
    (tmp_path / name).write_text(text)
    assert "is used only once" not in run(tmp_path, "check", name).stderr
    (tmp_path / "p.lars").write_text("h(X) :- p(X,Y) in [2].\n")
    assert "Y is used only once" in run(tmp_path, "check", "p.lars").stderr
