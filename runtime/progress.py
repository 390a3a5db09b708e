"""What a person sees of a long run on a terminal."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from runtime.records import Record

Show = Callable[[Iterable[Record]], Iterator[Record]]
"""Passes the records of a run on."""

EVERY = 64
"""In records: how often it is shown how far they are read."""


@contextmanager
def progress(name: str, lines: TextIO, is_visible: bool) -> Iterator[Show]:
    """Shows the tick and how much of the input is read, on standard error; nothing where not visible.

    Args:
        name: the input's name; for a file its size tells how much there is to read.
        lines: the input.
        is_visible: whether there is a terminal to show it on.
    """
    if not is_visible:
        yield iter
        return
    path = Path(name)
    size = path.stat().st_size if path.is_file() else None
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("tick {task.fields[tick]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task(name, total=size, tick="-")

    def show(records: Iterable[Record]) -> Iterator[Record]:
        for number, record in enumerate(records):
            if number % EVERY == 0:
                read = lines.buffer.tell() if size is not None else None
                bar.update(task, completed=read, tick=record.tick)
            yield record

    with bar:
        yield show
