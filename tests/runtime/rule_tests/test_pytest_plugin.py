"""Tests of rules as items of pytest."""

import os
import sys
import tomllib
from pathlib import Path

from tests.support.pages import ROOT
from tests.support.processes import completed

PLUGIN = "lars2asp.runtime.rule_tests.pytest_plugin"
FILE = """\
program:
  a(X) :- p(X) in [2].
given:
  0: p(1)
case right
expect at 2: a(1)
case wrong
expect at 3: a(1)
"""


def pytest_of(folder: Path, *options: str, status: int) -> str:
    """What pytest says in a folder."""
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "-rA", *options]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    return completed(command, cwd=folder, status=status, env=environment).stdout


def test_cases_are_items_where_they_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "t.lars-test").write_text(FILE)
    said = pytest_of(tmp_path, "--lars", status=1)
    assert "1 failed, 1 passed" in said
    assert "t.lars-test:8: expect at 3: a(1)\n  missing: a(1) at 3\n" in said
    assert "PASSED t.lars-test::right" in said
    assert "1 passed, 1 deselected" in pytest_of(tmp_path, "--lars", "-k", "right", status=0)
    pytest_of(tmp_path, status=5)
    (tmp_path / "t.lars-test").write_text("givn\n")
    assert "givn is not understood" in pytest_of(tmp_path, "--lars", status=2)


def test_pytest_finds_the_plugin() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {PLUGIN: PLUGIN}
