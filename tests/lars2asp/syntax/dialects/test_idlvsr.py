"""What programs of I-DLV-sr become, construct by construct."""

import pytest

from lars2asp.compiler import check
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.parser import parse, text_source
from lars2asp.syntax.printer import to_text

GIVEN = ["#tick 1 sec.", '#timezone "UTC".']
"""What each program has."""


def here(text: str, settings: str = "") -> list[str]:
    """The lines of a program in our spelling."""
    return to_text(parse(text_source(text, f"idlvsr{settings and ':'}{settings}"))).splitlines()


def ours(text: str, settings: str = "") -> list[str]:
    """The same without the declarations that each program has."""
    return [line for line in here(text, settings) if line not in GIVEN]


def said(text: str) -> list[str]:
    """What is wrong with a program."""
    found = Diagnostics()
    parse(text_source(text, "idlvsr"), diagnostics=found)
    return [f"{one.location}: {one.message}" for one in found.found]


@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        ("a :- b in [3].", "a :- b in [3]."),
        ("a:-b count X in{1,2},X>0.", "a :- b count X in {1,2}, X > 0."),
        ("a :- b always in [2 hrs].", "a :- b always in [2 hour]."),
        ("a :- b at least 2 in [3 min].", "a :- b at least 2 in [3 min]."),
        ("a :- b in {1,3 min}.", "a :- b in {1 min,3 min}."),
        ("a :- b in {1..3 hrs}.", "a :- b in {1 hour..3 hour}."),
        ("a(Z) :- b(X), &f(X,1;Z).", "a(Z) :- b(X), Z = @f(X,1)."),
        ("a(Y,Z) :- b(X), &f(X;Y,Z).", "a(Y,Z) :- b(X), (Y,Z) = @f(X)."),
        ("a :- b(X), &f(X;).", "a :- b(X), @f(X) = 1."),
        ("a :- b(X), not &f(X;).", "a :- b(X), @f(X) = 0."),
        ("a(Y) :- &f(;Y).", "a(Y) :- Y = @f."),
        ("#trigger_frequency(5 min) a :- b.", "a :- b, @now\\5 min = 0."),
        ("#trigger_frequency(2 hrs) #temp a :- b in [1].", "#temp a :- b in [1], @now\\2 hour = 0."),
        ("#temp a(X) :- b count X in [30].", "#temp a(X) :- b count X in [30]."),
        ("a(X) :- b(X) at most X in [2].", "a(X) :- b(X) in [2], b(X) at most X in [2]."),
        ("a(X) :- b(X) at most 1 in [2], c(X).", "a(X) :- b(X) at most 1 in [2], c(X)."),
        ("a :- b(X) at most 1 in [2], X = Y+1, c(Y).", "a :- b(X) at most 1 in [2], X = Y+1, c(Y)."),
        ("a :- b at most X in [2], #count{Y: c(Y)} = X.", "a :- b at most X in [2], #count { Y: c(Y) } = X."),
        ("a(T/C) :- b(T), c(C).", "a(T/C) :- b(T), c(C)."),
        ("a | b :- c.", "a; b :- c."),
        (":~ a. [1@2]", ":~ a. [1@2]"),
    ],
)
def test_rules(theirs: str, expected: str) -> None:
    assert ours(theirs) == [expected]


def test_shows_end_with_their_lines() -> None:
    """Those with a dot as well; a line that goes on does not."""
    assert ours("#show a/1\n#show b/0.\n#show c/2 % more\na(1) :- b.\n#show d/0") == [
        *("#show a/1.", "#show b/0.", "#show c/2.", "a(1) :- b.", "#show d/0."),
    ]


def test_the_time() -> None:
    """It is a time where nothing else is said, and otherwise a number since 1970."""
    assert ours("a(X,@now) :- b(X). c(T) :- b(_), T = @now.") == [
        *("a(X,@now) :- b(X).", "c(T) :- b(_), T = @now."),
        *("#types a(_,time).", "#types c(time)."),
    ]
    assert ours(
        'a :- b, @now > "1970-01-01T00:01:00", T = @now, "1970-01-02T00:00:00.500" >= T, T != "b".'
    ) == ['a :- b, @now > 60 sec, T = @now, 86400500 msec >= T, T != "b".']
    assert ours("a(@now) :- b.", "now-format=sec") == ["a(@now) :- b."]
    assert ours("a(@now) :- b.", "now-format=min") == ["a(@now/60) :- b."]
    assert here("a(@now) :- b.", "now-format=sec,t-unit=min") == [
        "#tick 1 min.",
        GIVEN[1],
        "a(@now*60) :- b.",
    ]
    assert here("a(@now) :- b.", "now-format=min,t-unit=min")[2:] == ["a(@now) :- b."]


def test_parts_of_the_time() -> None:
    assert ours("day :- @now.hour >= 6, @now.hour < 22. d(_Hour) :- b(_Hour), @now.hours = 1.") == [
        "day :- _Hour >= 6, _Hour < 22, hour(_Hour).",
        "d(_Hour) :- b(_Hour), _Hour' = 1, hour(_Hour').",
        "#calendar hour(Hour).",
    ]
    assert ours('a(@now.day, @now.minute, @now.second, "@now.hour").') == [
        'a(_Day,_Minute\\60,@now\\1 min/1 sec,"@now.hour") :- date(_,_,_Day), minute_of_day(_Minute).',
        *("#calendar date(Year,Month,Day).", "#calendar minute_of_day(Minute)."),
    ]
    assert said("a :- @now.age > 3.") == ["<text>:1:6-14: @now.age is not known"]


@pytest.mark.parametrize(
    ("settings", "window"),
    [
        ("t-unit=min,windows-unit=min", "b in [3], c in {1,2}, d in [1 sec]"),
        ("t-unit=sec,windows-unit=min", "b in [3 min], c in {1 min,2 min}, d in [1 sec]"),
        ("windows-unit=hrs", "b in [3 hour], c in {1 hour,2 hour}, d in [1 sec]"),
    ],
)
def test_the_unit_of_windows_without_one(settings: str, window: str) -> None:
    assert ours("a :- b in [3], c in {1,2}, d in [1 sec].", settings)[-1] == f"a :- {window}."


def test_what_the_program_says_itself_counts() -> None:
    text = '#timezone "Europe/Rome". #tick 1 min. a :- b in [3].'
    assert here(text) == ['#timezone "Europe/Rome".', "#tick 1 min.", "a :- b in [3]."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a :- b.\nc :- &f(X.", "<text>:2:10-11: unexpected ."),
        ("a :- &f(X;Y;Z).", "<text>:1:12-13: unexpected ;"),
        ("#trigger_frequency 5 a :- b.", "<text>:1:20-21: unexpected 5"),
        ("a :- b in [3 fortnights].", "<text>:1:14-24: unexpected fortnights"),
        ("a :- b", "<text>:1:6-7: the text ends in the middle of a statement"),
    ],
)
def test_mistakes_have_their_places(text: str, message: str) -> None:
    assert [one.partition(", expected")[0] for one in said(text)] == [message]


def test_mistakes_behind_the_parser_have_them_too() -> None:
    [found] = check(text_source("a(X) :- b.\nc(X) :- not &f(X;).", "idlvsr"))[:1]
    assert (found.location.line, found.message) == (1, "unsafe variable X: nothing gives it a value")


def test_the_places_are_those_of_the_text() -> None:
    text = "p :- q.\nday :- r, &f(1;X), @now.hour >= X."
    rule = [*parse(text_source(text, "idlvsr")).rules()][1]
    places = [
        text[one.location.begin : one.location.end] for one in rule.body if isinstance(one, nodes.Literal)
    ]
    assert places == ["r", "&f(1;X)", "@now.hour >= X", "@now.hour"]


@pytest.mark.parametrize(
    ("text", "theirs", "cure"),
    [
        ("a :- b in [{}].", "3 minutes", "3 min"),
        ("a :- b in [1 .. {}].", "2 hours", "2 hour"),
        ("a :- b in {{{}}}.", "1 secs", "1 sec"),
        ("#trigger_frequency({}) a :- b.", "2 weeks", "14 day"),
    ],
)
def test_another_name_of_a_unit_is_told(text: str, theirs: str, cure: str) -> None:
    found = Diagnostics()
    parse(text_source(text.format(theirs), "idlvsr"), diagnostics=found)
    words = f"{theirs.partition(' ')[2]} is not a unit of time", f"write {cure}"
    assert [(one.message, one.hint) for one in found.found] == [words]
    assert not said(text.format(cure))
