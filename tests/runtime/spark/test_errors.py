"""What stands in Spark's exceptions, and what Java says that is no error."""

import os
import sys
from textwrap import dedent

import pytest

from lars2asp.runtime.errors import EvaluationError, SnapshotError
from lars2asp.runtime.spark.session.chatter import wanted
from lars2asp.runtime.spark.spark_errors import SparkError, plain
from lars2asp.syntax.diagnostics import Lars2aspError
from tests.support.processes import completed

WORKER = """\
[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: [PYTHON_EXCEPTION] \
An exception was thrown from the Python worker: Traceback (most recent call last):
  File "worker.py", line 4327, in invoke_udf
    run_process()
{raised}
 SQLSTATE: 38000
\tat org.apache.spark.api.python.BasePythonRunner.handle(PythonRunner.scala:1097)

Driver stacktrace: SQLSTATE: XXKST
=== Streaming Query ===
Identifier: [id = 1]
"""


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            WORKER.format(
                raised="lars2asp.runtime.errors.EvaluationError: p.lars:1:1-2: error: no\n  | a :- b."
            ),
            EvaluationError,
            "p.lars:1:1-2: error: no\n  | a :- b.",
        ),
        (
            WORKER.format(
                raised='ValueError: x\n\nThe above exception was the direct cause:\n\n  File "a.py"\n'
                "lars2asp.runtime.errors.SnapshotError: the checkpoint is of another program"
            ),
            SnapshotError,
            "the checkpoint is of another program",
        ),
        (
            WORKER.format(raised="ModuleNotFoundError: No module named 'clingo'"),
            SparkError,
            "a Python process of Spark failed: ModuleNotFoundError: No module named 'clingo'",
        ),
        (
            "[PATH_NOT_FOUND] Path does not exist: file:/x. SQLSTATE: 42K03;\n'Project",
            SparkError,
            "Spark failed: [PATH_NOT_FOUND] Path does not exist: file:/x.",
        ),
        (
            "An error occurred while calling o582.parquet.\n: java.io.IOException: disk full\n\tat java.io.X",
            SparkError,
            "Spark failed: disk full",
        ),
    ],
)
def test_what_an_exception_tells(text: str, error: type[Lars2aspError], message: str) -> None:
    found = plain(text)
    assert type(found) is error
    assert str(found) == message


def test_chatter_and_its_empty_lines_are_dropped() -> None:
    """Two workers write at the same time."""
    name = "Streaming TransformWithStateInPandas Python worker"
    text = f"Starting {name}.\n{name} finish init\n\nERROR: lost\n\n\n\tat x\n{name} finish init\nx"
    lines = text.encode().splitlines(keepends=True)
    assert b"".join(wanted(lines)) == b"ERROR: lost\n\n\tat x\nx"


def test_what_is_started_quietly_stays_quiet() -> None:
    """It writes on behind the end of the context; this process writes as before."""
    code = dedent("""\
        import subprocess, sys, threading
        from lars2asp.runtime.spark.session.chatter import without_chatter
        script = "import sys; sys.stdin.read(); sys.stderr.write('Starting Streaming "
        script += "TransformWithStateInPandas Python worker.\\\\n\\\\nlost\\\\n')"
        with without_chatter():
            child = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE)
        print("here", file=sys.stderr, flush=True)
        child.communicate()
        for passing_on in threading.enumerate():
            if passing_on.daemon:
                passing_on.join()
    """)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = completed([sys.executable, "-c", code], env=environment)
    assert done.stderr == "here\nlost\n"
