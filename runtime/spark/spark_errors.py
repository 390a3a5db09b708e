"""Errors of Spark itself, and the errors of ours that its exceptions wrap."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from lars2asp.runtime.errors import EvaluationError, EvaluatorError, FunctionError, InputError, SnapshotError
from lars2asp.runtime.extras import MissingPackageError, needed
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.source import shown

NOT_CONNECTED = "Python worker failed to connect back"
"""Spark's message on a busy machine, when a Python process does not start within ten seconds."""

LONGEST_MESSAGE = 1000
"""In characters: longer messages of Spark are cut off."""

_OURS: dict[str, type[Lars2aspError]] = {
    error.__name__: error
    for error in (SnapshotError, InputError, EvaluationError, FunctionError, EvaluatorError)
}
_RAISED = re.compile(
    r"^(?:[A-Za-z_]\w*\.)*(?P<name>[A-Z]\w*(?:Error|Exception)): "
    r"(?P<text>.*?)(?=\n\s*\n|\n\s+at |\s+SQLSTATE:|\Z)",
    re.MULTILINE | re.DOTALL,
)
"""The last line of a Python traceback: the error and its message, which may go on in further lines."""
_TRACE = re.compile(r"Traceback \(most recent call last\):")
_AROUND = re.compile(
    r"^(\[STREAM_FAILED\].*?terminated with exception: |An error occurred while calling \S+\n: ([\w.$]+: )?)",
    re.DOTALL,
)
_END = re.compile(r"\n\s*(?:at |===|JVM stacktrace)|\n\s*\n|SQLSTATE:")


class SparkSetupError(Lars2aspError):
    """Spark cannot be started here; the message names the packages to install."""


class SparkError(Lars2aspError):
    """Something failed on Spark that is no fault of the program or its input."""


def spark_module(name: str) -> ModuleType:
    """A module that needs Spark's Python packages. Raises SparkSetupError if they are missing."""
    try:
        return needed(name, "spark", "Spark")
    except MissingPackageError as error:
        raise SparkSetupError(str(error)) from error


def spark_home() -> Path:
    """The folder with Spark. Raises SparkSetupError if it is missing."""
    home: str = spark_module("pyspark.find_spark_home")._find_spark_home()
    return Path(home)


def check_streams(grouped: type[object]) -> None:
    """Raises SparkSetupError if Spark cannot keep a state for groups of rows."""
    if not hasattr(grouped, "transformWithState"):
        raise SparkSetupError(
            "this version of pyspark supports only bounded DataFrames: for streams "
            "(transformWithState) pip install 'pyspark>=4.3'"
        )


class NotConnectedError(SparkError):
    """A Python process of Spark did not start in time, which another start of the query may mend."""


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turns Spark's exceptions in a `with` block into errors of lars2asp with short messages.

    A SnapshotError, InputError, EvaluationError, FunctionError or EvaluatorError of a worker is raised again.
    Other exceptions become a Lars2aspError.
    """
    raised = (
        spark_module("pyspark.errors").PySparkException,
        spark_module("py4j.protocol").Py4JError,
        ConnectionError,  # Java has ended
    )
    try:
        yield
    except raised as error:
        raise plain_error(str(error)) from error


@contextmanager
def said_first() -> Iterator[None]:
    """Makes Spark's texts for errors of its Python processes begin with the error's message.

    Spark writes down the traceback, which begins with the first cause.
    """
    try:
        yield
    except tuple(_OURS.values()) as error:
        first: BaseException = error
        while cause := first.__cause__ or (None if first.__suppress_context__ else first.__context__):
            first = cause
        first.__cause__ = type(error)(str(error))
        raise


def plain_error(text: str) -> Lars2aspError:
    """The error in the text of an exception of Spark."""
    if NOT_CONNECTED in text:
        return NotConnectedError(
            "a Python process of Spark did not start in time: start the query again, from its checkpoint"
        )
    if "Redefining watermark is disallowed" in text:
        return InputError(
            "remove the watermark (withWatermark) after `answers`: its column `at` already has one"
        )
    if _TRACE.search(text):
        for found in reversed(list(_RAISED.finditer(text))):
            name, message = found["name"], found["text"].strip()
            if name in _OURS:
                return _OURS[name](message)
            if not name.startswith(("Py4J", "PythonException", "SparkException")):
                return SparkError(
                    f"a Python process of Spark failed: {name}: {shown(message, LONGEST_MESSAGE)}"
                )
    inner = _AROUND.sub("", text.strip())
    return SparkError(f"Spark failed: {shown(_END.split(inner)[0].strip(), LONGEST_MESSAGE)}")
