"""What docs/explanations.md says of explanations as JSON is so."""

import json
import re
from pathlib import Path

from lars2asp.checking.explanation_shapes import SHAPES
from tests.support.pages import BLOCK, CODE, DOCS
from tests.support.processes import LARS2ASP, completed

PAGE = (DOCS / "explanations.md").read_text()
FILES = {found[1].partition(" ")[2]: found[2] for found in BLOCK.finditer(PAGE) if "." in found[1]}


def test_the_example_is_what_its_command_gives(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    question = [
        "hot(kitchen)",
        "--input",
        "readings.csv",
        "--at",
        "2026-01-01 00:01",
        "--output-format",
        "json",
    ]
    done = completed([*LARS2ASP, "why", "rooms.lars", *question], cwd=tmp_path)
    assert json.loads(done.stdout) == json.loads(FILES["hot.json"])


def test_the_reference_has_every_key() -> None:
    reference = PAGE[PAGE.index("## Reference") :]
    named = {code[1] for code in CODE.findall(reference)}
    keys = {re.split(r"\??:", entry)[0] for shape in SHAPES.values() for entry in shape.split()}
    assert keys - named == set()
