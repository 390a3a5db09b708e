"""Each directive of the grammar is in the table of directives, with an option that exists and an example."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from lars2asp import Source, check
from lars2asp.runtime.settings.table import SETTINGS
from lars2asp.syntax.diagnostics import Severity
from lars2asp.syntax.directives import DIRECTIVES, Directive, directive_of, directive_text, meant, names
from lars2asp.syntax.parser import read_sources
from lars2asp.syntax.parsing.grammar import whole_grammar

DOCS = Path(__file__).parents[3] / "docs"
EACH = pytest.mark.parametrize("one", DIRECTIVES.values(), ids=list(DIRECTIVES))


def test_the_table_has_the_directives_of_the_grammar() -> None:
    tokens = whole_grammar().partition("// Directives")[2].partition("_HASH")[0]
    assert sorted(re.findall(r"/#([a-z_]+)", tokens)) == sorted(names())
    terminals = dict(re.findall(r"^(\w+): /(#[a-z_]+)", tokens, re.MULTILINE))
    for one in DIRECTIVES.values():
        assert not one.parts or terminals[one.terminal] == one.name


def test_options_of_directives_are_settings() -> None:
    overridden = {one.option: one.name for one in DIRECTIVES.values() if one.option and not one.is_added}
    assert overridden == {one.name: one.directive for one in SETTINGS.values() if one.directive}
    for one in DIRECTIVES.values():
        assert not one.option or one.option in SETTINGS
        assert one.is_added or one.option in ("", "declare", one.name[1:])


@EACH
def test_examples_are_right(one: Directive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in one.files.items():
        (tmp_path / name).write_text(f"{text}\n")
    assert re.search(rf"{one.name}\b", one.example)
    (tmp_path / "p.lars").write_text(one.example)
    found = check(*read_sources(["p.lars"]))
    assert [finding for finding in found if finding.severity is Severity.ERROR] == []
    assert directive_of(f"{one.name} 1.") is one
    assert one.syntax.startswith(one.name)
    assert one.example in (directive_text(one.name[1:]) or "")


@EACH
def test_hints_can_be_read(one: Directive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file.lars").write_text("a.")
    (tmp_path / "blocked.csv").write_text("card\n1\n")
    (tmp_path / "holidays.csv").write_text("2026-12-25,Christmas Day\n")
    wanted = re.search(r"#.*\.", one.hint)
    if wanted:
        program = f'#tick 1 min. #timezone "UTC". {wanted[0]}' if one.name != "#timezone" else wanted[0]
        found = check(Source("p.lars", f"{program} b :- p, not reading(1,2)."))
        assert [finding for finding in found if finding.severity is Severity.ERROR] == []


def test_a_misspelt_directive_is_put_right() -> None:
    for one in DIRECTIVES:
        assert meant(one[:-1]) == one
        if one == "#script":
            continue  # a message of its own
        [error, *_] = check(Source("p.lars", f"{one}s 1."))
        assert error.hint == f"did you mean {one}?"
        assert error.edit is not None
        assert error.edit.text == one
    assert meant("#frob") is None
    assert directive_text("frob") is None


def test_the_page_of_directives_is_that_of_the_table() -> None:
    done = subprocess.run(
        [sys.executable, DOCS / "_site" / "directives.py"],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert (DOCS / "reference" / "directives.md").read_text(encoding="utf-8") == done.stdout, (
        "write it anew: python docs/_site/directives.py > docs/reference/directives.md"
    )
