"""Lines of a text that grows: a file, or standard input."""

import io
from collections.abc import Callable
from dataclasses import KW_ONLY
from select import select
from threading import Event

from lars2asp.runtime.connectors.feed import Lines
from lars2asp.runtime.sources.records import LARGEST_RECORD, Line
from lars2asp.syntax.values import dataclass

PIECE = 2**16
"""In bytes, the most that is read at once."""

LOOK_SECONDS = 0.05
"""The time between two looks behind the end."""


@dataclass(eq=False)
class TextFeed:
    """The lines of a stream of bytes.

    Attributes:
        name: what messages call it.
        open_stream: opens the bytes, which are read without a buffer of their own; it may raise InputError.
        is_followed: whether the stream is read on behind its end, as it grows.
        largest_record: in bytes, the length beyond which only the beginning of a line is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
    """

    name: str
    open_stream: Callable[[], io.RawIOBase]
    _: KW_ONLY
    is_followed: bool
    largest_record: int = LARGEST_RECORD
    encoding: str | None = None

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits the lines; see `Feed`. A last line without end counts only where nothing can follow."""
        lines = Lines(self.name, self.largest_record, self.encoding)
        with self.open_stream() as stream:
            while not stop.is_set():
                piece = stream.read(PIECE)
                if piece is None:  # the stream does not wait by itself
                    select([stream], [], [], LOOK_SECONDS)
                elif piece:
                    for line in lines.add(piece):
                        emit(line)
                elif self.is_followed:
                    stop.wait(LOOK_SECONDS)
                else:
                    for line in lines.end():
                        emit(line)
                    return
