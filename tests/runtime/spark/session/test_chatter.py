"""What Java writes that is not an error."""

import os
import sys
from textwrap import dedent

from lars2asp.runtime.spark.session.chatter import passed_on
from tests.support.processes import completed


def test_chatter_and_its_empty_lines_are_dropped() -> None:
    """Two workers write at the same time."""
    name = "Streaming TransformWithStateInPandas Python worker"
    text = f"Starting {name}.\n{name} finish init\n\nERROR: lost\n\n\n\tat x\n{name} finish init\nx"
    lines = text.encode().splitlines(keepends=True)
    assert b"".join(passed_on(lines)) == b"ERROR: lost\n\n\tat x\nx"


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
