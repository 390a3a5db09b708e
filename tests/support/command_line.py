"""Runs the command line, as a process or with something done at each record."""

import json
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from lars2asp.runtime.command_line.run_command import run_command, settings_of, status_of
from lars2asp.runtime.runs.command.command_run import CommandRun
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import OnReject, Record
from lars2asp.runtime.sources.tables.table_form import TableForm
from lars2asp.runtime.tuning import DEFAULT
from tests.support.processes import LARS2ASP, completed


def run(
    folder: Path, *arguments: str, stdin: str | bytes = "", status: int = 0
) -> subprocess.CompletedProcess[str]:
    """Runs the command in a folder and expects an exit status."""
    done = completed([*LARS2ASP, *arguments], cwd=folder, given=stdin, status=status)
    assert "Traceback" not in done.stderr
    return done


def lines(text: str) -> list[dict[str, Any]]:
    """The objects that a text has as lines of JSON."""
    return [json.loads(line) for line in text.splitlines()]


@dataclass(frozen=True)
class _WatchedReading(Reading):
    on_record: Callable[[int], object] = lambda _: None

    def blocks(
        self,
        lines: Iterable[str],
        name: str,
        on_reject: OnReject,
        written: TableForm | None = None,
    ) -> Iterator[Sequence[Record]]:
        return self._watched(super().blocks(lines, name, on_reject, written))

    def _watched(self, blocks: Iterator[Sequence[Record]]) -> Iterator[Sequence[Record]]:
        for number, record in enumerate(chain.from_iterable(blocks), start=1):
            self.on_record(number)
            yield [record]


def run_watched(arguments: list[str], on_record: Callable[[int], object]) -> int:
    """Does what `lars2asp run` does with arguments; a function is called with the number of each record."""
    options = run_command.make_context("run", arguments).params
    settings = settings_of(options, DEFAULT)
    reading = _WatchedReading(**vars(settings.reading), on_record=on_record)
    finish = partial(status_of, options["program"])
    return CommandRun(replace(settings, reading=reading), finish, lambda action: action()).run()
