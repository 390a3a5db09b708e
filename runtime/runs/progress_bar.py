"""A line on the terminal that shows how far something long is, and how long it will still take."""

import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import timedelta
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from lars2asp.runtime.runs.processes.child_processes import TO_END
from lars2asp.runtime.sinks.rates import RateMeter, rate_text
from lars2asp.runtime.sources.text.text_files import STANDARD
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from rich.console import Console

AFTER = 0.5
"""In seconds: what is over sooner shows nothing, and does not import rich."""

EVERY = 0.5
"""In seconds: how often the line is brought up to date."""

CLEARED = b"\r\x1b[2K\x1b[?25h"
"""Leaves an empty line and a cursor where a process ends in the midst of it."""

_LONGEST_NAME = 30


@dataclass(frozen=True)
class Progress:
    """How far something is.

    Attributes:
        share: the part that is done, from 0 to 1; None where it is not known how much there is.
        place: what it is at, as in `tick 12`.
        counts: the numbers of what was done, by nouns in the plural. Their rates are shown where no share is
            known.
    """

    share: float | None = None
    place: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)


class ProgressBar:
    """Shows a bar with the time left, or rates, at the bottom of standard error; a context manager.

    A thread of its own asks for the progress twice a second, so that the work itself does nothing for
    it. Messages on standard error appear above the bar, of which nothing is left in the end.

    Args:
        name: what is worked on.
        progress: says how far it is; called by the other thread.
        console: the terminal; by default standard error.
        after: in seconds: what is over sooner shows nothing.
    """

    def __init__(
        self,
        name: str,
        progress: Callable[[], Progress],
        *,
        console: "Console | None" = None,
        after: float = AFTER,
    ) -> None:
        self._name = shown(name, _LONGEST_NAME)
        self._progress = progress
        self._console = console
        self._after = after
        self._is_over = Event()
        self._thread = Thread(target=self._show, daemon=True)

    def __enter__(self) -> "ProgressBar":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _show(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, TO_END)  # they are for the main thread
        if self._is_over.wait(self._after):
            return
        from rich.console import Console  # noqa: PLC0415 - most runs show no bar
        from rich.markup import escape  # noqa: PLC0415
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            ProgressColumn,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
        )
        from rich.progress import Progress as Bar  # noqa: PLC0415

        latest = self._progress()
        text = TextColumn("{task.fields[said]}", markup=False)
        if latest.share is None:
            columns: tuple[ProgressColumn, ...] = text, TimeElapsedColumn()
        else:
            columns = BarColumn(), TaskProgressColumn(), text
        bar = Bar(
            TextColumn("{task.description}"),
            *columns,
            console=self._console or Console(stderr=True, soft_wrap=True),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
        )
        meter = RateMeter(len(latest.counts))
        total = None if latest.share is None else 1.0
        task = bar.add_task(escape(self._name), total=total, said=latest.place)
        bar.update(task, completed=latest.share)
        with bar:
            while True:
                meter.take(monotonic(), [*latest.counts.values()])
                if latest.share is not None:
                    bar.update(task, completed=latest.share)
                said = _said(latest, meter, bar.tasks[0].time_remaining)
                bar.update(task, said=said)
                bar.refresh()
                if self._is_over.wait(EVERY):
                    return
                latest = self._progress()


def _said(progress: Progress, meter: RateMeter, left: float | None) -> str:
    """What stands beside the bar, or in its place: where it is, rates, the seconds that are left."""
    parts = [progress.place]
    if left is not None:
        parts.append(f"{timedelta(seconds=int(left))} left")
    elif progress.share is None:
        rates = zip(progress.counts, meter.rates, strict=True)
        parts += [f"{rate_text(rate)} {name}/s" for name, rate in rates]
    return "  ".join(filter(None, parts))


def file_names(name: str) -> str:
    """The name of an input without the folders in which it lies."""
    if name == STANDARD:
        return "standard input"
    return ", ".join(part.rpartition("/")[2] or part for part in name.split(", "))


def is_to_be_shown(inputs: tuple[str, ...], *, is_quiet: bool) -> bool:
    """Whether standard error is a terminal, on which nobody types the input."""
    if is_quiet or sys.stderr is None or not sys.stderr.isatty():
        return False
    return not (STANDARD in inputs and sys.stdin is not None and sys.stdin.isatty())
