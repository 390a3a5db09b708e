"""The states of a shard from batch to batch, in files of a folder.

Each batch adds a journal entry, or a new base in place of all before. A batch that is done again (its number
is known already) starts from the state before it.
"""

from collections.abc import Callable
from pathlib import Path

from lars2asp.runtime.sharding.shard import BatchResult, ShardState
from lars2asp.runtime.sharding.shard_spec import ShardSpec, check_fingerprint
from lars2asp.runtime.sources.text.text_files import write_whole


class BatchStates:
    """Keeps the states of one shard.

    Args:
        folder: the folder; it is made if it is not there.
        spec: the shard.

    Raises SnapshotError for a folder of another one.
    """

    def __init__(self, folder: Path, spec: ShardSpec) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        known = folder / "program"
        if not known.exists():
            write_whole(known, spec.fingerprint.encode())
        else:
            check_fingerprint(known.read_text(), spec)

    def before(self, batch: int) -> ShardState | None:
        """The state before a batch; None before the first. Deletes what was kept of it and of later ones."""
        self._drop(lambda number: number >= batch)
        base = max(self._numbers("base"), default=None)
        entries = [number for number in self._numbers("journal") if base is None or number >= base]
        if base is None and not entries:
            return None
        return ShardState(
            b"" if base is None else self._path(base, "base").read_bytes(),
            [self._path(number, "journal").read_bytes() for number in sorted(entries)],
        )

    def keep(self, batch: int, result: BatchResult) -> None:
        """Keeps the base and the journal entry of a batch."""
        if result.base is not None:
            write_whole(self._path(batch, "base"), result.base)
        write_whole(self._path(batch, "journal"), result.entry)
        bases = sorted(self._numbers("base"))
        if result.base is not None and len(bases) > 1:  # the batch may still have to be done again
            self._drop(lambda number: number < bases[-2])

    def _drop(self, is_dropped: Callable[[int], bool]) -> None:
        """Deletes what was kept of some batches."""
        for kind in ("base", "journal"):
            for number in filter(is_dropped, self._numbers(kind)):
                self._path(number, kind).unlink()

    def _numbers(self, kind: str) -> list[int]:
        return [int(path.stem) for path in self._folder.glob(f"*.{kind}") if path.stem.isdecimal()]

    def _path(self, batch: int, kind: str) -> Path:
        return self._folder / f"{batch}.{kind}"
