"""The kept tables of the parser are those of the grammar."""

from pathlib import Path

import pytest
from hypothesis import given

from lars2asp.syntax import grammar
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Program
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from lars2asp.syntax.statement_texts import cut_statements
from tests.support.syntax_strategies import syntactic_programs

MADE = grammar.made_parser()


def test_the_tables_are_of_this_grammar() -> None:
    """If not: `python -m lars2asp.syntax.grammar`."""
    with grammar.TABLES.open("rb") as file:
        assert file.readline() == grammar.fingerprint()


@given(syntactic_programs(streaming=True))
def test_the_parser_of_the_tables_gives_the_trees_of_the_grammar(program: Program) -> None:
    for statement in cut_statements(Source("test", to_text(program)), Diagnostics()):
        if not statement.text.startswith("#script"):
            assert grammar.grammar_parser().parse(statement.text) == MADE.parse(statement.text)


def test_tables_of_another_grammar_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "grammar.tables"
    other.write_bytes(b"of another grammar\n")
    monkeypatch.setattr(grammar, "TABLES", other)
    assert grammar.grammar_parser.__wrapped__().parse("p :- q.").data == "start"
