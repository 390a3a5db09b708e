"""What programs of Distributed-SR become, construct by construct."""

import pytest

from lars2asp import Reasoner
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.parser import parse, text_source
from lars2asp.syntax.printer import to_text

GIVEN = ["#tick 1 sec.", '#timezone "UTC".']


def ours(text: str) -> list[str]:
    """The lines of a program in our spelling, without the declarations that each program has."""
    lines = to_text(parse(text_source(text, "dsr"))).splitlines()
    assert lines[:2] == GIVEN
    return lines[2:]


def said(text: str) -> list[str]:
    """What is wrong with a program."""
    found = Diagnostics()
    parse(text_source(text, "dsr"), diagnostics=found)
    return [f"{one.location}: {one.message}".partition(", expected")[0] for one in found.found]


@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        ("a :- b in [1 s].", "a :- b in [1 sec]."),
        ("a :- b [2 h].", "a :- b in [2 hour]."),
        ("a :- b always [5 min], c always in [2 msec].", "a :- b always in [5 min], c always in [2 msec]."),
        ("a :- not b in [3 sec].", "a :- not b in [3 sec]."),
        ("a :- b not in [3 sec].", "a :- not b in [3 sec]."),
        ("a :- not b not in [3 sec].", "a :- not not b in [3 sec]."),
        ("a :- b always not in [3 sec].", "a :- not b always in [3 sec]."),
        ("a :- b(V) at T not in [3 s], c(V,T).", "a :- not b(V) at T in [3 sec], c(V,T)."),
        ("x(V) at T :- y(V) at T in [3 s].", "x(V) at T :- y(V) at T in [3 sec]."),
        ("x at (T + 3) :- y at T [3 s].", "x at T+3 :- y at T in [3 sec]."),
        ("r(N,M) :- r(N,M'), c(M',M), M' != M.", "r(N,M) :- r(N,M'), c(M',M), M' != M."),
        ("a(X) :- b(X), X % 2 = 1, X^2 > 5/2*3-1.", "a(X) :- b(X), X\\2 = 1, X**2 > 5/2*3-1."),
        ("a(X) :- b(X), 2^X^2 = 8, 18 <= X.", "a(X) :- b(X), (2**X)**2 = 8, 18 <= X."),
        ("a :- b [3 #], not c(_) [2 #].", "a :- b in [3 #], not c(_) in [2 #]."),
        ("-a(1.5) :- -b.", "-a(1.5) :- -b."),
        ("#show a/2.", "#show a/2."),
    ],
)
def test_rules(theirs: str, expected: str) -> None:
    assert ours(theirs) == [expected]


def test_comments() -> None:
    text = '// a. % b. "\na(1). /* b(2).\n\n c(3). */ d("// % /* x").// e(5).\nf :- 3 % 2 = 1. // g'
    assert ours(text) == ["a(1).", 'd("// % /* x").', "f :- 3\\2 = 1."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a :- b.\n// c\nd :- e in [3 fortnights].", "<text>:3:14-24: unexpected fortnights"),
        ("a :- b % c.", "<text>:1:6-11: expected an atom, not a term"),
        ("a :- % b.", "<text>:1:6-7: unexpected %"),
        ("a :- b not [3 s].", "<text>:1:12-13: unexpected ["),
        ("a :- b", "<text>:1:6-7: the text ends in the middle of a statement"),
    ],
)
def test_mistakes_have_their_places(text: str, message: str) -> None:
    assert said(text) == [message]


def test_windows_are_closed_and_events_half_open() -> None:
    """What ends at a second held up to the one before; a window has its size and the present.

    b       o---o
    tick    1 2 3 4 5 6
    """
    reasoner = Reasoner.from_text("q :- b in [2 s]. r :- b always in [1 s].", dialect="dsr")
    lines = iter(["1 b;+", "3 b;-", "6"])
    records = reasoner.reading.records(lines, "log", lambda rejected: pytest.fail(str(rejected)))
    assert {one.tick: one.holds.texts for one in reasoner.run(records, emit="every")} == {
        **{1: ("q", "r"), 2: ("q", "r"), 3: ("q",), 4: ("q",), 5: (), 6: ()},
    }
