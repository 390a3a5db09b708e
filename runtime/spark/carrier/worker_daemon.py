"""The process that starts Spark's Python workers, with what all of them import: pyspark.daemon in its place.

Workers are copies of it, which then need not import anything: 0.7 s for each. With pyspark.daemon a batch of
ten facts takes 1.7 times the processor time.
"""

import gc
import os
from importlib import import_module

_CARRIER = "lars2asp.runtime.spark.carrier"
_IMPORTED = ("pandas", "pyspark.worker", f"{_CARRIER}.operators", f"{_CARRIER}.shard_task")
_THREADS = "OPENBLAS_NUM_THREADS"


def main() -> None:
    """Imports, and starts workers when it is asked to; numpy starts no threads, which would not be copied.

    What is there then is no longer looked at for garbage, which workers collect behind every task: 0.05 s.
    """
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    for name in _IMPORTED:
        import_module(name)
    del os.environ[_THREADS]
    if before is not None:
        os.environ[_THREADS] = before
    daemon = import_module("pyspark.daemon")
    gc.freeze()
    daemon.manager()


if __name__ == "__main__":
    main()
