"""The scripts with which Spark starts Java and Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lars2asp.runtime.spark.session.java import Java
from lars2asp.runtime.spark.session.launchers import (
    installed_packages,
    java_script,
    launch_folder,
    python_script,
)
from lars2asp.runtime.spark.spark_errors import SparkSetupError

PRINTS = "#!/bin/sh\nprintf '[%s]' \"$@\"\n"
"""A program that prints its arguments."""


def program(folder: Path, text: str) -> Path:
    """A program of this text in a folder with odd characters."""
    path = folder / "it's $HOME" / "program"
    path.parent.mkdir()
    path.write_text(text)
    path.chmod(0o755)
    return path


def started(text: str, *arguments: str, **variables: str) -> str:
    """What a script prints."""
    script = launch_folder({"program": text}) / "bin" / "program"
    done = subprocess.run(
        [script, *arguments], env={**os.environ, **variables}, capture_output=True, check=True, text=True
    )
    return done.stdout


def test_the_script_drops_what_troubles_java(tmp_path: Path) -> None:
    """All else reaches it as it is."""
    java = program(tmp_path, PRINTS)
    given = [
        "-Xmx1g",
        "--add-modules=jdk.incubator.vector",
        "--add-opens=java.base/sun.security.action=ALL-UNNAMED",
        "-cp",
        "a b:*",
        "",
        "$PATH",
    ]

    def reached(version: int) -> str:
        return started(java_script(Java(java, version)), *given)

    assert reached(25) == "[-Xmx1g][-cp][a b:*][][$PATH]"
    assert reached(17) == (
        "[-Xmx1g][--add-opens=java.base/sun.security.action=ALL-UNNAMED][-cp][a b:*][][$PATH]"
    )


def test_python_has_packages_as_they_are_installed(tmp_path: Path) -> None:
    """In place of Spark's archives; all other paths stay."""
    python = program(tmp_path, f"{PRINTS}printf '%s' \"$PYTHONPATH\"\n")
    packages = tmp_path / "site packages"
    archives = packages / "pyspark" / "python" / "lib"
    given = f"/a b:{archives}/pyspark.zip:{archives}/py4j-0.10-src.zip:/b/*:/c/pyspark.zip"
    text = python_script(str(python), packages)
    assert started(text, "-m", "a b", PYTHONPATH=given) == (
        f"[-m][a b]/a b:{packages}:{packages}:/b/*:/c/pyspark.zip"
    )


def test_packages_are_looked_for_beside_spark(tmp_path: Path) -> None:
    """One that is not installed as a package has archives alone."""
    home = tmp_path / "pyspark"
    assert installed_packages(home) is None
    for name in ("pyspark", "py4j"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    assert installed_packages(home) == tmp_path
    assert installed_packages(tmp_path / "spark") is None


def test_many_at_once(tmp_path: Path) -> None:
    """Each process has a folder of its own, and leaves none."""
    code = (
        "from lars2asp.runtime.spark.session.launchers import launch_folder;"
        "print(launch_folder({'java': 'text'}))"
    )
    variables = {**os.environ, "TMPDIR": str(tmp_path)}
    processes = [
        subprocess.Popen([sys.executable, "-c", code], env=variables, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    homes = [process.communicate()[0] for process in processes]
    assert len(set(homes)) == 4
    assert all(home.startswith(str(tmp_path)) for home in homes)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_takes_no_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with pytest.raises(SparkSetupError, match=r"^cannot create a folder to start Spark: "):
        launch_folder({"java": "text"})
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(
        SparkSetupError, match="programs may not run in this folder: set TMPDIR to another folder"
    ):
        launch_folder({"java": "text"})
