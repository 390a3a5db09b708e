"""The values of columns as text."""

import pyarrow as pa

from lars2asp.runtime.spark.carrier.cells import cells


def test_short_floats_are_written_as_they_are_printed() -> None:
    """So at a place with one decimal 24.1 is a number of one decimal."""
    assert cells(pa.array([24.1, 24.0, None, 1e20, float("nan")], pa.float32())) == [
        *("24.1", "24.0", "", "1e+20", "nan"),
    ]
    assert cells(pa.array([24.1, 0.1 + 0.2])) == ["24.1", "0.30000000000000004"]
