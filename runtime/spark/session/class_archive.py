"""An archive of the classes that Spark loads, which Java has in memory at once (class data sharing).

Without one Java reads, checks and links some fifteen thousand classes each time that Spark starts. A Java
takes an archive that it made itself, for the libraries that it has; any other it passes over, and starts as
it does without.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from lars2asp.runtime.fingerprints import fingerprint
from lars2asp.runtime.spark.session.java import Java
from lars2asp.runtime.spark.spark_errors import SparkSetupError, spark_home

TRAINING = "lars2asp.runtime.spark.query.class_training"
"""The module that runs Spark for a list of its classes, and prints where Java looks for them."""

LONGEST_TOLD = 3
"""The lines of what a process has written that a message has."""

_SIGNS = 16
"""The signs of a fingerprint in a name."""

_QUIET = "-Xlog:cds=off"
"""Else Java writes on standard output why it does not take an archive."""


def archive_options(java: Java) -> str:
    """The options with which a Java takes its archive, as Spark has options; empty where there is none."""
    archive = archive_of(java, os.environ)
    return f"{shlex.quote(f'-XX:SharedArchiveFile={archive}')} {_QUIET}" if archive.is_file() else ""


def archive_of(java: Java, environment: Mapping[str, str]) -> Path:
    """Where the archive of a Java is, for the Spark that is installed; another one when either changes."""
    home = environment.get("HOME", "/")
    folder = Path(environment.get("XDG_CACHE_HOME") or f"{home}/.cache") / "lars2asp"
    executable, jars = java.executable.resolve(), spark_home() / "jars"
    places, times = (str(executable), str(jars)), (_changed(executable), _changed(jars))
    return folder / f"spark-{fingerprint(places)[:_SIGNS]}-{fingerprint(times)[:_SIGNS]}.jsa"


def make_archive(java: Java) -> Path:
    """Makes the archive of the Java that Spark is started with here, in a minute; older ones are deleted.

    Raises SparkSetupError where Spark is missing, Spark or Java fails, or the archive cannot be written.
    """
    archive = archive_of(java, os.environ)
    try:
        archive.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=archive.parent) as name:
            classes, made = Path(name) / "classes", Path(name) / archive.name
            trained = _run([sys.executable, "-m", TRAINING, str(classes)], "Spark")
            class_path = trained.splitlines()[-1]
            options = [f"-XX:SharedClassListFile={classes}", f"-XX:SharedArchiveFile={made}"]
            _run([str(java.executable), "-Xshare:dump", *options, "-cp", class_path], "Java")
            _run([str(java.executable), options[1], _QUIET, "-version"], "Java with the archive")
            made.replace(archive)
    except OSError as error:
        raise SparkSetupError(f"{error.filename}: cannot be written: {error.strerror}") from error
    for other in archive.parent.glob(f"{archive.name.rpartition('-')[0]}-*.jsa"):
        if other != archive:
            other.unlink(missing_ok=True)
    return archive


def _run(command: list[str], what: str) -> str:
    """What a command writes on standard output, when all processes that write there have ended.

    Raises SparkSetupError with its last lines where it fails.
    """
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-LONGEST_TOLD:]
        raise SparkSetupError("\n  ".join([f"no archive: {what} ended with status {done.returncode}", *said]))
    return done.stdout


def _changed(path: Path) -> int:
    """When a file or folder was changed; 0 where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
