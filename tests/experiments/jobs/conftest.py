"""Jobs without an interpreter for each: modules are run in this process, the product in a forked one."""

import runpy
import sys
import warnings
from collections.abc import Sequence

import pytest

from experiments.jobs import whole
from experiments.jobs.processes import Used, used_by
from tests.support.processes import LARS2ASP, completed


@pytest.fixture
def works_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a job takes is not measured; what reads a pipe is a process of its own."""

    def done(command: Sequence[str], most: int | None = None) -> Used | None:
        if command[: len(LARS2ASP)] == LARS2ASP:
            completed(command)
        elif command[1] == "-m":
            monkeypatch.setattr(sys, "argv", command[2:])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # others have imported the module
                runpy.run_module(command[2], run_name="__main__", alter_sys=True)
        else:
            return used_by(command, most)
        return Used(0, 0, 0)

    monkeypatch.setattr(whole, "used_by", done)
