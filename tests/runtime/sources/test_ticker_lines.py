"""Input lines of Ticker: signals between semicolons."""

from dataclasses import replace

import pytest

from lars2asp import Reading, Timeline
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import Rejected


def read(
    *lines: str, timeline: Timeline | None = None
) -> tuple[list[tuple[int, list[str]]], list[tuple[int, str]]]:
    """The ticks and atoms of lines, and which lines are rejected, and why."""
    rejected: list[Rejected] = []
    reading = Reading(Format.TICKER, timeline=timeline or Timeline())
    told = [
        (one.tick, [text for signature, rows in one.events.facts for text in atom_texts(signature, rows, {})])
        for one in reading.records(lines, "stream", rejected.append)
    ]
    return told, [(one.origin.line, one.reason) for one in rejected]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("@3: a; b(1,x)", (3, ["a", "b(1,x)"])),
        ("@3:a;b;", (3, ["a", "b"])),
        (" @ 3 : b( 1 , it is ) ", (3, ['b(1,"it is")'])),
        ("@3:", (3, [])),
        ("@3: a#b(01,-2,x.y)", (3, ['a\'x23\'b("01",-2,"x.y")'])),
    ],
)
def test_a_line_may_name_its_tick(line: str, told: tuple[int, list[str]]) -> None:
    assert read(line) == ([told], [])


def test_by_the_clock_a_line_has_the_tick_of_its_arrival() -> None:
    ticks = iter(range(5, 9))
    timeline = replace(Timeline(), arrival=lambda: next(ticks))
    assert read("a", "b; c(2)", "@30: d", "", "e", timeline=timeline) == (
        [(5, ["a"]), (6, ["b", "c(2)"]), (30, ["d"]), (7, ["e"])],
        [],
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("a; b", "the line has no time: write it, as in @3: a; b"),
        ("@3: not a", "not a is not a signal"),
        ("@3: A(1)", "A(1) is not a signal"),
        ("@3: a(f(1))", "a(f(1)) is not a signal"),
        ("@3: a(X)", "a(X) contains the variable X: write values only"),
        ("@3: a(1,)", "a(1,) contains an empty value: write values only"),
        ("@3 a", "the line has no time"),
    ],
)
def test_a_line_that_cannot_be_read_is_rejected_by_itself(line: str, reason: str) -> None:
    told, [(number, found)] = read("@1: a", line, "@5: b")
    assert (told, number) == ([(1, ["a"]), (5, ["b"])], 2)
    assert found.startswith(reason)
