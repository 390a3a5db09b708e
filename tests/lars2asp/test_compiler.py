"""Broken and odd programs, and what the compiler says about them, to the letter; tests/broken has more."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from lars2asp.compiler import check, compile_program
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.source import Source
from tests.support.programs import said

PROGRAMS = sorted((Path(__file__).parents[1] / "broken").glob("*.lars"))
VIENNA = '#tick 1 sec. #timezone "Europe/Vienna".'


def said_of(path: Path) -> str:
    """All diagnostics of the program in a file, the file without its folder."""
    found = check(Source(path.name, path.read_text(encoding="utf-8")))
    return "".join(f"{diagnostic}\n" for diagnostic in found)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_what_is_said_about_a_broken_program(path: Path) -> None:
    assert said_of(path) == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_there_are_two_dozen_of_them() -> None:
    assert len(PROGRAMS) >= 24


def test_three_mistakes_in_one_file_are_told_together() -> None:
    text = dedent("""\
        #tick 1 min.
        hot(R) :- temp(R,T) in [90 sec], T > 25.
        alarm(R,S) :- hot(R) always in [10 min].
        fan(R) :- alarm(R,) .
        """)
    assert said(text) == dedent("""\
        x.lars:2:25-31: error: L206: 90 sec is not a whole number of ticks
          | hot(R) :- temp(R,T) in [90 sec], T > 25.
          |                         ^^^^^^
          hint: use a multiple of #tick, or a shorter #tick
        x.lars:3:9-10: error: L101: unsafe variable S: nothing gives it a value
          | alarm(R,S) :- hot(R) always in [10 min].
          |         ^
          hint: use S in an atom of the body without `not`, or add S = ...
        x.lars:4:19-20: error: L001: unexpected ), expected a term
          | fan(R) :- alarm(R,) .
          |                   ^
        """)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a :- b", "1:6-7", "the text ends in the middle of a statement"),
        ("a :- b\nc :- d.", "2:1-2", "unexpected c"),
        ('a("x.\n', "1:3-4", "this string is never closed"),
        ("%* a.", "1:1-3", "this comment is never closed"),
        ("a :- $.", "1:6-7", "unexpected $"),
        ("#frobnicate a.", "1:1-12", "unexpected #frobnicate"),
        ("a :- 3 in [2].", "1:6-7", "expected an atom, not a term"),
        ("3 :- a.", "1:1-2", "expected an atom, not a term"),
        ("a :- b in.", "1:6-10", "a window is missing here"),
        ("a :- b in [1.", "1:13-14", "unexpected ., expected ']'"),
        ("a :- b in [n].", "1:12-13", "a window's size must be an integer"),
        ("a :- b in [0-1].", "1:12-15", "a window's size cannot be negative"),
        ("a :- b in {1, x}.", "1:15-16", "an offset must be an integer"),
        ("a :- b in [1 sec].", "1:12-17", "a window with a time unit needs the length of a tick"),
        ("#tick 1 min. a :- b in [every 1 week].", "1:31-37", "a week needs a zone"),
        ("a :- b in [3 step 2 month].", "1:19-26", "a month needs #tick, and a zone"),
        (
            '#tick 36 hour. #timezone "UTC". a :- b in [every 3 day].',
            "1:50-55",
            "ticks are longer than a day, too long for windows of days",
        ),
        (
            '#tick 1 min. #timezone "UTC". a :- b in [every 0 year].',
            "1:48-54",
            "the length of a tumbling window",
        ),
        (
            '#tick 1 min. #timezone "UTC". a :- b in [2..1 step 1 day].',
            "1:45-46",
            "the window ends before it",
        ),
        ("a(@later) :- b.", "1:3-9", "there is no function @later"),
        ("#tick 1 sec\n#const n = 1. a :- b in [1 sec].", "2:1-7", "unexpected #const"),
        ("#const a = b. #const b = a+1. c(a).", "1:1-14", "the constant a is defined in terms of itself"),
        ("#const n = @now.", "1:12-16", "the value of n must not be an @-call"),
        ("a :- b in [2**X].", "1:12-16", "a window's size must be an integer"),
        ("a(" + "9" * 6000 + ").", "1:3-6003", "the number 99999999999999999999... is too long"),
        ("a :- not.", "1:9-10", "unexpected ., expected"),
        ("not :- a.", "1:5-7", "unexpected :-"),
        ("a :- b, not -p(_+1).", "1:16-17", "unsafe variable _: nothing gives it a value"),
        ('a("x\0y").', "1:5-6", "the text contains a null character"),
        ("#tick 1 sec. #tick 2 sec.", "1:14-26", "the tick length is given twice"),
        ("#tick 5.", "1:7-8", "the length of a tick needs a unit"),
        ("#tick 0 sec.", "1:7-12", "a tick's length must be an integer from 1 to 2147483647"),
        ('#timezone "UTC". #timezone "UTC".', "1:18-34", "the time zone is given twice"),
        ('#timezone "Mars/Base".', "1:11-22", "Mars/Base is not a time zone"),
        ('#timezone "".', "1:11-13", "the empty string is not a time zone"),
        ('#timezone "../UTC".', "1:11-19", "../UTC is not a time zone"),
        ('#origin "today".', "1:9-16", "today is not an ISO 8601 timestamp"),
        ('#origin "".', "1:9-11", "the empty string is not an ISO 8601 timestamp"),
        ('#origin "2026-01-01".', "1:9-21", "the origin 2026-01-01 has no UTC offset"),
        (
            '#origin "2026-01-01Z". #origin "2026-01-01Z".',
            "1:9-22",
            "2026-01-01Z is not an ISO 8601 timestamp",
        ),
        (
            '#origin "2026-01-01T00:00Z". #origin "2026-01-01T00:00Z".',
            "1:30-58",
            "the origin is given twice",
        ),
        ("#origin 2026.", "1:9-13", "unexpected 2026"),
        ("#complete_windows. #complete_windows.", "1:20-38", "#complete_windows is given twice"),
        ("#const n = 1. #const n = 2.", "1:15-28", "the constant n is defined twice"),
        ("#const n = X.", "1:12-13", "the value of n must not contain variables"),
        ("#held p(X). #held p(_).", "1:13-24", "#held is given twice for p/1, first at x.lars:1"),
        ("#held p(X,2) by X.", "1:11-12", "2 is not a variable: #held covers all facts of p/2"),
        ("#held p(X,X) by X.", "1:11-12", "X occurs twice in #held"),
        ("#held p(X) by Y.", "1:15-16", "Y is not an argument of p"),
        ("#held p(X) for 5 min.", "1:16-21", "#held with a time unit needs the length of a tick"),
        ("#tick 3 sec. #held p(X) for 5 sec.", "1:29-34", "5 sec is not a whole number of ticks"),
        ("#held p(X) for X.", "1:16-17", "the time until facts expire must be an integer"),
        ("#held p(X) for 0-1.", "1:16-19", "the time until facts expire cannot be negative"),
        ("#held p(1;2).", "1:7-13", "#held does not accept pools"),
        ("#held p(X) by _.", "1:15-16", "unexpected _"),
        ("#held p(X) for 5 by X.", "1:18-20", "unexpected by"),
        (f"{VIENNA} #calendar hours(H).", "1:51-59", "the calendar has no hours/1"),
        (f"{VIENNA} #calendar date(Y).", "1:51-58", "the calendar has no date/1"),
        (
            f"{VIENNA} #calendar hour(3).",
            "1:56-57",
            "3 is not a variable: #calendar provides all atoms of hour/1",
        ),
        (f"{VIENNA} #calendar hour(H), hour(_).", "1:60-67", "hour/1 is in #calendar twice"),
        (f"{VIENNA} #calendar holiday(N).", "1:51-61", "holiday/1 needs a file"),
        (
            f"{VIENNA} #calendar hour(H). hour(3).",
            "1:51-58",
            "hour/1 comes from #calendar, but is also input or derived",
        ),
        ('#tick 2 hour. #timezone "UTC". #calendar hour(H).', "1:42-49", "ticks are too long for hour/1"),
        ("#tick 1 sec. #calendar hour(H).", "1:24-31", "#calendar needs a time zone"),
        ('#timezone "UTC". #calendar hour(H).', "1:28-35", "#calendar needs the length of a tick"),
        (f'{VIENNA} #calendar holiday(N) from "no.csv".', "1:51-75", "cannot find no.csv"),
        ("#semantics loose.", "1:12-17", "loose is not a semantics"),
        ("a(X) :- not b(X) in [1].", "1:3-4", "unsafe variable X: nothing gives it a value"),
        ("a(T) :- b at T+1.", "1:3-4", "unsafe variable T: nothing gives it a value"),
        ("a :- b(X) at _+X in [2], not c(Y).", "1:14-15", "unsafe variable _: nothing gives it a value"),
        ("a(_) :- b.", "1:3-4", "unsafe variable _: nothing gives it a value"),
        ("#input p(line()).", "1:10-14", "line() is not a column of records"),
        ('#input p(x) from "a {y}".', "1:10-11", "the pattern has no place {x}"),
        ('#input p(x) from "a (x".', "1:1-25", '"a (x" is not a line pattern: `(` without `)`'),
        ('#input p(each x) from "a {x}".', "1:1-31", "`each` works with JSON records only, but"),
        ("#input p(row(x)).", "1:10-13", "row is not a conversion of a column"),
        ("#input p(float(x)).", "1:10-15", "float is not a conversion of a column"),
        ("a :- \x1b[2J.", "1:6-7", r"unexpected \x1b"),
        ("#show p/1111111111.", "1:1-20", "no predicate has 1111111111 arguments"),
        ("#project -p/1111111111.", "1:1-24", "no predicate has 1111111111 arguments"),
        ("a :- b in [2 # p/1111111111].", "1:16-28", "no predicate has 1111111111 arguments"),
        (
            f"a({','.join(['(1;2)'] * 50)}).",
            "1:1-304",
            "the pools in this statement expand it to more than",
        ),
        (f"a :- {','.join(['b(1;2)'] * 50)}.", "1:1-356", "the pools in this statement expand it to more"),
        (
            f"a :- {{ b : {','.join(['c(1;2)'] * 50)} }}.",
            "1:1-364",
            "the pools in this statement expand it",
        ),
        (f"a :- 1 #sum {{ 1,{','.join(['(1;2)'] * 50)} }}.", "1:1-319", "the pools in this statement"),
        (f'#include "{"a" * 5000}".', "1:1-5013", "cannot find aaa"),
    ],
)
def test_messages_name_the_place(text: str, place: str, message: str) -> None:
    first = re.sub(r"(?<=error: )L[0-9]{3}: ", "", said(text).splitlines()[0], count=1)
    assert first.startswith(f"x.lars:{place}: error: {message}")


def test_one_mistake_is_one_message() -> None:
    assert said("a(X) :- X in [4].").count("error:") == 1


def test_overrides_are_checked_too() -> None:
    assert said("a :- b in [n].", n="5") == "\n"
    assert said("a :- b in [n].", n="X").startswith("-c n=X:1:12-13: error: L504: the value of n must not")


def test_the_error_holds_all_diagnostics() -> None:
    with pytest.raises(ProgramError) as raised:
        compile_program(Source("x.lars", "a(X). b(Y)."))
    assert [found.message for found in raised.value.diagnostics] == [
        "unsafe variable X: nothing gives it a value",
        "unsafe variable Y: nothing gives it a value",
    ]


def calls(text: str) -> int:
    """How many functions are called to compile a program with or without mistakes."""
    number = 0

    def count(*_: object) -> None:
        nonlocal number
        number += 1

    sys.setprofile(count)
    try:
        compiled(text)
    finally:
        sys.setprofile(None)
    return number


def compiled(text: str) -> None:
    """Compiles a program, or says what is wrong with it."""
    try:
        compile_program(Source("x.lars", text))
    except ProgramError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        (lambda n: "".join(f"a{i}(X) :- a{i - 1}(X) in [3], not b(X).\n" for i in range(1, n)), 250),
        (lambda n: "a(X) :- " + "n(X)," * n + "n(X).", 2500),
        (lambda n: "|".join(f"a{i}" for i in range(n)) + ".", 750),
        (lambda n: "".join(f"#const c{i} = c{i + 1}.\n" for i in range(n)) + f"#const c{n} = 1.", 900),
        (lambda n: "a :- ] ." * n, 2000),
        (lambda n: "".join(f"a{i} :- a{(i + 1) % n} count N in [3].\n" for i in range(n)), 400),
    ],
    ids=["rules", "body", "head", "constants", "mistakes", "cycle"],
)
def test_long_programs_take_no_more_than_their_length(text: Callable[[int], str], length: int) -> None:
    """No pass grows with the square of the length: ten times as long takes less than 15 times the calls."""
    compiled(text(10))  # the grammar is read with the first program
    assert calls(text(length)) < 15 * calls(text(length // 10))


@pytest.mark.parametrize("text", ['a("{}").', ':~ a. [1,"{}"]'], ids=["quotes", "quotes-behind-a-dot"])
def test_long_strings_are_read(text: str) -> None:
    """What looks for the end of a string anew at each of its characters would not come to an end."""
    compiled(text.format('\\"' * 500_000))
