"""The kept tables are those of the grammar, and what they parse is what Lark parses by it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from lark import Lark, Tree

from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Program
from lars2asp.syntax.parsing.grammar import folders, lark_parser, made_tables
from lars2asp.syntax.parsing.parse_tables import HERE, TABLES, Span, Token, tables
from lars2asp.syntax.parsing.statement_texts import cut_statements
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from tests.support.syntax_strategies import syntactic_programs


@cache
def lark() -> Lark:
    return lark_parser()


def tree_of_lark(found: Any) -> Any:
    """A tree of Lark in the same form."""
    if isinstance(found, Tree):
        meta = found.meta
        span = None if meta.empty else Span(meta.start_pos, meta.end_pos)
        return (str(found.data), span, [tree_of_lark(child) for child in found.children])
    return found and (str(found), found.type, found.start_pos, found.end_pos)


def plain(found: Any) -> Any:
    """Tokens of a tree in that form."""
    if isinstance(found, Token):
        return (str(found), found.terminal, found.begin, found.end)
    return found and (*found[:2], [plain(child) for child in found[2]])


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_the_tables_are_of_this_grammar(folder: Path) -> None:
    """If not: `python -m lars2asp.syntax.parsing.grammar`."""
    made = made_tables(lark() if folder == HERE else lark_parser(folder))
    assert json.loads((folder / TABLES).read_bytes()) == made


@given(syntactic_programs(streaming=True))
def test_statements_are_parsed_as_by_lark(program: Program) -> None:
    for statement in cut_statements(Source("test", to_text(program)), Diagnostics()):
        if not statement.text.startswith("#script"):
            found = tables().parse(statement.text, lambda *part: part)
            assert plain(found) == tree_of_lark(lark().parse(statement.text))
