"""A clock for streaming queries that is moved by hand."""

from pathlib import Path
from typing import TYPE_CHECKING

from lars2asp.runtime.sources.text.text_files import write_whole

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class ClockFolder:
    """Times in files of a folder; a query that runs, or runs again, reads the new ones.

    Args:
        folder: made if it is not there.

    Attributes:
        folder: its absolute path.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        folder.mkdir(parents=True, exist_ok=True)

    def times(self, spark: "SparkSession") -> "DataFrame":
        """The times as a stream, in the column `time`: a clock for `answers`."""
        return spark.readStream.text(f"file://{self.folder}").withColumnRenamed("value", "time")

    def move_to(self, time: int | str) -> None:
        """Moves the clock to a tick or timestamp, written as in records; nothing happens the second time."""
        name = "".join(sign if sign.isalnum() else "-" for sign in str(time))
        path = self.folder / f"{name}.txt"
        if not path.exists():
            write_whole(path, f"{time}\n".encode())
