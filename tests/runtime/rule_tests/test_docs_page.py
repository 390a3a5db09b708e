"""docs/testing.md: its files are written, its commands run."""

from pathlib import Path

import pytest

from tests.support.command_line import run
from tests.support.pages import BLOCK, DOCS

PAGE = DOCS / "testing.md"
BLOCKS = [(found[1].partition(" "), found[2]) for found in BLOCK.finditer(PAGE.read_text())]
FILES = {name: text for (kind, _, name), text in BLOCKS if kind == "text" and name}
COMMANDS = [text for (kind, _, _), text in BLOCKS if kind == "console"]
READINGS = """\
{"time": 0, "facts": ["reading(hall, 21)"]}
{"time": 1, "facts": ["reading(hall, 19)"]}
{"time": 2, "facts": ["reading(hall, 22)"]}
"""


@pytest.mark.parametrize("text", COMMANDS)
def test_a_command_of_the_page_prints_what_stands_below_it(text: str, tmp_path: Path) -> None:
    for name, content in {**FILES, "readings.jsonl": READINGS}.items():
        (tmp_path / name).write_text(content)
    command, _, printed = text.partition("\n")
    done = run(tmp_path, *command.split()[2:], status=int("failed  " in printed))
    assert done.stdout == printed
    if "--record" in command:
        assert (tmp_path / "recorded.lars-test").read_text() == FILES["recorded"]
