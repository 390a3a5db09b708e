"""The format of the input of `lars2asp spark`, by the rule of `run`: names first, then content."""

import gzip
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.spark.query.spark_query import FileFormat, SparkInput
from lars2asp.syntax.parser import parse_input_declaration

DECLARED = tuple(
    parse_input_declaration(one) for one in ('failed(u) from "failed {u:text}$"', "door(text(d)) at ts")
)
TEXT, JSON, TABLE = "1970-01-01T00:00:17Z failed ann\n", '{"ts": 18, "d": "hall"}\n', "ts;d\n18;hall\n"


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.csv", TABLE, FileFormat.CSV),
        ("a.CSV", TABLE, FileFormat.CSV),
        ("a.tsv", TABLE, FileFormat.CSV),
        ("a.facts", "3: p(1)\n", FileFormat.FACTS),
        ("a.jsonl", JSON, FileFormat.JSONL),
        ("a.log", JSON, FileFormat.JSONL),
        ("a.log", TABLE, FileFormat.CSV),
        ("a.log", TEXT, FileFormat.LOG),
        ("a", TEXT, FileFormat.LOG),
        ("a.txt", "#fields\tts\td\n19\tattic\n", FileFormat.CSV),
    ],
)
def test_files_and_folders(tmp_path: Path, name: str, content: str, form: FileFormat) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    file = folder / name
    file.write_text(content)
    for path in (file, folder):
        source = SparkInput(str(path), declarations=DECLARED)
        assert source.file_format is form
    assert Reading(declarations=DECLARED).format_of(str(file)).value == form.value
    packed = folder / f"{name}.gz"
    packed.write_bytes(gzip.compress(content.encode()))
    assert SparkInput(str(packed), declarations=DECLARED).file_format is form
    assert SparkInput(str(file), FileFormat.LOG, declarations=DECLARED).file_format is FileFormat.LOG


def test_files_of_several_formats(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(TEXT)
    (tmp_path / "b.log").write_text(JSON)
    with pytest.raises(InputError, match="contains files of several formats"):
        _ = SparkInput(str(tmp_path), declarations=DECLARED).file_format


def test_what_is_not_read_on_spark(tmp_path: Path) -> None:
    for name in ("a.ttl", "a.feather"):
        with pytest.raises(
            InputError, match=rf"{name}: lars2asp on Spark cannot read the format \w+: use jsonl"
        ):
            _ = SparkInput(str(tmp_path / name)).file_format
    with pytest.raises(
        InputError,
        match="lars2asp on Spark cannot read workbooks and databases: save the table as a CSV file",
    ):
        _ = SparkInput(str(tmp_path / "a.xlsx")).file_format


def test_what_nothing_tells(tmp_path: Path) -> None:
    """An empty folder, and addresses that Spark reads itself."""
    for address in (str(tmp_path), "s3a://bucket/events", "kafka://host:9092/topic"):
        assert SparkInput(address).file_format is FileFormat.JSONL
        assert SparkInput(address, declarations=DECLARED).file_format is FileFormat.LOG
    assert SparkInput("s3a://bucket/a.facts.bz2").file_format is FileFormat.FACTS
    assert SparkInput("s3a://bucket/a.csv.gz").file_format is FileFormat.CSV
    parquet.write_table(pa.table({"ts": [1]}), tmp_path / "a.parquet")
    assert SparkInput(str(tmp_path), declarations=DECLARED).file_format is FileFormat.PARQUET
