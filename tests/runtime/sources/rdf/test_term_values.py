"""What terms of RDF are as values: those that are seen at once, and those that are taken apart."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.runtime.sources.rdf.term_values import TermValues
from lars2asp.runtime.sources.row_events import Wrong
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.parser import parse
from lars2asp.syntax.rdf_terms import XSD, Literal, literal_of, string_of
from lars2asp.syntax.source import Source

TEXTS = st.text(max_size=4) | st.sampled_from(["7", "-", "n/a", "2026-01-01", '"', "a\\b", "\x7f", "\u2028"])
KINDS = st.sampled_from(
    [
        ("", ""),
        ("de", ""),
        ("", f"{XSD}dateTime"),
        ("", "urn:a"),
        ("", f"{XSD}integer"),
        ("", f"{XSD}decimal"),
    ]
)


def values(declared: str) -> TermValues:
    """Those of a place that is declared so."""
    program = parse(Source("p", f"#input p({declared})."))
    [column] = next(one for one in program.statements if isinstance(one, Input)).columns
    return TermValues(column, 0, frozenset({"", "n/a"}), Timeline())


@pytest.mark.parametrize("declared", ["any(o)", "o", "text(o)"])
def test_literals_are_numbers_or_the_strings_that_they_are(declared: str) -> None:
    @given(TEXTS.filter(lambda text: "\0" not in text), KINDS)
    def hold(text: str, kind: tuple[str, str]) -> None:
        term = str(Literal(text, *kind))
        literal = literal_of(term)
        assert literal is not None
        assert literal.text == text
        expected: object = string_of(literal)
        if literal.number is not None:
            number = Decimal(text)
            if declared == "text(o)":
                expected = text
            elif number == int(number):
                expected = int(number)
            elif declared == "o":  # a decimal where an integer is needed
                expected = Wrong
        if text == "n/a":
            expected = None
        found = values(declared)[term]
        assert (Wrong if isinstance(found, Wrong) else found) == expected

    hold()


@pytest.mark.parametrize("term", ["<http://ex.org/a>", "_:b1"])
def test_nodes_are_strings(term: str) -> None:
    assert [values(declared)[term] for declared in ("any(o)", "o", "text(o)")] == [term] * 3
    assert values("o").of([term, term]) == [term, term]


def test_no_term_is_nothing() -> None:
    assert values("any(o)")[""] is None
