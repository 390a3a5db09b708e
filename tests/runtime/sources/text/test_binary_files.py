"""Files that are no text are named, and not read as lines that are rejected."""

import bz2
import gzip
import io
import lzma
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
import zstandard
from pyarrow import feather, parquet

from lars2asp import Reading
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.text.binary_files import binary_kind
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.command_line import run

TABLE = pa.table({"t": [1], "v": [2]})
TEXT = b"t,v\n1,2\n"


def _zip() -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        archive.writestr("a.csv", TEXT)
    return found.getvalue()


def _tar() -> bytes:
    found = io.BytesIO()
    with tarfile.open(fileobj=found, mode="w") as archive:
        info = tarfile.TarInfo("a.csv")
        info.size = len(TEXT)
        archive.addfile(info, io.BytesIO(TEXT))
    return found.getvalue()


def _stream() -> bytes:
    found = io.BytesIO()
    with pa.ipc.new_stream(found, TABLE.schema) as writer:
        writer.write_table(TABLE)
    return found.getvalue()


def _written(folder: Path, name: str) -> bytes:
    path = folder / name
    match name:
        case "a.parquet":
            parquet.write_table(TABLE, path)
        case "a.feather":
            feather.write_feather(TABLE, str(path))
        case "a.sqlite":
            with sqlite3.connect(path) as connection:
                connection.execute("CREATE TABLE r (t, v)")
        case _:
            duckdb.connect(str(path)).close()
    return path.read_bytes()


BYTES: dict[str, Callable[[Path], bytes]] = {
    "a gzip file": lambda _: gzip.compress(TEXT),
    "an xz file": lambda _: lzma.compress(TEXT),
    "a bzip2 file": lambda _: bz2.compress(TEXT),
    "a Zstandard file": lambda _: zstandard.ZstdCompressor().compress(TEXT),
    "a zip file": lambda _: _zip(),
    "a tar file": lambda _: _tar(),
    "a stream of Arrow": lambda _: _stream(),
    "a Parquet file": lambda folder: _written(folder, "a.parquet"),
    "an Arrow file": lambda folder: _written(folder, "a.feather"),
    "a database of SQLite": lambda folder: _written(folder, "a.sqlite"),
    "a database of DuckDB": lambda folder: _written(folder, "a.duckdb"),
    "a PDF document": lambda _: b"%PDF-1.7\n%\xe2\xe3\n",
    "an Avro file": lambda _: b"Obj\1\4",
}


@pytest.mark.parametrize("kind", BYTES)
@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.log"])
def test_the_kind_is_named(tmp_path: Path, kind: str, name: str) -> None:
    (tmp_path / name).write_bytes(BYTES[kind](tmp_path))
    how = Reading(timeline=Timeline(), declarations=[parse_input_declaration("r(v) at t")])
    with pytest.raises(InputError, match=rf"{name}: this is {kind}.*, not text: "):
        [*read_file(tmp_path / name, how, lambda _: None)]


def test_commands_say_so_and_end(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(gzip.compress(TEXT))
    (tmp_path / "p.lars").write_text("#input r(v) at t.\nh :- r(2).\n")
    for command, status in ((["run", "p.lars"], 2), (["check", "p.lars"], 2), (["check"], 1)):
        done = run(tmp_path, *command, "--input", "x.csv", status=status)
        assert "this is a gzip file, not text: rename it to .gz" in done.stderr


def test_text_is_text() -> None:
    for text in (TEXT, b"PAR2,x\n", "ü,ö".encode("utf-16"), b"\xef\xbb\xbft,v", b"BZh,1\n", b"", b"ORC,1\n"):
        assert not binary_kind(text)
