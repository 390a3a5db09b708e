"""The streaming query of the command: its input (files, a folder's files, or a topic of Kafka) and output."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.text.folder_files import files_at, folder_of, is_folder, is_pattern
from lars2asp.runtime.sources.text.sheet_names import sheet_at
from lars2asp.runtime.spark.spark_errors import SparkSetupError
from lars2asp.runtime.spark.spark_settings import RowForm
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

KAFKA = "kafka"
PACKAGES = {
    KAFKA: "org.apache.spark:spark-sql-kafka-0-10_2.13:{spark}",
    "delta": "io.delta:delta-spark_2.13:VERSION (one made for Spark {spark})",
}
"""The packages with which Spark reads and writes what it does not know itself."""

_GLOB = re.compile(r"([*?\[\]{}\\])")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class FileFormat(StrEnum):
    """How files are written."""

    JSONL = "jsonl"
    CSV = "csv"
    FACTS = "facts"
    LOG = "log"
    PARQUET = "parquet"


class QueryOutputFormat(StrEnum):
    """How output is written."""

    JSONL = "jsonl"
    PARQUET = "parquet"
    DELTA = "delta"


_FORMS = {
    FileFormat.JSONL: RowForm.JSONL,
    FileFormat.FACTS: RowForm.FACTS,
    FileFormat.LOG: RowForm.LOG,
    FileFormat.CSV: RowForm.FILES,
}

MOST_LOOKED_AT = 100
"""The number of files of a folder whose content is looked at for their format."""


@dataclass(frozen=True)
class SparkInput:
    """Where rows come from.

    Attributes:
        address: the path of a file or folder, one that Spark knows (`s3a://bucket/folder`), or
            `kafka://host:port/topic`; options of Kafka's may follow, as in `?startingOffsets=latest`.
        format: how files are written; None: as their names say, otherwise their content.
        files_per_batch: the most files that a batch reads, the oldest first; None: all that are there.
        declarations: those of the program, by which tables and lines of text are known.
    """

    address: str
    format: FileFormat | None = None
    files_per_batch: int | None = None
    declarations: Sequence[Input] = ()

    @property
    def path(self) -> Path | None:
        """The file or folder, if it is one of this machine."""
        return None if has_scheme(self.address) else Path(self.address).absolute()

    @property
    def file_format(self) -> FileFormat:
        """How the lines or rows are written. Raises InputError where files do not agree or are not there."""
        if self.format is not None:
            return self.format
        path, reading = self.path, Reading(declarations=self.declarations)
        if path is None:
            said = None if is_kafka(self.address) else _said_format(self.address, reading)
            return _read_on_spark(self.address, said or reading.unnamed)
        if not is_folder(str(path)):
            said = _said_format(path.name, reading)
            return _read_on_spark(path.name, said or reading.format_of(str(path)))
        found: dict[FileFormat, str] = {}
        looks = count()
        for file in _files(path):
            said = _said_format(file.name, reading)
            if said is None and next(looks) < MOST_LOOKED_AT:
                said = reading.format_of(str(file))
            if said is not None:
                found.setdefault(_read_on_spark(file.name, said), file.name)
        if len(found) > 1:
            raise InputError(
                f"{self.address} contains files of several formats "
                f"({', '.join(sorted(found.values()))}): use one folder for each"
            )
        return next(iter(found), _read_on_spark(self.address, reading.unnamed))

    @property
    def form(self) -> RowForm | None:
        """The form of the rows; None where their columns decide. Raises InputError as `file_format` does."""
        return _FORMS.get(self.file_format)

    @property
    def first_table(self) -> Path | None:
        """The first file with a table that is there, on this machine."""
        path = self.path
        if path is None or not Path(folder_of(str(path))).exists() or self.file_format is not FileFormat.CSV:
            return None
        return next(_files(path), None) if is_folder(str(path)) else path

    @property
    def is_read_at_once(self) -> bool:
        """Whether one batch reads all that is there."""
        return self.files_per_batch is None and not is_kafka(self.address)

    def rows(self, spark: "SparkSession") -> "DataFrame":
        """The rows as a stream.

        Raises:
            InputError: for input that is not there, or has no known columns.
            SparkSetupError: where Spark lacks the package for Kafka.
        """
        if is_kafka(self.address):
            return self._topic(spark)
        path = self.path
        if path is not None and not Path(folder_of(str(path))).exists():
            raise InputError(f"{self.address}: no such file or folder")
        place, options = (self.address, {}) if path is None else _place(path)
        reader = spark.readStream.options(**options)
        if self.files_per_batch is not None:
            reader = reader.option("maxFilesPerTrigger", self.files_per_batch)
        match self.file_format:
            case FileFormat.CSV:
                files = reader.schema(_FILE).format("binaryFile").load(place)
                return files if path is None else files.select("path")
            case FileFormat.PARQUET:
                return reader.schema(self._columns(spark, place, options)).parquet(place)
        return reader.text(place)

    def _columns(self, spark: "SparkSession", place: str, options: Mapping[str, str]) -> str:
        """The columns of files that are there, as Spark writes a schema."""
        path = self.path
        if path is not None and is_folder(str(path)) and not any(True for _ in _files(path)):
            raise InputError(
                f"{self.address} contains no file yet, so the columns are unknown: add a file with rows first"
            )
        schema = spark.read.options(**options).parquet(place).schema
        return ", ".join(
            f"`{column.name.replace('`', '``')}` {column.dataType.simpleString()}" for column in schema
        )

    def _topic(self, spark: "SparkSession") -> "DataFrame":
        servers, topic, options = topic_of(self.address)
        if self.files_per_batch is not None:
            raise InputError("a topic contains no files: remove --max-files-per-trigger")
        if self.format in (FileFormat.CSV, FileFormat.PARQUET):
            raise InputError(
                f"a topic contains lines: use --input-format jsonl, facts or log, not {self.format}"
            )
        with needing_source(KAFKA, spark.version):
            reader = spark.readStream.format(KAFKA).option("kafka.bootstrap.servers", servers)
            reader = reader.option("subscribe", topic).option("startingOffsets", "earliest")
            return reader.options(**options).load().selectExpr("cast(value as string) as value")


@dataclass(frozen=True)
class SparkQuery:
    """A streaming query from input to output.

    Attributes:
        input: where rows come from.
        output: where answers go: a folder, or a topic (`kafka://host:port/topic`).
        output_format: how they are written there.
        checkpoint: the folder with what an interrupted run needs to go on.
        until: a time up to which all ticks are over in the end; None: the last ones stay open.
        is_followed: whether it goes on until it is interrupted.
        master: where Spark runs.
        config: settings of Spark.
        functions: a fingerprint of the files with the program's functions.
        is_quiet: whether no progress is shown.
    """

    input: SparkInput
    output: str
    checkpoint: Path
    until: str | None = None
    is_followed: bool = False
    master: str = "local[*]"
    config: Mapping[str, str] = field(default_factory=dict)
    functions: str = ""
    output_format: QueryOutputFormat = QueryOutputFormat.JSONL
    is_quiet: bool = False


_FILE = "path string, modificationTime timestamp, length long, content binary"
"""The columns of files that are read as a whole: tables, as their own reader has them."""


def has_scheme(address: str) -> bool:
    """Whether an address is another than a path."""
    return _SCHEME.match(address) is not None


def place_of(address: str) -> str:
    """An address as Spark takes it for output: Java may have been started in another folder."""
    return address if has_scheme(address) else f"file://{Path(address).absolute()}"


def is_kafka(address: str) -> bool:
    """Whether an address is that of a topic of Kafka's."""
    return address.startswith(f"{KAFKA}://")


def topic_of(address: str) -> tuple[str, str, dict[str, str]]:
    """The servers, the topic and the options in an address of Kafka's. Raises InputError."""
    url = urlsplit(address)
    topic = url.path.strip("/")
    if not url.netloc or not topic:
        raise InputError(f"{address}: write kafka://HOST:PORT/TOPIC")
    return url.netloc, topic, dict(parse_qsl(url.query))


@contextmanager
def needing_source(name: str, version: str) -> Iterator[None]:
    """Within the context, that Spark has no data source of this name is a SparkSetupError.

    Args:
        name: the name of the source, a key of PACKAGES.
        version: that of Spark.
    """
    try:
        yield
    except Exception as error:
        if f"data source: {name}" not in str(error):
            raise
        raise SparkSetupError(
            f"Spark lacks the package for {name.capitalize()}: add --packages "
            f"{PACKAGES[name].format(spark=version)} to download it, or --conf spark.jars=FILE,..."
        ) from error


def _said_format(name: str, reading: Reading) -> Format | None:
    """The format that the name of a file says; Spark also unpacks what `run` does not."""
    return reading.said_format(name.removesuffix(".bz2"))


def _read_on_spark(name: str, form: Format) -> FileFormat:
    """The format of a file, as Spark reads it. Raises InputError for one that it does not."""
    if sheet_at(name) is not None:
        raise InputError(
            f"{name}: lars2asp on Spark cannot read workbooks and databases: save the table as a CSV file"
        )
    if name.lower().endswith((".xz", ".zip")):
        raise InputError(f"{name}: Spark cannot unpack this file: unpack it first")
    try:
        return FileFormat(form.value)
    except ValueError:
        known = ", ".join(FileFormat)
        raise InputError(f"{name}: lars2asp on Spark cannot read the format {form}: use {known}") from None


def _place(path: Path) -> tuple[str, dict[str, str]]:
    """A path as Spark takes it, and options; that of a file is a pattern, as Spark has no stream of a file.

    Raises InputError for a pattern that Spark has not.
    """
    if is_pattern(str(path)):
        return _pattern(path)
    name = _GLOB.sub(r"\\\1", str(path))
    if path.is_file():
        name = f"{name[:-1]}[{name[-1]}]" if name[-1].isalnum() else f"{name[:-1]}?"
    return f"file://{name}", {}


def _pattern(path: Path) -> tuple[str, dict[str, str]]:
    """The same for a pattern of names: Spark has `**` as an option, with a pattern for the files."""
    parts = [_GLOB.sub(r"\\\1", part).replace(r"\*", "*") for part in path.parts]
    if "**" not in parts:
        return f"file://{Path(*parts)}", {}
    place = parts.index("**")
    if len(parts) - place > 2:
        raise InputError(
            f"{path}: Spark reads `**` only in front of the name of the file, as in logs/**/*.csv"
        )
    options = {"recursiveFileLookup": "true"}
    if place < len(parts) - 1:
        options["pathGlobFilter"] = parts[-1]
    return f"file://{Path(*parts[:place])}", options


def _files(folder: Path) -> Iterator[Path]:
    """The files that Spark reads of a folder or pattern; hidden ones are left out."""
    files = files_at(str(folder)) if is_pattern(str(folder)) else folder.iterdir()
    return (path for path in sorted(files) if path.name[0] not in "._" and path.is_file())
