"""Logs of I-DLV-sr and of Distributed-SR, line by line."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp import Reading, Reasoner, Timeline
from lars2asp.analysis.tick_moments import EPOCH
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import Rejected

SECONDS = Timeline(1_000_000, origin=EPOCH, zone=EPOCH.tzinfo)


def read(form: Format, *lines: str) -> tuple[list[tuple[int, tuple[str, ...]]], list[str]]:
    """What lines tell, with signs before what begins and ends, and why some are rejected."""
    rejected: list[Rejected] = []
    records = Reading(form, timeline=SECONDS).records(lines, "log", rejected.append)
    told = []
    for one in records:
        events = one.events
        parts = zip((events.facts, events.begin, events.end), ("", "+", "-"), strict=True)
        told.append((one.tick, tuple(f"{sign}{atom}" for atoms, sign in parts for atom in texts(atoms))))
    return told, [one.reason for one in rejected]


def texts(atoms: Sequence[AtomRows]) -> list[str]:
    return [text for signature, rows in atoms for text in atom_texts(signature, rows, {})]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1970-01-01T00:00:03 a; b(1);", ("a", "b(1)")),
        ("1970-01-01T00:00:03 a; b( 1, x )", ("a", "b(1,x)")),
        ("1970-01-01T00:00:03", ()),
        ("1970-01-01T00:00:03 ", ()),
        ("1970-01-01T00:00:03 a; @end;", ("a",)),
        ("1970-01-01T00:00:03 @end;", ()),
        ("1970-01-01T00:00:03.250 a;", ("a",)),
        ('1970-01-01T00:00:03 p("x; y","\\"");q;', ('p("x; y","\\"")', "q")),
        ("3 a;", ("a",)),
        ("1970-01-01 00:00:03 a;", ("a",)),
        ("1970-01-01 00:00:03", ()),
        ("1970-01-01T00:00:03 -a(2);", ("-a(2)",)),
    ],
)
def test_lines_of_idlvsr(line: str, told: tuple[str, ...]) -> None:
    assert read(Format.IDLVSR, line) == ([(3, told)], [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("yesterday a;", "the time 'yesterday'"),
        ("3 a(;", "'a('"),
        ("3 a b;", "'a b'"),
        ("3 a(X);", "a(X) contains the variable X"),
        ('3 p("x;', "this string lacks a closing quote"),
        ('3 p("x");+', "add --input-format dsr"),
        ("3 a;+ b;-", "add --input-format dsr"),
    ],
)
def test_lines_of_idlvsr_that_are_rejected(line: str, reason: str) -> None:
    """And what is right around them is read."""
    told, rejected = read(Format.IDLVSR, "2 a;", line, "", "% a comment", "4 b;")
    assert told == [(2, ("a",)), (4, ("b",))]
    assert len(rejected) == 1
    assert reason in rejected[0]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1970-01-01T00:00:03 a;+ b(1);+", [("+a", "+b(1)")]),
        ("1970-01-01T00:00:03 a;-", [("+a",), ("-a",)]),
        ("1970-01-01T00:00:03 a;+ b;-", [("+a", "+b"), ("-b",)]),
        ("1970-01-01T00:00:03 b;- a;+", [("+b",), ("-b",), ("+a",)]),
        ("1970-01-01T00:00:03 y", [("+y",)]),
        ("1970-01-01T00:00:03", [()]),
    ],
)
def test_lines_of_distributed_sr(line: str, told: list[tuple[str, ...]]) -> None:
    assert read(Format.DSR, line) == ([(3, one) for one in told], [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("3 a(25)-", "a(25)-: write a semicolon in front of the sign"),
        ("3 ;+", "write an atom in front of ;+"),
        ("3 a;+ b(;-", "'b('"),
        ("soon a;+", "the time 'soon'"),
    ],
)
def test_lines_of_distributed_sr_that_are_rejected(line: str, reason: str) -> None:
    told, rejected = read(Format.DSR, "2 a;+", line, "4 a;+")
    assert told == [(2, ("+a",)), (4, ("+a",))]
    assert len(rejected) == 1
    assert reason in rejected[0]


@given(st.data())
def test_any_line_is_read_or_rejected(data: st.DataObject) -> None:
    pieces = [
        "3 ",
        "a",
        "b(1)",
        'p("x; y")',
        ";",
        ";+",
        ";-",
        " ",
        '"',
        "\\",
        "(",
        ")",
        ",",
        "@end;",
        "1970-01-01T00:00:03 ",
    ]
    parts = st.lists(st.sampled_from(pieces) | st.text(max_size=2), max_size=9)
    line = "".join(data.draw(parts))
    for form in (Format.IDLVSR, Format.DSR):
        told, rejected = read(form, line)
        assert len(rejected) <= 1
        assert not (told and rejected)


def test_what_ends_need_not_have_begun() -> None:
    """Their logs end at each second what is not there; a second begin says nothing new.

    a       o-------o
    tick    1 2 3 4 5 6
    """
    rejected: list[Rejected] = []
    reasoner = Reasoner.from_text("q :- a. r :- a in [1].")
    lines = ["1 a;+ b;-", "2 b;-", "3 a;+", "5 a;-", "6 a;-", "8"]
    records = Reading(Format.DSR).records(lines, "log", rejected.append)
    answers = {one.tick: one.holds.texts for one in reasoner.run(records, emit="every")}
    assert answers == {
        **dict.fromkeys(range(1, 5), ("q", "r")),
        **{5: ("r",), 6: (), 7: (), 8: ()},
    }
    assert rejected == []
