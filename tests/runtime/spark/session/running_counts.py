"""A small query with state, which counts words."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from pyspark.sql import DataFrame
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle


class RunningCounts(StatefulProcessor):
    """Gives the count of a word each time that it comes."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._count = handle.getValueState("count", "count long")

    def handleInputRows(  # noqa: N802 - Spark's name
        self,
        key: Any,
        rows: Iterator[pd.DataFrame],
        timerValues: Any,  # noqa: N803
    ) -> Iterator[pd.DataFrame]:
        before = self._count.get()
        total = (0 if before is None else before[0]) + sum(len(frame) for frame in rows)
        self._count.update((total,))
        yield pd.DataFrame({"word": [key[0]], "count": [total]})

    def close(self) -> None:
        """Nothing is open."""


def running_counts(words: DataFrame) -> DataFrame:
    """The counts of the column `word`."""
    return words.groupBy("word").transformWithStateInPandas(
        statefulProcessor=RunningCounts(),
        outputStructType="word string, count long",
        outputMode="append",
        timeMode="none",
    )
