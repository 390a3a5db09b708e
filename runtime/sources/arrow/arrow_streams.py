"""What is taken for a data frame: what gives a stream of Arrow, and the frames of pandas."""

import sys
from typing import Protocol


class ArrowStream(Protocol):
    """What gives a stream of Arrow: frames of pandas and polars, tables of Arrow, relations of DuckDB, ..."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The stream, as a capsule of Arrow's C interface."""
        ...


def is_frame(source: object) -> bool:
    """Whether something is a data frame, or a table or a stream of Arrow."""
    if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__") or is_pandas(source):
        return True
    return type(source).__module__.startswith(("pyarrow.", "polars."))


def is_pandas(frame: object) -> bool:
    """Whether something is a frame of pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(frame, pandas.DataFrame)
