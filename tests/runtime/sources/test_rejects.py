"""Where rejected records go."""

import json
from pathlib import Path

from lars2asp.runtime.sources.records import Origin, Rejected
from lars2asp.runtime.sources.rejects import open_rejects


def test_rejected_records_stand_in_the_file_at_once(tmp_path: Path) -> None:
    """Whoever reads along with a live run sees them, and a run that is killed has written them."""
    file = tmp_path / "rejects.jsonl"
    with open_rejects(str(file), stops_at=False) as rejects:
        rejects.begin()
        rejects(Rejected(Origin("a.csv", 2, "x"), "column t: 'x' is not a number"))
        assert json.loads(file.read_text())["line"] == 2
