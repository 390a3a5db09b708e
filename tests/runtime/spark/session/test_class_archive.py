"""The archive of the classes that Spark loads."""

import os
from pathlib import Path

import pytest

from lars2asp.runtime.spark.session import class_archive
from lars2asp.runtime.spark.session.class_archive import archive_of, archive_options, make_archive
from lars2asp.runtime.spark.session.java import Java
from lars2asp.runtime.spark.session.local_session import session_config
from lars2asp.runtime.spark.spark_errors import SparkSetupError

WRITES = """
for one; do case $one in
  -XX:SharedArchiveFile=*) archive=${one#*=};;
  -XX:SharedClassListFile=*) classes=${one#*=};;
esac; done
if [ "$1" = -Xshare:dump ]; then echo "of $5" > "$archive"; test -f "$classes"; else test -f "$archive"; fi
"""
"""A Java that makes an archive of its class path, and takes it."""

FAILS = "echo one; echo two; echo 'no room' >&2; exit 3"

TRAINED = """
import sys
from pathlib import Path

Path(sys.argv[1]).touch()
print("chatter")
print("a.jar:b.jar")
"""


@pytest.fixture
def java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Java:
    """A Java, whose archive is in a folder of its own, and what stands for Spark."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "my cache"))
    (tmp_path / "trained.py").write_text(TRAINED)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(class_archive, "TRAINING", "trained")
    return made(tmp_path, WRITES)


def made(folder: Path, script: str) -> Java:
    executable = folder / "java"
    executable.write_text(f"#!/bin/sh\n{script}")
    executable.chmod(0o755)
    os.utime(executable, (1, 1))
    return Java(executable, 17)


def options_of(java: Java | None) -> str:
    return session_config("local[1]", {}, java, reports_failures=True)["spark.driver.defaultJavaOptions"]


def test_it_is_taken_once_it_is_there(java: Java) -> None:
    without = options_of(java)
    assert "SharedArchiveFile" not in without
    archive = make_archive(java)
    assert archive.read_text() == "of a.jar:b.jar\n"
    assert f"'-XX:SharedArchiveFile={archive}'" in options_of(java)
    assert "SharedArchiveFile" not in options_of(None)  # a Java that runs already


def test_another_java_needs_another_one(java: Java) -> None:
    first = make_archive(java)
    os.utime(java.executable, (2, 2))
    assert archive_options(java) == ""
    second = make_archive(java)
    assert second != first
    assert [*first.parent.iterdir()] == [second]  # the older one is of no use


def test_archives_of_other_javas_stay(java: Java, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    first, other = make_archive(java), make_archive(made(tmp_path / "other", WRITES))
    assert {*first.parent.iterdir()} == {first, other}


def test_a_java_that_fails(java: Java, tmp_path: Path) -> None:
    """What was there stays, and nothing is left of what was begun."""
    archive = make_archive(java)
    with pytest.raises(SparkSetupError, match=r"^no archive: Java ended with status 3\n  no room$"):
        make_archive(made(tmp_path, FAILS))
    assert [*archive.parent.iterdir()] == [archive]


def test_a_folder_that_cannot_be_written(java: Java, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(SparkSetupError, match=r"file.*: cannot be written: Not a directory$"):
        make_archive(java)


def test_it_is_in_the_usual_folder(java: Java) -> None:
    assert archive_of(java, {"HOME": "/home/me"}).parent == Path("/home/me/.cache/lars2asp")
