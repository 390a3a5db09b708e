"""The process that starts Spark's Python workers, with what all of them import: pyspark.daemon in its place.

Workers are copies of it, which then need not import anything: 0.7 s for each.
"""

import os
from importlib import import_module

_IMPORTED = ("pandas", "pyspark.worker", "lars2asp.runtime.spark.carrier.operators")
_THREADS = "OPENBLAS_NUM_THREADS"


def main() -> None:
    """Imports, and starts workers when it is asked to; numpy starts no threads, which would not be copied."""
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    for name in _IMPORTED:
        import_module(name)
    del os.environ[_THREADS]
    if before is not None:
        os.environ[_THREADS] = before
    import_module("pyspark.daemon").manager()


if __name__ == "__main__":
    main()
