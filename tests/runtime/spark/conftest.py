"""Streaming queries over files."""

from pathlib import Path

import pytest

from tests.runtime.spark.collecting import Collect, collecting


@pytest.fixture
def collect(tmp_path: Path) -> Collect:
    """Runs streaming queries until all is read."""
    return collecting(tmp_path / "checkpoint")
