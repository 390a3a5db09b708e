"""The process that starts Spark's Python workers, with what all of them import: pyspark.daemon in its place.

Workers are copies of it, which then need not import anything: 0.7 s for each. numpy's threads would not be
copied, so that it starts none.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pandas  # noqa: F401
import pyspark.worker  # noqa: F401
from pyspark.daemon import manager

import lars2asp.runtime.spark.carrier.operators  # noqa: F401

if __name__ == "__main__":
    manager()
