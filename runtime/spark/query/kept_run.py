"""The run that a checkpoint folder belongs to, written down in it."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.sources.text.text_files import write_whole

_NAME = "run.json"
_DIFFERENCES = {
    "program": "of another program or of other options",
    "input": "of another --input",
    "output": "of another --output",
    "partition": "of another --split",
    "partitions": "of another number of --partitions",
}


KeptRun = Mapping[str, str | int]
"""The properties of a run that must stay the same for its checkpoint.

program: a fingerprint of the program and the options that its answers depend on.
input: where rows come from.
output: the folder of the answers.
partition: which reasoners there are.
partitions: how many reasoners work side by side.
"""


def load(folder: Path) -> KeptRun | None:
    """The run that a checkpoint folder belongs to; None for a new one. Raises SnapshotError."""
    path = folder / _NAME
    if not path.exists():
        if folder.is_dir() and any(folder.iterdir()):
            raise SnapshotError(f"{folder} contains other files: name an empty checkpoint folder")
        return None
    with suppress(ValueError):
        kept = json.loads(path.read_text())
        if isinstance(kept, dict) and kept.keys() == _DIFFERENCES.keys():
            return kept
    raise SnapshotError(f"cannot read {path}: name another checkpoint folder")


def keep(folder: Path, run: KeptRun) -> None:
    """Writes down the run that a checkpoint folder belongs to. Raises SnapshotError if it is another one."""
    before = load(folder)
    if before is None:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / _NAME, f"{json.dumps(run, indent=2)}\n".encode())
        return
    for name, difference in _DIFFERENCES.items():
        if before[name] != run[name]:
            raise SnapshotError(f"the checkpoint {folder} is {difference}: name another checkpoint folder")
