"""On what something was measured."""

import os
import platform
import subprocess
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

import psutil

LIBRARIES = ("lars2asp", "clingo", "intervaltree")
CODE = (
    "lars2asp",
    "externals",
    "runtime",
    "encodings",
    "experiments/benchmarks",
    "experiments/by_hand",
    "experiments/engines",
    "experiments/measuring",
    "experiments/native",
    "experiments/ticker",
)
"""The folders whose code times depend on."""
CODE_ENDINGS = (".py", ".lp", ".json", ".lark")


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
        code: a digest of the code that is measured and of what measures it; empty where it was not noted.
    """

    date: str
    commit: str
    processor: str
    cores: int
    memory_gib: float
    system: str
    versions: str
    code: str = ""

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
            code=code_digest(),
        )

    def is_like(self, other: "Machine") -> bool:
        """Whether it is the same machine, with the same versions and the same code."""
        return replace(self, date="", commit="") == replace(other, date="", commit="")


def code_digest(root: Path = Path(__file__).parents[2]) -> str:
    """A digest of the code that benchmarks run: results with the same one are of the same program.

    Unlike the revision it stays as it is when pages or tests change.
    """
    digest = blake2b(digest_size=8)
    for folder in CODE:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in CODE_ENDINGS and path.is_file():
                digest.update(f"{path.relative_to(root)}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


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
