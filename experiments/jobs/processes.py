"""Whole processes, and the CPU time that they take."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence


def cpu_seconds(command: Sequence[str], most: int | None = None) -> float | None:
    """Runs a process; the CPU seconds of all its threads, those of the system included.

    It keeps the byte code of modules, as installed ones have it, whatever the environment says.

    None if it was ended because it took more than `most` seconds.

    Raises:
        RuntimeError: if it ends with another exit status than 0.
    """
    limited = command if most is None else ["/bin/sh", "-c", f'ulimit -t {most}; exec "$@"', "sh", *command]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(limited, stdout=subprocess.DEVNULL, stderr=said, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if most is not None and process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return None
        if process.returncode != 0:
            said.seek(0)
            text = said.read().decode(errors="replace")
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{text}")
    return used.ru_utime + used.ru_stime
