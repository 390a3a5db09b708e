"""Imports of scripts that will fail are found without running anything."""

import sys
from pathlib import Path

import pytest

from lars2asp.compiler import read_program
from lars2asp.runtime.reasoning.script_imports import check_imports
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.source import Source


def said(code: str) -> list[str]:
    """What is said of a program with a script."""
    found = Diagnostics()
    check_imports(read_program(Source("x.lars", f"a.\n#script (python)\n{code}\n#end.\n")), found)
    return [f"{one.location}: {one.message}" + f" ({one.hint})" * bool(one.hint) for one in found.found]


@pytest.mark.parametrize(
    ("code", "place", "message"),
    [
        ("import not_there", "3:1-17", "the script imports not_there, which is not there"),
        ("import json, not_there", "3:1-23", "the script imports not_there, which is not there"),
        ('x = "ü"; import not_there', "3:10-26", "the script imports not_there, which is not there"),
        ("from os.pathh import join", "3:1-26", "the script imports os.pathh, which is not there"),
        ("import json.coder", "3:1-18", "the script imports json.coder, which is not there"),
        ("from . import rooms", "3:1-20", "a script is in no package: it cannot import from `.`"),
        ("from clingo import Nunber", "3:1-26", "the script imports Nunber from clingo, which has none"),
        ("from lars2asp import pur", "3:1-25", "the script imports pur from lars2asp, which has none"),
    ],
)
def test_an_import_that_fails_is_told_with_its_place(code: str, place: str, message: str) -> None:
    [found] = said(code)
    assert found.startswith(f"x.lars:{place}: {message}")


def test_a_name_like_the_one_that_is_not_there_is_proposed() -> None:
    [found] = said("from clingo import Nunber")
    assert found.endswith("(is Number meant?)")


@pytest.mark.parametrize(
    "code",
    [
        "import json, os.path\nfrom xml.etree import ElementTree\nfrom collections.abc import *",
        "from clingo import Number\nfrom clingo.symbol import parse_term\nfrom lars2asp import pure",
        "try:\n    import not_there\nexcept ImportError:\n    not_there = None",
        "def f(x):\n    import not_there\n    return x",
        'import sys\nsys.path.append("/rooms")\nimport not_there',
        "import (",
    ],
)
def test_what_may_be_there_is_not_told(code: str) -> None:
    assert said(code) == []


def test_modules_are_looked_for_and_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "runs_amok").mkdir()
    (tmp_path / "runs_amok" / "__init__.py").write_text("raise SystemExit('it was run')")
    (tmp_path / "runs_amok" / "inner.py").write_text("raise SystemExit('it was run')")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    assert said("import runs_amok.inner\nfrom runs_amok import anything") == []
    [found] = said("import runs_amok.outer")
    assert "runs_amok.outer, which is not there" in found
