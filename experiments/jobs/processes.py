"""Whole processes, and what they take."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.failures import FailedProcessError

_LAUNCHER = Path(__file__).parent / "launcher.py"


@dataclass(frozen=True)
class Used:
    """What a process and those that it waited for took.

    Attributes:
        cpu: seconds of all threads, those of the system included.
        wall: seconds.
        memory: bytes, the most that one of the processes had at a time.
    """

    cpu: float
    wall: float
    memory: int


def cpu_seconds(command: Sequence[str], most: int | None = None) -> float | None:
    """The CPU seconds of a process, as `used_by` finds them."""
    used = used_by(command, most)
    return None if used is None else used.cpu


def used_by(command: Sequence[str], most: int | None = None) -> Used | None:
    """Runs a process; what it took.

    It keeps the byte code of modules, as installed ones have it, whatever the environment says.

    None if it was ended because it took more than `most` seconds of CPU time.

    Raises:
        FailedProcessError: if it ends with another exit status than 0.
    """
    launched = [sys.executable, "-I", "-S", str(_LAUNCHER), str(most or 0), *command]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(launched, stdout=subprocess.PIPE, stderr=said, env=environment, check=True)
        cpu, wall, memory, status = json.loads(done.stdout)
        code = os.waitstatus_to_exitcode(status)
        if most is not None and code in (-signal.SIGXCPU, -signal.SIGKILL):
            return None
        if code != 0:
            said.seek(0)
            text = said.read().decode(errors="replace")
            raise FailedProcessError(f"{' '.join(command)} ended with {code}:\n{text}")
    kibibyte = 1 if sys.platform == "darwin" else 2**10  # macOS tells bytes
    return Used(cpu, wall, memory * kibibyte)
