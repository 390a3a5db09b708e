"""What is read on behind its end: a file, or the files of a folder."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY
from threading import Event
from typing import Any, Protocol

from lars2asp.runtime.connectors.text_feed import LOOK_SECONDS
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import LARGEST_RECORD, Line
from lars2asp.syntax.values import dataclass


class GrowingText(Protocol):
    """Lines of files that grow."""

    def lines(self) -> Iterator[Line]:
        """What has come since it was asked for last, or some of it. Raises InputError, and OSError."""

    def close(self) -> None:
        """Closes what is open."""


@dataclass(eq=False)
class FollowedText:
    """The lines of files that grow; see `PositionedFeed`.

    Attributes:
        name: the path, as messages name it.
        largest_record: in bytes, the length beyond which only the beginning of a line is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
    """

    name: str
    _: KW_ONLY
    largest_record: int = LARGEST_RECORD
    encoding: str | None = None

    def __post_init__(self) -> None:
        self._known: Mapping[str, Any] = {}

    def go_on(self, positions: Mapping[str, Any]) -> None:
        """See `PositionedFeed`."""
        self._known = positions

    def text(self) -> GrowingText:
        """The files, where the run stands in them. Raises InputError if there is none."""
        raise NotImplementedError

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Emits the lines; see `Feed`."""
        text = self.text()
        try:
            while not stop.is_set():
                is_over = True
                for line in text.lines():
                    is_over = False
                    emit(line)
                if is_over:
                    stop.wait(LOOK_SECONDS)
        except OSError as error:
            raise InputError.of(self.name, f"cannot read this file: {error.strerror}") from error
        finally:
            text.close()
