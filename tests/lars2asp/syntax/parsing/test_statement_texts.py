"""Texts are cut into statements."""

from lars2asp.syntax.printer import to_text
from tests.support.programs import parse_text


def test_dots_in_strings_comments_and_intervals_end_nothing() -> None:
    program = parse_text('a("x. y"). % b. c.\n%* d. %* e. *% f. *% g(1..2). % h')
    assert [to_text(s) for s in program.statements] == ['a("x. y").', "g(1..2)."]
