"""How much of an input was read."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import refuse
from lars2asp.syntax.parser import parse_input_declaration

ROWS = 30_000
CSV = "time,room\n" + "".join(f"{tick},r{tick * 7919 % 10007}\n" for tick in range(ROWS))
READING = Reading(declarations=[parse_input_declaration("in(room) at time")])


def packed(pack: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(pack(CSV.encode()))


def columns(path: Path) -> None:
    ticks = range(ROWS)
    table = pa.table({"time": pa.array(ticks), "room": [f"r{tick % 7}" for tick in ticks]})
    parquet.write_table(table, path)


WRITERS: dict[str, Callable[[Path], object]] = {
    "rooms.csv": packed(bytes),
    "rooms.csv.gz": packed(gzip.compress),
    "rooms.csv.zst": packed(zstandard.ZstdCompressor().compress),
    "rooms.parquet": columns,
}


@pytest.mark.parametrize("name", WRITERS)
def test_shares_of_files(tmp_path: Path, name: str) -> None:
    """By bytes of the file, packed as they are; of tables with types by rows."""
    WRITERS[name](tmp_path / name)
    with open_inputs([str(tmp_path / name)], READING, refuse) as source:
        shares = [source.share for _ in source.records()]
    found = [share for share in shares if share is not None]
    assert len(found) == len(shares) == ROWS
    assert found == sorted(found)
    assert found[0] < 0.6
    assert found[-1] > 0.6


def test_the_share_of_several(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        WRITERS["rooms.csv"](tmp_path / name)
    with open_inputs([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")], READING, refuse) as source:
        shares = [source.share or 0.0 for _ in source.records()]
    assert shares == sorted(shares)
    assert (len(shares), shares[-1]) == (2 * ROWS, 1.0)


def test_what_can_be_read_once_has_none(tmp_path: Path) -> None:
    """A file that is closed has none either: another thread may ask at any time."""
    (tmp_path / "a.csv").write_text(CSV)
    with open_inputs([str(tmp_path / "a.csv")], READING, refuse) as source:
        next(source.records())
        assert source.share is not None
    assert source.share is None
    with open_inputs(["/dev/null"], READING, refuse) as source:
        assert source.share is None
