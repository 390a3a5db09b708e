"""What all tests have: signals of their own, examples that chance does not choose, one session of Spark."""

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from lars2asp.spark import local_session
from tests.support.browser import CHROMIUM, NO_CHROMIUM, left_out
from tests.support.processes import PATIENCE_SECONDS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
"""What a process has compiled is there for the next: tests start hundreds, which takes half the time."""

FAST_START = {
    "spark.driver.memory": "640m",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "1",
}
"""Small and soon there. Queries are interpreted, as they take less than their compilation.

Tests that need more partitions set them; those with a Java of their own have compiled queries.
"""

settings.register_profile(
    "tests",
    max_examples=int(os.environ.get("LARS2ASP_EXAMPLES", "20")),
    deadline=None,
    suppress_health_check=[
        *(HealthCheck.too_slow, HealthCheck.filter_too_much),
        *(HealthCheck.data_too_large, HealthCheck.large_base_example),
    ],
    derandomize="LARS2ASP_EXAMPLES" not in os.environ,
)
settings.load_profile("tests")
"""No test fails because the machine is busy, or because of what chance has drawn.

The examples are the same ones each time; where LARS2ASP_EXAMPLES says how many, others each time.
"""


SHARING = ("in_browser", "/brokers/", "test_postgres_table", "test_packaging")
"""In the paths of files whose tests have a browser, a server or a package in common, slow to be there."""


WITHOUT_SESSION = ("/spark/carrier/", "/spark/query/", "/session/test_java", "/session/test_launchers")
"""In the paths of tests of Spark that need no session: they are done beside those that share one."""


class InGroups(LoadScopeScheduling):  # type: ignore[misc]
    """Gives tests to processes: those with Java to one, as one Java is enough; the cases of a test to one.

    So are those of a file that share what takes long; those of environments, which processes share, are
    apart. The groups come in the order of the tests.
    """

    def _split_scope(self, nodeid: str) -> str:
        """The group of a test."""
        path, _, rest = nodeid.partition("::")
        if any(name in path for name in WITHOUT_SESSION):
            return path
        if "spark" in nodeid:
            return "spark"
        if "test_environments" in path:
            return nodeid
        return path if shares(path) else f"{path}::{rest.partition('[')[0]}"


def shares(path: str) -> bool:
    """Whether the tests of a file are done by one process."""
    return any(name in path for name in SHARING)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> InGroups:
    config.option.loadscopereorder = False
    return InGroups(config, log)


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Two processes more than there are cores: one waits for Java most of the time, others for servers."""
    return 2 + (yield)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first, so that no process is left with it: Java, what is shared, random tests."""
    items.sort(
        key=lambda item: (
            "spark" not in item.nodeid,
            not shares(item.nodeid.partition("::")[0]),
            not hasattr(getattr(item, "module", None), "given"),
        )
    )


def pytest_collection() -> None:
    """What is made until tests run stays: the garbage collector need not look at it again and again."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What is there now is there to the end: the garbage collector, which runs use, need not look at it."""
    gc.enable()
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Says which tests were left out because this machine has no browser."""
    skipped = terminalreporter.stats.get("skipped", [])
    said = left_out([str(report.longrepr) for report in skipped])
    if said is not None:
        terminalreporter.write_line(said, yellow=True)


def pytest_unconfigure() -> None:
    """At the end it may go, or DuckDB says on standard error that it was leaked."""
    gc.unfreeze()


@pytest.fixture(autouse=True)
def signals_as_at_a_terminal() -> Iterator[None]:
    """Signals do in this process, and in those it starts, what they do where nobody ignores them.

    A shell has the processes that it starts in the background ignore SIGINT, nohup SIGHUP, and
    they hand that on.
    """
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler),
        signal.SIGTERM: signal.signal(signal.SIGTERM, signal.SIG_DFL),
        signal.SIGHUP: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    }
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    """A session on two cores; Java ends with the tests."""
    session = local_session("local[2]", app_name="tests", config=FAST_START)
    yield session
    session.stop()
    end_java()


@pytest.fixture(autouse=True)
def no_query_goes_on(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a test that fails has Spark do is not done beside the next one."""
    session = request.getfixturevalue("spark") if "spark" in request.fixturenames else None
    yield
    for query in session.streams.active if session is not None else ():
        query.stop()


def end_java() -> None:
    """Ends the Java that a stopped session leaves behind."""
    context = import_module("pyspark").SparkContext
    gateway = context._gateway
    assert gateway is not None
    gateway.shutdown()
    gateway.proc.stdin.close()
    try:
        gateway.proc.wait(PATIENCE_SECONDS)
    finally:
        gateway.proc.kill()
    context._gateway = context._jvm = None


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    with playwright.sync_playwright() as running:
        found = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()
