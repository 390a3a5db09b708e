"""Processes that tests start, of which none outlives its test, and waiting for what they do."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lars2asp.runtime.tuning import Tuning
from tests.support.forked_command import ForkedProcess, can_be_forked, kill_group

PATIENCE_SECONDS = 300.0
"""Ends what hangs; however busy the machine is, only a test that fails waits so long."""

LARS2ASP = [sys.executable, "-m", "lars2asp"]


def tuned(tuning: Tuning) -> str:
    """The code of a process that runs the command line with thresholds."""
    return (
        "import sys; from lars2asp.__main__ import main; from lars2asp.runtime.tuning import Tuning\n"
        f"sys.exit(main(sys.argv[1:], {tuning!r}))"
    )


@contextmanager
def started(command: Sequence[str | Path], **options: Any) -> "Iterator[subprocess.Popen[bytes]]":
    """A process with a group of its own, which is killed at the end of the context, or when it hangs.

    The command line comes from a process that has imported it, where it can.
    """
    with _opened(list(map(str, command)), options) as process:
        overdue = threading.Timer(PATIENCE_SECONDS, _kill_group, [process])
        overdue.daemon = True
        overdue.start()
        try:
            yield process
        finally:
            overdue.cancel()
            _kill_group(process)


def completed(
    command: Sequence[str | Path], *, given: str | bytes = b"", status: int | None = 0, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """Runs a process to its end.

    Args:
        command: the program and its arguments.
        given: its standard input.
        status: the exit status that is expected; None for any.
        options: of subprocess.Popen.
    """
    data = given.encode() if isinstance(given, str) else given
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started(command, **{**pipes, **options}) as process:
        stdout, stderr = (stream.decode() for stream in process.communicate(data))
    assert status in (None, process.returncode), f"{process.returncode}: {stderr}"
    return subprocess.CompletedProcess(list(map(str, command)), process.returncode, stdout, stderr)


def wait_for(condition: Callable[[], object], process: "subprocess.Popen[bytes] | None" = None) -> None:
    """Waits until a condition is met, which a process is to bring about."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        is_running = process is None or process.poll() is None
        if condition():
            return
        assert is_running, "the process has ended before"
        assert time.monotonic() < end, "in vain"
        time.sleep(0.01)


def is_running(process: int) -> bool:
    """Whether a process is there and has not ended; one that has ended stays until its parent asks for it."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:  # a system that shows its processes elsewhere, or it has just ended
        return not Path("/proc/self/stat").exists()


@contextmanager
def free_port() -> Iterator[int]:
    """A TCP port of 127.0.0.1 on which one process can listen within the context.

    On Linux nobody else is given it meanwhile: it stays bound here, where nobody listens.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        if sys.platform != "linux":
            held.close()
        yield port


def _opened(command: Sequence[str], options: Mapping[str, Any]) -> "subprocess.Popen[bytes]":
    is_ours = command[: len(LARS2ASP)] == LARS2ASP
    if is_ours and can_be_forked(options):
        return ForkedProcess(command[len(LARS2ASP) :], **options)
    return subprocess.Popen(command, start_new_session=True, **options)


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    kill_group(process.pid, is_over=process.returncode is not None)
