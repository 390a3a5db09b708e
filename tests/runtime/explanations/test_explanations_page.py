"""The explanation as JSON in docs/explanations.md is the one that its command gives."""

import json
from pathlib import Path

from tests.support.pages import BLOCK, DOCS
from tests.support.processes import LARS2ASP, completed

FILES = {
    found[1].partition(" ")[2]: found[2]
    for found in BLOCK.finditer((DOCS / "explanations.md").read_text())
    if "." in found[1]
}


def test_json_is_so(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    question = ["hot(kitchen)", "--input", "readings.csv", "--at", "2026-01-01 00:01", "--as", "json"]
    done = completed([*LARS2ASP, "why", "rooms.lars", *question], cwd=tmp_path)
    assert json.loads(done.stdout) == json.loads(FILES["hot.json"])
