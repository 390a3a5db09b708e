"""The lexer and the TextMate grammar know all words of the language, and go through all programs."""

import json
import re
from pathlib import Path

import pytest
from pygments.lexers import load_lexer_from_file
from pygments.token import Comment, Error, Keyword, Name, Operator

from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.directives import names
from lars2asp.syntax.highlighting import token_kinds
from lars2asp.syntax.highlighting.pygments_lexer import Lars2aspLexer
from lars2asp.syntax.highlighting.textmate import grammar_text, textmate_grammar
from lars2asp.syntax.highlighting.token_kinds import KINDS
from lars2asp.syntax.parsing.formulas import marked
from lars2asp.syntax.parsing.grammar import whole_grammar
from lars2asp.syntax.parsing.parse_tables import UnexpectedTextError, tables
from lars2asp.syntax.parsing.statement_texts import cut_statements
from lars2asp.syntax.source import Source
from lars2asp.syntax.time_units import NAMES
from tests.support.pages import BLOCK, PAGES, ROOT

FILES = [path for name in ("examples", "tests") for path in sorted((ROOT / name).rglob("*.lars"))]
TEXTS = [
    *(pytest.param(path.read_text(), id=str(path.relative_to(ROOT))) for path in FILES),
    *(
        pytest.param(block[2], id=f"{page.name}-{number}")
        for page in PAGES
        for number, block in enumerate(BLOCK.finditer(page.read_text()))
        if block[1].startswith("lars")
    ),
]
KEYWORDS = (Keyword, Operator.Word, Name.Builtin)
OF_RDF = ("IRI", "PREFIXED", "LITERAL")
LIKE_CONVERSIONS = ("_FIXED",)


def coloured(text: str) -> dict[int, tuple[str, object]]:
    """The tokens of a text but blanks, by where they begin."""
    found, at = {}, 0
    for token, part in Lars2aspLexer(stripnl=False, ensurenl=False).get_tokens(text):
        found[at] = (part, token)
        at += len(part)
    return found


def words_of_the_grammar() -> dict[str, set[str]]:
    """The words that the terminals of the grammar consist of, by terminal."""
    text = whole_grammar().partition("// --- tokens ---")[2]
    found: dict[str, set[str]] = {}
    for name, pattern in re.findall(r"^([A-Z_]+)(?:\.\d)?: (/.+)$", text, re.MULTILINE):
        if name in (
            "NUMBER",
            "DECIMAL",
            "STRING",
            "PATH",
            "VARIABLE",
            "IDENTIFIER",
            "ANONYMOUS",
            *OF_RDF,
            *LIKE_CONVERSIONS,
        ):
            continue
        words: set[str] = set()
        for part in re.findall(r"/(#?\(\?:[^)]*\)|#?[a-z_]+)", pattern):
            mark = "#" if part.startswith("#") else ""
            words |= {f"{mark}{one}".replace("\\+", "+") for one in re.findall(r"[a-z_]+(?:\\\+)?", part)}
        found[name] = words
    return found


GRAMMAR_WORDS = words_of_the_grammar()
CONTEXTS = {"UNIT": "[5 {}]", "LONG_UNIT": "[1 {}]"}


def test_words_are_found_in_the_grammar() -> None:
    assert GRAMMAR_WORDS["_COMPLETE_WINDOWS"] == {"#complete_windows"}
    assert GRAMMAR_WORDS["MINIMIZE"] == {"#minimize", "#minimise"}
    assert GRAMMAR_WORDS["AGGREGATE"] == {"#count", "#sum+", "#sum", "#min", "#max"}
    assert GRAMMAR_WORDS["UNIT"] | GRAMMAR_WORDS["LONG_UNIT"] == {*NAMES}
    assert len(GRAMMAR_WORDS) > 45


@pytest.mark.parametrize("terminal", GRAMMAR_WORDS)
def test_every_word_of_the_grammar_is_known_to_both(terminal: str) -> None:
    matches = [re.compile(kind["match"]) for kind in textmate_grammar()["patterns"] if "match" in kind]
    for word in GRAMMAR_WORDS[terminal]:
        text = CONTEXTS.get(terminal, "{} ").format(word)
        at = text.index(word)
        part, token = coloured(text)[at]
        assert part == word
        assert any(token in kind for kind in KEYWORDS), word
        first = next(found for pattern in matches if (found := pattern.match(text, at)))
        assert first[0] == word


def test_no_word_is_known_that_the_grammar_has_not() -> None:
    all_words = set().union(*GRAMMAR_WORDS.values())
    directives = {*names(), *token_kinds.CONSTANTS, *token_kinds.AGGREGATES}
    plain = {*token_kinds.WORDS, *token_kinds.NEGATION, *token_kinds.UNITS, *token_kinds.SHORT_UNITS}
    assert {f"#{word}" for word in directives} | plain == all_words


@pytest.mark.parametrize("text", TEXTS)
def test_programs_are_coloured_to_their_end(text: str) -> None:
    """Keywords of statements that can be read are coloured as such."""
    tokens = coloured(text)
    assert "".join(part for part, _ in tokens.values()) == text
    source, diagnostics = Source("<text>", text), Diagnostics()
    statements = [*cut_statements(source, diagnostics)]
    is_read = not diagnostics.has_errors
    for statement in statements:
        if statement.text.startswith("#script"):
            continue
        try:
            read = tables().tokens(marked(statement.text))
        except UnexpectedTextError:
            is_read = False
            continue
        for one in read:
            if one.terminal in GRAMMAR_WORDS:
                part, token = tokens[statement.begin + one.begin]
                assert part == one
                assert any(token in kind for kind in KEYWORDS), one
    if is_read:
        assert all(token is not Error for _, token in tokens.values())


def test_comments_are_nested_and_scripts_are_python() -> None:
    text = "%* a %* b *% c *% d.\n#script (python)\ndef f(): return 1\n#end.\n#! e\nf."
    tokens = coloured(text)
    assert all(token in Comment for at, (_, token) in tokens.items() if at < text.index(" d."))
    assert tokens[text.index("def")] == ("def", Keyword)
    assert tokens[text.index("#! e")][1] in Comment
    assert tokens[text.rindex("f.")][1] is Name


def test_kinds_name_tokens_and_scopes() -> None:
    assert len({kind.scope for kind in KINDS}) == len(KINDS)


def test_the_folder_for_vs_code_has_the_grammar() -> None:
    """It is written by `python -m lars2asp.syntax.highlighting.textmate`."""
    folder = ROOT / "examples" / "vscode"
    package = json.loads((folder / "package.json").read_text())
    [grammar] = package["contributes"]["grammars"]
    assert (folder / grammar["path"]).read_text() == grammar_text()
    [language] = package["contributes"]["languages"]
    assert (folder / language["configuration"]).exists()
    assert (folder / package["main"]).exists()


def test_pygments_finds_the_lexer_by_its_file() -> None:
    path = Path(Lars2aspLexer.__module__.replace(".", "/") + ".py")
    assert load_lexer_from_file(str(ROOT / path), "Lars2aspLexer").name == "lars2asp"
