"""Environments as users make them: the project, what it depends on, what an extra brings, and nothing else.

pyproject.toml says what that is. By default an environment is made in a moment: the wheel of this repository
is unpacked into it, and the packages are links to those that are installed here. Where LARS2ASP_ENVIRONMENTS
is `pip`, as `make environments` has it, pip installs the wheel with the extra, as it does for users.
"""

import fcntl
import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.processes import completed

ROOT = Path(__file__).parents[2]
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
_NAME = _PROJECT["name"]

EXTRAS = [name for name in _PROJECT["optional-dependencies"] if name not in ("dev", "peers")]
"""The extras for users; the tests themselves run in an environment with `dev`."""

WITH_PIP = os.environ.get("LARS2ASP_ENVIRONMENTS") == "pip"

_COMMAND = "import sys; from {module} import {name}; sys.argv[0] = 'lars2asp'; sys.exit({name}())"


@dataclass(frozen=True)
class Environment:
    """An environment of Python.

    Attributes:
        folder: where it is.
    """

    folder: Path

    @property
    def python(self) -> Path:
        """Its Python."""
        return self.folder / "bin" / "python"

    @property
    def command(self) -> Path:
        """The command `lars2asp`."""
        return self.folder / "bin" / "lars2asp"

    def variables(self, **others: str) -> dict[str, str]:
        """The variables of processes in it: nothing leads to other packages, or to another Python."""
        left_out = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYSPARK_PYTHON", "SPARK_HOME")
        own = {"PATH": f"{self.python.parent}{os.pathsep}{os.environ['PATH']}"}
        return {name: value for name, value in os.environ.items() if name not in left_out} | own | others

    def lars2asp(
        self, folder: Path, *arguments: str | Path, **options: Any
    ) -> "subprocess.CompletedProcess[str]":
        """Runs the command in a folder; see `completed`."""
        options.setdefault("env", self.variables())
        return completed([self.command, *arguments], cwd=folder, **options)

    def code(
        self, folder: Path, code: str, *arguments: str, **options: Any
    ) -> "subprocess.CompletedProcess[str]":
        """Runs Python code in a folder; see `completed`."""
        return completed([self.python, "-c", code, *arguments], cwd=folder, env=self.variables(), **options)


def environment_in(folder: Path, extra: str | None) -> Environment:
    """An environment with the project and an extra, made in a folder unless it is there.

    Processes that share the folder wait for each other. Skips the test where a package is not installed here.
    """
    place, ready = folder / (extra or "none"), folder / f"{extra or 'none'}.ready"
    with _alone(folder / "wheel.lock"):
        [wheel] = [*folder.glob("*.whl")] or map(Path, WheelBuilder(str(ROOT)).build(directory=str(folder)))
    with _alone(ready.with_suffix(".lock")):
        if not ready.exists():
            _make_environment(place, wheel, extra)
            ready.touch()
    return Environment(place)


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Other processes wait until the context ends."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make_environment(folder: Path, wheel: Path, extra: str | None) -> None:
    if WITH_PIP:
        venv.EnvBuilder(symlinks=True, with_pip=False).create(folder)
        what = str(wheel) if extra is None else f"{wheel}[{extra}]"
        into: list[str | Path] = ["--python", folder / "bin" / "python", "--disable-pip-version-check"]
        completed([sys.executable, "-m", "pip", *into, "install", "--quiet", "--no-compile", what])
        return
    packages = {path for name in sorted(required(extra)) for path in _installed(name)}
    venv.EnvBuilder(symlinks=True, with_pip=False).create(folder)
    site = Path(sysconfig.get_path("purelib", "posix_prefix", vars={"base": str(folder)}))
    for path in packages:
        (site / path.name).symlink_to(path)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    [(name, place)] = _PROJECT["scripts"].items()
    module, _, function = place.partition(":")
    command = folder / "bin" / name
    command.write_text(f"#!{folder / 'bin' / 'python'}\n{_COMMAND.format(module=module, name=function)}\n")
    command.chmod(0o755)


def required(extra: str | None) -> set[str]:
    """The distributions that the project needs with an extra, and those that these need themselves."""
    found: set[tuple[str, str | None]] = set()
    waiting: list[tuple[str, str | None]] = [(_NAME, None), (_NAME, extra)]
    while waiting:
        asked = waiting.pop()
        if asked not in found:
            found.add(asked)
            waiting += _required_by(*asked)
    return {name for name, _ in found if name != _NAME}


def _required_by(name: str, extra: str | None) -> Iterator[tuple[str, str | None]]:
    """What a distribution needs by itself, or its extra."""
    for text in _own_requirements(extra) if name == _NAME else _distribution(name).requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra or ""}):
            needed = canonicalize_name(requirement.name)
            yield needed, None
            yield from ((needed, one) for one in requirement.extras)


def _own_requirements(extra: str | None) -> list[str]:
    found: list[str] = _PROJECT["dependencies"] if extra is None else _PROJECT["optional-dependencies"][extra]
    return found


def _distribution(name: str) -> metadata.Distribution:
    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError:
        pytest.skip(f"the package {name} is not installed here")


def _installed(name: str) -> Iterator[Path]:
    """What a distribution has put into the folder of packages: files and folders, whole."""
    distribution = _distribution(name)
    for top in {file.parts[0] for file in distribution.files or ()}:
        if top not in ("..", "__pycache__", "/"):
            yield Path(str(distribution.locate_file(top)))
