"""Spark's events of streaming queries, without what PySpark's listeners do to them."""

from typing import Any

from pyspark.core.context import SparkContext
from pyspark.sql.streaming.listener import StreamingQueryListener


class EventListener(StreamingQueryListener):
    """A listener whose methods take Spark's own objects, of Java.

    PySpark's would fetch all fields of all events one by one, 0.3 s of processor time for a batch of a query
    with state. For classic sessions only.
    """

    def onQueryStarted(self, event: Any) -> None:  # noqa: N802 - Spark's name
        """A query starts."""

    def onQueryProgress(self, event: Any) -> None:  # noqa: N802 - Spark's name
        """A batch is done."""

    def onQueryIdle(self, event: Any) -> None:  # noqa: N802 - Spark's name
        """A query waits for input."""

    def onQueryTerminated(self, event: Any) -> None:  # noqa: N802 - Spark's name
        """A query has ended."""

    @property
    def _jlistener(self) -> Any:
        if not hasattr(self, "_jlistenerobj"):
            java: Any = SparkContext._jvm
            self._jlistenerobj = java.org.apache.spark.sql.streaming.PythonStreamingQueryListenerWrapper(self)
        return self._jlistenerobj

    class Java:
        """For Py4J."""

        implements = ("org.apache.spark.sql.streaming.PythonStreamingQueryListener",)
