"""On what something was measured."""

import os
import platform
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import psutil

LIBRARIES = ("lars2asp", "clingo", "intervaltree")


@dataclass(frozen=True)
class Machine:
    """The machine and the versions.

    Attributes:
        date: when it was measured, as YYYY-MM-DD.
        commit: the revision of this project; `+` follows where files were changed.
        processor: its name.
        cores: how many there are.
        memory_gib: how much memory there is.
        system: the operating system.
        versions: of Python and of libraries.
    """

    date: str
    commit: str
    processor: str
    cores: int
    memory_gib: float
    system: str
    versions: str

    @classmethod
    def here(cls) -> "Machine":
        """This machine, now."""
        libraries = [f"{name} {version(name)}" for name in LIBRARIES]
        return cls(
            date=datetime.now(UTC).date().isoformat(),
            commit=_commit(),
            processor=_processor(),
            cores=os.cpu_count() or 1,
            memory_gib=round(psutil.virtual_memory().total / 2**30, 1),
            system=f"{platform.system()} {platform.release()}",
            versions=", ".join([f"Python {platform.python_version()}", *libraries]),
        )


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    done = subprocess.run(command, capture_output=True, check=False, text=True, cwd=Path(__file__).parent)
    return done.stdout.strip() or "unknown"


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
