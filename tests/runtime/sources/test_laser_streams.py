"""Streams of Laser, as they stand in its dictionaries of Python."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp import Reading, Reasoner
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import Rejected
from lars2asp.syntax.dialects.foreign_names import written_atom


def read(*lines: str) -> tuple[list[tuple[int, list[str]]], list[tuple[int, str]]]:
    """The ticks and atoms of lines, and which lines are rejected, and why."""
    rejected: list[Rejected] = []
    records = [*Reading(Format.LASER).records(lines, "stream", rejected.append)]
    told = [
        (one.tick, [text for signature, rows in one.events.facts for text in atom_texts(signature, rows, {})])
        for one in records
    ]
    return told, [(one.origin.line, one.reason) for one in rejected]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('3: ["p(a,b)", "q"],', [(3, ["p(a,b)", "q"])]),
        ("3:['p( a , 12 )',]", [(3, ["p(a,12)"])]),
        ('  "3" : [ "p(-1,007,a.b,Ab,it is)" ]', [(3, ['p(-1,"007","a.b","Ab",itis)'])]),
        ("3: []", [(3, [])]),
        ('3: [""],', [(3, [])]),
        ('stream = { 3: ["q"],', [(3, ["q"])]),
        ('{"3": ["q"], "4": ["r", "s"]}', [(3, ["q"]), (4, ["r", "s"])]),
        ('3: ["q"] }', [(3, ["q"])]),
        ("stream = {", []),
        ("}", []),
        ("   ", []),
        ("# 3: []", []),
        (
            '3: ["p*2(a)", "http://ex.org/#p(x)"]',
            [(3, ["p'x2a'2(a)", "http'x3a''x2f''x2f'ex'x2e'org'x2f''x23'p(x)"])],
        ),
    ],
)
def test_lines_have_ticks_and_lists_of_atoms(line: str, told: list[tuple[int, list[str]]]) -> None:
    assert read(line) == (told, [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('3 ["q"]', "write each line as a tick and the list of its atoms"),
        ('3: "q"', "write each line as a tick and the list of its atoms"),
        ('three: ["q"]', "write each line as a tick and the list of its atoms"),
        ('3: ["q", 4]', 'this is not a list of quoted atoms: ["q", 4]'),
        ('3: ["\\xq"]', "this is not a list of quoted atoms"),
        ("3: [q]", "this is not a list of quoted atoms"),
        ('3: ["p(a"]', "p(a is not an atom: write name or name(value,...,value)"),
        ('3: ["p(a)(b)"]', "p(a)(b) is not an atom"),
        ('3: ["p()"]', "p() contains an empty value: write it, or remove the comma"),
        ('3: ["p(a,,b)"]', "p(a,,b) contains an empty value: write it, or remove the comma"),
        ("3: [\"'p q'(a)\"]", "'p q'(a) is not an atom: remove the quotes around names"),
        ('3: ["q"], x', "write each line as a tick and the list of its atoms"),
    ],
)
def test_a_line_that_cannot_be_read_is_rejected_by_itself(line: str, reason: str) -> None:
    told, [(number, found)] = read('1: ["a"],', line, '5: ["b"]')
    assert (told, number) == ([(1, ["a"]), (5, ["b"])], 2)
    assert found.startswith(reason)


def test_lines_without_end_are_rejected_as_others() -> None:
    lines = [f"3: [{'-' * 200_000}1]", f"3: {'[' * 200_000}]", f'{"9" * 5000}: ["q"]', '5: ["b"]']
    told, rejected = read(*lines)
    assert (told, [line for line, _ in rejected]) == ([(5, ["b"])], [1, 2, 3])


NAMES = st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF, blacklist_characters="'(),"), min_size=1)


@given(NAMES, st.lists(NAMES, max_size=3))
def test_what_is_written_of_an_atom_depends_on_its_text_alone(name: str, values: list[str]) -> None:
    atom = f"{name}({','.join(values)})" if values else name
    [(tick, [told])], rejected = read(f"7: {json.dumps([atom])}")
    assert (tick, told, rejected) == (7, written_atom(name, values), [])


def test_rules_and_streams_have_the_same_names() -> None:
    rules = "h(X) :- time_win(1,0,1,diamond('http://ex.org/p*'(X,'Room 3')))"
    reasoner = Reasoner.from_text(rules, dialect="laser")
    told, _ = read('0: ["http://ex.org/p*(a,Room3)"]', "1: []")
    stream = [(tick, atoms) for tick, atoms in told]
    assert [answer.holds.texts for answer in reasoner.run(stream, emit="every")] == [(), ()]
    rules = rules.replace("Room 3", "Room3")
    reasoner = Reasoner.from_text(rules, dialect="laser")
    assert [answer.holds.texts for answer in reasoner.run(stream, emit="every")] == [("h(a)",), ("h(a)",)]
