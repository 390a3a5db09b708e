"""A clock for streaming queries that is moved by hand."""

from pathlib import Path
from typing import TYPE_CHECKING

from lars2asp.runtime.sources.text.text_files import write_whole

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class ClockFolder:
    """A clock for streaming queries that you move by hand: each time is a file in a folder.

    A query that restarts continues from there.

    Args:
        folder: The folder; lars2asp creates it.

    Attributes:
        folder: Its absolute path.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        folder.mkdir(parents=True, exist_ok=True)

    def times(self, spark: "SparkSession") -> "DataFrame":
        """Returns the times as a stream, in the column `time`: the `clock` of `answers`.

        Args:
            spark: The session.
        """
        return spark.readStream.text(f"file://{self.folder}").withColumnRenamed("value", "time")

    def move_to(self, time: int | str) -> None:
        """Moves the clock. A second call with the same time does nothing.

        Args:
            time: A tick or a timestamp, as in records.
        """
        name = "".join(sign if sign.isalnum() else "-" for sign in str(time))
        path = self.folder / f"{name}.txt"
        if not path.exists():
            write_whole(path, f"{time}\n".encode())
