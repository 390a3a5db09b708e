"""Tests of rules as items of pytest: `pytest --lars` collects files that end with .lars-test.

All else is imported when such a file is met, as pytest loads this module wherever the package is installed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lars2asp.runtime.rule_tests.notation import RuleCase, RuleFile

# ruff: noqa: PLC0415


class RuleFailedError(Exception):
    """A case failed; the message says how."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--lars`."""
    parser.getgroup("lars2asp").addoption(
        "--lars", action="store_true", help="Collect tests of rules too: files that end with .lars-test."
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Takes files with tests of rules."""
    if file_path.suffix == ".lars-test" and parent.config.getoption("--lars"):
        collector: pytest.Collector = RuleTests.from_parent(parent, path=file_path)
        return collector
    return None


class RuleTests(pytest.File):
    """A file with tests of rules."""

    def collect(self) -> Iterator[pytest.Item]:
        """Its cases."""
        from lars2asp.runtime.errors import InputError
        from lars2asp.runtime.rule_tests.notation import read_rule_file

        try:
            file = read_rule_file(self.path)
        except InputError as error:
            raise self.CollectError(str(error)) from error
        for case in file.cases:
            yield RuleItem.from_parent(self, name=case.name, file=file, case=case)


class RuleItem(pytest.Item):
    """A case."""

    def __init__(self, *, file: "RuleFile", case: "RuleCase", **others: Any) -> None:
        super().__init__(**others)
        self._file = file
        self._case = case

    def runtest(self) -> None:
        """Runs it."""
        from lars2asp.runtime.rule_tests.results import result_of

        result = result_of(self._file, self._case)
        if result.failures:
            raise RuleFailedError(result.text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *more: Any, **others: Any) -> Any:
        """What failed, without the way to it."""
        if isinstance(excinfo.value, RuleFailedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *more, **others)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it stands."""
        return self.path, self._case.line - 1, self._case.name
