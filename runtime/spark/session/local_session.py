"""A Spark session on this machine."""

import os
import re
import signal
import site
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from lars2asp.runtime.spark.session.java import Java, find_java
from lars2asp.runtime.spark.session.launchers import (
    installed_packages,
    java_script,
    launch_folder,
    python_script,
)
from lars2asp.runtime.spark.spark_errors import spark_home, spark_module

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).absolute().parents[4]
"""The folder with the package lars2asp."""

STATE_STORE = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
"""The only state store that `transformWithState` works with."""

PARTITIONS = "spark.sql.shuffle.partitions"
_WORKERS_PATH = "spark.executorEnv.PYTHONPATH"

_DEFAULTS: Mapping[str, str] = MappingProxyType(
    {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.files.openCostInBytes": "262144",  # so that all cores share files of megabytes
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        # else Java counts the bytes of a batch after each row: a fifth of its work for rows
        "spark.sql.execution.arrow.maxBytesPerBatch": "2147483647",
        # else the workers of `transformWithState` have another environment, and a daemon of their own
        "spark.sql.execution.pyspark.udf.simplifiedTraceback.enabled": "false",
        STATE_STORE: ROCKSDB,
        "spark.sql.streaming.multipleWatermarkPolicy": "max",  # else two wait for each other
        "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",  # for short batches
    }
)

_ON_THIS_MACHINE: Mapping[str, str] = MappingProxyType(
    {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.python.daemon.module": "lars2asp.runtime.spark.carrier.worker_daemon",
        # the other one starts a process for each look at a file, 25 for a batch at least
        "spark.sql.streaming.checkpointFileManagerClass": "org.apache.spark.sql.execution.streaming"
        ".checkpointing.FileSystemBasedCheckpointFileManager",
    }
)

_JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
"""Java compiles only once, and quickly: a batch of some seconds is over before more would pay.

By default, such a Java keeps 48 MB for compiled code, a fifth of the usual room. A session that has
run some dozens of queries fills it, throws code away, and compiles it again: a fifth more processor time."""

_COLLECTOR = "-XX:+UseSerialGC"
"""The garbage collector with the least threads; Java takes one only."""

_OTHER_COLLECTOR = re.compile(r"-XX:\+Use\w+GC\b")


def local_session(
    master: str = "local[*]",
    *,
    app_name: str = "lars2asp",
    config: Mapping[str, str] = MappingProxyType({}),
    reports_failures: bool = True,
) -> "SparkSession":
    """Returns a Spark session that is ready for lars2asp: the running session, or a new session.

    A new session uses this Python for its workers, one shuffle partition for each core, and logs errors only.
    For a running session only `config` applies.

    Args:
        master: Spark's master, such as `local[4]` for four cores of this machine.
        app_name: The name that Spark shows.
        config: Settings of Spark, which override the settings of lars2asp.
        reports_failures: Whether to log failed tasks and queries, next to the exception.

    Raises:
        Lars2aspError: If Spark or a Java for it is missing.
    """
    context = spark_module("pyspark.core.context").SparkContext
    session_class: type[SparkSession] = spark_module("pyspark.sql").SparkSession
    if context._active_spark_context is not None:
        return session_class.Builder().config(map={**config}).getOrCreate()
    has_java = context._gateway is not None or "PYSPARK_GATEWAY_PORT" in os.environ
    java = None if has_java else find_java(os.environ)
    settings = session_config(master, config, reports_failures=reports_failures)
    builder = session_class.Builder().config(map={**settings}).appName(app_name).master(master)
    with _set_for_launch(java, is_here=master.startswith("local")), _interrupts_kept():
        session = builder.getOrCreate()
    if PARTITIONS not in config:
        session.conf.set(PARTITIONS, str(session.sparkContext.defaultParallelism))
    return session


def session_config(master: str, config: Mapping[str, str], *, reports_failures: bool) -> dict[str, str]:
    """The settings of a new session, and of the Java that it starts; see `local_session`."""
    log = (Path(__file__).parent / "log4j2.properties").absolute().as_uri()
    given = " ".join([*config.values(), *os.environ.values()])
    options = _JAVA_OPTIONS if _OTHER_COLLECTOR.search(given) else f"{_JAVA_OPTIONS} {_COLLECTOR}"
    settings = {
        **_DEFAULTS,
        **(_ON_THIS_MACHINE if master.startswith("local") else {}),
        "spark.driver.defaultJavaOptions": f"{options} -Dlog4j2.configurationFile={log}"
        + ("" if reports_failures else " -Dlars2asp.failures=off"),
        **config,
    }
    if not _is_installed():
        path = [str(ROOT), settings.get(_WORKERS_PATH, "")]
        settings[_WORKERS_PATH] = os.pathsep.join(filter(None, path))
    return settings


def _is_installed() -> bool:
    """Whether every process of this Python finds the package, wherever it runs."""
    return str(ROOT) in [*site.getsitepackages(), site.getusersitepackages()]


@contextmanager
def _set_for_launch(java: Java | None, *, is_here: bool) -> Iterator[None]:
    """Sets the environment for Spark's start. Raises SparkSetupError if programs may not run.

    Args:
        java: The Java to start; None if Spark's Java runs already.
        is_here: Whether all of Spark's processes are on this machine.
    """
    changes = {"PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable)}
    scripts = {} if java is None else {"java": java_script(java)}
    if is_here and (packages := installed_packages(spark_home())) is not None:
        scripts["python"] = python_script(changes["PYSPARK_PYTHON"], packages)
    if scripts:
        folder = launch_folder(scripts)
        if "java" in scripts:
            changes["JAVA_HOME"] = str(folder)
        if "python" in scripts:
            changes["PYSPARK_PYTHON"] = str(folder / "bin" / "python")
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _interrupts_kept() -> Iterator[None]:
    """Restores the handler of SIGINT after the context.

    PySpark's handler calls Spark in the midst of another call on the same connection, which fails with a long
    trace, and displaces the handler of the program itself. Java ignores SIGINT: queries can still be stopped.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
