"""Workers import packages from folders, where Spark would have them import from archives."""

from pathlib import Path

import pytest

from lars2asp.runtime.spark.carrier.worker_daemon import unpacked


@pytest.mark.parametrize("name", ["pyspark.zip", "py4j-0.10.9.9-src.zip"])
def test_an_archive_beside_its_package(tmp_path: Path, name: str) -> None:
    archive = str(tmp_path / "pyspark/python/lib" / name)
    assert unpacked(archive) == archive
    package = tmp_path / name.split("-", maxsplit=1)[0].removesuffix(".zip")
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    assert unpacked(archive) == str(tmp_path)


@pytest.mark.parametrize("path", ["", "/site-packages", "/opt/spark/python/lib/pyspark.zip", "a.zip"])
def test_other_paths_stay(path: str) -> None:
    assert unpacked(path) == path
