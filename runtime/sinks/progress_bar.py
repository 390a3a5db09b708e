"""A bar that shows how far a long run is."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from lars2asp.runtime.sources.recorded_input import RecordedInput
from lars2asp.runtime.sources.records import Record

Show = Callable[[Iterable[Record]], Iterator[Record]]
EVERY = 64
"""The number of records between two updates."""


@contextmanager
def progress_bar(source: RecordedInput) -> Iterator[Show]:
    """Shows the tick and how much of the input is read, on standard error.

    Args:
        source: the input; its size is that of the whole bar.
    """
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("tick {task.fields[tick]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task(source.name, total=source.size, tick="-")

    def show(records: Iterable[Record]) -> Iterator[Record]:
        for number, record in enumerate(records):
            if number % EVERY == 0:
                bar.update(task, completed=source.bytes_read, tick=record.tick)
            yield record

    with bar:
        yield show
