from pathlib import Path

import pytest

from tests.support.command_line import run


@pytest.mark.parametrize("topic", ["L101", "l101", "unsafe-variable"])
def test_help_explains_a_code(tmp_path: Path, topic: str) -> None:
    told = run(tmp_path, "help", topic).stdout
    assert told.startswith("L101 unsafe-variable\n")
    assert "\nExample:\n\n    #input " in told
    assert "\nCorrected:\n\n    #input " in told


def test_help_lists_the_codes_by_group(tmp_path: Path) -> None:
    told = run(tmp_path, "help").stdout
    assert "L1  Variables, rules and heads\n  L101  unsafe-variable " in told


def test_help_explains_an_option(tmp_path: Path) -> None:
    told = run(tmp_path, "help", "--lateness").stdout
    assert told.startswith("--lateness\nWait this long for late records")
    assert "Directive: #lateness\n" in told


def test_help_explains_a_directive(tmp_path: Path) -> None:
    told = run(tmp_path, "help", "#lateness").stdout
    assert told.startswith("#lateness duration.\nlars2asp waits this long")
    assert "Option: --lateness overrides it\n" in told
    assert "The file holidays.csv:" in run(tmp_path, "help", "#calendar").stdout
    assert "Did you mean #lateness?" in run(tmp_path, "help", "#latenes", status=2).stderr


def test_help_names_what_is_most_alike(tmp_path: Path) -> None:
    assert "Did you mean unsafe-variable?" in run(tmp_path, "help", "unsafe-varable", status=2).stderr
    assert "`lars2asp help` lists the codes." in run(tmp_path, "help", "9", status=2).stderr
